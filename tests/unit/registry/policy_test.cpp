// SPDX-License-Identifier: MIT
// What happens when generations are spent, and how soon an index is used again.
#include <cstdint>
#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <string>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace policy_test {
namespace {

using test::layouts::two_bits_each;
template <class Exhaustion>
using small = ecs::basic_registry<two_bits_each, ecs::whole_index_space<two_bits_each>, Exhaustion>;

TEST(policy, retire_never_reuses_a_spent_index_and_stays_exhausted) {
    small<ecs::retire> ids;
    std::set<std::uint64_t> issued;
    while (const auto id = ids.try_create()) {
        EXPECT_TRUE(issued.insert(id->value()).second);
        ids.destroy(*id);
    }
    EXPECT_EQ(issued.size(), 9U);
    ids.clear();
    EXPECT_FALSE(ids.try_create());
    EXPECT_EQ(ids.retired_count(), 3U);
}

TEST(policy, quarantine_uses_an_index_again_only_while_the_minimum_of_others_waits) {
    constexpr std::uint64_t minimum = 5;
    ecs::basic_registry<test::layouts::tagged, ecs::whole_index_space<test::layouts::tagged>,
                        ecs::quarantine<minimum>>
        ids;
    std::vector<ecs::basic_id<test::layouts::tagged>> all(127);
    ids.create(all);
    for (std::size_t n = 0; n < minimum; ++n) ids.destroy(all[n]);
    EXPECT_EQ(ids.remaining_count(), 0U);
    EXPECT_FALSE(ids.try_create()) << "the minimum waits, and nothing above it";
    ids.destroy(all[minimum]);
    EXPECT_EQ(ids.remaining_count(), 1U);
    EXPECT_EQ(ids.create().index(), all[0].index()) << "the one that has waited longest";
    EXPECT_FALSE(ids.try_create());
}

TEST(policy, quarantine_spends_generations_evenly) {
    small<ecs::quarantine<1>> ids;
    std::vector<std::uint64_t> indices;
    while (const auto id = ids.try_create()) {
        indices.push_back(id->index());
        ids.destroy(*id);
    }
    EXPECT_EQ(indices, (std::vector<std::uint64_t>{1, 2, 1, 2, 1, 3, 2}))
        << "fresh when nothing may be reused";
}

TEST(policy, wrap_issues_the_first_generation_again) {
    small<ecs::wrap> ids;
    const auto first = ids.create();
    ids.destroy(first);
    for (int n = 0; n < 2; ++n) ids.destroy(ids.create());
    EXPECT_EQ(ids.retired_count(), 0U);
    EXPECT_EQ(ids.create(), first) << "which is why it is unsafe: the old handle is alive again";
}

TEST(policy_death, trap_ends_the_program_and_names_the_index) {
    small<ecs::trap> ids;
    ids.destroy(ids.create());
    ids.destroy(ids.create());
    const auto last = ids.create();
    EXPECT_DEATH(ids.destroy(last), "the generations of index 1 are spent");
    EXPECT_DEATH(ids.clear(), "the generations of index 1 are spent");
}

TEST(policy, exhaustion_names_the_partition_and_its_counts) {
    small<ecs::retire> ids;
    for (int n = 0; n < 3; ++n) ids.destroy(ids.create());
    (void)ids.create();
    (void)ids.create();
    try {
        (void)ids.create();
        FAIL() << "there are only three indices, one of them retired";
    } catch (const ecs::exhausted_error& error) {
        EXPECT_STREQ(error.what(),
                     "the index space is exhausted: of 3 indices 2 are live, 0 free and 1 retired; "
                     "0 can be created");
        EXPECT_EQ(error.counts, ids.counts());
    }
}

TEST(policy, bulk_create_says_how_many_there_should_have_been) {
    small<ecs::retire> ids;
    std::vector<decltype(ids)::id_type> four(4);
    try {
        ids.create(four);
        FAIL() << "there are only three indices";
    } catch (const ecs::exhausted_error& error) {
        EXPECT_STREQ(error.what(),
                     "the index space has no 4 identifiers left: of 3 indices 0 are live, 0 free "
                     "and 0 retired; 3 can be created");
    }
}

TEST(policy, counts_add_up_to_the_capacity_at_every_step) {
    ecs::basic_registry<test::layouts::two_bit_generation> ids;
    std::deque<ecs::basic_id<test::layouts::two_bit_generation>> live;
    for (int n = 0; n < 200; ++n) {
        if (const auto id = ids.try_create()) live.push_back(*id);
        if (n % 3 != 0 && !live.empty()) {
            ids.destroy(live.front());
            live.pop_front();
        }
        const auto counts = ids.counts();
        ASSERT_EQ(counts.live, live.size());
        ASSERT_EQ(counts.live + counts.free + counts.retired + counts.untouched(), 15U);
        ASSERT_EQ(counts.remaining, counts.free + counts.untouched());
    }
    EXPECT_GT(ids.retired_count(), 0U);
}

TEST(policy, both_free_lists_issue_the_same_identifiers) {
    ecs::basic_registry<ecs::layouts::entity> ready;
    ecs::basic_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>, ecs::retire,
                        ecs::free_lists::linked>
        linked;
    std::vector<ecs::entity> live;
    for (std::size_t n = 0; n < 2000; ++n) {
        live.push_back(ready.create());
        ASSERT_EQ(linked.create(), live.back());
        if (n % 5 < 3) {
            const auto victim = live.begin() + static_cast<std::ptrdiff_t>(n * 31 % live.size());
            EXPECT_TRUE(ready.destroy(*victim) && linked.destroy(*victim));
            live.erase(victim);
        }
    }
}

TEST(policy, the_same_calls_give_the_same_identifiers) {
    const auto play = [] {
        ecs::registry ids;
        std::vector<ecs::entity> all(50);
        ids.create(all);
        for (std::size_t n = 0; n < 50; n += 3) ids.destroy(all[n]);
        ids.clear();
        ids.create(all);
        return all;
    };
    EXPECT_EQ(play(), play());
}

/// Uses an index again as long as one other waits, also in generations that there have been.
struct reuse_slowly {
    static constexpr std::uint64_t minimum_free = 1;
    static constexpr ecs::spent_index when_spent = ecs::spent_index::reused;
};

TEST(policy, both_free_lists_issue_the_same_when_generations_come_again) {
    using space = ecs::whole_index_space<two_bits_each>;
    for (unsigned seed = 0; seed < 50; ++seed) {
        ecs::basic_registry<two_bits_each, space, reuse_slowly, ecs::free_lists::linked> linked;
        ecs::basic_registry<two_bits_each, space, reuse_slowly, ecs::free_lists::ready> ready;
        std::mt19937 random(seed);
        for (int step = 0; step < 400; ++step) {
            const auto any = ecs::basic_id<two_bits_each>::assume_word(
                static_cast<ecs::word_of<two_bits_each>>(random() % 256));
            switch (random() % 4) {
            case 0: ASSERT_EQ(linked.claim(any), ready.claim(any)) << seed; break;
            case 1: ASSERT_EQ(linked.destroy(any), ready.destroy(any)) << seed; break;
            default: ASSERT_EQ(linked.try_create(), ready.try_create()) << seed; break;
            }
        }
    }
}

} // namespace
} // namespace policy_test
