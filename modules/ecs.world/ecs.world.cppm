// SPDX-License-Identifier: MIT
// ecs.world: components that are entities, archetype storage, queries.
//
//   world            what users call: types in, values out
//   entity_graph     the part of it that is about relations, links and names
//   query            terms, and the tables that satisfy them
//   joins            variables in queries; joined_query hands out their answers
//   commands         changes recorded by any thread, made at the next flush
//   flush_report     what became of them
//   schedule         systems, side by side where their accesses, system_access, allow it
//   snapshot         a world as it was
//   persistence      a world as bytes
//   edit             many changes to one entity in one move
//   observe          who is told what happens
//   observer         what an observer is told
//   term             what a query asks for, and where its values are
//   sources          lists of those who have a target
//   vocabulary       the names that ecs.core and ecs.component have for users
//
// and unexported, from the top down:
//
//  From types to identifiers:
//   spawner          new entities from the values of their components
//   assignment       values of types, given to entities
//   values           where the value of a type is at an entity
//   bundle           the table of a set of types
//   query_cache      queries that no variable of the caller holds
//   query_core       terms and tables, whatever the types
//   owner            the world as the code below it sees it
//   recorded_calls   functions of the user's that commands call at the flush
//   hooks            what a component type itself does when its values come and go
//
//  Commands and systems:
//   command_hub      the recorders of a world; recorder_list, who has which
//   recorder         what one commands object holds; command_stream, in its order
//   flusher          applies recordings; bulk_move, many rows at once
//   system_graph     who waits for whom among systems
//   parallel_walk    chunks on several threads
//
//  The five floors, of which each knows those below it alone:
//   engine           holds them, and the operations that stand on them: row_spawner, despawner, cloner,
//                    instantiation, registrar
//   structure        changes what entities have
//   notifier         observers, ticks, and changes that wait
//   constraints      may an entity have it, or lose it?
//   lookup           what do entities have?
//   store            rows, tables and indexes
//
//  What the store is made of, and what serves the floors:
//   entity_rows      where entities have their values
//   table_book       the tables; record_book, what is known of each identifier
//   component_book   which entity a type or a name stands for
//   transition       what is planned once for rows that go from table to table
//   chain_sources    who leads to a target of a transitive relation
//   objects          objects of the host program behind links
//   names            entities by scope and name; depth_book, how deep they are
//   change_queue     what observers ask for, until the change is complete
//   watch_book       what is watched; stamps, when it changed
//   loose_value      a value on its way
//   saver, loader    a world as bytes and back, by snapshot_format
//
//  Memory:
//   table            the rows of one type, in chunks; column, one component of them
//   chunk            one block of memory with columns
//   side_set         what entities have outside tables; side_book, all such sets
//   entities         which entities live, and where their rows are
//   place_word       what a world keeps in the slots of its registry
//   worlds           the numbers of worlds
export module ecs.world;
import ecs.core;
import ecs.component;
export import ecs.id;
export import ecs.registry;
export import ecs.relation;
export import :edit;
export import :observer;
export import :observe;
export import :owner;
export import :recorded_calls;
export import :sources;
export import :flush_report;
export import :commands;
export import :system_access;
export import :schedule;
export import :query;
export import :joined_query;
export import :joins;
export import :term;
export import :snapshot;
export import :persistence;
export import :vocabulary;
export import :world;
// These export nothing that is for users; the language wants every interface partition exported.
export import :assignment;
export import :bulk_move;
export import :bundle;
export import :byte_column;
export import :change_queue;
export import :chunk;
export import :cloner;
export import :column;
export import :command_hub;
export import :command_stream;
export import :component_book;
export import :constraints;
export import :depth_book;
export import :despawner;
export import :entities;
export import :entity_graph;
export import :engine;
export import :entity_rows;
export import :flusher;
export import :hooks;
export import :instantiation;
export import :loader;
export import :lookup;
export import :loose_value;
export import :names;
export import :notifier;
export import :objects;
export import :parallel_walk;
export import :query_cache;
export import :query_core;
export import :record_book;
export import :recorder;
export import :recorder_list;
export import :registrar;
export import :row_spawner;
export import :saver;
export import :side_book;
export import :chain_sources;
export import :side_set;
export import :place_word;
export import :snapshot_format;
export import :spawner;
export import :stamps;
export import :store;
export import :structure;
export import :system;
export import :system_graph;
export import :table;
export import :table_book;
export import :transition;
export import :values;
export import :watch_book;
export import :worlds;
