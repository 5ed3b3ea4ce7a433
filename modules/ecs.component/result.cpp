// SPDX-License-Identifier: MIT
// The texts for each result and each refusal.
module ecs.component;
import ecs.std;

namespace ecs {

std::string_view to_string(add_result result) {
    switch (result) {
    case add_result::added: return "added";
    case add_result::already_there: return "already there";
    case add_result::removed: return "removed";
    case add_result::not_there: return "not there";
    case add_result::enabled: return "enabled";
    case add_result::disabled: return "disabled";
    case add_result::deferred: return "will be done when the observers have been told";
    case add_result::not_alive:
        return "the entity is not alive in this world, or gets its components with the next flush";
    case add_result::not_alive_id: return "the component, relation or target is not alive in this world";
    case add_result::wildcard: return "a wildcard can be asked for, not added";
    case add_result::no_value: return "there is no value to set, or the component is a tag";
    case add_result::not_constructible: return "the component has no default value; set one";
    case add_result::not_copyable: return "values of the component cannot be copied";
    case add_result::would_make_a_cycle: return "the relation is acyclic and this would make a cycle";
    case add_result::target_not_allowed: return "the relation does not allow this target";
    case add_result::is_final: return "the target is final";
    case add_result::name_taken: return "the parent has a child of that name";
    case add_result::kept_by_policy: return "a clean-up policy protects it";
    case add_result::needs_target: return "a relation needs a target; add a pair";
    case add_result::contradiction: return "the property contradicts another property of the relation";
    case add_result::excluded:
        return "the entity, or one that inherits from it, has something that excludes it";
    case add_result::needed: return "something that the entity has needs what would go; remove that first";
    case add_result::is_permanent: return "what would go is permanent: it stays until the entity ends";
    case add_result::is_relation_only: return "the target is relation_only: it can only be a relation";
    case add_result::is_target_only: return "it is target_only: it can only be the target of a pair";
    case add_result::is_built_in:
        return "the library relies on it as it is: a property of a built-in relation, the facts of a "
               "component, or an entity of the world's own";
    case add_result::is_singleton: return "it is a singleton: nobody has it but its own entity";
    case add_result::sources_not_allowed:
        return "the list of sources names one twice, or more than the relation allows";
    case add_result::relation_in_use:
        return "pairs break a rule of their relation: declare properties before the first pair";
    }
    return "unknown";
}

std::string_view to_string(snapshot_refusal reason) {
    switch (reason) {
    case snapshot_refusal::foreign_world: return "it is of another world";
    case snapshot_refusal::commands_pending: return "commands are recorded and not flushed";
    case snapshot_refusal::not_copyable: return "the values of a component cannot be copied";
    case snapshot_refusal::not_savable: return "nothing says how the values of a component are written down";
    case snapshot_refusal::not_left_out: return "what is to be left out cannot be left out";
    case snapshot_refusal::not_a_snapshot: return "the bytes are no snapshot of this version";
    case snapshot_refusal::layouts_differ:
        return "it was made with other layouts, partitions or by another kind of machine";
    case snapshot_refusal::truncated: return "it ends too early";
    case snapshot_refusal::damaged: return "its checksum is wrong";
    case snapshot_refusal::unknown_component: return "it has a component that the world does not know";
    case snapshot_refusal::component_differs:
        return "a component has another size, alignment, storage or other members";
    case snapshot_refusal::index_in_use: return "an index is an entity there and a component here";
    case snapshot_refusal::inconsistent: return "it says something that cannot be true of a world";
    }
    return "unknown";
}

} // namespace ecs
