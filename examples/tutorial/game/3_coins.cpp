// SPDX-License-Identifier: MIT
// Step 3: the hero takes coins.
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>
import ecs;

#include "coins.hpp"

int main() {
    ecs::world world;
    legend kinds = walls_and_hero(world);
    kinds['$'] = coins(world);
    build(world, kinds);
    take_coins(world);

    for (const char key : std::string_view("dddddssaddd")) act(world, key);
    draw(world);
    std::cout << "gold: " << gold(world) << '\n';
}
