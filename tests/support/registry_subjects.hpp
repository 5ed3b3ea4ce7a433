// SPDX-License-Identifier: MIT
// The registries that random sequences of operations are tried on. Properties and fuzz targets try the same
// ones, so that each is compiled once.
#pragma once
#include <cstdint>
#include <span>

namespace test {

/// A registry, and the reference that it is compared with.
struct registry_subject {
    const char* name;
    bool (*agrees)(std::span<const std::uint8_t> operations); ///< Whether both have done the same.
};

/// Registries of one thread.
std::span<const registry_subject> registry_subjects();

/// Concurrent registries, used by one thread through several handles.
std::span<const registry_subject> concurrent_registry_subjects();

} // namespace test
