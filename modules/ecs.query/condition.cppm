// SPDX-License-Identifier: MIT
// Questions about an entity beyond "has all of these": alternatives, negations, and both in each other.
//
//   world.query<position>().where(has<frozen>() || !(has<burning>() && has<wet>()))
//
// A condition is a list of single questions and the steps that combine their answers; each step stands behind
// what it needs. The same steps answer for a whole table, where an answer may depend on the row, and for 64
// rows at once.
export module ecs.query:condition;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.structure;
import :filter;
import :term;

export namespace ecs {

class query_condition;
[[nodiscard]] inline query_condition operator&&(query_condition one, const query_condition& other);

/// What a condition asks for and how the answers are combined; see the head of this file. Made by filters
/// such as has, and by `&&`, `||` and `!`, which evaluate both sides.
class query_condition {
  public:
    /// How deep conditions may be nested: so many answers are kept while one is evaluated.
    static constexpr std::size_t max_depth = 32;

    enum class step_kind : std::uint8_t { ask, both, either, negated };
    struct step {
        step_kind what{};
        std::size_t asked{}; ///< The number of the question.
    };

    query_condition(const single_condition& one) : asked_{one}, steps_{{step_kind::ask, 0}} {} // NOLINT

    /// has<A, B>() is a condition, and so are the other filters: of several components all have to hold.
    template <class Filter>
        requires is_filter_term<Filter>
    query_condition(const Filter&)
        : query_condition(of_filter(typename filter_traits<Filter>::components{},
                                    filter_traits<Filter>::kind)) {} // NOLINT

    [[nodiscard]] std::span<const single_condition> asked() const { return asked_; }
    [[nodiscard]] std::span<const step> steps() const { return steps_; }

    /// A condition that holds when both, or at least one, of two conditions hold. Throws
    /// std::invalid_argument when they are nested more than max_depth deep.
    [[nodiscard]] static query_condition join(query_condition one, const query_condition& other,
                                              step_kind how);
    [[nodiscard]] static query_condition opposite(query_condition of);

  private:
    template <class... T> [[nodiscard]] static query_condition of_filter(term_list<T...>, term_kind kind) {
        static_assert(sizeof...(T) > 0, "a filter that is a condition asks for a component");
        const bool missing = kind == term_kind::without;
        const auto one = [=](id (*word_of)(engine&)) {
            const query_condition asked(single_condition{{}, word_of, missing ? term_kind::with : kind});
            return missing ? opposite(asked) : asked;
        };
        return (one(&id_of_type<T>) && ...);
    }

    std::vector<single_condition> asked_;
    std::vector<step> steps_;
    std::size_t depth_ = 1;
};

[[nodiscard]] inline query_condition operator&&(query_condition one, const query_condition& other) {
    return query_condition::join(std::move(one), other, query_condition::step_kind::both);
}
[[nodiscard]] inline query_condition operator||(query_condition one, const query_condition& other) {
    return query_condition::join(std::move(one), other, query_condition::step_kind::either);
}
[[nodiscard]] inline query_condition operator!(const query_condition& of) {
    return query_condition::opposite(of);
}

/// Whether the entity has an identifier that is known at run time.
[[nodiscard]] constexpr single_condition has_id(id word) { return {word}; }

/// What is known of an answer when rows may differ. Kleene's three values, as two bits.
struct possible_answers {
    bool yes{};
    bool no{};

    [[nodiscard]] friend constexpr possible_answers operator&(possible_answers a, possible_answers b) {
        return {a.yes && b.yes, a.no || b.no};
    }
    [[nodiscard]] friend constexpr possible_answers operator|(possible_answers a, possible_answers b) {
        return {a.yes || b.yes, a.no && b.no};
    }
    [[nodiscard]] friend constexpr possible_answers operator~(possible_answers a) { return {a.no, a.yes}; }
};

/// Combines answers: ask(number) returns the answer to a question. There is at least one step, and no more
/// than query_condition::max_depth + 1 answers wait.
template <class Answer, class Ask>
[[nodiscard]] Answer evaluate(std::span<const query_condition::step> steps, const Ask& ask) {
    std::array<Answer, query_condition::max_depth + 1> waiting{};
    std::size_t count = 0;
    for (const query_condition::step& s : steps) {
        if (s.what == query_condition::step_kind::ask) {
            waiting[count++] = ask(s.asked);
        } else if (s.what == query_condition::step_kind::negated) {
            waiting[count - 1] = ~waiting[count - 1];
        } else {
            --count;
            const Answer one = waiting[count - 1];
            const Answer other = waiting[count];
            waiting[count - 1] = s.what == query_condition::step_kind::both ? one & other : one | other;
        }
    }
    return waiting[0];
}

} // namespace ecs
