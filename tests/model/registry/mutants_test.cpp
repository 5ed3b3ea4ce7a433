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
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "explorer/explore.hpp"

import ecs.registry;

#include "all_scenarios.hpp"
#include "registry_orders.hpp"

namespace {

using orders = registry_orders_as_variables;

/// Read-modify-writes that go wrong, one kind at a time: load and store, so that another thread's change
/// between the two is lost.
struct flaw {
    enum class kind : std::uint8_t {
        none,
        slot,        ///< Destroying.
        pointer,     ///< Publishing pages, nodes and lanes.
        shared_lane, ///< Entering and searching.
        key_lane,    ///< Taking the lane of a key.
        counter,     ///< Drawing blocks, and putting loose nodes.
        put,         ///< Of nodes and lanes into sets.
        take,        ///< Of nodes and lanes out of sets.
        take_loose,
        generation, ///< No read-modify-write: a slot that is written keeps its generation.
    };
    inline static kind now = kind::none;

    static bool keeps_generation() { return now == kind::generation; }

    template <class T> static bool same(const T& a, const T& b) { return explorer::flawless::same(a, b); }
    template <class T> static bool torn(std::string_view verb) {
        return now == (std::is_pointer_v<T>              ? kind::pointer
                       : std::is_same_v<T, std::uint8_t> ? kind::slot
                       : sizeof(T) != 4                  ? kind_of_word(verb)
                       : verb == "exchange"              ? kind::key_lane
                                                         : kind::shared_lane);
    }

  private:
    static kind kind_of_word(std::string_view verb) {
        return verb == "or"         ? kind::put
               : verb == "and"      ? kind::take
               : verb == "exchange" ? kind::take_loose
                                    : kind::counter;
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

class LoadAndStoreTo : public ::testing::TestWithParam<std::pair<const char*, flaw::kind>> {};

TEST_P(LoadAndStoreTo, is_found) {
    flaw::now = GetParam().second;
    expect_found();
    flaw::now = flaw::kind::none;
}

INSTANTIATE_TEST_SUITE_P(Mutants, LoadAndStoreTo,
                         ::testing::Values(std::pair("destroy", flaw::kind::slot),
                                           std::pair("publish", flaw::kind::pointer),
                                           std::pair("enter_a_shared_lane", flaw::kind::shared_lane),
                                           std::pair("take_the_lane_of_a_key", flaw::kind::key_lane),
                                           std::pair("write_the_generation", flaw::kind::generation),
                                           std::pair("draw_a_block", flaw::kind::counter),
                                           std::pair("put_into_a_set", flaw::kind::put),
                                           std::pair("take_out_of_a_set", flaw::kind::take),
                                           std::pair("take_the_loose_node", flaw::kind::take_loose)),
                         [](const auto& info) { return info.param.first; });

} // namespace
