// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :index_chain;

namespace ecs {

index_chain index_chain::split(slot_pages& in, std::size_t count) noexcept {
    index_chain front;
    const std::size_t rest = size_ - count;
    for (std::size_t way = 0; way < ways; ++way) front.first_[way] = first_[(rest + way) % ways];
    while (size_ != rest) {
        const std::uint32_t taken = take(in);
        if (const std::size_t place = size_ - rest; place < ways) front.last_[place] = taken;
    }
    front.size_ = count;
    return front;
}

void index_chain::take_all(slot_pages& in, index_chain& other) noexcept {
    for (std::size_t way = 0; way < std::min(ways, other.size_); ++way) {
        std::uint32_t& first = first_[(size_ + way) % ways];
        const std::uint32_t lowest = other.last_[way];
        in.write(lowest, (in.known(lowest) & ~lower_half) | first);
        if (size_ + way < ways) last_[size_ + way] = lowest;
        first = other.first_[way];
    }
    size_ += other.size_;
    other = {};
}

} // namespace ecs
