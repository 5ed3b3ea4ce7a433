// SPDX-License-Identifier: MIT
// Sixteen systems that do not conflict, each of which goes over 50,000 entities of its own: how much faster
// are they with more threads?
#include "../world/shape.hpp"
#include "threads.hpp"
#include <array>
#include <atomic>
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>
#ifdef ECS_BENCH_FLECS
#include <flecs.h>
#endif

import ecs.world;

namespace {

constexpr std::size_t wide_systems = 16;
const std::size_t rows_of_each = bench_size(50'000);

/// Some 2 ns for each row.
template <class Value> void settle(Value& v) {
    for (int n = 0; n < 16; ++n) v.value = 1 / (v.value + 0.5F);
}

void count_rows_of_all(benchmark::State& state) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(wide_systems * rows_of_each));
}

/// Each thread takes the next array that nobody has taken.
void arrays(benchmark::State& state) {
    team threads(threads_of(state));
    std::array<std::vector<letter<0>>, wide_systems> all;
    for (auto& one : all) one.assign(rows_of_each, {1});
    for (auto _ : state) {
        std::atomic<std::size_t> next = 0;
        threads.run([&](std::size_t) {
            // Relaxed: the barrier of the team orders the rest.
            for (std::size_t n = 0; (n = next.fetch_add(1, std::memory_order_relaxed)) < wide_systems;)
                for (auto& v : all[n]) settle(v);
        });
    }
    count_rows_of_all(state);
}

template <std::size_t N> constexpr auto settle_all_of = [](letter<N>& v) { settle(v); };

template <std::size_t... N> void fill_wide(ecs::world& world, ecs::schedule& all, std::index_sequence<N...>) {
    (world.spawn_n(rows_of_each, letter<N>{1}), ...);
    (all.add("system " + std::to_string(N), settle_all_of<N>), ...);
}

void schedule(benchmark::State& state) {
    ecs::world world;
    ecs::schedule all;
    fill_wide(world, all, std::make_index_sequence<wide_systems>());
    const std::unique_ptr<ecs::executor> on = ecs::make_tbb_executor(static_cast<unsigned>(state.range(0)));
    for (auto _ : state) all.run(world, *on);
    count_rows_of_all(state);
}

#ifdef ECS_BENCH_FLECS
template <std::size_t... N> void fill_wide(flecs::world& world, std::index_sequence<N...>) {
    const auto spawn_all = [&]<class Letter> {
        for (std::size_t i = 0; i < rows_of_each; ++i) world.entity().set(Letter{1});
    };
    (spawn_all.template operator()<letter<N>>(), ...);
    (world.system<letter<N>>().multi_threaded().each([](letter<N>& v) { settle(v); }), ...);
}

/// All threads share each system.
void flecs_systems(benchmark::State& state) {
    flecs::world world;
    fill_wide(world, std::make_index_sequence<wide_systems>());
    world.set_threads(static_cast<std::int32_t>(state.range(0)));
    for (auto _ : state) world.progress(1.0F);
    count_rows_of_all(state);
}
#endif

BENCHMARK(arrays)->Name("run_16_systems_of_50000/floor")->Apply(one_to_all_processors);
BENCHMARK(schedule)->Name("run_16_systems_of_50000/ecs")->Apply(one_to_all_processors);
#ifdef ECS_BENCH_FLECS
BENCHMARK(flecs_systems)->Name("run_16_systems_of_50000/flecs")->Apply(one_to_all_processors);
#endif

} // namespace
