// SPDX-License-Identifier: MIT
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>

import ecs.id;

namespace {

TEST(decode, refuses_null_and_wrong_tags) {
    constexpr auto entity = ecs::build<ecs::layouts::entity>().set<"index">(7).set<"generation">(1).id();
    EXPECT_EQ(ecs::decode<ecs::layouts::entity>(entity.value()), entity);
    EXPECT_EQ(ecs::decode<ecs::layouts::entity>(0), std::nullopt);
    EXPECT_EQ(ecs::decode<ecs::layouts::pair>(entity.value()), std::nullopt);
}

} // namespace
