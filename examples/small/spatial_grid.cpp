// SPDX-License-Identifier: MIT
// A grid that knows who is where: an observer keeps it up to date, whoever moves
// things.
#include <iostream>
#include <map>
#include <set>
import ecs;

struct cell {
    int x, y;
    friend auto operator<=>(const cell&, const cell&) = default;
};

int main() {
    std::map<cell, std::set<ecs::entity>>
        grid; // Before the world, because observers refer to it.
    ecs::world world;
    world.observe<ecs::event::set, cell, ecs::previous<cell>>(
        [&](ecs::entity e, const cell& now, const cell* before) {
            if (before) grid[*before].erase(e);
            grid[now].insert(e);
        });
    world.observe<ecs::event::removed, cell>(
        [&](ecs::entity e, const cell& last) { grid[last].erase(e); });

    const ecs::entity ann = world.spawn(cell{1, 1});
    const ecs::entity bob = world.spawn(cell{1, 1});
    std::cout << "at 1,1: " << grid[{1, 1}].size() << '\n';
    world.set(ann, cell{2, 1});
    std::cout << "at 1,1: " << grid[{1, 1}].size()
              << ", at 2,1: " << grid[{2, 1}].size() << '\n';
    world.despawn(bob);
    std::cout << "at 1,1: " << grid[{1, 1}].size() << '\n';
}
