// SPDX-License-Identifier: MIT
// Parents and children: what is below an entity ends with it.
#include <iostream>
import ecs;

int main() {
    ecs::world world;
    const ecs::entity ship = world.spawn("Ship");
    const ecs::entity deck = world.spawn("Deck", ecs::pair(ecs::child_of, ship));
    const ecs::entity cannon =
        world.spawn("Cannon", ecs::pair(ecs::child_of, deck));
    world.spawn("Mast", ecs::pair(ecs::child_of, ship));

    for (const ecs::entity e : world.depth_first(ship))
        std::cout << world.path_of(e) << '\n';
    std::cout << "above the cannon: " << world.name_of(world.parent(cannon))
              << '\n';

    world.despawn(ship);
    std::cout << "the cannon is " << (world.alive(cannon) ? "there" : "gone")
              << '\n';
}
