// SPDX-License-Identifier: MIT
// A component that no C++ type stands for, as a script or a file would describe it.
#include <iostream>
import ecs;

int main() {
    ecs::world world;
    const ecs::entity mana = world.component({
        .name = "mana",
        .size = 8,
        .alignment = 4,
        .members = {{"now", "int", 0, 4}, {"most", "int", 4, 4}},
    });

    const ecs::entity wizard = world.spawn("Wizard");
    const int values[]{30, 100};
    world.set(wizard, mana, values);

    const auto* of_wizard = static_cast<const int*>(world.try_get(wizard, mana));
    std::cout << of_wizard[0] << " of " << of_wizard[1] << '\n';
    world.query("mana").each([&](const ecs::text_match& m) {
        std::cout << world.name_of(m.source(0)) << '\n';
    });
}
