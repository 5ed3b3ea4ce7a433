// SPDX-License-Identifier: MIT
// The index has 6 bits: 63 fits, 64 does not.
#include <cstdint>

import ecs.id;

using small = ecs::layout<std::uint8_t, ecs::index<"index", 5, 0>, ecs::generation<"generation", 7, 6>>;

#if defined(ECS_EXPECT_OK)
constexpr auto id = ecs::build<small>().set<"index">(63).id();
#else
constexpr auto id = ecs::build<small>().set<"index">(64).id();
#endif
