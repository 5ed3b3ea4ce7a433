// SPDX-License-Identifier: MIT
// A system of a fixed step runs as often as the time that has passed says.
#include <iostream>
import ecs;

struct position {
    double x;
};

int main() {
    ecs::world world;
    const ecs::entity ball = world.spawn(position{0});
    int frames = 0;

    ecs::schedule schedule;
    schedule.add("physics",
                 [](position& p, const ecs::tick& t) { p.x += 2 * t.seconds; },
                 {.step = 0.25});
    schedule.add("draw", [&](const ecs::world&) { ++frames; });

    for (const double passed : {0.1, 0.1, 0.1, 0.7}) schedule.run(world, 1, passed);
    std::cout << frames << " frames, the ball is at " << world.get<position>(ball).x
              << '\n';
}
