// SPDX-License-Identifier: MIT
// How many bits the fields of the library's own identifiers have: a choice of the build, which CMake makes
// (ECS_INDEX_BITS, ECS_GENERATION_BITS and ECS_WORLD_BITS; docs/ids.md says how to choose). No other file
// reads these macros: code that depends on a width asks the layout.
export module ecs.id:widths;

namespace ecs::widths {

inline constexpr unsigned index = ECS_INDEX_BITS;
inline constexpr unsigned generation = ECS_GENERATION_BITS;
inline constexpr unsigned world = ECS_WORLD_BITS;

/// The width of the index of a relation in a pair.
inline constexpr unsigned relation = index < 24 ? index : 24;
/// The width of the part of its target's generation that a pair carries.
inline constexpr unsigned target_generation = generation < 4 ? generation : 4;

static_assert(index >= 10, "the indices up to 511 are for components and built-in entities");
static_assert(index <= 32, "the generation begins at bit 32");
static_assert(generation >= 1, "generations count from 1");
static_assert(generation <= 20, "the world begins at bit 52");
static_assert(world >= 1, "the worlds of a program count from 1");
static_assert(world <= 8, "the kind begins at bit 60");

} // namespace ecs::widths
