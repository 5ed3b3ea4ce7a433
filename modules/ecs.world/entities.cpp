// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :entities;

namespace ecs {

entity_index::entity_index(std::uint8_t world) : constant_(world_bits(world)) {
    slots_.ensure(0);
    stock_.fresh = {first_ordinary, id_supply::block_size};
}

void entity_index::restock() { supply_.draw(stock_, id_supply::block_size); }

void entity_index::promise_all(std::span<entity> out) {
    std::size_t taken = 0;
    try {
        while (taken != out.size()) {
            if (stock_.empty()) restock();
            for (auto more = std::min(stock_.size(), out.size() - taken); more != 0; --more)
                out[taken++] = promise(stock_.take(slots_));
        }
    } catch (...) {
        while (taken != 0) give_back(index_of(out[--taken]));
        throw;
    }
}

void entity_index::reserve(std::size_t more) {
    if (stock_.size() >= more) return;
    std::vector<entity> taken(more);
    promise_all(taken);
    for (const entity e : std::views::reverse(taken)) give_back(index_of(e));
}

void entity_index::issue_all(std::span<const entity> promised, location first) noexcept {
    live_ += promised.size();
    issue_run(promised, first);
}

entity entity_index::create_at(std::uint32_t index) {
    const std::uint64_t slot = slots_.known(index);
    return has_entity(slot) || slot == retired ? entity{} : claim(index);
}

entity entity_index::create_late_component() {
    late_components_.store(true, std::memory_order_relaxed); // See may_be_component.
    return create();
}

id_status entity_index::status(entity e) const {
    if (!e) return id_status::null;
    if (kinds_beside<layouts::entity>::include(e.value())) return id_status::not_an_entity;
    if ((e.value() & constant_mask<layouts::entity>) != constant_bits<layouts::entity>)
        return id_status::malformed;
    if (!belongs(e)) return id_status::foreign_world;
    if (alive(e)) return id_status::live;
    if (e.index() == 0) return id_status::malformed;
    const std::uint64_t slot = slots_.read(index_of(e));
    if (slot == retired) return id_status::retired;
    return (e.value() & generation_mask) < (slot & generation_mask) ? id_status::stale
                                                                    : id_status::never_issued;
}

void entity_index::destroy_referred(entity e) noexcept {
    const std::uint32_t index = index_of(e);
    const std::uint64_t next = generation_after(index);
    later_.erase(index);
    --live_;
    next == 0 ? slots_.write(index, retired) : free(index, next);
}

void entity_index::share_free() noexcept { supply_.give_back(stock_.free); }

void entity_index::clear() noexcept {
    for_each_index([&](std::uint32_t index) {
        if (const entity e = at(index)) destroy_referred(e);
    });
    supply_.forget_lanes();
    stock_ = {};
    supply_.begin_again(first_ordinary);
    live_ = 0;
}

} // namespace ecs
