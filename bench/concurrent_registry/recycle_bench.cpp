// SPDX-License-Identifier: MIT
// What do identifiers cost that were destroyed in another order, or by another thread?
// Goals: recycling a million scattered ones at least 5 times faster than through a linked free list;
// destroying those of another thread at most twice as dear as one's own.
#include "concurrent_registry/shared.hpp"
#include <array>
#include <atomic>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <vector>

import ecs.id;
import ecs.registry;

namespace {

const std::size_t scattered = bench_size(1'000'000);

/// Destroys everything in random order, unmeasured, then creates as many again.
template <class Id> void recycle(benchmark::State& state, auto&& through) {
    std::vector<Id> ids(scattered);
    for (auto& id : ids) id = through.create();
    for (auto _ : state) {
        state.PauseTiming();
        floors::shuffle(ids);
        for (const auto id : ids) through.destroy(id);
        state.ResumeTiming();
        for (auto& id : ids) id = through.create();
    }
    floors::per_id(state, scattered);
}
void recycle_linked(benchmark::State& state) { recycle<std::uint64_t>(state, floors::linked_free_list{}); }
void recycle_array(benchmark::State& state) { recycle<std::uint64_t>(state, floors::vector_free_list{}); }
void recycle_by_handle(benchmark::State& state) {
    ecs::concurrent_registry ids;
    recycle<ecs::entity>(state, ids.local());
}
BENCHMARK(recycle_linked)->Name("recycle_1M_scattered/floor_linked_free_list");
BENCHMARK(recycle_array)->Name("recycle_1M_scattered/floor_vector_free_list");
BENCHMARK(recycle_by_handle)->Name("recycle_1M_scattered/handle");

/// A ring from one thread to another; 0 is an empty place.
struct ring {
    static constexpr std::size_t places = 4096;
    std::array<std::atomic<std::uint64_t>, places> word{};

    void put(std::size_t n, std::uint64_t value) {
        auto& place = word[n % places];
        while (place.load(std::memory_order_acquire) != 0) {
        } // Pairs with the release in take.
        place.store(value, std::memory_order_release);
    }
    std::uint64_t take(std::size_t n) {
        auto& place = word[n % places];
        std::uint64_t value = 0;
        while ((value = place.load(std::memory_order_acquire)) == 0) {
        } // Pairs with the release in put.
        place.store(0, std::memory_order_release);
        return value;
    }
};

const std::size_t handed = bench_size(65'536);

struct ring_alone {
    ring way;
};
struct ring_and_registry {
    ring way;
    ecs::concurrent_registry ids;
};
struct ring_and_mutex {
    ring way;
    floors::mutex_and_vector ids;
};

template <class Subject> void hand_over(benchmark::State& state, auto make, auto end) {
    ring& way = subject_of_all<Subject>::now->way;
    for (auto _ : state)
        for (std::size_t n = 0; n < handed; ++n)
            if (state.thread_index() == 0)
                way.put(n, make());
            else
                end(way.take(n));
    if (state.thread_index() == 0) floors::per_id(state, handed);
}
void hand_over_nothing(benchmark::State& state) {
    std::uint64_t number = 0;
    hand_over<ring_alone>(
        state, [&] { return ++number; }, [](std::uint64_t got) { benchmark::DoNotOptimize(got); });
}
void hand_over_identifiers(benchmark::State& state) {
    auto local = subject_of_all<ring_and_registry>::now->ids.local();
    hand_over<ring_and_registry>(
        state, [&] { return local.create().value(); },
        [&](std::uint64_t got) { benchmark::DoNotOptimize(local.destroy(ecs::entity::assume_word(got))); });
}
void hand_over_behind_a_lock(benchmark::State& state) {
    auto& ids = subject_of_all<ring_and_mutex>::now->ids;
    hand_over<ring_and_mutex>(
        state, [&] { return ids.create(); },
        [&](std::uint64_t got) { benchmark::DoNotOptimize(ids.destroy(got)); });
}

template <class Subject> void together(benchmark::internal::Benchmark* b) {
    b->Setup(subject_of_all<Subject>::setup)
        ->Teardown(subject_of_all<Subject>::teardown)
        ->UseRealTime()
        ->Threads(2);
}
BENCHMARK(hand_over_nothing)->Name("destroyed_by_another/floor_ring_alone")->Apply(together<ring_alone>);
BENCHMARK(hand_over_behind_a_lock)
    ->Name("destroyed_by_another/floor_mutex_and_vector")
    ->Apply(together<ring_and_mutex>);
BENCHMARK(hand_over_identifiers)->Name("destroyed_by_another/handle")->Apply(together<ring_and_registry>);

} // namespace
