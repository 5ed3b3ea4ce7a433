// SPDX-License-Identifier: MIT
// Step 6: what if there were no foxes? A snapshot goes back to the day before.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <tuple>
import ecs;

#include "foxes.hpp"

std::size_t rabbits_later(ecs::world& world, ecs::schedule& day) {
    for (int i = 0; i < 20; ++i) day.run(world);
    return world.count<rabbit>();
}

int main() {
    ecs::world world;
    settle(world, 40);
    world.spawn_n(3, place{20}, energy{8}, fox{});
    ecs::schedule day;
    add_rabbits(day);
    add_foxes(day);
    for (int i = 0; i < 10; ++i) day.run(world);

    const ecs::snapshot then = world.snapshot();
    std::cout << "with foxes: " << rabbits_later(world, day) << " rabbits\n";
    world.restore(then);
    world.despawn(world.query().with<fox>());
    std::cout << "without: " << rabbits_later(world, day) << " rabbits\n";
    world.restore(then);
    std::cout << "with foxes again: " << rabbits_later(world, day) << " rabbits\n";
}
