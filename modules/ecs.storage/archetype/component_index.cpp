// SPDX-License-Identifier: MIT
// Records of identifiers are found by word, by relation and by target.
module ecs.storage;
import ecs.std;

namespace ecs {

namespace {

/// Returns the list of that index with room for one more; nullptr when the index is 0. Throws std::bad_alloc.
std::vector<component_record*>* list_with_room(flat_map<std::vector<component_record*>>& lists,
                                               std::uint32_t index) {
    if (index == 0) return nullptr;
    std::vector<component_record*>& list = lists[index];
    reserve_one(list);
    return &list;
}

std::uint32_t append(std::vector<component_record*>& list, component_record& record) {
    list.push_back(&record);
    return static_cast<std::uint32_t>(list.size() - 1);
}

/// Takes a record off the list: the last record moves to its place.
void strike(std::vector<component_record*>& list, const component_record& gone,
            std::uint32_t component_record::* slot) noexcept {
    list.back()->*slot = gone.*slot;
    list[gone.*slot] = list.back();
    list.pop_back();
}

} // namespace

std::size_t component_record::rows() const {
    std::size_t count = 0;
    for (const table* const in : tables) count += in->size();
    return count;
}

void component_record::append_owners(std::vector<entity>& owners) const {
    for (const table* const in : tables)
        for (chunk* const block : in->chunks())
            owners.insert(owners.end(), block->entities(), block->entities() + block->count);
}

id_parts parts_of(id word) {
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

bool may_match(id pattern, id stored) {
    if (matches(pattern, stored)) return true;
    if (!stored.is_wildcard() || !pattern.is_pair()) return false;
    return pattern.relation_index() == 0 || pattern.relation_index() == stored.relation_index();
}

component_record& component_index::enter(std::unique_ptr<component_record> fresh) {
    const auto [relation, target] = parts_of(fresh->word);
    const bool is_first_pair = relation != 0 && !was_relation(relation);
    try {
        std::vector<component_record*>* const same_relation = list_with_room(by_relation_, relation);
        std::vector<component_record*>* const same_target = list_with_room(by_target_, target);
        component_record& record = *(records_[fresh->word.value()] = std::move(fresh));
        if (same_relation) record.slot_of_relation = append(*same_relation, record);
        if (same_target) record.slot_of_target = append(*same_target, record);
        return record;
    } catch (...) { // An empty list would say that there was a pair.
        if (is_first_pair) by_relation_.erase(relation);
        throw;
    }
}

std::vector<std::uint32_t> component_index::relations() const {
    std::vector<std::uint32_t> found;
    by_relation_.for_each([&](std::uint64_t index, const std::vector<component_record*>& records) {
        const auto is_had = [](const component_record* record) { return record->rows() != 0; };
        if (std::ranges::any_of(records, is_had)) found.push_back(static_cast<std::uint32_t>(index));
    });
    return found;
}

void component_index::erase(component_record& record) noexcept {
    const auto [relation, target] = parts_of(record.word);
    if (relation != 0) strike(*by_relation_.find(relation), record, &component_record::slot_of_relation);
    if (target != 0) strike(*by_target_.find(target), record, &component_record::slot_of_target);
    records_.erase(record.word.value());
}

void component_index::mirror(const component_index& other) {
    other.for_each([&](const component_record& known) {
        auto made = std::make_unique<component_record>();
        made->word = known.word;
        made->info = known.info;
        made->slot_of_relation = known.slot_of_relation;
        made->slot_of_target = known.slot_of_target;
        records_[known.word.value()] = std::move(made);
    });
    mirror_lists(other.by_relation_, by_relation_);
    mirror_lists(other.by_target_, by_target_);
}

/// Puts the same records in the same places.
void component_index::mirror_lists(const lists& other, lists& made) const {
    other.for_each([&](std::uint64_t index, const std::vector<component_record*>& list) {
        std::vector<component_record*>& copy = made[index];
        for (const component_record* const known : list) copy.push_back(find(known->word));
    });
}

} // namespace ecs
