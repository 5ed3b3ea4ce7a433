// SPDX-License-Identifier: MIT
// Rollback of a game in lockstep: go back, and play the same ticks with the input
// that came late.
#include <iostream>
#include <vector>
import ecs;

struct runner {
    int x;
};

void step(ecs::world& world, int input) {
    world.each([&](runner& r) { r.x += input; });
    if (input > 1) world.spawn(runner{input});
}

int main() {
    ecs::world world;
    world.spawn(runner{0});
    std::vector<int> inputs{1, 1, 1};

    const ecs::snapshot confirmed = world.snapshot();
    for (const int input : inputs) step(world, input); // A guess.

    inputs[1] = 2; // What the other player did indeed.
    world.rewind(confirmed);
    for (const int input : inputs) step(world, input);
    world.each([](ecs::entity e, const runner& r) {
        std::cout << e << " at " << r.x << '\n';
    });
}
