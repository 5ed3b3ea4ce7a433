// SPDX-License-Identifier: MIT
// A parameter that is a pointer is null where the entity lacks the component.
#include <iostream>
import ecs;

struct name_tag {
    const char* text;
};
struct armour {
    int thickness;
};

int main() {
    ecs::world world;
    world.spawn(name_tag{"knight"}, armour{3});
    world.spawn(name_tag{"peasant"});

    world.each([](const name_tag& who, const armour* worn) {
        std::cout << who.text << ": " << (worn ? worn->thickness : 0) << '\n';
    });
}
