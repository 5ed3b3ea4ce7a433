// SPDX-License-Identifier: MIT
// Find out who ended an entity: a world that is asked to writes its last changes
// down.
#include <iostream>
import ecs;

struct health {
    int points;
};

int main() {
    ecs::world world;
    world.record_history(100);
    const ecs::entity wolf = world.spawn(health{1});

    ecs::schedule schedule;
    schedule.add("hunger", [](health& h) { --h.points; });
    schedule.add("reap", [](ecs::entity e, const health& h, ecs::commands& c) {
        if (h.points <= 0) c.despawn(e);
    });
    schedule.run(world);

    std::cout << world.explain(wolf) << '\n';
    for (const ecs::recorded_change& change : world.history())
        std::cout << to_string(change.what) << (change.by.empty() ? "" : " by ")
                  << change.by << '\n';
}
