// SPDX-License-Identifier: MIT
// Be told when an entity begins to match a query, and when it no longer does.
#include <iostream>
import ecs;

struct position {
    int x;
};
struct enemy {};
struct hidden {};

int main() {
    ecs::world world;
    world.monitor(world.query<const position>().with<enemy>().without<hidden>(),
                  [](ecs::entity e, bool matches) {
                      std::cout << e
                                << (matches ? " comes into sight\n"
                                            : " is out of sight\n");
                  });

    const ecs::entity wolf = world.spawn(position{1}, enemy{});
    world.add<hidden>(wolf);
    world.remove<hidden>(wolf);
    world.remove<enemy>(wolf);
}
