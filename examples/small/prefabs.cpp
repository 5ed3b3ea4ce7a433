// SPDX-License-Identifier: MIT
// Many of a kind: instances share the values of a prefab until they have their own.
#include <iostream>
import ecs;

struct attack {
    int points;
};
struct health {
    int points;
    static constexpr auto properties =
        ecs::properties(ecs::auto_overridden); // Each instance has its own.
};

int main() {
    ecs::world world;
    const ecs::entity goblin = world.prefab("Goblin", attack{2}, health{5});
    const ecs::entity ugg = world.spawn("Ugg", ecs::pair(ecs::is_a, goblin));
    const ecs::entity boss = world.spawn("Boss", ecs::pair(ecs::is_a, goblin));

    world.set(boss, attack{9});
    world.get<health>(ugg).points -= 1;
    world.set(goblin, attack{3}); // All goblins but the boss.

    for (const ecs::entity e : {ugg, boss})
        std::cout << world.name_of(e) << ": attack " << world.get<attack>(e).points
                  << ", health " << world.get<health>(e).points << '\n';
}
