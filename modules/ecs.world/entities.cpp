// SPDX-License-Identifier: MIT
module;
#include <cstdint>
module ecs.world;
import :entities;

namespace ecs {

entity entity_index::create_at(std::uint32_t index) {
    const bool is_free = !is_live(slots_[index]) && slots_[index] != 0;
    return is_free ? issue(index) : entity{};
}

id_status entity_index::status(entity e) const {
    if (!e) return id_status::null;
    if (id(e).is_pair()) return id_status::not_an_entity;
    if ((e.value() & constant_mask<layouts::entity>) != constant_bits<layouts::entity>)
        return id_status::malformed;
    if (!belongs(e)) return id_status::foreign_world;
    if (alive(e)) return id_status::live;
    if (e.index() == 0) return id_status::malformed;
    if (e.index() >= slots_.size()) return id_status::never_issued;
    const std::uint64_t slot = slots_[e.index()];
    if (slot == 0) return id_status::retired;
    return (e.value() & generation_mask) < (slot & generation_mask) ? id_status::stale
                                                                    : id_status::never_issued;
}

void entity_index::destroy(entity e) noexcept {
    std::uint64_t& slot = slots_[e.index()];
    const std::uint64_t generation = slot & generation_mask;
    --live_;
    if (generation == generation_mask) {
        slot = 0; // Retired: generation 0 is in no handle.
        return;
    }
    slot = generation + first_generation;
    if (e.index() >= first_ordinary) free_.push_back(index_of(e));
}

void entity_index::clear() noexcept {
    free_.clear();
    for (std::uint32_t index = 1; index < slots_.size(); ++index)
        if (is_live(slots_[index])) destroy(handle(index));
    free_.clear();
    for (std::uint32_t index = static_cast<std::uint32_t>(slots_.size()) - 1; index >= first_ordinary;
         --index)
        if (slots_[index] != 0) free_.push_back(index);
}

} // namespace ecs
