// SPDX-License-Identifier: MIT
// A query sorts the rows of its tables: what an entity has moves with it, and nothing else changes.
#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

import ecs.world;

namespace sorted_rows_test {
namespace {

using ecs::entity;

struct rank {
    int value;
};
struct title {
    std::string text;
};
struct frozen {};
struct burning {
    static constexpr auto kept_in = ecs::storage::sparse;
    int heat;
};
struct damp {
    static constexpr auto kept_in = ecs::storage::in_place;
    std::string drops;
};

const auto by_value = [](const rank& a, const rank& b) { return a.value < b.value; };

/// What an entity has; a value that it has not is -1, or no text.
struct had {
    entity owner;
    int value;
    std::string title_text;
    int heat;
    std::string drops;
    bool is_frozen;
    bool is_shown;
    std::string name;
    entity parent;

    bool operator==(const had&) const = default;
};

class sorted_rows : public testing::Test {
  protected:
    /// Entities of several tables, of which everything that a row can have is had by some.
    void spawn(int count) {
        const entity parents[] = {world_.spawn(), world_.spawn()};
        for (int i = 0; i < count; ++i) {
            all_.push_back(world_.spawn(rank{static_cast<int>(random_() % 1000)}));
            const entity e = all_.back();
            world_.set(e, title{"a title that is long enough for the heap " + std::to_string(i)});
            if (i % 3 == 0) world_.add<frozen>(e);
            if (i % 4 == 0) world_.set(e, burning{i});
            if (i % 5 == 0) world_.set(e, damp{"as many drops as there are letters " + std::to_string(i)});
            if (i % 7 == 0) world_.disable<title>(e);
            if (i % 11 == 0) world_.set_name(e, "n" + std::to_string(i));
            if (i % 13 == 0) world_.add(e, ecs::child_of, parents[i % 2]);
        }
    }

    had of(entity e) {
        const title* const text = world_.try_get<title>(e);
        const burning* const heat = world_.try_get<burning>(e);
        const damp* const drops = world_.try_get<damp>(e);
        return {e,
                world_.get<rank>(e).value,
                text ? text->text : "",
                heat ? heat->heat : -1,
                drops ? drops->drops : "",
                world_.has<frozen>(e),
                world_.is_enabled<title>(e),
                std::string(world_.name_of(e)),
                world_.parent(e)};
    }
    std::vector<had> of_all() {
        std::vector<had> found;
        for (const entity e : all_) found.push_back(of(e));
        return found;
    }

    /// Whether loops over the tables come to lower values first, table by table.
    bool are_in_order() {
        bool in_order = true;
        world_.query<const rank>().each_chunk(
            [&](std::span<const rank> values) { in_order &= std::ranges::is_sorted(values, by_value); });
        return in_order;
    }

    ecs::world world_;
    std::vector<entity> all_;
    std::minstd_rand random_{5};
    ecs::query<const rank> sorted_ = world_.query<const rank>().sort_by<rank>(by_value);
};

TEST_F(sorted_rows, keep_what_their_entities_have) {
    spawn(2'000);
    const std::vector<had> before = of_all();
    ASSERT_FALSE(are_in_order());
    sorted_.sort_rows();
    EXPECT_TRUE(are_in_order());
    EXPECT_EQ(of_all(), before);
    EXPECT_EQ(world_.lookup("n11"), all_[11]);
    std::ranges::shuffle(all_, random_);
    for (std::size_t i = 0; i < all_.size(); i += 2) world_.despawn(all_[i]);
    EXPECT_EQ(sorted_.count(), all_.size() / 2);
}

TEST_F(sorted_rows, are_what_loops_go_over_in_the_order_of_the_query) {
    spawn(500);
    sorted_.sort_rows();
    int last = -1;
    std::size_t count = 0;
    sorted_.each([&](const rank& r) {
        EXPECT_GE(r.value, std::exchange(last, r.value));
        ++count;
    });
    EXPECT_EQ(count, all_.size());
    world_.get<rank>(all_[40]).value = -5;
    EXPECT_EQ(sorted_.first(), all_[40]);
    sorted_.sort_rows();
    EXPECT_EQ(sorted_.first(), all_[40]);
    EXPECT_TRUE(are_in_order());
}

TEST_F(sorted_rows, of_chunks_that_are_full_are_sorted_across_chunks) {
    ecs::world world;
    auto sorted = world.query<const rank>().sort_by<rank>(
        [](const rank& a, const rank& b) { return a.value > b.value; });
    for (int i = 0; i < 9'000; ++i) world.spawn(rank{i});
    std::vector<std::size_t> rows;
    auto plain = world.query<const rank>();
    plain.each_chunk([&](std::span<const rank> values) { rows.push_back(values.size()); });
    ASSERT_GT(rows.size(), 1U);
    for (int i = 9'000; i % static_cast<int>(rows[0]) != 0; ++i) world.spawn(rank{i}); // No row is free.
    sorted.sort_rows();
    std::vector<int> values;
    plain.each([&](const rank& r) { values.push_back(r.value); });
    ASSERT_EQ(values.size() % rows[0], 0U);
    EXPECT_TRUE(std::ranges::is_sorted(values, std::greater<>()));
    EXPECT_EQ(values.back(), 0);
    const entity last = world.spawn(rank{-1});
    EXPECT_EQ(plain.entities().back(), last);
}

TEST_F(sorted_rows, stay_where_the_query_does_not_find_them) {
    for (const int value : {9, 2, 7, 1, 5}) all_.push_back(world_.spawn(rank{value}));
    world_.disable<rank>(all_[0]);
    world_.disable<rank>(all_[3]);
    sorted_.sort_rows();
    world_.enable<rank>(all_[0]);
    world_.enable<rank>(all_[3]);
    std::vector<int> values;
    world_.query<const rank>().each([&](const rank& r) { values.push_back(r.value); });
    EXPECT_EQ(values, (std::vector{9, 2, 5, 1, 7}));
}

TEST_F(sorted_rows, with_several_matches_are_sorted_once) {
    const entity likes = world_.spawn(), x = world_.spawn(), y = world_.spawn();
    for (const int value : {3, 1, 2}) {
        all_.push_back(world_.spawn(rank{value}));
        world_.add(all_.back(), ecs::pair(likes, x));
        world_.add(all_.back(), ecs::pair(likes, y));
    }
    auto liking = world_.query<const rank>().with(ecs::pair(likes, ecs::any)).sort_by<rank>(by_value);
    auto each_pair = world_.query<const rank, const ecs::matched>()
                         .with(ecs::pair(likes, ecs::any))
                         .sort_by<rank>(by_value);
    EXPECT_EQ(each_pair.count(), 6U);
    each_pair.sort_rows();
    EXPECT_TRUE(are_in_order());
    EXPECT_EQ(liking.entities(), (std::vector{all_[1], all_[2], all_[0]}));
}

TEST_F(sorted_rows, tell_nobody_and_change_nothing_that_a_query_would_see) {
    spawn(100);
    auto changed = world_.query<const rank>().changed<rank>();
    changed.mark_seen();
    int told = 0;
    world_.observe<ecs::event::set, rank>([&](entity) { ++told; });
    world_.observe<ecs::event::added, title>([&](entity) { ++told; });
    sorted_.sort_rows();
    EXPECT_TRUE(are_in_order());
    EXPECT_EQ(told, 0);
    EXPECT_EQ(changed.count(), 0U);
    world_.set(all_[50], rank{3});
    EXPECT_EQ(changed.entities(), std::vector{all_[50]});
}

TEST_F(sorted_rows, follow_any_order_that_a_query_has) {
    const entity root = world_.spawn(rank{0});
    for (int i = 0; i < 40; ++i) {
        const entity e = world_.spawn(rank{i});
        all_.push_back(e);
        world_.add(e, ecs::child_of, i == 0 ? root : all_[random_() % static_cast<unsigned>(i)]);
    }
    std::ranges::shuffle(all_, random_);
    world_.query<const rank>().sort_by([](entity a, entity b) { return b < a; }).sort_rows();
    EXPECT_TRUE(std::ranges::is_sorted(
        world_.query<const rank>().with(ecs::pair(ecs::child_of, all_[0])).entities(), std::greater<>()));
    auto down = world_.query<const rank>().cascade();
    const std::vector<entity> order = down.entities();
    down.sort_rows();
    EXPECT_EQ(down.entities(), order);
}

TEST_F(sorted_rows, are_refused_without_an_order_and_inside_a_loop) {
    for (const int value : {3, 1, 2}) all_.push_back(world_.spawn(rank{value}));
    auto plain = world_.query<const rank>();
    EXPECT_THROW(plain.sort_rows(), std::invalid_argument);
    plain.each([&](const rank&) { EXPECT_THROW(sorted_.sort_rows(), ecs::iteration_error); });
    sorted_.each([&](const rank&) { EXPECT_THROW(sorted_.sort_rows(), ecs::iteration_error); });
    bool throws = true;
    auto failing = world_.query<const rank>().sort_by<rank>([&](const rank& a, const rank& b) {
        if (throws) throw std::runtime_error("no");
        return by_value(a, b);
    });
    EXPECT_THROW(failing.sort_rows(), std::runtime_error);
    EXPECT_EQ(plain.entities(), all_);
    throws = false;
    failing.sort_rows();
    EXPECT_TRUE(are_in_order());
}

TEST_F(sorted_rows, of_entities_without_components_are_none) {
    all_ = {world_.spawn(), world_.spawn()};
    auto backwards = world_.query<>().sort_by([](entity a, entity b) { return b < a; });
    const std::vector<entity> before = backwards.entities();
    backwards.sort_rows();
    EXPECT_EQ(backwards.entities(), before);
    EXPECT_TRUE(world_.alive(all_[0]) && world_.alive(all_[1]));
}

} // namespace
} // namespace sorted_rows_test
