// SPDX-License-Identifier: MIT
// What can be asserted about a layout, or about two. Each law is usable on its own in a static_assert and is
// false, never a hard error, for a layout that breaks it.
module;
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
export module ecs.id:proofs;
import :field;
import :layout;

namespace ecs {

template <class Word>
concept identifier_word = std::same_as<Word, std::uint8_t> || std::same_as<Word, std::uint16_t> ||
                          std::same_as<Word, std::uint32_t> || std::same_as<Word, std::uint64_t>;

template <any_layout Layout> consteval bool all_fields(auto law) {
    return std::ranges::all_of(Layout::fields, law);
}

template <any_layout Layout> consteval bool all_pairs_of_fields(auto law) {
    const auto& fields = Layout::fields;
    for (std::size_t a = 0; a < fields.size(); ++a)
        for (std::size_t b = a + 1; b < fields.size(); ++b)
            if (!law(fields[a], fields[b])) return false;
    return true;
}

// The laws are named functions, not lambdas: a lambda in a concept is instantiated where the concept is used,
// and an importer that includes nothing does not see the comparison of two string views there.
constexpr bool has_bits_below(const field_description& f, unsigned word_bits) {
    return f.low <= f.high && f.high < word_bits;
}

constexpr bool names_differ(const field_description& a, const field_description& b) {
    return a.name != b.name;
}

constexpr bool value_fits(const field_description& f) { return f.value <= f.max(); }

constexpr bool bits_are_disjoint(const field_description& a, const field_description& b) {
    return std::max(a.low, b.low) > std::min(a.high, b.high);
}

/// Every field has at least one bit and lies inside the word.
export template <class Layout>
concept within_word =
    any_layout<Layout> &&
    all_fields<Layout>([](const field_description& f) { return has_bits_below(f, Layout::word_bits); });

/// No bit belongs to two fields.
export template <class Layout>
concept non_overlapping = any_layout<Layout> && all_pairs_of_fields<Layout>(bits_are_disjoint);

/// No two fields have the same name.
export template <class Layout>
concept unique_names = any_layout<Layout> && all_pairs_of_fields<Layout>(names_differ);

/// Every tag fits the bits that hold it.
export template <class Layout>
concept fixed_values_fit = any_layout<Layout> && all_fields<Layout>(value_fits);

/// The role is given to one field at most, so that "the index" means something.
template <class Layout, field_role Role>
concept role_at_most_once =
    any_layout<Layout> &&
    std::ranges::count_if(Layout::fields, [](const field_description& f) { return f.role == Role; }) <= 1;

/// Index, generation and world are given to one field each at most.
export template <class Layout>
concept unique_roles =
    role_at_most_once<Layout, field_role::index> && role_at_most_once<Layout, field_role::generation> &&
    role_at_most_once<Layout, field_role::world>;

/// A layout that identifiers can be made of.
export template <class Layout>
concept valid_layout =
    any_layout<Layout> && identifier_word<typename Layout::word> && within_word<Layout> &&
    non_overlapping<Layout> && unique_names<Layout> && fixed_values_fit<Layout> && unique_roles<Layout>;

template <any_layout Layout> consteval std::uint64_t owned_bits() {
    std::uint64_t owned = 0;
    for (const auto& f : Layout::fields) owned |= f.mask();
    return owned;
}

/// Every bit of the word belongs to a field.
export template <class Layout>
concept fully_owned =
    any_layout<Layout> && (owned_bits<Layout>() == std::numeric_limits<typename Layout::word>::max());

/// Every identifier of the layout is a whole number that a double holds exactly: below 2^53.
export template <class Layout>
concept exact_in_double =
    valid_layout<Layout> &&
    (((constant_bits<Layout> | ~constant_mask<Layout>)&std::numeric_limits<typename Layout::word>::max()) <
     (std::uint64_t{1} << 53));

/// Zero is not an identifier of the layout: a tag differs from zero, or an index or generation that counts
/// from 1.
export template <class Layout>
concept null_unreachable =
    valid_layout<Layout> && (constant_bits<Layout> != 0 || has_role<Layout, field_role::index> ||
                             has_role<Layout, field_role::generation>);

/// No word is an identifier of both: some bit is constant in both and differs.
export template <class A, class B>
concept distinguishable = valid_layout<A> && valid_layout<B> && std::same_as<word_of<A>, word_of<B>> &&
                          (((constant_bits<A> ^ constant_bits<B>)&constant_mask<A> & constant_mask<B>) != 0);

template <class... Layouts> inline constexpr bool all_distinguishable = true;
template <class First, class... Rest>
inline constexpr bool all_distinguishable<First, Rest...> =
    (distinguishable<First, Rest> && ...) && all_distinguishable<Rest...>;

/// No word is an identifier of two of them.
export template <class... Layouts>
concept pairwise_distinguishable = (valid_layout<Layouts> && ...) && all_distinguishable<Layouts...>;

} // namespace ecs
