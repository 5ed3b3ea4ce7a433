// SPDX-License-Identifier: MIT
// A ring would save the move of sixty samples a second, and cost more lines than that.
module ecs.remote;
import ecs.std;
import ecs.world;
import :history;

namespace ecs::remote {

world_history::sample sample_of(const world& of) {
    world_history::sample made;
    for (const table_summary& table : of.tables()) {
        made.entities += static_cast<double>(table.entities);
        made.tables += 1;
    }
    made.bytes = static_cast<double>(of.memory_bytes());
    return made;
}

void world_history::note_tick(const world& of, std::chrono::steady_clock::time_point now) {
    now_ = now;
    if (ticks_++ == 0) start_ = second_ = now;
    const std::chrono::duration<double> passed = now - second_;
    if (ticks_ != 1 && passed.count() < 1) return;
    std::copy(samples_.begin() + 1, samples_.end(), samples_.begin());
    samples_.back() = sample_of(of);
    if (passed.count() > 0)
        samples_.back().ticks = static_cast<double>(ticks_ - ticks_at_second_) / passed.count();
    second_ = now;
    ticks_at_second_ = ticks_;
}

double world_history::seconds_since_start() const {
    const std::chrono::duration<double> passed = now_ - start_;
    return passed.count();
}

} // namespace ecs::remote
