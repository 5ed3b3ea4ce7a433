// SPDX-License-Identifier: MIT
//
// Every execution of every scenario keeps the laws of scenarios.hpp.
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "explorer/explore.hpp"

import ecs.core;
import ecs.world;

#include "scenarios.hpp"

namespace {

using correct = model::scenarios<model::modelled_atomics<ecs::world_orders>>;

class WorldScenarios : public ::testing::TestWithParam<model::scenario> {};

TEST_P(WorldScenarios, keep_every_law_in_every_execution) {
    const auto result = explorer::explore(GetParam().make, {.executions = 5'000'000});
    EXPECT_FALSE(result.failed()) << result.failure << '\n' << result.trace;
    EXPECT_FALSE(result.truncated) << "after " << result.executions;
    std::printf("%zu executions, %zu of them redundant\n", result.executions, result.redundant);
}

/// The reduction hides no failure: as far as the plain search comes it finds none either.
TEST_P(WorldScenarios, keep_every_law_without_reduction) {
    const auto result =
        explorer::explore(GetParam().make, {.executions = 5'000, .kind = explorer::reduction::none});
    EXPECT_FALSE(result.failed()) << result.failure << '\n' << result.trace;
}

INSTANTIATE_TEST_SUITE_P(World, WorldScenarios, ::testing::ValuesIn(correct::all()),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
