// SPDX-License-Identifier: MIT
// Does a loop stay fast when the entities that match differ in what else they have?
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

template <class Store, class Spawn, class Work>
double time_loop(benchmark::State& state, std::size_t entities, Spawn spawn, Work work) {
    Store store;
    spawn(store, entities);
    work(store);
    const double result = store.sum_of_positions();
    for (auto _ : state) {
        work(store);
        benchmark::ClobberMemory();
    }
    count_items(state, entities);
    return result;
}

constexpr auto spawn_thousand_archetypes = []<class Store>(Store& s, std::size_t n) {
    s.spawn_tags(n, 1000);
};
constexpr auto step_groups = []<class Store>(Store& s) { s.step_groups(); };

const bool letters_26 =
    compare(contenders, "iterate_1_of_26_archetypes", goal{1.05}, []<class Store>(benchmark::State& state) {
        return time_loop<Store>(
            state, bench_size(100'000), [](Store& s, std::size_t n) { s.spawn_letters(n); },
            [](Store& s) { s.advance_all(); });
    });

const bool crowded = compare(
    contenders, "iterate_2_of_1000_archetypes_of_100", goal{1.1}, []<class Store>(benchmark::State& state) {
        return time_loop<Store>(state, bench_size(100'000, 1000), spawn_thousand_archetypes, step_groups);
    });

const bool lonely = compare(contenders, "iterate_2_of_1000_archetypes_of_1", goal{1.43},
                            []<class Store>(benchmark::State& state) {
                                return time_loop<Store>(state, 1000, spawn_thousand_archetypes, step_groups);
                            });

const bool mixed = compare(
    contenders, "iterate_3_one_optional_one_excluded", goal{1.05}, []<class Store>(benchmark::State& state) {
        return time_loop<Store>(
            state, bench_size(100'000), [](Store& s, std::size_t n) { s.spawn_mixed(n); },
            [](Store& s) { s.step_mixed(); });
    });

} // namespace
