// SPDX-License-Identifier: MIT
// Policies for the end: what points at an entity may end with it, stay, or keep it
// alive.
#include <iostream>
import ecs;

struct pilots {
    static constexpr auto properties =
        ecs::properties(ecs::pair(ecs::on_delete_target, ecs::refuse_it));
};
struct grows_on {
    static constexpr auto properties =
        ecs::properties(ecs::pair(ecs::on_delete_target, ecs::delete_it));
};

int main() {
    ecs::world world;
    const ecs::entity plane = world.spawn("Plane"), tree = world.spawn("Tree");
    const ecs::entity ann = world.spawn("Ann", world.pair_to<pilots>(plane));
    const ecs::entity moss = world.spawn("Moss", world.pair_to<grows_on>(tree));

    std::cout << "the plane ends: " << static_cast<bool>(world.despawn(plane))
              << '\n';
    world.despawn(ann);
    std::cout << "the plane ends: " << static_cast<bool>(world.despawn(plane))
              << '\n';
    world.despawn(tree);
    std::cout << "the moss lives: " << world.alive(moss) << '\n';
}
