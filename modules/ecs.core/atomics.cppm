// SPDX-License-Identifier: MIT
// The atomics of what several threads share of a world without a lock, as a policy: so that one source runs
// in production, under ThreadSanitizer and in the interleaving explorer of tests/model.
//
// docs/parallel.md lists everything that threads share, under which lock or by which of these orders, and the
// test that carries it.
export module ecs.core:atomics;
import ecs.std;
import ecs.registry;

export namespace ecs {

/// The memory order of every operation that is not relaxed. The explorer finds a failure when one of them is
/// weakened (tests/model/world/mutants_test.cpp).
struct world_orders {
    /// Releases what was done by one who others wait for; acquires, for the last of them, what all who came
    /// before have done.
    static constexpr auto count_down = std::memory_order_acq_rel;

    /// What was recorded until a command buffer is closed is visible to the world's thread, which makes the
    /// command buffer idle.
    static constexpr auto buffer_close = std::memory_order_release;
    /// Acquires from buffer_close.
    static constexpr auto buffer_retire = std::memory_order_acquire;

    /// A new name and its number are whole for a thread that finds them.
    static constexpr auto name_publish = std::memory_order_release;
    /// Acquire from name_publish.
    static constexpr auto name_find = std::memory_order_acquire;
    static constexpr auto name_publish_late = std::memory_order_acquire;
};

/// The atomics of production. Memory comes from operator new, so that tests can see and refuse it.
struct world_atomics : std_atomics {
    using order = world_orders;

    /// The same for what comes from ecs.registry, whose orders have their names there.
    struct registry;

    /// `count` objects of zeroed memory. Throws std::bad_alloc.
    template <class T> [[nodiscard]] static T* allocate(std::size_t count) { return new T[count]{}; }
    template <class T> static void deallocate(T* block, std::size_t) noexcept { delete[] block; }
};

struct world_atomics::registry : world_atomics {
    using order = registry_orders;
};

} // namespace ecs
