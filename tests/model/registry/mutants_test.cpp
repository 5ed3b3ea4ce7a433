// SPDX-License-Identifier: MIT
//
// The evidence has teeth: the registry is broken in one place at a time, and each time a scenario fails. A
// memory order that could be weakened unnoticed would be too strong, or its law untested.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "explorer/explore.hpp"

import ecs.registry;

#include "all_scenarios.hpp"
#include "registry_orders.hpp"

namespace {

using orders = registry_orders_as_variables;

/// Exchanges that go wrong, one kind at a time.
struct flaw {
    enum class kind : std::uint8_t {
        none,
        unversioned_stack, ///< A head is compared by its node alone.
        torn_slot,         ///< Load, compare and store: the loser of a race does not learn of it.
        torn_pointer,
        torn_lane,
        torn_counter,
        torn_stack,
    };
    inline static kind now = kind::none;

    template <class T> static bool same(const T& a, const T& b) {
        if constexpr (std::is_class_v<T>)
            if (now == kind::unversioned_stack) return a.node == b.node;
        return explorer::flawless::same(a, b);
    }
    template <class T> static bool torn() {
        return now == (std::is_class_v<T>                ? kind::torn_stack
                       : std::is_pointer_v<T>            ? kind::torn_pointer
                       : std::is_same_v<T, std::uint8_t> ? kind::torn_slot
                       : sizeof(T) == 4                  ? kind::torn_lane
                                                         : kind::torn_counter);
    }
};

using broken = modelled_atomics<orders, flaw>;

/// The first scenario that fails within so many executions, or nothing.
std::string found_within(std::size_t limit, std::size_t& executions) {
    for (const auto& scenario : model::all_scenarios<broken>()) {
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

TEST(Mutants, the_registry_as_it_is_keeps_every_law) {
    std::size_t executions = 0;
    EXPECT_EQ(found_by(executions), "");
}

class WeakenedOrder : public ::testing::TestWithParam<model::weakening> {};

TEST_P(WeakenedOrder, is_found) {
    const model::weaken now(GetParam());
    expect_found();
}

INSTANTIATE_TEST_SUITE_P(Mutants, WeakenedOrder, ::testing::ValuesIn(model::all_weakenings(orders::names)),
                         [](const auto& info) { return info.param.name; });

class Flaw : public ::testing::TestWithParam<std::pair<const char*, flaw::kind>> {};

TEST_P(Flaw, is_found) {
    flaw::now = GetParam().second;
    expect_found();
    flaw::now = flaw::kind::none;
}

INSTANTIATE_TEST_SUITE_P(Mutants, Flaw,
                         ::testing::Values(std::pair("stack_without_versions", flaw::kind::unversioned_stack),
                                           std::pair("destroy_by_load_and_store", flaw::kind::torn_slot),
                                           std::pair("publish_by_load_and_store", flaw::kind::torn_pointer),
                                           std::pair("enter_by_load_and_store", flaw::kind::torn_lane),
                                           std::pair("walk_by_load_and_store", flaw::kind::torn_counter),
                                           std::pair("stack_by_load_and_store", flaw::kind::torn_stack)),
                         [](const auto& info) { return info.param.first; });

} // namespace
