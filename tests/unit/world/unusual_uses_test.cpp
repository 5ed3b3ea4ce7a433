// SPDX-License-Identifier: MIT
// Uses of commands, schedules, observers and snapshots that nobody planned for.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

namespace unusual_uses_test {
namespace {

struct position {
    int x = 0;
};
struct velocity {
    int x = 0;
};
struct health {
    int points = 0;
};
struct marked {};

/// Cannot be copied when it is armed.
struct bomb {
    explicit bomb(bool is_armed) : armed(is_armed) {}
    bomb(const bomb& other) : armed(other.armed) {
        if (armed) throw std::runtime_error("armed");
    }
    bomb(bomb&&) noexcept = default;
    bomb& operator=(const bomb&) = default;
    bomb& operator=(bomb&&) noexcept = default;
    ~bomb() = default;
    bool armed;
};

/// Types of which & is not the address of the value, as of handles for functions in C.
struct handle {
    int* operator&() { return std::addressof(raw); }
    const int* operator&() const { return std::addressof(raw); }
    int number = 0, raw = 0;
};
struct call {
    static constexpr bool is_event = true;
    const int* operator&() const { return std::addressof(raw); }
    int number = 0, raw = 0;
};

/// Calls f(0) and f(1) on two threads.
template <class F> void on_two_threads(F f) {
    std::jthread other([&] { f(1); });
    f(0);
}

std::vector<int> positions(ecs::world& world) {
    std::vector<int> all;
    world.each([&](const position& p) { all.push_back(p.x); });
    return all;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Commands.

TEST(UnusualUses, ObjectsEndInAnyOrderAndFlushesAreEmpty) {
    ecs::world world;
    for (int i = 0; i < 10; ++i) EXPECT_EQ(world.flush().spawned(), 0U);
    std::deque<ecs::commands> many;
    for (int i = 0; i < 500; ++i) many.push_back(world.commands());
    for (int i = 0; i < 500; ++i) many[static_cast<std::size_t>(499 - i)].spawn(position{499 - i});
    many.erase(many.begin() + 100, many.begin() + 400);
    EXPECT_EQ(world.flush().spawned(), 500U);
    EXPECT_TRUE(std::ranges::is_sorted(positions(world))) << "objects come in the order of their opening";
    for (ecs::commands& c : many) c.spawn(velocity{1});
    many.clear();
    EXPECT_EQ(world.flush().spawned(), 200U);
    EXPECT_EQ(world.flush().spawned(), 0U);
}

TEST(UnusualUses, ObjectsAreMovedOverOthers) {
    ecs::world world;
    auto a = world.commands();
    a.spawn(position{1});
    auto b = std::move(a);
    b.spawn(position{2});
    auto c = world.commands();
    c.spawn(position{3});
    c = std::move(b);
    c.spawn(position{4});
    {
        const auto gone = std::move(c);
    }
    EXPECT_EQ(world.flush().spawned(), 4U);
    EXPECT_EQ(positions(world), (std::vector{1, 2, 4, 3}));
}

TEST(UnusualUses, ObjectEndsInAnotherThreadThanItBegan) {
    ecs::world world;
    std::optional<ecs::commands> commands = world.commands();
    commands->spawn(position{1});
    world.flush();
    std::jthread([&] {
        commands->spawn(position{2});
        commands.reset();
    }).join();
    EXPECT_EQ(world.flush().spawned(), 1U);
}

TEST(UnusualUses, ThousandsOfNamesOfTwoThreads) {
    ecs::world world;
    const auto name_all = [&](int prefix, int count) {
        auto commands = world.commands();
        for (int i = 0; i < count; ++i)
            commands.spawn(std::to_string(prefix) + '.' + std::to_string(i), position{i});
    };
    on_two_threads([&](int thread) { name_all(thread, 3000); });
    EXPECT_EQ(world.flush().dropped(), 0U);
    EXPECT_EQ(world.get<position>(world.lookup("1.2999")).x, 2999);
    on_two_threads([&](int) { name_all(0, 100); });
    const ecs::flush_report report = world.flush();
    EXPECT_EQ(report.dropped(ecs::add_result::name_taken), 200U);
    EXPECT_EQ(report.spawned(), 200U);
}

TEST(UnusualUses, WhatCannotBeANameIsRefusedAtOnce) {
    ecs::world world;
    auto commands = world.commands();
    for (const char* const text : {"", "a/b", "/"}) {
        EXPECT_THROW(commands.spawn(text, position{}), ecs::name_error);
        EXPECT_THROW(commands.set_name(ecs::entity{}, text), ecs::name_error);
    }
    const ecs::flush_report report = world.flush();
    EXPECT_EQ(report.spawned() + report.dropped(), 0U);
}

TEST(UnusualUses, EveryCommandToThoseWhomAnotherThreadEndsIsDropped) {
    ecs::world world;
    const std::vector<ecs::entity> all = world.spawn_n(500, position{1});
    on_two_threads([&](int thread) {
        auto c = world.commands(thread == 0 ? 0U : 1U);
        if (thread == 0) return c.despawn(all);
        for (const ecs::entity e : all) {
            c.set(e, health{1});
            c.add<marked>(e);
            c.remove<position>(e);
            c.set_name(e, std::to_string(e.index()));
            c.emplace<bomb>(e, false);
            c.patch<position>(e, [](position& p) { p.x = 9; });
            c.emit(e, health{2});
            c.run(e, [](ecs::world&, ecs::entity) { FAIL(); });
            c.enable(e);
            c.disable<position>(e);
        }
    });
    const ecs::flush_report report = world.flush();
    EXPECT_EQ(report.applied(), all.size());
    EXPECT_EQ(report.dropped(ecs::add_result::not_alive), 10 * all.size());
    EXPECT_EQ(report.drops().size(), ecs::flush_report::drops_kept);
    EXPECT_EQ(world.query<health>().count() + world.query<position>().count(), 0U);
}

TEST(UnusualUses, EntitiesOfNobodyAndOfAnotherWorldAreDropped) {
    ecs::world world, other;
    const ecs::entity foreign = other.spawn(position{1});
    const ecs::entity child_of = world.lookup("child_of");
    auto commands = world.commands();
    for (const ecs::entity e : {ecs::entity{}, foreign}) {
        commands.set(e, position{});
        commands.add<marked>(e);
        commands.despawn(e);
        commands.set_name(e, "nobody");
        commands.add(world.spawn(), child_of, e);
    }
    EXPECT_EQ(world.flush().dropped(), 10U);
    EXPECT_TRUE(other.alive(foreign));
}

TEST(UnusualUses, KeysHaveGapsAndComeTwice) {
    ecs::world world;
    world.make_deterministic(10);
    world.commands(0xFFFF'FFFF).spawn(position{6});
    world.commands(50).spawn(position{5});
    world.commands(9).spawn(position{4});
    {
        auto a = world.commands(3);
        auto b = world.commands(3);
        b.spawn(position{3});
        a.spawn(position{1});
        a.spawn(position{2});
    }
    world.flush();
    EXPECT_EQ(positions(world), (std::vector{1, 2, 3, 4, 5, 6}));
    world.make_deterministic(3);
    world.make_deterministic(20);
    world.commands(19).spawn(position{7});
    EXPECT_EQ(world.flush().spawned(), 1U);
}

TEST(UnusualUses, ConstructorsThrowWhileRecordingAndNothingIsLeft) {
    ecs::world world;
    auto commands = world.commands();
    const bomb armed(true);
    const ecs::entity e = world.spawn(position{2});
    EXPECT_THROW(commands.spawn(position{1}, armed), std::runtime_error);
    EXPECT_THROW(commands.spawn_n(4, armed), std::runtime_error);
    EXPECT_THROW(commands.emplace<bomb>(e, armed), std::runtime_error);
    commands.emplace<bomb>(e, false);
    bomb harmless(false);
    auto function = [kept = std::move(harmless)](ecs::world&) {};
    commands.run(function);
    const ecs::flush_report report = world.flush();
    EXPECT_EQ(report.spawned(), 0U);
    EXPECT_EQ(report.applied(), 2U);
    EXPECT_FALSE(world.get<bomb>(e).armed);
}

TEST(UnusualUses, WhatIsThrownIsNoException) {
    ecs::world world;
    world.commands().run([](ecs::world&) { throw 7; });
    try {
        world.flush();
        FAIL();
    } catch (const ecs::flush_error& e) {
        EXPECT_TRUE(says(e.what(), "something that is no std::exception")) << e.what();
    }
}

TEST(UnusualUses, CommandsGoOnWhenTheirWorldHasEnded) {
    std::optional<ecs::commands> kept;
    {
        ecs::world world;
        kept = world.commands();
        kept->set(kept->spawn(position{}), health{});
    }
    EXPECT_THROW(for (int i = 0; i < 100; ++i) kept->spawn(position{1}), ecs::world_ended_error);
    kept->add<marked>(ecs::entity{});
    kept->run([](ecs::world&) { FAIL(); });
    kept->despawn(ecs::entity{});
    EXPECT_FALSE(kept->alive(ecs::entity{}));
    ecs::world next;
    EXPECT_EQ(next.flush().applied(), 0U);
}

// Loops of several threads.

TEST(UnusualUses, LoopsOfSeveralThreadsVisitWhatLoopsOfOneVisit) {
    ecs::world world;
    const auto all = world.spawn_n(50'000, [](std::size_t i) { return position{static_cast<int>(i)}; });
    for (std::size_t i = 0; i < all.size(); i += 2) world.set(all[i], velocity{1});
    for (std::size_t i = 0; i < all.size(); i += 3) world.add<marked>(all[i]);
    for (std::size_t i = 0; i < all.size(); i += 5) world.disable<position>(all[i]);
    const auto on = ecs::make_tbb_executor(4);
    auto some = world.query<const position, const velocity*>().without<marked>();
    std::atomic<int> visited{}, moving{};
    some.par_each(*on, [&](const position&, const velocity* v) {
        ++visited;
        if (v) ++moving;
    });
    some.each([&](const position&, const velocity* v) {
        --visited;
        if (v) --moving;
    });
    EXPECT_EQ(visited, 0);
    EXPECT_EQ(moving, 0);
    auto changed = world.query<const position>().changed<position>();
    changed.each([](const position&) {});
    for (std::size_t i = 0; i < 30'000; ++i) world.set(all[i], position{7});
    changed.par_each(*on, [&](const position&) { ++visited; });
    EXPECT_EQ(visited, 24'000) << "a fifth is disabled";
    changed.par_each(*on, [&](const position&) { ADD_FAILURE(); });
}

TEST(UnusualUses, LoopsOfSeveralThreadsRefuseChangesAndOrders) {
    ecs::world world;
    world.spawn_n(50'000, position{1});
    const auto on = ecs::make_tbb_executor(4);
    EXPECT_THROW(world.query<position>().par_each(*on, [&](position&) { world.spawn(); }),
                 ecs::iteration_error);
    EXPECT_THROW(world.query<position>().par_each(*on, [&](position&) { world.flush(); }),
                 ecs::iteration_error);
    EXPECT_THROW(world.query<position>()
                     .sort_by<position>([](const position& a, const position& b) { return a.x < b.x; })
                     .par_each(*on, [](const position&) {}),
                 std::invalid_argument);
    EXPECT_TRUE(world.alive(world.spawn(position{})));
}

// Schedules.

std::string fault_of(const std::function<void(ecs::schedule&)>& make) {
    ecs::world world;
    ecs::schedule schedule;
    try {
        make(schedule);
        schedule.run(world, 1);
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

TEST(UnusualUses, CirclesAreShown) {
    EXPECT_EQ(fault_of([](ecs::schedule& s) {
                  s.add("x", [] {}, {.before = {"a"}});
                  s.add("a", [] {}, {.after = {"b"}});
                  s.add("b", [] {}, {.after = {"c"}});
                  s.add("c", [] {}, {.after = {"a"}});
              }),
              "system \"a\" is to run after itself: the order of phase \"update\" is a circle, "
              "\"a\" -> \"c\" -> \"b\" -> \"a\"");
    EXPECT_TRUE(says(fault_of([](ecs::schedule& s) { s.add("a", [] {}, {.after = {"a"}}); }),
                     "is a circle, \"a\" -> \"a\""));
    EXPECT_TRUE(says(fault_of([](ecs::schedule& s) {
                         s.add("a", [] {});
                         s.add("b", [] {}, {.after = {"a"}, .before = {"a"}});
                     }),
                     "is a circle, \"a\" -> \"b\" -> \"a\""));
}

TEST(UnusualUses, OrderAgainstThePhasesIsRefusedAndExplained) {
    const std::string fault = fault_of([](ecs::schedule& s) {
        s.add("a", [] {});
        s.phase("two").add("b", [] {}, {.before = {"a"}});
    });
    EXPECT_TRUE(says(fault, "\"a\" -> \"b\" -> \"a\"")) << fault;
    EXPECT_TRUE(says(fault, "the phase \"update\" runs before \"two\"")) << fault;
}

TEST(UnusualUses, ScheduleIsMovedAndRunWithoutThreads) {
    ecs::world world;
    int ran = 0;
    ecs::schedule schedule;
    schedule.add("never", [&] { ran += 10; },
                 {.run_if = [](const ecs::world& w) { return w.alive(ecs::entity{}); }});
    schedule.add("always", [&] { ++ran; }, {.after = {"never"}});
    ecs::inline_executor here;
    schedule.run(world, here, 1e9);
    ecs::schedule moved = std::move(schedule);
    moved.run(world, here);
    EXPECT_EQ(ran, 2);
}

// Observers and ways back.

TEST(UnusualUses, MonitorsKnowWhoMatchesWhenTheWorldHasGoneBack) {
    std::vector<std::pair<ecs::entity, bool>> told;
    ecs::world world; // Its end is told, too.
    const ecs::entity stays = world.spawn(position{1}, velocity{1});
    const ecs::entity comes = world.spawn(position{2});
    world.monitor<position, velocity>([&](ecs::entity e, bool matches) { told.emplace_back(e, matches); });
    const ecs::snapshot then = world.snapshot();
    world.remove<velocity>(stays);
    world.set(comes, velocity{2});
    told.clear();
    world.restore(then);
    EXPECT_TRUE(told.empty()) << "the way back is not told";
    world.remove<velocity>(stays);
    world.set(comes, velocity{3});
    EXPECT_EQ(told, (std::vector<std::pair<ecs::entity, bool>>{{stays, false}, {comes, true}}));
    told.clear();
    world.rewind(then);
    world.despawn(stays);
    EXPECT_EQ(told, (std::vector<std::pair<ecs::entity, bool>>{{stays, false}}));
}

TEST(UnusualUses, QueuedObserversAreNotToldOfAFutureThatIsForgotten) {
    int told = 0;
    ecs::world world;
    world.observe<ecs::event::removed, position>([&](ecs::entity) { ++told; }, {.queued = true});
    world.observe<ecs::event::set, position>([&](ecs::entity) { ++told; }, {.queued = true});
    const ecs::entity e = world.spawn(position{1});
    world.dispatch();
    told = 0;
    const ecs::snapshot then = world.snapshot();
    world.set(e, position{2});
    world.despawn(e);
    world.restore(then);
    EXPECT_EQ(world.dispatch(), 0U);
    EXPECT_EQ(told, 0);
    world.set(e, position{3});
    EXPECT_EQ(world.dispatch(), 1U);
}

TEST(UnusualUses, CommandsObjectOfAWorldThatLoadsGoesOn) {
    ecs::world world;
    world.spawn("first", position{1});
    const std::vector<std::byte> bytes = ecs::save(world);
    ecs::world other;
    static_cast<void>(other.component<position>());
    auto commands = other.commands();
    commands.spawn(position{3});
    EXPECT_THROW(ecs::load(other, bytes), ecs::snapshot_error);
    other.flush();
    ecs::load(other, bytes);
    const ecs::entity born = commands.spawn(position{4});
    EXPECT_EQ(other.flush().spawned(), 1U);
    EXPECT_NE(born, other.lookup("first"));
    EXPECT_EQ(positions(other), (std::vector{1, 4}));
}

// Operators of the user's types.

TEST(UnusualUses, AmpersandOfAComponentIsNotAskedWhereManyAreSpawned) {
    ecs::world world;
    std::ignore = world.spawn_n(3, handle{1, 2});
    ecs::commands commands = world.commands();
    commands.spawn_n(3, handle{1, 2});
    EXPECT_EQ(world.flush().spawned(), 3U);
    int sum = 0;
    world.each([&](const handle& each) { sum += each.number + 10 * each.raw; });
    EXPECT_EQ(sum, 6 * 21);
}

TEST(UnusualUses, AmpersandOfAnEventIsNotAsked) {
    ecs::world world;
    int heard = 0;
    world.observe<call>([&](const call& c) { heard = c.number + 10 * c.raw; });
    EXPECT_TRUE(world.emit(world.spawn(), call{1, 2}));
    EXPECT_EQ(heard, 21);
}

TEST(UnusualUses, AmpersandOfALinkedObjectIsNotAsked) {
    ecs::world world;
    const ecs::entity e = world.spawn(), plays = world.spawn();
    handle object{1, 2};
    world.link(e, plays, object);
    EXPECT_EQ(world.object_of<handle>(e, plays), std::addressof(object));
    EXPECT_TRUE(world.has(e, world.link_of(plays, object)));
}

} // namespace
} // namespace unusual_uses_test
