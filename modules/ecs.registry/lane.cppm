// SPDX-License-Identifier: MIT
// A lane is what one thread at a time allocates from: a magazine of ready-made identifiers.
//
//   ready     | id id id id ... |   up to two depot nodes' worth; create takes the last, destroy appends
//   waiting   | id id ... |         destroyed, and not to be used before they have passed through the depot
//
// While a lane is busy everything in it belongs to the thread that entered it, except the count of live
// identifiers, which others may read. No two lanes share a cache line, nor the pair of lines that processors
// fetch together.
module;
#include <atomic>
#include <cstddef>
#include <cstdint>
export module ecs.registry:lane;
import :atomics;

namespace ecs {

/// Apart enough for two threads that write.
inline constexpr std::size_t apart = 128;

template <class Word, class Atomics, class Geometry> struct alignas(apart) lane {
    using order = typename Atomics::order;
    template <class T> using plain = typename Atomics::template plain<T>;
    template <class T> using atomic = typename Atomics::template atomic<T>;

    static constexpr std::uint32_t capacity = 2 * Geometry::magazine;

    plain<std::uint32_t> ready_count{};
    plain<std::uint32_t> waiting_count{};
    plain<bool> quarantines{}; ///< What waits here waits for release_quarantine.
    atomic<std::uint32_t> busy{};
    atomic<std::int64_t> live{}; ///< Created minus destroyed through this lane.
    lane* next = nullptr;        ///< The lane made before; fixed before the lane can be found.
    plain<Word> ready[capacity];
    plain<Word> waiting[Geometry::magazine];

    /// Makes the lane the caller's; false when it is somebody's.
    [[nodiscard]] bool enter() noexcept {
        std::uint32_t idle = 0;
        // Relaxed: on failure nothing of the lane is touched.
        return busy.compare_exchange_strong(idle, 1, order::lane_enter, std::memory_order_relaxed);
    }
    void leave() noexcept { busy.store(0, order::lane_leave); }

    void put(Word id) noexcept {
        const std::uint32_t count = ready_count;
        ready[count] = id;
        ready_count = count + 1;
    }
    [[nodiscard]] Word take() noexcept {
        const std::uint32_t count = ready_count - 1;
        ready_count = count;
        return ready[count];
    }
    [[nodiscard]] bool full() const noexcept { return ready_count == capacity; }

    void count_live(std::int64_t change) noexcept {
        // Relaxed, twice: one thread writes, and readers want a number, not what it stands for.
        live.store(live.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
    }

    /// Drops every identifier that `outdated` names.
    template <class Predicate> void forget_if(Predicate outdated) noexcept {
        ready_count = without(ready, ready_count, outdated);
        waiting_count = without(waiting, waiting_count, outdated);
    }

  private:
    template <class Predicate>
    static std::uint32_t without(plain<Word>* ids, std::uint32_t count, Predicate outdated) noexcept {
        std::uint32_t left = 0;
        for (std::uint32_t i = 0; i < count; ++i)
            if (const Word id = ids[i]; !outdated(id)) ids[left++] = id;
        return left;
    }
};

} // namespace ecs
