// SPDX-License-Identifier: MIT
// The law of replace_sources: afterwards exactly these are the sources of the target, in this order where
// there are lists; or it is refused, and nothing has changed.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

import ecs.world;

#include "relations.hpp"

namespace replacing_test {
namespace {

using list = std::vector<entity>;

/// Wherever the targets are kept, and whether or not the lists are ordered.
enum class kept : std::uint8_t { in_types, in_columns, in_order };

struct replacing : relations, testing::WithParamInterface<kept> {
    replacing() {
        if (is_listed()) world.add(likes, ecs::non_fragmenting);
        if (GetParam() == kept::in_order) world.add(likes, ecs::ordered);
        all = world.spawn_n(8);
    }

    static bool is_listed() { return GetParam() != kept::in_types; }
    add_result replace(const list& with) { return world.replace_sources(c, with, likes); }
    [[nodiscard]] list sources() const {
        return is_listed() ? world.sources(c, likes) : sorted(world.sources(c, likes));
    }
    static list expected(const list& in) { return is_listed() ? in : sorted(in); }
    [[nodiscard]] list pick(std::initializer_list<std::size_t> numbers) const {
        list picked;
        for (const std::size_t n : numbers) picked.push_back(all[n]);
        return picked;
    }
    /// Refused, and nothing has changed.
    void expect_refusal(const list& with, add_result why) {
        const list before = world.sources(c, likes);
        EXPECT_EQ(replace(with), why);
        EXPECT_EQ(world.sources(c, likes), before);
    }

    list all;
};

std::string name_of(const testing::TestParamInfo<kept>& in) {
    if (in.param == kept::in_types) return "in_types";
    return in.param == kept::in_order ? "in_order" : "in_columns";
}

INSTANTIATE_TEST_SUITE_P(targets, replacing,
                         testing::Values(kept::in_types, kept::in_columns, kept::in_order), name_of);

TEST_P(replacing, exactly_these_are_the_sources_afterwards) {
    EXPECT_EQ(replace(pick({0, 1, 2, 3})), add_result::added);
    EXPECT_EQ(sources(), expected(pick({0, 1, 2, 3})));
    EXPECT_EQ(replace(pick({5, 3, 4, 1})), add_result::added);
    EXPECT_EQ(sources(), expected(pick({5, 3, 4, 1})));
    EXPECT_TRUE(world.alive(all[0]) && world.ids(all[0]).empty()) << "who is left out lives on";
    EXPECT_EQ(replace(pick({1, 3, 4, 5})), add_result::already_there);
    EXPECT_EQ(sources(), expected(pick({1, 3, 4, 5}))) << "the order is another";
    EXPECT_EQ(replace({}), add_result::added);
    EXPECT_TRUE(sources().empty());
    EXPECT_EQ(replace({}), add_result::already_there);
}

TEST_P(replacing, agrees_with_a_list) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        list next = all;
        std::ranges::shuffle(next, random);
        next.resize(random() % (all.size() + 1));
        if (round % 3 == 0) world.remove(all[random() % all.size()], pair(likes, c));
        ASSERT_TRUE(succeeded(replace(next)));
        ASSERT_EQ(sources(), expected(next));
        for (const entity e : all) ASSERT_EQ(related(e, c), std::ranges::find(next, e) != next.end());
    }
}

TEST_P(replacing, sources_of_other_targets_are_left_alone) {
    relate(all[0], a);
    relate(all[1], b);
    EXPECT_EQ(replace(pick({1, 2})), add_result::added);
    EXPECT_TRUE(related(all[0], a));
    EXPECT_EQ(related(all[1], b), !is_listed()) << "a relation in a column is exclusive";
}

TEST_P(replacing, one_who_is_dead_or_foreign_or_named_twice_is_refused) {
    replace(pick({2, 0}));
    ecs::world other;
    const entity dead = world.spawn(), foreign = other.spawn();
    world.despawn(dead);
    expect_refusal({all[1], dead}, add_result::not_alive);
    expect_refusal({all[1], foreign}, add_result::not_alive);
    expect_refusal({all[1], entity{}}, add_result::not_alive);
    expect_refusal(pick({1, 0, 1}), add_result::sources_not_allowed);
    EXPECT_EQ(world.replace_sources(dead, all, likes), add_result::not_alive);
    EXPECT_EQ(world.replace_sources(foreign, all, likes), add_result::not_alive);
    EXPECT_EQ(world.replace_sources(c, all, dead), add_result::not_alive_id);
    EXPECT_EQ(world.replace_sources(c, all, pair(likes, any)), add_result::not_alive_id);
}

TEST_P(replacing, one_who_would_close_a_cycle_is_refused) {
    world.add(likes, ecs::acyclic);
    replace(pick({2, 0}));
    relate(c, b);
    relate(b, a);
    expect_refusal({all[1], a}, add_result::would_make_a_cycle);
    expect_refusal({all[1], c}, add_result::would_make_a_cycle);
    EXPECT_EQ(replace(pick({1})), add_result::added);
}

TEST_P(replacing, one_who_has_to_keep_or_cannot_have_the_pair_is_refused) {
    const entity needs_it = world.spawn(), rival = world.spawn();
    world.add(needs_it, pair(ecs::needs, likes));
    world.add(likes, pair(ecs::excludes, rival));
    replace(pick({2, 0}));
    world.add(all[2], pair(needs_it, c));
    expect_refusal(pick({1}), add_result::needed);
    world.add(all[3], rival);
    expect_refusal(pick({2, 1, 3}), add_result::excluded);
    world.remove(all[2], pair(needs_it, c));
    EXPECT_EQ(replace(pick({1, 2})), add_result::added);
    world.add(likes, ecs::permanent);
    expect_refusal(pick({1}), add_result::is_permanent);
    EXPECT_EQ(replace(pick({4, 2, 1})), add_result::added);
}

TEST_P(replacing, what_comes_along_is_asked_about) {
    const entity owns = world.spawn(), rival = world.spawn();
    world.add(likes, pair(ecs::with, owns));
    world.add(owns, pair(ecs::excludes, rival));
    replace(pick({2, 0}));
    EXPECT_TRUE(world.has(all[0], pair(owns, c)));
    world.add(all[3], rival);
    expect_refusal(pick({1, 3}), add_result::excluded);
    EXPECT_FALSE(world.has(all[1], pair(owns, c)));
}

TEST_P(replacing, what_comes_along_at_the_other_end_of_a_symmetric_relation_is_asked_about) {
    const entity knows = world.spawn(), group = world.spawn();
    world.add(likes, ecs::symmetric);
    world.add(likes, pair(ecs::with, knows));
    world.add(knows, pair(ecs::one_of, group));
    world.add(c, pair(child_of, group));
    world.add(all[0], pair(child_of, group));
    EXPECT_EQ(replace(pick({0})), add_result::added);
    EXPECT_TRUE(world.has(c, pair(knows, all[0])));
    expect_refusal(pick({1}), add_result::target_not_allowed);
    EXPECT_FALSE(related(c, all[1]) || world.has(all[1], pair(knows, c)));
}

TEST_P(replacing, relation_that_allows_one_source_gets_one) {
    world.add(likes, ecs::single_source);
    EXPECT_EQ(replace(pick({2})), add_result::added);
    expect_refusal(pick({1, 2}), add_result::sources_not_allowed);
    EXPECT_EQ(replace(pick({3})), add_result::added);
    EXPECT_EQ(sources(), pick({3}));
}

TEST_P(replacing, partners_of_a_symmetric_relation_are_replaced_on_both_sides) {
    world.add(likes, ecs::symmetric);
    const bool one = is_listed();
    EXPECT_EQ(replace(one ? pick({2}) : pick({2, 0})), add_result::added);
    EXPECT_EQ(replace(one ? pick({1}) : pick({1, 0})), add_result::added);
    EXPECT_TRUE(related(c, all[1]) && related(all[1], c));
    EXPECT_FALSE(related(c, all[2]) || related(all[2], c));
    if (one) expect_refusal(pick({1, 0}), add_result::sources_not_allowed);
}

TEST_P(replacing, observers_are_told_of_who_leaves_and_who_comes) {
    replace(pick({0, 1, 2}));
    list gone, come;
    auto removed = world.observe(ecs::event::removed, pair(likes, c), [&](entity e) { gone.push_back(e); });
    auto added = world.observe(ecs::event::added, pair(likes, c), [&](entity e) { come.push_back(e); });
    replace(pick({3, 1, 4}));
    EXPECT_EQ(sorted(gone), sorted(pick({0, 2})));
    EXPECT_EQ(come, pick({3, 4}));
    removed.end();
    added.end();
}

TEST_P(replacing, waits_for_observers_and_is_refused_in_loops) {
    const entity bell = world.spawn();
    auto ringing = world.observe(ecs::event::added, bell, [&](entity) {
        EXPECT_EQ(replace(pick({1, 0})), add_result::deferred);
        EXPECT_TRUE(sources().empty());
    });
    world.add(a, bell);
    EXPECT_EQ(sources(), expected(pick({1, 0})));
    ringing.end();
    world.query().with(bell).each([&](entity) { EXPECT_THROW(replace(pick({2})), ecs::iteration_error); });
    EXPECT_EQ(sources(), expected(pick({1, 0})));
}

using replacing_children = relations;

TEST_F(replacing_children, children_come_in_this_order_and_leave_alive) {
    const list all = world.spawn_n(4);
    EXPECT_EQ(world.replace_children(a, all), add_result::added);
    EXPECT_EQ(children_of(world, a), all);
    const list others{all[3], b, all[1]};
    EXPECT_EQ(world.replace_children(a, others), add_result::added);
    EXPECT_EQ(children_of(world, a), others);
    EXPECT_TRUE(world.alive(all[0]) && !world.parent(all[0]));
    EXPECT_EQ(world.replace_children(c, list{b}), add_result::added);
    EXPECT_EQ(children_of(world, a), (list{all[3], all[1]}));
    EXPECT_EQ(world.replace_children(b, list{c}), add_result::would_make_a_cycle);
}

TEST_F(replacing_children, names_are_those_of_the_children_to_be) {
    const entity x = world.spawn("x"), y = world.spawn("y"), other_x = world.spawn();
    world.replace_children(a, list{x, y});
    world.add(other_x, pair(child_of, b));
    world.set_name(other_x, "x");
    EXPECT_EQ(world.replace_children(a, list{x, other_x}), add_result::name_taken);
    EXPECT_EQ(world.replace_children(c, list{x, other_x}), add_result::name_taken) << "both are new";
    EXPECT_EQ(children_of(world, a), (list{x, y}));
    EXPECT_EQ(children_of(world, c), list{});
    EXPECT_EQ(world.replace_children(a, list{other_x, y}), add_result::added) << "the other x leaves";
    EXPECT_EQ(children_of(world, a), (list{other_x, y}));
    EXPECT_EQ(world.lookup("x"), x);
    EXPECT_EQ(world.replace_children(a, list{y}), add_result::name_taken) << "there is one without a parent";
    EXPECT_EQ(children_of(world, a), (list{other_x, y}));
}

TEST_F(replacing_children, of_a_prefab_are_prefabs) {
    const entity ship = world.prefab();
    world.replace_children(ship, list{a, b});
    EXPECT_TRUE(world.has(a, ecs::prefab_tag));
    world.replace_children(ship, list{b});
    EXPECT_EQ(children_of(world, ship), list{b});
}

TEST_F(replacing_children, relation_may_be_a_type) {
    struct owns {};
    EXPECT_EQ(world.replace_sources<owns>(a, list{b, c}), add_result::added);
    EXPECT_EQ(world.sources<owns>(a).size(), 2U);
}

TEST_F(replacing_children, many_leave_from_the_front_of_an_ordered_list) {
    world.add(world.lookup("child_of"), ecs::ordered);
    list all = world.spawn_n(20'000);
    world.replace_children(a, all);
    const list half(all.begin() + 10'000, all.end());
    world.replace_children(a, half);
    EXPECT_EQ(children_of(world, a), half);
}

TEST_F(replacing_children, leave_an_ordered_list_from_any_place) {
    world.add(world.lookup("child_of"), ecs::ordered);
    list left = world.spawn_n(60);
    world.replace_children(a, left);
    const auto takes_out = [&](std::size_t place) {
        const auto leaving = left.begin() + static_cast<std::ptrdiff_t>(place % left.size());
        if (place % 2 == 0)
            world.despawn(*leaving);
        else
            world.remove(*leaving, ecs::pair(ecs::child_of, a));
        left.erase(leaving);
        ASSERT_EQ(children_of(world, a), left) << place;
    };
    const auto comes = [&] {
        left.push_back(world.spawn());
        world.add(left.back(), ecs::pair(ecs::child_of, a));
    };
    for (std::size_t step = 0; step < 30; ++step) {
        takes_out(step * 37);
        if (step % 3 == 0) comes();
    }
    const auto then = world.snapshot();
    const list at_that_time = left;
    while (!left.empty()) takes_out(0);
    comes();
    world.restore(then);
    left = at_that_time;
    for (std::size_t step = 0; !left.empty(); ++step) takes_out(step * 53 + 1);
    comes();
    EXPECT_EQ(children_of(world, a), left);
}

} // namespace
} // namespace replacing_test
