// SPDX-License-Identifier: MIT
// What does it cost to keep a world as it is, and to go back, within the program and as bytes; and to find
// what has changed? The floor copies its arrays, and keeps a list of changes.
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

constexpr std::size_t many = 1'000'000;

constexpr auto keep_first = [](auto& store)
    requires requires { store.go_back(); }
{ store.keep(); };

constexpr auto save_first = [](auto& store)
    requires requires { store.load(); }
{ store.save(); };

/// Times the work, and returns what the store has after a proof of what the work does.
template <class Store, class Prepare, class Work, class Proof>
double time_on_many(benchmark::State& state, Prepare prepare, Work work, Proof proof) {
    handles<Store> ids(bench_size(many));
    Store store;
    store.spawn_3_bulk(ids, samples(ids.size()));
    prepare(store);
    for (auto _ : state) work(store);
    count_items(state, ids.size());
    store.change(ids[0]);
    proof(store, ids[0]);
    return store.sum_of_all();
}

template <class Prepare, class Work, class Proof>
bool compare_states(const char* workload, Prepare prepare, Work work, Proof proof) {
    return compare(
        contenders, workload, goal{2.0},
        [=]<class Store>(benchmark::State& state) -> double
            requires requires(Store& s) { prepare(s); }
        { return time_on_many<Store>(state, prepare, work, proof); });
}

/// One entity changes, and is looked for.
const bool changed = compare(
    contenders, "find_changed_1_of_1000000", goal{80},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, typename Store::handle e) {
            s.change(e);
            s.count_changed();
        }
    {
        handles<Store> ids(bench_size(many));
        Store store;
        store.spawn_3_bulk(ids, samples(ids.size()));
        double count = double(store.count_changed() != 0); // The first look finds all or none.
        std::size_t next = 0;
        for (auto _ : state) {
            store.change(ids[next++ * 7919 % ids.size()]);
            benchmark::DoNotOptimize(count = double(store.count_changed()));
        }
        count_items(state, 1);
        return count;
    });

const bool snapshot = compare_states(
    "snapshot_of_1000000", keep_first, [](auto& store) { store.keep(); },
    [](auto& store, auto changed) {
        store.keep();
        store.change(changed);
        store.go_back();
    });
const bool back = compare_states(
    "rewind_of_1000000", keep_first, [](auto& store) { store.go_back(); },
    [](auto& store, auto) { store.go_back(); });
const bool saved = compare_states(
    "save_1000000", save_first, [](auto& store) { store.save(); },
    [](auto& store, auto changed) {
        store.save();
        store.change(changed);
        store.load();
    });
const bool loaded = compare_states(
    "load_1000000", save_first, [](auto& store) { store.load(); }, [](auto& store, auto) { store.load(); });

} // namespace
