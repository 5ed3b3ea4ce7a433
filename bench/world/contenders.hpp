// SPDX-License-Identifier: MIT
// Who is compared: the floor, this library, and the peers that were found at configure time.
#pragma once
#include "compare.hpp"
#include "plain_arrays.hpp"
#ifdef ECS_BENCH_ENTT
#include "entt_registry.hpp"
#endif
#ifdef ECS_BENCH_FLECS
#include "flecs_world.hpp"
#endif

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
                                >
    contenders;
