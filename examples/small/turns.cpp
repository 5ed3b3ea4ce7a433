// SPDX-License-Identifier: MIT
// A game in turns: who has the most initiative acts first, and the dead do not act.
#include <iostream>
import ecs;

struct initiative {
    int points;
};
struct health {
    int points;
};

int main() {
    ecs::world world;
    const ecs::entity wolf = world.spawn("Wolf", initiative{5}, health{3});
    world.spawn("Ann", initiative{9}, health{10});
    world.spawn("Bear", initiative{2}, health{8});

    auto order = world.query<const initiative>().sort_by([&](ecs::entity a,
                                                             ecs::entity b) {
        return world.get<initiative>(a).points > world.get<initiative>(b).points;
    });
    for (int round = 1; round <= 2; ++round) {
        std::cout << "round " << round << ':';
        for (const ecs::entity e :
             order.entities()) { // A list of handles: the world may change
                                 // meanwhile.
            if (!world.alive(e)) continue;
            std::cout << ' ' << world.name_of(e);
            if (world.name_of(e) == "Ann" && round == 1) world.despawn(wolf);
        }
        std::cout << '\n';
    }
}
