// SPDX-License-Identifier: MIT
// What the builder and the accessors refuse.
#include "either.hpp"
#include <cstdint>

import ecs.id;

using ecr = ecs::layout<std::uint64_t, ecs::index<"key", 19, 0>, ecs::generation<"version", 52, 20>,
                        ecs::reserved<"unused", 63, 53>>;
using clash =
    ecs::layout<std::uint64_t, ecs::index<"key", 19, 0>, ecs::generation<"version", 52, EITHER(20, 18)>>;

#if defined(VALUE_DOES_NOT_FIT)
constexpr auto made = ecs::build<ecr>().set<"key">(EITHER(1'048'575, 1'048'576)).id();
#elif defined(SET_UNKNOWN_FIELD)
constexpr auto made = ecs::build<ecr>().set<EITHER("key", "team")>(1).id();
#elif defined(SET_RESERVED_FIELD)
constexpr auto made = ecs::build<ecr>().set<EITHER("key", "unused")>(0).id();
#elif defined(SET_TAG)
constexpr auto made = ecs::build<ecs::layouts::entity>().set<EITHER("index", "kind")>(1).id();
#elif defined(BUILD_AT_RUN_TIME)
constexpr std::uint64_t known = 1;
auto made(std::uint64_t unknown) { return ecs::build<ecr>().set<"key">(EITHER(known, unknown)).id(); }
#elif defined(BUILD_OF_BAD_LAYOUT)
constexpr auto made = ecs::build<clash>().id();
#elif defined(DECODE_BAD_LAYOUT)
const auto made = ecs::decode<clash>(1);
#elif defined(GET_UNKNOWN_FIELD)
constexpr auto made = ecs::entity{}.get<EITHER("index", "indexx")>();
#elif defined(WITH_UNKNOWN_FIELD)
const auto made = ecs::entity{}.with<EITHER("index", "team")>(1);
#elif defined(WITH_TAG)
const auto made = ecs::entity{}.with<EITHER("index", "kind")>(1);
#elif defined(TRY_MAKE_UNKNOWN_FIELD)
const auto made = ecs::try_make<ecr, EITHER("key", "team")>(1);
#endif
