// SPDX-License-Identifier: MIT
#include <cstdint>

import ecs.id;
import ecs.registry;

using small = ecs::layout<std::uint8_t, ecs::index<"key", 3, 0>, ecs::generation<"version", 7, 4>>;

#ifdef ECS_EXPECT_OK
ecs::basic_registry<small> good;
ecs::basic_registry<ecs::layouts::entity> of_a_world(1);
struct reuse_slowly {
    static constexpr std::uint64_t minimum_free = 2;
    static constexpr ecs::spent_index when_spent = ecs::spent_index::reused;
};
ecs::basic_registry<small, ecs::whole_index_space<small>, reuse_slowly> own_policy;
ecs::basic_registry<small,
                    ecs::partitions<small, ecs::partition<"clients", 1, 7>, ecs::partition<"server", 8, 15>>>
    side_by_side;
#else
// refused: field_has_no_bits<.*"key".*bits<0, 15>
ecs::basic_registry<ecs::layout<std::uint32_t, ecs::index<"key", 0, 15>>> no_bits;
// refused: behind its word a layout has fields alone: write ecs::index
ecs::basic_registry<ecs::layout<std::uint32_t, int>> no_field;
// refused: a registry is of a layout: write
ecs::basic_registry<int> no_layout;
// refused: allocated by index: give the layout a field ecs::index
ecs::basic_registry<ecs::layouts::pair, ecs::partitions<ecs::layouts::pair>> no_index;
// refused: two bits at least
ecs::basic_registry<ecs::layout<std::uint8_t, ecs::index<"key", 0, 0>>> no_generation;
// refused: partitions of the registry's own layout
ecs::basic_registry<small, ecs::whole_index_space<ecs::layouts::entity>> other_partitions;
// refused: partitions_overlap<.*"clients".*"server"|error: .*partitions must be disjoint
ecs::basic_registry<small,
                    ecs::partitions<small, ecs::partition<"clients", 1, 8>, ecs::partition<"server", 8, 15>>>
    collision;
// refused: minimum_free and when_spent
struct silent {};
ecs::basic_registry<small, ecs::whole_index_space<small>, silent> no_policy;
// refused: no matching (constructor|conversion|function)
ecs::basic_registry<small> no_world(1);
#endif
