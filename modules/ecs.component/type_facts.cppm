// SPDX-License-Identifier: MIT
// What the compiler knows of the members of a plain aggregate: their names, types and places, without a line
// beside the type.
//
//   struct Health { int now, most; Stance stance; };
//
//   facts_of<Health>   aggregate   parts: 0 -> int, 4 -> int, 8 -> Stance
//   facts_of<Stance>   enumeration of numbers of type int
//
// How many members there are is found by trying: T{{}, {}, {}} compiles as long as there are that many. A
// structured binding names the members, and the name of a function that has their places as template
// arguments spells them. That name is taken apart when it is asked for, which is at run time as a rule:
// translation units that only use a type pay for one such name.
module;
#include <boost/hana/accessors.hpp>
export module ecs.component:type_facts;
import ecs.std;
import :shape;
import :type_name;

export namespace ecs {

/// What is told of a member beside its type: `static constexpr ecs::member_note member_notes[]` in the type,
/// or in a specialisation of component_traits for a type of another library.
struct member_note {
    std::string_view member;
    std::string_view units{}; ///< What a number counts, such as "m/s".
    std::string_view description{};
    double minimum = -std::numeric_limits<double>::infinity(); ///< The least that an editor may set.
    double maximum = std::numeric_limits<double>::infinity();  ///< The most; a text with more is refused.
};

/// How the values of a type are composed.
enum class type_form : std::uint8_t {
    opaque,      ///< Not composed: numbers, texts, and all types of which nothing is known.
    aggregate,   ///< Composed of members.
    enumeration, ///< Numbers with names.
    array,       ///< Composed of elements, as many in each value.
};

struct type_facts;

struct part_facts {
    std::size_t offset{}; ///< Bytes from the start of the value.
    const type_facts* type{};
};

/// See the head of this file. It has pointers and numbers, because all code that uses a type pays for what is
/// in it.
struct type_facts {
    std::string_view name;
    const char* signature = "";  ///< Where the names of members, or of numbers, are spelled.
    const part_facts* parts{};   ///< The members of an aggregate.
    const type_facts* element{}; ///< The element of an array; of an enumeration, the type of its numbers.
    const member_note* notes{};  ///< What the type tells of its members.
    std::size_t size{};          ///< Bytes; 0 where a value has nothing to tell.
    std::size_t count{};         ///< The number of members, elements, or numbers in the signature.
    std::size_t note_count{};
    int first{};     ///< The first of the numbers in the signature.
    bool is_bytes{}; ///< Whether a value is no more than its bytes.
    type_form form{};
};

/// A type whose members Boost.Hana knows: by BOOST_HANA_DEFINE_STRUCT or BOOST_HANA_ADAPT_STRUCT.
template <class T>
concept reflected = requires { boost::hana::accessors_impl<T>::apply(); };

// Names.

// A signature ends with its template arguments:
//
//   clang   [Whole = &x.value, Part = <&x.value.now, &x.value.most>]
//           [E = mood, Value = <mood::good, (mood)1>]
//   g++     [with auto* Whole = (& x.value); auto* ...Part = {(& x.value.t::now), (& x.value.t::most)}]
//           [with E = mood; E ...Value = {mood::good, (mood)1}]
#ifdef __clang__
inline constexpr std::string_view before_parts = ", Part = <";
inline constexpr std::string_view before_values = ", Value = <";
#else
inline constexpr std::string_view before_parts = "...Part = {";
inline constexpr std::string_view before_values = "...Value = {";
#endif

/// The end of the first item of a list: text in brackets belongs to the item.
[[nodiscard]] constexpr std::size_t end_of_item(std::string_view list) {
    constexpr std::string_view opening = "<({", closing = ">)}";
    int depth = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (depth == 0 && (list[i] == ',' || list[i] == '>' || list[i] == '}')) return i;
        if (opening.find(list[i]) != std::string_view::npos) ++depth;
        if (closing.find(list[i]) != std::string_view::npos) --depth;
    }
    return list.size();
}

/// The last part of a qualified name, without the module that g++ writes behind it.
[[nodiscard]] constexpr std::string_view last_name(std::string_view qualified) {
    const std::size_t scope = qualified.rfind("::");
    if (scope != std::string_view::npos) qualified.remove_prefix(scope + 2);
    return qualified.substr(0, qualified.find_first_of("@)"));
}

/// The name of a member of an aggregate.
[[nodiscard]] constexpr std::string_view name_of_part(const type_facts& of, std::size_t place) {
    const std::string_view signature = of.signature;
    const std::size_t parts = signature.rfind(before_parts);
    std::string_view left = signature.substr(parts + before_parts.size());
#ifdef __clang__ // Each item begins with the name of the whole, and a point.
    constexpr std::string_view before_whole = "Whole = ";
    const std::size_t prefix = parts - signature.find(before_whole) - before_whole.size() + 1;
    for (; place != 0; --place) left.remove_prefix(left.find(", ", prefix) + 2);
    return left.substr(prefix, left.find_first_of(",>", prefix) - prefix);
#else
    for (; place != 0; --place) left.remove_prefix(end_of_item(left) + 2);
    return last_name(left.substr(0, end_of_item(left)));
#endif
}

/// The length of the cast with which the list begins, if it begins with a number without a name.
[[nodiscard]] constexpr std::size_t size_of_cast([[maybe_unused]] const type_facts& of,
                                                 std::string_view list) {
    if (list.front() != '(') return 0;
#ifdef __clang__ // A name may begin with (anonymous namespace).
    const std::size_t size = of.name.size() + 2;
    return list.size() > size && list[size - 1] == ')' && list[size] != ':' ? size : 0;
#else
    return end_of_item(list);
#endif
}

/// Calls visit(name, number) for each number that has a name, of those that the signature lists: a number
/// without one is spelled as a cast.
constexpr void for_each_enumerator(const type_facts& of, auto&& visit) {
    if (of.count == 0) return;
    std::string_view left = of.signature;
    left.remove_prefix(left.rfind(before_values) + before_values.size());
    for (std::size_t i = 0; i < of.count; ++i) {
        const std::size_t cast = size_of_cast(of, left);
        const std::size_t end = cast + end_of_item(left.substr(cast));
        if (cast == 0)
            visit(last_name(left.substr(0, end)), std::int64_t{of.first} + static_cast<std::int64_t>(i));
        left.remove_prefix(std::min(end + 2, left.size()));
    }
}

// Aggregates.

template <class T> struct component_traits;

/// A union or struct without a name, whose members count as those around it: it cannot be taken apart.
template <class T>
inline constexpr bool is_nameless = type_name<T>.find("(anonymous union") != std::string_view::npos ||
                                    type_name<T>.find("(anonymous struct") != std::string_view::npos ||
                                    type_name<T>.find("(anonymous class") != std::string_view::npos ||
                                    type_name<T>.find("<unnamed ") != std::string_view::npos;

/// Begins the parts of T that are no members: bases, and unions and structs without a name. It cannot be
/// copied, so that a constructor that takes anything does not take it.
template <class T> struct begins_no_member {
    begins_no_member() = default;
    begins_no_member(const begins_no_member&) = delete;

    template <class U>
        requires((__is_class(U) || __is_union(U)) && !__is_same(U, T) &&
                 (__is_base_of(U, T) || is_nameless<U>))
    operator U() const;
};

/// Begins every part, also those that cannot begin from nothing.
struct begins_anything {
    template <class U> operator U&() const;
    template <class U> operator U&&() const;
};

/// How many members the aggregate has; 0 when it has something that cannot be taken apart, or too many
/// members.
template <class T, std::size_t Known = 0> [[nodiscard]] consteval std::size_t count_members() {
    if constexpr (!takes<T, Known + 1>())
        return takes<T, Known, begins_anything>() ? 0 : Known;
    else if constexpr (Known == parts_max || takes<T, Known, begins_no_member<T>>())
        return 0;
    else
        return count_members<T, Known + 1>();
}

template <class T>
concept is_tuple_like = requires { std::tuple_size<T>::value; };

template <class T> [[nodiscard]] consteval std::size_t members_found() {
    if constexpr (__is_class(T) && __is_aggregate(T) && !reflected<T> && !is_tuple_like<T> &&
                  requires { T{}; })
        return count_members<T>();
    return 0;
}

template <auto* Whole, auto*... Part> [[nodiscard]] consteval const char* signature_of_parts() {
    return __PRETTY_FUNCTION__;
}

/// By the standard, the difference of the addresses of bytes is no constant; clang evaluates it where it is
/// asked whether it can. g++ does not, and compares the place with that of one byte after the other.
template <class T, auto* Part> [[nodiscard]] consteval std::size_t offset_of_part() {
#ifdef __clang__
    const std::ptrdiff_t offset =
        __builtin_constant_p(reinterpret_cast<const volatile char*>(Part) -
                             reinterpret_cast<const volatile char*>(std::addressof(phantom_of<T>.value)))
            ? reinterpret_cast<const volatile char*>(Part) -
                  reinterpret_cast<const volatile char*>(std::addressof(phantom_of<T>.value))
            : -1;
    return offset >= 0 ? static_cast<std::size_t>(offset) : throw "a member without a place";
#else
    std::size_t offset = 0;
    while (static_cast<const volatile void*>(Part) !=
           static_cast<const volatile void*>(phantom_of<T>.bytes + offset))
        ++offset;
    return offset;
#endif
}

template <class T> [[nodiscard]] consteval type_facts find_facts();

/// What is known of the type, whatever type it is.
template <class T> inline constexpr type_facts facts_of = find_facts<T>();

template <std::size_t Count> struct aggregate_facts {
    const char* signature;
    part_facts parts[Count];
};

struct collected_facts {
    /// Not for members to which nothing may be assigned.
    template <class T, auto*... Part>
        requires(!std::is_const_v<std::remove_pointer_t<decltype(Part)>> && ...)
    [[nodiscard]] static consteval aggregate_facts<sizeof...(Part)> from() {
        return {signature_of_parts<std::addressof(phantom_of<T>.value), Part...>(),
                {{offset_of_part<T, Part>(), &facts_of<std::remove_pointer_t<decltype(Part)>>}...}};
    }
};

template <class T, std::size_t Count> inline constexpr auto found_in = split<T, Count, collected_facts>();

template <std::size_t Count> consteval void add_notes(type_facts& to, const member_note (&notes)[Count]) {
    to.notes = notes;
    to.note_count = Count;
}

template <class T> consteval void add_members(type_facts& to) {
    if constexpr (constexpr std::size_t count = members_found<T>(); count != 0) {
        if constexpr (!std::is_void_v<decltype(split<T, count, collected_facts>())>) {
            to.form = type_form::aggregate;
            to.signature = found_in<T, count>.signature;
            to.parts = found_in<T, count>.parts;
            to.count = count;
        }
    }
    if constexpr (requires { component_traits<T>::member_notes; })
        add_notes(to, component_traits<T>::member_notes);
    else if constexpr (requires { T::member_notes; })
        add_notes(to, T::member_notes);
}

/// Whether each note names a member.
[[nodiscard]] constexpr bool notes_name_members(const type_facts& of) {
    for (std::size_t n = 0; n < of.note_count; ++n) {
        std::size_t i = 0;
        while (i < of.count && name_of_part(of, i) != of.notes[n].member) ++i;
        if (i == of.count) return false;
    }
    return true;
}

/// Whether the type is that of a number or an enumeration, or of an array of these.
[[nodiscard]] constexpr bool is_of_numbers(const type_facts& type) {
    const type_facts* of = &type;
    while (of->form == type_form::array) of = of->element;
    if (of->form == type_form::enumeration) return true;
    constexpr auto names = number_types::each([]<class T> { return type_name<T>; });
    return std::ranges::any_of(names, [&](std::string_view name) { return of->name == name; });
}

/// Whether each note with bounds is of a member that numbers can be within.
[[nodiscard]] constexpr bool notes_bound_numbers(const type_facts& of) {
    constexpr double most = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < of.note_count; ++n) {
        const member_note& note = of.notes[n];
        if (note.minimum == -most && note.maximum == most) continue;
        if (!(note.minimum <= note.maximum)) return false;
        for (std::size_t i = 0; i < of.count; ++i)
            if (name_of_part(of, i) == note.member && !is_of_numbers(*of.parts[i].type)) return false;
    }
    return true;
}

// Enumerations.

inline constexpr int enumerator_min = -128;
inline constexpr int enumerator_digits = 8; ///< The largest is 255.

template <class E, E... Value> [[nodiscard]] consteval const char* signature_of_values() {
    return __PRETTY_FUNCTION__;
}

template <class E, int First, std::size_t... I>
[[nodiscard]] consteval const char* signature_from(std::index_sequence<I...>) {
    return signature_of_values<E, static_cast<E>(First + static_cast<int>(I))...>();
}

/// Whether the type of the numbers is stated, so that each number of that type is a value. For others the
/// compiler takes no more than the enumerators need, and there is no way to ask how many these are.
template <class E>
concept has_stated_type = requires(__underlying_type(E) number) { E{number}; };

template <class E> consteval void add_enumerators(type_facts& to) {
    using number = __underlying_type(E);
    to.form = type_form::enumeration;
    to.element = &facts_of<number>;
    if constexpr (has_stated_type<E>) {
        constexpr int digits = std::numeric_limits<number>::digits;
        constexpr int first = std::is_signed_v<number> ? enumerator_min : 0;
        constexpr int last = (1 << (digits < enumerator_digits ? digits : enumerator_digits)) - 1;
        to.first = first;
        to.count = static_cast<std::size_t>(last - first + 1);
        to.signature = signature_from<E, first>(std::make_index_sequence<last - first + 1>());
    }
}

// Any type.

template <class T, std::size_t N> consteval void add_elements(type_facts& to) {
    to.form = type_form::array;
    to.element = &facts_of<T>;
    to.count = N;
}

template <class T> inline constexpr bool is_array_class = false;
template <class T, std::size_t N> inline constexpr bool is_array_class<std::array<T, N>> = N != 0;

/// Whether all values of the type are equal. The bytes of such a member may belong to another member.
template <class T> inline constexpr bool has_one_value = __is_empty(T);
template <class T> inline constexpr bool has_one_value<std::array<T, 0>> = true;

/// The same for types that are composed of others.
[[nodiscard]] consteval bool is_made_of_nothing(const type_facts& of) {
    if (of.form == type_form::array) return of.element->size == 0;
    if (of.form != type_form::aggregate) return false;
    for (std::size_t i = 0; i < of.count; ++i)
        if (of.parts[i].type->size != 0) return false;
    return true;
}

template <class T> consteval type_facts find_facts() {
    type_facts found{.name = type_name<T>,
                     .size = has_one_value<T> ? 0 : sizeof(T),
                     .is_bytes = __is_trivially_copyable(T)};
    if constexpr (__is_array(T))
        add_elements<std::remove_reference_t<decltype(phantom_of<T>.value[0])>,
                     sizeof(T) / sizeof(phantom_of<T>.value[0])>(found);
    else if constexpr (__is_enum(T))
        add_enumerators<T>(found);
    else if constexpr (__is_class(T) && is_array_class<T>)
        add_elements<typename T::value_type, std::tuple_size<T>::value>(found);
    else if constexpr (__is_class(T))
        add_members<T>(found);
    if (is_made_of_nothing(found)) found.size = 0;
    return found;
}

template <class T>
concept tells_notes = requires { component_traits<T>::member_notes; } || requires { T::member_notes; };

/// Whether a value of the type is read as one: a number, an enumeration or a text.
template <class T> [[nodiscard]] consteval bool is_read_as_one() {
    if constexpr (__is_enum(T) || std::same_as<T, std::string>)
        return true;
    else
        return []<class... Number>(type_list<Number...>) {
            return (std::same_as<T, Number> || ...);
        }(number_types());
}

/// The facts of a component type: null when its values are not taken apart, or Boost.Hana takes them apart.
template <class T> [[nodiscard]] consteval const type_facts* facts_to_show() {
    if constexpr (__is_class(T) && __is_aggregate(T) && !std::is_empty_v<T> && !reflected<T>) {
        static_assert(facts_of<T>.note_count == 0 || notes_name_members(facts_of<T>),
                      "a note is of no member that the compiler finds");
        static_assert(facts_of<T>.note_count == 0 || notes_bound_numbers(facts_of<T>),
                      "a note has bounds that no number is within, or bounds for a member that is no number");
        const bool is_known =
            facts_of<T>.form == type_form::aggregate || facts_of<T>.form == type_form::array;
        return is_known ? &facts_of<T> : nullptr;
    } else if constexpr (is_read_as_one<T>()) {
        return &facts_of<T>;
    } else {
        static_assert(!tells_notes<T>, "notes are for types whose members the compiler finds");
        return nullptr;
    }
}

} // namespace ecs
