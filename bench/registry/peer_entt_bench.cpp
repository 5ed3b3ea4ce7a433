// SPDX-License-Identifier: MIT
// The same questions put to EnTT's entity storage, where it is installed.
#include "registry/floors.hpp"
#include <benchmark/benchmark.h>
#include <entt/entity/registry.hpp>
#include <vector>

namespace {

const std::size_t count = bench_size(100'000);

void create_one_by_one(benchmark::State& state) {
    for (auto _ : state) {
        entt::registry ids;
        for (std::size_t n = 0; n < count; ++n) benchmark::DoNotOptimize(ids.create());
    }
    floors::per_id(state, count);
}
BENCHMARK(create_one_by_one)->Name("create_one_by_one/entt");

void create_in_bulk(benchmark::State& state) {
    std::vector<entt::entity> out(count);
    for (auto _ : state) {
        entt::registry ids;
        ids.create(out.begin(), out.end());
        benchmark::DoNotOptimize(out.data());
    }
    floors::per_id(state, count);
}
BENCHMARK(create_in_bulk)->Name("create_in_bulk/entt");

void create_destroy_pair(benchmark::State& state) {
    for (auto _ : state) {
        entt::registry ids;
        for (int n = 0; n < 1000; ++n) benchmark::DoNotOptimize(ids.create());
        for (std::size_t n = 0; n < count; ++n) {
            auto id = ids.create();
            benchmark::DoNotOptimize(id);
            ids.destroy(id);
        }
    }
    floors::per_id(state, count);
}
BENCHMARK(create_destroy_pair)->Name("create_destroy_pair/entt");

} // namespace
