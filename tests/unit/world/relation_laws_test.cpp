// SPDX-License-Identifier: MIT
// Every property of a relation has its law as the name of a test.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

#include "relations.hpp"

namespace relation_laws_test {
namespace {

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

TEST_F(relations, pair_that_is_refused_for_its_image_is_told_to_nobody) {
    world.add(likes, ecs::symmetric);
    world.add(likes, pair(ecs::one_of, c));
    world.add(b, pair(child_of, c));
    int told = 0;
    world.observe(ecs::event::added, pair(likes, any), [&](const ecs::event_context&) { ++told; });
    EXPECT_EQ(relate(a, b), add_result::target_not_allowed);
    EXPECT_EQ(told, 0);
    world.add(a, pair(child_of, c));
    EXPECT_EQ(relate(a, b), add_result::added);
    EXPECT_EQ(told, 2);
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

TEST_F(relations, query_that_looks_above_finds_the_target_of_a_reflexive_relation_wherever_it_is) {
    world.add(likes, ecs::reflexive);
    world.set(b, health{1}); // So that the table is there, and has been looked at.
    auto query = world.query<const health>().where(ecs::has_id(pair(likes, a)).self_or_up());
    EXPECT_EQ(query.count(), 0U);
    world.set(a, health{2});
    EXPECT_EQ(query.entities(), std::vector{a});
    world.remove<health>(a);
    EXPECT_EQ(query.count(), 0U);
}

TEST_F(relations, query_for_one_target_of_a_reflexive_relation_finds_it_wherever_it_is) {
    world.add(likes, ecs::reflexive);
    world.set(b, health{1}); // So that the tables are there, and have been looked at.
    world.set(c, armour{1});
    auto query = world.query().with(pair(likes, a));
    auto others = world.query<const health>().without(pair(likes, a));
    EXPECT_EQ(query.entities(), std::vector{a});
    EXPECT_EQ(others.entities(), std::vector{b});
    world.set(a, health{2});
    EXPECT_EQ(query.entities(), std::vector{a});
    EXPECT_EQ(others.entities(), std::vector{b});
    world.remove<health>(a);
    world.set(a, armour{2});
    EXPECT_TRUE(query.contains(a));
    EXPECT_EQ(query.entities(), std::vector{a});
    EXPECT_EQ(others.entities(), std::vector{b});
    world.despawn(a);
    EXPECT_EQ(query.count(), 0U);
}

TEST_F(relations, everything_is_what_it_is) {
    const entity kind = world.lookup("is_a");
    EXPECT_TRUE(world.has(kind, ecs::reflexive) && world.has(kind, ecs::acyclic));
    EXPECT_TRUE(world.has(a, pair(is_a, a)));
    EXPECT_FALSE(world.has(a, pair(is_a, b)));
    EXPECT_EQ(world.add(a, pair(is_a, a)), add_result::would_make_a_cycle) << "nothing is stored";
    EXPECT_TRUE(world.targets(a, is_a).empty());
    EXPECT_FALSE(world.has(a, pair(is_a, any)));
    world.add(b, pair(is_a, a));
    world.add(c, pair(is_a, b));
    auto kinds = world.query().with(pair(is_a, a));
    auto others = world.query<const health>().without(pair(is_a, a));
    EXPECT_EQ(sorted(kinds.entities()), (sorted(std::vector{a, b, c})));
    for (const entity e : {a, likes}) world.set(e, health{1});
    EXPECT_EQ(sorted(kinds.entities()), (sorted(std::vector{a, b, c})));
    EXPECT_EQ(others.entities(), std::vector{likes});
    EXPECT_EQ(sorted(world.query().with(pair(is_a, b)).entities()), (sorted(std::vector{b, c})));
    world.add(a, ecs::prefab_tag);
    EXPECT_EQ(sorted(kinds.entities()), (sorted(std::vector{b, c}))) << "a prefab is passed over as always";
    EXPECT_EQ(world.query().with(pair(is_a, a)).with(ecs::prefab_tag).entities(), std::vector{a});
    world.despawn(a);
    EXPECT_FALSE(world.has(a, pair(is_a, a)));
    EXPECT_EQ(kinds.count(), 0U);
}

TEST_F(relations, variable_stands_for_the_entity_itself_among_its_kinds) {
    world.set(b, health{1});
    world.add(b, pair(is_a, a));
    std::vector<entity> kinds;
    world.query<const health>()
        .with(pair(is_a, ecs::var("kind")))
        .each([&](entity, const health&, const ecs::bindings& found) { kinds.push_back(found["kind"]); });
    EXPECT_EQ(sorted(kinds), (sorted(std::vector{a, b})));
}

TEST_F(relations, nothing_but_kinds_is_reflexive_without_a_cycle) {
    EXPECT_EQ(world.add(world.lookup("is_a"), ecs::symmetric), add_result::contradiction);
    world.add(likes, ecs::transitive);
    world.add(likes, ecs::acyclic);
    EXPECT_EQ(world.add(likes, ecs::reflexive), add_result::contradiction);
    const std::vector<std::byte> saved = ecs::save(world);
    ecs::load(world, saved);
    EXPECT_TRUE(world.has(a, pair(is_a, a)) && world.has(world.lookup("is_a"), ecs::reflexive));
}

TEST_F(relations, laws_of_built_in_relations_cannot_be_taken_from_them) {
    const std::vector<std::pair<const char*, std::vector<ecs::builtin>>> laws{
        {"child_of", {ecs::exclusive, ecs::acyclic, ecs::non_fragmenting}},
        {"is_a", {ecs::transitive, ecs::reflexive, ecs::acyclic, ecs::tag_only}},
        {"with", {ecs::acyclic, ecs::tag_only}},
        {"needs", {ecs::acyclic, ecs::tag_only}},
        {"excludes", {ecs::symmetric, ecs::tag_only}},
        {"one_of", {ecs::exclusive, ecs::tag_only}},
        {"on_delete", {ecs::exclusive, ecs::tag_only}},
        {"on_delete_target", {ecs::exclusive, ecs::tag_only}}};
    for (const auto& [relation, all] : laws)
        for (const ecs::builtin law : all) {
            const entity of = world.lookup(relation);
            ASSERT_TRUE(world.has(of, law)) << relation;
            EXPECT_EQ(world.remove(of, law), add_result::is_built_in) << relation;
            EXPECT_EQ(world.edit(of).remove(law).commit(), add_result::is_built_in) << relation;
            EXPECT_TRUE(world.has(of, law)) << relation;
        }
    EXPECT_EQ(
        ecs::to_string(add_result::is_built_in),
        "the library relies on it as it is: a property of a built-in relation, the facts of a component, or "
        "an entity of the world's own");
}

TEST_F(relations, what_was_added_to_a_built_in_relation_can_be_removed) {
    const entity kind = world.lookup("is_a");
    EXPECT_EQ(world.add(kind, ecs::togglable), add_result::added);
    EXPECT_EQ(world.remove(kind, ecs::togglable), add_result::removed);
    EXPECT_EQ(world.remove(kind, ecs::exclusive), add_result::not_there);
}

TEST_F(relations, ring_of_parents_cannot_be_built) {
    std::ignore = world.remove(world.lookup("child_of"), ecs::acyclic);
    world.add(a, pair(child_of, b));
    EXPECT_EQ(world.add(b, pair(child_of, a)), add_result::would_make_a_cycle);
    world.set_name(a, "a");
    world.set_name(b, "b");
    EXPECT_EQ(world.path_of(a), "b/a");
    EXPECT_NE(world.clone_tree(b), b);
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
    EXPECT_EQ(world.try_get(a, pair(likes, world.component<health>())), nullptr);
    const entity wants = world.spawn();
    world.add(a, pair(wants, world.component<health>()));
    EXPECT_NE(world.try_get(a, pair(wants, world.component<health>())), nullptr);
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

TEST_F(relations, final_entity_has_no_instances) {
    world.add(a, ecs::final);
    EXPECT_EQ(world.add(b, pair(is_a, a)), add_result::is_final);
}

TEST_F(relations, final_part_of_a_prefab_has_no_copies_and_the_world_can_be_loaded) {
    const entity prefab = world.prefab("tank"), gun = world.prefab("gun", pair(child_of, prefab));
    const entity crest = world.prefab("crest", pair(child_of, prefab));
    world.add(crest, ecs::final);
    const entity tank = world.spawn(pair(is_a, prefab));
    EXPECT_EQ(children_of(world, tank).size(), 1U);
    EXPECT_TRUE(world.has(children_of(world, tank).front(), pair(is_a, gun)));
    EXPECT_EQ(world.sync(prefab), 0U);
    ecs::world other;
    EXPECT_NO_THROW(ecs::load(other, ecs::save(world)));
}

TEST_F(relations, entity_with_instances_is_not_declared_final) {
    world.add(a, pair(is_a, b));
    EXPECT_EQ(world.add(b, ecs::final), add_result::relation_in_use);
    world.remove(a, pair(is_a, b));
    EXPECT_EQ(world.add(b, ecs::final), add_result::added);
}

TEST_F(relations, what_every_world_has_gets_properties_as_it_is) {
    EXPECT_FALSE(world.has(ecs::child_of, ecs::ordered));
    EXPECT_EQ(world.add(ecs::child_of, ecs::ordered), add_result::added);
    EXPECT_TRUE(world.has(ecs::child_of, ecs::ordered));
    EXPECT_EQ(world.remove(ecs::child_of, ecs::ordered), add_result::removed);
    EXPECT_EQ(world.add(ecs::child_of, pair(ecs::on_delete_target, ecs::remove_it)), add_result::added);
}

TEST_F(relations, a_local_type_gets_its_properties_at_run_time) {
    struct married {};
    const ecs::entity relation = world.component<married>();
    for (const ecs::id property : {ecs::id(ecs::exclusive), ecs::id(ecs::symmetric)})
        EXPECT_EQ(world.add(relation, property), add_result::added);
    world.add<married>(a, b);
    EXPECT_TRUE(world.has<married>(b, a));
    world.add<married>(a, c);
    EXPECT_FALSE(world.has<married>(a, b) || world.has<married>(b, a));
}

TEST_F(relations, togglable_flag_makes_room_for_disabling) {
    world.add(a, ecs::type_flags::togglable | ecs::id(world.component<frozen>()));
    world.add<frozen>(a);
    const std::uint64_t removals = world.rows().cache_version();
    EXPECT_EQ(world.disable<frozen>(a), add_result::disabled);
    EXPECT_EQ(world.rows().cache_version(), removals) << "the table did not change";
    EXPECT_EQ(world.query().with<frozen>().count(), 0U);
    EXPECT_FALSE(world.has(b, ecs::type_flags::togglable | ecs::id(world.component<frozen>())));
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

TEST_F(relations, target_stays_in_its_group_while_somebody_has_it) {
    for (const bool in_column : {false, true}) {
        const entity relation = world.spawn();
        const entity group = world.spawn();
        const entity member = world.spawn();
        if (in_column) world.add(relation, ecs::non_fragmenting);
        world.add(relation, pair(ecs::one_of, group));
        world.add(member, pair(child_of, group));
        world.add(a, pair(relation, member));
        EXPECT_EQ(world.add(member, pair(child_of, b)), add_result::relation_in_use);
        EXPECT_EQ(world.remove(member, pair(child_of, group)), add_result::relation_in_use);
        EXPECT_EQ(world.remove(member, pair(child_of, any)), add_result::relation_in_use);
        EXPECT_EQ(world.add(member, pair(child_of, group)), add_result::already_there);
        EXPECT_EQ(world.parent(member), group);
        world.remove(a, pair(relation, any));
        EXPECT_EQ(world.add(member, pair(child_of, b)), add_result::added);
        EXPECT_EQ(world.add(a, pair(relation, member)), add_result::target_not_allowed);
        world.remove(member, pair(child_of, b));
    }
}

TEST_F(relations, group_that_ends_ends_its_restriction) {
    world.remove(world.lookup("child_of"), pair(ecs::on_delete_target, ecs::delete_it));
    world.add(likes, pair(ecs::one_of, c));
    world.add(b, pair(child_of, c));
    relate(a, b);
    world.despawn(c);
    EXPECT_TRUE(world.alive(b) && related(a, b));
    EXPECT_EQ(relate(b, a), add_result::added);
    EXPECT_EQ(world.add(b, pair(child_of, a)), add_result::added);
}

TEST_F(relations, restriction_that_is_taken_back_lets_targets_leave) {
    world.add(likes, pair(ecs::one_of, c));
    world.add(b, pair(child_of, c));
    relate(a, b);
    EXPECT_EQ(world.remove(likes, pair(ecs::one_of, any)), add_result::removed);
    EXPECT_EQ(world.remove(b, pair(child_of, c)), add_result::removed);
    EXPECT_TRUE(related(a, b));
}

TEST_F(relations, pattern_of_which_something_has_to_stay_is_removed_in_no_part) {
    world.add(likes, pair(ecs::one_of, c));
    world.add(b, pair(child_of, c));
    relate(a, b);
    relate(b, b);
    EXPECT_EQ(world.remove(b, pair(any, any)), add_result::relation_in_use);
    EXPECT_EQ(world.remove(b, pair(any, c)), add_result::relation_in_use);
    EXPECT_TRUE(related(b, b) && world.parent(b) == c);
    world.remove(a, pair(likes, b));
    world.remove(b, pair(likes, b));
    EXPECT_EQ(world.remove(b, pair(any, any)), add_result::removed);
}

TEST_F(relations, tag_only_can_be_declared_and_taken_back_where_nobody_has_a_pair) {
    struct weight {
        int grams;
    };
    const entity valued = world.component<weight>();
    const weight value{1};
    world.add(likes, ecs::tag_only);
    relate(a, valued);
    EXPECT_EQ(world.remove(likes, ecs::tag_only), add_result::relation_in_use);
    world.despawn(a);
    EXPECT_EQ(world.remove(likes, ecs::tag_only), add_result::removed);
    EXPECT_EQ(world.set(b, pair(likes, valued), &value), add_result::added);
    ASSERT_TRUE(world.try_get(b, pair(likes, valued)));
    EXPECT_EQ(world.add(likes, ecs::tag_only), add_result::relation_in_use);
    world.remove(b, pair(likes, valued));
    auto kept = world.query().with(pair(likes, valued));
    EXPECT_EQ(world.add(likes, ecs::tag_only), add_result::added);
    relate(c, valued);
    EXPECT_FALSE(world.try_get(c, pair(likes, valued)));
    EXPECT_EQ(world.set(c, pair(likes, valued), &value), add_result::no_value);
    EXPECT_EQ(kept.entities(), std::vector{c});
}

} // namespace
} // namespace relation_laws_test
