// SPDX-License-Identifier: MIT
// List what an entity has, and change a member of it, by names alone: as an editor
// or a console does.
#include <iostream>
#include <string>
import ecs;
import ecs.json;

namespace game {
struct position {
    float x = 0, y = 0;
};
struct crew {
    int hands = 0;
    ecs::entity captain;
};
struct anchored {};
} // namespace game

void list(const ecs::world& world, ecs::entity e) {
    for (const ecs::id word : world.ids(e)) {
        const ecs::entity component = world.value_type_of(word);
        if (!component) continue; // A tag has no value.
        std::cout << world.component_name(component) << '\n';
        if (const ecs::reflection* known = world.reflection_of(component))
            for (const ecs::member& m : known->members)
                std::cout << "    " << m.name << ": " << m.written_type() << '\n';
    }
}

int main() {
    ecs::world world;
    const ecs::entity ship =
        world.spawn("Ship", game::position{3, 4}, game::crew{}, game::anchored{});
    world.spawn("Ann");
    list(world, ship);

    const ecs::entity crew = world.component_named("game::crew");
    ecs::set_json(world, ship, crew, R"({"hands": 12, "captain": "Ann"})");
    try {
        ecs::set_json(world, ship, crew, R"({"captain": "Nobody"})");
    } catch (const ecs::json_error& e) {
        std::cout << e.what() << '\n';
    }
    const game::crew& now = world.get<game::crew>(ship);
    std::cout << now.hands << " hands, led by " << world.name_of(now.captain)
              << '\n';
}
