// SPDX-License-Identifier: MIT
// What does it cost to ask whether an identifier is alive, half of them dead, in no order?
// Goal: at most 1.5 times an array load and compare.
#include "concurrent_registry/shared.hpp"
#include <benchmark/benchmark.h>
#include <cstdint>
#include <vector>

import ecs.id;
import ecs.registry;

namespace {

const std::size_t asked = bench_size(100'000);

/// Counts the live among shuffled identifiers of which every other was destroyed.
template <class Id> void ask(benchmark::State& state, auto& subject) {
    std::vector<Id> ids(asked);
    for (auto& id : ids) id = subject.create();
    for (std::size_t n = 0; n < asked; n += 2) subject.destroy(ids[n]);
    floors::shuffle(ids);
    // In a function of its own, so that the count is in a register: a variable that the benchmark has seen is
    // written to memory at each acquiring load, which takes longer than to ask.
    const auto count_live = [&] {
        std::size_t live = 0;
        for (const auto id : ids) live += subject.alive(id);
        return live;
    };
    for (auto _ : state) benchmark::DoNotOptimize(count_live());
    floors::per_id(state, asked);
}

/// Load and compare, nothing else: the caller vouches for the index.
struct unchecked_array {
    std::vector<std::uint64_t> slots;

    std::uint64_t create() { return slots.emplace_back(slots.size() | floors::one_generation); }
    void destroy(std::uint64_t id) { slots[floors::index_of(id)] = 0; }
    bool alive(std::uint64_t id) const { return slots[floors::index_of(id)] == id; }
};

void array(benchmark::State& state) {
    unchecked_array subject;
    ask<std::uint64_t>(state, subject);
}
void concurrent(benchmark::State& state) {
    ecs::concurrent_registry subject;
    ask<ecs::entity>(state, subject);
}
void single_threaded(benchmark::State& state) {
    ecs::registry subject;
    ask<ecs::entity>(state, subject);
}
struct place {
    std::uint32_t table, row;
};
void with_payload(benchmark::State& state) {
    ecs::basic_concurrent_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>,
                                   ecs::retire, place>
        subject;
    ask<ecs::entity>(state, subject);
}
BENCHMARK(array)->Name("alive_100k_shuffled/floor_array_load_and_compare");
BENCHMARK(single_threaded)->Name("alive_100k_shuffled/single_threaded_registry");
BENCHMARK(concurrent)->Name("alive_100k_shuffled/concurrent_registry");
BENCHMARK(with_payload)->Name("alive_100k_shuffled/concurrent_registry_with_payload");

} // namespace
