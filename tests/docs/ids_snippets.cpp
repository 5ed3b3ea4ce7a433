// SPDX-License-Identifier: MIT
// The code that docs/ids.md shows. It is compiled and run; a test compares the document with it.
#include <chrono>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string_view>
#include <unordered_set>

import ecs.id;

// @begin layout
using slot_id = ecs::layout<std::uint64_t, ecs::index<"slot", 23, 0>, ecs::generation<"use", 47, 24>,
                            ecs::world_tag<"shard", 55, 48>, ecs::reserved<"unused", 59, 56>,
                            ecs::fixed<"kind", 63, 60, 0x9>>;
// @end

using clash = ecs::layout<std::uint64_t, ecs::index<"key", 19, 0>, ecs::generation<"version", 52, 18>>;
static_assert(!ecs::valid_layout<clash>); // So that no identifier of it compiles.

// @begin proofs
static_assert(ecs::valid_layout<slot_id>);
static_assert(ecs::fully_owned<slot_id>);
static_assert(ecs::capacity<slot_id, "slot"> == 16'777'216);
static_assert(ecs::round_trips<slot_id>);
static_assert(ecs::null_unreachable<slot_id>);
static_assert(ecs::ordered_by<slot_id, "shard", "use", "slot">);
static_assert(ecs::index_fits<slot_id, 10'000'000>);
static_assert(ecs::distinguishable<slot_id, ecs::layouts::entity>);
static_assert(!ecs::exact_in_double<slot_id>);
// @end

// @begin lifetime
using namespace std::chrono_literals;
static_assert(
    ecs::lasts<slot_id,
               ecs::workload{.live = 1'000'000, .destroyed_per_second = 60'000, .duration = 30 * 24h}>);
// @end

// @begin building
constexpr auto id = ecs::build<slot_id>().set<"slot">(12).set<"use">(3).id();
static_assert(id.value() == 0x9000'0000'0300'000C);
static_assert(id.index() == 12 && id.generation() == 3 && id.get<"shard">() == 0);
static_assert(id.with<"use">(4) > id);
// @end

// @begin partitions
using map =
    ecs::partitions<ecs::layouts::entity, ecs::partition<"components", 1, 255>,
                    ecs::partition<"clients", 1'000, 4'999>, ecs::partition<"server", 5'000, 0xFFFF'FFFF>>;
static_assert(ecs::valid_partitions<map>);
// @end

namespace {

// @begin runtime
std::optional<ecs::basic_id<slot_id>> received(std::uint64_t word) {
    return ecs::decode<slot_id>(word); // Nothing for null, a wrong kind, or a set reserved bit.
}

std::optional<ecs::basic_id<slot_id>> made(std::uint64_t slot, std::uint64_t use) {
    return ecs::try_make<slot_id, "slot", "use">(slot, use); // Nothing when one does not fit.
}
// @end

bool all_is_as_the_document_says() {
    const std::unordered_set<ecs::basic_id<slot_id>> seen{id};
    return seen.contains(id) && received(id.value()) == id && !received(12) && made(12, 3) == id &&
           !made(1 << 24, 3);
}

} // namespace

int main() {
    std::cout << id << '\n' << ecs::dump(id) << '\n' << ecs::diagram<slot_id>();
    return all_is_as_the_document_says() ? 0 : 1;
}
