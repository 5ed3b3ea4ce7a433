// SPDX-License-Identifier: MIT
// What comes from outside is decoded, not trusted.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

import ecs.id;

#include "layouts.hpp"

namespace {

using namespace samples;

inline constexpr auto id = ecs::build<ecr>().set<"key">(17).set<"version">(2).id();

// Words.
static_assert(ecs::decode<ecr>(id.value()) == id);
static_assert(!ecs::decode<ecr>(0));
static_assert(!ecs::decode<ecr>(std::uint64_t{1} << 60));
static_assert(ecs::decode<tagged>(0xE000'0000'0000'0001));
static_assert(!ecs::decode<tagged>(0xF000'0000'0000'0001));
static_assert(!ecs::decode<tagged>(0xC000'0000'0000'0001));
static_assert(ecs::decode<byte>(0xFF));
static_assert(!ecs::decode<byte>(0x100)); // Beyond the word.
static_assert(!ecs::decode<byte>(0x141)); // Beyond the word, though its low bits would be an identifier.
static_assert(!ecs::decode<gap>(0x08));   // A bit that nobody owns.

// Doubles.
static_assert(ecs::from_double<ecr>(ecs::to_double(id)) == id);
static_assert(!ecs::from_double<ecr>(0.0));
static_assert(!ecs::from_double<ecr>(0.5));
static_assert(!ecs::from_double<ecr>(17.5));
static_assert(!ecs::from_double<ecr>(-1.0));
static_assert(!ecs::from_double<ecr>(9007199254740992.0));
static_assert(ecs::from_double<ecr>(9007199254740991.0)->generation() == 0x1'FFFF'FFFF);
static_assert(!ecs::from_double<ecr>(1e300));
static_assert(!ecs::from_double<ecr>(std::numeric_limits<double>::infinity()));
static_assert(!ecs::from_double<ecr>(-std::numeric_limits<double>::infinity()));
static_assert(!ecs::from_double<ecr>(std::numeric_limits<double>::quiet_NaN()));
static_assert(!ecs::from_double<byte>(256.0));

template <class Layout>
concept goes_through_a_double = requires(ecs::basic_id<Layout> some) { ecs::to_double(some); };
static_assert(goes_through_a_double<ecr>);
static_assert(!goes_through_a_double<tagged>);

// Other layouts.
inline constexpr auto small = ecs::build<half>().set<"index">(12).set<"generation">(3).id();
static_assert(ecs::convert<ecs::layouts::flecs_entity>(small).value() == 0x0000'0003'0000'000C);
static_assert(ecs::convert<tagged>(small).get<"kind">() == 0xE);
static_assert(ecs::convert<tagged>(small).index() == 12);
static_assert(ecs::convert<tagged>(small).generation() == 3);
static_assert(ecs::convert<half>(small) == small);
static_assert(!ecs::convert<tagged>(ecs::basic_id<half>{})); // Null stays null.

template <class From, class To>
concept converts = requires(ecs::basic_id<From> from) { ecs::convert<To>(from); };
static_assert(converts<half, tagged>);
static_assert(!converts<tagged, half>);

} // namespace
