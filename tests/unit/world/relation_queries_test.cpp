// SPDX-License-Identifier: MIT
// Queries that follow relations: what a wildcard matched, parents before children, variables.
#include "parts.hpp"
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

import ecs.world;

namespace relation_queries_test {
namespace {

using ecs::any;
using ecs::child_of;
using ecs::entity;
using ecs::matched;
using ecs::pair;
using ecs::var;

struct debt {
    static constexpr auto properties = ecs::properties(ecs::inheritable);
    int amount = 0;
};
struct inside {
    static constexpr auto properties = ecs::properties(ecs::non_fragmenting);
    int slot = 0;
};

struct rung {
    static constexpr auto properties = ecs::properties(ecs::non_fragmenting, ecs::transitive);
    int number = 0;
};
struct top {};
struct beside {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value = 0;
};

struct docked_at {
    static constexpr auto properties = ecs::properties(ecs::exclusive);
};
struct part_of {
    static constexpr auto properties = ecs::properties(ecs::exclusive, ecs::acyclic);
};
struct near_to {};

using edges = std::set<std::pair<entity, entity>>;
using amount_of_each = std::map<entity, int>;

/// What the query hands out of each entity that it finds.
amount_of_each amounts_of(auto query) {
    amount_of_each found;
    query.each([&](entity e, const armour& above) { found[e] = above.amount; });
    return found;
}

struct relation_queries : testing::Test {
    ecs::world world;
    entity likes = world.spawn();
    entity a = world.spawn();
    entity b = world.spawn();
    entity c = world.spawn();
    entity d = world.spawn();

    void relate(entity from, ecs::id relation, entity to) { world.add(from, pair(relation, to)); }
};

// What a wildcard matched.

TEST_F(relation_queries, with_variables_find_nobody_when_the_relation_has_ended) {
    relate(a, likes, b);
    world.add<top>(c);
    const entity owes = world.component<debt>();
    world.set<debt>(a, b, {1});
    auto kept = world.query<>().with(pair(likes, var("x")));
    auto both = world.query<>().with(pair(owes, var("x"))).with(pair(likes, var("x")));
    auto without = world.query<top>().without(pair(likes, b)).with(pair(var("r"), var("y")));
    EXPECT_EQ(kept.count(), 1U);
    EXPECT_EQ(both.count(), 1U);
    world.despawn(likes);
    EXPECT_EQ(kept.count(), 0U);
    EXPECT_EQ(both.count(), 0U);
    EXPECT_EQ(without.count(), 0U);
    EXPECT_NE(kept.explain(), "");
    world.clear();
    EXPECT_EQ(both.count(), 0U);
}

TEST_F(relation_queries, matched_target_is_handed_out_once_for_each_pair) {
    relate(a, likes, b);
    relate(a, likes, c);
    relate(b, likes, c);
    edges found;
    auto query = world.query<matched>().with(pair(likes, any));
    query.each([&](entity e, matched m) {
        EXPECT_EQ(m.relation, likes);
        EXPECT_EQ(m.pair, pair(likes, m.target));
        EXPECT_TRUE(found.emplace(e, m.target).second);
    });
    EXPECT_EQ(found, (edges{{a, b}, {a, c}, {b, c}}));
    edges again;
    for (auto [e, m] : query) again.emplace(e, m.target);
    EXPECT_EQ(again, found);
    EXPECT_EQ(query.count(), 3U);
    EXPECT_EQ(world.query().with(pair(likes, any)).count(), 2U) << "nobody asks: once for each entity";
}

TEST_F(relation_queries, matched_target_of_a_relation_in_a_column_is_that_of_the_row) {
    relate(b, child_of, a);
    relate(c, child_of, a);
    relate(d, child_of, b);
    edges found;
    world.query<const matched>().with(pair(child_of, any)).each([&](entity e, const matched& m) {
        found.emplace(e, m.target);
    });
    EXPECT_EQ(found, (edges{{b, a}, {c, a}, {d, b}}));
}

TEST_F(relation_queries, matched_relation_is_handed_out_for_any_relation) {
    const entity fears = world.spawn();
    relate(a, likes, d);
    relate(a, fears, d);
    relate(b, child_of, d);
    relate(c, child_of, a);
    relate(c, likes, b);
    edges found;
    auto query = world.query<matched>().with(pair(any, d));
    query.each([&](entity e, matched m) {
        EXPECT_EQ(m.target, d);
        found.emplace(e, m.relation);
    });
    EXPECT_EQ(found, (edges{{a, likes}, {a, fears}, {b, world.lookup("child_of")}}));
    EXPECT_EQ(query.count(), 3U);
}

TEST_F(relation_queries, each_wildcard_has_its_own_match) {
    const entity fears = world.spawn();
    relate(a, likes, b);
    relate(a, likes, c);
    relate(a, fears, d);
    relate(b, likes, c);
    edges found;
    world.query<ecs::matched_nth<1>, matched>()
        .with(pair(likes, any))
        .with(pair(fears, any))
        .each([&](ecs::matched_nth<1> feared, matched liked) { found.emplace(liked.target, feared.target); });
    EXPECT_EQ(found, (edges{{b, d}, {c, d}}));
}

TEST_F(relation_queries, each_of_two_equal_wildcards_has_its_own_match) {
    relate(a, likes, b);
    relate(a, likes, c);
    edges found;
    auto query = world.query<ecs::matched_nth<1>, matched>().with(pair(likes, any)).with(pair(likes, any));
    query.each([&](ecs::matched_nth<1> other, matched one) { found.emplace(one.target, other.target); });
    EXPECT_EQ(found, (edges{{b, b}, {b, c}, {c, b}, {c, c}}));
    EXPECT_EQ(query.with(pair(likes, any)).count(), 4U) << "no third match is handed out";
}

TEST_F(relation_queries, match_without_a_wildcard_is_refused) {
    auto query = world.query<matched>().with(likes);
    world.add(a, likes);
    EXPECT_THROW(query.each([](matched) {}), std::invalid_argument);
}

TEST_F(relation_queries, fetched_value_comes_with_its_match) {
    world.set<ecs::pair_of<expiry, health>>(a, {1});
    world.set<ecs::pair_of<expiry, armour>>(a, {2});
    float total = 0;
    world.query<const ecs::pair_of<expiry, ecs::wildcard>, matched>().each([&](const expiry& e, matched m) {
        EXPECT_EQ(m.target, e.seconds == 1 ? world.component<health>() : world.component<armour>());
        total += e.seconds;
    });
    EXPECT_EQ(total, 3);
}

TEST_F(relation_queries, value_of_a_pair_in_a_column_is_the_relations_not_the_link) {
    const inside seven{7};
    const inside eight{8};
    world.set(a, pair(world.component<inside>(), c), &seven);
    world.set(b, pair(world.component<inside>(), world.component<health>()), &eight);
    std::set<std::pair<int, entity>> found;
    world.query<const ecs::pair_of<inside, ecs::wildcard>, matched>().each(
        [&](const inside& value, matched m) { found.emplace(value.slot, m.target); });
    EXPECT_EQ(found, (std::set<std::pair<int, entity>>{{7, c}, {8, world.component<health>()}}));
    int slots = 0;
    world.query<const ecs::pair_of<inside, health>>().each([&](const inside& value) { slots += value.slot; });
    EXPECT_EQ(slots, 8) << "only the row with that target";
    int missing = 0;
    world.query<entity, const ecs::pair_of<inside, health>*>()
        .with(pair(world.component<inside>(), any))
        .each([&](entity e, const inside* value) {
            if (!value) ++missing;
            EXPECT_EQ(value == nullptr, e == a);
        });
    EXPECT_EQ(missing, 1);
}

TEST_F(relation_queries, target_in_a_column_is_found_beside_a_hidden_pair) {
    relate(a, child_of, d);
    relate(a, likes, d);
    relate(b, likes, d);
    world.disable(a, pair(likes, d));
    world.disable(b, pair(likes, d));
    EXPECT_EQ(world.query().with(pair(any, d)).entities(), std::vector{a});
    EXPECT_FALSE(world.query().without(pair(any, d)).contains(a));
    EXPECT_TRUE(world.query().up(pair(child_of, any), likes).empty()) << "nobody above has a parent";
    edges found;
    world.query<matched>().with(pair(any, d)).each([&](entity e, matched m) {
        found.emplace(e, m.relation);
    });
    EXPECT_EQ(found, (edges{{a, world.lookup("child_of")}}));
}

TEST_F(relation_queries, inherited_pair_is_matched_with_its_target) {
    world.add(likes, ecs::inheritable);
    const entity prefab = world.prefab();
    relate(prefab, likes, d);
    relate(a, ecs::is_a, prefab);
    edges found;
    world.query<matched>().with(pair(likes, any)).each([&](entity e, matched m) {
        found.emplace(e, m.target);
    });
    EXPECT_EQ(found, (edges{{a, d}}));
}

TEST_F(relation_queries, each_inherited_pair_is_matched_beside_those_of_the_entity) {
    const entity owes = world.component<debt>();
    const entity prefab = world.prefab();
    world.set<debt>(prefab, prefab, debt{1}); // Each instance gets one of its own, to itself.
    world.set<debt>(prefab, c, debt{2});
    world.set<debt>(prefab, d, debt{3});
    relate(a, ecs::is_a, prefab);
    relate(b, ecs::is_a, prefab);
    world.set<debt>(b, d, debt{4});
    std::set<std::tuple<entity, entity, int>> found;
    world.query<const ecs::pair_of<debt, ecs::wildcard>, matched>().each(
        [&](entity e, const debt& value, matched m) { found.emplace(e, m.target, value.amount); });
    EXPECT_EQ(found, (std::set<std::tuple<entity, entity, int>>{
                         {a, a, 1}, {a, c, 2}, {a, d, 3}, {b, b, 1}, {b, c, 2}, {b, d, 4}}));
    EXPECT_EQ(world.query<matched>().with(pair(owes, any)).count(), 6U);
    EXPECT_EQ(world.query().with(pair(owes, any)).count(), 2U);
    auto changed = world.query().changed(pair(owes, c));
    changed.mark_seen();
    world.query<ecs::pair_of<debt, ecs::wildcard>>().each([](debt&) {});
    EXPECT_TRUE(changed.contains(a)) << "the base's value was handed out";
}

TEST_F(relation_queries, hidden_pair_is_what_no_pattern_stands_for) {
    const ecs::id pattern = pair(likes, any);
    relate(a, likes, d);
    relate(b, child_of, a);
    const auto expect = [&](std::size_t above, std::size_t itself, bool of_one, std::size_t joined) {
        EXPECT_EQ(world.query().up(pattern).count(), above);
        EXPECT_EQ(world.query().where(ecs::has_id(pattern).self_or_up()).count(), itself);
        EXPECT_EQ(world.query().where(ecs::has_id(pattern).of(a)).contains(c), of_one);
        EXPECT_EQ(world.query().with(pair(child_of, ecs::var("x"))).with(pattern, ecs::var("x")).count(),
                  joined);
    };
    world.disable(a, pair(likes, d));
    expect(0, 0, false, 0);
    relate(a, likes, c);
    expect(1, 2, true, 1);
}

TEST_F(relation_queries, who_hides_a_pair_shows_the_others_that_it_inherits) {
    world.add(likes, ecs::inheritable);
    world.set_name(likes, "likes");
    const ecs::id pattern = pair(likes, any);
    const entity base = world.prefab();
    relate(base, likes, c);
    relate(a, ecs::is_a, base);
    relate(a, likes, d);
    relate(b, child_of, a);
    world.disable(a, pair(likes, d));
    EXPECT_TRUE(world.is_enabled(a, pattern));
    auto query = world.query().with(pattern);
    EXPECT_EQ(query.entities(), std::vector{a});
    EXPECT_FALSE(world.query().without(pattern).contains(a));
    EXPECT_EQ(world.query().up(pattern).entities(), std::vector{b});
    EXPECT_TRUE(world.query().where(ecs::has_id(pattern).of(a)).contains(c));
    edges found;
    world.query<const matched>().with(pattern).each(
        [&](entity e, const matched& m) { found.emplace(e, m.target); });
    EXPECT_EQ(found, (edges{{a, c}}));
    for (const char* const text : {"(likes, *)", "(likes, _)"})
        world.query(text).each([&](const ecs::text_match& m) {
            EXPECT_EQ(m.word(0), pair(likes, c)) << text;
            EXPECT_EQ(m.source(0), base) << text;
        });
    world.remove(base, pair(likes, c));
    EXPECT_FALSE(world.is_enabled(a, pattern));
    EXPECT_EQ(query.count(), 0U);
}

// Parents before children.

TEST_F(relation_queries, cascade_visits_parents_before_their_children) {
    std::vector<entity> tree;
    for (int i = 0; i < 200; ++i) tree.push_back(world.spawn(health{i}));
    for (std::size_t i = 0; i + 1 < tree.size(); ++i) // The last ones are the parents.
        relate(tree[i], child_of, tree[std::min(tree.size() - 1, i + 1 + i % 7)]);
    auto query = world.query<const health>().cascade();
    std::set<entity> seen;
    query.each([&](entity e, const health&) {
        const entity parent = world.parent(e);
        EXPECT_TRUE(!parent || seen.contains(parent));
        seen.insert(e);
    });
    EXPECT_EQ(seen.size(), tree.size());
    seen.clear();
    relate(tree[199], child_of, a);
    world.remove(tree[100], pair(child_of, any));
    relate(tree[199], child_of, tree[100]);
    for (auto [e, h] : query) {
        const entity parent = world.parent(e);
        EXPECT_TRUE(parent == a || !parent || seen.contains(parent));
        seen.insert(e);
    }
    EXPECT_EQ(seen.size(), tree.size());
}

TEST_F(relation_queries, cascade_follows_the_longest_way) {
    world.add(likes, ecs::acyclic);
    for (const entity e : {d, c, b, a}) world.set(e, health{static_cast<int>(e.index())});
    relate(a, likes, b);
    relate(a, likes, d);
    relate(b, likes, c);
    relate(c, likes, d);
    EXPECT_EQ(world.query<const health>().cascade(likes).entities(), (std::vector{d, c, b, a}));
    const entity loves = world.spawn();
    EXPECT_THROW(std::ignore = world.query<const health>().cascade(loves), std::invalid_argument);
}

TEST_F(relation_queries, siblings_are_sorted_within_a_cascade) {
    for (const auto& [e, amount] : {std::pair{a, 9}, {b, 3}, {c, 1}, {d, 0}}) world.set(e, health{amount});
    relate(b, child_of, a);
    relate(c, child_of, a);
    relate(d, child_of, b);
    auto query = world.query<const health>().cascade().sort_by<health>(
        [](const health& x, const health& y) { return x.amount < y.amount; });
    EXPECT_EQ(query.entities(), (std::vector{a, c, b, d}));
}

TEST_F(relation_queries, up_hands_out_the_component_of_the_nearest_ancestor) {
    world.set(a, armour{1});
    world.set(b, armour{2});
    relate(b, child_of, a);
    relate(c, child_of, b);
    relate(d, child_of, c);
    std::set<std::pair<entity, int>> found;
    world.query<entity, ecs::up<const armour>>().each(
        [&](entity e, const armour& above) { found.emplace(e, above.amount); });
    EXPECT_EQ(found, (std::set<std::pair<entity, int>>{{b, 1}, {c, 2}, {d, 2}}));
    EXPECT_EQ(world.query().up(world.component<armour>()).count(), 3U);
    EXPECT_EQ(world.query<const armour>().up(world.component<armour>()).count(), 1U);
    world.remove<armour>(a);
    EXPECT_EQ(world.query().up(world.component<armour>()).count(), 2U);
}

TEST_F(relation_queries, up_finds_the_value_of_each_parent_where_neighbours_have_different_ones) {
    const entity base = world.prefab(armour{5});
    const entity has_it = a, has_it_elsewhere = b, hides_it = c, inherits_it = d, has_none = world.spawn();
    world.set(has_it, armour{1});
    world.set(has_it_elsewhere, armour{2}, health{});
    world.set(hides_it, armour{3});
    world.disable<armour>(hides_it);
    relate(hides_it, child_of, has_it_elsewhere);
    relate(inherits_it, ecs::is_a, base);
    const std::map<entity, int> expected{
        {has_it, 1}, {has_it_elsewhere, 2}, {hides_it, 2}, {inherits_it, 5}, {has_none, 0}};
    std::map<entity, int> wanted; // 0: nothing.
    for (int i = 0; i < 40; ++i)
        for (const auto& [parent, amount] : expected) {
            const entity child = world.spawn(frozen{});
            relate(child, child_of, parent);
            wanted[child] = amount;
        }
    std::map<entity, int> found, found_or_none, found_from_itself;
    world.query<entity, ecs::up<const armour>>().with<frozen>().each(
        [&](entity e, const armour& above) { found[e] = above.amount; });
    world.query<entity, ecs::up<const armour*>>().with<frozen>().each(
        [&](entity e, const armour* above) { found_or_none[e] = above ? above->amount : 0; });
    EXPECT_EQ(found_or_none, wanted);
    std::erase_if(wanted, [](const auto& of) { return of.second == 0; });
    EXPECT_EQ(found, wanted);
    world.query<entity, ecs::self_or_up<const armour>>().with<frozen>().each(
        [&](entity e, const armour& above) { found_from_itself[e] = above.amount; });
    EXPECT_EQ(found_from_itself, wanted);
    for (const auto& [child, amount] : wanted) world.set(child, armour{10 * amount});
    world.query<entity, ecs::self_or_up<const armour>>().with<frozen>().each(
        [&](entity e, const armour& above) { EXPECT_EQ(above.amount, 10 * wanted[e]); });
}

TEST_F(relation_queries, up_hands_out_what_it_has_found_when_that_is_hidden_meanwhile) {
    world.set(a, armour{1});
    world.set(b, armour{2});
    for (int i = 0; i < 10; ++i) relate(world.spawn(frozen{}), child_of, i % 2 == 0 ? a : b);
    const auto amounts_when_hiding = [&](auto query) {
        std::vector<int> amounts;
        query.each([&](const armour& above) {
            amounts.push_back(above.amount);
            world.disable<armour>(a);
            world.disable<armour>(b);
        });
        world.enable<armour>(a);
        world.enable<armour>(b);
        return amounts;
    };
    const std::vector<int> all{1, 2, 1, 2, 1, 2, 1, 2, 1, 2};
    EXPECT_EQ(amounts_when_hiding(world.query<ecs::up<const armour>>().with<frozen>()), all);
    EXPECT_EQ(amounts_when_hiding(world.query<ecs::self_or_up<const armour>>().with<frozen>()), all);
}

TEST_F(relation_queries, up_hands_out_what_is_kept_outside_tables) {
    world.set(a, beside{3});
    world.set(d, beside{4});
    relate(b, child_of, a);
    std::set<std::pair<entity, int>> found;
    world.query<entity, ecs::up<const beside>>().each(
        [&](entity e, const beside& above) { found.emplace(e, above.value); });
    EXPECT_EQ(found, (std::set<std::pair<entity, int>>{{b, 3}}));
    world.disable<beside>(a);
    EXPECT_EQ(world.query().up(world.component<beside>()).count(), 0U);
}

TEST_F(relation_queries, up_hands_out_the_value_of_a_pair) {
    world.set<ecs::pair_of<armour, frozen>>(a, armour{4});
    relate(b, child_of, a);
    int amount = 0;
    world.query<ecs::up<const ecs::pair_of<armour, frozen>>>().each(
        [&](const armour& above) { amount = above.amount; });
    EXPECT_EQ(amount, 4);
}

TEST_F(relation_queries, up_passes_over_whoever_hides_the_component) {
    world.set(a, armour{1});
    world.set(b, armour{2});
    relate(b, child_of, a);
    relate(c, child_of, b);
    const auto found_above = [&] {
        int amount = 0;
        world.query<ecs::up<const armour>>().with(pair(child_of, b)).each([&](const armour& above) {
            amount = above.amount;
        });
        return amount;
    };
    EXPECT_EQ(found_above(), 2);
    world.disable<armour>(b);
    EXPECT_EQ(found_above(), 1);
    world.disable<armour>(a);
    EXPECT_EQ(found_above(), 0);
    EXPECT_EQ(world.query().up(world.component<armour>()).count(), 0U);
    EXPECT_EQ(world.up<armour>(c)->amount, 2) << "who has it, a query or not";
}

// Along a relation that is a type.

/// A ship in a port, a part of the ship that has a value of its own, and somebody elsewhere.
template <class R> void expect_values_along(ecs::world& world) {
    const entity port = world.spawn(armour{1}, frozen{});
    const entity ship = world.spawn(frozen{});
    const entity part = world.spawn(armour{3}, frozen{});
    const entity elsewhere = world.spawn(frozen{});
    world.add<R>(ship, port);
    world.add<R>(part, ship);
    world.add(elsewhere, pair(child_of, part));
    EXPECT_EQ(amounts_of(world.query<ecs::up<const armour, R>>()), (amount_of_each{{ship, 1}, {part, 1}}));
    EXPECT_EQ(amounts_of(world.query<ecs::self_or_up<const armour, R>>()),
              (amount_of_each{{port, 1}, {ship, 1}, {part, 3}}));
    amount_of_each found_or_none;
    world.query<const frozen, ecs::up<const armour*, R>>().each(
        [&](entity e, const frozen&, const armour* above) { found_or_none[e] = above ? above->amount : 0; });
    EXPECT_EQ(found_or_none, (amount_of_each{{port, 0}, {ship, 1}, {part, 1}, {elsewhere, 0}}));
    world.query<ecs::without<armour>, ecs::up<armour, R>>().each([](armour& above) { above.amount += 10; });
    EXPECT_EQ(world.get<armour>(port).amount, 11);
}

TEST_F(relation_queries, up_goes_along_an_exclusive_relation_that_is_a_type) {
    expect_values_along<docked_at>(world);
}
TEST_F(relation_queries, up_goes_along_an_acyclic_relation_that_is_a_type) {
    expect_values_along<part_of>(world);
}
TEST_F(relation_queries, up_goes_along_a_non_fragmenting_relation_that_is_a_type) {
    expect_values_along<inside>(world);
}
TEST_F(relation_queries, up_goes_along_a_relation_of_several_targets_that_is_a_type) {
    expect_values_along<near_to>(world);
}

TEST_F(relation_queries, up_along_two_relations_hands_out_a_value_for_each) {
    world.set(a, armour{1});
    world.set(b, armour{2});
    relate(c, child_of, a);
    relate(d, child_of, a);
    auto both = world.query<entity, ecs::up<const armour>, ecs::up<const armour, docked_at>>();
    EXPECT_EQ(both.count(), 0U) << "nobody is docked yet";
    world.add<docked_at>(c, b);
    std::vector<std::tuple<entity, int, int>> found;
    both.each([&](entity e, const armour& parent, const armour& dock) {
        found.emplace_back(e, parent.amount, dock.amount);
    });
    EXPECT_EQ(found, (std::vector{std::tuple{c, 1, 2}}));
    world.add<docked_at>(c, a);
    EXPECT_EQ(amounts_of(world.query<ecs::up<const armour, docked_at>>()), (amount_of_each{{c, 1}}));
}

constexpr auto repair = [](ecs::query<health, ecs::up<const armour, docked_at>>& docked) {
    docked.each([](health& h, const armour& dock) { h.amount += dock.amount; });
};
constexpr auto wear = [](armour& worn) { --worn.amount; };
constexpr auto look = [](const armour&) {};
static_assert(!ecs::parallel_safe<decltype(repair), decltype(wear)>);
static_assert(ecs::parallel_safe<decltype(repair), decltype(look)>);

TEST_F(relation_queries, systems_read_values_along_a_relation_that_is_a_type) {
    world.set(a, armour{5});
    world.set(b, health{1});
    world.set(c, health{1});
    world.add<docked_at>(b, a);
    relate(c, child_of, a);
    ecs::schedule schedule;
    schedule.add("repair", repair).add("wear", wear);
    for (int i = 0; i < 2; ++i) schedule.run(world, 2);
    EXPECT_EQ(world.get<health>(b).amount, 10);
    EXPECT_EQ(world.get<health>(c).amount, 1);
}

TEST_F(relation_queries, const_world_hands_out_what_is_above_to_be_read) {
    const ecs::world& reader = world;
    EXPECT_EQ(reader.up<armour>(b), nullptr) << "the world has not met it";
    world.set(a, armour{1});
    relate(b, child_of, a);
    world.add<docked_at>(c, a);
    const entity docks = world.component<docked_at>();
    const armour* const of_parent = reader.up<armour>(b);
    ASSERT_NE(of_parent, nullptr);
    EXPECT_EQ(of_parent, world.try_get<armour>(a));
    EXPECT_EQ(reader.up<const armour>(c, docks), of_parent);
    EXPECT_EQ(world.up<const armour>(c, docks), of_parent);
    EXPECT_EQ(reader.up<armour>(c), nullptr);
    EXPECT_EQ(amounts_of(reader.query<ecs::up<const armour, docked_at>>()), (amount_of_each{{c, 1}}));
}

// One target.

TEST_F(relation_queries, query_for_one_target_goes_over_the_targets_list) {
    const entity in = world.spawn();
    world.add(in, ecs::non_fragmenting);
    world.add(in, ecs::ordered);
    std::vector<entity> came;
    for (int i = 0; i < 20; ++i) {
        const entity e = came.emplace_back(world.spawn());
        if (i % 3 == 0) world.set(e, health{i});
        if (i % 2 == 0) world.add<armour>(e);
        relate(e, in, i == 7 ? b : a);
    }
    std::erase(came, came[7]);
    auto query = world.query().with(pair(in, a));
    EXPECT_EQ(query.entities(), came) << "in the order of the list, whatever the tables";
    EXPECT_EQ(query.count(), 19U);
    std::vector<entity> healthy;
    world.query<const health>().with(pair(in, a)).without<armour>().each([&](entity e, const health&) {
        healthy.push_back(e);
    });
    EXPECT_EQ(healthy, (std::vector{came[3], came[8], came[14]}));
    world.despawn(a);
    EXPECT_EQ(query.count(), 0U);
    EXPECT_TRUE(query.empty());
}

// Variables.

TEST_F(relation_queries, variable_stands_for_one_entity_in_every_term) {
    const entity enemy = world.spawn();
    world.add(b, enemy);
    world.add(d, enemy);
    relate(a, likes, b);
    relate(a, likes, c);
    relate(c, likes, d);
    relate(c, likes, b);
    edges found;
    auto query = world.query().with(pair(likes, var("x"))).with(enemy, var("x"));
    query.each(
        [&](entity e, const ecs::bindings& bound) { EXPECT_TRUE(found.emplace(e, bound["x"]).second); });
    EXPECT_EQ(found, (edges{{a, b}, {c, d}, {c, b}}));
    EXPECT_EQ(query.count(), 3U);
    query.without(pair(likes, a), var("x"));
    EXPECT_EQ(query.count(), 3U);
    relate(b, likes, a);
    EXPECT_EQ(query.count(), 1U) << "b likes a";
}

TEST_F(relation_queries, each_binding_comes_with_each_match_of_a_wildcard) {
    using answer = std::tuple<entity, entity, entity>;
    const entity at = world.spawn();
    for (const entity whom : {b, c}) relate(a, likes, whom);
    for (const entity where : {c, d}) relate(a, at, where);
    relate(b, likes, c);
    relate(b, at, d);
    auto query = world.query<const matched>().with(pair(likes, any)).with(pair(at, var("x")));
    std::multiset<answer> found;
    query.each([&](entity e, const matched& m, const ecs::bindings& bound) {
        found.emplace(e, m.target, bound["x"]);
    });
    EXPECT_EQ(found, (std::multiset<answer>{{a, b, c}, {a, b, d}, {a, c, c}, {a, c, d}, {b, c, d}}));
    EXPECT_EQ(query.count(), 5U);
    std::atomic<std::size_t> on_threads = 0;
    query.par_each([&](const matched&) { ++on_threads; });
    EXPECT_EQ(on_threads, 5U);
    EXPECT_EQ(query.entities().size(), 2U) << "each once";
    EXPECT_EQ(world.query().with(pair(likes, any)).with(pair(at, var("x"))).count(), 3U) << "a filter";
    EXPECT_EQ(world.query().with(pair(at, var("x"))).with(pair(likes, any)).count(), 3U) << "a filter";
    world.disable(a, pair(likes, b));
    EXPECT_EQ(query.count(), 3U);
}

TEST_F(relation_queries, each_binding_comes_with_each_value_of_a_wildcard) {
    world.set<ecs::pair_of<expiry, health>>(a, {1});
    world.set<ecs::pair_of<expiry, armour>>(a, {2});
    for (const entity whom : {b, c}) relate(a, likes, whom);
    auto query = world.query<const ecs::pair_of<expiry, ecs::wildcard>>().with(pair(likes, var("x")));
    float total = 0;
    query.each([&](const expiry& e) { total += e.seconds; });
    EXPECT_EQ(total, 6);
    EXPECT_EQ(query.count(), 4U);
}

TEST_F(relation_queries, relation_that_is_a_type_is_asked_for_with_whatever_target) {
    world.add<near_to>(a, c);
    relate(a, likes, c);
    relate(b, likes, c);
    auto near = world.query();
    EXPECT_EQ(near.with<near_to>(any).entities(), std::vector{a});
    EXPECT_EQ(world.query().with<near_to>(any).count(), 1U);
    EXPECT_EQ(world.query().with(pair(likes, c)).without<near_to>(any).entities(), std::vector{b});
    EXPECT_EQ(world.query().with(pair(likes, var("x"))).with<near_to>(any).entities(), std::vector{a});
    EXPECT_EQ(world.query().with(pair(likes, var("x"))).without<near_to>(any).entities(), std::vector{b});
}

TEST_F(relation_queries, several_variables_are_joined) {
    const entity at = world.spawn();
    const entity tavern = world.spawn();
    relate(a, likes, b);
    relate(b, likes, a);
    relate(a, at, tavern);
    relate(b, at, tavern);
    relate(c, likes, a);
    relate(c, at, d);
    edges found;
    world.query()
        .with(pair(likes, var("other")))
        .with(pair(at, var("place")))
        .with(pair(at, var("place")), var("other"))
        .each([&](entity e, const ecs::bindings& bound) {
            EXPECT_EQ(bound["place"], tavern);
            EXPECT_EQ(bound.subject(), e);
            EXPECT_THROW(std::ignore = bound["nobody"], std::invalid_argument);
            found.emplace(e, bound["other"]);
        });
    EXPECT_EQ(found, (edges{{a, b}, {b, a}}));
}

TEST_F(relation_queries, subject_of_a_join_hands_out_its_components) {
    world.set(a, health{5});
    relate(a, likes, c);
    relate(b, likes, c);
    int calls = 0;
    auto query = world.query<health>().with(pair(likes, var("x")));
    query.each([&](health& h) { h.amount += ++calls; });
    query.each([&](entity e, const health& h, const ecs::bindings& bound) {
        EXPECT_EQ(std::tuple(e, h.amount, bound["x"]), std::tuple(a, 6, c));
        EXPECT_THROW(world.despawn(c), ecs::iteration_error);
        ++calls;
    });
    EXPECT_EQ(calls, 2);
}

TEST_F(relation_queries, variable_that_stands_for_nothing_is_refused) {
    relate(a, likes, b);
    auto query = world.query().with(pair(likes, var("x")));
    query.without(pair(likes, var("y")), var("x"));
    EXPECT_THROW(std::ignore = query.count(), std::invalid_argument);
}

TEST_F(relation_queries, join_sees_what_the_rules_of_a_relation_add) {
    const entity in = world.spawn();
    world.add(in, ecs::transitive);
    relate(a, in, b);
    relate(b, in, c);
    const entity city = world.spawn();
    world.add(c, city);
    edges found;
    world.query()
        .with(pair(in, var("x")))
        .with(city, var("x"))
        .each([&](entity e, const ecs::bindings& bound) { found.emplace(e, bound["x"]); });
    EXPECT_EQ(found, (edges{{a, c}, {b, c}}));
    const entity same = world.spawn();
    world.add(same, ecs::reflexive);
    EXPECT_EQ(world.query<const health>().with(pair(same, var("x"))).count(), 0U);
    world.set(d, health{1});
    EXPECT_EQ(world.query<const health>().with(pair(same, var("x"))).count(), 1U);
}

TEST_F(relation_queries, shortest_of_several_lists_is_gone_over) {
    const entity in = world.spawn();
    const entity on = world.spawn();
    for (const entity relation : {in, on})
        for (const ecs::builtin property : {ecs::non_fragmenting, ecs::ordered})
            world.add(relation, property);
    const std::vector<entity> all = world.spawn_n(10, health{});
    for (const entity e : all) relate(e, in, a);
    for (std::size_t i = all.size(); i-- > 0;) relate(all[i], on, i % 3 == 0 ? b : c);
    const entity elsewhere = world.spawn(health{}); // On the list, in the same table, and no answer.
    relate(elsewhere, in, d);
    relate(elsewhere, on, b);
    const std::vector expected{all[9], all[6], all[3], all[0]};
    EXPECT_EQ(world.query().with(pair(in, a)).with(pair(on, b)).entities(), expected);
    EXPECT_EQ(world.query().with(pair(on, b)).with(pair(in, a)).entities(), expected);
}

TEST_F(relation_queries, value_of_a_step_is_not_taken_for_that_of_the_chain) {
    const entity up = world.component<rung>();
    const rung first{1};
    const rung last{2};
    world.set(a, pair(up, b), &first);
    world.set(b, pair(up, world.component<top>()), &last);
    EXPECT_TRUE((world.has<ecs::pair_of<rung, top>>(a)));
    std::vector<int> found;
    world.query<const ecs::pair_of<rung, top>>().each(
        [&](entity, const rung& r) { found.push_back(r.number); });
    EXPECT_EQ(found, std::vector{2});
}

// Runs and threads.

TEST_F(relation_queries, runs_follow_the_order_of_the_query) {
    std::vector<entity> tree = world.spawn_n(100, health{});
    for (std::size_t i = 0; i + 1 < tree.size(); ++i) relate(tree[i], child_of, tree[i + 1]);
    auto query = world.query<health>().cascade();
    std::vector<entity> order;
    query.each_chunk([&](std::span<const entity> entities, std::span<health> values) {
        EXPECT_EQ(entities.size(), values.size());
        for (std::size_t i = 0; i < entities.size(); ++i)
            EXPECT_EQ(&world.get<health>(entities[i]), &values[i]);
        order.insert(order.end(), entities.begin(), entities.end());
    });
    EXPECT_EQ(order, query.entities());
    EXPECT_EQ(order.front(), tree.back());
}

TEST_F(relation_queries, neighbours_in_the_order_are_one_run) {
    for (const entity e : world.spawn_n(100, health{1})) std::ignore = e;
    int runs = 0;
    world.query<health>()
        .sort_by<health>([](const health& x, const health& y) { return x.amount < y.amount; })
        .each_chunk([&](std::span<health>) { ++runs; });
    EXPECT_EQ(runs, 1);
}

TEST_F(relation_queries, runs_end_with_their_chunk) {
    world.spawn_n(20'000, health{});
    auto query = world.query<health>();
    std::size_t chunk = 0;
    query.each_chunk([&](std::span<health> run) { // Neighbours in the order are in different chunks.
        for (std::size_t row = 0; row < run.size(); ++row)
            run[row].amount = static_cast<int>(row + ((row + chunk) % 2 == 0 ? 0 : 100'000));
        ++chunk;
    });
    ASSERT_GT(chunk, 1U);
    query.sort_by<health>([](const health& x, const health& y) { return x.amount < y.amount; });
    std::vector<int> order;
    query.each_chunk([&](std::span<health> run) {
        for (const health& h : run) order.push_back(h.amount);
    });
    EXPECT_EQ(order.size(), 20'000U);
    EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST_F(relation_queries, kept_cascade_ends_when_its_relation_has_come_to_have_rings) {
    world.add(likes, ecs::acyclic);
    for (const entity e : {a, b, c, d}) world.set(e, health{1});
    relate(a, likes, b);
    relate(b, likes, c);
    auto query = world.query<const health>().cascade(likes);
    ASSERT_EQ(world.remove(likes, ecs::acyclic), ecs::add_result::removed);
    relate(b, likes, a);
    relate(c, likes, c);
    relate(d, likes, a);
    std::vector<entity> order;
    query.each([&](entity e, const health&) { order.push_back(e); });
    EXPECT_EQ(std::set<entity>(order.begin(), order.end()), (std::set{a, b, c, d}));
    EXPECT_EQ(order.back(), d) << "after those it leads to";
    EXPECT_THROW(std::ignore = world.query().cascade(likes), std::invalid_argument);
}

TEST_F(relation_queries, runs_and_threads_go_over_the_targets_list) {
    std::vector<entity> children = world.spawn_n(20'000, health{1});
    for (const entity e : children) relate(e, child_of, a);
    for (const entity e : world.spawn_n(10, health{1})) relate(e, child_of, b);
    auto query = world.query<health>().with(pair(child_of, a));
    std::size_t in_runs = 0;
    query.each_chunk([&](std::span<health> run) { in_runs += run.size(); });
    EXPECT_EQ(in_runs, children.size());
    query.par_each(ecs::default_executor(), [](health& h) { ++h.amount; });
    for (const entity e : children) ASSERT_EQ(world.get<health>(e).amount, 2);
    int others = 0;
    world.query<health>().with(pair(child_of, b)).each([&](health& h) { others += h.amount; });
    EXPECT_EQ(others, 10);
}

TEST_F(relation_queries, order_is_refused_where_threads_go_side_by_side) {
    const auto nothing = [](health&) {};
    EXPECT_THROW(world.query<health>().cascade().par_each(ecs::default_executor(), nothing),
                 std::invalid_argument);
    auto sorted = world.query<health>().sort_by<health>(
        [](const health& x, const health& y) { return x.amount < y.amount; });
    EXPECT_THROW(sorted.par_each(ecs::default_executor(), nothing), std::invalid_argument);
}

TEST_F(relation_queries, order_is_refused_beside_variables) {
    const auto less = [](const health& x, const health& y) { return x.amount < y.amount; };
    EXPECT_THROW(std::ignore = world.query<health>().sort_by<health>(less).with(pair(likes, var("x"))),
                 std::invalid_argument);
    EXPECT_THROW(std::ignore = world.query<health>().cascade().optional(pair(likes, var("x"))),
                 std::invalid_argument);
}

TEST_F(relation_queries, groups_are_refused_where_targets_are_in_a_column) {
    EXPECT_THROW(std::ignore = world.query<health>().group_by(child_of), std::invalid_argument);
}

TEST_F(relation_queries, chain_leads_as_far_where_rows_are_asked_one_by_one) {
    for (const ecs::builtin kept : {ecs::transitive, ecs::non_fragmenting}) {
        const entity part = world.spawn();
        for (const ecs::builtin property : {ecs::transitive, ecs::inheritable, kept})
            world.add(part, property);
        relate(a, part, b);
        relate(b, part, c);
        const entity base = world.prefab();
        const entity heir = world.spawn();
        relate(base, part, a);
        world.add(heir, pair(ecs::is_a, base));
        for (const entity e : {a, b, heir}) world.set(e, beside{1}, health{1});
        EXPECT_EQ(world.query<beside>().with(pair(part, c)).count(), 3U)
            << "beside what is kept outside tables";
        EXPECT_EQ(world.query<beside>().without(pair(part, c)).count(), 0U);
        EXPECT_EQ(world.query<health>().changed<health>().with(pair(part, c)).entities().size(), 3U);
        world.disable<health>(a);
        world.disable<health>(heir);
        auto leads = world.query().with(pair(part, c));
        EXPECT_EQ(leads.count(), 3U) << "in tables where something else is disabled";
        EXPECT_TRUE(leads.contains(a) && leads.contains(heir));
        if (kept != ecs::non_fragmenting) {
            world.disable(a, pair(part, b));
            EXPECT_FALSE(leads.contains(a)) << "the step itself is hidden";
        }
        world.enable<health>(a);
        for (const entity e : {base, heir, part}) world.despawn(e);
    }
}

TEST_F(relation_queries, kept_query_follows_every_change_of_a_chain) {
    for (const bool in_column : {false, true}) {
        const entity part = world.spawn();
        world.add(part, ecs::transitive);
        if (in_column) world.add(part, ecs::non_fragmenting);
        const std::vector<entity> all = world.spawn_n(6);
        const auto link = [&](std::size_t from, std::size_t to) {
            world.add(all[from], pair(part, all[to]));
        };
        auto below = world.query().with(pair(part, all[0]));
        auto others = world.query().with(pair(part, any)).without(pair(part, all[0]));
        const auto expect = [&](std::size_t below_it, std::size_t elsewhere) {
            EXPECT_EQ(below.count(), below_it);
            EXPECT_EQ(others.count(), elsewhere);
            std::size_t found = 0;
            for (const entity e : all) found += below.contains(e) ? 1U : 0U;
            EXPECT_EQ(found, below_it);
        };
        for (std::size_t i = 1; i < 4; ++i) link(i, i - 1);
        link(5, 4);
        expect(3, 1);
        link(4, 3);
        expect(5, 0);
        world.remove(all[2], pair(part, any));
        expect(1, 3);
        link(2, 0);
        link(0, 5);
        expect(6, 0);
        world.despawn(all[3]);
        expect(2, 2);
        world.despawn(all[0]);
        EXPECT_EQ(below.count(), 0U);
        world.despawn(part);
    }
}

TEST_F(relation_queries, what_is_no_relation_is_not_followed) {
    const auto text_of = [](auto refused) -> std::string {
        try {
            refused();
            return "";
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
    };
    const std::string null = "a query follows a relation, which is an entity; this is null";
    const std::string wild = "a query follows a relation, which is an entity; this is a wildcard pair";
    EXPECT_EQ(text_of([&] { world.query().group_by({}); }), null);
    EXPECT_EQ(text_of([&] { world.query().cascade({}); }), null);
    EXPECT_EQ(text_of([&] { world.query().up(world.spawn(), pair(any, any)); }), wild);
}

TEST_F(relation_queries, take_a_relation_and_a_target_as_the_world_does) {
    world.add(a, likes, b);
    world.add(a, child_of, c);
    world.add(b, child_of, c);
    EXPECT_EQ(world.query().with(likes, b).entities(), std::vector{a});
    EXPECT_EQ(world.query().with(child_of, c).count(), 2U);
    EXPECT_EQ(world.query().with(child_of, c).without(likes, b).entities(), std::vector{b});
    auto kept = world.query();
    kept.with(child_of, c);
    kept.without(likes, b);
    EXPECT_EQ(kept.entities(), std::vector{b});
    auto joined = world.query().with(pair(child_of, ecs::var("x"))).with(child_of, c).without(likes, b);
    EXPECT_EQ(joined.entities(), std::vector{b});
    world.despawn(b);
    EXPECT_TRUE(world.query().with(likes, b).empty()) << "of a target that has ended";
}

struct friends {
    ecs::world world;
    ecs::entity likes = world.spawn();
    ecs::entity rich = world.spawn();
    std::vector<ecs::entity> all = world.spawn_n(5);

    friends() {
        for (std::size_t i = 0; i + 1 < all.size(); ++i) world.add(all[i], ecs::pair(likes, all[i + 1]));
        world.add(all[2], ecs::pair(likes, all[0]));
        world.add(all[1], rich);
    }
    ecs::pair_with_variable like(const char* whom) const { return ecs::pair(likes, ecs::var(whom)); }
};

TEST(joins, variables_are_set_before_a_run) {
    friends in;
    auto query = in.world.query().with(in.like("y")).with(in.like("z"), ecs::var("y"));
    EXPECT_EQ(query.count(), 5);
    query.set("y", in.all[2]);
    EXPECT_EQ(query.count(), 2);
    query.each([&](ecs::entity e, const ecs::bindings& found) {
        EXPECT_EQ(e, in.all[1]);
        EXPECT_EQ(found["y"], in.all[2]);
        EXPECT_EQ(found["this"], in.all[1]);
    });
    query.unset("y").set("this", in.all[0]);
    EXPECT_EQ(query.count(), 1);
    EXPECT_THROW(query.set("nobody", in.all[0]), std::invalid_argument);
    in.world.despawn(in.all[0]);
    EXPECT_TRUE(query.empty());
}

TEST(joins, null_is_no_value_of_a_variable) {
    friends in;
    auto query = in.world.query().with(in.like("y"));
    EXPECT_THROW(query.set("y", in.world.lookup("nobody")), std::invalid_argument);
    EXPECT_EQ(query.count(), 5U);
    query.set("y", in.all[2]);
    EXPECT_THROW(query.set("y", {}), std::invalid_argument);
    EXPECT_EQ(query.count(), 1U) << "the value that was set";
    EXPECT_EQ(query.unset("y").count(), 5U);
    EXPECT_THROW(query.unset("nobody"), std::invalid_argument);
}

TEST(joins, a_variable_stands_for_a_relation) {
    friends in;
    const ecs::entity fears = in.world.spawn();
    in.world.add(in.all[3], ecs::pair(fears, in.all[2]));
    auto both = in.world.query().with(ecs::pair(ecs::var("r"), in.all[2]));
    std::set<std::pair<ecs::entity, ecs::entity>> found;
    both.each([&](ecs::entity e, const ecs::bindings& b) { found.emplace(e, b["r"]); });
    EXPECT_EQ(found, (std::set{std::pair(in.all[1], in.likes), std::pair(in.all[3], fears)}));
    EXPECT_EQ(both.set("r", fears).first(), in.all[3]);
    EXPECT_TRUE(both.set("r", in.rich).empty()) << "which is no relation";
    both.unset("r").without(ecs::pair(ecs::var("r"), in.all[0]), ecs::var("this"));
    EXPECT_EQ(both.count(), 2U);
}

TEST(joins, a_variable_stands_for_the_relation_of_a_pair_with_whatever_target) {
    friends in;
    const ecs::entity fears = in.world.spawn();
    in.world.add(in.all[1], ecs::pair(fears, in.all[0]));
    const ecs::pair_with_variable anything = ecs::pair(ecs::var("r"), ecs::any);
    auto related = in.world.query().with(anything);
    std::set<std::pair<ecs::entity, ecs::entity>> found;
    related.set("this", in.all[1]);
    related.each([&](ecs::entity e, const ecs::bindings& b) { found.emplace(e, b["r"]); });
    EXPECT_EQ(found, (std::set{std::pair(in.all[1], in.likes), std::pair(in.all[1], fears)}));
    EXPECT_EQ(related.unset("this").set("r", in.likes).count(), 4U);
    EXPECT_EQ(related.set("r", fears).first(), in.all[1]);
    auto others = in.world.query().with(ecs::pair(ecs::var("r"), in.all[2])).with(anything, ecs::var("x"));
    EXPECT_EQ(others.set("r", in.likes).count(), 4U);
    EXPECT_EQ(others.without(anything, ecs::var("this")).count(), 0U);
    auto maybe = in.world.query().with(in.rich).optional(ecs::has_id(anything));
    EXPECT_EQ(maybe.count(), 2U);
}

TEST(joins, one_of_several_alternatives_holds) {
    friends in;
    using ecs::has_id;
    using ecs::var;
    auto some = in.world.query().with(in.like("x")).where(has_id(in.rich).of(var("x")) || has_id(in.rich));
    EXPECT_EQ(some.count(), 2U) << "who likes a rich one, and the rich one";
    some.set("x", in.all[1]);
    EXPECT_EQ(some.first(), in.all[0]);
    auto none = in.world.query().with(in.like("x")).where(!(has_id(in.rich).of(var("x")) || has_id(in.rich)));
    EXPECT_EQ(none.count(), 3U);
    auto in_turn = in.world.query().where(has_id(in.rich).of(var("this")) || has_id(in.like("y")));
    std::size_t without_y = 0;
    in_turn.each([&](const ecs::bindings& b) { without_y += !b["y"]; });
    EXPECT_EQ(without_y, 1U);
    EXPECT_EQ(in_turn.count(), 5U) << "whom the rich one likes is not asked, as it is rich already";
    EXPECT_EQ(in.world.query<>().with(in.like("x")).where(ecs::has<health>() || ecs::has<armour>()).count(),
              0U);
    EXPECT_THROW(in.world.query().where(has_id(in.rich).up() || has_id(in.like("y"))), std::invalid_argument);
}

TEST(joins, conditions_with_variables_and_without_are_combined) {
    friends in;
    using ecs::has;
    using ecs::has_id;
    using ecs::var;
    const auto rich_one = has_id(in.rich).of(var("x"));
    const auto number_of = [&](const auto& condition) {
        return in.world.query().with(in.like("x")).where(condition).count();
    };
    const std::size_t all = in.world.query().with(in.like("x")).count();
    EXPECT_EQ(number_of(rich_one || !has<health>()), all);
    EXPECT_EQ(number_of(!has<health>() || rich_one), all);
    EXPECT_EQ(number_of(rich_one && (has<health>() || has<armour>())), 0U);
    EXPECT_EQ(number_of(rich_one && !(has<health>() || has<armour>())), 1U);
    EXPECT_EQ(number_of(rich_one && !(has<health>() && has<armour>())), 1U);
    EXPECT_EQ(number_of(!rich_one && (has_id(in.rich) || !has_id(in.rich))), all - 1);
    EXPECT_THROW(number_of(rich_one || !has_id(in.rich).up()), std::invalid_argument);
}

TEST(joins, one_entity_is_asked_beside_variables) {
    friends in;
    using ecs::has_id;
    using ecs::var;
    auto same = in.world.query().with(in.like("x")).with(has_id(in.like("x")).of(in.all[1]));
    EXPECT_EQ(same.count(), 1U);
    EXPECT_EQ(same.first(), in.all[1]) << "who likes what it likes, which is it alone";
    in.world.add(in.all[4], ecs::pair(in.likes, in.all[2]));
    EXPECT_EQ(same.count(), 2U);
    auto related = in.world.query().with(in.rich).with(has_id(ecs::pair(var("r"), in.all[3])).of(in.all[2]));
    EXPECT_EQ(related.count(), 1U);
    auto either = in.world.query().with(in.like("x")).where(has_id(in.rich).of(in.all[0]) || has_id(in.rich));
    EXPECT_EQ(either.count(), 1U);
    auto maybe = in.world.query().with(in.rich).optional(has_id(in.like("y")).of(in.all[3]));
    maybe.each([&](const ecs::bindings& b) { EXPECT_EQ(b["y"], in.all[4]); });
    in.world.despawn(in.all[3]);
    maybe.each([&](const ecs::bindings& b) { EXPECT_EQ(b["y"], ecs::entity()); });
    EXPECT_EQ(maybe.count(), 1U);
    in.world.add(in.all[0], in.rich);
    EXPECT_EQ(either.count(), 4U) << "all who like somebody";
    in.world.despawn(in.all[1]);
    EXPECT_TRUE(same.empty());
    EXPECT_THROW(in.world.query().with(has_id(in.like("x")).of(ecs::entity())), std::invalid_argument);
}

TEST(joins, what_may_be_missing_is_null) {
    friends in;
    in.world.despawn(in.all[4]);
    auto maybe = in.world.query().with(in.rich, ecs::var("x")).optional(in.like("y"), ecs::var("x"));
    maybe.with(in.like("x"));
    maybe.each([&](ecs::entity e, const ecs::bindings& b) {
        EXPECT_EQ(e, in.all[0]);
        EXPECT_EQ(b["y"], in.all[2]);
    });
    in.world.remove(in.all[1], ecs::pair(in.likes, in.all[2]));
    EXPECT_EQ(maybe.count(), 1U);
    maybe.each([&](const ecs::bindings& b) { EXPECT_EQ(b["y"], ecs::entity()); });
    EXPECT_TRUE(maybe.set("y", in.all[2]).empty()) << "which it is not";
    auto open = in.world.query().optional(ecs::pair(ecs::var("r"), ecs::var("y")));
    EXPECT_THROW(std::ignore = open.count(), std::invalid_argument) << "two variables that nothing else says";
    EXPECT_THROW(maybe.optional(!ecs::has_id(in.like("z"))), std::invalid_argument);
}

TEST(joins, begin_with_what_must_not_hold_or_may_be_missing) {
    struct poor {};
    friends in;
    const auto x = ecs::var("x");
    in.world.add<poor>(in.all[1]);
    const std::size_t likings = in.world.query().with(in.like("x")).count();
    const std::size_t of_poor = in.world.query().with(in.like("x")).with<poor>(x).count();
    ASSERT_NE(of_poor, 0U);
    ASSERT_NE(of_poor, likings);
    const entity poor_word = in.world.component<poor>();
    EXPECT_EQ(in.world.query().without<poor>(x).with(in.like("x")).count(), likings - of_poor);
    EXPECT_EQ(in.world.query().without(poor_word, x).with(in.like("x")).count(), likings - of_poor);
    EXPECT_EQ(in.world.query().optional<poor>(x).with(in.like("x")).count(), likings);
    EXPECT_EQ(in.world.query().optional(poor_word, x).with(in.like("x")).count(), likings);
    const std::size_t mutual =
        in.world.query().with(in.like("x")).with(pair(in.likes, var("this")), x).count();
    EXPECT_EQ(in.world.query().without(pair(in.likes, var("this")), x).with(in.like("x")).count(),
              likings - mutual);
    EXPECT_EQ(in.world.query().without(in.like("x")).with<poor>(x).with(in.rich).count(),
              in.world.query().with(in.rich).with<poor>(x).without(in.like("x")).count());
    EXPECT_EQ(in.world.query().optional(in.like("y"), x).with(in.rich, x).count(),
              in.world.query().with(in.rich, x).optional(in.like("y"), x).count());
}

TEST(joins, what_may_be_missing_has_to_hold_for_a_value_that_is_set) {
    friends in;
    auto open = in.world.query().optional(ecs::pair(ecs::var("r"), ecs::var("y")));
    open.set("r", in.likes).set("y", in.all[2]);
    EXPECT_EQ(open.entities(), std::vector{in.all[1]});
    EXPECT_EQ(open.unset("y").count(), 5U) << "whoever likes something, with each that it likes";
    EXPECT_EQ(open.unset("r").set("y", in.all[2]).count(), 1U);
    open.optional(ecs::pair(ecs::var("y"), ecs::var("z")), ecs::var("y"));
    EXPECT_EQ(open.set("y", in.all[4]).count(), 1U) << "who likes it: it is no relation of anything";
    EXPECT_THROW(std::ignore = open.unset("y").count(), std::invalid_argument);
}

TEST(joins, a_condition_that_is_refused_leaves_no_variable) {
    friends in;
    auto query = in.world.query().with(in.like("x"));
    const auto of_null = ecs::has_id(in.like("y")) || ecs::has_id(in.like("z")).of(ecs::entity());
    EXPECT_THROW(query.where(of_null), std::invalid_argument);
    EXPECT_EQ(query.count(), 5U);
    EXPECT_THROW(query.set("y", in.all[0]), std::invalid_argument);
}

TEST(joins, threads_find_what_one_finds) {
    ecs::world world;
    const ecs::entity likes = world.spawn();
    const std::vector<ecs::entity> all = world.spawn_n(3000);
    for (std::size_t i = 0; i != all.size(); ++i) {
        world.set(all[i], health{0});
        for (const std::size_t step : {1U, 7U, 31U})
            world.add(all[i], ecs::pair(likes, all[(i + step) % all.size()]));
    }
    auto paths = world.query<health>()
                     .with(ecs::pair(likes, ecs::var("x")))
                     .with(ecs::pair(ecs::var("r"), ecs::var("y")), ecs::var("x"))
                     .where(ecs::has_id(ecs::pair(likes, ecs::var("z"))).of(ecs::var("y")) ||
                            ecs::has_id(ecs::pair(likes, ecs::var("y"))));
    paths.par_each([](health& h, const ecs::bindings& b) { h.amount += b["z"] ? 1 : 100; });
    std::size_t answers = 0;
    std::map<std::uint64_t, int> one_by_one;
    paths.each([&](ecs::entity e, health&, const ecs::bindings& b) {
        ++answers;
        one_by_one[e.value()] += b["z"] ? 1 : 100;
    });
    EXPECT_EQ(answers, 3000U * 27);
    for (const ecs::entity e : all) EXPECT_EQ(world.get<health>(e).amount, one_by_one[e.value()]);
    EXPECT_THROW(paths.par_each([](health&) { throw std::length_error("enough"); }), std::length_error);
    EXPECT_THROW(paths.par_each([&](ecs::entity e, health&) { world.despawn(e); }), std::logic_error);
}

TEST(joins, the_subject_is_a_target) {
    friends in;
    auto rings = in.world.query()
                     .with(in.like("y"))
                     .with(in.like("z"), ecs::var("y"))
                     .with(in.like("this"), ecs::var("z"));
    EXPECT_EQ(rings.count(), 3);
    in.world.remove(in.all[2], ecs::pair(in.likes, in.all[0]));
    EXPECT_EQ(rings.count(), 0);
}

TEST(joins, tell_their_plan) {
    friends in;
    auto query = in.world.query().with(in.like("y")).with(in.rich, ecs::var("y"));
    EXPECT_EQ(query.explain(),
              "$y: who has a component, about 1\n"
              "$this: neighbours of what is known, about 2; a source of $y; has to satisfy the query\n");
}

TEST(joins, tell_from_where_each_variable_comes) {
    friends in;
    in.world.add(in.all[3], in.rich);
    const auto plan = [&](auto query) { return query.explain(); };
    EXPECT_EQ(plan(in.world.query().with(in.like("y"))).find("$this: sources in a relation, about 4"), 0U);
    EXPECT_EQ(
        plan(in.world.query().with(in.rich).with(in.like("y")).set("y", in.all[1])).find("$y: set before"),
        0U);
}

TEST(joins, a_search_may_begin_another_of_the_same_query) {
    friends in;
    in.world.disable(in.all[1], in.rich);
    auto query = in.world.query().with(in.like("y")).without(in.rich, ecs::var("y"));
    std::size_t all = 0;
    query.each([&](const ecs::bindings&) { all += query.count(); });
    EXPECT_EQ(all, 25);
    EXPECT_EQ(query.count(), 5);
}

TEST(joins, a_kept_copy_begins_anew) {
    friends in;
    auto query = in.world.query().with(in.like("y")).with(in.like("z"), ecs::var("y"));
    EXPECT_EQ(query.count(), 5);
    auto copy = query;
    copy.set("y", in.all[1]);
    in.world.add(in.all[4], ecs::pair(in.likes, in.all[1]));
    EXPECT_EQ(copy.count(), 2);
    EXPECT_EQ(query.count(), 7);
}

} // namespace
} // namespace relation_queries_test
