// SPDX-License-Identifier: MIT
// Every proof about one layout holds for a good one, and is false for a bad one and for what is no layout.
#include <cstdint>
#include <string>

import ecs.id;

#include "layouts.hpp"

namespace {

using namespace samples;

// Within the word.
static_assert(ecs::within_word<byte>);
static_assert(ecs::within_word<whole>);
static_assert(ecs::within_word<clash>);
static_assert(!ecs::within_word<spill>);
static_assert(!ecs::within_word<upside_down>);
static_assert(!ecs::within_word<beyond>);
static_assert(!ecs::within_word<everything>);
static_assert(!ecs::within_word<no_fields>);
static_assert(!ecs::within_word<int>);

// Non-overlapping.
static_assert(ecs::non_overlapping<byte>);
static_assert(ecs::non_overlapping<spill>);
static_assert(!ecs::non_overlapping<clash>);
static_assert(!ecs::non_overlapping<layout<std::uint8_t, field<"inner", 4, 3>, field<"outer", 7, 0>>>);
static_assert(
    !ecs::non_overlapping<layout<std::uint8_t, field<"a", 3, 0>, field<"b", 7, 4>, field<"c", 7, 7>>>);
static_assert(
    !ecs::non_overlapping<layout<std::uint8_t, field<"a", 3, 0>, field<"b", 7, 4>, field<"c", 0, 0>>>);
static_assert(ecs::non_overlapping<layout<std::uint8_t, field<"a", 0, 0>, field<"b", 1, 1>>>);
static_assert(!ecs::non_overlapping<layout<std::uint8_t, field<"a", 0, 0>, field<"b", 0, 0>>>);
static_assert(ecs::non_overlapping<layout<std::uint8_t, field<"a", 7, 0>, field<"no bits", 1, 3>>>);
static_assert(!ecs::non_overlapping<no_fields>);
static_assert(!ecs::non_overlapping<int>);

// Unique names.
static_assert(ecs::unique_names<clash>);
static_assert(!ecs::unique_names<twice>);
static_assert(!ecs::unique_names<void>);

// Tags fit.
static_assert(ecs::fixed_values_fit<tagged>);
static_assert(ecs::fixed_values_fit<layout<std::uint8_t, fixed<"kind", 7, 4, 0xF>>>);
static_assert(!ecs::fixed_values_fit<wide_tag>);
static_assert(!ecs::fixed_values_fit<int>);

// Unique roles; flags and plain fields may be many.
static_assert(ecs::unique_roles<layout<std::uint8_t, ecs::flags<"a", 3, 0>, ecs::flags<"b", 7, 4>>>);
static_assert(ecs::unique_roles<layout<std::uint8_t, field<"a", 3, 0>, field<"b", 7, 4>>>);
static_assert(!ecs::unique_roles<two_indices>);
static_assert(!ecs::unique_roles<two_generations>);
static_assert(!ecs::unique_roles<two_worlds>);
static_assert(!ecs::unique_roles<int>);

// Valid: all of these over an unsigned word.
static_assert(ecs::valid_layout<byte>);
static_assert(ecs::valid_layout<half>);
static_assert(ecs::valid_layout<word>);
static_assert(ecs::valid_layout<ecr>);
static_assert(ecs::valid_layout<tagged>);
static_assert(ecs::valid_layout<whole>);
static_assert(ecs::valid_layout<gap>);
static_assert(ecs::valid_layout<nothing>);
static_assert(ecs::valid_layout<layout<unsigned long long, field<"all", 63, 0>>>);
static_assert(!ecs::valid_layout<clash>);
static_assert(!ecs::valid_layout<spill>);
static_assert(!ecs::valid_layout<upside_down>);
static_assert(!ecs::valid_layout<twice>);
static_assert(!ecs::valid_layout<wide_tag>);
static_assert(!ecs::valid_layout<two_indices>);
static_assert(!ecs::valid_layout<beyond>);
static_assert(!ecs::valid_layout<everything>);
static_assert(!ecs::valid_layout<signed_word>);
static_assert(!ecs::valid_layout<truth>);
static_assert(!ecs::valid_layout<character>);
static_assert(!ecs::valid_layout<text>);
static_assert(!ecs::valid_layout<no_word>);
static_assert(!ecs::valid_layout<several_words>);
static_assert(!ecs::valid_layout<call>);
static_assert(!ecs::valid_layout<no_fields>);
static_assert(!ecs::valid_layout<std::string>);
static_assert(!ecs::valid_layout<void>);

// Fully owned.
static_assert(ecs::fully_owned<byte>);
static_assert(ecs::fully_owned<ecr>);
static_assert(ecs::fully_owned<whole>);
static_assert(ecs::fully_owned<layout<std::uint8_t, field<"a", 4, 0>, field<"b", 7, 4>>>); // By two, too.
static_assert(!ecs::fully_owned<gap>);
static_assert(!ecs::fully_owned<nothing>);
static_assert(!ecs::fully_owned<text>);
static_assert(!ecs::fully_owned<int>);

// Capacity.
static_assert(ecs::capacity<byte, "index"> == 64);
static_assert(ecs::capacity<byte, "generation"> == 4);
static_assert(ecs::capacity<ecr, "version"> == 8'589'934'592);
static_assert(ecs::capacity<ecr, "unused"> == 1);
static_assert(ecs::capacity<tagged, "kind"> == 1);
static_assert(ecs::capacity<whole, "all"> == 0xFFFF'FFFF'FFFF'FFFF);
static_assert(ecs::capacity<layout<std::uint64_t, field<"most", 62, 0>>, "most"> == 0x8000'0000'0000'0000);
template <class Layout>
concept has_a_capacity_of_team = requires { ecs::capacity<Layout, "team">; };
static_assert(!has_a_capacity_of_team<ecr>);
static_assert(!has_a_capacity_of_team<int>);

// Fields are found by name and by role.
static_assert(ecs::has_field<ecr, "key">);
static_assert(!ecs::has_field<ecr, "ke">);
static_assert(!ecs::has_field<int, "key">);
static_assert(ecs::has_role<ecr, ecs::field_role::index>);
static_assert(!ecs::has_role<ecr, ecs::field_role::world>);
static_assert(!ecs::has_role<int, ecs::field_role::index>);
static_assert(ecs::field_of<ecr, "version">.low == 20);
static_assert(ecs::field_with_role<ecr, ecs::field_role::generation>.high == 52);

// Round trips, at the edges of every field and among neighbours of zeros and of ones.
static_assert(ecs::round_trips<byte>);
static_assert(ecs::round_trips<half>);
static_assert(ecs::round_trips<word>);
static_assert(ecs::round_trips<ecr>);
static_assert(ecs::round_trips<tagged>);
static_assert(ecs::round_trips<whole>);
static_assert(ecs::round_trips<gap>);
static_assert(!ecs::round_trips<clash>);
static_assert(!ecs::round_trips<spill>);
static_assert(!ecs::round_trips<upside_down>);
static_assert(!ecs::round_trips<beyond>);
static_assert(!ecs::round_trips<everything>);
static_assert(!ecs::round_trips<layout<std::uint64_t, field<"one too many", 64, 0>>>);
static_assert(!ecs::round_trips<layout<std::uint8_t, field<"free", 3, 0>, fixed<"kind", 4, 3, 0x3>>>);
static_assert(!ecs::round_trips<text>);
static_assert(!ecs::round_trips<int>);

// Null is unreachable: a tag, an index or a generation differs from zero.
static_assert(ecs::null_unreachable<byte>);
static_assert(ecs::null_unreachable<layout<std::uint8_t, generation<"generation", 7, 0>>>);
static_assert(ecs::null_unreachable<layout<std::uint8_t, field<"a", 3, 0>, fixed<"kind", 7, 4, 1>>>);
static_assert(!ecs::null_unreachable<layout<std::uint8_t, field<"a", 3, 0>, fixed<"kind", 7, 4, 0>>>);
static_assert(!ecs::null_unreachable<whole>);
static_assert(!ecs::null_unreachable<clash>);
static_assert(!ecs::null_unreachable<int>);

// Exact in a double: 53 bits are, 54 are not, and neither is a tag above them.
static_assert(ecs::exact_in_double<ecr>);
static_assert(ecs::exact_in_double<word>);
static_assert(ecs::exact_in_double<layout<std::uint64_t, field<"a", 52, 0>>>);
static_assert(!ecs::exact_in_double<layout<std::uint64_t, field<"a", 53, 0>>>);
static_assert(!ecs::exact_in_double<layout<std::uint64_t, field<"a", 7, 0>, fixed<"kind", 63, 60, 1>>>);
static_assert(!ecs::exact_in_double<clash>);
static_assert(!ecs::exact_in_double<int>);

// The order of words is the declared order of fields.
static_assert(ecs::ordered_by<ecr, "version", "key">);
static_assert(!ecs::ordered_by<ecr, "key", "version">);
static_assert(!ecs::ordered_by<ecr, "version">);
static_assert(!ecs::ordered_by<ecr, "version", "key", "key">);
static_assert(!ecs::ordered_by<ecr, "version", "team">);
static_assert(ecs::ordered_by<gap, "colour", "index">);
static_assert(ecs::ordered_by<nothing>);
static_assert(!ecs::ordered_by<clash, "version", "key">);
static_assert(!ecs::ordered_by<int, "version", "key">);

// The index is wide enough; index 0 is no entity.
static_assert(ecs::index_fits<byte, 63>);
static_assert(!ecs::index_fits<byte, 64>);
static_assert(ecs::index_fits<ecr, 1'048'575>);
static_assert(!ecs::index_fits<ecr, 1'048'576>);
static_assert(!ecs::index_fits<whole, 1>);
static_assert(!ecs::index_fits<clash, 1>);
static_assert(!ecs::index_fits<int, 1>);

} // namespace
