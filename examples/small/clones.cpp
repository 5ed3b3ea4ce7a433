// SPDX-License-Identifier: MIT
// Copy an entity, or an entity with everything below it.
#include <iostream>
import ecs;

struct health {
    int points;
};

int main() {
    ecs::world world;
    const ecs::entity wolf = world.spawn(health{7});
    for (const ecs::entity copy : world.clone_n(wolf, 3))
        world.get<health>(copy).points += 1;
    std::cout << "the original has " << world.get<health>(wolf).points
              << " points\n";

    const ecs::entity house = world.spawn("House");
    world.spawn("Door", ecs::pair(ecs::child_of, house));
    const ecs::entity second = world.clone_tree(house);
    std::cout << "the copy has a door of its own: "
              << (world.lookup(second, "Door") != world.lookup("House/Door") ? "yes"
                                                                             : "no")
              << '\n';
    std::cout << world.count<health>() << " wolves\n";
}
