// SPDX-License-Identifier: MIT
// A map of partitions that a registry could not keep apart is refused, and the first error says why.
#include "either.hpp"
#include <cstdint>

import ecs.id;

using ecs::partition;
using ecs::layouts::ecr;

// refused: partitions_overlap<.*"clients".*"server".*indices<10, 12>
static_assert(
    ecs::verify<ecs::partitions<ecr, partition<"clients", 1, EITHER(9, 12)>, partition<"server", 10, 20>>>());

// refused: partition_leaves_the_index<.*"clients".*indices<1, 1048576>.*indices<1, 1048575>
static_assert(ecs::verify<ecs::partitions<ecr, partition<"clients", 1, EITHER(1'048'575, 1'048'576)>>>());

// refused: partition_leaves_the_index<.*"clients".*indices<0, 10>
static_assert(ecs::verify<ecs::partitions<ecr, partition<"clients", EITHER(1, 0), 10>>>());

// refused: partition_has_no_indices<.*"clients".*9, 5
static_assert(ecs::verify<ecs::partitions<ecr, partition<"clients", EITHER(1, 9), 5>>>());

// refused: partition_name_is_given_twice<.*"clients"
static_assert(ecs::verify<ecs::partitions<ecr, partition<"clients", 1, 9>,
                                          partition<EITHER("server", "clients"), 10, 20>>>());

// refused: layout_has_no_index<
static_assert(ecs::verify<ecs::partitions<EITHER(ecr, ecs::layouts::pair), partition<"clients", 1, 9>>>());
