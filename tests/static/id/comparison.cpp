// SPDX-License-Identifier: MIT
// Proofs about two layouts and more.
#include <cstdint>
#include <string>

import ecs.id;

#include "layouts.hpp"

namespace {

using namespace samples;
using ecs::index; // Not the one of <strings.h>.

using link = layout<std::uint64_t, field<"target", 31, 0>, field<"type", 59, 32>, fixed<"kind", 63, 60, 0x8>>;
using untagged = layout<std::uint64_t, index<"index", 31, 0>, generation<"generation", 63, 32>>;
using other_kind = layout<std::uint8_t, field<"a", 6, 0>, fixed<"kind", 7, 7, 1>>;
using same_kind = layout<std::uint8_t, field<"b", 6, 0>, fixed<"tag", 7, 7, 1>>;
using low_kind = layout<std::uint8_t, field<"a", 7, 1>, fixed<"kind", 0, 0, 0>>;

// Distinguishable: a bit that is constant in both differs.
static_assert(ecs::distinguishable<tagged, link>);
static_assert(ecs::distinguishable<ecr, tagged>); // Reserved zeros tell, too,
static_assert(
    ecs::distinguishable<gap, layout<std::uint8_t, fixed<"kind", 4, 3, 2>>>); // and bits nobody owns.
static_assert(!ecs::distinguishable<untagged, tagged>);
static_assert(!ecs::distinguishable<tagged, tagged>);
static_assert(!ecs::distinguishable<other_kind, same_kind>);
static_assert(!ecs::distinguishable<other_kind, low_kind>); // Their constant bits are not the same ones.
static_assert(!ecs::distinguishable<clash, tagged>);
static_assert(!ecs::distinguishable<tagged, clash>);
static_assert(!ecs::distinguishable<int, tagged>);
static_assert(!ecs::distinguishable<byte, tagged>); // Words of different widths are different types already.

static_assert(ecs::pairwise_distinguishable<>);
static_assert(ecs::pairwise_distinguishable<tagged>);
static_assert(ecs::pairwise_distinguishable<tagged, link, ecr>);
static_assert(!ecs::pairwise_distinguishable<tagged, link, untagged>);
static_assert(!ecs::pairwise_distinguishable<untagged, tagged>);
static_assert(!ecs::pairwise_distinguishable<ecr, link, link>);
static_assert(!ecs::pairwise_distinguishable<clash>);
static_assert(!ecs::pairwise_distinguishable<tagged, int>);

// Convertible: every field has a place at least as wide, and null stays the only null.
static_assert(ecs::convertible<ecr, ecr>);
static_assert(ecs::convertible<byte, half>);
static_assert(ecs::convertible<byte, tagged>);
static_assert(ecs::convertible<word, untagged>); // By role: version becomes generation.
static_assert(!ecs::convertible<half, byte>);
static_assert(!ecs::convertible<ecr, untagged>); // The version has 33 bits.
static_assert(!ecs::convertible<untagged, ecr>); // The index has 32.
static_assert(
    !ecs::convertible<byte, layout<std::uint64_t, index<"index", 31, 0>>>); // No place for the generation.
static_assert(
    !ecs::convertible<layout<std::uint8_t, field<"a", 3, 0>>, layout<std::uint8_t, field<"b", 3, 0>>>);
static_assert(
    !ecs::convertible<layout<std::uint8_t, ecs::flags<"a", 3, 0>>, layout<std::uint8_t, field<"a", 3, 0>>>);
static_assert(ecs::convertible<layout<std::uint8_t, ecs::flags<"a", 3, 0>>,
                               layout<std::uint8_t, ecs::flags<"a", 7, 4>>>);
static_assert(!ecs::convertible<tagged, untagged>); // The tagged identifier of zeros would become null.
static_assert(ecs::convertible<layout<std::uint8_t, fixed<"kind", 7, 7, 1>, field<"a", 3, 0>>,
                               layout<std::uint8_t, fixed<"tag", 0, 0, 1>, field<"a", 7, 4>>>);
static_assert(!ecs::convertible<clash, untagged>);
static_assert(!ecs::convertible<byte, clash>);
static_assert(!ecs::convertible<byte, int>);
static_assert(!ecs::convertible<int, byte>);

} // namespace
