// SPDX-License-Identifier: MIT
// Terms, and the entities that satisfy them.
//
//   query         what users write: types in, loops over values out
//   query_core    the same without types
//   matcher       which tables satisfy the terms
//   found_row     a row that does; row_order, which of them comes first
//   chunk_list    the chunks that a loop goes to
//   query_cache   queries that no variable of the caller holds
//   condition     alternatives and negations of terms
//   term          what a query asks for; values, where the value of a type is at an entity
//   filter        what a query asks without a value
//   depth_cache   how deep entities are in a hierarchy; ancestor_finder, what is above them
//   join/         variables in queries: joined_word and joined_condition, what is asked; joined_query, which
//                 hands out the answers; join_branch, one alternative of each condition; join_plan and
//                 join_search, over relation_pairs, which are sorted lists
//   text/         queries as text: query_text is what was written, text_query what it stands for
//   parallel/     chunks on several threads
//
// An internal module: it exports all it has to the modules of this library. ecs.world passes on what is for
// users.
export module ecs.query;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.registry;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
export import :ancestor_finder;
export import :chunk_list;
export import :condition;
export import :depth_cache;
export import :filter;
export import :found_row;
export import :joined_condition;
export import :joined_query;
export import :joined_word;
export import :joins;
export import :matcher;
export import :parallel_for;
export import :query;
export import :query_cache;
export import :query_core;
export import :query_text;
export import :row_order;
export import :term;
export import :text_query;
export import :values;
// These export nothing that another module uses; the language wants every interface partition exported.
export import :join_branch;
export import :join_plan;
export import :join_search;
export import :query_compiler;
export import :relation_lists;
export import :relation_pairs;
