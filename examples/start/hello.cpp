// SPDX-License-Identifier: MIT
// A world, one entity, and a loop.
#include <iostream>
import ecs;

struct position {
    float x, y;
};

int main() {
    ecs::world world;
    world.spawn(position{3, 4});
    world.each([](const position& p) { std::cout << p.x << ' ' << p.y << '\n'; });
}
