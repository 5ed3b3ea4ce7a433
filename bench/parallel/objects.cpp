// SPDX-License-Identifier: MIT
// What does a commands object cost that spawns one entity, alone and while another thread opens some, too?
#include "../world/shape.hpp"
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
import ecs.world;

namespace {

const std::size_t objects = bench_size(1'000, 16); // Of each thread, between two flushes.

void open_and_spawn(ecs::world& world) {
    for (std::size_t i = 0; i < objects; ++i) world.commands().spawn(start_position(i));
}

void open_and_spawn_nothing(ecs::world& world) {
    for (std::size_t i = 0; i < objects; ++i) benchmark::DoNotOptimize(world.commands());
}

/// The world has as many recorders as the threads need.
std::unique_ptr<ecs::world> prepared_world(int threads) {
    auto world = std::make_unique<ecs::world>();
    for (int t = 0; t < threads; ++t) open_and_spawn(*world);
    world->flush();
    return world;
}

template <auto Work> void on_one_thread(benchmark::State& state) {
    const auto world = prepared_world(1);
    for (auto _ : state) {
        Work(*world);
        state.PauseTiming();
        world->flush();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(objects));
}

template <auto Work> void on_two_threads(benchmark::State& state) {
    const auto world = prepared_world(2);
    for (auto _ : state) {
        {
            std::jthread other([&] { Work(*world); });
            Work(*world);
        }
        state.PauseTiming();
        world->flush();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * 2 * static_cast<std::int64_t>(objects));
}

BENCHMARK(on_one_thread<open_and_spawn_nothing>)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(on_two_threads<open_and_spawn_nothing>)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(on_one_thread<open_and_spawn>)->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(on_two_threads<open_and_spawn>)->UseRealTime()->Unit(benchmark::kMicrosecond);

} // namespace
