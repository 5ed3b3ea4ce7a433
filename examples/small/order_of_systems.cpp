// SPDX-License-Identifier: MIT
// Systems in an order: phases one after the other, and names where two of a phase
// depend on each other.
#include <iostream>
import ecs;

struct position {
    int x;
};
struct velocity {
    int x;
};

int main() {
    ecs::world world;
    world.spawn(position{0}, velocity{1});

    ecs::schedule schedule;
    schedule.phase("input").add("steer", [](velocity& v) { v.x *= 2; });
    schedule.phase("update")
        .add("move", [](position& p, const velocity& v) { p.x += v.x; })
        .add("bounce",
             [](const position& p, velocity& v) {
                 if (p.x > 5) v.x = -v.x;
             },
             {.after = {"move"}});
    schedule.phase("output").add(
        "draw", [](const position& p) { std::cout << "at " << p.x << '\n'; });

    for (int i = 0; i < 3; ++i) schedule.run(world);
}
