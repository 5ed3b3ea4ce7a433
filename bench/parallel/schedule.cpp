// SPDX-License-Identifier: MIT
// What does a schedule cost for each of a hundred systems that do next to nothing?
#include "threads.hpp"
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

import ecs.world;

namespace {

constexpr std::size_t systems = 100;

template <std::size_t> struct cell {
    std::uint64_t value = 0;
};

template <std::size_t N> constexpr auto count_up = [](cell<N>& c) { ++c.value; };

/// By identifier and out of line, because it is not measured: a hundred inlined ways to spawn took a minute
/// to compile.
template <std::size_t N> [[gnu::noinline]] void fill_one(ecs::world& world, ecs::schedule& all) {
    world.add(world.spawn(), world.component<cell<N>>());
    all.add("system " + std::to_string(N), count_up<N>);
}

template <std::size_t... N> void fill(ecs::world& world, ecs::schedule& all, std::index_sequence<N...>) {
    (fill_one<N>(world, all), ...);
}

/// No two of them conflict.
void run_schedule(benchmark::State& state) {
    const auto threads = static_cast<unsigned>(state.range(0));
    ecs::world world;
    ecs::schedule all;
    fill(world, all, std::make_index_sequence<systems>());
    const std::unique_ptr<ecs::executor> on =
        threads == 1 ? std::unique_ptr<ecs::executor>(std::make_unique<ecs::inline_executor>())
                     : ecs::make_tbb_executor(threads);
    all.run(world, *on);
    for (auto _ : state) all.run(world, *on);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(systems));
}

template <std::size_t... N> void call_each(ecs::world& world, std::index_sequence<N...>) {
    (world.each(count_up<N>), ...);
}

void systems_called_by_hand(benchmark::State& state) {
    ecs::world world;
    ecs::schedule unused;
    fill(world, unused, std::make_index_sequence<systems>());
    for (auto _ : state) call_each(world, std::make_index_sequence<systems>());
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(systems));
}

BENCHMARK(systems_called_by_hand)
    ->Name("run_100_tiny_systems/ecs, by hand")
    ->ArgName("threads")
    ->Arg(1)
    ->UseRealTime();
BENCHMARK(run_schedule)->Name("run_100_tiny_systems/ecs, schedule")->Apply(one_to_all_processors);

} // namespace
