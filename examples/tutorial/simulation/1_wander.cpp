// SPDX-License-Identifier: MIT
// Step 1: twenty rabbits wander over a meadow.
#include <cstdint>
#include <iostream>
#include <string>
#include <tuple>
import ecs;

#include "animals.hpp"

int main() {
    ecs::world world;
    spawn_rabbits(world, 20);
    for (int day = 0; day < 5; ++day) {
        draw(world);
        world.each([](place& p, dice& d, ecs::has<rabbit>) { wander(p, d); });
    }
}
