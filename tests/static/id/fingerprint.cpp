// SPDX-License-Identifier: MIT
// A fingerprint stands for names, bits, roles and values, and for nothing else.
#include <cstdint>
#include <string>
#include <string_view>

import ecs.id;

#include "layouts.hpp"

namespace {

using namespace samples;
using ecs::index; // Not the one of <strings.h>.

// The published test vectors of 64-bit FNV-1a.
constexpr std::uint64_t hash_of(std::string_view text) {
    ecs::fnv1a hash;
    for (const char character : text) hash.add_byte(static_cast<std::uint8_t>(character));
    return hash.value();
}
static_assert(hash_of("") == 0xcbf29ce484222325);
static_assert(hash_of("a") == 0xaf63dc4c8601ec8c);
static_assert(hash_of("foobar") == 0x85944171f73967e8);

using base = layout<std::uint8_t, field<"a", 3, 0>, fixed<"b", 7, 4, 1>>;
static_assert(ecs::fingerprint<base> ==
              ecs::fingerprint<layout<std::uint8_t, fixed<"b", 7, 4, 1>, field<"a", 3, 0>>>);
static_assert(ecs::fingerprint<base> !=
              ecs::fingerprint<layout<std::uint8_t, field<"c", 3, 0>, fixed<"b", 7, 4, 1>>>);
static_assert(ecs::fingerprint<base> !=
              ecs::fingerprint<layout<std::uint8_t, field<"a", 2, 0>, fixed<"b", 7, 4, 1>>>);
static_assert(ecs::fingerprint<base> !=
              ecs::fingerprint<layout<std::uint8_t, field<"a", 3, 1>, fixed<"b", 7, 4, 1>>>);
static_assert(ecs::fingerprint<base> !=
              ecs::fingerprint<layout<std::uint8_t, index<"a", 3, 0>, fixed<"b", 7, 4, 1>>>);
static_assert(ecs::fingerprint<base> !=
              ecs::fingerprint<layout<std::uint8_t, field<"a", 3, 0>, fixed<"b", 7, 4, 2>>>);
static_assert(ecs::fingerprint<base> !=
              ecs::fingerprint<layout<std::uint16_t, field<"a", 3, 0>, fixed<"b", 7, 4, 1>>>);

// A peer that computes it in another language compares with this number.
static_assert(ecs::fingerprint<ecs::layouts::entity> == 0x48a6'4f97'3e3d'960c);

template <class Layout>
concept has_a_fingerprint = requires { ecs::fingerprint<Layout>; };
static_assert(!has_a_fingerprint<clash>);

} // namespace
