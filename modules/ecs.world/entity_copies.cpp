// SPDX-License-Identifier: MIT
// How an index is copied, and how a world goes back to a copy without bringing the dead to life:
//
//   index 7, copied     v1 lives
//   then                v1 ends, v2 lives and ends           the next is v3
//   gone back           v1 lives, later_[7] = v3
//   v1 ends             the next is v3: nobody is v2 again
module ecs.world;
import ecs.std;
import :entities;
import :index_chain;

namespace ecs {

namespace {

constexpr std::uint64_t in_limbo = std::uint64_t{chunk_directory::limbo} << (std::countr_zero(rows_max) + 1);

} // namespace

std::uint64_t entity_index::generation_after(std::uint32_t index) const {
    const std::uint64_t slot = slots_.read(index);
    if (slot == retired) return 0;
    if (!has_entity(slot)) return next_generation(slot);
    if (const std::uint64_t* const later = later_.find(index)) return *later;
    const std::uint64_t own = slot & generation_mask;
    return own == generation_mask ? 0 : own + first_generation;
}

/// Of an index in no chain. One that was never used stays so: its handles are said to be never issued.
std::uint64_t entity_index::free_slot(std::uint64_t next) {
    if (next == 0) return retired;
    return next == first_generation ? 0 : index_chain::unused_mark | next;
}

/// None is the latest.
std::uint64_t entity_index::later_of(std::uint64_t one, std::uint64_t other) {
    return one == 0 || other == 0 ? 0 : std::max(one, other);
}

void entity_index::mirror(const entity_index& other, const chunk_directory& rows) {
    begin(other.space_);
    supply_.make_pages_of(other.slots_, other.supply_.pages_end());
    supply_.hand_out();
    for_each_index([&](std::uint32_t index) {
        const std::uint64_t kept = other.slots_.read(index) & (generation_mask | referred_bit);
        const bool settled = other.is_settled(index, rows);
        slots_.write(index, settled ? constant_ | kept | in_limbo : free_slot(other.generation_after(index)));
        live_ += settled;
    });
    later_ = other.later_;
    stock_.fresh = other.stock_.fresh;
    kept_free_ = other.next_free();
}

/// What is used again next, the first first, but for what the supply has.
std::vector<std::uint32_t> entity_index::next_free() const {
    std::vector<std::uint32_t> next = kept_free_;
    next.reserve(next.size() + stock_.free.size());
    stock_.free.for_each(slots_, [&](std::uint32_t index) { next.push_back(index); });
    return next;
}

void entity_index::adopt(entity e) {
    make_page(index_of(e));
    slots_.write(index_of(e), (e.value() & upper_half) | in_limbo);
    ++live_;
}

index_state entity_index::state_of(std::uint32_t index, const chunk_directory& rows) const {
    const auto number = [](std::uint64_t generation) {
        return static_cast<std::uint32_t>(generation / first_generation);
    };
    const std::uint64_t slot = slots_.read(index);
    return {is_settled(index, rows) ? number(slot & generation_mask) : 0, number(generation_after(index))};
}

void entity_index::set_state(std::uint32_t index, index_state state) {
    const std::uint64_t next = state.next * first_generation;
    if (state.live == 0) return slots_.write(index, free_slot(next));
    const std::uint64_t live = state.live * first_generation;
    if (next != (live == generation_mask ? 0 : live + first_generation)) later_[index] = next;
    slots_.write(index, constant_ | live | in_limbo);
    ++live_;
}

/// What the copy would hand out next comes last; all others before it.
std::vector<std::uint32_t> entity_index::free_after(const entity_index& past) const {
    std::vector<std::uint32_t> next = past.next_free();
    for (fresh_run fresh = past.stock_.fresh; !fresh.empty();) next.push_back(fresh.take());
    const auto place = [this](std::uint32_t index) { return index - space_.first; };
    std::vector<bool> listed(next.empty() ? 0 : std::size_t{place(std::ranges::max(next))} + 1);
    std::vector<std::uint32_t> free;
    const auto is_free = [&](std::uint32_t index) {
        return has_page(index) && !past.is_settled(index) &&
               later_of(generation_after(index), past.generation_after(index)) != 0;
    };
    const auto is_listed = [&](std::uint32_t index) {
        return place(index) < listed.size() && listed[place(index)];
    };
    for (const std::uint32_t index : next) listed[place(index)] = true;
    for_each_index([&](std::uint32_t index) {
        if (space_.contains(index) && !is_listed(index) && is_free(index)) free.push_back(index);
    });
    std::ranges::reverse(free);
    std::ranges::copy_if(next.rbegin(), next.rend(), std::back_inserter(free), is_free);
    return free;
}

return_plan entity_index::plan_return(const entity_index& past) {
    return_plan plan;
    supply_.make_pages_of(past.slots_, past.supply_.pages_end());
    plan.free = free_after(past);
    for_each_index([&](std::uint32_t index) {
        if (!past.is_settled(index)) return;
        const std::uint64_t generation = past.slots_.read(index) & generation_mask;
        const std::uint64_t usual = generation == generation_mask ? 0 : generation + first_generation;
        const std::uint64_t next = later_of(generation_after(index), past.generation_after(index));
        if (next != usual) plan.later[index] = next;
    });
    return plan;
}

void entity_index::return_to(const entity_index& past, return_plan&& plan) noexcept {
    supply_.forget_free();
    supply_.hand_out();
    for_each_index([&](std::uint32_t index) {
        const std::uint64_t next = later_of(generation_after(index), past.generation_after(index));
        const std::uint64_t marked = plan.later.find(index) ? referred_bit : 0;
        slots_.write(index, past.is_settled(index) ? past.slots_.read(index) | marked : free_slot(next));
    });
    later_ = std::move(plan.later);
    stock_ = {};
    for (const std::uint32_t index : plan.free) stock_.free.give_back(slots_, index);
    live_ = past.live_;
}

} // namespace ecs
