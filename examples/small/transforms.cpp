// SPDX-License-Identifier: MIT
// World positions from local ones: parents are visited before their children, and
// each child sees its parent's value.
#include <iostream>
import ecs;

struct local {
    float x;
};
struct global {
    float x;
};

int main() {
    ecs::world world;
    const ecs::entity tank = world.spawn("Tank", local{100}, global{});
    const ecs::entity turret =
        world.spawn("Turret", local{10}, global{}, ecs::pair(ecs::child_of, tank));
    world.spawn("Barrel", local{1}, global{}, ecs::pair(ecs::child_of, turret));

    auto top_down =
        world.query<const local, global, ecs::up<const global*>>().cascade();
    top_down.each([](const local& own, global& sum, const global* above) {
        sum.x = own.x + (above ? above->x : 0);
    });

    world.each([&](ecs::entity e, const global& g) {
        std::cout << world.name_of(e) << ' ' << g.x << '\n';
    });
}
