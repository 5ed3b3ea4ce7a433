// SPDX-License-Identifier: MIT
// Where entities have their values: tables of rows, sparse sets beside them, and the indexes that find both.
// Nothing here asks whether an entity may have something, or tells an observer.
//
//   store            holds all of it: from handles to rows, and rows from table to table
//
//   entity/          entities, which of them live and where their rows are; place_word, what the slots of the
//                    registry say of that; worlds, the numbers of worlds; entity_rows, the rows alone
//   archetype/       chunk, column, table; transition, what is planned once for rows that go from table to
//                    table; table_book, all tables; record_book, what is known of each identifier;
//                    component_book, which entity a type or a name stands for; loose_value, a value on its
//                    way
//   sparse/          side_set, what entities have outside tables; side_book, all such sets
//   relation/        sources, the lists of those who have a target; chain_sources, the same of a transitive
//                    relation; objects of the host program behind links; names
//   change/          stamps, when what is tracked changed; watch_book, what is tracked
//
// An internal module: it exports all it has to the modules of this library. ecs.world passes on what is for
// users.
export module ecs.storage;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.registry;
import ecs.core;
import ecs.component;
export import :byte_column;
export import :chain_sources;
export import :chunk;
export import :column;
export import :component_book;
export import :entities;
export import :entity_rows;
export import :loose_value;
export import :names;
export import :objects;
export import :place_word;
export import :record_book;
export import :side_book;
export import :side_set;
export import :sources;
export import :stamps;
export import :store;
export import :table;
export import :table_book;
export import :transition;
export import :watch_book;
export import :worlds;
