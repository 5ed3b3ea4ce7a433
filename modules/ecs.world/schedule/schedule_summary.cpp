// SPDX-License-Identifier: MIT
// A schedule as tools see it: names, and times since the run began.
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

/// Numbers for threads; the thread that calls run comes first.
class thread_numbers {
  public:
    explicit thread_numbers(const void* caller) : known_{caller} {}

    [[nodiscard]] std::size_t number_of(const void* thread) {
        const auto found = std::ranges::find(known_, thread);
        const auto number = static_cast<std::size_t>(found - known_.begin());
        if (number == known_.size()) known_.push_back(thread);
        return number;
    }

  private:
    std::vector<const void*> known_;
};

/// The names, each once: a system may have several parameters of one component.
std::vector<std::string> names_of(const scheduled_system& s, bool writes) {
    std::vector<std::string> names;
    for (const resolved_access& a : s.accesses)
        if (a.writes == writes && std::ranges::find(names, a.component) == names.end())
            names.push_back(a.component);
    return names;
}

/// The systems for which each of the systems waits.
std::vector<std::vector<awaited_system>> awaited_in(const phase_of_systems& in) {
    std::vector<std::vector<awaited_system>> awaited(in.systems.size());
    for (const system_edge& e : in.edges())
        awaited[e.to].push_back({in.systems[e.from]->time.name, std::string(e.component)});
    return awaited;
}

std::optional<system_span> span_of(const scheduled_system& s, const run_mark& run, thread_numbers& threads) {
    if (s.last.run == 0 || s.last.run != run.number) return std::nullopt;
    const auto begin = s.last.begin - run.begin;
    return system_span{begin, begin + s.time.last, threads.number_of(s.last.thread)};
}

phase_summary summary_of(const phase_of_systems& p, const run_mark& run, thread_numbers& threads) {
    phase_summary made{p.name, {}, {}, {}, {}, {}};
    std::vector<std::vector<awaited_system>> awaited = awaited_in(p);
    for (std::size_t i = 0; i < p.systems.size(); ++i) {
        const scheduled_system& s = *p.systems[i];
        made.systems.push_back({s.time.name, p.enabled && s.is_enabled(), names_of(s, false),
                                names_of(s, true), std::move(awaited[i]), span_of(s, run, threads)});
    }
    if (p.last.run == 0 || p.last.run != run.number) return made;
    made.begin = p.last.begin - run.begin;
    made.end = p.last.end - run.begin;
    made.flushed = p.last.flushed - run.begin;
    made.dropped = p.last.dropped;
    return made;
}

} // namespace

std::vector<phase_summary> summary_of(std::span<const phase_of_systems> phases, const run_mark& last) {
    thread_numbers threads(last.thread);
    std::vector<phase_summary> all;
    all.reserve(phases.size());
    for (const phase_of_systems& p : phases) all.push_back(summary_of(p, last, threads));
    return all;
}

} // namespace ecs
