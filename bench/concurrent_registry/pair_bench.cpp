// SPDX-License-Identifier: MIT
// What does create + destroy cost, alone and while another thread does the same?
// Goals: at most 1.5 times the vector free list; no slower per thread with two threads; with work between,
// two threads do at least 1.8 times as much as one; with none, at least 10 times as much as behind a lock.
#include "concurrent_registry/shared.hpp"
#include <array>
#include <atomic>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <deque>
#include <thread>

import ecs.id;
import ecs.registry;

namespace {

const std::size_t batch = bench_size(4'096);

/// About 100 ns that no other thread takes part in.
void work(std::uint64_t& state) {
    for (int n = 0; n < 24; ++n) state = state * 6364136223846793005U + 1442695040888963407U;
    benchmark::DoNotOptimize(state);
}

struct nothing {
    void operator()(std::uint64_t&) const {}
};
struct some_work {
    void operator()(std::uint64_t& s) const { work(s); }
};

/// Creates and destroys through whatever `enter` returns.
template <class Between> void pairs(benchmark::State& state, auto&& through, Between between) {
    std::uint64_t number = 1;
    for (auto _ : state)
        for (std::size_t n = 0; n < batch; ++n) {
            const auto id = through.create();
            between(number);
            benchmark::DoNotOptimize(through.destroy(id));
        }
    floors::per_id(state, batch);
}

template <class Subject, class Between = nothing> void directly(benchmark::State& state) {
    pairs(state, *subject_of_all<Subject>::now, Between{});
}
template <class Between = nothing> void by_handle(benchmark::State& state) {
    auto local = subject_of_all<ecs::concurrent_registry>::now->local();
    pairs(state, local, Between{});
}
void by_exclusive_handle(benchmark::State& state) {
    auto alone = subject_of_all<ecs::concurrent_registry>::now->exclusive_local();
    pairs(state, alone, nothing{});
}

template <class Subject> void shared(benchmark::internal::Benchmark* b) {
    b->Setup(subject_of_all<Subject>::setup)->Teardown(subject_of_all<Subject>::teardown)->UseRealTime();
}
template <class Subject> void alone_and_together(benchmark::internal::Benchmark* b) {
    shared<Subject>(b);
    b->Threads(1)->Threads(2);
}
/// 1, 2, 4 and so on, up to all processors of the machine.
template <class Subject> void by_one_to_all(benchmark::internal::Benchmark* b) {
    shared<Subject>(b);
    b->ThreadRange(1, static_cast<int>(std::thread::hardware_concurrency()));
}

using ecs::concurrent_registry;
using floors::atomic_counter;
using floors::mutex_and_vector;

BENCHMARK(directly<floors::vector_free_list>)
    ->Name("pair/floor_vector_free_list")
    ->Apply(shared<floors::vector_free_list>);
BENCHMARK(directly<atomic_counter>)->Name("pair/floor_atomic_counter")->Apply(by_one_to_all<atomic_counter>);
BENCHMARK(directly<mutex_and_vector>)
    ->Name("pair/floor_mutex_and_vector")
    ->Apply(by_one_to_all<mutex_and_vector>);
BENCHMARK(by_handle<>)->Name("pair/handle")->Apply(by_one_to_all<concurrent_registry>);
BENCHMARK(by_exclusive_handle)->Name("pair/exclusive_handle")->Apply(shared<concurrent_registry>);
BENCHMARK(directly<concurrent_registry>)
    ->Name("pair/without_handle")
    ->Apply(by_one_to_all<concurrent_registry>);

BENCHMARK(directly<atomic_counter, some_work>)
    ->Name("pair_and_work/floor_atomic_counter")
    ->Apply(by_one_to_all<atomic_counter>);
BENCHMARK(directly<mutex_and_vector, some_work>)
    ->Name("pair_and_work/floor_mutex_and_vector")
    ->Apply(by_one_to_all<mutex_and_vector>);
BENCHMARK(by_handle<some_work>)->Name("pair_and_work/handle")->Apply(by_one_to_all<concurrent_registry>);

/// A window of live identifiers, the oldest destroyed as a new one comes: nothing is reused at once.
template <class Through> void window(benchmark::State& state, Through&& through) {
    using id = decltype(through.create());
    std::deque<id> live;
    for (std::size_t n = 0; n < 1024; ++n) live.push_back(through.create());
    for (auto _ : state)
        for (std::size_t n = 0; n < batch; ++n) {
            live.push_back(through.create());
            benchmark::DoNotOptimize(through.destroy(live.front()));
            live.pop_front();
        }
    for (const id i : live) through.destroy(i);
    floors::per_id(state, batch);
}
void window_floor(benchmark::State& state) { window(state, *subject_of_all<floors::vector_free_list>::now); }
void window_mutex(benchmark::State& state) { window(state, *subject_of_all<mutex_and_vector>::now); }
void window_by_handle(benchmark::State& state) {
    window(state, subject_of_all<concurrent_registry>::now->local());
}
BENCHMARK(window_floor)->Name("window_1024/floor_vector_free_list")->Apply(shared<floors::vector_free_list>);
BENCHMARK(window_mutex)->Name("window_1024/floor_mutex_and_vector")->Apply(by_one_to_all<mutex_and_vector>);
BENCHMARK(window_by_handle)->Name("window_1024/handle")->Apply(by_one_to_all<concurrent_registry>);

/// What it costs when two threads write to one pair of cache lines, and when they do not: why lanes lie
/// apart.
template <std::size_t Apart> struct two_counters {
    struct alignas(Apart) counter {
        std::atomic<std::uint64_t> value{};
    };
    std::array<counter, 2> each;
};
template <std::size_t Apart> void count_apart(benchmark::State& state) {
    auto& mine =
        subject_of_all<two_counters<Apart>>::now->each[static_cast<std::size_t>(state.thread_index())].value;
    for (auto _ : state)
        for (std::size_t n = 0; n < batch; ++n)
            mine.store(mine.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    floors::per_id(state, batch);
}
BENCHMARK(count_apart<8>)->Name("two_writers/8_bytes_apart")->Apply(alone_and_together<two_counters<8>>);
BENCHMARK(count_apart<64>)->Name("two_writers/64_bytes_apart")->Apply(alone_and_together<two_counters<64>>);
BENCHMARK(count_apart<128>)
    ->Name("two_writers/128_bytes_apart")
    ->Apply(alone_and_together<two_counters<128>>);

} // namespace
