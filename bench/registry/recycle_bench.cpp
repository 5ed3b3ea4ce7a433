// SPDX-License-Identifier: MIT
// What does it cost to use an index again? Hot (create and destroy the same one), and cold: a million
// scattered identifiers, where a linked list is a chain of cache misses. Goals: the pair at most 1.5 times
// the vector free list; the cold create at least 5 times faster than a linked list.
#include "registry/floors.hpp"
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdint>
#include <vector>

import ecs.id;
import ecs.registry;

namespace {

using linked_registry =
    ecs::basic_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>, ecs::retire,
                        ecs::free_lists::linked>;
using quarantined_registry =
    ecs::basic_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>,
                        ecs::quarantine<1024>>;

/// A thousand live ones around it; generations are not spent, because every batch has a fresh registry.
template <class Registry> void create_destroy_pair(benchmark::State& state) {
    const std::size_t pairs = bench_size(100'000);
    for (auto _ : state) {
        Registry ids;
        floors::keep_in_memory(ids);
        for (int n = 0; n < 1000; ++n) benchmark::DoNotOptimize(ids.create());
        for (std::size_t n = 0; n < pairs; ++n) {
            auto id = ids.create();
            benchmark::DoNotOptimize(id);
            ids.destroy(id);
        }
    }
    floors::per_id(state, pairs);
}
BENCHMARK(create_destroy_pair<floors::vector_free_list>)->Name("create_destroy_pair/floor_vector_free_list");
BENCHMARK(create_destroy_pair<ecs::registry>)->Name("create_destroy_pair/registry");
BENCHMARK(create_destroy_pair<linked_registry>)->Name("create_destroy_pair/registry_linked");
BENCHMARK(create_destroy_pair<quarantined_registry>)->Name("create_destroy_pair/registry_quarantine_1024");

/// Creates everything, destroys it in another order, and creates it again: only the last step is timed.
template <class Registry> void recycle_scattered(benchmark::State& state) {
    const auto count = static_cast<std::size_t>(state.range(0));
    Registry ids;
    floors::keep_in_memory(ids);
    std::vector<decltype(ids.create())> all(count);
    for (auto& id : all) id = ids.create();
    for (auto _ : state) {
        floors::shuffle(all);
        for (const auto id : all) ids.destroy(id);
        const auto start = std::chrono::steady_clock::now();
        for (auto& id : all) id = ids.create();
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        state.SetIterationTime(elapsed.count());
    }
    floors::per_id(state, count);
}

void sizes(benchmark::internal::Benchmark* bench) {
    bench->UseManualTime()->Unit(benchmark::kMillisecond);
    for (const std::size_t n : {std::size_t{64} * 1024, std::size_t{1'000'000}})
        bench->Arg(static_cast<std::int64_t>(bench_size(n)));
}
BENCHMARK(recycle_scattered<floors::linked_free_list>)
    ->Name("recycle_scattered/floor_linked_list")
    ->Apply(sizes);
BENCHMARK(recycle_scattered<floors::vector_free_list>)
    ->Name("recycle_scattered/floor_vector_free_list")
    ->Apply(sizes);
BENCHMARK(recycle_scattered<ecs::registry>)->Name("recycle_scattered/registry")->Apply(sizes);
BENCHMARK(recycle_scattered<linked_registry>)->Name("recycle_scattered/registry_linked")->Apply(sizes);

/// The other half: ending a million in scattered order.
template <class Registry> void destroy_scattered(benchmark::State& state) {
    const auto count = static_cast<std::size_t>(state.range(0));
    Registry ids;
    floors::keep_in_memory(ids);
    std::vector<decltype(ids.create())> all(count);
    for (auto _ : state) {
        for (auto& id : all) id = ids.create();
        floors::shuffle(all);
        const auto start = std::chrono::steady_clock::now();
        for (const auto id : all) ids.destroy(id);
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        state.SetIterationTime(elapsed.count());
    }
    floors::per_id(state, count);
}
BENCHMARK(destroy_scattered<floors::linked_free_list>)
    ->Name("destroy_scattered/floor_linked_list")
    ->Apply(sizes);
BENCHMARK(destroy_scattered<floors::vector_free_list>)
    ->Name("destroy_scattered/floor_vector_free_list")
    ->Apply(sizes);
BENCHMARK(destroy_scattered<ecs::registry>)->Name("destroy_scattered/registry")->Apply(sizes);
BENCHMARK(destroy_scattered<linked_registry>)->Name("destroy_scattered/registry_linked")->Apply(sizes);

} // namespace
