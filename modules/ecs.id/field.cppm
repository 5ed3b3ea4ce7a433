// SPDX-License-Identifier: MIT
// A field is a run of bits of a word, written as in a data sheet: name, high bit, low bit.
//
//    63        52 51                       20 19                  0
//   +------------+---------------------------+---------------------+
//   |  reserved  |        generation         |        index        |
//   +------------+---------------------------+---------------------+
//
// What the bits are for is the field's role. Roles let the rest of the library find the index, the generation
// or the world of any layout without knowing its names. Any field can be written down, a senseless one as
// well: whether it is a good part of a layout is for the proofs to say. This file holds the only shifts and
// masks.
export module ecs.id:field;
import ecs.std;
import :list;

namespace ecs {

/// A string that can be a template argument; two are the same argument when their characters are the same.
export template <std::size_t Size> struct fixed_string {
    char text[Size]{};

    consteval fixed_string(const char (&characters)[Size]) {
        for (std::size_t i = 0; i < Size; ++i) text[i] = characters[i];
    }

    [[nodiscard]] constexpr std::string_view view() const { return {text, Size - 1}; }
};

/// What the bits of a field are for.
export enum class field_role : std::uint8_t {
    index,      ///< Which slot; counts from 1, because 0 is no identifier.
    generation, ///< Which use of the slot; counts from 1.
    world,      ///< Which world the identifier belongs to; 0 where worlds are not told apart.
    flags,      ///< Independent bits.
    plain,      ///< A number with a meaning of the user's.
    fixed,      ///< A tag: always the same value.
    reserved,   ///< Always zero.
};

/// A whole number of at most 64 bits, or what converts to one and to no other type.
template <class Value>
concept field_value = requires(Value given) {
    requires std::integral<std::remove_cvref_t<decltype(+given)>>;
    requires sizeof(+given) <= sizeof(std::uint64_t);
};

/// A field as a value: what proofs compute with and identifiers are read and written with.
export struct field_description {
    std::string_view name;
    unsigned high{};
    unsigned low{};
    field_role role{};
    std::uint64_t value{}; ///< What the bits must hold; meaningful for fixed and reserved fields.

    /// Number of bits; 0 when the high bit lies below the low one, 65 for anything wider than 64 bits.
    [[nodiscard]] constexpr unsigned width() const {
        return high < low ? 0 : smaller_of(high - low, 64U) + 1;
    }

    /// The largest value that fits; saturates at 64 bits.
    [[nodiscard]] constexpr std::uint64_t max() const {
        return width() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width()) - 1;
    }

    /// Whether the value, which is a field_value, fits; a negative one never does.
    [[nodiscard]] constexpr bool takes(auto given) const {
        return !is_negative(given) && static_cast<std::uint64_t>(+given) <= max();
    }
    [[nodiscard]] static constexpr bool is_negative(auto given) {
        const auto number = +given;
        return number < decltype(number){};
    }

    /// The field's bits in place; bits beyond the 64th are dropped.
    [[nodiscard]] constexpr std::uint64_t mask() const { return low >= 64 ? 0 : max() << low; }

    /// The value that the word holds in this field.
    [[nodiscard]] constexpr std::uint64_t extract(std::uint64_t word) const {
        return low >= 64 ? 0 : (word >> low) & max();
    }

    /// The word with this field replaced; bits of the value that do not fit are dropped.
    [[nodiscard]] constexpr std::uint64_t insert(std::uint64_t word, std::uint64_t new_value) const {
        return low >= 64 ? word : (word & ~mask()) | ((new_value << low) & mask());
    }

    [[nodiscard]] constexpr bool is_named(std::string_view wanted) const { return name == wanted; }

    /// Whether the bits are the same in every identifier of the layout.
    [[nodiscard]] constexpr bool constant() const {
        return role == field_role::fixed || role == field_role::reserved;
    }
};

template <fixed_string Name, unsigned High, unsigned Low, field_role Role, std::uint64_t Value = 0>
struct basic_field {
    static constexpr auto name = Name;
    static constexpr field_description description{name.view(), High, Low, Role, Value};
};

/// Anything that describes itself as the field templates below do.
template <class T>
concept any_field = requires {
    T::name.view();
    T::description.extract(0);
};

/// Which slot of the registry. A layout that is allocated from has exactly one.
export template <fixed_string Name, unsigned High, unsigned Low>
struct index : basic_field<Name, High, Low, field_role::index> {};

/// Which use of the slot; a stale identifier differs from a live one here.
export template <fixed_string Name, unsigned High, unsigned Low>
struct generation : basic_field<Name, High, Low, field_role::generation> {};

/// Which world the identifier belongs to; 0 where worlds are not told apart.
export template <fixed_string Name, unsigned High, unsigned Low>
struct world_tag : basic_field<Name, High, Low, field_role::world> {};

/// Independent bits.
export template <fixed_string Name, unsigned High, unsigned Low>
struct flags : basic_field<Name, High, Low, field_role::flags> {};

/// A number with a meaning of the user's.
export template <fixed_string Name, unsigned High, unsigned Low>
struct field : basic_field<Name, High, Low, field_role::plain> {};

/// A tag: these bits hold Value in every identifier, which tells the layout from others.
export template <fixed_string Name, unsigned High, unsigned Low, std::uint64_t Value>
struct fixed : basic_field<Name, High, Low, field_role::fixed, Value> {};

/// Bits that must be zero.
export template <fixed_string Name, unsigned High, unsigned Low>
struct reserved : basic_field<Name, High, Low, field_role::reserved> {};

} // namespace ecs
