// SPDX-License-Identifier: MIT
// Bytes of any value, of which properties make long sequences of operations.
#pragma once
#include <cstdint>
#include <vector>

#include <rapidcheck.h>

namespace test {

/// Up to so many. RapidCheck asks for elements as large as their container, and where a number would have
/// to be larger than its type, nearly all of its bits are ones.
inline rc::Gen<std::vector<std::uint8_t>> any_bytes(int longest) {
    const auto any_byte = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint8_t>());
    return rc::gen::resize(longest, rc::gen::container<std::vector<std::uint8_t>>(any_byte));
}

} // namespace test
