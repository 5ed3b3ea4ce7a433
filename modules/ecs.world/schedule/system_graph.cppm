// SPDX-License-Identifier: MIT
// The systems of one phase, and which waits for which: the graph that an executor follows.
export module ecs.world:system_graph;
import ecs.std;
import ecs.core;
import :commands;
import :profiler;
import :schedule;
import :system;
import :system_access;

namespace ecs {

/// Systems of one name, which are ordered and asked about together.
struct system_set {
    std::string name;
    set_options options{};
    bool is_bound{}; ///< Bound to the world of the schedule.
    bool enabled = true;

    // What is known during a run.

    bool is_asked{};
    bool holds{};
    std::exception_ptr failure{};

    /// Whether members may run; the condition is asked once a run. Throws what the condition throws, each
    /// time.
    [[nodiscard]] bool lets_run(const system_input& input);
};

/// Two systems of a phase, by their places: the first runs before the second.
struct system_pair {
    std::size_t first;
    std::size_t second;
    [[nodiscard]] bool operator==(const system_pair&) const = default;
};

/// A run of a schedule.
struct run_mark {
    std::chrono::steady_clock::time_point begin{};
    const void* thread{};   ///< The thread that calls run.
    std::uint64_t number{}; ///< From 1 on; 0: there was no run.
};

/// When a system ran last, and where.
struct system_mark {
    std::uint64_t run{}; ///< 0: the system never ran.
    std::chrono::steady_clock::time_point begin{};
    const void* thread{};
};

/// When a phase ran last.
struct phase_mark {
    std::uint64_t run{};
    std::chrono::steady_clock::time_point begin{}, end{}, flushed{};
    std::size_t dropped{}; ///< How many commands were dropped.
};

/// A system with its place in the graph.
struct scheduled_system {
    scheduled_system(std::string_view name, std::uint32_t ordinal, std::unique_ptr<system_body> b,
                     system_options o)
        : body(std::move(b)), options(std::move(o)), number(ordinal) {
        time.name = name;
    }

    std::unique_ptr<system_body> body;
    system_options options;
    std::uint32_t number; ///< In the order of addition; also the key of its commands.
    system_time time;
    system_mark last;
    std::vector<resolved_access> accesses;
    std::vector<system_set*> sets;
    std::optional<commands> recorded; ///< Empty until it runs in the world.
    bool is_bound{};                  ///< To the world of the schedule.
    bool enabled = true;
    double owed{}; ///< Seconds that have passed and for which no step was made yet.

    /// Whether the system is enabled, and so are all sets of which it is a member.
    [[nodiscard]] bool is_enabled() const;

    // What is known during a run.

    std::vector<std::size_t> successors;
    std::size_t predecessors{};
    arrival_count waits_for;
    std::size_t repetitions{};
    std::exception_ptr failure;
};

/// An arrow of the graph.
struct system_edge {
    std::size_t from;
    std::size_t to;
    std::string_view component; ///< What the systems conflict in; empty when the order was asked for.
    bool decided{};             ///< Decided by the program, directly or through others.
};

/// Which systems come after which, directly or through other systems: a bit for each pair.
class system_reach {
  public:
    explicit system_reach(std::size_t systems)
        : size_(systems), words_((systems + 63) / 64), bits_(systems * words_), leads_on_(systems) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool has(std::size_t from, std::size_t to) const {
        return (bits_[from * words_ + to / 64] & bit_of(to)) != 0;
    }
    /// Notes that `to` comes after `from`. What follows from that through other systems is found by close.
    void add(std::size_t from, std::size_t to) {
        bits_[from * words_ + to / 64] |= bit_of(to);
        leads_on_[from] = true;
    }
    /// Finds all that follows from what was added, also through other systems: n^2 steps for n systems, and
    /// n^3 / 64 where most come after each other. Method: Warshall, "A theorem on Boolean matrices" (1962).
    void close() {
        for (std::size_t by = 0; by != size_; ++by)
            for (std::size_t from = 0; from != size_; ++from)
                if (has(from, by)) add_all(from, by);
    }
    /// Notes that `to` comes after `from`, and so do all systems that come after `to`.
    void add_all(std::size_t from, std::size_t to) {
        if (leads_on_[to])
            for (std::size_t w = 0; w != words_; ++w) bits_[from * words_ + w] |= bits_[to * words_ + w];
        add(from, to);
    }

  private:
    [[nodiscard]] static std::uint64_t bit_of(std::size_t system) { return std::uint64_t{1} << system % 64; }

    std::size_t size_;
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
    std::vector<bool> leads_on_; ///< By system, whether another one comes after it.
};

/// See the head of this file.
struct phase_of_systems {
    std::string name;
    std::vector<std::unique_ptr<scheduled_system>> systems{};
    std::vector<system_pair> asked{}; ///< The order that the program has asked for.
    std::vector<std::size_t> ready{}; ///< The systems that wait for nobody.
    phase_mark last{};
    std::uint64_t last_run{}; ///< The last run that came to it, or that was before it was added.
    bool enabled = true;

    static constexpr std::size_t none = ~std::size_t{0};
    [[nodiscard]] std::size_t find(std::string_view system) const;

    /// Throws schedule_setup_error when one of the systems is ordered against that system.
    void require_not_named(std::string_view system) const;
    /// Removes a system, which is there.
    void remove(std::string_view system);

    /// Binds the systems to the world; `is_other`: they were bound to another world before. Systems that are
    /// bound to it already look up their types again if `looks_up` is true.
    void bind(world& in, bool is_other, bool looks_up);
    /// Throws schedule_setup_error when something that a system says it reads or writes has ended.
    void require_known_accesses(const world& in) const;
    /// Gives the systems that have none commands of the world, to which they are bound. No other thread may
    /// be recording: a system may need a new key.
    void open_commands(world& in);
    /// Finds anew which system waits for which, of systems whose accesses are known: none waits for another
    /// that it comes after anyhow. Throws schedule_setup_error. Of n systems, n^2 pairs are looked at.
    void connect(std::span<const system_pair> order);
    /// All arrows, also those that others imply, as they are drawn. Their texts are good until the systems
    /// change. Of n systems that all conflict, there are n^2 / 2.
    [[nodiscard]] std::vector<system_edge> edges() const;
    /// Runs the systems, unless the phase is disabled.
    [[nodiscard]] std::vector<failed_system> run(world& in, executor& on, const tick& now,
                                                 const profilers& told);
    /// Counts the time for the steps of the next run, because this one does not come to the phase.
    void save_up(double seconds) noexcept;
    /// Tells the history of the world, if it has one, which system records which commands.
    void name_systems_in_history(const world& in) const noexcept;
    void list_ambiguities(std::vector<ambiguity>& into) const;
    void draw(std::string& into) const;

  private:
    [[nodiscard]] system_reach reach_of_asked() const;
    void wait_for_conflicts(system_reach& reaches);
    void require_no_circle(const system_reach& reaches) const;
    [[nodiscard]] std::string circle_through(std::size_t begin) const;
};

/// The phases as tools see them: see schedule::phases.
[[nodiscard]] std::vector<phase_summary> summary_of(std::span<const phase_of_systems> phases,
                                                    const run_mark& last);

/// The phases as an SVG document: see schedule::svg.
[[nodiscard]] std::string svg_of(std::span<const phase_of_systems> phases);

} // namespace ecs
