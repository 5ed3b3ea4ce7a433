// SPDX-License-Identifier: MIT
// A question with "and", "or" and "not".
#include <iostream>
import ecs;

struct unit {
    const char* name;
};
struct flying {};
struct swimming {};
struct anchored {};

int main() {
    ecs::world world;
    world.spawn(unit{"gull"}, flying{}, swimming{});
    world.spawn(unit{"ship"}, swimming{}, anchored{});
    world.spawn(unit{"raft"}, swimming{});
    world.spawn(unit{"cart"});

    using ecs::has;
    auto crosses_water = world.query<const unit>().where(
        has<flying>() || (has<swimming>() && !has<anchored>()));
    for (auto [e, u] : crosses_water) std::cout << u.name << '\n';
}
