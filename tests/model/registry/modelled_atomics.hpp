// SPDX-License-Identifier: MIT
//
// The atomics of the concurrent registry, as the explorer plays them: the same source as in production.
//
// Orders may weaken a memory order by its name, Flaw may break an exchange or a store; see mutants_test.cpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "explorer/explore.hpp"

template <> inline constexpr const char* explorer::label<std::uint8_t> = "slot";
template <> inline constexpr const char* explorer::label<std::uint32_t> = "lane";
template <> inline constexpr const char* explorer::label<std::uint64_t> = "counter";
template <> inline constexpr const char* explorer::label<std::int64_t> = "live";
template <class T>
    requires std::is_class_v<T>
inline constexpr const char* explorer::label<T> = "stack";

/// A hint is no step of the search: laws must hold whatever it says. This one says what was said last,
/// whichever thread said it.
template <class T> struct latest_hint {
    T value{};

    T get() const { return value; }
    void set(T now) { value = now; }
};

struct flawless : explorer::flawless {
    static bool keeps_generation() { return false; } ///< A slot that is written keeps its generation.
};

/// An atomic whose store may be flawed where it is a slot.
template <class T, class Flaw> struct modelled_atomic : explorer::atomic<T, Flaw> {
    using base = explorer::atomic<T, Flaw>;
    using base::base;

    void store(T value, std::memory_order order) {
        if constexpr (std::is_same_v<T, std::uint8_t>)
            if (Flaw::keeps_generation()) value = with_generation_of(base::load(relaxed), value);
        base::store(value, order);
    }

  private:
    static constexpr auto relaxed = std::memory_order_relaxed;

    static T with_generation_of(T before, T value) {
        constexpr T generation = 0b11'000; // See subject.hpp.
        if ((before & generation) == 0) return value;
        return static_cast<T>((value & ~generation) | (before & generation));
    }
};

template <class Orders, class Flaw = flawless, template <class> class Hint = latest_hint>
struct modelled_atomics {
    using order = Orders;
    template <class T> using atomic = modelled_atomic<T, Flaw>;
    template <class T> using plain = explorer::plain<T>;
    template <class T> using hint = Hint<T>;

    /// Throws std::bad_alloc where the program lets memory run out.
    template <class T> static T* allocate(std::size_t count) {
        if (explorer::allocation_fails()) throw std::bad_alloc();
        return explorer::allocate_block<T>(count);
    }
    template <class T> static void deallocate(T* block, std::size_t count) noexcept {
        explorer::release_block(block, count);
    }
    template <class T> static T* allocate_directory(std::size_t count) {
        return explorer::allocate_block<T>(count);
    }
    template <class T> static void deallocate_directory(T* block, std::size_t count) noexcept {
        explorer::release_block(block, count);
    }
    template <class T> static T* try_reserve() { return explorer::allocate_block<T>(1); }
    template <class T> static void release_reserved(T* object) noexcept {
        explorer::release_block(object, 1);
    }

    /// Every thread prefers its own shared lane.
    static std::size_t thread_hint() noexcept { return explorer::runtime::current().running_thread(); }
};
