// SPDX-License-Identifier: MIT
// Loops over plain arrays: a query hands out spans, and the compiler makes vector
// instructions of them.
#include <cstddef>
#include <iostream>
#include <span>
import ecs;

struct position {
    float x;
};
struct velocity {
    float x;
};

int main() {
    ecs::world world;
    world.spawn_n(10'000, position{1}, velocity{2});

    std::size_t rows = 0;
    float sum = 0;
    world.query<position, const velocity>().each_chunk(
        [&](std::span<const ecs::entity> who, std::span<position> p,
            std::span<const velocity> v) {
            for (std::size_t i = 0; i < who.size(); ++i) sum += p[i].x += v[i].x;
            rows += who.size();
        });
    std::cout << rows << " rows, the sum is " << sum << '\n';
}
