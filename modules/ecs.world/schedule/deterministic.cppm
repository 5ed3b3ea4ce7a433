// SPDX-License-Identifier: MIT
// Systems whose order does not matter, as a law that the compiler checks. When it does not hold, the first
// error names two of them and what is between them:
//
//   static_assert(ecs::deterministic<decltype(move), decltype(bounce)>);
//   because 'order_does_not_matter<order_of<(lambda at ...), (lambda at ...), velocity>>' evaluated to false
export module ecs.world:deterministic;
import ecs.std;
import ecs.query;
import :commands;
import :system_access;

namespace ecs {

/// The commands that systems record: they are applied in the order in which the systems were added.
struct recorded_commands {};

// A system that reads the world sees nothing of what is recorded.
template <> inline constexpr bool may_be_same<whole_world, recorded_commands> = false;
template <> inline constexpr bool may_be_same<recorded_commands, whole_world> = false;

template <class List> inline constexpr bool takes_commands = false;
template <class... P>
inline constexpr bool takes_commands<term_list<P...>> = (std::is_same_v<P, commands&> || ...);

/// The accesses for which the order of a system may matter.
template <class F>
using ordered_access_of_system =
    typename joined<full_access_of_system<F>,
                    std::conditional_t<takes_commands<parameters_of<F>>,
                                       access_list<access<recorded_commands, true>>, access_list<>>>::type;

/// The first component in which an access conflicts with one of a list, or one list of accesses with another;
/// void when there is none.
template <class A, class List> struct conflict_in {
    using type = void;
};
template <class A, class B, class... Rest>
struct conflict_in<A, access_list<B, Rest...>>
    : std::conditional_t<accesses_conflict<A, B>, std::type_identity<typename B::component>,
                         conflict_in<A, access_list<Rest...>>> {};
template <class List, class Other> struct conflict_among {
    using type = void;
};
template <class A, class... Rest, class Other>
struct conflict_among<access_list<A, Rest...>, Other>
    : std::conditional_t<std::is_void_v<typename conflict_in<A, Other>::type>,
                         conflict_among<access_list<Rest...>, Other>, conflict_in<A, Other>> {};

template <class First, class Second>
using conflict_of_systems =
    typename conflict_among<ordered_access_of_system<First>, ordered_access_of_system<Second>>::type;

/// Two systems, and the component for which their order matters.
template <class First, class Second, class Component> struct order_of {};

/// The first order that matters between a system and others, or among the others; void when there is none.
template <class First, class... Others> struct order_against {
    using type = void;
};
template <class First, class Second, class... Others>
struct order_against<First, Second, Others...>
    : std::conditional_t<std::is_void_v<conflict_of_systems<First, Second>>, order_against<First, Others...>,
                         std::type_identity<order_of<First, Second, conflict_of_systems<First, Second>>>> {};
template <class... System> struct order_among {
    using type = void;
};
template <class First, class... Others>
struct order_among<First, Others...>
    : std::conditional_t<std::is_void_v<typename order_against<First, Others...>::type>,
                         order_among<Others...>, order_against<First, Others...>> {};

template <class Order>
concept order_does_not_matter = std::is_void_v<Order>;

/// No two of the systems conflict: none writes what another one uses, at most one of them records commands,
/// and none takes the world beside others. So they do the same in whatever order, and on whichever threads,
/// they run. The types of their parameters prove it: what a function reaches in another way, such as by a
/// capture, is not looked at.
export template <class... System>
concept deterministic = order_does_not_matter<typename order_among<System...>::type>;

} // namespace ecs
