// SPDX-License-Identifier: MIT
// Two numbers that threads share without a lock: who takes what next, and how many are still to come. Both
// are wait-free, and run in the interleaving explorer from this source: tests/model/world.
export module ecs.core:shared_counts;
import ecs.std;
import :atomics;

export namespace ecs {

// Exported for the explorer.

/// Numbers from 0 on, each of which is handed out once, whichever thread asks. For any thread.
template <class Atomics> class basic_ticket_count {
  public:
    /// The next number.
    [[nodiscard]] inline std::size_t take() noexcept {
        return next_.fetch_add(1, std::memory_order_relaxed); // A number, and nothing else.
    }
    /// From now on every number is that one at least. It is no lower than any that counts.
    inline void skip_to(std::size_t number) noexcept { next_.store(number, std::memory_order_relaxed); }

    /// Hands all numbers out again; how many have been taken is returned. While no thread takes.
    inline std::size_t restart() noexcept {
        const std::size_t taken = next_.load(std::memory_order_relaxed); // Relaxed: exclusive.
        if (taken != 0) next_.store(0, std::memory_order_relaxed);       // Relaxed: exclusive.
        return taken;
    }

  private:
    typename Atomics::template atomic<std::size_t> next_{};
};

/// One waits for a number of others: the last of them learns that it is the last, and sees what all of
/// them have done.
template <class Atomics> class basic_arrival_count {
    using order = typename Atomics::order;

  public:
    /// Before any arrives, each of which is told by another that it may.
    inline void expect(std::size_t arrivals) noexcept { left_.store(arrivals, std::memory_order_relaxed); }
    /// One of them has arrived. Returns whether it was the last. For any thread.
    [[nodiscard]] inline bool arrive() noexcept {
        return left_.fetch_add(~std::size_t{0}, order::count_down) == 1;
    }

  private:
    typename Atomics::template atomic<std::size_t> left_{};
};

using ticket_count = basic_ticket_count<world_atomics>;
using arrival_count = basic_arrival_count<world_atomics>;

} // namespace ecs
