// SPDX-License-Identifier: MIT
// A value of which the world has one: settings, the time, the score.
#include <iostream>
import ecs;

struct gravity {
    float strength;
};
struct position {
    float y;
};

int main() {
    ecs::world world;
    world.set_singleton(gravity{10});
    const ecs::entity stone = world.spawn(position{100});

    const gravity& g = world.singleton<gravity>();
    world.each([&](position& p) { p.y -= g.strength; });

    std::cout << "the stone is at " << world.get<position>(stone).y << '\n';
    std::cout << "there is " << (world.try_singleton<position>() ? "a" : "no")
              << " position of the world\n";
}
