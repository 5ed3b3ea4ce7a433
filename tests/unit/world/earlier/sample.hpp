// SPDX-License-Identifier: MIT
// A world with one of everything that is saved. The files beside this one are what the library saved of it in
// earlier versions of the format, which their names end with.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
import ecs.world;

namespace earlier {

struct position {
    float x, y;
};
struct health {
    std::int32_t points;
};
/// Says itself how it is saved.
struct label {
    std::string text;

    void save(ecs::snapshot_writer& to) const { to.write(text); }
    static label load(ecs::snapshot_reader& from) { return {from.read<std::string>()}; }
};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    std::int32_t strength;
};
struct selected {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct likes {};
struct distance {
    std::int32_t steps;
};

inline void register_all(ecs::world& world) {
    world.component<position>(), world.component<health>(), world.component<label>();
    world.component<buff>(), world.component<selected>(), world.component<likes>();
    world.component<distance>();
}

inline void build(ecs::world& world) {
    register_all(world);
    const ecs::entity ship = world.spawn("Ship", position{1, 2}, health{100});
    std::vector<ecs::entity> turrets;
    for (int i = 0; i < 5; ++i) {
        turrets.push_back(world.spawn(position{float(i), 0}, label{"turret"}));
        world.add(turrets.back(), ecs::pair(ecs::child_of, ship));
    }
    world.set_name(turrets[3], "Last");
    world.despawn(turrets[1]);
    world.despawn(turrets[2]);
    const ecs::entity again = world.spawn("Again"); // Under the next generation of an index.
    world.despawn(world.spawn());                   // An index that waits.
    const ecs::entity orc = world.prefab(health{7});
    const ecs::entity grunt = world.spawn("Grunt", position{3, 3});
    world.add(grunt, ecs::pair(ecs::is_a, orc));
    world.set(grunt, buff{9});
    world.add<selected>(grunt);
    world.disable<position>(turrets[0]);
    world.disable(turrets[4]);
    world.add(again, ecs::pair(world.component<likes>(), ship));
    world.set<ecs::pair_of<distance, likes>>(grunt, distance{12});
}

} // namespace earlier
