// SPDX-License-Identifier: MIT
// Makes the header of a saved world say of its body what is true, so that what is wrong with the body is
// found by those who read it and not by the checksum. Include after `import ecs.world;`.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib> // xxhash.h includes it within extern "C".
#include <cstring>
#include <span>
#include <vector>
#define XXH_INLINE_ALL
#include <xxhash.h>

import ecs.world;

namespace mending {

inline constexpr std::size_t header_bytes = 48;

inline std::uint64_t checksum_of(std::span<const std::byte> bytes) {
    ecs::fnv1a sum;
    for (const std::byte b : bytes) sum.add_byte(static_cast<std::uint8_t>(b));
    return sum.value();
}

inline void write(std::vector<std::byte>& into, std::size_t place, std::uint64_t number) {
    std::memcpy(into.data() + place, &number, sizeof(number));
}

inline std::vector<std::byte> mended(std::vector<std::byte> bytes) {
    const auto body = std::span(bytes).subspan(header_bytes);
    write(bytes, 24, body.size());
    write(bytes, 32, XXH3_64bits(body.data(), body.size()));
    write(bytes, 40, checksum_of(std::span(bytes).first(40)));
    return bytes;
}

} // namespace mending
