// SPDX-License-Identifier: MIT
// A schedule runs systems, side by side where what they read and write allows it.
//
//   phase "input"        phase "update"                         phase "output"
//   +-----------+ flush  +---------------------------+  flush   +--------+ flush
//   | poll      | -----> | move ---> bounce          | -------> | draw   | ---->
//   |           |        | heal                      |          |        |
//   +-----------+        +---------------------------+          +--------+
//
// Within a phase a system waits for the systems before it in the schedule that it conflicts with, and for
// those that it, or a set it is a member of, is told to run after: so two runs of a schedule do the same
// whatever the number of threads. What systems record is flushed at the end of each phase, in the order of
// the systems.
export module ecs.world:schedule;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import :commands;
import :condition;
import :flush_report;
import :profiler;
import :state;
import :system;
import :system_access;
import :trace;
import :world;

namespace ecs {

/// Names of systems, sets and phases: `"load"`, or `{"load", "move"}`.
export struct system_names : std::vector<std::string> {
    system_names() = default;
    system_names(std::initializer_list<std::string> names) : vector(names) {}
    system_names(std::vector<std::string> names) : vector(std::move(names)) {}
    system_names(std::string name) { push_back(std::move(name)); }
    system_names(const char* name) { emplace_back(name); }
};

/// What a schedule is told about a system besides its function.
export struct system_options {
    system_names after{};  ///< Names of systems, sets and phases that have to end before.
    system_names before{}; ///< Names of systems, sets and phases that have to wait.
    std::string phase{};   ///< Empty: the phase that was opened last.
    condition run_if{};    ///< Asked on the thread that calls run, when the phase begins. What it throws
                           ///< counts as thrown by the system.
    double step{}; ///< Seconds; when positive, the system runs once for each full step that has passed, where
                   ///< a step that is short of it by no more than rounding is full.
    std::vector<id> reads{};  ///< What it reads besides its parameters: components of run-time queries. The
                              ///< schedule runs no world in which one of them is not alive.
    std::vector<id> writes{}; ///< What it writes besides its parameters.
    system_names sets{};      ///< Names of the sets it is a member of.
};

/// What a schedule is told about a set of systems.
export struct set_options {
    system_names after{};  ///< Names of systems, sets and phases that members wait for.
    system_names before{}; ///< Names of systems, sets and phases that wait for every member.
    condition run_if{}; ///< Members run only where it holds, too. Asked once a run, before those of the first
                        ///< member that is enabled, as are its phase and all of its sets. What it throws
                        ///< counts as thrown by each member.
    system_names sets{}; ///< Names of the sets of which all members are members, too. The condition of the
                         ///< outer set is asked first; where it does not hold, the others are not asked.
};

/// Two systems of a phase that conflict and have no order except that in which they were added.
export struct ambiguity {
    std::string first;
    std::string second;
    std::string component;
};

/// How long a system took.
export struct system_time {
    std::string name;
    std::chrono::nanoseconds last{};
    std::chrono::nanoseconds total{};
    std::uint64_t runs{};
};

/// A system that another one waits for.
export struct awaited_system {
    std::string name;
    std::string component; ///< What the two conflict in; empty where the program asks for the order.

    bool operator==(const awaited_system&) const = default;
};

/// What a system did in a run.
export struct system_span {
    std::chrono::nanoseconds begin{}; ///< Since the run began.
    std::chrono::nanoseconds end{};
    std::size_t thread{}; ///< 0 for the thread that called run; others as they come up in the list.
};

/// A system of a schedule, as tools see it.
export struct system_summary {
    std::string name;
    bool enabled{};                  ///< The system itself, its phase and all of its sets.
    std::vector<std::string> reads;  ///< Names of components, or "the whole world".
    std::vector<std::string> writes; ///< The same for what it writes.
    std::vector<awaited_system> waits_for;
    std::optional<system_span> last; ///< What it did in the last run, unless it was passed over.
};

/// A phase of a schedule, and when it was in the last run; all times are 0, and nothing is dropped, where it
/// was not.
export struct phase_summary {
    std::string name;
    std::vector<system_summary> systems; ///< In the order in which they were added.
    std::chrono::nanoseconds begin{};    ///< Since the run began.
    std::chrono::nanoseconds end{};      ///< The end of its last system.
    std::chrono::nanoseconds flushed{};  ///< When the commands had been made.
    std::size_t dropped{};               ///< How many commands its flush has dropped.
};

/// A system threw, or what a run does beside systems.
export struct failed_system {
    std::string name; ///< Of the system; or "the state of ..." when an observer of that state threw, or "the
                      ///< flush after phase ..." when commands did.
    std::exception_ptr cause;
};

/// Systems threw, or commands, or observers of states. The systems of the same phase have run, later phases
/// have not; where an observer of a state threw, the phase that was to begin has not. For phases that have
/// not run, what passed counts for the steps of the next run.
export struct schedule_error : std::runtime_error {
    explicit schedule_error(std::vector<failed_system> all);
    std::vector<failed_system> failures; ///< In the order of the schedule.
};

/// A schedule was put together that cannot be: an unknown or second name, a circle.
export struct schedule_setup_error : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// See the head of this file. Used by one thread at a time.
export class schedule {
  public:
    schedule();
    schedule(schedule&&) noexcept;
    schedule& operator=(schedule&&) noexcept;
    ~schedule();

    /// Adds a system: a lambda, a function or a function object. Throws schedule_setup_error when the name is
    /// taken, the step is negative or no number, or the schedule is running.
    template <class F> schedule& add(std::string_view name, F f, system_options options = {}) {
        static_assert(require_callable_alone<F>());
        static_assert(has_parameters<F>,
                      "what a system reads and writes follows from the types of its parameters, and those of "
                      "a generic lambda have none: name them");
        static_assert(!takes_numbers<F>, "a number is no component that an entity would have: the time of "
                                         "the run is a const ecs::tick&, and a setting a resource");
        using system = typed_system<F, parameters_of<F>>;
        return add_system(name, std::unique_ptr<system_body>(new system(std::move(f))), std::move(options));
    }

    /// The same with a name made of the number of systems that were added before: "system 0", "system 1".
    template <class F>
        requires(!converts_to<F, std::string_view>)
    schedule& add(F f, system_options options = {}) {
        return add(next_name(), std::move(f), std::move(options));
    }

    /// Does not compile: the name comes first.
    template <class F, text Name>
        requires(!text<F>)
    schedule& add(F&&, Name&&) {
        static_assert(sizeof(F) == 0, "the name of a system comes first: write add(name, f)");
        return *this;
    }

    /// Adds a set: systems that say so in their options are its members, of whatever phases, and are ordered
    /// and asked about together. Throws schedule_setup_error when a system or a set has the name, or the
    /// schedule is running.
    schedule& set(std::string_view name, set_options options = {});

    /// Gives the worlds that it runs states of the type, of which this is the first: the singleton
    /// ecs::state<S>, which goes where it was told to when a run begins. A world that has the singleton
    /// already goes on from there. Throws schedule_setup_error when there are states of the type already, or
    /// the schedule is running.
    template <class S> schedule& state(S first) {
        static_assert(
            requires { first == first; } && std::is_copy_constructible_v<S>,
            "states are copied and compared: an enumeration is meant");
        return add_state(std::unique_ptr<state_machine>(new typed_state_machine<S>(std::move(first))));
    }

    /// Removes a system. Throws schedule_setup_error when there is none of the name, another system or a set
    /// is ordered against it, or the schedule is running.
    void remove(std::string_view name);

    /// Passes the system over, as if its run_if said no, or runs it again; systems that are ordered against
    /// it run all the same. For the name of a set the same goes for all members, and for that of a phase for
    /// all its systems: a system runs while it, its phase and each of its sets are enabled. Where a system
    /// and a phase, or a set and a phase, have one name, the phase is not meant. At the end of a phase that
    /// is disabled commands are flushed all the same. Within a run, this holds for the phases that begin
    /// later: what belongs to the phase that runs is decided. Throws schedule_setup_error when there is none
    /// of the name.
    void disable(std::string_view name) { set_enabled(name, false); }
    void enable(std::string_view name) { set_enabled(name, true); }

    /// Systems added from now on are of this phase. Phases run in the order in which they were first named;
    /// what is added before any is of the phase "update". Throws schedule_setup_error when the schedule is
    /// running.
    schedule& phase(std::string_view name);

    /// Runs every phase once, and flushes at the end of each: meanwhile only threads of the schedule may
    /// record commands. `seconds` is the time since the run before. Throws schedule_setup_error when
    /// the order of the systems is a circle, by itself or with that of the phases, or names what is not
    /// there, or when one of its own systems calls, std::invalid_argument when the time is negative or no
    /// number, and iteration_error inside a loop, an observer, or a system that does not take the world: then
    /// nothing has run; schedule_error; and trace_error, see trace_to.
    void run(world& in, executor& on, double seconds = 0);
    /// Runs on oneTBB, with a thread for each processor.
    void run(world& in) { run(in, default_executor()); }
    /// Runs on the calling thread alone for 1, else on oneTBB; 0 stands for a thread for each processor.
    void run(world& in, unsigned threads, double seconds = 0);
    /// Does not compile: the time comes behind the threads, and a fraction is no number of them.
    template <class Seconds>
        requires std::is_floating_point_v<Seconds>
    void run(world&, Seconds) {
        static_assert(sizeof(Seconds) == 0,
                      "the time comes last: write run(world, 0, seconds), where 0 stands for a thread for "
                      "each processor");
    }

    /// The pairs of systems whose order the program does not decide. They run in the order in which they were
    /// added. Binds the schedule to the world, as a run does: where it was bound to another one, conditions
    /// such as once, the time saved up for steps, and states begin anew. Throws schedule_setup_error as run
    /// does, also when the schedule is running, and what registering components and making queries throws,
    /// such as iteration_error.
    [[nodiscard]] std::vector<ambiguity> ambiguities(world& in);

    /// The graph in the language of Graphviz: an arrow where one system waits for another, dotted where
    /// nothing but the order of addition says so. Binds the schedule, and throws, as ambiguities does.
    [[nodiscard]] std::string dot(world& in);

    /// The same as an SVG document: phases side by side, each system in a column behind those it waits for.
    [[nodiscard]] std::string svg(world& in);

    /// How long the last run of each system took, and all of its runs: phase by phase, in the order in which
    /// the systems were added. Linear in the systems.
    [[nodiscard]] std::vector<system_time> times() const;

    /// The phases with their systems: what they read and write, which waits for which, and what the last run
    /// did when. Binds the schedule, and throws, as ambiguities does. Linear in the systems, what they read
    /// and write, and the arrows between them.
    [[nodiscard]] std::vector<phase_summary> phases(world& in);

    /// Writes what each run does from now on, and on which thread, to a file that Perfetto
    /// (ui.perfetto.dev) and Chrome (chrome://tracing) show; what is in the file is replaced. An empty path
    /// ends the trace, and so does the end of the schedule. Throws trace_error when the file cannot be made,
    /// and then everything is as before, but that a file which took nothing is empty; or when the trace that
    /// ends could not be written. Throws schedule_setup_error when the schedule is running. A file that
    /// cannot be written any more ends its trace, and the run throws trace_error when it has done everything
    /// else. What is traced costs a lock and two readings of the clock for each system; nothing is written
    /// before the run has ended.
    schedule& trace_to(std::string_view path);

    /// From now on tells the profiler what each run begins and ends; nullptr: tells none. The profiler must
    /// outlive the schedule, or the call that ends its use. Throws schedule_setup_error when the schedule is
    /// running.
    schedule& profile_with(profiler* to);

  private:
    struct parts;

    [[nodiscard]] std::string next_name() const;
    void run_phases(world& in, executor& on, double seconds);
    void set_enabled(std::string_view name, bool enabled);
    schedule& add_state(std::unique_ptr<state_machine> machine);
    schedule& add_system(std::string_view name, std::unique_ptr<system_body> body, system_options options);

    std::unique_ptr<parts> parts_;
};

template <> inline constexpr bool is_service<schedule> = true;

} // namespace ecs
