// SPDX-License-Identifier: MIT
#include "compare.hpp"
#include <cmath>
#include <cstdlib>
#include <malloc.h>
#include <map>
#include <stdexcept>

namespace {

/// Memory that was given back stays with the process, so that no contender pays for pages the one before had.
const bool pages_are_kept = [] {
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 64 << 20);
    return true;
}();

} // namespace

void expect_same_result(const std::string& workload, double result) {
    static std::map<std::string, double> first_results;
    const double first = first_results.emplace(workload, result).first->second;
    if (std::abs(first - result) > 1e-6 * std::abs(first))
        throw std::runtime_error(workload + ": contenders disagree, " + std::to_string(first) + " and " +
                                 std::to_string(result));
}
