// SPDX-License-Identifier: MIT
// Resources: singletons as parameters of systems.
#include <gtest/gtest.h>

#include <exception>
#include <string>

import ecs.world;

namespace resources_test {
namespace {

struct position {
    int x;
};
struct gravity {
    int strength;
};
struct score {
    static constexpr auto kept_in = ecs::storage::sparse;
    int points = 0;
};

constexpr auto fall = [](position&, ecs::resource<const gravity>) {};
constexpr auto weigh = [](ecs::resource<const gravity>, ecs::commands&) {};
constexpr auto tune = [](ecs::resource<gravity>) {};
constexpr auto count = [](const ecs::resource<score>&) {};
constexpr auto inspect = [](const ecs::world&) {};
constexpr auto walk = [](gravity&) {};
static_assert(ecs::parallel_safe<decltype(fall), decltype(weigh), decltype(count)>);
static_assert(!ecs::parallel_safe<decltype(fall), decltype(tune)>);
static_assert(!ecs::parallel_safe<decltype(tune), decltype(tune)>);
static_assert(!ecs::parallel_safe<decltype(weigh), decltype(walk)>);
static_assert(!ecs::parallel_safe<decltype(count), decltype(inspect)>);
static_assert(ecs::parallel_safe<decltype(fall), decltype(weigh)>);

TEST(Resource, IsTheSingletonReadOrWritten) {
    ecs::world world;
    const auto e = world.spawn(position{100});
    world.set_singleton(gravity{10});
    world.set_singleton(score{});
    ecs::schedule schedule;
    schedule.add("fall", [](position& p, ecs::resource<const gravity> g) { p.x -= g->strength; });
    schedule.add("weaken", [](ecs::resource<gravity> g) { --g->strength; });
    schedule.add("score", [](const ecs::resource<score>& s, ecs::has<position>) { (*s).points += 5; });
    for (const unsigned threads : {1U, 2U}) schedule.run(world, threads);
    EXPECT_EQ(world.get<position>(e).x, 100 - 10 - 9);
    EXPECT_EQ(world.singleton<gravity>().strength, 8);
    EXPECT_EQ(world.singleton<score>().points, 10);
}

TEST(Resource, ThatIsNotThereIsAFailureThatNamesItsType) {
    ecs::world world;
    int others = 0;
    ecs::schedule schedule;
    schedule.add("weigh", [&](ecs::resource<const gravity>) { ++others; });
    schedule.add("other", [&](const ecs::tick&) { ++others; });
    try {
        schedule.run(world, 1);
        FAIL() << "there is no gravity";
    } catch (const ecs::schedule_error& error) {
        ASSERT_EQ(error.failures.size(), 1U);
        EXPECT_EQ(error.failures[0].name, "weigh");
        EXPECT_THROW(std::rethrow_exception(error.failures[0].cause), ecs::access_error);
        const std::string text = error.what();
        EXPECT_NE(text.find("no singleton of"), std::string::npos) << text;
        EXPECT_NE(text.find("gravity"), std::string::npos) << text;
        EXPECT_NE(text.find("set_singleton"), std::string::npos) << text;
    }
    EXPECT_EQ(others, 1);
    world.set_singleton(gravity{1});
    schedule.run(world, 1);
    EXPECT_EQ(others, 3);
    world.remove_singleton<gravity>();
    EXPECT_THROW(schedule.run(world, 1), ecs::schedule_error) << "it is looked for in each run";
}

TEST(Resource, CountsAsChangedWhenItIsHandedOutToBeWritten) {
    ecs::world world;
    world.set_singleton(gravity{1});
    bool writes = false;
    int changes = 0;
    ecs::schedule schedule;
    schedule.add("see", [&](ecs::changed<gravity>, ecs::entity) { ++changes; });
    schedule.add("read", [](ecs::resource<const gravity> g) { EXPECT_LE((*g).strength, 2); });
    schedule.add("write", [&](ecs::resource<gravity> g) {
        if (writes) g->strength = 2;
    });
    for (int i = 0; i < 3; ++i) schedule.run(world, 1);
    EXPECT_EQ(changes, 1) << "to have it as a parameter is not to write it";
    writes = true;
    schedule.run(world, 1);
    writes = false;
    for (int i = 0; i < 2; ++i) schedule.run(world, 1);
    EXPECT_EQ(changes, 2);
}

TEST(Resource, IsThatOfTheWorldThatRuns) {
    ecs::schedule schedule;
    int sum = 0;
    schedule.add("add", [&](ecs::resource<const gravity> g) { sum += g->strength; });
    ecs::world first, second;
    first.set_singleton(gravity{1});
    second.set_singleton(gravity{10});
    schedule.run(first, 1);
    schedule.run(second, 1);
    second.despawn(second.component<gravity>());
    second.set_singleton(gravity{100});
    schedule.run(second, 1);
    EXPECT_EQ(sum, 111);
    const auto before = second.snapshot();
    second.set_singleton(gravity{1000});
    second.restore(before);
    schedule.run(second, 1);
    EXPECT_EQ(sum, 211);
}

TEST(Resource, WorldThatIsOnlyReadIsAParameterToo) {
    ecs::world world;
    world.set_singleton(gravity{7});
    const auto e = world.spawn(position{1});
    int seen = 0;
    ecs::schedule schedule;
    schedule.add("once", [&](const ecs::world& w) { seen += w.singleton<gravity>().strength; });
    schedule.add("each", [&](const ecs::world& w, ecs::entity of, const position& p) {
        seen += w.get<position>(of).x + p.x + static_cast<int>(of == e);
    });
    schedule.run(world, 2);
    EXPECT_EQ(seen, 10);
}

TEST(Resource, IsWhereItHasMovedToInASystemThatChangesTheWorld) {
    struct moved {};
    ecs::world world;
    world.set_singleton(gravity{10});
    int runs = 0;
    ecs::schedule schedule;
    schedule.add("move", [&](ecs::world& w, ecs::resource<gravity> g) {
        ++runs;
        w.add<moved>(w.component<gravity>());
        EXPECT_EQ(&*g, &w.singleton<gravity>());
        g->strength = 7;
        EXPECT_EQ(w.singleton<gravity>().strength, 7);
        w.remove_singleton<gravity>();
        EXPECT_THROW(g->strength = 1, ecs::access_error);
    });
    schedule.run(world, 1);
    EXPECT_EQ(runs, 1);
}

} // namespace
} // namespace resources_test
