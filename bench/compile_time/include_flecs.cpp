// SPDX-License-Identifier: MIT
// The same system as use_world.cpp, in Flecs.
#include <flecs.h>

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};

int main() {
    flecs::world world;
    const auto e = world.entity().set(position{10, 20}).set(velocity{1, 2});
    world.each([](position& p, const velocity& v) { p.x += v.x; });
    return e.get<position>().x == 11 ? 0 : 1;
}
