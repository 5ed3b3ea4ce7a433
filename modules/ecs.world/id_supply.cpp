// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :id_supply;

namespace ecs {

void id_supply::draw(id_stock& into, std::uint32_t count) {
    const std::lock_guard lock(guard_);
    if (loose_.free.empty()) return draw_fresh(into.fresh, count);
    into.free.resize(std::min<std::size_t>(count, loose_.free.size()));
    for (std::uint32_t& index : std::views::reverse(into.free)) index = loose_.free.take(*slots_);
}

void id_supply::draw(chained_stock& into, std::uint32_t count) {
    const std::lock_guard lock(guard_);
    if (loose_.free.empty()) return draw_fresh(into.fresh, count);
    into.free = loose_.free.split(*slots_, std::min<std::size_t>(count, loose_.free.size()));
}

void id_supply::draw_fresh(fresh_run& into, std::uint32_t count) {
    count >= block_size ? take_block(into) : take_window(into, count);
}

/// One that has been used before the world began, or that lanes have passed over, or the next.
void id_supply::take_block(fresh_run& into) {
    if (take_again(into)) return;
    while (passed_over_ < first_turn_ && slots_->exists(passed_over_)) ++passed_over_;
    if (passed_over_ < first_turn_)
        take_page(into, passed_over_);
    else
        take_turn(into, turns_, 0);
}

/// As many as lie together in one block.
bool id_supply::take_again(fresh_run& into) noexcept {
    const auto retired = [](std::uint64_t slot) { return slot == index_chain::retired; };
    const auto usable = [](std::uint64_t slot) { return slot != index_chain::retired; };
    while (!again_.empty()) {
        const std::uint32_t left_in_block = block_size - again_.first % block_size;
        const std::uint32_t end = again_.first + std::min(again_.size(), left_in_block);
        const bool exists = slots_->exists(again_.first / block_size);
        into.first = exists ? slots_->find(again_.first, end, usable) : end;
        into.end = again_.first = into.first != end ? slots_->find(into.first, end, retired) : end;
        if (!into.empty()) return true;
    }
    return false;
}

void id_supply::take_turn(fresh_run& into, std::uint32_t& turns, std::uint32_t place) {
    const std::uint64_t block = first_turn_ + std::uint64_t{turns} * (lanes_.size() + 1) + place;
    if (block >= blocks_max) throw std::length_error("every index of the world is taken");
    take_page(into, static_cast<std::uint32_t>(block));
    ++turns;
}

void id_supply::take_window(fresh_run& into, std::uint32_t count) {
    if (loose_.fresh.empty()) take_block(loose_.fresh);
    into = {loose_.fresh.first, std::min(loose_.fresh.first + count, loose_.fresh.end)};
    loose_.fresh.first = into.end;
}

void id_supply::take_page(fresh_run& into, std::uint32_t block) {
    slots_->ensure(block);
    into = {block * block_size, (block + 1) * block_size};
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
    if (from.dealt.empty()) take_turn(from.dealt.fresh, from.turns, lane + 1);
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
        if (loose_.empty()) take_block(loose_.fresh);
        into.free.push_back(loose_.take(*slots_));
    }
    std::ranges::reverse(std::span(into.free).subspan(before));
}

void id_supply::give_back(id_stock& from) noexcept {
    const std::lock_guard lock(guard_);
    for (const std::uint32_t index : from.free) loose_.free.give_back(*slots_, index);
    while (!from.fresh.empty()) loose_.free.give_back(*slots_, --from.fresh.end);
    from.free.clear();
}

void id_supply::give_back(index_chain& indices) noexcept {
    const std::lock_guard lock(guard_);
    loose_.free.take_all(*slots_, indices);
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

void id_supply::begin_again(std::uint32_t first) noexcept {
    const std::lock_guard lock(guard_);
    loose_ = {};
    again_ = {first, blocks_end_ * block_size};
}

void id_supply::forget_free() noexcept {
    const std::lock_guard lock(guard_);
    loose_ = {};
    again_ = {};
    for (id_lane& lane : lanes_) {
        lane.dealt = {};
        lane.lent = 0;
    }
}

} // namespace ecs
