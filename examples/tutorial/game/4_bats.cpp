// SPDX-License-Identifier: MIT
// Step 4: bats fly and bite.
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>
import ecs;

#include "bats.hpp"

int main() {
    ecs::world world;
    legend kinds = walls_and_hero(world);
    kinds['$'] = coins(world);
    kinds['b'] = bats(world);
    build(world, kinds);
    world.set(hero_of(world), health{3});
    take_coins(world);
    feel_bites(world);

    for (const char key : std::string_view("wdddddssaddd")) {
        act(world, key);
        world.each([&](place& p, bat& b) { fly(world, p, b); });
        bite_hero(world);
    }
    draw(world);
    std::cout << "gold: " << gold(world) << '\n';
}
