// SPDX-License-Identifier: MIT
// Step 5: the rules as systems of a schedule.
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>
import ecs;

#include "rules.hpp"

int main() {
    ecs::world world;
    legend kinds = walls_and_hero(world);
    kinds['$'] = coins(world);
    kinds['b'] = bats(world);
    build(world, kinds);
    world.set(hero_of(world), health{3});
    world.set_singleton(keys{"wdddddssaddd"});
    take_coins(world);
    feel_bites(world);

    ecs::schedule rules;
    add_turn(rules);
    add_ending(rules);
    for (int turn = 0; turn < 14; ++turn) rules.run(world, 1);
    draw(world);
}
