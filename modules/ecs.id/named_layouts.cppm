// SPDX-License-Identifier: MIT
// The published layouts and the library's own, bit for bit, each proved where it is defined. The drawings are
// made by diagram<L>() and compared with it by a test; the target draw-docs writes them anew.
export module ecs.id:named_layouts;
import ecs.std;
import :field;
import :layout;
import :proofs;
import :comparison;
import :identifier;
import :widths;

namespace ecs::layouts {

/// The laws that every layout here follows; which word stands for null depends on the layout.
template <class Layout>
inline constexpr bool proved = valid_layout<Layout> && fully_owned<Layout> && round_trips<Layout>;

// The library's own kinds share one word and tell each other apart by the four bits on top. The drawings show
// the usual widths, see :widths. Whatever these are, a field begins at the same bit, and what a narrower one
// leaves free is reserved.

template <std::size_t Size> consteval fixed_string<Size + 6> above(const fixed_string<Size>& name) {
    char text[Size + 6]{'a', 'b', 'o', 'v', 'e', '_'};
    for (std::size_t i = 0; i < Size; ++i) text[6 + i] = name.text[i];
    return text;
}

/// The fields below bit End, behind those of Made.
template <class Made, unsigned End, class... Fields> struct with_gaps {
    using type = Made;
};
template <class... Made, unsigned End, class First, class... Rest>
struct with_gaps<layout<std::uint64_t, Made...>, End, First, Rest...>
    : with_gaps<layout<std::uint64_t, Made...,
                       reserved<above(First::name), End - 1, First::description.high + 1>, First>,
                First::description.low, Rest...> {};
template <class... Made, unsigned End, class First, class... Rest>
    requires(First::description.high + 1 == End)
struct with_gaps<layout<std::uint64_t, Made...>, End, First, Rest...>
    : with_gaps<layout<std::uint64_t, Made..., First>, First::description.low, Rest...> {};

/// A word of those fields, from high to low, and of reserved bits where they leave a gap.
template <class... Fields> using kind_of = typename with_gaps<layout<std::uint64_t>, 64, Fields...>::type;

/// An entity: 2^32 indices of 2^20 generations, in one of 255 worlds (0: worlds are not told apart).
/// @diagram entity
///      63   60 59    52 51        32 31                 0
///     +-------+--------+------------+--------------------+
///     | kind  | world  | generation |       index        |
///     | = 0x1 | 8 bits |  20 bits   |      32 bits       |
///     +-------+--------+------------+--------------------+
export using entity =
    kind_of<fixed<"kind", 63, 60, 0x1>, world_tag<"world", 51 + widths::world, 52>,
            generation<"generation", 31 + widths::generation, 32>, index<"index", widths::index - 1, 0>>;

/// A pair: a relation and its target, both by index. The low bits of the target's generation show most stale
/// targets without a look-up.
/// @diagram pair
///      63   60 59               56 55           32 31                 0
///     +-------+-------------------+---------------+--------------------+
///     | kind  | target_generation |   relation    |       target       |
///     | = 0x2 |      4 bits       |    24 bits    |      32 bits       |
///     +-------+-------------------+---------------+--------------------+
export using pair =
    kind_of<fixed<"kind", 63, 60, 0x2>, field<"target_generation", 55 + widths::target_generation, 56>,
            field<"relation", 31 + widths::relation, 32>, field<"target", widths::index - 1, 0>>;

/// An entity added under flags: a component that is there but disabled, for example.
/// @diagram flagged_entity
///      63   60 59    56 55      52 51        32 31                 0
///     +-------+--------+----------+------------+--------------------+
///     | kind  | flags  | reserved | generation |       index        |
///     | = 0x3 | 4 bits |   = 0    |  20 bits   |      32 bits       |
///     +-------+--------+----------+------------+--------------------+
export using flagged_entity =
    kind_of<fixed<"kind", 63, 60, 0x3>, flags<"flags", 59, 56>, reserved<"reserved", 55, 52>,
            generation<"generation", 31 + widths::generation, 32>, index<"index", widths::index - 1, 0>>;

/// A pair added under flags.
/// @diagram flagged_pair
///      63   60 59    56 55           32 31                 0
///     +-------+--------+---------------+--------------------+
///     | kind  | flags  |   relation    |       target       |
///     | = 0x4 | 4 bits |    24 bits    |      32 bits       |
///     +-------+--------+---------------+--------------------+
export using flagged_pair =
    kind_of<fixed<"kind", 63, 60, 0x4>, flags<"flags", 59, 56>, field<"relation", 31 + widths::relation, 32>,
            field<"target", widths::index - 1, 0>>;

/// A relation to an object that is no entity: the slot in which the world keeps the object.
/// @diagram link
///      63   60 59      56 55           32 31                 0
///     +-------+----------+---------------+--------------------+
///     | kind  | reserved |   relation    |        slot        |
///     | = 0x5 |   = 0    |    24 bits    |      32 bits       |
///     +-------+----------+---------------+--------------------+
export using link = kind_of<fixed<"kind", 63, 60, 0x5>, reserved<"reserved", 59, 56>,
                            field<"relation", 31 + widths::relation, 32>, field<"slot", 31, 0>>;

/// A relation to a number: an enumerator, or a hash of the user's.
/// @diagram value_pair
///      63   60 59      56 55           32 31                 0
///     +-------+----------+---------------+--------------------+
///     | kind  | reserved |   relation    |       value        |
///     | = 0x6 |   = 0    |    24 bits    |      32 bits       |
///     +-------+----------+---------------+--------------------+
export using value_pair = kind_of<fixed<"kind", 63, 60, 0x6>, reserved<"reserved", 59, 56>,
                                  field<"relation", 31 + widths::relation, 32>, field<"value", 31, 0>>;

/// A pattern that pairs match: 0 stands for any relation, or for any target.
/// @diagram wildcard_pair
///      63   60 59      56 55           32 31                 0
///     +-------+----------+---------------+--------------------+
///     | kind  | reserved |   relation    |       target       |
///     | = 0x7 |   = 0    |    24 bits    |      32 bits       |
///     +-------+----------+---------------+--------------------+
export using wildcard_pair =
    kind_of<fixed<"kind", 63, 60, 0x7>, reserved<"reserved", 59, 56>,
            field<"relation", 31 + widths::relation, 32>, field<"target", widths::index - 1, 0>>;

static_assert(proved<entity> && null_unreachable<entity>);
static_assert(proved<pair> && null_unreachable<pair>);
static_assert(proved<flagged_entity> && null_unreachable<flagged_entity>);
static_assert(proved<flagged_pair> && null_unreachable<flagged_pair>);
static_assert(proved<link> && null_unreachable<link>);
static_assert(proved<value_pair> && null_unreachable<value_pair>);
static_assert(proved<wildcard_pair> && null_unreachable<wildcard_pair>);
static_assert(
    pairwise_distinguishable<entity, pair, flagged_entity, flagged_pair, link, value_pair, wildcard_pair>);

/// ECR: a key and its version in the 53 bits that a double holds exactly.
/// @diagram ecr
///      63    53 52                20 19         0
///     +--------+--------------------+------------+
///     | unused |      version       |    key     |
///     |  = 0   |      33 bits       |  20 bits   |
///     +--------+--------------------+------------+
export using ecr =
    layout<std::uint64_t, index<"key", 19, 0>, generation<"version", 52, 20>, reserved<"unused", 63, 53>>;
static_assert(proved<ecr> && null_unreachable<ecr>);
static_assert(exact_in_double<ecr>);

/// Flecs, 2020: an entity keeps its generation in the byte where a type keeps its role.
/// @diagram flecs_2020_entity
///      63        56 55           32 31                 0
///     +------------+---------------+--------------------+
///     | generation |   reserved    |       index        |
///     |   8 bits   |      = 0      |      32 bits       |
///     +------------+---------------+--------------------+
export using flecs_2020_entity = layout<std::uint64_t, generation<"generation", 63, 56>,
                                        reserved<"reserved", 55, 32>, index<"index", 31, 0>>;

/// Flecs, 2020: an entity added in a role (child of, instance of).
/// @diagram flecs_2020_role
///      63    56 55           32 31                 0
///     +--------+---------------+--------------------+
///     |  role  |   reserved    |       entity       |
///     | 8 bits |      = 0      |      32 bits       |
///     +--------+---------------+--------------------+
export using flecs_2020_role =
    layout<std::uint64_t, field<"role", 63, 56>, reserved<"reserved", 55, 32>, field<"entity", 31, 0>>;

/// Flecs, 2020: a trait of a component; its role says that it is one.
/// @diagram flecs_2020_trait
///      63    56 55           32 31                 0
///     +--------+---------------+--------------------+
///     |  role  |     trait     |     component      |
///     | 8 bits |    24 bits    |      32 bits       |
///     +--------+---------------+--------------------+
export using flecs_2020_trait =
    layout<std::uint64_t, field<"role", 63, 56>, field<"trait", 55, 32>, field<"component", 31, 0>>;
static_assert(proved<flecs_2020_entity> && null_unreachable<flecs_2020_entity>);
static_assert(proved<flecs_2020_role>);
static_assert(proved<flecs_2020_trait>);
static_assert(!distinguishable<flecs_2020_entity, flecs_2020_role>); // One byte with two meanings.
static_assert(!distinguishable<flecs_2020_entity, flecs_2020_trait>);

/// Flecs, rewritten: 16 bits of generation, four type flags on top, the bits between unused.
/// @diagram flecs_entity
///      63    60 59      48 47        32 31                 0
///     +--------+----------+------------+--------------------+
///     | flags  | reserved | generation |       index        |
///     | 4 bits |   = 0    |  16 bits   |      32 bits       |
///     +--------+----------+------------+--------------------+
export using flecs_entity = layout<std::uint64_t, flags<"flags", 63, 60>, reserved<"reserved", 59, 48>,
                                   generation<"generation", 47, 32>, index<"index", 31, 0>>;

/// Flecs, rewritten: a relation and its target under the same four flags, of which one says that it is a
/// pair.
/// @diagram flecs_pair
///      63    60 59             32 31                 0
///     +--------+-----------------+--------------------+
///     | flags  |    relation     |       target       |
///     | 4 bits |     28 bits     |      32 bits       |
///     +--------+-----------------+--------------------+
export using flecs_pair =
    layout<std::uint64_t, flags<"flags", 63, 60>, field<"relation", 59, 32>, field<"target", 31, 0>>;
static_assert(proved<flecs_entity> && null_unreachable<flecs_entity>);
static_assert(proved<flecs_pair>);
static_assert(!distinguishable<flecs_entity, flecs_pair>); // The flags decide, at run time.

/// fennecs: an entity knows its world; a nibble in the middle of the word is the key that tells kinds apart.
/// @diagram fennecs_entity
///      63        48 47   44 43    40 39    32 31                 0
///     +------------+-------+--------+--------+--------------------+
///     | generation |  key  | flags  | world  |       index        |
///     |  16 bits   | = 0xe | 4 bits | 8 bits |      32 bits       |
///     +------------+-------+--------+--------+--------------------+
export using fennecs_entity =
    layout<std::uint64_t, generation<"generation", 63, 48>, fixed<"key", 47, 44, 0xE>, flags<"flags", 43, 40>,
           world_tag<"world", 39, 32>, index<"index", 31, 0>>;

/// fennecs: a disabled entity differs from an enabled one in its key alone.
/// @diagram fennecs_disabled_entity
///      63        48 47   44 43    40 39    32 31                 0
///     +------------+-------+--------+--------+--------------------+
///     | generation |  key  | flags  | world  |       index        |
///     |  16 bits   | = 0xd | 4 bits | 8 bits |      32 bits       |
///     +------------+-------+--------+--------+--------------------+
export using fennecs_disabled_entity =
    layout<std::uint64_t, generation<"generation", 63, 48>, fixed<"key", 47, 44, 0xD>, flags<"flags", 43, 40>,
           world_tag<"world", 39, 32>, index<"index", 31, 0>>;

/// fennecs: a link to an object of one of 4,096 types; the low half is the object's hash.
/// @diagram fennecs_link
///      63      48 47   44 43     32 31                 0
///     +----------+-------+---------+--------------------+
///     |  header  |  key  |  type   |       object       |
///     |   = 0    | = 0x8 | 12 bits |      32 bits       |
///     +----------+-------+---------+--------------------+
export using fennecs_link = layout<std::uint64_t, reserved<"header", 63, 48>, fixed<"key", 47, 44, 0x8>,
                                   field<"type", 43, 32>, field<"object", 31, 0>>;

/// fennecs: a wildcard is a key alone.
template <std::uint64_t Key>
using fennecs_wildcard =
    layout<std::uint64_t, reserved<"header", 63, 48>, fixed<"key", 47, 44, Key>, reserved<"unused", 43, 0>>;

/// fennecs: matches anything.
/// @diagram fennecs_any
///      63      48 47   44 43                        0
///     +----------+-------+---------------------------+
///     |  header  |  key  |          unused           |
///     |   = 0    | = 0xf |            = 0            |
///     +----------+-------+---------------------------+
export using fennecs_any = fennecs_wildcard<0xF>;
/// fennecs: matches anything that has a target.
/// @diagram fennecs_any_target
///      63      48 47   44 43                        0
///     +----------+-------+---------------------------+
///     |  header  |  key  |          unused           |
///     |   = 0    | = 0xc |            = 0            |
///     +----------+-------+---------------------------+
export using fennecs_any_target = fennecs_wildcard<0xC>;
/// fennecs: matches every relation to an entity.
/// @diagram fennecs_any_entity
///      63      48 47   44 43                        0
///     +----------+-------+---------------------------+
///     |  header  |  key  |          unused           |
///     |   = 0    | = 0xb |            = 0            |
///     +----------+-------+---------------------------+
export using fennecs_any_entity = fennecs_wildcard<0xB>;
/// fennecs: matches every link to an object.
/// @diagram fennecs_any_link
///      63      48 47   44 43                        0
///     +----------+-------+---------------------------+
///     |  header  |  key  |          unused           |
///     |   = 0    | = 0xa |            = 0            |
///     +----------+-------+---------------------------+
export using fennecs_any_link = fennecs_wildcard<0xA>;

static_assert(proved<fennecs_entity> && null_unreachable<fennecs_entity>);
static_assert(proved<fennecs_disabled_entity> && null_unreachable<fennecs_disabled_entity>);
static_assert(proved<fennecs_link> && null_unreachable<fennecs_link>);
static_assert(proved<fennecs_any> && null_unreachable<fennecs_any>);
static_assert(proved<fennecs_any_target> && null_unreachable<fennecs_any_target>);
static_assert(proved<fennecs_any_entity> && null_unreachable<fennecs_any_entity>);
static_assert(proved<fennecs_any_link> && null_unreachable<fennecs_any_link>);
static_assert(pairwise_distinguishable<fennecs_entity, fennecs_disabled_entity, fennecs_link, fennecs_any,
                                       fennecs_any_target, fennecs_any_entity, fennecs_any_link>);

} // namespace ecs::layouts

namespace ecs {

/// A handle to an entity: one word that knows its index, its generation and its world. The default one is
/// null.
export using entity = basic_id<layouts::entity>;
// g++ 16 cannot complete the element of a span while it reads another module (docs/compilers.md: span of
// incomplete).
static_assert(sizeof(entity) == sizeof(std::uint64_t));

} // namespace ecs
