// SPDX-License-Identifier: MIT
// Checksums of saved worlds. XXH3 is xxHash's: it reads memory about as fast as a copy does.
module;
// xxhash.h includes it within extern "C", which g++ 16 takes as the linkage of std (docs/compilers.md:
// includes within extern "C").
#include <cstdlib>
#define XXH_INLINE_ALL
#include <xxhash.h>
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

void add_members(fnv1a& hash, std::span<const member> all, bool with_theirs) {
    for (const member& m : all) {
        hash.add(m.name).add(m.type).add(m.offset).add(m.size);
        if (with_theirs) add_members(hash, m.members, true);
    }
}

} // namespace

std::uint64_t fnv1a_of(std::span<const std::byte> bytes) {
    fnv1a sum;
    for (const std::byte b : bytes) sum.add_byte(static_cast<std::uint8_t>(b));
    return sum.value();
}

std::uint64_t checksum_of(std::span<const std::byte> body, std::uint32_t version) {
    return version == snapshot_header::earliest ? fnv1a_of(body) : XXH3_64bits(body.data(), body.size());
}

std::uint64_t fingerprint_of_members(const reflection* told, const component_info& info,
                                     std::uint32_t version) {
    const bool is_early = version <= snapshot_header::formless;
    const reflection* const known = told || is_early || !info.facts ? told : &reflection_of(*info.facts);
    if (!known || known->members.empty() || whole_of(*known)) return 0;
    fnv1a hash;
    add_members(hash, known->members, !is_early);
    return hash.value();
}

struct body_checksum::state {
    XXH3_state_t own;
};

body_checksum::body_checksum() : state_(std::make_unique<state>()) { XXH3_64bits_reset(&state_->own); }
body_checksum::~body_checksum() = default;

void body_checksum::add(std::span<const std::byte> part) {
    XXH3_64bits_update(&state_->own, part.data(), part.size());
}

std::uint64_t body_checksum::value() const { return XXH3_64bits_digest(&state_->own); }

} // namespace ecs
