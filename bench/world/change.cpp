// SPDX-License-Identifier: MIT
// What does it cost to give 100,000 entities another component and to take it from them again?
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

template <class Store, class Work> double time_on_entities(benchmark::State& state, Work work) {
    handles<Store> ids(bench_size(100'000));
    Store store;
    store.spawn_1(ids);
    for (auto _ : state) work(store, ids);
    count_items(state, ids.size());
    return store.sum_of_all();
}

const bool component =
    compare(contenders, "add_and_remove_component", goal{7.8}, []<class Store>(benchmark::State& state) {
        return time_on_entities<Store>(state, [](Store& s, const handles<Store>& ids) {
            s.add_health(ids);
            s.remove_health(ids);
        });
    });

const bool later = compare(
    contenders, "add_later_and_flush", goal{3.5},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.add_health_later(h); }
    {
        handles<Store> ids(bench_size(100'000));
        Store store;
        store.spawn_1(ids);
        for (auto _ : state) {
            store.add_health_later(ids);
            state.PauseTiming();
            store.remove_health(ids);
            state.ResumeTiming();
        }
        count_items(state, ids.size());
        store.add_health_later(ids);
        return store.sum_of_all();
    });

const bool sparse =
    compare(contenders, "add_and_remove_sparse", goal{3.3}, []<class Store>(benchmark::State& state) {
        return time_on_entities<Store>(state, [](Store& s, const handles<Store>& ids) {
            s.add_sparse(ids);
            s.remove_sparse(ids);
        });
    });

const bool toggled =
    compare(contenders, "disable_and_enable_component", goal{3.3}, []<class Store>(benchmark::State& state) {
        return time_on_entities<Store>(state, [](Store& s, const handles<Store>& ids) {
            s.disable(ids);
            s.enable(ids);
        });
    });

const bool tagged =
    compare(contenders, "add_and_remove_tag", goal{3.3}, []<class Store>(benchmark::State& state) {
        return time_on_entities<Store>(state, [](Store& s, const handles<Store>& ids) {
            s.add_tag(ids);
            s.remove_tag(ids);
        });
    });

const bool in_place = compare(
    contenders, "add_and_remove_in_place", goal{3.3},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.add_in_place(h); }
    {
        return time_on_entities<Store>(state, [](Store& s, const handles<Store>& ids) {
            s.add_in_place(ids);
            s.remove_in_place(ids);
        });
    });

const bool tag_in_place = compare(
    contenders, "add_and_remove_tag_in_place", goal{3.3},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.add_tag_in_place(h); }
    {
        return time_on_entities<Store>(state, [](Store& s, const handles<Store>& ids) {
            s.add_tag_in_place(ids);
            s.remove_tag_in_place(ids);
        });
    });

const bool bit = compare(
    contenders, "add_and_remove_bit", goal{3.3},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.add_bit(h); }
    {
        return time_on_entities<Store>(state, [](Store& s, const handles<Store>& ids) {
            s.add_bit(ids);
            s.remove_bit(ids);
        });
    });

} // namespace
