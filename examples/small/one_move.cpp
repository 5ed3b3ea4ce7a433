// SPDX-License-Identifier: MIT
// Several changes to one entity at once: its row moves one time instead of three.
#include <iostream>
import ecs;

struct walking {
    float speed;
};
struct swimming {
    float speed;
};
struct wet {};
struct dry {};

int main() {
    ecs::world world;
    const ecs::entity dog = world.spawn(walking{4}, dry{});

    world.edit(dog).remove<walking>().remove<dry>().set(swimming{2}).add<wet>();

    std::cout << "walks: " << world.has<walking>(dog)
              << ", swims: " << world.has<swimming>(dog)
              << ", wet: " << world.has<wet>(dog) << '\n';
}
