// SPDX-License-Identifier: MIT
//
// The release/acquire memory: every location keeps all of its stores, and a load may return an old one.
//
//   location x    [ 0 ] -- [ 5 ] -- [ 7 ]          stores, oldest first: the modification order
//                            ^        ^
//              thread 2 knows of 5    newest       so a load by thread 2 may return 5 or 7, never 0
//
// Coherence is the rule that a thread's view of a location never goes back. A successful read-modify-write
// takes the newest store; a failing compare-exchange is a load and may return any coherent store that differs
// from the expected value. A release store carries its thread's knowledge, and every read-modify-write passes
// on what it replaced: that is C++20's release sequence. The modification order is the order of execution,
// loads never see the future (no load buffering), there are no fences, and a sequentially consistent
// operation is a failure that says so (require_modelled).
//
// An atomic is *initialised* by a plain write. Touching one whose initialisation does not happen before the
// access (a page reached through a pointer that was not acquired), or one that was destroyed, is a failure,
// as any data race is. After Kang, Hur, Lahav, Vafeiadis, Dreyer: A Promising Semantics for Relaxed-Memory
// Concurrency (2017), without promises.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "knowledge.hpp"
#include "operation.hpp"

namespace explorer {

/// A statement about one execution that does not hold.
struct violation : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class memory {
  public:
    struct outcome {
        std::uint64_t read = 0;
        unsigned missed = 0;
        bool exchanged = false;
    };

    void forget() {
        count_ = 0;
        released_.clear();
        known_ = {};
    }

    location_id create(thread_id thread, std::uint64_t value, const char* label) {
        if (count_ == max_locations)
            throw violation("the model has too many atomics: raise explorer::max_locations");
        if (count_ == locations_.size()) locations_.emplace_back();
        const auto id = static_cast<location_id>(count_++);
        locations_[id].begin(thread, known_[thread].clock.steps[thread], label, value);
        return id;
    }

    void destroy(thread_id thread, location_id id) {
        auto& at = locations_[id];
        if (!known_[thread].clock.covers(at.users))
            throw violation(name(id) + " is destroyed while others use it");
        at.alive = false;
    }

    /// How many stores a load by `thread` could return.
    unsigned visible(thread_id thread, location_id id) const {
        return static_cast<unsigned>(locations_[id].history.size()) - known_[thread].seen.oldest[id];
    }

    /// Returns the store that `skipped` newer ones follow. The location has been touched.
    outcome load(thread_id thread, location_id id, std::memory_order order, unsigned skipped) {
        return read(thread, id, order, newest(id) - skipped);
    }

    void store(thread_id thread, location_id id, std::memory_order order, std::uint64_t value) {
        touch(thread, id);
        append(thread, id, value);
        if (releases(order)) locations_[id].history.back().released = publish(thread, nothing);
    }

    /// Replaces the newest store by `value`. The location has been touched.
    outcome exchange(thread_id thread, location_id id, std::memory_order order, std::uint64_t value) {
        auto result = read(thread, id, order, newest(id));
        result.exchanged = true;
        const int inherited = locations_[id].history.back().released;
        append(thread, id, value);
        locations_[id].history.back().released = releases(order) ? publish(thread, inherited) : inherited;
        return result;
    }

    std::uint64_t value(location_id id, unsigned skipped) const {
        return locations_[id].history[newest(id) - skipped].value;
    }

    std::string name(location_id id) const {
        return std::string(locations_[id].label) + '#' + std::to_string(id);
    }

    /// Must be called before anything else is asked of a location: nothing may be read of memory that is not
    /// there.
    void touch(thread_id thread, location_id id) {
        auto& at = locations_[id];
        if (!at.alive) throw violation(name(id) + " is used after its destruction");
        if (!known_[thread].clock.covers(at.creator, at.created))
            throw violation(name(id) +
                            " is used before its initialisation is known to the thread: unpublished memory");
        at.users.note(thread, known_[thread].clock.steps[thread]);
    }

    void step(thread_id thread) { ++known_[thread].clock.steps[thread]; }

    void fork(thread_id child) {
        known_[child] = known_[0];
        step(0);
        step(child);
    }

    void join(thread_id child) { known_[0].join(known_[child], count_); }

    const vector_clock& clock(thread_id thread) const { return known_[thread].clock; }

  private:
    static constexpr int nothing = -1;

    struct message {
        std::uint64_t value;
        int released; // what an acquiring reader learns, or nothing
    };

    struct location {
        std::vector<message> history;
        const char* label = "";
        thread_id creator = 0;
        std::uint16_t created = 0;
        bool alive = false;
        vector_clock users;

        void begin(thread_id by, std::uint16_t at, const char* called, std::uint64_t value) {
            history.assign(1, message{value, nothing});
            label = called;
            creator = by;
            created = at;
            alive = true;
            users = {};
            users.note(by, at);
        }
    };

    unsigned newest(location_id id) const { return static_cast<unsigned>(locations_[id].history.size()) - 1; }

    outcome read(thread_id thread, location_id id, std::memory_order order, unsigned at) {
        const message& from = locations_[id].history[at];
        known_[thread].seen.oldest[id] = static_cast<timestamp>(at);
        if (acquires(order) && from.released != nothing)
            known_[thread].join(released_[static_cast<std::size_t>(from.released)], count_);
        return {from.value, newest(id) - at, false};
    }

    void append(thread_id thread, location_id id, std::uint64_t value) {
        auto& history = locations_[id].history;
        if (history.size() > UINT8_MAX) throw violation(name(id) + " has too many stores for a timestamp");
        history.push_back({value, nothing});
        known_[thread].seen.oldest[id] = static_cast<timestamp>(newest(id));
    }

    int publish(thread_id thread, int inherited) {
        released_.push_back(known_[thread]);
        if (inherited != nothing)
            released_.back().join(released_[static_cast<std::size_t>(inherited)], count_);
        return static_cast<int>(released_.size()) - 1;
    }

    std::vector<location> locations_;
    std::size_t count_ = 0;
    std::vector<knowledge> released_;
    std::array<knowledge, max_threads> known_{};
};

} // namespace explorer
