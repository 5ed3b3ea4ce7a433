// SPDX-License-Identifier: MIT
// How many bytes of memory does an entity take, of the heap and of what is mapped beside it?
#include "../memory_in_use.hpp"
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

template <class Store, class Fill> double measure_growth(benchmark::State& state, Fill fill) {
    const std::size_t entities = bench_size(1'000'000);
    for (auto _ : state)
        state.counters["bytes"] = in_a_process_of_its_own([&] {
            handles<Store> ids(entities);
            Store store;
            const double before = memory_in_use();
            fill(store, ids);
            return (memory_in_use() - before) / static_cast<double>(entities);
        });
    return static_cast<double>(entities);
}

const bool empty =
    compare_sizes(contenders, "bytes_per_empty_entity", goal{1.05}, []<class Store>(benchmark::State& state) {
        return measure_growth<Store>(state, [](Store& s, handles<Store>& ids) { s.create(ids); });
    });

const bool three = compare_sizes(
    contenders, "bytes_per_entity_with_3_of_20_bytes", goal{1.1}, []<class Store>(benchmark::State& state) {
        return measure_growth<Store>(state, [](Store& s, handles<Store>& ids) { s.spawn_3(ids); });
    });

} // namespace
