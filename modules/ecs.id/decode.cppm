// SPDX-License-Identifier: MIT
// Words, doubles and identifiers of other layouts, checked on the way in.
export module ecs.id:decode;
import ecs.std;
import :field;
import :layout;
import :proofs;
import :comparison;
import :identifier;

namespace ecs {

/// The identifier that the word is, or nothing: the word 0 is null, and a wrong tag, a set reserved bit or a
/// bit beyond the word makes it another kind. Only a registry knows whether the identifier is live.
export template <any_layout Layout>
[[nodiscard]] constexpr std::optional<basic_id<Layout>> decode(std::uint64_t bits) {
    const bool is_kind = (bits & ~variable_mask<Layout>) == constant_bits<Layout>;
    if (bits == 0 || !is_kind) return std::nullopt;
    return basic_id<Layout>::assume_word(static_cast<word_of<Layout>>(bits));
}

/// A number that may be a fraction is refused: from_double says which of them are identifiers.
export template <any_layout Layout, class Number>
    requires std::is_floating_point_v<Number>
void decode(Number) = delete;

/// A whole number that a double holds exactly.
export template <exact_in_double Layout> [[nodiscard]] constexpr double to_double(basic_id<Layout> id) {
    return static_cast<double>(id.value());
}

/// The identifier that a number from outside is, or nothing: fractions, negative numbers, infinities and NaN
/// are no identifiers.
export template <exact_in_double Layout>
[[nodiscard]] constexpr std::optional<basic_id<Layout>> from_double(double number) {
    if (!(number >= 0 && number < 9007199254740992.0)) return std::nullopt; // 2^53
    const auto bits = static_cast<std::uint64_t>(number);
    if (static_cast<double>(bits) != number) return std::nullopt;
    return decode<Layout>(bits);
}

/// The same identifier under another layout, which can hold all of it; null stays null.
export template <valid_layout To, valid_layout From>
    requires convertible<From, To>
[[nodiscard]] constexpr basic_id<To> convert(basic_id<From> id) {
    if (!id) return {};
    std::uint64_t word = constant_bits<To>;
    const auto carry = [&]<std::size_t Position>() {
        constexpr auto source = From::fields[Position];
        if constexpr (!source.constant())
            word = To::fields[counterpart_of<To>(source)].insert(word, source.extract(id.value()));
    };
    [&]<std::size_t... Positions>(std::index_sequence<Positions...>) {
        (carry.template operator()<Positions>(), ...);
    }(std::make_index_sequence<From::fields.size()>{});
    return basic_id<To>::assume_word(static_cast<word_of<To>>(word));
}

} // namespace ecs
