// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :id_supply;
import :slot_word;
import :index_chain;

namespace ecs {

void id_supply::draw(id_stock& into, std::uint32_t count) {
    const std::lock_guard lock(guard_);
    count = std::min(count, share_);
    if (loose_.free.empty()) return draw_fresh(into.fresh, count);
    into.free.resize(std::min<std::size_t>(count, loose_.free.size()));
    for (std::uint32_t& index : std::views::reverse(into.free)) index = loose_.free.take(*slots_);
}

void id_supply::draw(chained_stock& into, std::uint32_t count) {
    const std::lock_guard lock(guard_);
    count = std::min(count, share_);
    if (loose_.free.empty()) return draw_fresh(into.fresh, count);
    into.free = loose_.free.split(*slots_, std::min<std::size_t>(count, loose_.free.size()));
}

bool id_supply::surely_has(std::size_t count) const {
    const std::lock_guard lock(guard_);
    const std::size_t blocks_left = whole_end() - std::min(first_turn_, whole_end());
    const std::size_t turns_left = blocks_left / (lanes_.size() + 1);
    const std::size_t spent_pages = pages_end_; // Which may have retired indices.
    return turns_left > turns_ + spent_pages + count / block_size;
}

void id_supply::draw_fresh(fresh_run& into, std::uint32_t count) {
    if (count < block_size || !take_block(into)) take_window(into, count);
}

/// False when there is none with an index that can be used.
bool id_supply::take_block(fresh_run& into) {
    while (take_next(into))
        if (!into.empty()) return true;
    return false;
}

/// A block that lanes have passed over, or the next, or the tail; false when all are taken.
bool id_supply::take_next(fresh_run& into) {
    while (passed_over_ < first_turn_ && is_taken(passed_over_)) ++passed_over_;
    if (passed_over_ < first_turn_) return take_whole(into, passed_over_), true;
    if (take_turn(into, turns_, 0)) return true;
    if (tail_.empty()) return false;
    take_run(into, tail_);
    tail_ = {};
    return true;
}

/// False when no turn is left.
bool id_supply::take_turn(fresh_run& into, std::uint32_t& turns, std::uint32_t place) {
    const std::uint64_t block = first_turn_ + std::uint64_t{turns} * (lanes_.size() + 1) + place;
    if (block >= whole_end()) return false;
    take_whole(into, static_cast<std::uint32_t>(block));
    ++turns;
    return true;
}

void id_supply::take_window(fresh_run& into, std::uint32_t count) {
    if (loose_.fresh.empty() && !take_block(loose_.fresh))
        throw std::length_error("every index of the world's space, " + std::to_string(space_.first) + " to " +
                                std::to_string(space_.end - 1) + ", is taken");
    into = {loose_.fresh.first, loose_.fresh.first + std::min(count, loose_.fresh.size())};
    loose_.fresh.first = into.end;
}

void id_supply::take_whole(fresh_run& into, std::uint32_t block) {
    take_run(into, {std::max(block * block_size, space_.first), (block + 1) * block_size});
    note_taken(block);
}

/// The first ones of a block that lie together and can be used. What lies behind them is loose: that may be
/// in a page that an earlier world used.
void id_supply::take_run(fresh_run& into, fresh_run of) {
    const bool is_new = !slots_->exists(of.first / block_size);
    ensure_page(of.first / block_size);
    if (is_new) return void(into = of);
    const auto is_usable = [](std::uint64_t slot) {
        return !slot_word::has_entity(slot) && slot != slot_word::retired;
    };
    into.first = slots_->find(of.first, of.end, is_usable);
    const auto is_other = [&](std::uint64_t slot) { return !is_usable(slot); };
    into.end = into.first != of.end ? slots_->find(into.first, of.end, is_other) : of.end;
    for (std::uint32_t rest = of.end; rest-- != into.end;)
        if (is_usable(slots_->known(rest))) loose_.free.give_back(*slots_, rest);
}

void id_supply::ensure_page(std::uint32_t block) {
    if (taken_.capacity() <= block) taken_.reserve(2 * (block + std::size_t{1}));
    slots_->ensure(block);
    pages_end_ = std::max(pages_end_, block + 1);
}

/// Of a block that has a page: there is room to note it.
void id_supply::note_taken(std::uint32_t block) noexcept {
    if (taken_.size() <= block) taken_.resize(block + std::size_t{1});
    taken_[block] = true;
}

void id_supply::begin_turns() noexcept {
    first_turn_ = std::max(space_.first / block_size, static_cast<std::uint32_t>(taken_.size()));
    turns_ = 0;
    for (id_lane& lane : lanes_) lane.turns = 0;
}

void id_supply::begin(fresh_run space) noexcept {
    const std::lock_guard lock(guard_);
    space_ = space;
    share_ = std::max(space.size() / 64, 1U);
    loose_ = {};
    lanes_.clear();
    taken_.clear();
    tail_ = {tail_first(), space.end};
    passed_over_ = space.first / block_size;
    begin_turns();
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
    while (from.dealt.empty())
        if (!take_turn(from.dealt.fresh, from.turns, lane + 1))
            throw std::length_error(
                "every index of the world that the key can have before the next flush is taken");
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
    } catch (const std::bad_alloc&) { // The next draw says so, if it needs any.
    }
}

/// What comes is taken first, in the order in which it came.
void id_supply::top_up(id_stock& into, std::size_t size) {
    if (into.size() >= size) return;
    const std::size_t before = into.free.size();
    into.free.reserve(before + (size - into.size()));
    while (into.size() < size) {
        if (loose_.empty() && !take_block(loose_.fresh)) break;
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

std::uint32_t id_supply::pages_end() const {
    const std::lock_guard lock(guard_);
    return pages_end_;
}

void id_supply::make_page(std::uint32_t block) {
    const std::lock_guard lock(guard_);
    ensure_page(block);
}

void id_supply::make_pages_of(const slot_pages& other, std::uint32_t pages_end) {
    const std::lock_guard lock(guard_);
    for (std::uint32_t block = 0; block < pages_end; ++block)
        if (other.exists(block)) ensure_page(block);
}

void id_supply::take_pages() noexcept {
    const std::lock_guard lock(guard_);
    bool is_new = false;
    for (std::uint32_t block = space_.first / block_size; block < std::min(pages_end_, whole_end()); ++block)
        if (slots_->exists(block) && !is_taken(block)) {
            note_taken(block);
            is_new = true;
        }
    if (slots_->exists(tail_.first / block_size)) tail_ = {};
    if (is_new) begin_turns();
}

std::size_t id_supply::lanes() const {
    const std::lock_guard lock(guard_);
    return lanes_.size();
}

supply_state id_supply::state() const {
    const std::lock_guard lock(guard_);
    std::vector<std::uint32_t> loose = kept_loose_;
    loose.reserve(loose.size() + loose_.free.size());
    loose_.free.for_each(*slots_, [&](std::uint32_t index) { loose.push_back(index); });
    return {.loose = std::move(loose),
            .loose_fresh = loose_.fresh,
            .lanes = lanes_,
            .turns = turns_,
            .first_turn = first_turn_,
            .passed_over = passed_over_,
            .pages_end = pages_end_,
            .tail = tail_,
            .taken = taken_,
            .tail_first = tail_first()};
}

void id_supply::mirror(supply_state&& of) noexcept {
    const std::lock_guard lock(guard_);
    kept_loose_ = std::move(of.loose);
    loose_.fresh = of.loose_fresh;
    lanes_ = std::move(of.lanes);
    turns_ = of.turns;
    first_turn_ = of.first_turn;
    passed_over_ = of.passed_over;
    pages_end_ = of.pages_end;
    tail_ = of.tail;
    taken_ = std::move(of.taken);
}

void id_supply::return_to(supply_state&& then) noexcept {
    const std::vector<std::uint32_t> loose = std::move(then.loose);
    then.loose = {};
    mirror(std::move(then));
    const std::lock_guard lock(guard_);
    loose_.free = {};
    for (const std::uint32_t index : std::views::reverse(loose)) loose_.free.give_back(*slots_, index);
}

} // namespace ecs
