// SPDX-License-Identifier: MIT
// What does it cost to record one command and to flush at once?
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

const bool one_set = compare(
    contenders, "record_1_and_flush", goal{20.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.set_each_later(h); }
    {
        handles<Store> ids(bench_size(100'000));
        Store store;
        store.spawn_1(ids);
        for (auto _ : state) store.set_each_later(ids);
        count_items(state, ids.size());
        return store.sum_of_all();
    });

constexpr auto leave = [](auto) {};

const bool one_spawn = compare(
    contenders, "spawn_1_later_and_flush", goal{20.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s) { s.spawn_each_later(1, leave); }
    {
        const std::size_t n = bench_size(100'000);
        Store store;
        for (auto _ : state) store.spawn_each_later(n, [&](auto made) { store.end_mover(made); });
        count_items(state, n);
        const double left = store.sum_of_all();
        store.spawn_each_later(n, leave);
        store.step_all();
        return store.sum_of_all() - left;
    });

} // namespace
