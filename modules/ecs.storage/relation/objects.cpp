// SPDX-License-Identifier: MIT
// Links to objects of the host program. An object leaves its table when the last row that is linked to it
// has gone; how many there are is not counted, the tables know.
module ecs.storage;
import ecs.std;

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
    reserve_one(there);
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

} // namespace ecs
