// SPDX-License-Identifier: MIT
// Variables in what a query asks: which entities like something, and what that something has.
//
//   pair(likes, var("x"))              whatever the entity likes
//   pair(var("r"), bob)                whatever relation it has to Bob
//   pair(var("r"), any)                whatever relation it has to anybody
//   has<speed>().of(var("x"))          a condition about what it likes
export module ecs.query:joined_word;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.structure;

export namespace ecs {

/// A variable of a query: the same name stands for the same entity in every term.
struct variable {
    std::string_view name;
};

/// The variable of that name; "this", or no name, is the entity that the query is about.
[[nodiscard]] constexpr variable var(std::string_view name) {
    return {name.empty() ? std::string_view("this") : name};
}

/// A pair in which a variable is the relation, the target, or both are variables.
struct pair_with_variable {
    id word;                     ///< With a wildcard in the place of each variable.
    std::string_view relation{}; ///< A variable; empty: what the word says.
    std::string_view target{};   ///< A variable; empty: what the word says.
};
/// The pairs of the relation: the variable stands for their target.
[[nodiscard]] constexpr pair_with_variable pair(id relation, variable target) {
    return {pair(relation, any), {}, target.name};
}
/// The pairs with the target: the variable stands for their relation.
[[nodiscard]] constexpr pair_with_variable pair(variable relation, id target) {
    return {pair(any, target), relation.name, {}};
}
/// The pairs with whatever target: the variable stands for their relation.
[[nodiscard]] constexpr pair_with_variable pair(variable relation, any_t) {
    return {pair(any, any), relation.name, {}};
}
/// All pairs: one variable stands for the relation, the other for the target.
[[nodiscard]] constexpr pair_with_variable pair(variable relation, variable target) {
    return {pair(any, any), relation.name, target.name};
}

/// What is asked of one entity in a query with variables.
struct joined_word {
    id word{};                ///< Null when a type says it; a wildcard stands for each variable.
    id (*word_of)(engine&){}; ///< Gives the identifier of that type.
    std::string subject{};    ///< The variable that is asked; empty: the entity that the query is about.
    bool of_other{};          ///< One entity is asked, whatever the variables stand for:
    entity other{};           ///< this one.
    std::string relation{};   ///< A variable; empty: what the word says.
    std::string target{};     ///< A variable; empty: what the word says.
    entity named{};           ///< The target of a word of a text: later owners of its index are not meant.
    bool negated{};

    joined_word() = default;
    explicit joined_word(id asked) : word(asked) {}
    explicit joined_word(id (*asked)(engine&)) : word_of(asked) {}
    joined_word(const pair_with_variable& asked) // NOLINT
        : word(asked.word), relation(asked.relation), target(asked.target) {}

    /// The same question about the entity for which the variable stands.
    [[nodiscard]] joined_word of(variable one) const {
        joined_word asked = *this;
        asked.subject = one.name;
        asked.of_other = false;
        return asked;
    }
    /// The same question about one entity.
    [[nodiscard]] joined_word of(entity one) const {
        joined_word asked = *this;
        asked.of_other = true;
        asked.other = one;
        return asked;
    }
    [[nodiscard]] joined_word operator!() const {
        joined_word asked = *this;
        asked.negated = !negated;
        return asked;
    }
};

/// A question about a pair with variables, for conditions: has_id(pair(likes, var("x"))).
[[nodiscard]] inline joined_word has_id(const pair_with_variable& word) { return word; }

} // namespace ecs
