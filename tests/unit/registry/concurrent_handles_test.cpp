// SPDX-License-Identifier: MIT
// What a handle keeps from others, and gives back; claims; quarantine; policies; payloads; worlds.
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace concurrent_handles_test {
namespace {

using tiny = test::layouts::tiny; // 15 indices, 15 generations
using tiny_id = ecs::basic_id<tiny>;
using tiny_registry = ecs::basic_concurrent_registry<tiny>;
template <class Exhaustion>
using tiny_registry_under = ecs::basic_concurrent_registry<tiny, ecs::whole_index_space<tiny>, Exhaustion>;

ecs::entity entity(std::uint64_t index, std::uint64_t generation) {
    return test::make_id<ecs::layouts::entity>(index, generation);
}

template <class Registry> std::uint64_t creatable(Registry& ids) {
    std::uint64_t count = 0;
    for (auto local = ids.local(); local.try_create();) ++count;
    return count;
}

TEST(concurrent_handles, a_live_handle_keeps_no_more_than_it_says) {
    tiny_registry ids;
    auto keeper = ids.local();
    std::vector<tiny_id> all(15);
    keeper.create(all);
    keeper.destroy(all);
    EXPECT_GE(creatable(ids), 15 - tiny_registry::kept_by_handle);
}

/// Large enough for lanes of their full size.
using wide = ecs::layout<std::uint64_t, ecs::index<"index", 16, 0>, ecs::generation<"generation", 51, 17>>;
using wide_registry = ecs::basic_concurrent_registry<wide>;

TEST(concurrent_handles, a_live_handle_of_a_large_space_keeps_no_more_than_it_says) {
    wide_registry ids;
    auto keeper = ids.local();
    std::vector<ecs::basic_id<wide>> all(test::index_max<wide>);
    keeper.create(all);
    keeper.destroy(all);
    EXPECT_GE(creatable(ids), all.size() - wide_registry::kept_by_handle);
}

TEST(concurrent_handles, a_live_handle_that_quarantines_keeps_no_more_than_it_says) {
    wide_registry ids;
    auto keeper = ids.quarantined_local();
    std::vector<ecs::basic_id<wide>> all(test::index_max<wide>);
    keeper.create(all);
    keeper.destroy(all);
    ids.release_quarantine();
    (void)keeper.create(); // It keeps the rest of what it has drawn for that, too.
    EXPECT_GE(creatable(ids), all.size() - 1 - wide_registry::kept_by_handle - 64);
}

TEST(concurrent_handles, exhaustion_is_exact_once_other_handles_have_flushed_and_then_final) {
    tiny_registry ids;
    auto keeper = ids.local();
    (void)keeper.create();
    keeper.flush();
    EXPECT_EQ(creatable(ids), 14U);
    EXPECT_EQ(creatable(ids), 0U);
    EXPECT_FALSE(keeper.try_create().has_value());
}

TEST(concurrent_handles, a_handle_that_ends_keeps_nothing) {
    tiny_registry ids;
    for (int turn = 0; turn < 100; ++turn) {
        auto passing = ids.local();
        const auto id = passing.create();
        if (turn % 2) passing.destroy(id);
        if (turn % 20 == 19) ids.clear();
    }
    ids.clear();
    EXPECT_EQ(creatable(ids) + ids.retired_count(), 15U);
}

TEST(concurrent_handles, many_handles_one_after_the_other_do_not_spread_over_the_index_space) {
    ecs::concurrent_registry ids;
    for (int turn = 0; turn < 10'000; ++turn) {
        auto passing = ids.local();
        const auto id = passing.create();
        ASSERT_LE(id.index(), 64U);
        passing.destroy(id);
    }
}

TEST(concurrent_handles, a_moved_handle_goes_on_where_it_was) {
    ecs::concurrent_registry ids;
    auto first = ids.local();
    const auto a = first.create();
    auto second = std::move(first);
    const auto b = second.create();
    auto third = ids.local();
    third = std::move(second);
    EXPECT_EQ(third.create().index(), 3U);
    EXPECT_TRUE(third.destroy(a) && third.destroy(b));
}

TEST(concurrent_handles, what_threads_without_a_handle_keep_is_found_before_exhaustion_is_declared) {
    tiny_registry ids;
    EXPECT_TRUE(ids.destroy(ids.create()));
    EXPECT_EQ(creatable(ids), 15U);
}

TEST(concurrent_claim, a_claimed_identifier_is_live_once_and_never_again) {
    ecs::concurrent_registry ids;
    const auto far = entity(6000, 4);
    EXPECT_TRUE(ids.claim(far));
    EXPECT_TRUE(ids.alive(far) && !ids.claim(far) && !ids.claim(entity(6000, 9)));
    EXPECT_EQ(ids.create().index(), 1U) << "the walk does not move";
    EXPECT_TRUE(ids.destroy(far));
    EXPECT_FALSE(ids.claim(far)) << "used up";
    EXPECT_FALSE(ids.claim({}) || ids.claim(entity(0, 1)) || ids.claim(entity(7, 0)));
}

TEST(concurrent_claim, create_steps_over_what_was_claimed_ahead) {
    ecs::concurrent_registry ids;
    EXPECT_TRUE(ids.claim(entity(3, 1)) && ids.claim(entity(70, 2)));
    std::set<std::uint64_t> indices;
    for (int n = 0; n < 100; ++n) EXPECT_TRUE(indices.insert(ids.create().index()).second);
    EXPECT_FALSE(indices.contains(3) || indices.contains(70));
    EXPECT_EQ(ids.live_count(), 102U);
}

TEST(concurrent_claim,
     an_index_that_waits_in_a_handle_or_in_the_depot_can_be_claimed_and_is_not_issued_as_well) {
    tiny_registry ids;
    auto local = ids.local();
    std::vector<tiny_id> all(15);
    local.create(all);
    local.destroy(all); // Two wait in the handle, the others in the depot.
    for (const std::uint64_t index : {15U, 14U, 5U, 1U})
        EXPECT_TRUE(ids.claim(test::make_id<tiny>(index, 7)));
    std::set<std::uint64_t> issued;
    while (const auto id = local.try_create()) {
        EXPECT_EQ(id->generation(), 2U);
        EXPECT_TRUE(issued.insert(id->index()).second);
    }
    EXPECT_EQ(issued.size(), 11U);
    for (const std::uint64_t index : {15U, 14U, 5U, 1U}) {
        EXPECT_FALSE(issued.contains(index));
        EXPECT_TRUE(local.destroy(test::make_id<tiny>(index, 7)));
    }
    while (const auto id = local.try_create()) EXPECT_EQ(id->generation(), 8U);
    EXPECT_EQ(ids.live_count(), 15U);
}

TEST(concurrent_claim, a_claimed_index_that_was_destroyed_is_issued_once) {
    tiny_registry ids;
    EXPECT_TRUE(ids.claim(test::make_id<tiny>(9, 3)));
    EXPECT_TRUE(ids.destroy(test::make_id<tiny>(9, 3)));
    EXPECT_EQ(creatable(ids), 15U);
    EXPECT_EQ(ids.live_at(9)->generation(), 4U);
}

TEST(concurrent_claim, an_unissued_index_that_a_handle_keeps_can_be_claimed) {
    ecs::concurrent_registry ids;
    auto local = ids.local();
    (void)local.create();
    EXPECT_TRUE(ids.claim(entity(2, 5)));
    EXPECT_EQ(local.create().index(), 3U);
}

TEST(concurrent_claim, clear_forgets_claims) {
    tiny_registry ids;
    EXPECT_TRUE(ids.claim(test::make_id<tiny>(9, 3)));
    ids.clear();
    EXPECT_FALSE(ids.alive(test::make_id<tiny>(9, 3)));
    EXPECT_EQ(creatable(ids), 15U);
    EXPECT_EQ(ids.live_at(9)->generation(), 4U);
}

TEST(concurrent_quarantine, an_index_waits_for_its_release) {
    tiny_registry ids;
    auto strict = ids.quarantined_local();
    std::vector<tiny_id> all(15);
    strict.create(all);
    EXPECT_EQ(strict.destroy(all), 15U);
    EXPECT_FALSE(ids.alive(all[0]));
    EXPECT_FALSE(strict.try_create().has_value());
    ids.release_quarantine();
    EXPECT_TRUE(strict.try_create().has_value()) << "all but what the handle itself had not handed over";
    strict.flush();
    ids.release_quarantine();
    EXPECT_EQ(creatable(ids), 14U);
}

TEST(concurrent_quarantine, holds_for_an_identifier_of_another_partition) {
    using map = ecs::partitions<tiny, ecs::partition<"a", 1, 5>, ecs::partition<"b", 6, 15>>;
    ecs::basic_concurrent_registry<tiny, map> ids;
    const auto other = ids.create<"b">();
    {
        auto strict = ids.quarantined_local<"a">();
        EXPECT_TRUE(strict.destroy(other));
        EXPECT_EQ(ids.live_count<"b">(), 0U);
    }
    for (int n = 0; n < 9; ++n) EXPECT_NE(ids.create<"b">().index(), other.index());
    EXPECT_FALSE(ids.try_create<"b">().has_value());
    ids.release_quarantine();
    EXPECT_EQ(ids.create<"b">().index(), other.index());
}

TEST(concurrent_quarantine, a_quarantined_index_cannot_be_claimed) {
    tiny_registry ids;
    auto strict = ids.quarantined_local();
    const auto first = strict.create(), second = strict.create();
    EXPECT_TRUE(strict.destroy(first) && strict.destroy(second));
    EXPECT_FALSE(ids.claim(test::make_id<tiny>(1, 5)) || ids.claim(test::make_id<tiny>(2, 5)));
    strict.flush();
    EXPECT_FALSE(ids.claim(test::make_id<tiny>(1, 5)) || ids.claim(test::make_id<tiny>(2, 5)));
    ids.release_quarantine();
    EXPECT_TRUE(ids.claim(test::make_id<tiny>(1, 5)) && ids.claim(test::make_id<tiny>(2, 5)));
}

// Nodes of one identifier were never put together, and at their limit everything was given up.
TEST(concurrent_policy, one_handle_for_each_pair_under_a_long_quarantine_loses_nothing) {
    using layout =
        ecs::layout<std::uint64_t, ecs::index<"index", 19, 0>, ecs::generation<"generation", 51, 20>>;
    ecs::basic_concurrent_registry<layout, ecs::whole_index_space<layout>, ecs::quarantine<100'000>> ids;
    for (int pair = 0; pair < 300'000; ++pair) {
        auto passing = ids.local();
        const auto made = passing.create();
        ASSERT_LE(made.index(), 101'000U);
        ASSERT_TRUE(passing.destroy(made));
    }
    EXPECT_EQ(ids.retired_count(), 0U);
    const auto counts = ids.counts();
    EXPECT_EQ(counts.remaining, (1U << 20) - 1 - 100'000U);
}

TEST(concurrent_policy, quarantine_goes_on_after_claims_of_what_waits) {
    tiny_registry_under<ecs::quarantine<4>> ids;
    auto local = ids.local();
    std::vector<tiny_id> all(15);
    local.create(all);
    local.destroy(all);
    local.flush();
    for (const std::uint64_t index : {1U, 5U, 9U, 12U}) EXPECT_TRUE(ids.claim(test::make_id<tiny>(index, 7)));
    EXPECT_EQ(creatable(ids), 15U - 4 - 4) << "four are live, and four wait";
    std::vector<tiny_id> live = ids.live();
    for (int turn = 0; turn < 20; ++turn) {
        const auto ended = live[static_cast<std::size_t>(turn) % live.size()];
        EXPECT_TRUE(local.destroy(ended));
        const auto made = local.create();
        EXPECT_NE(made.index(), ended.index()) << "others have waited for longer";
        live[static_cast<std::size_t>(turn) % live.size()] = made;
    }
}

TEST(concurrent_policy, wrap_issues_what_was_claimed_once) {
    tiny_registry_under<ecs::wrap> ids;
    auto local = ids.local();
    std::vector<tiny_id> all(15);
    local.create(all);
    local.destroy(all);
    local.flush();
    EXPECT_TRUE(ids.claim(test::make_id<tiny>(3, 15)));
    EXPECT_TRUE(local.destroy(test::make_id<tiny>(3, 15))); // It waits under generation 1, as if never used.
    const auto again = local.create();
    EXPECT_EQ(again, test::make_id<tiny>(3, 1));
    EXPECT_TRUE(
        local.destroy(again)); // The handle keeps it under generation 2, as a node did before the claim.
    std::set<std::uint64_t> issued;
    auto other = ids.local();
    while (const auto id = other.try_create()) EXPECT_TRUE(issued.insert(id->index()).second);
    while (const auto id = local.try_create()) EXPECT_TRUE(issued.insert(id->index()).second) << id->index();
    EXPECT_EQ(issued.size(), 15U);
    EXPECT_EQ(ids.live_count(), 15U);
}

// A client that claims what a server sent, and ends it again, never creates: what waits must not fill up.
TEST(concurrent_claim, can_be_repeated_for_ever_without_creating) {
    tiny_registry ids;
    for (std::uint64_t generation = 1; generation <= 15; ++generation)
        for (std::uint64_t index = 1; index <= 15; ++index) {
            ASSERT_TRUE(ids.claim(test::make_id<tiny>(index, generation)));
            ASSERT_TRUE(ids.destroy(test::make_id<tiny>(index, generation)));
        }
    EXPECT_EQ(ids.retired_count(), 15U);
    ecs::concurrent_registry many;
    auto local = many.local();
    for (std::uint64_t turn = 1; turn <= 20; ++turn)
        for (std::uint64_t index = 1; index <= 5000; ++index) {
            ASSERT_TRUE(many.claim(entity(index, turn)));
            ASSERT_TRUE(local.destroy(entity(index, turn)));
        }
    local.flush();
    std::set<std::uint64_t> issued;
    for (int n = 0; n < 5000; ++n) EXPECT_TRUE(issued.insert(local.create().index()).second);
    EXPECT_EQ(*issued.rbegin(), 5000U);
}

TEST(concurrent_claim, of_an_outdated_index_does_not_bring_clear_out_of_step) {
    tiny_registry ids;
    std::vector<tiny_id> all(15);
    ids.create(all);
    ids.destroy(all);
    EXPECT_TRUE(ids.claim(test::make_id<tiny>(4, 9)));
    ids.clear();
    EXPECT_EQ(ids.counts().live, 0U);
    EXPECT_EQ(ids.counts().retired, 0U);
    EXPECT_EQ(creatable(ids), 15U);
}

TEST(concurrent_policy, quarantine_uses_an_index_again_only_while_enough_others_wait_and_the_oldest_first) {
    tiny_registry_under<ecs::quarantine<4>> ids;
    auto local = ids.local();
    std::vector<std::uint64_t> order;
    for (int n = 0; n < 16; ++n) {
        const auto id = local.create();
        order.push_back(id.index());
        local.destroy(id);
    }
    for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(order[n], n + 1) << "new ones until more than four wait";
    for (std::size_t n = 5; n < order.size(); ++n)
        for (std::size_t before = n - 4; before < n; ++before) EXPECT_NE(order[n], order[before]);
}

TEST(concurrent_policy, quarantine_keeps_its_minimum_even_when_nothing_else_is_left) {
    tiny_registry_under<ecs::quarantine<4>> ids;
    auto local = ids.local();
    std::vector<tiny_id> all(15);
    local.create(all);
    for (int n = 0; n < 4; ++n) local.destroy(all[static_cast<std::size_t>(n)]);
    EXPECT_FALSE(local.try_create().has_value());
    local.destroy(all[4]);
    EXPECT_EQ(local.create().index(), 1U);
    EXPECT_FALSE(local.try_create().has_value());
}

TEST(concurrent_policy, quarantine_keeps_its_minimum_however_many_handles_came_and_went) {
    using layout = test::layouts::tagged; // A handle keeps more than one identifier, and leaves loose ones.
    ecs::basic_concurrent_registry<layout, ecs::whole_index_space<layout>, ecs::quarantine<8>> ids;
    for (int turn = 0; turn < 20; ++turn) {
        auto passing = ids.local();
        passing.destroy(passing.create());
    }
    std::uint64_t live = 0;
    for (auto local = ids.local(); local.try_create();) ++live;
    EXPECT_LE(live, test::index_max<layout> - 8);
}

TEST(concurrent_policy, wrap_starts_again) {
    tiny_registry_under<ecs::wrap> ids;
    auto local = ids.local();
    for (int turn = 0; turn < 2; ++turn)
        for (std::uint64_t g = 1; g <= 15; ++g) {
            const auto id = local.create();
            EXPECT_EQ(id, test::make_id<tiny>(1, g));
            local.destroy(id);
        }
    EXPECT_EQ(ids.retired_count(), 0U);
}

TEST(concurrent_policy_death, trap_ends_the_program) {
    tiny_registry_under<ecs::trap> ids;
    EXPECT_DEATH(
        {
            for (int n = 0; n < 16; ++n) ids.destroy(ids.create());
        },
        "the generations of index 1 are spent");
}

TEST(concurrent_payload, lies_beside_its_word_and_stays_there) {
    struct place {
        std::uint32_t table, row;
    };
    using registry =
        ecs::basic_concurrent_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>,
                                       ecs::retire, place>;
    registry ids;
    const auto first = ids.create();
    EXPECT_EQ(ids.payload_of(first).table, 0U) << "zeroed";
    place* const where = &ids.payload(first.index());
    *where = {7, 9};
    for (int n = 0; n < 200'000; ++n) (void)ids.create();
    EXPECT_EQ(ids.find_payload(first), where);
    EXPECT_EQ(where->row, 9U);
    ids.destroy(first);
    EXPECT_EQ(ids.find_payload(first), nullptr);
    EXPECT_EQ(ids.payload(first.index()).table, 7U) << "until the next owner writes";
    EXPECT_EQ(reinterpret_cast<char*>(&ids.payload(2)) - reinterpret_cast<char*>(where), 16);
}

TEST(concurrent_handles, a_small_range_is_handled_in_small_batches) {
    ecs::concurrent_registry ids;
    const ecs::index_range range = ids.add_range(1001, 2000).value();
    std::vector<ecs::concurrent_registry::handle> idle;
    for (int n = 0; n < 100; ++n) {
        idle.push_back(ids.local(range));
        idle.back().destroy(idle.back().create());
    }
    std::uint64_t created = 0;
    for (auto local = ids.local(range); local.try_create();) ++created;
    EXPECT_GE(created, 1000U - 2 * 100) << "each handle keeps two at most";
}

TEST(concurrent_handles, every_handle_at_once_has_a_lane_of_its_own) {
    ecs::concurrent_registry ids;
    std::vector<ecs::concurrent_registry::handle> all;
    for (int round = 0; round < 2; ++round) {
        std::set<std::uint64_t> indices;
        for (int n = 0; n < 200; ++n) all.push_back(ids.local());
        for (auto& local : all) EXPECT_TRUE(indices.insert(local.create().index()).second);
        all.clear();
    }
    EXPECT_EQ(ids.live_count(), 400U);
}

TEST(concurrent_memory, memory_is_what_the_documentation_says) {
    EXPECT_EQ(ecs::concurrent_registry::bytes_per_slot, 8U);
    EXPECT_EQ(ecs::concurrent_registry::bytes_per_handle, 1664U);
    EXPECT_EQ(ecs::concurrent_registry::kept_by_handle, 128U);
    EXPECT_EQ(tiny_registry::bytes_per_slot, 1U);
}

TEST(concurrent_worlds, foreign_identifiers_are_refused) {
    ecs::concurrent_registry here(1), there(2);
    const auto e = here.create();
    EXPECT_EQ(e.world(), 1U);
    EXPECT_FALSE(there.alive(e));
    EXPECT_EQ(there.status(e), ecs::id_status::foreign_world);
    EXPECT_EQ(there.create().index(), e.index());
    EXPECT_FALSE(there.alive(e) || there.find_payload(e)) << "though its index and generation live there";
    EXPECT_FALSE(there.destroy(e) || there.claim(e));
    EXPECT_THROW(ecs::concurrent_registry{256}, ecs::field_range_error);
}

TEST(concurrent_status, says_why) {
    ecs::concurrent_registry ids;
    const auto e = ids.create();
    ids.destroy(e);
    EXPECT_EQ(ids.status(e), ecs::id_status::stale);
    EXPECT_EQ(ids.status(entity(1, 2)), ecs::id_status::never_issued);
    EXPECT_EQ(ids.status(std::uint64_t{0xF000'0000'0000'0001}), ecs::id_status::malformed);
    EXPECT_EQ(ids.status(ecs::basic_id<ecs::layouts::pair>::assume_word(0x2000'0000'0000'0001)),
              ecs::id_status::not_an_entity);
    EXPECT_EQ(ids.status(std::uint64_t{0x2000'0000'0000'0001}), ecs::id_status::not_an_entity);
}

} // namespace
} // namespace concurrent_handles_test
