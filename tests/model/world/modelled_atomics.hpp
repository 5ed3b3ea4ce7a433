// SPDX-License-Identifier: MIT
//
// The atomics of a world, as the explorer plays them: the same source as in production.
//
// Orders may weaken a memory order by its name, Flaw may break an operation; see mutants_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "explorer/explore.hpp"

import ecs.registry;
import ecs.core;
import ecs.world;

template <> inline constexpr const char* explorer::label<std::uint64_t> = "word";
template <> inline constexpr const char* explorer::label<std::uint32_t> = "buffer";

namespace model {

template <class Orders, class Flaw = explorer::flawless, class RegistryOrders = ecs::registry_orders>
struct modelled_atomics {
    using order = Orders;
    using registry = modelled_atomics<RegistryOrders, Flaw, RegistryOrders>;
    template <class T> using atomic = explorer::atomic<T, Flaw>;
    template <class T> using plain = explorer::plain<T>;

    template <class T> static T* allocate(std::size_t count) { return explorer::allocate_block<T>(count); }
    template <class T> static void deallocate(T* block, std::size_t count) noexcept {
        explorer::release_block(block, count);
    }
    template <class T> static T* allocate_directory(std::size_t count) {
        return explorer::allocate_block<T>(count);
    }
    template <class T> static void deallocate_directory(T* block, std::size_t count) noexcept {
        explorer::release_block(block, count);
    }

    /// Every thread begins to look elsewhere.
    static std::size_t thread_hint() noexcept { return explorer::runtime::current().running_thread(); }
};

} // namespace model
