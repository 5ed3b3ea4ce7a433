// SPDX-License-Identifier: MIT
// Save a world as bytes, and load them again.
#include <iostream>
#include <string>
import ecs;

struct health {
    int points;
};
struct note { // More than its bytes, so it says how it is written.
    std::string text;
    void save(ecs::snapshot_writer& to) const { to.write(text); }
    static note load(ecs::snapshot_reader& from) {
        return {from.read<std::string>()};
    }
};

int main() {
    ecs::world world;
    world.spawn("Ann", health{7}, note{"owes Bob a sword"});
    const auto bytes = ecs::save(world);

    ecs::world later;
    later.component<health>(); // What is loaded has to be known.
    later.component<note>();
    ecs::load(later, bytes);
    const ecs::entity ann = later.lookup("Ann");
    std::cout << later.get<health>(ann).points << " points, "
              << later.get<note>(ann).text << '\n';

    auto damaged = bytes;
    damaged.resize(damaged.size() / 2);
    try {
        ecs::load(later, damaged);
    } catch (const ecs::snapshot_error& e) {
        std::cout << e.what() << '\n'; // And the world is as it was.
    }
}
