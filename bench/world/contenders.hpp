// SPDX-License-Identifier: MIT
// Who is compared: this library and the others. Include it after the import.
#pragma once
#include "other_contenders.hpp"

import ecs.world;

#include "our_world.hpp"

/// The contender where components are disabled: one of them has to be told beforehand, and pays for it from
/// then on.
template <class Store> struct with_switches {
    using type = Store;
};
#ifdef ECS_BENCH_FLECS
template <> struct with_switches<flecs_world> {
    using type = flecs_world_with_switches;
};
#endif
template <class Store> using with_switches_t = typename with_switches<Store>::type;

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
