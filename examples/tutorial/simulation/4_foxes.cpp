// SPDX-License-Identifier: MIT
// Step 4: foxes hunt. Whom a fox hunts is a pair, and a rabbit that ends takes the
// pair along.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <tuple>
import ecs;

#include "foxes.hpp"

int main() {
    ecs::world world;
    settle(world, 40);
    world.spawn_n(3, place{20}, energy{8}, fox{});
    ecs::schedule day;
    add_rabbits(day);
    add_foxes(day);

    for (int i = 0; i <= 60; ++i) {
        if (i % 10 == 0)
            std::cout << "day " << i << ": " << world.count<rabbit>()
                      << " rabbits, " << world.count<fox>() << " foxes\n";
        day.run(world);
    }
}
