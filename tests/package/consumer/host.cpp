// SPDX-License-Identifier: MIT
// Exits with 0 if a shared library that is given the world means the same by a type as the program does.
import ecs;
#include "plugin.hpp"

struct of_the_program {
    int value;
};

bool throws_across_the_border(ecs::world& world, ecs::entity e) {
    try {
        plugin_get_what_is_missing(world, e);
    } catch (const ecs::access_error&) {
        return true;
    }
    return false;
}

int main() {
    ecs::world world;
    const ecs::entity mine = world.spawn(of_the_program{1}, position{5, 6}, velocity{7, 8});
    const ecs::entity theirs = plugin_spawn(world);
    const bool same_numbers = plugin_position(world) == world.component<position>() &&
                              plugin_velocity(world) == world.component<velocity>();
    const bool same_values = world.get<position>(theirs).y == 2 && world.get<velocity>(theirs).x == 3;
    const bool all_found = plugin_count(world) == 2 && world.count<position, velocity>() == 2;
    return same_numbers && same_values && all_found && throws_across_the_border(world, mine) ? 0 : 1;
}
