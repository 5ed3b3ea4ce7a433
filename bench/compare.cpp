// SPDX-License-Identifier: MIT
#include "compare.hpp"
#include <cmath>
#include <map>
#include <stdexcept>

void expect_same_result(const std::string& workload, double result) {
    static std::map<std::string, double> first_results;
    const double first = first_results.emplace(workload, result).first->second;
    if (std::abs(first - result) > 1e-6 * std::abs(first))
        throw std::runtime_error(workload + ": contenders disagree, " + std::to_string(first) + " and " +
                                 std::to_string(result));
}
