// SPDX-License-Identifier: MIT
// Values of handles in any order: what "get" looks up each time is looked up once.
#include <iostream>
#include <vector>
import ecs;

struct position {
    int x;
};
struct missile {
    ecs::entity target;
};

int main() {
    ecs::world world;
    const ecs::entity near = world.spawn(position{10}),
                      far = world.spawn(position{90});
    world.spawn(missile{far});
    world.spawn(missile{near});
    world.spawn(missile{near});
    world.despawn(far);

    const auto position_of = world.getter<position>();
    world.each([&](const missile& m) {
        if (const position* where =
                position_of.find(m.target)) // Null when the target has ended.
            std::cout << "flies to " << where->x << '\n';
        else
            std::cout << "has lost its target\n";
    });
}
