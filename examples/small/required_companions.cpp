// SPDX-License-Identifier: MIT
// Components that come with others, and components that exclude each other.
#include <iostream>
import ecs;

struct position {
    float x = 0, y = 0;
};
struct sprite {
    static constexpr auto properties = ecs::properties(ecs::needs_type<position>);
};
struct walking {};
struct flying {
    static constexpr auto properties = ecs::properties(ecs::excludes_type<walking>);
};

int main() {
    ecs::world world;
    const ecs::entity bird = world.spawn(sprite{}, walking{});
    std::cout << "a position came along: " << world.has<position>(bird) << '\n';
    std::cout << to_string(world.remove<position>(bird)) << '\n';
    std::cout << to_string(world.add<flying>(bird)) << '\n';
}
