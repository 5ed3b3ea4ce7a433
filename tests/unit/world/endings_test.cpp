// SPDX-License-Identifier: MIT
// Ends and cascades in the shapes in which implementations are known to break.
#include "life.hpp"
#include "parts.hpp"
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

import ecs.world;

namespace endings_test {
namespace {

using ecs::add_result;
using ecs::any;
using ecs::child_of;
using ecs::entity;
using ecs::is_a;
using ecs::pair;

struct burning {
    explosive value;
};

/// A world with a relation that keeps its targets in a column, and one that keeps them in the type.
struct endings : testing::Test {
    ecs::world world;
    entity in_column = world.spawn();
    entity in_type = world.spawn();
    entity a = world.spawn();
    entity b = world.spawn();
    entity c = world.spawn();

    endings() { world.add(in_column, ecs::non_fragmenting); }

    void cascade(entity relation) { world.add(relation, pair(ecs::on_delete_target, ecs::delete_it)); }
    void expect_no_pair_left() {
        for (const entity e : {a, b, c})
            if (world.alive(e))
                EXPECT_FALSE(world.has(e, pair(in_column, any)) || world.has(e, pair(in_type, any)));
        EXPECT_EQ(world.query().with(pair(in_column, any)).count(), 0U);
        EXPECT_EQ(world.query().with(pair(in_type, any)).count(), 0U);
    }
};

TEST_F(endings, target_that_is_its_own_source_ends) {
    for (const entity relation : {in_column, in_type}) {
        const entity e = world.spawn();
        world.add(e, pair(relation, e));
        EXPECT_TRUE(world.despawn(e));
        EXPECT_FALSE(world.alive(e));
        expect_no_pair_left();
    }
}

TEST_F(endings, cascading_target_that_is_its_own_source_ends_once) {
    cascade(in_column);
    cascade(in_type);
    world.add(a, pair(in_column, a));
    world.add(a, pair(in_type, a));
    world.add(b, pair(in_type, a));
    EXPECT_TRUE(world.despawn(a));
    EXPECT_FALSE(world.alive(a) || world.alive(b));
    expect_no_pair_left();
}

TEST_F(endings, rings_through_two_relations_end_as_a_whole) {
    cascade(in_column);
    cascade(in_type);
    world.add(a, pair(in_column, b));
    world.add(b, pair(in_type, c));
    world.add(c, pair(in_column, a));
    world.add(c, pair(in_type, a));
    world.add(b, pair(child_of, a));
    EXPECT_TRUE(world.despawn(c));
    EXPECT_FALSE(world.alive(a) || world.alive(b) || world.alive(c));
    expect_no_pair_left();
}

TEST_F(endings, source_that_is_met_twice_ends_once) {
    cascade(in_type);
    world.add(b, pair(child_of, a));
    world.add(c, pair(child_of, b));
    world.add(c, pair(in_type, a));
    world.add(c, pair(in_type, b));
    const entity bystander = world.spawn();
    world.add(bystander, pair(in_column, c));
    EXPECT_TRUE(world.despawn(a));
    EXPECT_FALSE(world.alive(b) || world.alive(c));
    EXPECT_TRUE(world.alive(bystander));
    EXPECT_FALSE(world.has(bystander, pair(any, any)));
}

TEST_F(endings, relation_in_a_column_leaves_no_pair_when_it_ends) {
    world.add(a, pair(in_column, b));
    world.add(b, pair(in_column, c));
    EXPECT_TRUE(world.despawn(in_column));
    EXPECT_FALSE(world.has(a, pair(any, any)) || world.has(b, pair(any, any)));
    EXPECT_TRUE(world.despawn(c) && world.despawn(b));
    EXPECT_TRUE(world.alive(a));
}

TEST_F(endings, end_inside_a_loop_is_refused_and_nothing_ends) {
    world.add(a, pair(child_of, b));
    world.set(a, health{1});
    world.set(b, health{2});
    int seen = 0;
    world.each([&](entity, health&) {
        ++seen;
        EXPECT_THROW(world.despawn(b), ecs::iteration_error);
        EXPECT_THROW(world.despawn(in_type), ecs::iteration_error);
        EXPECT_THROW(world.remove(a, pair(child_of, b)), ecs::iteration_error);
    });
    EXPECT_EQ(seen, 2);
    EXPECT_TRUE(world.alive(a) && world.alive(b));
    EXPECT_EQ(world.parent(a), b);
}

TEST_F(endings, middle_of_a_chain_of_prefabs_may_end) {
    const entity base = world.prefab(health{1});
    const entity middle = world.prefab();
    world.add(middle, pair(is_a, base));
    world.add(a, pair(is_a, middle));
    EXPECT_EQ(world.get<health>(a).amount, 1);
    world.despawn(middle);
    EXPECT_FALSE(world.has<health>(a) || world.has(a, pair(is_a, any)));
    world.add(b, pair(is_a, base));
    world.despawn(base);
    EXPECT_FALSE(world.has<health>(b));
}

TEST_F(endings, parts_of_a_prefab_chain_end_with_their_instance_alone) {
    const entity base = world.prefab(health{1});
    const entity part = world.spawn("Part");
    world.add(part, pair(child_of, base));
    const entity variant = world.prefab();
    world.add(variant, pair(is_a, base));
    world.set_name(a, "A");
    world.add(a, pair(is_a, variant));
    const entity own = world.lookup("A/Part");
    ASSERT_TRUE(own);
    world.despawn(a);
    EXPECT_FALSE(world.alive(own));
    EXPECT_TRUE(world.alive(part) && world.alive(variant));
    EXPECT_EQ(world.children(variant).size(), 1U);
}

TEST_F(endings, companion_that_ends_no_longer_comes_along) {
    world.add(in_type, pair(ecs::with, in_column));
    world.despawn(in_column);
    EXPECT_EQ(world.add(a, pair(in_type, b)), add_result::added);
}

TEST_F(endings, group_that_ends_restricts_nothing) {
    world.add(in_type, pair(ecs::one_of, c));
    EXPECT_EQ(world.add(a, pair(in_type, b)), add_result::target_not_allowed);
    world.despawn(c);
    EXPECT_EQ(world.add(a, pair(in_type, b)), add_result::added);
}

TEST_F(endings, what_the_world_needs_does_not_end_with_a_parent) {
    const entity property = world.lookup("exclusive");
    world.add(property, pair(child_of, a));
    EXPECT_FALSE(world.despawn(a));
    EXPECT_TRUE(world.alive(a) && world.alive(property));
}

TEST_F(endings, wide_and_deep_cascade_ends_everything_below) {
    std::vector<entity> tree{a};
    for (std::size_t i = 0; i < 10'000; ++i) {
        const entity child = world.spawn();
        world.add(child, pair(child_of, tree[i / 3]));
        tree.push_back(child);
    }
    EXPECT_TRUE(world.despawn(a));
    EXPECT_TRUE(std::ranges::none_of(tree, [&](entity e) { return world.alive(e); }));
}

// Values of pairs.

TEST_F(endings, value_that_cannot_be_made_leaves_the_target_as_it_was) {
    const entity relation = world.component<burning>();
    world.add(relation, ecs::non_fragmenting);
    explosive::fuse = 0;
    EXPECT_THROW(world.add(a, pair(relation, b)), explosive::explosion);
    EXPECT_FALSE(world.has(a, pair(relation, any)) || world.has(a, relation));
    EXPECT_TRUE(world.sources(b, relation).empty());
    EXPECT_EQ(world.add(a, pair(relation, b)), add_result::added);
    static_cast<burning*>(world.try_get(a, pair(relation, b)))->value.value = 7;
    explosive::fuse = 0;
    EXPECT_THROW(world.add(a, pair(relation, c)), explosive::explosion);
    EXPECT_EQ(world.targets(a, relation), std::vector{b});
    EXPECT_EQ(static_cast<burning*>(world.try_get(a, pair(relation, b)))->value.value, 7);
    EXPECT_TRUE(world.sources(c, relation).empty());
    EXPECT_EQ(explosive::lives, 1);
    EXPECT_EQ(world.add(a, pair(relation, c)), add_result::added);
    EXPECT_EQ(static_cast<burning*>(world.try_get(a, pair(relation, c)))->value.value, 0)
        << "another target, another value";
    world.despawn(c);
    EXPECT_EQ(explosive::lives, 0);
    EXPECT_FALSE(world.has(a, relation));
}

TEST_F(endings, setting_the_value_of_a_pair_in_a_column_again_replaces_it) {
    const entity relation = world.component<health>();
    world.add(relation, ecs::non_fragmenting);
    const health one{1};
    const health two{2};
    EXPECT_EQ(world.set(a, pair(relation, b), &one), add_result::added);
    EXPECT_EQ(world.set(a, pair(relation, b), &two), add_result::already_there);
    EXPECT_EQ(static_cast<health*>(world.try_get(a, pair(relation, b)))->amount, 2);
    EXPECT_EQ(world.set(a, pair(relation, c), &one), add_result::added);
    EXPECT_EQ(static_cast<health*>(world.try_get(a, pair(relation, c)))->amount, 1);
    EXPECT_TRUE(world.sources(b, relation).empty());
    const entity copy = world.clone(a);
    EXPECT_EQ(static_cast<health*>(world.try_get(copy, pair(relation, c)))->amount, 1);
    EXPECT_EQ(world.sources(c, relation).size(), 2U);
}

TEST_F(endings, pair_in_a_column_has_no_value_of_its_target) {
    EXPECT_EQ(world.set(a, pair(in_column, world.component<health>()), &a), add_result::no_value);
    EXPECT_EQ(world.add(a, pair(in_column, world.component<health>())), add_result::added);
    EXPECT_EQ(world.try_get(a, pair(in_column, world.component<health>())), nullptr);
}

TEST_F(endings, override_that_cannot_be_made_leaves_no_instance) {
    const entity prefab = world.prefab(burning{});
    world.add(world.spawn("Part"), pair(child_of, prefab));
    world.add(prefab, ecs::type_flags::auto_override | ecs::id(world.component<burning>()));
    explosive::fuse = 0;
    EXPECT_THROW(world.add(a, pair(is_a, prefab)), explosive::explosion);
    EXPECT_FALSE(world.has(a, pair(is_a, any)) || world.has<burning>(a));
    EXPECT_TRUE(world.children(a).empty());
    EXPECT_EQ(world.add(a, pair(is_a, prefab)), add_result::added);
    EXPECT_EQ(world.children(a).size(), 1U);
}

// Symmetric relations.

TEST_F(endings, pair_whose_image_is_refused_is_refused_itself) {
    const entity knows = world.spawn();
    world.add(knows, ecs::acyclic);
    world.add(in_type, ecs::symmetric);
    world.add(in_type, pair(ecs::with, knows));
    EXPECT_EQ(world.add(a, pair(in_type, b)), add_result::would_make_a_cycle);
    EXPECT_FALSE(world.has(a, pair(in_type, b)) || world.has(b, pair(in_type, a)));
    const entity group = world.spawn();
    const entity equals = world.spawn();
    world.add(equals, ecs::symmetric);
    world.add(equals, pair(ecs::one_of, group));
    world.add(b, pair(child_of, group));
    EXPECT_EQ(world.add(a, pair(equals, b)), add_result::target_not_allowed);
    world.add(a, pair(child_of, group));
    EXPECT_EQ(world.add(a, pair(equals, b)), add_result::added);
}

TEST_F(endings, clearing_the_world_is_refused_by_no_policy) {
    world.add(in_type, pair(ecs::on_delete_target, ecs::refuse_it));
    world.add(in_type, pair(ecs::on_delete, ecs::refuse_it));
    world.add(a, pair(in_type, b));
    world.add(b, pair(in_type, a));
    world.add(world.component<health>(), pair(in_type, c));
    EXPECT_FALSE(world.despawn(c));
    world.clear();
    EXPECT_TRUE(world.entities().empty());
    const entity fresh = world.spawn();
    const entity relation = world.spawn();
    world.add(relation, pair(ecs::on_delete_target, ecs::refuse_it));
    world.add(world.spawn(), pair(relation, fresh));
    EXPECT_FALSE(world.despawn(fresh)) << "policies hold again";
}

TEST_F(endings, clearing_the_world_leaves_components_that_would_end_with_others) {
    const entity child = world.component<health>(), related = world.component<burning>();
    cascade(in_type);
    cascade(in_column);
    world.add(child, pair(child_of, a));
    world.add(related, pair(in_type, b));
    world.add(related, pair(in_column, c));
    world.clear();
    EXPECT_TRUE(world.entities().empty());
    EXPECT_EQ(world.component<health>(), child);
    EXPECT_EQ(world.component<burning>(), related);
    EXPECT_TRUE(world.alive(child) && world.alive(related));
    EXPECT_EQ(world.parent(child), entity{});
}

TEST_F(endings, removal_of_a_pair_in_a_column_is_told_before_its_value_goes) {
    const entity valued = world.component<health>();
    world.add(valued, ecs::non_fragmenting);
    std::vector<int> told;
    world.observe(ecs::event::removed, pair(valued, any), [&](const ecs::event_context& what) {
        told.push_back(static_cast<health*>(world.try_get(what.subject, what.word))->amount);
        EXPECT_EQ(world.target_of(what.subject, valued), world.target_of(what.word));
    });
    const health one{1};
    const health two{2};
    world.set(a, pair(valued, b), &one);
    world.set(a, pair(valued, c), &two);
    EXPECT_EQ(told, std::vector{1});
    world.add(a, pair(valued, b));
    EXPECT_EQ(told, (std::vector{1, 2}));
    EXPECT_EQ(static_cast<health*>(world.try_get(a, pair(valued, b)))->amount, 0);
    world.despawn(b);
    EXPECT_EQ(told, (std::vector{1, 2, 0}));
}

TEST_F(endings, end_of_a_tag_makes_no_tables_for_entities_that_are_not_there) {
    std::vector<entity> tags;
    for (int i = 0; i < 20; ++i) tags.push_back(world.spawn());
    for (const entity tag : tags) world.add(a, tag); // Leaves a table without rows behind each time.
    std::size_t made = 0;
    world.observe(ecs::event::table_created, [&] { ++made; });
    world.despawn(tags[0]);
    EXPECT_EQ(made, 1U) << "the one that the entity moves to";
    EXPECT_EQ(world.ids(a).size(), 19U);
}

} // namespace
} // namespace endings_test
