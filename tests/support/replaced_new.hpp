// SPDX-License-Identifier: MIT
// An operator new that says when it is called, for a whole test program: include it in one of its files.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

/// Called before every allocation; the program defines it. What it throws, operator new throws.
void before_allocation();

namespace replaced_new {

/// How many blocks have been handed out and not come back.
inline std::atomic<std::size_t> blocks{0}; // Relaxed below: a number.

inline void* allocate(std::size_t bytes, std::size_t alignment) {
    before_allocation();
    void* const memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!memory) throw std::bad_alloc();
    blocks.fetch_add(1, std::memory_order_relaxed);
    return memory;
}

inline void release(void* memory) noexcept {
    if (memory) blocks.fetch_sub(1, std::memory_order_relaxed);
    std::free(memory);
}

} // namespace replaced_new

// NOLINTBEGIN(misc-definitions-in-headers): what replaces an operator may not be inline. Where g++ 16 puts
// free in the place of a delete, it warns that this is not what belongs to new (fault
// free_in_a_replaced_delete).
void* operator new(std::size_t bytes) { return replaced_new::allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return replaced_new::allocate(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { replaced_new::release(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { replaced_new::release(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
    replaced_new::release(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    replaced_new::release(memory);
}
// NOLINTEND(misc-definitions-in-headers)
