// SPDX-License-Identifier: MIT
// Step 5: the same on any number of threads.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <string>
#include <tuple>
import ecs;

#include "life.hpp"

std::uint64_t checksum(unsigned threads) {
    ecs::world world;
    world.make_deterministic(1);
    settle(world, 40);
    ecs::schedule day;
    add_rabbits(day);
    for (int i = 0; i < 40; ++i) day.run(world, threads);

    std::uint64_t sum = 0;
    world.each([&](ecs::entity e, const place& p, const energy& left) {
        sum = sum * 31 + e.index() +
              static_cast<std::uint64_t>(p.x * 100 + left.left);
    });
    return sum;
}

int main() {
    const std::uint64_t alone = checksum(1);
    for (const unsigned threads : {2U, 4U})
        std::cout << threads << " threads: "
                  << (checksum(threads) == alone ? "the same" : "different")
                  << " meadow\n";
}
