// SPDX-License-Identifier: MIT
// Who is compared where entities refer to entities. Include it after the import.
#pragma once
#include "other_forests.hpp"

import ecs.world;

#include "our_forest.hpp"

/// The contender where what is above is read: one of them has hierarchies of two kinds.
template <class Forest> struct reading_above {
    using type = Forest;
};
#ifdef ECS_BENCH_FLECS
template <> struct reading_above<flecs_forest> {
    using type = flecs_forest_of_pairs;
};
#endif
template <class Forest> using reading_above_t = typename reading_above<Forest>::type;

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
