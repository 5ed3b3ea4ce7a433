// SPDX-License-Identifier: MIT
// Which identifiers are sound.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

/// Whether the identifier stands for something of this world that is alive.
add_result store::check_addable(id word) const {
    if (word.is_wildcard()) return add_result::wildcard;
    if (object_table::concerns(word) && !objects_.knows(word)) return add_result::not_alive_id;
    if (word.is_entity())
        return entities_->alive(word.as_entity()) ? add_result::added : add_result::not_alive_id;
    const auto [relation, target] = parts_of(word);
    const bool related = word.kind() == id_kind::flagged_entity || entities_->at(relation);
    const bool known =
        related && (target == 0 ? word.has_relation() && !word.is_pair() : is_sound_target(word));
    return known ? add_result::added : add_result::not_alive_id;
}

bool store::is_sound_target(id word) const {
    const entity target = entities_->at(word.target_index());
    if (!target || word.kind() == id_kind::flagged_pair) return bool(target);
    if (word.kind() == id_kind::flagged_entity)
        return (type_flags::none | id(target)) == (type_flags::none | without_flags(word));
    // Any relation will do, but not the target: its index may be too high for one.
    return pair(child_of, target).target_generation() == word.target_generation();
}

/// Pairs are told apart by their target's generation; that of a built-in target is this world's.
id store::localize_pair(id word) const {
    if (word.kind() != id_kind::pair || word.target_index() >= entity_index::first_ordinary) return word;
    const entity relation = entities_->at(word.relation_index());
    const entity target = entities_->at(word.target_index());
    const bool stand_in = world_partitions::parts[1].first <= word.target_index();
    return relation && target && stand_in ? pair(relation, target) : word;
}

} // namespace ecs
