// SPDX-License-Identifier: MIT
// What comes and goes all the time is kept in place: adding and removing it moves
// no row.
#include <iostream>
import ecs;

struct cannon {
    int shots;
};
struct cooldown {
    static constexpr auto kept_in = ecs::storage::in_place;
    int ticks;
};

int main() {
    ecs::world world;
    const ecs::entity e = world.spawn(cannon{0});
    auto ready = world.query<cannon>().without<cooldown>();

    for (int tick = 0; tick < 10; ++tick) {
        auto commands = world.commands();
        ready.each([&](ecs::entity who, cannon& c) {
            ++c.shots;
            commands.set(who, cooldown{3});
        });
        world.each([&](ecs::entity who, cooldown& c) {
            if (--c.ticks == 0) commands.remove<cooldown>(who);
        });
        world.flush();
    }
    std::cout << world.get<cannon>(e).shots << " shots in 10 ticks\n";
}
