// SPDX-License-Identifier: MIT
// Partitions and ranges of the concurrent registry: each is created, counted and recycled on its own.
#include <cstdint>
#include <gtest/gtest.h>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

import ecs.id;
import ecs.registry;

namespace concurrent_ranges_test {
namespace {

using game =
    ecs::partitions<ecs::layouts::entity, ecs::partition<"components", 1, 255>,
                    ecs::partition<"clients", 1000, 5000>, ecs::partition<"server", 5001, 0xFFFF'FFFF>>;
using partitioned = ecs::basic_concurrent_registry<ecs::layouts::entity, game>;

/// Atomics that say how much memory was asked for, and have no more than that.
struct counted : ecs::std_atomics {
    inline static std::size_t bytes = 0;

    template <class T> static T* allocate(std::size_t count) {
        bytes += count * sizeof(T);
        if (bytes > 100'000'000) throw std::bad_alloc();
        return ecs::std_atomics::allocate<T>(count);
    }
};

TEST(concurrent_partitions, recycle_inside_themselves) {
    partitioned ids;
    const auto client = ids.create<"clients">();
    const auto server = ids.create<"server">();
    EXPECT_EQ(client.index(), 1000U);
    EXPECT_EQ(server.index(), 5001U);
    EXPECT_EQ(partitioned::partition_of(client), "clients");
    EXPECT_TRUE(ids.destroy(client));
    auto clients = ids.local<"clients">();
    EXPECT_NE(clients.create().index(), 5001U);
    EXPECT_EQ(ids.create<"server">().index(), 5002U);
}

TEST(concurrent_partitions, a_handle_destroys_what_belongs_to_another_partition_into_that_one) {
    partitioned ids;
    const auto server = ids.create<"server">();
    auto clients = ids.local<"clients">();
    EXPECT_TRUE(clients.destroy(server));
    EXPECT_FALSE(clients.destroy(server));
    EXPECT_EQ(ids.live_count<"server">(), 0U);
    EXPECT_EQ(clients.create().index(), 1000U);
    EXPECT_EQ(ids.create<"server">().index(), server.index());
}

TEST(concurrent_partitions, ranges_are_filled_and_have_special_handles) {
    partitioned ids;
    const auto range = ids.add_range(300, 310).value();
    std::vector<ecs::entity> some(8);
    ids.create(range, some);
    for (const ecs::entity e : some) EXPECT_TRUE(ids.alive(e) && 300 <= e.index() && e.index() <= 310);
    EXPECT_THROW(ids.create(range, some), ecs::exhausted_error);
    EXPECT_EQ(ids.live_count(range), 8U);
    EXPECT_EQ(ids.try_create(range, some), 3U);
    EXPECT_TRUE(ids.exclusive_local(range).destroy(some[0]));
    auto waiting = ids.quarantined_local(range);
    EXPECT_TRUE(waiting.destroy(some[1]));
    waiting.flush();
    EXPECT_TRUE(ids.create(range));
    EXPECT_FALSE(ids.try_create(range)) << "the other index waits";
    ids.release_quarantine();
    EXPECT_TRUE(ids.create(range));
}

/// What a handle has ended and keeps is free, and nobody else can have it.
TEST(concurrent_partitions, a_refusal_of_many_says_that_handles_keep_some) {
    partitioned ids;
    const auto range = ids.add_range(300, 310).value();
    auto local = ids.local(range);
    std::vector<ecs::entity> all(11);
    local.create(all);
    local.destroy(all);
    std::vector<ecs::entity> wanted(11);
    try {
        ids.create(range, wanted);
        FAIL() << "the handle keeps none";
    } catch (const ecs::exhausted_error& refused) {
        EXPECT_LT(refused.counts.remaining, 11U);
        EXPECT_NE(std::string(refused.what()).find("handles keep the others until they flush"),
                  std::string::npos)
            << refused.what();
    }
    local.flush();
    ids.create(range, wanted);
    EXPECT_EQ(ids.live_count(range), 11U);
}

TEST(concurrent_partitions, clearing_one_leaves_the_others) {
    partitioned ids;
    const auto client = ids.create<"clients">();
    const auto server = ids.create<"server">();
    const auto range = ids.add_range(300, 310).value();
    const auto inside = ids.create(range);
    EXPECT_TRUE(ids.clear<"clients">());
    EXPECT_FALSE(ids.alive(client));
    EXPECT_TRUE(ids.alive(server) && ids.alive(inside));
    EXPECT_TRUE(ids.clear(range));
    EXPECT_FALSE(ids.alive(inside));
    EXPECT_TRUE(ids.alive(server));
    EXPECT_EQ(ids.create(range).generation(), 2U);
    const auto scope = ids.restrict_to<"clients">();
    EXPECT_FALSE(ids.clear<"server">() || ids.clear(range));
    EXPECT_TRUE(ids.alive(server));
    EXPECT_THROW(partitioned().clear(range), ecs::unknown_range_error);
}

TEST(concurrent_partitions, an_identifier_carries_its_own_in_the_type_where_asked) {
    partitioned ids;
    const ecs::partition_id<game, "clients"> client = ids.create_typed<"clients">();
    EXPECT_TRUE(ids.alive(client));
    EXPECT_EQ(client.id().index(), 1000U);
}

TEST(concurrent_partitions, a_full_partition_takes_nothing_from_its_neighbours) {
    partitioned ids;
    while (ids.try_create<"clients">()) {
    }
    EXPECT_EQ(ids.live_count<"clients">(), 4001U);
    EXPECT_EQ(ids.live_count(), 4001U);
    EXPECT_THROW((void)ids.create<"clients">(), ecs::exhausted_error);
    EXPECT_EQ(ids.create<"server">().index(), 5001U);
}

TEST(concurrent_partitions, an_index_of_no_partition_is_out_of_partition) {
    partitioned ids;
    const auto gap = ecs::build<ecs::layouts::entity>().set<"index">(500).set<"generation">(1).id();
    EXPECT_EQ(ids.status(gap), ecs::id_status::out_of_partition);
    EXPECT_FALSE(ids.claim(gap) || ids.destroy(gap) || ids.alive(gap));
}

TEST(concurrent_partitions, a_claim_stays_in_its_partition) {
    partitioned ids;
    const auto remote = ecs::build<ecs::layouts::entity>().set<"index">(5001).set<"generation">(3).id();
    EXPECT_TRUE(ids.claim(remote));
    EXPECT_EQ(ids.live_count<"server">(), 1U);
    EXPECT_EQ(ids.create<"server">().index(), 5002U);
}

// Nodes are for the indices that exist, and not for all those below: those would take 35 GB.
TEST(concurrent_partitions, at_the_top_of_the_index_cost_no_more_than_at_the_bottom) {
    using low_and_top = ecs::partitions<ecs::layouts::entity, ecs::partition<"low", 1, 9>,
                                        ecs::partition<"top", 0xFFFF'FF00, 0xFFFF'FFFF>>;
    ecs::basic_concurrent_registry<ecs::layouts::entity, low_and_top, ecs::retire, ecs::no_payload, counted>
        ids;
    ids.reserve<"top">(100);
    EXPECT_LT(counted::bytes, 4'000'000U);
    EXPECT_EQ(ids.create<"top">().index(), 0xFFFF'FF00U);
}

// Indices from 2^32 on are not issued.
using wide = ecs::layout<std::uint64_t, ecs::index<"index", 39, 0>, ecs::generation<"generation", 63, 40>>;
using half_out_of_reach = ecs::partitions<wide, ecs::partition<"near", 1, 1000>,
                                          ecs::partition<"across", 0xFFFF'FFF0, 0x1'0000'000F>,
                                          ecs::partition<"far", 0x1'0000'0010, 0x2'0000'0000>>;

TEST(concurrent_partitions, out_of_reach_have_no_index) {
    ecs::basic_concurrent_registry<wide, half_out_of_reach> ids;
    EXPECT_EQ(ids.counts<"across">(), (ecs::index_counts{16, 0, 0, 0, 16}));
    EXPECT_EQ(ids.counts<"far">(), ecs::index_counts{});
    EXPECT_EQ(ids.free_count<"far">(), 0U);
    EXPECT_FALSE(ids.try_create<"far">());
    EXPECT_THROW((void)ids.create<"far">(), ecs::exhausted_error);
    ids.reserve<"far">(100);
    EXPECT_FALSE(ids.try_create<"far">());
}

TEST(concurrent_partitions, out_of_reach_take_nothing_from_those_within) {
    ecs::basic_concurrent_registry<wide, half_out_of_reach> ids;
    auto far = ids.local<"far">();
    const auto near = ids.create<"near">();
    EXPECT_TRUE(far.destroy(near));
    EXPECT_FALSE(far.try_create());
    EXPECT_EQ(ids.live_count<"near">(), 0U);
    EXPECT_EQ(ids.create<"near">(), near.with<"generation">(2));
}

TEST(concurrent_ranges, are_set_apart_from_the_rest) {
    ecs::concurrent_registry ids;
    const auto range = ids.add_range(10, 20);
    ASSERT_TRUE(range.has_value());
    std::set<std::uint64_t> rest;
    for (int n = 0; n < 100; ++n) rest.insert(ids.create().index());
    for (std::uint64_t index = 10; index <= 20; ++index) EXPECT_FALSE(rest.contains(index));
    EXPECT_EQ(*rest.rbegin(), 111U) << "and nothing else is left out";
    for (std::uint64_t index = 10; index <= 20; ++index) EXPECT_EQ(ids.create(*range).index(), index);
    EXPECT_FALSE(ids.try_create(*range).has_value());
    EXPECT_EQ(ids.live_count(), 111U);
}

TEST(concurrent_ranges, recycle_inside_themselves) {
    ecs::concurrent_registry ids;
    const auto range = ids.add_range(5000, 6000);
    auto local = ids.local(*range);
    const auto first = local.create();
    EXPECT_EQ(first.index(), 5000U);
    auto elsewhere = ids.local();
    EXPECT_TRUE(elsewhere.destroy(first));
    EXPECT_LT(elsewhere.create().index(), 5000U);
}

TEST(concurrent_ranges, a_large_range_is_stepped_over_at_once) {
    ecs::concurrent_registry ids;
    ASSERT_TRUE(ids.add_range(3, 4'000'000'000).has_value());
    std::vector<std::uint64_t> indices;
    for (int n = 0; n < 4; ++n) indices.push_back(ids.create().index());
    EXPECT_EQ(indices, (std::vector<std::uint64_t>{1, 2, 4'000'000'001, 4'000'000'002}));
}

TEST(concurrent_ranges, that_collide_are_refused_with_the_reason) {
    ecs::concurrent_registry ids;
    ASSERT_TRUE(ids.add_range(5000, 6000).has_value());
    EXPECT_EQ(ids.add_range(5500, 7000).error(), ecs::range_refusal::overlaps_range);
    EXPECT_EQ(ids.add_range(7000, 6500).error(), ecs::range_refusal::reversed);
    EXPECT_EQ(ids.add_range(0, 10).error(), ecs::range_refusal::contains_null);
    EXPECT_EQ(ids.add_range(10, 0x1'0000'0000).error(), ecs::range_refusal::beyond_index);
    (void)ids.create();
    EXPECT_EQ(ids.add_range(1, 10).error(), ecs::range_refusal::already_used);
    EXPECT_THROW((void)ids.add_range(8000, 9000).error(), std::logic_error);
    partitioned others;
    EXPECT_EQ(others.add_range(900, 1100).error(), ecs::range_refusal::overlaps_partition);
    EXPECT_TRUE(others.add_range(300, 400).has_value());
}

TEST(concurrent_ranges, take_indices_that_handles_and_depot_hold_unissued) {
    ecs::concurrent_registry ids;
    auto local = ids.local();
    (void)local.create(); // The handle keeps 2 to 63 unissued.
    {
        auto other = ids.local();
        (void)other.create(); // 65 to 127 wait in the depot when it ends.
    }
    const auto near = ids.add_range(10, 20), far = ids.add_range(100, 110);
    ASSERT_TRUE(near.has_value() && far.has_value());
    std::set<std::uint64_t> rest;
    for (int n = 0; n < 300; ++n) EXPECT_TRUE(rest.insert(local.create().index()).second);
    for (std::uint64_t index = 10; index <= 20; ++index) EXPECT_FALSE(rest.contains(index));
    for (std::uint64_t index = 100; index <= 110; ++index) EXPECT_FALSE(rest.contains(index));
    EXPECT_EQ(ids.create(*far).index(), 100U);
}

/// Under wrap an index that was claimed and spent is as good as new.
TEST(concurrent_ranges, issue_an_index_that_was_claimed_and_begins_anew) {
    using brief =
        ecs::layout<std::uint32_t, ecs::generation<"generation", 31, 16>, ecs::index<"index", 15, 0>>;
    ecs::basic_concurrent_registry<brief, ecs::whole_index_space<brief>, ecs::wrap> ids;
    const auto last = *ecs::try_make<brief, "index", "generation">(100, 0xFFFF);
    ASSERT_TRUE(ids.claim(last));
    ASSERT_TRUE(ids.destroy(last));
    const auto range = ids.add_range(100, 110);
    ASSERT_TRUE(range.has_value());
    for (std::uint64_t index = 100; index <= 110; ++index) EXPECT_EQ(ids.create(*range).index(), index);
    EXPECT_FALSE(ids.try_create(*range).has_value());
}

/// Under wrap an index without generations is as good as new when it is destroyed.
TEST(concurrent_ranges, take_no_index_that_is_quarantined) {
    using bare = ecs::layout<std::uint8_t, ecs::index<"index", 5, 0>>;
    ecs::basic_concurrent_registry<bare, ecs::whole_index_space<bare>, ecs::wrap> ids;
    auto waiting = ids.quarantined_local();
    const auto first = waiting.create();
    waiting.destroy(first);
    EXPECT_EQ(ids.add_range(first.index(), first.index() + 3).error(), ecs::range_refusal::already_used);
    waiting.flush();
    EXPECT_EQ(ids.add_range(first.index(), first.index() + 3).error(), ecs::range_refusal::already_used);
    ids.release_quarantine();
    const auto range = ids.add_range(first.index(), first.index() + 3);
    ASSERT_TRUE(range.has_value());
    EXPECT_EQ(ids.create(*range).index(), first.index());
}

TEST(concurrent_ranges, belong_to_the_registry_that_gave_them) {
    ecs::concurrent_registry ids, others;
    const auto range = ids.add_range(10, 20);
    EXPECT_THROW((void)others.create(*range), ecs::unknown_range_error);
    EXPECT_THROW((void)others.local(*range), ecs::unknown_range_error);
}

TEST(concurrent_ranges, clear_starts_every_range_again) {
    ecs::concurrent_registry ids;
    const auto range = ids.add_range(10, 20);
    (void)ids.create(*range), (void)ids.create();
    ids.clear();
    EXPECT_EQ(ids.create(*range).index(), 10U);
    EXPECT_EQ(ids.create().index(), 1U);
    EXPECT_EQ(ids.live_count(), 2U);
}

} // namespace
} // namespace concurrent_ranges_test
