// SPDX-License-Identifier: MIT
// Give entities names, and find them by a path.
#include <iostream>
import ecs;

int main() {
    ecs::world world;
    const ecs::entity ship = world.spawn("Ship");
    const ecs::entity turret =
        world.spawn("Turret", ecs::pair(ecs::child_of, ship));

    std::cout << world.name_of(ship) << '\n';
    std::cout << world.path_of(turret) << '\n';
    std::cout << (world.lookup("Ship/Turret") == turret ? "found" : "not found")
              << '\n';
    std::cout << (world.lookup("Ship/Mast") ? "found" : "not found") << '\n';
}
