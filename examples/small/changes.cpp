// SPDX-License-Identifier: MIT
// Look only at what has changed since the last time.
#include <iostream>
import ecs;

struct health {
    int points;
};

int main() {
    ecs::world world;
    const ecs::entity ann = world.spawn("Ann", health{10});
    world.spawn("Bob", health{10});

    auto hurt = world.query<const health>().changed<health>();
    const auto report = [&] {
        std::cout << "changed:";
        for (auto [e, h] : hurt)
            std::cout << ' ' << world.name_of(e) << '=' << h.points;
        std::cout << '\n';
    };

    report(); // Everything is new at the first look.
    report();
    world.set(ann, health{7});
    report();
}
