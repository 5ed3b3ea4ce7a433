// SPDX-License-Identifier: MIT
// A change that is refused says why, in its result, and changes nothing.
#include <iostream>
import ecs;

struct married_to {
    static constexpr auto properties = ecs::properties(ecs::symmetric);
};
struct paid {};

int main() {
    ecs::world world;
    const ecs::entity ship = world.spawn("Ship"),
                      deck = world.spawn("Deck", ecs::pair(ecs::child_of, ship));
    const ecs::entity gone = world.spawn();
    world.despawn(gone);

    std::cout << to_string(world.add<paid>(ship)) << '\n';
    std::cout << to_string(world.add<paid>(ship)) << '\n';
    std::cout << to_string(world.add<paid>(gone)) << '\n';
    std::cout << to_string(world.add(ship, ecs::pair(ecs::child_of, deck))) << '\n';
    std::cout << to_string(world.add(ship, world.component<married_to>())) << '\n';
    std::cout << to_string(world.remove<paid>(deck)) << '\n';
}
