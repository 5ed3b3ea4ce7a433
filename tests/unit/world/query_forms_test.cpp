// SPDX-License-Identifier: MIT
// Forms of walking and asking that are not about all rows: several entities by their handles, all pairs, and
// what is above.
#include <algorithm>
#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <set>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;

namespace query_forms_test {
namespace {

struct position {
    float x, y;
};
struct speed {
    float value;
};
struct frozen {};

TEST(get_many, hands_out_values_of_each) {
    ecs::world world;
    const ecs::entity a = world.spawn(position{1, 0}, speed{2});
    const ecs::entity b = world.spawn(position{3, 0}, speed{4}, frozen{});
    auto movers = world.query<position, const speed>();
    auto [first, second] = movers.get_many(std::array{a, b});
    std::swap(std::get<1>(first), std::get<1>(second));
    EXPECT_EQ(world.get<position>(a).x, 3);
    EXPECT_EQ(std::get<const speed&>(second).value, 4);
}

TEST(get_many, refuses_one_twice_and_one_that_does_not_match) {
    ecs::world world;
    const ecs::entity a = world.spawn(position{}, speed{});
    const ecs::entity b = world.spawn(position{});
    EXPECT_THROW((std::ignore = world.query<position>().get_many(std::array{a, b, a})),
                 std::invalid_argument);
    EXPECT_NO_THROW((std::ignore = world.query<const position>().get_many(std::array{a, b, a})));
    EXPECT_THROW((std::ignore = world.query<speed>().get_many(std::array{a, b})), ecs::access_error);
}

TEST(each_of, visits_those_that_match_in_their_order) {
    ecs::world world;
    const ecs::entity a = world.spawn(position{}, speed{1});
    const ecs::entity b = world.spawn(position{});
    const ecs::entity c = world.spawn(speed{3}, frozen{});
    const ecs::entity dead = world.spawn(speed{});
    world.despawn(dead);
    std::vector<ecs::entity> seen;
    const std::vector asked{c, b, a, dead, ecs::entity{}, c};
    const std::size_t count = world.query<speed>().each_of(asked, [&](ecs::entity e, speed& s) {
        seen.push_back(e);
        s.value += 1;
    });
    EXPECT_EQ(count, 3);
    EXPECT_EQ(seen, (std::vector{c, a, c}));
    EXPECT_EQ(world.get<speed>(c).value, 5);
}

TEST(each_of, visits_each_match_of_an_entity) {
    ecs::world world;
    const ecs::entity likes = world.spawn();
    const std::vector<ecs::entity> all = world.spawn_n(3);
    world.add(all[0], ecs::pair(likes, all[1]));
    world.add(all[0], ecs::pair(likes, all[2]));
    world.add(all[1], ecs::pair(likes, all[2]));
    auto query = world.query<const ecs::matched>().with(ecs::pair(likes, ecs::any));
    std::multiset<std::pair<ecs::entity, ecs::entity>> found;
    const auto visit = [&](ecs::entity e, const ecs::matched& m) { found.emplace(e, m.target); };
    EXPECT_EQ(query.each_of(all, visit), 3U);
    EXPECT_EQ(found, (std::multiset{std::pair(all[0], all[1]), std::pair(all[0], all[2]),
                                    std::pair(all[1], all[2])}));
    world.disable(all[0], ecs::pair(likes, all[1]));
    found.clear();
    EXPECT_EQ(query.each_of(std::array{all[0]}, visit), 1U);
    EXPECT_EQ(found, (std::multiset{std::pair(all[0], all[2])}));
}

TEST(each_of, holds_the_world_and_leaves_changes_to_be_found) {
    ecs::world world;
    const auto all = world.spawn_n(10, speed{});
    auto changed = world.query<const speed>().changed<speed>();
    changed.mark_seen();
    world.set(all[2], speed{1});
    world.set(all[3], speed{1});
    const auto visit = [&](ecs::entity e, const speed&) {
        EXPECT_THROW(world.despawn(e), ecs::iteration_error);
    };
    EXPECT_EQ(changed.each_of(std::vector{all[1], all[2]}, visit), 1);
    EXPECT_EQ(changed.count(), 2);
}

TEST(each_chunk, leaves_out_optional_values_that_are_disabled) {
    ecs::world world;
    const auto all =
        world.spawn_n(6, [](std::size_t i) { return std::tuple(position{}, speed{static_cast<float>(i)}); });
    for (const std::size_t hidden : {1U, 2U, 5U}) world.disable<speed>(all[hidden]);
    std::vector<std::pair<ecs::entity, float>> found;
    const auto visit = [&](std::span<const ecs::entity> of, std::span<const position> at,
                           std::span<const speed> run) {
        EXPECT_EQ(of.size(), at.size());
        EXPECT_TRUE(run.empty() || run.size() == of.size());
        for (std::size_t i = 0; i != of.size(); ++i)
            found.emplace_back(of[i], run.empty() ? -1 : run[i].value);
    };
    const std::vector<std::pair<ecs::entity, float>> expected{{all[0], 0}, {all[1], -1}, {all[2], -1},
                                                              {all[3], 3}, {all[4], 4},  {all[5], -1}};
    world.query<const position, const speed*>().each_chunk(visit);
    EXPECT_EQ(found, expected);
    found.clear();
    world.query<const position, const speed*>().cascade().each_chunk(visit);
    EXPECT_EQ(found, expected);
}

/// All pairs, by entity.
template <class Query> std::multiset<std::pair<std::uint64_t, std::uint64_t>> pairs_of(Query& query) {
    std::multiset<std::pair<std::uint64_t, std::uint64_t>> found;
    query.each_pair([&](const auto& a, const auto& b) {
        found.insert(std::minmax(std::get<0>(a).value(), std::get<0>(b).value()));
    });
    return found;
}

std::multiset<std::pair<std::uint64_t, std::uint64_t>> pairs_among(const std::vector<ecs::entity>& all) {
    std::multiset<std::pair<std::uint64_t, std::uint64_t>> found;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j)
            found.insert(std::minmax(all[i].value(), all[j].value()));
    return found;
}

TEST(each_pair, visits_every_two_once) {
    ecs::world world;
    auto query = world.query<const position>();
    EXPECT_TRUE(pairs_of(query).empty());
    std::vector<ecs::entity> all = world.spawn_n(300, position{});
    for (int i = 0; i < 40; ++i) all.push_back(world.spawn(position{}, speed{}));
    EXPECT_EQ(pairs_of(query), pairs_among(all));
    for (std::size_t i = 0; i < all.size(); i += 2) world.disable<position>(all[i]);
    EXPECT_EQ(pairs_of(query), pairs_among(query.entities()));
    auto sorted = world.query<const position>().sort_by<position>(
        [](const position& a, const position& b) { return a.x < b.x; });
    EXPECT_EQ(pairs_of(sorted), pairs_among(query.entities()));
}

TEST(each_pair, leaves_filters_out) {
    ecs::world world;
    std::ignore = world.spawn_n(3, position{});
    std::ignore = world.spawn(position{}, frozen{});
    int pairs = 0;
    auto thawed = world.query<const position, ecs::without<frozen>>();
    thawed.each_pair(
        [&](const auto& a, const auto&) { pairs += std::tuple_size_v<std::decay_t<decltype(a)>> == 2; });
    EXPECT_EQ(pairs, 3);
}

TEST(each_pair, hands_out_values_to_be_written) {
    ecs::world world;
    const auto all = world.spawn_n(4, [](std::size_t i) { return position{static_cast<float>(i), 0}; });
    world.query<position>().each_pair([&](auto a, auto b) {
        std::get<1>(a).y += 1;
        std::get<1>(b).y += std::get<1>(a).x;
        EXPECT_THROW(world.despawn(all[0]), ecs::iteration_error);
    });
    EXPECT_EQ(world.get<position>(all[0]).y, 3);
    EXPECT_EQ(world.get<position>(all[3]).y, 3);
}

TEST(each_pair, does_not_find_its_own_writes) {
    ecs::world world;
    std::ignore = world.spawn_n(5, position{});
    auto changed = world.query<position>().changed<position>();
    int visits = 0;
    const auto visit = [&](auto, auto) { ++visits; };
    changed.each_pair(visit);
    EXPECT_EQ(visits, 10);
    changed.each_pair(visit);
    EXPECT_EQ(visits, 10);
}

TEST(order, is_what_a_function_of_two_entities_says) {
    ecs::world world;
    const auto all = world.spawn_n(50, [](std::size_t i) {
        return std::tuple(position{static_cast<float>(i % 7), 0}, speed{static_cast<float>(i)});
    });
    const auto key = [&](ecs::entity e) {
        return std::pair(world.get<position>(e).x, -world.get<speed>(e).value);
    };
    auto sorted =
        world.query<const position>().sort_by([&](ecs::entity a, ecs::entity b) { return key(a) < key(b); });
    const auto is_sorted = [&] {
        const std::vector<ecs::entity> order = sorted.entities();
        return order.size() == 50 && std::ranges::is_sorted(order, {}, key);
    };
    EXPECT_TRUE(is_sorted());
    world.set(all[3], position{9, 0});
    world.set(all[8], speed{-5});
    EXPECT_TRUE(is_sorted());
    sorted.each([&](ecs::entity, const position&) {
        EXPECT_THROW(sorted.sort_by([](ecs::entity, ecs::entity) { return false; }), ecs::iteration_error);
    });
}

TEST(order, is_that_of_now_in_a_loop_within_one_that_has_no_order) {
    ecs::world world;
    const ecs::entity a = world.spawn(speed{1}), b = world.spawn(speed{2});
    auto sorted = world.query<speed>().sort_by<speed>(
        [](const speed& one, const speed& other) { return one.value < other.value; });
    std::vector<ecs::entity> order;
    sorted.each_of(std::array{a}, [&](speed& s) {
        sorted.each([](speed&) {});
        s.value = 9;
        sorted.each([&](ecs::entity e, speed&) { order.push_back(e); });
    });
    EXPECT_EQ(order, (std::vector{b, a}));
}

TEST(order, of_what_has_no_values_is_refused) {
    ecs::world world;
    const auto less = [](const void*, const void*) { return false; };
    auto query = world.query();
    EXPECT_THROW(query.sort_by(world.component<frozen>(), less), std::invalid_argument);
    EXPECT_THROW(query.sort_by(world.spawn(), less), std::invalid_argument);
    EXPECT_NO_THROW(query.sort_by(world.component<speed>(), less));
}

TEST(groups, cannot_change_the_world) {
    ecs::world world;
    const ecs::entity a = world.spawn(position{}), tag = world.component<frozen>();
    auto grouped = world.query<const position>().group_by([&](std::span<const ecs::id>) {
        world.add(a, tag);
        return 0U;
    });
    EXPECT_THROW(std::ignore = grouped.count(), ecs::iteration_error);
    EXPECT_FALSE(world.has(a, tag));
    EXPECT_FALSE(world.is_locked());
}

TEST(groups, are_refused_when_targets_have_come_to_be_in_a_column) {
    ecs::world world;
    const ecs::entity relation = world.spawn(), target = world.spawn();
    auto grouped = world.query<const position>().group_by(relation);
    ASSERT_EQ(world.add(relation, ecs::non_fragmenting), ecs::add_result::added);
    world.add(world.spawn(position{}), ecs::pair(relation, target));
    EXPECT_THROW(grouped.each_in_group(target, [](const position&) {}), std::invalid_argument);
    EXPECT_EQ(grouped.count(), 1U);
}

TEST(assignment, is_refused_while_a_loop_over_the_query_runs) {
    ecs::world world;
    std::ignore = world.spawn_n(2, position{});
    auto query = world.query<const position>();
    const auto other = world.query<const position>().without<frozen>();
    int visits = 0;
    query.each([&](const position&) {
        EXPECT_THROW(query = other, ecs::iteration_error);
        ++visits;
    });
    EXPECT_EQ(visits, 2);
    auto text = world.query(query.text());
    const auto other_text = text;
    text.each([&](const ecs::text_match&) { EXPECT_THROW(text = other_text, ecs::iteration_error); });
    query = other;
    text = other_text;
    EXPECT_EQ(query.count() + text.count(), 4U);
}

TEST(groups, have_the_numbers_that_a_function_gives) {
    ecs::world world;
    const ecs::entity slow = world.spawn(position{});
    const ecs::entity fast = world.spawn(position{}, speed{});
    auto grouped = world.query<const position>().group_by(
        [speed_word = ecs::id(world.component<speed>())](std::span<const ecs::id> has) {
            return std::ranges::find(has, speed_word) == has.end() ? 2U : 1U;
        });
    EXPECT_EQ(grouped.entities(), (std::vector{fast, slow}));
    const ecs::entity cold = world.spawn(position{}, speed{}, frozen{});
    EXPECT_EQ(grouped.entities(), (std::vector{fast, cold, slow}));
    std::vector<ecs::entity> found;
    grouped.each_in_group(2, [&](ecs::entity e, const position&) { found.push_back(e); });
    EXPECT_EQ(found, std::vector{slow});
    EXPECT_THROW(grouped.each_in_group(slow, [](const position&) {}), std::invalid_argument);
    grouped.group_by(world.component<frozen>());
    found.clear();
    grouped.each_in_group(2, [&](ecs::entity e, const position&) { found.push_back(e); });
    EXPECT_TRUE(found.empty()) << "nobody has the relation to the number 2";
    EXPECT_THROW(world.query<const position>().each_in_group(2, [](const position&) {}),
                 std::invalid_argument);
    EXPECT_EQ(grouped.count(), 3);
}

struct family {
    ecs::world world;
    ecs::entity root = world.spawn(speed{1});
    ecs::entity child = world.spawn(position{}, ecs::pair(ecs::child_of, root));
    ecs::entity leaf = world.spawn(position{}, speed{3}, ecs::pair(ecs::child_of, child));
    ecs::entity other = world.spawn(position{});
};

TEST(above, begins_at_the_entity_itself_when_asked) {
    family in;
    std::vector<std::pair<ecs::entity, float>> found;
    in.world.query<const position, ecs::self_or_up<const speed>>().each(
        [&](ecs::entity e, const position&, const speed& s) { found.emplace_back(e, s.value); });
    EXPECT_EQ(found, (std::vector<std::pair<ecs::entity, float>>{{in.child, 1}, {in.leaf, 3}}));
    in.world.query<position, ecs::self_or_up<speed>>().each([](position&, speed& s) { s.value += 10; });
    EXPECT_EQ(in.world.get<speed>(in.root).value, 11);
    EXPECT_EQ(in.world.get<speed>(in.leaf).value, 13);
}

TEST(above, may_be_missing) {
    family in;
    std::set<std::pair<std::uint64_t, float>> found;
    in.world.query<const position, ecs::up<const speed*>>().each(
        [&](ecs::entity e, const position&, const speed* s) { found.emplace(e.value(), s ? s->value : -1); });
    EXPECT_EQ(found, (std::set<std::pair<std::uint64_t, float>>{
                         {in.child.value(), 1}, {in.leaf.value(), 1}, {in.other.value(), -1}}));
}

TEST(above, is_found_for_each_row_whatever_its_neighbours_have) {
    ecs::world world;
    const ecs::entity root = world.spawn(speed{1});
    const ecs::entity silent = world.spawn(ecs::pair(ecs::child_of, root)), alone = world.spawn();
    const ecs::entity loud = world.spawn(speed{2}, ecs::pair(ecs::child_of, root));
    std::vector<std::pair<ecs::entity, float>> expected;
    for (const ecs::entity parent : {silent, silent, loud, alone, loud, loud, silent, alone, root}) {
        const ecs::entity e = world.spawn(position{}, ecs::pair(ecs::child_of, parent));
        if (parent != alone) expected.emplace_back(e, parent == loud ? 2.F : 1.F);
    }
    for (int i = 0; i < 200; ++i)
        expected.emplace_back(world.spawn(position{}, ecs::pair(ecs::child_of, i % 3 == 0 ? loud : root)),
                              i % 3 == 0 ? 2.F : 1.F);
    const auto found_by = [](auto&& loop) {
        std::vector<std::pair<ecs::entity, float>> found;
        loop([&](ecs::entity e, const position&, const speed& s) { found.emplace_back(e, s.value); });
        return found;
    };
    auto asked = world.query<const position, ecs::up<const speed>>();
    EXPECT_EQ(found_by([&](auto visit) { asked.each(visit); }), expected);
    EXPECT_EQ(found_by([&](auto visit) {
                  for (auto [e, p, s] : asked) visit(e, p, s);
              }),
              expected);
    world.disable<speed>(loud);
    for (auto& [e, value] : expected) value = 1;
    EXPECT_EQ(found_by([&](auto visit) { asked.each(visit); }), expected);
}

TEST(above, is_marked_where_it_was_written) {
    family in;
    auto changed = in.world.query<const speed>().changed<speed>();
    changed.mark_seen();
    auto writes = in.world.query<const position, ecs::self_or_up<speed*>>();
    writes.each([](const position&, speed* s) {
        if (s) s->value = 0;
    });
    EXPECT_EQ(changed.entities(), (std::vector{in.root, in.leaf}));
}

} // namespace
} // namespace query_forms_test
