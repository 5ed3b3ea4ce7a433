// SPDX-License-Identifier: MIT
// The data that every contender stores: three components of 20 bytes in all, and types that only tell
// archetypes apart.
#pragma once
#include "bench_size.hpp"
#include <algorithm>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};
struct health {
    int points;
};
struct frozen {};
/// A tag that comes and goes: a bit beside the tables where a contender has that.
struct wet {};
/// Comes and goes: every contender keeps it in a sparse set where it can.
struct burning {
    float seconds;
};

/// A component and a tag that come and go: beside the rows of tables where a contender has that.
struct smouldering {
    float seconds;
};
struct damp {};

/// Twenty-six components, one for each archetype of a workload.
template <std::size_t> struct letter {
    float value;
};
/// Ten tags: the 1,024 sets of them are as many archetypes.
template <std::size_t> struct tag {};
inline constexpr std::size_t tags = 10;
inline constexpr std::size_t letters = 26;

inline constexpr position start_position(std::size_t i) { return {static_cast<float>(i % 1024), 1}; }
inline constexpr velocity start_velocity(std::size_t i) { return {static_cast<float>(i % 7), 2}; }
inline constexpr health start_health(std::size_t i) { return {static_cast<int>(i % 100)}; }

/// The components of n entities as arrays, which is what bulk operations copy from.
struct samples {
    explicit samples(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            positions.push_back(start_position(i));
            velocities.push_back(start_velocity(i));
            healths.push_back(start_health(i));
        }
    }
    std::vector<position> positions;
    std::vector<velocity> velocities;
    std::vector<health> healths;
};

/// The same order for every contender and every run.
template <class T> void shuffle(std::vector<T>& items) {
    std::mt19937 random(1);
    std::ranges::shuffle(items, random);
}

/// Calls f<letter<which>>().
template <class F> void for_letter(std::size_t which, F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((which == I ? f.template operator()<letter<I>>() : void()), ...);
    }(std::make_index_sequence<letters>{});
}

/// Calls f<tag<I>>() for every bit I of the set.
template <class F> void for_tags(std::size_t set, F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((set >> I & 1 ? f.template operator()<tag<I>>() : void()), ...);
    }(std::make_index_sequence<tags>{});
}

// A mixture: half of the entities have health, one in four is frozen, in four archetypes.
inline constexpr bool has_health(std::size_t i) { return i % 2 == 0; }
inline constexpr bool is_frozen(std::size_t i) { return i % 8 < 2; }

inline void advance(position& p) { p.x += p.y; }
inline void step(position& p, const velocity& v) {
    p.x += v.x;
    p.y += v.y;
}
inline void step(position& p, const velocity& v, const health* h) {
    step(p, v);
    if (h) p.x += static_cast<float>(h->points);
}
