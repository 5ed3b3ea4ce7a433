// SPDX-License-Identifier: MIT
// Who is compared with this library where entities refer to entities.
#pragma once
#include "compare.hpp"
#include "plain_forest.hpp"
#ifdef ECS_BENCH_ENTT
#include "entt_forest.hpp"
#endif
#ifdef ECS_BENCH_FLECS
#include "flecs_forest.hpp"
#endif
