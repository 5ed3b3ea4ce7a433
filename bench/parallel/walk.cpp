// SPDX-License-Identifier: MIT
// Does a parallel walk over a million rows reach the bandwidth that two threads get from plain arrays?
#include "../world/shape.hpp"
#include <barrier>
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

import ecs.world;

namespace {

const std::size_t rows = bench_size(1'000'000, 40'000);
constexpr auto move = [](position& p, const velocity& v) {
    p.x += v.x;
    p.y += v.y;
};

void count_rows(benchmark::State& state) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(rows * 24)); // 16 read, 8 written
}

void walk(benchmark::State& state, unsigned threads) {
    ecs::world world;
    world.spawn_n(rows, [](std::size_t i) { return start_position(i); }, velocity{1, 1});
    const std::unique_ptr<ecs::executor> on = ecs::make_tbb_executor(threads);
    for (auto _ : state) {
        if (threads == 1)
            world.each(move);
        else
            world.par_each(*on, move);
    }
    count_rows(state);
}

void each_on_one_thread(benchmark::State& state) { walk(state, 1); }
void par_each_on_two_threads(benchmark::State& state) { walk(state, 2); }

struct arrays {
    std::vector<position> positions = std::vector<position>(rows);
    std::vector<velocity> velocities = std::vector<velocity>(rows, velocity{1, 1});

    void walk(std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) move(positions[i], velocities[i]);
        benchmark::ClobberMemory();
    }
};

void arrays_on_one_thread(benchmark::State& state) {
    arrays all;
    for (auto _ : state) all.walk(0, rows);
    count_rows(state);
}

/// The second thread waits at a barrier between walks, as the executor's threads wait for tasks.
void arrays_on_two_threads(benchmark::State& state) {
    arrays all;
    std::barrier meeting(2);
    bool done = false;
    std::jthread other([&] {
        while (true) {
            meeting.arrive_and_wait();
            if (done) return;
            all.walk(rows / 2, rows);
            meeting.arrive_and_wait();
        }
    });
    for (auto _ : state) {
        meeting.arrive_and_wait();
        all.walk(0, rows / 2);
        meeting.arrive_and_wait();
    }
    done = true;
    meeting.arrive_and_wait();
    count_rows(state);
}

BENCHMARK(each_on_one_thread)->UseRealTime();
BENCHMARK(par_each_on_two_threads)->UseRealTime();
BENCHMARK(arrays_on_one_thread)->UseRealTime();
BENCHMARK(arrays_on_two_threads)->UseRealTime();

} // namespace
