// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :id_supply;

namespace ecs {

void id_supply::draw(id_stock& into, std::uint32_t count) {
    const std::lock_guard lock(guard_);
    if (!loose_.free.empty()) {
        const std::size_t taken = std::min<std::size_t>(count, loose_.free.size());
        into.free.assign(loose_.free.end() - static_cast<std::ptrdiff_t>(taken), loose_.free.end());
        loose_.free.resize(loose_.free.size() - taken);
    } else if (count >= block_size) {
        take_block(into);
    } else {
        take_window(into, count);
    }
}

/// One that lanes have passed over, or the next.
void id_supply::take_block(id_stock& into) {
    while (passed_over_ < first_turn_ && slots_->exists(passed_over_)) ++passed_over_;
    if (passed_over_ < first_turn_)
        stock_block(into, passed_over_);
    else
        take_turn(into, turns_, 0);
}

void id_supply::take_turn(id_stock& into, std::uint32_t& turns, std::uint32_t place) {
    const std::uint64_t block = first_turn_ + std::uint64_t{turns} * (lanes_.size() + 1) + place;
    if (block >= blocks_max) throw std::length_error("every index of the world is taken");
    stock_block(into, static_cast<std::uint32_t>(block));
    ++turns;
}

void id_supply::take_window(id_stock& into, std::uint32_t count) {
    if (loose_.fresh == loose_.fresh_end) take_block(loose_);
    into.fresh = loose_.fresh;
    into.fresh_end = std::min(loose_.fresh + count, loose_.fresh_end);
    loose_.fresh = into.fresh_end;
}

void id_supply::stock_block(id_stock& into, std::uint32_t block) {
    slots_->ensure(block);
    into.fresh = block * block_size;
    into.fresh_end = into.fresh + block_size;
    blocks_end_ = std::max(blocks_end_, block + 1);
}

void id_supply::begin_turns() noexcept {
    first_turn_ = blocks_end_;
    turns_ = 0;
    for (id_lane& lane : lanes_) lane.turns = 0;
}

void id_supply::make_lanes(std::size_t count) {
    const std::lock_guard lock(guard_);
    if (count >= blocks_max)
        throw std::length_error("there cannot be so many keys: a world has fewer blocks of indices");
    if (count <= lanes_.size()) return;
    lanes_.resize(count);
    begin_turns();
}

void id_supply::draw_from_lane(id_stock& into, std::uint32_t lane) {
    const std::lock_guard lock(guard_);
    id_lane& from = lanes_[lane];
    if (from.dealt.empty()) take_turn(from.dealt, from.turns, lane + 1);
    from.lent += from.dealt.size();
    std::swap(into, from.dealt);
}

void id_supply::give_back_to_lane(id_stock& from, std::uint32_t lane) {
    const std::lock_guard lock(guard_);
    id_lane& to = lanes_[lane];
    to.dealt.free.reserve(to.dealt.free.size() + from.size());
    to.lent -= std::min(to.lent, from.size());
    if (to.dealt.empty()) return std::swap(from, to.dealt);
    while (!from.empty()) to.dealt.free.push_back(from.take());
}

void id_supply::deal() noexcept {
    const std::lock_guard lock(guard_);
    begin_turns();
    for (id_lane& lane : lanes_) lane.most = std::max(lane.most, std::exchange(lane.lent, std::size_t{0}));
    try {
        for (id_lane& lane : lanes_) top_up(lane.dealt, lane.most);
    } catch (const std::exception&) { // No memory, or no indices: the next draw says so, if it needs any.
    }
}

/// What comes is taken first, in the order in which it came.
void id_supply::top_up(id_stock& into, std::size_t size) {
    if (into.size() >= size) return;
    const std::size_t before = into.free.size();
    into.free.reserve(before + (size - into.size()));
    while (into.size() < size) {
        if (loose_.empty()) take_block(loose_);
        const std::size_t recycled = std::min(size - into.size(), loose_.free.size());
        into.free.insert(into.free.end(), loose_.free.rbegin(),
                         loose_.free.rbegin() + static_cast<std::ptrdiff_t>(recycled));
        loose_.free.resize(loose_.free.size() - recycled);
        if (recycled == 0) into.free.push_back(loose_.take());
    }
    std::ranges::reverse(std::span(into.free).subspan(before));
}

void id_supply::give_back(id_stock& from) {
    while (from.fresh != from.fresh_end) from.free.push_back(--from.fresh_end);
    give_back(from.free);
    from.free.clear();
}

void id_supply::give_back(std::span<const std::uint32_t> indices) {
    const std::lock_guard lock(guard_);
    loose_.free.insert(loose_.free.end(), indices.begin(), indices.end());
}

std::uint32_t id_supply::blocks_end() const {
    const std::lock_guard lock(guard_);
    return blocks_end_;
}

void id_supply::make_pages(std::uint32_t blocks_end) {
    const std::lock_guard lock(guard_);
    for (std::uint32_t block = 0; block < blocks_end; ++block) slots_->ensure(block);
}

void id_supply::make_pages_of(const slot_pages& other, std::uint32_t blocks_end) {
    const std::lock_guard lock(guard_);
    for (std::uint32_t block = 0; block < blocks_end; ++block)
        if (other.exists(block)) slots_->ensure(block);
}

void id_supply::hand_out(std::uint32_t blocks_end) noexcept {
    const std::lock_guard lock(guard_);
    blocks_end_ = std::max(blocks_end_, blocks_end);
    begin_turns();
}

void id_supply::forget_lanes() noexcept {
    const std::lock_guard lock(guard_);
    lanes_.clear();
    begin_turns();
}

void id_supply::hold_all(std::vector<std::uint32_t> indices) noexcept {
    const std::lock_guard lock(guard_);
    loose_ = {.free = std::move(indices)};
}

void id_supply::forget_free() noexcept {
    const std::lock_guard lock(guard_);
    loose_ = {};
    for (id_lane& lane : lanes_) {
        lane.dealt = {};
        lane.lent = 0;
    }
}

} // namespace ecs
