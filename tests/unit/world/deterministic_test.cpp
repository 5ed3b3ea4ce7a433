// SPDX-License-Identifier: MIT
// In the deterministic mode the same inputs give the same world and the same identifiers, whatever the number
// of threads and whoever is faster.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <fstream>
#include <ostream>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

#include "support/sanitized.hpp"

namespace {

struct position {
    std::int32_t x, y;
};
struct health {
    std::int32_t points;
};
struct spark {
    std::uint32_t job;
};
struct marked {};

/// FNV-1a.
class checksum {
  public:
    void add(std::uint64_t word) {
        for (int i = 0; i < 8; ++i) value_ = (value_ ^ (word >> (8 * i) & 0xff)) * 0x100000001b3;
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0xcbf29ce484222325;
};

/// Index and generation: the number of the world is not the same in two worlds.
std::uint64_t local(ecs::entity e) { return std::uint64_t{e.generation()} << 32 | e.index(); }

/// Of all entities with their identifiers, in the order in which queries find them.
std::uint64_t checksum_of(ecs::world& world) {
    checksum sum;
    world.query<ecs::entity, const position*, const health*, const spark*>().each(
        [&](ecs::entity e, const position* p, const health* h, const spark* s) {
            sum.add(local(e));
            if (p)
                sum.add(static_cast<std::uint32_t>(p->x) ^ std::uint64_t(static_cast<std::uint32_t>(p->y))
                                                               << 32);
            if (h) sum.add(static_cast<std::uint32_t>(h->points));
            if (s) sum.add(s->job);
            for (const ecs::id word : world.ids(e)) sum.add(word.is_entity() ? local(word.as_entity()) : 1);
        });
    return sum.value();
}

constexpr std::uint32_t jobs = 16;
/// More than the indices of a block, which is what a key is given at once.
constexpr unsigned many = test::is_sanitized ? 4500 : 9000;
const std::vector<unsigned> numbers_of_threads =
    test::is_sanitized ? std::vector{3U} : std::vector{1U, 2U, 4U, 8U};

/// What a job does depends on its number and the round alone. It spawns much in some rounds and nothing in
/// others, and ends what it spawned some rounds ago.
void do_job(ecs::world& world, std::uint32_t job, unsigned round, std::vector<ecs::entity>& mine) {
    auto commands = world.commands(job);
    std::minstd_rand random(1 + job * 131 + round);
    const auto spawns = (round + job) % 5 == 0 ? many : random() % 300;
    const auto dying = std::ranges::partition(mine, [&](ecs::entity) { return random() % 3 != 0; }).begin();
    for (auto e = dying; e != mine.end(); ++e) commands.despawn(*e);
    mine.erase(dying, mine.end());
    for (unsigned i = 0; i < spawns; ++i) {
        const auto number = static_cast<std::int32_t>(random());
        if (i % 3 == 0)
            mine.push_back(commands.spawn(position{number, 1}));
        else if (i % 3 == 1)
            mine.push_back(commands.spawn(health{number}, position{1, number}));
        else
            mine.push_back(commands.spawn(spark{job}));
        if (i % 7 == 0) commands.add<marked>(mine.back());
        if (i % 11 == 0 && mine.size() > 1) commands.set(mine[mine.size() - 2], health{number});
    }
}

/// Calls do_one(number) for every job, on that many threads, in an order that chance decides; meanwhile()
/// here.
template <class Job, class Meanwhile>
void on_threads(unsigned threads, std::uint32_t count, unsigned seed, Job do_one, Meanwhile meanwhile) {
    std::vector<std::uint32_t> order(count);
    for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
    std::ranges::shuffle(order, std::minstd_rand(seed));
    std::atomic<std::uint32_t> next{};
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t)
        workers.emplace_back([&] {
            for (std::uint32_t at = next++; at < count; at = next++) do_one(order[at]);
        });
    meanwhile();
}

/// A world of a number that no world had before: one that takes over a number goes on with its generations.
ecs::world& first_of_its_number() {
    static std::deque<ecs::world> kept(32);
    kept.resize(kept.size() +
                4); // The lowest numbers are taken first, those of other tests' worlds among them.
    return kept.emplace_back();
}

std::vector<std::uint64_t> play(ecs::world& world, unsigned threads, unsigned seed) {
    world.make_deterministic(jobs);
    std::vector<std::vector<ecs::entity>> owned(jobs);
    std::vector<ecs::entity> direct;
    std::vector<std::uint64_t> sums;
    for (unsigned round = 0; round < 7; ++round) {
        on_threads(
            threads, jobs, seed + round, [&](std::uint32_t job) { do_job(world, job, round, owned[job]); },
            [&] {
                for (int i = 0; i < 2000; ++i) direct.push_back(world.spawn(health{i}));
                for (int i = 0; i < 500; ++i) world.despawn(direct[direct.size() - 2 * std::size_t(i) - 1]);
            });
        EXPECT_EQ(world.flush().dropped(), 0U);
        sums.push_back(checksum_of(world));
    }
    return sums;
}

TEST(Deterministic, SameInputsGiveTheSameWorldAndIdentifiersOnAnyNumberOfThreads) {
    const auto expected = play(first_of_its_number(), 1, 1);
    for (const unsigned threads : numbers_of_threads)
        EXPECT_EQ(play(first_of_its_number(), threads, threads + 1), expected) << threads;
}

/// Larger than the first block of a recording.
struct large_value {
    std::array<char, 5000> bytes{};
};

/// The order in which a loop comes to the entities, after that key has recorded a large value once.
std::vector<int> order_after_a_large_value(std::uint32_t key) {
    ecs::world& world = first_of_its_number();
    std::ignore = world.component<spark>();
    world.make_deterministic(2);
    std::vector<ecs::entity> all;
    for (int i = 0; i < 2000; ++i) all.push_back(world.spawn(health{i}));
    world.commands(key).set(world.spawn(), large_value{});
    world.flush();
    auto commands = world.commands(0);
    for (std::size_t i = 100; i < 1100; ++i) commands.set(all[i], spark{});
    world.flush();
    std::vector<int> order;
    world.each([&](const health& h) { order.push_back(h.points); });
    return order;
}

TEST(Deterministic, WhatWasRecordedBeforeDoesNotChangeTheOrderOfRows) {
    EXPECT_EQ(order_after_a_large_value(0), order_after_a_large_value(1));
}

TEST(Deterministic, IdentifiersAreAliveAtOnceAndNoneIsHandedOutTwice) {
    ecs::world world;
    world.make_deterministic(jobs);
    std::vector<std::vector<ecs::entity>> made(jobs);
    std::vector<ecs::entity> direct;
    on_threads(
        4, jobs, 1,
        [&](std::uint32_t job) {
            auto commands = world.commands(job);
            for (unsigned i = 0; i < many; ++i) {
                made[job].push_back(commands.spawn(spark{job}));
                EXPECT_TRUE(world.alive(made[job].back()));
            }
        },
        [&] {
            for (int i = 0; i < 20'000; ++i) direct.push_back(world.spawn(health{i}));
        });
    world.flush();
    std::set<std::uint64_t> all;
    for (const auto& mine : made)
        for (const ecs::entity e : mine) {
            EXPECT_TRUE(world.has<spark>(e));
            all.insert(e.value());
        }
    for (const ecs::entity e : direct) all.insert(e.value());
    EXPECT_EQ(all.size(), jobs * many + 20'000U);
}

/// The index space is not used up by keys that spawn now and then: what is left over is used.
TEST(Deterministic, NoIndexIsLost) {
    ecs::world world;
    world.make_deterministic(8);
    std::uint64_t largest = 0;
    for (unsigned round = 0; round < 100; ++round) {
        std::vector<ecs::entity> made;
        for (std::uint32_t key = 0; key < 8; ++key) {
            auto commands = world.commands(key);
            const unsigned spawns = (round + key) % 8 == 0 ? 5000 : (round + key) % 3;
            for (unsigned i = 0; i < spawns; ++i) made.push_back(commands.spawn(spark{key}));
        }
        world.flush();
        for (const ecs::entity e : made) {
            if (round >= 16) EXPECT_LE(e.index(), largest);
            largest = std::max<std::uint64_t>(largest, e.index());
            world.despawn(e);
        }
    }
    EXPECT_LT(largest, 8U * 3 * 9 * 4096);
}

TEST(Deterministic, BlocksThatNobodyTookAreUsedNext) {
    ecs::world world;
    world.make_deterministic(400);
    const auto far = world.commands(399).spawn(spark{});
    world.flush();
    std::uint64_t largest = 0;
    for (int i = 0; i < 200 * 4096; ++i) largest = std::max<std::uint64_t>(largest, world.spawn().index());
    EXPECT_LT(largest, far.index());
}

TEST(Deterministic, SystemsHandOutTheSameIdentifiersOnAnyNumberOfThreads) {
    const auto play_schedule = [](ecs::world& world, unsigned threads) {
        world.make_deterministic(0);
        for (int i = 0; i < 100; ++i) world.spawn(position{i, i});
        ecs::schedule schedule;
        schedule.add("sparks", [](const position& p, ecs::commands& c) {
            for (int i = 0; i < p.x % 50; ++i) c.spawn(spark{std::uint32_t(i)});
        });
        schedule.add("wounds", [](const position& p, ecs::commands& c) { c.spawn(health{p.y}, marked{}); });
        schedule.add("fade", [](ecs::entity e, const spark& s, ecs::commands& c) {
            if (s.job % 2 == 0) c.despawn(e);
        });
        schedule.add("heal", [](ecs::entity e, health& h, ecs::commands& c) {
            if (++h.points > 40) c.set(e, spark{std::uint32_t(h.points)});
        });
        for (int run = 0; run < 6; ++run) schedule.run(world, threads);
        return checksum_of(world);
    };
    const std::uint64_t expected = play_schedule(first_of_its_number(), 1);
    EXPECT_EQ(play_schedule(first_of_its_number(), 2), expected);
    EXPECT_EQ(play_schedule(first_of_its_number(), 4), expected);
    EXPECT_EQ(play_schedule(first_of_its_number(), 8), expected);
}

TEST(Deterministic, KeyWhoseBlocksAreAllTakenIsRefusedAndGoesOnAfterTheFlush) {
    ecs::world world;
    // So many keys that each has one block between two flushes.
    world.make_deterministic(1'048'570);
    auto commands = world.commands(5);
    for (int i = 0; i < 4096; ++i) commands.spawn(spark{});
    EXPECT_THROW(commands.spawn(spark{}), std::length_error);
    EXPECT_THROW(commands.spawn(spark{}), std::length_error);
    EXPECT_EQ(world.flush().spawned(), 4096U);
    EXPECT_TRUE(world.alive(commands.spawn(spark{})));
    EXPECT_EQ(world.flush().spawned(), 1U);
    EXPECT_EQ(world.query<spark>().count(), 4097U);
    EXPECT_THROW(world.make_deterministic(2'000'000), std::length_error);
}

/// Other threads may record, and look up their keys, while a schedule is described.
TEST(Deterministic, ScheduleThatIsDescribedMakesNoKeys) {
    ecs::world world;
    world.make_deterministic(1'048'570); // There is room for a few more keys.
    ecs::schedule schedule;
    int ran = 0;
    for (int i = 0; i < 8; ++i) schedule.add([&](ecs::commands&) { ++ran; });
    EXPECT_NO_THROW(std::ignore = schedule.dot(world));
    EXPECT_NO_THROW(std::ignore = schedule.svg(world));
    EXPECT_NO_THROW(std::ignore = schedule.phases(world));
    EXPECT_NO_THROW(std::ignore = schedule.ambiguities(world));
    EXPECT_THROW(schedule.run(world, 1), std::length_error);
    EXPECT_EQ(ran, 0);
}

/// Whether the system could.
bool forget_peak() { return (std::ofstream("/proc/self/clear_refs") << 5 << std::flush).good(); }
/// The most memory that this process has had at once since it forgot the peak, in kB; 0 where the system does
/// not say so.
long peak_kilobytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
    return 0;
}

TEST(Deterministic, WorldThatGoesBackAsksForNoMemoryForIndicesThatNobodyHas) {
    if (test::is_sanitized) GTEST_SKIP() << "a sanitizer has memory of its own";
    constexpr std::uint32_t keys = 1'000'000;
    ecs::world world;
    world.make_deterministic(keys);
    const ecs::entity far = world.commands(keys - 1).spawn();
    world.flush();
    ASSERT_GT(far.index(), 4'000'000'000U);
    const ecs::snapshot then = world.snapshot();
    world.despawn(far);
    const bool forgot = forget_peak();
    const long before = peak_kilobytes();
    if (!forgot || before == 0) GTEST_SKIP() << "the system does not say how much memory a process has had";
    world.restore(then);
    EXPECT_LT(peak_kilobytes() - before, 256 * 1024)
        << "a bit for each index up to this one is twice as much";
    EXPECT_TRUE(world.alive(far));
}

/// A game of ticks: everything it remembers besides its world, so that both can go back.
struct game {
    std::vector<std::vector<ecs::entity>> owned{jobs};
    std::vector<ecs::entity> direct;
};

void tick(ecs::world& world, game& now, unsigned number, unsigned threads, unsigned seed) {
    on_threads(
        threads, jobs, seed + number, [&](std::uint32_t job) { do_job(world, job, number, now.owned[job]); },
        [&] {
            for (int i = 0; i < 700; ++i) now.direct.push_back(world.spawn(health{i}));
            for (int i = 0; i < 300; ++i) {
                world.despawn(now.direct.back());
                now.direct.pop_back();
            }
        });
    EXPECT_EQ(world.flush().dropped(), 0U);
}

/// The sums of ten ticks. With `back`, six to ten are played, forgotten and played again by other threads.
template <class Back>
std::vector<std::uint64_t> play_ticks(ecs::world& world, unsigned threads, unsigned seed, Back back) {
    world.make_deterministic(jobs);
    game now;
    std::vector<std::uint64_t> sums;
    const auto play_until = [&](unsigned end, unsigned on, unsigned with) {
        while (sums.size() < end) {
            tick(world, now, static_cast<unsigned>(sums.size()), on, with);
            sums.push_back(checksum_of(world));
        }
    };
    play_until(5, threads, seed);
    const ecs::snapshot then = world.snapshot();
    const game before = now;
    for (unsigned times = 0; times < 3 && back(world, then); ++times) {
        play_until(6 + 2 * times, 1 + times, seed + 100 * times);
        now = before;
        sums.resize(5);
        back(world, then);
    }
    play_until(10, threads, seed + 1000);
    return sums;
}

constexpr auto never_back = [](ecs::world&, const ecs::snapshot&) { return false; };
constexpr auto rewinds = [](ecs::world& world, const ecs::snapshot& then) {
    world.rewind(then);
    return true;
};

TEST(Deterministic, WorldThatRewindsPlaysTheSameAgainOnAnyNumberOfThreads) {
    const auto expected = play_ticks(first_of_its_number(), 1, 1, never_back);
    ASSERT_EQ(expected.size(), 10U);
    for (const unsigned threads : numbers_of_threads)
        EXPECT_EQ(play_ticks(first_of_its_number(), threads, threads, rewinds), expected) << threads;
}

TEST(Deterministic, WorldThatRewindsDoesOtherThingsAsOneThatNeverWentBack) {
    const auto play_once = [](ecs::world& world, bool other_future) {
        world.make_deterministic(jobs);
        game now;
        for (unsigned number = 0; number < 3; ++number) tick(world, now, number, 2, 1);
        const ecs::snapshot then = world.snapshot();
        if (other_future) {
            game elsewhere = now;
            for (unsigned number = 40; number < 46; ++number) tick(world, elsewhere, number, 2, 1);
            world.commands(3).spawn_n(50'000, spark{3});
            world.flush();
            world.rewind(then);
        }
        for (unsigned number = 3; number < 8; ++number) tick(world, now, number, 2, 1);
        return std::pair(checksum_of(world), ecs::save(world).size());
    };
    EXPECT_EQ(play_once(first_of_its_number(), true), play_once(first_of_its_number(), false));
}

/// The first moves of a kind after a snapshot are no first moves for a world that goes on.
TEST(Deterministic, WorldThatRewindsMovesManyRowsIntoTheSameOrder) {
    const auto play = [](ecs::world& world, bool goes_back) {
        world.make_deterministic(1);
        const auto mark_some = [&](int number) {
            {
                auto commands = world.commands(0);
                for (int i = 0; i < number; ++i) {
                    const ecs::entity e = commands.spawn(position{i, 0});
                    if (i % 3 == 0) commands.set(e, health{i});
                }
            }
            world.flush();
        };
        mark_some(1);
        const ecs::snapshot then = world.snapshot();
        if (goes_back) world.rewind(then);
        mark_some(20);
        return checksum_of(world);
    };
    EXPECT_EQ(play(first_of_its_number(), true), play(first_of_its_number(), false));
}

/// restore gives the same indices, and generations that no handle had.
TEST(Deterministic, WorldThatIsRestoredHandsOutTheSameIndicesUnderLaterGenerations) {
    ecs::world& world = first_of_its_number();
    world.make_deterministic(4);
    const auto spawn_some = [&](unsigned seed) {
        std::vector<std::vector<ecs::entity>> made(4);
        on_threads(
            2, 4, seed,
            [&](std::uint32_t key) {
                auto commands = world.commands(key);
                for (std::uint32_t i = 0; i < 50 + 3000 * key; ++i)
                    made[key].push_back(commands.spawn(spark{key}));
            },
            [] {});
        world.flush();
        return made;
    };
    const auto kept = spawn_some(1);
    for (std::size_t i = 0; i < kept[2].size(); i += 3) world.despawn(kept[2][i]);
    const ecs::snapshot then = world.snapshot();
    const auto first = spawn_some(2);
    const auto second = spawn_some(3);
    world.restore(then);
    for (const auto& [before, again] : {std::pair(first, spawn_some(4)), std::pair(second, spawn_some(5))})
        for (std::size_t key = 0; key < 4; ++key)
            for (std::size_t i = 0; i < before[key].size(); ++i) {
                ASSERT_EQ(before[key][i].index(), again[key][i].index()) << key << ' ' << i;
                ASSERT_LT(before[key][i].generation(), again[key][i].generation());
                ASSERT_FALSE(world.alive(before[key][i]));
            }
}

TEST(Deterministic, WorldsOfAnyPastThatLoadTheSameBytesHandOutTheSameIndices) {
    const auto spawn_some = [](ecs::world& world, unsigned count) {
        std::vector<std::uint64_t> indices;
        for (std::uint32_t key = 0; key < 4; ++key) {
            auto commands = world.commands(key);
            for (unsigned i = 0; i < count; ++i) indices.push_back(commands.spawn(spark{key}).index());
        }
        world.flush();
        return indices;
    };
    ecs::world& first = first_of_its_number();
    ecs::world& second = first_of_its_number();
    for (ecs::world* const world : {&first, &second}) world->make_deterministic(4);
    spawn_some(first, 3000);
    const std::vector<std::byte> bytes = ecs::save(first);
    spawn_some(first, 700);
    for (int i = 0; i < 3; ++i) spawn_some(second, 5000);
    for (ecs::world* const world : {&first, &second}) ecs::load(*world, bytes);
    for (const unsigned count : {10U, 5000U, 300U})
        EXPECT_EQ(spawn_some(first, count), spawn_some(second, count));
}

/// An index whose generations the forgotten future has spent, in a block that nobody has taken again yet.
TEST(Deterministic, WhatRetiredInAFutureThatIsForgottenStaysRetiredUnlessTheWorldRewinds) {
    ecs::world& world = first_of_its_number();
    world.make_deterministic(1);
    const ecs::snapshot then = world.snapshot();
    const auto spawn_all = [&] {
        std::vector<ecs::entity> all(8000);
        for (ecs::entity& e : all) e = world.spawn();
        return all;
    };
    ecs::entity spent = spawn_all().back();
    const auto is_spent = [spent](ecs::entity e) { return e.index() == spent.index(); };
    for (; is_spent(spent); spent = world.spawn()) world.despawn(spent);
    world.restore(then);
    EXPECT_TRUE(std::ranges::none_of(spawn_all(), is_spent));
    world.rewind(then);
    EXPECT_TRUE(std::ranges::any_of(spawn_all(), is_spent));
}

TEST(Deterministic, SchedulePlaysTheSameAgainAfterRewinding) {
    const auto play = [](ecs::world& world, unsigned threads, bool goes_back) {
        world.make_deterministic(0);
        for (int i = 0; i < 100; ++i) world.spawn(position{i, i});
        ecs::schedule schedule;
        schedule.add("sparks", [](const position& p, ecs::commands& c) {
            for (int i = 0; i < p.x % 50; ++i) c.spawn(spark{std::uint32_t(i)});
        });
        schedule.add("fade", [](ecs::entity e, const spark& s, ecs::commands& c) {
            if (s.job % 2 == 0) c.despawn(e);
        });
        schedule.run(world, threads);
        schedule.run(world, threads);
        const ecs::snapshot then = world.snapshot();
        if (goes_back) {
            for (int i = 0; i < 5; ++i) schedule.run(world, 2);
            world.rewind(then);
        }
        for (int i = 0; i < 4; ++i) schedule.run(world, threads);
        return checksum_of(world);
    };
    const std::uint64_t expected = play(first_of_its_number(), 1, false);
    for (const unsigned threads : {1U, 2U, 4U})
        EXPECT_EQ(play(first_of_its_number(), threads, true), expected);
}

/// What is laid out otherwise than expected the first time is laid out so again.
TEST(Deterministic, WorldWithAManifestRewindsToTheSameOrderOfRows) {
    const auto play = [](ecs::world& world, bool goes_back) {
        world.add_manifest(ecs::manifest<spark, health, position>{});
        world.make_deterministic(2);
        const auto spawn_some = [&] {
            for (std::uint32_t key = 0; key < 2; ++key) {
                auto commands = world.commands(key);
                for (int i = 0; i < 3000; ++i) commands.spawn(position{i, 1}, health{i}, spark{key});
            }
            world.flush();
        };
        world.spawn(position{7, 7}, health{7}, spark{7});
        const ecs::snapshot then = world.snapshot();
        if (goes_back) {
            spawn_some();
            world.rewind(then);
        }
        spawn_some();
        return checksum_of(world);
    };
    EXPECT_EQ(play(first_of_its_number(), true), play(first_of_its_number(), false));
}

TEST(Deterministic, WorldThatGoesBackHandsOutIndicesThatAreFree) {
    ecs::world world;
    world.make_deterministic(4);
    const auto spawn_some = [&] {
        std::vector<ecs::entity> made;
        for (std::uint32_t key = 0; key < 4; ++key) {
            auto commands = world.commands(key);
            for (int i = 0; i < 100; ++i) made.push_back(commands.spawn(spark{key}));
        }
        world.flush();
        return made;
    };
    const auto kept = spawn_some();
    const ecs::snapshot then = world.snapshot();
    std::uint64_t largest = 0;
    std::set<std::uint64_t> all;
    for (int i = 0; i < 50; ++i) {
        for (const ecs::entity e : spawn_some()) {
            EXPECT_TRUE(all.insert(e.value()).second);
            if (i > 0) EXPECT_LE(e.index(), largest);
            if (i == 0) largest = std::max<std::uint64_t>(largest, e.index());
        }
        world.restore(then);
        for (const ecs::entity e : kept) EXPECT_TRUE(world.has<spark>(e));
        EXPECT_EQ(world.query<spark>().count(), 400U);
    }
}

} // namespace
