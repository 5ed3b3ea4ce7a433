// SPDX-License-Identifier: MIT
// Moves one entity, and says where it is.
#include <iostream>
import ecs.world;

namespace {

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};

} // namespace

int main() {
    ecs::world world;
    const ecs::entity ship = world.spawn(position{1, 2}, velocity{3, 4});
    world.query<position, const velocity>().each([](position& p, const velocity& v) { p.x += v.x, p.y += v.y; });
    std::cout << world.get<position>(ship).x << ' ' << world.get<position>(ship).y << '\n';
    return world.get<position>(ship).x == 4 && world.get<position>(ship).y == 6 ? 0 : 1;
}
