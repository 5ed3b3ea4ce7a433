// SPDX-License-Identifier: MIT
// What is there, in words: one entity, the whole world, and what differs between
// two of them.
#include <iostream>
import ecs;

struct position {
    float x, y;
};
struct frozen {};

int main() {
    ecs::world world;
    const ecs::entity ann = world.spawn("Ann", position{1, 2}, frozen{});
    const ecs::entity bob = world.spawn("Bob", position{1, 3});

    std::cout << ecs::dump(world, ann) << '\n';
    std::cout << ecs::dump(world) << '\n';
    for (const ecs::difference& d : ecs::differences(world, ann, bob))
        std::cout << to_string(d) << '\n';
}
