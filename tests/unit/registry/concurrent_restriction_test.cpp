// SPDX-License-Identifier: MIT
// Restrictions of the concurrent registry: of one handle, and of everybody. What is refused says why, and
// changes nothing.
#include <array>
#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

import ecs.id;
import ecs.registry;

namespace concurrent_restriction_test {
namespace {

using ecs::id_status;

using map = ecs::partitions<ecs::layouts::entity, ecs::partition<"low", 1, 200>,
                            ecs::partition<"mid", 1000, 1999>, ecs::partition<"", 5000, 9000>>;
using registry = ecs::basic_concurrent_registry<ecs::layouts::entity, map>;

/// Live, retired and free, of everything: what a refused call must not change.
std::array<std::uint64_t, 3> counts(const registry& ids) {
    return {ids.live_count(), ids.retired_count(), ids.free_count()};
}

std::string refusal(auto&& create) {
    try {
        (void)create();
    } catch (const ecs::restricted_error& error) {
        return error.what();
    }
    return "created";
}

TEST(restricted_handle, destroys_nothing_outside_and_says_why) {
    registry ids;
    const auto low = ids.create<"low">(), open = ids.create();
    auto local = ids.local<"mid">();
    const auto mid = local.create();
    const auto before = counts(ids);
    {
        const auto scope = local.restrict_to<"mid">();
        EXPECT_FALSE(local.destroy(low) || local.destroy(open));
        EXPECT_EQ(local.destroy(std::vector{low, open}), 0U);
        EXPECT_EQ(local.status(low), id_status::out_of_partition);
        EXPECT_TRUE(ids.alive(low) && ids.alive(open));
        EXPECT_EQ(counts(ids), before);
        EXPECT_EQ(local.status(mid), id_status::live);
        EXPECT_TRUE(local.destroy(mid));
        EXPECT_EQ(local.create().index(), mid.index());
    }
    EXPECT_EQ(local.status(low), id_status::live);
    EXPECT_TRUE(local.destroy(low) && local.destroy(open));
}

TEST(restricted_handle, creates_nothing_when_its_own_partition_is_outside) {
    registry ids;
    auto local = ids.local<"mid">();
    const auto mid = local.create();
    const auto low = ids.create<"low">();
    const auto before = counts(ids);
    std::vector<ecs::entity> some(70);
    {
        const auto scope = local.restrict_to<"low">();
        EXPECT_EQ(refusal([&] { return local.create(); }),
                  "the handle is restricted to partition \"low\", and nothing can be created in "
                  "partition \"mid\"");
        EXPECT_FALSE(local.try_create().has_value());
        EXPECT_THROW(local.create(some), ecs::restricted_error);
        EXPECT_EQ(local.try_create(some), 0U);
        EXPECT_FALSE(some.front() || some.back());
        EXPECT_FALSE(local.destroy(mid)) << "not even what it created itself";
        EXPECT_TRUE(ids.alive(mid));
        EXPECT_EQ(counts(ids), before);
        EXPECT_TRUE(local.destroy(low));
    }
    EXPECT_TRUE(local.destroy(mid));
    EXPECT_EQ(local.create(), mid.with<"generation">(2)) << "as if nothing had been tried";
}

TEST(restricted_handle, binds_nobody_else) {
    registry ids;
    const auto low = ids.create<"low">();
    auto local = ids.local<"mid">();
    auto other = ids.local<"low">();
    const auto scope = local.restrict_to<"mid">();
    EXPECT_EQ(ids.status(low), id_status::live);
    EXPECT_TRUE(other.try_create().has_value());
    EXPECT_TRUE(other.destroy(low));
    EXPECT_EQ(ids.create().index(), 5000U);
}

TEST(restricted_handle, keeps_to_a_range_that_was_carved_out_of_its_partition) {
    ecs::concurrent_registry ids;
    auto local = ids.local();
    const auto outside = local.create();
    const auto range = ids.add_range(10, 20).value();
    const auto inside = ids.create(range);
    {
        const auto scope = local.restrict_to(range);
        EXPECT_FALSE(local.destroy(outside) || local.try_create());
        EXPECT_EQ(refusal([&] { return local.create(); }),
                  "the handle is restricted to range 10 to 20, and nothing can be created in the index "
                  "space");
        EXPECT_TRUE(local.destroy(inside));
    }
    EXPECT_TRUE(local.destroy(outside));
    ecs::concurrent_registry other;
    auto stranger = other.local();
    EXPECT_THROW((void)stranger.restrict_to(range), ecs::unknown_range_error);
}

TEST(restricted_handle, nests_and_ends_with_its_scope) {
    registry ids;
    auto local = ids.local<"mid">();
    const auto outer = local.restrict_to<"mid">();
    {
        const auto inner = local.restrict_to<"low">();
        EXPECT_FALSE(local.try_create());
    }
    EXPECT_TRUE(local.try_create());
    EXPECT_FALSE(local.destroy(ids.create<"low">()));
}

TEST(restricted_handle, of_every_kind_is_checked) {
    registry ids;
    const auto low = ids.create<"low">();
    auto alone = ids.exclusive_local<"mid">();
    auto strict = ids.quarantined_local<"low">();
    const auto one = alone.restrict_to<"mid">();
    const auto two = strict.restrict_to<"mid">();
    EXPECT_FALSE(alone.destroy(low) || strict.destroy(low) || strict.try_create());
    EXPECT_TRUE(ids.alive(low));
}

TEST(restricted_handle, that_is_moved_does_not_shake_its_restriction_off) {
    registry ids;
    const auto low = ids.create<"low">();
    auto local = ids.local<"mid">();
    const auto scope = local.restrict_to<"mid">();
    auto moved = std::move(local);
    EXPECT_FALSE(moved.destroy(low));
    auto assigned = ids.local<"low">();
    assigned = std::move(moved);
    EXPECT_FALSE(assigned.destroy(low));
}

TEST(restricted_handle, keeps_out_while_other_threads_work_there) {
    registry ids;
    std::vector<ecs::entity> low(100);
    ids.create<"low">(low);
    std::atomic<std::uint64_t> destroyed = 0;
    {
        std::jthread trespasser([&] {
            auto local = ids.local<"mid">();
            const auto scope = local.restrict_to<"mid">();
            for (int turn = 0; turn < 200; ++turn) {
                EXPECT_EQ(local.destroy(low), 0U);
                EXPECT_TRUE(local.destroy(local.create()));
            }
        });
        std::jthread owner([&] {
            auto local = ids.local<"low">();
            for (const auto id : low) destroyed += local.destroy(id);
        });
    }
    EXPECT_EQ(destroyed, low.size());
    EXPECT_EQ(ids.live_count(), 0U);
}

TEST(restricted_registry, forbids_every_change_outside_and_nothing_else) {
    registry ids;
    auto low_hand = ids.local<"low">();
    auto mid_hand = ids.local<"mid">();
    const auto low = low_hand.create(), mid = mid_hand.create();
    const auto before = counts(ids);
    std::vector<ecs::entity> some(3);
    {
        const auto scope = ids.restrict_to<"mid">();
        EXPECT_EQ(ids.status(low), id_status::out_of_partition);
        EXPECT_EQ(low_hand.status(low), id_status::out_of_partition);
        EXPECT_TRUE(ids.alive(low)) << "it can be looked at";
        EXPECT_FALSE(ids.destroy(low) || low_hand.destroy(low) || mid_hand.destroy(low));
        EXPECT_FALSE(ids.claim(low.with<"index">(5)) || ids.try_create<"low">() || low_hand.try_create());
        EXPECT_EQ(refusal([&] { return ids.create<"low">(); }),
                  "the registry is restricted to partition \"mid\", and nothing can be created in "
                  "partition \"low\"");
        EXPECT_EQ(refusal([&] { return low_hand.create(); }), refusal([&] { return ids.create<"low">(); }));
        EXPECT_THROW(ids.create<"low">(some), ecs::restricted_error);
        EXPECT_THROW(low_hand.create(some), ecs::restricted_error);
        EXPECT_EQ(ids.try_create<"low">(some) + low_hand.try_create(some), 0U);
        EXPECT_EQ(counts(ids), before);
        EXPECT_EQ(mid_hand.create().index(), 1001U);
        EXPECT_TRUE(ids.claim(mid.with<"index">(1500)));
    }
    EXPECT_EQ(ids.status(low), id_status::live);
    EXPECT_EQ(low_hand.create().index(), low.index() + 1);
    EXPECT_TRUE(mid_hand.destroy(low));
}

TEST(restricted_registry, clears_the_partition_alone_and_forgets_no_claim_of_another) {
    registry ids;
    const auto low = ids.create<"low">(), mid = ids.create<"mid">();
    ASSERT_TRUE(ids.claim(low.with<"index">(70)) && ids.claim(mid.with<"index">(1100)));
    {
        const auto scope = ids.restrict_to<"mid">();
        ids.clear();
    }
    EXPECT_TRUE(ids.alive(low) && !ids.alive(mid));
    EXPECT_TRUE(ids.alive(low.with<"index">(70)) && !ids.alive(mid.with<"index">(1100)));
    EXPECT_EQ(ids.live_count<"low">(), 2U);
    std::uint64_t creatable = 0;
    for (; const auto id = ids.try_create<"low">(); ++creatable) EXPECT_NE(id->index(), 70U);
    EXPECT_EQ(creatable, 198U);
    for (std::uint64_t index = 1000; index < 2000; ++index)
        EXPECT_EQ(ids.create<"mid">(), mid.with<"index">(static_cast<std::uint32_t>(index))
                                           .with<"generation">(index == 1000 || index == 1100 ? 2 : 1));
}

TEST(restricted_registry, and_restricted_handle_must_both_allow) {
    registry ids;
    const auto low = ids.create<"low">(), mid = ids.create<"mid">();
    auto local = ids.local<"mid">();
    const auto of_all = ids.restrict_to<"mid">();
    const auto of_one = local.restrict_to<"low">();
    EXPECT_FALSE(local.destroy(low) || local.destroy(mid) || local.try_create());
    EXPECT_TRUE(ids.destroy(mid));
    static_assert(!std::is_copy_constructible_v<registry::restriction>);
}

} // namespace
} // namespace concurrent_restriction_test
