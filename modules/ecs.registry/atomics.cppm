// SPDX-License-Identifier: MIT
// The atomics of the concurrent registry are a policy, so that one source runs in production, under
// ThreadSanitizer and in the interleaving explorer of tests/model.
//
// Every operation on shared memory has a name here, the weakest order that carries it, and the partner that
// makes that order suffice. The explorer runs the registry with each of them weakened in turn and finds a
// failure each time (tests/model/mutants_test.cpp): none is stronger than it needs to be, none is missing.
module;
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif
export module ecs.registry:atomics;
import ecs.std;

namespace ecs {

/// The memory order of every operation of the concurrent registry that is not relaxed.
export struct registry_orders {
    /// Whoever sees the identifier live (slot_read) sees what its creator wrote before.
    static constexpr auto slot_create = std::memory_order_release;
    /// Acquires from slot_create, so that the destroyer may end what the creator began; releases to
    /// slot_read.
    static constexpr auto slot_destroy = std::memory_order_acq_rel;
    /// As slot_destroy, where no other thread destroys: the caller has synchronised with the creator.
    static constexpr auto slot_destroy_alone = std::memory_order_release;
    /// Acquires from slot_create (live) and from slot_destroy (dead: the destroyer's writes are visible).
    static constexpr auto slot_read = std::memory_order_acquire;

    /// The zeroes of a new page or chunk are visible to whoever finds it (block_find).
    static constexpr auto block_publish = std::memory_order_release;
    /// Acquires from block_publish. A thread that holds an index or node of the block found it so before, or
    /// was given it by one that had, and reads the directory relaxed.
    static constexpr auto block_find = std::memory_order_acquire;

    /// A node's contents and link are visible to whoever sees it on top (stack_look). The head changes by
    /// read-modify-write alone, so every push heads a release sequence that no later change breaks.
    static constexpr auto stack_push = std::memory_order_release;
    /// Acquires from the push of the node on top, before its link is read. The exchange that then takes it
    /// can be relaxed: it succeeds only if this very push is on top.
    static constexpr auto stack_look = std::memory_order_acquire;

    /// A lane's contents pass from the thread that leaves it to the next that enters it (lane_enter).
    static constexpr auto lane_leave = std::memory_order_release;
    /// Acquires from lane_leave.
    static constexpr auto lane_enter = std::memory_order_acquire;
    /// A new lane is whole before it can be found (lane_find).
    static constexpr auto lane_publish = std::memory_order_release;
    /// Acquires from lane_publish.
    static constexpr auto lane_find = std::memory_order_acquire;
};

/// A word that zeroed memory makes: trivial to begin, and every access to it atomic.
template <class T> struct atomic_cell {
    static_assert(std::atomic_ref<T>::is_always_lock_free && alignof(T) == sizeof(T),
                  "shared words are exchanged by one instruction");

    alignas(std::atomic_ref<T>::required_alignment) mutable T value;

    // The orders are the caller's, by name; see registry_orders.
    [[nodiscard]] T load(std::memory_order order) const noexcept { return ref().load(order); }
    void store(T desired, std::memory_order order) noexcept { ref().store(desired, order); }
    T fetch_add(T amount, std::memory_order order) noexcept { return ref().fetch_add(amount, order); }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure) noexcept {
        return ref().compare_exchange_strong(expected, desired, success, failure);
    }

  private:
    [[nodiscard]] std::atomic_ref<T> ref() const noexcept { return std::atomic_ref<T>(value); }
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

/// Zeroed memory of which little will be touched: it is mapped, where that can be asked for, and never
/// cleared.
inline void* allocate_sparse(std::size_t bytes) {
#if __has_include(<sys/mman.h>)
    void* block =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block != MAP_FAILED) return block;
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

/// The atomics of production.
export struct std_atomics {
    using order = registry_orders;
    /// An atomic whose zero bytes are its zero value.
    template <class T> using atomic = atomic_cell<T>;
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

    /// Asks for the memory of an object that will be used soon.
    template <class T> static void prefetch(const T* object) noexcept {
        constexpr std::size_t line = 64;
        const auto* const bytes = reinterpret_cast<const unsigned char*>(object);
        for (std::size_t n = 0; n < sizeof(T); n += line) __builtin_prefetch(bytes + n);
    }

    /// A number that differs between threads most of the time: spreads them over shared lanes.
    [[nodiscard]] static std::size_t thread_hint() noexcept {
        static thread_local const char here = 0;
        return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(&here) >> 6) * 0x9E37'79B9U >> 12);
    }
};

} // namespace ecs
