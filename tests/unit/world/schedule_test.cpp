// SPDX-License-Identifier: MIT
// A schedule runs what may run side by side, and orders the rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

import ecs.world;

namespace schedule_test {
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
struct likes {};

constexpr auto move = [](position& p, const velocity& v) { p.x += v.x; };
constexpr auto heal = [](health& h) { ++h.points; };
constexpr auto bounce = [](const position& p, velocity& v) { v.x = p.x > 100 ? -v.x : v.x; };
constexpr auto look = [](ecs::entity, const position*) {};
constexpr auto mark = [](const frozen&, ecs::commands&) {};
constexpr auto everything = [](ecs::world&) {};
constexpr auto ask = [](ecs::query<const health>&) {};
void fall(position& p) { p.y -= 1; }

static_assert(ecs::parallel_safe<decltype(move), decltype(heal)>);
static_assert(ecs::parallel_safe<decltype(look), decltype(bounce), decltype(mark)>);
static_assert(!ecs::parallel_safe<decltype(move), decltype(bounce)>);
static_assert(!ecs::parallel_safe<decltype(move), decltype(look)>);
static_assert(!ecs::parallel_safe<decltype(move), decltype(&fall)>);
static_assert(!ecs::parallel_safe<decltype(ask), decltype(heal)>);
static_assert(!ecs::parallel_safe<decltype(ask), decltype(everything)>);
constexpr auto count_runs = [](const ecs::tick&) {};
constexpr auto announce = [](ecs::commands&) {};
static_assert(!ecs::parallel_safe<decltype(count_runs), decltype(everything)>);
static_assert(!ecs::parallel_safe<decltype(everything), decltype(announce)>);
static_assert(!ecs::parallel_safe<decltype(everything), decltype(everything)>);
static_assert(ecs::parallel_safe<decltype(count_runs), decltype(announce), decltype(bounce)>);
static_assert(ecs::conflicts<decltype(move), decltype(heal), decltype(bounce)>.size() == 1);
static_assert(ecs::conflicts<decltype(move), decltype(heal), decltype(bounce)>[0].second == 2);

static_assert(ecs::deterministic<decltype(move), decltype(heal), decltype(announce)>);
static_assert(ecs::deterministic<> && ecs::deterministic<decltype(everything)>);
static_assert(!ecs::deterministic<decltype(heal), decltype(move), decltype(bounce)>);
static_assert(!ecs::deterministic<decltype(announce), decltype(heal), decltype(mark)>);
static_assert(!ecs::deterministic<decltype(everything), decltype(announce)>);
constexpr auto inspect = [](const ecs::world&) {};
static_assert(ecs::deterministic<decltype(inspect), decltype(announce), decltype(count_runs)>);
static_assert(!ecs::deterministic<decltype(inspect), decltype(heal)>);

constexpr auto any_likes = [](ecs::query<ecs::pair_of<likes, ecs::wildcard>>&) {};
constexpr auto likes_health = [](ecs::query<const ecs::pair_of<health, likes>>&) {};
static_assert(ecs::parallel_safe<decltype(any_likes), decltype(likes_health)>);

TEST(Schedule, RunsSystemsInTheOrderTheirConflictsAsk) {
    for (const unsigned threads : {1U, 2U, 4U}) {
        ecs::world world;
        const auto e = world.spawn(position{0, 0}, velocity{60, 0}, health{0});
        ecs::schedule schedule;
        schedule.add("move", move).add("heal", heal).add("bounce", bounce).add("fall", fall);
        for (int i = 0; i < 3; ++i) schedule.run(world, threads);
        EXPECT_EQ(world.get<position>(e).x, 60);
        EXPECT_EQ(world.get<position>(e).y, -3);
        EXPECT_EQ(world.get<health>(e).points, 3);
    }
}

TEST(Schedule, SpawnsWhereOthersEndedBetweenRunsOfAFullWorld) {
    ecs::world world(ecs::id_space{.first = 1000, .last = 1099});
    const auto all = world.spawn_n(100, position{});
    int wanted = 0;
    ecs::schedule schedule;
    schedule.add("spawn", [&](ecs::commands& c) {
        for (int i = 0; i < wanted; ++i) std::ignore = c.spawn(health{});
    });
    schedule.run(world, 2);
    world.despawn(std::span<const ecs::entity>(all).first(50));
    wanted = 10;
    schedule.run(world, 2);
    EXPECT_EQ(world.query<const health>().count(), 10U);
}

TEST(Schedule, AskedOrderBeatsTheOrderOfAddition) {
    ecs::world world;
    std::vector<std::string> ran;
    ecs::schedule schedule;
    schedule.add("b", [&](ecs::world&) { ran.emplace_back("b"); }, {.after = {"a"}});
    schedule.add("a", [&](ecs::world&) { ran.emplace_back("a"); });
    schedule.add("first", [&](ecs::world&) { ran.emplace_back("first"); }, {.before = {"a", "b"}});
    schedule.run(world, 2);
    EXPECT_EQ(ran, (std::vector<std::string>{"first", "a", "b"}));
}

/// Systems that read and write components at random, each of which notes when it begins and ends.
class random_systems {
  public:
    explicit random_systems(unsigned seed) : random_(seed) {
        for (int system = 0; system < 14; ++system) add(system);
    }

    void run(unsigned threads) { schedule_.run(world_, threads); }

    /// Those of two that conflict and are not apart.
    [[nodiscard]] std::set<std::pair<std::size_t, std::size_t>> overlaps() const {
        std::set<std::pair<std::size_t, std::size_t>> found;
        for (std::size_t b = 1; b < all_.size(); ++b)
            for (std::size_t a = 0; a < b; ++a)
                if (conflict(all_[a], all_[b]) && !is_before(all_[a], all_[b]) &&
                    (!asks_for_order_ || !is_before(all_[b], all_[a])))
                    found.emplace(a, b);
        return found;
    }

  private:
    struct system {
        unsigned reads{}, writes{}; ///< A bit for each component.
        int begun = -1, ended = -1;
    };

    [[nodiscard]] static bool conflict(const system& a, const system& b) {
        return (a.writes & (b.reads | b.writes)) != 0 || (b.writes & a.reads) != 0;
    }
    [[nodiscard]] static bool is_before(const system& a, const system& b) {
        return a.ended >= 0 && a.ended < b.begun;
    }
    void add(int number) {
        system& made = all_.emplace_back();
        made.reads = random_() & random_() & 31U;
        made.writes = random_() & random_() & random_() & 31U;
        ecs::system_options options;
        for (unsigned c = 0; c < components_.size(); ++c) {
            if ((made.reads >> c & 1U) != 0) options.reads.emplace_back(components_[c]);
            if ((made.writes >> c & 1U) != 0) options.writes.emplace_back(components_[c]);
        }
        if (asks_for_order_ && number > 0 && random_() % 3 == 0)
            (random_() % 2 == 0 ? options.after : options.before) =
                std::to_string(random_() % static_cast<unsigned>(number));
        const auto note = [this, &made] {
            made.begun = clock_++;
            made.ended = clock_++;
        };
        schedule_.add(std::to_string(number), note, options);
    }

    std::mt19937 random_;
    bool asks_for_order_ = random_() % 2 == 0;
    ecs::world world_;
    std::vector<ecs::entity> components_ = world_.spawn_n(5);
    std::deque<system> all_;
    std::atomic<int> clock_{0};
    ecs::schedule schedule_;
};

// Without orders that are asked for, the one that was added first is first.
TEST(Schedule, SystemsThatConflictAreApartHoweverTheyAreOrdered) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        random_systems systems(seed);
        systems.run(seed % 2 == 0 ? 4 : 1);
        EXPECT_TRUE(systems.overlaps().empty()) << seed;
    }
}

TEST(Schedule, PhasesFollowEachOtherAndFlushBetween) {
    ecs::world world;
    std::size_t seen = 0;
    ecs::schedule schedule;
    schedule.phase("input").phase("update").phase("output");
    schedule.add("count", [&](ecs::query<const health>& q) { seen = q.count(); }, {.phase = "output"});
    schedule.add("spawn", [](ecs::commands& c) { c.spawn(health{1}); }, {.phase = "input"});
    schedule.run(world, 2);
    EXPECT_EQ(seen, 1U);
    schedule.run(world, 2);
    EXPECT_EQ(seen, 2U);
}

TEST(Schedule, SystemsThatAreCalledForEntitiesMayRecord) {
    ecs::world world;
    for (int i = 0; i < 10; ++i) world.spawn(health{i});
    ecs::schedule schedule;
    schedule.add("reap", [](ecs::entity e, ecs::commands& c, const health& h) {
        if (h.points < 5) c.despawn(e);
    });
    schedule.run(world, 2);
    EXPECT_EQ(world.query<health>().count(), 5U);
}

TEST(Schedule, ConditionsAndStepsDecideHowOften) {
    ecs::world world;
    bool wanted = false;
    int conditional = 0, stepped = 0;
    double step = 0;
    ecs::schedule schedule;
    schedule.add("if", [&](ecs::world&) { ++conditional; },
                 {.run_if = [&](const ecs::world&) { return wanted; }});
    schedule.add("step", [&](ecs::world&, const ecs::tick& t) { ++stepped, step = t.seconds; },
                 {.step = 0.25});
    schedule.run(world, 1, 0.125);
    EXPECT_EQ(stepped, 0);
    wanted = true;
    schedule.run(world, 1, 0.625);
    EXPECT_EQ(stepped, 3);
    EXPECT_EQ(step, 0.25);
    EXPECT_EQ(conditional, 1);
}

TEST(Schedule, SystemsThatComeLaterTakeNothingFromTheOthers) {
    ecs::world world;
    world.spawn(position{0, 0});
    int stepped = 0, late = 0;
    ecs::schedule schedule;
    schedule.add("step", [&](const ecs::tick&) { ++stepped; }, {.step = 0.25});
    schedule.run(world, 1, 0.125);
    schedule.add("late", [&](const position&) { ++late; });
    schedule.run(world, 1, 0.125);
    EXPECT_EQ(stepped, 1) << "what was left of the time still counts";
    EXPECT_EQ(late, 1);
    schedule.add("later", [&](const position&) { ++late; });
    schedule.remove("late");
    schedule.run(world, 1, 0.25);
    EXPECT_EQ(stepped, 2);
    EXPECT_EQ(late, 2);
}

TEST(Schedule, SystemsThatAreLeftStillWaitForEachOther) {
    ecs::world world;
    std::string ran;
    ecs::schedule schedule;
    for (const char* const name : {"a", "b", "c"})
        schedule.add(name, [&ran, name](position&, const ecs::tick&) { ran += name; });
    schedule.set("late", {.after = {"early"}}).set("early");
    schedule.add("second", [&] { ran += "2"; }, {.sets = {"late"}});
    schedule.add("third", [&] { ran += "3"; }, {.sets = {"late"}});
    schedule.add("first", [&] { ran += "1"; }, {.sets = {"early"}});
    world.spawn(position{0, 0});
    schedule.run(world, 1);
    schedule.remove("b");
    schedule.remove("third");
    const auto systems = schedule.phases(world).at(0).systems;
    ASSERT_EQ(systems.size(), 4U);
    ASSERT_EQ(systems[1].waits_for.size(), 1U);
    EXPECT_EQ(systems[1].waits_for[0].name, "a") << "c";
    ran.clear();
    schedule.run(world, 1);
    EXPECT_LT(ran.find('a'), ran.find('c'));
    EXPECT_LT(ran.find('1'), ran.find('2'));
    EXPECT_EQ(ran.size(), 4U);
}

TEST(Schedule, FollowsTypesWhoseComponentHasEnded) {
    ecs::world world;
    world.spawn(position{0, 0});
    int seen = 0, stepped = 0;
    ecs::schedule schedule;
    schedule.add("see", [&](const position&) { ++seen; });
    schedule.add("step", [&](const ecs::tick&) { ++stepped; }, {.step = 0.25});
    schedule.run(world, 1, 0.125);
    world.despawn(world.component<position>());
    world.spawn_n(2, position{1, 1});
    schedule.run(world, 1, 0.125);
    EXPECT_EQ(seen, 3);
    EXPECT_EQ(stepped, 1);
}

/// Steps of a phase to which a run does not come are made up for, so that all phases have made as many.
TEST(Schedule, TimeOfARunThatFailsIsNoLessForLaterPhases) {
    ecs::world world;
    int early = 0, late = 0, disabled = 0;
    bool throws = false;
    ecs::schedule schedule;
    schedule.add("fail", [&](ecs::world&) {
        if (throws) throw std::runtime_error("thrown");
    });
    schedule.add("early", [&](ecs::world&) { ++early; }, {.step = 1.0});
    schedule.add("late", [&](ecs::world&) { ++late; }, {.phase = "later", .step = 1.0});
    schedule.add("disabled", [&](ecs::world&) { ++disabled; }, {.phase = "later", .step = 1.0});
    schedule.disable("disabled");
    schedule.run(world, 1, 0.5);
    throws = true;
    EXPECT_THROW(schedule.run(world, 1, 3), ecs::schedule_error);
    throws = false;
    EXPECT_EQ(late, 0);
    schedule.enable("disabled");
    schedule.run(world, 1, 0.5);
    EXPECT_EQ(early, 4);
    EXPECT_EQ(late, 4);
    EXPECT_EQ(disabled, 0);
}

TEST(Schedule, SystemsMayHandPartsToTheExecutorOfTheRun) {
    ecs::world world;
    for (int i = 0; i != 100'000; ++i) world.spawn(health{i % 7});
    const auto threads = ecs::make_tbb_executor(2);
    std::atomic<int> healed{0};
    const ecs::executor* seen = nullptr;
    ecs::schedule schedule;
    schedule.add("heal in parts", [&](ecs::query<health>& all, ecs::executor& on) {
        seen = &on;
        all.par_each(on, [&](health& h) {
            if (++h.points == 1) ++healed;
        });
    });
    schedule.run(world, *threads);
    EXPECT_EQ(seen, threads.get());
    EXPECT_EQ(healed, 100'000 / 7 + 1);
    static_assert(ecs::parallel_safe<decltype([](health&, ecs::executor&) {}), decltype(move)>);
}

TEST(Schedule, RunsWithoutBeingToldHow) {
    ecs::world world;
    int runs = 0;
    ecs::schedule schedule;
    schedule.add("count", [&](ecs::world&) { ++runs; });
    schedule.run(world);
    EXPECT_EQ(runs, 1);
}

TEST(Schedule, SystemsThatAreDisabledArePassedOver) {
    ecs::world world;
    std::string order;
    ecs::schedule schedule;
    schedule.add("first", [&](ecs::world&) { order += 'a'; });
    schedule.add("second", [&](ecs::world&) { order += 'b'; }, {.after = "first"});
    schedule.disable("first");
    schedule.run(world, 2);
    EXPECT_EQ(order, "b") << "who waits for it runs all the same";
    schedule.enable("first");
    schedule.disable("second");
    schedule.run(world, 2);
    EXPECT_EQ(order, "ba");
    EXPECT_EQ(schedule.times()[0].runs, 1U);
    EXPECT_THROW(schedule.disable("third"), ecs::schedule_setup_error);
    EXPECT_THROW(schedule.enable("third"), ecs::schedule_setup_error);
}

TEST(Schedule, PhasesThatAreDisabledArePassedOver) {
    ecs::world world;
    std::string order;
    ecs::schedule schedule;
    schedule.phase("input").add("poll", [&](ecs::world&) { order += 'p'; });
    schedule.phase("game")
        .add("step", [&](ecs::world&) { order += 's'; }, {.step = 1.0})
        .add("load", [&](ecs::world&) { order += 'l'; }, {.run_if = ecs::once()});
    schedule.phase("output").add("show", [&](ecs::world&) { order += 'o'; }, {.after = "game"});
    schedule.disable("game");
    schedule.run(world, 2, 0.75);
    EXPECT_EQ(order, "po");
    EXPECT_FALSE(schedule.phases(world)[1].systems[0].enabled);
    schedule.enable("game");
    schedule.run(world, 2, 0.75);
    EXPECT_EQ(order, "poplo") << "once was not asked, and what passed is no time of a step";
    schedule.run(world, 2, 0.75);
    EXPECT_EQ(order, "poplopso");
    schedule.phase("show").add("flip", [&](ecs::world&) { order = "flipped"; });
    schedule.disable("show");
    schedule.run(world, 2);
    EXPECT_EQ(order, "flipped") << "where a system has the name, the phase is not meant";
    EXPECT_EQ(schedule.times()[3].runs, 3U);
}

TEST(Schedule, WhatIsDisabledWithinARunIsPassedOverInLaterPhases) {
    ecs::world world;
    std::string order;
    ecs::schedule schedule;
    schedule.add("disables", [&](ecs::world&) {
        schedule.disable("same phase");
        schedule.disable("later phase");
    });
    schedule.add("same phase", [&](ecs::world&) { order += 's'; }, {.after = "disables"});
    schedule.phase("later").add("later phase", [&](ecs::world&) { order += 'l'; });
    schedule.run(world);
    EXPECT_EQ(order, "s") << "which of the phase run was decided when it began";
    schedule.run(world);
    EXPECT_EQ(order, "s");
}

TEST(Schedule, PhaseThatIsDisabledFlushesNevertheless) {
    ecs::world world;
    auto commands = world.commands();
    const ecs::entity e = commands.spawn(health{1});
    ecs::schedule schedule;
    schedule.phase("first").add("heal", heal);
    schedule.phase("second").add("heal again", heal);
    schedule.disable("first");
    schedule.run(world, 1);
    EXPECT_EQ(world.get<health>(e).points, 2) << "the second phase finds what was recorded before the run";
}

TEST(Schedule, SystemsMayBeTakenOut) {
    ecs::world world;
    world.spawn(position{0, 0}, velocity{1, 0});
    int runs = 0;
    int changes = 0;
    ecs::schedule schedule;
    schedule.add("move", move).add("bounce", bounce);
    schedule.add("step", [&](const ecs::tick&) { ++runs; }, {.step = 1.0});
    schedule.add("changed", [&, of = std::optional<ecs::query<const position>>()](ecs::world& in) mutable {
        if (!of) of.emplace(in.query<const position>().changed<position>());
        of->each([&](const position&) { ++changes; });
    });
    schedule.run(world, 1, 0.75);
    schedule.remove("move");
    schedule.run(world, 1, 0.75);
    EXPECT_EQ(runs, 1) << "what was owed to the others is not forgotten";
    EXPECT_EQ(changes, 1) << "nobody moves any more";
    EXPECT_THROW(schedule.remove("move"), ecs::schedule_setup_error);
    EXPECT_EQ(schedule.times().size(), 3U);
    EXPECT_EQ(schedule.dot(world).find("move"), std::string::npos);
    schedule.add("move", move);
    for (int i = 0; i < 2; ++i) schedule.run(world, 1);
    EXPECT_EQ(changes, 2) << "it is last now, and what it writes is seen in the next run";
}

TEST(Schedule, SystemThatOthersAreOrderedAgainstStays) {
    ecs::schedule schedule;
    schedule.add("a", move).add("b", heal, {.after = {"a"}}).add("c", look, {.before = {"b"}});
    for (const char* const name : {"a", "b"}) EXPECT_THROW(schedule.remove(name), ecs::schedule_setup_error);
    schedule.remove("c");
    try {
        schedule.remove("a");
        FAIL() << "nothing was thrown";
    } catch (const ecs::schedule_setup_error& error) {
        EXPECT_STREQ(error.what(), R"(system "b" is ordered against "a", which therefore cannot be removed)");
    }
    schedule.remove("b");
    schedule.remove("a");
    EXPECT_TRUE(schedule.times().empty());
}

TEST(Schedule, SystemsWithoutANameAreCalledAfterTheirNumber) {
    ecs::world world;
    const auto e = world.spawn(position{0, 0}, velocity{1, 0}, health{0});
    ecs::schedule schedule;
    schedule.add(move).add("heal", heal).add(fall, {.after = {"system 0"}});
    EXPECT_EQ(schedule.times()[0].name, "system 0");
    EXPECT_EQ(schedule.times()[2].name, "system 2");
    schedule.remove("system 2");
    schedule.add(heal);
    EXPECT_EQ(schedule.times()[2].name, "system 3") << "a number is not used again";
    schedule.run(world);
    EXPECT_EQ(world.get<health>(e).points, 2);
}

TEST(Schedule, SaysWhatItsSystemsReadAndWriteAndWaitFor) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("move", move).add("bounce", bounce).add("heal", heal, {.after = {"move"}});
    schedule.phase("late").add("look", everything);
    const std::vector<ecs::phase_summary> phases = schedule.phases(world);
    ASSERT_EQ(phases.size(), 2U);
    EXPECT_EQ(phases[0].name, "update");
    ASSERT_EQ(phases[0].systems.size(), 3U);
    const ecs::system_summary& bounced = phases[0].systems[1];
    const std::string position(ecs::type_name<schedule_test::position>),
        velocity(ecs::type_name<schedule_test::velocity>);
    EXPECT_EQ(bounced.name, "bounce");
    EXPECT_EQ(bounced.reads, std::vector{position});
    EXPECT_EQ(bounced.writes, std::vector{velocity});
    ASSERT_EQ(bounced.waits_for.size(), 1U);
    EXPECT_EQ(bounced.waits_for[0].name, "move");
    EXPECT_TRUE(bounced.waits_for[0].component == position || bounced.waits_for[0].component == velocity);
    EXPECT_EQ(phases[0].systems[2].waits_for, (std::vector<ecs::awaited_system>{{"move", ""}}));
    EXPECT_EQ(phases[1].systems[0].writes, std::vector<std::string>{"the whole world"});
    EXPECT_FALSE(bounced.last) << "there was no run";
    EXPECT_EQ(phases[0].flushed.count(), 0);
}

TEST(Schedule, SaysWhatTheLastRunDidWhen) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("first", [](const ecs::tick&) {})
        .add("second", [](const ecs::tick&) {}, {.after = {"first"}});
    schedule.phase("late").add("fails", [](const ecs::tick& now) {
        if (now.number == 1) throw std::runtime_error("no");
    });
    schedule.phase("last").add("skipped", [](const ecs::tick&) {});
    schedule.run(world, 2);
    schedule.disable("second");
    EXPECT_THROW(schedule.run(world, 2), ecs::schedule_error);
    const std::vector<ecs::phase_summary> phases = schedule.phases(world);
    ASSERT_TRUE(phases[0].systems[0].last);
    EXPECT_FALSE(phases[0].systems[1].last) << "it was disabled";
    EXPECT_FALSE(phases[0].systems[1].enabled);
    EXPECT_LE(phases[0].begin, phases[0].systems[0].last->begin);
    EXPECT_LE(phases[0].systems[0].last->begin, phases[0].systems[0].last->end);
    EXPECT_LE(phases[0].systems[0].last->end, phases[0].end);
    EXPECT_LE(phases[0].end, phases[0].flushed);
    EXPECT_LE(phases[0].flushed, phases[1].begin);
    EXPECT_TRUE(phases[1].systems[0].last);
    EXPECT_FALSE(phases[2].systems[0].last) << "of the run before";
    EXPECT_EQ(phases[2].flushed.count(), 0);
}

TEST(Schedule, SaysHowManyCommandsThePhasesOfTheLastRunHaveDropped) {
    ecs::world world;
    const ecs::entity ended = world.spawn();
    world.despawn(ended);
    ecs::schedule schedule;
    std::size_t reported = 0;
    schedule.add("spoil", [=](ecs::commands& c) { c.add<frozen>(ended); });
    schedule.phase("told").add("spoil again", [=](ecs::commands& c) { c.add<frozen>(ended); });
    schedule.add("report", [&](ecs::world& in) { reported += in.flush().dropped(); });
    schedule.phase("broken").add("break", [=](ecs::commands& c) {
        c.add<frozen>(ended);
        c.add<likes>(ended);
        c.run([](ecs::world&) { throw std::runtime_error("no"); });
    });
    EXPECT_EQ(schedule.phases(world)[0].dropped, 0U) << "it was in no run";
    EXPECT_THROW(schedule.run(world, 2), ecs::schedule_error);
    const std::vector<ecs::phase_summary> phases = schedule.phases(world);
    EXPECT_EQ(phases[0].dropped, 1U);
    EXPECT_EQ(phases[1].dropped, 0U) << "a system has flushed them";
    EXPECT_EQ(reported, 1U);
    EXPECT_EQ(phases[2].dropped, 2U);
}

TEST(Schedule, NumbersTheThreadsOfARun) {
    ecs::world world;
    ecs::schedule schedule;
    std::atomic<int> arrived{0};
    const auto meet = [&](const ecs::tick&) { // Neither ends before the other has begun.
        ++arrived;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (arrived < 2 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    };
    schedule.add("one", meet).add("other", meet);
    schedule.run(world, 2);
    const std::vector<ecs::phase_summary> phases = schedule.phases(world);
    const std::size_t one = phases[0].systems[0].last->thread, other = phases[0].systems[1].last->thread;
    EXPECT_NE(one, other);
    EXPECT_LT(std::max(one, other), 3U);
    schedule.run(world, 1);
    EXPECT_EQ(schedule.phases(world)[0].systems[1].last->thread, 0U) << "of who calls run";
}

TEST(Schedule, IsNotLookedAtWhileItRuns) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("look", [&](ecs::world& in) { (void)schedule.phases(in); });
    EXPECT_THROW(schedule.run(world, 1), ecs::schedule_error);
}

TEST(Schedule, StepsAreNotLostToRounding) {
    ecs::world world;
    int stepped = 0;
    ecs::schedule schedule;
    schedule.add("step", [&](ecs::world&) { ++stepped; }, {.step = 0.1});
    schedule.run(world, 1, 0.25);
    schedule.run(world, 1, 0.05); // The sum is less than three times 0.1, by the last bit.
    EXPECT_EQ(stepped, 3);
    for (int i = 0; i < 1000; ++i) schedule.run(world, 1, 0.1);
    EXPECT_EQ(stepped, 1003);
}

TEST(Schedule, TimeRunsForwards) {
    ecs::world world;
    int stepped = 0;
    ecs::schedule schedule;
    schedule.add("step", [&](ecs::world&) { ++stepped; }, {.step = 0.25});
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double seconds : {-1.0, -infinite, infinite, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW(schedule.run(world, 1, seconds), std::invalid_argument);
    EXPECT_EQ(stepped, 0);
    schedule.run(world, 1, 0.25);
    EXPECT_EQ(stepped, 1);
}

TEST(Schedule, SmallTimesAreNotZeroInMessages) {
    ecs::world world;
    ecs::schedule schedule;
    try {
        schedule.run(world, 1, -1e-9);
        FAIL() << "time ran backwards";
    } catch (const std::invalid_argument& refusal) {
        EXPECT_STREQ(refusal.what(), "the time since the last run is -1e-09 seconds: it must be 0 or more");
    }
}

TEST(Schedule, MoreThreadsThanThereCanBeAreFewer) {
    ecs::world world;
    int runs = 0;
    ecs::schedule schedule;
    schedule.add([&](ecs::commands&) { ++runs; });
    for (const unsigned threads : {100'000U, 1U, ~0U, 2U}) schedule.run(world, threads);
    EXPECT_EQ(runs, 4);
}

TEST(Schedule, MoreStepsThanARunCanMakeAreAFailureOfTheirSystemAndForgotten) {
    ecs::world world;
    int stepped = 0;
    ecs::schedule schedule;
    schedule.add("step", [&](ecs::world&) { ++stepped; }, {.step = 0.001});
    for (const double seconds : {1e7, 1e18, 1e300}) {
        try {
            schedule.run(world, 1, seconds);
            FAIL() << seconds;
        } catch (const ecs::schedule_error& e) {
            ASSERT_EQ(e.failures.size(), 1U);
            EXPECT_EQ(e.failures[0].name, "step");
            EXPECT_NE(std::string(e.what()).find("more than a run can make"), std::string::npos) << e.what();
        }
    }
    EXPECT_EQ(stepped, 0);
    schedule.run(world, 1, 0.0025);
    EXPECT_EQ(stepped, 2);
}

TEST(Schedule, StepsArePositive) {
    ecs::schedule schedule;
    const double infinite = std::numeric_limits<double>::infinity();
    for (const double step : {-0.5, infinite, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW(schedule.add("step", [] {}, {.step = step}), ecs::schedule_setup_error);
    EXPECT_NO_THROW(schedule.add("step", [] {}, {.step = 0}));
}

TEST(Schedule, ExceptionsComeWithTheNameOfTheirSystem) {
    ecs::world world;
    bool other = false, later = false;
    ecs::schedule schedule;
    schedule.add("bad", [](ecs::commands&) { throw std::runtime_error("broken"); });
    schedule.add("good", [&](ecs::world&) { other = true; });
    schedule.phase("later").add("late", [&](ecs::world&) { later = true; });
    try {
        schedule.run(world, 2);
        FAIL() << "nothing was thrown";
    } catch (const ecs::schedule_error& error) {
        ASSERT_EQ(error.failures.size(), 1U);
        EXPECT_EQ(error.failures[0].name, "bad");
        EXPECT_STREQ(error.what(), "a run of the schedule failed; bad: broken");
    }
    EXPECT_TRUE(other);
    EXPECT_FALSE(later);
}

TEST(Schedule, ConditionThatThrowsIsAFailureOfItsSystem) {
    ecs::world world;
    int runs = 0;
    ecs::schedule schedule;
    schedule.add("bad", [&](ecs::world&) { ++runs; },
                 {.run_if = [](const ecs::world&) -> bool { throw std::runtime_error("no answer"); }});
    schedule.add("good", [&](ecs::world&) { runs += 10; });
    try {
        schedule.run(world, 2);
        FAIL() << "the condition threw";
    } catch (const ecs::schedule_error& error) {
        ASSERT_EQ(error.failures.size(), 1U);
        EXPECT_EQ(error.failures[0].name, "bad");
    }
    EXPECT_EQ(runs, 10);
}

TEST(Schedule, OnlySystemsThatTakeTheWorldChangeItAtOnce) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("sly", [&](ecs::query<const health>&) { world.spawn(health{1}); });
    schedule.add("slyer", [&](const ecs::tick&) { world.spawn(health{1}); });
    schedule.add("honest", [](ecs::world& in) { in.spawn(health{1}); });
    try {
        schedule.run(world, 2);
        FAIL() << "two of the systems may run beside others";
    } catch (const ecs::schedule_error& error) {
        ASSERT_EQ(error.failures.size(), 2U);
        EXPECT_THROW(std::rethrow_exception(error.failures[1].cause), ecs::iteration_error);
    }
    EXPECT_EQ(world.query<health>().count(), 1U);
}

TEST(Schedule, WhoeverTakesTheWorldIsAloneEvenWithSystemsThatNameNoComponent) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("count", count_runs).add("announce", announce).add("everything", everything);
    const auto found = schedule.ambiguities(world);
    ASSERT_EQ(found.size(), 2U);
    for (const std::size_t i : {0U, 1U}) {
        EXPECT_EQ(found[i].first, i == 0 ? "count" : "announce");
        EXPECT_EQ(found[i].second, "everything");
        EXPECT_EQ(found[i].component, "the whole world");
    }
}

TEST(Schedule, UndecidedOrdersAreReportedAndDrawn) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("move", move).add("heal", heal).add("bounce", bounce);
    const auto found = schedule.ambiguities(world);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].first, "move");
    EXPECT_EQ(found[0].second, "bounce");
    EXPECT_NE(found[0].component.find("position"), std::string::npos);
    EXPECT_NE(schedule.dot(world).find("\"move\" -> \"bounce\" [style=dotted"), std::string::npos);
}

/// What is wrong with a document of elements, attributes and the usual entities; empty when it is well
/// formed.
std::string fault_of(const std::string& document) {
    std::vector<std::string> open;
    for (std::size_t at = 0; at < document.size();) {
        if (document[at] != '<') {
            if (document[at] == '>') return "a loose >";
            if (document[at] == '&' && document.compare(at, 4, "&lt;") != 0 &&
                document.compare(at, 4, "&gt;") != 0 && document.compare(at, 5, "&amp;") != 0 &&
                document.compare(at, 6, "&quot;") != 0)
                return "a loose &";
            ++at;
            continue;
        }
        const std::size_t end = document.find('>', at);
        if (end == std::string::npos) return "a tag without an end";
        const std::string tag = document.substr(at + 1, end - at - 1);
        if (tag.find('<') != std::string::npos) return "a < in a tag";
        if (std::ranges::count(tag, '"') % 2 != 0) return "a loose quote";
        const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
        if (name.starts_with('/')) {
            if (open.empty() || "/" + open.back() != name) return name + " closes nothing";
            open.pop_back();
        } else if (!tag.ends_with('/')) {
            open.push_back(name);
        }
        at = end + 1;
    }
    return open.empty() ? "" : open.back() + " is not closed";
}

std::size_t count_in(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

TEST(Schedule, PictureShowsEverySystemAndEdge) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.phase("in <put>").add("a & b", [](ecs::world&) {});
    schedule.phase("update").add("move", move).add("bounce", bounce).add("heal", heal);
    schedule.add("last", [](ecs::commands&) {}, {.after = {"bounce"}});
    schedule.phase("empty");
    const std::string picture = schedule.svg(world);
    EXPECT_EQ(fault_of(picture), "");
    for (const char* name :
         {"in &lt;put&gt;", "a &amp; b", "update", "move", "bounce", "heal", "last", "empty"})
        EXPECT_EQ(count_in(picture, ">" + std::string(name) + "</text>"), 1U) << name;
    EXPECT_EQ(count_in(picture, "class=\"system\""), 5U);
    EXPECT_EQ(count_in(picture, "class=\"phase\""), 3U);
    EXPECT_EQ(count_in(picture, "class=\"edge\""), 2U);
    EXPECT_EQ(count_in(picture, "<title>move before bounce: "), 1U);
    EXPECT_EQ(count_in(picture, "<title>bounce before last</title>"), 1U);
    EXPECT_EQ(count_in(picture, "stroke-dasharray"), 1U);
    EXPECT_EQ(fault_of(ecs::schedule().svg(world)), "");
}

/// x of the box in front of the name.
int left_of(const std::string& picture, const std::string& name) {
    const std::size_t box = picture.rfind("<rect", picture.find(">" + name + "<"));
    return std::stoi(picture.substr(picture.find("x=\"", box) + 3));
}

TEST(Schedule, PictureHasSystemsBehindThoseTheyWaitFor) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("third", [](ecs::commands&) {}, {.after = {"second"}});
    schedule.add("second", [](ecs::commands&) {}, {.after = {"first"}});
    schedule.add("first", [](ecs::commands&) {}, {.before = {"third"}});
    const std::string picture = schedule.svg(world);
    EXPECT_LT(left_of(picture, "first"), left_of(picture, "second"));
    EXPECT_LT(left_of(picture, "second"), left_of(picture, "third"));
}

TEST(Schedule, SetupErrorsSayWhatIsWrong) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("a", heal, {.after = {"b"}}).add("b", move, {.after = {"a"}});
    EXPECT_THROW(schedule.run(world, 1), ecs::schedule_setup_error);
    EXPECT_THROW(schedule.add("a", heal), ecs::schedule_setup_error);
    ecs::schedule unknown;
    unknown.add("a", heal, {.after = {"nobody"}});
    EXPECT_THROW(unknown.run(world, 1), ecs::schedule_setup_error);
}

TEST(Schedule, AccessesOfRunTimeQueriesCount) {
    ecs::world world;
    const auto word = ecs::id(world.component<health>());
    ecs::schedule schedule;
    schedule.add("heal", heal).add("tool", [](ecs::commands&) {}, {.reads = {word}});
    EXPECT_EQ(schedule.ambiguities(world).size(), 1U);
    const ecs::entity mana = world.component({.name = "mana", .size = 4});
    ecs::schedule described;
    described.add("drink", [](ecs::commands&) {}, {.writes = {mana}});
    described.add("cast", [](ecs::commands&) {}, {.reads = {mana}});
    ASSERT_EQ(described.ambiguities(world).size(), 1U);
    EXPECT_EQ(described.ambiguities(world)[0].component, "mana");
}

TEST(Schedule, RefusesAccessesThatMeanNothingInTheWorld) {
    ecs::world first, second;
    int runs = 0;
    ecs::schedule schedule;
    schedule.add("tool", [&](ecs::commands&) { ++runs; }, {.writes = {first.component<health>()}});
    schedule.run(first, 1);
    EXPECT_THROW(schedule.run(second, 1), ecs::schedule_setup_error) << "it is of the first world";
    schedule.run(first, 1);
    first.despawn(first.component<health>());
    EXPECT_THROW(schedule.run(first, 1), ecs::schedule_setup_error) << "it has ended";
    EXPECT_EQ(runs, 2);
}

TEST(Schedule, RefusesAccessesToAComponentWithoutATypeThatHasEnded) {
    ecs::world world;
    int runs = 0;
    const auto count = [&](ecs::commands&) { ++runs; };
    const ecs::entity heat = world.component({.name = "heat", .size = 4});
    const ecs::entity target = world.spawn();
    ecs::schedule schedule, of_pair;
    schedule.add("tool", count, {.writes = {heat}});
    of_pair.add("tool", count, {.reads = {ecs::pair(world.component<likes>(), target)}});
    schedule.run(world, 1);
    of_pair.run(world, 1);
    world.despawn(heat);
    world.despawn(target);
    of_pair.add("another", count);
    EXPECT_THROW(schedule.run(world, 1), ecs::schedule_setup_error);
    EXPECT_THROW(of_pair.run(world, 1), ecs::schedule_setup_error) << "though the schedule has changed";
    EXPECT_EQ(runs, 2);
    schedule.remove("tool");
    schedule.run(world, 1);
}

TEST(Schedule, SaysOfAnAccessThatItHasEnded) {
    ecs::world world;
    ecs::schedule schedule;
    const ecs::entity heat = world.component({.name = "heat", .size = 4});
    schedule.add("tool", [](ecs::commands&) {}, {.writes = {heat}});
    world.despawn(heat);
    try {
        schedule.run(world, 1);
        FAIL() << "it has ended";
    } catch (const ecs::schedule_setup_error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("which has ended, or belongs to another world"), std::string::npos) << text;
    }
}

TEST(Schedule, RefusesAccessesToWhatWasNotFound) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("tool", [](ecs::commands&) {}, {.writes = {world.component_named("helth")}});
    try {
        schedule.run(world, 1);
        FAIL() << "nothing is written";
    } catch (const ecs::schedule_setup_error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("\"tool\""), std::string::npos) << text;
        EXPECT_NE(text.find("a look-up that has found none"), std::string::npos) << text;
    }
}

TEST(Schedule, GoesFromOneWorldToAnother) {
    ecs::schedule schedule;
    schedule.add("heal", heal);
    for (int i = 0; i < 3; ++i) {
        ecs::world world;
        const auto e = world.spawn(health{i});
        schedule.run(world, 2);
        EXPECT_EQ(world.get<health>(e).points, i + 1);
    }
}

TEST(Schedule, IsOfNoWorldWhenItCouldNotGoToAnother) {
    ecs::world one;
    ecs::world other;
    const auto e = one.spawn(health{0});
    const auto f = other.spawn(health{0});
    ecs::schedule schedule;
    schedule.add("heal", heal);
    schedule.run(one, 1);
    schedule.add("lost", heal, {.after = {"nobody"}});
    EXPECT_THROW(schedule.run(other, 1), ecs::schedule_setup_error);
    schedule.remove("lost");
    schedule.run(one, 1);
    EXPECT_EQ(one.get<health>(e).points, 2);
    EXPECT_EQ(other.get<health>(f).points, 0);
}

void sink(position& p) noexcept { p.y -= 1; }
static_assert(!ecs::parallel_safe<decltype(move), decltype(&sink)>);

TEST(Schedule, FunctionsThatDoNotThrowAreSystems) {
    ecs::world world;
    const auto e = world.spawn(position{0, 0});
    ecs::schedule schedule;
    schedule.add("sink", sink).add("again", &sink);
    schedule.run(world, 1);
    world.each(sink);
    world.par_each(&sink);
    EXPECT_TRUE(world.modify(e, sink));
    EXPECT_EQ(world.get<position>(e).y, -5);
}

TEST(Schedule, SystemThatRunsItsScheduleOnOtherThreadsIsRefusedAndTheOthersRun) {
    ecs::world world;
    ecs::schedule schedule;
    int later = 0;
    schedule.phase("first").add("again", [&](ecs::world& in) {
        for (const unsigned threads : {2U, 3U})
            EXPECT_THROW(schedule.run(in, threads), ecs::schedule_setup_error);
    });
    schedule.phase("second").add("later", [&](ecs::world&) { ++later; });
    for (int run = 0; run < 2; ++run) schedule.run(world, 1);
    EXPECT_EQ(later, 2);
    EXPECT_THROW(schedule.run(world, 2, -1), std::invalid_argument);
    schedule.run(world, 2);
    EXPECT_EQ(later, 3);
}

TEST(Schedule, TimesAreKept) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("heal", heal);
    schedule.run(world, 1);
    schedule.run(world, 1);
    ASSERT_EQ(schedule.times().size(), 1U);
    EXPECT_EQ(schedule.times()[0].runs, 2U);
    EXPECT_GE(schedule.times()[0].total, schedule.times()[0].last);
}

/// Threads of a pool, as an engine might have: the least that job_executor asks for.
struct thread_pool {
    explicit thread_pool(unsigned n) : threads(n) {}
    [[nodiscard]] unsigned concurrency() const { return threads; }
    unsigned threads;

    class group {
      public:
        explicit group(thread_pool&) {}
        template <class Task> void run(Task t) {
            const std::lock_guard lock(guard_);
            running_.emplace_back([t] { t(); });
        }
        void wait() {
            for (;;) {
                std::thread next;
                {
                    const std::lock_guard lock(guard_);
                    if (running_.empty()) return;
                    next = std::move(running_.back());
                    running_.pop_back();
                }
                next.join();
            }
        }

      private:
        std::mutex guard_;
        std::vector<std::thread> running_;
    };
};
static_assert(ecs::job_system<thread_pool>);

TEST(Executor, EnginesBringTheirOwn) {
    thread_pool pool(4);
    ecs::job_executor executor(pool);
    ecs::world world;
    for (int i = 0; i < 50'000; ++i) world.spawn(position{0, 0}, velocity{1, 1}, health{0});
    ecs::schedule schedule;
    schedule.add("move", move).add("heal", heal).add("bounce", bounce);
    schedule.run(world, executor);
    world.par_each(executor, [](health& h) { ++h.points; });
    std::size_t done = 0;
    world.each([&](const position& p, const health& h) { done += p.x == 1 && h.points == 2; });
    EXPECT_EQ(done, 50'000U);
}

/// Takes so many tasks and no more, as a queue that is full.
struct full_pool : thread_pool {
    full_pool(unsigned n, int tasks) : thread_pool(n), room(tasks) {}
    std::atomic<int> room;

    class group : public thread_pool::group {
      public:
        explicit group(full_pool& of) : thread_pool::group(of), of_(&of) {}
        template <class Task> void run(Task t) {
            if (of_->room.fetch_sub(1) <= 0) throw std::runtime_error("full");
            thread_pool::group::run(t);
        }

      private:
        full_pool* of_;
    };
};

TEST(Executor, WhatItDoesNotTakeIsDoneByTheCaller) {
    for (int room = 0; room < 6; ++room) {
        SCOPED_TRACE(room);
        full_pool pool(4, room);
        ecs::job_executor executor(pool);
        ecs::world world;
        for (int i = 0; i < 50'000; ++i) world.spawn(position{0, 0}, velocity{1, 1}, health{0});
        world.par_each(executor, [](health& h) { ++h.points; });
        std::size_t once = 0;
        world.each([&](const health& h) { once += h.points == 1; });
        EXPECT_EQ(once, 50'000U);
        ecs::schedule schedule;
        schedule.add("move", move).add("heal", heal).add("bounce", bounce);
        for (int i = 0; i < 4; ++i) schedule.add([](ecs::commands& c) { c.spawn(frozen{}); });
        pool.room = room;
        schedule.run(world, executor);
        world.flush();
        EXPECT_EQ(world.count<frozen>(), 4U);
    }
}

TEST(ParallelEach, VisitsEveryEntityOnce) {
    ecs::world world;
    for (int i = 0; i < 100'000; ++i) world.spawn(health{i});
    for (int i = 0; i < 10; ++i) world.spawn(health{i}, frozen{});
    world.par_each([](health& h) { h.points += 1'000'000; });
    std::size_t once = 0;
    world.each([&](const health& h) { once += h.points >= 1'000'000 && h.points < 1'100'000; });
    EXPECT_EQ(once, 100'010U);
}

TEST(ParallelEach, QueriesUseTheSameThreadsUnlessGivenOthers) {
    ecs::world world;
    std::ignore = world.spawn_n(50'000, health{1});
    world.query<health>().par_each([](health& h) { ++h.points; });
    int wrong = 0;
    world.each([&](const health& h) { wrong += h.points != 2; });
    EXPECT_EQ(wrong, 0);
}

TEST(ParallelEach, ValueThatManyInheritIsReadAndNotWritten) {
    ecs::world world;
    const auto base = world.prefab(health{1});
    const auto heirs = world.spawn_n(100, position{0, 0});
    for (const auto e : heirs) world.add(e, pair(ecs::is_a, base));
    std::atomic<int> read = 0;
    world.par_each([&](const health& h, position& p) {
        read += h.points;
        p.x = 1;
    });
    EXPECT_EQ(read, 100);
    EXPECT_THROW(world.par_each([](health& h, position& p) { p.x = static_cast<float>(++h.points); }),
                 std::invalid_argument);
    EXPECT_THROW(world.par_each([](position& p, health* h) { p.x = static_cast<float>(++h->points); }),
                 std::invalid_argument);
    EXPECT_EQ(world.get<health>(base).points, 1);
    world.each([](const position& p) { ASSERT_EQ(p.x, 1) << "nothing was begun"; });
    for (const auto e : heirs) world.set(e, health{2});
    world.par_each([](health& h, position&) { ++h.points; });
    for (const auto e : heirs) ASSERT_EQ(world.get<health>(e).points, 3);
}

TEST(ParallelEach, RefusalOfAnInheritedValueSaysWhoseItIsAndWhatToDo) {
    ecs::world world;
    const auto base = world.prefab(health{1});
    world.add(world.spawn(), pair(ecs::is_a, base));
    std::string text;
    try {
        world.par_each([](health& h) { ++h.points; });
    } catch (const std::invalid_argument& refusal) {
        text = refusal.what();
    }
    EXPECT_NE(text.find("health"), std::string::npos) << text;
    const std::string giver = std::to_string(base.index()) + "v" + std::to_string(base.generation());
    EXPECT_NE(text.find(giver), std::string::npos) << text;
    EXPECT_NE(text.find("const"), std::string::npos) << text;
}

struct debt {
    static constexpr auto properties = ecs::properties(ecs::inheritable);
    int amount = 0;
};
struct bank {};
struct friend_of {};

/// An heir has a pair of its own and reads another pair of its base, which the wildcard finds at the base.
struct ParallelEachOfPairs : testing::Test {
    ParallelEachOfPairs() {
        world.add(heir, pair(ecs::is_a, base));
        world.set<ecs::pair_of<debt, bank>>(base, debt{7});
        world.set<ecs::pair_of<debt, friend_of>>(heir, debt{1});
    }
    void write_and_read() {
        world.query<ecs::pair_of<debt, ecs::wildcard>, const ecs::pair_of<debt, bank>>().par_each(
            [](debt& own, const debt& owed) { own.amount = owed.amount; });
    }

    ecs::world world;
    const ecs::entity base = world.spawn();
    const ecs::entity heir = world.spawn();
};

TEST_F(ParallelEachOfPairs, WildcardDoesNotWriteWhatAnHeirReads) {
    EXPECT_THROW(write_and_read(), std::invalid_argument);
    EXPECT_EQ((world.get<ecs::pair_of<debt, friend_of>>(heir).amount), 1);
}

TEST_F(ParallelEachOfPairs, WildcardDoesNotWriteWhatItFindsAtABaseThatIsNotVisited) {
    world.add(base, ecs::prefab_tag);
    EXPECT_THROW(write_and_read(), std::invalid_argument) << "it finds the inherited pair as well";
    world.set<ecs::pair_of<debt, bank>>(heir, debt{5});
    write_and_read();
    EXPECT_EQ((world.get<ecs::pair_of<debt, friend_of>>(heir).amount), 5);
    EXPECT_EQ((world.get<ecs::pair_of<debt, bank>>(base).amount), 7);
}

struct sparse_armour {
    static constexpr auto kept_in = ecs::storage::sparse;
    int points = 0;
};

TEST(ParallelEach, InheritedValueOutsideTablesIsSharedByThoseWithoutTheirOwn) {
    ecs::world world;
    const auto base = world.prefab(sparse_armour{1});
    const auto heirs = world.spawn_n(10);
    for (const auto e : heirs) world.add(e, pair(ecs::is_a, base));
    const auto wear = [](sparse_armour& a) { ++a.points; };
    for (const auto e : heirs) {
        EXPECT_THROW(world.par_each(wear), std::invalid_argument);
        world.set(e, sparse_armour{2});
    }
    world.par_each(wear);
    for (const auto e : heirs) ASSERT_EQ(world.get<sparse_armour>(e).points, 3);
    EXPECT_EQ(world.get<sparse_armour>(base).points, 1);
}

/// Lets threads go on when two of them are there, or none has come for a while.
class meeting {
  public:
    void join() {
        std::unique_lock lock(guard_);
        if (!here_.insert(std::this_thread::get_id()).second) return;
        came_.notify_all();
        came_.wait_for(lock, std::chrono::seconds(2), [&] { return here_.size() > 1; });
    }

  private:
    std::mutex guard_;
    std::condition_variable came_;
    std::set<std::thread::id> here_;
};

/// Expects that all visits of an entity are one thread's.
void expect_one_thread_each(ecs::query<health, ecs::matched> of, std::size_t entities,
                            ecs::parallel_options how = {}) {
    thread_pool pool(2);
    ecs::job_executor executor(pool);
    meeting both;
    std::unordered_map<std::uint64_t, std::set<std::thread::id>> threads;
    std::mutex guard;
    const auto visit = [&](ecs::entity e, health& h, const ecs::matched&) {
        both.join();
        ++h.points;
        const std::lock_guard lock(guard);
        threads[e.value()].insert(std::this_thread::get_id());
    };
    of.par_each(executor, visit, how);
    EXPECT_EQ(threads.size(), entities);
    for (const auto& [e, seen_by] : threads) ASSERT_EQ(seen_by.size(), 1U);
}

TEST(ParallelEach, RowThatMatchesTwiceIsVisitedByOneThread) {
    ecs::world world;
    const auto likes = world.spawn();
    const auto parent = world.spawn();
    const auto all = world.spawn_n(30'000, health{0});
    for (const auto e : all) {
        world.add(e, pair(likes, parent));
        world.add(e, pair(likes, likes));
        world.add(e, pair(ecs::child_of, parent));
    }
    const auto query = world.query<health, ecs::matched>().with(pair(likes, ecs::any));
    expect_one_thread_each(query, all.size());
    expect_one_thread_each(ecs::query(query).with(pair(ecs::child_of, parent)), all.size());
    for (const auto e : all) ASSERT_EQ(world.get<health>(e).points, 4);
}

struct freshness {
    int value = 0;
};

TEST(ParallelEach, RowThatMatchesTwiceIsVisitedByOneThreadWhereLittleIsNew) {
    ecs::world world;
    const auto likes = world.spawn();
    const auto all = world.spawn_n(30'000, health{0}, freshness{});
    for (const auto e : all) {
        world.add(e, pair(likes, likes));
        world.add(e, pair(likes, all[0]));
    }
    auto query = world.query<health, ecs::matched>().with(pair(likes, ecs::any)).changed<freshness>();
    query.mark_seen();
    for (const std::size_t i : {0U, 1U, 20'000U, 20'001U}) world.modified<freshness>(all[i]);
    expect_one_thread_each(query, 4, {.rows_of_a_thread = 1});
}

TEST(ParallelEach, ExceptionsReachTheCaller) {
    ecs::world world;
    for (int i = 0; i < 100'000; ++i) world.spawn(health{i});
    const auto throws = [](const health& h) {
        if (h.points == 77'777) throw std::runtime_error("found");
    };
    EXPECT_THROW(world.par_each(throws), std::runtime_error);
    EXPECT_NO_THROW(world.spawn()); // The loop has ended.
}

} // namespace
} // namespace schedule_test
