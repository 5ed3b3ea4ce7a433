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
import :id_supply;
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
    supply_.mirror(other.supply_.state());
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
    if (space_.contains(index_of(e))) supply_.take_pages();
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

/// Of an index that is free then; 0 when it is retired.
std::uint64_t entity_index::generation_after(const entity_index& past, std::uint32_t index,
                                             generations_after_return generations) const {
    const std::uint64_t then = past.generation_after(index);
    return generations == generations_after_return::same ? then : later_of(generation_after(index), then);
}

bool entity_index::is_free_after(const entity_index& past, const return_plan& plan,
                                 std::uint32_t index) const {
    return has_page(index) && !past.is_settled(index) && generation_after(past, index, plan.generations) != 0;
}

namespace {

bool all_of(fresh_run run, auto is_so) {
    while (!run.empty() && is_so(run.first)) ++run.first;
    return run.empty();
}

void keep_free(std::vector<std::uint32_t>& list, auto is_free) {
    std::erase_if(list, [&](std::uint32_t index) { return !is_free(index); });
}

/// A run of which one is not free becomes a list of those that are, behind what is listed.
void keep_free(fresh_run& run, std::vector<std::uint32_t>& list, auto is_free) {
    if (all_of(run, is_free)) return;
    while (!run.empty())
        if (const std::uint32_t index = run.take(); is_free(index)) list.push_back(index);
}

/// The same for a stock, which takes from the end of its list.
void keep_free(id_stock& stock, auto is_free) {
    keep_free(stock.free, is_free);
    std::vector<std::uint32_t> behind;
    keep_free(stock.fresh, behind, is_free);
    std::ranges::reverse(behind);
    stock.free.insert(stock.free.begin(), behind.begin(), behind.end());
}

/// Indices of a range that somebody has.
class index_marks {
  public:
    explicit index_marks(fresh_run range) : first_(range.first), marked_(range.size()) {}

    [[nodiscard]] bool has(std::uint32_t index) const { return marked_[index - first_]; }
    void add(fresh_run run) {
        for (; !run.empty() && run.first - first_ < marked_.size(); ++run.first)
            marked_[run.first - first_] = true;
    }
    void add(const std::vector<std::uint32_t>& indices) {
        for (const std::uint32_t index : indices) add(fresh_run{index, index + 1});
    }

  private:
    std::uint32_t first_;
    std::vector<bool> marked_;
};

/// Which of the indices that have a page somebody has in the state.
index_marks listed_in(const return_plan& plan, const id_space& space) {
    const std::uint32_t end = std::min(plan.supply.pages_end * id_supply::block_size, space.last + 1);
    index_marks listed({space.first, std::max(space.first, end)});
    listed.add(plan.free);
    listed.add(plan.fresh);
    listed.add(plan.supply.loose);
    listed.add(plan.supply.loose_fresh);
    for (const id_lane& lane : plan.supply.lanes) {
        listed.add(lane.dealt.free);
        listed.add(lane.dealt.fresh);
    }
    return listed;
}

} // namespace

/// What is listed is free: some may have been retired since, or be of a component that stays.
void entity_index::keep_free(return_plan& plan, const entity_index& past) const {
    const auto is_free = [&](std::uint32_t index) { return is_free_after(past, plan, index); };
    ecs::keep_free(plan.free, is_free);
    ecs::keep_free(plan.fresh, plan.free, is_free);
    ecs::keep_free(plan.supply.loose, is_free);
    ecs::keep_free(plan.supply.loose_fresh, plan.supply.loose, is_free);
    for (id_lane& lane : plan.supply.lanes) ecs::keep_free(lane.dealt, is_free);
}

/// Indices that somebody held then, who holds them no more, come last.
void entity_index::add_unlisted(return_plan& plan, const entity_index& past) const {
    const index_marks listed = listed_in(plan, space_);
    for_each_index([&](std::uint32_t index) {
        if (space_.contains(index) && plan.supply.has_taken(index) && !listed.has(index) &&
            is_free_after(past, plan, index))
            plan.supply.loose.push_back(index);
    });
}

return_plan entity_index::plan_return(const entity_index& past, generations_after_return generations) {
    return_plan plan{generations, past.next_free(), past.stock_.fresh, past.supply_.state(), {}};
    supply_.make_pages_of(past.slots_, plan.supply.pages_end);
    if (generations == generations_after_return::later)
        plan.supply.pages_end = std::max(plan.supply.pages_end, supply_.pages_end());
    plan.supply.taken.reserve(plan.supply.pages_end);
    plan.supply.lanes.resize(std::max(plan.supply.lanes.size(), supply_.lanes()));
    keep_free(plan, past);
    add_unlisted(plan, past);
    for_each_index([&](std::uint32_t index) {
        if (!past.is_settled(index)) return;
        const std::uint64_t generation = past.slots_.read(index) & generation_mask;
        const std::uint64_t usual = generation == generation_mask ? 0 : generation + first_generation;
        const std::uint64_t next = generation_after(past, index, generations);
        if (next != usual) plan.later[index] = next;
    });
    return plan;
}

void entity_index::return_to(const entity_index& past, return_plan&& plan) noexcept {
    for_each_index([&](std::uint32_t index) {
        const std::uint64_t next = generation_after(past, index, plan.generations);
        const std::uint64_t marked = plan.later.find(index) ? referred_bit : 0;
        slots_.write(index, past.is_settled(index) ? past.slots_.read(index) | marked : free_slot(next));
    });
    later_ = std::move(plan.later);
    stock_ = {};
    for (const std::uint32_t index : std::views::reverse(plan.free)) stock_.free.give_back(slots_, index);
    stock_.fresh = plan.fresh;
    supply_.return_to(std::move(plan.supply));
    live_ = past.live_;
}

} // namespace ecs
