// SPDX-License-Identifier: MIT
// Hide an entity, or one of its components, from all queries without losing a
// value.
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
    const ecs::entity guard = world.spawn(position{0}, velocity{1});
    const auto tick = [&] {
        world.each([](position& p, const velocity& v) { p.x += v.x; });
    };

    tick();
    world.disable<velocity>(
        guard); // The guard stands still, and keeps the velocity.
    tick();
    world.enable<velocity>(guard);
    world.disable(guard); // No query finds the guard at all.
    tick();
    world.enable(guard);
    tick();

    std::cout << "moved " << world.get<position>(guard).x << " times of 4\n";
}
