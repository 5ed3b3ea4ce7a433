// SPDX-License-Identifier: MIT
// Who answers the questions about graphs. Include this last.
#pragma once

inline constexpr contender_list<plain_graph, our_graph
#ifdef ECS_BENCH_FLECS
                                ,
                                flecs_graph
#endif
                                >
    graphs;
