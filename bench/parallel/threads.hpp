// SPDX-License-Identifier: MIT
// How many threads a benchmark has, and the threads of those who have no pool of their own.
#pragma once
#include <barrier>
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

/// 1, 2, 4 and so on, up to all processors of the machine: what state.range(0) says.
inline void of_one_to_all_processors(benchmark::internal::Benchmark* b) {
    b->ArgName("threads")->RangeMultiplier(2)->Range(1, std::thread::hardware_concurrency());
}
inline void one_to_all_processors(benchmark::internal::Benchmark* b) {
    of_one_to_all_processors(b);
    b->UseRealTime();
}

inline std::size_t threads_of(const benchmark::State& state) {
    return static_cast<std::size_t>(state.range(0));
}

/// Threads that wait at a barrier for the next piece of work. The calling thread is the first of them.
class team {
  public:
    explicit team(std::size_t threads) : meeting_(static_cast<std::ptrdiff_t>(threads)) {
        for (std::size_t t = 1; t < threads; ++t) others_.emplace_back([this, t] { serve(t); });
    }
    team(const team&) = delete;
    team& operator=(const team&) = delete;
    ~team() {
        work_ = nullptr;
        meeting_.arrive_and_wait();
    }

    [[nodiscard]] std::size_t size() const { return others_.size() + 1; }

    /// Calls work(number of the thread) on each, and returns when all are done.
    void run(std::function<void(std::size_t)> work) {
        work_ = std::move(work);
        meeting_.arrive_and_wait();
        work_(0);
        meeting_.arrive_and_wait();
    }

    /// Calls work(first, end, number of the thread) for equal parts of so many items.
    void share(std::size_t items, const std::function<void(std::size_t, std::size_t, std::size_t)>& work) {
        run([&](std::size_t t) { work(items * t / size(), items * (t + 1) / size(), t); });
    }

  private:
    void serve(std::size_t number) {
        while (true) {
            meeting_.arrive_and_wait();
            if (!work_) return;
            work_(number);
            meeting_.arrive_and_wait();
        }
    }

    std::function<void(std::size_t)> work_;
    std::barrier<> meeting_;
    std::vector<std::jthread> others_;
};
