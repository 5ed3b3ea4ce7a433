// SPDX-License-Identifier: MIT
// Moves: what is solid stops who moves.
#pragma once
import ecs;

#include "map.hpp"

inline bool is_free(const ecs::world& world, place where) {
    bool found = false;
    world.each(
        [&](const place& p, ecs::has<solid>) { found = found || p == where; });
    return !found;
}

inline place towards(place from, char key) {
    switch (key) {
    case 'w': return {from.x, from.y - 1};
    case 's': return {from.x, from.y + 1};
    case 'a': return {from.x - 1, from.y};
    case 'd': return {from.x + 1, from.y};
    default: return from;
    }
}

inline ecs::entity hero_of(ecs::world& world) {
    return world.query<const place>().with<player>().single();
}

inline void act(ecs::world& world, char key) {
    const ecs::entity hero = hero_of(world);
    const place next = towards(world.get<place>(hero), key);
    if (is_free(world, next)) world.set(hero, next);
}
