// SPDX-License-Identifier: MIT
// Slots of a figure: each slot is a relation with one target, and the target has at
// most one wearer.
#include <iostream>
import ecs;

struct in_hand {
    static constexpr auto properties =
        ecs::properties(ecs::exclusive, ecs::single_source);
};
struct on_head {
    static constexpr auto properties =
        ecs::properties(ecs::exclusive, ecs::single_source);
};

template <class Slot>
void show(ecs::world& world, ecs::entity who, const char* slot) {
    const ecs::entity what = world.target_of<Slot>(who);
    std::cout << world.name_of(who) << ", " << slot << ": "
              << (what ? world.name_of(what) : "nothing") << '\n';
}

int main() {
    ecs::world world;
    const ecs::entity ann = world.spawn("Ann"), bob = world.spawn("Bob");
    const ecs::entity torch = world.spawn("Torch"), axe = world.spawn("Axe"),
                      hat = world.spawn("Hat");

    world.add<in_hand>(ann, torch);
    world.add<on_head>(ann, hat);
    world.add<in_hand>(ann, axe);   // The axe replaces the torch.
    world.add<in_hand>(bob, torch); // Bob takes it.
    world.add<on_head>(bob, hat);   // And the hat, which Ann loses.

    show<in_hand>(world, ann, "hand");
    show<on_head>(world, ann, "head");
    show<in_hand>(world, bob, "hand");
    show<on_head>(world, bob, "head");
}
