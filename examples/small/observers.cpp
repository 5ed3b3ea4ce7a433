// SPDX-License-Identifier: MIT
// Be told when something is added, set or removed, whoever does it.
#include <iostream>
import ecs;

struct health {
    int points;
};
struct poisoned {};

int main() {
    ecs::world world;
    world.observe<ecs::event::added, poisoned>(
        [](ecs::entity e) { std::cout << e << " is poisoned\n"; });
    world.observe<ecs::event::removed, poisoned>(
        [](ecs::entity e) { std::cout << e << " is well\n"; });
    world.observe<ecs::event::set, health, ecs::previous<health>>(
        [](const health& now, const health* before) {
            if (before)
                std::cout << "health from " << before->points << " to "
                          << now.points << '\n';
        });

    const ecs::entity ann = world.spawn(health{10});
    world.add<poisoned>(ann);
    world.set(ann, health{8});
    world.patch<health>(ann, [](health& h) { h.points -= 1; });
    world.despawn(ann); // What ends loses what it has.
}
