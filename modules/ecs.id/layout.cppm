// SPDX-License-Identifier: MIT
// A layout divides a word into fields. It is only a description: any combination can be written down, and the
// proofs say whether it is a good one. An identifier can be made of a good one only.
export module ecs.id:layout;
import ecs.std;
import :field;
import :list;

namespace ecs {

/// Word is an unsigned integer of 8, 16, 32 or 64 bits; Fields are index, generation, world_tag, flags,
/// field, fixed and reserved in any order.
export template <class Word, class... Fields> struct layout {
    using word = Word;

    // Decayed, because numeric_limits cannot be asked about an array or a function.
    static constexpr unsigned word_bits = std::numeric_limits<std::decay_t<Word>>::digits;
    static constexpr std::array<field_description, sizeof...(Fields)> fields{Fields::description...};
};

template <class T> inline constexpr bool is_layout = false;
template <class Word, any_field... Fields> inline constexpr bool is_layout<layout<Word, Fields...>> = true;

/// A layout, good or bad, whose fields are fields.
export template <class T>
concept any_layout = is_layout<T>;

/// The word an identifier of the layout is kept in.
export template <any_layout Layout> using word_of = typename Layout::word;

/// Position of the first field that satisfies the predicate; the number of fields when none does.
template <any_layout Layout, class Predicate> consteval std::size_t find_field(Predicate wanted) {
    return position_in(Layout::fields, wanted);
}

template <any_layout Layout, fixed_string Name>
inline constexpr std::size_t position_of =
    find_field<Layout>([](const field_description& f) { return f.is_named(Name.view()); });

template <any_layout Layout, field_role Role>
inline constexpr std::size_t position_of_role =
    find_field<Layout>([](const field_description& f) { return f.role == Role; });

/// Whether the layout has a field of that name.
export template <class Layout, fixed_string Name>
concept has_field = any_layout<Layout> && (position_of<Layout, Name> < Layout::fields.size());

/// Whether the layout has a field of that role.
export template <class Layout, field_role Role>
concept has_role = any_layout<Layout> && (position_of_role<Layout, Role> < Layout::fields.size());

/// The field of that name, as a value.
export template <any_layout Layout, fixed_string Name>
    requires has_field<Layout, Name>
inline constexpr field_description field_of = Layout::fields[position_of<Layout, Name>];

/// The first field of that role, as a value.
export template <any_layout Layout, field_role Role>
    requires has_role<Layout, Role>
inline constexpr field_description field_with_role = Layout::fields[position_of_role<Layout, Role>];

/// Number of distinct values of the field: 1 for a tag or reserved bits; 2^64 - 1 stands for the 2^64 of a
/// field that is the whole of a 64-bit word.
export template <any_layout Layout, fixed_string Name>
    requires has_field<Layout, Name>
inline constexpr std::uint64_t capacity =
    field_of<Layout, Name>.constant()      ? 1
    : field_of<Layout, Name>.width() >= 64 ? ~std::uint64_t{0}
                                           : field_of<Layout, Name>.max() + 1;

/// Every bit of the word.
export template <any_layout Layout>
inline constexpr std::uint64_t word_mask =
    Layout::word_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << Layout::word_bits) - 1;

template <any_layout Layout> consteval std::uint64_t variable_mask_of() {
    std::uint64_t variable = 0;
    for (const auto& f : Layout::fields)
        if (!f.constant()) variable |= f.mask();
    return variable & word_mask<Layout>;
}

template <any_layout Layout> consteval std::uint64_t constant_bits_of() {
    std::uint64_t bits = 0;
    for (const auto& f : Layout::fields)
        if (f.constant()) bits = f.insert(bits, f.value);
    return bits & word_mask<Layout>;
}

/// The bits that differ from identifier to identifier.
export template <any_layout Layout> inline constexpr std::uint64_t variable_mask = variable_mask_of<Layout>();

/// The bits that are the same in every identifier: tags, reserved fields, and bits no field owns.
export template <any_layout Layout>
inline constexpr std::uint64_t constant_mask = word_mask<Layout> & ~variable_mask<Layout>;

/// What the constant bits hold.
export template <any_layout Layout> inline constexpr std::uint64_t constant_bits = constant_bits_of<Layout>();

} // namespace ecs
