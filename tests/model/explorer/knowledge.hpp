// SPDX-License-Identifier: MIT
//
// What a thread knows: how far every other thread has come, and how new each location is.
//
//   vector_clock   thread   -> how many of its steps happen before now      (Mattern 1989; data races)
//   view           location -> the oldest store a load may still return     (Kang et al. 2017; stale loads)
//
// A release store publishes the storing thread's knowledge with the value; an acquire load that returns the
// value joins it into the reader's. Both maps only grow, so joining is the maximum of every entry.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace explorer {

inline constexpr std::size_t max_threads = 5;     // thread 0 sets up and checks; 1 to 4 run the program
inline constexpr std::size_t max_locations = 256; // atomics of one execution, set-up included

using thread_id = std::uint8_t;
using thread_mask = std::uint8_t;
using location_id = std::uint16_t;
using timestamp = std::uint8_t; // position of a store in the modification order of its location

constexpr thread_mask bit(thread_id thread) { return static_cast<thread_mask>(1U << thread); }

struct vector_clock {
    std::array<std::uint16_t, max_threads> steps{};

    void join(const vector_clock& other) {
        for (std::size_t t = 0; t < max_threads; ++t) steps[t] = std::max(steps[t], other.steps[t]);
    }
    bool covers(thread_id thread, std::uint16_t step) const { return steps[thread] >= step; }
    bool covers(const vector_clock& other) const {
        for (std::size_t t = 0; t < max_threads; ++t)
            if (steps[t] < other.steps[t]) return false;
        return true;
    }
    void note(thread_id thread, std::uint16_t step) { steps[thread] = std::max(steps[thread], step); }
};

struct view {
    std::array<timestamp, max_locations> oldest{};

    void join(const view& other, std::size_t locations) {
        for (std::size_t l = 0; l < locations; ++l) oldest[l] = std::max(oldest[l], other.oldest[l]);
    }
};

struct knowledge {
    vector_clock clock;
    view seen;

    void join(const knowledge& other, std::size_t locations) {
        clock.join(other.clock);
        seen.join(other.seen, locations);
    }
};

} // namespace explorer
