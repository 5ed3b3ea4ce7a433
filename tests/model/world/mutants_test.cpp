// SPDX-License-Identifier: MIT
//
// The evidence has teeth: what threads share of a world is broken in one place at a time, and each time a
// scenario fails.
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "explorer/explore.hpp"

import ecs.core;
import ecs.world;

#include "registry_orders.hpp"
#include "scenarios.hpp"
#include "world_orders.hpp"

namespace {

using orders = world_orders_as_variables;

/// Read-modify-writes that are load and store, so that another thread's change between the two is lost.
struct flaw : explorer::flawless {
    inline static bool sums = false;

    template <class T> static bool torn(std::string_view) { return sums; }
};

using registry_orders = registry_orders_as_variables;
using broken = model::scenarios<model::modelled_atomics<orders, flaw, registry_orders>>;

/// The first scenario that fails, or nothing.
std::string found_by(std::size_t& executions) {
    for (const auto& scenario : broken::all()) {
        const auto result = explorer::explore(scenario.make, {.executions = 100'000});
        executions += result.executions;
        if (result.failed()) return std::string(scenario.name) + ": " + result.failure;
    }
    return {};
}

void expect_found() {
    std::size_t executions = 0;
    const std::string where = found_by(executions);
    EXPECT_FALSE(where.empty()) << "not found in " << executions << " executions";
    std::printf("found after %zu executions by %s\n", executions, where.c_str());
}

TEST(WorldMutants, the_world_as_it_is_keeps_every_law) {
    std::size_t executions = 0;
    EXPECT_EQ(found_by(executions), "");
}

class WeakenedWorldOrder : public ::testing::TestWithParam<model::weakening> {};

TEST_P(WeakenedWorldOrder, is_found) {
    const model::weaken now(GetParam());
    expect_found();
}

INSTANTIATE_TEST_SUITE_P(WorldMutants, WeakenedWorldOrder,
                         ::testing::ValuesIn(model::all_weakenings(orders::names)),
                         [](const auto& info) { return info.param.name; });

/// Those of the registry that a world uses, too.
std::vector<model::weakening> weakenings_of_lists() {
    std::vector<model::weakening> all = model::all_weakenings(registry_orders::names);
    std::erase_if(all, [](const model::weakening& w) {
        return !w.name.starts_with("group_") && !w.name.starts_with("number_");
    });
    return all;
}

INSTANTIATE_TEST_SUITE_P(WorldMutantsOfLists, WeakenedWorldOrder, ::testing::ValuesIn(weakenings_of_lists()),
                         [](const auto& info) { return info.param.name; });

/// A scenario whose threads share one read-modify-write and no other, so that it is this one that is found.
class LoadAndStoreIn : public ::testing::TestWithParam<model::scenario> {};

TEST_P(LoadAndStoreIn, sums_by_load_and_store_are_found) {
    flaw::sums = true;
    const auto result = explorer::explore(GetParam().make, {.executions = 100'000});
    flaw::sums = false;
    EXPECT_TRUE(result.failed()) << "not found in " << result.executions << " executions";
    std::printf("found after %zu executions: %s\n", result.executions, result.failure.c_str());
}

INSTANTIATE_TEST_SUITE_P(
    WorldMutants, LoadAndStoreIn,
    ::testing::Values(model::scenario{"taken_once", broken::taken_once},
                      model::scenario{"the_last_sees_what_all_did", broken::the_last_sees_what_all_did},
                      model::scenario{"a_name_has_one_number", broken::a_name_has_one_number}),
    [](const auto& info) { return std::string(info.param.name); });

} // namespace
