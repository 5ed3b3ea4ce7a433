// SPDX-License-Identifier: MIT
// Filters as types: what an entity must have, or lack, without a value of it being handed out. They stand
// among the terms of a query, and among the parameters of a function from which terms are read.
//
//   query<position, without<frozen>>
//   [](position& p, has<player>, changed<velocity>) {}     the arguments are empty objects, which say nothing
//   query<position>().where(has<player>() || !has<frozen>().up())                    as conditions
export module ecs.query:filter;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
import :joined_word;
import :term;

export namespace ecs {

/// One question: whether an entity has an identifier, or whether that has changed. The question is about the
/// entity of the row, unless it says otherwise. A component that is disabled counts as missing.
struct single_condition {
    id word;                  ///< Null when a type says it.
    id (*word_of)(engine&){}; ///< Gives the identifier of that type.
    term_kind kind = term_kind::with;
    id above{};       ///< The relation along which the nearest entity is asked; null: the entity itself.
    bool itself{};    ///< With a relation: the entity itself is asked first.
    bool of_other{};  ///< The question is about one entity,
    entity subject{}; ///< this one.

    /// Asks one entity, whatever the row is: a condition on the state of a game. Not for changes. An entity
    /// that has ended has nothing.
    [[nodiscard]] constexpr single_condition of(entity other) const {
        single_condition asked = *this;
        asked.of_other = true;
        asked.subject = other;
        return asked;
    }
    /// Asks whether the entity for which a variable stands has it now: for queries with variables.
    template <std::same_as<variable> Variable> [[nodiscard]] joined_word of(Variable other) const {
        return (word_of ? joined_word(word_of) : joined_word(word)).of(other);
    }
    /// Asks whether an entity above has it: a parent, grandparent and so on, along the relation. Not for
    /// changes.
    [[nodiscard]] constexpr single_condition up(id relation = child_of) const {
        single_condition asked = *this;
        asked.above = relation;
        asked.itself = false;
        return asked;
    }
    /// Asks whether the entity itself has it, or an entity above. Not for changes.
    [[nodiscard]] constexpr single_condition self_or_up(id relation = child_of) const {
        single_condition asked = up(relation);
        asked.itself = true;
        return asked;
    }

    /// Ask for changes since the query last looked, as query::changed, added and removed.
    [[nodiscard]] constexpr single_condition changed() const { return with_kind(term_kind::changed); }
    [[nodiscard]] constexpr single_condition added() const { return with_kind(term_kind::added); }
    [[nodiscard]] constexpr single_condition removed() const { return with_kind(term_kind::removed); }

    [[nodiscard]] constexpr single_condition with_kind(term_kind asked_for) const {
        single_condition asked = *this;
        asked.kind = asked_for;
        return asked;
    }
};

/// Only entities that have all of these.
template <class... T> struct has {
    // Makes a condition about another entity than that of the row: see single_condition.

    [[nodiscard]] constexpr single_condition of(entity other) const
        requires(sizeof...(T) == 1)
    {
        return single().of(other);
    }
    template <std::same_as<variable> Variable>
        requires(sizeof...(T) == 1)
    [[nodiscard]] joined_word of(Variable other) const {
        return single().of(other);
    }
    [[nodiscard]] constexpr single_condition up(id relation = child_of) const
        requires(sizeof...(T) == 1)
    {
        return single().up(relation);
    }
    [[nodiscard]] constexpr single_condition self_or_up(id relation = child_of) const
        requires(sizeof...(T) == 1)
    {
        return single().self_or_up(relation);
    }

  private:
    [[nodiscard]] static constexpr single_condition single() {
        return single_condition{{}, (&id_of_type<T>, ...)};
    }
};

/// Only entities that have none of these.
template <class... T> struct without {};

/// Only entities that have each of these components themselves and hide it: see world::disable.
template <class... T> struct hidden {};

// Changes of all of these since the query last looked: see query::changed, added and removed.

/// Only entities that show another value of each of these components.
template <class... T> struct changed {};

/// Only entities that got each of these components themselves and have it still.
template <class... T> struct added {};

/// Only entities that lost each of these components themselves, whether they have it again or not.
template <class... T> struct removed {};

/// What a filter asks, and of which components.
template <class Term> struct filter_traits {
    static constexpr bool is_filter = false;
    static constexpr bool asks_for_news = false;
};
template <term_kind Kind, class... T> struct filter_of_kind {
    static constexpr bool is_filter = true;
    static constexpr bool asks_for_news = Kind >= term_kind::added;
    static constexpr term_kind kind = Kind;
    using components = term_list<T...>;
};
template <class Term> struct filter_traits<const Term> : filter_traits<Term> {};
template <class... T> struct filter_traits<has<T...>> : filter_of_kind<term_kind::with, T...> {};
template <class... T> struct filter_traits<without<T...>> : filter_of_kind<term_kind::without, T...> {};
template <class... T> struct filter_traits<hidden<T...>> : filter_of_kind<term_kind::hidden, T...> {};
template <class... T> struct filter_traits<changed<T...>> : filter_of_kind<term_kind::changed, T...> {};
template <class... T> struct filter_traits<added<T...>> : filter_of_kind<term_kind::added, T...> {};
template <class... T> struct filter_traits<removed<T...>> : filter_of_kind<term_kind::removed, T...> {};

template <class Term> inline constexpr bool is_filter_term = filter_traits<Term>::is_filter;

/// Whether the term asks for what has happened since the query last looked.
template <class Term> inline constexpr bool asks_for_news = filter_traits<Term>::asks_for_news;
template <class List> inline constexpr bool lists_news = false;
template <class... Terms>
inline constexpr bool lists_news<term_list<Terms...>> = (asks_for_news<Terms> || ...);

template <class List> inline constexpr bool lists_filters = false;
template <class... Terms>
inline constexpr bool lists_filters<term_list<Terms...>> = (is_filter_term<Terms> || ...);

template <class Term>
    requires is_filter_term<Term>
inline constexpr bool is_service<Term> = true;

// A filter is a term that has no value.

template <class Term>
    requires is_filter_term<Term>
struct term_traits<Term> {
    using component = void;
    using value = void;
    static constexpr term_kind kind = term_kind::optional;
    using argument = std::remove_const_t<Term>;
};
template <class Term>
    requires is_filter_term<Term>
inline constexpr bool reads_only<Term> = true;
template <class Term>
    requires is_filter_term<Term>
inline constexpr bool is_outside_row<Term> = true;
template <class Term>
    requires is_filter_term<Term>
struct term_of_parameter<Term> {
    using type = Term;
};

template <class Term>
    requires is_filter_term<Term>
class cursor<Term> {
  public:
    cursor(chunk*, const fetched_term&) {}
    [[nodiscard]] std::remove_const_t<Term> operator[](std::uint32_t) const { return {}; }
};

/// The places, among the terms, of the terms that hand something out.
template <class... Terms> struct handed_places {
    using type = std::index_sequence_for<Terms...>;
};
template <class... Terms>
    requires(is_filter_term<Terms> || ...)
struct handed_places<Terms...> : chosen_places<!is_filter_term<Terms>...> {};

} // namespace ecs
