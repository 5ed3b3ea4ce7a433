// SPDX-License-Identifier: MIT
// An example of each promise of an owned registry: payloads, handles that stay dead, claims, lanes, keys, and
// copies to go back to.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "support/short_of_addresses.hpp"

import ecs.id;
import ecs.registry;

namespace owned_registry_test {
namespace {

using ten_bits = ecs::layout<std::uint16_t, ecs::index<"index", 9, 0>, ecs::generation<"generation", 13, 10>,
                             ecs::reserved<"unused", 15, 14>>;
static_assert(ecs::lending_layout<ten_bits>);
static_assert(
    !ecs::lending_layout<ecs::layout<std::uint16_t, ecs::index<"index", 13, 4>,
                                     ecs::generation<"generation", 3, 0>, ecs::reserved<"unused", 15, 14>>>,
    "the generation lies below the index");
static_assert(!ecs::lending_layout<ecs::layout<std::uint16_t, ecs::index<"index", 9, 0>,
                                               ecs::generation<"generation", 15, 10>>>,
              "no bit is 0 in every identifier");
static_assert(!ecs::lending_layout<
                  ecs::layout<std::uint16_t, ecs::index<"index", 9, 0>, ecs::reserved<"unused", 15, 10>>>,
              "there is no generation");

static_assert(!ecs::lending_layout<
                  ecs::layout<std::uint32_t, ecs::reserved<"none", 31, 31>, ecs::generation<"use", 30, 24>,
                              ecs::fixed<"kind", 23, 20, 5>, ecs::index<"slot", 19, 0>>>,
              "what is 1 in every identifier has no place in a payload");
static_assert(!ecs::lending_layout<ecs::layouts::ecr>, "states have no room for generations of 33 bits");
static_assert(
    !ecs::lending_layout<ecs::layout<std::uint64_t, ecs::index<"index", 32, 0>,
                                     ecs::generation<"generation", 52, 33>, ecs::reserved<"unused", 63, 53>>>,
    "there is no slot for most indices of 33 bits");
static_assert(
    ecs::lending_layout<ecs::layout<std::uint64_t, ecs::index<"index", 31, 0>, ecs::reserved<"gap", 32, 32>,
                                    ecs::generation<"generation", 52, 33>, ecs::reserved<"unused", 63, 53>>>,
    "a payload may have more bits than an index");

using registry = ecs::basic_owned_registry<ten_bits>;
using id = registry::id_type;
using lane = registry::lane_type;
constexpr std::uint32_t no_key = registry::no_key;
constexpr ecs::index_space whole{1, registry::last_index};
constexpr auto all_settled = [](std::uint16_t) { return true; };

std::uint32_t index_of(id i) { return static_cast<std::uint32_t>(i.index()); }

struct owned_registry : testing::Test {
    registry ids{0};

    owned_registry() { ids.open(whole); }

    std::vector<id> create(std::size_t count) {
        std::vector<id> made(count);
        for (id& i : made) i = ids.create(0);
        return made;
    }
    id issue(lane& from, std::uint32_t key = no_key) {
        if (from.ready.count() == 0 && !ids.refill(from, key)) return {};
        return ids.issue_from(from, 0);
    }
    /// Creates all that is left, and says how many that was.
    std::size_t use_up() {
        std::size_t made = 0;
        try {
            for (;; ++made) std::ignore = ids.create(0);
        } catch (const std::length_error&) {
            return made;
        }
    }
};

// Payloads.

TEST_F(owned_registry, keeps_a_payload_for_each_identifier) {
    const id one = ids.create(7), two = ids.create(1023);
    EXPECT_EQ(registry::words::payload_of(ids.slot_of(one)), 7);
    EXPECT_EQ(registry::words::payload_of(ids.slot_of(two)), 1023);
    ids.set_payload(index_of(one), 12);
    EXPECT_EQ(registry::words::payload_of(ids.slot_of(one)), 12);
    EXPECT_TRUE(ids.alive(one));
    EXPECT_EQ(ids.at(index_of(one)), one);
}

TEST_F(owned_registry, keeps_the_bits_of_a_payload_that_it_is_told_to) {
    const id i = ids.create(0b1000'0001);
    ids.set_payload(index_of(i), 0b10, 0b1000'0000);
    EXPECT_EQ(registry::words::payload_of(ids.slot_of(i)), 0b1000'0010);
}

TEST_F(owned_registry, has_no_payload_for_the_dead) {
    const id i = ids.create(7);
    ids.destroy(i);
    EXPECT_EQ(ids.slot_of(i), 0);
    EXPECT_EQ(ids.at(index_of(i)), id{});
}

// Handles.

TEST_F(owned_registry, leaves_a_handle_dead_when_its_index_is_used_again) {
    const id first = ids.create(0);
    ids.destroy(first);
    const id second = ids.create(0);
    EXPECT_EQ(second.index(), first.index());
    EXPECT_EQ(second.generation(), first.generation() + 1);
    EXPECT_FALSE(ids.alive(first));
}

TEST_F(owned_registry, never_uses_an_index_again_that_was_retired) {
    const id gone = ids.create(0);
    ids.retire(gone);
    EXPECT_EQ(ids.status(gone), ecs::id_status::retired);
    EXPECT_EQ(use_up(), whole.last - 1);
    EXPECT_EQ(ids.at(index_of(gone)), id{});
}

TEST_F(owned_registry, retires_an_index_whose_generations_are_spent) {
    ids.open({1, 1});
    for (int generation = 1; generation <= 15; ++generation) ids.destroy(ids.create(0));
    EXPECT_THROW(std::ignore = ids.create(0), std::length_error);
    EXPECT_EQ(ids.live_count(), 0U);
}

TEST_F(owned_registry, leaves_handles_dead_when_it_is_cleared_and_opened_again) {
    const std::vector<id> before = create(40);
    ids.clear();
    EXPECT_EQ(ids.live_count(), 0U);
    ids.open({20, 100});
    const std::vector<id> after = create(81);
    for (const id i : before) EXPECT_FALSE(ids.alive(i));
    for (const id i : after) EXPECT_TRUE(ids.alive(i));
    EXPECT_EQ(after.front().index(), 20U) << "the lowest index comes first";
}

TEST_F(owned_registry, begins_with_the_first_generation_of_its_space) {
    ids.open({1, 100, 5});
    EXPECT_EQ(ids.create(0).generation(), 5U);
}

// Promises.

TEST_F(owned_registry, issues_what_it_promised) {
    const std::uint32_t index = ids.take_index();
    const id promised = ids.promise(index);
    EXPECT_FALSE(ids.alive(promised));
    EXPECT_EQ(ids.issue_at(index, 3), promised);
    EXPECT_TRUE(ids.alive(promised));
}

TEST_F(owned_registry, uses_what_is_given_back) {
    const std::uint32_t index = ids.take_index();
    ids.give_back(index);
    EXPECT_EQ(ids.create(0).index(), index);
}

TEST_F(owned_registry, promises_all_or_nothing) {
    ids.open({1, 10});
    std::vector<id> many(11);
    EXPECT_THROW(ids.promise_all(many), std::length_error);
    EXPECT_EQ(many, std::vector<id>(11)) << "names nobody who may live later";
    many.resize(10);
    ids.promise_all(many);
    ids.issue_all(many, 100);
    for (std::uint32_t n = 0; n < 10; ++n)
        EXPECT_EQ(registry::words::payload_of(ids.slot_of(many[n])), 100 + n);
    EXPECT_EQ(ids.live_count(), 10U);
}

TEST_F(owned_registry, creates_many_or_none) {
    ids.open({1, 10, 3});
    ids.destroy(ids.create(0));
    std::vector<id> many(11);
    EXPECT_THROW(ids.create_all(many, 7), std::length_error);
    EXPECT_EQ(many, std::vector<id>(11)) << "names nobody";
    EXPECT_EQ(ids.live_count(), 0U);
    for (std::uint32_t index = 1; index <= 10; ++index) EXPECT_FALSE(ids.at(index)) << index;

    many.resize(10);
    ids.create_all(many, 7);
    EXPECT_EQ(ids.live_count(), 10U);
    for (std::uint32_t n = 0; n < 10; ++n) {
        EXPECT_EQ(many[n].index(), n + 1) << "who was not created is first in line, in the same order";
        EXPECT_EQ(many[n].generation(), n == 0 ? 4U : 3U) << "who was not created has used up no generation";
        EXPECT_EQ(registry::words::payload_of(ids.slot_of(many[n])), 7U);
    }
}

TEST_F(owned_registry, says_which_space_is_used_up) {
    ids.open({1, 3});
    std::ignore = create(3);
    try {
        std::ignore = ids.create(0);
        FAIL() << "there is no fourth";
    } catch (const std::length_error& refusal) {
        EXPECT_STREQ(refusal.what(), "every index of the space, 1 to 3, is taken");
    }
    EXPECT_THROW(ids.require(1), std::length_error);
}

// Claims.

id made_of(unsigned index, unsigned generation) {
    return id::assume_word(static_cast<std::uint16_t>(generation << 10 | index));
}

TEST_F(owned_registry, takes_over_an_identifier_outside_its_space) {
    ids.open({1, 100});
    EXPECT_EQ(ids.claim(made_of(500, 3), 9), made_of(500, 3));
    EXPECT_TRUE(ids.alive(made_of(500, 3)));
    EXPECT_FALSE(ids.claim(made_of(500, 4), 9)) << "its index is in use";
    ids.destroy(made_of(500, 3));
    EXPECT_FALSE(ids.claim(made_of(500, 3), 9)) << "it ended";
    EXPECT_TRUE(ids.claim(made_of(500, 4), 9));
}

TEST_F(owned_registry, takes_back_a_claim) {
    ids.open({1, 100});
    ids.take_back_claim(ids.claim(made_of(500, 3), 9));
    EXPECT_FALSE(ids.alive(made_of(500, 3)));
    EXPECT_TRUE(ids.claim(made_of(500, 3), 9));
}

TEST_F(owned_registry, creates_at_an_index_outside_its_space) {
    ids.open({100, 200});
    const id first = ids.create_at(5, 1);
    EXPECT_EQ(first, made_of(5, 1));
    EXPECT_FALSE(ids.create_at(5, 1));
    ids.destroy(first);
    EXPECT_EQ(ids.create_at(5, 1), made_of(5, 2));
}

TEST_F(owned_registry, has_no_identifier_of_index_0) {
    ids.open({100, 200});
    EXPECT_FALSE(ids.claim(made_of(0, 1), 9));
    EXPECT_FALSE(ids.create_at(0, 9));
    EXPECT_EQ(ids.live_count(), 0U);
    EXPECT_FALSE(ids.alive(made_of(0, 1)));
}

// Questions.

TEST_F(owned_registry, says_what_became_of_an_identifier) {
    const id stale = ids.create(0);
    ids.destroy(stale);
    const id live = ids.create(0), gone = ids.create(0);
    ids.retire(gone);
    EXPECT_EQ(ids.status(live), ecs::id_status::live);
    EXPECT_EQ(ids.status(stale), ecs::id_status::stale);
    EXPECT_EQ(ids.status(gone), ecs::id_status::retired);
    EXPECT_EQ(ids.status(id{}), ecs::id_status::null);
    EXPECT_EQ(ids.status(made_of(900, 1)), ecs::id_status::never_issued);
    EXPECT_EQ(ids.status(made_of(5, 0)), ecs::id_status::malformed);
    EXPECT_EQ(ids.status(made_of(0, 1)), ecs::id_status::malformed);
    EXPECT_EQ(ids.status(id::assume_word(static_cast<std::uint16_t>(live.value() | 1 << 15))),
              ecs::id_status::malformed);
}

/// Behind the slots lie other things of the registry, and behind these nothing.
TEST(owned_registry_of_few_indices, has_no_slot_of_a_number_that_is_no_index) {
    for (const bool in_pages : {false, true}) {
        registry ids(0, in_pages);
        ids.open(whole);
        std::ignore = ids.create(0);
        registry::near_slots near(ids);
        for (const std::uint32_t number : {1024U, 1088U, 5000U, 0x4000'0000U, 0xFFFF'FFFFU}) {
            EXPECT_EQ(near.slot_at(number), 0) << number;
            EXPECT_EQ(ids.slot_at(number), 0) << number;
        }
    }
}

TEST_F(owned_registry, tells_an_unused_index_from_a_retired_one_beside_it) {
    const std::uint32_t unused = ids.take_index(), gone = ids.take_index();
    ids.retire(ids.issue_at(gone, 0));
    ids.give_back(unused);
    std::vector<ecs::index_state> states(std::size_t{registry::last_index} + registry::page_size);
    ids.for_each_state(0, all_settled, [&](std::uint32_t first, std::uint32_t count, ecs::index_state state) {
        std::ranges::fill(std::span(states).subspan(first, count), state);
    });
    EXPECT_TRUE(states[unused].is_unused());
    EXPECT_EQ(states[gone], ecs::index_state{});
}

TEST(owned_registry_of_entities, tells_worlds_and_kinds_apart) {
    ecs::basic_owned_registry<ecs::layouts::entity> ids(3);
    ids.open({512, 100'000});
    const ecs::entity mine = ids.create(0);
    const auto other_world = ecs::entity::assume_word(mine.value() ^ std::uint64_t{1} << 52);
    const auto other_kind = ecs::entity::assume_word(mine.value() ^ std::uint64_t{3} << 60);
    EXPECT_EQ(mine.world(), 3U);
    EXPECT_EQ(ids.status(other_world), ecs::id_status::foreign_world);
    EXPECT_EQ(ids.status(other_kind), ecs::id_status::not_an_entity);
    EXPECT_FALSE(ids.alive(other_world));
    EXPECT_FALSE(ids.alive(other_kind));
}

// Lanes.

TEST_F(owned_registry, issues_through_lanes) {
    lane& mine = ids.enter_lane();
    const id made = issue(mine);
    EXPECT_TRUE(ids.alive(made));
    ids.count_issued(1);
    EXPECT_EQ(ids.live_count(), 1U);
    ids.leave_lane(mine, no_key);
}

TEST_F(owned_registry, loses_nothing_through_lanes) {
    std::vector<id> made = create(whole.last);
    for (const id i : made) ids.destroy(i);
    ids.share();
    lane &one = ids.enter_lane(), &two = ids.enter_lane();
    for (int n = 0; n < 100; ++n) EXPECT_TRUE(issue(one));
    EXPECT_TRUE(ids.refill(two, no_key));
    ids.leave_lane(one, no_key);
    ids.leave_lane(two, no_key);
    EXPECT_EQ(use_up(), whole.last - 100);
}

TEST_F(owned_registry, gives_others_all_that_is_free_when_nothing_else_is_left) {
    const std::vector<id> made = create(whole.last);
    lane& mine = ids.enter_lane();
    EXPECT_FALSE(ids.refill(mine, no_key));
    for (const id i : std::span(made).first(50)) ids.destroy(i);
    ids.share();
    for (int n = 0; n < 50; ++n) EXPECT_TRUE(issue(mine));
    EXPECT_FALSE(issue(mine));
}

TEST_F(owned_registry, puts_back_what_a_lane_has_not_used) {
    ids.open({1, 10});
    lane& mine = ids.enter_lane();
    ASSERT_TRUE(ids.refill(mine, no_key));
    const auto taken = id::assume_word(mine.take(mine.ready.count()));
    ids.put_back(mine, taken);
    EXPECT_EQ(issue(mine), taken);
    ids.leave_lane(mine, no_key);
    EXPECT_EQ(use_up(), 9U);
}

TEST(owned_registry_of_entities, issues_to_many_threads_while_the_owner_creates_and_ends) {
    constexpr std::size_t threads = 4, each = 100'000;
    ecs::basic_owned_registry<ecs::layouts::entity> ids(1);
    ids.open({1, 10'000'000});
    std::vector<std::vector<ecs::entity>> made(threads + 1);
    const auto issue = [&](std::vector<ecs::entity>& into) {
        auto& mine = ids.enter_lane();
        while (into.size() < each) {
            if (mine.ready.count() == 0) ASSERT_TRUE(ids.refill(mine, ids.no_key));
            into.push_back(ids.issue_from(mine, 0));
        }
        ids.leave_lane(mine, ids.no_key);
    };
    {
        std::vector<std::jthread> running;
        for (std::size_t n = 0; n < threads; ++n) running.emplace_back([&, n] { issue(made[n]); });
        for (std::size_t n = 0; n < each; ++n) {
            ids.destroy(ids.create(0));
            made[threads].push_back(ids.create(0));
        }
    }
    std::set<ecs::entity> all;
    for (const auto& list : made)
        for (const ecs::entity e : list) EXPECT_TRUE(ids.alive(e) && all.insert(e).second);
    EXPECT_EQ(all.size(), (threads + 1) * each);
}

// Keys.

std::vector<id> issue_with_key(registry& from, std::uint32_t key, std::size_t count) {
    lane& mine = from.enter_lane();
    std::vector<id> made;
    while (made.size() < count) {
        if (mine.ready.count() == 0 && !from.refill(mine, key)) break;
        made.push_back(from.issue_from(mine, 0));
    }
    from.leave_lane(mine, key);
    return made;
}

TEST_F(owned_registry, gives_a_key_the_same_whatever_others_do) {
    registry busy(0);
    busy.open(whole);
    for (registry* r : {&ids, &busy}) r->make_keys(3);
    std::vector<id> alone, beside;
    for (int turn = 0; turn < 4; ++turn) {
        std::ranges::copy(issue_with_key(ids, 1, 20), std::back_inserter(alone));
        for (int n = 0; n < 30; ++n) std::ignore = busy.create(0);
        issue_with_key(busy, no_key, 25);
        issue_with_key(busy, 0, 40);
        std::ranges::copy(issue_with_key(busy, 1, 20), std::back_inserter(beside));
        issue_with_key(busy, 2, 10);
    }
    EXPECT_EQ(alone, beside);
}

TEST_F(owned_registry, deals_a_key_as_many_as_it_used) {
    ids.make_keys(1);
    issue_with_key(ids, 0, registry::page_size + 8);
    const std::vector<id> owned = create(registry::page_size);
    for (const id i : owned) ids.destroy(i);
    ids.deal();
    std::set<std::uint32_t> freed;
    for (const id i : owned) freed.insert(index_of(i));
    // The rest of the key's page and what was dealt are as many as it used.
    const std::vector<id> made = issue_with_key(ids, 0, registry::page_size + 8);
    EXPECT_EQ(std::ranges::count_if(made, [&](id i) { return freed.contains(index_of(i)); }), 16);
}

TEST_F(owned_registry, refuses_more_keys_than_there_are_pages) {
    EXPECT_THROW(ids.make_keys(registry::last_index), std::length_error);
    EXPECT_EQ(ids.keys(), 0U);
}

/// Acts, once, while memory for a page is on its way.
struct meddled_with : test::short_of_addresses<ecs::std_atomics> {
    inline static std::function<void()> meanwhile;

    template <class T> static T* allocate(std::size_t count) {
        if (meanwhile) std::exchange(meanwhile, {})();
        return test::short_of_addresses<ecs::std_atomics>::allocate<T>(count);
    }
};

struct batches_of_four : ecs::owned_geometry<ten_bits> {
    static constexpr std::uint32_t magazine = 4;
    static constexpr unsigned page_bits = 4;
    static constexpr unsigned chunk_bits = page_bits;
    static constexpr std::uint64_t share = 1;
};

/// What a lane has goes to those without a key then: there is room for it, however often that happens.
TEST(owned_registry_whose_key_is_busy, takes_back_what_a_lane_has) {
    ecs::basic_owned_registry<ten_bits, meddled_with, batches_of_four> ids(0);
    ids.open(whole);
    ids.make_keys(1);
    auto* waiting = &ids.enter_lane();
    auto& busy = ids.enter_lane();
    std::size_t issued = 0, left = 0;
    for (int page = 0; page < 24; ++page) {
        meddled_with::meanwhile = [&] {
            left += waiting->ready.count();
            ids.leave_lane(*std::exchange(waiting, &ids.enter_lane()), 0);
        };
        ASSERT_TRUE(ids.refill(busy, 0)) << "a page of the key's";
        for (; busy.ready.count() != 0; ++issued) ids.issue_from(busy, 0);
        ASSERT_TRUE(ids.refill(*waiting, 0)) << "the rest of that page";
    }
    EXPECT_EQ(left, issued - 8);
}

/// Creates so many, and ends them but for every so-manyth: at once in one registry, one after the other in a
/// second one. The same indices come next in both, in the same order.
template <class Registry> void end_many(std::size_t count, std::size_t left_out) {
    Registry one(0), other(0);
    one.open({1, Registry::last_index}), other.open({1, Registry::last_index});
    std::vector<typename Registry::id_type> ended;
    for (std::size_t i = 0; i < count; ++i) {
        const auto made = one.create(1);
        ASSERT_EQ(other.create(1), made);
        if (left_out == 0 || i % left_out != 0) ended.push_back(made);
    }
    one.destroy_all(ended);
    for (const auto i : ended) other.destroy(i);
    EXPECT_EQ(one.live_count(), other.live_count());
    for (const auto i : ended) EXPECT_FALSE(one.alive(i));
    for (std::size_t i = 0; i < ended.size() + 3; ++i) ASSERT_EQ(one.create(0), other.create(0)) << i;
}

TEST(owned_registry_at_once, ends_many_as_one_after_the_other) {
    using of_entities = ecs::basic_owned_registry<ecs::layouts::entity>;
    for (const std::size_t count : {1U, 7U, 8U, 9U, 31U, 300U})
        for (const std::size_t left_out : {0U, 2U, 20U}) {
            SCOPED_TRACE(testing::Message() << count << " but for every " << left_out);
            end_many<registry>(count, left_out);
            end_many<of_entities>(count + 5000, left_out);
        }
}

/// The last generations of all of them: none is used again.
TEST_F(owned_registry, retires_many_at_once) {
    std::vector<id> all = create(20);
    for (const id i : std::vector(all)) EXPECT_EQ(i.generation(), 1U);
    while (all.front().generation() != 15) {
        ids.destroy_all(all);
        all = create(20);
        std::ranges::sort(all, {}, index_of);
    }
    ids.destroy_all(all);
    for (const id i : all) EXPECT_EQ(ids.status(i), ecs::id_status::retired);
    EXPECT_EQ(index_of(ids.create(0)), 21U);
}

// Copies.

TEST_F(owned_registry, goes_back_to_a_copy) {
    const id stays = ids.create(4), goes = ids.create(5);
    registry copy(0, true);
    copy.mirror(ids, all_settled);
    EXPECT_EQ(copy.live_count(), 2U);
    ids.destroy(goes);
    const id later = ids.create(6);
    ids.return_to(copy, ids.plan_return(copy, ecs::generations_after_return::later, all_settled),
                  all_settled);
    EXPECT_TRUE(ids.alive(stays) && ids.alive(goes));
    EXPECT_FALSE(ids.alive(later));
    EXPECT_EQ(registry::words::payload_of(ids.slot_of(goes)), 5);
    EXPECT_EQ(ids.live_count(), 2U);
}

TEST(owned_registry_of_entities, keeps_a_copy_of_indices_that_lie_far_apart) {
    using registry_of_entities = ecs::basic_owned_registry<ecs::layouts::entity>;
    registry_of_entities ids(3);
    ids.open({512, 100'000});
    std::vector<ecs::entity> all{ids.create(0)};
    for (const std::uint32_t index :
         {5U, 200'000U, 0x100'0000U, registry_of_entities::last_index, 0xFFFF'FFF8U})
        all.push_back(ids.create_at(index, 7));
    registry_of_entities copy(3, true);
    const auto settled = [](std::uint64_t) { return true; };
    copy.mirror(ids, settled);
    const auto lives = [](const registry_of_entities& in) {
        return [&in](ecs::entity e) { return in.alive(e); };
    };
    EXPECT_TRUE(std::ranges::all_of(all, lives(copy)));
    for (const ecs::entity e : all) ids.destroy(e);
    ids.return_to(copy, ids.plan_return(copy, ecs::generations_after_return::same, settled), settled);
    EXPECT_TRUE(std::ranges::all_of(all, lives(ids)));
    EXPECT_EQ(ids.live_count(), all.size());
}

id reissued_after_return(registry& ids, ecs::generations_after_return generations, id& dead) {
    const id first = ids.create(0);
    registry copy(0, true);
    copy.mirror(ids, all_settled);
    ids.destroy(first);
    dead = ids.create(0);
    ids.return_to(copy, ids.plan_return(copy, generations, all_settled), all_settled);
    ids.destroy(first);
    return ids.create(0);
}

TEST_F(owned_registry, brings_no_handle_back_to_life_that_it_gave_out_before_it_went_back) {
    id dead;
    const id now = reissued_after_return(ids, ecs::generations_after_return::later, dead);
    EXPECT_EQ(now.index(), dead.index());
    EXPECT_GT(now.generation(), dead.generation());
    EXPECT_FALSE(ids.alive(dead));
}

TEST_F(owned_registry, issues_the_same_again_when_it_is_told_to) {
    id dead;
    EXPECT_EQ(reissued_after_return(ids, ecs::generations_after_return::same, dead), dead);
}

TEST_F(owned_registry, hands_out_the_same_indices_after_it_went_back) {
    for (const id i : create(10)) ids.destroy(i);
    ids.share();
    ids.make_keys(2);
    registry copy(0, true);
    copy.mirror(ids, all_settled);
    const auto go_on = [&] {
        std::vector<id> made = create(40);
        std::ranges::copy(issue_with_key(ids, no_key, 40), std::back_inserter(made));
        std::ranges::copy(issue_with_key(ids, 1, 40), std::back_inserter(made));
        return made;
    };
    const std::vector<id> first = go_on();
    ids.return_to(copy, ids.plan_return(copy, ecs::generations_after_return::same, all_settled), all_settled);
    EXPECT_EQ(go_on(), first);
}

TEST(owned_registry_of_a_world, has_a_number_that_the_layout_can_tell) {
    EXPECT_THROW(registry(1), ecs::field_range_error) << "the layout has no field for it";
    using of_worlds = ecs::basic_owned_registry<ecs::layouts::entity>;
    EXPECT_THROW(of_worlds(256), ecs::field_range_error);
    of_worlds last(255);
    last.open({1, 1000});
    EXPECT_EQ(last.create(0).world(), 255U);
}

} // namespace
} // namespace owned_registry_test
