// SPDX-License-Identifier: MIT
// What an operation costs in accesses to shared memory, counted; and that nobody waits for a thread that
// stopped, wherever it stopped. The atomics are those of production, watched.
#include "support/short_of_addresses.hpp"
#include "support/watched_atomics.hpp"
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace concurrent_progress_test {
namespace {

using test::mine;
using test::watch;

struct watched_atomics : test::watched<ecs::std_atomics> {
    static std::size_t thread_hint() noexcept { return 0; } // All meet in the same shared lane.
};

template <class Atomics>
using watched_registry =
    ecs::basic_concurrent_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>,
                                   ecs::retire, std::uint64_t, Atomics>;
using entity_registry = watched_registry<watched_atomics>;

watch cost_of(auto action) {
    mine = {};
    action();
    return mine;
}

/// Asks everything there is to be asked; each question may take so many loads.
template <class Registry> void expect_questions_to_load(std::size_t most) {
    Registry ids;
    const ecs::entity live = ids.create(), dead = ids.create();
    ids.destroy(dead);
    const auto unknown = live.with<"index">(0xFFFF'0000);
    for (const auto id : {live, dead, unknown, ecs::entity{}, live.with<"world">(7)})
        for (const watch& w : {cost_of([&] { (void)ids.alive(id); }), cost_of([&] { (void)ids.status(id); }),
                               cost_of([&] { (void)ids.live_at(id.index()); }),
                               cost_of([&] { (void)ids.find_payload(id); })}) {
            EXPECT_LE(w.loads, most);
            EXPECT_EQ(w.stores + w.exchanges, 0U);
        }
}

TEST(concurrent_cost, of_a_question_is_a_load_whatever_the_answer) {
    expect_questions_to_load<entity_registry>(1);
}

TEST(concurrent_cost, of_a_question_is_two_loads_where_slots_lie_in_pages) {
    expect_questions_to_load<watched_registry<test::short_of_addresses<watched_atomics>>>(2);
}

/// Nobody looks at the slots between what was used and what was claimed.
TEST(concurrent_cost, of_a_list_is_that_of_the_pages_in_use) {
    entity_registry ids;
    const auto near = ids.create();
    EXPECT_TRUE(ids.claim(near.with<"index">(0xFFFF'0000)));
    EXPECT_LT(cost_of([&] { EXPECT_EQ(ids.live().size(), 2U); }).loads, 5'000U);
    ids.clear();
    EXPECT_LT(cost_of([&] { EXPECT_EQ(ids.counts().free, 2U); }).loads, 200'000U) << "of two pages";
}

/// Of a thousand calls in turn: how many exchanged something.
std::size_t exchanging(auto action) {
    std::size_t calls = 0;
    for (int n = 0; n < 1000; ++n) calls += cost_of(action).exchanges != 0;
    return calls;
}

TEST(concurrent_cost, of_a_create_through_a_handle_is_an_exchange_in_one_of_64) {
    entity_registry ids;
    auto local = ids.local();
    EXPECT_LE(exchanging([&] { (void)local.create(); }), 1 + 1000U / 64);
}

TEST(concurrent_cost, of_a_destroy_is_one_exchange_and_none_alone) {
    entity_registry ids;
    auto local = ids.local();
    auto alone = ids.exclusive_local();
    for (int n = 0; n < 100; ++n) {
        const auto one = local.create(), two = alone.create();
        EXPECT_EQ(cost_of([&] { local.destroy(one); }).exchanges, 1U);
        EXPECT_EQ(cost_of([&] { alone.destroy(two); }).exchanges, 0U);
    }
    std::vector<ecs::entity> many(1000);
    alone.create(many);
    std::size_t next = 0;
    EXPECT_LE(exchanging([&] { alone.destroy(many[next++]); }), 1 + 1000U / 64) << "those that spill";
}

TEST(concurrent_cost, without_a_handle_is_one_exchange_more) {
    entity_registry ids;
    (void)ids.create();
    for (int n = 0; n < 50; ++n) {
        ecs::entity made;
        EXPECT_EQ(cost_of([&] { made = ids.create(); }).exchanges, 1U) << "to enter the lane";
        EXPECT_EQ(cost_of([&] { ids.destroy(made); }).exchanges, 2U) << "and on the slot";
    }
}

/// Every slow path is a few operations away, and there is one shared lane.
struct tight {
    static constexpr std::uint32_t magazine = 2;
    static constexpr unsigned page_bits = 2;
    static constexpr unsigned chunk_bits = page_bits;
    static constexpr std::uint64_t share = 1;
    static constexpr std::uint32_t lane_groups = 4;
    static constexpr std::size_t shared_lanes = 1;
};
using layout = test::layouts::tagged; // 127 indices of 15 generations
using tight_registry = ecs::basic_concurrent_registry<layout, ecs::whole_index_space<layout>, ecs::retire,
                                                      ecs::no_payload, watched_atomics, tight>;
using id = tight_registry::id_type;

/// A registry in use, and what may be done to it.
struct stage {
    tight_registry ids;
    std::optional<tight_registry::handle> hand{ids.local()};
    std::optional<tight_registry::quarantined_handle> strict{ids.quarantined_local()};
    std::vector<id> given = std::vector<id>(20);

    stage() {
        ids.create(given);
        for (int n = 0; n < 9; ++n) end(*hand);
        for (int n = 0; n < 3; ++n) end(*strict);
    }
    void end(auto& through) {
        EXPECT_TRUE(through.destroy(given.back()));
        given.pop_back();
    }
};

struct step {
    const char* name;
    std::function<void(stage&)> run;
};

/// Each crosses between lane, depot and walk at least once.
std::vector<step> steps() {
    return {{"create",
             [](stage& s) {
                 for (int n = 0; n < 9; ++n) (void)s.hand->create();
             }},
            {"destroy",
             [](stage& s) {
                 for (int n = 0; n < 5; ++n) s.end(*s.hand);
             }},
            {"flush", [](stage& s) { s.hand->flush(); }},
            {"end a handle", [](stage& s) { s.strict.reset(); }},
            {"begin a handle", [](stage& s) { (void)s.ids.local().create(); }},
            {"create without a handle",
             [](stage& s) {
                 for (int n = 0; n < 9; ++n) (void)s.ids.create();
             }},
            {"destroy without a handle",
             [](stage& s) {
                 for (int n = 0; n < 5; ++n) s.end(s.ids);
             }},
            {"release the quarantine", [](stage& s) { s.ids.release_quarantine(); }}};
}

/// Everything another thread may want meanwhile.
void live_on(tight_registry& ids) {
    {
        auto local = ids.local();
        auto strict = ids.quarantined_local();
        std::vector<id> some(9);
        local.create(some);
        for (const id i : some) EXPECT_TRUE(strict.destroy(i));
    }
    for (int n = 0; n < 5; ++n) {
        const id i = ids.create();
        EXPECT_TRUE(ids.alive(i) && ids.destroy(i));
        EXPECT_EQ(ids.status(i), ecs::id_status::stale);
    }
    ids.release_quarantine();
    EXPECT_LE(ids.live_count(), 60U);
}

void expect_nothing_lost(stage& s) {
    s.hand.reset();
    s.strict.reset();
    s.ids.release_quarantine();
    const std::uint64_t live = s.ids.live_count();
    std::uint64_t creatable = 0;
    while (s.ids.try_create()) ++creatable;
    EXPECT_EQ(live + creatable + s.ids.retired_count(), test::index_max<layout>);
}

/// Has a thread stop before its n-th access; false when the step was over before.
bool others_go_on(const step& what, std::size_t n) {
    SCOPED_TRACE(what.name);
    auto s = std::make_unique<stage>();
    const bool has_stopped = test::stop_before(n, [&] { what.run(*s); }, [&] { live_on(s->ids); });
    expect_nothing_lost(*s);
    return has_stopped;
}

TEST(concurrent_progress, nobody_waits_for_a_thread_that_stopped_anywhere) {
    std::size_t places = 0;
    for (const step& what : steps()) {
        std::size_t n = 1;
        while (n < 2000 && others_go_on(what, n)) ++n;
        EXPECT_GT(n, 5U) << what.name;
        EXPECT_LT(n, 2000U) << what.name;
        places += n - 1;
    }
    RecordProperty("places", std::to_string(places));
}

TEST(concurrent_progress, a_call_without_a_handle_keeps_nothing_when_every_shared_lane_is_taken) {
    tight_registry ids;
    auto local = ids.local(); // Whose lane the call below cannot have.
    std::latch stopped(1), go_on(1);
    std::jthread stopping([&] {
        mine = {.stop_at = 2, .stopped = &stopped, .go_on = &go_on}; // It has entered the shared lane.
        EXPECT_FALSE(ids.try_create().has_value()) << "all are live by then";
    });
    stopped.wait();
    const id made = ids.create();
    EXPECT_TRUE(ids.destroy(made));
    std::size_t creatable = 0;
    while (local.try_create()) ++creatable;
    EXPECT_EQ(creatable, 127U) << "nothing is left behind in a lane of the caller's own";
    go_on.count_down();
}

/// While a thread stands in the only shared lane, calls without a handle get the lane in which a handle has
/// quarantined.
struct concurrent_progress_beside_a_quarantine : testing::Test {
    concurrent_progress_beside_a_quarantine() {
        auto strict = ids.quarantined_local();
        for (int n = 0; n < 9; ++n) EXPECT_TRUE(strict.destroy(strict.create()));
    }

    /// Does the action while the shared lane is taken.
    void while_shared_lane_is_taken(const std::function<void()>& action) {
        std::latch stopped(1), go_on(1);
        std::jthread stopping([&] {
            mine = {.stop_at = 4, .stopped = &stopped, .go_on = &go_on}; // It has entered the shared lane.
            EXPECT_TRUE(ids.try_create().has_value());
        });
        stopped.wait();
        action();
        go_on.count_down();
    }

    std::uint64_t creatable() {
        std::uint64_t count = 0;
        while (ids.try_create()) ++count;
        return count;
    }

    ecs::basic_concurrent_registry<layout, ecs::whole_index_space<layout>, ecs::quarantine<2>,
                                   ecs::no_payload, watched_atomics, tight>
        ids;
    static constexpr std::uint64_t all = test::index_max<layout>;
    /// What the policy keeps back: two, and one more when there is no whole batch beyond those.
    static constexpr std::uint64_t waiting = 3;
};

TEST_F(concurrent_progress_beside_a_quarantine, releasing_ends_and_brings_everything_back) {
    while_shared_lane_is_taken([&] {
        auto released = std::async(std::launch::async, [&] { ids.release_quarantine(); });
        EXPECT_EQ(released.wait_for(std::chrono::seconds(20)), std::future_status::ready);
    });
    EXPECT_EQ(ids.live_count(), 1U);
    EXPECT_GE(creatable(), all - 1 - waiting);
    EXPECT_EQ(ids.retired_count(), 0U);
}

TEST_F(concurrent_progress_beside_a_quarantine, what_is_destroyed_without_a_handle_needs_no_release) {
    while_shared_lane_is_taken([&] {
        for (int n = 0; n < 9; ++n) EXPECT_TRUE(ids.destroy(ids.create()));
    });
    constexpr std::uint64_t held = 9;
    EXPECT_GE(creatable(), all - 1 - waiting - held);
    ids.release_quarantine();
    EXPECT_GE(creatable(), held);
}

} // namespace
} // namespace concurrent_progress_test
