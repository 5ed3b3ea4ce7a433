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

const bool one = compare(contenders, "get_1_shuffled", goal{1.5}, []<class Store>(benchmark::State& state) {
    return time_on_shuffled<Store>(state, [](Store& s, const handles<Store>& ids) { return s.get_1(ids); });
});

const bool two = compare(contenders, "get_2_shuffled", goal{1.84}, []<class Store>(benchmark::State& state) {
    return time_on_shuffled<Store>(state, [](Store& s, const handles<Store>& ids) { return s.get_2(ids); });
});

} // namespace
