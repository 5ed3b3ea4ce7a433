// SPDX-License-Identifier: MIT
// Things that end after a time: a loop counts down, and commands end what is over.
#include <iostream>
import ecs;

struct lifetime {
    float seconds;
};

int main() {
    ecs::world world;
    world.spawn("Spark", lifetime{1});
    world.spawn("Smoke", lifetime{3});
    world.spawn("Rock");

    for (int second = 1; second <= 3; ++second) {
        auto commands = world.commands();
        world.each([&](ecs::entity e, lifetime& left) {
            left.seconds -= 1;
            if (left.seconds <= 0)
                commands.despawn(
                    e); // Rows must not move while the loop walks over them.
        });
        world.flush();
        std::cout << second << " s:";
        for (const ecs::entity e : world.entities())
            std::cout << ' ' << world.name_of(e);
        std::cout << '\n';
    }
}
