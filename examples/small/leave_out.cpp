// SPDX-License-Identifier: MIT
// Leave out of a saved game what only this run of the program has.
#include <iostream>
#include <memory>
import ecs;

struct health {
    int points;
};
struct picture { // Bytes on the graphics card: nothing to be saved.
    std::unique_ptr<int> handle;
};
struct hovered {};

int main() {
    ecs::world world;
    world.spawn("Ann", health{7}, picture{std::make_unique<int>(1)}, hovered{});
    const auto bytes = ecs::save(world, {.without = {world.component<picture>(),
                                                     world.component<hovered>()}});

    ecs::world later;
    later.component<health>(); // The others need not be known.
    ecs::load(later, bytes);
    const ecs::entity ann = later.lookup("Ann");
    std::cout << later.get<health>(ann).points << " points, "
              << (later.has<picture>(ann) ? "a picture" : "no picture yet") << '\n';

    const ecs::entity lacks = later.component<picture>();
    for (const ecs::entity e :
         later.query<>().with<health>().without(lacks).entities())
        later.set(e, picture{std::make_unique<int>(2)}); // Made anew.
    std::cout << (later.has<picture>(ann) ? "a picture" : "no picture yet") << '\n';
}
