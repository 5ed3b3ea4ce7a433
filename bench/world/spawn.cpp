// SPDX-License-Identifier: MIT
// What does an entity of three components cost: to spawn, to end?
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

constexpr auto nothing_before = [](auto&) {};
constexpr auto sum = [](auto& store) { return store.sum_of_all(); };

const bool one_call =
    compare(contenders, "spawn_3_one_call", goal{2.0}, []<class Store>(benchmark::State& state) {
        handles<Store> made(bench_size(100'000));
        const double result =
            time_on_fresh_stores<Store>(state, nothing_before, [&](Store& s) { s.spawn_3(made); }, sum);
        count_items(state, made.size());
        return result;
    });

const bool spawn_bulk = compare(
    contenders, "spawn_3_bulk", goal{1.5},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h, samples from) { s.spawn_3_bulk(h, from); }
    {
        handles<Store> made(bench_size(100'000));
        const samples from(made.size());
        const double result = time_on_fresh_stores<Store>(
            state, nothing_before, [&](Store& s) { s.spawn_3_bulk(made, from); }, sum);
        count_items(state, made.size());
        return result;
    });

const bool spawn_one_by_one =
    compare(contenders, "spawn_then_add_3_one_by_one", goal{4.0}, []<class Store>(benchmark::State& state) {
        handles<Store> made(bench_size(100'000));
        const double result = time_on_fresh_stores<Store>(
            state, nothing_before, [&](Store& s) { s.spawn_then_add_3(made); }, sum);
        count_items(state, made.size());
        return result;
    });

const bool clone = compare(
    contenders, "clone_3", goal{4.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.clone_3(h[0], h); }
    {
        handles<Store> original(1), made(bench_size(100'000));
        const double result = time_on_fresh_stores<Store>(
            state, [&](Store& s) { s.spawn_3(original); },
            [&](Store& s) { s.clone_3(original.front(), made); }, sum);
        count_items(state, made.size());
        return result;
    });

const bool despawn = compare(contenders, "despawn_3", goal{2.0}, []<class Store>(benchmark::State& state) {
    handles<Store> made(bench_size(100'000));
    const double result = time_on_fresh_stores<Store>(
        state, [&](Store& s) { s.spawn_3(made); }, [&](Store& s) { s.despawn(made); }, sum);
    count_items(state, made.size());
    return result;
});

const bool despawn_bulk = compare(
    contenders, "despawn_3_bulk", goal{2.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.despawn_bulk(h); }
    {
        handles<Store> made(bench_size(100'000));
        const double result = time_on_fresh_stores<Store>(
            state, [&](Store& s) { s.spawn_3(made); }, [&](Store& s) { s.despawn_bulk(made); }, sum);
        count_items(state, made.size());
        return result;
    });

const bool despawn_by_query = compare(
    contenders, "despawn_3_by_query", goal{2.0},
    []<class Store>(benchmark::State& state) -> double
        requires requires(Store& s, handles<Store> h) { s.despawn_by_query(h); }
    {
        handles<Store> made(bench_size(100'000));
        const double result = time_on_fresh_stores<Store>(
            state, [&](Store& s) { s.spawn_3(made); }, [&](Store& s) { s.despawn_by_query(made); }, sum);
        count_items(state, made.size());
        return result;
    });

} // namespace
