// SPDX-License-Identifier: MIT
// What runs tasks: oneTBB by default, the calling thread alone, or an engine's own job system.
//
// An engine's job system fits when it has what job_system asks for: groups of tasks that can be added to from
// inside a task, and waited for.
export module ecs.core:executor;
import ecs.std;

export namespace ecs {

/// A function and its arguments. Trivial to copy; what it points to outlives the task.
struct task {
    void (*function)(void* context, std::size_t number);
    void* context;
    std::size_t number;

    void operator()() const { function(context, number); }
};

/// Tasks that are waited for together. Tasks do not throw.
class task_group {
  public:
    task_group() = default;
    task_group(const task_group&) = delete;
    task_group& operator=(const task_group&) = delete;
    virtual ~task_group() = default;

    /// Runs the task some time before wait returns. May be called from inside a task of the group. Everything
    /// before the call happens before the task. What throws has not taken the task.
    virtual void run(task t) = 0;

    /// Returns when every task has ended, and takes part in the work until then. Everything in the tasks
    /// happens before wait returns.
    virtual void wait() = 0;
};

/// Gives the task to the group, or runs it here and now when the group does not take it, for example for want
/// of memory: what others wait for is done in any case.
inline void hand_over(task_group& to, task t) noexcept {
    try {
        to.run(t);
    } catch (...) {
        t();
    }
}

/// What runs tasks, on any number of threads.
class executor {
  public:
    executor() = default;
    executor(const executor&) = delete;
    executor& operator=(const executor&) = delete;
    virtual ~executor() = default;

    /// How many tasks can make progress at once.
    [[nodiscard]] virtual unsigned concurrency() const = 0;

    /// An empty group. Thread-safe.
    [[nodiscard]] virtual std::unique_ptr<task_group> group() = 0;
};

/// Runs every task on the thread that waits, in the order in which they were added.
class inline_executor final : public executor {
  public:
    [[nodiscard]] unsigned concurrency() const override { return 1; }
    [[nodiscard]] std::unique_ptr<task_group> group() override;
};

/// What an engine's job system must offer to be used through job_executor: a type of group, constructed from
/// the system, with run(callable) and wait() that keep the promises of task_group.
template <class System>
concept job_system = requires(System& system, typename System::group& group, task t) {
    { system.concurrency() } -> std::convertible_to<unsigned>;
    requires std::constructible_from<typename System::group, System&>;
    group.run(t);
    group.wait();
};

/// An engine's own job system as an executor. The system outlives it.
template <job_system System> class job_executor final : public executor {
  public:
    explicit job_executor(System& system) : system_(&system) {}

    [[nodiscard]] unsigned concurrency() const override {
        return static_cast<unsigned>(system_->concurrency());
    }
    [[nodiscard]] std::unique_ptr<task_group> group() override {
        return std::make_unique<adapted_group>(*system_);
    }

  private:
    struct adapted_group final : task_group {
        explicit adapted_group(System& system) : tasks(system) {}
        void run(task t) override { tasks.run(t); }
        void wait() override { tasks.wait(); }
        typename System::group tasks;
    };

    System* system_;
};

/// oneTBB with at most that many threads at work, including the thread that waits. 0 stands for one thread
/// for each processor, and more than 4,096 for 4,096. Throws std::bad_alloc.
[[nodiscard]] std::unique_ptr<executor> make_tbb_executor(unsigned threads = 0);

/// oneTBB with a thread for each processor; one for the whole process.
[[nodiscard]] executor& default_executor();

} // namespace ecs
