// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

import ecs.id;

#include "sample_layouts.hpp"

namespace identifier_test {
namespace {

template <class Layout> struct identifier : ::testing::Test {
    using id = ecs::basic_id<Layout>;
    static constexpr std::uint64_t index_max = ecs::field_of<Layout, "index">.max();
    static constexpr std::uint64_t generation_max = ecs::field_of<Layout, "generation">.max();

    static id make(std::uint64_t index, std::uint64_t generation) {
        return ecs::try_make<Layout, "index", "generation">(index, generation).value();
    }
};
TYPED_TEST_SUITE(identifier, samples::layouts);

TYPED_TEST(identifier, fields_hold_every_edge_value_and_leave_the_others_alone) {
    for (const std::uint64_t index :
         {std::uint64_t{0}, std::uint64_t{1}, this->index_max - 1, this->index_max})
        for (const std::uint64_t generation :
             {std::uint64_t{0}, std::uint64_t{1}, this->generation_max - 1, this->generation_max}) {
            const auto id = this->make(index, generation);
            EXPECT_EQ(id.index(), index);
            EXPECT_EQ(id.generation(), generation);
            EXPECT_EQ(id.value() & ecs::constant_mask<TypeParam>, ecs::constant_bits<TypeParam>);
        }
}

TYPED_TEST(identifier, made_from_too_large_a_value_is_nothing) {
    EXPECT_FALSE((ecs::try_make<TypeParam, "index">(this->index_max + 1)));
    EXPECT_FALSE((ecs::try_make<TypeParam, "index", "generation">(1, this->generation_max + 1)));
}

TYPED_TEST(identifier, with_changes_one_field) {
    const auto id = this->make(this->index_max, 1);
    EXPECT_EQ(id.template with<"generation">(this->generation_max),
              this->make(this->index_max, this->generation_max));
    EXPECT_EQ(id.template try_with<"index">(0), this->make(0, 1));
}

TYPED_TEST(identifier, with_too_large_a_value_names_field_value_and_limit) {
    const auto id = this->make(1, 1);
    EXPECT_EQ(id.template try_with<"index">(this->index_max + 1), std::nullopt);
    try {
        (void)id.template with<"index">(this->index_max + 1);
        FAIL() << "nothing was thrown";
    } catch (const ecs::field_range_error& error) {
        EXPECT_EQ(std::string_view(error.what()),
                  "value " + std::to_string(this->index_max + 1) +
                      " does not fit field \"index\", whose largest value is " +
                      std::to_string(this->index_max));
    }
    EXPECT_THROW((void)id.template with<"index">(~std::uint64_t{0}), std::out_of_range);
}

TYPED_TEST(identifier, with_a_negative_value_names_it_with_its_sign) {
    const auto message = [&](auto value) -> std::string {
        try {
            return std::to_string((this->make(1, 1).template with<"index">(value)).value());
        } catch (const ecs::field_range_error& error) {
            return error.what();
        }
    };
    const std::string rest =
        " does not fit field \"index\", whose largest value is " + std::to_string(this->index_max);
    EXPECT_EQ(message(-1), "value -1" + rest);
    EXPECT_EQ(message(static_cast<signed char>(-100)), "value -100" + rest);
    EXPECT_EQ(message(std::numeric_limits<std::int64_t>::min()), "value -9223372036854775808" + rest);
}

TYPED_TEST(identifier, null_with_a_field_is_an_identifier_of_its_layout) {
    const ecs::basic_id<TypeParam> null;
    EXPECT_FALSE(null);
    EXPECT_EQ(null.template with<"index">(1), this->make(1, 0));
    EXPECT_EQ(null.template try_with<"index">(1), this->make(1, 0));
}

TYPED_TEST(identifier, keys_ordered_and_unordered_containers) {
    std::unordered_set<ecs::basic_id<TypeParam>> seen;
    std::map<ecs::basic_id<TypeParam>, std::uint64_t> indices;
    for (std::uint64_t i = 1; i <= 60; ++i) {
        EXPECT_TRUE(seen.insert(this->make(i, 1)).second);
        indices[this->make(i, 1)] = i;
    }
    EXPECT_TRUE(seen.contains(this->make(60, 1)));
    EXPECT_FALSE(seen.contains(this->make(60, 2)));
    EXPECT_EQ(indices.begin()->second, 1U);
}

// A table of 2^k buckets uses the low bits of the hash, and dense indices must not pile up there.
TYPED_TEST(identifier, hashes_spread_over_the_low_bits) {
    std::vector<int> buckets(64);
    for (std::uint64_t i = 0; i < 64; ++i)
        ++buckets[std::hash<ecs::basic_id<TypeParam>>{}(this->make(i, 1)) % 64];
    EXPECT_LE(*std::ranges::max_element(buckets), 8);
}

TEST(identifier_hash, spreads_an_index_in_the_highest_bits) {
    using high = ecs::layout<std::uint64_t, ecs::index<"index", 63, 50>, ecs::reserved<"unused", 49, 0>>;
    std::vector<int> buckets(64);
    for (std::uint64_t i = 0; i < 64; ++i)
        ++buckets[std::hash<ecs::basic_id<high>>{}(*ecs::try_make<high, "index">(i)) % 64];
    EXPECT_LE(*std::ranges::max_element(buckets), 8);
}

/// Converts to a number, and says which.
struct numbered {
    int number;
    constexpr operator int() const { return number; } // NOLINT(google-explicit-constructor)
};

TEST(try_make, refuses_what_is_negative_whatever_it_is) {
    using word = ecs::layout<std::uint64_t, ecs::index<"index", 63, 0>>;
    enum unscoped : int { minus = -1, plus = 1 };
    EXPECT_FALSE((ecs::try_make<word, "index">(-1)));
    EXPECT_FALSE((ecs::try_make<word, "index">(minus)));
    EXPECT_FALSE((ecs::try_make<word, "index">(numbered{-1})));
    EXPECT_EQ((ecs::try_make<word, "index">(plus))->value(), 1U);
    EXPECT_EQ((ecs::try_make<word, "index">(numbered{3}))->value(), 3U);
}

} // namespace
} // namespace identifier_test
