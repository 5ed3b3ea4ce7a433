// SPDX-License-Identifier: MIT
// What the concurrent registry is measured against where threads meet, and how threads share a subject.
#pragma once
#include "registry/floors.hpp"
#include <atomic>
#include <benchmark/benchmark.h>
#include <cstdint>
#include <memory>
#include <mutex>

namespace floors {

/// What everybody writes first: the vector free list behind a lock.
class mutex_and_vector {
  public:
    std::uint64_t create() {
        const std::scoped_lock lock(mutex_);
        return ids_.create();
    }
    bool destroy(std::uint64_t id) {
        const std::scoped_lock lock(mutex_);
        return ids_.destroy(id);
    }
    bool alive(std::uint64_t id) {
        const std::scoped_lock lock(mutex_);
        return ids_.alive(id);
    }

  private:
    std::mutex mutex_;
    vector_free_list ids_;
};

/// The least that gives every thread another number; takes nothing back.
class atomic_counter {
  public:
    std::uint64_t create() { return next_.fetch_add(1, std::memory_order_relaxed); }
    bool destroy(std::uint64_t) { return true; }

  private:
    std::atomic<std::uint64_t> next_{1};
};

} // namespace floors

/// A subject that all threads of a benchmark use: pass setup and teardown to
/// BENCHMARK()->Setup()->Teardown().
template <class Subject> struct subject_of_all {
    inline static std::unique_ptr<Subject> now;

    static void setup(const benchmark::State&) { now = std::make_unique<Subject>(); }
    static void teardown(const benchmark::State&) { now.reset(); }
};
