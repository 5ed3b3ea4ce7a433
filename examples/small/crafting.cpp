// SPDX-License-Identifier: MIT
// A relation with a value: how many of what a thing is made of.
#include <iostream>
import ecs;

struct made_of {
    int pieces;
};

int main() {
    ecs::world world;
    const ecs::entity wood = world.spawn("wood"), iron = world.spawn("iron");
    const ecs::entity axe = world.spawn("axe"), raft = world.spawn("raft");
    world.set<made_of>(axe, wood, {1});
    world.set<made_of>(axe, iron, {2});
    world.set<made_of>(raft, wood, {12});

    for (const ecs::entity part : world.targets<made_of>(axe))
        std::cout << "an axe needs " << world.get<made_of>(axe, part).pieces << ' '
                  << world.name_of(part) << '\n';
    for (const ecs::entity thing : world.sources<made_of>(wood))
        std::cout << "wood is good for: " << world.name_of(thing) << '\n';
}
