// SPDX-License-Identifier: MIT
// What does it cost to open and close a commands object, alone and while another thread does, too?
#include "bench_size.hpp"
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <thread>
import ecs.world;

namespace {

const std::size_t objects = bench_size(1'000, 16); // Of each thread, between two flushes.

void open_and_close(ecs::world& world) {
    for (std::size_t i = 0; i < objects; ++i) benchmark::DoNotOptimize(world.commands());
}

void open_and_close_twice(ecs::world& world) {
    std::jthread other([&] { open_and_close(world); });
    open_and_close(world);
}

/// The world has as many command buffers as the threads need, and each flush makes them idle.
void time_opening(benchmark::State& state, void (*work)(ecs::world&), std::size_t threads) {
    ecs::world world;
    for (std::size_t t = 0; t < threads; ++t) open_and_close(world);
    for (auto _ : state) {
        state.PauseTiming();
        world.flush();
        state.ResumeTiming();
        work(world);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(threads * objects));
}

void open_on_one_thread(benchmark::State& state) { time_opening(state, &open_and_close, 1); }
void open_on_two_threads(benchmark::State& state) { time_opening(state, &open_and_close_twice, 2); }

BENCHMARK(open_on_one_thread)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(open_on_two_threads)->UseRealTime()->Unit(benchmark::kMicrosecond);

} // namespace
