// SPDX-License-Identifier: MIT
// Takes one sample a second and keeps the last sixty. They are shifted and not kept in a ring: that is
// shorter, and cheap at this rate.
module ecs.remote;
import ecs.std;
import ecs.world;

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

void world_history::note_tick(const world& of, std::chrono::steady_clock::time_point now,
                              const schedule* systems) {
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
    if (!systems) return;
    for (const system_time& time : systems->times()) note_system(time);
}

void world_history::note_system(const system_time& now) {
    auto known = std::ranges::find(systems_, now.name, [](const system_past& s) { return s.then.name; });
    if (known == systems_.end()) known = systems_.insert(known, {{.name = now.name}, {}});
    std::copy(known->took.begin() + 1, known->took.end(), known->took.begin());
    if (now.runs < known->then.runs) known->then = {}; // Another system of the same name.
    const std::uint64_t runs = now.runs - known->then.runs;
    const std::chrono::duration<double> took = now.total - known->then.total;
    known->took.back() = runs == 0 ? 0 : took.count() / static_cast<double>(runs);
    known->then = now;
}

std::vector<double> world_history::seconds_of(std::string_view system) const {
    const auto known = std::ranges::find(systems_, system, [](const system_past& s) { return s.then.name; });
    if (known == systems_.end()) return std::vector<double>(seconds);
    return {known->took.begin(), known->took.end()};
}

double world_history::seconds_since_start() const {
    const std::chrono::duration<double> passed = now_ - start_;
    return passed.count();
}

} // namespace ecs::remote
