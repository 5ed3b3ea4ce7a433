// SPDX-License-Identifier: MIT
// What does it cost to open and close a commands object, alone and while other threads do, too?
#include "bench_size.hpp"
#include "threads.hpp"
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
import ecs.world;

namespace {

const std::size_t objects = bench_size(1'000, 16); // Of each thread, between two flushes.

void open_and_close(ecs::world& world) {
    for (std::size_t i = 0; i < objects; ++i) benchmark::DoNotOptimize(world.commands());
}

/// The world has as many command buffers as the threads need, and each flush makes them idle.
void open_commands(benchmark::State& state) {
    team threads(threads_of(state));
    ecs::world world;
    for (std::size_t t = 0; t < threads.size(); ++t) open_and_close(world);
    for (auto _ : state) {
        state.PauseTiming();
        world.flush();
        state.ResumeTiming();
        threads.run([&](std::size_t) { open_and_close(world); });
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(threads.size() * objects));
}

BENCHMARK(open_commands)->Name("open_and_close_commands/ecs")->Apply(one_to_all_processors);

} // namespace
