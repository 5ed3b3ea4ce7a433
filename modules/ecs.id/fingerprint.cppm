// SPDX-License-Identifier: MIT
// A number that stands for a layout, so that two programs can find out before the first identifier crosses
// between them whether they mean the same by it.
//
// The hash is 64-bit FNV-1a: it is defined by two constants and one line, so that a peer in any language can
// compute it, it can be run by the compiler, and texts of a few dozen bytes spread well enough that two
// different layouts agree by accident about once in 2^64 pairs. It is no defence against somebody who wants
// two layouts to agree.
export module ecs.id:fingerprint;
import ecs.std;
import :field;
import :layout;
import :list;
import :proofs;

namespace ecs {

/// 64-bit FNV-1a (Fowler, Noll, Vo), one byte after another.
export class fnv1a {
  public:
    constexpr fnv1a& add_byte(std::uint8_t byte) {
        state_ = (state_ ^ byte) * 0x0000'0100'0000'01B3U;
        return *this;
    }

    /// Adds eight bytes, the lowest first.
    constexpr fnv1a& add(std::uint64_t number) {
        for (unsigned shift = 0; shift < 64; shift += 8) add_byte(static_cast<std::uint8_t>(number >> shift));
        return *this;
    }

    /// Adds the length, then the characters.
    constexpr fnv1a& add(std::string_view text) {
        add(std::uint64_t{text.size()});
        for (const char character : text) add_byte(static_cast<std::uint8_t>(character));
        return *this;
    }

    [[nodiscard]] constexpr std::uint64_t value() const { return state_; }

  private:
    std::uint64_t state_ = 0xCBF2'9CE4'8422'2325U;
};

/// The fields from the highest bit to the lowest.
template <valid_layout Layout> consteval auto fields_from_high_to_low() {
    return sorted(Layout::fields, [](const auto& a, const auto& b) { return a.high > b.high; });
}

template <valid_layout Layout> consteval std::uint64_t fingerprint_of() {
    fnv1a hash;
    hash.add(std::uint64_t{Layout::word_bits});
    for (const auto& f : fields_from_high_to_low<Layout>())
        hash.add(f.name).add(f.high).add(f.low).add(static_cast<std::uint64_t>(f.role)).add(f.value);
    return hash.value();
}

/// Stands for the width of the word and the name, bits, role and value of every field. The order in which the
/// fields were written down does not matter: it changes no identifier.
export template <valid_layout Layout> inline constexpr std::uint64_t fingerprint = fingerprint_of<Layout>();

} // namespace ecs
