// SPDX-License-Identifier: MIT
// What is wrong with a layout, in words; a valid layout has nothing wrong with it.
#include <cstdint>
#include <string>
#include <string_view>

import ecs.id;

#include "layouts.hpp"

namespace {

using namespace samples;

static_assert(ecs::explain<byte>().empty());
static_assert(ecs::explain<whole>().empty());
static_assert(ecs::explain<nothing>().empty());
static_assert(ecs::explain<clash>() == R"(fields "key" and "version" share bits [19:18])");
static_assert(ecs::explain<spill>() == R"(field "version" [32:20] leaves the word of 32 bits)");
static_assert(ecs::explain<upside_down>() == R"(field "key" [0:19] has no bits: write the high bit first)");
static_assert(ecs::explain<twice>() == R"(two fields are named "key")");
static_assert(ecs::explain<wide_tag>() == R"(tag "kind" holds at most 0xf, and not 0x10)");
static_assert(ecs::explain<two_indices>() ==
              R"(fields "a" and "b" both have the role that one field can have)");
static_assert(ecs::explain<two_generations>().starts_with(R"(fields "a" and "b" both)"));
static_assert(ecs::explain<two_worlds>().starts_with(R"(fields "a" and "b" both)"));
static_assert(ecs::explain<signed_word>() == "the word is no unsigned integer of 8, 16, 32 or 64 bits");
static_assert(ecs::explain<text>().starts_with("the word is no unsigned integer"));
static_assert(ecs::explain<beyond>() == R"(field "key" [4000000000:70] leaves the word of 64 bits)");

// Everything that is wrong, each once, whatever the order of the fields.
using messy = layout<std::uint8_t, field<"a", 8, 4>, field<"b", 5, 5>, field<"a", 3, 0>>;
static_assert(ecs::explain<messy>() == R"(field "a" [8:4] leaves the word of 8 bits; )"
                                       R"(fields "a" and "b" share bits [5:5]; two fields are named "a")");

// A layout has a defect exactly when it is not valid.
template <class... Layouts>
inline constexpr bool explained_exactly_when_invalid =
    ((ecs::explain<Layouts>().empty() == ecs::valid_layout<Layouts>) && ...);
static_assert(explained_exactly_when_invalid<byte, half, word, ecr, tagged, whole, gap, nothing>);
static_assert(explained_exactly_when_invalid<clash, spill, upside_down, twice, wide_tag, two_indices,
                                             two_generations, two_worlds, beyond, everything, signed_word,
                                             truth, character, text, no_word>);

static_assert(ecs::verify<byte>());

} // namespace
