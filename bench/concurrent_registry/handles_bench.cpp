// SPDX-License-Identifier: MIT
// What does a handle cost, among how many others, and what do handles that come and go cost the others?
// Goals: making one among 16,000 costs less than a microsecond; a pair through a handle costs the same
// whatever another thread does.
#include "concurrent_registry/shared.hpp"
#include <atomic>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <thread>
#include <vector>

import ecs.registry;

namespace {

const std::size_t pairs_at_once = bench_size(4'096);

void make_one_among(benchmark::State& state) {
    ecs::concurrent_registry ids;
    std::vector<ecs::concurrent_registry::handle> others;
    while (others.size() < static_cast<std::size_t>(state.range(0))) others.push_back(ids.local());
    for (auto _ : state) {
        const auto made = ids.local();
        benchmark::DoNotOptimize(&made);
    }
}
BENCHMARK(make_one_among)
    ->Name("make_a_handle_among")
    ->Arg(0)
    ->Arg(16)
    ->Arg(static_cast<std::int64_t>(bench_size(16'000)));

/// Another thread makes handles and ends them, as fast as it can, where it is told to.
void pairs_beside(benchmark::State& state) {
    ecs::concurrent_registry ids;
    std::atomic<bool> ends = false;
    std::jthread restless;
    if (state.range(0) != 0)
        restless = std::jthread([&] {
            while (!ends.load(std::memory_order_relaxed)) { // Relaxed: it only has to be seen some day.
                const auto made = ids.local();
                benchmark::DoNotOptimize(&made);
            }
        });
    auto local = ids.local();
    for (auto _ : state)
        for (std::size_t n = 0; n < pairs_at_once; ++n)
            benchmark::DoNotOptimize(local.destroy(local.create()));
    ends = true;
    floors::per_id(state, pairs_at_once);
}
BENCHMARK(pairs_beside)->Name("pair_beside_handles_that_come_and_go")->Arg(0)->Arg(1)->UseRealTime();

} // namespace
