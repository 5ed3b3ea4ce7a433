// SPDX-License-Identifier: MIT
//
// Memory of the program under exploration. What was given back stays readable until the execution has ended:
// that an atomic in it is used late is a failure then, not a crash.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime.hpp"

namespace explorer {

/// An array of so many elements.
template <class T> T* allocate_block(std::size_t count) {
    T* const block = std::allocator<T>().allocate(count);
    std::uninitialized_default_construct_n(block, count);
    return block;
}

/// Ends the elements of such an array, and gives it back.
template <class T> void release_block(T* block, std::size_t count) noexcept {
    if (!block) return;
    const auto give_back = [count](T* bytes) { std::allocator<T>().deallocate(bytes, count); };
    std::destroy_n(block, count);
    if (runtime::running())
        runtime::current().bury(std::shared_ptr<void>(block, give_back));
    else
        give_back(block);
}

} // namespace explorer
