// SPDX-License-Identifier: MIT
// What the values of a component are made of, in a form that is read at run time. For plain aggregates the
// compiler finds it, and it is made when it is asked for. For structs that Boost.Hana knows, and for
// components that are described at run time, it is kept as a component on the component.
module;
#include <boost/hana/accessors.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>
export module ecs.component:reflection;
import ecs.std;
import :component;
import :type_facts;
import :type_name;

export namespace ecs {

/// A number of an enumeration, and its name.
struct enumerator {
    std::string name;
    std::int64_t value{};

    bool operator==(const enumerator&) const = default;
};

/// A part of a component's value.
struct member {
    std::string name;
    std::string type;
    std::size_t offset{}; ///< Bytes from the start of the value.
    std::size_t size{};   ///< Bytes.

    std::string units{}; ///< What a number counts, such as "m/s"; empty when nobody said.
    std::string description{};
    double minimum = -std::numeric_limits<double>::infinity(); ///< The least that an editor may set.
    double maximum = std::numeric_limits<double>::infinity();  ///< The most.

    std::vector<enumerator> enumerators{}; ///< For an enumeration, the numbers from -128 to 255.
    std::string number_type{};             ///< For an enumeration, the type of its numbers.
    std::size_t count{};                   ///< For an array, how many elements; else 0.
    std::vector<member> members{};         ///< The parts of the value; for an array, one stands for all.
    bool is_bytes{};                       ///< Whether it is known that a value is no more than its bytes.

    /// The type as people write it: `ecs::entity` and `std::string` where the compiler spells what they are.
    [[nodiscard]] std::string_view written_type() const;

    bool operator==(const member&) const = default;
};

/// On a component: the members of its values, in the order of their declaration. A value that is a number, an
/// enumeration, a text or an array has one member without a name, which is the whole value.
struct reflection {
    std::vector<member> members;
};

/// The member that is the whole value; nullptr where values have members of their own.
[[nodiscard]] inline const member* whole_of(const reflection& of) {
    return of.members.size() == 1 && of.members.front().name.empty() ? &of.members.front() : nullptr;
}

/// What world.component takes for a component that exists at run time only, as a script would define it:
/// world.component({.name = "health", .size = 8}). See docs/storage.md.
struct component_description {
    std::string_view name{};
    std::size_t size{}; ///< Bytes of a value; 0 for a tag.
    /// Bytes; a power of two. 0 stands for the largest that divides the size, at most 16.
    std::size_t alignment{};
    storage kept_in{};
    value_operations operations{};
    std::vector<member> members{}; ///< What the value is made of, if it is to be known.
};

/// What the compiler knows, in the form that is read at run time: made once in a process for each type, and
/// kept. Thread-safe. Throws std::bad_alloc.
[[nodiscard]] const reflection& reflection_of(const type_facts& known);

template <class T, class Name, class Accessor> [[nodiscard]] member member_of() {
    const T& phantom = tag_value<T>(); // Only places are asked for; nothing is read.
    const auto& part = Accessor{}(phantom);
    const auto* const begin = reinterpret_cast<const std::byte*>(std::addressof(phantom));
    const auto* const at = reinterpret_cast<const std::byte*>(std::addressof(part));
    using type = std::remove_cvref_t<decltype(part)>;
    return {Name::c_str(), std::string(type_name<type>), static_cast<std::size_t>(at - begin), sizeof(type)};
}

/// The members of a type, as Boost.Hana tells them.
template <reflected T> [[nodiscard]] reflection reflection_of() {
    return []<class... Name, class... Accessor>(
               std::type_identity<boost::hana::tuple<boost::hana::pair<Name, Accessor>...>>) {
        return reflection{{member_of<T, Name, Accessor>()...}};
    }(std::type_identity<decltype(boost::hana::accessors_impl<T>::apply())>{});
}

} // namespace ecs
