// SPDX-License-Identifier: MIT
// Does a loop over a query run at the speed of a loop over arrays?
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

template <class Store, class Work>
double time_loop(benchmark::State& state, std::size_t entities, Work work) {
    handles<Store> ids(entities);
    Store store;
    store.spawn_3(ids);
    work(store);
    const double result = store.sum_of_all();
    for (auto _ : state) {
        work(store);
        benchmark::ClobberMemory();
    }
    count_items(state, entities);
    return result;
}

constexpr auto step_all = []<class Store>(Store& s) { s.step_all(); };

const bool large =
    compare(contenders, "iterate_2_of_100000", goal{1.05}, []<class Store>(benchmark::State& state) {
        return time_loop<Store>(state, bench_size(100'000), step_all);
    });

const bool small =
    compare(contenders, "iterate_2_of_1000", goal{1.05}, []<class Store>(benchmark::State& state) {
        return time_loop<Store>(state, bench_size(1000), step_all);
    });

const bool by_chunk = compare(
    contenders, "iterate_2_of_100000_by_chunk", goal{1.05},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s) { s.step_all_by_chunk(); }
    { return time_loop<Store>(state, bench_size(100'000), []<class S>(S& s) { s.step_all_by_chunk(); }); });

const bool in_a_range = compare(
    contenders, "iterate_2_of_100000_in_a_range", goal{1.1},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s) { s.step_all_in_a_range(); }
    { return time_loop<Store>(state, bench_size(100'000), []<class S>(S& s) { s.step_all_in_a_range(); }); });

/// The entities that have it are every other one.
const bool iterate_in_place = compare(
    contenders, "iterate_2_of_100000_half_in_place", goal{3.3},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s) { s.smoulder(); }
    {
        handles<Store> ids(bench_size(100'000));
        Store store;
        store.spawn_1(ids);
        handles<Store> half;
        for (std::size_t i = 0; i < ids.size(); i += 2) half.push_back(ids[i]);
        store.add_in_place(half);
        store.smoulder();
        const double result = store.sum_of_all();
        for (auto _ : state) {
            store.smoulder();
            benchmark::ClobberMemory();
        }
        count_items(state, half.size());
        return result;
    });

} // namespace
