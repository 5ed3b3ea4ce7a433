// SPDX-License-Identifier: MIT
// A map of partitions that a registry could not keep apart is refused, and the first error says why.
#include "either.hpp"
#include <cstdint>

import ecs.id;

using ecs::partition;
using ecs::layouts::ecr;

#if defined(PARTITIONS_OVERLAP)
using map = ecs::partitions<ecr, partition<"clients", 1, EITHER(9, 12)>, partition<"server", 10, 20>>;
#elif defined(PARTITION_LEAVES_INDEX)
using map = ecs::partitions<ecr, partition<"clients", 1, EITHER(1'048'575, 1'048'576)>>;
#elif defined(PARTITION_HAS_NULL)
using map = ecs::partitions<ecr, partition<"clients", EITHER(1, 0), 10>>;
#elif defined(PARTITION_NAMED_TWICE)
using map = ecs::partitions<ecr, partition<"clients", 1, 9>, partition<EITHER("server", "clients"), 10, 20>>;
#elif defined(PARTITIONS_OF_NO_INDEX)
using map = ecs::partitions<EITHER(ecr, ecs::layouts::pair), partition<"clients", 1, 9>>;
#endif

static_assert(ecs::verify<map>());
