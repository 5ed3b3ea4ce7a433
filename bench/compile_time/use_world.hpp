// SPDX-License-Identifier: MIT
// A world with two components and one system. Included after the import.
#pragma once
import ecs.world;

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};

inline int use_world() {
    ecs::world world;
    const ecs::entity e = world.spawn(position{10, 20}, velocity{1, 2});
    world.each([](position& p, const velocity& v) { p.x += v.x; });
    return world.get<position>(e).x == 11 ? 0 : 1;
}
