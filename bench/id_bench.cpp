// SPDX-License-Identifier: MIT
// Does a proved layout cost anything? Reading fields by name against shifts and masks written by hand.
#include "bench_size.hpp"
#include <benchmark/benchmark.h>
#include <cstdint>
#include <vector>

import ecs.id;

namespace {

using handle = ecs::basic_id<
    ecs::layout<std::uint64_t, ecs::index<"index", 31, 0>, ecs::generation<"generation", 63, 32>>>;

std::vector<handle> some_handles() {
    std::vector<handle> handles(bench_size(100'000));
    std::uint64_t number = 1;
    for (auto& h : handles)
        h = handle::assume_word(number = number * 6364136223846793005U + 1442695040888963407U);
    return handles;
}

void per_handle(benchmark::State& state, std::size_t handles) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(handles));
}

void fields_by_name(benchmark::State& state) {
    const auto handles = some_handles();
    for (auto _ : state) {
        std::uint64_t sum = 0;
        for (const handle h : handles) sum += h.get<"index">() ^ h.get<"generation">();
        benchmark::DoNotOptimize(sum);
    }
    per_handle(state, handles.size());
}
BENCHMARK(fields_by_name);

void fields_by_hand(benchmark::State& state) {
    const auto handles = some_handles();
    for (auto _ : state) {
        std::uint64_t sum = 0;
        for (const handle h : handles) sum += (h.value() & 0xFFFF'FFFF) ^ (h.value() >> 32);
        benchmark::DoNotOptimize(sum);
    }
    per_handle(state, handles.size());
}
BENCHMARK(fields_by_hand);

} // namespace
