// SPDX-License-Identifier: MIT
// Real threads, 2 to 8 of them, meant for ThreadSanitizer: what the model checks in the small, in the large.
// Short-lived handles, identifiers handed over through mailboxes, generations that run out.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <latch>
#include <random>
#include <thread>
#include <vector>

import ecs.id;
import ecs.registry;

namespace {

/// 255 indices of 255 generations: small enough to be spent to the last identifier.
using small = ecs::layout<std::uint16_t, ecs::index<"index", 7, 0>, ecs::generation<"generation", 15, 8>>;

/// Pages, chunks of nodes and lanes are fought over.
struct tight {
    static constexpr std::uint32_t magazine = 4;
    static constexpr unsigned page_bits = 4;
    static constexpr unsigned chunk_bits = page_bits;
    static constexpr std::uint64_t share = 8;
    static constexpr std::uint32_t lane_groups = 10;
    static constexpr std::size_t shared_lanes = 2;
};

/// Written by the owner of an entity alone: a race here is an index with two owners.
struct owner_note {
    std::uint64_t word;
};

template <class Layout, class Geometry>
using noted_registry = ecs::basic_concurrent_registry<Layout, ecs::whole_index_space<Layout>, ecs::retire,
                                                      owner_note, ecs::std_atomics, Geometry>;
using small_registry = noted_registry<small, tight>;
using large_registry = noted_registry<ecs::layouts::entity, ecs::default_geometry<ecs::layouts::entity>>;

/// Starts when all are there: a short body would otherwise be over before the next thread begins.
template <class Body> void run_threads(unsigned count, Body body) {
    std::latch start(count);
    std::vector<std::jthread> threads;
    for (unsigned n = 0; n < count; ++n)
        threads.emplace_back([&, n] {
            start.arrive_and_wait();
            body(n);
        });
}

class ConcurrentStress : public ::testing::TestWithParam<unsigned> {
  protected:
    unsigned threads() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Threads, ConcurrentStress, ::testing::Values(2U, 3U, 4U, 8U),
                         ::testing::PrintToStringParamName());

/// Creates and destroys through handles that live for some turns, and notes what was issued.
template <class Registry>
void churn(Registry& ids, unsigned seed, int handles, std::vector<std::uint64_t>& issued) {
    std::minstd_rand random(seed + 1);
    for (int h = 0; h < handles; ++h) {
        auto local = ids.local();
        std::vector<typename Registry::id_type> mine;
        for (int turn = 0; turn < 40; ++turn) {
            if (const auto id = random() % 2 ? local.try_create() : std::nullopt) {
                issued.push_back(id->value());
                ids.payload_of(*id).word = id->value();
                mine.push_back(*id);
            } else if (!mine.empty()) {
                EXPECT_EQ(ids.payload_of(mine.back()).word, mine.back().value());
                EXPECT_TRUE(local.destroy(mine.back()));
                mine.pop_back();
            }
        }
        for (const auto id : mine) EXPECT_TRUE(ids.destroy(id)); // Without the handle.
    }
}

TEST_P(ConcurrentStress, every_identifier_of_a_small_space_is_issued_exactly_once) {
    small_registry ids;
    std::vector<std::vector<std::uint64_t>> issued(threads());
    while (ids.retired_count() < 200)
        run_threads(threads(), [&](unsigned n) { churn(ids, n, 50, issued[n]); });
    std::vector<std::uint64_t> all;
    for (const auto& part : issued) all.insert(all.end(), part.begin(), part.end());
    while (const auto id = ids.try_create()) {
        all.push_back(id->value());
        ids.destroy(*id);
    }
    std::ranges::sort(all);
    EXPECT_TRUE(std::ranges::adjacent_find(all) == all.end()) << "issued twice";
    EXPECT_EQ(all.size(), 255U * 255U) << "lost";
    EXPECT_EQ(ids.retired_count(), 255U);
    EXPECT_EQ(ids.live_count(), 0U);
}

/// 4,095 indices, of which at most one for each thread is live.
TEST(ConcurrentStressOfASmallSpace, no_create_is_refused_while_nearly_all_is_free) {
    using layout =
        ecs::layout<std::uint64_t, ecs::index<"index", 11, 0>, ecs::generation<"generation", 51, 12>>;
    ecs::basic_concurrent_registry<layout> ids;
    std::atomic<int> refused = 0;
    run_threads(32, [&](unsigned) {
        for (int turn = 0; turn < 3'000; ++turn) {
            const auto id = ids.try_create();
            if (id)
                ids.destroy(*id);
            else
                ++refused;
        }
    });
    EXPECT_EQ(refused, 0);
    EXPECT_EQ(ids.live_count(), 0U);
}

TEST_P(ConcurrentStress, identifiers_handed_over_are_destroyed_by_their_receivers) {
    large_registry ids;
    std::array<std::atomic<std::uint64_t>, 64> mailboxes{};
    run_threads(threads(), [&](unsigned n) {
        std::minstd_rand random(n + 1);
        auto local = ids.local();
        for (int turn = 0; turn < 50'000; ++turn) {
            const auto id = local.create();
            ids.payload_of(id).word = id.value();
            // Acquire and release: the mailbox hands the entity over, its payload included.
            const auto got =
                mailboxes[random() % mailboxes.size()].exchange(id.value(), std::memory_order_acq_rel);
            if (got == 0) continue;
            const auto received = ecs::entity::assume_word(got);
            EXPECT_EQ(ids.payload_of(received).word, got);
            EXPECT_TRUE(local.destroy(received));
        }
    });
    const auto waiting = std::ranges::count_if(mailboxes, [](const auto& m) { return m.load() != 0; });
    EXPECT_EQ(ids.live_count(), static_cast<std::uint64_t>(waiting));
    std::uint64_t highest = 0;
    ids.for_each_live([&](ecs::entity e) { highest = std::max<std::uint64_t>(highest, e.index()); });
    EXPECT_LE(highest, 64 + threads() * 3 * 64) << "indices are recycled, not used up";
}

TEST_P(ConcurrentStress, all_race_for_every_identifier_and_one_wins) {
    large_registry ids;
    std::vector<ecs::entity> all(50'000);
    ids.create(all);
    std::atomic<std::uint64_t> won = 0;
    run_threads(threads(), [&](unsigned n) {
        auto local = ids.local();
        std::uint64_t mine = 0;
        for (const auto e : all) {
            const bool winner = n % 2 ? local.destroy(e) : ids.destroy(e);
            if (winner) ids.payload_of(e).word = n; // Racy if two win.
            mine += winner;
            EXPECT_FALSE(ids.alive(e));
        }
        won += mine;
    });
    EXPECT_EQ(won, all.size());
    EXPECT_EQ(ids.live_count(), 0U);
}

/// Looks at every identifier of the first indices, of which one reader knows who is dead. Returns how many of
/// them it knew to be.
std::size_t look_for_the_dead(const small_registry& ids, std::vector<bool>& dead) {
    std::size_t known = 0;
    for (std::uint32_t word = 0x100; word < 0x1'0000; ++word) {
        const std::uint32_t index = word % 0x100;
        if (index == 0 || index > 16) continue;
        const auto id = ecs::basic_id<small>::assume_word(static_cast<std::uint16_t>(word));
        const bool was_dead = dead[word];
        const bool alive = ids.alive(id);
        EXPECT_FALSE(alive && was_dead);
        known += was_dead;
        const ecs::id_status status = ids.status(id);
        dead[word] = was_dead || status == ecs::id_status::stale || status == ecs::id_status::retired;
    }
    return known;
}

TEST_P(ConcurrentStress, readers_never_see_the_dead_come_back) {
    small_registry ids;
    std::atomic<unsigned> too_early = threads() - 1; // Readers that have not compared often enough.
    std::atomic<bool> done = false;
    std::atomic<std::uint64_t> passes = 0;
    std::vector<std::uint64_t> issued;
    run_threads(threads(), [&](unsigned n) {
        if (n == 0) {
            for (int handles = 0; handles < 1'000 || too_early != 0; handles += 50) churn(ids, n, 50, issued);
            done = true;
            return;
        }
        std::vector<bool> dead(0x1'0000);
        for (unsigned mine = 0; mine < 3 || !done;) {
            if (look_for_the_dead(ids, dead) == 0) continue; // Nobody has died yet.
            if (++mine == 3) --too_early;
            ++passes;
        }
    });
    EXPECT_GE(passes, 3U * (threads() - 1)) << "who was dead was looked at again";
}

TEST_P(ConcurrentStress, counts_that_are_read_meanwhile_add_up) {
    small_registry ids;
    std::atomic<unsigned> at_work = threads() - 1;
    run_threads(threads(), [&](unsigned n) {
        std::vector<std::uint64_t> issued;
        if (n != 0) {
            churn(ids, n, 500, issued);
            --at_work;
            return;
        }
        std::uint64_t retired = 0;
        while (at_work != 0) {
            const ecs::index_counts now = ids.counts();
            EXPECT_EQ(now.capacity, 255U);
            EXPECT_LE(now.live + now.free + now.retired, 255U);
            EXPECT_GE(now.retired, retired) << "nobody comes back";
            retired = now.retired;
            EXPECT_LE(ids.live().size(), 255U);
        }
    });
    const ecs::index_counts now = ids.counts();
    EXPECT_EQ(now.live, 0U);
    EXPECT_EQ(now.retired, ids.retired_count());
    EXPECT_EQ(now.remaining, 255U - now.retired);
}

TEST_P(ConcurrentStress, one_destroys_alone_while_others_create) {
    large_registry ids;
    run_threads(threads(), [&](unsigned n) {
        if (n != 0) {
            auto local = ids.local();
            for (int turn = 0; turn < 20'000; ++turn) ids.payload_of(local.create()).word = n;
            return;
        }
        auto alone = ids.exclusive_local();
        for (int turn = 0; turn < 20'000; ++turn) {
            const auto e = alone.create();
            ids.payload_of(e).word = e.value();
            EXPECT_TRUE(alone.destroy(e));
        }
    });
    EXPECT_EQ(ids.live_count(), (threads() - 1) * 20'000U);
}

TEST_P(ConcurrentStress, quarantined_indices_wait_for_the_release) {
    large_registry ids;
    for (int frame = 0; frame < 20; ++frame) {
        std::vector<ecs::entity> victims(500);
        ids.create(victims);
        for (const auto e : victims) ids.payload_of(e).word = e.value();
        run_threads(threads(), [&](unsigned n) {
            auto strict = ids.quarantined_local();
            for (std::size_t i = n; i < victims.size(); i += threads())
                EXPECT_TRUE(strict.destroy(victims[i]));
            for (int turn = 0; turn < 50; ++turn) ids.payload_of(strict.create()).word = 0;
        });
        for (const auto e : victims)
            EXPECT_EQ(ids.payload_of(e).word, e.value()) << "reused before the release";
        ids.release_quarantine();
    }
    EXPECT_EQ(ids.live_count(), 20U * threads() * 50U);
}

TEST_P(ConcurrentStress, a_release_ends_while_others_quarantine) {
    large_registry ids;
    std::atomic<unsigned> at_work = threads() - 1;
    run_threads(threads(), [&](unsigned n) {
        if (n == 0) {
            while (at_work != 0) ids.release_quarantine();
            return;
        }
        auto strict = ids.quarantined_local();
        for (int i = 0; i < 20'000; ++i) {
            const auto e = strict.create();
            ids.payload_of(e).word = e.value();
            EXPECT_TRUE(strict.destroy(e));
        }
        --at_work;
    });
    EXPECT_EQ(ids.live_count(), 0U);
}

} // namespace
