// SPDX-License-Identifier: MIT
// Why a layout is refused, as a compiler's first error says it. Everything that is wrong becomes a type that
// carries the names and numbers; the list of those types is the argument of the assertion that fails:
//
//   error: static assertion failed due to requirement
//   'sound<fields_overlap<fixed_string<4>{"key"}, fixed_string<8>{"version"}, bits<19, 18>>>': ...
//
// Where the language has computed messages (C++26) the same list is written out as a sentence. The laws are
// those of the proofs, so a layout has a defect exactly when it is not valid.
module;
#include <boost/hana/at.hpp>
#include <boost/hana/cartesian_product.hpp>
#include <boost/hana/concat.hpp>
#include <boost/hana/filter.hpp>
#include <boost/hana/flatten.hpp>
#include <boost/hana/integral_constant.hpp>
#include <boost/hana/less.hpp>
#include <boost/hana/range.hpp>
#include <boost/hana/transform.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>
#include <boost/hana/unpack.hpp>
export module ecs.id:diagnosis;
import ecs.std;
import :field;
import :layout;
import :list;
import :proofs;
import :text;

namespace ecs {

namespace hana = boost::hana;

// Numbers with a meaning, so that they can be read in the angle brackets.
template <unsigned High, unsigned Low> struct bits {};
template <unsigned Count> struct word_bits {};
template <std::uint64_t Value> struct value {};
template <std::uint64_t Max> struct at_most {};

// What can be wrong with a layout.

template <class Word> struct word_is_no_unsigned_integer {
    static constexpr void write(text_sink& out) {
        out.put("the word is no unsigned integer of 8, 16, 32 or 64 bits");
    }
};

template <fixed_string Name, class Bits, class WordBits> struct field_leaves_the_word;
template <fixed_string Name, unsigned High, unsigned Low, unsigned WordBits>
struct field_leaves_the_word<Name, bits<High, Low>, word_bits<WordBits>> {
    static constexpr void write(text_sink& out) {
        out.put("field ").put_quoted(Name.view()).put(' ').put_bits(High, Low);
        out.put(" leaves the word of ").put_number(WordBits).put(" bits");
    }
};

template <fixed_string Name, class Bits> struct field_has_no_bits;
template <fixed_string Name, unsigned High, unsigned Low> struct field_has_no_bits<Name, bits<High, Low>> {
    static constexpr void write(text_sink& out) {
        out.put("field ").put_quoted(Name.view()).put(' ').put_bits(High, Low);
        out.put(" has no bits: write the high bit first");
    }
};

template <fixed_string A, fixed_string B, class SharedBits> struct fields_overlap;
template <fixed_string A, fixed_string B, unsigned High, unsigned Low>
struct fields_overlap<A, B, bits<High, Low>> {
    static constexpr void write(text_sink& out) {
        out.put("fields ").put_quoted(A.view()).put(" and ").put_quoted(B.view());
        out.put(" share bits ").put_bits(High, Low);
    }
};

template <fixed_string Name> struct name_is_given_twice {
    static constexpr void write(text_sink& out) { out.put("two fields are named ").put_quoted(Name.view()); }
};

template <fixed_string Name, class Value, class Max> struct tag_does_not_fit;
template <fixed_string Name, std::uint64_t Value, std::uint64_t Max>
struct tag_does_not_fit<Name, value<Value>, at_most<Max>> {
    static constexpr void write(text_sink& out) {
        out.put("tag ").put_quoted(Name.view()).put(" holds at most ").put_hex(Max);
        out.put(", and not ").put_hex(Value);
    }
};

template <field_role Role, fixed_string A, fixed_string B> struct role_is_given_twice {
    static constexpr void write(text_sink& out) {
        out.put("fields ").put_quoted(A.view()).put(" and ").put_quoted(B.view());
        out.put(" both have the role that one field can have");
    }
};

/// True when nothing is wrong.
template <class... Defects> inline constexpr bool sound = sizeof...(Defects) == 0;

/// The sentences of the defects, for a computed message.
template <class... Defects> struct sentences {
    static constexpr void write(text_sink& out) {
        const char* separator = "";
        ((out.put(separator), Defects::write(out), separator = "; "), ...);
    }
};

/// A list of defects; require fails to compile when there is one.
template <class... Defects> struct defect_list {
    static constexpr std::string_view explanation() { return text_of<sentences<Defects...>>(); }

    static consteval bool require() {
#if __cpp_static_assert >= 202306L && __cplusplus > 202302L
        static_assert(sound<Defects...>, explanation());
#else
        static_assert(sound<Defects...>, "the laws named in the angle brackets are broken");
#endif
        return true;
    }
};

// Finding them. A check yields a list of one defect or of none; the lists are joined.

template <bool Broken, class Defect> consteval auto report() {
    if constexpr (Broken)
        return hana::tuple_t<Defect>;
    else
        return hana::tuple_t<>;
}

template <class Word, class Field> consteval auto check_field() {
    constexpr auto f = Field::description;
    constexpr unsigned digits = layout<Word>::word_bits;
    return hana::concat(
        hana::concat(report<(f.high < f.low), field_has_no_bits<Field::name, bits<f.high, f.low>>>(),
                     report<(f.low <= f.high && !has_bits_below(f, digits)),
                            field_leaves_the_word<Field::name, bits<f.high, f.low>, word_bits<digits>>>()),
        report<!tag_fits(f), tag_does_not_fit<Field::name, value<f.value>, at_most<f.max()>>>());
}

template <class A, class B> consteval auto check_fields(hana::basic_type<A>, hana::basic_type<B>) {
    constexpr auto a = A::description;
    constexpr auto b = B::description;
    return hana::concat(
        hana::concat(report<!bits_are_disjoint(a, b),
                            fields_overlap<A::name, B::name,
                                           bits<smaller_of(a.high, b.high), larger_of(a.low, b.low)>>>(),
                     report<!names_differ(a, b), name_is_given_twice<A::name>>()),
        report<!roles_are_compatible(a, b), role_is_given_twice<a.role, A::name, B::name>>());
}

/// Every pair of positions below Count, the smaller one first. A call of less, and no operator, for g++ 16
/// (docs/compilers.md: operators of Hana).
template <std::size_t Count> consteval auto pairs_of_positions() {
    constexpr auto positions = hana::to_tuple(hana::range_c<std::size_t, 0, Count>);
    return hana::filter(hana::cartesian_product(hana::make_tuple(positions, positions)),
                        [](auto pair) { return hana::less(hana::at_c<0>(pair), hana::at_c<1>(pair)); });
}

/// The defects that the check finds in any two of the items.
template <class... Items> consteval auto check_pairs(auto check) {
    return hana::flatten(hana::transform(pairs_of_positions<sizeof...(Items)>(), [check](auto pair) {
        return check(hana::at(hana::tuple_t<Items...>, hana::at_c<0>(pair)),
                     hana::at(hana::tuple_t<Items...>, hana::at_c<1>(pair)));
    }));
}

consteval auto as_defect_list(auto types) {
    return hana::unpack(
        types, []<class... Defects>(hana::basic_type<Defects>...) { return defect_list<Defects...>{}; });
}

template <class Word, class... Fields>
consteval auto find_defects(std::type_identity<layout<Word, Fields...>>) {
    return as_defect_list(hana::flatten(hana::make_tuple(
        report<!identifier_word<Word>, word_is_no_unsigned_integer<Word>>(), check_field<Word, Fields>()...,
        check_pairs<Fields...>([](auto a, auto b) { return check_fields(a, b); }))));
}

template <class Subject> using defects_of = decltype(find_defects(std::type_identity<Subject>{}));

/// Compiles for a valid layout, and for any other stops with an error that names the fields and the bits.
export template <any_layout Layout> consteval bool verify() {
    if constexpr (!valid_layout<Layout>) return defects_of<Layout>::require();
    return true;
}

/// What is wrong with the layout, in words; empty for a valid one.
export template <any_layout Layout> [[nodiscard]] constexpr std::string_view explain() {
    if constexpr (valid_layout<Layout>)
        return {};
    else
        return defects_of<Layout>::explanation();
}

// What can be wrong with a use of a layout.

template <fixed_string Name> struct unknown_field {};
template <fixed_string... Names> struct fields_are {};
template <fixed_string Name> struct field_is_constant {};

template <class Word, class... Fields>
consteval fields_are<Fields::name...> names_of_fields(std::type_identity<layout<Word, Fields...>>);

template <class Layout> using field_names = decltype(names_of_fields(std::type_identity<Layout>{}));

template <class Defect, class Context = void> inline constexpr bool allowed = false;

/// Stops with an error that names the field when the layout has none of that name.
template <any_layout Layout, fixed_string Name> consteval bool verify_field() {
    if constexpr (!has_field<Layout, Name>)
        static_assert(allowed<unknown_field<Name>, field_names<Layout>>,
                      "the layout has no field of that name");
    return true;
}

/// The same, and the field must be one that varies.
template <any_layout Layout, fixed_string Name> consteval bool verify_variable_field() {
    if constexpr (!has_field<Layout, Name>)
        verify_field<Layout, Name>();
    else if constexpr (field_of<Layout, Name>.constant())
        static_assert(allowed<field_is_constant<Name>>,
                      "a tag or reserved field is the same in every identifier");
    return true;
}

/// Does not compile for a value that no field takes.
template <class Value> consteval bool verify_field_value() {
    static_assert(field_value<Value>, "a field holds a whole number of at most 64 bits: give it an integer, "
                                      "or convert the value to one");
    return true;
}

} // namespace ecs
