// SPDX-License-Identifier: MIT
// The executor that runs tasks on the threads of oneTBB.
module;
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
module ecs.core;
import ecs.std;

namespace ecs {

namespace {

class inline_group final : public task_group {
  public:
    void run(task t) override { waiting_.push_back(t); }
    void wait() override {
        while (!waiting_.empty()) {
            const task next = waiting_.front();
            waiting_.pop_front();
            next();
        }
    }

  private:
    std::deque<task> waiting_;
};

/// Tasks of an arena. What oneTBB orders it orders by atomics of its own, which a race detector cannot see in
/// a library that was not built for it; the two atomics here say the same where it can, for all but the way
/// of the task itself: see tests/stress/tsan.supp.
class tbb_group final : public task_group {
  public:
    explicit tbb_group(tbb::task_arena& arena) : arena_(&arena) {}
    ~tbb_group() noexcept override = default;

    void run(task t) override {
        begun_.fetch_add(1, std::memory_order_release); // Partner: the load in the task.
        arena_->execute([&] {
            tasks_.run([this, t] {
                const task mine{t.function, t.context, t.number}; // No memcpy: that would be the innermost.
                static_cast<void>(begun_.load(std::memory_order_acquire)); // Partner: run.
                mine();
                ended_.fetch_add(1, std::memory_order_release); // Partner: wait.
            });
        });
    }

    void wait() override {
        arena_->execute([&] { tasks_.wait(); });
        static_cast<void>(ended_.load(std::memory_order_acquire)); // Partner: the end of each task.
    }

  private:
    tbb::task_arena* arena_;
    tbb::task_group tasks_;
    std::atomic<std::size_t> begun_{};
    std::atomic<std::size_t> ended_{};
};

/// oneTBB cannot end an arena of more than 65,535 threads, and takes memory for each of them.
constexpr unsigned threads_max = 4096;

class tbb_executor final : public executor {
  public:
    explicit tbb_executor(unsigned threads)
        : arena_(threads == 0 ? tbb::task_arena::automatic
                              : static_cast<int>(std::min(threads, threads_max))) {}

    [[nodiscard]] unsigned concurrency() const override {
        return static_cast<unsigned>(arena_.max_concurrency());
    }
    [[nodiscard]] std::unique_ptr<task_group> group() override { return std::make_unique<tbb_group>(arena_); }

  private:
    tbb::task_arena arena_;
};

} // namespace

std::unique_ptr<task_group> inline_executor::group() { return std::make_unique<inline_group>(); }

std::unique_ptr<executor> make_tbb_executor(unsigned threads) {
    return std::make_unique<tbb_executor>(threads);
}

executor& default_executor() {
    static tbb_executor shared(0);
    return shared;
}

} // namespace ecs
