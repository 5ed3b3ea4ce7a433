// SPDX-License-Identifier: MIT
// The named layouts, bit for bit. What each of them must be is asserted where it is defined.
#include <cstdint>
#include <string>

import ecs.id;

#include "layouts.hpp"

namespace {

namespace named = ecs::layouts;

template <class... Layouts>
inline constexpr bool all_sound =
    ((ecs::valid_layout<Layouts> && ecs::fully_owned<Layouts> && ecs::round_trips<Layouts>) && ...);
static_assert(all_sound<named::entity, named::pair, named::flagged_entity, named::flagged_pair, named::link,
                        named::value_pair, named::wildcard_pair>);
static_assert(all_sound<named::ecr, named::flecs_2020_entity, named::flecs_2020_role, named::flecs_2020_trait,
                        named::flecs_entity, named::flecs_pair>);
static_assert(
    all_sound<named::fennecs_entity, named::fennecs_disabled_entity, named::fennecs_link, named::fennecs_any,
              named::fennecs_any_target, named::fennecs_any_entity, named::fennecs_any_link>);

// The library's own.
static_assert(ecs::build<named::entity>()
                  .set<"world">(0xAB)
                  .set<"generation">(0xCDEF0)
                  .set<"index">(0x12345678)
                  .id()
                  .value() == 0x1AB'CDEF0'12345678);
static_assert(ecs::build<named::pair>()
                  .set<"target_generation">(0xA)
                  .set<"relation">(0xBCDEF0)
                  .set<"target">(0x12345678)
                  .id()
                  .value() == 0x2A'BCDEF0'12345678);
static_assert(ecs::build<named::flagged_entity>()
                  .set<"flags">(0xA)
                  .set<"generation">(0xCDEF0)
                  .set<"index">(0x12345678)
                  .id()
                  .value() == 0x3A0'CDEF0'12345678);
static_assert(ecs::build<named::flagged_pair>()
                  .set<"flags">(0xA)
                  .set<"relation">(0xBCDEF0)
                  .set<"target">(0x12345678)
                  .id()
                  .value() == 0x4A'BCDEF0'12345678);
static_assert(ecs::build<named::link>().set<"relation">(0xBCDEF0).set<"slot">(0x12345678).id().value() ==
              0x50'BCDEF0'12345678);
static_assert(
    ecs::build<named::value_pair>().set<"relation">(0xBCDEF0).set<"value">(0x12345678).id().value() ==
    0x60'BCDEF0'12345678);
static_assert(
    ecs::build<named::wildcard_pair>().set<"relation">(0xBCDEF0).set<"target">(0x12345678).id().value() ==
    0x70'BCDEF0'12345678);
static_assert(ecs::ordered_by<named::entity, "world", "generation", "index">);
static_assert(ecs::ordered_by<named::pair, "target_generation", "relation", "target">);

// Reserved bits of the kinds are zero.
static_assert(!ecs::decode<named::flagged_entity>(0x3010'0001'0000'0001));
static_assert(!ecs::decode<named::link>(0x5100'0001'0000'0001));
static_assert(!ecs::decode<named::value_pair>(0x6100'0001'0000'0001));
static_assert(!ecs::decode<named::wildcard_pair>(0x7100'0001'0000'0001));

// Flecs, 2020.
static_assert(ecs::build<named::flecs_2020_entity>().set<"index">(5).set<"generation">(7).id().value() ==
              0x0700'0000'0000'0005);
static_assert(ecs::build<named::flecs_2020_role>().set<"role">(0x41).set<"entity">(5).id().value() ==
              0x4100'0000'0000'0005);
static_assert(ecs::build<named::flecs_2020_trait>()
                  .set<"role">(0x40)
                  .set<"trait">(7)
                  .set<"component">(5)
                  .id()
                  .value() == 0x4000'0007'0000'0005);

// fennecs.
static_assert(
    ecs::build<named::fennecs_entity>().set<"index">(1).set<"world">(2).set<"generation">(3).id().value() ==
    0x0003'E002'0000'0001);
static_assert(ecs::build<named::fennecs_disabled_entity>()
                  .set<"index">(1)
                  .set<"world">(2)
                  .set<"generation">(3)
                  .id()
                  .value() == 0x0003'D002'0000'0001);
static_assert(ecs::build<named::fennecs_link>().set<"type">(0x123).set<"object">(0x45).id().value() ==
              0x0000'8123'0000'0045);
static_assert(ecs::build<named::fennecs_any>().id().value() == 0x0000'F000'0000'0000);
static_assert(ecs::build<named::fennecs_any_target>().id().value() == 0x0000'C000'0000'0000);
static_assert(ecs::build<named::fennecs_any_entity>().id().value() == 0x0000'B000'0000'0000);
static_assert(ecs::build<named::fennecs_any_link>().id().value() == 0x0000'A000'0000'0000);

} // namespace
