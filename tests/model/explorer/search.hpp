// SPDX-License-Identifier: MIT
//
// The search: which executions of a program are worth running, each found by running the program again from
// its start.
//
//   node:  a state before one step   backtrack: threads that must be tried here
//          running, choice           asleep:    threads whose step here leads only to executions already seen
//
// Dynamic partial-order reduction (Flanagan, Godefroid, POPL 2005): two steps of different threads race when
// they depend on each other and nothing orders them. For each thread's pending step the search finds the last
// step it races with and demands that the thread be tried in the state before it. Sleep sets (Godefroid, LNCS
// 1032) drop the executions that differ from a finished one only in the order of independent steps. Which
// store a load returns is a second kind of choice; it depends on the thread's own view and on the stores of
// that location alone, so it commutes with every independent step, and all of its values are tried at every
// node. So are those of a choice that the program asks for.
//
// State that the test itself shares between threads is a location like any other (shared.hpp): where it was
// not, an execution that only such state tells apart would be dropped.
//
// Without reduction every thread is tried at every node; small programs compare the two (see
// litmus_test.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "knowledge.hpp"
#include "operation.hpp"

namespace explorer {

enum class reduction : std::uint8_t { none, partial_order };

class search {
  public:
    explicit search(reduction kind) : kind_(kind) {}

    /// Prepares the next run; false when every execution has been seen.
    bool next() {
        while (!path_.empty() && !turn(path_.back())) path_.pop_back();
        if (path_.empty() && started_) return false;
        started_ = true;
        rewind();
        return true;
    }

    using pending = std::array<operation, max_threads>;

    /// The thread to run among the `enabled`; nothing when every continuation has been seen already.
    std::optional<thread_id> schedule(thread_mask enabled, const pending& next, thread_id preferred) {
        if (depth_ == path_.size()) {
            demand_reversals(enabled, next);
            if (!extend(enabled, next, preferred)) return std::nullopt;
        }
        return path_[depth_++].running;
    }

    /// One of `options` outcomes of the step now running.
    unsigned choose(unsigned options) {
        node& at = path_[depth_ - 1];
        at.choices = options;
        return at.choice;
    }

    /// Tells what the step just run really did: a compare-exchange that failed only read.
    void ran(operation done) {
        path_[depth_ - 1].done = done;
        order(path_[depth_ - 1].running, done);
    }

  private:
    struct node {
        thread_mask enabled = 0, backtrack = 0, tried = 0, asleep = 0;
        thread_id running = 0;
        unsigned choice = 0, choices = 1;
        pending next{};
        operation done{};
    };

    struct step {
        bool happened = false;
        thread_id thread = 0;
        std::uint16_t count = 0; // of the thread's own steps
        std::size_t depth = 0;
    };

    /// What the current run did to one location, and what all of that depends on.
    struct footprint {
        step last_write;
        std::array<step, max_threads> last_read{};
        vector_clock writes, accesses;
    };

    void rewind() {
        depth_ = 0;
        causes_ = {};
        for (const location_id id : touched_) footprints_[id] = {};
        touched_.clear();
    }

    static bool turn(node& at) {
        if (++at.choice < at.choices) return true;
        at.tried |= bit(at.running);
        const auto left = static_cast<thread_mask>(at.backtrack & ~at.tried & ~at.asleep);
        if (left == 0) return false;
        run(at, lowest(left));
        return true;
    }

    static void run(node& at, thread_id thread) {
        at.running = thread;
        at.choice = 0;
        at.choices = 1;
    }

    static thread_id lowest(thread_mask threads) { return static_cast<thread_id>(__builtin_ctz(threads)); }

    bool extend(thread_mask enabled, const pending& next, thread_id preferred) {
        const thread_mask asleep = sleeping_now();
        const auto awake = static_cast<thread_mask>(enabled & ~asleep);
        if (awake == 0) return false;
        node& at = path_.emplace_back();
        at.enabled = enabled;
        at.asleep = asleep;
        at.next = next;
        run(at, (awake & bit(preferred)) ? preferred : lowest(awake));
        at.backtrack = kind_ == reduction::none ? enabled : bit(at.running);
        return true;
    }

    /// Who slept or was tried before the last step, and is independent of it, still sleeps after it.
    thread_mask sleeping_now() const {
        if (kind_ == reduction::none || path_.empty()) return 0;
        const node& before = path_.back();
        thread_mask result = 0;
        for (thread_id t = 0; t < max_threads; ++t)
            if (((before.asleep | before.tried) & bit(t)) && !dependent(before.next[t], before.done))
                result |= bit(t);
        return result;
    }

    void demand_reversals(thread_mask enabled, const pending& next) {
        for (thread_id t = 0; t < max_threads; ++t)
            if (enabled & bit(t))
                if (const step* racing = last_race(t, next[t])) path_[racing->depth].backtrack |= bit(t);
    }

    const step* last_race(thread_id thread, const operation& next) {
        const footprint& at = footprint_of(next.location);
        const step* latest = nullptr;
        const auto consider = [&](const step& s) {
            const bool races = s.happened && s.thread != thread && !causes_[thread].covers(s.thread, s.count);
            if (races && (!latest || latest->depth < s.depth)) latest = &s;
        };
        consider(at.last_write);
        if (next.writes())
            for (const step& s : at.last_read) consider(s);
        return latest;
    }

    /// Extends the causal order of the run by the step that just happened.
    void order(thread_id thread, const operation& done) {
        footprint& at = footprint_of(done.location);
        touched_.push_back(done.location);
        vector_clock& causes = causes_[thread];
        causes.join(done.writes() ? at.accesses : at.writes);
        const step now{true, thread, ++causes.steps[thread], depth_ - 1};
        at.accesses.join(causes);
        if (!done.writes()) {
            at.last_read[thread] = now;
            return;
        }
        at.writes.join(causes);
        at.last_write = now;
        at.last_read = {};
    }

    footprint& footprint_of(location_id id) {
        if (footprints_.size() <= id) footprints_.resize(id + std::size_t{1});
        return footprints_[id];
    }

    reduction kind_;
    bool started_ = false;
    std::size_t depth_ = 0;
    std::vector<node> path_;
    std::array<vector_clock, max_threads> causes_{};
    std::vector<footprint> footprints_;
    std::vector<location_id> touched_; // The footprints of the current run.
};

} // namespace explorer
