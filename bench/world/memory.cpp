// SPDX-License-Identifier: MIT
// How many bytes of memory does an entity take, of the heap and of what is mapped beside it? Each store is
// filled in a process of its own: what an earlier one has left to the heap, or keeps, does not count.
#include "other_contenders.hpp"
#include <fstream>
#include <malloc.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

import ecs.world;

#include "contenders.hpp"

namespace {

/// Of the ranges of addresses that the system has promised no memory for, which no heap has: what was
/// touched.
double touched_beside_the_heap() {
    std::ifstream maps("/proc/self/smaps");
    double resident = 0, touched = 0;
    for (std::string line; std::getline(maps, line);) {
        if (line.starts_with("Rss:")) resident = std::stod(line.substr(4)) * 1024;
        if (line.starts_with("VmFlags:") && line.find(" nr") != std::string::npos) touched += resident;
    }
    return touched;
}

double memory_in_use() {
    const auto heap = mallinfo2();
    return static_cast<double>(heap.uordblks + heap.hblkhd) + touched_beside_the_heap();
}

template <class Measure> double in_a_process_of_its_own(Measure measure) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe to the process that measures");
    const pid_t child = fork();
    if (child == 0) {
        const double measured = measure();
        _exit(write(ends[1], &measured, sizeof measured) == sizeof measured ? 0 : 1);
    }
    double measured = 0;
    int status = 0;
    const bool heard = read(ends[0], &measured, sizeof measured) == sizeof measured;
    if (waitpid(child, &status, 0) != child || status != 0 || !heard)
        throw std::runtime_error("the process that measures has failed");
    close(ends[0]);
    close(ends[1]);
    return measured;
}

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
    compare_sizes(contenders, "bytes_per_empty_entity", goal{1.9}, []<class Store>(benchmark::State& state) {
        return measure_growth<Store>(state, [](Store& s, handles<Store>& ids) { s.create(ids); });
    });

const bool three = compare_sizes(
    contenders, "bytes_per_entity_with_3_of_20_bytes", goal{1.1}, []<class Store>(benchmark::State& state) {
        return measure_growth<Store>(state, [](Store& s, handles<Store>& ids) { s.spawn_3(ids); });
    });

} // namespace
