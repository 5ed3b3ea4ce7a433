// SPDX-License-Identifier: MIT
// What was reserved asks for no memory: the registries run with an operator new that counts, and the
// concurrent one with atomics whose pages are counted.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <vector>

import ecs.id;
import ecs.registry;

namespace {

std::atomic<std::size_t> allocations{0};

void* allocate(std::size_t bytes, std::size_t alignment) {
    allocations.fetch_add(1, std::memory_order_relaxed); // Relaxed: a number.
    void* const memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!memory) throw std::bad_alloc();
    return memory;
}

} // namespace

void* operator new(std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

struct counting_atomics : ecs::std_atomics {
    template <class T> static T* allocate(std::size_t elements) {
        allocations.fetch_add(1, std::memory_order_relaxed); // Relaxed: a number.
        return ecs::std_atomics::allocate<T>(elements);
    }
};
using concurrent_registry =
    ecs::basic_concurrent_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>,
                                   ecs::retire, ecs::no_payload, counting_atomics>;

constexpr std::size_t count = 20'000;

/// How often memory is asked for while all are created, destroyed out of order, and created again.
template <class Creator> std::size_t allocations_of_two_rounds(Creator& creator) {
    std::vector<ecs::entity> ids(count);
    const std::size_t before = allocations.load();
    for (int round = 0; round < 2; ++round) {
        for (ecs::entity& id : ids) id = creator.create();
        for (std::size_t i = 0; i < count; ++i) creator.destroy(ids[i * 7919 % count]);
    }
    return allocations.load() - before;
}

TEST(reserve, registry_asks_for_no_memory_up_to_what_was_reserved) {
    ecs::registry ids;
    ids.reserve(count);
    EXPECT_EQ(allocations_of_two_rounds(ids), 0U);
}

TEST(reserve, concurrent_registry_asks_for_no_memory_up_to_what_was_reserved) {
    concurrent_registry ids;
    ids.reserve(count);
    EXPECT_EQ(allocations_of_two_rounds(ids), 0U) << "without a handle";
    auto local = ids.local();
    EXPECT_EQ(allocations_of_two_rounds(local), 0U) << "through a handle";
}

TEST(reserve, without_it_memory_is_asked_for) {
    concurrent_registry ids;
    EXPECT_GT(allocations_of_two_rounds(ids), 0U);
}

} // namespace
