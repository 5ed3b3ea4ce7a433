// SPDX-License-Identifier: MIT
// Whoever is called while a world records, flushes, observes or runs a schedule, and asks for it again:
// refused with nothing changed, or safe.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

import ecs.world;

namespace reentrancy_test {
namespace {

struct health {
    int points = 0;
};
struct mana {
    int points = 0;
};
struct marked {};

template <class Error, class F> std::string text_of(F f) {
    try {
        f();
    } catch (const Error& e) {
        return e.what();
    }
    return "nothing was thrown";
}

std::size_t count_of_health(ecs::world& world) { return world.query<const health>().count(); }

// Functions and constructors that commands call.

TEST(Reentrancy, SourceThatThrowsInAnObserverSpawnsNobody) {
    ecs::world world;
    const ecs::entity parent = world.spawn();
    std::vector<ecs::entity> out(5);
    const auto source = [](std::size_t i) {
        if (i == 3) throw std::runtime_error("bang");
        return health{static_cast<int>(i)};
    };
    world.observe<ecs::event::added, marked>([&](ecs::entity) {
        EXPECT_THROW(world.spawn_into(out, source), std::runtime_error);
        EXPECT_THROW((void)world.spawn_n(5, source), std::runtime_error);
        EXPECT_THROW((void)world.spawn_children(parent, 5, source), std::runtime_error);
    });
    world.spawn(marked{});
    EXPECT_EQ(count_of_health(world), 0U);
    EXPECT_EQ(out, std::vector<ecs::entity>(5));
    EXPECT_EQ(world.entities().size(), 2U);
}

TEST(Reentrancy, SourceThatFlushesIsRefusedAndNothingHasChanged) {
    ecs::world world;
    auto commands = world.commands();
    commands.spawn(health{1});
    const auto flush = [&](std::size_t i) {
        if (i == 2) world.flush();
        return health{static_cast<int>(i)};
    };
    EXPECT_NE(text_of<ecs::iteration_error>([&] {
                  commands.spawn_n(5, flush);
              }).find("flush after the spawn has returned"),
              std::string::npos);
    EXPECT_EQ(count_of_health(world), 0U) << "nothing was flushed";
    EXPECT_EQ(world.flush().spawned(), 1U);
    EXPECT_EQ(count_of_health(world), 1U);
}

TEST(Reentrancy, SourceMayCatchTheRefusalAndGoOn) {
    ecs::world world;
    auto commands = world.commands();
    int refused = 0;
    commands.spawn_n(3, [&](std::size_t i) {
        try {
            world.flush();
        } catch (const ecs::iteration_error&) {
            ++refused;
        }
        return health{static_cast<int>(i)};
    });
    EXPECT_EQ(refused, 3);
    EXPECT_EQ(world.flush().spawned(), 3U);
    EXPECT_EQ(count_of_health(world), 3U);
}

TEST(Reentrancy, SourceMayNotGoBackInTimeNorFlushThroughAnotherObject) {
    ecs::world world;
    const auto then = world.snapshot();
    auto commands = world.commands();
    auto other = world.commands();
    commands.spawn_n(1, [&](std::size_t) {
        other.spawn(health{7});
        EXPECT_THROW(world.restore(then), ecs::iteration_error);
        EXPECT_THROW(world.flush(), ecs::iteration_error);
        return health{};
    });
    EXPECT_EQ(world.flush().spawned(), 2U);
}

TEST(Reentrancy, SourceMayNotMakeTheWorldDeterministic) {
    ecs::world world;
    auto commands = world.commands();
    commands.spawn_n(3, [&](std::size_t i) {
        EXPECT_THROW(world.make_deterministic(4), ecs::iteration_error);
        return health{static_cast<int>(i)};
    });
    EXPECT_EQ(world.flush().spawned(), 3U);
    EXPECT_NO_THROW(world.make_deterministic(4));
}

/// A component whose copies call a function.
struct meddler {
    meddler() = default;
    meddler(const meddler& other) : value(other.value) { call(); }
    meddler(meddler&& other) noexcept : value(other.value) {}
    meddler& operator=(const meddler&) = default;
    meddler& operator=(meddler&&) = default;
    ~meddler() = default;
    static void call() {
        if (const auto f = std::exchange(now, nullptr)) f();
    }
    inline static void (*now)() = nullptr;
    inline static ecs::world* world = nullptr;
    inline static ecs::commands* commands = nullptr;
    int value = 0;
};

class Meddling : public ::testing::Test {
  protected:
    Meddling() {
        meddler::world = &world;
        meddler::commands = &commands;
        original.value = 5;
    }
    ecs::world world;
    ecs::commands commands = world.commands();
    meddler original;
};

TEST_F(Meddling, ConstructorThatFlushesIsRefusedAndNothingIsSpawned) {
    meddler::now = [] { meddler::world->flush(); };
    EXPECT_THROW(commands.spawn(original), ecs::iteration_error);
    EXPECT_EQ(world.flush().spawned(), 0U);
    commands.spawn(original);
    EXPECT_EQ(world.flush().spawned(), 1U);
}

TEST_F(Meddling, ConstructorMaySpawnAndRecordInTheObjectThatMakesIt) {
    meddler::now = [] {
        for (int i = 0; i < 200; ++i) meddler::commands->spawn(meddler{});
        meddler::commands->spawn(health{3});
    };
    const auto outer = commands.spawn(original);
    EXPECT_EQ(world.flush().spawned(), 202U);
    EXPECT_EQ(world.get<meddler>(outer).value, 5);
    EXPECT_EQ(world.query<const meddler>().count(), 201U);
    EXPECT_EQ(count_of_health(world), 1U);
}

TEST_F(Meddling, ArgumentsOfACommandMayRecordInTheObjectThatKeepsThem) {
    const auto e = world.spawn(health{1});
    meddler::now = [] { meddler::commands->spawn(mana{4}); };
    commands.emplace<meddler>(e, original);
    meddler::now = [] {
        for (int i = 0; i < 100; ++i) meddler::commands->add<marked>(meddler::commands->spawn(mana{4}));
    };
    commands.run(e,
                 [kept = original](ecs::world& w, ecs::entity at) { w.get<health>(at).points = kept.value; });
    EXPECT_EQ(world.flush().dropped(), 0U);
    EXPECT_EQ(world.get<meddler>(e).value, 5);
    EXPECT_EQ(world.get<health>(e).points, 5);
    EXPECT_EQ(world.query<const mana>().count(), 101U);
}

// Destructors of components.

/// What destructors do to the world, and how often it was refused.
struct farewell {
    using act = void (*)(ecs::world&, ecs::entity);
    static void say() {
        try {
            if (now) now(*in, whom);
        } catch (const ecs::iteration_error&) {
            ++refused;
        }
    }
    inline static act now = nullptr;
    inline static ecs::world* in = nullptr;
    inline static ecs::entity whom;
    inline static int refused = 0;
};

/// Says farewell where a value ends, unless it has been moved from.
template <ecs::storage Kept> struct debris {
    static constexpr ecs::storage kept_in = Kept;
    debris() = default;
    debris(debris&& other) noexcept : whole(std::exchange(other.whole, false)) {}
    debris& operator=(debris&& other) noexcept {
        whole = std::exchange(other.whole, false);
        return *this;
    }
    ~debris() {
        if (whole) farewell::say();
    }
    bool whole = true;
};

/// How often the act of the destructors is refused while change() is made.
template <class F> int refusals_of(farewell::act act, ecs::world& world, ecs::entity whom, F change) {
    farewell::in = &world;
    farewell::whom = whom;
    farewell::refused = 0;
    farewell::now = act;
    change();
    farewell::now = nullptr;
    return farewell::refused;
}

constexpr std::array<farewell::act, 4> changes_of_rows{
    [](ecs::world& w, ecs::entity) { w.spawn(health{5}); },
    [](ecs::world& w, ecs::entity whom) { w.despawn(whom); },
    [](ecs::world& w, ecs::entity whom) { w.add<marked>(whom); },
    [](ecs::world& w, ecs::entity whom) { w.remove<health>(whom); }};

template <ecs::storage Kept> void expect_refusals() {
    for (const farewell::act act : changes_of_rows) {
        ecs::world world;
        world.spawn(marked{});
        const ecs::entity one = world.spawn(health{1}), victim = world.spawn(health{2});
        const ecs::entity other = world.spawn(health{3});
        for (const ecs::entity e : {one, victim, other}) world.emplace<debris<Kept>>(e);
        EXPECT_EQ(refusals_of(act, world, victim, [&] { world.remove<debris<Kept>>(one); }), 1);
        EXPECT_EQ(refusals_of(act, world, victim, [&] { world.despawn(other); }), 1);
        EXPECT_EQ(count_of_health(world), 2U);
        EXPECT_EQ(world.get<health>(one).points, 1);
        EXPECT_EQ(world.get<health>(victim).points, 2);
        EXPECT_FALSE((world.has<debris<Kept>>(one) || world.has<marked>(victim)));
        EXPECT_TRUE(world.has<debris<Kept>>(victim));
        world.spawn(health{4});
        EXPECT_EQ(count_of_health(world), 3U) << "the world is open again";
    }
}

TEST(Reentrancy, DestructorThatChangesRowsIsRefusedWhereAValueIsRemovedOrItsEntityEnds) {
    expect_refusals<ecs::storage::table>();
    expect_refusals<ecs::storage::sparse>();
    expect_refusals<ecs::storage::in_place>();
}

template <ecs::storage Kept> void expect_recording() {
    ecs::world world;
    const ecs::entity one = world.spawn(health{1}), other = world.spawn(health{2});
    for (const ecs::entity e : {one, other}) world.emplace<debris<Kept>>(e);
    const auto record = [](ecs::world& w, ecs::entity) { w.commands().spawn(mana{4}); };
    EXPECT_EQ(refusals_of(record, world, one, [&] { world.remove<debris<Kept>>(one); }), 0);
    EXPECT_EQ(refusals_of(record, world, one, [&] { world.despawn(other); }), 0);
    EXPECT_EQ(world.flush().spawned(), 2U);
    EXPECT_EQ(world.query<const mana>().count(), 2U);
    EXPECT_EQ(world.get<health>(one).points, 1);
}

TEST(Reentrancy, DestructorMayRecordCommandsWhereAValueIsRemovedOrItsEntityEnds) {
    expect_recording<ecs::storage::table>();
    expect_recording<ecs::storage::sparse>();
    expect_recording<ecs::storage::in_place>();
}

// In a flush.

TEST(Reentrancy, CommandsOfAFlushMayFlush) {
    ecs::world world;
    std::vector<int> order;
    auto commands = world.commands();
    const auto first = commands.spawn(health{1});
    commands.run([&](ecs::world& w) {
        auto more = w.commands();
        more.spawn(health{2});
        more.run([&](ecs::world&) { order.push_back(1); });
        EXPECT_EQ(w.flush().spawned(), 1U);
        order.push_back(2);
    });
    const auto last = commands.spawn(health{3});
    commands.run([&](ecs::world&) { order.push_back(3); });
    EXPECT_EQ(world.flush().spawned(), 2U);
    EXPECT_EQ(order, (std::vector{1, 2, 3}));
    EXPECT_EQ(world.get<health>(first).points, 1);
    EXPECT_EQ(world.get<health>(last).points, 3);
    EXPECT_EQ(count_of_health(world), 3U);
    EXPECT_EQ(world.flush().applied(), 0U);
}

TEST(Reentrancy, CommandsOfAFlushCannotGoBackInTime) {
    ecs::world world;
    const auto then = world.snapshot();
    const auto bytes = ecs::save(world);
    auto commands = world.commands();
    std::vector<std::string> texts;
    commands.run([&](ecs::world& w) {
        texts.push_back(text_of<ecs::snapshot_error>([&] { w.restore(then); }));
        texts.push_back(text_of<ecs::snapshot_error>([&] { ecs::load(w, bytes); }));
    });
    const auto later = commands.spawn(health{1}); // Born behind the command that would have gone back.
    world.flush();
    ASSERT_EQ(texts.size(), 2U);
    for (const std::string& text : texts)
        EXPECT_NE(text.find("a flush is going on"), std::string::npos) << text;
    EXPECT_EQ(world.get<health>(later).points, 1);
    world.restore(then);
    EXPECT_FALSE(world.alive(later));
}

TEST(Reentrancy, WhatObserversRecordInAFlushComesAtTheNext) {
    ecs::world world;
    std::optional<ecs::commands> kept = world.commands();
    world.observe<ecs::event::added, health>([&](ecs::entity e) {
        EXPECT_THROW(world.flush(), ecs::iteration_error);
        kept->add<marked>(e);
        world.commands().set(e, mana{2});
    });
    const auto e = kept->spawn(health{1});
    EXPECT_EQ(world.flush().spawned(), 1U);
    EXPECT_FALSE((world.has<marked>(e) || world.has<mana>(e)));
    EXPECT_EQ(world.flush().applied(), 2U);
    EXPECT_TRUE((world.has<marked, mana>(e)));
}

TEST(Reentrancy, ObserverMayEndEverybodyInAFlush) {
    ecs::world world;
    for (int i = 0; i < 100; ++i) world.spawn(mana{i});
    world.observe<ecs::event::added, marked>([&](ecs::world& w, ecs::entity) { w.clear(); });
    auto commands = world.commands();
    std::vector<ecs::entity> made;
    for (int i = 0; i < 9000; ++i) made.push_back(commands.spawn(health{i}));
    commands.add<marked>(made[5]);
    commands.set(made[6], mana{1});
    const ecs::flush_report report = world.flush();
    EXPECT_EQ(report.spawned(), 9000U);
    EXPECT_EQ(report.dropped(ecs::add_result::not_alive), 1U) << "made[6] had ended";
    EXPECT_EQ(count_of_health(world) + world.query<const mana>().count(), 0U);
    EXPECT_TRUE(world.alive(world.spawn(health{1})));
}

TEST(Reentrancy, ExceptionsOfObserversAreFailuresOfTheFlushAndAllElseIsDone) {
    ecs::world world;
    world.observe<ecs::event::set, health>([](const health& h) {
        if (h.points == 2) throw std::runtime_error("two is too many");
    });
    auto commands = world.commands();
    std::vector<ecs::entity> made;
    for (int i = 0; i < 4; ++i) made.push_back(commands.spawn(health{i}));
    commands.set(made[0], health{2});
    commands.set(made[1], mana{9});
    try {
        world.flush();
        FAIL();
    } catch (const ecs::flush_error& e) {
        ASSERT_EQ(e.failures.size(), 2U);
        EXPECT_EQ(e.failures[0].kind, ecs::command_kind::spawn);
        EXPECT_EQ(e.failures[1].kind, ecs::command_kind::set);
        EXPECT_EQ(e.failures[1].subject, made[0]);
        EXPECT_EQ(e.report.spawned(), 4U);
        EXPECT_NE(std::string(e.what()).find("two is too many"), std::string::npos);
    }
    EXPECT_EQ(world.get<health>(made[0]).points, 2);
    EXPECT_EQ(world.get<mana>(made[1]).points, 9);
}

TEST(Reentrancy, QueuedObserversAreToldAtTheEndOfAFlushInWhichSomethingThrew) {
    ecs::world world;
    int told = 0;
    world.observe<ecs::event::added, health>([&](ecs::entity) { ++told; }, {.queued = true});
    auto commands = world.commands();
    commands.spawn(health{1});
    commands.run([](ecs::world&) { throw std::runtime_error("no"); });
    EXPECT_THROW(world.flush(), ecs::flush_error);
    EXPECT_EQ(told, 1);
}

TEST(Reentrancy, QueuedObserverThatThrowsIsAFailureOfTheFlushAndTheReportIsThere) {
    ecs::world world;
    world.observe<ecs::event::added, health>([](ecs::entity) { throw std::runtime_error("told too late"); },
                                             {.queued = true});
    world.commands().spawn(health{1});
    try {
        world.flush();
        FAIL();
    } catch (const ecs::flush_error& e) {
        ASSERT_EQ(e.failures.size(), 1U);
        EXPECT_EQ(e.failures[0].kind, ecs::command_kind::dispatch);
        EXPECT_EQ(e.report.spawned(), 1U);
        EXPECT_NE(std::string(e.what()).find("dispatch: told too late"), std::string::npos) << e.what();
    }
}

// In a schedule.

TEST(Reentrancy, SystemsThatDoNotTakeTheWorldCannotFlush) {
    ecs::world world;
    const auto e = world.spawn(health{1});
    ecs::schedule schedule;
    schedule.add("flushes", [&](const health&) { world.flush(); });
    schedule.add("records", [&](ecs::entity at, const health&, ecs::commands& c) { c.add<marked>(at); });
    try {
        schedule.run(world, 1);
        FAIL();
    } catch (const ecs::schedule_error& error) {
        ASSERT_EQ(error.failures.size(), 1U);
        EXPECT_EQ(error.failures[0].name, "flushes");
    }
    EXPECT_TRUE(world.has<marked>(e));
}

TEST(Reentrancy, SystemThatTakesTheWorldMayFlush) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("records", [](ecs::commands& c) { c.spawn(health{1}); });
    schedule.add("flushes", [](ecs::world& w) {
        EXPECT_EQ(w.flush().spawned(), 1U);
        EXPECT_EQ(count_of_health(w), 1U);
    });
    schedule.add("records more", [](ecs::commands& c) { c.spawn(health{1}); }, {.after = {"flushes"}});
    schedule.run(world, 2);
    EXPECT_EQ(count_of_health(world), 2U);
}

TEST(Reentrancy, ScheduleIsNeitherRunNorChangedByItsOwnSystems) {
    ecs::world world;
    ecs::schedule schedule;
    int refused = 0;
    schedule.add("again", [&](ecs::world& w) {
        refused += text_of<ecs::schedule_setup_error>([&] { schedule.run(w, 1); }) ==
                   "the schedule is running: its systems can neither run nor change it";
        refused +=
            text_of<ecs::schedule_setup_error>([&] { schedule.add("more", [] {}); }) != "nothing was thrown";
        refused +=
            text_of<ecs::schedule_setup_error>([&] { schedule.phase("more"); }) != "nothing was thrown";
        refused +=
            text_of<ecs::schedule_setup_error>([&] { schedule.remove("again"); }) != "nothing was thrown";
    });
    schedule.run(world, 1);
    EXPECT_EQ(refused, 4);
    schedule.run(world, 2);
    EXPECT_EQ(refused, 8);
    schedule.add("more", [] {});
    EXPECT_NO_THROW(schedule.run(world, 1));
}

struct unknown {
    int value = 0;
};

/// Calls use(schedule, world) where a system asks for a component that the world does not know. An observer
/// of components is refused to add to the schedule.
template <class F> void expect_refusal_to_observers_in(F use) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("count", [](const unknown&) {});
    int told = 0;
    world.observe<ecs::event::added, ecs::component_info>([&](ecs::entity) {
        ++told;
        EXPECT_EQ(text_of<ecs::schedule_setup_error>([&] { schedule.add("late", [] {}); }),
                  "the schedule is running: its systems can neither run nor change it");
    });
    use(schedule, world);
    EXPECT_GT(told, 0);
    EXPECT_NO_THROW(schedule.add("later", [] {}));
}

TEST(Reentrancy, ScheduleThatLooksUpItsTypesIsNotChangedByObservers) {
    using ecs::schedule, ecs::world;
    expect_refusal_to_observers_in([](schedule& s, world& w) { s.run(w, 1); });
    expect_refusal_to_observers_in([](schedule& s, world& w) { EXPECT_FALSE(s.dot(w).empty()); });
    expect_refusal_to_observers_in([](schedule& s, world& w) { EXPECT_FALSE(s.svg(w).empty()); });
    expect_refusal_to_observers_in([](schedule& s, world& w) { EXPECT_EQ(s.phases(w).size(), 1U); });
    expect_refusal_to_observers_in([](schedule& s, world& w) { EXPECT_TRUE(s.ambiguities(w).empty()); });
}

TEST(Reentrancy, ObserverOfOneOfManyMaySpawnTheSameAfterTablesHaveChanged) {
    ecs::world world;
    bool first = true;
    world.observe<ecs::event::added, health>([&](ecs::entity e) {
        if (!std::exchange(first, false)) return;
        world.disable<health>(e);
        world.spawn(health{2});
    });
    EXPECT_EQ(world.spawn_n(3, health{1}).size(), 3U);
    EXPECT_EQ(count_of_health(world), 3U) << "of four, one is disabled";
}

struct shielded {
    static constexpr auto properties = ecs::properties(ecs::with_type<marked>);
};

TEST(Reentrancy, ObserverMayEndOneOfManyBeforeOthersGetWhatComesAlong) {
    ecs::world world;
    bool first = true;
    world.observe<ecs::event::added, shielded>([&](ecs::entity e) {
        if (std::exchange(first, false)) world.despawn(e);
    });
    const std::vector<ecs::entity> all = world.spawn_n(3, shielded{});
    EXPECT_EQ(world.query().with<marked>().count(), 2U);
    EXPECT_TRUE(!world.alive(all[0]) && world.alive(all[1]) && world.alive(all[2]));
}

TEST(Reentrancy, ObserverMayEndWhatAFlushSpawnsBeforeItGetsWhatComesAlong) {
    ecs::world world;
    world.observe<ecs::event::added, shielded>([&](ecs::entity e) { world.despawn(e); });
    const ecs::entity e = world.commands().spawn(shielded{});
    EXPECT_EQ(world.flush().spawned(), 1U);
    EXPECT_FALSE(world.alive(e));
}

TEST(Reentrancy, ObserverMayRemoveWhatComesAlongInAFlush) {
    ecs::world world;
    world.observe<ecs::event::added, shielded>([&](ecs::entity e) { world.remove<marked>(e); });
    const ecs::entity e = world.commands().spawn(shielded{});
    world.flush();
    EXPECT_TRUE(world.has<shielded>(e));
    EXPECT_FALSE(world.has<marked>(e));
}

TEST(Reentrancy, SystemThatTakesTheWorldMayRunAnotherSchedule) {
    ecs::world world;
    ecs::schedule inner, outer;
    inner.add("spawn", [](ecs::commands& c) { c.spawn(health{1}); });
    outer.add("run", [&](ecs::world& w) { inner.run(w, 2); });
    outer.run(world, 2);
    EXPECT_EQ(count_of_health(world), 1U);
}

TEST(Reentrancy, ScheduleIsRefusedInALoopAnObserverAndASystemBeforeAnythingHasRun) {
    ecs::world world;
    world.spawn(health{1});
    int ran = 0;
    ecs::schedule inner;
    inner.add("count", [&] { ++ran; });
    world.each([&](const health&) { EXPECT_THROW(inner.run(world, 1), ecs::iteration_error); });
    ecs::schedule outer;
    outer.add("run", [&](const health&) { EXPECT_THROW(inner.run(world, 1), ecs::iteration_error); });
    outer.run(world, 1);
    world.observe<ecs::event::added, mana>([&] { EXPECT_THROW(inner.run(world, 1), ecs::iteration_error); });
    world.spawn(mana{});
    EXPECT_EQ(ran, 0);
    inner.run(world, 1);
    EXPECT_EQ(ran, 1);
}

} // namespace
} // namespace reentrancy_test
