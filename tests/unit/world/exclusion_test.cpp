// SPDX-License-Identifier: MIT
// The law of excludes: nobody has both, by themselves or in pairs, however they would get them.
#include <algorithm>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <vector>

import ecs.world;

#include "relations.hpp"

namespace exclusion_test {
namespace {

struct walking {
    int speed = 1;
};
struct flying {
    static constexpr auto properties = ecs::properties(ecs::excludes_type<walking>);
};
struct swimming {
    static constexpr auto kept_in = ecs::storage::sparse;
    int depth = 1;
};

using exclusion = relations;

TEST_F(exclusion, component_is_refused_to_whoever_has_its_rival) {
    world.component<flying>();
    EXPECT_EQ(world.add<walking>(a), add_result::added);
    EXPECT_EQ(world.add<flying>(a), add_result::excluded);
    EXPECT_EQ(world.add<flying>(b), add_result::added);
    EXPECT_EQ(world.add<walking>(b), add_result::excluded);
    EXPECT_EQ(world.set(b, walking{2}), add_result::excluded);
    EXPECT_FALSE(world.has<walking>(b));
    world.remove<flying>(b);
    EXPECT_EQ(world.set(b, walking{2}), add_result::added);
}

TEST_F(exclusion, is_the_reason_why_a_value_is_not_made) {
    world.add<flying>(a);
    try {
        world.get_or_add<walking>(a);
        ADD_FAILURE() << "it was made";
    } catch (const ecs::access_error& refused) {
        const std::string text = refused.what();
        EXPECT_NE(text.find(to_string(add_result::excluded)), std::string::npos) << text;
        EXPECT_EQ(refused.component, ecs::id(world.component<walking>()));
        EXPECT_EQ(refused.status, ecs::id_status::live);
    }
    EXPECT_FALSE(world.has<walking>(a));
}

TEST_F(exclusion, holds_for_several_changes_in_one_step) {
    world.component<flying>();
    EXPECT_EQ((world.add<walking, flying>(a)), add_result::excluded);
    world.edit(b).add<walking>().add<flying>();
    for (const entity e : {a, b}) EXPECT_FALSE(world.has<walking>(e) || world.has<flying>(e));
}

TEST_F(exclusion, holds_for_pairs_whatever_their_targets_are) {
    const entity hates = world.spawn();
    EXPECT_EQ(world.add(likes, pair(ecs::excludes, hates)), add_result::added);
    relate(a, b);
    EXPECT_EQ(world.add(a, pair(hates, c)), add_result::excluded);
    EXPECT_EQ(world.add(a, hates), add_result::excluded) << "nor by itself";
    EXPECT_EQ(world.add(b, pair(hates, a)), add_result::added);
    EXPECT_EQ(world.add(b, pair(likes, a)), add_result::excluded);
}

TEST_F(exclusion, is_symmetric_and_can_be_taken_back_on_either_side) {
    const entity one = world.spawn(), other = world.spawn();
    world.add(one, pair(ecs::excludes, other));
    EXPECT_TRUE(world.has(other, pair(ecs::excludes, one)));
    world.add(a, one);
    EXPECT_EQ(world.add(a, other), add_result::excluded);
    world.remove(other, pair(ecs::excludes, one));
    EXPECT_FALSE(world.has(one, pair(ecs::excludes, other)));
    EXPECT_EQ(world.add(a, other), add_result::added);
}

TEST_F(exclusion, is_not_declared_of_what_somebody_has_together) {
    const entity one = world.spawn(), other = world.spawn();
    world.add(a, one);
    world.add(a, other);
    EXPECT_EQ(world.add(one, pair(ecs::excludes, other)), add_result::relation_in_use);
    EXPECT_FALSE(world.has(other, pair(ecs::excludes, one)));
    EXPECT_EQ(world.add(one, pair(ecs::excludes, one)), add_result::contradiction);
    world.remove(a, one);
    EXPECT_EQ(world.add(one, pair(ecs::excludes, other)), add_result::added);
}

TEST_F(exclusion, is_not_declared_of_what_somebody_has_in_pairs) {
    const entity hostile = world.spawn();
    world.add(a, hostile);
    for (const ecs::id word : {pair(likes, b), ecs::value_pair(likes, 3)}) {
        world.add(a, word);
        EXPECT_EQ(world.add(likes, pair(ecs::excludes, hostile)), add_result::relation_in_use);
        EXPECT_EQ(world.add(hostile, pair(ecs::excludes, likes)), add_result::relation_in_use);
        world.remove(a, word);
    }
    relate(b, c);
    EXPECT_EQ(world.add(likes, pair(ecs::excludes, hostile)), add_result::added);
}

TEST_F(exclusion, ends_with_either_of_the_two) {
    const entity one = world.spawn(), other = world.spawn(), third = world.spawn();
    world.add(one, pair(ecs::excludes, other));
    world.add(one, pair(ecs::excludes, third));
    world.despawn(other);
    world.add(a, one);
    EXPECT_EQ(world.add(a, third), add_result::excluded);
    world.despawn(one);
    EXPECT_EQ(world.add(a, third), add_result::added);
}

TEST_F(exclusion, holds_for_what_is_kept_outside_tables) {
    world.add(world.component<swimming>(), pair(ecs::excludes, world.component<walking>()));
    world.add<swimming>(a);
    EXPECT_EQ(world.add<walking>(a), add_result::excluded);
    world.add<walking>(b);
    EXPECT_EQ(world.add<swimming>(b), add_result::excluded);
    EXPECT_EQ(world.set(b, swimming{3}), add_result::excluded);
    EXPECT_FALSE(world.has<swimming>(b));
    EXPECT_EQ(world.add<walking>(a), add_result::excluded) << "also when the way to the table is known";
}

TEST_F(exclusion, entity_is_not_spawned_with_both) {
    world.add(world.component<swimming>(), pair(ecs::excludes, world.component<walking>()));
    const entity one = world.spawn(), other = world.spawn();
    world.add(one, pair(ecs::excludes, other));
    const std::size_t before = world.entities().size();
    EXPECT_THROW(world.spawn(one, other), std::invalid_argument);
    EXPECT_THROW(world.spawn(walking{}, swimming{}), std::invalid_argument);
    EXPECT_THROW(world.spawn_n(3, walking{}, swimming{}), std::invalid_argument);
    EXPECT_EQ(world.entities().size(), before);
}

TEST_F(exclusion, holds_for_commands) {
    const entity number = world.component<int>();
    world.add(number, pair(ecs::excludes, world.component<walking>()));
    auto commands = world.commands();
    const entity made = commands.spawn(walking{}, 5);
    commands.add<int>(a);
    commands.add<walking>(a);
    EXPECT_THROW(world.flush(), ecs::flush_error);
    EXPECT_FALSE(world.alive(made));
    EXPECT_TRUE(world.has<int>(a) && !world.has<walking>(a));
}

TEST_F(exclusion, holds_for_what_comes_along) {
    const entity one = world.spawn(), other = world.spawn(), leader = world.spawn();
    world.add(one, pair(ecs::excludes, other));
    world.add(leader, pair(ecs::with, other));
    EXPECT_EQ(world.add(leader, pair(ecs::excludes, other)), add_result::contradiction)
        << "it would come with its own rival";
    world.add(b, one);
    EXPECT_EQ(world.add(b, leader), add_result::excluded);
    EXPECT_FALSE(world.has(b, leader) || world.has(b, other));
}

TEST_F(exclusion, a_base_that_gets_what_its_heirs_exclude_is_refused) {
    world.component<flying>();
    world.add(world.component<swimming>(), pair(ecs::excludes, world.component<walking>()));
    world.add(b, pair(is_a, c));
    world.add(a, pair(is_a, b));
    world.add<walking>(a);
    for (const entity above : {b, c}) {
        EXPECT_EQ(world.add<flying>(above), add_result::excluded);
        EXPECT_EQ(world.add<swimming>(above), add_result::excluded);
        EXPECT_EQ(world.set(above, swimming{2}), add_result::excluded);
        EXPECT_EQ(world.edit(above).add<flying>().commit(), add_result::excluded);
        EXPECT_FALSE(world.has<flying>(above) || world.has<swimming>(above));
    }
    world.remove<walking>(a);
    EXPECT_EQ(world.add<flying>(c), add_result::added);
    EXPECT_EQ(world.add<walking>(a), add_result::excluded);
}

TEST_F(exclusion, nobody_becomes_an_heir_of_what_it_or_its_own_heirs_exclude) {
    world.component<flying>();
    const entity bird = world.spawn(flying{});
    const entity sparrow = world.spawn(pair(is_a, bird));
    world.add(b, pair(is_a, a));
    world.add<walking>(b);
    for (const entity heir : {a, b})
        for (const entity above : {bird, sparrow}) {
            EXPECT_EQ(world.add(heir, pair(is_a, above)), add_result::excluded);
            EXPECT_FALSE(world.has(heir, pair(is_a, above)) || world.has<flying>(heir));
        }
    EXPECT_THROW(world.spawn(walking{}, pair(is_a, sparrow)), std::invalid_argument);
    world.remove<walking>(b);
    EXPECT_EQ(world.add(a, pair(is_a, sparrow)), add_result::added);
    EXPECT_TRUE(world.has<flying>(b));
}

TEST_F(exclusion, asks_of_heirs_what_they_inherit_alone) {
    const entity hates = world.spawn(), armed = world.spawn();
    world.add(likes, pair(ecs::excludes, hates));
    world.add(armed, pair(ecs::excludes, world.component<walking>()));
    world.add(armed, ecs::not_inheritable);
    world.add(b, pair(is_a, a));
    world.add(b, pair(hates, c));
    world.add<walking>(b);
    EXPECT_EQ(relate(a, c), add_result::added);
    EXPECT_EQ(world.add(a, armed), add_result::added);
    EXPECT_EQ(world.add(c, pair(is_a, a)), add_result::added);
    EXPECT_EQ(world.add(likes, ecs::inheritable), add_result::relation_in_use);
    EXPECT_EQ(world.remove(armed, ecs::not_inheritable), add_result::relation_in_use);
    EXPECT_FALSE(related(b, c) || world.has(b, armed));
    world.remove(b, pair(hates, c));
    world.remove<walking>(b);
    EXPECT_EQ(world.add(likes, ecs::inheritable), add_result::added);
    EXPECT_EQ(world.remove(armed, ecs::not_inheritable), add_result::removed);
    EXPECT_TRUE(related(b, c) && world.has(b, armed));
}

TEST_F(exclusion, is_part_of_a_saved_world) {
    world.component<flying>();
    ecs::world other;
    other.component<flying>();
    load(other, save(world));
    const entity e = other.spawn(walking{});
    EXPECT_EQ(other.add<flying>(e), add_result::excluded);
}

} // namespace
} // namespace exclusion_test
