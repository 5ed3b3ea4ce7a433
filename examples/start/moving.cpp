// SPDX-License-Identifier: MIT
// Three balls that bounce between two walls.
#include <chrono>
#include <iostream>
#include <string>
#include <thread>
import ecs;

constexpr float width = 40;

struct position {
    float x;
};
struct velocity {
    float x;
};
struct looks {
    char letter;
};

void move(ecs::world& world) {
    world.each([](position& p, velocity& v) {
        p.x += v.x;
        if (p.x < 0 || p.x > width - 1) {
            v.x = -v.x;
            p.x += 2 * v.x;
        }
    });
}

void draw(ecs::world& world) {
    std::string line(static_cast<std::size_t>(width), ' ');
    world.each([&](const position& p, const looks& l) {
        line[static_cast<std::size_t>(p.x)] = l.letter;
    });
    std::cout << "\r|" << line << '|' << std::flush;
}

int main() {
    ecs::world world;
    world.spawn(position{0}, velocity{1.5F}, looks{'o'});
    world.spawn(position{20}, velocity{-2}, looks{'O'});
    world.spawn(position{39}, velocity{-0.5F}, looks{'.'});

    for (int frame = 0; frame < 30; ++frame) {
        move(world);
        draw(world);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    std::cout << '\n';
}
