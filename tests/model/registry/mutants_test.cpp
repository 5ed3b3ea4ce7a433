// SPDX-License-Identifier: MIT
//
// The evidence has teeth: the registry is broken in one place at a time, and each time a scenario fails. A
// memory order that could be weakened unnoticed would be too strong, or its law untested. That no scenario
// fails of the registry as it is, scenarios_test.cpp shows, in as many executions and more.
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "explorer/explore.hpp"

import ecs.registry;

#include "breakable_scenarios.hpp"

namespace {

/// The first scenario that fails within so many executions, or nothing.
std::string found_within(std::size_t limit, std::size_t& executions) {
    for (const auto& scenario : model::breakable_scenarios()) {
        const auto result = explorer::explore(scenario.make, {.executions = limit});
        executions += result.executions;
        if (result.failed()) return std::string(scenario.name) + ": " + result.failure;
    }
    return {};
}

/// Most mutants are found soon by one of the scenarios.
std::string found_by(std::size_t& executions) {
    const std::string soon = found_within(500, executions);
    return soon.empty() ? found_within(100'000, executions) : soon;
}

void expect_found() {
    std::size_t executions = 0;
    const std::string where = found_by(executions);
    EXPECT_FALSE(where.empty()) << "not found in " << executions << " executions";
    std::printf("found after %zu executions by %s\n", executions, where.c_str());
}

class WeakenedOrder : public ::testing::TestWithParam<model::weakening> {};

TEST_P(WeakenedOrder, is_found) {
    const model::weaken now(GetParam());
    expect_found();
}

INSTANTIATE_TEST_SUITE_P(Mutants, WeakenedOrder,
                         ::testing::ValuesIn(model::all_weakenings(registry_orders_as_variables::names)),
                         [](const auto& info) { return info.param.name; });

class LoadAndStoreTo : public ::testing::TestWithParam<std::pair<const char*, model::flaw::kind>> {};

TEST_P(LoadAndStoreTo, is_found) {
    model::flaw::now = GetParam().second;
    expect_found();
    model::flaw::now = model::flaw::kind::none;
}

INSTANTIATE_TEST_SUITE_P(Mutants, LoadAndStoreTo,
                         ::testing::Values(std::pair("destroy", model::flaw::kind::slot),
                                           std::pair("publish", model::flaw::kind::pointer),
                                           std::pair("enter_a_shared_lane", model::flaw::kind::shared_lane),
                                           std::pair("take_the_lane_of_a_key", model::flaw::kind::key_lane),
                                           std::pair("write_the_generation", model::flaw::kind::generation),
                                           std::pair("draw_a_block", model::flaw::kind::counter),
                                           std::pair("put_into_a_set", model::flaw::kind::put),
                                           std::pair("take_out_of_a_set", model::flaw::kind::take),
                                           std::pair("take_the_loose_node", model::flaw::kind::take_loose)),
                         [](const auto& info) { return info.param.first; });

} // namespace
