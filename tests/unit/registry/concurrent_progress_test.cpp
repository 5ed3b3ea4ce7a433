// SPDX-License-Identifier: MIT
// What an operation costs in accesses to shared memory, counted; and that nobody waits for a thread that
// stopped, wherever it stopped. The atomics are those of production, watched.
#include <atomic>
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

namespace {

/// What this thread has done to atomics, and where it is to stop.
struct watch {
    std::size_t loads = 0, stores = 0, exchanges = 0;
    std::size_t stop_at = 0; // Before the so many-th access from now on; 0 is never.
    std::latch* stopped = nullptr;
    std::latch* go_on = nullptr;

    void access() {
        if (stop_at == 0) return;
        if (--stop_at != 0) return;
        stopped->count_down();
        go_on->wait();
    }
};
thread_local watch mine;

struct watched_atomics : ecs::std_atomics {
    template <class T> struct atomic {
        ecs::std_atomics::atomic<T> cell;

        T load(std::memory_order order) const noexcept {
            mine.access();
            ++mine.loads;
            return cell.load(order);
        }
        void store(T desired, std::memory_order order) noexcept {
            mine.access();
            ++mine.stores;
            cell.store(desired, order);
        }
        T fetch_add(T amount, std::memory_order order) noexcept { return counted().fetch_add(amount, order); }
        T exchange(T desired, std::memory_order order) noexcept { return counted().exchange(desired, order); }
        T fetch_or(T bits, std::memory_order order) noexcept { return counted().fetch_or(bits, order); }
        T fetch_and(T bits, std::memory_order order) noexcept { return counted().fetch_and(bits, order); }
        bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                     std::memory_order failure) noexcept {
            return counted().compare_exchange_strong(expected, desired, success, failure);
        }

      private:
        /// The cell, for a read-modify-write.
        ecs::std_atomics::atomic<T>& counted() noexcept {
            mine.access();
            ++mine.exchanges;
            return cell;
        }
    };

    static std::size_t thread_hint() noexcept { return 0; } // All meet in the same shared lane.
};

using entity_registry =
    ecs::basic_concurrent_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>,
                                   ecs::retire, std::uint64_t, watched_atomics>;

watch cost_of(auto action) {
    mine = {};
    action();
    return mine;
}

TEST(concurrent_cost, of_a_question_is_two_loads_whatever_the_answer) {
    entity_registry ids;
    const auto live = ids.create(), dead = ids.create();
    ids.destroy(dead);
    const auto unknown = live.with<"index">(0xFFFF'0000);
    for (const auto id : {live, dead, unknown, ecs::entity{}, live.with<"world">(7)})
        for (const watch& w : {cost_of([&] { (void)ids.alive(id); }), cost_of([&] { (void)ids.status(id); }),
                               cost_of([&] { (void)ids.live_at(id.index()); }),
                               cost_of([&] { (void)ids.find_payload(id); })}) {
            EXPECT_LE(w.loads, 2U);
            EXPECT_EQ(w.stores + w.exchanges, 0U);
        }
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
    auto s = std::make_unique<stage>();
    std::latch stopped(1), go_on(1);
    std::atomic<bool> finished = false;
    std::jthread stopping([&] {
        mine = {.stop_at = n, .stopped = &stopped, .go_on = &go_on};
        what.run(*s);
        finished = mine.stop_at != 0;
        mine = {};
        if (finished) stopped.count_down();
    });
    stopped.wait();
    auto others = std::async(std::launch::async, [&] { live_on(s->ids); });
    EXPECT_EQ(others.wait_for(std::chrono::seconds(20)), std::future_status::ready)
        << "waits for a thread that stopped in \"" << what.name << "\" before access " << n;
    go_on.count_down();
    others.wait();
    stopping.join();
    expect_nothing_lost(*s);
    return !finished;
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
