// SPDX-License-Identifier: MIT
// Registers a workload for every contender that can do it: `workload/floor`, `workload/ecs`, `workload/EnTT`,
// `workload/flecs`. The contenders share one program, so that ratios come from one run, and must arrive at
// the same result, so that they did the same work.
#pragma once
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

template <class... Stores> struct contender_list {};

template <class Store> using handles = std::vector<typename Store::handle>;

/// Throws std::runtime_error when an earlier contender had another result.
void expect_same_result(const std::string& workload, double result);

/// What a workload is for: how many times the floor it may take.
struct goal {
    double times_floor;
};

using configuration = void (*)(benchmark::internal::Benchmark*);

template <class Store, class Work>
void enter(const std::string& workload, goal aim, configuration configure, Work work) {
    if constexpr (requires(benchmark::State& state) { work.template operator()<Store>(state); }) {
        const std::string name = workload + '/' + Store::name;
        configure(benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
            expect_same_result(workload, work.template operator()<Store>(state));
            state.counters["goal"] = aim.times_floor;
        }));
    }
}

/// Work is a lambda `<class Store>(benchmark::State&) -> double`, constrained to the stores that can do it;
/// it returns its result and sets the number of items.
template <class... Stores, class Work>
bool compare(contender_list<Stores...>, const std::string& workload, goal aim, Work work) {
    (enter<Stores>(workload, aim, [](benchmark::internal::Benchmark*) {}, work), ...);
    return true;
}

/// The same for what is not a matter of time: Work runs once and sets the counter `bytes`.
template <class... Stores, class Work>
bool compare_sizes(contender_list<Stores...>, const std::string& workload, goal aim, Work work) {
    const auto once = [](benchmark::internal::Benchmark* entered) { entered->Iterations(1)->Repetitions(1); };
    (enter<Stores>(workload, aim, once, work), ...);
    return true;
}

inline void count_items(benchmark::State& state, std::size_t per_iteration) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(per_iteration));
}

/// Times `work` on a store made anew for every iteration. Neither `prepare` nor `check` is timed; returns
/// what check said last.
template <class Store, class Prepare, class Work, class Check>
double time_on_fresh_stores(benchmark::State& state, Prepare prepare, Work work, Check check) {
    double result = 0;
    for (auto _ : state) {
        state.PauseTiming();
        auto store = std::make_unique<Store>();
        prepare(*store);
        state.ResumeTiming();
        work(*store);
        state.PauseTiming();
        result = check(*store);
        store.reset();
        state.ResumeTiming();
    }
    return result;
}
