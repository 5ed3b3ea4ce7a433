// SPDX-License-Identifier: MIT
#include <cstdint>

import ecs.id;

namespace {

using small = ecs::layout<std::uint8_t, ecs::index<"index", 5, 0>, ecs::generation<"generation", 7, 6>>;
static_assert(ecs::valid_layout<small> && ecs::fully_owned<small>);

using overlap = ecs::layout<std::uint8_t, ecs::index<"index", 5, 0>, ecs::generation<"generation", 7, 5>>;
static_assert(!ecs::non_overlapping<overlap> && !ecs::valid_layout<overlap>);

} // namespace
