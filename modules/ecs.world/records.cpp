// SPDX-License-Identifier: MIT
// Which identifiers are sound, and on which lists their records are: an entity that ends finds there what it
// is part of.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

namespace {

void reserve_one(auto& list) {
    if (list.size() == list.capacity()) list.reserve(2 * list.size() + 1);
}

std::uint32_t append(std::vector<id_record*>& list, id_record& record) {
    list.push_back(&record);
    return static_cast<std::uint32_t>(list.size() - 1);
}

/// The entities that an identifier is made of, by index; 0 where there is none.
struct parts {
    std::uint32_t relation{};
    std::uint32_t target{};
};

parts parts_of(id word) {
    switch (word.kind()) {
    case id_kind::pair:
    case id_kind::flagged_pair: return {word.relation_index(), word.target_index()};
    case id_kind::flagged_entity: return {0, word.target_index()};
    case id_kind::wildcard_pair:
    case id_kind::value_pair:
    case id_kind::link: return {word.relation_index(), 0};
    default: return {};
    }
}

} // namespace

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
    return pair(target, target).target_generation() == word.target_generation();
}

/// Pairs are told apart by their target's generation; that of a built-in target is this world's.
id store::localize_pair(id word) const {
    if (word.kind() != id_kind::pair || word.target_index() >= entity_index::first_ordinary) return word;
    const entity relation = entities_->at(word.relation_index());
    const entity target = entities_->at(word.target_index());
    const bool stand_in = world_partitions::parts[1].first <= word.target_index();
    return relation && target && stand_in ? pair(relation, target) : word;
}

/// From now on the end of the entities in the word concerns others.
void store::file(id_record& record) {
    const auto [relation, target] = parts_of(record.word);
    const auto join = [&](flat_map<std::vector<id_record*>>& lists, std::uint32_t index) {
        std::vector<id_record*>& list = lists[index];
        reserve_one(list);
        entities_->set_referred(index);
        return &list;
    };
    if (record.word.is_entity()) entities_->set_referred(index_of(record.word.as_entity()));
    std::vector<id_record*>* const same_relation = relation != 0 ? join(by_relation_, relation) : nullptr;
    std::vector<id_record*>* const same_target = target != 0 ? join(by_target_, target) : nullptr;
    if (same_relation) record.slot_of_relation = append(*same_relation, record);
    if (same_target) record.slot_of_target = append(*same_target, record);
}

void store::unfile(id_record& record) noexcept {
    const auto [relation, target] = parts_of(record.word);
    if (relation != 0) {
        std::vector<id_record*>& list = *by_relation_.find(relation);
        list.back()->slot_of_relation = record.slot_of_relation;
        list[record.slot_of_relation] = list.back();
        list.pop_back();
    }
    if (target != 0) {
        std::vector<id_record*>& list = *by_target_.find(target);
        list.back()->slot_of_target = record.slot_of_target;
        list[record.slot_of_target] = list.back();
        list.pop_back();
    }
}

} // namespace ecs
