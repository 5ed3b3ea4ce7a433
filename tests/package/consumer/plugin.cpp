// SPDX-License-Identifier: MIT
// The shared library: it meets the types in another order than the program, and some that the program has
// not.
import ecs;
#include "plugin.hpp"

struct of_the_plugin {
    int value;
};

ecs::entity plugin_position(ecs::world& world) { return world.component<position>(); }
ecs::entity plugin_velocity(ecs::world& world) { return world.component<velocity>(); }

ecs::entity plugin_spawn(ecs::world& world) {
    return world.spawn(of_the_plugin{1}, velocity{3, 4}, position{1, 2});
}

int plugin_count(ecs::world& world) {
    int count = 0;
    world.each([&](const position&, velocity& v) { v.x = static_cast<float>(++count); });
    return count;
}

void plugin_get_what_is_missing(ecs::world& world, ecs::entity e) { (void)world.get<of_the_plugin>(e); }

int opened_count(ecs::world& world) { return plugin_count(world); }
