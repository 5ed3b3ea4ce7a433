// SPDX-License-Identifier: MIT
// Step 1: a map with walls and a hero.
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>
import ecs;

#include "map.hpp"

int main() {
    ecs::world world;
    build(world, walls_and_hero(world));
    draw(world);
}
