// SPDX-License-Identifier: MIT
// Prefabs and components of which every instance gets a copy.
#pragma once
#include <gtest/gtest.h>

import ecs.world;

#include "life.hpp"
#include "relations.hpp"

struct ammunition {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    int rounds = 7;
};
struct scratches {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    static constexpr auto kept_in = ecs::storage::sparse;
    int depth = 1;
};
struct paint {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    explosive tin;
};

struct prefabs : relations {
    entity instance_of(entity prefab) {
        const entity made = world.spawn();
        EXPECT_EQ(world.add(made, pair(is_a, prefab)), add_result::added);
        return made;
    }
    entity part_of(entity whole, const char* text) {
        const entity made = world.spawn(text);
        EXPECT_EQ(world.add(made, pair(child_of, whole)), add_result::added);
        return made;
    }
};
