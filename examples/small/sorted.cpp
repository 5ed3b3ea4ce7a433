// SPDX-License-Identifier: MIT
// Visit entities in an order: a list of the best.
#include <iostream>
import ecs;

struct player {
    const char* name;
};
struct score {
    int points;
};

int main() {
    ecs::world world;
    world.spawn(player{"Ann"}, score{30});
    world.spawn(player{"Bob"}, score{50});
    world.spawn(player{"Cleo"}, score{40});

    auto best = world.query<const player, const score>().sort_by(
        [&](ecs::entity a, ecs::entity b) {
            return world.get<score>(a).points > world.get<score>(b).points;
        });
    int place = 0;
    for (auto [e, who, s] : best)
        std::cout << ++place << ". " << who.name << ' ' << s.points << '\n';
}
