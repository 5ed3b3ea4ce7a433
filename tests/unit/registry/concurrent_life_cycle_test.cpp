// SPDX-License-Identifier: MIT
// The concurrent registry as one thread sees it: the life cycle, on layouts of every word size, through every
// way in, with flat slots and with pages.
#include "support/sanitized.hpp"
#include "support/short_of_addresses.hpp"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <thread>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace concurrent_life_cycle_test {
namespace {

namespace layouts = test::layouts;

template <class Registry> class concurrent_life_cycle : public testing::Test {
  public:
    using id = typename Registry::id_type;
    using layout = typename Registry::layout_type;

    static id make(std::uint64_t index, std::uint64_t generation) {
        return test::make_id<layout>(index, generation);
    }

    static constexpr std::uint64_t index_max = test::index_max<layout>;
    static constexpr std::uint64_t generation_max = test::generation_max<layout>;

    Registry ids;
};

/// A registry whose slots lie in pages.
template <class Layout>
using in_pages = ecs::basic_concurrent_registry<Layout, ecs::whole_index_space<Layout>, ecs::retire,
                                                ecs::no_payload, test::short_of_addresses<ecs::std_atomics>>;

using every_registry = testing::Types<
    in_pages<layouts::tiny>, in_pages<layouts::worldly>, in_pages<layouts::single_use>,
    in_pages<ecs::layouts::ecr>, in_pages<ecs::layouts::entity>,
    ecs::basic_concurrent_registry<layouts::tiny>,
    ecs::basic_concurrent_registry<layouts::two_bit_generation>,
    ecs::basic_concurrent_registry<layouts::tagged>, ecs::basic_concurrent_registry<layouts::worldly>,
    ecs::basic_concurrent_registry<layouts::single_use>, ecs::basic_concurrent_registry<ecs::layouts::ecr>,
    ecs::basic_concurrent_registry<ecs::layouts::flecs_entity>, ecs::concurrent_registry>;
using some_registries =
    testing::Types<in_pages<layouts::tiny>, in_pages<ecs::layouts::entity>,
                   ecs::basic_concurrent_registry<layouts::single_use>, ecs::concurrent_registry>;
using registries = test::types_to_try<every_registry, some_registries>;
TYPED_TEST_SUITE(concurrent_life_cycle, registries);

TYPED_TEST(concurrent_life_cycle, indices_and_generations_count_from_one) {
    auto local = this->ids.local();
    for (std::uint64_t n = 1; n <= 3; ++n) EXPECT_EQ(local.create(), this->make(n, 1));
}

TYPED_TEST(concurrent_life_cycle, a_new_identifier_is_live_and_no_other_is) {
    const auto id = this->ids.create();
    EXPECT_TRUE(this->ids.alive(id));
    EXPECT_EQ(this->ids.status(id), ecs::id_status::live);
    EXPECT_EQ(this->ids.live_at(id.index()), id);
    EXPECT_FALSE(this->ids.alive({}));
    EXPECT_EQ(this->ids.status(typename TestFixture::id{}), ecs::id_status::null);
    const auto next = this->make(2, 1);
    EXPECT_FALSE(this->ids.alive(next));
    EXPECT_EQ(this->ids.status(next), ecs::id_status::never_issued);
    EXPECT_EQ(this->ids.live_count(), 1U);
}

TYPED_TEST(concurrent_life_cycle, nobody_is_alive_in_an_empty_registry_or_at_index_zero) {
    EXPECT_FALSE(this->ids.alive({}));
    EXPECT_FALSE(this->ids.alive(this->make(this->index_max, 1)));
    (void)this->ids.create();
    for (std::uint64_t g = 1; g <= std::min<std::uint64_t>(this->generation_max, 3); ++g) {
        EXPECT_FALSE(this->ids.alive(this->make(0, g)));
        EXPECT_FALSE(this->ids.destroy(this->make(0, g)));
    }
    EXPECT_FALSE(this->ids.live_at(0).has_value());
}

TYPED_TEST(concurrent_life_cycle, nobody_is_at_an_index_that_does_not_fit) {
    const auto id = this->ids.create();
    for (unsigned bit = 33; bit < 64; ++bit)
        EXPECT_FALSE(this->ids.live_at(id.index() + (std::uint64_t{1} << bit)).has_value());
    EXPECT_FALSE(this->ids.live_at(this->index_max + 1).has_value());
    EXPECT_FALSE(this->ids.live_at(~std::uint64_t{0}).has_value());
}

TYPED_TEST(concurrent_life_cycle, every_index_may_be_asked_for_whether_or_not_it_was_used) {
    for (const bool first_exists : {false, true}) {
        if (first_exists) (void)this->ids.create();
        for (const std::uint64_t index : {this->index_max / 2, this->index_max - 1, this->index_max}) {
            const auto id = this->make(index, 1);
            EXPECT_FALSE(this->ids.alive(id) || this->ids.live_at(index) || this->ids.destroy(id));
            EXPECT_EQ(this->ids.status(id), ecs::id_status::never_issued);
            EXPECT_EQ(this->ids.find_payload(id), nullptr);
        }
    }
}

TYPED_TEST(concurrent_life_cycle, the_last_index_is_one_like_others) {
    const auto first = this->ids.create(), last = this->make(this->index_max, 1);
    EXPECT_TRUE(this->ids.claim(last));
    EXPECT_TRUE(this->ids.alive(first) && this->ids.alive(last));
    EXPECT_EQ(this->ids.live(), (std::vector{first, last}));
    EXPECT_EQ(this->ids.status(this->make(this->index_max - 1, 1)), ecs::id_status::never_issued);
    this->ids.clear();
    EXPECT_FALSE(this->ids.alive(first) || this->ids.alive(last));
    EXPECT_EQ(this->ids.counts().live, 0U);
}

TYPED_TEST(concurrent_life_cycle, destroying_twice_changes_nothing) {
    const auto id = this->ids.create();
    EXPECT_TRUE(this->ids.destroy(id));
    EXPECT_FALSE(this->ids.destroy(id));
    EXPECT_FALSE(this->ids.alive(id));
    EXPECT_EQ(this->ids.live_count(), 0U);
}

TYPED_TEST(concurrent_life_cycle, a_released_index_returns_with_the_next_generation_or_not_at_all) {
    auto local = this->ids.local();
    const auto first = local.create();
    const auto second = local.create();
    EXPECT_TRUE(local.destroy(first));
    const bool once = this->generation_max == 1;
    EXPECT_EQ(this->ids.status(first), once ? ecs::id_status::retired : ecs::id_status::stale);
    EXPECT_EQ(this->ids.retired_count(), once ? 1U : 0U);
    EXPECT_EQ(local.create(), once ? this->make(3, 1) : this->make(1, 2));
    EXPECT_TRUE(!this->ids.alive(first) && this->ids.alive(second));
}

TYPED_TEST(concurrent_life_cycle, a_handle_that_destroys_alone_does_what_any_handle_does) {
    auto alone = this->ids.exclusive_local();
    const auto first = alone.create();
    EXPECT_TRUE(alone.destroy(first));
    EXPECT_FALSE(alone.destroy(first) || this->ids.alive(first));
    const auto next = alone.create();
    EXPECT_EQ(next, this->generation_max == 1 ? this->make(2, 1) : this->make(1, 2));
    EXPECT_EQ(this->ids.live_count(), 1U);
}

TYPED_TEST(concurrent_life_cycle, bulk_creation_is_all_or_nothing_or_as_many_as_there_are) {
    if (this->index_max > 5000) GTEST_SKIP() << "the space is too large to spend";
    auto local = this->ids.local();
    std::vector<typename TestFixture::id> too_many(this->index_max + 1);
    EXPECT_THROW(local.create(too_many), ecs::exhausted_error);
    EXPECT_EQ(this->ids.live_count(), 0U);
    EXPECT_FALSE(std::ranges::any_of(too_many, [](auto id) { return static_cast<bool>(id); }));
    EXPECT_EQ(local.try_create(too_many), this->index_max);
    EXPECT_FALSE(too_many.back());
    too_many.pop_back();
    EXPECT_EQ(std::set(too_many.begin(), too_many.end()).size(), this->index_max);
    EXPECT_EQ(local.destroy(too_many), this->index_max);
    EXPECT_EQ(local.destroy(too_many), 0U);
    EXPECT_EQ(this->ids.live_count(), 0U);
}

TYPED_TEST(concurrent_life_cycle, bulk_creation_gives_the_lowest_indices_in_order) {
    auto local = this->ids.local();
    std::vector<typename TestFixture::id> some(7);
    local.create(some);
    for (std::uint64_t n = 0; n < some.size(); ++n) EXPECT_EQ(some[n], this->make(n + 1, 1));
    EXPECT_EQ(this->ids.live_count(), some.size());
}

TYPED_TEST(concurrent_life_cycle, live_identifiers_are_visited_in_order_of_index) {
    std::vector<typename TestFixture::id> some(6), visited;
    this->ids.create(some);
    this->ids.destroy(some[0]);
    this->ids.destroy(some[4]);
    this->ids.for_each_live([&](auto id) { visited.push_back(id); });
    EXPECT_EQ(visited, (std::vector{some[1], some[2], some[3], some[5]}));
}

TYPED_TEST(concurrent_life_cycle, what_was_used_is_visited_with_its_last_identifier) {
    std::vector<typename TestFixture::id> some(6), visited;
    this->ids.create(some);
    this->ids.destroy(some[0]);
    this->ids.destroy(some[4]);
    this->ids.for_each_used([&](auto id) { visited.push_back(id); });
    EXPECT_EQ(visited, some);
    TypeParam again;
    for (const auto id : visited) {
        EXPECT_TRUE(again.claim(id));
        if (!this->ids.alive(id)) EXPECT_TRUE(again.destroy(id));
    }
    for (const auto id : some) EXPECT_EQ(again.status(id), this->ids.status(id));
}

TYPED_TEST(concurrent_life_cycle, what_was_used_before_it_was_cleared_is_visited_too) {
    std::vector<typename TestFixture::id> old(5), visited;
    this->ids.create(old);
    this->ids.clear();
    this->ids.for_each_used([&](auto id) { visited.push_back(id); });
    EXPECT_EQ(visited, old);
    const auto fresh = this->ids.create();
    TypeParam again;
    this->ids.for_each_used([&](auto id) {
        EXPECT_TRUE(again.claim(id));
        if (!this->ids.alive(id)) EXPECT_TRUE(again.destroy(id));
    });
    EXPECT_TRUE(again.alive(fresh));
    for (const auto id : old) EXPECT_EQ(again.status(id), this->ids.status(id));
    auto local = again.local();
    if (const auto made = local.try_create())
        EXPECT_EQ(this->ids.status(*made), ecs::id_status::never_issued);
}

TYPED_TEST(concurrent_life_cycle, clear_revives_no_handle_and_starts_again_at_the_lowest_index) {
    std::vector<typename TestFixture::id> old(5), fresh(5);
    auto local = this->ids.local();
    local.create(old);
    local.destroy(old[1]);
    this->ids.clear();
    EXPECT_EQ(this->ids.live_count(), 0U);
    for (const auto id : old) EXPECT_FALSE(this->ids.alive(id));
    local.create(fresh);
    const bool once = this->generation_max == 1;
    for (std::uint64_t n = 0; n < fresh.size(); ++n)
        EXPECT_EQ(fresh[n], once ? this->make(n + 6, 1) : this->make(n + 1, 2));
    for (const auto id : old) EXPECT_FALSE(this->ids.alive(id));
    EXPECT_EQ(this->ids.live_count(), fresh.size());
}

TYPED_TEST(concurrent_life_cycle, reserve_changes_nothing_that_can_be_seen) {
    this->ids.reserve(10);
    EXPECT_EQ(this->ids.live_count(), 0U);
    EXPECT_EQ(this->ids.status(this->make(1, 1)), ecs::id_status::never_issued);
    EXPECT_EQ(this->ids.create(), this->make(1, 1));
}

/// Layouts small enough to use every identifier they have.
template <class Registry> class concurrent_spent_space : public concurrent_life_cycle<Registry> {};
using every_small_registry =
    testing::Types<ecs::basic_concurrent_registry<layouts::tiny>, in_pages<layouts::tiny>,
                   in_pages<layouts::single_use>, ecs::basic_concurrent_registry<layouts::two_bit_generation>,
                   ecs::basic_concurrent_registry<layouts::two_bits_each>,
                   ecs::basic_concurrent_registry<layouts::tagged>,
                   ecs::basic_concurrent_registry<layouts::single_use>>;
using two_small_registries =
    testing::Types<ecs::basic_concurrent_registry<layouts::tiny>, in_pages<layouts::single_use>>;
using small_registries = test::types_to_try<every_small_registry, two_small_registries>;
TYPED_TEST_SUITE(concurrent_spent_space, small_registries);

TYPED_TEST(concurrent_spent_space, no_identifier_is_issued_twice_until_the_space_is_spent) {
    auto local = this->ids.local();
    std::set<std::uint64_t> issued;
    while (const auto id = local.try_create()) {
        ASSERT_TRUE(issued.insert(id->value()).second);
        ASSERT_TRUE(local.destroy(*id));
    }
    EXPECT_EQ(issued.size(), this->index_max * this->generation_max);
    EXPECT_EQ(this->ids.retired_count(), this->index_max);
    EXPECT_EQ(this->ids.free_count(), 0U) << "the retired are not free";
    EXPECT_EQ(this->ids.status(this->make(1, 1)), ecs::id_status::retired);
    EXPECT_THROW((void)local.create(), ecs::exhausted_error);
    EXPECT_THROW((void)this->ids.create(), ecs::exhausted_error) << "exhaustion does not pass by itself";
}

TYPED_TEST(concurrent_spent_space, every_index_can_be_live_at_once_through_any_mixture_of_ways) {
    std::set<std::uint64_t> live;
    {
        auto one = this->ids.local();
        auto two = this->ids.exclusive_local();
        (void)one.create(), (void)two.create(), (void)this->ids.create();
    }
    while (const auto id = this->ids.try_create()) live.insert(id->value());
    EXPECT_EQ(live.size(), this->index_max - 3);
    EXPECT_EQ(this->ids.live_count(), this->index_max);
}

TEST(concurrent_registry, status_is_explained_in_a_sentence) {
    ecs::concurrent_registry ids;
    const ecs::entity first = ids.create();
    EXPECT_EQ(ids.explain(first), "1v1 is live");
    EXPECT_EQ(ids.explain({}), "null is no identifier");
    EXPECT_EQ(ids.explain(first.with<"index">(99)), "99v1 is never issued: index 99 is not in use");
    EXPECT_EQ(ids.explain(first.with<"generation">(2)), "1v2 is never issued: index 1 is in use by 1v1");
    ids.destroy(first);
    EXPECT_EQ(ids.explain(first), "1v1 is stale: index 1 is not in use");
}

TEST(concurrent_threads, prefer_different_shared_lanes) {
    std::array<std::size_t, 8> lanes{};
    std::vector<std::jthread> threads;
    for (std::size_t& lane : lanes) threads.emplace_back([&] { lane = ecs::std_atomics::thread_hint() % 8; });
    threads.clear();
    std::ranges::sort(lanes);
    EXPECT_TRUE(std::ranges::adjacent_find(lanes) == lanes.end());
}

} // namespace
} // namespace concurrent_life_cycle_test
