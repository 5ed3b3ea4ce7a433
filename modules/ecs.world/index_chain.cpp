// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :index_chain;

namespace ecs {

void index_chain::set_next(slot_pages& in, std::uint32_t index, std::uint32_t next) noexcept {
    in.write(index, unused_mark | (in.known(index) & ~next_mask) | next);
}

index_chain index_chain::split(slot_pages& in, std::size_t count) noexcept {
    index_chain front;
    if (count == 0) return front;
    front.first_ = front.last_ = first_;
    for (front.size_ = 1; front.size_ != count; ++front.size_) front.last_ = next_of(in, front.last_);
    first_ = next_of(in, front.last_);
    size_ -= count;
    set_next(in, front.last_, 0);
    return front;
}

void index_chain::take_all(slot_pages& in, index_chain& other) noexcept {
    if (other.empty()) return;
    empty() ? void(last_ = other.last_) : set_next(in, other.last_, first_);
    first_ = other.first_;
    size_ += other.size_;
    other = {};
}

} // namespace ecs
