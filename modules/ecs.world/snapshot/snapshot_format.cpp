// SPDX-License-Identifier: MIT
// Checksums of saved worlds. XXH3 is xxHash's: it reads memory about as fast as a copy does.
module;
#include <cstdlib> // xxhash.h includes it within extern "C", which g++ 16 takes as the linkage of std.
#define XXH_INLINE_ALL
#include <xxhash.h>
module ecs.world;
import ecs.std;

namespace ecs {

std::uint64_t fnv1a_of(std::span<const std::byte> bytes) {
    fnv1a sum;
    for (const std::byte b : bytes) sum.add_byte(static_cast<std::uint8_t>(b));
    return sum.value();
}

std::uint64_t checksum_of(std::span<const std::byte> body, std::uint32_t version) {
    return version == snapshot_header::earliest ? fnv1a_of(body) : XXH3_64bits(body.data(), body.size());
}

} // namespace ecs
