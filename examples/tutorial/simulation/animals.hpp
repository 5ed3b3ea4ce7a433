// SPDX-License-Identifier: MIT
// Animals on a round meadow: each has a place, and dice of its own.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <tuple>
import ecs;

inline constexpr int meadow_size = 64;

struct place {
    int x;
};
struct dice { // The same numbers in every run, whichever thread throws them.
    std::uint32_t state;
    int below(int limit) {
        state = state * 1664525 + 1013904223;
        return static_cast<int>((state >> 16) % static_cast<std::uint32_t>(limit));
    }
};
struct rabbit {};

inline void wander(place& p, dice& d) {
    p.x = (p.x + d.below(3) - 1 + meadow_size) % meadow_size;
}

inline void spawn_rabbits(ecs::world& world, std::size_t count) {
    world.spawn_n(count, [](std::size_t i) {
        const auto n = static_cast<std::uint32_t>(i);
        return std::tuple(place{static_cast<int>(i * 7 % meadow_size)}, dice{n + 1},
                          rabbit{});
    });
}

inline void draw(const ecs::world& world) {
    std::string line(meadow_size, '.');
    world.each([&](const place& p) { line[static_cast<std::size_t>(p.x)] = 'r'; });
    std::cout << line << '\n';
}
