// SPDX-License-Identifier: MIT
// Laws over random words and fields, against an arithmetic of their own: division and remainder instead of
// the library's shifts and masks.
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <rapidcheck.h>

import ecs.id;

#include "sample_layouts.hpp"

namespace {

std::uint64_t power_of_two(unsigned exponent) { return static_cast<std::uint64_t>(std::exp2(exponent)); }

std::uint64_t at_most(std::uint64_t limit) {
    return *rc::gen::map(rc::gen::arbitrary<std::uint64_t>(),
                         [limit](auto n) { return limit == ~std::uint64_t{0} ? n : n % (limit + 1); });
}

template <class Layout> struct random_identifier : ::testing::Test {};
TYPED_TEST_SUITE(random_identifier, samples::layouts);

TYPED_TEST(random_identifier, holds_the_fields_it_was_made_of) {
    constexpr auto index = ecs::field_of<TypeParam, "index">;
    constexpr auto generation = ecs::field_of<TypeParam, "generation">;
    EXPECT_TRUE(rc::check("fields come out as they went in, at their place in the word", [&] {
        const auto i = at_most(index.max()), g = at_most(generation.max());
        const auto id = ecs::try_make<TypeParam, "index", "generation">(i, g).value();
        RC_ASSERT(id.index() == i);
        RC_ASSERT(id.generation() == g);
        RC_ASSERT(id.value() == ecs::constant_bits<TypeParam> + i * power_of_two(index.low) +
                                    g * power_of_two(generation.low));
        RC_ASSERT(id.template with<"index">(0).template with<"index">(i) == id);
    }));
}

TYPED_TEST(random_identifier, decodes_from_exactly_the_words_of_its_layout) {
    EXPECT_TRUE(rc::check("a word decodes to itself, or a constant bit is wrong", [](std::uint64_t noise) {
        // Half of the words get the right constant bits, so that both outcomes are seen.
        const bool right = *rc::gen::arbitrary<bool>();
        const std::uint64_t word =
            right ? (noise & ecs::variable_mask<TypeParam>) | ecs::constant_bits<TypeParam> : noise;
        const auto id = ecs::decode<TypeParam>(word);
        const bool wrong_bits = ((word ^ ecs::constant_bits<TypeParam>)&~ecs::variable_mask<TypeParam>) != 0;
        RC_ASSERT(id.has_value() == (word != 0 && !wrong_bits));
        if (id) RC_ASSERT(id->value() == word);
    }));
}

TYPED_TEST(random_identifier, compares_as_its_word) {
    EXPECT_TRUE(rc::check("order and equality are those of the words", [](std::uint64_t a, std::uint64_t b) {
        using id = ecs::basic_id<TypeParam>;
        const auto x = id::assume_word(static_cast<typename id::word>(a)),
                   y = id::assume_word(static_cast<typename id::word>(b));
        RC_ASSERT((x < y) == (x.value() < y.value()));
        RC_ASSERT((x == y) == (x.value() == y.value()));
    }));
}

TYPED_TEST(random_identifier, is_refused_when_a_value_is_too_large) {
    constexpr auto index = ecs::field_of<TypeParam, "index">;
    EXPECT_TRUE(rc::check("try_make and try_with accept exactly what fits", [&](std::uint64_t value) {
        RC_ASSERT((ecs::try_make<TypeParam, "index">(value).has_value()) ==
                  (value < power_of_two(index.width())));
        RC_ASSERT(ecs::basic_id<TypeParam>{}.template try_with<"index">(value).has_value() ==
                  (value < power_of_two(index.width())));
    }));
}

TEST(random_double, decodes_from_exactly_the_whole_numbers_of_the_layout) {
    EXPECT_TRUE(rc::check("through a double and back", [] {
        const auto word = 1 + at_most(9'007'199'254'740'990);
        const auto id = ecs::decode<samples::ecr>(word).value();
        RC_ASSERT(ecs::from_double<samples::ecr>(ecs::to_double(id)) == id);
        RC_ASSERT(ecs::from_double<samples::ecr>(-ecs::to_double(id)) == std::nullopt);
    }));
    EXPECT_TRUE(rc::check("any double", [](double number) {
        const bool whole = std::trunc(number) == number && number > 0 && number < 9'007'199'254'740'992.0;
        RC_ASSERT(ecs::from_double<samples::ecr>(number).has_value() == whole);
    }));
}

TEST(random_conversion, loses_nothing) {
    EXPECT_TRUE(rc::check("distinct identifiers stay distinct", [](std::uint8_t a, std::uint8_t b) {
        const auto x = ecs::basic_id<samples::byte>::assume_word(a),
                   y = ecs::basic_id<samples::byte>::assume_word(b);
        const auto wide_x = ecs::convert<ecs::layouts::entity>(x),
                   wide_y = ecs::convert<ecs::layouts::entity>(y);
        RC_ASSERT((wide_x == wide_y) == (x == y));
        RC_ASSERT(wide_x.index() == x.index());
        RC_ASSERT(wide_x.generation() == x.generation());
    }));
}

} // namespace
