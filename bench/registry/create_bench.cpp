// SPDX-License-Identifier: MIT
// What does a new identifier cost, one by one and in bulk, in a fresh registry?
// Goals: one by one at most 1.2 times the vector free list; in bulk at most twice writing the words.
#include "registry/floors.hpp"
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

import ecs.id;
import ecs.registry;

namespace {

const std::size_t created = bench_size(100'000);

template <class Registry> void create_one_by_one(benchmark::State& state) {
    for (auto _ : state) {
        Registry ids;
        floors::keep_in_memory(ids);
        for (std::size_t n = 0; n < created; ++n) benchmark::DoNotOptimize(ids.create());
    }
    floors::per_id(state, created);
}

using linked_registry =
    ecs::basic_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>, ecs::retire,
                        ecs::free_lists::linked>;
using partitioned_registry =
    ecs::basic_registry<ecs::layouts::entity,
                        ecs::partitions<ecs::layouts::entity, ecs::partition<"low", 1, 255>,
                                        ecs::partition<"", 256, 0xFFFF'FFFF>>>;

BENCHMARK(create_one_by_one<floors::vector_free_list>)->Name("create_one_by_one/floor_vector_free_list");
BENCHMARK(create_one_by_one<ecs::registry>)->Name("create_one_by_one/registry");
BENCHMARK(create_one_by_one<linked_registry>)->Name("create_one_by_one/registry_linked");
BENCHMARK(create_one_by_one<partitioned_registry>)->Name("create_one_by_one/registry_partitioned");

void count_up(benchmark::State& state) {
    std::uint64_t next = 0;
    for (auto _ : state)
        for (std::size_t n = 0; n < created; ++n) benchmark::DoNotOptimize(++next);
    floors::per_id(state, created);
}
BENCHMARK(count_up)->Name("create_one_by_one/floor_plain_counter");

/// A fresh registry takes memory, and writes each word twice, to its slot and to the caller; so does the
/// floor.
void write_the_words(benchmark::State& state) {
    std::vector<std::uint64_t> out(created);
    for (auto _ : state) {
        const auto slots = std::make_unique_for_overwrite<std::uint64_t[]>(created);
        std::iota(slots.get(), slots.get() + created, floors::one_generation);
        std::ranges::copy_n(slots.get(), static_cast<std::ptrdiff_t>(created), out.begin());
        benchmark::DoNotOptimize(out.data());
        benchmark::DoNotOptimize(slots.get());
    }
    floors::per_id(state, created);
}
BENCHMARK(write_the_words)->Name("create_in_bulk/floor_write_the_words");

/// Nothing but the caller's words: no slots at all.
void write_the_callers_words(benchmark::State& state) {
    std::vector<std::uint64_t> out(created);
    for (auto _ : state) {
        std::iota(out.begin(), out.end(), floors::one_generation);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    floors::per_id(state, created);
}
BENCHMARK(write_the_callers_words)->Name("create_in_bulk/floor_write_the_callers_words");

void create_in_bulk(benchmark::State& state) {
    std::vector<ecs::entity> out(created);
    for (auto _ : state) {
        ecs::registry ids;
        ids.create(out);
        benchmark::DoNotOptimize(out.data());
    }
    floors::per_id(state, created);
}
BENCHMARK(create_in_bulk)->Name("create_in_bulk/registry");

} // namespace
