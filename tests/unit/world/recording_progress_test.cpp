// SPDX-License-Identifier: MIT
// Nobody waits for a thread that stopped while it recorded, wherever it stopped: what threads share of the
// commands of a world, over the atomics of production, watched.
#include "support/watched_atomics.hpp"
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

import ecs.registry;
import ecs.core;
import ecs.world;

namespace {

struct watched_atomics : test::watched<ecs::std_atomics> {
    using order = ecs::world_orders;
    using registry = test::watched<ecs::std_atomics>;
};

using watched_entities = ecs::basic_owned_registry<ecs::layouts::entity, test::watched<ecs::std_atomics>>;

struct notebook {
    std::vector<std::uint32_t> chunks;
    std::vector<ecs::entity> spawned;
    std::size_t sequence = 0;
    std::uint32_t key = 0;
};

constexpr std::uint32_t limbo = 0xFFFF;
constexpr std::uint32_t numbers = 20;

/// What a command_queue and the entities of a world are to those who record.
struct stage {
    ecs::basic_command_buffer_list<notebook, watched_atomics> buffers;
    ecs::basic_ticket_count<watched_atomics> sequence;
    ecs::basic_number_lot<watched_atomics> chunks;
    watched_entities entities{1};

    /// Two buffers are closed, all others open but for four that are idle, or none.
    explicit stage(bool has_idle) {
        entities.open({.first = 512, .last = 100'000});
        std::vector<notebook*> open;
        for (int n = 0; n < 5; ++n) open.push_back(&buffers.open());
        for (int n = 0; n < 2; ++n) buffers.close(*open[std::size_t(n)]);
        buffers.retire([](const notebook&, bool is_closed) { return is_closed; });
        for (int n = 2; n < 4; ++n) buffers.close(*open[std::size_t(n)]);
        for (int n = 0; n < 4 && !has_idle; ++n) (void)buffers.open();
        for (std::uint32_t n = 0; n < numbers; ++n) chunks.numbers().push_back(n);
    }

    /// As commands do that spawn into two chunks.
    void record(std::uint32_t key) {
        notebook& mine = buffers.open();
        mine.key = key;
        mine.sequence = sequence.take();
        auto& lane = entities.enter_lane();
        for (std::uint32_t row = 0; row < 2; ++row) {
            mine.chunks.push_back(chunks.take(limbo));
            EXPECT_TRUE(lane.ready.count() != 0 || entities.refill(lane, entities.no_key));
            mine.spawned.push_back(
                entities.issue_from(lane, (std::uint64_t{mine.chunks.back()} << 12) | row));
            EXPECT_TRUE(entities.alive(mine.spawned.back()));
        }
        entities.leave_lane(lane, entities.no_key);
        buffers.close(mine);
    }

    /// Each thread that recorded has had a buffer, chunks and entities of its own.
    void expect_all_of(std::size_t threads) {
        std::set<std::uint32_t> taken;
        std::set<std::size_t> opened;
        std::set<std::uint64_t> born;
        std::size_t used = 0;
        buffers.for_each([&](const notebook& n) {
            if (n.key == 0) return;
            opened.insert(n.sequence);
            EXPECT_EQ(n.chunks.size(), 2U);
            taken.insert(n.chunks.begin(), n.chunks.end());
            for (const ecs::entity e : n.spawned) born.insert(e.value());
            ++used;
        });
        EXPECT_EQ(used, threads);
        EXPECT_EQ(opened.size(), threads);
        EXPECT_EQ(taken.size(), 2 * threads);
        EXPECT_EQ(born.size(), 2 * threads);
        EXPECT_EQ(chunks.settle(), 2 * threads);
    }
};

class recording_progress_with : public ::testing::TestWithParam<bool> {};

TEST_P(recording_progress_with, nobody_waits_for_a_thread_that_stopped_anywhere) {
    constexpr std::uint32_t others = 6; // They need a new group of buffers.
    bool has_stopped = true;
    std::size_t places = 0;
    for (; has_stopped && places < 1000; ++places) {
        stage s(GetParam());
        has_stopped = test::stop_before(
            places + 1, [&] { s.record(1); },
            [&] {
                for (std::uint32_t n = 0; n < others; ++n) s.record(2 + n);
            });
        s.expect_all_of(1 + others);
    }
    EXPECT_GT(places, 10U);
    EXPECT_FALSE(has_stopped);
    RecordProperty("places", std::to_string(places));
}

INSTANTIATE_TEST_SUITE_P(, recording_progress_with, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "idle_buffers" : "a_group_to_be_made"; });

/// The world's thread makes buffers idle while the one that stopped is closing its own.
TEST(recording_progress, a_flush_does_not_wait_for_a_thread_that_closes) {
    bool has_stopped = true;
    std::size_t places = 0;
    for (; has_stopped; ++places) {
        stage s(true);
        notebook& mine = s.buffers.open();
        has_stopped = test::stop_before(
            places + 1, [&] { s.buffers.close(mine); },
            [&] {
                s.buffers.retire([](const notebook&, bool is_closed) { return is_closed; });
                s.record(2);
            });
        s.expect_all_of(1);
    }
    EXPECT_EQ(places, 2U) << "closing is one store";
}

/// A spawn of types that nobody has named before.
TEST(recording_progress, of_new_types_does_not_wait_for_a_thread_that_names_its_own) {
    bool has_stopped = true;
    std::size_t places = 0;
    for (; has_stopped; ++places) {
        ecs::basic_name_numbers<watched_atomics> types;
        has_stopped = test::stop_before(
            places + 1, [&] { EXPECT_LE(types.of("velocity"), 3U); },
            [&] {
                for (const char* type : {"position", "velocity", "health"}) EXPECT_LE(types.of(type), 3U);
            });
        EXPECT_EQ((std::set{types.of("position"), types.of("velocity"), types.of("health")}),
                  (std::set{1U, 2U, 3U}));
    }
    EXPECT_EQ(places, 3U) << "a look, and an exchange";
}

TEST(recording_cost, of_opening_and_of_a_chunk_is_few_exchanges) {
    stage s(true);
    test::mine = {};
    notebook& mine = s.buffers.open();
    EXPECT_EQ(test::mine.exchanges, 1U) << "to take an idle one";
    test::mine = {};
    s.buffers.close(mine);
    EXPECT_EQ(test::mine.stores, 1U);
    EXPECT_EQ(test::mine.exchanges, 0U);
    (void)s.chunks.take(limbo);
    EXPECT_EQ(test::mine.exchanges, 1U);
}

TEST(number_lot, has_no_number_twice_and_then_none) {
    ecs::basic_number_lot<watched_atomics> lot;
    lot.numbers() = {30, 20, 10};
    EXPECT_EQ(lot.take(limbo), 10U);
    EXPECT_EQ(lot.settle(), 1U);
    EXPECT_EQ(lot.numbers(), (std::vector<std::uint32_t>{30, 20}));
    EXPECT_EQ(lot.settle(), 0U);
    EXPECT_EQ(lot.take(limbo), 20U);
    EXPECT_EQ(lot.take(limbo), 30U);
    for (int n = 0; n < 3; ++n) EXPECT_EQ(lot.take(limbo), limbo);
    EXPECT_EQ(lot.settle(), 2U) << "and not those that were asked for in vain";
    EXPECT_EQ(lot.take(limbo), limbo);
}

} // namespace
