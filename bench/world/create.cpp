// SPDX-License-Identifier: MIT
// What does an identifier cost: to make, to end, to ask whether it is alive?
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

constexpr auto nothing = [](auto&) {};

const bool create_one_by_one =
    compare(contenders, "create_empty_one_by_one", goal{1.0}, []<class Store>(benchmark::State& state) {
        handles<Store> made(bench_size(100'000));
        const double alive = time_on_fresh_stores<Store>(
            state, nothing, [&](Store& s) { s.create(made); },
            [&](Store& s) { return double(s.count_alive(made)); });
        count_items(state, made.size());
        return alive;
    });

const bool create_bulk = compare(
    contenders, "create_empty_bulk", goal{3.6},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.create_bulk(h); }
    {
        handles<Store> made(bench_size(100'000));
        const double alive = time_on_fresh_stores<Store>(
            state, nothing, [&](Store& s) { s.create_bulk(made); },
            [&](Store& s) { return double(s.count_alive(made)); });
        count_items(state, made.size());
        return alive;
    });

const bool churn =
    compare(contenders, "churn_create_and_destroy", goal{1.3}, []<class Store>(benchmark::State& state) {
        handles<Store> made(bench_size(100'000));
        Store store;
        for (auto _ : state) {
            store.create(made);
            store.destroy(made);
        }
        count_items(state, made.size());
        const double left = double(store.count_alive(made));
        store.create(made);
        return double(store.count_alive(made)) - left;
    });

const bool alive =
    compare(contenders, "alive_shuffled_half_dead", goal{1.45}, []<class Store>(benchmark::State& state) {
        handles<Store> ids(bench_size(100'000));
        Store store;
        store.spawn_3(ids);
        shuffle(ids);
        store.destroy(std::span<const typename Store::handle>(ids).first(ids.size() / 2));
        shuffle(ids);
        std::size_t count = 0;
        for (auto _ : state) benchmark::DoNotOptimize(count = store.count_alive(ids));
        count_items(state, ids.size());
        return double(count);
    });

} // namespace
