// SPDX-License-Identifier: MIT
// Relations that keep the target as a value in a column.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

import ecs.world;

#include "relations.hpp"

namespace targets_in_columns_test {
namespace {

TEST_F(relations, non_fragmenting_relation_makes_one_table_for_all_its_targets) {
    EXPECT_EQ(world.add(likes, ecs::non_fragmenting), add_result::added);
    EXPECT_TRUE(world.has(likes, ecs::exclusive)) << "one value in a row is one target";
    relate(a, b);
    const std::size_t tables = world.rows().tables().size();
    for (int i = 0; i < 100; ++i) relate(world.spawn(), world.spawn());
    EXPECT_EQ(world.rows().tables().size(), tables);
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
    EXPECT_EQ(*static_cast<int*>(world.try_get(a, pair(dock, b))), 7);
    EXPECT_EQ(world.try_get(a, pair(dock, c)), nullptr);
    EXPECT_EQ(world.add(a, pair(dock, c)), add_result::added);
    ASSERT_NE(world.try_get(a, pair(dock, c)), nullptr);
    world.remove(a, pair(dock, any));
    EXPECT_EQ(world.try_get(a, pair(dock, c)), nullptr);
    EXPECT_FALSE(world.has(a, dock));
}

TEST_F(relations, values_of_pairs_whose_targets_are_in_a_column_order_a_query) {
    world.add(world.component<docked>(), ecs::non_fragmenting);
    const entity docks[]{a, b, c};
    const int ports[]{3, 1, 2};
    std::vector<entity> ships;
    for (int i = 0; i < 3; ++i) {
        ships.push_back(world.spawn());
        world.set<docked>(ships.back(), docks[i], docked{ports[i]});
    }
    using at_any_dock = ecs::pair_of<docked, ecs::wildcard>;
    auto in_order = world.query<const at_any_dock>().sort_by<at_any_dock>(
        [](const docked& x, const docked& y) { return x.port < y.port; });
    EXPECT_EQ(in_order.entities(), (std::vector{ships[1], ships[2], ships[0]}));
}

TEST_F(relations, source_with_a_new_target_is_on_the_list_that_fits_what_is_told) {
    world.add(likes, ecs::non_fragmenting);
    const auto check = [&](const auto relation) {
        std::vector<entity> at_first, at_second, arrived;
        world.add(c, pair(relation, a));
        ecs::observer going =
            world.observe(ecs::event::removed, pair(relation, any), [&](const ecs::event_context&) {
                at_first = world.sources(a, relation);
                at_second = world.sources(b, relation);
            });
        ecs::observer coming =
            world.observe(ecs::event::added, pair(relation, any),
                          [&](const ecs::event_context&) { arrived = world.sources(b, relation); });
        world.add(c, pair(relation, b));
        EXPECT_EQ(at_first, std::vector{c});
        EXPECT_TRUE(at_second.empty());
        EXPECT_EQ(arrived, std::vector{c});
        EXPECT_EQ(world.sources(b, relation), std::vector{c});
        EXPECT_TRUE(world.sources(a, relation).empty());
        going.end();
        coming.end();
    };
    check(likes);
    check(child_of);
}

TEST_F(relations, link_in_a_column_is_nobodys_value) {
    relate(a, b);
    world.add(a, pair(child_of, b));
    std::uint64_t bytes[2]{};
    EXPECT_EQ(world.try_get(a, pair(child_of, any)), nullptr);
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
    EXPECT_EQ(static_cast<expiry*>(world.try_get(a, pair(timed, b)))->seconds, 3);
}

/// The type says nothing of it: the relation became one at run time.
TEST_F(relations, value_of_a_pair_in_a_column_is_no_component_of_its_type_either) {
    const auto is_no_component = [&] {
        EXPECT_EQ(world.set(a, expiry{9}), add_result::needs_target);
        EXPECT_EQ((world.set(a, expiry{9}, docked{1})), add_result::needs_target);
        EXPECT_EQ(world.emplace<expiry>(a, 9.0F), add_result::needs_target);
        EXPECT_EQ(world.add<expiry>(a), add_result::needs_target);
        EXPECT_EQ(world.remove<expiry>(a), add_result::not_there);
        EXPECT_FALSE(world.has<expiry>(a));
        EXPECT_EQ(world.try_get<expiry>(a), nullptr);
        EXPECT_THROW((void)world.get<expiry>(a), ecs::access_error);
        EXPECT_THROW(world.patch<expiry>(a, [](expiry& e) { e.seconds = 9; }), ecs::access_error);
        EXPECT_EQ(world.get<expiry>(a, b).seconds, 3);
        EXPECT_FALSE(world.has<docked>(a));
    };
    world.add(world.component<expiry>(), ecs::non_fragmenting);
    world.set<expiry>(a, b, {3});
    is_no_component();
    world.observe<ecs::event::set, expiry>([] {});
    is_no_component();
    world.set<expiry>(a, b, {4});
    EXPECT_EQ(world.get<expiry>(a, b).seconds, 4);
}

TEST_F(relations, value_of_a_pair_in_a_column_is_no_component_above_either) {
    world.add(world.component<expiry>(), ecs::non_fragmenting);
    world.set<expiry>(a, b, {3});
    world.add(c, pair(child_of, a));
    EXPECT_EQ(world.query().up(world.component<expiry>()).count(), 0U);
    int found = 0;
    world.query<ecs::up<const expiry>>().each([&](const expiry&) { ++found; });
    EXPECT_EQ(found, 0);
}

TEST_F(relations, value_of_a_pair_in_a_column_is_no_component_of_instances_either) {
    world.add(world.component<expiry>(), ecs::non_fragmenting);
    world.set<expiry>(a, b, {3});
    const entity instance = world.spawn(pair(is_a, a));
    EXPECT_FALSE(world.has<expiry>(instance));
    EXPECT_EQ(world.try_get<expiry>(instance), nullptr);
    EXPECT_EQ(world.query<const expiry>().count(), 0U);
}

TEST_F(relations, value_of_a_pair_in_a_column_is_not_asked_of_instances) {
    const entity timed = world.component<expiry>(), rival = world.spawn();
    world.add(timed, ecs::non_fragmenting);
    world.add(timed, pair(ecs::excludes, rival));
    world.set<expiry>(a, b, {3});
    world.add(c, rival);
    EXPECT_EQ(world.add(c, pair(is_a, a)), add_result::added);
    world.add(timed, ecs::not_inheritable);
    EXPECT_EQ(world.remove(timed, ecs::not_inheritable), add_result::removed);
}

TEST_F(relations, value_of_a_pair_in_a_column_forbids_no_property) {
    const entity timed = world.component<expiry>();
    world.add(timed, ecs::non_fragmenting);
    world.set<expiry>(a, b, {3});
    EXPECT_EQ(world.add(timed, pair(ecs::on_delete_target, ecs::delete_it)), add_result::added);
    EXPECT_EQ(world.add(timed, ecs::relation_only), add_result::added);
    world.despawn(b);
    EXPECT_FALSE(world.alive(a));
}

struct knows {
    static constexpr auto properties = ecs::properties(ecs::non_fragmenting, ecs::reflexive);
};

TEST(targets_in_columns, of_a_reflexive_relation_are_found_by_text_as_by_types) {
    ecs::world world;
    world.set_name(world.component<knows>(), "knows");
    const entity a = world.spawn("a"), b = world.spawn("b");
    auto by_type = world.query().with(world.pair_to<knows>(a));
    auto by_text = world.query("(knows, a)");
    EXPECT_EQ(by_text.entities(), std::vector{a});
    world.add<knows>(a, b);
    EXPECT_EQ(by_text.entities(), by_type.entities());
    EXPECT_EQ(by_text.entities(), std::vector{a});
    world.add<knows>(b, a);
    EXPECT_EQ(by_text.count(), 2);
}

TEST(targets_in_columns, are_no_match_of_another_target_for_any_relation) {
    ecs::world world;
    const entity likes = world.spawn(), bob = world.spawn("Bob"), parent = world.spawn();
    const entity e = world.spawn();
    world.add(e, likes, bob);
    world.add(e, ecs::child_of, parent);
    auto fetching = world.query("(*, Bob)");
    EXPECT_EQ(fetching.count(), 1);
    world.add(world.spawn(), ecs::child_of, bob);
    EXPECT_EQ(fetching.count(), 2);
    world.add(e, ecs::child_of, bob);
    EXPECT_EQ(fetching.count(), 3);
    world.remove(e, likes, bob);
    EXPECT_EQ(fetching.count(), 2);
}

struct moored {
    static constexpr auto properties = ecs::properties(ecs::non_fragmenting);
    int place;
};

TEST(targets_in_columns, value_of_a_pair_is_written_in_a_loop_by_its_word_as_by_its_type) {
    ecs::world world;
    const entity e = world.spawn(), port = world.spawn(), other = world.spawn();
    world.set<moored>(e, port, {1});
    const ecs::id word = world.pair_to<moored>(port);
    const moored two{2};
    int written = 0;
    world.observe(ecs::event::set, word, [&] { ++written; });
    world.query().with(word).each([&](entity of) {
        EXPECT_EQ(world.set(of, word, &two), add_result::already_there);
        EXPECT_THROW(world.set(of, world.pair_to<moored>(other), &two), ecs::iteration_error);
    });
    EXPECT_EQ(world.get<moored>(e, port).place, 2);
    EXPECT_EQ(written, 1);
}

} // namespace
} // namespace targets_in_columns_test
