// SPDX-License-Identifier: MIT
#include <cstdint>

import ecs.id;
import ecs.registry;

using small = ecs::layout<std::uint8_t, ecs::index<"key", 3, 0>, ecs::generation<"version", 7, 4>>;

#if defined(ECS_EXPECT_OK)
ecs::basic_registry<small> good;
#elif defined(FIELD_HAS_NO_BITS)
ecs::basic_registry<ecs::layout<std::uint32_t, ecs::index<"key", 0, 15>>> bad;
#elif defined(LAYOUT_WITHOUT_INDEX)
ecs::basic_registry<ecs::layouts::pair, ecs::partitions<ecs::layouts::pair>> bad;
#elif defined(ONE_BIT_AND_NO_GENERATION)
ecs::basic_registry<ecs::layout<std::uint8_t, ecs::index<"key", 0, 0>>> bad;
#elif defined(PARTITIONS_OF_ANOTHER_LAYOUT)
ecs::basic_registry<small, ecs::whole_index_space<ecs::layouts::entity>> bad;
#elif defined(PARTITIONS_COLLIDE)
ecs::basic_registry<small,
                    ecs::partitions<small, ecs::partition<"clients", 1, 8>, ecs::partition<"server", 8, 15>>>
    bad;
#elif defined(POLICY_SAYS_NOTHING)
struct silent {};
ecs::basic_registry<small, ecs::whole_index_space<small>, silent> bad;
#elif defined(NO_WORLD_FIELD)
ecs::basic_registry<small> bad(1);
#endif
