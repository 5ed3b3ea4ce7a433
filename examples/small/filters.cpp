// SPDX-License-Identifier: MIT
// Say which entities a loop is about without asking for their values.
#include <iostream>
import ecs;

struct position {
    int x;
};
struct enemy {};
struct frozen {};
struct burning {};

int main() {
    ecs::world world;
    world.spawn(position{1}, enemy{});
    world.spawn(position{2}, enemy{}, frozen{});
    world.spawn(position{3}, enemy{}, burning{});
    world.spawn(position{4});

    world.each([](const position& p, ecs::has<enemy>, ecs::without<frozen>) {
        std::cout << "an enemy that moves is at " << p.x << '\n';
    });
    std::cout << world.query<const position>().any_of<frozen, burning>().count()
              << " have something\n";
    std::cout << world.query<const position>().without<enemy>().count()
              << " is no enemy\n";
}
