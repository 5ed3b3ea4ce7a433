// SPDX-License-Identifier: MIT
// The published layouts and the library's own, bit for bit, each proved where it is defined.
module;
#include <cstdint>
export module ecs.id:named_layouts;
import :field;
import :layout;
import :proofs;
import :comparison;
import :identifier;

namespace ecs::layouts {

// The library's own kinds share one word and tell each other apart by the four bits on top.

/// An entity: 2^32 indices of 2^20 generations, in one of 255 worlds (0: worlds are not told apart).
export using entity = layout<std::uint64_t, fixed<"kind", 63, 60, 0x1>, world_tag<"world", 59, 52>,
                             generation<"generation", 51, 32>, index<"index", 31, 0>>;

/// A pair: a relation and its target, both by index. The low bits of the target's generation show most stale
/// targets without a look-up.
export using pair = layout<std::uint64_t, fixed<"kind", 63, 60, 0x2>, field<"target_generation", 59, 56>,
                           field<"relation", 55, 32>, field<"target", 31, 0>>;

/// An entity added under flags: a component that is there but disabled, for example.
export using flagged_entity =
    layout<std::uint64_t, fixed<"kind", 63, 60, 0x3>, flags<"flags", 59, 56>, reserved<"reserved", 55, 52>,
           generation<"generation", 51, 32>, index<"index", 31, 0>>;

/// A pair added under flags.
export using flagged_pair = layout<std::uint64_t, fixed<"kind", 63, 60, 0x4>, flags<"flags", 59, 56>,
                                   field<"relation", 55, 32>, field<"target", 31, 0>>;

/// A relation to an object that is no entity: the slot in which the world keeps the object.
export using link = layout<std::uint64_t, fixed<"kind", 63, 60, 0x5>, reserved<"reserved", 59, 56>,
                           field<"relation", 55, 32>, field<"slot", 31, 0>>;

/// A relation to a number: an enumerator, or a hash of the user's.
export using value_pair = layout<std::uint64_t, fixed<"kind", 63, 60, 0x6>, reserved<"reserved", 59, 56>,
                                 field<"relation", 55, 32>, field<"value", 31, 0>>;

/// A pattern that pairs match: 0 stands for any relation, or for any target.
export using wildcard_pair = layout<std::uint64_t, fixed<"kind", 63, 60, 0x7>, reserved<"reserved", 59, 56>,
                                    field<"relation", 55, 32>, field<"target", 31, 0>>;

template <class Layout>
inline constexpr bool sound_kind = valid_layout<Layout> && fully_owned<Layout> && null_unreachable<Layout>;

static_assert(sound_kind<entity>);
static_assert(sound_kind<pair>);
static_assert(sound_kind<flagged_entity>);
static_assert(sound_kind<flagged_pair>);
static_assert(sound_kind<link>);
static_assert(sound_kind<value_pair>);
static_assert(sound_kind<wildcard_pair>);
static_assert(
    pairwise_distinguishable<entity, pair, flagged_entity, flagged_pair, link, value_pair, wildcard_pair>);

/// ECR: a key and its version in the 53 bits that a double holds exactly.
export using ecr =
    layout<std::uint64_t, index<"key", 19, 0>, generation<"version", 52, 20>, reserved<"unused", 63, 53>>;
static_assert(valid_layout<ecr> && fully_owned<ecr> && null_unreachable<ecr>);
static_assert(exact_in_double<ecr>);

/// Flecs, 2020: an entity keeps its generation in the byte where a type keeps its role.
export using flecs_2020_entity = layout<std::uint64_t, generation<"generation", 63, 56>,
                                        reserved<"reserved", 55, 32>, index<"index", 31, 0>>;

/// Flecs, 2020: an entity added in a role (child of, instance of).
export using flecs_2020_role =
    layout<std::uint64_t, field<"role", 63, 56>, reserved<"reserved", 55, 32>, field<"entity", 31, 0>>;

/// Flecs, 2020: a trait of a component; its role says that it is one.
export using flecs_2020_trait =
    layout<std::uint64_t, field<"role", 63, 56>, field<"trait", 55, 32>, field<"component", 31, 0>>;
static_assert(valid_layout<flecs_2020_entity> && fully_owned<flecs_2020_entity>);
static_assert(valid_layout<flecs_2020_role> && fully_owned<flecs_2020_role>);
static_assert(valid_layout<flecs_2020_trait> && fully_owned<flecs_2020_trait>);
static_assert(!distinguishable<flecs_2020_entity, flecs_2020_role>); // One byte with two meanings.
static_assert(!distinguishable<flecs_2020_entity, flecs_2020_trait>);

/// Flecs, rewritten: 16 bits of generation, four type flags on top, the bits between unused.
export using flecs_entity = layout<std::uint64_t, flags<"flags", 63, 60>, reserved<"reserved", 59, 48>,
                                   generation<"generation", 47, 32>, index<"index", 31, 0>>;

/// Flecs, rewritten: a relation and its target under the same four flags, of which one says that it is a
/// pair.
export using flecs_pair =
    layout<std::uint64_t, flags<"flags", 63, 60>, field<"relation", 59, 32>, field<"target", 31, 0>>;
static_assert(valid_layout<flecs_entity> && fully_owned<flecs_entity>);
static_assert(valid_layout<flecs_pair> && fully_owned<flecs_pair>);
static_assert(!distinguishable<flecs_entity, flecs_pair>); // The flags decide, at run time.

/// fennecs: an entity knows its world; a nibble in the middle of the word is the key that tells kinds apart.
export using fennecs_entity =
    layout<std::uint64_t, generation<"generation", 63, 48>, fixed<"key", 47, 44, 0xE>, flags<"flags", 43, 40>,
           world_tag<"world", 39, 32>, index<"index", 31, 0>>;

/// fennecs: a disabled entity differs from an enabled one in its key alone.
export using fennecs_disabled_entity =
    layout<std::uint64_t, generation<"generation", 63, 48>, fixed<"key", 47, 44, 0xD>, flags<"flags", 43, 40>,
           world_tag<"world", 39, 32>, index<"index", 31, 0>>;

/// fennecs: a link to an object of one of 4,096 types; the low half is the object's hash.
export using fennecs_link = layout<std::uint64_t, reserved<"header", 63, 48>, fixed<"key", 47, 44, 0x8>,
                                   field<"type", 43, 32>, field<"object", 31, 0>>;

/// fennecs: a wildcard is a key alone.
template <std::uint64_t Key>
using fennecs_wildcard =
    layout<std::uint64_t, reserved<"header", 63, 48>, fixed<"key", 47, 44, Key>, reserved<"unused", 43, 0>>;

/// fennecs: matches anything.
export using fennecs_any = fennecs_wildcard<0xF>;
/// fennecs: matches anything that has a target.
export using fennecs_any_target = fennecs_wildcard<0xC>;
/// fennecs: matches every relation to an entity.
export using fennecs_any_entity = fennecs_wildcard<0xB>;
/// fennecs: matches every link to an object.
export using fennecs_any_link = fennecs_wildcard<0xA>;

static_assert(sound_kind<fennecs_entity>);
static_assert(sound_kind<fennecs_disabled_entity>);
static_assert(sound_kind<fennecs_link>);
static_assert(sound_kind<fennecs_any>);
static_assert(pairwise_distinguishable<fennecs_entity, fennecs_disabled_entity, fennecs_link, fennecs_any,
                                       fennecs_any_target, fennecs_any_entity, fennecs_any_link>);

} // namespace ecs::layouts

namespace ecs {

/// A handle to an entity: one word that knows its index, its generation and its world. The default one is
/// null.
export using entity = basic_id<layouts::entity>;

} // namespace ecs
