// SPDX-License-Identifier: MIT
// The only entity of its kind: ask for it, and be told when there is none or more
// than one.
#include <exception>
#include <iostream>
import ecs;

struct player {
    const char* name;
};

int main() {
    ecs::world world;
    auto players = world.query<const player>();
    std::cout << (players.empty() ? "nobody plays\n" : "somebody plays\n");

    world.spawn(player{"Ann"});
    std::cout << world.get<player>(players.single()).name << " plays\n";

    world.spawn(player{"Bob"});
    try {
        std::cout << world.get<player>(players.single()).name << '\n';
    } catch (const std::exception& e) {
        std::cout << e.what() << '\n';
    }
}
