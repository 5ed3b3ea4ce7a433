// SPDX-License-Identifier: MIT
// Systems are added, ordered and run, one after the other or side by side.
module ecs.world;
import ecs.std;
import ecs.core;

namespace ecs {

namespace {

std::string text_of(const std::vector<failed_system>& failures) {
    std::string text = "a run of the schedule failed";
    for (const failed_system& f : failures) text += "; " + f.name + ": " + what_of(f.cause);
    return text;
}

class running_mark {
  public:
    explicit running_mark(bool& flag) : flag_(&flag) { flag = true; }
    running_mark(const running_mark&) = delete;
    running_mark& operator=(const running_mark&) = delete;
    ~running_mark() { *flag_ = false; }

  private:
    bool* flag_;
};

/// Makes what the systems of a phase have recorded.
void flush_after(phase_mark& phase, world& in) {
    try {
        phase.dropped = in.flush().dropped();
    } catch (const flush_error& failed) {
        phase.dropped = failed.report.dropped();
        throw;
    }
}

} // namespace

schedule_error::schedule_error(std::vector<failed_system> all)
    : std::runtime_error(text_of(all)), failures(std::move(all)) {}

struct schedule::parts {
    std::vector<phase_of_systems> phases;
    std::vector<std::unique_ptr<system_set>> sets;
    std::vector<std::unique_ptr<state_machine>> states;
    std::string open = "update";
    std::weak_ptr<command_queue> bound;
    std::uint64_t forgotten_types{}; ///< The world's count when the systems looked up their types.
    std::uint64_t returns{};         ///< How many times the world had gone back when that was asked last.
    bool changed{};                  ///< Systems have been added or removed since.
    std::unique_ptr<executor> own;
    unsigned own_threads{};
    std::uint64_t runs{};
    run_mark last{};
    std::uint64_t added{}; ///< Counts systems, also those that were removed.
    bool running{};
    profiler* profiling{};
    std::unique_ptr<schedule_trace> trace;

    [[nodiscard]] profilers told() const { return {profiling, trace.get()}; }

    void require_rest() const {
        if (running)
            throw schedule_setup_error("the schedule is running: its systems can neither run nor change it");
    }

    /// Throws unless systems may run now, for a possible time.
    void require_ready(const world& in, double seconds) const {
        if (!(seconds >= 0 && seconds <= std::numeric_limits<double>::max()))
            throw std::invalid_argument("the time since the last run is " + shortest_text(seconds) +
                                        " seconds: it must be 0 or more");
        require_rest();
        world_access::engine_of(in).changes().require_open();
    }

    phase_of_systems& phase(std::string_view name) {
        const auto found = std::ranges::find(phases, name, &phase_of_systems::name);
        if (found != phases.end()) return *found;
        phase_of_systems& made = phases.emplace_back(phase_of_systems{std::string(name)});
        made.last_run = runs;
        return made;
    }

    /// The number of a system that is added now. The number of the last system is used again when it has been
    /// removed: in a deterministic world each number has indices of its own.
    [[nodiscard]] std::uint32_t next_number() const {
        std::uint32_t next = 0;
        for (const phase_of_systems& p : phases)
            for (const auto& s : p.systems) next = std::max(next, s->number + 1);
        return next;
    }

    /// Throws schedule_setup_error when a system or a set has the name.
    void require_new(std::string_view name) {
        if (!home_of(name) && !has_set(name)) return;
        throw schedule_setup_error("the schedule has a " + std::string(has_set(name) ? "set" : "system") +
                                   " \"" + std::string(name) + "\" already");
    }

    /// The phase that has the system; nullptr when none has.
    [[nodiscard]] phase_of_systems* home_of(std::string_view name) {
        const auto found = std::ranges::find_if(
            phases, [&](const phase_of_systems& p) { return p.find(name) != phase_of_systems::none; });
        return found == phases.end() ? nullptr : &*found;
    }
    phase_of_systems& home_or_throw(std::string_view name) {
        if (phase_of_systems* const home = home_of(name)) return *home;
        throw schedule_setup_error("the schedule has no system \"" + std::string(name) + "\"");
    }

    /// What says whether the system of that name is enabled, or else the set, or else the phase. Throws
    /// schedule_setup_error when there is none.
    bool& enabled_of(std::string_view name) {
        if (phase_of_systems* const home = home_of(name)) return home->systems[home->find(name)]->enabled;
        for (const auto& set : sets)
            if (set->name == name) return set->enabled;
        for (phase_of_systems& p : phases)
            if (p.name == name) return p.enabled;
        const std::string quoted = "\"" + std::string(name) + "\"";
        std::string why = "the schedule has no system, no set and no phase " + quoted;
        if (has_members_of(name)) why += ", which is to have members: add it with set(" + quoted + ")";
        throw schedule_setup_error(why);
    }

    /// Whether a system or a set says that it is a member of the set, which need not be there.
    [[nodiscard]] bool has_members_of(std::string_view set) const {
        const auto is_member = [&](const auto& one) {
            return std::ranges::find(one->options.sets, set) != one->options.sets.end();
        };
        return std::ranges::any_of(sets, is_member) ||
               std::ranges::any_of(phases, [&](const phase_of_systems& p) {
                   return std::ranges::any_of(p.systems, is_member);
               });
    }

    void bind(world& in) {
        const bool is_other = bound.lock() != world_access::queue_of(in);
        const bool looks_up =
            is_other || forgotten_types != world_access::engine_of(in).rows().forgotten_types();
        if (!looks_up) require_known_accesses(in); // What is looked up again is asked on the way.
        if (!looks_up && !changed) return;
        if (is_other) leave_world();
        for (phase_of_systems& p : phases) p.bind(in, is_other, looks_up);
        for (const auto& set : sets)
            if (looks_up || !set->is_bound) set->options.run_if.bind(world_access::engine_of(in), is_other);
        for (const auto& set : sets) set->is_bound = true;
        connect();
        bound = world_access::queue_of(in);
        forgotten_types = world_access::engine_of(in).rows().forgotten_types();
        changed = false;
    }

    /// What no C++ type stands for may have ended since the systems were bound.
    void require_known_accesses(const world& in) const {
        for (const phase_of_systems& p : phases) p.require_known_accesses(in);
    }

    /// Some systems may be of another world soon, also when binding throws.
    void leave_world() {
        bound.reset();
        forget_states();
    }

    void forget_states() noexcept {
        for (const auto& machine : states) machine->forget();
    }

    /// A world that has gone back has entered what it shows: what runs have begun since is undone.
    void forget_undone(const world& in) {
        const std::uint64_t now = world_access::queue_of(in)->returns();
        if (std::exchange(returns, now) != now) forget_states();
    }

    /// The same for whoever wants to know of the systems. Types are registered meanwhile, of which observers
    /// are told: they cannot change the schedule then.
    void bind_at_rest(world& in) {
        require_rest();
        const running_mark binding(running);
        bind(in);
    }

    /// Throws schedule_setup_error.
    void connect() {
        asked_order order(phases, sets);
        const auto asked = order.find();
        for (std::size_t p = 0; p < phases.size(); ++p) {
            for (const auto& s : phases[p].systems) s->sets = order.sets_of(*s);
            phases[p].connect(asked[p]);
        }
    }

    [[nodiscard]] bool has_set(std::string_view name) const {
        return std::ranges::any_of(sets, [&](const auto& set) { return set->name == name; });
    }

    /// Throws schedule_setup_error when a system or a set is ordered against that system.
    void require_not_named(std::string_view system) const {
        for (const phase_of_systems& p : phases) p.require_not_named(system);
        for (const auto& set : sets)
            for (const auto* const names : {&set->options.after, &set->options.before})
                if (std::ranges::find(*names, system) != names->end())
                    throw schedule_setup_error("set \"" + set->name + "\" is ordered against \"" +
                                               std::string(system) + "\", which therefore cannot be removed");
    }

    /// Does this to the states of each type. Throws schedule_error when observers of states throw.
    void change_states(auto change) {
        std::vector<failed_system> failures;
        for (const auto& machine : states) try {
                change(*machine);
            } catch (...) {
                failures.push_back(
                    {"the state of " + std::string(machine->type()), std::current_exception()});
            }
        if (!failures.empty()) throw schedule_error(std::move(failures));
    }

    /// Prepares what has to be known before the first phase of a run.
    void begin_run(world& in) {
        forget_undone(in);
        change_states([&](state_machine& machine) { machine.advance(in, runs); });
        for (const auto& set : sets) set->is_asked = false;
    }

    /// Begins a phase: where states were entered in a run that did not come to it, it is shown that now.
    void show_states(world& in, phase_of_systems& to) {
        forget_undone(in); // A system may take the world back.
        change_states([&](state_machine& machine) { machine.show_again(in, to.last_run); });
        to.last_run = runs;
    }

    /// Throws schedule_error when one of its systems throws, or a command at its end, after all of them.
    void run_phase(phase_of_systems& p, world& in, executor& on, const tick& now) const {
        p.name_systems_in_history(in); // A system may flush what those before it have recorded.
        std::vector<failed_system> failures = p.run(in, on, now, told());
        p.last.end = std::chrono::steady_clock::now();
        try {
            const profiled flush(told(), activity::flush, p.name);
            p.name_systems_in_history(in); // The history may have begun in this phase.
            flush_after(p.last, in);
        } catch (...) {
            failures.push_back({"the flush after phase " + p.name, std::current_exception()});
        }
        p.last.flushed = std::chrono::steady_clock::now();
        if (!failures.empty()) throw schedule_error(std::move(failures));
    }

    /// Ends a trace that is not whole, and throws.
    void require_whole_trace() {
        if (!trace) return;
        try {
            trace->require_whole();
        } catch (...) {
            trace.reset();
            throw;
        }
    }

    executor& threads(unsigned count) {
        if (!own || own_threads != count) {
            own = count == 1 ? std::unique_ptr<executor>(std::make_unique<inline_executor>())
                             : make_tbb_executor(count);
            own_threads = count;
        }
        return *own;
    }
};

namespace {

/// Writes what was traced when the run has ended, whether or not it has thrown.
class traced_run {
  public:
    explicit traced_run(schedule_trace* to) : to_(to) {}
    traced_run(const traced_run&) = delete;
    traced_run& operator=(const traced_run&) = delete;
    ~traced_run() {
        if (to_) to_->write();
    }

  private:
    schedule_trace* to_;
};

} // namespace

schedule::schedule() : parts_(std::make_unique<parts>()) {}
schedule::schedule(schedule&&) noexcept = default;
schedule& schedule::operator=(schedule&&) noexcept = default;
schedule::~schedule() = default;

schedule& schedule::phase(std::string_view name) {
    parts_->require_rest();
    parts_->open = parts_->phase(name).name;
    return *this;
}

schedule& schedule::add_system(std::string_view name, std::unique_ptr<system_body> body,
                               system_options options) {
    parts_->require_rest();
    if (!(options.step >= 0 && options.step <= std::numeric_limits<double>::max()))
        throw schedule_setup_error("system \"" + std::string(name) + "\" has a step of " +
                                   shortest_text(options.step) + " seconds: it must be 0 or more");
    parts_->require_new(name);
    phase_of_systems& home = parts_->phase(options.phase.empty() ? parts_->open : options.phase);
    home.systems.push_back(
        std::make_unique<scheduled_system>(name, parts_->next_number(), std::move(body), std::move(options)));
    ++parts_->added;
    parts_->changed = true;
    return *this;
}

schedule& schedule::set(std::string_view name, set_options options) {
    parts_->require_rest();
    parts_->require_new(name);
    parts_->sets.push_back(std::make_unique<system_set>(system_set{std::string(name), std::move(options)}));
    parts_->changed = true;
    return *this;
}

schedule& schedule::add_state(std::unique_ptr<state_machine> machine) {
    parts_->require_rest();
    if (std::ranges::any_of(parts_->states,
                            [&](const auto& known) { return known->number() == machine->number(); }))
        throw schedule_setup_error("the schedule has states of " + std::string(machine->type()) + " already");
    parts_->states.push_back(std::move(machine));
    return *this;
}

/// A name that neither a system nor a set has.
std::string schedule::next_name() const {
    for (std::uint64_t number = parts_->added;; ++number)
        if (std::string made = "system " + std::to_string(number);
            !parts_->home_of(made) && !parts_->has_set(made))
            return made;
}

void schedule::remove(std::string_view name) {
    parts_->require_rest();
    phase_of_systems& home = parts_->home_or_throw(name);
    parts_->require_not_named(name);
    home.remove(name);
    parts_->changed = true;
}

void schedule::set_enabled(std::string_view name, bool enabled) { parts_->enabled_of(name) = enabled; }

void schedule::run(world& in, executor& on, double seconds) {
    parts_->require_ready(in, seconds);
    const running_mark mark(parts_->running);
    parts_->bind(in);
    for (phase_of_systems& p : parts_->phases) p.open_commands(in);
    {
        const traced_run writing(parts_->trace.get());
        run_phases(in, on, seconds);
    }
    parts_->require_whole_trace();
}

/// Runs one phase after the other; those that it does not come to save the time up for the next run.
void schedule::run_phases(world& in, executor& on, double seconds) {
    const profiled run(parts_->told(), activity::run, {});
    const tick now{seconds, parts_->runs++};
    parts_->last = {std::chrono::steady_clock::now(), mark_of_this_thread(), parts_->runs};
    std::size_t begun = 0;
    try {
        parts_->begin_run(in);
        world_access::engine_of(in).rows().entities().share(); // What has ended since the last run.
        auto begin = parts_->last.begin; // A phase begins where the one before it has ended.
        for (phase_of_systems& p : parts_->phases) {
            parts_->show_states(in, p);
            p.last = {parts_->runs, begin, {}, {}, {}};
            ++begun;
            parts_->run_phase(p, in, on, now);
            begin = p.last.flushed;
        }
    } catch (...) {
        for (phase_of_systems& later : std::span(parts_->phases).subspan(begun)) later.save_up(seconds);
        throw;
    }
}

schedule& schedule::trace_to(std::string_view path) {
    parts_->require_rest();
    const bool replaces = parts_->trace && parts_->trace->is_in(path);
    auto next = path.empty() ? nullptr : std::make_unique<schedule_trace>(path);
    const std::unique_ptr<schedule_trace> last = std::exchange(parts_->trace, std::move(next));
    if (last) replaces ? last->abandon() : last->close();
    return *this;
}

schedule& schedule::profile_with(profiler* to) {
    parts_->require_rest();
    parts_->profiling = to;
    return *this;
}

/// Checks before it makes other threads: a refusal leaves the threads at work alone.
void schedule::run(world& in, unsigned threads, double seconds) {
    parts_->require_ready(in, seconds);
    run(in, parts_->threads(threads), seconds);
}

std::vector<ambiguity> schedule::ambiguities(world& in) {
    parts_->bind_at_rest(in);
    std::vector<ambiguity> all;
    for (const phase_of_systems& p : parts_->phases) p.list_ambiguities(all);
    return all;
}

std::string schedule::dot(world& in) {
    parts_->bind_at_rest(in);
    std::string text = "digraph schedule {\n    rankdir=LR;\n    node [shape=box];\n";
    for (const phase_of_systems& p : parts_->phases) p.draw(text);
    return text + "}\n";
}

std::string schedule::svg(world& in) {
    parts_->bind_at_rest(in);
    return svg_of(parts_->phases);
}

std::vector<phase_summary> schedule::phases(world& in) {
    parts_->bind_at_rest(in);
    return summary_of(parts_->phases, parts_->last);
}

std::vector<system_time> schedule::times() const {
    std::vector<system_time> all;
    for (const phase_of_systems& p : parts_->phases)
        for (const auto& s : p.systems) all.push_back(s->time);
    return all;
}

} // namespace ecs
