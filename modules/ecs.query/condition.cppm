// SPDX-License-Identifier: MIT
// What is asked of an entity beyond "has all of these": alternatives, negations, and both in each other.
//
//   world.query<position>().where(has<frozen>() || !(has<burning>() && has<wet>()))
//
// A condition is a list of single questions and the steps that put their answers together, each behind what
// it needs. The same steps answer for a whole table, where an answer may depend on the row, and for 64 rows
// at once.
export module ecs.query:condition;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.structure;
import :term;

export namespace ecs {

/// One question: whether an entity has an identifier, or whether that has changed. About the entity of the
/// row, unless it says otherwise. A component that is disabled counts as missing.
struct single_condition {
    id word;                  ///< Null when a type says it.
    id (*word_of)(engine&){}; ///< Of that type.
    term_kind kind = term_kind::with;
    id above{};       ///< The relation along which the nearest one is asked for; null: the entity itself.
    bool itself{};    ///< With a relation: the entity itself is the nearest one.
    bool of_other{};  ///< It is about one entity,
    entity subject{}; ///< this one.

    /// Asks one entity, whatever the row is: a condition on the state of a game. Not for changes. One that
    /// has ended has nothing.
    [[nodiscard]] constexpr single_condition of(entity other) const {
        single_condition asked = *this;
        asked.of_other = true;
        asked.subject = other;
        return asked;
    }
    /// Asks whether someone above has it: a parent, grandparent and so on, along the relation. Not for
    /// changes.
    [[nodiscard]] constexpr single_condition up(id relation = child_of) const {
        single_condition asked = *this;
        asked.above = relation;
        asked.itself = false;
        return asked;
    }
    /// Asks whether the entity itself has it, or someone above. Not for changes.
    [[nodiscard]] constexpr single_condition self_or_up(id relation = child_of) const {
        single_condition asked = up(relation);
        asked.itself = true;
        return asked;
    }
};

/// What a condition asks for and how the answers go together; see the head of this file. Made by has and the
/// like, and by `&&`, `||` and `!`, which evaluate both sides.
class condition {
  public:
    /// Answers that wait for others while a condition is evaluated.
    static constexpr std::size_t max_depth = 32;

    enum class step_kind : std::uint8_t { ask, both, either, negated };
    struct step {
        step_kind what{};
        std::size_t asked{}; ///< Number of the question.
    };

    condition(const single_condition& one) : asked_{one}, steps_{{step_kind::ask, 0}} {} // NOLINT

    [[nodiscard]] std::span<const single_condition> asked() const { return asked_; }
    [[nodiscard]] std::span<const step> steps() const { return steps_; }

    /// Both, or at least one, of two. Throws std::invalid_argument when they are nested more than max_depth
    /// deep.
    [[nodiscard]] static condition join(condition one, const condition& other, step_kind how);
    [[nodiscard]] static condition opposite(condition of);

  private:
    std::vector<single_condition> asked_;
    std::vector<step> steps_;
    std::size_t depth_ = 1;
};

[[nodiscard]] inline condition operator&&(const condition& one, const condition& other) {
    return condition::join(one, other, condition::step_kind::both);
}
[[nodiscard]] inline condition operator||(const condition& one, const condition& other) {
    return condition::join(one, other, condition::step_kind::either);
}
[[nodiscard]] inline condition operator!(const condition& of) { return condition::opposite(of); }

/// Whether the entity has it.
[[nodiscard]] constexpr single_condition has(id word) { return {word}; }
template <class T> [[nodiscard]] constexpr single_condition has() { return {{}, &id_of_type<T>}; }

/// The same questions as those of a query's changed, added and removed: since the query last looked.
[[nodiscard]] constexpr single_condition has_changed(id word) { return {word, nullptr, term_kind::changed}; }
template <class T> [[nodiscard]] constexpr single_condition has_changed() {
    return {{}, &id_of_type<T>, term_kind::changed};
}
[[nodiscard]] constexpr single_condition was_added(id word) { return {word, nullptr, term_kind::added}; }
template <class T> [[nodiscard]] constexpr single_condition was_added() {
    return {{}, &id_of_type<T>, term_kind::added};
}
[[nodiscard]] constexpr single_condition was_removed(id word) { return {word, nullptr, term_kind::removed}; }
template <class T> [[nodiscard]] constexpr single_condition was_removed() {
    return {{}, &id_of_type<T>, term_kind::removed};
}

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

/// Puts answers together: ask(number) gives that of a question. At least one step, and no more than
/// condition::max_depth + 1 answers wait.
template <class Answer, class Ask>
[[nodiscard]] Answer evaluate(std::span<const condition::step> steps, const Ask& ask) {
    std::array<Answer, condition::max_depth + 1> waiting{};
    std::size_t count = 0;
    for (const condition::step& s : steps) {
        if (s.what == condition::step_kind::ask) {
            waiting[count++] = ask(s.asked);
        } else if (s.what == condition::step_kind::negated) {
            waiting[count - 1] = ~waiting[count - 1];
        } else {
            --count;
            const Answer one = waiting[count - 1];
            const Answer other = waiting[count];
            waiting[count - 1] = s.what == condition::step_kind::both ? one & other : one | other;
        }
    }
    return waiting[0];
}

} // namespace ecs
