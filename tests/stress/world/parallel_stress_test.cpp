// SPDX-License-Identifier: MIT
// Everything at once, for ThreadSanitizer: threads that record, the world's thread that runs a schedule,
// walks in parallel and is told of it by observers.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

import ecs.world;

namespace {

struct position {
    std::int64_t x = 0;
};
struct velocity {
    std::int64_t x = 0;
};
struct health {
    std::int64_t points = 0;
};
struct apart {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value = 0;
};
struct mark {};
struct likes {};

constexpr unsigned recorders = 8;
constexpr unsigned threads_of_a_loop = 4;
constexpr int rounds = 6;
constexpr int spawns = 600;
constexpr unsigned at_once = 9000; ///< More than a chunk has rows.

/// What one thread does in a round: it records, and looks at what others recorded.
void record(ecs::world& world, unsigned thread, const std::vector<ecs::entity>& shared, ecs::id liking,
            std::atomic<std::uint64_t>& handed_over) {
    auto commands = thread % 2 == 0 ? world.commands(thread) : world.commands();
    for (int i = 0; i < spawns; ++i) {
        const ecs::entity e = commands.spawn(position{i}, velocity{1});
        EXPECT_TRUE(world.alive(e));
        // Relaxed: the word of an entity is all that is handed over.
        const auto other =
            ecs::entity::assume_word(handed_over.exchange(e.value(), std::memory_order_relaxed));
        if (other) {
            EXPECT_TRUE(world.alive(other));
            commands.set(other, health{i});
        }
        if (i % 3 == 0) commands.set(e, apart{i});
        if (i % 4 == 0) commands.despawn(e);
        if (i % 5 == 0) commands.add(shared[std::size_t(i) % shared.size()], liking);
        if (i % 7 == 0) commands.add<mark>(shared[(thread + std::size_t(i)) % shared.size()]);
        if (i % 100 == 0) commands.run(e, [](ecs::world& w, ecs::entity x) { w.set(x, health{-1}); });
    }
    const auto many =
        commands.spawn_n(at_once, health{1}, [](std::size_t i) { return position{std::int64_t(i)}; });
    for (std::size_t i = 0; i < many.size(); i += 50) commands.add<mark>(many[i]);
}

struct tally {
    std::size_t born = 0;
    std::size_t marked = 0;
};

/// The world's own work while others record: walks on several threads, looks for what they spawned, and
/// changes.
void work_meanwhile(ecs::world& world, ecs::executor& on, std::vector<ecs::entity>& own,
                    const std::atomic<std::uint64_t>& handed_over) {
    std::atomic<std::size_t> visited{};
    world.par_each(on, [&](position& p, const velocity& v) {
        p.x += v.x;
        visited.fetch_add(1, std::memory_order_relaxed); // A number.
    });
    EXPECT_EQ(visited.load(std::memory_order_relaxed), (world.query<position, velocity>().count()));
    for (int i = 0; i < 200; ++i) {
        own.push_back(world.spawn(position{i}, velocity{2}));
        // Relaxed: as in record.
        const auto recorded = ecs::entity::assume_word(handed_over.load(std::memory_order_relaxed));
        EXPECT_EQ(recorded ? world.try_get<position>(recorded) : nullptr, nullptr);
    }
    for (int i = 0; i < 100; ++i, own.pop_back()) world.despawn(own.back());
}

ecs::schedule make_schedule() {
    ecs::schedule schedule;
    schedule.phase("update")
        .add("move", [](position& p, const velocity& v) { p.x += v.x; })
        .add("heal",
             [](ecs::entity e, health& h, ecs::commands& c) {
                 if (++h.points > 20) c.despawn(e);
             })
        .add("bounce", [](const position& p, velocity& v) {
            if (p.x > 100) v.x = -1;
        });
    schedule.phase("after")
        .add("count",
             [](ecs::query<const apart>& all, ecs::commands& c) {
                 if (all.count() > 10) c.spawn(health{1}, mark{});
             })
        .add("reset", [](velocity& v) { v.x = 1; });
    return schedule;
}

void play(ecs::executor& on) {
    ecs::world world;
    const ecs::entity idol = world.spawn(health{0});
    const ecs::id liking = ecs::pair(world.component<likes>(), idol);
    tally told;
    world.observe(ecs::event::spawned, [&](ecs::entity) { ++told.born; });
    world.observe<ecs::event::added, mark>([&](ecs::entity) { ++told.marked; });
    std::vector<ecs::entity> shared, own;
    // Enough for several threads to be worth their while in par_each.
    for (int i = 0; i < 40'000; ++i) own.push_back(world.spawn(position{i}, velocity{1}));
    for (int i = 0; i < 64; ++i) shared.push_back(world.spawn(velocity{0}));
    ecs::schedule schedule = make_schedule();
    std::size_t spawned = 0;
    for (int round = 0; round < rounds; ++round) {
        const std::size_t before = told.born;
        std::atomic<std::uint64_t> handed_over{};
        std::latch start(recorders + 1);
        {
            std::vector<std::jthread> threads;
            for (unsigned t = 0; t < recorders; ++t)
                threads.emplace_back([&, t] {
                    start.arrive_and_wait();
                    record(world, t, shared, liking, handed_over);
                });
            start.arrive_and_wait();
            work_meanwhile(world, on, own, handed_over);
        }
        const std::size_t born_directly = told.born - before;
        EXPECT_EQ(born_directly, 200U);
        spawned = world.flush().spawned();
        EXPECT_EQ(spawned, recorders * (spawns + at_once));
        EXPECT_EQ(told.born - before - born_directly, spawned);
        schedule.run(world, on);
    }
    EXPECT_GT(told.marked, 0U);
}

TEST(ParallelStress, EverythingAtOnceOnOneTbb) {
    const std::unique_ptr<ecs::executor> on = ecs::make_tbb_executor(4);
    play(*on);
}

/// Threads of the standard library: a race detector sees all they do.
struct plain_threads {
    [[nodiscard]] unsigned concurrency() const { return 4; }

    class group {
      public:
        explicit group(plain_threads&) {}
        template <class Task> void run(Task t) {
            const std::lock_guard lock(guard_);
            threads_.emplace_back(t);
        }
        void wait() {
            for (std::optional<std::jthread> next = take(); next; next = take()) next->join();
        }

      private:
        /// Threads add threads while they run.
        std::optional<std::jthread> take() {
            const std::lock_guard lock(guard_);
            if (threads_.empty()) return {};
            std::optional<std::jthread> last(std::move(threads_.back()));
            threads_.pop_back();
            return last;
        }

        std::mutex guard_;
        std::vector<std::jthread> threads_;
    };
};

TEST(ParallelStress, EverythingAtOnceOnPlainThreads) {
    plain_threads threads;
    ecs::job_executor<plain_threads> on(threads);
    play(on);
}

/// Threads say that they have recorded, and their commands objects end when the flush may have begun.
TEST(ParallelStress, CommandsEndWhileTheWorldFlushes) {
    ecs::world world;
    for (int round = 0; round < 200; ++round) {
        std::latch recorded(4);
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&] {
                auto commands = world.commands();
                for (int i = 0; i < 20; ++i) (void)commands.spawn(position{i});
                recorded.count_down();
            });
        recorded.wait();
        world.flush();
        EXPECT_EQ(world.query<position>().count(), std::size_t(80 * (round + 1)));
    }
}

/// Of identifiers that were issued after the snapshot to which the world has gone back.
TEST(ParallelStress, StatusIsAskedWhileEntitiesThatCameBackEnd) {
    ecs::world world;
    const std::vector<ecs::entity> all = world.spawn_n(spawns, position{1});
    const ecs::snapshot before = world.snapshot();
    world.despawn(all);
    const std::vector<ecs::entity> later = world.spawn_n(spawns, position{2});
    world.restore(before);
    std::atomic<bool> is_over = false;
    std::atomic<std::size_t> others = 0;
    {
        std::latch begun(2);
        const std::jthread asks([&] {
            begun.count_down();
            do {
                for (const ecs::entity e : later)
                    if (world.alive(e) || world.status(e) != ecs::id_status::stale) ++others;
            } while (!is_over);
        });
        begun.arrive_and_wait();
        for (const ecs::entity e : all) world.despawn(e);
        for (int i = 0; i < spawns; ++i) world.despawn(world.spawn());
        is_over = true;
    }
    EXPECT_EQ(others, 0U);
}

/// Threads turn from one of two objects to the other, of which one is another in each round.
TEST(ParallelStress, EachThreadOfALoopRecordsInAnObjectOfItsOwn) {
    ecs::world world;
    ecs::thread_commands of_threads(world);
    std::optional<ecs::thread_commands> others(world);
    for (int round = 0; round < rounds; ++round) {
        world.spawn_n(at_once, health{round % 2});
        std::vector<std::jthread> threads;
        const std::vector<ecs::entity> all = world.entities();
        for (unsigned t = 0; t < threads_of_a_loop; ++t)
            threads.emplace_back([&, t] {
                for (std::size_t i = t; i < all.size(); i += threads_of_a_loop) {
                    if (i % 3 != 0) of_threads.local().despawn(all[i]);
                    if (i % 3 == 0) others->local().despawn(all[i]);
                    if (i % 5 == 0) of_threads.local().spawn(position{1});
                }
            });
        threads.clear();
        world.flush();
        EXPECT_EQ(world.query<const health>().count(), 0U);
        EXPECT_EQ(world.query<const position>().count(), (all.size() + 4) / 5);
        world.clear();
        others.emplace(world);
    }
}

/// Short threads of two parents, one after the other: nothing but their ends puts them in an order.
TEST(ParallelStress, ThreadsGoOnWithTheObjectsOfThreadsThatHaveEnded) {
    ecs::world world;
    ecs::thread_commands of_threads(world);
    constexpr int jobs = 40;
    std::atomic<int> turn{0};
    const auto parent = [&](int parity) {
        for (int job = parity; job < jobs; job += 2) {
            while (turn.load(std::memory_order_relaxed) != job)
                std::this_thread::yield(); // Relaxed: no order.
            std::thread([&, job] { of_threads.local().spawn(health{job}); }).join();
            turn.store(job + 1, std::memory_order_relaxed); // Relaxed: no order.
        }
    };
    std::thread even(parent, 0), odd(parent, 1);
    even.join();
    odd.join();
    world.flush();
    EXPECT_EQ(world.query<const health>().count(), std::size_t{jobs});
}

/// The slots say who has no row, while recorders take slots.
TEST(ParallelStress, EntitiesWithoutRowsAreFoundWhileOthersRecord) {
    ecs::world world;
    const std::size_t before = world.entities().size();
    for (std::size_t round = 1; round <= 20; ++round) {
        for (int i = 0; i < 500; ++i) (void)world.spawn();
        const ecs::world& read = world;
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 2; ++thread) {
            threads.emplace_back([&] {
                auto commands = world.commands();
                for (int i = 0; i < 500; ++i) (void)commands.spawn();
            });
            threads.emplace_back([&] {
                std::size_t found = 0;
                read.query<>().each([&](ecs::entity e) { found += read.alive(e); });
                EXPECT_GE(found, before + 500 * round);
            });
        }
        threads.clear();
        world.flush();
        EXPECT_EQ(world.entities().size(), before + 1500 * round);
    }
}

} // namespace
