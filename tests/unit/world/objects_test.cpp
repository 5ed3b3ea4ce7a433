// SPDX-License-Identifier: MIT
// Links to objects of the host program: which object an entity is linked to, and when an owned one ends.
#include "life.hpp"
#include <memory>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

import ecs.world;

namespace objects_test {
namespace {

using ecs::add_result;
using ecs::any;
using ecs::entity;
using ecs::pair;

struct mesh {
    int triangles = 0;
};
struct scene {
    mesh first;
};
struct alarm {};

/// A world with two relations to objects.
struct objects : testing::Test {
    ecs::world world;
    entity plays = world.spawn();
    entity hears = world.spawn();
    entity a = world.spawn();
    entity b = world.spawn();
    mesh cube{12};

    objects() { move_only::lives = 0; }

    add_result own(entity e, entity relation, int value = 0) {
        return world.link_owned(e, relation, std::make_unique<move_only>(value));
    }
    const move_only* owned_by(entity e, entity relation) { return world.object_of<move_only>(e, relation); }
};

TEST_F(objects, linked_object_is_found_again_under_its_type) {
    EXPECT_FALSE(world.link_of(plays, cube));
    EXPECT_EQ(world.link(a, plays, cube), add_result::added);
    EXPECT_EQ(world.link(a, plays, cube), add_result::already_there);
    EXPECT_EQ(world.object_of<mesh>(a, plays), &cube);
    EXPECT_EQ(world.object_of<scene>(a, plays), nullptr);
    EXPECT_EQ(world.object_of<mesh>(a, hears), nullptr);
    EXPECT_EQ(world.object_of<mesh>(b, plays), nullptr);
    EXPECT_EQ(world.object_of<mesh>(ecs::link_to_slot(plays, 0)), nullptr) << "a slot of the caller's";
}

TEST_F(objects, object_is_one_target_for_everybody_and_every_relation) {
    world.link(a, plays, cube);
    world.link(b, plays, cube);
    world.link(b, hears, cube);
    const ecs::id word = world.link_of(plays, cube);
    EXPECT_EQ(word.number(), world.link_of(hears, cube).number());
    EXPECT_EQ(world.query().with(word).count(), 2U);
    EXPECT_EQ(world.query().with(pair(hears, any)).count(), 1U);
    std::vector<const mesh*> found;
    world.query<ecs::matched>().with(pair(plays, any)).each([&](entity, const ecs::matched& m) {
        found.push_back(world.object_of<mesh>(m.pair));
    });
    EXPECT_EQ(found, (std::vector<const mesh*>{&cube, &cube}));
}

TEST_F(objects, objects_at_one_address_are_told_apart_by_their_types) {
    scene all{{3}};
    world.link(a, plays, all);
    world.link(a, plays, all.first);
    EXPECT_NE(world.link_of(plays, all), world.link_of(plays, all.first));
    EXPECT_EQ(world.object_of<scene>(a, plays), &all);
    EXPECT_EQ(world.object_of<mesh>(a, plays), &all.first);
    world.remove(a, world.link_of(plays, all));
    EXPECT_EQ(world.object_of<mesh>(a, plays), &all.first);
}

TEST_F(objects, link_that_outlived_its_object_stands_for_nothing) {
    world.link(a, plays, cube);
    const ecs::id before = world.link_of(plays, cube);
    EXPECT_EQ(world.remove(a, before), add_result::removed);
    EXPECT_FALSE(world.link_of(plays, cube));
    EXPECT_EQ(world.object_of<mesh>(before), nullptr);
    world.link(a, plays, cube);
    EXPECT_FALSE(world.has(a, before));
    EXPECT_EQ(world.object_of<mesh>(before), nullptr);
}

TEST_F(objects, owned_object_ends_with_its_last_link) {
    own(a, plays, 7);
    ASSERT_NE(owned_by(a, plays), nullptr);
    world.link(b, hears, *world.object_of<move_only>(a, plays));
    world.remove(a, pair(plays, any));
    EXPECT_EQ(owned_by(b, hears)->value(), 7);
    world.despawn(b);
    EXPECT_EQ(move_only::lives, 0);
}

TEST_F(objects, owned_object_ends_with_its_relation) {
    own(a, plays);
    world.despawn(plays);
    EXPECT_EQ(move_only::lives, 0);
}

TEST_F(objects, owned_object_ends_when_another_target_replaces_it) {
    world.add(plays, ecs::exclusive);
    own(a, plays, 1);
    own(a, plays, 2);
    EXPECT_EQ(move_only::lives, 1);
    EXPECT_EQ(owned_by(a, plays)->value(), 2);
    world.add(a, pair(plays, b));
    EXPECT_EQ(move_only::lives, 0);
}

TEST_F(objects, owned_object_whose_link_is_refused_ends) {
    world.add(hears, ecs::non_fragmenting);
    EXPECT_EQ(own(a, hears), add_result::target_not_allowed);
    EXPECT_EQ(own({}, plays), add_result::not_alive);
    EXPECT_EQ(world.link_owned(a, plays, std::shared_ptr<mesh>()), add_result::no_value);
    EXPECT_EQ(move_only::lives, 0);
}

TEST_F(objects, owned_object_ends_with_the_world) {
    {
        ecs::world other;
        const entity e = other.spawn();
        other.link_owned(e, other.spawn(), std::make_shared<move_only>(1));
        EXPECT_EQ(move_only::lives, 1);
    }
    EXPECT_EQ(move_only::lives, 0);
}

TEST_F(objects, borrowed_object_may_become_owned) {
    auto* const value = new move_only(3);
    world.link(a, plays, *value);
    world.link_owned(b, plays, std::unique_ptr<move_only>(value));
    world.despawn(b);
    EXPECT_EQ(move_only::lives, 1) << "the other is still linked";
    world.despawn(a);
    EXPECT_EQ(move_only::lives, 0);
}

TEST_F(objects, snapshot_keeps_its_objects) {
    own(a, plays, 5);
    {
        const ecs::snapshot then = world.snapshot();
        world.despawn(a);
        world.link(b, plays, cube);
        const ecs::id later = world.link_of(plays, cube);
        EXPECT_EQ(move_only::lives, 1);
        world.restore(then);
        EXPECT_EQ(owned_by(a, plays)->value(), 5);
        EXPECT_EQ(world.object_of<mesh>(later), nullptr);
        world.link(b, hears, cube);
        EXPECT_NE(world.link_of(plays, cube), later) << "no slot is given twice";
        world.despawn(a);
    }
    EXPECT_EQ(move_only::lives, 0);
}

TEST_F(objects, world_with_objects_is_not_saved) {
    world.link(a, plays, cube);
    EXPECT_THROW(std::ignore = ecs::save(world), ecs::snapshot_error);
    world.remove(a, pair(plays, any));
    EXPECT_NO_THROW(std::ignore = ecs::save(world));
}

TEST_F(objects, observer_finds_the_object_that_leaves) {
    own(a, plays, 4);
    int left = 0;
    world.observe(ecs::event::removed, pair(plays, any), [&](const ecs::event_context& what) {
        left = world.object_of<move_only>(what.word)->value();
    });
    world.despawn(a);
    EXPECT_EQ(left, 4);
    EXPECT_EQ(move_only::lives, 0);
}

TEST_F(objects, link_of_an_observer_is_made_when_everybody_has_been_told) {
    add_result said{};
    world.observe<ecs::event::added, alarm>([&](entity e) { said = own(e, plays, 6); });
    world.add<alarm>(a);
    EXPECT_EQ(said, add_result::deferred);
    EXPECT_EQ(owned_by(a, plays)->value(), 6);
}

TEST_F(objects, clone_is_linked_to_the_same_object) {
    own(a, plays, 8);
    const entity copy = world.clone(a);
    world.despawn(a);
    EXPECT_EQ(owned_by(copy, plays)->value(), 8);
}

TEST_F(objects, whoever_ends_with_another_ends_first) {
    struct noted {
        std::vector<int>* log;
        int number;
        noted(std::vector<int>* log, int number) : log(log), number(number) {}
        ~noted() { log->push_back(number); }
    };
    std::vector<int> log;
    const entity c = world.spawn();
    world.add(b, pair(ecs::child_of, a));
    world.add(c, pair(ecs::child_of, b));
    int number = 0;
    for (const entity e : {a, b, c}) world.link_owned(e, plays, std::make_unique<noted>(&log, ++number));
    world.despawn(a);
    EXPECT_EQ(log, (std::vector{3, 2, 1}));
}

TEST_F(objects, relation_has_to_be_alive) {
    const entity gone = world.spawn();
    world.despawn(gone);
    EXPECT_EQ(world.spawn().index(), gone.index()) << "somebody else has its index";
    EXPECT_EQ(world.link(a, gone, cube), add_result::not_alive_id);
    EXPECT_EQ(world.link(a, entity{}, cube), add_result::not_alive_id);
    EXPECT_EQ(own(a, gone), add_result::not_alive_id);
    EXPECT_EQ(move_only::lives, 0);
}

} // namespace
} // namespace objects_test
