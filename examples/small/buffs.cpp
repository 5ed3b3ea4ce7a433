// SPDX-License-Identifier: MIT
// Buffs that end: one component "expires" for each kind of buff, and one loop that
// ends them all.
#include <iostream>
import ecs;

struct expires {
    float seconds;
};
struct strength {};
struct haste {};

int main() {
    ecs::world world;
    const ecs::entity hero = world.spawn("Hero", strength{}, haste{});
    world.set<ecs::pair_of<expires, strength>>(hero, expires{3});
    world.set<ecs::pair_of<expires, haste>>(hero, expires{1});

    auto timers = world.query<ecs::pair_of<expires, ecs::wildcard>, ecs::matched>();
    for (int second = 1; second <= 3; ++second) {
        auto commands = world.commands();
        timers.each([&](ecs::entity e, expires& left, const ecs::matched& what) {
            left.seconds -= 1;
            if (left.seconds > 0) return;
            commands.remove(e, what.target); // The buff,
            commands.remove(e, what.pair);   // and its timer.
        });
        world.flush();
        std::cout << second << " s: strength " << world.has<strength>(hero)
                  << ", haste " << world.has<haste>(hero) << '\n';
    }
}
