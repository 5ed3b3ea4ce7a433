// SPDX-License-Identifier: MIT
// What the registry is measured against: the least that could do a part of its work.
#pragma once
#include "bench_size.hpp"
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace floors {

/// 32 bits of index, 32 of generation; no world, no exhaustion, no partitions, no counts.
constexpr std::uint64_t one_generation = std::uint64_t{1} << 32;
constexpr std::size_t index_of(std::uint64_t id) { return static_cast<std::uint32_t>(id); }

/// A vector of slots and a vector of the identifiers that are free.
class vector_free_list {
  public:
    std::uint64_t create() {
        if (free_.empty()) {
            const std::uint64_t id = slots_.size() | one_generation;
            slots_.push_back(id);
            return id;
        }
        const std::uint64_t id = free_.back();
        free_.pop_back();
        slots_[index_of(id)] = id;
        return id;
    }

    bool destroy(std::uint64_t id) {
        if (index_of(id) >= slots_.size() || slots_[index_of(id)] != id) return false;
        slots_[index_of(id)] = 0;
        free_.push_back(id + one_generation);
        return true;
    }

    bool alive(std::uint64_t id) const { return index_of(id) < slots_.size() && slots_[index_of(id)] == id; }

    void clear() {
        slots_.clear();
        free_.clear();
    }

  private:
    std::vector<std::uint64_t> slots_;
    std::vector<std::uint64_t> free_;
};

/// A vector of slots in which the free ones are a linked list.
class linked_free_list {
  public:
    std::uint64_t create() {
        if (head_ == none) {
            const std::uint64_t id = slots_.size() | one_generation;
            slots_.push_back(id);
            return id;
        }
        std::uint64_t& slot = slots_[head_];
        const std::uint64_t id = (slot & ~std::uint64_t{none}) | head_;
        head_ = static_cast<std::uint32_t>(slot);
        slot = id;
        return id;
    }

    bool destroy(std::uint64_t id) {
        if (index_of(id) >= slots_.size() || slots_[index_of(id)] != id) return false;
        slots_[index_of(id)] = ((id & ~std::uint64_t{none}) + one_generation) | head_;
        head_ = static_cast<std::uint32_t>(id);
        return true;
    }

  private:
    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    std::vector<std::uint64_t> slots_;
    std::uint32_t head_ = none;
};

/// Reports time per identifier.
inline void per_id(benchmark::State& state, std::size_t ids) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(ids));
}

/// A registry is a member of something and lives in memory. A local one of a few pointers would live in
/// registers for the length of a benchmark's loop, and measure what nobody can have.
template <class Registry> void keep_in_memory(Registry& ids) { benchmark::DoNotOptimize(&ids); }

/// The same order in every run.
template <class Id> void shuffle(std::vector<Id>& ids) {
    std::shuffle(ids.begin(), ids.end(), std::mt19937_64(42));
}

} // namespace floors
