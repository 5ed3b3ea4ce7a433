// SPDX-License-Identifier: MIT
// Who answers the questions about graphs. Include this after the import.
#pragma once
#include "../bench_size.hpp"
#include "../compare.hpp"
#include "graph.hpp"
#ifdef ECS_BENCH_FLECS
#include "flecs_graph.hpp"
#endif

import ecs.world;

#include "our_graph.hpp"

inline constexpr contender_list<plain_graph, our_graph
#ifdef ECS_BENCH_FLECS
                                ,
                                flecs_graph
#endif
                                >
    graphs;
