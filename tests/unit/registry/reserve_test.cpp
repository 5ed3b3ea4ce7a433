// SPDX-License-Identifier: MIT
// What was reserved asks for no memory: the registries run with an operator new that counts, and the
// concurrent one with atomics whose pages are counted. What needs memory and gets none changes nothing.
#include "support/replaced_new.hpp"
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <new>
#include <set>
#include <tuple>
#include <vector>

import ecs.id;
import ecs.registry;

namespace {

std::atomic<std::size_t> allocations{0};
std::atomic<bool> memory_is_out{false};
std::atomic<int> fuse{-1}; ///< How many more allocations succeed; below 0: all.

} // namespace

void before_allocation() {
    if (memory_is_out || fuse == 0) throw std::bad_alloc();
    if (fuse > 0) --fuse;
    allocations.fetch_add(1, std::memory_order_relaxed); // Relaxed: a number.
}

namespace {

struct counting_atomics : ecs::std_atomics {
    template <class T> static T* allocate(std::size_t elements) {
        allocations.fetch_add(1, std::memory_order_relaxed); // Relaxed: a number.
        return ecs::std_atomics::allocate<T>(elements);
    }
};
using concurrent_registry =
    ecs::basic_concurrent_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>,
                                   ecs::retire, ecs::no_payload, counting_atomics>;

constexpr std::size_t count = 20'000;

/// How often memory is asked for while all are created, destroyed out of order, and created again.
template <class Creator> std::size_t allocations_of_two_rounds(Creator& creator) {
    std::vector<ecs::entity> ids(count);
    const std::size_t before = allocations.load();
    for (int round = 0; round < 2; ++round) {
        for (ecs::entity& id : ids) id = creator.create();
        for (std::size_t i = 0; i < count; ++i) creator.destroy(ids[i * 7919 % count]);
    }
    return allocations.load() - before;
}

TEST(reserve, registry_asks_for_no_memory_up_to_what_was_reserved) {
    ecs::registry ids;
    ids.reserve(count);
    EXPECT_EQ(allocations_of_two_rounds(ids), 0U);
}

TEST(reserve, registry_under_quarantine_asks_for_no_memory_while_most_wait) {
    using space = ecs::whole_index_space<ecs::layouts::entity>;
    ecs::basic_registry<ecs::layouts::entity, space, ecs::quarantine<10>> ids;
    ids.reserve(count);
    std::vector<ecs::entity> all(count);
    ids.create(all);
    ids.destroy(all);
    const std::size_t before = allocations.load();
    for (std::size_t i = 0; i < 3 * count; ++i) ids.destroy(ids.create());
    EXPECT_EQ(allocations.load(), before);
}

TEST(reserve, concurrent_registry_asks_for_no_memory_up_to_what_was_reserved) {
    concurrent_registry ids;
    ids.reserve(count);
    EXPECT_EQ(allocations_of_two_rounds(ids), 0U) << "without a handle";
    auto local = ids.local();
    EXPECT_EQ(allocations_of_two_rounds(local), 0U) << "through a handle";
}

TEST(reserve, of_more_than_there_is_reserves_all_of_it) {
    using layout =
        ecs::layout<std::uint64_t, ecs::index<"index", 17, 0>, ecs::generation<"generation", 51, 20>>;
    ecs::basic_concurrent_registry<layout, ecs::whole_index_space<layout>, ecs::retire, ecs::no_payload,
                                   counting_atomics>
        ids;
    std::vector<ecs::basic_id<layout>> some(200), many(200'000);
    ids.create(some);
    ids.reserve(~std::uint64_t{0} - 100); // With what was created, more than a number can say.
    const std::size_t before = allocations.load();
    ids.create(many);
    EXPECT_EQ(allocations.load(), before);
}

TEST(reserve, without_it_memory_is_asked_for) {
    concurrent_registry ids;
    EXPECT_GT(allocations_of_two_rounds(ids), 0U);
}

// Free indices that have to wait are no help.
TEST(without_memory, creating_many_under_quarantine_creates_none) {
    using space = ecs::whole_index_space<ecs::layouts::entity>;
    ecs::basic_registry<ecs::layouts::entity, space, ecs::quarantine<100>> ids;
    std::vector<ecs::entity> many(120);
    ids.create(many);
    ids.destroy(many);
    const ecs::index_counts before = ids.counts();
    many.resize(60);
    bool refused = false;
    memory_is_out = true;
    try {
        ids.create(many);
    } catch (const std::bad_alloc&) {
        refused = true;
    }
    memory_is_out = false;
    EXPECT_TRUE(refused);
    EXPECT_EQ(ids.counts(), before);
}

TEST(without_memory, a_registry_is_not_copied_over_another) {
    ecs::registry from, to;
    std::vector<ecs::entity> many(100), kept(3);
    from.create(many);
    to.create(kept);
    bool refused = false;
    memory_is_out = true;
    try {
        to = from;
    } catch (const std::bad_alloc&) {
        refused = true;
    }
    memory_is_out = false;
    EXPECT_TRUE(refused);
    EXPECT_EQ(to.counts().live, kept.size());
    EXPECT_TRUE(to.alive(kept.back()));
    to = from;
    EXPECT_TRUE(to.alive(many.back()));
}

struct failing_atomics : ecs::std_atomics {
    template <class T> static T* allocate(std::size_t elements) {
        before_allocation();
        return ecs::std_atomics::allocate<T>(elements);
    }
};
using owned_registry = ecs::basic_owned_registry<ecs::layouts::entity, failing_atomics>;
constexpr auto all_settled = [](std::uint64_t) { return true; };

bool can_plan_return(owned_registry& ids, const owned_registry& copy) {
    try {
        std::ignore = ids.plan_return(copy, ecs::generations_after_return::same, all_settled);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

/// Creates that many, and ends them again; returns how many indices they had.
std::size_t indices_of_new(owned_registry& ids, std::size_t wanted) {
    std::vector<ecs::entity> made(wanted);
    for (ecs::entity& id : made) id = ids.create(0);
    std::set<std::uint64_t> indices;
    for (const ecs::entity id : made) indices.insert(id.index());
    for (const ecs::entity id : made) ids.destroy(id);
    return indices.size();
}

// What other threads have lies on both sides of a border between two chunks of the depot, of 65,536 indices
// each.
TEST(without_memory, a_way_back_that_cannot_be_planned_leaves_each_index_in_one_place) {
    owned_registry ids(0);
    ids.open({1, 200'000});
    for (int i = 0; i < 70'000; ++i) std::ignore = ids.create(0);
    for (std::uint32_t index = 65'400; index < 65'700; ++index) ids.destroy(ids.at(index));
    ids.share();
    owned_registry copy(0, true);
    copy.mirror(ids, all_settled);
    bool is_planned = false;
    for (int allowed = 0; !is_planned; ++allowed) {
        fuse = allowed;
        is_planned = can_plan_return(ids, copy);
        fuse = -1;
        ASSERT_EQ(indices_of_new(ids, 400), 400U) << "after " << allowed << " allocations";
        ids.share();
    }
}

TEST(reserve, registry_reaches_what_lies_behind_a_range) {
    ecs::registry ids;
    ASSERT_TRUE(ids.add_range(100, 199));
    ids.reserve(count);
    EXPECT_EQ(allocations_of_two_rounds(ids), 0U);
}

TEST(reserve, concurrent_registry_reaches_what_lies_behind_ranges) {
    concurrent_registry ids;
    ASSERT_TRUE(ids.add_range(1, 1'000'000));
    ASSERT_TRUE(ids.add_range(1'000'001, 3'000'000));
    ASSERT_TRUE(ids.add_range(3'000'100, 4'000'000));
    ids.reserve(count);
    EXPECT_EQ(allocations_of_two_rounds(ids), 0U);
}

// What was claimed far ahead costs what create comes past no memory.
TEST(reserve, registry_keeps_what_was_reserved_beside_what_is_claimed_far_ahead) {
    ecs::registry ids;
    ids.reserve(count + 1);
    const ecs::entity near = ids.create();
    for (unsigned i = 0; i < 100; ++i) ASSERT_TRUE(ids.claim(near.with<"index">(1'000'000'000 + i * 10)));
    EXPECT_EQ(allocations_of_two_rounds(ids), 0U);
}

TEST(reserve, clear_without_memory_clears_no_part) {
    using map =
        ecs::partitions<ecs::layouts::entity, ecs::partition<"low", 1, 99>, ecs::partition<"", 100, 9999>>;
    ecs::basic_registry<ecs::layouts::entity, map> ids;
    std::vector<ecs::entity> all;
    for (int i = 0; i < 10; ++i) {
        all.push_back(ids.create<"low">());
        all.push_back(ids.create());
    }
    ASSERT_TRUE(ids.claim(ecs::entity::assume_word(all.back().value() + 5000)));
    for (int allowed = 0;; ++allowed) {
        fuse = allowed;
        bool is_short = false;
        try {
            ids.clear();
        } catch (const std::bad_alloc&) {
            is_short = true;
        }
        fuse = -1;
        if (!is_short) break;
        ASSERT_EQ(ids.live_count(), all.size() + 1) << allowed;
    }
    EXPECT_EQ(ids.live_count(), 0U);
    for (const ecs::entity id : all) EXPECT_FALSE(ids.alive(id));
}

} // namespace
