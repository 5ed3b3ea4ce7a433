// SPDX-License-Identifier: MIT
// Events of your own: who emits one need not know who is told.
#include <iostream>
import ecs;

struct health {
    int points;
};
struct damage {
    static constexpr bool is_event = true;
    int points;
};

int main() {
    ecs::world world;
    world.observe<damage, health>([](ecs::entity e, const damage& d, health& h) {
        h.points -= d.points;
        std::cout << e << " has " << h.points << " points left\n";
    });
    world.observe<damage>([&](ecs::entity e, const damage&) {
        if (const health* h = world.try_get<health>(e); h && h->points <= 0)
            world.despawn(e);
    });

    const ecs::entity wolf = world.spawn(health{5});
    world.emit(wolf, damage{3});
    world.emit(wolf, damage{3});
    std::cout << "the wolf is " << (world.alive(wolf) ? "alive" : "dead") << '\n';
}
