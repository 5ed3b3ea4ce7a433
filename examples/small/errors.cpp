// SPDX-License-Identifier: MIT
// What goes wrong is said in words: which entity, what was wanted, and why not.
#include <exception>
#include <iostream>
import ecs;

struct health {
    int points;
};

template <class F> void attempt(F f) {
    try {
        f();
    } catch (const std::exception& e) {
        std::cout << e.what() << "\n\n";
    }
}

int main() {
    ecs::world world;
    const ecs::entity ann = world.spawn("Ann"), bob = world.spawn(health{1});
    world.despawn(bob);
    ecs::world other;

    attempt([&] { world.get<health>(ann).points = 1; });
    attempt([&] { world.get<health>(bob).points = 1; });
    attempt([&] { other.get<health>(ann).points = 1; });
    attempt([&] { world.spawn("Ann"); });
    attempt([&] { world.each([&](ecs::entity) { world.spawn(health{2}); }); });
    attempt([&] { std::cout << world.singleton<health>().points; });
}
