// SPDX-License-Identifier: MIT
// A component that owns something: its hooks are told when a value arrives and when
// it leaves.
#include <iostream>
import ecs;

struct sound {
    int channel;
    static void on_add(ecs::world&, ecs::entity, sound& s) {
        std::cout << "open channel " << s.channel << '\n';
    }
    static void on_remove(ecs::world&, ecs::entity, sound& s) {
        std::cout << "close channel " << s.channel << '\n';
    }
};

int main() {
    ecs::world world;
    const ecs::entity bell = world.spawn(sound{1});
    world.spawn(sound{2});
    world.remove<sound>(bell);
    std::cout << "the world ends\n";
}
