// SPDX-License-Identifier: MIT
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

import ecs.world;

#include "../../fuzz/world/relation_model.hpp"

namespace {

void expect_agreement(const relation_model::circumstances& around) {
    EXPECT_TRUE(rc::check("a world agrees with a set of triples after every operation", [&] {
        const auto bytes = *rc::gen::resize(300, rc::gen::arbitrary<std::vector<std::uint8_t>>());
        const std::string wrong = relation_model::differences(bytes, 1, around);
        if (!wrong.empty()) RC_FAIL(wrong);
    }));
}

TEST(relation_properties, world_agrees_with_a_set_of_triples) { expect_agreement({}); }

TEST(relation_properties, world_agrees_when_observers_end_entities) { expect_agreement({.avenged = true}); }

/// Long enough for what two changes of one relation and one target have to do with each other.
TEST(relation_properties, world_agrees_after_long_programs) {
    std::mt19937 random;
    for (int program = 0; program < 20; ++program) {
        std::vector<std::uint8_t> bytes(1600);
        std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
        EXPECT_EQ(relation_model::differences(bytes, 50), "");
    }
}

/// Each program takes a million uses of an index to prepare: a few have to do.
TEST(relation_properties, world_agrees_when_indices_are_spent) {
    std::mt19937 random;
    std::size_t spent = 0;
    for (const bool avenged : {false, true, false, true}) {
        std::vector<std::uint8_t> bytes(600);
        std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
        EXPECT_EQ(relation_model::differences(bytes, 1, {.avenged = avenged, .spent = &spent}), "");
    }
    EXPECT_GT(spent, 0U);
}

} // namespace
