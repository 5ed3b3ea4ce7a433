// SPDX-License-Identifier: MIT
// ecs.world: components that are entities, archetype storage, queries. What users import; beneath it lie
// internal modules, each of which knows those before it alone:
//
//   ecs.core <- ecs.component <- ecs.storage <- ecs.structure <- ecs.query <- ecs.world
//
//   world          what users call: types in, values out
//   entity_graph   the part of it that is about relations, links and names
//   vocabulary     the names that the internal modules have for users; earlier_names, those of before
//   world_access   what a schedule and a snapshot need beyond what users do
//
//   value/         assignment, a value of a type given to an entity; assignment_of_many, several values, or
//                  one for each of many entities; writing, values that are there, of which observers are
//                  told; edit, many changes to one entity in one move; spawner, new entities from the
//                  values of their components; bundle, the table of a set of types
//   observer/      observe, functions that are told what happens
//   command/       commands, changes recorded by any thread and made at the next flush: command_queue, the
//                  command buffers of a world; command_buffer, what one of them holds; command_stream, in
//                  its order; command_applier, which makes it happen; flush_report, what became of it;
//                  recorded_calls, functions that are called at the flush; thread_commands, an object
//                  for each thread of a parallel loop
//   schedule/      systems, side by side where system_access allows it; system_graph, which waits for which;
//                  resource, a singleton as a parameter; condition, whether systems run; state, which
//                  of several a world is in; system_order, the order that is asked for by names;
//                  deterministic, systems whose order does not matter; profiler, who is told what a run does
//                  when; trace, that as a file
//   debug/         differences, of entities and of worlds; dump, both in words: dumper; history, the last
//                  changes and by whom; described_members, what may be said of members at run time
//   snapshot/      snapshot, a world as it was; persistence, a world as bytes: saver, loader, and their
//                  snapshot_format
//
// What a call passes through, from the left to the right, until nothing is left to do:
//
//   add        engine, gate, structure, constraints, store, notifier, structure for what comes along
//   spawn      spawner, engine, row_spawner, store, notifier
//   despawn    engine, gate, despawner, notifier, structure, store
//   flush      command_applier, row_spawner for whole chunks, engine for each command, notifier
//   each       query, query_core, matcher, lookup, store; then the chunks of the tables, one after the other
//
// docs/contributing.md draws each of them floor by floor.
export module ecs.world;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
import ecs.query;
export import ecs.id;
export import ecs.registry;
export import ecs.relation;
export import :earlier_names;
export import :edit;
export import :observe;
export import :recorded_calls;
export import :flush_report;
export import :commands;
export import :condition;
export import :deterministic;
export import :differences;
export import :dump;
export import :resource;
export import :state;
export import :system_access;
export import :schedule;
export import :snapshot;
export import :table_summary;
export import :thread_commands;
export import :trace;
export import :persistence;
export import :profiler;
export import :vocabulary;
export import :world;
// These export nothing that is for users; the language wants every interface partition exported.
export import :assignment;
export import :assignment_of_many;
export import :bundle;
export import :command_queue;
export import :command_stream;
export import :entity_graph;
export import :described_members;
export import :dumper;
export import :history;
export import :command_applier;
export import :loader;
export import :command_buffer;
export import :saver;
export import :snapshot_format;
export import :spawner;
export import :system;
export import :system_graph;
export import :system_order;
export import :world_access;
export import :writing;
