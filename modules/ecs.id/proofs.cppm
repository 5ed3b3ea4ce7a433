// SPDX-License-Identifier: MIT
// What can be asserted about one layout. Each law is usable on its own in a static_assert and is false, never
// a hard error, for a layout that breaks it and for a type that is no layout at all.
//
//   within_word       every field has a bit and lies inside the word
//   non_overlapping   no bit belongs to two fields
//   unique_names      no name is given twice
//   fixed_values_fit  every tag fits the bits that hold it
//   unique_roles      one index, one generation, one world at most
//   valid_layout      all of these over an unsigned word: identifiers can be made
//   fully_owned       every bit belongs to a field
//   round_trips       a value put into a field comes out of it and moves nothing else
//   null_unreachable  the word 0 is no identifier
//   exact_in_double   every identifier is a whole number below 2^53
//   ordered_by        words compare as the named fields do, the first one first
//   index_fits        the index can tell that many entities apart
export module ecs.id:proofs;
import ecs.std;
import :field;
import :layout;
import :list;

namespace ecs {

template <class T, class... Candidates>
concept one_of = (std::same_as<T, Candidates> || ...);

/// An unsigned integer of 8, 16, 32 or 64 bits.
export template <class Word>
concept identifier_word =
    one_of<Word, unsigned char, unsigned short, unsigned int, unsigned long, unsigned long long>;

// The laws are named functions, not lambdas: a lambda in a concept is instantiated where the concept is used,
// and an importer that includes nothing does not see the comparison of two string views there.
constexpr bool has_bits_below(const field_description& f, unsigned word_bits) {
    return f.low <= f.high && f.high < word_bits;
}

constexpr bool tag_fits(const field_description& f) { return f.value <= f.max(); }

/// A field without bits shares none.
constexpr bool bits_are_disjoint(const field_description& a, const field_description& b) {
    return a.width() == 0 || b.width() == 0 || a.high < b.low || b.high < a.low;
}

constexpr bool names_differ(const field_description& a, const field_description& b) {
    return !a.is_named(b.name);
}

/// Index, generation and world are what the library looks for by role, so each must be one field.
constexpr bool roles_are_compatible(const field_description& a, const field_description& b) {
    return a.role != b.role ||
           (a.role != field_role::index && a.role != field_role::generation && a.role != field_role::world);
}

template <any_layout Layout> consteval bool all_fields_within_word() {
    return all_items(Layout::fields, [](const auto& f) { return has_bits_below(f, Layout::word_bits); });
}

/// Every field has at least one bit and lies inside the word.
export template <class Layout>
concept within_word = any_layout<Layout> && all_fields_within_word<Layout>();

/// No bit belongs to two fields.
export template <class Layout>
concept non_overlapping = any_layout<Layout> && all_pairs(Layout::fields, bits_are_disjoint);

/// No two fields have the same name.
export template <class Layout>
concept unique_names = any_layout<Layout> && all_pairs(Layout::fields, names_differ);

/// Every tag fits the bits that hold it.
export template <class Layout>
concept fixed_values_fit = any_layout<Layout> && all_items(Layout::fields, tag_fits);

/// Index, generation and world are given to one field each at most.
export template <class Layout>
concept unique_roles = any_layout<Layout> && all_pairs(Layout::fields, roles_are_compatible);

/// A layout that identifiers can be made of.
export template <class Layout>
concept valid_layout =
    any_layout<Layout> && identifier_word<typename Layout::word> && within_word<Layout> &&
    non_overlapping<Layout> && unique_names<Layout> && fixed_values_fit<Layout> && unique_roles<Layout>;

template <any_layout Layout> consteval std::uint64_t owned_mask() {
    std::uint64_t owned = 0;
    for (const auto& f : Layout::fields) owned |= f.mask();
    return owned & word_mask<Layout>;
}

/// Every bit of the word belongs to a field.
export template <class Layout>
concept fully_owned = any_layout<Layout> && identifier_word<typename Layout::word> &&
                      (owned_mask<Layout>() == word_mask<Layout>);

/// Puts the value into the field, reads it back, and reads every other field before and after.
template <any_layout Layout>
consteval bool survives(const field_description& target, std::uint64_t value, std::uint64_t background) {
    const std::uint64_t word = target.insert(background, value) & word_mask<Layout>;
    const auto untouched = [&](const field_description& f) {
        return &f == &target || f.extract(word) == f.extract(background);
    };
    return target.extract(word) == value && all_items(Layout::fields, untouched);
}

/// Every field at 0, 1, max - 1 and max, among neighbours that are all zero and all one.
template <any_layout Layout> consteval bool all_fields_round_trip() {
    for (const auto& f : Layout::fields) {
        if (f.constant()) continue;
        for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{1}, f.max() - 1, f.max()})
            for (const std::uint64_t background :
                 {constant_bits<Layout>, constant_bits<Layout> | variable_mask<Layout>})
                if (!survives<Layout>(f, value, background)) return false;
    }
    return true;
}

/// A value put into a field comes out of it and changes no other field: checked at 0, 1, max - 1 and max of
/// every field. False for fields that overlap, leave the word or have no bits.
export template <class Layout>
concept round_trips =
    within_word<Layout> && identifier_word<typename Layout::word> && all_fields_round_trip<Layout>();

/// Zero is not an identifier of the layout: a tag differs from zero, or there is an index or a generation,
/// which count from 1.
export template <class Layout>
concept null_unreachable =
    valid_layout<Layout> && (constant_bits<Layout> != 0 || has_role<Layout, field_role::index> ||
                             has_role<Layout, field_role::generation>);

/// Every identifier of the layout is a whole number that a double holds exactly: below 2^53.
export template <class Layout>
concept exact_in_double =
    valid_layout<Layout> && ((constant_bits<Layout> | variable_mask<Layout>) < (std::uint64_t{1} << 53));

template <any_layout Layout, fixed_string... Names>
    requires(has_field<Layout, Names> && ...)
consteval bool words_compare_by() {
    const std::array<field_description, sizeof...(Names)> order{field_of<Layout, Names>...};
    std::uint64_t compared = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i > 0 && order[i - 1].low <= order[i].high) return false;
        compared |= order[i].mask();
    }
    return (compared | constant_mask<Layout>) == word_mask<Layout>;
}

/// Identifiers compare as their named fields do, the first one first: the fields stand in the word from high
/// to low in that order, and no other field varies.
export template <class Layout, fixed_string... Names>
concept ordered_by =
    valid_layout<Layout> && (has_field<Layout, Names> && ...) && words_compare_by<Layout, Names...>();

/// The index tells Entities entities apart; index 0 is none of them.
export template <class Layout, std::uint64_t Entities>
concept index_fits = valid_layout<Layout> && has_role<Layout, field_role::index> &&
                     (Entities <= field_with_role<Layout, field_role::index>.max());

} // namespace ecs
