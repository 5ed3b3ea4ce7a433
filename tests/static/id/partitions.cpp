// SPDX-License-Identifier: MIT
// Partitions of the index: disjoint, within the index, without null; gaps are allowed.
#include <cstdint>
#include <string>
#include <string_view>

import ecs.id;

#include "layouts.hpp"

namespace {

using namespace samples;
using ecs::partition;
using ecs::partitions;

using game = partitions<ecs::layouts::entity, partition<"components", 1, 255>,
                        partition<"clients", 1000, 5000>, partition<"server", 5001, 0xFFFF'FFFF>>;
using overlapping = partitions<byte, partition<"a", 1, 10>, partition<"b", 10, 20>>;
using nested = partitions<byte, partition<"a", 1, 30>, partition<"b", 10, 20>>;
using outside = partitions<byte, partition<"a", 1, 64>>;
using null_inside = partitions<byte, partition<"a", 0, 10>>;
using backwards = partitions<byte, partition<"a", 10, 1>>;
using named_twice = partitions<byte, partition<"a", 1, 10>, partition<"a", 11, 20>>;
using of_no_index = partitions<whole, partition<"a", 1, 10>>;
using of_bad_layout = partitions<clash, partition<"a", 1, 10>>;
using of_no_layout = partitions<int, partition<"a", 1, 10>>;
using of_no_parts = partitions<byte, int>;

static_assert(ecs::valid_partitions<game>);
static_assert(ecs::valid_partitions<partitions<byte>>);
static_assert(ecs::valid_partitions<partitions<byte, partition<"one", 63, 63>>>);
static_assert(ecs::valid_partitions<partitions<byte, partition<"b", 11, 63>, partition<"a", 1, 10>>>);

static_assert(ecs::disjoint_partitions<game>);
static_assert(!ecs::disjoint_partitions<overlapping>);
static_assert(!ecs::disjoint_partitions<nested>);
static_assert(!ecs::disjoint_partitions<int>);
static_assert(ecs::disjoint_partitions<ecs::partitions<ecs::layouts::entity, ecs::partition<"a", 1, 10>,
                                                       ecs::partition<"no indices", 6, 4>>>);

static_assert(ecs::partitions_within_index<game>);
static_assert(!ecs::partitions_within_index<outside>);
static_assert(!ecs::partitions_within_index<null_inside>);
static_assert(!ecs::partitions_within_index<backwards>);
static_assert(!ecs::partitions_within_index<of_no_index>);
static_assert(!ecs::partitions_within_index<of_bad_layout>);
static_assert(!ecs::partitions_within_index<of_no_layout>);
static_assert(!ecs::partitions_within_index<int>);

static_assert(ecs::unique_partition_names<game>);
static_assert(!ecs::unique_partition_names<named_twice>);
static_assert(!ecs::unique_partition_names<int>);

static_assert(!ecs::valid_partitions<overlapping>);
static_assert(!ecs::valid_partitions<outside>);
static_assert(!ecs::valid_partitions<named_twice>);
static_assert(!ecs::valid_partitions<of_no_parts>);
static_assert(!ecs::valid_partitions<void>);

// Which partition an index belongs to.
static_assert(ecs::partition_with<game>(1) == 0);
static_assert(ecs::partition_with<game>(255) == 0);
static_assert(ecs::partition_with<game>(256) == 3); // A gap.
static_assert(ecs::partition_with<game>(5000) == 1);
static_assert(ecs::partition_with<game>(5001) == 2);
static_assert(ecs::partition_with<game>(0) == 3);

// What is wrong, in words.
static_assert(ecs::explain<game>().empty());
static_assert(ecs::explain<overlapping>() == R"(partitions "a" and "b" share indices 10 to 10)");
static_assert(ecs::explain<nested>() == R"(partitions "a" and "b" share indices 10 to 20)");
static_assert(ecs::explain<outside>() == R"(partition "a" has indices 1 to 64, and the layout has 1 to 63)");
static_assert(ecs::explain<null_inside>() ==
              R"(partition "a" has indices 0 to 10, and the layout has 1 to 63)");
static_assert(ecs::explain<named_twice>() == R"(two partitions are named "a")");
static_assert(ecs::explain<of_no_index>() == "the layout is not valid or has no index");
static_assert(ecs::verify<game>());

// Fingerprints.
static_assert(ecs::partitions_fingerprint<partitions<byte, partition<"a", 1, 10>>> !=
              ecs::partitions_fingerprint<partitions<byte, partition<"a", 1, 11>>>);
static_assert(ecs::partitions_fingerprint<partitions<byte, partition<"a", 1, 10>>> !=
              ecs::partitions_fingerprint<partitions<byte, partition<"b", 1, 10>>>);
static_assert(ecs::partitions_fingerprint<partitions<byte, partition<"a", 1, 10>>> !=
              ecs::partitions_fingerprint<partitions<half, partition<"a", 1, 10>>>);

} // namespace
