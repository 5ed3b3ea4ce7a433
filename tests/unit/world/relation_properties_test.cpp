// SPDX-License-Identifier: MIT
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <new>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

import ecs.world;

#include "../../fuzz/world/relation_model.hpp"

namespace {

TEST(relation_properties, world_agrees_with_a_set_of_triples) {
    EXPECT_TRUE(rc::check("a world agrees with a set of triples after every operation",
                          [](const std::vector<std::uint8_t>& bytes) {
                              const std::string wrong = relation_model::differences(bytes, 1);
                              if (!wrong.empty()) RC_FAIL(wrong);
                          }));
}

} // namespace
