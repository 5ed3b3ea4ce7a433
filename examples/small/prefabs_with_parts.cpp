// SPDX-License-Identifier: MIT
// A prefab with parts: each instance gets parts of its own.
#include <iostream>
import ecs;

struct ammunition {
    int rounds;
};

int main() {
    ecs::world world;
    const ecs::entity tank = world.prefab("Tank");
    const ecs::entity gun = world.prefab("Gun", ammunition{40});
    world.add(gun, ecs::pair(ecs::child_of, tank));

    const ecs::entity first = world.spawn("First", ecs::pair(ecs::is_a, tank));
    const ecs::entity second = world.spawn("Second", ecs::pair(ecs::is_a, tank));
    world.set(world.lookup("First/Gun"), ammunition{39});

    for (const ecs::entity e : {first, second}) {
        const ecs::entity own_gun = world.counterpart(e, gun);
        std::cout << world.path_of(own_gun) << ": "
                  << world.get<ammunition>(own_gun).rounds << '\n';
    }
}
