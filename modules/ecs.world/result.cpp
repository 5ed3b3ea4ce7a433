// SPDX-License-Identifier: MIT
module;
#include <string_view>
module ecs.world;
import :result;

namespace ecs {

std::string_view to_string(add_result result) {
    switch (result) {
    case add_result::added:
        return "added";
    case add_result::already_there:
        return "already there";
    case add_result::removed:
        return "removed";
    case add_result::not_there:
        return "not there";
    case add_result::deferred:
        return "will be done when the observers have been told";
    case add_result::not_alive:
        return "the entity is not alive in this world";
    case add_result::not_alive_id:
        return "the component, relation or target is not alive in this world";
    case add_result::wildcard:
        return "a wildcard can be asked for, not added";
    case add_result::no_value:
        return "there is no value to set, or the component is a tag";
    case add_result::not_constructible:
        return "the component has no default value; set one";
    case add_result::not_copyable:
        return "values of the component cannot be copied";
    case add_result::would_make_a_cycle:
        return "the relation is acyclic and this would make a cycle";
    case add_result::target_not_allowed:
        return "the relation does not allow this target";
    case add_result::is_final:
        return "the target is final";
    case add_result::name_taken:
        return "the parent has a child of that name";
    case add_result::kept_by_policy:
        return "a clean-up policy protects it";
    case add_result::needs_target:
        return "a relation needs a target; add a pair";
    case add_result::contradiction:
        return "the property contradicts another property of the relation";
    case add_result::relation_in_use:
        return "the relation has pairs already; declare the property before the first";
    }
    return "unknown";
}

} // namespace ecs
