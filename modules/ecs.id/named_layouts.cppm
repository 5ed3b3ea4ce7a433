// SPDX-License-Identifier: MIT
// The published layouts and the library's own, bit for bit, each proved where it is defined.
module;
#include <cstdint>
export module ecs.id:named_layouts;
import :field;
import :layout;
import :proofs;
import :identifier;

namespace ecs::layouts {

/// The library's own entity: 2^32 indices, 2^20 generations each, 256 worlds (0 is none), and the kind on
/// top.
///
///    63  60 59     52 51          32 31                  0
///   +------+---------+--------------+---------------------+
///   | kind |  world  |  generation  |        index        |
///   +------+---------+--------------+---------------------+
export using entity = layout<std::uint64_t, fixed<"kind", 63, 60, 0x1>, world_tag<"world", 59, 52>,
                             generation<"generation", 51, 32>, index<"index", 31, 0>>;

/// The library's own pair. The low bits of the target's generation make a stale target visible without a
/// look-up.
///
///    63  60 59      56 55          32 31                  0
///   +------+----------+--------------+---------------------+
///   | kind | target's |   relation   |        target       |
///   |      | generat. |              |                     |
///   +------+----------+--------------+---------------------+
export using pair = layout<std::uint64_t, fixed<"kind", 63, 60, 0x2>, field<"target_generation", 59, 56>,
                           field<"relation", 55, 32>, field<"target", 31, 0>>;

static_assert(valid_layout<entity> && fully_owned<entity> && null_unreachable<entity>);
static_assert(valid_layout<pair> && fully_owned<pair> && null_unreachable<pair>);
static_assert(distinguishable<entity, pair>);

} // namespace ecs::layouts

namespace ecs {

/// A handle to an entity: one word that knows its index, its generation and its world. The default one is
/// null.
export using entity = basic_id<layouts::entity>;

} // namespace ecs
