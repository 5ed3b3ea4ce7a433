// SPDX-License-Identifier: MIT
//
// The runtime: runs one execution of a program after another, each thread a fiber, each step chosen by the
// search.
//
// A thread runs up to its next operation on an atomic, announces it, and whoever is running picks the next
// step: there is no scheduler thread, and continuing the same thread costs no switch. When the search has
// seen every continuation, the execution runs to its end unrecorded, so that destructors run and nothing
// leaks. The first failure ends the exploration; its threads are then abandoned where they stand.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fiber.hpp"
#include "memory.hpp"
#include "operation.hpp"
#include "search.hpp"

namespace explorer {

/// A program to explore. Building it is its set-up, run by thread 0, as `finish` is after all threads have
/// ended.
struct program {
    std::vector<std::function<void()>> threads;
    std::function<void()> finish = [] {};
};

struct limits {
    std::size_t executions = 300'000;
    std::size_t steps = 5'000; // of one execution; more is reported as a thread that does not end
    reduction kind = reduction::partial_order;
};

struct report {
    std::size_t executions = 0;
    std::size_t redundant = 0; // of them, given up because every continuation had been seen
    bool truncated = false;    // stopped at the limit: unexplored executions remain
    std::string failure;       // empty when no execution failed
    std::string trace;         // of the failing execution

    bool failed() const { return !failure.empty(); }
    bool complete() const { return !truncated && !failed(); }
};

class runtime {
  public:
    explicit runtime(limits bounds) : bounds_(bounds), search_(bounds.kind) { current_ = this; }
    ~runtime() { current_ = nullptr; }
    runtime(const runtime&) = delete;
    runtime& operator=(const runtime&) = delete;

    static runtime& current() { return *current_; }
    static bool running() { return current_ != nullptr; }

    report explore(const std::function<program()>& make) {
        report result;
        while (!result.failed() && !result.truncated && search_.next()) {
            execute(make);
            ++result.executions;
            result.redundant += blocked_;
            result.failure = failure_;
            result.truncated = result.executions == bounds_.executions && !result.failed();
        }
        if (result.truncated) result.truncated = search_.next();
        if (result.failed()) result.trace = print();
        return result;
    }

    // What atomics and plain variables do, on behalf of the running thread.

    location_id create(std::uint64_t value, const char* label) {
        return guarded([&] { return memory_.create(running_, value, label); });
    }

    void destroy(location_id location) {
        guarded([&] { memory_.destroy(running_, location); });
    }

    std::uint64_t load(location_id location, std::memory_order order) {
        require_modelled(access::load, order);
        arrive({access::load, location});
        const auto got =
            guarded([&] { return memory_.load(running_, location, order, pick_visible(location)); });
        event& line = left({access::load, location}, "load", order);
        line.read = got.read;
        line.missed = got.missed;
        return got.read;
    }

    void store(location_id location, std::uint64_t value, std::memory_order order) {
        require_modelled(access::store, order);
        arrive({access::store, location});
        guarded([&] { memory_.store(running_, location, order, value); });
        left({access::store, location}, "store", order).written = value;
    }

    template <class Change>
    std::uint64_t update(location_id location, std::memory_order order, const char* verb, Change change) {
        require_modelled(access::read_modify_write, order);
        arrive({access::read_modify_write, location});
        const auto got = guarded([&] {
            memory_.touch(running_, location);
            return memory_.exchange(running_, location, order, change(memory_.value(location, 0)));
        });
        event& line = left({access::read_modify_write, location}, verb, order);
        line.read = got.read;
        line.written = change(got.read);
        return got.read;
    }

    template <class Same>
    memory::outcome compare_exchange(location_id location, std::uint64_t expected, std::uint64_t desired,
                                     std::memory_order success, std::memory_order failure, Same same) {
        require_modelled(access::read_modify_write, success);
        require_modelled(access::load, failure);
        arrive({access::read_modify_write, location});
        const auto got = guarded([&] {
            memory_.touch(running_, location);
            const auto skipped = pick_outcome(location, expected, same);
            if (skipped == 0 && same(memory_.value(location, 0), expected))
                return memory_.exchange(running_, location, success, desired);
            return memory_.load(running_, location, failure, skipped);
        });
        event& line = got.exchanged ? left({access::read_modify_write, location}, "exchange", success)
                                    : left({access::load, location}, "compare", failure);
        line.read = got.read;
        line.written = desired;
        line.missed = got.missed;
        return got;
    }

    // What the test's own state does; see shared.hpp.

    location_id create_shared() { return static_cast<location_id>(first_shared + shared_count_++); }

    /// What the thread does from here to its next step is one step, which all threads see in one order. It
    /// tells the memory nothing: no atomic is read any newer for it, and it ends no race.
    void pass(operation step) {
        arrive(step);
        passed(step);
    }

    /// A number below `options`; the search tries each. 0 in set-up.
    unsigned choose_freely(unsigned options) {
        arrive({access::load, free_choice});
        const unsigned chosen = choose(options);
        passed({access::load, free_choice});
        return chosen;
    }

    /// How many allocations of the running thread may still fail.
    unsigned& failures_left() { return failures_left_[running_]; }

    void note(std::string text) {
        notes_.push_back(std::move(text));
        event line;
        line.thread = running_;
        line.note = notes_.size();
        events_.push_back(line);
    }

    [[noreturn]] void fail(const std::string& what) {
        if (!concurrent_) throw violation(what);
        if (failure_.empty()) failure_ = what;
        for (;;) switch_to(0);
    }

    thread_id running_thread() const { return running_; }
    std::uint16_t now() const { return memory_.clock(running_).steps[running_]; }
    const vector_clock& clock() const { return memory_.clock(running_); }

    /// Keeps a block of memory readable until the execution has ended, so that a late access is a failure,
    /// not a crash.
    void bury(std::shared_ptr<void> block) { graves_.push_back(std::move(block)); }

  private:
    template <class Action> auto guarded(const Action& action) -> decltype(action()) {
        std::string what;
        try {
            return action();
        } catch (const violation& v) {
            what = v.what();
        }
        fail(what);
    }

    void execute(const std::function<program()>& make) {
        begin();
        try {
            program subject = make();
            run(subject);
            if (failure_.empty()) subject.finish();
            if (!failure_.empty()) abandon(std::move(subject));
        } catch (const violation& v) {
            failure_ = v.what();
        }
        graves_.clear();
    }

    void begin() {
        memory_.forget();
        events_.clear();
        notes_.clear();
        failures_left_ = {};
        shared_count_ = 0;
        steps_ = 0;
        blocked_ = false;
        running_ = 0;
        memory_.step(0);
    }

    /// Threads that stand still in the middle refer to the program's state, which therefore is never
    /// destroyed, not even at exit.
    static void abandon(program&& subject) {
        static auto* const abandoned = new std::vector<program>;
        abandoned->push_back(std::move(subject));
    }

    void run(program& subject) {
        const auto count = static_cast<thread_id>(subject.threads.size());
        bodies_ = &subject.threads;
        enabled_ = 0;
        concurrent_ = true;
        for (thread_id t = 1; t <= count; ++t) memory_.fork(t);
        for (thread_id t = 1; t <= count && failure_.empty(); ++t) start(t);
        if (enabled_ && failure_.empty()) switch_to(pick());
        concurrent_ = false;
        for (thread_id t = 1; t <= count; ++t) memory_.join(t);
    }

    /// Runs a thread up to its first operation.
    void start(thread_id t) {
        if (!fibers_[t]) fibers_[t] = std::make_unique<fiber>([this, t] { body(t); });
        enabled_ |= bit(t);
        starting_ = true;
        switch_to(t);
        starting_ = false;
    }

    void body(thread_id t) {
        (*bodies_)[t - std::size_t{1}]();
        enabled_ &= static_cast<thread_mask>(~bit(t));
        switch_to(starting_ || enabled_ == 0 ? thread_id{0} : pick());
    }

    void require_modelled(access kind, std::memory_order order) {
        if (!is_modelled(kind, order))
            fail("a " + std::string(name_of(kind)) + " with memory_order_" + std::string(name_of(order)) +
                 " is not modelled");
    }

    void arrive(operation next) {
        if (!concurrent_) return;
        if (++steps_ > bounds_.steps) fail("the program does not end");
        pending_[running_] = next;
        switch_to(starting_ ? thread_id{0} : pick());
    }

    /// Writes each field of the line where it stays: to copy a line that has just been written waits for it.
    event& left(operation done, const char* verb, std::memory_order order) {
        passed(done);
        event& line = events_.emplace_back();
        line.done = done;
        line.thread = running_;
        line.verb = verb;
        line.order = order;
        return line;
    }

    void passed(operation done) {
        memory_.step(running_);
        if (concurrent_ && !blocked_) search_.ran(done);
    }

    thread_id pick() {
        if (!blocked_) {
            if (const auto chosen = search_.schedule(enabled_, pending_, running_)) return *chosen;
            blocked_ = true;
        }
        return (enabled_ & bit(running_)) ? running_ : static_cast<thread_id>(__builtin_ctz(enabled_));
    }

    fiber& stack_of(thread_id t) { return t == 0 ? host_ : *fibers_[t]; }

    void switch_to(thread_id t) {
        if (t == running_) return;
        const thread_id from = std::exchange(running_, t);
        stack_of(from).hand_over(stack_of(t));
    }

    unsigned pick_visible(location_id location) {
        memory_.touch(running_, location);
        return choose(memory_.visible(running_, location));
    }

    /// Outcome 0 is the newest store; the others are older coherent stores that make the comparison fail.
    template <class Same> unsigned pick_outcome(location_id location, std::uint64_t expected, Same same) {
        std::array<unsigned, UINT8_MAX + 1> outcomes;
        unsigned count = 0;
        for (unsigned skipped = 0; skipped < memory_.visible(running_, location); ++skipped)
            if (skipped == 0 || !same(memory_.value(location, skipped), expected))
                outcomes[count++] = skipped;
        return outcomes[choose(count)];
    }

    unsigned choose(unsigned options) {
        return concurrent_ && !blocked_ && options > 1 ? search_.choose(options) : 0;
    }

    std::string print() const {
        std::string text;
        for (const event& e : events_) text += line(e);
        return text + "=> " + failure_ + '\n';
    }

    std::string line(const event& e) const {
        std::string text = 'T' + std::to_string(e.thread) + "  ";
        if (e.note != 0) return text + "-- " + notes_[e.note - 1] + '\n';
        text +=
            e.verb + std::string(" (") + std::string(name_of(e.order)) + ") " + memory_.name(e.done.location);
        if (e.done.reads()) text += " read " + std::to_string(e.read);
        if (e.missed) text += " (" + std::to_string(e.missed) + " newer)";
        if (e.done.writes()) text += " wrote " + std::to_string(e.written);
        return text + '\n';
    }

    inline static runtime* current_ = nullptr;

    limits bounds_;
    search search_;
    memory memory_;
    fiber host_;
    std::array<std::unique_ptr<fiber>, max_threads> fibers_;
    std::vector<std::function<void()>>* bodies_ = nullptr;
    search::pending pending_{};
    thread_mask enabled_ = 0;
    thread_id running_ = 0;
    std::size_t steps_ = 0;
    std::size_t shared_count_ = 0;
    std::array<unsigned, max_threads> failures_left_{};
    bool concurrent_ = false, starting_ = false, blocked_ = false;
    std::vector<event> events_;
    std::vector<std::string> notes_;
    std::vector<std::shared_ptr<void>> graves_;
    std::string failure_;
};

} // namespace explorer
