// SPDX-License-Identifier: MIT
// Sizes of the benchmarks: what was asked for, or tiny where a test only checks that the benchmark runs.
#pragma once
#include <cstddef>
#include <cstdlib>

inline std::size_t bench_size(std::size_t full, std::size_t smoke = 64) {
    return std::getenv("ECS_BENCH_SMOKE") != nullptr ? smoke : full;
}
