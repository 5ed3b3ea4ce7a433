// SPDX-License-Identifier: MIT
// The registries that random sequences of operations are tried on. Properties and fuzz targets try the same
// ones, so that each is compiled once.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace test {

/// A registry, and the reference that it is compared with.
struct registry_subject {
    const char* name;
    bool (*agrees)(std::span<const std::uint8_t> operations); ///< Whether both have done the same.
};

/// Those of both.
template <std::size_t N, std::size_t M>
constexpr std::array<registry_subject, N + M> joined(const std::array<registry_subject, N>& some,
                                                     const std::array<registry_subject, M>& others) {
    std::array<registry_subject, N + M> all{};
    std::copy(others.begin(), others.end(), std::copy(some.begin(), some.end(), all.begin()));
    return all;
}

/// Registries of one thread.
std::span<const registry_subject> registry_subjects();

/// Concurrent registries, used by one thread through several handles.
std::span<const registry_subject> concurrent_registry_subjects();

} // namespace test
