// SPDX-License-Identifier: MIT
// Identifiers of different layouts do not mix, and nothing is lost in silence.
#include "either.hpp"
#include <cstdint>

import ecs.id;

namespace layouts = ecs::layouts;
using small = ecs::layout<std::uint32_t, ecs::index<"index", 19, 0>, ecs::generation<"generation", 31, 20>>;

constexpr ecs::entity entity;
constexpr ecs::basic_id<small> narrow;

#if defined(COMPARE_DIFFERENT_LAYOUTS)
const bool same = entity == EITHER(entity, ecs::basic_id<layouts::pair>{});
#elif defined(ASSIGN_ANOTHER_LAYOUT)
const ecs::entity copy = EITHER(entity, narrow);
#elif defined(CONVERT_WITH_LOSS)
const auto converted = EITHER(ecs::convert<layouts::entity>(narrow), ecs::convert<small>(entity));
#elif defined(INEXACT_IN_DOUBLE)
const double number = ecs::to_double(EITHER(narrow, entity));
#endif
