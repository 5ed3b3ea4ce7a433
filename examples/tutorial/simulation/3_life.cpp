// SPDX-License-Identifier: MIT
// Step 3: rabbits are born and starve. Who spawns or despawns in a system records
// it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <string>
#include <tuple>
import ecs;

#include "life.hpp"

int main() {
    ecs::world world;
    settle(world, 10);
    ecs::schedule day;
    add_rabbits(day);

    for (int i = 0; i <= 60; ++i) {
        if (i % 10 == 0)
            std::cout << "day " << i << ": " << world.count<rabbit>()
                      << " rabbits\n";
        day.run(world);
    }
}
