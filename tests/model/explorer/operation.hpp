// SPDX-License-Identifier: MIT
//
// An operation on an atomic, as the search sees it (before it runs) and as the trace prints it (after it
// ran).
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "knowledge.hpp"

namespace explorer {

enum class access : std::uint8_t { load, store, read_modify_write };

struct operation {
    access kind = access::load;
    location_id location = 0;

    bool writes() const { return kind != access::load; }
};

/// Two steps of different threads depend on each other when exchanging them could change what either does.
constexpr bool dependent(const operation& a, const operation& b) {
    return a.location == b.location && (a.kind != access::load || b.kind != access::load);
}

struct event {
    thread_id thread = 0;
    const char* verb = "";
    std::memory_order order = std::memory_order_relaxed;
    location_id location = 0;
    std::uint64_t read = 0, written = 0;
    bool reads = false, writes = false;
    unsigned missed = 0; // stores newer than the one it read
    std::string note;    // a line of the program's own instead of an operation
};

constexpr std::string_view name_of(std::memory_order order) {
    switch (order) {
    case std::memory_order_relaxed: return "relaxed";
    case std::memory_order_acquire: return "acquire";
    case std::memory_order_release: return "release";
    case std::memory_order_acq_rel: return "acq_rel";
    default: return "unsupported";
    }
}

constexpr bool acquires(std::memory_order order) {
    return order == std::memory_order_acquire || order == std::memory_order_acq_rel;
}

constexpr bool releases(std::memory_order order) {
    return order == std::memory_order_release || order == std::memory_order_acq_rel;
}

} // namespace explorer
