// SPDX-License-Identifier: MIT
// Identifiers of different layouts do not mix, and nothing is lost in silence.
#include "either.hpp"
#include <cstdint>

import ecs.id;

namespace layouts = ecs::layouts;
using small = ecs::layout<std::uint32_t, ecs::index<"index", 19, 0>, ecs::generation<"generation", 31, 20>>;

constexpr ecs::entity entity;
constexpr ecs::basic_id<small> narrow;

// refused: (invalid operands to binary expression|no match for .*operator==)
const bool same = entity == EITHER(entity, ecs::basic_id<layouts::pair>{});

// refused: (no viable )?conversion from .*basic_id
const ecs::entity copy = EITHER(entity, narrow);

// refused: no matching function for call to .*convert
// refused: convertible
const auto converted = EITHER(ecs::convert<layouts::entity>(narrow), ecs::convert<small>(entity));

// refused: no matching function for call to .*to_double
// refused: exact_in_double
const double number = ecs::to_double(EITHER(narrow, entity));
