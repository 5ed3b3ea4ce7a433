// SPDX-License-Identifier: MIT
// What does it cost to reach the components of an entity that nobody could foresee?
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

template <class Store, class Work>
double time_on_shuffled(benchmark::State& state, Work work, std::size_t entities = 100'000) {
    handles<Store> ids(bench_size(entities));
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

// What a loop over handles can look up once is looked up before it: a getter, a storage.

template <class Work> bool compare_held(const char* workload, Work work, std::size_t entities = 100'000) {
    return compare(
        contenders, workload, goal{1.8},
        [=]<class Store>(benchmark::State& state) -> double
            requires requires(Store& s, handles<Store> h) { work(s, h); }
        { return time_on_shuffled<Store>(state, work, entities); });
}

const bool one_held = compare_held(
    "get_1_shuffled_held", [](auto& store, const auto& ids)
        requires requires { store.get_1_held(ids); }
    { return store.get_1_held(ids); });
const bool two_held = compare_held(
    "get_2_shuffled_held", [](auto& store, const auto& ids)
        requires requires { store.get_2_held(ids); }
    { return store.get_2_held(ids); });

// All handles are known beforehand: what the getter makes of that, and of a storage the same loop.

const auto get_one_of_each = [](auto& store, const auto& ids)
    requires requires { store.get_1_batch(ids); }
{ return store.get_1_batch(ids); };
const auto get_two_of_each = [](auto& store, const auto& ids)
    requires requires { store.get_2_batch(ids); }
{ return store.get_2_batch(ids); };

const bool one_of_each = compare_held("get_1_shuffled_batch", get_one_of_each);
const bool two_of_each = compare_held("get_2_shuffled_batch", get_two_of_each);
const bool one_of_many = compare_held("get_1_of_1000000_batch", get_one_of_each, 1'000'000);
const bool two_of_many = compare_held("get_2_of_1000000_batch", get_two_of_each, 1'000'000);

} // namespace
