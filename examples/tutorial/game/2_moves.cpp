// SPDX-License-Identifier: MIT
// Step 2: the hero moves, and walls stop the hero.
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>
import ecs;

#include "moves.hpp"

int main() {
    ecs::world world;
    build(world, walls_and_hero(world));
    for (const char key : std::string_view("dddddss")) act(world, key);
    draw(world);
}
