// SPDX-License-Identifier: MIT
// Links to objects of the host program. An object leaves its table when the last row that is linked to it
// has gone; how many there are nobody counts, the tables know.
module ecs.world;
import ecs.std;
import :objects;
import :store;

namespace ecs {

namespace {

std::uint64_t key_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

} // namespace

std::uint32_t object_table::slot_of(const void* address, std::uint32_t type) const {
    const std::vector<std::uint32_t>* const there = address ? by_address_.find(key_of(address)) : nullptr;
    if (!there) return 0;
    const auto known =
        std::ranges::find_if(*there, [&](std::uint32_t slot) { return find(slot)->type == type; });
    return known == there->end() ? 0 : *known;
}

id object_table::enter(std::shared_ptr<void> held, std::uint32_t type, id relation) {
    const std::uint32_t known = slot_of(held.get(), type);
    const std::uint32_t slot = known != 0 ? known : new_slot(held, type);
    if (held.use_count() != 0) by_slot_[slot].held = std::move(held);
    return relate(link_to_slot(relation, slot), relation);
}

id object_table::relate(id known, id relation) {
    object* const there = by_slot_.find(known.number());
    const id word = link_to_slot(relation, known.number());
    if (there && std::ranges::find(there->words, word) == there->words.end()) there->words.push_back(word);
    return word;
}

bool object_table::knows(id word) const {
    const object* const there = find(word.number());
    return there && std::ranges::find(there->words, word) != there->words.end();
}

std::uint32_t object_table::new_slot(const std::shared_ptr<void>& held, std::uint32_t type) {
    if (next_ > std::numeric_limits<std::uint32_t>::max())
        throw std::length_error("the world has had as many linked objects as it can have");
    std::vector<std::uint32_t>& there = by_address_[key_of(held.get())];
    there.reserve(there.size() + 1);
    const auto slot = static_cast<std::uint32_t>(next_);
    by_slot_[slot] = {held, type, {}};
    ++next_;
    there.push_back(slot);
    return slot;
}

std::shared_ptr<void> object_table::take(std::uint32_t slot) noexcept {
    std::shared_ptr<void> held = std::move(by_slot_.find(slot)->held);
    const std::uint64_t address = key_of(held.get());
    std::vector<std::uint32_t>& there = *by_address_.find(address);
    std::erase(there, slot);
    if (there.empty()) by_address_.erase(address);
    by_slot_.erase(slot);
    return held;
}

add_result store::link_object(entity e, id relation, std::shared_ptr<void> object, std::uint32_t type) {
    relation = localize(relation);
    if (!is_still()) [[unlikely]]
        return later(e,
                     [=, kept = std::move(object)](store& in) { in.link_object(e, relation, kept, type); });
    if (!object) return add_result::no_value;
    if (!entities_->alive(relation.as_entity())) return add_result::not_alive_id;
    const void* const address = object.get();
    try {
        const add_result result = add(e, objects_.enter(std::move(object), type, relation));
        release_object(objects_.slot_of(address, type));
        return result;
    } catch (...) {
        release_object(objects_.slot_of(address, type));
        throw;
    }
}

id store::link_of(id relation, const void* object, std::uint32_t type) const {
    const std::uint32_t slot = objects_.slot_of(object, type);
    return slot != 0 ? link_to_slot(localize(relation), slot) : id{};
}

void* store::object_behind(id word, std::uint32_t type) const {
    if (!object_table::concerns(word)) return nullptr;
    const object_table::object* const found = objects_.find(word.number());
    return objects_.knows(word) && found->type == type ? found->held.get() : nullptr;
}

void* store::object_of(entity e, id relation, std::uint32_t type) const {
    const row_ref at = locate(e);
    const entity asked = localize(relation).as_entity();
    if (!at || !entities_->alive(asked)) return nullptr;
    for (const id word : at.block->owner->type())
        if (word.is_link() && word.relation_index() == index_of(asked))
            if (void* const found = object_behind(word, type)) return found;
    return nullptr;
}

/// The object leaves if nobody is linked to it. What its end does to the host program is done when the table
/// is whole.
void store::release_object(std::uint32_t slot) noexcept {
    const object_table::object* const known = slot != 0 ? objects_.find(slot) : nullptr;
    if (!known || std::ranges::any_of(known->words, [&](id word) { return is_had(word); })) return;
    const std::shared_ptr<void> ends = objects_.take(slot);
}

/// A row has left the table, for another one or for good. Whoever it has left behind is linked still.
void store::release_objects(const table& left, const table* now_in) noexcept {
    if (left.size() != 0) return;
    for (const id word : left.type())
        if (object_table::concerns(word) && !(now_in && now_in->has(word))) release_object(word.number());
}

/// Whether some row has the identifier.
bool store::is_had(id word) const {
    const id_record* const record = records_.find(word);
    return record && record->rows() != 0;
}

} // namespace ecs
