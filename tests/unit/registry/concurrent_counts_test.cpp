// SPDX-License-Identifier: MIT
// What a concurrent registry says of its indices: exact as soon as nobody acts, whatever handles keep, under
// every policy; of each partition and range apart; and who lives.
#include "support/short_of_addresses.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <new>
#include <random>
#include <set>
#include <span>
#include <thread>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace concurrent_counts_test {
namespace {

using test::layouts::two_bits_each;

ecs::entity entity(std::uint64_t index, std::uint64_t generation) {
    return test::make_id<ecs::layouts::entity>(index, generation);
}

template <class Exhaustion> class concurrent_counts : public testing::Test {
  public:
    using registry = ecs::basic_concurrent_registry<ecs::layouts::entity,
                                                    ecs::whole_index_space<ecs::layouts::entity>, Exhaustion>;
    static constexpr std::uint64_t indices = 0xFFFF'FFFF;

    /// What it has to say when so many live and the others of those that were ever used wait.
    static ecs::index_counts expected(std::uint64_t live, std::uint64_t used) {
        const std::uint64_t free = used - live;
        const std::uint64_t held_back = std::min<std::uint64_t>(free, Exhaustion::minimum_free);
        return {.capacity = indices,
                .live = live,
                .free = free,
                .retired = 0,
                .remaining = indices - live - held_back};
    }

    registry ids;
};

using policies = testing::Types<ecs::retire, ecs::quarantine<100>, ecs::wrap, ecs::trap>;
TYPED_TEST_SUITE(concurrent_counts, policies);

/// Creates and destroys through a handle and without one; says who is left and notes every index that was
/// had.
std::vector<ecs::entity> act(auto& ids, unsigned seed, std::set<std::uint64_t>& had) {
    std::minstd_rand random(seed);
    auto local = ids.local();
    std::vector<ecs::entity> mine;
    for (int turn = 0; turn < 5000; ++turn) {
        const bool with_handle = random() % 4 != 0;
        if (mine.empty() || random() % 5 < 3) {
            mine.push_back(with_handle ? local.create() : ids.create());
            had.insert(mine.back().index());
        } else {
            std::swap(mine[random() % mine.size()], mine.back());
            EXPECT_TRUE(with_handle ? local.destroy(mine.back()) : ids.destroy(mine.back()));
            mine.pop_back();
        }
    }
    return mine;
}

TYPED_TEST(concurrent_counts, are_exact_when_threads_have_joined) {
    std::vector<ecs::entity> left[3];
    std::set<std::uint64_t> had[3];
    {
        std::vector<std::jthread> threads;
        for (unsigned n = 0; n < 3; ++n)
            threads.emplace_back([&, n] { left[n] = act(this->ids, n + 1, had[n]); });
    }
    std::vector<ecs::entity> living;
    std::set<std::uint64_t> used;
    for (unsigned n = 0; n < 3; ++n) {
        living.insert(living.end(), left[n].begin(), left[n].end());
        used.merge(had[n]);
    }
    EXPECT_EQ(this->ids.counts(), this->expected(living.size(), used.size()));
    EXPECT_EQ(this->ids.counts().live, this->ids.live_count());
    std::ranges::sort(living, {}, &ecs::entity::index);
    EXPECT_EQ(this->ids.live(), living);
}

TYPED_TEST(concurrent_counts, are_exact_while_handles_keep_identifiers) {
    auto local = this->ids.local();
    auto other = this->ids.quarantined_local();
    std::vector<ecs::entity> some(1000);
    local.create(some);
    EXPECT_EQ(this->ids.counts(), this->expected(1000, 1000));
    for (std::size_t n = 0; n < 300; ++n) local.destroy(some[n]);
    EXPECT_EQ(this->ids.counts(), this->expected(700, 1000));
    for (std::size_t n = 300; n < 400; ++n) other.destroy(some[n]);
    EXPECT_EQ(this->ids.counts(), this->expected(600, 1000)) << "what waits for release is free";
    this->ids.clear();
    EXPECT_EQ(this->ids.counts(), this->expected(0, 1000));
}

TEST(concurrent_counts_of, an_empty_registry_are_those_of_a_registry_of_one_thread) {
    EXPECT_EQ(ecs::concurrent_registry().counts(), ecs::registry().counts());
}

template <class Exhaustion>
using small =
    ecs::basic_concurrent_registry<two_bits_each, ecs::whole_index_space<two_bits_each>, Exhaustion>;

TEST(concurrent_counts_of, spent_indices_say_retired) {
    small<ecs::retire> ids;
    const auto first = ids.create();
    for (int generation = 1; generation <= 3; ++generation) {
        EXPECT_EQ(ids.counts(), (ecs::index_counts{3, 1, 0, 0, 2}));
        ids.destroy(*ids.live_at(first.index()));
        if (generation == 3) break;
        EXPECT_EQ(ids.counts(), (ecs::index_counts{3, 0, 1, 0, 3}));
        ASSERT_EQ(ids.create().index(), first.index());
    }
    EXPECT_EQ(ids.counts(), (ecs::index_counts{3, 0, 0, 1, 2}));
    EXPECT_EQ(ids.counts().untouched(), 2U);
}

TEST(concurrent_counts_of, spent_indices_that_begin_again_say_untouched) {
    small<ecs::wrap> ids;
    for (int generation = 1; generation <= 3; ++generation) {
        const auto id = ids.create();
        ASSERT_EQ(id.index(), 1U);
        ids.destroy(id);
    }
    EXPECT_EQ(ids.counts(), (ecs::index_counts{3, 0, 0, 0, 3}));
}

/// Atomics whose memory can run out.
struct poor : ecs::std_atomics {
    inline static bool is_out = false;

    template <class T> static T* allocate(std::size_t count) {
        if (is_out) throw std::bad_alloc();
        return ecs::std_atomics::allocate<T>(count);
    }
};

template <class Atomics>
using poor_registry =
    ecs::basic_concurrent_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>,
                                   ecs::retire, ecs::no_payload, Atomics>;

TEST(concurrent_counts_of, what_is_destroyed_while_memory_is_out_say_free) {
    poor_registry<poor> ids;
    auto local = ids.local();
    std::vector<ecs::entity> all(200);
    local.create(all);
    poor::is_out = true;
    local.destroy(all);
    poor::is_out = false;
    EXPECT_EQ(ids.counts(), (ecs::index_counts{0xFFFF'FFFF, 0, 200, 0, 0xFFFF'FFFF}));
}

TEST(concurrent_counts_of, a_handle_that_ends_while_memory_is_out_say_what_it_kept_is_free) {
    using layout = ecs::layouts::flecs_entity;
    ecs::basic_concurrent_registry<layout, ecs::whole_index_space<layout>, ecs::retire, ecs::no_payload, poor>
        ids;
    std::vector<ecs::basic_id<layout>> many(12);
    {
        auto full = ids.local();
        full.create(many);
        full.destroy(many);
        {
            auto passing = ids.local();
            many.resize(3);
            passing.create(many);
            passing.destroy(std::span(many).first(2));
        }
        poor::is_out = true;
    }
    poor::is_out = false;
    EXPECT_EQ(ids.live(), std::vector{many[2]});
    EXPECT_EQ(ids.live_count(), 1U);
    EXPECT_EQ(ids.retired_count(), 0U);
    std::set<std::uint64_t> created;
    for (int i = 0; i < 200; ++i) EXPECT_TRUE(created.insert(ids.create().index()).second);
    EXPECT_EQ(*created.rbegin(), 201U) << "every index that came back is used before new ones";
}

/// Room for one page of indices, and no memory for another: neither for its nodes nor, where slots lie in
/// pages, for its slots.
template <class Atomics> struct concurrent_without_memory : testing::Test {
    concurrent_without_memory() {
        static_cast<void>(ids.create());
        ids.clear();
        poor::is_out = true;
    }
    ~concurrent_without_memory() override { poor::is_out = false; }

    poor_registry<Atomics> ids;
    static constexpr std::uint64_t in_first_page = 0xFFFF;
};
using tiers = testing::Types<poor, test::short_of_addresses<poor>>;
TYPED_TEST_SUITE(concurrent_without_memory, tiers);

TYPED_TEST(concurrent_without_memory, creating_many_creates_none_and_loses_none) {
    std::vector<ecs::entity> many(this->in_first_page + 1);
    EXPECT_THROW(this->ids.create(many), std::bad_alloc);
    EXPECT_EQ(many.front(), ecs::entity());
    EXPECT_EQ(many[this->in_first_page - 1], ecs::entity());
    EXPECT_EQ(this->ids.live_count(), 0U);
    EXPECT_EQ(this->ids.counts().live, 0U);
    std::uint64_t created = 0;
    try {
        for (;; ++created) (void)this->ids.create();
    } catch (const std::bad_alloc&) {
    }
    EXPECT_EQ(created, this->in_first_page);
    EXPECT_EQ(this->ids.retired_count(), 0U);
}

TYPED_TEST(concurrent_without_memory, trying_to_create_many_creates_those_there_is_memory_for) {
    std::vector<ecs::entity> many(this->in_first_page + 1);
    EXPECT_EQ(this->ids.try_create(many), this->in_first_page);
    EXPECT_TRUE(this->ids.alive(many.front()) && this->ids.alive(many[this->in_first_page - 1]));
    EXPECT_EQ(this->ids.live_count(), this->in_first_page);
    EXPECT_EQ(this->ids.counts().live, this->in_first_page);
    EXPECT_THROW(this->ids.try_create(many), std::bad_alloc) << "not even the first";
}

TEST(concurrent_counts_of, claims_are_part_of_it) {
    ecs::concurrent_registry ids;
    ASSERT_TRUE(ids.claim(entity(70'000, 5)));
    ASSERT_TRUE(ids.claim(entity(3, 2)));
    EXPECT_EQ(ids.counts().live, 2U);
    ids.destroy(ids.live().back());
    EXPECT_EQ(ids.counts().live, 1U);
    EXPECT_EQ(ids.counts().free, 1U);
    EXPECT_EQ(ids.live(), (std::vector{entity(3, 2)}));
    ids.clear();
    EXPECT_EQ(ids.counts(), (ecs::index_counts{0xFFFF'FFFF, 0, 2, 0, 0xFFFF'FFFF})) << "wherever they lie";
}

using map =
    ecs::partitions<ecs::layouts::entity, ecs::partition<"low", 1, 255>, ecs::partition<"", 256, 0xFFFF>>;

TEST(concurrent_counts_of, partitions_and_ranges_add_up) {
    ecs::basic_concurrent_registry<ecs::layouts::entity, map> ids;
    const ecs::index_range range = ids.add_range(1000, 1999).value();
    std::vector<ecs::entity> low, rest, ranged;
    for (int n = 0; n < 100; ++n) low.push_back(ids.create<"low">());
    for (int n = 0; n < 2000; ++n) rest.push_back(ids.create());
    for (int n = 0; n < 50; ++n) ranged.push_back(ids.create(range));
    ids.destroy(low.back()), low.pop_back();
    EXPECT_EQ(ids.counts<"low">(), (ecs::index_counts{255, 99, 1, 0, 156}));
    EXPECT_EQ(ids.counts<"">(), (ecs::index_counts{0xFFFF - 255 - 1000, 2000, 0, 0, 0xFFFF - 255 - 3000}));
    EXPECT_EQ(ids.counts(range), (ecs::index_counts{1000, 50, 0, 0, 950}));
    ecs::index_counts sum = ids.counts<"low">();
    sum += ids.counts<"">();
    sum += ids.counts(range);
    EXPECT_EQ(ids.counts(), sum);
    EXPECT_EQ(ids.counts().capacity, 0xFFFFU);
    EXPECT_EQ(ids.live<"low">(), low);
    EXPECT_EQ(ids.live(range), ranged);
    EXPECT_EQ(ids.live<"">().size(), 2000U);
    EXPECT_EQ(ids.live().size(), 2149U);
    std::size_t visited = 0;
    ids.for_each_live<"low">([&](ecs::entity) { ++visited; });
    EXPECT_EQ(visited, 99U);
    ecs::basic_concurrent_registry<ecs::layouts::entity, map> other;
    EXPECT_THROW((void)other.counts(range), ecs::unknown_range_error);
}

} // namespace
} // namespace concurrent_counts_test
