// SPDX-License-Identifier: MIT
// Eight threads record while the world's thread changes the world; then the flush, and loops on several
// threads.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <random>
#include <thread>
#include <unordered_set>
#include <vector>

import ecs.world;

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

constexpr unsigned workers = 8;

/// What a worker did, so that it can be checked after the flush.
struct diary {
    std::vector<ecs::entity> spawned;
    std::size_t despawned{};
};

void record(ecs::world& world, unsigned seed, const std::vector<ecs::entity>& shared, diary& into) {
    std::minstd_rand random(seed + 1);
    auto commands = world.commands();
    for (int i = 0; i < 2000; ++i) {
        const auto e = commands.spawn(position{0, 0}, velocity{1, 1});
        EXPECT_TRUE(world.alive(e));
        into.spawned.push_back(e);
        const ecs::entity target = shared[random() % shared.size()];
        switch (random() % 6) {
        case 0:
            commands.set(e, health{i});
            break;
        case 1:
            commands.add<frozen>(target);
            break;
        case 2:
            commands.set(target, health{i});
            break;
        case 3:
            commands.remove<frozen>(target);
            break;
        case 4:
            commands.despawn(e);
            ++into.despawned;
            break;
        default:
            static_cast<void>(world.status(target));
        }
        if (i % 500 == 499) commands = world.commands();
    }
}

TEST(StressCommands, RecordingWhileTheWorldIsChangedLosesNothing) {
    ecs::world world;
    std::vector<ecs::entity> shared;
    for (int i = 0; i < 100; ++i) shared.push_back(world.spawn(health{i}));
    std::size_t expected = 0;
    for (unsigned round = 0; round < 5; ++round) {
        std::vector<diary> diaries(workers);
        {
            std::vector<std::jthread> threads;
            for (unsigned w = 0; w < workers; ++w)
                threads.emplace_back([&, w] { record(world, round * workers + w, shared, diaries[w]); });
            for (int i = 0; i < 2000; ++i) {
                const auto e = world.spawn(health{i}, frozen{});
                if (i % 3 == 0) world.set(e, velocity{2, 2});
                world.despawn(e);
            }
        }
        world.flush();
        std::unordered_set<std::uint64_t> seen;
        for (const diary& d : diaries) {
            expected += d.spawned.size() - d.despawned;
            for (const ecs::entity e : d.spawned) EXPECT_TRUE(seen.insert(e.value()).second);
        }
        EXPECT_EQ((world.query<const position, const velocity>().count()), expected);
    }
}

TEST(StressCommands, LoopsOnSeveralThreadsMayRecord) {
    ecs::world world;
    for (int i = 0; i < 50'000; ++i) world.spawn(position{0, 0}, velocity{1, 1}, health{i});
    ecs::schedule schedule;
    schedule.add("move", [](position& p, const velocity& v) { p.x += v.x; });
    schedule.add("age", [](health& h) { ++h.points; });
    schedule.add("breed", [](ecs::entity e, const health& h, ecs::commands& c) {
        if (h.points % 100 == 0) c.spawn(position{0, 0}, velocity{1, 1});
        if (h.points % 1000 == 1) c.despawn(e);
    });
    for (int i = 0; i < 3; ++i) {
        schedule.run(world, 4);
        world.par_each([](position& p) { p.y += 1; });
        world.par_each([&](ecs::entity e, const velocity&) {
            if (!world.alive(e)) std::abort();
        });
    }
    EXPECT_GT((world.query<position, velocity>().count()), 0U);
}

} // namespace
