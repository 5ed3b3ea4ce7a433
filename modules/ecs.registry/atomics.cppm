// SPDX-License-Identifier: MIT
// The atomics of the concurrent registry are a policy, so that one source runs in production, under
// ThreadSanitizer and in the interleaving explorer of tests/model.
//
// Every operation on shared memory that is not relaxed has a name here, the weakest order that carries it,
// and the partner that makes that order suffice. The explorer runs the registry with each of them weakened in
// turn and finds a failure each time (tests/model/registry/mutants_test.cpp): none is stronger than it needs
// to be, none is missing. docs/memory-orders.md lists every operation, relaxed ones included.
module;
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif
export module ecs.registry:atomics;
import ecs.std;

namespace ecs {

/// The memory order of every operation of the concurrent registry that is not relaxed: one name for each
/// place in the source, so that the explorer can weaken each alone. "slot_read_*" stands for all names that
/// begin so.
export struct registry_orders {
    // Slots.

    /// A thread that sees the identifier live (slot_read_*) sees what its creator wrote before.
    static constexpr auto slot_create = std::memory_order_release;
    /// The same for identifiers that are created side by side.
    static constexpr auto slot_create_run = std::memory_order_release;
    /// Acquires from slot_create*, so that the destroyer may end what the creator began; releases to
    /// slot_read_*.
    static constexpr auto slot_destroy = std::memory_order_acq_rel;
    /// As slot_destroy, where no other thread destroys: the caller has synchronised with the creator.
    static constexpr auto slot_destroy_alone = std::memory_order_release;
    /// Acquires from slot_create* (live) and from slot_destroy* (dead: the destroyer's writes are visible).
    static constexpr auto slot_read_alive = std::memory_order_acquire;
    static constexpr auto slot_read_status = std::memory_order_acquire;
    static constexpr auto slot_read_live_at = std::memory_order_acquire;
    /// As slot_read_alive: the payload was written by the creator.
    static constexpr auto slot_read_payload = std::memory_order_acquire;
    /// As slot_read_alive, for each identifier of a list.
    static constexpr auto slot_read_visit = std::memory_order_acquire;

    // Pages of slots.

    /// The zeroes of a new page are visible to a thread that finds it.
    static constexpr auto page_publish = std::memory_order_release;
    /// Acquire from page_publish. A thread that holds an index found its page so before, or was given the
    /// index by a thread that had, and reads the directory relaxed.
    static constexpr auto page_find = std::memory_order_acquire;
    static constexpr auto page_ensure = std::memory_order_acquire;
    static constexpr auto page_publish_late = std::memory_order_acquire;
    /// As page_find, for each page of a list.
    static constexpr auto page_visit = std::memory_order_acquire;

    // Nodes of the depot.

    /// A new chunk of nodes is whole for a thread that finds it.
    static constexpr auto chunk_publish = std::memory_order_release;
    /// Acquires from chunk_publish.
    static constexpr auto chunk_find = std::memory_order_acquire;

    /// What is in a node, or in an idle lane, is visible to the thread that takes it (number_take). A word of
    /// a set changes by read-modify-write alone, so that every put heads a release sequence which no later
    /// change breaks.
    static constexpr auto number_put = std::memory_order_release;
    /// Acquires from number_put.
    static constexpr auto number_take = std::memory_order_acquire;

    /// The same for a node that is not full, in a word of its own: its contents are visible to the thread
    /// that takes it.
    static constexpr auto loose_put = std::memory_order_release;
    /// Acquires from loose_put.
    static constexpr auto loose_take = std::memory_order_acquire;

    // Lanes.

    /// A lane's contents pass from the thread that leaves it to the next that takes it.
    static constexpr auto shared_lane_pass_on = std::memory_order_release;
    /// Acquires from shared_lane_pass_on.
    static constexpr auto shared_lane_take = std::memory_order_acquire;
    /// The lane of a key passes from thread to thread likewise.
    static constexpr auto key_lane_pass_on = std::memory_order_release;
    /// Acquires from key_lane_pass_on.
    static constexpr auto key_lane_take = std::memory_order_acquire;
    /// New members of a list, such as lanes, are whole before they can be found.
    static constexpr auto group_publish = std::memory_order_release;
    /// Acquires from group_publish.
    static constexpr auto group_find = std::memory_order_acquire;
};

/// A word that zeroed memory makes: trivial to begin, and every access to it atomic.
template <class T> struct atomic_cell {
    static_assert(std::atomic_ref<T>::is_always_lock_free && alignof(T) == sizeof(T),
                  "shared words are exchanged by one instruction");

    alignas(std::atomic_ref<T>::required_alignment) mutable T value;

    // The orders are the caller's, by name; see registry_orders.
    [[nodiscard]] T load(std::memory_order order) const noexcept { return ref().load(order); }
    void store(T desired, std::memory_order order) noexcept { ref().store(desired, order); }
    T exchange(T desired, std::memory_order order) noexcept { return ref().exchange(desired, order); }
    T fetch_add(T amount, std::memory_order order) noexcept { return ref().fetch_add(amount, order); }
    T fetch_or(T bits, std::memory_order order) noexcept { return ref().fetch_or(bits, order); }
    T fetch_and(T bits, std::memory_order order) noexcept { return ref().fetch_and(bits, order); }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure) noexcept {
        return ref().compare_exchange_strong(expected, desired, success, failure);
    }

  private:
    [[nodiscard]] std::atomic_ref<T> ref() const noexcept { return std::atomic_ref<T>(value); }
};

/// A value that says where a search should begin, and may be wrong.
template <class T> class hint_cell {
  public:
    // Relaxed, twice: nothing follows from it.
    [[nodiscard]] T get() const noexcept { return cell_.load(std::memory_order_relaxed); }
    void set(T value) noexcept { cell_.store(value, std::memory_order_relaxed); }

  private:
    atomic_cell<T> cell_;
};

/// Raises a number that only grows to the value at least.
template <class Atomic> void raise_to(Atomic& number, std::uint64_t value) noexcept {
    // Relaxed, throughout: it bounds a search, which synchronises with what it finds.
    std::uint64_t now = number.load(std::memory_order_relaxed);
    constexpr auto relaxed = std::memory_order_relaxed;
    while (now < value && !number.compare_exchange_strong(now, value, relaxed, relaxed)) {
    }
}

/// Zeroed memory. Throws std::bad_alloc. What comes fresh from the system is not touched before it is used.
inline void* allocate_zeroed(std::size_t bytes) {
    if (void* block = std::calloc(1, bytes)) return block;
    throw std::bad_alloc();
}

/// Zeroed memory of which little will be touched, where the system offers that: a page of it exists from when
/// it is touched. Null when it is refused.
inline void* map_zeroed([[maybe_unused]] std::size_t bytes) noexcept {
#if __has_include(<sys/mman.h>)
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (block != MAP_FAILED) return block;
#endif
    return nullptr;
}

/// Zeroed memory of which little will be touched: it is mapped, where the system offers that, and never
/// cleared.
inline void* allocate_sparse(std::size_t bytes) {
#if __has_include(<sys/mman.h>)
    if (void* block = map_zeroed(bytes)) return block;
    throw std::bad_alloc();
#else
    return allocate_zeroed(bytes);
#endif
}

inline void release_sparse(void* block, [[maybe_unused]] std::size_t bytes) noexcept {
#if __has_include(<sys/mman.h>)
    ::munmap(block, bytes);
#else
    std::free(block);
#endif
}

/// As allocate_sparse, but null unless the process could map twice as many bytes. Under `ulimit -v`, or where
/// memory is not overcommitted, the rest of the program needs these addresses.
inline void* reserve_sparse(std::size_t bytes) noexcept {
    void* twice = map_zeroed(2 * bytes);
    if (!twice) return nullptr;
    release_sparse(twice, 2 * bytes);
    return map_zeroed(bytes);
}

/// The atomics of production.
export struct std_atomics {
    using order = registry_orders;
    /// An atomic whose zero bytes are its zero value.
    template <class T> using atomic = atomic_cell<T>;
    /// A value that may be wrong: a law that holds must hold whatever it says.
    template <class T> using hint = hint_cell<T>;
    /// A variable that one thread at a time uses; the explorer checks that.
    template <class T> using plain = T;

    /// `count` objects of zeroed memory. Throws std::bad_alloc.
    template <class T> [[nodiscard]] static T* allocate(std::size_t count) {
        static_assert(std::is_trivially_default_constructible_v<T>,
                      "zeroed memory begins trivial types only");
        static_assert(alignof(T) <= alignof(std::max_align_t));
        return static_cast<T*>(allocate_zeroed(count * sizeof(T)));
    }
    template <class T> static void deallocate(T* block, std::size_t) noexcept { std::free(block); }

    /// The same for many objects of which few will be used.
    template <class T> [[nodiscard]] static T* allocate_directory(std::size_t count) {
        static_assert(std::is_trivially_default_constructible_v<T>,
                      "zeroed memory begins trivial types only");
        return static_cast<T*>(allocate_sparse(count * sizeof(T)));
    }
    template <class T> static void deallocate_directory(T* block, std::size_t count) noexcept {
        release_sparse(block, count * sizeof(T));
    }

    /// Addresses for a zeroed object that is larger than all memory, and becomes memory where it is touched;
    /// null when there are none.
    template <class T> [[nodiscard]] static T* try_reserve() noexcept {
        static_assert(std::is_trivially_default_constructible_v<T>,
                      "zeroed memory begins trivial types only");
        return static_cast<T*>(reserve_sparse(sizeof(T)));
    }
    template <class T> static void release_reserved(T* object) noexcept { release_sparse(object, sizeof(T)); }

    /// Asks for the memory of objects that will be used soon.
    template <class T> static void prefetch(const T* first, std::size_t count) noexcept {
        constexpr std::size_t line = 64;
        const auto* const bytes = reinterpret_cast<const unsigned char*>(first);
        for (std::size_t n = 0; n < count * sizeof(T); n += line) __builtin_prefetch(bytes + n);
    }

    /// The number of the thread, in the order in which threads asked for theirs: spreads them over shared
    /// lanes.
    [[nodiscard]] static std::size_t thread_hint() noexcept {
        static std::atomic<std::size_t> threads{0};
        static thread_local std::size_t mine = 0; // From 1 on: a constant needs no guard at each use.
        // Relaxed: a number.
        if (mine == 0) mine = threads.fetch_add(1, std::memory_order_relaxed) + 1;
        return mine;
    }
};

} // namespace ecs
