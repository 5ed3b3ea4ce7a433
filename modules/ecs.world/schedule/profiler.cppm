// SPDX-License-Identifier: MIT
// What a schedule spends its time on, for a profiler of the user, or the trace of :trace.
//
//   the thread that calls run   | run                                                    |
//                               |  | phase                     |  | flush |  | phase      ...
//                               |  |  | system | | wait      | |  |       |  |
//                               |  |  |        | | | system || |
//   a worker                          | system |  | system |
export module ecs.world:profiler;
import ecs.std;

namespace ecs {

/// What a schedule does for some time.
export enum class activity : std::uint8_t {
    run,    ///< A call of run.
    phase,  ///< From the conditions of its systems to the end of the last of them.
    system, ///< A system, all its steps.
    wait,   ///< All systems that wait for no other have begun; the calling thread runs the remaining ones
            ///< until all have ended.
    flush,  ///< The commands of a phase are made, and observers are told.
};

/// The activity as a word.
export [[nodiscard]] constexpr std::string_view to_string(activity what) {
    switch (what) {
    case activity::run: return "run";
    case activity::phase: return "phase";
    case activity::system: return "system";
    case activity::wait: return "wait";
    case activity::flush: return "flush";
    }
    return "unknown";
}

/// A schedule tells it what it begins and what it ends. Both functions are called on the thread that does it,
/// by several threads at once, and what a thread begins last it ends first. The name is that of the system or
/// the phase, empty for a run, and good until the end of the run. Nothing of the schedule may be called.
export class profiler {
  public:
    profiler() = default;
    profiler(const profiler&) = delete;
    profiler& operator=(const profiler&) = delete;
    virtual ~profiler() = default;

    virtual void begin(activity what, std::string_view name) noexcept = 0;
    virtual void end(activity what, std::string_view name) noexcept = 0;
};

/// The profilers that a schedule tells: its user's, and its own.
struct profilers {
    profiler* of_user{};
    profiler* of_trace{};

    [[nodiscard]] bool empty() const { return !of_user && !of_trace; }
};

/// Something that a schedule does as long as the object lives.
class profiled {
  public:
    profiled(const profilers& told, activity what, std::string_view name)
        : told_(told), what_(what), name_(name) {
        if (told_.empty()) [[likely]]
            return;
        if (told_.of_trace) told_.of_trace->begin(what_, name_);
        if (told_.of_user) told_.of_user->begin(what_, name_);
    }
    profiled(const profiled&) = delete;
    profiled& operator=(const profiled&) = delete;
    ~profiled() {
        if (told_.empty()) [[likely]]
            return;
        if (told_.of_user) told_.of_user->end(what_, name_);
        if (told_.of_trace) told_.of_trace->end(what_, name_);
    }

  private:
    profilers told_;
    activity what_;
    std::string_view name_;
};

} // namespace ecs
