// SPDX-License-Identifier: MIT
// An identifier: one word of a layout. Copying, comparing and hashing it cost what they cost for the word.
// An identifier is either null, the word 0, or holds the tags and zeros of its layout; only assume_word,
// which trusts its caller, can break that.
export module ecs.id:identifier;
import ecs.std;
import :field;
import :layout;
import :proofs;
import :diagnosis;

namespace ecs {

/// A value was given to a field that cannot hold it; the text names both and the largest value. A negative
/// value is converted to 64 bits first, and the text has it with its sign.
export struct field_range_error : std::out_of_range {
    field_range_error(std::string_view field, std::uint64_t value, std::uint64_t max,
                      bool is_negative = false);
};

/// An identifier of a layout. The default one is null: the word 0, which is nothing. Identifiers compare as
/// their words do.
export template <any_layout Layout> class basic_id {
    static_assert(verify<Layout>());

  public:
    using layout_type = Layout;
    using word = word_of<Layout>;

    constexpr basic_id() = default;

    /// The identifier with exactly these bits; the caller vouches for tags and reserved bits. See decode for
    /// words from outside.
    [[nodiscard]] static constexpr basic_id assume_word(word bits) {
        basic_id id;
        id.word_ = bits;
        return id;
    }

    [[nodiscard]] constexpr word value() const { return word_; }

    /// False for null.
    [[nodiscard]] constexpr explicit operator bool() const { return word_ != 0; }

    /// The value of the field of that name.
    template <fixed_string Name> [[nodiscard]] constexpr word get() const {
        static_assert(verify_field<Layout, Name>());
        return extract(field_of<Layout, Name>);
    }

    /// The value of the first field of that role.
    template <field_role Role>
        requires has_role<Layout, Role>
    [[nodiscard]] constexpr word get() const {
        return extract(field_with_role<Layout, Role>);
    }

    [[nodiscard]] constexpr word index() const
        requires has_role<Layout, field_role::index>
    {
        return get<field_role::index>();
    }

    [[nodiscard]] constexpr word generation() const
        requires has_role<Layout, field_role::generation>
    {
        return get<field_role::generation>();
    }

    [[nodiscard]] constexpr word world() const
        requires has_role<Layout, field_role::world>
    {
        return get<field_role::world>();
    }

    [[nodiscard]] constexpr word flags() const
        requires has_role<Layout, field_role::flags>
    {
        return get<field_role::flags>();
    }

    /// The same identifier with one field changed; null counts as the identifier whose fields are all zero.
    /// The value is a whole number. Throws field_range_error when it does not fit, as a negative one never
    /// does.
    template <fixed_string Name, class Value> [[nodiscard]] constexpr basic_id with(Value value) const {
        static_assert(verify_variable_field<Layout, Name>());
        static_assert(verify_field_value<Value>());
        constexpr auto target = field_of<Layout, Name>;
        const auto given = static_cast<std::uint64_t>(+value);
        if (!target.takes(value))
            throw field_range_error(target.name, given, target.max(), field_description::is_negative(value));
        return replace(target, given);
    }

    /// The same as with, but nothing when the value does not fit.
    template <fixed_string Name, class Value>
    [[nodiscard]] constexpr std::optional<basic_id> try_with(Value value) const {
        static_assert(verify_variable_field<Layout, Name>());
        static_assert(verify_field_value<Value>());
        constexpr auto target = field_of<Layout, Name>;
        if (!target.takes(value)) return std::nullopt;
        return replace(target, static_cast<std::uint64_t>(+value));
    }

    // Members, and no friends, for g++ 16 (docs/compilers.md: defaulted friends).
    constexpr bool operator==(const basic_id&) const = default;
    constexpr std::strong_ordering operator<=>(const basic_id&) const = default;

  private:
    [[nodiscard]] constexpr word extract(const field_description& f) const {
        return static_cast<word>(f.extract(word_));
    }

    [[nodiscard]] constexpr basic_id replace(const field_description& f, std::uint64_t value) const {
        return assume_word(static_cast<word>(f.insert(word_ | constant_bits<Layout>, value)));
    }

    word word_{};
};

} // namespace ecs

/// The hash of an identifier spreads its word over all bits (a fold, a multiply and a fold), because
/// identifiers are dense, wherever the index is in the word.
export template <ecs::any_layout Layout> struct std::hash<ecs::basic_id<Layout>> {
    [[nodiscard]] constexpr std::size_t operator()(ecs::basic_id<Layout> id) const noexcept {
        const std::uint64_t word = id.value();
        const std::uint64_t mixed = (word ^ (word >> 32)) * 0x9E37'79B9'7F4A'7C15U;
        return static_cast<std::size_t>(mixed ^ (mixed >> 32));
    }
};
