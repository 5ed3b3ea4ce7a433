// SPDX-License-Identifier: MIT
// Who is compared where entities refer to entities. Include it after the import.
#pragma once
#include "other_forests.hpp"

import ecs.world;

#include "our_forest.hpp"

inline constexpr contender_list<plain_forest, our_forest
#ifdef ECS_BENCH_ENTT
                                ,
                                entt_forest
#endif
#ifdef ECS_BENCH_FLECS
                                ,
                                flecs_forest
#endif
                                >
    forests;
