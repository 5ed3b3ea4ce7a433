// SPDX-License-Identifier: MIT
// Identifiers received from elsewhere. Each test is named after what has gone wrong with "create with this
// id" in the field.
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace claim_test {
namespace {

ecs::entity make(std::uint64_t index, std::uint64_t generation) {
    return test::make_id<ecs::layouts::entity>(index, generation);
}

template <class FreeList> class claim : public testing::Test {
  public:
    ecs::basic_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>, ecs::retire,
                        FreeList>
        ids;
};

using free_lists = testing::Types<ecs::free_lists::ready, ecs::free_lists::linked>;
TYPED_TEST_SUITE(claim, free_lists);

TYPED_TEST(claim, does_not_silently_end_the_live_entity_of_the_index) {
    const auto local = this->ids.create();
    EXPECT_FALSE(this->ids.claim(local));
    EXPECT_FALSE(this->ids.claim(local.template with<"generation">(9)));
    EXPECT_TRUE(this->ids.alive(local));
    EXPECT_FALSE(this->ids.alive(local.template with<"generation">(9)));
}

TYPED_TEST(claim, does_not_bring_a_destroyed_identifier_back) {
    const auto local = this->ids.create();
    this->ids.destroy(local);
    EXPECT_FALSE(this->ids.claim(local));
    EXPECT_FALSE(this->ids.alive(local));
    EXPECT_TRUE(this->ids.claim(make(700, 5)));
    EXPECT_TRUE(this->ids.destroy(make(700, 5)));
    EXPECT_FALSE(this->ids.claim(make(700, 5)));
    EXPECT_FALSE(this->ids.claim(make(700, 4))) << "earlier generations are passed over, and used up with it";
    EXPECT_TRUE(this->ids.claim(make(700, 6)));
}

TYPED_TEST(claim, is_never_followed_by_a_create_of_the_same_identifier) {
    std::set<ecs::entity> taken;
    for (const std::uint64_t index : {2U, 3U, 5U, 9U, 4000U}) {
        ASSERT_TRUE(this->ids.claim(make(index, 1)));
        taken.insert(make(index, 1));
    }
    for (int n = 0; n < 5000; ++n) ASSERT_TRUE(taken.insert(this->ids.create()).second);
    EXPECT_EQ(this->ids.live_count(), taken.size());
}

TYPED_TEST(claim, of_all_that_was_used_puts_a_registry_together_again) {
    constexpr std::uint64_t last_generation = test::generation_max<ecs::layouts::entity>;
    auto& ids = this->ids;
    std::vector<ecs::entity> old;
    for (int n = 0; n != 40; ++n) old.push_back(ids.create());
    for (const std::size_t n : {3U, 3U, 3U, 17U, 39U}) {
        ids.destroy(old[n]);
        old.push_back(ids.create());
        if (n == 3) std::swap(old[n], old.back());
    }
    for (const std::size_t n : {5U, 8U, 39U}) ids.destroy(old[n]);
    for (const auto far : {make(90'000, 4), make(70'000, 9), make(60'000, last_generation)}) {
        EXPECT_TRUE(ids.claim(far));
        old.push_back(far);
    }
    ids.destroy(make(70'000, 9));
    ids.destroy(make(60'000, last_generation));

    std::remove_reference_t<decltype(ids)> again;
    ids.for_each_used([&](ecs::entity last) {
        EXPECT_TRUE(again.claim(last)) << last;
        if (!ids.alive(last)) EXPECT_TRUE(again.destroy(last)) << last;
    });
    for (const ecs::entity e : old) {
        EXPECT_EQ(again.status(e), ids.status(e)) << e;
        const auto other = make(e.index(), e.generation() % last_generation + 1);
        EXPECT_EQ(again.status(other), ids.status(other)) << other;
    }
    EXPECT_EQ(again.live_count(), ids.live_count());
    EXPECT_EQ(again.free_count(), ids.free_count());
    EXPECT_EQ(again.retired_count(), ids.retired_count());
    for (int n = 0; n != 100; ++n) EXPECT_EQ(ids.status(again.create()), ecs::id_status::never_issued);
}

TYPED_TEST(claim, does_not_move_the_cursor) {
    const auto first = this->ids.create();
    ASSERT_TRUE(this->ids.claim(make(6000, 4)) && this->ids.claim(make(0xFFFF'FFFF, 1)));
    EXPECT_EQ(this->ids.create().index(), first.index() + 1);
    ASSERT_TRUE(this->ids.destroy(make(6000, 4)));
    EXPECT_EQ(this->ids.create().index(), first.index() + 2) << "nor does the end of what was claimed";
}

TYPED_TEST(claim, at_the_top_of_the_index_space_costs_an_entry_and_not_the_space) {
    ASSERT_TRUE(this->ids.claim(make(0xFFFF'FFFF, 1)));
    EXPECT_TRUE(this->ids.alive(make(0xFFFF'FFFF, 1)));
    EXPECT_EQ(this->ids.status(make(0xFFFF'FFFE, 1)), ecs::id_status::never_issued);
    EXPECT_EQ(this->ids.live_at(0xFFFF'FFFF), make(0xFFFF'FFFF, 1));
    EXPECT_TRUE(this->ids.destroy(make(0xFFFF'FFFF, 1)));
    EXPECT_EQ(this->ids.status(make(0xFFFF'FFFF, 1)), ecs::id_status::stale);
}

TYPED_TEST(claim, of_a_free_index_takes_it_from_the_free_list) {
    std::vector<ecs::entity> some(5);
    this->ids.create(some);
    this->ids.destroy(some);
    ASSERT_TRUE(this->ids.claim(make(3, 7)));
    EXPECT_EQ(this->ids.counts().free, 4U);
    std::set<std::uint64_t> indices;
    for (int n = 0; n < 5; ++n) indices.insert(this->ids.create().index());
    EXPECT_EQ(indices, (std::set<std::uint64_t>{1, 2, 4, 5, 6}));
    EXPECT_TRUE(this->ids.alive(make(3, 7)));
}

TYPED_TEST(claim, and_destroy_again_and_again_leaks_no_slot_and_no_free_index) {
    std::vector<ecs::entity> some(40);
    this->ids.create(some);
    this->ids.destroy(some);
    for (std::uint64_t generation = 3; generation < 400; ++generation) {
        const std::uint64_t index = 1 + generation % 40;
        const auto before = this->ids.counts();
        ASSERT_TRUE(this->ids.claim(make(index, generation)));
        EXPECT_EQ(this->ids.counts().live, 1U);
        ASSERT_TRUE(this->ids.destroy(make(index, generation)));
        ASSERT_EQ(this->ids.counts(), before);
    }
    std::set<std::uint64_t> indices;
    for (int n = 0; n < 40; ++n) indices.insert(this->ids.create().index());
    EXPECT_EQ(*indices.rbegin(), 40U) << "every free index is used again before the cursor moves";
    EXPECT_EQ(indices.size(), 40U);
}

TYPED_TEST(claim, refuses_what_is_no_identifier_of_this_registry) {
    EXPECT_FALSE(this->ids.claim({}));
    EXPECT_FALSE(this->ids.claim(make(0, 1))) << "index 0 is null";
    EXPECT_FALSE(this->ids.claim(make(7, 0))) << "generations count from 1";
    EXPECT_FALSE(this->ids.claim(make(7, 1).template with<"world">(2)));
    EXPECT_FALSE(this->ids.claim(ecs::entity::assume_word(0x2000'0001'0000'0007))) << "a pair";
    EXPECT_EQ(this->ids.counts(), ecs::registry{}.counts());
}

TYPED_TEST(claim, leaves_the_order_of_create_alone) {
    ecs::registry alone;
    for (std::uint64_t n = 1; n <= 60; ++n) {
        ASSERT_TRUE(this->ids.claim(make(1000 + (n * 37) % 600, 1)));
        EXPECT_EQ(this->ids.create(), alone.create());
    }
}

TYPED_TEST(claim, of_far_identifiers_survives_until_the_cursor_comes_by) {
    for (std::uint64_t index = 5000; index < 6000; index += 10) ASSERT_TRUE(this->ids.claim(make(index, 2)));
    for (std::uint64_t index = 5000; index < 6000; index += 20)
        ASSERT_TRUE(this->ids.destroy(make(index, 2)));
    std::vector<ecs::entity> all(7000);
    this->ids.create(all);
    for (const auto id : all) {
        const std::uint64_t index = id.index();
        const bool was_claimed = index >= 5000 && index < 6000 && index % 10 == 0;
        ASSERT_EQ(id.generation(), was_claimed ? 3U : 1U);
        if (was_claimed) ASSERT_EQ(index % 20, 0U);
    }
    EXPECT_EQ(this->ids.live_count(), 7050U);
}

TYPED_TEST(claim, is_undone_by_clear_and_stays_used) {
    ASSERT_TRUE(this->ids.claim(make(3, 1)) && this->ids.claim(make(900'000, 8)));
    this->ids.clear();
    EXPECT_EQ(this->ids.live_count(), 0U);
    EXPECT_FALSE(this->ids.claim(make(3, 1)) || this->ids.claim(make(900'000, 8)));
    EXPECT_TRUE(this->ids.claim(make(900'000, 9)));
}

TYPED_TEST(claim, shows_in_the_live_identifiers_in_order_of_index) {
    ASSERT_TRUE(this->ids.claim(make(900'000, 1)) && this->ids.claim(make(70'000, 1)));
    const auto local = this->ids.create();
    std::vector<ecs::entity> visited;
    for (const auto id : this->ids.live()) visited.push_back(id);
    EXPECT_EQ(visited, (std::vector{local, make(70'000, 1), make(900'000, 1)}));
}

TYPED_TEST(claim, visits_one_that_create_comes_near_to_meanwhile_once) {
    (void)this->ids.create();
    ASSERT_TRUE(this->ids.claim(make(400, 3)));
    std::size_t visits = 0, visits_of_it = 0;
    for (const auto id : this->ids.live()) {
        visits_of_it += id == make(400, 3);
        if (++visits < 600) (void)this->ids.create();
    }
    EXPECT_EQ(visits_of_it, 1U);
}

} // namespace
} // namespace claim_test
