// SPDX-License-Identifier: MIT
// What does it cost where something is observed, asked for, sorted or disabled?
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

template <class Store>
concept has_observers = requires(Store& s) { s.observe_health(); };

/// Times the work on observed entities; returns how many times it tells an observer, and what proves the
/// work.
template <class Store, class Prepare, class Work, class Proof>
double time_observed(benchmark::State& state, Prepare prepare, Work work, Proof proof) {
    handles<Store> ids(bench_size(100'000));
    Store store;
    prepare(store, ids);
    for (auto _ : state) work(store, ids);
    count_items(state, ids.size());
    store.take_told();
    work(store, ids);
    return static_cast<double>(store.take_told()) + proof(store);
}

/// The same where it is proof enough that the observer is told.
template <class Store, class Prepare, class Work>
double time_observed(benchmark::State& state, Prepare prepare, Work work) {
    return time_observed<Store>(state, prepare, work, [](Store&) { return 0.0; });
}

template <class Store, class Observe, class Work>
double time_comings(benchmark::State& state, Observe observe, Work work) {
    const auto prepare = [&](Store& s, handles<Store>& ids) {
        s.spawn_1(ids);
        observe(s);
    };
    return time_observed<Store>(state, prepare, work);
}

template <class Store, class Observe> double time_comings(benchmark::State& state, Observe observe) {
    return time_comings<Store>(state, observe, [](Store& s, const handles<Store>& ids) {
        s.add_health_heard(ids);
        s.remove_health_heard(ids);
    });
}

const bool comes_and_goes = compare(
    contenders, "add_and_remove_observed", goal{20.0}, []<has_observers Store>(benchmark::State& state) {
        return time_comings<Store>(state, [](Store& s) { s.observe_health(); });
    });

const bool heard_by_ten =
    compare(contenders, "add_and_remove_observed_by_ten", goal{20.0},
            []<has_observers Store>(benchmark::State& state) {
                return time_comings<Store>(state, [](Store& s) { s.observe_health_ten_times(); });
            });

const bool sparse_comes_and_goes = compare(
    contenders, "add_and_remove_sparse_observed", goal{4.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s) { s.observe_sparse(); }
    {
        return time_comings<Store>(
            state, [](Store& s) { s.observe_sparse(); },
            [](Store& s, const handles<Store>& ids) {
                s.add_sparse_heard(ids);
                s.remove_sparse_heard(ids);
            });
    });

const bool in_place_comes_and_goes = compare(
    contenders, "add_and_remove_in_place_observed", goal{4.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s) { s.observe_in_place(); }
    {
        return time_comings<Store>(
            state, [](Store& s) { s.observe_in_place(); },
            [](Store& s, const handles<Store>& ids) {
                s.add_in_place_heard(ids);
                s.remove_in_place_heard(ids);
            });
    });

const bool begins_and_ends = compare(
    contenders, "spawn_and_despawn_observed", goal{20.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.spawn_3_heard(h); }
    {
        return time_observed<Store>(
            state, [](Store& s, handles<Store>&) { s.observe_health(); },
            [](Store& s, handles<Store>& ids) {
                s.spawn_3_heard(ids);
                s.despawn_heard(ids);
            });
    });

template <class Store, class Observe, class Write>
double time_writes(benchmark::State& state, Observe observe, Write write) {
    const auto prepare = [&](Store& s, handles<Store>& ids) {
        s.spawn_3(ids);
        observe(s);
    };
    return time_observed<Store>(state, prepare, write, [](Store& s) { return s.sum_of_all(); });
}

const bool written =
    compare(contenders, "set_observed", goal{20.0}, []<has_observers Store>(benchmark::State& state) {
        return time_writes<Store>(
            state, [](Store& s) { s.observe_positions(); },
            [](Store& s, const handles<Store>& ids) { s.set_positions_heard(ids); });
    });

const bool written_in_a_set = compare(
    contenders, "set_sparse_observed", goal{4.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s) { s.observe_sparse_writes(); }
    {
        const auto prepare = [](Store& s, handles<Store>& ids) {
            s.spawn_1(ids);
            s.add_sparse(ids);
            s.observe_sparse_writes();
        };
        return time_observed<Store>(state, prepare,
                                    [](Store& s, const handles<Store>& ids) { s.set_sparse_heard(ids); });
    });

const bool written_beside = compare(
    contenders, "set_where_another_is_observed", goal{4.0}, []<has_observers Store>(benchmark::State& state) {
        return time_writes<Store>(
            state, [](Store& s) { s.observe_velocities(); },
            [](Store& s, const handles<Store>& ids) { s.set_positions(ids); });
    });

/// Counts the entities, every other one of which has what is asked for.
template <class Store, class Count> double time_questions(benchmark::State& state, Count count) {
    handles<Store> ids(bench_size(100'000));
    Store store;
    store.spawn_1(ids);
    const std::size_t half = ids.size() / 2;
    const handles<Store> some(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(half));
    store.add_health(some);
    store.add_tag(some);
    shuffle(ids);
    double result = 0;
    for (auto _ : state) benchmark::DoNotOptimize(result = static_cast<double>(count(store, ids)));
    count_items(state, ids.size());
    return result;
}

template <class Store, class T>
concept counts = requires(Store& s, handles<Store> h) { s.template count_with<T>(h); };

const bool has_component =
    compare(contenders, "has_component_shuffled", goal{4.0},
            []<class Store>(benchmark::State& state) -> double
                requires counts<Store, health>
            {
                return time_questions<Store>(state, [](Store& s, const handles<Store>& ids) {
                    return s.template count_with<health>(ids);
                });
            });

const bool has_tag = compare(contenders, "has_tag_shuffled", goal{4.0},
                             []<class Store>(benchmark::State& state) -> double
                                 requires counts<Store, frozen>
                             {
                                 return time_questions<Store>(state, [](Store& s, const handles<Store>& ids) {
                                     return s.template count_with<frozen>(ids);
                                 });
                             });

/// Prepares the entities, and then sums over them.
template <class Store, class Prepare, class Work>
double time_sum(benchmark::State& state, Prepare prepare, Work work) {
    handles<Store> ids(bench_size(100'000));
    Store store;
    store.spawn_1(ids);
    prepare(store, ids);
    double result = 0;
    for (auto _ : state) benchmark::DoNotOptimize(result = work(store));
    count_items(state, ids.size());
    return result;
}

const bool sorted = compare(
    contenders, "iterate_sorted_again", goal{20.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s) { s.sort_positions(); }
    {
        return time_sum<Store>(
            state, [](Store& s, const handles<Store>&) { s.sort_positions(); },
            [](Store& s) { return s.sum_in_order(); });
    });

const bool rows_sorted = compare(
    contenders, "iterate_sorted_rows_again", goal{4.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s) { s.sort_positions(); }
    {
        const auto sort = [](Store& s, const handles<Store>&) {
            s.sort_positions();
            if constexpr (requires { s.sort_rows(); })
                s.sort_rows(); // The peers move the rows by themselves.
        };
        return time_sum<Store>(state, sort, [](Store& s) { return s.sum_in_order(); });
    });

const bool one_disabled = compare(
    contenders, "iterate_1_where_one_is_disabled", goal{2.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s) { s.sum_of_enabled(); }
    {
        using with_switches = with_switches_t<Store>;
        return time_sum<with_switches>(
            state, [](with_switches& s, const handles<Store>& ids) { s.disable(std::span(ids).first(1)); },
            [](with_switches& s) { return s.sum_of_enabled(); });
    });

} // namespace
