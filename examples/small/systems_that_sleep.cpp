// SPDX-License-Identifier: MIT
// A system that runs only sometimes: conditions, put together with "and", "or" and
// "not".
#include <iostream>
import ecs;

struct storm {};

int main() {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("greet", [](ecs::world&) { std::cout << "good morning\n"; },
                 {.run_if = ecs::once()});
    schedule.add("save", [](ecs::world&) { std::cout << "saved\n"; },
                 {.run_if = ecs::every(3) and not ecs::has_resource<storm>()});

    for (int i = 0; i < 4; ++i) schedule.run(world);
    world.set_singleton(storm{});
    for (int i = 0; i < 4; ++i) schedule.run(world);
}
