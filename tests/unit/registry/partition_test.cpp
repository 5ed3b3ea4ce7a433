// SPDX-License-Identifier: MIT
// Partitions, run-time ranges and restrictions.
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

import ecs.id;
import ecs.registry;

namespace partition_test {
namespace {

using ecs::id_status;

using map = ecs::partitions<ecs::layouts::entity, ecs::partition<"low", 1, 9>,
                            ecs::partition<"mid", 100, 199>, ecs::partition<"top", 0xFFFF'FFF0, 0xFFFF'FFFF>>;
using registry = ecs::basic_registry<ecs::layouts::entity, map>;

std::set<std::uint64_t> indices(auto&& ids) {
    std::set<std::uint64_t> all;
    for (const auto id : ids) all.insert(id.index());
    return all;
}

TEST(partition, each_allocates_counts_and_visits_its_own) {
    registry ids;
    const auto low = ids.create<"low">();
    const auto mid = ids.create<"mid">();
    (void)ids.create<"mid">();
    EXPECT_EQ(low.index(), 1U);
    EXPECT_EQ(mid.index(), 100U);
    EXPECT_EQ(ids.live_count<"low">(), 1U);
    EXPECT_EQ(ids.live_count<"mid">(), 2U);
    EXPECT_EQ(ids.live_count(), 3U);
    EXPECT_EQ(indices(ids.live<"mid">()), (std::set<std::uint64_t>{100, 101}));
    EXPECT_EQ(indices(ids.live()), (std::set<std::uint64_t>{1, 100, 101}));
    EXPECT_EQ(ids.counts<"mid">().capacity, 100U);
}

TEST(partition, at_the_top_of_the_index_costs_no_more_than_at_the_bottom) {
    registry ids;
    EXPECT_EQ(ids.create<"top">().index(), 0xFFFF'FFF0U);
    while (ids.try_create<"top">()) {
    }
    EXPECT_EQ(ids.live_count<"top">(), 16U);
    EXPECT_TRUE(ids.live_at(0xFFFF'FFFF));
    EXPECT_THROW((void)ids.create<"top">(), ecs::exhausted_error) << "the index does not overflow to 0";
}

TEST(partition, a_full_one_takes_nothing_from_its_neighbours_and_says_its_name) {
    registry ids;
    std::vector<ecs::entity> all(9);
    ids.create<"low">(all);
    EXPECT_FALSE(ids.try_create<"low">());
    try {
        (void)ids.create<"low">();
        FAIL();
    } catch (const ecs::exhausted_error& error) {
        EXPECT_EQ(std::string(error.what()).find("partition \"low\" is exhausted: of 9 indices 9 are live"),
                  0U);
    }
    EXPECT_EQ(ids.live_count(), 9U);
    EXPECT_EQ(ids.create<"mid">().index(), 100U);
}

TEST(partition, recycling_stays_inside) {
    registry ids;
    const auto low = ids.create<"low">();
    const auto mid = ids.create<"mid">();
    ids.destroy(low);
    ids.destroy(mid);
    EXPECT_EQ(ids.create<"mid">().index(), 100U);
    EXPECT_EQ(ids.create<"low">().index(), 1U);
}

TEST(partition, an_index_in_a_gap_belongs_to_nobody) {
    registry ids;
    const auto gap = ids.create<"low">().with<"index">(50);
    EXPECT_EQ(ids.status(gap), id_status::out_of_partition);
    EXPECT_EQ(registry::partition_of(gap), "");
    EXPECT_EQ(registry::partition_of(gap.with<"index">(199)), "mid");
    EXPECT_FALSE(ids.claim(gap) || ids.alive(gap) || ids.destroy(gap));
    EXPECT_FALSE(ids.live_at(50));
}

TEST(partition, clearing_one_leaves_the_others) {
    registry ids;
    const auto low = ids.create<"low">();
    const auto mid = ids.create<"mid">();
    EXPECT_TRUE(ids.clear<"mid">());
    EXPECT_TRUE(ids.alive(low));
    EXPECT_FALSE(ids.alive(mid));
}

TEST(partition, an_identifier_carries_it_in_the_type_where_asked) {
    registry ids;
    const auto typed = ids.create_typed<"mid">();
    static_assert(std::is_same_v<decltype(typed), const ecs::partition_id<map, "mid">>);
    static_assert(!std::is_convertible_v<ecs::partition_id<map, "mid">, ecs::partition_id<map, "low">>);
    static_assert(!std::is_convertible_v<ecs::entity, ecs::partition_id<map, "mid">>);
    static_assert(sizeof(typed) == sizeof(ecs::entity));
    EXPECT_TRUE(ids.alive(typed) && ids.destroy(typed));
    const ecs::entity plain = typed;
    EXPECT_EQ((ecs::partition_id<map, "mid">::from(plain)), typed);
    EXPECT_EQ((ecs::partition_id<map, "low">::from(plain)), std::nullopt);
    EXPECT_EQ(typed.index(), plain.index());
    EXPECT_EQ(typed.generation(), plain.generation());
    EXPECT_EQ(ecs::to_string(typed), ecs::to_string(plain));
    EXPECT_EQ(ecs::dump(typed), ecs::dump(plain));
    std::ostringstream out;
    out << typed;
    EXPECT_EQ(out.str(), ecs::to_string(plain));
}

TEST(range, is_created_counted_and_recycled_on_its_own) {
    ecs::registry ids;
    const auto range = ids.add_range(5000, 5001).value();
    const auto first = ids.create(range);
    EXPECT_EQ(first.index(), 5000U);
    EXPECT_EQ(ids.create(range).index(), 5001U);
    EXPECT_FALSE(ids.try_create(range)) << "5002 is not in the range, in any build";
    EXPECT_THROW((void)ids.create(range), ecs::exhausted_error);
    EXPECT_TRUE(ids.destroy(first));
    EXPECT_EQ(ids.create().index(), 1U) << "what the range frees stays in the range";
    EXPECT_EQ(ids.create(range), first.with<"generation">(2));
    EXPECT_EQ(ids.counts(range).live, 2U);
    EXPECT_EQ(ids.live_count(range), 2U);
    EXPECT_EQ(ids.free_count(range) + ids.retired_count(range) + ids.remaining_count(range), 0U);
    EXPECT_EQ(indices(ids.live(range)), (std::set<std::uint64_t>{5000, 5001}));
}

/// Of ten indices, of three generations each, two are spent, one is free, and four are in use.
template <class Registry, class Create> void use_up_some(Registry& ids, Create create) {
    std::vector<typename Registry::id_type> all;
    for (int n = 0; n < 7; ++n) all.push_back(create());
    for (std::size_t n = 0; n < 2; ++n)
        for (int generation = 0; generation < 3; ++generation) {
            ASSERT_TRUE(ids.destroy(all[n]));
            if (generation != 2) all[n] = create();
        }
    ASSERT_TRUE(ids.destroy(all[2]));
}

using spent_soon = ecs::layout<std::uint16_t, ecs::index<"key", 7, 0>, ecs::generation<"version", 9, 8>>;

TEST(range, has_counts_of_its_own_of_each_kind) {
    ecs::basic_registry<spent_soon> ids;
    const auto range = ids.add_range(11, 20).value();
    (void)ids.create();
    use_up_some(ids, [&] { return ids.create(range); });
    EXPECT_EQ(ids.live_count(range), 4U);
    EXPECT_EQ(ids.free_count(range), 1U);
    EXPECT_EQ(ids.retired_count(range), 2U);
    EXPECT_EQ(ids.remaining_count(range), 3U + 1U);
    EXPECT_EQ(ids.counts(range).capacity, 10U);
}

TEST(partition, has_counts_of_its_own_of_each_kind) {
    using halves = ecs::partitions<spent_soon, ecs::partition<"low", 1, 10>, ecs::partition<"high", 11, 20>>;
    ecs::basic_registry<spent_soon, halves> ids;
    (void)ids.create<"low">();
    use_up_some(ids, [&] { return ids.create<"high">(); });
    EXPECT_EQ(ids.live_count<"high">(), 4U);
    EXPECT_EQ(ids.free_count<"high">(), 1U);
    EXPECT_EQ(ids.retired_count<"high">(), 2U);
    EXPECT_EQ(ids.remaining_count<"high">(), 3U + 1U);
    EXPECT_EQ(ids.counts<"high">().capacity, 10U);
}

TEST(range, fills_a_span_as_a_whole_or_its_front) {
    ecs::registry ids;
    const auto range = ids.add_range(11, 20).value();
    std::vector<ecs::entity> six(6);
    ids.create(range, six);
    EXPECT_EQ(indices(six), (std::set<std::uint64_t>{11, 12, 13, 14, 15, 16}));
    EXPECT_EQ(ids.live_count(range), 6U);
    std::vector<ecs::entity> more(6);
    EXPECT_THROW(ids.create(range, more), ecs::exhausted_error);
    EXPECT_EQ(ids.live_count(range), 6U) << "all or none";
    EXPECT_EQ(ids.try_create(range, more), 4U);
    EXPECT_EQ(indices(std::span(more).first(4)), (std::set<std::uint64_t>{17, 18, 19, 20}));
    EXPECT_EQ(more[4], ecs::entity()) << "behind the front nothing is written";
    EXPECT_EQ(ids.try_create(range, more), 0U);
    EXPECT_EQ(ids.live_count(), 10U) << "and nothing elsewhere";
}

TEST(range, is_stepped_over_by_create) {
    ecs::registry ids;
    const auto range = ids.add_range(3, 5);
    ASSERT_TRUE(range);
    std::vector<ecs::entity> some(4);
    ids.create(some);
    EXPECT_EQ(indices(some), (std::set<std::uint64_t>{1, 2, 6, 7}));
    ids.destroy(some);
    std::vector<std::uint64_t> again;
    for (int n = 0; n < 5; ++n) again.push_back(ids.create().index());
    EXPECT_EQ(again, (std::vector<std::uint64_t>{2, 1, 7, 6, 8}));
}

TEST(range, over_most_of_the_index_space_costs_nothing) {
    ecs::registry ids;
    const auto range = ids.add_range(2, 0xFFFF'FFFE);
    ASSERT_TRUE(range);
    EXPECT_EQ(ids.create().index(), 1U);
    EXPECT_EQ(ids.create().index(), 0xFFFF'FFFFU);
    EXPECT_FALSE(ids.try_create());
    EXPECT_EQ(ids.create(*range).index(), 2U);
}

TEST(range, that_collides_is_refused_with_the_reason) {
    ecs::registry ids;
    ASSERT_TRUE(ids.add_range(5000, 6000));
    (void)ids.create();
    ASSERT_TRUE(ids.claim(ids.create().with<"index">(900)));
    const auto counts = ids.counts();
    EXPECT_EQ(ids.add_range(5500, 7000).error(), ecs::range_refusal::overlaps_range);
    EXPECT_EQ(ids.add_range(4000, 5000).error(), ecs::range_refusal::overlaps_range);
    EXPECT_EQ(ids.add_range(4000, 7000).error(), ecs::range_refusal::overlaps_range);
    EXPECT_EQ(ids.add_range(7000, 6500).error(), ecs::range_refusal::reversed);
    EXPECT_EQ(ids.add_range(0, 6).error(), ecs::range_refusal::contains_null);
    EXPECT_EQ(ids.add_range(7000, std::uint64_t{1} << 32).error(), ecs::range_refusal::beyond_index);
    EXPECT_EQ(ids.add_range(1, 6).error(), ecs::range_refusal::already_used);
    EXPECT_EQ(ids.add_range(800, 1000).error(), ecs::range_refusal::already_used);
    EXPECT_THROW((void)*ids.add_range(1, 6), ecs::range_error);
    EXPECT_EQ(ids.counts(), counts);
}

TEST(range, may_lie_in_a_gap_of_the_map_and_nowhere_else) {
    registry ids;
    EXPECT_TRUE(ids.add_range(10, 90));
    EXPECT_TRUE(ids.add_range(200, 300));
    EXPECT_EQ(ids.add_range(150, 160).error(), ecs::range_refusal::overlaps_partition);
    EXPECT_EQ(ids.add_range(95, 100).error(), ecs::range_refusal::overlaps_partition);
}

TEST(range, leaves_what_was_claimed_on_either_side) {
    ecs::registry ids;
    const auto below = ids.create().with<"index">(50);
    const auto above = below.with<"index">(90);
    const auto far = below.with<"index">(1'000'000).with<"generation">(7);
    ASSERT_TRUE(ids.claim(below) && ids.claim(above) && ids.claim(far));
    ASSERT_TRUE(ids.add_range(60, 80));
    EXPECT_TRUE(ids.alive(below) && ids.alive(above) && ids.alive(far));
    EXPECT_EQ(ids.live_count(), 4U);
    EXPECT_TRUE(ids.destroy(far) && ids.destroy(above) && ids.destroy(below));
    EXPECT_FALSE(ids.claim(far));
}

TEST(range, of_another_registry_is_refused) {
    ecs::registry ids;
    ecs::registry other;
    const auto range = other.add_range(10, 20).value();
    EXPECT_THROW((void)ids.create(range), ecs::unknown_range_error);
    ASSERT_TRUE(ids.add_range(10, 19));
    EXPECT_THROW((void)ids.create(range), ecs::unknown_range_error);
    EXPECT_THROW((void)ids.counts(range), ecs::unknown_range_error);
}

TEST(restriction, forbids_every_change_outside_and_nothing_else) {
    registry ids;
    const auto low = ids.create<"low">();
    const auto mid = ids.create<"mid">();
    {
        const auto scope = ids.restrict_to<"mid">();
        EXPECT_EQ(ids.status(low), id_status::out_of_partition);
        EXPECT_TRUE(ids.alive(low)) << "it can be looked at";
        EXPECT_FALSE(ids.destroy(low) || ids.claim(low.with<"index">(5)) || ids.try_create<"low">());
        EXPECT_FALSE(ids.clear<"low">());
        EXPECT_THROW((void)ids.create<"low">(), ecs::restricted_error);
        std::vector<ecs::entity> some(3);
        EXPECT_THROW(ids.create<"low">(some), ecs::restricted_error);
        EXPECT_EQ(ids.try_create<"low">(some), 0U);
        EXPECT_EQ(ids.create<"mid">().index(), 101U);
        ids.clear();
        EXPECT_TRUE(ids.alive(low) && !ids.alive(mid)) << "clear keeps to the partition, too";
    }
    EXPECT_EQ(ids.status(low), id_status::live);
    EXPECT_TRUE(ids.destroy(low));
}

TEST(restriction, says_what_it_forbids) {
    registry ids;
    const auto scope = ids.restrict_to<"mid">();
    try {
        (void)ids.create<"low">();
        FAIL();
    } catch (const ecs::restricted_error& error) {
        EXPECT_STREQ(error.what(),
                     "the registry is restricted to partition \"mid\", and nothing can be created "
                     "in partition \"low\"");
    }
}

TEST(restriction, nests_and_ends_with_its_scope) {
    registry ids;
    const auto outer = ids.restrict_to<"mid">();
    {
        const auto inner = ids.restrict_to<"low">();
        EXPECT_TRUE(ids.try_create<"low">());
        EXPECT_FALSE(ids.try_create<"mid">());
    }
    EXPECT_TRUE(ids.try_create<"mid">());
    EXPECT_FALSE(ids.try_create<"low">());
}

TEST(restriction, to_a_range_protects_the_open_partition) {
    ecs::registry ids;
    const auto range = ids.add_range(100, 200).value();
    const auto outside = ids.create();
    const auto scope = ids.restrict_to(range);
    EXPECT_FALSE(ids.destroy(outside) || ids.try_create());
    EXPECT_EQ(ids.create(range).index(), 100U);
    EXPECT_FALSE(ids.claim(outside.with<"index">(7)));
    EXPECT_TRUE(ids.claim(outside.with<"index">(150)));
}

TEST(restriction, is_not_copied) {
    registry ids;
    const auto scope = ids.restrict_to<"mid">();
    registry copy = ids;
    EXPECT_TRUE(copy.try_create<"low">());
}

TEST(restriction, to_a_range_that_is_replaced_forbids_everything_until_it_ends) {
    ecs::registry ids;
    const auto range = ids.add_range(100, 200).value();
    {
        const auto scope = ids.restrict_to(range);
        ids = ecs::registry();
        EXPECT_FALSE(ids.try_create());
        EXPECT_THROW((void)ids.create(), ecs::restricted_error);
        EXPECT_THROW((void)ids.create(range), ecs::unknown_range_error);
    }
    EXPECT_EQ(ids.create().index(), 1U);
}

TEST(partition, of_many_ranges_each_finds_its_own) {
    ecs::registry ids;
    std::vector<ecs::index_range> ranges;
    for (std::uint64_t n = 0; n < 200; ++n) { // Neither in order nor out of it.
        const std::uint64_t place = n * 77 % 200;
        ranges.push_back(ids.add_range(1000 + 20 * place, 1009 + 20 * place).value());
    }
    std::vector<ecs::entity> all;
    for (int round = 0; round < 10; ++round)
        for (const ecs::index_range& range : ranges) all.push_back(ids.create(range));
    for (int i = 0; i < 3500; ++i) all.push_back(ids.create()); // In what lies between and behind them.
    EXPECT_EQ(indices(all).size(), all.size());
    for (const ecs::entity id : all) ASSERT_TRUE(ids.alive(id)) << id;
    ecs::registry copy = ids;
    for (const ecs::entity id : all) ASSERT_TRUE(copy.destroy(id)) << id;
    EXPECT_EQ(copy.live_count(), 0U);
    ecs::registry taken = std::move(ids);
    for (const ecs::entity id : all) ASSERT_TRUE(taken.alive(id)) << id;
    EXPECT_FALSE(ids.alive(all.front())); // NOLINT(bugprone-use-after-move): it is a fresh one.
}

} // namespace
} // namespace partition_test
