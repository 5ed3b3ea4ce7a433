// SPDX-License-Identifier: MIT
// Which identifiers are sound.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

bool is_sound_target(const entity_index& known, id word) {
    const entity target = known.at(word.target_index());
    if (!target || word.kind() == id_kind::flagged_pair) return bool(target);
    if (word.kind() == id_kind::flagged_entity)
        return (type_flags::none | id(target)) == (type_flags::none | without_flags(word));
    // Any relation will do, but not the target: its index may be too high for one.
    return pair(child_of, target).target_generation() == word.target_generation();
}

} // namespace

/// Whether the word is the component component_info.
bool constraints::says_what_a_component_is(id word) const {
    return word == id(rows_.registered<component_info>());
}

/// Whether the identifier stands for something of this world that is alive.
add_result constraints::check_addable(id word) const {
    if (word.is_wildcard()) return add_result::wildcard;
    if (object_table::concerns(word) && !rows_.objects().knows(word)) return add_result::not_alive_id;
    if (says_what_a_component_is(word)) return add_result::is_built_in;
    if (word.is_entity())
        return rows_.entities().alive(word.as_entity()) ? check_places(word) : add_result::not_alive_id;
    const auto [relation, target] = parts_of(word);
    const bool related = word.kind() == id_kind::flagged_entity || rows_.entities().at(relation);
    const bool known = related && (target == 0 ? word.has_relation() && !word.is_pair()
                                               : is_sound_target(rows_.entities(), word));
    return known ? check_places(word) : add_result::not_alive_id;
}

add_result constraints::check_places(id word) const {
    if (rows_.all_traits().restriction_count() == 0) [[likely]]
        return add_result::added;
    const auto [relation, target] = parts_of(word);
    const std::uint32_t alone = word.is_entity() ? index_of(word.as_entity()) : relation == 0 ? target : 0;
    if (rows_.all_traits().of(alone).any_of(trait::relation_only)) return add_result::needs_target;
    if (rows_.all_traits().of(alone).any_of(trait::target_only) ||
        rows_.all_traits().of(relation).any_of(trait::target_only))
        return add_result::is_target_only;
    const bool refused = relation != 0 && rows_.all_traits().of(target).any_of(trait::relation_only) &&
                         !rows_.all_traits().of(relation).any_of(trait::property);
    return refused ? add_result::is_relation_only : add_result::added;
}

} // namespace ecs
