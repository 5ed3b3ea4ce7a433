// SPDX-License-Identifier: MIT
// What does a new identifier cost, one by one and in bulk, in a fresh registry and in one that was cleared?
// Goals: one by one at most 1.2 times the floor; in bulk at most twice writing the words.
//
// The slots of a fresh registry are memory that the system has yet to make, and so is what its floor writes.
// A registry that was cleared writes to memory that is there, as does a vector that was cleared.
#include "concurrent_registry/shared.hpp"
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <numeric>
#include <span>
#include <sys/mman.h>
#include <vector>

import ecs.id;
import ecs.registry;

namespace {

const std::size_t count = bench_size(100'000);

/// Words in memory that the system makes when they are written.
class fresh_words {
  public:
    fresh_words()
        : words_(
              static_cast<std::uint64_t*>(mmap(nullptr, count * sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
              count) {}
    fresh_words(const fresh_words&) = delete;
    fresh_words& operator=(const fresh_words&) = delete;
    ~fresh_words() { munmap(words_.data(), words_.size_bytes()); }

    [[nodiscard]] std::span<std::uint64_t> all() const { return words_; }

  private:
    std::span<std::uint64_t> words_;
};

void fresh_pages(benchmark::State& state) {
    for (auto _ : state) {
        const fresh_words slots;
        std::uint64_t next = floors::one_generation;
        for (std::uint64_t& slot : slots.all()) benchmark::DoNotOptimize(slot = next++);
    }
    floors::per_id(state, count);
}
BENCHMARK(fresh_pages)->Name("create_one_by_one/floor_fresh_pages");

void vector_free_list_after_clear(benchmark::State& state) {
    floors::vector_free_list ids;
    for (auto _ : state) {
        ids.clear();
        for (std::size_t n = 0; n < count; ++n) benchmark::DoNotOptimize(ids.create());
    }
    floors::per_id(state, count);
}
BENCHMARK(vector_free_list_after_clear)->Name("create_one_by_one/floor_vector_free_list_after_clear");

void through_a_handle(benchmark::State& state) {
    for (auto _ : state) {
        ecs::concurrent_registry ids;
        auto local = ids.local();
        for (std::size_t n = 0; n < count; ++n) benchmark::DoNotOptimize(local.create());
    }
    floors::per_id(state, count);
}
BENCHMARK(through_a_handle)->Name("create_one_by_one/handle");

/// The same pages again: what is left without the system's zeroing them.
void through_a_handle_after_clear(benchmark::State& state) {
    ecs::concurrent_registry ids;
    for (auto _ : state) {
        state.PauseTiming();
        ids.clear();
        state.ResumeTiming();
        auto local = ids.local();
        for (std::size_t n = 0; n < count; ++n) benchmark::DoNotOptimize(local.create());
    }
    floors::per_id(state, count);
}
BENCHMARK(through_a_handle_after_clear)->Name("create_one_by_one/handle_after_clear");

void without_a_handle(benchmark::State& state) {
    for (auto _ : state) {
        ecs::concurrent_registry ids;
        for (std::size_t n = 0; n < count; ++n) benchmark::DoNotOptimize(ids.create());
    }
    floors::per_id(state, count);
}
BENCHMARK(without_a_handle)->Name("create_one_by_one/without_handle");

/// Each word is written twice, to its slot and to the caller.
void write_the_words(std::span<std::uint64_t> slots, std::span<std::uint64_t> out) {
    std::iota(slots.begin(), slots.end(), floors::one_generation);
    std::ranges::copy(slots, out.begin());
    benchmark::DoNotOptimize(out.data());
    benchmark::DoNotOptimize(slots.data());
}

void to_fresh_pages(benchmark::State& state) {
    std::vector<std::uint64_t> out(count);
    for (auto _ : state) write_the_words(fresh_words().all(), out);
    floors::per_id(state, count);
}
BENCHMARK(to_fresh_pages)->Name("create_in_bulk/floor_write_to_fresh_pages");

void to_the_same_words(benchmark::State& state) {
    std::vector<std::uint64_t> slots(count), out(count);
    for (auto _ : state) write_the_words(slots, out);
    floors::per_id(state, count);
}
BENCHMARK(to_the_same_words)->Name("create_in_bulk/floor_write_the_words");

void in_bulk(benchmark::State& state) {
    std::vector<ecs::entity> out(count);
    for (auto _ : state) {
        ecs::concurrent_registry ids;
        ids.create(out);
        benchmark::DoNotOptimize(out.data());
    }
    floors::per_id(state, count);
}
BENCHMARK(in_bulk)->Name("create_in_bulk/registry");

void in_bulk_after_clear(benchmark::State& state) {
    std::vector<ecs::entity> out(count);
    ecs::concurrent_registry ids;
    for (auto _ : state) {
        state.PauseTiming();
        ids.clear();
        state.ResumeTiming();
        ids.create(out);
        benchmark::DoNotOptimize(out.data());
    }
    floors::per_id(state, count);
}
BENCHMARK(in_bulk_after_clear)->Name("create_in_bulk/registry_after_clear");

} // namespace
