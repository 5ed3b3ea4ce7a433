// SPDX-License-Identifier: MIT
// The same questions as text, for consoles, scripts and tools.
#include <iostream>
import ecs;

struct Position {
    int x;
};
struct Frozen {};

int main() {
    ecs::world world;
    world.spawn("Ann", Position{1});
    world.spawn("Bob", Position{2}, Frozen{});

    world.query("Position, !Frozen").each([&](const ecs::text_match& m) {
        std::cout << world.name_of(m.source(0)) << " is at "
                  << m.get<const Position>(0).x << '\n';
    });

    try {
        std::cout << world.query("Position, !Frozn").count() << '\n';
    } catch (const ecs::query_text_error& e) {
        std::cout << e.what() << '\n';
    }
}
