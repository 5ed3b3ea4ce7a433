// SPDX-License-Identifier: MIT
// What was reserved asks for no memory and moves nothing: the world runs with an operator new that counts.
#include "support/replaced_new.hpp"
#include <atomic>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <stdexcept>
#include <tuple>
#include <vector>
import ecs.world;

namespace {

std::atomic<std::size_t> allocations{0};

} // namespace

void before_allocation() {
    allocations.fetch_add(1, std::memory_order_relaxed); // Relaxed: a number.
}

namespace {

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};
struct frozen {};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    int strength;
};

/// A world whose number nobody has had: one that takes over a number has the indices of the one before.
ecs::world& fresh_world() {
    static std::vector<std::unique_ptr<ecs::world>> all;
    return *all.emplace_back(std::make_unique<ecs::world>());
}

/// How often memory is asked for while f runs.
template <class F> std::size_t allocations_of(F f) {
    const std::size_t before = allocations.load();
    f();
    return allocations.load() - before;
}

/// From less than a chunk has to several, and more than a page of indices.
class reserve : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(sizes, reserve, testing::Values(1, 100, 3000, 50'000));

TEST_P(reserve, entities_without_components_ask_for_no_memory) {
    ecs::world& world = fresh_world();
    world.reserve(static_cast<std::size_t>(GetParam()));
    EXPECT_EQ(allocations_of([&] {
                  for (int i = 0; i < GetParam(); ++i) world.spawn();
              }),
              0U);
}

TEST_P(reserve, entities_with_components_ask_for_no_memory_and_move_no_row) {
    ecs::world& world = fresh_world();
    const ecs::entity first = world.spawn(position{1, 2}, velocity{3, 4}, frozen{});
    world.reserve<position, velocity, frozen>(static_cast<std::size_t>(GetParam()));
    const position* const place = &world.get<position>(first);
    EXPECT_EQ(allocations_of([&] {
                  for (int i = 0; i < GetParam(); ++i)
                      world.spawn(position{0, 0}, velocity{static_cast<float>(i), 0}, frozen{});
              }),
              0U);
    EXPECT_EQ(&world.get<position>(first), place);
    EXPECT_EQ(place->y, 2);
    EXPECT_EQ(world.query<const velocity>().count(), static_cast<std::size_t>(GetParam()) + 1);
}

TEST_P(reserve, gives_the_same_identifiers_as_without) {
    std::vector<ecs::entity> without, with;
    const auto play = [&](std::vector<ecs::entity>& all, bool reserves) {
        ecs::world& world = fresh_world();
        for (int i = 0; i < 10; ++i) all.push_back(world.spawn());
        world.despawn(all[3]), world.despawn(all[7]);
        if (reserves) world.reserve<position>(static_cast<std::size_t>(GetParam()));
        for (int i = 0; i < GetParam() + 5; ++i) all.push_back(world.spawn(position{}));
    };
    play(without, false);
    play(with, true);
    ASSERT_EQ(with.size(), without.size());
    for (std::size_t i = 0; i < with.size(); ++i) ASSERT_EQ(with[i].index(), without[i].index());
}

/// How many blocks of memory are left behind by each time that f is called, when it has been called before.
template <class F> double blocks_left_by(F f) {
    constexpr int times = 500;
    for (int i = 0; i < times; ++i) f();
    const std::size_t before = replaced_new::blocks.load();
    for (int i = 0; i < times; ++i) f();
    return (static_cast<double>(replaced_new::blocks.load()) - static_cast<double>(before)) / times;
}

TEST(memory_left, by_entities_that_were_tags_is_none) {
    ecs::world& world = fresh_world();
    const auto tag_somebody = [&] {
        const ecs::entity tag = world.spawn(), e = world.spawn(position{});
        world.add(e, tag);
        world.despawn(e);
        world.despawn(tag);
    };
    EXPECT_LT(blocks_left_by(tag_somebody), 0.1);
    world.monitor<position>([](ecs::entity, bool) {});
    EXPECT_LT(blocks_left_by(tag_somebody), 0.1);
    world.record_history(10);
    EXPECT_LT(blocks_left_by(tag_somebody), 0.1);
}

TEST(memory_left, by_observers_that_have_ended_is_none) {
    ecs::world& world = fresh_world();
    const ecs::entity e = world.spawn(velocity{});
    const auto observe_for_a_while = [&] {
        const auto held = std::make_shared<int>(1);
        ecs::observer of_all = world.observe<ecs::event::set, velocity>([held](ecs::entity) {});
        ecs::observer of_one = world.observe<ecs::event::set, velocity>([held](ecs::entity) {}, {.only = e});
        of_all.end();
        of_one.end();
        ASSERT_EQ(held.use_count(), 1);
        std::ignore = world.spawn(position{}); // Nobody observes that.
    };
    EXPECT_LT(blocks_left_by(observe_for_a_while), 0.1);
    world.observe<ecs::event::set, velocity>([](ecs::entity) {});
    EXPECT_LT(blocks_left_by(observe_for_a_while), 0.1);
}

TEST(reserve_room, is_given_back_by_shrink) {
    ecs::world& world = fresh_world();
    std::ignore = world.component<position>();
    std::ignore = world.spawn_n(100'000); // So that indices are there.
    world.clear();
    world.shrink();
    const std::size_t before = world.memory_bytes();
    world.reserve<position>(100'000);
    EXPECT_GE(world.memory_bytes(), before + 100'000 * sizeof(position));
    world.shrink();
    EXPECT_LE(world.memory_bytes(), before + 1024);
    world.spawn(position{1, 2});
    EXPECT_EQ(world.query<const position>().count(), 1U);
}

TEST(reserve_room, is_used_again_when_entities_come_and_go) {
    ecs::world& world = fresh_world();
    world.reserve<position>(20'000);
    std::vector<ecs::entity> all(20'000);
    for (ecs::entity& e : all) e = world.spawn(position{1, 2});
    for (const ecs::entity e : all) world.despawn(e);
    for (ecs::entity& e : all) e = world.spawn(position{3, 4});
    EXPECT_EQ(world.query<const position>().count(), 20'000U);
    EXPECT_EQ(world.get<position>(all.back()).y, 4);
}

/// What is given to the allocator in blocks as large as chunks comes back from the system, page by page.
TEST(chunk_memory, of_tables_that_rows_leave_is_there_for_those_to_which_they_go) {
    ecs::world& world = fresh_world();
    std::vector<ecs::entity> all(50'000);
    auto moving = world.query<const velocity>();
    const auto come_change_and_go = [&] {
        world.spawn_into(all, position{1, 2});
        for (const ecs::entity e : all) world.set(e, velocity{3, 4});
        for (const ecs::entity e : all) world.remove<position>(e);
        EXPECT_EQ(moving.count(), all.size());
        for (const ecs::entity e : all) world.despawn(e);
    };
    come_change_and_go();
    EXPECT_EQ(allocations_of(come_change_and_go), 0U);
    const std::size_t kept = world.memory_bytes();
    world.shrink();
    EXPECT_LT(world.memory_bytes() + 1'000'000, kept);
}

TEST(chunk_memory, is_there_for_rows_that_are_recorded) {
    ecs::world& world = fresh_world();
    ecs::commands record = world.commands();
    std::vector<ecs::entity> all(50'000);
    const auto record_and_flush = [&](const auto&... values) {
        record.spawn_into(all, values...);
        world.flush();
        EXPECT_EQ(world.query<const position>().count(), all.size());
        EXPECT_EQ(world.get<position>(all.back()).y, 2);
        world.despawn(std::span<const ecs::entity>(all));
    };
    for (int i = 0; i < 3; ++i) record_and_flush(position{1, 2}, velocity{3, 4});
    const std::size_t chunks = 50'000 / 8192;
    EXPECT_LT(allocations_of([&] { record.spawn_into(all, position{1, 2}, velocity{3, 4}); }), chunks);
}

TEST(chunk_memory, is_kept_up_to_a_limit) {
    struct page {
        std::byte bytes[4096];
    };
    ecs::world& world = fresh_world();
    const std::vector<ecs::entity> all = world.spawn_n(15'000, page{});
    const std::size_t full = world.memory_bytes();
    ASSERT_GT(full, 15'000 * sizeof(page));
    world.despawn(std::span<const ecs::entity>(all));
    EXPECT_LT(world.memory_bytes() + 25'000'000, full);
    EXPECT_LT(world.memory_bytes(), 36'000'000U);
    world.shrink();
    EXPECT_LT(world.memory_bytes(), 2'000'000U);
}

TEST(reserve_room, of_values_outside_tables_is_there) {
    ecs::world& world = fresh_world();
    world.reserve<buff>(10'000);
    // What finds the values is a page for 4096 entities.
    EXPECT_LE(allocations_of([&] {
                  for (int i = 0; i < 10'000; ++i) world.spawn(buff{i});
              }),
              10U);
}

TEST(reserve_room, entities_that_end_need_none) {
    ecs::world& world = fresh_world();
    const std::vector<ecs::entity> all = world.spawn_n(50'000);
    EXPECT_EQ(allocations_of([&] {
                  for (const ecs::entity e : all) world.despawn(e);
              }),
              0U);
}

TEST(reserve_room, counts_indices_that_were_shared_and_used_again) {
    ecs::world& world = fresh_world();
    const std::vector<ecs::entity> all = world.spawn_n(10'000);
    for (const ecs::entity e : all) world.despawn(e);
    world.flush();
    std::ignore = world.spawn_n(3 * 4096 - 512 - 1); // One of all that there are is left.
    world.reserve(3000);
    EXPECT_EQ(allocations_of([&] {
                  for (int i = 0; i < 3000; ++i) world.spawn();
              }),
              0U);
}

TEST(reserve_room, cannot_be_made_in_a_loop) {
    ecs::world& world = fresh_world();
    world.spawn(position{});
    EXPECT_THROW(world.each([&](position&) { world.reserve<position>(100); }), ecs::iteration_error);
    EXPECT_THROW(world.each([&](position&) { world.reserve(100); }), ecs::iteration_error);
}

TEST(reserve, of_more_than_there_can_be_is_refused) {
    ecs::world world;
    EXPECT_THROW(world.reserve<position>(std::size_t{1} << 40), std::length_error);
    EXPECT_THROW(world.reserve<position>(~std::size_t{0} / 2), std::length_error);
    EXPECT_EQ(world.query<position>().count(), 0U);
}

} // namespace
