// SPDX-License-Identifier: MIT
// No identifier can be made of a bad layout, and the first error says why.
#include "either.hpp"
#include <cstdint>

import ecs.id;

// refused: fields_overlap<.*"key".*"version".*bits<19, 18>
ecs::basic_id<
    ecs::layout<std::uint64_t, ecs::index<"key", 19, 0>, ecs::generation<"version", 52, EITHER(20, 18)>>>
    overlap;

// refused: field_leaves_the_word<.*"version".*bits<32, 20>.*word_bits<32>
ecs::basic_id<
    ecs::layout<std::uint32_t, ecs::index<"key", 19, 0>, ecs::generation<"version", EITHER(31, 32), 20>>>
    outside;

// refused: field_has_no_bits<.*"key".*bits<0, 19>
ecs::basic_id<ecs::layout<std::uint32_t, ecs::index<"key", EITHER(19, 0), EITHER(0, 19)>>> no_bits;

// refused: name_is_given_twice<.*"key"
ecs::basic_id<
    ecs::layout<std::uint64_t, ecs::index<"key", 19, 0>, ecs::generation<EITHER("version", "key"), 52, 20>>>
    one_name;

// refused: tag_does_not_fit<.*"kind".*value<16>.*at_most<15>
ecs::basic_id<ecs::layout<std::uint8_t, ecs::index<"key", 3, 0>, ecs::fixed<"kind", 7, 4, EITHER(15, 16)>>>
    wide_tag;

using other_generation = ecs::generation<"other", 7, 4>;
using other_index = ecs::index<"other", 7, 4>;
// refused: role_is_given_twice<.*index.*"key".*"other"
ecs::basic_id<ecs::layout<std::uint8_t, ecs::index<"key", 3, 0>, EITHER(other_generation, other_index)>>
    two_indices;

// refused: word_is_no_unsigned_integer<int>
ecs::basic_id<ecs::layout<EITHER(std::uint32_t, std::int32_t), ecs::index<"key", 19, 0>>> signed_word;

// refused: field_leaves_the_word<.*"high".*bits<8, 4>.*fields_overlap<.*bits<4, 4>
ecs::basic_id<
    ecs::layout<std::uint8_t, ecs::index<"key", EITHER(3, 4), 0>, ecs::field<"high", EITHER(7, 8), 4>>>
    two_defects;

// refused: (constraints not satisfied|template constraint failure).*basic_id.*int
// refused: any_layout
ecs::basic_id<EITHER(ecs::layouts::ecr, int)> no_layout;
