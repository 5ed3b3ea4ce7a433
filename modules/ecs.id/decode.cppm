// SPDX-License-Identifier: MIT
// Words from outside are decoded, not trusted.
module;
#include <cstdint>
#include <optional>
export module ecs.id:decode;
import :field;
import :layout;
import :proofs;
import :identifier;

namespace ecs {

/// The identifier the word is, or nothing: the word 0 is null, and a wrong tag or a set reserved bit is
/// another kind.
export template <valid_layout Layout>
[[nodiscard]] constexpr std::optional<basic_id<Layout>> decode(std::uint64_t bits) {
    using word = word_of<Layout>;
    const bool fits = bits <= static_cast<word>(-1);
    if (bits == 0 || !fits || (bits & constant_mask<Layout>) != constant_bits<Layout>) return std::nullopt;
    return basic_id<Layout>::assume_word(static_cast<word>(bits));
}

/// A whole number that a double holds exactly.
export template <exact_in_double Layout> [[nodiscard]] constexpr double to_double(basic_id<Layout> id) {
    return static_cast<double>(id.value());
}

/// The identifier a number from outside is, or nothing: fractions, negative numbers, infinities and NaN are
/// none.
export template <exact_in_double Layout>
[[nodiscard]] constexpr std::optional<basic_id<Layout>> from_double(double number) {
    if (!(number >= 0 && number < 9007199254740992.0)) return std::nullopt;
    const auto bits = static_cast<std::uint64_t>(number);
    if (static_cast<double>(bits) != number) return std::nullopt;
    return decode<Layout>(bits);
}

} // namespace ecs
