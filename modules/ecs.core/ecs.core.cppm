// SPDX-License-Identifier: MIT
// What all modules of a world are built from, and which knows nothing of entities: containers, and what
// threads share.
//
//   flat_map              identifiers to small values
//   paged_array           a value for each index; bit_pages, a bit for each
//   room                  places in lists that are made before they are needed
//   late_value            a value that is made later than its owner
//   light_array           values that are only bytes, in memory of their own
//   light_optional        a value, or none
//   light_tuple           values or references of several types together
//   type_questions        what is asked of types of the user's
//   spawn_sources         where the values of many entities come from
//   atomics               the orders of what threads share without a lock
//   shared_counts         numbers that threads share
//   number_lot            numbers that one thread lays out and all take
//   name_numbers          numbers of names, whichever thread names them first
//   shared                objects with several owners
//   command_buffer_list   which thread has which command buffer
//   executor              runs tasks on threads
//   words                 parts of messages
//
// An internal module: it exports all it has to the modules of this library. ecs.world passes on what is for
// users.
export module ecs.core;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.registry;
export import :atomics;
export import :bit_pages;
export import :command_buffer_list;
export import :executor;
export import :flat_map;
export import :late_value;
export import :light_array;
export import :light_optional;
export import :light_tuple;
export import :name_numbers;
export import :number_lot;
export import :paged_array;
export import :room;
export import :shared;
export import :shared_counts;
export import :spawn_sources;
export import :type_questions;
export import :words;
