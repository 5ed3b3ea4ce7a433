// SPDX-License-Identifier: MIT
// Rabbits are born and starve.
#pragma once
#include <cstddef>
#include <cstdint>
import ecs;

#include "grass.hpp"

inline void breed(const place& p, energy& e, dice& d, ecs::has<rabbit>,
                  ecs::commands& c) {
    if (e.left < 8) return;
    e.left -= 5;
    const auto seed = static_cast<std::uint32_t>(d.below(30'000));
    c.spawn(place{p}, dice{seed}, energy{3}, rabbit{});
}

inline void starve(ecs::entity who, const energy& e, ecs::commands& c) {
    if (e.left <= 0) c.despawn(who);
}

inline void add_rabbits(ecs::schedule& day) {
    day.phase("grass").add("grow", grow);
    day.phase("rabbits")
        .add("wander", wander)
        .add("graze", graze, {.after = {"wander"}})
        .add("breed", breed, {.after = {"graze"}});
    day.phase("end").add("starve", starve);
}

inline void settle(ecs::world& world, std::size_t rabbits) {
    world.set_singleton(meadow{});
    spawn_rabbits(world, rabbits);
    world.set(world.query().with<rabbit>().entities(), energy{5});
}
