// SPDX-License-Identifier: MIT
// The names of internal modules that are for users of ecs.world.
export module ecs.world:vocabulary;
import ecs.component;
import ecs.core;
import ecs.query;
import ecs.relation;
import ecs.storage;
import ecs.structure;

// To export a name is to use it, which clang-tidy does not know.
// NOLINTBEGIN(misc-unused-using-decls)
export namespace ecs {

// Components.
using ecs::component_description;
using ecs::component_info;
using ecs::component_traits;
using ecs::component_type;
using ecs::enumerator;
using ecs::info_of;
using ecs::is_text_type;
using ecs::manifest;
using ecs::member;
using ecs::member_note;
using ecs::reflection;
using ecs::storage;
using ecs::type_name;
using ecs::value_operations;
using ecs::whole_of;

// What components declare of themselves.
using ecs::excludes_type;
using ecs::excludes_type_t;
using ecs::needs_type;
using ecs::needs_type_t;
using ecs::one_of_type;
using ecs::one_of_type_t;
using ecs::properties;
using ecs::with_type;
using ecs::with_type_t;

// Entities.
using ecs::change_kind;
using ecs::id_space;
using ecs::name;
using ecs::recorded_change;
using ecs::source_range;
using ecs::space_of;

// Queries.
using ecs::added;
using ecs::bindings;
using ecs::changed;
using ecs::getter;
using ecs::has;
using ecs::has_id;
using ecs::hidden;
using ecs::joined_condition;
using ecs::joined_query;
using ecs::joined_word;
using ecs::matched;
using ecs::matched_nth;
using ecs::not_single;
using ecs::parallel_options;
using ecs::query_condition;
using ecs::query_group;
using ecs::operator&&;
using ecs::operator||;
using ecs::operator!;
using ecs::pair;
using ecs::pair_with_variable;
using ecs::query;
using ecs::query_text_error;
using ecs::removed;
using ecs::self_or_up;
using ecs::single_condition;
using ecs::text_match;
using ecs::text_query;
using ecs::up;
using ecs::var;
using ecs::variable;
using ecs::without;

// Observers and hooks.
using ecs::event;
using ecs::event_context;
using ecs::event_set;
using ecs::observer;
using ecs::observer_options;
using ecs::only_entities;
using ecs::owner_ref;

// Snapshots.
using ecs::savable;
using ecs::saves_itself;
using ecs::snapshot_reader;
using ecs::snapshot_traits;
using ecs::snapshot_writer;

// Results and errors.
using ecs::access_error;
using ecs::add_result;
using ecs::despawn_result;
using ecs::iteration_error;
using ecs::name_error;
using ecs::operator<<;
using ecs::snapshot_error;
using ecs::snapshot_refusal;
using ecs::succeeded;
using ecs::to_string;
using ecs::too_many_worlds;
using ecs::world_ended_error;

// Threads.
using ecs::default_executor;
using ecs::executor;
using ecs::inline_executor;
using ecs::job_executor;
using ecs::job_system;
using ecs::make_tbb_executor;
using ecs::task;
using ecs::task_group;

} // namespace ecs
// NOLINTEND(misc-unused-using-decls)
