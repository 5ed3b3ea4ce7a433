// SPDX-License-Identifier: MIT
// Step 2: grass, which grows and is eaten. The systems of a schedule say what they
// need.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <string>
#include <tuple>
import ecs;

#include "grass.hpp"

int main() {
    ecs::world world;
    world.set_singleton(meadow{});
    spawn_rabbits(world, 20);
    world.set(world.query().with<rabbit>().entities(), energy{5});

    ecs::schedule day;
    day.add("grow", grow).add("wander", wander).add("graze", graze);
    for (int i = 0; i < 10; ++i) day.run(world);

    int sum = 0;
    world.each([&](const energy& e) { sum += e.left; });
    std::cout << "energy of all rabbits: " << sum << '\n';
}
