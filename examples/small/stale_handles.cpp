// SPDX-License-Identifier: MIT
// A handle to an entity that has ended is known to be dead, also when its index is
// used again.
#include <iostream>
import ecs;

struct health {
    int points;
};

int main() {
    ecs::world world;
    const ecs::entity target = world.spawn(health{3});
    world.despawn(target);
    const ecs::entity other = world.spawn(health{9});

    std::cout << std::boolalpha;
    std::cout << "the same index: " << (target.index() == other.index()) << '\n';
    std::cout << "alive: " << world.alive(target) << '\n';
    std::cout << "a value: " << (world.try_get<health>(target) != nullptr) << '\n';
    std::cout << world.explain(target) << '\n';
}
