// SPDX-License-Identifier: MIT
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>

import ecs.id;

#include "sample_layouts.hpp"

namespace decode_test {
namespace {

template <class Layout> struct decode : ::testing::Test {};
TYPED_TEST_SUITE(decode, samples::layouts);

TYPED_TEST(decode, gives_back_what_was_built) {
    constexpr auto id = ecs::build<TypeParam>().template set<"index">(7).template set<"generation">(1).id();
    EXPECT_EQ(ecs::decode<TypeParam>(id.value()), id);
}

TYPED_TEST(decode, refuses_null) { EXPECT_EQ(ecs::decode<TypeParam>(0), std::nullopt); }

TYPED_TEST(decode, refuses_every_change_of_a_constant_bit) {
    constexpr auto id = ecs::build<TypeParam>().template set<"index">(7).template set<"generation">(1).id();
    for (unsigned bit = 0; bit < 64; ++bit) {
        const std::uint64_t flipped = id.value() ^ (std::uint64_t{1} << bit);
        const bool varies = (ecs::variable_mask<TypeParam> >> bit & 1) != 0;
        EXPECT_EQ(ecs::decode<TypeParam>(flipped).has_value(), varies) << "bit " << bit;
    }
}

// The kinds of the library: a word of one is a word of no other.
template <class... Layouts> int kinds_of(std::uint64_t word) {
    return (static_cast<int>(ecs::decode<Layouts>(word).has_value()) + ...);
}

TEST(kinds, are_told_apart_by_every_word) {
    namespace kinds = ecs::layouts;
    for (std::uint64_t top = 0; top < 0x1000; ++top) {
        const std::uint64_t word = top << 52 | 0x00012'0000'0034;
        EXPECT_LE((kinds_of<kinds::entity, kinds::pair, kinds::flagged_entity, kinds::flagged_pair,
                            kinds::link, kinds::value_pair, kinds::wildcard_pair>(word)),
                  1);
    }
}

TEST(convert, carries_every_field_and_adds_the_tag) {
    const auto small = ecs::try_make<samples::byte, "index", "generation">(12, 3).value();
    const auto large = ecs::convert<ecs::layouts::entity>(small);
    EXPECT_EQ(large, (ecs::try_make<ecs::layouts::entity, "index", "generation">(12, 3)));
    EXPECT_EQ(ecs::convert<ecs::layouts::entity>(ecs::basic_id<samples::byte>{}), ecs::entity{});
}

} // namespace
} // namespace decode_test
