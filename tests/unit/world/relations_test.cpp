// SPDX-License-Identifier: MIT
// Every property of a relation has its law as the name of a test.
#include "parts.hpp"
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

import ecs.world;

namespace {

using ecs::add_result;
using ecs::any;
using ecs::child_of;
using ecs::entity;
using ecs::is_a;
using ecs::pair;

struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    int strength = 1;
};

/// A world with a relation and a handful of entities.
struct relations : testing::Test {
    ecs::world world;
    entity likes = world.spawn();
    entity a = world.spawn();
    entity b = world.spawn();
    entity c = world.spawn();

    bool related(entity from, entity to) const { return world.has(from, pair(likes, to)); }
    add_result relate(entity from, entity to) { return world.add(from, pair(likes, to)); }
};

std::vector<entity> children_of(const ecs::world& world, entity parent) {
    std::vector<entity> found;
    for (const entity child : world.children(parent)) found.push_back(child);
    return found;
}

TEST_F(relations, pairs_of_one_relation_are_kept_side_by_side) {
    EXPECT_EQ(relate(a, b), add_result::added);
    EXPECT_EQ(relate(a, c), add_result::added);
    EXPECT_EQ(relate(a, c), add_result::already_there);
    EXPECT_EQ(sorted(world.targets(a, likes)), (sorted(std::vector{b, c})));
    EXPECT_EQ(world.sources(b, likes), std::vector{a});
    EXPECT_EQ(world.sources(b), std::vector{a});
    EXPECT_TRUE(world.has(a, pair(likes, any)) && world.has(a, pair(any, c)) && world.has(a, pair(any, any)));
    EXPECT_FALSE(world.has(b, pair(any, any)));
    EXPECT_EQ(world.remove(a, pair(likes, b)), add_result::removed);
    EXPECT_EQ(world.remove(a, pair(likes, b)), add_result::not_there);
    EXPECT_EQ(world.remove(a, pair(likes, any)), add_result::removed);
    EXPECT_FALSE(world.has(a, pair(any, any)));
}

TEST_F(relations, filter_term_matches_an_entity_once_and_a_fetching_term_once_for_each_pair) {
    world.set<ecs::pair_of<expiry, health>>(a, {1});
    world.set<ecs::pair_of<expiry, frozen>>(a, {2});
    EXPECT_EQ((world.query().with<ecs::pair_of<expiry, ecs::wildcard>>().count()), 1U);
    EXPECT_EQ((world.query<ecs::pair_of<expiry, ecs::wildcard>>().count()), 2U);
}

TEST_F(relations, setting_a_pair_twice_replaces_its_value) {
    EXPECT_EQ((world.set<ecs::pair_of<expiry, health>>(a, {1})), add_result::added);
    EXPECT_EQ((world.set<ecs::pair_of<expiry, health>>(a, {2})), add_result::already_there);
    EXPECT_EQ((world.get<ecs::pair_of<expiry, health>>(a).seconds), 2);
}

TEST_F(relations, exclusive_relation_has_one_target_and_adding_another_replaces_it) {
    EXPECT_EQ(world.add(likes, ecs::exclusive), add_result::added);
    relate(a, b);
    relate(a, c);
    EXPECT_EQ(world.targets(a, likes), std::vector{c});
    EXPECT_FALSE(related(a, b));
}

TEST_F(relations, symmetric_relation_holds_in_both_directions_or_in_none) {
    world.add(likes, ecs::symmetric);
    relate(a, b);
    EXPECT_TRUE(related(b, a));
    world.remove(b, pair(likes, a));
    EXPECT_FALSE(related(a, b));
    relate(a, a);
    EXPECT_TRUE(related(a, a));
    world.remove(a, pair(likes, a));
    EXPECT_FALSE(related(a, a));
}

TEST_F(relations, symmetric_exclusive_relation_parts_the_partners_of_before) {
    world.add(likes, ecs::exclusive);
    world.add(likes, ecs::symmetric);
    const entity d = world.spawn();
    relate(a, b);
    relate(c, d);
    relate(a, c);
    EXPECT_TRUE(related(a, c) && related(c, a));
    EXPECT_FALSE(world.has(b, pair(likes, any)) || world.has(d, pair(likes, any)));
}

TEST_F(relations, transitive_relation_leads_as_far_as_its_chain) {
    world.add(likes, ecs::transitive);
    relate(a, b);
    relate(b, c);
    EXPECT_TRUE(related(a, c));
    auto query = world.query().with(pair(likes, c));
    EXPECT_EQ(query.count(), 2U);
    relate(c, a);
    EXPECT_TRUE(related(a, a));
    EXPECT_EQ(query.count(), 3U) << "a ring leads everywhere, and a search in it ends";
    world.remove(b, pair(likes, c));
    EXPECT_FALSE(related(a, c));
    EXPECT_EQ(query.count(), 0U);
}

TEST_F(relations, reflexive_relation_relates_everything_to_itself) {
    world.add(likes, ecs::reflexive);
    EXPECT_TRUE(related(a, a));
    EXPECT_FALSE(related(a, b));
    relate(b, a);
    EXPECT_EQ(world.query().with(pair(likes, a)).count(), 2U);
}

TEST_F(relations, acyclic_relation_refuses_the_pair_that_closes_a_cycle) {
    world.add(likes, ecs::acyclic);
    relate(a, b);
    relate(b, c);
    EXPECT_EQ(relate(c, a), add_result::would_make_a_cycle);
    EXPECT_EQ(relate(a, a), add_result::would_make_a_cycle);
    EXPECT_FALSE(world.has(c, pair(any, any)));
    EXPECT_EQ(relate(a, c), add_result::added) << "two ways to one place are no cycle";
}

TEST_F(relations, one_of_restricts_targets_to_the_children_of_a_group) {
    world.add(b, pair(child_of, c));
    EXPECT_EQ(world.add(likes, pair(ecs::one_of, c)), add_result::added);
    EXPECT_EQ(relate(a, b), add_result::added);
    EXPECT_EQ(relate(a, c), add_result::target_not_allowed);
    EXPECT_EQ(world.add(likes, ecs::one_of), add_result::needs_target);
}

TEST_F(relations, with_adds_the_companion_to_the_same_target) {
    const entity knows = world.spawn();
    world.add(likes, pair(ecs::with, knows));
    relate(a, b);
    EXPECT_TRUE(world.has(a, pair(knows, b)));
    world.add(world.component<frozen>(), pair(ecs::with, world.component<health>()));
    world.add<frozen>(c);
    EXPECT_TRUE(world.has<health>(c));
}

TEST_F(relations, tag_only_relation_has_no_value_whatever_its_target_is) {
    world.add(likes, ecs::tag_only);
    world.add(a, pair(likes, world.component<health>()));
    EXPECT_EQ(world.get(a, pair(likes, world.component<health>())), nullptr);
    const entity wants = world.spawn();
    world.add(a, pair(wants, world.component<health>()));
    EXPECT_NE(world.get(a, pair(wants, world.component<health>())), nullptr);
}

TEST_F(relations, ordered_relation_lists_its_sources_in_the_order_in_which_they_came) {
    world.add(likes, ecs::non_fragmenting);
    world.add(likes, ecs::ordered);
    std::vector<entity> came;
    for (int i = 0; i < 6; ++i) relate(came.emplace_back(world.spawn()), a);
    EXPECT_EQ(world.sources(a, likes), came);
    world.despawn(came[1]);
    world.remove(came[3], pair(likes, a));
    EXPECT_EQ(world.sources(a, likes), (std::vector{came[0], came[2], came[4], came[5]}));
    world.despawn(came[0]);
    EXPECT_EQ(world.sources(a, likes), (std::vector{came[2], came[4], came[5]}));
}

TEST_F(relations, non_fragmenting_relation_makes_one_table_for_all_its_targets) {
    EXPECT_EQ(world.add(likes, ecs::non_fragmenting), add_result::added);
    EXPECT_TRUE(world.has(likes, ecs::exclusive)) << "one value in a row is one target";
    relate(a, b);
    const std::size_t tables = world.untyped().tables().size();
    for (int i = 0; i < 100; ++i) relate(world.spawn(), world.spawn());
    EXPECT_EQ(world.untyped().tables().size(), tables);
    EXPECT_TRUE(related(a, b) && world.has(a, pair(likes, any)) && world.has(a, pair(any, b)));
    EXPECT_FALSE(related(a, c) || world.has(a, pair(any, c)));
    EXPECT_EQ(world.query().with(pair(likes, any)).count(), 101U);
    EXPECT_EQ(world.query().with(pair(likes, b)).count(), 1U);
    EXPECT_EQ(world.query().without(pair(likes, b)).with(pair(likes, any)).count(), 100U);
    EXPECT_EQ(relate(a, b), add_result::already_there);
    EXPECT_EQ(relate(a, c), add_result::added);
    EXPECT_EQ(world.targets(a, likes), std::vector{c});
    EXPECT_TRUE(world.sources(b, likes).empty());
    world.despawn(c);
    EXPECT_FALSE(world.has(a, pair(likes, any))) << "a target that ends takes the pair along";
    EXPECT_TRUE(world.alive(a));
}

struct docked {
    int port{};
};

TEST_F(relations, value_of_a_non_fragmenting_pair_goes_with_its_target) {
    const entity dock = world.component<docked>();
    world.add(dock, ecs::non_fragmenting);
    const int seven = 7;
    EXPECT_EQ(world.set(a, pair(dock, b), &seven), add_result::added);
    EXPECT_EQ(*static_cast<int*>(world.get(a, pair(dock, b))), 7);
    EXPECT_EQ(world.get(a, pair(dock, c)), nullptr);
    EXPECT_EQ(world.add(a, pair(dock, c)), add_result::added);
    ASSERT_NE(world.get(a, pair(dock, c)), nullptr);
    world.remove(a, pair(dock, any));
    EXPECT_EQ(world.get(a, pair(dock, c)), nullptr);
    EXPECT_FALSE(world.has(a, dock));
}

TEST_F(relations, final_entity_has_no_instances) {
    world.add(a, ecs::final);
    EXPECT_EQ(world.add(b, pair(is_a, a)), add_result::is_final);
}

TEST_F(relations, contradicting_properties_are_refused) {
    world.add(likes, ecs::symmetric);
    EXPECT_EQ(world.add(likes, ecs::acyclic), add_result::contradiction);
    EXPECT_FALSE(world.has(likes, ecs::acyclic));
    const entity other = world.spawn();
    world.add(other, ecs::acyclic);
    EXPECT_EQ(world.add(other, ecs::reflexive), add_result::contradiction);
}

TEST_F(relations, property_that_existing_pairs_may_break_is_refused) {
    relate(a, b);
    for (const ecs::builtin property : {ecs::exclusive, ecs::symmetric, ecs::acyclic, ecs::non_fragmenting})
        EXPECT_EQ(world.add(likes, property), add_result::relation_in_use);
    world.remove(a, pair(likes, b));
    EXPECT_EQ(world.add(likes, ecs::exclusive), add_result::added);
}

TEST_F(relations, relation_without_a_target_is_refused) {
    world.add(likes, ecs::exclusive);
    EXPECT_EQ(world.add(a, likes), add_result::needs_target);
    EXPECT_EQ(world.add(a, child_of), add_result::needs_target);
    EXPECT_EQ(world.add(a, pair(likes, any)), add_result::wildcard);
}

// Ends.

TEST_F(relations, target_that_ends_takes_its_pairs_along_by_default) {
    relate(a, b);
    relate(c, b);
    world.despawn(b);
    EXPECT_FALSE(world.has(a, pair(likes, any)) || world.has(c, pair(likes, any)));
    EXPECT_TRUE(world.alive(a) && world.alive(c));
}

TEST_F(relations, sources_end_with_their_target_when_the_policy_says_so) {
    world.add(likes, pair(ecs::on_target_end, ecs::delete_it));
    relate(a, b);
    relate(b, c);
    world.despawn(c);
    EXPECT_FALSE(world.alive(a) || world.alive(b));
    EXPECT_TRUE(world.alive(likes));
}

TEST_F(relations, ring_of_sources_ends_as_a_whole) {
    world.add(likes, pair(ecs::on_target_end, ecs::delete_it));
    relate(a, b);
    relate(b, c);
    relate(c, a);
    relate(c, c);
    EXPECT_TRUE(world.despawn(b));
    EXPECT_FALSE(world.alive(a) || world.alive(b) || world.alive(c));
}

TEST_F(relations, end_is_refused_while_a_protected_source_stays) {
    world.add(likes, pair(ecs::on_target_end, ecs::refuse_it));
    relate(a, b);
    EXPECT_FALSE(world.despawn(b));
    EXPECT_TRUE(world.alive(b) && related(a, b));
    world.add(b, pair(child_of, c));
    EXPECT_FALSE(world.despawn(c)) << "nothing ends when something that would end with it may not";
    EXPECT_TRUE(world.alive(b) && world.alive(c));
    world.remove(a, pair(likes, b));
    EXPECT_TRUE(world.despawn(c));
}

TEST_F(relations, relation_that_ends_leaves_no_pair) {
    relate(a, b);
    world.despawn(likes);
    EXPECT_FALSE(world.has(a, pair(any, any)));
    const std::size_t tables = world.untyped().tables().size();
    const entity again = world.spawn();
    EXPECT_NE(again.index(), likes.index()) << "the index of a relation is not used again";
    EXPECT_EQ(world.untyped().tables().size(), tables);
}

TEST_F(relations, relation_that_ends_takes_its_holders_along_when_the_policy_says_so) {
    world.add(likes, pair(ecs::on_end, ecs::delete_it));
    relate(a, b);
    world.despawn(likes);
    EXPECT_FALSE(world.alive(a));
    EXPECT_TRUE(world.alive(b));
}

TEST_F(relations, relation_that_is_its_own_target_ends_like_any_other) {
    world.add(likes, pair(likes, likes));
    relate(a, likes);
    EXPECT_TRUE(world.despawn(likes));
    EXPECT_FALSE(world.has(a, pair(any, any)));
}

TEST_F(relations, nothing_is_left_of_a_thousand_relations_that_ended) {
    relate(a, b);
    world.remove(a, pair(likes, b));
    world.despawn(world.spawn());
    const std::size_t tables = world.untyped().tables().size();
    for (int i = 0; i < 1000; ++i) {
        const entity target = world.spawn();
        relate(a, target);
        world.add(target, pair(likes, target));
        world.despawn(target);
    }
    EXPECT_EQ(world.untyped().tables().size(), tables);
    EXPECT_FALSE(world.has(a, pair(any, any)));
}

TEST_F(relations, kept_query_does_not_take_a_new_entity_for_an_old_target) {
    relate(a, b);
    auto query = world.query().with(pair(any, b));
    EXPECT_EQ(query.count(), 1U);
    world.despawn(b);
    const entity reused = world.spawn();
    ASSERT_EQ(reused.index(), b.index());
    relate(c, reused);
    EXPECT_EQ(query.count(), 0U);
    EXPECT_FALSE(related(c, b));
}

// Hierarchies.

TEST_F(relations, child_ends_with_its_parent_and_leaves_its_list_when_it_goes) {
    world.add(b, pair(child_of, a));
    world.add(c, pair(child_of, a));
    EXPECT_EQ(children_of(world, a), (std::vector{b, c}));
    EXPECT_EQ(world.parent(b), a);
    world.despawn(b);
    EXPECT_EQ(children_of(world, a), std::vector{c});
    world.add(c, pair(child_of, likes));
    EXPECT_TRUE(world.children(a).empty());
    EXPECT_EQ(world.parent(c), likes);
    world.remove(c, pair(child_of, likes));
    EXPECT_EQ(world.parent(c), entity{});
    world.despawn(likes);
    EXPECT_TRUE(world.alive(c));
}

TEST_F(relations, chain_of_a_million_ends_without_recursion) {
    entity last = a;
    for (int i = 0; i < 1'000'000; ++i) {
        const entity next = world.spawn();
        world.add(next, pair(child_of, last));
        last = next;
    }
    EXPECT_EQ(world.add(a, pair(child_of, last)), add_result::would_make_a_cycle);
    EXPECT_TRUE(world.despawn(a));
    EXPECT_FALSE(world.alive(last));
}

TEST_F(relations, children_may_end_while_a_loop_walks_over_them) {
    for (int i = 0; i < 10; ++i) world.add(world.spawn(), pair(child_of, a));
    int seen = 0;
    for (const entity child : world.children(a)) {
        ++seen;
        EXPECT_TRUE(world.despawn(child));
    }
    EXPECT_EQ(seen, 10);
    EXPECT_TRUE(world.children(a).empty());
}

// Names.

TEST_F(relations, name_is_unique_among_the_children_of_a_parent) {
    const entity ship = world.spawn("Ship");
    const entity gun = world.spawn("Gun");
    EXPECT_THROW(world.spawn("Gun"), ecs::name_error);
    world.add(gun, pair(child_of, ship));
    const entity other = world.spawn("Gun");
    EXPECT_EQ(world.add(other, pair(child_of, ship)), add_result::name_taken);
    EXPECT_EQ(world.parent(other), entity{});
    EXPECT_EQ(world.remove(gun, pair(child_of, ship)), add_result::name_taken);
    EXPECT_EQ(world.lookup("Ship/Gun"), gun);
    EXPECT_EQ(world.lookup(ship, "Gun"), gun);
    EXPECT_EQ(world.lookup("Gun"), other);
    EXPECT_EQ(world.path_of(gun), "Ship/Gun");
    EXPECT_EQ(world.lookup("Ship/Gun/Barrel"), entity{});
}

TEST_F(relations, name_goes_with_its_entity) {
    const entity ship = world.spawn("Ship");
    world.set_name(ship, "Boat");
    EXPECT_EQ(world.lookup("Ship"), entity{});
    EXPECT_EQ(world.lookup("Boat"), ship);
    EXPECT_EQ(world.name_of(ship), "Boat");
    world.remove(ship, world.lookup("ecs::name"));
    EXPECT_EQ(world.lookup("Boat"), entity{});
    world.set_name(ship, "Ship");
    world.despawn(ship);
    EXPECT_EQ(world.lookup("Ship"), entity{});
    EXPECT_NO_THROW(world.spawn("Ship"));
}

TEST_F(relations, component_name_is_in_nobodys_way) {
    const entity component = world.component({.name = "Health", .size = 4});
    EXPECT_EQ(world.lookup("Health"), component);
    const entity user = world.spawn("Health");
    EXPECT_EQ(world.lookup("Health"), user);
    world.despawn(user);
    EXPECT_EQ(world.lookup("Health"), component);
}

// Instances.

TEST_F(relations, instance_inherits_until_it_overrides) {
    const entity knight = world.prefab(health{50}, frozen{});
    world.add(a, pair(is_a, knight));
    EXPECT_TRUE(world.has<health>(a) && world.has<frozen>(a));
    EXPECT_EQ(world.get<health>(a).amount, 50);
    auto query = world.query<const health>();
    int total = 0;
    query.each([&](entity e, const health& h) { total += e == a ? h.amount : 1000; });
    EXPECT_EQ(total, 50) << "an instance is seen, a prefab is not";
    world.set(a, health{60});
    EXPECT_EQ(world.get<health>(knight).amount, 50);
    EXPECT_EQ(world.get<health>(a).amount, 60);
    EXPECT_EQ(query.count(), 1U);
    world.remove<health>(a);
    EXPECT_EQ(world.get<health>(a).amount, 50) << "what was overridden comes back";
    world.add<health>(a);
    EXPECT_EQ(world.get<health>(a).amount, 50) << "an override begins as a copy";
    world.despawn(knight);
    EXPECT_FALSE(world.has<frozen>(a));
    EXPECT_TRUE(world.has<health>(a));
}

TEST_F(relations, change_of_a_base_is_seen_by_its_instances) {
    world.add(b, pair(is_a, a));
    auto query = world.query<const health>();
    EXPECT_EQ(query.count(), 0U);
    world.set(a, health{1});
    EXPECT_EQ(query.count(), 2U);
    world.remove<health>(a);
    EXPECT_EQ(query.count(), 0U);
    world.set(a, health{1});
    world.remove(b, pair(is_a, a));
    EXPECT_EQ(query.count(), 1U);
}

TEST_F(relations, variant_inherits_from_its_base_and_overrides_it) {
    const entity knight = world.prefab(health{50}, frozen{});
    const entity paladin = world.prefab(health{80});
    world.add(paladin, pair(is_a, knight));
    world.add(a, pair(is_a, paladin));
    EXPECT_EQ(world.get<health>(a).amount, 80);
    EXPECT_TRUE(world.has<frozen>(a));
    EXPECT_TRUE(world.has(a, pair(is_a, knight))) << "is_a is transitive";
    EXPECT_EQ(world.add(knight, pair(is_a, paladin)), add_result::would_make_a_cycle);
}

TEST_F(relations, instance_of_a_tree_is_a_tree) {
    const entity tank = world.prefab(health{100});
    const entity turret = world.spawn("Turret");
    const entity barrel = world.spawn("Barrel");
    world.add(turret, pair(child_of, tank));
    world.add(barrel, pair(child_of, turret));
    world.set(barrel, expiry{3});
    EXPECT_EQ(world.query<const expiry>().count(), 0U) << "the parts of a prefab are prefabs";
    world.set_name(a, "Tank1");
    world.add(a, pair(is_a, tank));
    const entity own = world.lookup("Tank1/Turret/Barrel");
    ASSERT_TRUE(own);
    EXPECT_NE(own, barrel);
    EXPECT_EQ(world.get<expiry>(own).seconds, 3);
    EXPECT_EQ(world.query<const expiry>().count(), 1U);
    world.despawn(a);
    EXPECT_FALSE(world.alive(own));
    EXPECT_TRUE(world.alive(barrel));
    EXPECT_EQ(world.add(barrel, pair(is_a, tank)), add_result::would_make_a_cycle);
}

TEST_F(relations, inheritable_relation_is_inherited_and_others_are_not) {
    const entity knight = world.prefab();
    const entity hates = world.spawn();
    world.add(likes, ecs::inheritable);
    world.add(knight, pair(likes, b));
    world.add(knight, pair(hates, b));
    world.add(a, pair(is_a, knight));
    EXPECT_TRUE(related(a, b));
    EXPECT_FALSE(world.has(a, pair(hates, b)));
}

TEST_F(relations, auto_override_gives_every_instance_a_value_of_its_own) {
    const entity knight = world.prefab(health{50});
    world.add(knight, ecs::type_flags::auto_override | ecs::id(world.component<health>()));
    world.add(a, pair(is_a, knight));
    world.get<health>(a).amount = 1;
    EXPECT_EQ(world.get<health>(knight).amount, 50);
    world.remove(a, pair(is_a, knight));
    EXPECT_EQ(world.get<health>(a).amount, 1);
}

// Words.

enum class team { red, blue };

TEST_F(relations, number_is_a_target) {
    EXPECT_EQ(world.add(a, ecs::value_pair(likes, team::blue)), add_result::added);
    EXPECT_TRUE(world.has(a, ecs::value_pair(likes, 1)) && world.has(a, pair(likes, any)));
    EXPECT_FALSE(world.has(a, ecs::value_pair(likes, team::red)));
    EXPECT_TRUE(world.targets(a, likes).empty()) << "a number is no entity";
    world.despawn(likes);
    EXPECT_FALSE(world.has(a, ecs::value_pair(likes, team::blue)));
}

TEST_F(relations, flagged_identifier_is_told_from_the_bare_one_and_ends_with_it) {
    const ecs::id flagged = ecs::type_flags::user_1 | ecs::id(b);
    EXPECT_EQ(world.add(a, flagged), add_result::added);
    EXPECT_TRUE(world.has(a, flagged));
    EXPECT_FALSE(world.has(a, b));
    world.despawn(b);
    EXPECT_FALSE(world.has(a, flagged));
    EXPECT_EQ(world.add(a, flagged), add_result::not_alive_id);
}

TEST_F(relations, stale_target_is_not_taken_for_the_owner_of_its_index) {
    world.add(likes, ecs::reflexive);
    world.add(likes, ecs::transitive);
    world.despawn(b);
    const entity owner = world.spawn();
    ASSERT_EQ(owner.index(), b.index());
    relate(a, owner);
    EXPECT_FALSE(related(owner, b) || related(a, b));
    EXPECT_TRUE(related(owner, owner) && related(a, owner));
}

// Ways through a hierarchy.

TEST_F(relations, ways_through_a_tree_meet_everything_below_once) {
    const entity d = world.spawn();
    world.add(b, pair(child_of, a));
    world.add(c, pair(child_of, b));
    world.add(d, pair(child_of, a));
    EXPECT_EQ(world.depth_first(a), (std::vector{b, c, d}));
    EXPECT_EQ(world.breadth_first(a), (std::vector{b, d, c}));
    world.set(a, health{9});
    EXPECT_EQ(world.up(c, world.component<health>()), a);
    ASSERT_NE(world.up<health>(c), nullptr);
    EXPECT_EQ(world.up<health>(c)->amount, 9);
    EXPECT_EQ(world.up<expiry>(c), nullptr);
    world.add(likes, ecs::transitive);
    relate(a, b);
    relate(b, a);
    EXPECT_EQ(world.up(a, world.component<expiry>(), likes), entity{}) << "a ring is walked once";
    EXPECT_EQ(world.breadth_first(a, likes), std::vector{b});
}

TEST_F(relations, target_whose_index_is_spent_never_comes_back) {
    entity target = world.spawn();
    const auto index = target.index();
    const entity first = target;
    while (target.index() == index) {
        relate(a, target);
        world.despawn(target);
        ASSERT_FALSE(world.has(a, pair(likes, any)));
        target = world.spawn();
    }
    EXPECT_EQ(world.status(first), ecs::id_status::retired);
    relate(a, target);
    EXPECT_FALSE(related(a, first));
}

TEST_F(relations, number_cannot_be_the_target_where_only_an_entity_can_follow_the_rules) {
    for (const ecs::id property :
         {ecs::id(ecs::non_fragmenting), ecs::id(ecs::symmetric), pair(ecs::one_of, c)}) {
        const entity relation = world.spawn();
        world.add(relation, property);
        EXPECT_EQ(world.add(a, ecs::value_pair(relation, 3)), add_result::target_not_allowed);
    }
    EXPECT_EQ(world.add(a, ecs::value_pair(child_of, 3)), add_result::target_not_allowed);
    EXPECT_EQ(world.add(a, ecs::value_pair(is_a, 3)), add_result::target_not_allowed);
}

TEST_F(relations, number_is_not_taken_for_the_entity_of_that_index) {
    world.add(a, ecs::value_pair(likes, static_cast<std::uint32_t>(b.index())));
    EXPECT_FALSE(world.target_of(a, likes));
    EXPECT_TRUE(world.targets(a, likes).empty());
    std::size_t in_group = 0;
    world.query().group_by(likes).each_in_group(b, [&](entity) { ++in_group; });
    EXPECT_EQ(in_group, 0U);
}

TEST_F(relations, way_up_leads_over_every_target) {
    world.add<frozen>(c);
    relate(a, world.spawn());
    relate(a, b);
    relate(b, a);
    relate(b, c);
    EXPECT_EQ(world.up(a, world.component<frozen>(), likes), c);
    EXPECT_FALSE(world.up(a, world.component<health>(), likes));
}

TEST_F(relations, pattern_has_the_first_value_of_what_it_stands_for) {
    world.set<ecs::pair_of<expiry, frozen>>(a, expiry{4});
    const entity relation = world.component<expiry>();
    EXPECT_EQ(world.get(a, pair(relation, any)), (&world.get<ecs::pair_of<expiry, frozen>>(a)));
    EXPECT_EQ((world.get<ecs::pair_of<expiry, ecs::wildcard>>(a).seconds), 4);
    relate(b, a);
    EXPECT_EQ(world.get(b, pair(likes, any)), nullptr);
    const entity heir = world.spawn();
    world.add(relation, ecs::inheritable);
    world.add(heir, pair(is_a, a));
    EXPECT_EQ((world.get<ecs::pair_of<expiry, ecs::wildcard>>(heir).seconds), 4);
}

TEST_F(relations, value_for_any_relation_is_the_targets_own) {
    world.set<ecs::pair_of<expiry, health>>(a, expiry{1});
    world.set<ecs::pair_of<frozen, health>>(b, health{2});
    using any_health = ecs::pair_of<ecs::wildcard, health>;
    EXPECT_EQ(world.try_get<any_health>(a), nullptr) << "(expiry, health) has a value of expiry";
    EXPECT_EQ(world.get<any_health>(b).amount, 2);
    int found = 0;
    world.query<const any_health>().each([&](entity, const health& h) { found += h.amount; });
    EXPECT_EQ(found, 2);
}

TEST_F(relations, link_in_a_column_is_nobodys_value) {
    relate(a, b);
    world.add(a, pair(child_of, b));
    std::uint64_t bytes[2]{};
    EXPECT_EQ(world.get(a, pair(child_of, any)), nullptr);
    EXPECT_EQ(world.set(a, pair(child_of, any), bytes), add_result::wildcard);
    EXPECT_EQ(world.disable(a, pair(child_of, any)), add_result::wildcard);
    EXPECT_EQ(world.parent(a), b);
}

TEST_F(relations, pair_in_a_column_cannot_be_disabled) {
    world.add(a, pair(child_of, b));
    EXPECT_EQ(world.disable(a, pair(child_of, b)), add_result::contradiction);
    EXPECT_EQ(world.disable(a, pair(child_of, c)), add_result::not_there);
}

TEST_F(relations, value_of_a_pair_in_a_column_is_no_component) {
    const entity timed = world.component<expiry>();
    world.add(timed, ecs::non_fragmenting);
    const expiry value{3};
    world.set(a, pair(timed, b), &value);
    EXPECT_FALSE(world.has(a, timed));
    EXPECT_EQ(world.remove(a, timed), add_result::not_there);
    EXPECT_EQ(world.add(a, timed), add_result::needs_target);
    EXPECT_EQ(world.set(a, timed, &value), add_result::needs_target);
    EXPECT_EQ(world.query<const expiry>().count(), 0U);
    EXPECT_EQ(static_cast<expiry*>(world.get(a, pair(timed, b)))->seconds, 3);
}

TEST_F(relations, entity_with_instances_is_not_declared_final) {
    world.add(a, pair(is_a, b));
    EXPECT_EQ(world.add(b, ecs::final), add_result::relation_in_use);
    world.remove(a, pair(is_a, b));
    EXPECT_EQ(world.add(b, ecs::final), add_result::added);
}

TEST_F(relations, inherited_target_is_a_target) {
    world.add(likes, ecs::inheritable);
    relate(b, c);
    world.add(a, pair(is_a, b));
    EXPECT_EQ(world.target_of(a, likes), c);
    EXPECT_EQ(world.targets(a, likes), std::vector{c});
    relate(a, b);
    EXPECT_EQ(world.targets(a, likes), (std::vector{b, c}));
    EXPECT_EQ(world.target_of(a, likes), b);
}

TEST_F(relations, pair_of_an_exclusive_relation_hides_the_inherited_one) {
    for (const ecs::builtin property : {ecs::exclusive, ecs::non_fragmenting}) {
        const entity relation = world.spawn();
        world.add(relation, property);
        world.add(relation, ecs::inheritable);
        const entity from = world.spawn();
        const entity heir = world.spawn();
        world.add(from, pair(relation, c));
        world.add(heir, pair(is_a, from));
        EXPECT_TRUE(world.has(heir, pair(relation, c)));
        EXPECT_EQ(world.target_of(heir, relation), c);
        auto query = world.query().with(pair(relation, c)).with(pair(is_a, from));
        EXPECT_EQ(query.count(), 1U);
        world.add(heir, pair(relation, a));
        EXPECT_FALSE(world.has(heir, pair(relation, c)));
        EXPECT_EQ(world.targets(heir, relation), std::vector{a});
        EXPECT_EQ(query.count(), 0U);
        world.remove(heir, pair(relation, any));
        EXPECT_EQ(query.count(), 1U);
        world.add(from, pair(relation, a));
        EXPECT_EQ(query.count(), 0U) << "the base has another target";
    }
}

TEST_F(relations, togglable_flag_makes_room_for_disabling) {
    world.add(a, ecs::type_flags::togglable | ecs::id(world.component<frozen>()));
    world.add<frozen>(a);
    const std::uint64_t removals = world.untyped().removals();
    EXPECT_EQ(world.disable<frozen>(a), add_result::already_there);
    EXPECT_EQ(world.untyped().removals(), removals) << "the table did not change";
    EXPECT_EQ(world.query().with<frozen>().count(), 0U);
    EXPECT_FALSE(world.has(b, ecs::type_flags::togglable | ecs::id(world.component<frozen>())));
}

TEST_F(relations, override_of_what_is_kept_outside_tables_begins_with_a_copy) {
    const entity prefab = world.prefab(buff{5});
    world.add(a, pair(is_a, prefab));
    EXPECT_FALSE(world.has<buff>(a)) << "it is nobody's but its owner's";
    world.add<buff>(a);
    EXPECT_EQ(world.get<buff>(a).strength, 5);
    world.add(prefab, ecs::type_flags::auto_override | ecs::id(world.component<buff>()));
    world.add(b, pair(is_a, prefab));
    EXPECT_EQ(world.get<buff>(b).strength, 5);
}

TEST_F(relations, new_target_from_below_closes_a_cycle_and_is_refused) {
    const entity contains = world.spawn();
    for (const ecs::builtin property : {ecs::exclusive, ecs::acyclic}) world.add(contains, property);
    for (const ecs::id relation : {ecs::id(contains), ecs::id(child_of)}) {
        world.add(a, pair(relation, b));
        world.add(c, pair(relation, a));
        EXPECT_EQ(world.add(a, pair(relation, c)), add_result::would_make_a_cycle);
        EXPECT_EQ(world.add(b, pair(relation, c)), add_result::would_make_a_cycle);
        EXPECT_EQ(world.target_of(a, relation), b);
        EXPECT_EQ(world.sources(b, relation), std::vector{a});
    }
}

TEST_F(relations, pair_that_is_refused_for_its_image_is_told_to_nobody) {
    world.add(likes, ecs::symmetric);
    world.add(likes, pair(ecs::one_of, c));
    world.add(b, pair(child_of, c));
    int told = 0;
    world.observe(ecs::event::added, pair(likes, any), [&](const ecs::occurrence&) { ++told; });
    EXPECT_EQ(relate(a, b), add_result::target_not_allowed);
    EXPECT_EQ(told, 0);
    world.add(a, pair(child_of, c));
    EXPECT_EQ(relate(a, b), add_result::added);
    EXPECT_EQ(told, 2);
}

TEST_F(relations, pair_of_a_variant_hides_that_of_its_base) {
    world.add(likes, ecs::exclusive);
    world.add(likes, ecs::inheritable);
    const entity base = world.prefab();
    const entity variant = world.prefab();
    world.add(base, pair(likes, b));
    world.add(variant, pair(is_a, base));
    world.add(variant, pair(likes, c));
    world.add(a, pair(is_a, variant));
    EXPECT_TRUE(related(a, c));
    EXPECT_FALSE(related(a, b));
    EXPECT_EQ(world.targets(a, likes), std::vector{c});
}

TEST_F(relations, end_of_a_target_is_seen_by_the_instances_of_its_source) {
    world.add(likes, ecs::non_fragmenting);
    world.add(likes, ecs::inheritable);
    const entity base = world.prefab();
    world.add(base, pair(likes, b));
    world.add(a, pair(is_a, base));
    auto query = world.query().with(pair(likes, any));
    EXPECT_EQ(query.count(), 1U);
    world.despawn(b);
    EXPECT_EQ(query.count(), 0U);
}

} // namespace
