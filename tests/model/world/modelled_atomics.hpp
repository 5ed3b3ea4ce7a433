// SPDX-License-Identifier: MIT
//
// The atomics of a world, as the explorer plays them: the same source as in production.
//
// Orders may weaken a memory order by its name, Flaw may break what an operation is; see mutants_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "explorer/explore.hpp"

template <> inline constexpr const char* explorer::label<std::uint64_t> = "word";

namespace model {

struct flawless : explorer::flawless {
    static bool tears_words() { return false; }      ///< A store writes the upper half first.
    static bool tears_sums() { return false; }       ///< An addition is a load and a store.
    static bool soils_memory() { return false; }     ///< Memory is not zeroed.
    static bool keeps_generation() { return false; } ///< The end of an entity does not advance it.
    static bool takes_no_lock() { return false; }    ///< Two threads make pages at once.
    /// What passes an index from one thread to another, under the lock of the supply in production.
    static constexpr std::memory_order hand_over = std::memory_order_release;
};

template <class T, class Flaw> struct modelled_atomic : explorer::atomic<T, Flaw> {
    using base = explorer::atomic<T, Flaw>;
    using base::base;

    void store(T value, std::memory_order order) {
        if constexpr (std::is_same_v<T, std::uint64_t>) {
            constexpr T upper = ~T{0xFFFF'FFFF};
            if (Flaw::tears_words())
                base::store((base::load(std::memory_order_relaxed) & ~upper) | (value & upper), order);
        }
        base::store(value, order);
    }
    T fetch_add(T amount, std::memory_order order) {
        if (!Flaw::tears_sums()) return base::fetch_add(amount, order);
        const T before = base::load(std::memory_order_acquire);
        base::store(before + amount, std::memory_order_release);
        return before;
    }
};

template <class Orders, class Flaw = flawless> struct modelled_atomics {
    using order = Orders;
    using flaw = Flaw;
    template <class T> using atomic = modelled_atomic<T, Flaw>;

    template <class T> static T* allocate(std::size_t count) {
        T* const made = new T[count];
        if (Flaw::soils_memory())
            for (auto& word : made->words) word.store(soil, std::memory_order_relaxed);
        return made;
    }
    template <class T> static void deallocate(T* block, std::size_t) noexcept { delete[] block; }
    template <class T> static T* allocate_directory(std::size_t count) { return new T[count]; }
    template <class T> static void deallocate_directory(T* block, std::size_t) noexcept { delete[] block; }

    static constexpr std::uint64_t soil = 0x0123'4567'89AB'CDEF;
};

} // namespace model
