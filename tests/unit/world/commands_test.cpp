// SPDX-License-Identifier: MIT
// What is recorded by any thread happens at the flush, in an order that can be relied on.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

#include "inspected_world.hpp"

namespace commands_test {
namespace {

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};
struct health {
    int points;
};
struct frozen {};
struct owner {
    std::unique_ptr<int> value;
};

TEST(Commands, EveryKindHasATextOfItsOwn) {
    std::set<std::string_view> texts{"unknown"};
    for (unsigned kind = 0; kind <= unsigned(ecs::command_kind::dispatch); ++kind)
        EXPECT_TRUE(texts.insert(to_string(ecs::command_kind(kind))).second) << kind;
}

TEST(Commands, SpawnedEntityIsAliveAtOnceAndFoundAfterTheFlush) {
    ecs::world world;
    auto commands = world.commands();
    const auto e = commands.spawn(position{1, 2}, velocity{3, 4});
    EXPECT_TRUE(world.alive(e));
    EXPECT_EQ(world.try_get<position>(e), nullptr);
    EXPECT_EQ(world.flush().spawned(), 1U);
    EXPECT_EQ(world.get<position>(e).y, 2);
    EXPECT_EQ(world.get<velocity>(e).x, 3);
    EXPECT_EQ((world.query<position, velocity>().count()), 1U);
}

/// One more than a chunk of the table has room for: the flush takes the full chunk over as it is.
TEST(Commands, EntitiesOfAFullChunkAreFoundWhateverHappensToThemAndBesideThem) {
    ecs::world world;
    auto commands = world.commands();
    std::vector<ecs::entity> all;
    for (int n = 0; n < 20'000; ++n) all.push_back(commands.spawn(position{static_cast<float>(n), 0}));
    world.flush();
    for (int n = 0; n < 10; ++n) {
        all.push_back(world.spawn());
        world.set(all.back(), position{static_cast<float>(all.size() - 1), 0});
    }
    for (std::size_t n = 5; n < all.size(); n += 100) world.add<frozen>(all[n]);
    for (std::size_t n = 6; n < all.size(); n += 100) world.despawn(all[n]);
    for (std::size_t n = 7; n < all.size(); n += 100) world.set(all[n], velocity{});
    for (std::size_t n = 5; n < all.size(); n += 200) world.remove<frozen>(all[n]);
    for (std::size_t n = 0; n < all.size(); ++n) {
        EXPECT_EQ(world.alive(all[n]), n % 100 != 6);
        if (!world.alive(all[n])) continue;
        ASSERT_TRUE(world.has<position>(all[n])) << n;
        EXPECT_EQ(world.get<position>(all[n]).x, static_cast<float>(n));
    }
    ecs::world again;
    again.component<position>(), again.component<velocity>(), again.component<frozen>();
    ecs::load(again, ecs::save(world));
    EXPECT_EQ(again.query<position>().count(), world.query<position>().count());
}

TEST(Commands, WhoIsAskedForValuesBeforeTheFlushSaysThatTheyComeWithIt) {
    ecs::world world;
    const auto e = world.commands().spawn(position{1, 2});
    const std::string name = std::to_string(e.index()) + 'v' + std::to_string(e.generation());
    const std::string waits = name + " is live, and gets its components with the next flush";
    EXPECT_EQ(world.explain(e), waits);
    const auto refusal_of = [](auto access) -> std::string {
        try {
            access();
            return "none";
        } catch (const ecs::access_error& error) {
            return error.what();
        }
    };
    EXPECT_EQ(refusal_of([&] { world.set_name(e, "one"); }),
              "entity " + waits + ": no name can be read from it");
    EXPECT_TRUE(
        refusal_of([&] { std::ignore = world.get<position>(e); }).starts_with("entity " + waits + ": no "));
    EXPECT_TRUE(to_string(world.add<frozen>(e)).ends_with("or gets its components with the next flush"));
    world.flush();
    EXPECT_EQ(world.explain(e), name + " is live");
}

TEST(Commands, CommandsOfOneObjectHappenInOrder) {
    ecs::world world;
    const auto e = world.spawn(health{1});
    auto commands = world.commands();
    commands.set(e, health{2});
    commands.remove<health>(e);
    commands.set(e, position{1, 1});
    commands.set(e, position{2, 2});
    commands.add<frozen>(e);
    world.flush();
    EXPECT_FALSE(world.has<health>(e));
    EXPECT_EQ(world.get<position>(e).x, 2);
    EXPECT_TRUE(world.has<frozen>(e));
}

TEST(Commands, ObjectsAreFlushedInTheOrderOfTheirKeys) {
    ecs::world world;
    const auto e = world.spawn(health{0});
    auto none = world.commands();
    auto second = world.commands(2);
    auto first = world.commands(1);
    none.run(
        e, [](ecs::world& w, ecs::entity x) { w.get<health>(x).points = w.get<health>(x).points * 10 + 3; });
    second.run(
        e, [](ecs::world& w, ecs::entity x) { w.get<health>(x).points = w.get<health>(x).points * 10 + 2; });
    first.run(
        e, [](ecs::world& w, ecs::entity x) { w.get<health>(x).points = w.get<health>(x).points * 10 + 1; });
    world.flush();
    EXPECT_EQ(world.get<health>(e).points, 123);
}

TEST(Commands, CommandsToTheDeadAreDroppedAndSayWhy) {
    ecs::world world;
    const auto dying = world.spawn(health{1});
    const auto other = world.spawn(health{2});
    auto commands = world.commands();
    commands.despawn(dying);
    commands.set(dying, health{3});
    commands.add(other, ecs::pair(ecs::child_of, dying));
    commands.set(other, health{4});
    const auto report = world.flush();
    EXPECT_EQ(report.applied(), 2U);
    EXPECT_EQ(report.dropped(), 2U);
    EXPECT_EQ(report.dropped(ecs::add_result::not_alive), 1U);
    ASSERT_EQ(report.drops().size(), 2U);
    EXPECT_EQ(report.drops()[0].kind, ecs::command_kind::set);
    EXPECT_EQ(report.drops()[0].subject, dying);
    EXPECT_EQ(report.drops()[0].reason, ecs::add_result::not_alive);
    EXPECT_EQ(report.drops()[1].reason, ecs::add_result::not_alive_id);
    EXPECT_EQ(world.get<health>(other).points, 4);
}

TEST(Commands, ObjectThatEndsBeforeTheFlushHandsItsRecordingOver) {
    ecs::world world;
    ecs::entity e;
    {
        auto commands = world.commands();
        e = commands.spawn(owner{std::make_unique<int>(7)});
        commands.add<frozen>(e);
    }
    world.flush();
    EXPECT_EQ(*world.get<owner>(e).value, 7);
    EXPECT_TRUE(world.has<frozen>(e));
}

TEST(Commands, ManySetsOfOneComponentDoWhatTheyDoOneByOne) {
    ecs::world world;
    std::vector<ecs::entity> all;
    for (int i = 0; i < 3000; ++i)
        all.push_back(i % 5 == 0 ? world.spawn(health{i}, frozen{}) : world.spawn(health{i}));
    auto commands = world.commands();
    for (int round = 0; round < 2; ++round) { // Some twice, and then they have it already.
        for (std::size_t i = 0; i < all.size(); i += 3) {
            commands.set(all[i], owner{std::make_unique<int>(round * 10'000 + int(i))});
            if (i % 30 == 0) commands.set(all[i], owner{std::make_unique<int>(-int(i))});
        }
        for (std::size_t i = 1; i < all.size(); i += 300) commands.despawn(all[i]);
    }
    commands.set(all[1], owner{std::make_unique<int>(1)});
    const auto report = world.flush();
    EXPECT_EQ(report.applied(), 2 * (1000U + 100U) + 10U);
    EXPECT_EQ(report.dropped(ecs::add_result::not_alive), 11U);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const owner* const got = world.try_get<owner>(all[i]);
        ASSERT_EQ(got != nullptr, i % 3 == 0);
        if (got) ASSERT_EQ(*got->value, i % 30 == 0 ? -int(i) : 10'000 + int(i));
        if (world.alive(all[i])) ASSERT_EQ(world.get<health>(all[i]).points, int(i));
    }
    EXPECT_EQ(world.query<health>().count(), 2990U);
}

TEST(Commands, ValuesOfManySetsEnd) {
    const auto life = std::make_shared<int>(1);
    struct tied {
        std::shared_ptr<int> to;
        explicit tied(std::shared_ptr<int> p) : to(std::move(p)) {}
        tied(tied&& other) noexcept : to(other.to) {} // NOLINT(performance-move-constructor-init): both end.
        tied& operator=(tied&& other) noexcept {
            to = other.to;
            return *this;
        }
    };
    ecs::world world;
    const auto all = world.spawn_n(500, health{1});
    auto commands = world.commands();
    for (const ecs::entity e : all) commands.set(e, tied(life));
    world.flush();
    EXPECT_EQ(life.use_count(), 501);
}

TEST(Commands, MoveOnlyValuesTravel) {
    ecs::world world;
    const auto e = world.spawn();
    auto commands = world.commands();
    commands.set(e, owner{std::make_unique<int>(7)});
    commands.set(e, owner{std::make_unique<int>(8)});
    world.flush();
    EXPECT_EQ(*world.get<owner>(e).value, 8);
}

TEST(Commands, RecordingsThatAreNeverFlushedEndTheirValues) {
    const auto life = std::make_shared<int>(1);
    std::optional<ecs::world> world(std::in_place);
    const auto e = world->spawn();
    auto commands = world->commands();
    commands.set(e, life);
    commands.spawn(life, health{1});
    EXPECT_EQ(life.use_count(), 3);
    world.reset();
    EXPECT_EQ(life.use_count(), 1);
}

TEST(Commands, ObjectOutlivesItsWorldHarmlessly) {
    std::optional<ecs::world> world(std::in_place);
    auto commands = world->commands();
    const auto e = commands.spawn(health{1});
    world.reset();
    EXPECT_FALSE(commands.alive(e));
    commands.add<frozen>(e);
    EXPECT_THROW(commands.spawn(health{2}), ecs::world_ended_error);
    ecs::world next;
    EXPECT_FALSE(next.alive(e));
}

TEST(Commands, WhatIsRecordedBehindTheEndOfTheWorldEndsWithTheObject) {
    const auto life = std::make_shared<int>(1);
    std::optional<ecs::world> world(std::in_place);
    const auto e = world->spawn();
    auto other = world->commands();
    {
        auto commands = world->commands();
        world.reset();
        commands.set(e, life);
        commands.run([life](ecs::world&) {});
        EXPECT_EQ(life.use_count(), 3);
        other.set(e, life);
    }
    EXPECT_EQ(life.use_count(), 2);
}

TEST(Commands, UnusedIndicesGoBackWhenTheObjectEnds) {
    ecs::world world;
    const auto use_one = [&] {
        auto commands = world.commands();
        commands.despawn(commands.spawn(health{1}));
        world.flush();
    };
    use_one();
    const std::size_t before = world.memory_bytes();
    for (int i = 0; i < 10'000; ++i) use_one();
    EXPECT_EQ(world.memory_bytes(), before);
}

TEST(Commands, SpawnTakesPairsAndNames) {
    ecs::world world;
    const auto parent = world.spawn();
    auto commands = world.commands();
    const auto child = commands.spawn("child", position{1, 2}, ecs::pair(ecs::child_of, parent));
    std::string text = "other";
    const auto other = commands.spawn(text, position{3, 4});
    world.flush();
    EXPECT_EQ(world.name_of(other), "other");
    EXPECT_TRUE(world.has(child, ecs::pair(ecs::child_of, parent)));
    EXPECT_EQ(world.name_of(child), "child");
    EXPECT_EQ(world.get<position>(child).x, 1);
}

TEST(Commands, SeveralComponentsAndWholeEntitiesAreCommandedAtOnce) {
    ecs::world world;
    const auto e = world.spawn(position{1, 2});
    auto commands = world.commands();
    commands.set(e, position{3, 4}, velocity{5, 6});
    commands.disable(e);
    world.flush();
    EXPECT_EQ(world.get<position>(e).x, 3);
    EXPECT_EQ(world.get<velocity>(e).x, 5);
    EXPECT_EQ(world.query<position>().count(), 0U);
    commands.enable(e);
    commands.remove<position, velocity>(e);
    world.flush();
    EXPECT_TRUE(world.ids(e).empty());
    commands.add<position, velocity>(e);
    world.flush();
    EXPECT_EQ((world.query<position, velocity>().count()), 1U);
}

struct pinned {
    pinned(int v, std::unique_ptr<int> o) : value(v), owned(std::move(o)) {}
    pinned(const pinned&) = delete;
    pinned& operator=(const pinned&) = delete;
    static constexpr ecs::storage kept_in = ecs::storage::sparse;

    int value;
    std::unique_ptr<int> owned;
};

TEST(Commands, ComponentIsConstructedAtTheFlushUnlessItIsThere) {
    ecs::world world;
    const auto e = world.spawn();
    const auto dead = world.spawn();
    world.despawn(dead);
    auto commands = world.commands();
    commands.emplace<pinned>(e, 1, std::make_unique<int>(2));
    commands.emplace<pinned>(e, 3, nullptr);
    commands.emplace<pinned>(dead, 4, std::make_unique<int>(5));
    EXPECT_FALSE(world.has<pinned>(e));
    const auto report = world.flush();
    EXPECT_EQ(world.get<pinned>(e).value, 1);
    EXPECT_EQ(*world.get<pinned>(e).owned, 2);
    EXPECT_EQ(report.applied(), 2U);
    EXPECT_EQ(report.dropped(ecs::add_result::not_alive), 1U);
}

TEST(Commands, ArgumentsOfAComponentThatIsNeverMadeEnd) {
    const auto counted = std::make_shared<int>();
    {
        ecs::world world;
        auto commands = world.commands();
        commands.emplace<std::shared_ptr<int>>(world.spawn(), counted);
        commands.patch<health>(world.spawn(), [counted](health&) {});
        commands.emit(world.spawn(), counted);
        EXPECT_EQ(counted.use_count(), 4);
    }
    EXPECT_EQ(counted.use_count(), 1);
}

TEST(Commands, ValuesArePatchedInTheOrderOfTheCommands) {
    ecs::world world;
    const auto e = world.spawn(health{1});
    const auto dying = world.spawn(health{1});
    const auto without = world.spawn();
    std::vector<int> told;
    world.observe<ecs::event::set, health>([&](const health& h) { told.push_back(h.points); });
    auto commands = world.commands();
    commands.set(e, health{2});
    commands.patch<health>(e, [step = std::make_unique<int>(10)](health& h) { h.points += *step; });
    commands.despawn(dying);
    commands.patch<health>(dying, [](health&) { FAIL() << "the entity has ended"; });
    commands.patch<health>(without, [](health&) { FAIL() << "there is no value"; });
    try {
        world.flush();
        FAIL() << "nothing was thrown";
    } catch (const ecs::flush_error& error) {
        ASSERT_EQ(error.failures.size(), 1U);
        EXPECT_EQ(error.failures[0].kind, ecs::command_kind::patch);
        EXPECT_EQ(error.failures[0].subject, without);
        EXPECT_THROW(std::rethrow_exception(error.failures[0].cause), ecs::access_error);
        EXPECT_EQ(error.report.dropped(ecs::add_result::not_alive), 1U);
        EXPECT_EQ(error.report.drops()[0].kind, ecs::command_kind::patch);
        EXPECT_NE(std::string_view(error.what()).find("the first, patch of entity"), std::string_view::npos);
    }
    EXPECT_EQ(world.get<health>(e).points, 12);
    EXPECT_EQ(told, (std::vector<int>{2, 12}));
}

TEST(Commands, ValuesOfPairsArePatched) {
    struct owes {
        int coins = 0;
    };
    ecs::world world;
    const auto a = world.spawn(), b = world.spawn(), without = world.spawn(), dying = world.spawn();
    world.set<owes>(dying, b, {1});
    std::vector<int> told;
    world.observe<ecs::event::set, ecs::pair_of<owes, ecs::wildcard>>(
        [&](const owes& o) { told.push_back(o.coins); });
    auto commands = world.commands();
    commands.set<owes>(a, b, owes{2});
    commands.patch<owes>(a, b, [step = std::make_unique<int>(10)](owes& o) { o.coins += *step; });
    commands.despawn(dying);
    commands.patch<owes>(dying, b, [](owes&) { FAIL() << "the entity has ended"; });
    commands.patch<owes>(without, b, [](owes&) { FAIL() << "there is no value"; });
    try {
        world.flush();
        FAIL() << "nothing was thrown";
    } catch (const ecs::flush_error& error) {
        ASSERT_EQ(error.failures.size(), 1U);
        EXPECT_EQ(error.failures[0].subject, without);
        EXPECT_THROW(std::rethrow_exception(error.failures[0].cause), ecs::access_error);
        EXPECT_EQ(error.report.dropped(ecs::add_result::not_alive), 1U);
    }
    EXPECT_EQ(world.get<owes>(a, b).coins, 12);
    EXPECT_EQ(told, (std::vector<int>{2, 12}));
}

TEST(Commands, SeveralValuesArePatchedTogetherAndPairsGoWhoeverTheirTargetIs) {
    struct knows {};
    ecs::world world;
    const auto e = world.spawn(health{1}, position{1, 2});
    const auto others = world.spawn_n(3);
    auto commands = world.commands();
    commands.patch<health, position>(e,
                                     [](health& h, position& p) { p.x += static_cast<float>(++h.points); });
    for (const auto other : others) commands.add<knows>(e, other);
    world.flush();
    EXPECT_EQ(world.get<health>(e).points, 2);
    EXPECT_EQ(world.get<position>(e).x, 3);
    EXPECT_EQ(world.targets<knows>(e).size(), 3U);
    commands.remove<knows>(e, ecs::any);
    world.flush();
    EXPECT_FALSE(world.has<knows>(e, ecs::any));
}

struct hit {
    static constexpr bool is_event = true;
    int damage;
};

TEST(Commands, EventsAreEmittedAtTheFlushAndTravel) {
    ecs::world world;
    const auto parent = world.spawn(frozen{});
    const auto child = world.spawn(frozen{});
    world.add(child, ecs::pair(ecs::child_of, parent));
    std::vector<std::pair<ecs::entity, int>> told;
    world.observe<hit, const frozen>(
        [&](ecs::entity e, const hit& h, const frozen&) { told.emplace_back(e, h.damage); });
    auto commands = world.commands();
    commands.emit(child, hit{1});
    commands.emit(child, hit{2}, ecs::propagate_to_parents);
    EXPECT_TRUE(told.empty());
    commands.despawn(child);
    commands.emit(child, hit{3});
    const auto report = world.flush();
    EXPECT_EQ(told, (std::vector<std::pair<ecs::entity, int>>{{child, 1}, {child, 2}, {parent, 2}}));
    EXPECT_EQ(report.dropped(ecs::add_result::not_alive), 1U);
    EXPECT_EQ(report.drops()[0].kind, ecs::command_kind::emit);
}

TEST(Commands, AreDroppedWhereTheirEntityIsBornBehindTheRunOfAnotherObject) {
    ecs::world world;
    auto first = world.commands(0);
    auto second = world.commands(1);
    second.run([](ecs::world&) {});
    const auto e = second.spawn(health{3});
    int called = 0;
    world.observe<hit>([&](const hit&) { ++called; });
    first.set_name(e, "early");
    first.patch<health>(e, [&](health&) { ++called; });
    first.run(e, [&](ecs::world&, ecs::entity) { ++called; });
    first.emit(e, hit{1});
    first.add<frozen>(e);
    EXPECT_EQ(world.flush().dropped(ecs::add_result::not_alive), 5U);
    EXPECT_EQ(called, 0);
    EXPECT_EQ(world.get<health>(e).points, 3);
    EXPECT_FALSE(world.lookup("early"));
}

TEST(Commands, NameIsGivenThoughAnObserverAsksForOneThatIsTaken) {
    ecs::world world;
    const auto e = world.spawn();
    world.spawn("taken");
    world.observe<ecs::event::added, ecs::name>([&](ecs::entity) { world.spawn("taken"); });
    auto commands = world.commands();
    commands.set_name(e, "mine");
    try {
        world.flush();
        FAIL() << "nothing was thrown";
    } catch (const ecs::flush_error& error) {
        ASSERT_EQ(error.failures.size(), 1U);
        EXPECT_EQ(error.failures[0].subject, e);
        EXPECT_THROW(std::rethrow_exception(error.failures[0].cause), ecs::name_error);
        EXPECT_EQ(error.report.dropped(), 0U);
    }
    EXPECT_EQ(world.lookup("mine"), e);
    commands.set_name(e, "taken");
    commands.set_name(e, "mine");
    const auto report = world.flush();
    EXPECT_EQ(report.dropped(ecs::add_result::name_taken), 1U);
    EXPECT_EQ(report.applied(), 1U) << "it has that name already";
}

TEST(Commands, ManyEntitiesEndAtOnce) {
    ecs::world world;
    const auto all = world.spawn_n(10, health{1});
    auto commands = world.commands();
    commands.despawn(std::span(all).first(7));
    EXPECT_EQ(world.query<health>().count(), 10U);
    EXPECT_EQ(world.flush().applied(), 7U);
    EXPECT_EQ(world.query<health>().entities(), (std::vector(all.rbegin(), all.rbegin() + 3)));
}

TEST(Commands, OtherObjectsMayCommandAnEntityBeforeItIsBorn) {
    ecs::world world;
    auto first = world.commands(1);
    auto second = world.commands(2);
    const auto e = second.spawn(position{1, 1});
    first.set(e, health{5});
    EXPECT_EQ(world.flush().dropped(), 0U);
    EXPECT_EQ(world.get<health>(e).points, 5);
}

TEST(Commands, WorldMayRelateToAnEntityBeforeItIsBorn) {
    ecs::world world;
    auto commands = world.commands();
    const auto parent = commands.spawn(position{1, 1});
    const auto child = world.spawn("Child");
    EXPECT_EQ(world.add(child, ecs::pair(ecs::child_of, parent)), ecs::add_result::added);
    world.flush();
    EXPECT_EQ(world.parent(child), parent);
    EXPECT_EQ(world.lookup(parent, "Child"), child);
    world.despawn(parent);
    EXPECT_FALSE(world.alive(child));
}

TEST(Commands, WorldIsUsableWhileObjectsAreOpen) {
    ecs::world world;
    auto commands = world.commands();
    const auto early = commands.spawn(health{1});
    const auto direct = world.spawn(health{2});
    EXPECT_NE(early, direct);
    world.despawn(direct);
    const auto later = commands.spawn(health{3});
    world.flush();
    EXPECT_TRUE(world.alive(early) && world.alive(later));
    EXPECT_FALSE(world.alive(direct));
}

TEST(Commands, StructureChangesInALoopByRecording) {
    ecs::world world;
    for (int i = 0; i < 100; ++i) world.spawn(health{i});
    auto commands = world.commands();
    world.each([&](ecs::entity e, const health& h) {
        EXPECT_THROW(world.despawn(e), ecs::iteration_error);
        EXPECT_THROW(world.flush(), ecs::iteration_error);
        if (h.points % 2) commands.despawn(e);
    });
    world.flush();
    EXPECT_EQ(world.query<health>().count(), 50U);
}

TEST(Commands, CallSeesWhatWasRecordedBeforeItAndNothingAfter) {
    ecs::world world;
    auto commands = world.commands();
    std::vector<std::size_t> seen;
    const auto count = [&](ecs::world& w) { seen.push_back(w.query<health>().count()); };
    commands.spawn(health{1});
    commands.run(count);
    commands.spawn(health{2});
    commands.spawn(health{3});
    commands.run(count);
    const auto last = commands.spawn(health{4});
    world.flush();
    EXPECT_EQ(seen, (std::vector<std::size_t>{1, 3}));
    EXPECT_EQ(world.get<health>(last).points, 4);
}

struct fragile {
    explicit fragile(int v) : value(v) {}
    // NOLINTNEXTLINE(performance-noexcept-move-constructor): it throws.
    fragile(fragile&& other) : value(other.value) {
        if (value == 13) throw std::runtime_error("unlucky");
    }
    fragile& operator=(fragile&&) = default;
    int value;
};

TEST(Commands, CommandThatThrowsIsReportedAndAllOthersAreApplied) {
    ecs::world world;
    const auto a = world.spawn(health{1});
    auto commands = world.commands();
    commands.run([](ecs::world&) { throw std::runtime_error("no"); });
    commands.run(a, [](ecs::world&, ecs::entity) { throw 1; });
    commands.set(a, health{2});
    try {
        world.flush();
        FAIL() << "nothing was thrown";
    } catch (const ecs::flush_error& error) {
        EXPECT_EQ(error.failures.size(), 2U);
        EXPECT_EQ(error.failures[1].subject, a);
        EXPECT_EQ(error.report.applied(), 1U);
        EXPECT_STREQ(error.what(), "2 commands threw at the flush; the first, run: no");
    }
    EXPECT_EQ(world.get<health>(a).points, 2);
    EXPECT_EQ(world.flush().applied(), 0U);
}

TEST(Commands, SpawnWhoseConstructorThrowsLeavesNothing) {
    ecs::world world;
    auto commands = world.commands();
    EXPECT_THROW(commands.spawn(health{1}, fragile(13)), std::runtime_error);
    const auto e = commands.spawn(health{2}, fragile(12));
    EXPECT_EQ(world.flush().spawned(), 1U);
    EXPECT_EQ(world.get<health>(e).points, 2);
}

TEST(Commands, CommandsRecordedDuringAFlushComeAtTheNext) {
    ecs::world world;
    auto commands = world.commands();
    commands.run([&](ecs::world&) { commands.spawn(health{1}); });
    world.flush();
    EXPECT_EQ(world.query<health>().count(), 0U);
    world.flush();
    EXPECT_EQ(world.query<health>().count(), 1U);
}

TEST(Commands, WhatIsSpawnedBehindTheDespawnOfATargetIsBornFirst) {
    ecs::world world;
    const auto target = world.spawn();
    world.add(world.spawn(), ecs::pair(ecs::child_of, target));
    auto first = world.commands(1);
    auto second = world.commands(2);
    second.despawn(target);
    const auto e = second.spawn(health{1});
    first.set(e, health{2});
    EXPECT_EQ(world.flush().dropped(), 0U);
    EXPECT_EQ(world.get<health>(e).points, 2);
}

TEST(Commands, ComponentThatEndedIsRegisteredAnewForLaterSpawns) {
    ecs::world world;
    world.spawn(health{1});
    auto commands = world.commands();
    commands.despawn(world.component<health>());
    const auto e = commands.spawn(health{2}, position{3, 4});
    world.flush();
    EXPECT_EQ(world.get<health>(e).points, 2);
    EXPECT_EQ(world.get<position>(e).x, 3);
}

TEST(Commands, ComponentThatEndsWhileAnotherIsRegisteredIsRegisteredAnewAtTheNextFlush) {
    struct first_of_two {
        int value;
    };
    struct second_of_two {
        int value;
    };
    ecs::world world;
    int registered = 0;
    auto observer =
        world.observe(ecs::event::added, world.component<ecs::component_info>(), [&](ecs::entity) {
            if (++registered == 2) world.despawn(world.component<first_of_two>());
        });
    auto commands = world.commands();
    const auto e = commands.spawn(first_of_two{7}, second_of_two{8});
    EXPECT_THROW(world.flush(), std::invalid_argument);
    EXPECT_EQ(world.flush().spawned(), 1U);
    const auto next = commands.spawn(first_of_two{9}, second_of_two{10});
    world.flush();
    EXPECT_EQ(world.get<first_of_two>(e).value, 7);
    EXPECT_EQ(world.get<second_of_two>(e).value, 8);
    EXPECT_EQ(world.get<first_of_two>(next).value, 9);
    EXPECT_EQ(world.get<second_of_two>(next).value, 10);
    registered = 0;
    ecs::world other;
    auto again = other.observe(ecs::event::added, other.component<ecs::component_info>(), [&](ecs::entity) {
        if (++registered == 2) other.despawn(other.component<first_of_two>());
    });
    EXPECT_THROW(std::ignore = other.spawn(first_of_two{7}, second_of_two{8}), std::invalid_argument);
    EXPECT_EQ(other.get<second_of_two>(other.spawn(first_of_two{7}, second_of_two{8})).value, 8);
}

TEST(Commands, EndOfNullKeepsNobodyFromBeingBornFirst) {
    ecs::world world;
    auto before = world.commands(1);
    auto after = world.commands(2);
    after.despawn(ecs::entity());
    const auto e = after.spawn();
    before.set(e, health{1});
    EXPECT_EQ(world.flush().applied(), 1U);
    EXPECT_EQ(world.get<health>(e).points, 1);
}

/// Where rows go is remembered from one flush to the next.
TEST(Commands, SpawnsOfTheSameComponentsGoWhereTheyBelongWhateverHasChangedMeanwhile) {
    ecs::world world;
    auto commands = world.commands();
    const auto spawned = [&] {
        const auto e = commands.spawn(position{1, 2}, health{3});
        EXPECT_EQ(world.flush().spawned(), 1U);
        EXPECT_EQ(world.get<position>(e).y, 2);
        EXPECT_EQ(world.get<health>(e).points, 3);
        return e;
    };
    const auto first = spawned();
    const auto then = world.snapshot();
    const auto comes_along = ecs::pair(ecs::with, world.component<frozen>());
    world.add(world.component<health>(), comes_along);
    EXPECT_TRUE(world.has<frozen>(spawned()));
    world.remove(world.component<health>(), comes_along);
    EXPECT_FALSE(world.has<frozen>(spawned()));
    int told = 0;
    auto observer = world.observe<ecs::event::added, health>([&](ecs::entity, health&) { ++told; });
    spawned();
    observer.end();
    spawned();
    EXPECT_EQ(told, 1);
    for (const auto e : world.query<position>().entities()) world.despawn(e);
    world.shrink();
    EXPECT_EQ((world.query<position, health>().count()), 0U);
    spawned();
    world.despawn(world.component<health>());
    spawned();
    EXPECT_EQ((world.query<position, health>().count()), 1U);
    world.restore(then);
    EXPECT_EQ((world.query<position, health>().entities()), std::vector{first});
    spawned();
    EXPECT_EQ((world.query<position, health>().count()), 2U);
}

// Many at once.

TEST(Commands, ManyAreSpawnedFromValuesSpansAndFunctions) {
    ecs::world world;
    auto commands = world.commands();
    const std::vector<position> places{{1, 0}, {2, 0}, {3, 0}};
    const auto made = commands.spawn_n(3, std::span(places), health{9}, [](std::size_t i) {
        return std::tuple(owner{std::make_unique<int>(int(i))}, velocity{float(i), 0});
    });
    for (const ecs::entity e : made) EXPECT_TRUE(world.alive(e));
    EXPECT_EQ(world.flush().spawned(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(world.get<position>(made[i]).x, float(i + 1));
        EXPECT_EQ(world.get<health>(made[i]).points, 9);
        EXPECT_EQ(*world.get<owner>(made[i]).value, int(i));
        EXPECT_EQ(world.get<velocity>(made[i]).x, float(i));
    }
    EXPECT_THROW(commands.spawn_n(2, std::span(places)), std::invalid_argument);
    EXPECT_EQ(world.flush().spawned(), 0U);
}

TEST(Commands, ManyWhoseSourceThrowsEndAtTheFlush) {
    ecs::world world;
    auto commands = world.commands();
    EXPECT_THROW(commands.spawn_n(5,
                                  [](std::size_t i) {
                                      if (i == 3) throw std::runtime_error("no fourth");
                                      return health{int(i)};
                                  }),
                 std::runtime_error);
    world.flush();
    EXPECT_EQ(world.query<health>().count(), 0U);
}

// Components that are kept outside tables.

struct sparse_number {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value;
};
struct flag {
    static constexpr auto kept_in = ecs::storage::bits;
};

TEST(Commands, ComponentsOutsideTablesAreRecordedLikeOthers) {
    ecs::world world;
    const auto there = world.spawn(health{1});
    auto commands = world.commands();
    const auto born = commands.spawn(health{2}, sparse_number{7}, flag{});
    const auto many = commands.spawn_n(4, flag{}, [](std::size_t i) { return sparse_number{int(i)}; });
    commands.set(there, sparse_number{5});
    commands.add<flag>(there);
    commands.set(born, sparse_number{8});
    commands.remove<flag>(born);
    commands.despawn(many[1]);
    EXPECT_EQ(world.flush().dropped(), 0U);
    EXPECT_EQ(world.get<sparse_number>(there).value, 5);
    EXPECT_TRUE(world.has<flag>(there));
    EXPECT_EQ(world.get<sparse_number>(born).value, 8);
    EXPECT_FALSE(world.has<flag>(born));
    EXPECT_EQ(world.get<sparse_number>(many[3]).value, 3);
    EXPECT_EQ((world.query<sparse_number, flag>().count()), 4U);
    commands.remove<sparse_number>(there);
    commands.set(many[1], sparse_number{1});
    EXPECT_EQ(world.flush().dropped(ecs::add_result::not_alive), 1U);
    EXPECT_FALSE(world.has<sparse_number>(there));
}

TEST(Commands, FunctionThatThrowsKeepsWhatItHadDone) {
    ecs::world world;
    auto commands = world.commands();
    const auto before = commands.spawn(health{1});
    ecs::entity within;
    commands.run(before, [&](ecs::world& w, ecs::entity e) {
        w.set(e, health{2});
        within = w.spawn(health{3});
        throw std::runtime_error("half-way");
    });
    const auto after = commands.spawn(health{4});
    EXPECT_THROW(world.flush(), ecs::flush_error);
    EXPECT_EQ(world.get<health>(before).points, 2);
    EXPECT_EQ(world.get<health>(within).points, 3);
    EXPECT_EQ(world.get<health>(after).points, 4);
}

struct eats {
    int portions;
};

TEST(Commands, RelationsAreRecordedWithWholeHandles) {
    ecs::world world;
    ecs::world elsewhere;
    const ecs::entity likes = world.spawn();
    const ecs::entity bob = world.spawn();
    const ecs::entity alice = world.spawn();
    auto commands = world.commands();
    const ecs::entity fresh = commands.spawn(health{1});
    commands.add(bob, likes, alice);
    commands.add<owner>(bob, fresh);
    commands.set<eats>(bob, alice, {3});
    commands.add(alice, likes, elsewhere.spawn());
    const ecs::flush_report report = world.flush();
    EXPECT_TRUE(world.has(bob, likes, alice));
    EXPECT_TRUE(world.has<owner>(bob, fresh));
    EXPECT_EQ(world.get<eats>(bob, alice).portions, 3);
    EXPECT_EQ(report.dropped(), 1U) << "a target of another world is nobody here";
    EXPECT_TRUE(world.targets(alice, likes).empty());

    commands.remove(bob, likes, alice);
    commands.remove<owner>(bob, fresh);
    world.flush();
    EXPECT_FALSE(world.has(bob, likes, alice));
    EXPECT_FALSE(world.has<owner>(bob, fresh));
}

TEST(Commands, KeysThatCannotBeAreRefusedBeforeAnythingIsMade) {
    ecs::world world;
    EXPECT_THROW(world.make_deterministic(0xFFFF'FFFF), std::length_error);
    world.commands(7).spawn(health{1});
    EXPECT_EQ(world.flush().spawned(), 1U);
}

TEST(Commands, WhoHasRecordedIsFoundAmongManyWhoAreIdle) {
    ecs::world world;
    {
        std::vector<ecs::commands> many;
        for (int i = 0; i < 300; ++i) many.push_back(world.commands());
        for (std::size_t i = 0; i < many.size(); i += 7) many[i].spawn(health{static_cast<int>(i)});
    }
    EXPECT_EQ(world.flush().spawned(), 43U);
    std::vector<ecs::commands> again;
    for (int i = 0; i < 300; ++i) again.push_back(world.commands());
    again[271].spawn(health{1});
    EXPECT_EQ(world.flush().spawned(), 1U);
    EXPECT_EQ(world.flush().spawned(), 0U);
    again[270].spawn(health{1});
    again.clear();
    EXPECT_EQ(world.flush().spawned(), 1U);
}

TEST(Commands, WhenEveryIndexIsTakenSpawnThrowsAndTheRestGoesOn) {
    ecs::world world;
    world.make_deterministic(1'048'570); // Leaves one block to all who have no key.
    auto commands = world.commands();
    std::vector<ecs::entity> made;
    try {
        for (int i = 0; i < 100'000; ++i) made.push_back(commands.spawn(health{i}));
        FAIL() << "there is no end of indices";
    } catch (const std::length_error& error) {
        EXPECT_STREQ(error.what(), "every index of the space, 512 to 4294963199, is taken");
    }
    commands.set(made.front(), health{-1});
    EXPECT_EQ(world.flush().spawned(), made.size());
    EXPECT_EQ(world.get<health>(made.front()).points, -1);
    EXPECT_EQ(world.get<health>(made.back()).points, int(made.size()) - 1);
}

// Whole chunks go over; so do the rows that fill none, and rows laid out in another order than the world's.

template <class First, class Second> void spawn_many_and_check(int count, bool world_has_rows) {
    ecs::world world;
    world.component<velocity>();
    world.component<owner>();
    world.component<position>();
    if (world_has_rows) world.spawn(position{-1, 0}, owner{std::make_unique<int>(-1)});
    for (int round = 0; round < 2; ++round) {
        auto commands = world.commands();
        std::vector<ecs::entity> made;
        for (int i = 0; i < count; ++i) {
            if constexpr (std::is_same_v<First, position>)
                made.push_back(commands.spawn(position{float(i), 1}, owner{std::make_unique<int>(i)}));
            else
                made.push_back(commands.spawn(owner{std::make_unique<int>(i)}, position{float(i), 1}));
        }
        world.flush();
        for (int i = 0; i < count; ++i) {
            ASSERT_EQ(*world.get<owner>(made[std::size_t(i)]).value, i);
            ASSERT_EQ(world.get<position>(made[std::size_t(i)]).x, float(i));
        }
    }
    std::size_t visited = 0;
    world.each([&](ecs::entity e, const owner&, const position&) {
        EXPECT_TRUE(world.alive(e));
        ++visited;
    });
    EXPECT_EQ(visited, std::size_t(2 * count) + world_has_rows);
}

TEST(Commands, WholeChunksAndRestsBecomeRowsOfTheWorld) {
    for (const int count : {1, 7, 100, 2730, 2731, 6000, 20000}) {
        spawn_many_and_check<position, owner>(count, false);
        spawn_many_and_check<position, owner>(count, true);
        spawn_many_and_check<owner, position>(count, true);
    }
}

struct traveller {
    explicit traveller(int v) : value(v) {}
    traveller(traveller&& other) noexcept : value(other.value) { ++moves; }
    traveller& operator=(traveller&&) = default;
    ~traveller() {} // NOLINT(modernize-use-equals-default): an end that is to be called.
    int value;
    static inline std::size_t moves = 0;
};

TEST(Commands, FullChunksGoOverWithoutAValueBeingMovedInAnyOrderOfComponents) {
    constexpr int count = 20'000;
    const auto moves_of_flush = [](auto spawn) {
        ecs::world world;
        auto commands = world.commands();
        std::vector<ecs::entity> made;
        for (int i = 0; i < count; ++i) made.push_back(spawn(commands, i));
        const std::size_t before = traveller::moves;
        world.flush();
        for (int i = 0; i < count; ++i) {
            EXPECT_EQ(world.get<traveller>(made[std::size_t(i)]).value, i);
            EXPECT_EQ(world.get<health>(made[std::size_t(i)]).points, -i);
        }
        return traveller::moves - before;
    };
    constexpr std::size_t rows_of_a_chunk = 8192;
    EXPECT_LT(moves_of_flush([](auto& c, int i) { return c.spawn(traveller(i), health{-i}); }),
              rows_of_a_chunk);
    EXPECT_LT(moves_of_flush([](auto& c, int i) { return c.spawn(health{-i}, traveller(i)); }),
              rows_of_a_chunk);
}

// Runs of rows: spawn_n fills the rest of a chunk at once.

TEST(Commands, RunThatThrowsIsTakenBackAndLeavesNothingBehind) {
    const auto life = std::make_shared<int>(1);
    ecs::world world;
    auto commands = world.commands();
    const auto kept = commands.spawn(life, health{7});
    const auto spawn_until = [&](std::size_t fatal) {
        return commands.spawn_n(20'000, [&, fatal](std::size_t i) {
            if (i == fatal) throw std::runtime_error("enough");
            return std::tuple(life, health{int(i)});
        });
    };
    for (const std::size_t fatal : {0U, 3U, 7999U, 18'000U})
        EXPECT_THROW(spawn_until(fatal), std::runtime_error);
    for (int i = 0; i < 1000; ++i) EXPECT_THROW(spawn_until(500), std::runtime_error);
    const auto made = spawn_until(20'000);
    for (const ecs::entity e : made) ASSERT_LT(e.index() - kept.index(), 40'000U); // None was lost.
    world.flush();
    EXPECT_EQ(world.query<health>().count(), 20'001U);
    EXPECT_EQ(life.use_count(), 20'002);
    EXPECT_EQ(world.get<health>(kept).points, 7);
    for (std::size_t i = 0; i < made.size(); ++i) ASSERT_EQ(world.get<health>(made[i]).points, int(i));
}

TEST(Commands, SourceMaySpawnThroughTheObjectThatAsksIt) {
    ecs::world world;
    auto commands = world.commands();
    std::vector<ecs::entity> within;
    const auto made = commands.spawn_n(20'000, [&](std::size_t i) {
        if (i % 3 == 0) within.push_back(commands.spawn(health{-int(i)}));
        return health{int(i)};
    });
    EXPECT_EQ(world.flush().spawned(), made.size() + within.size());
    EXPECT_EQ(world.query<health>().count(), made.size() + within.size());
    for (std::size_t i = 0; i < made.size(); ++i) ASSERT_EQ(world.get<health>(made[i]).points, int(i));
    for (std::size_t i = 0; i < within.size(); ++i)
        ASSERT_EQ(world.get<health>(within[i]).points, -3 * int(i));
}

// Chunks have a number before they are in the world.

struct bulky {
    std::array<std::byte, 45'000> content; ///< So that each has a chunk of its own.
};

TEST(Commands, MoreChunksThanThereAreNumbersForGoOverAllTheSame) {
    ecs::world world;
    constexpr std::size_t count = 1200;
    for (int round = 0; round < 2; ++round) {
        std::vector<ecs::entity> made;
        {
            auto commands = world.commands();
            for (std::size_t i = 0; i < count; ++i)
                made.push_back(commands.spawn(bulky{{std::byte(i % 251)}}));
            for (const ecs::entity e : made) {
                ASSERT_TRUE(world.alive(e));
                ASSERT_EQ(world.try_get<bulky>(e), nullptr);
            }
        }
        world.flush();
        for (std::size_t i = 0; i < count; ++i)
            ASSERT_EQ(world.get<bulky>(made[i]).content[0], std::byte(i % 251));
        world.despawn(made);
    }
}

TEST(Commands, NumbersOfChunksAreUsedAgain) {
    inspected_world world;
    for (int round = 0; round < 4000; ++round) {
        auto commands = world.commands();
        commands.spawn(health{1});
        commands.run([](ecs::world&) {});
        commands.spawn(health{2}, position{1, 2});
        commands.despawn(commands.spawn(velocity{}));
        world.flush();
        if (round % 2) world.clear();
    }
    const auto first_of_a_table = world.spawn(position{}, velocity{}, frozen{});
    EXPECT_LT(world.rows().locate(first_of_a_table).block->number(), 2048U);
}

struct reluctant {
    explicit reluctant(int v) : value(v) {}
    reluctant(const reluctant& other) : value(other.value) {
        if (value == 13) throw std::runtime_error("unlucky");
    }
    reluctant(reluctant&&) noexcept = default;
    reluctant& operator=(reluctant&&) noexcept = default;
    int value;
};

TEST(Commands, ChunkBegunInVainIsForgottenWhenTheWorldGoesBack) {
    ecs::world world;
    const auto old = world.spawn(position{1, 2});
    const ecs::snapshot then = world.snapshot();
    auto commands = world.commands();
    const reluctant unlucky(13);
    EXPECT_THROW(commands.spawn(health{1}, unlucky), std::runtime_error);
    world.restore(then);
    auto others = world.commands(); // They begin as many chunks as there are numbers.
    const auto made = others.spawn_n(1100, [](std::size_t i) { return bulky{{std::byte(i % 251)}}; });
    const auto born = commands.spawn(health{2}, reluctant(12));
    EXPECT_EQ(world.try_get<health>(born), nullptr);
    world.flush();
    EXPECT_EQ(world.get<health>(born).points, 2);
    EXPECT_EQ(world.get<position>(old).y, 2);
    for (std::size_t i = 0; i < made.size(); ++i)
        ASSERT_EQ(world.get<bulky>(made[i]).content[0], std::byte(i % 251));
}

TEST(Commands, WorldThatTakesOverANumberSpawnsWithTheIndicesOfTheLast) {
    const auto largest_index = [] {
        ecs::world world;
        auto commands = world.commands();
        std::uint64_t largest = 0;
        for (int i = 0; i < 50'000; ++i)
            largest = std::max<std::uint64_t>(largest, commands.spawn(health{i}).index());
        world.flush();
        return largest;
    };
    const auto first = largest_index();
    for (int i = 0; i < 3; ++i) EXPECT_LE(largest_index(), first);
}

TEST(Commands, ManyThreadsRecordAtOnce) {
    ecs::world world;
    constexpr int threads = 4, each = 20'000;
    std::vector<std::vector<ecs::entity>> made(threads);
    {
        std::vector<std::jthread> workers;
        for (std::size_t t = 0; t < threads; ++t)
            workers.emplace_back([&, t] {
                auto commands = world.commands();
                for (int i = 0; i < each; ++i) {
                    made[t].push_back(commands.spawn(health{i}));
                    if (i % 2) commands.set(made[t].back(), position{1, 1});
                }
            });
        for (int i = 0; i < each; ++i) world.despawn(world.spawn(health{-1}));
    }
    world.flush();
    EXPECT_EQ(world.query<health>().count(), std::size_t(threads * each));
    for (const auto& mine : made)
        for (int i = 0; i < each; ++i) ASSERT_EQ(world.get<health>(mine[std::size_t(i)]).points, i);
}

TEST(Commands, ValuesAndBitsAreRecordedByIdentifier) {
    ecs::world world;
    const ecs::entity armour = world.component({.name = "armour", .size = 4});
    const ecs::entity a = world.spawn(health{1}), b = world.spawn();
    auto commands = world.commands();
    for (const int points : {7, 8}) commands.set(a, armour, &points, sizeof(points));
    const health more{5};
    commands.set(b, world.component<health>(), &more, sizeof(more));
    commands.disable(a, armour);
    commands.disable(b, world.component<health>());
    commands.enable(b, world.component<health>());
    world.flush();
    EXPECT_EQ(*static_cast<const int*>(world.try_get(a, armour)), 8);
    EXPECT_FALSE(world.is_enabled(a, armour));
    EXPECT_EQ(world.get<health>(b).points, 5);
    EXPECT_TRUE(world.is_enabled<health>(b));
    EXPECT_THROW(commands.set(a, armour, static_cast<const void*>(nullptr), 4), std::invalid_argument);
}

template <std::size_t Alignment> struct alignas(Alignment) wide {
    std::size_t number = 0;
};

/// More than the alignment of the memory in which they are recorded; recorded in turn, and one kind alone.
template <std::size_t Alignment> void set_wide_values() {
    ecs::world world;
    const std::vector<ecs::entity> all = world.spawn_n(400, health{1});
    auto commands = world.commands();
    for (std::size_t i = 0; i < all.size(); ++i) {
        commands.add<frozen>(all[i]);
        commands.set(all[i], wide<Alignment>{i});
    }
    EXPECT_EQ(world.flush().applied(), 800U);
    for (std::size_t i = 0; i < all.size(); ++i) commands.set(all[i], wide<Alignment>{i + 1});
    EXPECT_EQ(world.flush().applied(), 400U);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& value = world.get<wide<Alignment>>(all[i]);
        EXPECT_EQ(value.number, i + 1);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&value) % Alignment, 0U);
    }
}

TEST(Commands, ValuesOfAnyAlignmentAreRecorded) {
    set_wide_values<128>();
    set_wide_values<512>();
}

struct likes {};
struct cheese {};
struct counted_default {
    counted_default() : number(++made) {} // Not noexcept: it may throw.
    int number;
    static inline int made = 0;
};

TEST(Commands, ManyOfAPairAndOfADefaultThatMayThrowAreAdded) {
    ecs::world world;
    counted_default::made = 0;
    const std::vector<ecs::entity> all = world.spawn_n(20, health{1});
    auto commands = world.commands();
    for (const ecs::entity e : all) commands.add<ecs::pair_of<likes, cheese>>(e);
    for (const ecs::entity e : all) commands.add<counted_default>(e);
    EXPECT_EQ(world.flush().applied(), 40U);
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_TRUE(world.has<likes>(all[i], world.component<cheese>()));
        EXPECT_EQ(world.get<counted_default>(all[i]).number, static_cast<int>(i) + 1);
    }
    for (const ecs::entity e : all) commands.remove<ecs::pair_of<likes, cheese>>(e);
    for (const ecs::entity e : all) commands.remove<counted_default>(e);
    EXPECT_EQ(world.flush().applied(), 40U);
    EXPECT_EQ(world.query<counted_default>().count(), 0U);
    EXPECT_FALSE(world.has<likes>(all[7], ecs::any));
}

/// The second half meets an observer of one of the kinds, so that it cannot be made kind by kind.
TEST(Commands, RecordedInTurnHappenEntityAfterEntityWhenSomebodyIsTold) {
    ecs::world world;
    const std::vector<ecs::entity> all = world.spawn_n(50, health{1});
    const auto record = [&] {
        auto commands = world.commands();
        for (const ecs::entity e : all) {
            commands.set(e, position{3, 0});
            commands.add<frozen>(e);
            commands.set(e, velocity{4, 0});
        }
    };
    record();
    EXPECT_EQ(world.flush().applied(), 150U);
    for (const ecs::entity e : all) {
        EXPECT_EQ(world.get<position>(e).x + world.get<velocity>(e).x, 7);
        EXPECT_TRUE(world.has<frozen>(e));
        world.remove<position, frozen, velocity>(e);
    }
    std::size_t told = 0;
    world.observe<ecs::event::added, frozen>([&](ecs::entity e) {
        EXPECT_EQ(e, all[told++]);
        EXPECT_TRUE(world.has<position>(e));
        EXPECT_FALSE(world.has<velocity>(e));
        EXPECT_EQ(world.query<position>().count(), told);
    });
    record();
    EXPECT_EQ(world.flush().applied(), 150U);
    EXPECT_EQ(told, all.size());
}

TEST(Commands, BytesThatAreNoValueAreRefusedAtTheFlush) {
    ecs::world world;
    struct label {
        std::string text;
    };
    const ecs::entity a = world.spawn(label{"kept"});
    const std::int64_t wide = 3;
    const std::array<std::byte, sizeof(label)> bytes{};
    auto commands = world.commands();
    commands.set(a, world.component<health>(), &wide, sizeof(wide));
    commands.set(a, world.component<label>(), bytes.data(), bytes.size());
    commands.set(a, ecs::id(), &wide, sizeof(wide));
    const ecs::flush_report report = world.flush();
    EXPECT_EQ(report.dropped(), 3U);
    EXPECT_EQ(world.get<label>(a).text, "kept");
    EXPECT_FALSE(world.has<health>(a));
}

} // namespace
} // namespace commands_test
