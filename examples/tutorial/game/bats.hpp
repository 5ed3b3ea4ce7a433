// SPDX-License-Identifier: MIT
// Bats: they fly from wall to wall, and bite.
#pragma once
#include <cstddef>
#include <iostream>
import ecs;

#include "coins.hpp"

struct bat {
    int direction;
    static constexpr auto properties =
        ecs::properties(ecs::auto_overridden); // Each has its own.
};
struct health {
    int points;
};
struct bite {
    static constexpr bool is_event = true;
    int points;
};

inline ecs::entity bats(ecs::world& world) {
    return world.prefab("Bat", looks{'b'}, bat{-1});
}

inline void fly(const ecs::world& world, place& p, bat& b) {
    if (!is_free(world, {p.x + b.direction, p.y})) b.direction = -b.direction;
    p.x += b.direction;
}

/// Every bat that is where the hero is bites. The hero is told of it as an event.
inline void bite_hero(ecs::world& world) {
    const ecs::entity hero = hero_of(world);
    const std::size_t bites = found_at<bat>(world, world.get<place>(hero)).size();
    if (bites != 0) world.emit(hero, bite{static_cast<int>(bites)});
}

/// From now on bites cost health.
inline void feel_bites(ecs::world& world) {
    world.observe<bite, health>([](const bite& b, health& h) {
        h.points -= b.points;
        std::cout << "ouch! " << h.points << " left\n";
    });
}
