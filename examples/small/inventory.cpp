// SPDX-License-Identifier: MIT
// Who carries what: an exclusive relation from the item to its owner, with the
// items of an owner as a list.
#include <iostream>
import ecs;

struct item {
    const char* name;
    int weight;
};
struct carried_by { // An item is with one owner at a time.
    static constexpr auto properties = ecs::properties(ecs::exclusive);
};

void show(ecs::world& world, ecs::entity owner) {
    int weight = 0;
    std::cout << world.name_of(owner) << ':';
    for (const ecs::entity e : world.sources<carried_by>(owner)) {
        std::cout << ' ' << world.get<item>(e).name;
        weight += world.get<item>(e).weight;
    }
    std::cout << ", weight " << weight << '\n';
}

int main() {
    ecs::world world;
    const ecs::entity ann = world.spawn("Ann");
    const ecs::entity bob = world.spawn("Bob");
    const ecs::entity sword =
        world.spawn(item{"sword", 5}, world.pair_to<carried_by>(ann));
    world.spawn(item{"rope", 2}, world.pair_to<carried_by>(ann));

    show(world, ann);
    world.add<carried_by>(sword, bob); // Ann gives the sword to Bob.
    show(world, ann);
    show(world, bob);
}
