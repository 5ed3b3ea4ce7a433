// SPDX-License-Identifier: MIT
// Which tables may satisfy the terms of a query, and where in a table the value of a term is. Remembers
// nothing: query_core keeps what it finds out.
//
// A term may be about a component and its kinds: all that leads to it by is_a. The kinds are found once, and
// again when a chain of is_a has changed; a table is asked for those that it has, or inherits, and not for
// each kind that there is.
export module ecs.query:matcher;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;
import ecs.structure;
import :condition;
import :term;

export namespace ecs {

/// Whether the term is about a target that has ended: an entity that has its index by now is not meant.
[[nodiscard]] bool has_lost_target(const store& rows, const term& t);

/// See the head of this file. Refers to the terms.
class matcher {
  public:
    matcher(const engine& in, std::span<const term> terms,
            std::span<const query_condition::step> conditions = {})
        : in_(&in), terms_(terms), conditions_(conditions) {}

    /// Whether rows of the table may satisfy all terms.
    [[nodiscard]] bool accepts(const table& candidate) const;
    [[nodiscard]] presence presence_of(const term& t, const table& candidate) const;

    /// Whether rows of the table differ in what comes and goes in place, so that the term has to be asked for
    /// each 64 of them.
    [[nodiscard]] static bool is_partial(const term& t, const table& candidate);

    /// The first position in the type of the table, from `from` on, that the term is about; table::absent
    /// when there is none.
    [[nodiscard]] std::uint32_t next_match(const table& in, const term& t, std::uint32_t from) const;
    /// What the term has at that position.
    [[nodiscard]] fetched_term fetched_at(const term& t, const table& candidate,
                                          std::uint32_t position) const;

    /// Finds out which kinds the component of the term has.
    void learn_kinds(term& t) const;
    /// The kinds in the type of the table, or of one of its bases.
    [[nodiscard]] std::vector<id> kinds_in(const term& t, const table& candidate) const;

  private:
    [[nodiscard]] static bool may_have_beside(const term& t, const table& candidate);
    [[nodiscard]] bool may_satisfy(const term& t, const table& candidate) const;
    [[nodiscard]] bool may_hide(const term& t, const table& candidate) const;
    [[nodiscard]] bool may_satisfy_conditions(const table& candidate) const;
    [[nodiscard]] possible_answers answers_in(const term& t, const table& candidate) const;
    [[nodiscard]] presence presence_above(const term& t, const table& candidate) const;
    [[nodiscard]] bool has_value_of(const term& t, const table& in, std::uint32_t position) const;
    [[nodiscard]] bool is_hidden(const table& candidate) const;
    [[nodiscard]] bool mentions(id word) const;
    [[nodiscard]] bool is_kind(const term& t, id word) const;
    [[nodiscard]] presence presence_of_kinds(const term& t, const table& candidate) const;

    const engine* in_;
    std::span<const term> terms_;
    std::span<const query_condition::step> conditions_;
};

} // namespace ecs
