// SPDX-License-Identifier: MIT
// The library's own layouts with 16 bits of index, 6 of generation and 4 of world: fields begin where they
// always do, and what they leave free is reserved. That the laws hold is asserted by the modules themselves,
// of which this is built with a copy of these widths.
import ecs.id;
import ecs.relation;

namespace {

namespace layouts = ecs::layouts;

template <class Layout, ecs::fixed_string Name, unsigned High, unsigned Low>
inline constexpr bool lies_at =
    ecs::field_of<Layout, Name>.high == High && ecs::field_of<Layout, Name>.low == Low;

static_assert(lies_at<layouts::entity, "index", 15, 0> && lies_at<layouts::entity, "above_index", 31, 16>);
static_assert(lies_at<layouts::entity, "generation", 37, 32>);
static_assert(lies_at<layouts::entity, "above_generation", 51, 38>);
static_assert(lies_at<layouts::entity, "world", 55, 52> && lies_at<layouts::entity, "above_world", 59, 56>);
static_assert(lies_at<layouts::entity, "kind", 63, 60>);

static_assert(lies_at<layouts::pair, "target", 15, 0> && lies_at<layouts::pair, "above_target", 31, 16>);
static_assert(lies_at<layouts::pair, "relation", 47, 32> && lies_at<layouts::pair, "above_relation", 55, 48>);
static_assert(lies_at<layouts::pair, "target_generation", 59, 56>);
static_assert(lies_at<layouts::link, "slot", 31, 0> && lies_at<layouts::value_pair, "value", 31, 0>);

static_assert(ecs::world_partitions::parts[2].last == 0xFFFF);

constexpr ecs::entity seven =
    ecs::build<layouts::entity>().set<"index">(7).set<"generation">(63).set<"world">(15).id();
static_assert(ecs::decode<layouts::entity>(seven.value()).has_value());
static_assert(!ecs::decode<layouts::entity>(seven.value() | 0x1'0000).has_value());
static_assert(ecs::pair(seven, seven).target_generation() == 15);

} // namespace
