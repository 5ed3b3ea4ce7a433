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
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "explorer/explore.hpp"

import ecs.world;

#include "registry_orders.hpp"
#include "scenarios.hpp"
#include "world_orders.hpp"

namespace {

using orders = world_orders_as_variables;

/// What goes wrong, one thing at a time.
struct flaw : explorer::flawless {
    inline static bool words = false, sums = false, memory = false, generation = false;

    template <class T> static bool torn(std::string_view) { return sums; }
    static bool tears_words() { return words; }
    static bool soils_memory() { return memory; }
    static bool keeps_generation() { return generation; }
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

class WorldFlaw : public ::testing::TestWithParam<std::pair<const char*, bool*>> {};

TEST_P(WorldFlaw, is_found) {
    *GetParam().second = true;
    expect_found();
    *GetParam().second = false;
}

INSTANTIATE_TEST_SUITE_P(WorldMutants, WorldFlaw,
                         ::testing::Values(std::pair("words_written_in_halves", &flaw::words),
                                           std::pair("sums_by_load_and_store", &flaw::sums),
                                           std::pair("pages_that_are_not_zeroed", &flaw::memory),
                                           std::pair("ends_that_keep_the_generation", &flaw::generation)),
                         [](const auto& info) { return info.param.first; });

} // namespace
