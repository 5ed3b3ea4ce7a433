// SPDX-License-Identifier: MIT
// Where entities have their values: tables of rows, sparse sets beside them, and the indexes that find both.
// Nothing here asks whether an entity may have something, or tells an observer.
//
//   store        holds all of it: from handles to rows, and rows from table to table
//
//   entity/      entities, which of them live and where their rows are; place_word, what the slots of the
//                registry say of that; worlds, the numbers of worlds; row_store, the rows alone;
//                rowless_list, entities without one; bulk_rows, many rows that leave a table together
//   archetype/   chunk, column, table; chunk_directory, all chunks, and column_starts, where their columns
//                begin; chunk_pool, the memory of those that ended; move_plan, what is planned once for rows
//                that go from one table to another; table_index, all tables; component_index, what is known
//                of each identifier; component_registry, which entity a type or a name stands for;
//                value_buffer, a value in memory of its own
//   sparse/      sparse_set, what entities have besides the types of their tables; sparse_sets, all of them;
//                in_place_columns, values that come and go beside the rows of tables
//   relation/    sources, the entities that have a target; chain_sources, those of a transitive relation;
//                objects of the host program behind links; names
//   change/      change_ticks, when what is tracked changed; change_tracker, what is tracked; change_history,
//                the last changes and by whom
//   debugging    where the members are, for the scripts in debug/
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
export import :bulk_rows;
export import :byte_column;
export import :chain_sources;
export import :change_history;
export import :change_ticks;
export import :change_tracker;
export import :chunk;
export import :chunk_directory;
export import :chunk_pool;
export import :column;
export import :column_starts;
export import :component_index;
export import :component_registry;
export import :drop_log;
export import :debugging;
export import :entities;
export import :in_place_columns;
export import :move_plan;
export import :names;
export import :objects;
export import :place_word;
export import :row_store;
export import :rowless_list;
export import :sources;
export import :sparse_set;
export import :sparse_sets;
export import :store;
export import :table;
export import :table_index;
export import :value_buffer;
export import :worlds;
