// SPDX-License-Identifier: MIT
// Alternatives and negations in a query with variables:
//
//   where(has<speed>().of(var("x")) || has<slow>())
//
// A condition is kept as alternatives, each of which asks several things at once. A search takes one
// alternative after the other, and each only where those before it do not hold.
export module ecs.query:joined_condition;
import ecs.std;
import :condition;
import :filter;
import :joined_word;
import :term;

export namespace ecs {

/// A condition as it was written, from which texts are made: the alternatives may be many more.
struct condition_tree {
    enum class form : std::uint8_t { word, both, either, negated };

    form what{};
    joined_word word{};                  ///< For a single question.
    std::vector<condition_tree> parts{}; ///< One for a negation, else two or more.

    [[nodiscard]] static condition_tree join(form how, const condition_tree& one,
                                             const condition_tree& other);
};

/// See the head of this file. Made of has, has_id and the like, and of `&&`, `||` and `!`.
class joined_condition {
  public:
    using alternative = std::vector<joined_word>; ///< All of them have to hold.

    /// The most questions in all alternatives together.
    static constexpr std::size_t max_words = 4096;

    joined_condition(joined_word one) // NOLINT
        : alternatives_{{one}}, said_{condition_tree::form::word, std::move(one)} {}

    /// Throws std::invalid_argument for a question about changes or about what is above.
    joined_condition(const single_condition& one) : joined_condition(plain(one)) {} // NOLINT

    /// The same for several without variables. Throws as well when there would be more than max_words.
    joined_condition(const query_condition& several); // NOLINT

    template <class Filter>
        requires is_filter_term<Filter>
    joined_condition(const Filter&) // NOLINT
        : joined_condition(
              of_filter(typename filter_traits<Filter>::components{}, filter_traits<Filter>::kind)) {}

    [[nodiscard]] std::span<const alternative> alternatives() const { return alternatives_; }
    [[nodiscard]] const condition_tree& said() const { return said_; }

    // Each throws std::invalid_argument when there would be more than max_words questions.

    [[nodiscard]] static joined_condition both(const joined_condition& one, const joined_condition& other);
    [[nodiscard]] static joined_condition either(joined_condition one, const joined_condition& other);
    [[nodiscard]] static joined_condition opposite(const joined_condition& of);

  private:
    joined_condition() = default;
    [[nodiscard]] static joined_word plain(const single_condition& one);
    [[nodiscard]] static joined_condition opposite_of_all(const alternative& words);
    void require_few() const;

    template <class... T> [[nodiscard]] static joined_condition of_filter(term_list<T...>, term_kind kind) {
        static_assert(sizeof...(T) > 0, "a filter that is a condition asks for a component");
        const bool missing = kind == term_kind::without;
        const auto one = [&](id (*word_of)(engine&)) {
            joined_word asked = plain(single_condition{{}, word_of, missing ? term_kind::with : kind});
            asked.negated = missing;
            return joined_condition(std::move(asked));
        };
        return (one(&id_of_type<T>) && ...);
    }

    std::vector<alternative> alternatives_;
    condition_tree said_;
};

/// Whether a type is a condition with variables.
template <class T>
concept has_variables = std::same_as<T, joined_word> || std::same_as<T, joined_condition>;

template <class A, class B>
    requires(has_variables<A> || has_variables<B>)
[[nodiscard]] joined_condition operator&&(const A& one, const B& other) {
    return joined_condition::both(one, other);
}
template <class A, class B>
    requires(has_variables<A> || has_variables<B>)
[[nodiscard]] joined_condition operator||(const A& one, const B& other) {
    return joined_condition::either(one, other);
}
template <std::same_as<joined_condition> Condition>
[[nodiscard]] joined_condition operator!(const Condition& of) {
    return joined_condition::opposite(of);
}

} // namespace ecs
