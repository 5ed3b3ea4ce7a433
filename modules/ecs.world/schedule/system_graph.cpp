// SPDX-License-Identifier: MIT
// Which systems have to wait for which, and how those of a phase are run.
module ecs.world;
import ecs.std;
import ecs.core;

namespace ecs {

namespace {

/// Notes that `to` comes after `from`: everything that reaches `from` now reaches `to`, and all that `to`
/// reaches. Constant time where that was known before; and of n systems no more than n pairs extend what one
/// of them reaches.
void extend(system_reach& reaches, std::size_t from, std::size_t to) {
    if (reaches.has(from, to)) return;
    for (std::size_t i = 0; i < reaches.size(); ++i)
        if ((i == from || reaches.has(i, from)) && !reaches.has(i, to)) reaches.add_all(i, to);
}

bool is_whole_world(const resolved_access& a) { return a.writes && !a.pattern; }

/// The first component in which the systems conflict; nullptr when they do not. A system that is alone with
/// the world conflicts also with one that names no component at all: that one may hold the world by
/// reference.
const resolved_access* conflict_between(const scheduled_system& a, const scheduled_system& b) {
    for (const scheduled_system* const s : {&a, &b})
        if (const auto alone = std::ranges::find_if(s->accesses, is_whole_world); alone != s->accesses.end())
            return &*alone;
    for (const resolved_access& x : a.accesses)
        for (const resolved_access& y : b.accesses)
            if (conflicting(x, y)) return x.pattern ? &x : &y;
    return nullptr;
}

bool overlap(std::uint32_t a, std::uint32_t b) { return a == 0 || b == 0 || a == b; }

/// How texts name what a system says it reads or writes.
std::string title_of(id word, const engine& in) {
    const std::string known = in.rows().name_of_component(word.as_entity());
    return known.empty() ? "what a run-time query asks for" : known;
}

/// Throws schedule_setup_error for an identifier that would protect nothing, of another world or ended, and
/// for the null identifier, which would stand for the whole world.
void require_known(const scheduled_system& s, id word, const engine& in) {
    if (in.reads().is_meant(word)) return;
    const std::string said = "system " + in_quotes(s.time.name) + " says that it reads or writes ";
    if (!word)
        throw schedule_setup_error(said +
                                   "nothing: a look-up that has found none returns the null identifier");
    throw schedule_setup_error(said + to_string(word) +
                               ", which has ended, or belongs to another world: an identifier that is "
                               "decided at run time belongs to the world that gave it");
}

/// What the system's options say of it.
void add_accesses(scheduled_system& s, const std::vector<id>& words, bool writes, const engine& in) {
    for (const id asked : words) {
        const id word = in.rows().resolve(asked);
        require_known(s, word, in);
        s.accesses.push_back({word, writes, title_of(word, in)});
    }
}

/// How many full steps of a system this time makes, with what was left from before.
std::size_t full_steps(scheduled_system& s, double seconds) {
    constexpr double steps_max = 0xFFFF'FFFF;
    constexpr double rounding = 1e-9; // A share of a step: 0.25 s and 0.05 s are three steps of 0.1 s.
    s.owed += seconds;
    const double due = s.owed;
    const double steps = s.owed / s.options.step + rounding;
    if (steps > steps_max) {
        s.owed = 0;
        throw std::length_error(shortest_text(due) + " seconds are " + shortest_text(steps) + " steps of " +
                                shortest_text(s.options.step) +
                                ": more than a run can make. Bound the time that is given to run");
    }
    const auto whole = static_cast<std::size_t>(steps);
    s.owed -= static_cast<double>(whole) * s.options.step;
    return whole;
}

/// How often a system runs now that this time has passed. Conditions are asked when the system is due: a
/// condition that remembers is not used up before.
std::size_t repetitions_of(scheduled_system& s, const system_input& input) {
    if (!s.is_enabled()) return 0;
    const std::size_t due = s.options.step > 0 ? full_steps(s, input.now.seconds) : 1;
    const auto lets_run = [&](system_set* set) { return set->lets_run(input); };
    return due != 0 && std::ranges::all_of(s.sets, lets_run) && s.options.run_if.ask(input) ? due : 0;
}

/// The same; when a condition throws, its system fails, and others run.
std::size_t ask_repetitions(scheduled_system& s, const system_input& input) {
    s.failure = nullptr; // A run that lacked memory may have left what was thrown in it.
    try {
        return repetitions_of(s, input);
    } catch (...) {
        s.failure = std::current_exception();
        return 0;
    }
}

using clock = std::chrono::steady_clock;

/// Holds the world while systems run that do not have it to themselves. Where one thread runs them all, the
/// lock goes on from one to the next: to lock and to unlock takes as long as a small system.
class shared_hold {
  public:
    explicit shared_hold(bool goes_on) : goes_on_(goes_on) {}

    void begin(store& rows) {
        if (!lock_) lock_.emplace(rows);
    }
    void end() {
        if (!goes_on_) lock_.reset();
    }
    void let_go() { lock_.reset(); }

  private:
    std::optional<store::iteration_lock> lock_;
    bool goes_on_;
};

/// The system begins at that time; returns when it has ended.
clock::time_point run_system(scheduled_system& s, world& in, tick now, executor& on, const profilers& told,
                             clock::time_point begin, shared_hold& hold) {
    if (s.repetitions == 0) return begin;
    const profiled system(told, activity::system, s.time.name);
    if (s.options.step > 0) now.seconds = s.options.step;
    s.last = {now.number + 1, begin, mark_of_this_thread()};
    store& rows = world_access::engine_of(in).rows();
    std::optional<change_history::acting> acting;
    if (!s.body->is_exclusive()) { // Others may run beside it, whatever its function has a reference to.
        hold.begin(rows);
    } else {
        hold.let_go();
        acting.emplace(rows.history(), s.time.name);
    }
    try {
        for (std::size_t i = 0; i < s.repetitions; ++i) s.body->run({&in, &*s.recorded, now, &on});
    } catch (...) {
        s.failure = std::current_exception();
    }
    hold.end();
    const clock::time_point end = clock::now();
    s.time.last = end - begin;
    s.time.total += s.time.last;
    ++s.time.runs;
    return end;
}

/// One run of a phase, as the tasks see it. Systems that wait for nobody are taken by runners, one for each
/// thread, so that a small system costs a ticket and not a task; those that waited are tasks of their own.
struct phase_run {
    phase_of_systems& phase;
    world& in;
    tick now;
    executor& on;
    task_group& tasks;
    profilers told;
    std::size_t runners;
    bool is_alone; ///< One thread runs everything.
    ticket_count taken{};
    std::size_t taken_alone{};
    /// It does not go on where a profiler is told: that finds the world between systems as it always is.
    shared_hold hold_alone{is_alone && told.empty()};

    /// Takes systems until all are taken. Each runner calls two others before that: few are called where the
    /// systems end before another thread is awake, and all of them soon where they do not.
    static void take_systems(void* context, std::size_t runner) {
        auto& self = *static_cast<phase_run*>(context);
        self.call(2 * runner + 1);
        self.call(2 * runner + 2);
        clock::time_point time = clock::now();
        for (std::size_t n = 0; (n = self.take_next()) < self.phase.ready.size();)
            time = self.run_from(self.phase.ready[n], time);
    }

  private:
    static void run_later(void* context, std::size_t number) {
        static_cast<phase_run*>(context)->run_from(number, clock::now());
    }

    std::size_t take_next() { return is_alone ? taken_alone++ : taken.take(); }

    void call(std::size_t runner) {
        if (runner < runners) hand_over(tasks, {&take_systems, this, runner});
    }

    /// Runs a system and whatever waited for it alone; other systems that can begin now become tasks. Reading
    /// the clock takes as long as a small system: one begins when the one before it has ended.
    clock::time_point run_from(std::size_t number, clock::time_point time) {
        while (number != phase_of_systems::none) {
            scheduled_system& s = *phase.systems[number];
            time = run_one(s, time);
            number = release_successors(s);
        }
        return time;
    }

    clock::time_point run_one(scheduled_system& s, clock::time_point begin) {
        if (is_alone) return run_system(s, in, now, on, told, begin, hold_alone);
        shared_hold hold(false);
        return run_system(s, in, now, on, told, begin, hold);
    }

    std::size_t release_successors(const scheduled_system& s) {
        std::size_t mine = phase_of_systems::none;
        for (const std::size_t next : s.successors) {
            if (!phase.systems[next]->waits_for.arrive()) continue;
            if (mine == phase_of_systems::none)
                mine = next;
            else
                hand_over(tasks, {&run_later, this, next});
        }
        return mine;
    }
};

void wait_for(task_group& tasks, const profilers& told, std::string_view phase) {
    const profiled wait(told, activity::wait, phase);
    tasks.wait();
}

} // namespace

std::vector<resolved_access> resolve_accesses(std::size_t count, const id* patterns,
                                              const declared_access* declared) {
    std::vector<resolved_access> resolved;
    resolved.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        resolved.push_back({patterns[i], declared[i].writes, std::string(declared[i].component)});
    return resolved;
}

bool conflicting(const resolved_access& a, const resolved_access& b) {
    if (!a.writes && !b.writes) return false;
    if (!a.pattern || !b.pattern || a.pattern == b.pattern) return true;
    if (!a.pattern.is_wildcard() && !b.pattern.is_wildcard()) return false;
    return a.pattern.is_pair() && b.pattern.is_pair() &&
           overlap(a.pattern.relation_index(), b.pattern.relation_index()) &&
           overlap(a.pattern.target_index(), b.pattern.target_index());
}

bool system_set::lets_run(const system_input& input) {
    if (!std::exchange(is_asked, true)) {
        failure = nullptr;
        try {
            holds = options.run_if.ask(input);
        } catch (...) {
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
    return holds;
}

bool scheduled_system::is_enabled() const {
    return enabled && std::ranges::all_of(sets, [](const system_set* of) { return of->enabled; });
}

std::size_t phase_of_systems::find(std::string_view system) const {
    const auto found =
        std::ranges::find(systems, system, [](const auto& s) -> std::string_view { return s->time.name; });
    return found == systems.end() ? none : static_cast<std::size_t>(found - systems.begin());
}

void phase_of_systems::require_not_named(std::string_view system) const {
    const auto names_it = [&](const std::vector<std::string>& names) {
        return std::ranges::find(names, system) != names.end();
    };
    for (const auto& s : systems)
        if (s->time.name != system && (names_it(s->options.after) || names_it(s->options.before)))
            throw schedule_setup_error("system \"" + s->time.name + "\" is ordered against \"" +
                                       std::string(system) + "\", which therefore cannot be removed");
}

void phase_of_systems::remove(std::string_view system) {
    systems.erase(systems.begin() + static_cast<std::ptrdiff_t>(find(system)));
}

void phase_of_systems::bind(world& in, bool is_other, bool looks_up) {
    for (const auto& s : systems) {
        const bool enters = is_other || !s->is_bound;
        if (!enters && !looks_up) continue;
        s->body->bind(world_access::engine_of(in), is_other);
        s->options.run_if.bind(world_access::engine_of(in), is_other);
        s->accesses = s->body->accesses(world_access::engine_of(in));
        add_accesses(*s, s->options.reads, false, world_access::engine_of(in));
        add_accesses(*s, s->options.writes, true, world_access::engine_of(in));
        if (!enters) continue;
        s->recorded.reset();
        s->is_bound = true;
        s->owed = 0;
    }
}

void phase_of_systems::save_up(double seconds) noexcept {
    if (!enabled) return;
    for (const auto& s : systems)
        if (s->options.step > 0 && s->is_enabled()) s->owed += seconds;
}

void phase_of_systems::require_known_accesses(const world& in) const {
    const engine& known = world_access::engine_of(in);
    for (const auto& s : systems)
        for (const auto* const words : {&s->options.reads, &s->options.writes})
            for (const id word : *words) require_known(*s, known.rows().resolve(word), known);
}

void phase_of_systems::open_commands(world& in) {
    const std::shared_ptr<command_queue>& queue = world_access::queue_of(in);
    for (const auto& s : systems)
        if (!s->recorded)
            s->recorded.emplace(queue, queue->open(command_queue::first_system_key + s->number));
}

namespace {

/// Notes that the second system waits for the first.
void let_wait(const phase_of_systems& in, const system_pair& order) {
    in.systems[order.first]->successors.push_back(order.second);
    ++in.systems[order.second]->predecessors;
}

} // namespace

void phase_of_systems::connect(std::span<const system_pair> order) {
    asked.assign(order.begin(), order.end());
    for (const auto& s : systems) {
        s->successors.clear();
        s->predecessors = 0;
    }
    system_reach reaches = reach_of_asked();
    require_no_circle(reaches);
    for (const system_pair& p : asked) let_wait(*this, p);
    wait_for_conflicts(reaches);
    ready.clear();
    for (std::size_t i = 0; i < systems.size(); ++i)
        if (systems[i]->predecessors == 0) ready.push_back(i);
}

system_reach phase_of_systems::reach_of_asked() const {
    system_reach reaches(systems.size());
    for (const system_pair& p : asked) reaches.add(p.first, p.second);
    reaches.close();
    return reaches;
}

/// For each system, the last of the systems before it is looked at first: where all of them conflict, the
/// others then lead to the system by way of it, and nothing has to be asked of them.
void phase_of_systems::wait_for_conflicts(system_reach& reaches) {
    for (std::size_t j = 1; j < systems.size(); ++j)
        for (std::size_t i = j; i-- > 0;) {
            if (reaches.has(i, j) || reaches.has(j, i) || !conflict_between(*systems[i], *systems[j]))
                continue;
            let_wait(*this, {i, j});
            extend(reaches, i, j);
        }
}

std::vector<system_edge> phase_of_systems::edges() const {
    std::vector<system_edge> all;
    all.reserve(asked.size());
    for (const system_pair& p : asked) all.push_back({p.first, p.second, {}, true});
    const system_reach decided = reach_of_asked();
    system_reach reaches = decided;
    for (std::size_t j = 1; j < systems.size(); ++j) {
        const std::size_t so_far = all.size();
        for (std::size_t i = j; i-- > 0;) {
            if (decided.has(i, j) || decided.has(j, i)) continue;
            const resolved_access* const where = conflict_between(*systems[i], *systems[j]);
            if (!where) continue;
            const bool backwards = reaches.has(j, i); // Decided by a third system that is between them.
            const std::size_t from = backwards ? j : i, to = backwards ? i : j;
            all.push_back({from, to, where->component});
            extend(reaches, from, to);
        }
        std::ranges::reverse(std::span(all).subspan(so_far));
    }
    return all;
}

void phase_of_systems::require_no_circle(const system_reach& reaches) const {
    for (std::size_t i = 0; i < systems.size(); ++i)
        if (reaches.has(i, i))
            throw schedule_setup_error("system \"" + systems[i]->time.name +
                                       "\" is to run after itself: the order of phase \"" + name +
                                       "\" is a circle, " + circle_through(i));
}

/// The systems of a shortest circle, in their order, written as arrows.
std::string phase_of_systems::circle_through(std::size_t begin) const {
    std::vector<std::size_t> before(systems.size(), none);
    std::vector<std::size_t> reached{begin};
    for (std::size_t i = 0; before[begin] == none; ++i)
        for (const system_pair& p : asked)
            if (p.first == reached[i] && before[p.second] == none) {
                before[p.second] = p.first;
                reached.push_back(p.second);
            }
    std::string text = in_quotes(systems[begin]->time.name);
    std::size_t at = begin;
    do {
        at = before[at];
        text = in_quotes(systems[at]->time.name) + " -> " + text;
    } while (at != begin);
    return text;
}

std::vector<failed_system> phase_of_systems::run(world& in, executor& on, const tick& now,
                                                 const profilers& told) {
    if (!enabled) return {};
    const profiled phase(told, activity::phase, name);
    const std::unique_ptr<task_group> tasks = on.group();
    const bool is_alone = dynamic_cast<const inline_executor*>(&on) != nullptr;
    phase_run context{
        *this, in, now, on, *tasks, told, std::min<std::size_t>(on.concurrency(), ready.size()), is_alone};
    for (const auto& s : systems) {
        s->repetitions = ask_repetitions(*s, {&in, nullptr, now, &on});
        s->waits_for.expect(s->predecessors); // Published with the tasks.
    }
    phase_run::take_systems(&context, 0);
    wait_for(*tasks, told, name);
    std::vector<failed_system> failures;
    for (const auto& s : systems)
        if (std::exception_ptr cause = std::exchange(s->failure, nullptr))
            failures.push_back({s->time.name, std::move(cause)});
    return failures;
}

void phase_of_systems::name_systems_in_history(const world& in) const noexcept {
    change_history* const history = world_access::engine_of(in).rows().history();
    if (!history) [[likely]]
        return;
    for (const auto& s : systems)
        history->name_system(command_queue::first_system_key + s->number, s->time.name);
}

void phase_of_systems::list_ambiguities(std::vector<ambiguity>& into) const {
    for (const system_edge& e : edges())
        if (!e.decided)
            into.push_back({systems[e.from]->time.name, systems[e.to]->time.name, std::string(e.component)});
}

void phase_of_systems::draw(std::string& into) const {
    into += "    subgraph " + in_quotes("cluster_" + name) + " {\n        label=" + in_quotes(name) + ";\n";
    for (const auto& s : systems) into += "        " + in_quotes(s->time.name) + ";\n";
    into += "    }\n";
    for (const system_edge& e : edges())
        into += "    " + in_quotes(systems[e.from]->time.name) + " -> " +
                in_quotes(systems[e.to]->time.name) +
                (e.decided ? ";\n" : " [style=dotted, label=" + in_quotes(e.component) + "];\n");
}

} // namespace ecs
