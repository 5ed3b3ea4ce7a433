// SPDX-License-Identifier: MIT
// How many bytes of the heap does an entity take?
#include "contenders.hpp"
#include <malloc.h>

namespace {

std::size_t heap_in_use() {
    const auto heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}

template <class Store, class Fill> double measure_growth(benchmark::State& state, Fill fill) {
    handles<Store> ids(bench_size(1'000'000));
    for (auto _ : state) {
        Store store;
        const std::size_t before = heap_in_use();
        fill(store, ids);
        state.counters["bytes"] = double(heap_in_use() - before) / double(ids.size());
    }
    return double(ids.size());
}

const bool empty =
    compare_sizes(contenders, "bytes_per_empty_entity", goal{1.9}, []<class Store>(benchmark::State& state) {
        return measure_growth<Store>(state, [](Store& s, handles<Store>& ids) { s.create(ids); });
    });

const bool three = compare_sizes(
    contenders, "bytes_per_entity_with_3_of_20_bytes", goal{1.1}, []<class Store>(benchmark::State& state) {
        return measure_growth<Store>(state, [](Store& s, handles<Store>& ids) { s.spawn_3(ids); });
    });

} // namespace
