// SPDX-License-Identifier: MIT
// Look at every two entities once.
#include <cmath>
#include <iostream>
#include <tuple>
import ecs;

struct circle {
    const char* name;
    float x, radius;
};

int main() {
    ecs::world world;
    world.spawn(circle{"a", 0, 1});
    world.spawn(circle{"b", 1.5F, 1});
    world.spawn(circle{"c", 9, 2});
    world.spawn(circle{"d", 6.5F, 1});

    world.query<const circle>().each_pair([](const auto& one, const auto& other) {
        const circle& a = std::get<1>(one);
        const circle& b = std::get<1>(other);
        if (std::abs(a.x - b.x) < a.radius + b.radius)
            std::cout << a.name << " touches " << b.name << '\n';
    });
}
