// SPDX-License-Identifier: MIT
// Identifiers from named values. The builder runs in the compiler only, and what does not fit does not
// compile; try_make takes values that are known at run time only, and gives nothing when one does not fit.
export module ecs.id:builder;
import ecs.std;
import :field;
import :layout;
import :proofs;
import :diagnosis;
import :identifier;

namespace ecs {

/// Not constexpr on purpose: reaching it stops the compiler, which prints this name with the field, its bits
/// and its largest value, and the call with the value.
template <fixed_string Name, class Bits, class Max> void value_does_not_fit_the_field(auto) {}

/// Collects the fields of an identifier; see build.
export template <any_layout Layout> class builder {
    static_assert(verify<Layout>());

  public:
    /// The builder with one more field given: a whole number.
    template <fixed_string Name, class Value> [[nodiscard]] consteval builder set(Value given) const {
        static_assert(verify_variable_field<Layout, Name>());
        static_assert(verify_field_value<Value>());
        constexpr auto f = field_of<Layout, Name>;
        if (!f.takes(given)) value_does_not_fit_the_field<Name, bits<f.high, f.low>, at_most<f.max()>>(given);
        builder next;
        next.word_ = f.insert(word_, static_cast<std::uint64_t>(+given));
        return next;
    }

    /// The identifier: given fields as given, tags and reserved bits as the layout says, all else zero.
    [[nodiscard]] consteval basic_id<Layout> id() const {
        return basic_id<Layout>::assume_word(static_cast<word_of<Layout>>(word_));
    }

  private:
    std::uint64_t word_ = constant_bits<Layout>;
};

/// Starts an identifier of the layout: build<L>().set<"name">(value)...id().
export template <any_layout Layout> [[nodiscard]] consteval builder<Layout> build() { return {}; }

/// The identifier with these values in the named fields, tags and reserved bits as the layout says, and zero
/// in all other fields; nothing when a value does not fit its field, as a negative value never does:
/// try_make<L, "index", "generation">(12, 3).
export template <any_layout Layout, fixed_string... Names, field_value... Values>
    requires(sizeof...(Names) == sizeof...(Values))
[[nodiscard]] constexpr std::optional<basic_id<Layout>> try_make(Values... values) {
    static_assert((verify_variable_field<Layout, Names>() && ...));
    if (!(field_of<Layout, Names>.takes(values) && ...)) return std::nullopt;
    std::uint64_t word = constant_bits<Layout>;
    ((word = field_of<Layout, Names>.insert(word, static_cast<std::uint64_t>(+values))), ...);
    return basic_id<Layout>::assume_word(static_cast<word_of<Layout>>(word));
}

} // namespace ecs
