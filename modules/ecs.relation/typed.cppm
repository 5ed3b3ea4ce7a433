// SPDX-License-Identifier: MIT
// Pairs whose sides are types: pair_of<Expiry, HealthBuff> is the component Expiry, once for each component
// it is about.
export module ecs.relation:typed;
import ecs.std;

namespace ecs {

/// The type that stands for any relation or any target in pair_of.
export struct wildcard {};

/// The pair of two component types. Its data is the relation's, or the target's when the relation is empty.
export template <class Relation, class Target> struct pair_of {
    using relation = Relation;
    using target = Target;
};

template <class T> inline constexpr bool is_pair_type = false;
template <class R, class T> inline constexpr bool is_pair_type<pair_of<R, T>> = true;

/// A specialisation of pair_of.
export template <class T>
concept pair_type = is_pair_type<std::remove_const_t<T>>;

template <class T> struct component_value {
    using type = T;
};
template <class R, class T> struct component_value<pair_of<R, T>> {
    using type = std::conditional_t<std::is_empty_v<R> && !std::is_same_v<T, wildcard>, T, R>;
};
template <class R, class T> struct component_value<const pair_of<R, T>> {
    using type = const typename component_value<pair_of<R, T>>::type;
};

/// The type of the value behind a component: the type itself, or what a pair stores. Keeps const.
export template <class T> using value_of = typename component_value<T>::type;

} // namespace ecs
