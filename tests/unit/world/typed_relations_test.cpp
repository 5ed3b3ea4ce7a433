// SPDX-License-Identifier: MIT
// Relations whose types say what holds for them.
#include <cstddef>
#include <stdexcept>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

import ecs.world;

namespace typed_relations_test {
namespace {

using ecs::add_result;
using ecs::any;
using ecs::entity;
using ecs::pair;

struct knows {};
struct food {};
struct married {
    static constexpr auto properties = ecs::properties(ecs::exclusive, ecs::symmetric, ecs::with_type<knows>);
};
struct inside {
    static constexpr auto properties =
        ecs::properties(ecs::non_fragmenting, ecs::acyclic, ecs::pair(ecs::on_delete_target, ecs::delete_it));
    int slot = 3;
};
struct lends {
    int coins = 0;
};
struct eats {
    static constexpr auto properties = ecs::properties(ecs::one_of_type<food>);
};
struct burning {
    static constexpr auto properties = ecs::properties(ecs::with_type<knows>);
};
struct resembles {
    static constexpr auto properties = ecs::properties(ecs::reflexive);
};
struct foreign {};

} // namespace
} // namespace typed_relations_test

template <> struct ecs::component_traits<typed_relations_test::foreign> {
    static constexpr ecs::storage kept_in = ecs::storage::table;
    static constexpr auto properties = ecs::properties(ecs::acyclic);
};

namespace typed_relations_test {
namespace {

TEST(typed_relations, are_edited_by_their_targets) {
    ecs::world world;
    const entity a = world.spawn(), b = world.spawn(), ended = world.spawn();
    world.despawn(ended);
    EXPECT_EQ(world.edit(a).add<knows>(b).set<lends>(b, {3}).commit(), add_result::added);
    EXPECT_TRUE(world.has<knows>(a, b));
    EXPECT_EQ(world.get<lends>(a, b).coins, 3);
    EXPECT_EQ(world.edit(a).remove<knows>(b).remove<lends>(b).commit(), add_result::added);
    EXPECT_FALSE(world.has<knows>(a, any));
    EXPECT_FALSE(world.has<lends>(a, any));
    EXPECT_EQ(world.edit(a).add<knows>(ended).remove<lends>(ended).commit(), add_result::not_alive_id);
    EXPECT_EQ(world.edit(a).remove<lends>(ended).commit(), add_result::already_there);
    EXPECT_FALSE(world.has<knows>(a, any));
}

TEST(typed_relations, values_of_pairs_are_patched) {
    ecs::world world;
    const entity a = world.spawn(), b = world.spawn();
    world.set<lends>(a, b, {1});
    world.set<inside>(a, b, {2});
    std::vector<int> told;
    world.observe<ecs::event::set, ecs::pair_of<lends, ecs::wildcard>>(
        [&](const lends& l) { told.push_back(l.coins); });
    world.observe<ecs::event::set, ecs::pair_of<inside, ecs::wildcard>>(
        [&](const inside& i) { told.push_back(i.slot); });
    EXPECT_EQ(world.patch<lends>(a, b, [](lends& l) { l.coins = 5; }).coins, 5);
    EXPECT_EQ(world.patch<inside>(a, b, [](inside& i) { i.slot = 6; }).slot, 6);
    EXPECT_EQ(told, (std::vector{5, 6}));
    EXPECT_THROW(world.patch<lends>(b, a, [](lends&) {}), ecs::access_error);
    world.observe<ecs::event::set, ecs::pair_of<lends, ecs::wildcard>>(
        [&](entity e, const lends&) { world.remove<lends>(e, b); });
    EXPECT_THROW(world.patch<lends>(a, b, [](lends& l) { l.coins = 7; }), ecs::access_error);
    EXPECT_EQ(told.back(), 7);
    EXPECT_FALSE(world.has<lends>(a, b));
}

TEST(typed_relations, values_of_pairs_are_modified_where_they_are) {
    ecs::world world;
    const entity a = world.spawn(), b = world.spawn(), dead = world.spawn();
    world.despawn(dead);
    EXPECT_FALSE(world.modify<lends>(a, b, [](lends&) { FAIL() << "nobody has lent yet"; }));
    world.set<lends>(a, b, {1});
    world.set<inside>(a, b, {2});
    std::vector<int> told;
    world.observe<ecs::event::set, ecs::pair_of<lends, ecs::wildcard>>(
        [&](const lends& l) { told.push_back(l.coins); });
    EXPECT_TRUE(world.modify<lends>(a, b, [&](lends& l) {
        l.coins = 5;
        EXPECT_THROW(world.spawn(), ecs::iteration_error);
    }));
    EXPECT_TRUE(world.modify<inside>(a, b, [](inside& i) { i.slot = 6; }));
    EXPECT_EQ(world.get<lends>(a, b).coins, 5);
    EXPECT_EQ(world.get<inside>(a, b).slot, 6);
    for (const entity other : {dead, entity{}})
        EXPECT_FALSE(world.modify<lends>(other, b, [](lends&) { FAIL() << "it is not alive"; }));
    EXPECT_FALSE(world.modify<lends>(b, a, [](lends&) { FAIL() << "this one has lent nothing"; }));
    EXPECT_FALSE(world.modify<lends>(a, dead, [](lends&) { FAIL() << "nobody is left to lend to"; }));
    EXPECT_EQ(told, std::vector{5});
    world.observe<ecs::event::set, ecs::pair_of<lends, ecs::wildcard>>(
        [&](entity e, const lends&) { world.remove<lends>(e, b); });
    EXPECT_TRUE(world.modify<lends>(a, b, [](lends& l) { l.coins = 7; }));
    EXPECT_FALSE(world.has<lends>(a, b));
}

TEST(typed_relations, everything_is_related_to_itself_before_the_world_has_met_the_type) {
    ecs::world world;
    const entity a = world.spawn(), b = world.spawn(), dead = world.spawn();
    world.despawn(dead);
    for (const bool is_known : {false, true}) {
        EXPECT_EQ(world.has<resembles>(a, a), true) << is_known;
        EXPECT_EQ(world.has<resembles>(a, b), false) << is_known;
        EXPECT_EQ(world.has<resembles>(dead, dead), false) << is_known;
        EXPECT_EQ(world.has<resembles>({}, entity{}), false) << is_known;
        EXPECT_EQ(world.has<foreign>(a, a), false) << is_known;
        std::ignore = world.component<resembles>();
        std::ignore = world.component<foreign>();
    }
}

TEST(typed_relations, properties_of_a_type_hold_from_its_first_use_on) {
    ecs::world world;
    const entity a = world.spawn();
    const entity b = world.spawn();
    const entity relation = world.component<married>();
    EXPECT_TRUE(world.has(relation, ecs::exclusive) && world.has(relation, ecs::symmetric));
    EXPECT_EQ(world.add(a, pair(relation, b)), add_result::added);
    EXPECT_TRUE(world.has(b, pair(relation, a)));
    EXPECT_TRUE(world.has(a, pair(world.component<knows>(), b)));
    EXPECT_EQ(world.add(a, relation), add_result::needs_target);
}

/// A pair has room for four bits of a generation.
TEST(typed_relations, queries_look_at_the_whole_handle_of_a_target) {
    ecs::world world, other;
    const entity a = world.spawn(), b = world.spawn(food{});
    entity target = world.spawn();
    const entity stale = target;
    for (int n = 0; n < 16; ++n) {
        world.despawn(target);
        target = world.spawn();
    }
    ASSERT_EQ(target.index(), stale.index());
    world.add<knows>(a, target);
    entity foreign;
    while (foreign.index() != target.index()) foreign = other.spawn();
    const auto count_with = [&](entity of) { return world.query<>().with<knows>(of).count(); };
    const auto count_without = [&](entity of) { return world.query<food>().without<knows>(of).count(); };
    EXPECT_EQ(count_with(target), 1U);
    EXPECT_EQ(count_with(stale), 0U);
    EXPECT_EQ(count_with(foreign), 0U);
    world.add<knows>(b, target);
    EXPECT_EQ(count_without(target), 0U);
    EXPECT_EQ(count_without(stale), 1U);
    EXPECT_EQ(count_without(foreign), 1U);
}

TEST(typed_relations, value_and_policy_of_a_type_that_does_not_fragment) {
    ecs::world world;
    const entity ship = world.spawn();
    const entity crate = world.spawn();
    const entity relation = world.component<inside>();
    EXPECT_EQ(world.add(crate, pair(relation, ship)), add_result::added);
    EXPECT_EQ(static_cast<inside*>(world.try_get(crate, pair(relation, ship)))->slot, 3);
    EXPECT_EQ(world.add(ship, pair(relation, crate)), add_result::would_make_a_cycle);
    world.despawn(ship);
    EXPECT_FALSE(world.alive(crate));
}

TEST(typed_relations, a_const_world_can_be_asked_for_them) {
    struct unmet {
        int x;
    };
    ecs::world changing;
    const entity ship = changing.spawn();
    const entity crate = changing.spawn();
    changing.set<inside>(crate, ship, {5});
    const ecs::world& world = changing;
    const std::size_t components = world.components().size();
    EXPECT_EQ(world.targets<inside>(crate), std::vector{ship});
    EXPECT_EQ(world.sources<inside>(ship), std::vector{crate});
    EXPECT_EQ(world.target_of<inside>(crate), ship);
    EXPECT_EQ(world.get<inside>(crate, ship).slot, 5);
    EXPECT_EQ(world.try_get<inside>(ship, crate), nullptr);
    EXPECT_THROW(std::ignore = world.get<unmet>(crate, ship), ecs::access_error);
    EXPECT_TRUE(world.targets<unmet>(crate).empty() && world.sources<unmet>(ship).empty());
    EXPECT_EQ(world.target_of<unmet>(crate), entity());
    EXPECT_EQ(world.components().size(), components) << "to ask for a relation registers nothing";
}

TEST(typed_relations, targets_are_restricted_to_the_children_of_a_type) {
    ecs::world world;
    const entity bob = world.spawn();
    const entity apple = world.spawn();
    const entity relation = world.component<eats>();
    EXPECT_EQ(world.add(bob, pair(relation, apple)), add_result::target_not_allowed);
    world.add(apple, pair(ecs::child_of, world.component<food>()));
    EXPECT_EQ(world.add(bob, pair(relation, apple)), add_result::added);
}

TEST(typed_relations, component_comes_with_another) {
    ecs::world world;
    const entity e = world.spawn();
    EXPECT_EQ(world.add<burning>(e), add_result::added);
    EXPECT_TRUE(world.has<knows>(e));
}

TEST(typed_relations, type_of_somebody_else_gets_its_properties_from_traits) {
    ecs::world world;
    const entity a = world.spawn();
    EXPECT_EQ(world.add(a, pair(world.component<foreign>(), a)), add_result::would_make_a_cycle);
}

TEST(typed_relations, manifest_declares_properties_too) {
    ecs::world world{ecs::manifest<knows, married>()};
    EXPECT_TRUE(world.has(world.component<married>(), ecs::symmetric));
}

struct weight {
    int grams = 0;
};
struct sparse_weight {
    static constexpr auto kept_in = ecs::storage::sparse;
    int grams = 0;
};

TEST(typed_relations, property_that_contradicts_the_values_is_refused_at_run_time) {
    ecs::world world;
    EXPECT_EQ(world.add(world.component<weight>(), ecs::tag_only), add_result::contradiction);
    EXPECT_EQ(world.add(world.component<sparse_weight>(), ecs::non_fragmenting), add_result::contradiction);
    EXPECT_FALSE(world.has(world.component<sparse_weight>(), ecs::exclusive));
}

TEST(typed_relations, component_that_would_come_with_itself_is_refused_at_run_time) {
    ecs::world world;
    const entity a = world.spawn();
    const entity b = world.spawn();
    EXPECT_EQ(world.add(a, pair(ecs::with, a)), add_result::would_make_a_cycle);
    EXPECT_EQ(world.add(a, pair(ecs::with, b)), add_result::added);
    EXPECT_EQ(world.add(b, pair(ecs::with, a)), add_result::would_make_a_cycle);
}

TEST(typed_relations, policy_replaces_the_one_before) {
    ecs::world world;
    const entity relation = world.spawn();
    const entity a = world.spawn();
    const entity b = world.spawn();
    world.add(relation, pair(ecs::on_delete_target, ecs::refuse_it));
    world.add(relation, pair(ecs::on_delete_target, ecs::delete_it));
    EXPECT_FALSE(world.has(relation, pair(ecs::on_delete_target, ecs::refuse_it)));
    world.add(a, pair(relation, b));
    EXPECT_TRUE(world.despawn(b));
    EXPECT_FALSE(world.alive(a));
}

TEST(typed_relations, exclusiveness_stays_while_the_target_is_in_a_column) {
    ecs::world world;
    const entity relation = world.spawn();
    world.add(relation, ecs::non_fragmenting);
    EXPECT_EQ(world.remove(relation, ecs::exclusive), add_result::contradiction);
    EXPECT_EQ(world.remove(relation, ecs::non_fragmenting), add_result::removed);
    EXPECT_EQ(world.remove(relation, ecs::exclusive), add_result::removed);
}

TEST(typed_relations, tag_only_pair_takes_no_value) {
    ecs::world world;
    const entity e = world.spawn();
    const entity wants = world.component<knows>();
    world.add(wants, ecs::tag_only);
    EXPECT_EQ((world.set<ecs::pair_of<knows, weight>>(e, {1})), add_result::no_value);
    world.add<ecs::pair_of<knows, weight>>(e);
    world.remove<ecs::pair_of<knows, weight>>(e);
    EXPECT_EQ((world.set<ecs::pair_of<knows, weight>>(e, {1})), add_result::no_value);
    EXPECT_FALSE((world.has<ecs::pair_of<knows, weight>>(e)));
}

TEST(typed_relations, type_of_a_relation_takes_an_entity_as_its_target) {
    ecs::world world;
    const entity a = world.spawn();
    const entity b = world.spawn();
    const entity c = world.spawn();
    EXPECT_FALSE(world.has<knows>(a, b));
    EXPECT_EQ(world.add<knows>(a, b), add_result::added);
    EXPECT_EQ(world.add<knows>(a, c), add_result::added);
    EXPECT_TRUE(world.has<knows>(a, b) && world.has<knows>(a, any) && world.has(a, world.pair_to<knows>(b)));
    EXPECT_EQ(world.query().with<knows>(b).count(), 1U);
    EXPECT_EQ(world.query().with<knows>(c).without<knows>(b).count(), 0U);
    EXPECT_EQ(world.remove<knows>(a, b), add_result::removed);
    EXPECT_EQ(world.remove<knows>(a, any), add_result::removed);
    EXPECT_FALSE(world.has<knows>(a, any));
    EXPECT_EQ(world.add<married>(a, b), add_result::added);
    EXPECT_TRUE(world.has<married>(b, a));
}

TEST(typed_relations, type_of_a_relation_has_a_value_for_each_entity) {
    ecs::world world;
    const entity a = world.spawn();
    const entity b = world.spawn();
    const entity c = world.spawn();
    struct distance {
        float metres{};
    };
    int told = 0;
    world.observe(ecs::event::set, pair(world.component<distance>(), any),
                  [&](const ecs::event_context&) { ++told; });
    EXPECT_EQ(world.set<distance>(a, b, {3}), add_result::added);
    EXPECT_EQ(world.set<distance>(a, c, {4}), add_result::added);
    EXPECT_EQ(world.set<distance>(a, c, {5}), add_result::already_there);
    EXPECT_EQ(world.get<distance>(a, b).metres, 3);
    EXPECT_EQ(world.get<distance>(a, c).metres, 5);
    EXPECT_EQ(told, 3);
    EXPECT_EQ(world.try_get<distance>(b, a), nullptr);
    EXPECT_THROW(std::ignore = world.get<distance>(b, a), ecs::access_error);
    EXPECT_EQ(world.set<inside>(a, b, {7}), add_result::added);
    EXPECT_EQ(world.get<inside>(a, b).slot, 7);
    world.despawn(b);
    EXPECT_EQ(world.set<distance>(c, b, {3}), add_result::not_alive_id);
}

TEST(typed_relations, value_that_is_not_there_is_asked_for_in_vain_and_the_text_says_of_whom) {
    ecs::world world;
    const ecs::entity e = world.spawn(), other = world.spawn(), gone = world.spawn();
    world.despawn(gone);
    const auto text_of = [&](ecs::entity target) -> std::string {
        try {
            return std::to_string(world.get<inside>(e, target).slot);
        } catch (const ecs::access_error& error) {
            return error.what();
        }
    };
    const auto ends_with = [](const std::string& text, const std::string& end) {
        return text.ends_with(end);
    };
    EXPECT_TRUE(ends_with(text_of(other), "inside of " + to_string(other))) << text_of(other);
    EXPECT_TRUE(ends_with(text_of(gone), "inside of " + to_string(gone) + ", which is stale"))
        << text_of(gone);
    EXPECT_TRUE(ends_with(text_of({}), "inside of null")) << text_of({});
}

} // namespace
} // namespace typed_relations_test
