// SPDX-License-Identifier: MIT
// Step 6: the key "u" takes a turn back.
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>
import ecs;

#include "bats.hpp"

void turn(ecs::world& world, char key) {
    act(world, key);
    world.each([&](place& p, bat& b) { fly(world, p, b); });
    bite_hero(world);
}

int main() {
    ecs::world world;
    legend kinds = walls_and_hero(world);
    kinds['$'] = coins(world);
    kinds['b'] = bats(world);
    build(world, kinds);
    world.set(hero_of(world), health{3});
    take_coins(world);
    feel_bites(world);

    std::vector<ecs::snapshot> past;
    for (const char key : std::string_view("wddduus")) {
        if (key == 'u' && !past.empty()) {
            world.restore(past.back());
            past.pop_back();
        } else {
            past.push_back(world.snapshot());
            turn(world, key);
        }
    }
    draw(world);
    std::cout << world.get<health>(hero_of(world)).points << " points\n";
}
