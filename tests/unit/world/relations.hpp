// SPDX-License-Identifier: MIT
// A world with a relation and a handful of entities, and what tests of relations share. Include this after
// the import.
#pragma once
#include "parts.hpp"
#include <vector>

#include <gtest/gtest.h>

import ecs.world;

#include "inspected_world.hpp"

using ecs::add_result;
using ecs::any;
using ecs::child_of;
using ecs::entity;
using ecs::is_a;
using ecs::pair;

struct relations : testing::Test {
    inspected_world world;
    entity likes = world.spawn();
    entity a = world.spawn();
    entity b = world.spawn();
    entity c = world.spawn();

    bool related(entity from, entity to) const { return world.has(from, pair(likes, to)); }
    add_result relate(entity from, entity to) { return world.add(from, pair(likes, to)); }
};

inline std::vector<entity> children_of(const ecs::world& world, entity parent) {
    std::vector<entity> found;
    for (const entity child : world.children(parent)) found.push_back(child);
    return found;
}
