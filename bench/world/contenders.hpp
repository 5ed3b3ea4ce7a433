// SPDX-License-Identifier: MIT
// Who is compared: this library and the others. Include it after the import.
#pragma once
#include "other_contenders.hpp"

import ecs.world;

#include "our_world.hpp"

inline constexpr contender_list<plain_arrays, our_world
#ifdef ECS_BENCH_ENTT
                                ,
                                entt_registry
#endif
#ifdef ECS_BENCH_FLECS
                                ,
                                flecs_world
#endif
#ifdef ECS_BENCH_GAIA
                                ,
                                gaia_world
#endif
#ifdef ECS_BENCH_MUSTACHE
                                ,
                                mustache_world
#endif
                                >
    contenders;
