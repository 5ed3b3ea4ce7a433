// SPDX-License-Identifier: MIT
// What does it cost to reach the components of an entity that nobody could foresee?
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

template <class Store, class Work> double time_on_shuffled(benchmark::State& state, Work work) {
    handles<Store> ids(bench_size(100'000));
    Store store;
    store.spawn_3(ids);
    shuffle(ids);
    double result = 0;
    for (auto _ : state) benchmark::DoNotOptimize(result = work(store, ids));
    count_items(state, ids.size());
    return result;
}

const bool one = compare(contenders, "get_1_shuffled", goal{2.5}, []<class Store>(benchmark::State& state) {
    return time_on_shuffled<Store>(state, [](Store& s, const handles<Store>& ids) { return s.get_1(ids); });
});

const bool two = compare(contenders, "get_2_shuffled", goal{2.5}, []<class Store>(benchmark::State& state) {
    return time_on_shuffled<Store>(state, [](Store& s, const handles<Store>& ids) { return s.get_2(ids); });
});

// What a loop over handles can look up once is looked up before it: a getter, a storage.

const bool one_held = compare(
    contenders, "get_1_shuffled_held", goal{1.8},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.get_1_held(h); }
    {
        return time_on_shuffled<Store>(state,
                                       [](Store& s, const handles<Store>& ids) { return s.get_1_held(ids); });
    });

const bool two_held = compare(
    contenders, "get_2_shuffled_held", goal{1.8},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.get_2_held(h); }
    {
        return time_on_shuffled<Store>(state,
                                       [](Store& s, const handles<Store>& ids) { return s.get_2_held(ids); });
    });

} // namespace
