// SPDX-License-Identifier: MIT
// What the values of a component are made of, kept as a component on the component: for structs that
// Boost.Hana knows it is made when the component is registered, for components defined at run time it is
// told.
module;
#include <boost/hana/accessors.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/pair.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>
export module ecs.component:reflection;
import ecs.std;
import :component;

export namespace ecs {

/// A part of a component's value.
struct member {
    std::string name;
    std::string type;
    std::size_t offset{}; ///< Bytes from the start of the value.
    std::size_t size{};   ///< Bytes.

    friend bool operator==(const member&, const member&) = default;
};

/// On a component: the members of its values, in the order of their declaration.
struct reflection {
    std::vector<member> members;
};

/// What world.component takes for a component that exists at run time only, as a script would define it:
/// world.component({.name = "health", .size = 8}). See docs/storage.md.
struct component_description {
    std::string_view name{};
    std::size_t size{}; ///< Bytes of a value; 0 for a tag.
    std::size_t
        alignment{}; ///< Bytes; a power of two. 0 stands for the largest that divides the size, at most 16.
    storage kept_in{};
    value_operations operations{};
    std::vector<member> members{}; ///< What the value is made of, if it is to be known.
};

/// A type whose members Boost.Hana knows: by BOOST_HANA_DEFINE_STRUCT or BOOST_HANA_ADAPT_STRUCT.
template <class T>
concept reflected = requires { boost::hana::accessors_impl<T>::apply(); };

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
