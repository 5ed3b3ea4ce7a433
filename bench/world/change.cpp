// SPDX-License-Identifier: MIT
// What does it cost to give 100,000 entities another component and to take it from them again?
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

/// Adds to all and removes from all, over and over; the result is what the store has after one more addition.
template <class Store, class Add, class Remove, class Count>
double time_on_entities(benchmark::State& state, Add add, Remove remove, Count count) {
    handles<Store> ids(bench_size(100'000));
    Store store;
    store.spawn_1(ids);
    for (auto _ : state) {
        add(store, ids);
        remove(store, ids);
    }
    count_items(state, ids.size());
    const double without = static_cast<double>(count(store, ids));
    add(store, ids);
    return static_cast<double>(count(store, ids)) - without;
}

/// The same to entities in another order each time, so that what is added or removed next stands elsewhere.
template <class Store, class Add, class Remove, class Count>
double time_on_shuffled(benchmark::State& state, Add add, Remove remove, Count count) {
    handles<Store> ids(bench_size(100'000));
    Store store;
    store.spawn_1(ids);
    const auto mix = [&] {
        state.PauseTiming();
        shuffle(ids);
        state.ResumeTiming();
    };
    for (auto _ : state) {
        mix();
        add(store, ids);
        mix();
        remove(store, ids);
    }
    count_items(state, ids.size());
    const double without = static_cast<double>(count(store, ids));
    add(store, ids);
    return static_cast<double>(count(store, ids)) - without;
}

/// Adds to all, and takes away what was added without timing that.
template <class Store, class Add, class Remove>
void time_additions(benchmark::State& state, Store& store, const handles<Store>& ids, Add add,
                    Remove remove) {
    for (auto _ : state) {
        add(store, ids);
        state.PauseTiming();
        remove(store, ids);
        state.ResumeTiming();
    }
    count_items(state, ids.size());
}

const bool component =
    compare(contenders, "add_and_remove_component", goal{7.8}, []<class Store>(benchmark::State& state) {
        using entities = const handles<Store>&;
        return time_on_entities<Store>(
            state, [](Store& s, entities ids) { s.add_health(ids); },
            [](Store& s, entities ids) { s.remove_health(ids); },
            [](Store& s, entities) { return s.sum_of_all(); });
    });

const bool component_of_shuffled = compare(contenders, "add_and_remove_component_shuffled", goal{7.8},
                                           []<class Store>(benchmark::State& state) {
                                               using entities = const handles<Store>&;
                                               return time_on_shuffled<Store>(
                                                   state, [](Store& s, entities ids) { s.add_health(ids); },
                                                   [](Store& s, entities ids) { s.remove_health(ids); },
                                                   [](Store& s, entities) { return s.sum_of_all(); });
                                           });

const bool later = compare(
    contenders, "add_later_and_flush", goal{3.5},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.add_health_later(h); }
    {
        handles<Store> ids(bench_size(100'000));
        Store store;
        store.spawn_1(ids);
        using entities = const handles<Store>&;
        time_additions(
            state, store, ids, [](Store& s, entities all) { s.add_health_later(all); },
            [](Store& s, entities all) { s.remove_health(all); });
        store.add_health_later(ids);
        return store.sum_of_all();
    });

const bool both_later = compare(
    contenders, "add_two_later_and_flush", goal{8.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.add_both_later(h); }
    {
        handles<Store> ids(bench_size(100'000));
        Store store;
        store.spawn_1(ids);
        using entities = const handles<Store>&;
        time_additions(
            state, store, ids, [](Store& s, entities all) { s.add_both_later(all); },
            [](Store& s, entities all) {
                s.remove_health(all);
                s.remove_tag(all);
            });
        store.add_both_later(ids);
        return store.sum_of_all() + static_cast<double>(store.template count_with<frozen>(ids));
    });

const bool sparse =
    compare(contenders, "add_and_remove_sparse", goal{3.3}, []<class Store>(benchmark::State& state) {
        using entities = const handles<Store>&;
        return time_on_entities<Store>(
            state, [](Store& s, entities ids) { s.add_sparse(ids); },
            [](Store& s, entities ids) { s.remove_sparse(ids); },
            [](Store& s, entities ids) { return s.template count_with<typename Store::sparse>(ids); });
    });

const bool sparse_of_shuffled = compare(
    contenders, "add_and_remove_sparse_shuffled", goal{3.3}, []<class Store>(benchmark::State& state) {
        using entities = const handles<Store>&;
        return time_on_shuffled<Store>(
            state, [](Store& s, entities ids) { s.add_sparse(ids); },
            [](Store& s, entities ids) { s.remove_sparse(ids); },
            [](Store& s, entities ids) { return s.template count_with<typename Store::sparse>(ids); });
    });

const bool toggled =
    compare(contenders, "disable_and_enable_component", goal{3.3}, []<class Store>(benchmark::State& state) {
        using S = with_switches_t<Store>;
        using entities = const handles<S>&;
        return time_on_entities<S>(
            state, [](S& s, entities ids) { s.disable(ids); }, [](S& s, entities ids) { s.enable(ids); },
            [](S& s, entities ids) { return s.count_disabled(ids); });
    });

const bool tagged =
    compare(contenders, "add_and_remove_tag", goal{3.3}, []<class Store>(benchmark::State& state) {
        using entities = const handles<Store>&;
        return time_on_entities<Store>(
            state, [](Store& s, entities ids) { s.add_tag(ids); },
            [](Store& s, entities ids) { s.remove_tag(ids); },
            [](Store& s, entities ids) { return s.template count_with<frozen>(ids); });
    });

const bool in_place = compare(
    contenders, "add_and_remove_in_place", goal{3.3},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.add_in_place(h); }
    {
        using entities = const handles<Store>&;
        return time_on_entities<Store>(
            state, [](Store& s, entities ids) { s.add_in_place(ids); },
            [](Store& s, entities ids) { s.remove_in_place(ids); },
            [](Store& s, entities ids) { return s.template count_with<typename Store::in_place>(ids); });
    });

const bool tag_in_place = compare(
    contenders, "add_and_remove_tag_in_place", goal{3.3},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.add_tag_in_place(h); }
    {
        using entities = const handles<Store>&;
        return time_on_entities<Store>(
            state, [](Store& s, entities ids) { s.add_tag_in_place(ids); },
            [](Store& s, entities ids) { s.remove_tag_in_place(ids); },
            [](Store& s, entities ids) { return s.template count_with<typename Store::tag_in_place>(ids); });
    });

const bool bit = compare(
    contenders, "add_and_remove_bit", goal{3.3},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.add_bit(h); }
    {
        using entities = const handles<Store>&;
        return time_on_entities<Store>(
            state, [](Store& s, entities ids) { s.add_bit(ids); },
            [](Store& s, entities ids) { s.remove_bit(ids); },
            [](Store& s, entities ids) { return s.template count_with<typename Store::bit>(ids); });
    });

} // namespace
