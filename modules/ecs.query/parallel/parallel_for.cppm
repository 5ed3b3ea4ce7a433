// SPDX-License-Identifier: MIT
// Visits chunks on several threads. Threads take chunks from a common list until it is empty, so that a
// thread that is late or slow takes fewer.
export module ecs.query:parallel_for;
import ecs.std;
import ecs.core;
import ecs.storage;

export namespace ecs {

/// See the head of this file. For one walk.
class parallel_for {
  public:
    /// A chunk to visit, and something to remember with it.
    void add(const void* memory, chunk* block, std::uint32_t rows) {
        stops_.push_back({memory, block});
        rows_ += rows;
    }

    /// Calls visit(memory, block) for each chunk, from several threads if there is enough to do. When it
    /// throws, no more chunks are begun, and the first exception is thrown here.
    template <class Visit> void run(executor& on, Visit visit) {
        context<Visit> shared{this, &visit};
        run_tasks(on, {&context<Visit>::work, &shared, 0});
    }

    /// Fewer rows than this are visited by the calling thread: starting another costs more than they do.
    static constexpr std::size_t rows_worth_a_thread = 8192;

  private:
    struct stop {
        const void* memory;
        chunk* block;
    };

    template <class Visit> struct context {
        parallel_for* iteration_lock;
        Visit* visit;

        static void work(void* self, std::size_t) {
            const auto& [iteration_lock, visit] = *static_cast<context*>(self);
            try {
                while (const stop* const next = iteration_lock->next()) (*visit)(next->memory, next->block);
            } catch (...) {
                iteration_lock->fail(std::current_exception());
            }
        }
    };

    /// The next chunk that no thread has; nullptr when there is none.
    [[nodiscard]] const stop* next() noexcept {
        const std::size_t at = taken_.take();
        return at < stops_.size() ? &stops_[at] : nullptr;
    }
    void run_tasks(executor& on, task work);
    void fail(std::exception_ptr cause) noexcept;

    std::vector<stop> stops_;
    std::size_t rows_{};
    ticket_count taken_;
    std::mutex failing_;
    std::exception_ptr failure_;
};

} // namespace ecs
