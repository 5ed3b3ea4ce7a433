// SPDX-License-Identifier: MIT
// Visit the entities of one team, or of one region: groups are made by the target
// of a relation.
#include <iostream>
import ecs;

struct unit {
    const char* name;
};
struct member_of {};

int main() {
    ecs::world world;
    const ecs::entity red = world.spawn("Red");
    const ecs::entity blue = world.spawn("Blue");
    world.spawn(unit{"archer"}, world.pair_to<member_of>(red));
    world.spawn(unit{"knight"}, world.pair_to<member_of>(blue));
    world.spawn(unit{"pikeman"}, world.pair_to<member_of>(red));

    auto by_team = world.query<const unit>().group_by(world.component<member_of>());
    by_team.each_in_group(
        red, [](const unit& u) { std::cout << "red: " << u.name << '\n'; });
    by_team.each_in_group(
        blue, [](const unit& u) { std::cout << "blue: " << u.name << '\n'; });
}
