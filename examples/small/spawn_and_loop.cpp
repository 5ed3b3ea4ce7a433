// SPDX-License-Identifier: MIT
// Spawn entities with components, and loop over all that have them.
#include <iostream>
import ecs;

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};

int main() {
    ecs::world world;
    const ecs::entity ship = world.spawn(position{10, 20}, velocity{1, 2});
    const ecs::entity rock = world.spawn(position{5, 5});

    world.each([](position& p, const velocity& v) {
        p.x += v.x;
        p.y += v.y;
    });

    std::cout << "ship " << world.get<position>(ship).x << ' '
              << world.get<position>(ship).y << '\n';
    std::cout << "rock " << world.get<position>(rock).x << ' '
              << world.get<position>(rock).y << '\n';
}
