// SPDX-License-Identifier: MIT
// Undo: snapshots of a world on a stack.
#include <iostream>
#include <vector>
import ecs;

int main() {
    ecs::world world;
    std::vector<ecs::snapshot> past;
    const auto show = [&] {
        for (const ecs::entity e : world.entities())
            std::cout << world.name_of(e) << ' ';
        std::cout << '\n';
    };

    for (const char* name : {"house", "tree", "well"}) {
        past.push_back(world.snapshot());
        world.spawn(name);
    }
    show();
    world.restore(past.back());
    past.pop_back();
    show();
    world.restore(past.back());
    show();
}
