// SPDX-License-Identifier: MIT
//
// A step of a thread, as the search sees it (before it runs) and as the trace prints it (after it ran).
//
//   location    0 ... max_locations - 1     atomics, whose stores the memory keeps
//               free_choice                 steps of which the search chooses the outcome, see choose
//               first_shared ...            state of the test itself, see shared<T>
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "knowledge.hpp"

namespace explorer {

enum class access : std::uint8_t { load, store, read_modify_write };

struct operation {
    access kind = access::load;
    location_id location = 0;

    bool reads() const { return kind != access::store; }
    bool writes() const { return kind != access::load; }
};

/// A load by name only: it depends on no step of any thread.
inline constexpr location_id free_choice = max_locations;
inline constexpr location_id first_shared = free_choice + 1;

/// Two steps of different threads depend on each other when exchanging them could change what either does.
constexpr bool dependent(const operation& a, const operation& b) {
    return a.location == b.location && (a.kind != access::load || b.kind != access::load);
}

struct event {
    operation done;
    thread_id thread = 0;
    const char* verb = "";
    std::memory_order order = std::memory_order_relaxed;
    std::uint64_t read = 0, written = 0;
    unsigned missed = 0;  // stores newer than the one it read
    std::size_t note = 0; // the how many-th line of the program's own it is, if it is no operation
};

constexpr std::string_view name_of(std::memory_order order) {
    switch (order) {
    case std::memory_order_relaxed: return "relaxed";
    case std::memory_order_acquire: return "acquire";
    case std::memory_order_release: return "release";
    case std::memory_order_acq_rel: return "acq_rel";
    case std::memory_order_consume: return "consume";
    default: return "seq_cst";
    }
}

constexpr std::string_view name_of(access kind) {
    switch (kind) {
    case access::load: return "load";
    case access::store: return "store";
    default: return "read-modify-write";
    }
}

/// Whether the language allows the order for such an operation and memory.hpp gives it its meaning.
constexpr bool is_modelled(access kind, std::memory_order order) {
    switch (order) {
    case std::memory_order_relaxed: return true;
    case std::memory_order_acquire: return kind != access::store;
    case std::memory_order_release: return kind != access::load;
    case std::memory_order_acq_rel: return kind == access::read_modify_write;
    default: return false;
    }
}

constexpr bool acquires(std::memory_order order) {
    return order == std::memory_order_acquire || order == std::memory_order_acq_rel;
}

constexpr bool releases(std::memory_order order) {
    return order == std::memory_order_release || order == std::memory_order_acq_rel;
}

} // namespace explorer
