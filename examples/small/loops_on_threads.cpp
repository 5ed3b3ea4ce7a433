// SPDX-License-Identifier: MIT
// A loop over many entities on all processors.
#include <atomic>
#include <iostream>
import ecs;

struct position {
    float x;
};
struct velocity {
    float x;
};

int main() {
    ecs::world world;
    world.spawn_n(100'000, position{0}, velocity{0.5F});

    world.par_each([](position& p, const velocity& v) { p.x += v.x; });

    std::atomic<int> moved = 0; // What threads share has to be safe to share.
    world.par_each([&](const position& p) {
        moved.fetch_add(p.x == 0.5F, std::memory_order_relaxed);
    });
    std::cout << moved << " have moved\n";
}
