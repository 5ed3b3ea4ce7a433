// SPDX-License-Identifier: MIT
// Who is compared where entities refer to entities.
#pragma once
#include "compare.hpp"
#include "plain_forest.hpp"
#ifdef ECS_BENCH_ENTT
#include "entt_forest.hpp"
#endif
#ifdef ECS_BENCH_FLECS
#include "flecs_forest.hpp"
#endif

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
