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

import ecs.registry;
import ecs.world;

template <> inline constexpr const char* explorer::label<std::uint64_t> = "word";
template <> inline constexpr const char* explorer::label<std::uint32_t> = "recorder";

namespace model {

struct flawless : explorer::flawless {
    static bool tears_words() { return false; }      ///< A store writes the upper half first.
    static bool soils_memory() { return false; }     ///< Memory is not zeroed.
    static bool keeps_generation() { return false; } ///< A word that is replaced keeps its generation.
};

template <class T, class Flaw> struct modelled_atomic : explorer::atomic<T, Flaw> {
    using base = explorer::atomic<T, Flaw>;
    using base::base;

    void store(T value, std::memory_order order) {
        if constexpr (std::is_same_v<T, std::uint64_t>) {
            if (Flaw::tears_words()) base::store(replaced(~T{0xFFFF'FFFF}, value), order);
            if (Flaw::keeps_generation() && base::load(std::memory_order_relaxed) != 0)
                value = replaced(~ecs::slot_word::generation_mask, value);
        }
        base::store(value, order);
    }

  private:
    /// What is there, with these bits taken from the value.
    T replaced(T bits, T value) const {
        return (base::load(std::memory_order_relaxed) & ~bits) | (value & bits);
    }
};

template <class Orders, class Flaw = flawless, class RegistryOrders = ecs::registry_orders>
struct modelled_atomics {
    using order = Orders;
    using flaw = Flaw;
    using registry = modelled_atomics<RegistryOrders, Flaw, RegistryOrders>;
    template <class T> using atomic = modelled_atomic<T, Flaw>;

    template <class T> static T* allocate(std::size_t count) {
        T* const made = new T[count];
        if constexpr (requires { made->words; })
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
