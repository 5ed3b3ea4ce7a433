// SPDX-License-Identifier: MIT
// A world as JSON: written by a program, changed by a person, and read again.
#include <iostream>
#include <string>
import ecs;
import ecs.json;

struct position {
    float x = 0, y = 0;
};
struct enemy {};

int main() {
    ecs::world world;
    const ecs::entity ship = world.spawn("Ship", position{1.5F, -2}, enemy{});
    world.spawn("Mast", position{0, 9}, ecs::pair(ecs::child_of, ship));
    std::cout << ecs::export_json(world) << '\n';

    const std::string text = R"({"format": "ecs-world", "version": 1, "entities": [
        {"id": "a", "name": "Raft", "components": {"position": {"x": 3}}}]})";
    for (const ecs::entity e : ecs::import_json(world, text))
        std::cout << world.name_of(e) << " is at " << world.get<position>(e).x
                  << '\n';

    try {
        ecs::import_json(world,
                         R"({"format": "ecs-world", "version": 1, "entities": [
            {"components": {"position": {"x": "far"}}}]})");
    } catch (const ecs::json_error& e) {
        std::cout << e.what() << '\n';
    }
}
