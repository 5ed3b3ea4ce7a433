// SPDX-License-Identifier: MIT
// Exits with 0 if the umbrella carries names of its modules, a world keeps a value, and if a file of the same
// program that imports one module alone speaks of the same types.
import ecs;

struct position {
    float x, y;
};

bool is_alive(ecs::id_status status);
ecs::entity seventh_entity();

int main() {
    const ecs::entity id = seventh_entity();
    ecs::world world;
    const bool has_value = world.get<position>(world.spawn(position{1, 2})).y == 2;
    return has_value && id.index() == 7 && is_alive(ecs::id_status::live) ? 0 : 1;
}
