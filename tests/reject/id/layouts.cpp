// SPDX-License-Identifier: MIT
// No identifier can be made of a bad layout, and the first error says why.
#include "either.hpp"
#include <cstdint>

import ecs.id;

#if defined(FIELDS_OVERLAP)
using subject =
    ecs::layout<std::uint64_t, ecs::index<"key", 19, 0>, ecs::generation<"version", 52, EITHER(20, 18)>>;
#elif defined(FIELD_LEAVES_WORD)
using subject =
    ecs::layout<std::uint32_t, ecs::index<"key", 19, 0>, ecs::generation<"version", EITHER(31, 32), 20>>;
#elif defined(FIELD_HAS_NO_BITS)
using subject = ecs::layout<std::uint32_t, ecs::index<"key", EITHER(19, 0), EITHER(0, 19)>>;
#elif defined(NAME_GIVEN_TWICE)
using subject =
    ecs::layout<std::uint64_t, ecs::index<"key", 19, 0>, ecs::generation<EITHER("version", "key"), 52, 20>>;
#elif defined(TAG_DOES_NOT_FIT)
using subject = ecs::layout<std::uint8_t, ecs::index<"key", 3, 0>, ecs::fixed<"kind", 7, 4, EITHER(15, 16)>>;
#elif defined(TWO_INDICES)
using subject = ecs::layout < std::uint8_t, ecs::index<"key", 3, 0>, ecs::EITHER(generation, index) < "other",
      7, 4 >>
    ;
#elif defined(SIGNED_WORD)
using subject = ecs::layout<EITHER(std::uint32_t, std::int32_t), ecs::index<"key", 19, 0>>;
#elif defined(TWO_DEFECTS)
using subject =
    ecs::layout<std::uint8_t, ecs::index<"key", EITHER(3, 4), 0>, ecs::field<"high", EITHER(7, 8), 4>>;
#elif defined(NO_LAYOUT)
using subject = EITHER(ecs::layouts::ecr, int);
#endif

ecs::basic_id<subject> made;
