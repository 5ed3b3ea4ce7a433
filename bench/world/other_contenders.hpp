// SPDX-License-Identifier: MIT
// Who is compared with this library: the floor, and the peers that were found at configure time.
#pragma once
#include "compare.hpp"
#include "plain_arrays.hpp"
#ifdef ECS_BENCH_ENTT
#include "entt_registry.hpp"
#endif
#ifdef ECS_BENCH_FLECS
#include "flecs_world.hpp"
#endif
#ifdef ECS_BENCH_GAIA
#include "gaia_world.hpp"
#endif
#ifdef ECS_BENCH_MUSTACHE
#include "mustache_world.hpp"
#endif
