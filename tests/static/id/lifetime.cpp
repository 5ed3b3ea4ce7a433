// SPDX-License-Identifier: MIT
// The lifetime budget: (I - N + 1) x G - 1 destructions exhaust nothing.
#include <chrono>
#include <cstdint>
#include <string>

import ecs.id;

#include "layouts.hpp"

namespace {

using namespace samples;
using ecs::index; // Not the one of <strings.h>.
using namespace std::chrono_literals;
using ecs::workload;

// Small enough to count: 3 indices of 3 generations each.
using tiny = layout<std::uint8_t, index<"index", 1, 0>, generation<"generation", 3, 2>>;
static_assert(ecs::safe_destructions<tiny>(1) == 8); // All 9 identifiers are used up by the ninth.
static_assert(ecs::safe_destructions<tiny>(2) == 5); // One index may stay live under its first generation.
static_assert(ecs::safe_destructions<tiny>(3) == 2);
static_assert(ecs::safe_destructions<tiny>(4) == 0);
static_assert(ecs::safe_destructions<layout<std::uint8_t, index<"index", 1, 0>>>(1) ==
              2); // Without generations.

static_assert(ecs::lasts<tiny, workload{.live = 1, .destroyed_per_second = 1, .duration = 8}>);
static_assert(!ecs::lasts<tiny, workload{.live = 1, .destroyed_per_second = 1, .duration = 9}>);
static_assert(ecs::lasts<tiny, workload{.live = 3, .destroyed_per_second = 2, .duration = 1}>);
static_assert(!ecs::lasts<tiny, workload{.live = 3, .destroyed_per_second = 3, .duration = 1}>);
static_assert(
    ecs::lasts<tiny, workload{.live = 3, .destroyed_per_second = 0, .duration = ~std::uint64_t{0}}>);
static_assert(!ecs::lasts<tiny, workload{.live = 4}>);
static_assert(
    !ecs::lasts<tiny, workload{.live = 1, .destroyed_per_second = ~std::uint64_t{0}, .duration = 2}>);

// A million live, 60,000 destroyed a second, for 30 days.
inline constexpr workload busy{.live = 1'000'000, .destroyed_per_second = 60'000, .duration = 30 * 24h};
static_assert(ecs::lasts<ecs::layouts::entity, busy>);
static_assert(ecs::lasts<ecs::layouts::flecs_entity, busy>);
static_assert(ecs::lasts<ecs::layouts::ecr, busy>);
static_assert(!ecs::lasts<word, busy>); // 20 bits of index and 12 of generation are spent within the hour.
static_assert(!ecs::lasts<word, workload{.live = 1'000'000, .destroyed_per_second = 60'000, .duration = 1h}>);

// Durations are rounded up to whole seconds; a negative one is over at once.
static_assert(ecs::whole_seconds(1500ms).count == 2);
static_assert(ecs::whole_seconds(1000ms).count == 1);
static_assert(ecs::whole_seconds(-1000ms).count == 0);
static_assert(ecs::whole_seconds(-1).count == 0);
static_assert(ecs::whole_seconds(0.9).count == 1);
static_assert(ecs::whole_seconds(2.0F).count == 2);
static_assert(ecs::whole_seconds(std::chrono::duration<double, std::ratio<60>>(1.01)).count == 61);
static_assert(ecs::whole_seconds(-0.5).count == 0);
static_assert(ecs::whole_seconds(18446744073709551615.0).count == ~std::uint64_t{0});
static_assert(ecs::whole_seconds(9223372036854775808.0).count == std::uint64_t{1} << 63);
static_assert(ecs::whole_seconds(2h).count == 7200);
static_assert(ecs::whole_seconds(-1s).count == 0);
static_assert(ecs::whole_seconds(std::chrono::nanoseconds::max()).count == 9'223'372'037);
// 2^62 hours are 900 times 2^64 seconds, and no short time.
static_assert(ecs::whole_seconds(std::chrono::hours(std::int64_t{1} << 62)).count == ~std::uint64_t{0});

// False, never an error, for what is no layout or has no index.
static_assert(!ecs::lasts<clash, busy>);
static_assert(!ecs::lasts<whole, busy>);
static_assert(!ecs::lasts<int, busy>);

} // namespace
