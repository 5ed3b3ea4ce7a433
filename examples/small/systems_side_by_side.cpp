// SPDX-License-Identifier: MIT
// Which systems may run at once is known to the compiler, from what they take.
#include <iostream>
import ecs;

struct position {
    float x;
};
struct velocity {
    float x;
};
struct health {
    int points;
};

constexpr auto move = [](position& p, const velocity& v) { p.x += v.x; };
constexpr auto heal = [](health& h) { ++h.points; };
constexpr auto stop = [](const position& p, velocity& v) {
    if (p.x > 10) v.x = 0;
};
static_assert(ecs::parallel_safe<decltype(move), decltype(heal)>);
static_assert(!ecs::parallel_safe<
              decltype(move), decltype(stop)>); // One writes what the other reads.

int main() {
    ecs::world world;
    const ecs::entity e = world.spawn(position{9}, velocity{1}, health{1});
    ecs::schedule schedule;
    schedule.add("move", move).add("heal", heal).add("stop", stop);
    for (int i = 0; i < 5; ++i) schedule.run(world, 2); // Two threads.
    std::cout << world.get<position>(e).x << ", " << world.get<health>(e).points
              << " points\n";
}
