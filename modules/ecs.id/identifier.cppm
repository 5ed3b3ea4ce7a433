// SPDX-License-Identifier: MIT
// An identifier: one word of a layout. Copying, comparing and hashing it cost what they cost for the word.
module;
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
export module ecs.id:identifier;
import :field;
import :layout;
import :proofs;

namespace ecs {

/// A value was given to a field that cannot hold it; the text names both.
export struct field_range_error : std::out_of_range {
    field_range_error(std::string_view field, std::uint64_t value, std::uint64_t max)
        : std::out_of_range("value " + std::to_string(value) + " does not fit field \"" + std::string(field) +
                            "\", whose largest value is " + std::to_string(max)) {}
};

/// An identifier of a layout. The default one is null: the word 0, which is nothing.
export template <class Layout> class basic_id {
    static_assert(valid_layout<Layout>);

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
    [[nodiscard]] constexpr explicit operator bool() const { return word_ != 0; }

    /// The value of the field of that name.
    template <fixed_string Name>
        requires has_field<Layout, Name>
    [[nodiscard]] constexpr word get() const {
        return extract(field_of<Layout, Name>);
    }

    [[nodiscard]] constexpr word index() const
        requires has_role<Layout, field_role::index>
    {
        return extract(field_with_role<Layout, field_role::index>);
    }

    [[nodiscard]] constexpr word generation() const
        requires has_role<Layout, field_role::generation>
    {
        return extract(field_with_role<Layout, field_role::generation>);
    }

    [[nodiscard]] constexpr word world() const
        requires has_role<Layout, field_role::world>
    {
        return extract(field_with_role<Layout, field_role::world>);
    }

    /// The same identifier with one field changed. Throws field_range_error when the value does not fit.
    template <fixed_string Name>
        requires has_field<Layout, Name> && (!field_of<Layout, Name>.constant())
    [[nodiscard]] constexpr basic_id with(std::uint64_t value) const {
        constexpr auto target = field_of<Layout, Name>;
        if (value > target.max()) throw field_range_error(target.name, value, target.max());
        return assume_word(replaced(target, value));
    }

    friend constexpr bool operator==(basic_id, basic_id) = default;
    friend constexpr auto operator<=>(basic_id, basic_id) = default;

  private:
    [[nodiscard]] constexpr word extract(const field_description& f) const {
        return static_cast<word>((std::uint64_t{word_} & f.mask()) >> f.low);
    }

    [[nodiscard]] constexpr word replaced(const field_description& f, std::uint64_t value) const {
        return static_cast<word>((std::uint64_t{word_} & ~f.mask()) | (value << f.low));
    }

    word word_{};
};

} // namespace ecs

/// The hash of an identifier spreads its word over all bits (a multiply and a fold), because identifiers are
/// dense.
export template <class Layout> struct std::hash<ecs::basic_id<Layout>> {
    [[nodiscard]] constexpr std::size_t operator()(ecs::basic_id<Layout> id) const noexcept {
        const std::uint64_t mixed = std::uint64_t{id.value()} * 0x9E37'79B9'7F4A'7C15U;
        return static_cast<std::size_t>(mixed ^ (mixed >> 32));
    }
};
