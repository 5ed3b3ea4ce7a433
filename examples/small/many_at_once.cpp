// SPDX-License-Identifier: MIT
// Spawn and despawn many entities in one call each.
#include <cstddef>
#include <iostream>
import ecs;

struct position {
    float x, y;
};
struct expired {};

int main() {
    ecs::world world;
    const auto sparks = world.spawn_n(
        1000, [](std::size_t i) { return position{static_cast<float>(i), 0}; });
    std::cout << world.count<position>() << " sparks, the last one at "
              << world.get<position>(sparks.back()).x << '\n';

    for (std::size_t i = 0; i < sparks.size(); i += 4)
        world.add<expired>(sparks[i]);
    std::cout << world.despawn(world.query().with<expired>()) << " have ended\n";
    std::cout << world.count<position>() << " are left\n";
}
