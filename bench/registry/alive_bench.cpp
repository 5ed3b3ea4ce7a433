// SPDX-License-Identifier: MIT
// What does it cost to ask whether a handle is alive? A hundred thousand of them, shuffled, half of them
// dead. Goal: at most 1.5 times an array load and a comparison.
#include "registry/floors.hpp"
#include <benchmark/benchmark.h>
#include <cstdint>
#include <vector>

import ecs.id;
import ecs.registry;

namespace {

template <class Registry> auto half_dead(Registry& ids) {
    std::vector<decltype(ids.create())> all(bench_size(100'000));
    for (auto& id : all) id = ids.create();
    floors::shuffle(all);
    for (std::size_t n = 0; n < all.size(); n += 2) ids.destroy(all[n]);
    floors::shuffle(all);
    return all;
}

template <class Registry> void alive_shuffled(benchmark::State& state) {
    Registry ids;
    const auto all = half_dead(ids);
    for (auto _ : state) {
        std::size_t alive = 0;
        for (const auto id : all) alive += ids.alive(id);
        benchmark::DoNotOptimize(alive);
    }
    floors::per_id(state, all.size());
}

/// The array is the caller's, and every index is known to lie in it.
void load_and_compare(benchmark::State& state) {
    floors::vector_free_list ids;
    const auto all = half_dead(ids);
    std::vector<std::uint64_t> slots(all.size());
    for (const auto id : all) slots[floors::index_of(id)] = ids.alive(id) ? id : 0;
    for (auto _ : state) {
        std::size_t alive = 0;
        for (const auto id : all) alive += slots[floors::index_of(id)] == id;
        benchmark::DoNotOptimize(alive);
    }
    floors::per_id(state, all.size());
}

using partitioned_registry =
    ecs::basic_registry<ecs::layouts::entity,
                        ecs::partitions<ecs::layouts::entity, ecs::partition<"low", 1, 255>,
                                        ecs::partition<"", 256, 0xFFFF'FFFF>>>;

BENCHMARK(load_and_compare)->Name("alive_shuffled/floor_load_and_compare");
BENCHMARK(alive_shuffled<floors::vector_free_list>)->Name("alive_shuffled/floor_vector_free_list");
BENCHMARK(alive_shuffled<ecs::registry>)->Name("alive_shuffled/registry");
BENCHMARK(alive_shuffled<partitioned_registry>)->Name("alive_shuffled/registry_partitioned");

} // namespace
