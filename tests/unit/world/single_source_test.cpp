// SPDX-License-Identifier: MIT
// The law of single_source: a target has one source at a time; when another comes, the first loses the pair.
#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

import ecs.world;

#include "relations.hpp"

namespace single_source_test {
namespace {

using ecs::single_source;

struct wields {
    static constexpr auto properties = ecs::properties(single_source, ecs::exclusive);
    int since = 0;
};

struct guards {
    static constexpr auto properties = ecs::properties(single_source, ecs::non_fragmenting);
    int since = 0;
};

/// Wherever the targets are kept.
struct single_sources : relations, testing::WithParamInterface<bool> {
    single_sources() {
        world.add(likes, single_source);
        if (GetParam()) world.add(likes, ecs::non_fragmenting);
    }

    [[nodiscard]] std::vector<entity> sources(entity target) const { return world.sources(target, likes); }
};

INSTANTIATE_TEST_SUITE_P(targets, single_sources, testing::Bool(),
                         [](const auto& in) { return in.param ? "in_columns" : "in_types"; });

TEST_P(single_sources, first_loses_the_pair_when_another_comes) {
    EXPECT_EQ(relate(a, c), add_result::added);
    EXPECT_EQ(relate(b, c), add_result::added);
    EXPECT_EQ(sources(c), std::vector{b});
    EXPECT_FALSE(related(a, c));
    EXPECT_TRUE(world.ids(a).empty());
    EXPECT_EQ(relate(b, c), add_result::already_there);
    EXPECT_EQ(relate(a, c), add_result::added) << "also when the way to the table is known";
    EXPECT_EQ(sources(c), std::vector{a});
    EXPECT_EQ(world.query().with(pair(likes, c)).count(), 1U);
}

TEST_P(single_sources, with_exclusive_is_one_to_one) {
    world.add(likes, ecs::exclusive);
    relate(a, b);
    relate(b, c);
    EXPECT_EQ(relate(a, c), add_result::added);
    EXPECT_EQ(sources(c), std::vector{a});
    EXPECT_EQ(world.targets(a, likes), std::vector{c});
    EXPECT_TRUE(sources(b).empty() && world.ids(b).empty());
}

TEST_P(single_sources, second_is_refused_when_the_first_keeps_the_pair) {
    const entity needs_it = world.spawn();
    world.add(needs_it, pair(ecs::needs, likes));
    world.add(a, pair(needs_it, c));
    EXPECT_EQ(sources(c), std::vector{a});
    EXPECT_EQ(relate(b, c), add_result::needed);
    EXPECT_EQ(world.add(b, pair(needs_it, c)), add_result::needed);
    EXPECT_TRUE(world.ids(b).empty());
    world.remove(a, pair(needs_it, c));
    EXPECT_EQ(relate(b, c), add_result::added);
    world.add(likes, ecs::permanent);
    world.add(likes, pair(ecs::with, world.spawn()));
    EXPECT_EQ(relate(a, c), add_result::is_permanent);
    EXPECT_TRUE(world.ids(a).empty()) << "what would have come along did not";
    EXPECT_EQ(sources(c), std::vector{b});
    world.despawn(b);
    EXPECT_EQ(relate(a, c), add_result::added);
}

TEST_P(single_sources, nobody_loses_the_pair_when_the_second_is_refused) {
    world.add(likes, ecs::acyclic);
    relate(a, c);
    relate(c, b);
    EXPECT_EQ(relate(a, b), add_result::added);
    EXPECT_EQ(sources(b), std::vector{a});
    EXPECT_EQ(relate(b, b), add_result::would_make_a_cycle);
    EXPECT_EQ(sources(b), std::vector{a});
}

TEST_P(single_sources, observers_are_told_who_lost_the_pair_before_who_got_it) {
    relate(a, c);
    std::vector<std::string> told;
    const auto note = [&](const char* what, entity e) {
        told.push_back(std::string(what) + (e == a ? " a" : " b"));
    };
    auto gone = world.observe(ecs::event::removed, pair(likes, c), [&](entity e) { note("removed", e); });
    auto come = world.observe(ecs::event::added, pair(likes, c), [&](entity e) { note("added", e); });
    relate(b, c);
    EXPECT_EQ(told, (std::vector<std::string>{"removed a", "added b"}));
    gone.end();
    come.end();
}

TEST_P(single_sources, holds_for_commands_and_spawned_entities) {
    relate(a, c);
    const entity fresh = world.spawn(pair(likes, c));
    EXPECT_EQ(sources(c), std::vector{fresh});
    auto commands = world.commands();
    commands.add(a, pair(likes, c));
    const entity made = commands.spawn(pair(likes, c));
    world.flush();
    EXPECT_EQ(sources(c), std::vector{made});
    world.add(std::vector{a, b}, pair(likes, c));
    EXPECT_EQ(sources(c), std::vector{b});
}

TEST_P(single_sources, clone_leaves_the_pair_to_the_original) {
    relate(a, c);
    const entity copy = world.clone(a);
    EXPECT_EQ(sources(c), std::vector{a});
    EXPECT_TRUE(world.ids(copy).empty());
}

TEST_P(single_sources, copies_of_parts_have_a_target_each) {
    const entity ship = world.prefab();
    const entity gun = world.spawn(pair(child_of, ship)), gunner = world.spawn(pair(child_of, ship));
    relate(gunner, gun);
    for (int i = 0; i < 2; ++i) {
        const entity instance = world.spawn(pair(is_a, ship));
        EXPECT_EQ(sources(world.counterpart(instance, gun)),
                  std::vector{world.counterpart(instance, gunner)});
    }
    EXPECT_EQ(sources(gun), std::vector{gunner});
}

TEST_P(single_sources, instance_does_not_take_a_target_that_its_prefab_has) {
    const entity ship = world.prefab();
    relate(ship, c);
    world.add(ship, ecs::type_flags::auto_override | pair(likes, c));
    EXPECT_FALSE(related(world.spawn(pair(is_a, ship)), c));
    EXPECT_EQ(sources(c), std::vector{ship});
    EXPECT_EQ(world.add(likes, ecs::auto_overridden), add_result::contradiction);
}

TEST_P(single_sources, contradicts_symmetric_and_inheritable_and_comes_before_the_first_pair) {
    EXPECT_EQ(world.add(likes, ecs::symmetric), add_result::contradiction);
    EXPECT_EQ(world.add(likes, ecs::inheritable), add_result::contradiction);
    EXPECT_EQ(world.add(a, likes), add_result::needs_target);
    world.remove(likes, single_source);
    relate(a, c);
    relate(b, c);
    EXPECT_EQ(sources(c).size(), 2U);
    EXPECT_EQ(world.add(likes, single_source), add_result::relation_in_use);
    const entity other = world.spawn();
    world.add(other, ecs::symmetric);
    EXPECT_EQ(world.add(other, single_source), add_result::contradiction);
}

TEST_P(single_sources, is_part_of_a_saved_world) {
    world.set_name(likes, "likes");
    world.set_name(c, "c");
    relate(a, c);
    ecs::world other;
    load(other, save(world));
    const entity relation = other.lookup("likes"), target = other.lookup("c"), e = other.spawn();
    EXPECT_EQ(other.sources(target, relation).size(), 1U);
    EXPECT_EQ(other.add(e, pair(relation, target)), add_result::added);
    EXPECT_EQ(other.sources(target, relation), std::vector{e});
}

using single_source_values = relations;

TEST_F(single_source_values, go_with_the_pair) {
    world.set<wields>(a, c, {1});
    world.set<wields>(b, c, {2});
    EXPECT_EQ(world.try_get<wields>(a, c), nullptr);
    EXPECT_EQ(world.get<wields>(b, c).since, 2);
    world.set<wields>(b, c, {3});
    EXPECT_EQ(world.get<wields>(b, c).since, 3);
    world.set<wields>(b, a, {4});
    EXPECT_TRUE(world.sources<wields>(c).empty()) << "it is exclusive, too";
}

TEST_F(single_source_values, who_sets_it_again_does_not_lose_the_pair) {
    world.set<guards>(a, c, {1});
    int lost = 0;
    auto losses =
        world.observe(ecs::event::removed, pair(world.component<guards>(), any), [&](entity) { ++lost; });
    world.set<guards>(a, c, {2});
    EXPECT_EQ(lost, 0);
    EXPECT_EQ(world.get<guards>(a, c).since, 2);
    losses.end();
}

TEST_F(single_source_values, one_source_may_have_several_targets) {
    world.add(likes, single_source);
    relate(a, b);
    relate(a, c);
    EXPECT_EQ(world.targets(a, likes).size(), 2U);
}

TEST_F(single_source_values, target_may_be_a_number_but_no_object) {
    world.add(likes, single_source);
    for (const entity e : {a, b}) EXPECT_EQ(world.add(e, ecs::value_pair(likes, 7)), add_result::added);
    EXPECT_TRUE(world.ids(a).empty());
    EXPECT_TRUE(world.has(b, ecs::value_pair(likes, 7)));
    int object = 0;
    EXPECT_EQ(world.link(a, likes, object), add_result::target_not_allowed);
}

TEST_F(single_source_values, parent_may_have_one_child) {
    world.add(world.lookup("child_of"), single_source);
    world.set_name(a, "a");
    world.add(a, pair(child_of, c));
    EXPECT_EQ(world.lookup("a"), entity{});
    world.add(b, pair(child_of, c));
    EXPECT_EQ(children_of(world, c), std::vector{b});
    EXPECT_EQ(world.lookup("a"), a);
    const std::vector<entity> born = world.spawn_children(c, 3);
    EXPECT_EQ(children_of(world, c), std::vector{born.back()});
}

TEST_F(single_source_values, world_in_which_a_target_has_two_sources_is_not_loaded) {
    struct owns {};
    for (const bool listed : {false, true}) {
        ecs::world two, one;
        const entity relation = two.component<owns>(), target = two.spawn(), first = two.spawn();
        if (listed) two.add(relation, ecs::non_fragmenting);
        two.add(first, pair(relation, target));
        two.add(two.spawn(), pair(relation, target));
        one.add(one.component<owns>(), single_source);
        EXPECT_THROW(load(one, save(two)), ecs::snapshot_error);
        two.remove(first, pair(relation, target));
        EXPECT_NO_THROW(load(one, save(two)));
    }
}

} // namespace
} // namespace single_source_test
