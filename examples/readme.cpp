// SPDX-License-Identifier: MIT
import ecs;

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};
static_assert(ecs::fully_owned<ecs::layouts::entity>); // every bit of a handle belongs to a field

int main() {
    ecs::world world;
    const ecs::entity ship = world.spawn(position{10, 20}, velocity{1, 2});
    world.each([](position& p, const velocity& v) { p.x += v.x, p.y += v.y; });
    const bool moved = world.get<position>(ship).x == 11;
    return moved && world.despawn(ship) && !world.alive(ship) ? 0 : 1; // and an old handle stays dead
}
