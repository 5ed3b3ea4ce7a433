// SPDX-License-Identifier: MIT
// The table of aliases; what is not in it does not exist here.
module ecs.remote;
import ecs.std;

namespace ecs::remote {

namespace {

constexpr std::string_view core_of_flecs = "flecs.core.";

struct alias {
    std::string_view of_flecs;
    std::string_view own;
};
constexpr std::array aliases{alias{"flecs.core.ChildOf", "child_of"},
                             alias{"flecs.core.IsA", "is_a"},
                             alias{"flecs.core.Prefab", "prefab_tag"},
                             alias{"flecs.core.Disabled", "disabled"},
                             alias{"flecs.core.Component", "ecs::component_info"},
                             alias{"flecs.core.Identifier", "ecs::name"},
                             alias{"flecs.core.Exclusive", "exclusive"},
                             alias{"flecs.core.Transitive", "transitive"},
                             alias{"flecs.core.Symmetric", "symmetric"},
                             alias{"flecs.core.Reflexive", "reflexive"},
                             alias{"flecs.core.Acyclic", "acyclic"},
                             alias{"flecs.core.PairIsTag", "tag_only"},
                             alias{"flecs.core.OrderedChildren", "ordered"},
                             alias{"flecs.core.DontFragment", "non_fragmenting"},
                             alias{"flecs.core.Final", "final"},
                             alias{"flecs.core.CanToggle", "togglable"},
                             alias{"flecs.core.Relationship", "relation_only"},
                             alias{"flecs.core.Target", "target_only"},
                             alias{"flecs.core.Singleton", "singleton"},
                             alias{"flecs.core.OneOf", "one_of"},
                             alias{"flecs.core.With", "with"},
                             alias{"flecs.core.OnDelete", "on_delete"},
                             alias{"flecs.core.OnDeleteTarget", "on_delete_target"},
                             alias{"flecs.core.Remove", "remove_it"},
                             alias{"flecs.core.Delete", "delete_it"},
                             alias{"flecs.core.Panic", "refuse_it"}};

} // namespace

std::string_view own_name(std::string_view name) {
    const auto means = [&](const alias& a) {
        return a.of_flecs == name || a.of_flecs.substr(core_of_flecs.size()) == name;
    };
    const auto* const found = std::ranges::find_if(aliases, means);
    return found == aliases.end() ? std::string_view() : found->own;
}

std::string_view name_of_flecs(std::string_view own) {
    const auto* const found = std::ranges::find(aliases, own, &alias::own);
    return found == aliases.end() ? std::string_view() : found->of_flecs;
}

bool is_of_flecs(std::string_view name) {
    constexpr std::array without_scope{"Module", "Query", "Observer", "System", "Symbol", "Trait", "Private"};
    return name.starts_with("flecs.") || std::ranges::find(without_scope, name) != without_scope.end();
}

} // namespace ecs::remote
