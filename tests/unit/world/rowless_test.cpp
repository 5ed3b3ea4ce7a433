// SPDX-License-Identifier: MIT
// Entities without components have no rows. Loops and questions find them nevertheless, in the order of their
// indices, however they come and go, and a world that goes back or is read from a file has the same ones.
#include <gtest/gtest.h>
#include <set>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

namespace rowless_test {
namespace {

using ecs::entity;

struct place {
    int value = 1;
};
struct marked {};
struct warm {
    static constexpr auto kept_in = ecs::storage::sparse;
    int degrees = 1;
};
struct wet {
    static constexpr auto kept_in = ecs::storage::in_place;
    int drops = 1;
};
struct soaked {
    static constexpr auto kept_in = ecs::storage::in_place;
    int drops = 2;
};

using entities = std::vector<entity>;

class rowless : public testing::Test {
  protected:
    void SetUp() override {
        world_.component<place>();
        world_.component<marked>();
    }

    /// Of the program, without components but those of the library.
    static entities ordinary(entities found) {
        std::erase_if(found, [](entity e) { return e.index() < ecs::id_space::first_index; });
        return found;
    }
    /// All entities, by a loop over chunks.
    entities all() {
        entities found;
        world_.query<>().each([&](entity e) { found.push_back(e); });
        return ordinary(found);
    }
    entities spawn(std::size_t count) {
        entities made;
        for (std::size_t i = 0; i < count; ++i) made.push_back(world_.spawn());
        return made;
    }
    /// Every way to look finds exactly these, in this order.
    void expect_exactly(const entities& expected) {
        EXPECT_EQ(all(), expected);
        ecs::query<> asked = world_.query<>();
        EXPECT_EQ(ordinary(asked.entities()), expected);
        entities by_range;
        for (auto [e] : asked) by_range.push_back(e);
        EXPECT_EQ(ordinary(by_range), expected);
        for (const entity e : expected) EXPECT_TRUE(asked.contains(e));
        EXPECT_EQ(asked.count(), by_range.size());
    }

    ecs::world world_;
};

TEST_F(rowless, take_no_more_memory_than_their_slots) {
    ecs::world many;
    const std::size_t before = many.memory_bytes();
    constexpr std::size_t count = 1 << 16; // Slots come in pages.
    const entities made = many.spawn_n(count);
    EXPECT_LE(many.memory_bytes() - before, (count + 4096) * sizeof(entity));
    EXPECT_EQ(many.tables().front().bytes, 0U);
    EXPECT_GE(many.tables().front().entities, count);
}

TEST_F(rowless, are_found_in_the_order_of_their_indices) {
    const entities made = spawn(20'000); // Three chunks of them.
    expect_exactly(made);
    for (const std::size_t i : {0U, 8191U, 8192U, 19'999U}) EXPECT_TRUE(world_.despawn(made[i]));
    entities left = made;
    std::erase_if(left, [&](entity e) { return !world_.alive(e); });
    expect_exactly(left);
    const entity again = world_.spawn(); // With one of these indices.
    left.insert(std::ranges::lower_bound(left, again.index(), {}, [](entity e) { return e.index(); }), again);
    expect_exactly(left);
}

TEST_F(rowless, have_a_row_while_they_have_a_component) {
    const entities made = spawn(4);
    world_.set(made[1], place{7});
    world_.add<marked>(made[2]);
    EXPECT_EQ(world_.get<place>(made[1]).value, 7);
    EXPECT_TRUE(world_.has<marked>(made[2]));
    EXPECT_EQ(world_.query<place>().count(), 1U);
    EXPECT_EQ(world_.query<>().without<place>().without<marked>().contains(made[1]), false);
    world_.remove<place>(made[1]);
    world_.remove<marked>(made[2]);
    EXPECT_FALSE(world_.try_get<place>(made[1]));
    expect_exactly(made);
}

TEST_F(rowless, get_and_lose_components_together) {
    const entities made = world_.spawn_n(1000);
    EXPECT_EQ(world_.add<marked>(made), 1000U);
    EXPECT_EQ(world_.query<>().with<marked>().count(), 1000U);
    EXPECT_EQ(world_.remove<marked>(made), 1000U);
    expect_exactly(made);
    EXPECT_EQ(world_.set(made, [](std::size_t i) { return place{static_cast<int>(i)}; }), 1000U);
    EXPECT_EQ(world_.get<place>(made[999]).value, 999);
    EXPECT_EQ(world_.remove<place>(made), 1000U);
    EXPECT_EQ(world_.despawn(made), 1000U);
    expect_exactly({});
}

TEST_F(rowless, are_told_of_to_observers) {
    entities told;
    world_.observe<ecs::event::spawned>([&](entity e) { told.push_back(e); });
    const entities made = spawn(3);
    EXPECT_EQ(told, made);
    entities ended;
    world_.observe<ecs::event::despawned>([&](entity e) { ended.push_back(e); });
    for (const entity e : made) world_.despawn(e);
    EXPECT_EQ(ended, made);
}

TEST_F(rowless, have_what_is_kept_outside_tables) {
    const entities made = spawn(3);
    world_.set(made[1], warm{40});
    EXPECT_EQ(world_.get<warm>(made[1]).degrees, 40);
    EXPECT_EQ(ordinary(world_.query<warm>().entities()), entities{made[1]});
    world_.despawn(made[1]);
    EXPECT_EQ(world_.query<warm>().count(), 0U);
}

TEST_F(rowless, get_rows_when_values_are_kept_beside_them) {
    const entities made = spawn(100);
    world_.despawn(made[10]);
    world_.set(made[20], wet{5});
    EXPECT_EQ(world_.get<wet>(made[20]).drops, 5);
    EXPECT_NE(world_.tables().front().bytes, 0U);
    entities left = made;
    left.erase(left.begin() + 10);
    expect_exactly(left);
    const entity later = world_.spawn(wet{6});
    EXPECT_EQ(world_.get<wet>(later).drops, 6);
    EXPECT_EQ(world_.query<wet>().count(), 2U);
}

TEST_F(rowless, get_rows_when_such_a_component_is_met_while_observers_are_told) {
    const entities made = spawn(3);
    world_.observe<ecs::event::added, marked>([&](entity e) { world_.set(e, soaked{9}); });
    world_.add<marked>(made[1]);
    ASSERT_TRUE(world_.has<soaked>(made[1]));
    EXPECT_EQ(world_.get<soaked>(made[1]).drops, 9);
    world_.set(made[2], soaked{3});
    EXPECT_EQ(world_.get<soaked>(made[2]).drops, 3);
    EXPECT_EQ(world_.query<>().with<soaked>().count(), 2U);
}

TEST_F(rowless, are_parents_targets_and_copies) {
    const entities made = spawn(3);
    world_.add(made[1], ecs::pair(ecs::child_of, made[0]));
    EXPECT_EQ(world_.parent(made[1]), made[0]);
    const entity copy = world_.clone(made[2]);
    EXPECT_EQ(all(), (entities{made[0], made[2], copy, made[1]})); // The child has a row, which says whose.
    EXPECT_TRUE(world_.despawn(made[0]));
    expect_exactly({made[2], copy});
}

TEST_F(rowless, are_the_same_when_a_world_goes_back) {
    const entities made = spawn(300);
    const ecs::snapshot then = world_.snapshot();
    for (std::size_t i = 0; i < made.size(); i += 3) world_.despawn(made[i]);
    world_.add<marked>(made[1]);
    const entities more = spawn(50);
    const entities now = all();
    world_.restore(then);
    expect_exactly(made);
    EXPECT_FALSE(world_.has<marked>(made[1]));
    for (std::size_t i = 0; i < made.size(); i += 3) world_.despawn(made[i]);
    world_.add<marked>(made[1]);
    EXPECT_EQ(spawn(50).size(), more.size());
    EXPECT_EQ(all().size(), now.size());
    for (std::size_t i = 0; i < now.size(); ++i) EXPECT_EQ(all()[i].index(), now[i].index());
}

TEST_F(rowless, are_the_same_in_a_world_that_is_loaded) {
    const entities made = spawn(300);
    for (std::size_t i = 0; i < made.size(); i += 3) world_.despawn(made[i]);
    entities left = all();
    ecs::world other;
    other.component<place>();
    other.component<marked>();
    const std::vector<std::byte> saved = ecs::save(world_);
    ecs::load(other, saved);
    entities there;
    other.query<>().each([&](entity e) { there.push_back(e); });
    there = ordinary(there);
    ASSERT_EQ(there.size(), left.size());
    for (std::size_t i = 0; i < left.size(); ++i) EXPECT_EQ(there[i].index(), left[i].index());
    EXPECT_EQ(other.tables().front().entities, world_.tables().front().entities);
}

TEST_F(rowless, come_from_commands) {
    auto commands = world_.commands();
    const entity first = commands.spawn();
    const entity second = commands.spawn();
    world_.flush();
    expect_exactly({first, second});
}

TEST_F(rowless, are_found_by_several_threads_that_read) {
    const entities made = spawn(12'000);
    const ecs::world& read = world_;
    std::vector<std::size_t> found(4);
    {
        std::vector<std::jthread> threads;
        for (std::size_t& count : found)
            threads.emplace_back([&read, &count] { count = read.query<>().entities().size(); });
    }
    for (const std::size_t count : found) EXPECT_EQ(count, found.front());
    EXPECT_GE(found.front(), made.size());
}

TEST_F(rowless, keep_dead_handles_dead) {
    const entity e = world_.spawn();
    world_.despawn(e);
    EXPECT_FALSE(world_.despawn(e));
    EXPECT_EQ(world_.set(e, place{}), ecs::add_result::not_alive);
    EXPECT_EQ(world_.add<marked>(e), ecs::add_result::not_alive);
    EXPECT_FALSE(world_.try_get<place>(e));
    EXPECT_FALSE(world_.query<>().contains(e));
}

TEST_F(rowless, are_those_of_now_however_often_a_world_goes_back) {
    const entity a = world_.spawn();
    const ecs::snapshot with_a = world_.snapshot();
    world_.despawn(a);
    const entity b = world_.spawn();
    const ecs::snapshot with_b = world_.snapshot(); // As many entities without components.
    for (int i = 0; i < 100; ++i) {
        world_.restore(i % 2 == 0 ? with_a : with_b);
        const entities found = all();
        ASSERT_EQ(found.size(), 1U) << i;
        ASSERT_TRUE(world_.alive(found[0])) << i;
        ASSERT_EQ(found[0].index(), (i % 2 == 0 ? a : b).index()) << i;
    }
}

/// Of a type that is met while observers are told of an entity with a row.
struct dripping {
    static constexpr auto kept_in = ecs::storage::in_place;
    int drops = 3;
};

TEST_F(rowless, get_rows_when_what_they_keep_in_place_was_met_while_others_were_told) {
    world_.observe<ecs::event::added, marked>([&](entity) { std::ignore = world_.component<dripping>(); });
    const entity e = world_.spawn(place{}), other = world_.spawn();
    world_.add<marked>(e);
    world_.set(e, dripping{5});
    world_.remove<marked>(e);
    world_.remove<place>(e);
    EXPECT_EQ(world_.get<dripping>(e).drops, 5);
    EXPECT_TRUE(world_.alive(other));
    world_.remove<dripping>(e);
    const entities found = all(); // They have rows now, which are in no order.
    EXPECT_EQ(std::set(found.begin(), found.end()), (std::set{e, other}));
}

TEST_F(rowless, are_listed_as_news_in_the_order_of_loops) {
    const entities made = spawn(10'000);
    auto changed = world_.query<const warm>().changed<warm>();
    auto cold = world_.query<>().removed<warm>();
    for (const entity e : made) world_.set(e, warm{1});
    changed.mark_seen();
    world_.set(made[9'000], warm{2}); // Behind the first chunk.
    world_.set(made[8'500], warm{2});
    world_.set(made[700], warm{2});
    entities found;
    changed.each([&](entity e, const warm&) { found.push_back(e); });
    EXPECT_EQ(found, (entities{made[700], made[8'500], made[9'000]}));
    cold.mark_seen();
    world_.remove<warm>(made[8'500]);
    world_.remove<warm>(made[700]);
    found.clear();
    cold.each([&](entity e) { found.push_back(e); });
    EXPECT_EQ(found, (entities{made[700], made[8'500]}));
}

} // namespace
} // namespace rowless_test
