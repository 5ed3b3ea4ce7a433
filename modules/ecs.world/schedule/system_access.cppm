// SPDX-License-Identifier: MIT
// What a system reads and writes, from the types of its parameters: which systems may run side by side is
// known to the compiler.
//
//   const T&, const T*, T     reads T
//   T&, T*                    writes T
//   has<T>, without<T>        nothing: who has T changes between phases alone
//   changed<T>, added<T>, removed<T>   reads T
//   query<Terms...>&          reads and writes what its terms say
//   resource<const T>, resource<T>     reads, or writes, T
//   const world&              reads everything
//   world&                    is alone with the world
//   entity, commands&, const tick&, executor&   concern no other system but those that take world&
export module ecs.world:system_access;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.query;
import :commands;
import :resource;
import :world;

namespace ecs {

/// The time of a run of a schedule, for systems that ask for it.
export struct tick {
    double seconds{};       ///< Since the last run; for a fixed step, its step.
    std::uint64_t number{}; ///< The number of the run, from 0 on.
};

template <> inline constexpr bool is_service<tick> = true;
template <> inline constexpr bool is_service<executor> = true;

/// What a system does with a component.
template <class Component, bool Writes> struct access {
    using component = Component;
    static constexpr bool writes = Writes;
};

template <class... Access> struct access_list {};

/// Everything, for systems that take the world.
struct whole_world {};

/// Which entities there are and what they have: only world& changes it while systems run, and every other
/// system relies on it, whatever its function uses.
struct world_structure {};

template <class... Lists> struct joined;
template <> struct joined<> {
    using type = access_list<>;
};
template <class... A> struct joined<access_list<A...>> {
    using type = access_list<A...>;
};
template <class... A, class... B, class... Rest>
struct joined<access_list<A...>, access_list<B...>, Rest...> : joined<access_list<A..., B...>, Rest...> {};

/// An empty type has nothing to write to.
template <class T, bool Writes>
using access_of_component =
    access_list<access<std::remove_const_t<T>, Writes && !std::is_empty_v<value_of<T>>>>;

/// The accesses of a term of a query: T, const T, T*, const T*.
template <class Term> struct term_access {
    using type = access_of_component<Term, !std::is_const_v<Term>>;
};
template <class Term> struct term_access<Term*> {
    using type = access_of_component<Term, !std::is_const_v<Term>>;
};
template <> struct term_access<entity> {
    using type = access_list<>;
};
template <> struct term_access<const entity> {
    using type = access_list<>;
};

template <std::size_t N> struct term_access<matched_nth<N>> {
    using type = access_list<>;
};
/// The relation is no access: which entity is above another changes between phases alone.
template <class T, class R> struct term_access<up<T, R>> : term_access<T> {};
template <class T, class R> struct term_access<self_or_up<T, R>> : term_access<T> {};

/// What has happened to a component is written by systems that write the component; which entities have it
/// does not change beside other systems.
template <class Filter> struct filter_access {
    using type = access_list<>;
};
template <class... T> struct filter_access<changed<T...>> {
    using type = access_list<access<T, false>...>;
};
template <class... T> struct filter_access<added<T...>> : filter_access<changed<T...>> {};
template <class... T> struct filter_access<removed<T...>> : filter_access<changed<T...>> {};
template <class Term>
    requires is_filter_term<Term>
struct term_access<Term> : filter_access<std::remove_const_t<Term>> {};

/// The accesses of a parameter of a system.
template <class Parameter> struct parameter_access {
    using type = access_of_component<Parameter, false>;
    static constexpr bool is_term = true;
};
template <class T> struct parameter_access<T&> : term_access<T> {
    static constexpr bool is_term = true;
};
template <class T> struct parameter_access<T*> : term_access<T*> {
    static constexpr bool is_term = true;
};
template <> struct parameter_access<entity> : term_access<entity> {
    static constexpr bool is_term = true;
};
template <> struct parameter_access<const entity&> : term_access<entity> {
    static constexpr bool is_term = true;
};
template <class Filter>
    requires is_filter_term<Filter>
struct parameter_access<Filter> : term_access<Filter> {
    static constexpr bool is_term = true;
};
template <> struct parameter_access<commands&> {
    using type = access_list<>;
    static constexpr bool is_term = false;
};
template <> struct parameter_access<const tick&> {
    using type = access_list<>;
    static constexpr bool is_term = false;
};
template <> struct parameter_access<tick> : parameter_access<const tick&> {};
template <> struct parameter_access<executor&> : parameter_access<const tick&> {};
template <> struct parameter_access<world&> {
    using type = access_list<access<whole_world, true>>;
    static constexpr bool is_term = false;
};
template <> struct parameter_access<const world&> {
    using type = access_list<access<whole_world, false>>;
    static constexpr bool is_term = false;
};
template <class... Terms> struct parameter_access<query<Terms...>&> {
    using type = typename joined<typename term_access<Terms>::type...>::type;
    static constexpr bool is_term = false;
};

template <class T> struct parameter_access<resource<T>> {
    using type = access_of_component<T, !std::is_const_v<T>>;
    static constexpr bool is_term = false;
};
template <class T> struct parameter_access<const resource<T>&> : parameter_access<resource<T>> {};

template <class List> struct access_of_parameters;
template <class... P> struct access_of_parameters<term_list<P...>> {
    using type = typename joined<typename parameter_access<P>::type...>::type;
};

/// The parameters of a system as they are written.
template <class F> using parameters_of = typename parameters<std::remove_cvref_t<F>>::written;

template <class F> using access_of_system = typename access_of_parameters<parameters_of<F>>::type;

/// The same, with what every system relies on besides.
template <class F>
using full_access_of_system =
    typename joined<access_of_system<F>, access_list<access<world_structure, false>>>::type;

/// Whether two things that systems use may be the same: the whole world may be any component.
template <class A, class B> inline constexpr bool may_be_same = may_be_one<A, B>;
template <class T> inline constexpr bool may_be_same<whole_world, T> = true;
template <class T> inline constexpr bool may_be_same<T, whole_world> = true;
template <> inline constexpr bool may_be_same<whole_world, whole_world> = true;

template <class A, class B>
inline constexpr bool accesses_conflict =
    (A::writes || B::writes) && may_be_same<typename A::component, typename B::component>;

/// The first component that both lists use and one of them writes; empty when there is none.
template <class First, class... B>
[[nodiscard]] consteval std::string_view conflict_with_one(access_list<B...>) {
    std::string_view found;
    static_cast<void>(
        ((accesses_conflict<First, B> && (found = type_name<typename B::component>, true)) || ...));
    return found;
}
template <class... A, class List>
[[nodiscard]] consteval std::string_view first_conflict(access_list<A...>, List list) {
    std::string_view found;
    static_cast<void>(((found = conflict_with_one<A>(list), !found.empty()) || ...));
    return found;
}

/// Two systems of a list that may not run side by side, and a component in which they conflict.
export struct conflict {
    std::size_t first;
    std::size_t second;
    std::string_view component;
};

template <class... System> [[nodiscard]] consteval auto conflict_table() {
    constexpr std::size_t systems = sizeof...(System);
    std::array<std::array<std::string_view, systems>, systems> found{};
    std::size_t row = 0;
    const auto fill = [&]<class A>(A list) {
        std::size_t at = 0;
        ((found[row][at++] = first_conflict(list, full_access_of_system<System>{})), ...);
        ++row;
    };
    (fill(full_access_of_system<System>{}), ...);
    return found;
}

template <class... System> [[nodiscard]] consteval std::size_t count_conflicts() {
    const auto found = conflict_table<System...>();
    std::size_t count = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t j = i + 1; j < found.size(); ++j) count += !found[i][j].empty();
    return count;
}

template <class... System> [[nodiscard]] consteval auto list_conflicts() {
    const auto found = conflict_table<System...>();
    std::array<conflict, count_conflicts<System...>()> list{};
    std::size_t at = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t j = i + 1; j < found.size(); ++j)
            if (!found[i][j].empty()) list[at++] = {i, j, found[i][j]};
    return list;
}

/// All pairs of these systems that may not run side by side, by their places in the list: for a schedule
/// whose systems are fixed, a static_assert can say what is expected.
export template <class... System> inline constexpr auto conflicts = list_conflicts<System...>();

/// Whether all of these systems may run side by side: none writes what another one uses.
export template <class... System> inline constexpr bool parallel_safe = count_conflicts<System...>() == 0;

} // namespace ecs
