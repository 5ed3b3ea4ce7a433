// SPDX-License-Identifier: MIT
//
// Every execution of every scenario keeps the laws of subject.hpp. Those of which it takes a minute to see
// all are cut off, unless ECS_MODEL_LONG=1 (./dev model).
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "explorer/explore.hpp"

import ecs.registry;

#include "breakable_scenarios.hpp"

namespace {

class Scenarios : public ::testing::TestWithParam<model::scenario> {};

TEST_P(Scenarios, keep_every_law_in_every_execution) {
    const bool is_cut_off = GetParam().takes_a_minute && !std::getenv("ECS_MODEL_LONG");
    const auto result =
        explorer::explore(GetParam().make, {.executions = is_cut_off ? 100'000U : 5'000'000U});
    EXPECT_FALSE(result.failed()) << result.failure << '\n' << result.trace;
    EXPECT_EQ(result.truncated, is_cut_off) << "after " << result.executions;
    std::printf("%zu executions, %zu of them redundant\n", result.executions, result.redundant);
}

/// The reduction hides no failure: as far as the plain search comes it finds none either.
TEST_P(Scenarios, keep_every_law_without_reduction) {
    const auto result =
        explorer::explore(GetParam().make, {.executions = 5'000, .kind = explorer::reduction::none});
    EXPECT_FALSE(result.failed()) << result.failure << '\n' << result.trace;
}

INSTANTIATE_TEST_SUITE_P(Registry, Scenarios, ::testing::ValuesIn(model::breakable_scenarios()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Hints, that_are_wrong_lose_nothing) {
    model::flaw::now = model::flaw::kind::hints;
    for (const model::scenario& scenario : model::breakable_scenarios_of_any_index()) {
        const auto result = explorer::explore(scenario.make, {.executions = 5'000});
        EXPECT_FALSE(result.failed()) << scenario.name << ": " << result.failure << '\n' << result.trace;
    }
    model::flaw::now = model::flaw::kind::none;
}

} // namespace
