// SPDX-License-Identifier: MIT
// What does a new identifier cost, one by one and in bulk, in a fresh registry?
// Goals: one by one at most 1.2 times the vector free list; in bulk at most twice writing the words.
#include "concurrent_registry/shared.hpp"
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <numeric>
#include <vector>

import ecs.id;
import ecs.registry;

namespace {

const std::size_t count = bench_size(100'000);

void vector_free_list(benchmark::State& state) {
    for (auto _ : state) {
        floors::vector_free_list ids;
        for (std::size_t n = 0; n < count; ++n) benchmark::DoNotOptimize(ids.create());
    }
    floors::per_id(state, count);
}
BENCHMARK(vector_free_list)->Name("create_one_by_one/floor_vector_free_list");

void through_a_handle(benchmark::State& state) {
    for (auto _ : state) {
        ecs::concurrent_registry ids;
        auto local = ids.local();
        for (std::size_t n = 0; n < count; ++n) benchmark::DoNotOptimize(local.create());
    }
    floors::per_id(state, count);
}
BENCHMARK(through_a_handle)->Name("create_one_by_one/handle");

/// The same pages again: what is left without the system's zeroing them.
void through_a_handle_after_clear(benchmark::State& state) {
    ecs::concurrent_registry ids;
    for (auto _ : state) {
        state.PauseTiming();
        ids.clear();
        state.ResumeTiming();
        auto local = ids.local();
        for (std::size_t n = 0; n < count; ++n) benchmark::DoNotOptimize(local.create());
    }
    floors::per_id(state, count);
}
BENCHMARK(through_a_handle_after_clear)->Name("create_one_by_one/handle_after_clear");

void without_a_handle(benchmark::State& state) {
    for (auto _ : state) {
        ecs::concurrent_registry ids;
        for (std::size_t n = 0; n < count; ++n) benchmark::DoNotOptimize(ids.create());
    }
    floors::per_id(state, count);
}
BENCHMARK(without_a_handle)->Name("create_one_by_one/without_handle");

/// Each word is written twice, to its slot and to the caller; fresh memory for the slots.
void write_the_words(benchmark::State& state) {
    std::vector<std::uint64_t> out(count);
    for (auto _ : state) {
        std::vector<std::uint64_t> slots(count);
        std::iota(slots.begin(), slots.end(), floors::one_generation);
        std::ranges::copy(slots, out.begin());
        benchmark::DoNotOptimize(out.data());
        benchmark::DoNotOptimize(slots.data());
    }
    floors::per_id(state, count);
}
BENCHMARK(write_the_words)->Name("create_in_bulk/floor_write_the_words");

void in_bulk(benchmark::State& state) {
    std::vector<ecs::entity> out(count);
    for (auto _ : state) {
        ecs::concurrent_registry ids;
        ids.create(out);
        benchmark::DoNotOptimize(out.data());
    }
    floors::per_id(state, count);
}
BENCHMARK(in_bulk)->Name("create_in_bulk/registry");

void in_bulk_after_clear(benchmark::State& state) {
    std::vector<ecs::entity> out(count);
    ecs::concurrent_registry ids;
    for (auto _ : state) {
        state.PauseTiming();
        ids.clear();
        state.ResumeTiming();
        ids.create(out);
        benchmark::DoNotOptimize(out.data());
    }
    floors::per_id(state, count);
}
BENCHMARK(in_bulk_after_clear)->Name("create_in_bulk/registry_after_clear");

} // namespace
