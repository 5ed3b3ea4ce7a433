// SPDX-License-Identifier: MIT
// An importer that includes no header can use everything that needs no standard type by name.
import ecs.id;

namespace {

using layout = ecs::layout<unsigned, ecs::index<"key", 19, 0>, ecs::generation<"version", 31, 20>>;
using map = ecs::partitions<layout, ecs::partition<"low", 1, 255>>;
static_assert(ecs::valid_layout<layout> && ecs::fully_owned<layout> && ecs::round_trips<layout>);
static_assert(ecs::ordered_by<layout, "version", "key"> && ecs::exact_in_double<layout>);
static_assert(ecs::lasts<layout, ecs::workload{.live = 1000, .destroyed_per_second = 10, .duration = 3600}>);
static_assert(ecs::valid_partitions<map>);

constexpr auto id = ecs::build<layout>().set<"key">(12).set<"version">(3).id();
static_assert(id.index() == 12 && id.with<"version">(4) > id && id != ecs::basic_id<layout>{});
static_assert(*ecs::decode<layout>(id.value()) == id);
static_assert(*ecs::from_double<layout>(ecs::to_double(id)) == id);
static_assert(ecs::convert<ecs::layouts::entity>(id).generation() == 3);
static_assert(*ecs::try_make<layout, "key">(12) < id);
static_assert(ecs::diagram<layout>().size() > 100);
static_assert(ecs::fingerprint<layout> != ecs::fingerprint<ecs::layouts::entity>);

} // namespace
