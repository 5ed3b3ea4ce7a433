// SPDX-License-Identifier: MIT
// A relation that holds in both directions or in none.
#include <iostream>
import ecs;

struct allied_with {
    static constexpr auto properties = ecs::properties(ecs::symmetric);
};

int main() {
    ecs::world world;
    const ecs::entity elves = world.spawn("Elves"),
                      dwarves = world.spawn("Dwarves"), orcs = world.spawn("Orcs");
    world.add<allied_with>(elves, dwarves);

    const auto show = [&](ecs::entity a, ecs::entity b) {
        std::cout << world.name_of(a)
                  << (world.has<allied_with>(a, b) ? " are" : " are not")
                  << " allied with " << world.name_of(b) << '\n';
    };
    show(dwarves, elves);
    show(dwarves, orcs);
    world.remove<allied_with>(dwarves, elves);
    show(elves, dwarves);
}
