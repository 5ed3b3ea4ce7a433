// SPDX-License-Identifier: MIT
// Filters as types: among the terms of a query and among the parameters of loops and systems.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

import ecs.world;

namespace filters_test {
namespace {

struct position {
    int x;
};
struct velocity {
    int x;
};
struct frozen {};
struct player {};
struct likes {};
struct notes {
    static constexpr auto kept_in = ecs::storage::sparse;
    int lines = 0;
};

// A filter asks who has what, which no system changes beside another; what has happened is written by
// whoever writes.
constexpr auto walk = [](position&, const velocity&, ecs::without<frozen>) {};
constexpr auto freeze = [](frozen&, velocity&) {};
constexpr auto place = [](position&) {};
constexpr auto notice = [](ecs::changed<position>, ecs::entity) {};
constexpr auto steer = [](ecs::has<position>, velocity&) {};
constexpr auto notice_by_query = [](ecs::query<ecs::entity, ecs::added<position>>&) {};
constexpr auto walk_by_query = [](ecs::query<const velocity, ecs::without<position>>&) {};
static_assert(!ecs::parallel_safe<decltype(walk), decltype(freeze)>);
static_assert(ecs::parallel_safe<decltype(steer), decltype(place)>);
static_assert(!ecs::parallel_safe<decltype(notice), decltype(place)>);
static_assert(!ecs::parallel_safe<decltype(notice_by_query), decltype(place)>);
static_assert(ecs::parallel_safe<decltype(walk_by_query), decltype(place)>);

// What loops hand out has no place for a filter.
static_assert(std::is_same_v<ecs::query<ecs::has<player>, position, ecs::without<frozen>>::item,
                             std::tuple<ecs::entity, position&>>);
static_assert(std::is_same_v<ecs::query<const position, ecs::entity, ecs::changed<velocity>>::item,
                             std::tuple<const position&, ecs::entity>>);

/// Three who have a position: one that is free, one that is frozen, one that is a player.
struct filters : testing::Test {
    ecs::world world;
    const ecs::entity still = world.spawn(position{1}, velocity{1}, frozen{});
    const ecs::entity free = world.spawn(position{2}, velocity{1});
    const ecs::entity hero = world.spawn(position{3}, velocity{1}, player{});

    [[nodiscard]] std::vector<int> places() {
        return {world.get<position>(still).x, world.get<position>(free).x, world.get<position>(hero).x};
    }
};

TEST_F(filters, StandAnywhereAmongTheParametersOfALoop) {
    world.each([](position& p, ecs::without<frozen>, const velocity& v) { p.x += 10 * v.x; });
    EXPECT_EQ(places(), (std::vector{1, 12, 13}));
    world.each([](ecs::without<frozen, player>, position& p) { p.x += 100; });
    EXPECT_EQ(places(), (std::vector{1, 112, 13}));
    world.each([&](ecs::entity e, const ecs::has<player>&, position& p) {
        EXPECT_EQ(e, hero);
        p.x = 0;
    });
    EXPECT_EQ(places(), (std::vector{1, 112, 0}));
    world.par_each([](position& p, ecs::has<velocity, frozen>) { p.x = 7; });
    EXPECT_EQ(places(), (std::vector{7, 112, 0}));
}

/// A system says the same to the query that it takes in each run.
TEST_F(filters, ThatAQueryHasAlreadyAreNoNewTerms) {
    const ecs::entity cat = world.spawn(), dog = world.spawn();
    world.add<likes>(free, cat);
    const auto ask = [&](ecs::query<const position>& q) {
        q.without<frozen>().with<velocity>().changed<position>().optional(ecs::disabled);
        q.with<likes>(cat).without(ecs::pair(world.component<likes>(), dog)).without_kind_of<player>();
        q.with(ecs::pair(world.component<likes>(), ecs::any));
    };
    auto kept = world.query<const position>();
    ask(kept);
    const std::string once = kept.text();
    ask(kept);
    EXPECT_EQ(kept.text(), once);
    EXPECT_EQ(kept.entities(), std::vector{free});
    kept.each([&](const position&) { EXPECT_THROW(kept.without<frozen>(), ecs::iteration_error); });
}

TEST_F(filters, OfAnotherKindAreNewTerms) {
    auto kept = world.query<const position>().without<frozen>().any_of<player, velocity>();
    EXPECT_EQ(kept.count(), 2U);
    EXPECT_EQ(kept.with<player>().entities(), std::vector{hero}) << "an alternative is no filter of its own";
    EXPECT_TRUE(kept.with<frozen>().entities().empty());
}

TEST_F(filters, AreEnoughForALoop) {
    int found = 0;
    world.each([&](ecs::has<position>, ecs::without<player>) { ++found; });
    EXPECT_EQ(found, 2);
    const ecs::world& read = world;
    read.each([&](const position&, ecs::has<frozen>) { found += 10; });
    EXPECT_EQ(found, 12);
}

TEST_F(filters, OfAQueryAreLeftOutOfWhatItHandsOut) {
    ecs::query<ecs::without<frozen>, position, ecs::has<velocity>> query(
        world.query<ecs::without<frozen>, position, ecs::has<velocity>>());
    EXPECT_EQ(query.count(), 2U);
    EXPECT_FALSE(query.contains(still));
    query.each([](position& p) { p.x += 10; });
    query.each([&](ecs::entity e, position& p) { p.x += e == hero ? 100 : 0; });
    query.each([](auto&& first, auto&&... rest) {
        static_assert(std::is_same_v<decltype(first), position&> && sizeof...(rest) == 0);
    });
    query.each([](ecs::without<frozen>, position& p, ecs::has<velocity>) { p.x += 1000; });
    EXPECT_EQ(places(), (std::vector{1, 1012, 1113}));
    std::size_t rows = 0;
    query.each_chunk([&](std::span<position> all) { rows += all.size(); });
    EXPECT_EQ(rows, 2U);
    int sum = 0;
    for (auto [e, p] : query) sum += p.x;
    EXPECT_EQ(sum, 1012 + 1113);
    EXPECT_EQ(std::get<1>(query.get(free)).x, 1012);
    query.each_page(1, 1, [&](const position& p) { EXPECT_EQ(p.x, 1113); });
}

TEST_F(filters, HoldForSortedAndHiddenRowsToo) {
    std::vector<int> seen;
    world.query<const position, ecs::without<frozen>>()
        .sort_by<position>([](const position& a, const position& b) { return a.x > b.x; })
        .each([&](const position& p) { seen.push_back(p.x); });
    EXPECT_EQ(seen, (std::vector{3, 2}));
    world.disable<velocity>(free);
    seen.clear();
    world.each([&](const position& p, ecs::has<velocity>) { seen.push_back(p.x); });
    std::ranges::sort(seen);
    EXPECT_EQ(seen, (std::vector{1, 3})) << "what is disabled counts as missing";
}

TEST_F(filters, AskForPairsAndSayWhatAWildcardMatched) {
    world.add<likes>(free, hero);
    std::vector<ecs::entity> liked;
    world.each([&](ecs::matched which, ecs::has<ecs::pair_of<likes, ecs::wildcard>>) {
        liked.push_back(which.target);
    });
    EXPECT_EQ(liked, std::vector{hero});
    int loners = 0;
    world.each([&](const position&, ecs::without<ecs::pair_of<likes, ecs::wildcard>>) { ++loners; });
    EXPECT_EQ(loners, 2);
}

TEST_F(filters, FindWhatHasChangedSinceTheLambdaLastLooked) {
    int found = 0, found_elsewhere = 0;
    const auto look = [&] {
        found = 0;
        world.each([&](ecs::entity, ecs::changed<position>) { ++found; });
    };
    const auto look_elsewhere = [&] {
        found_elsewhere = 0;
        world.each([&](ecs::entity, ecs::changed<position>) { ++found_elsewhere; });
    };
    look();
    EXPECT_EQ(found, 3) << "the first look finds everything";
    look();
    EXPECT_EQ(found, 0);
    world.set(free, position{5});
    look();
    EXPECT_EQ(found, 1);
    look_elsewhere();
    EXPECT_EQ(found_elsewhere, 3) << "another lambda has looked at nothing yet, whatever its parameters";
    look_elsewhere();
    EXPECT_EQ(found_elsewhere, 0);
}

TEST_F(filters, SayWhoIsMonitored) {
    std::vector<int> told;
    const auto watch = world.monitor<const position, ecs::without<frozen>, ecs::has<velocity>>(
        [&](ecs::entity e, bool matches) {
            told.push_back((e == still ? 10 : 20) + static_cast<int>(matches));
        });
    told.clear();
    world.remove<frozen>(still);
    world.add<frozen>(free);
    world.remove<velocity>(free);
    world.remove<velocity>(still);
    EXPECT_EQ(told, (std::vector{11, 20, 10}));
}

TEST_F(filters, FindWhoGotAndWhoLostAComponent) {
    std::vector<ecs::entity> got, lost;
    auto came = world.query<ecs::added<frozen>>();
    auto left = world.query<ecs::removed<frozen>>();
    came.mark_seen();
    left.mark_seen();
    world.add<frozen>(free);
    world.remove<frozen>(still);
    came.each([&](ecs::entity e) { got.push_back(e); });
    left.each([&](ecs::entity e) { lost.push_back(e); });
    EXPECT_EQ(got, std::vector{free});
    EXPECT_EQ(lost, std::vector{still});
}

TEST_F(filters, AreParametersOfSystems) {
    ecs::schedule schedule;
    schedule.add("move", [](position& p, const velocity& v, ecs::without<frozen>) { p.x += 10 * v.x; });
    schedule.add("mark", [](ecs::entity e, ecs::without<player>, ecs::commands& c, const position& p) {
        if (p.x == 12) c.add<player>(e);
    });
    std::size_t seen = 0;
    schedule.add("count", [&](ecs::query<const position, ecs::has<player>>& q) { seen = q.count(); },
                 {.phase = "after"});
    for (const unsigned threads : {1U, 2U}) schedule.run(world, threads);
    EXPECT_EQ(places(), (std::vector{1, 22, 23}));
    EXPECT_EQ(seen, 2U);
}

TEST_F(filters, OfASystemFindWhatHasChangedSinceItsLastRun) {
    int changed = 0, told = 0;
    ecs::schedule schedule;
    schedule.add("notice", [&](const position&, ecs::changed<position>) { ++changed; });
    schedule.add("tell", [&](ecs::changed<position>, ecs::commands&) { ++told; });
    schedule.run(world, 2);
    EXPECT_EQ(changed, 3);
    schedule.run(world, 2);
    EXPECT_EQ(changed, 3);
    world.set(free, position{5});
    schedule.run(world, 2);
    EXPECT_EQ(changed, 4);
    EXPECT_EQ(told, 4);
}

/// Random worlds, and each filter against asking every entity.
TEST(Filters, AgreeWithAskingEveryEntity) {
    std::mt19937 random(5);
    for (int round = 0; round < 20; ++round) {
        ecs::world world;
        std::vector<ecs::entity> all;
        for (int i = 0; i < 200; ++i) {
            const ecs::entity e = all.emplace_back(world.spawn());
            if (random() % 2 == 0) world.set(e, position{i});
            if (random() % 2 == 0) world.add<frozen>(e);
            if (random() % 2 == 0) world.set(e, notes{i});
            if (random() % 4 == 0) world.disable<position>(e);
        }
        const auto usable = [&](ecs::entity e) {
            return world.has<position>(e) && world.is_enabled<position>(e);
        };
        std::vector<ecs::entity> found, wanted;
        const auto note = [&](ecs::entity e, ecs::has<position, notes>, ecs::without<frozen>) {
            found.push_back(e);
        };
        for (const ecs::entity e : all)
            if (usable(e) && world.has<notes>(e) && !world.has<frozen>(e)) wanted.push_back(e);
        world.each(note);
        std::ranges::sort(found, {}, &ecs::entity::index);
        EXPECT_EQ(found, wanted);
        int lacking = 0, lacking_wanted = 0;
        world.each([&](const frozen&, ecs::without<position, notes>) { ++lacking; });
        for (const ecs::entity e : all)
            lacking_wanted += world.has<frozen>(e) && !usable(e) && !world.has<notes>(e);
        EXPECT_EQ(lacking, lacking_wanted);
    }
}

} // namespace
} // namespace filters_test
