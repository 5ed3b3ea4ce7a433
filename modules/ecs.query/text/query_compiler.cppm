// SPDX-License-Identifier: MIT
// Finds out what the words of a text stand for, and makes terms of them.
export module ecs.query:query_compiler;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.structure;
import :condition;
import :joined_condition;
import :joined_word;
import :query_core;
import :query_text;
import :term;
import :text_query;

export namespace ecs {

/// See the head of this file. Adds the terms to the core; those with variables are for a join.
class query_compiler {
  public:
    query_compiler(query_core& core, std::string_view text) : core_(core), of_(core.of()), text_(text) {}

    /// Throws query_text_error.
    void compile();

    [[nodiscard]] std::vector<text_field>& fields() { return fields_; }
    [[nodiscard]] const std::vector<joined_term>& joined() const { return joined_; }

  private:
    enum class demand : std::uint8_t { required, missing, optional };

    void add_all(const text_node& both);
    void add(const text_node& node);
    void add_single(const text_term& t, demand what);
    void add_own(const text_term& t, demand what);
    void add_plain(const text_term& t, demand what);
    void add_above(const text_term& t, demand what);
    void cascade(const text_term& t, entity along);
    void add_change(const text_term& t, demand what);
    void add_joined(const text_term& t, demand what);
    void add_joined_condition(const text_node& node);
    void add_plain_condition(const text_node& node);
    [[nodiscard]] joined_word joined_word_of(const text_term& t);
    [[nodiscard]] joined_condition joined_condition_of(const text_node& node);
    [[nodiscard]] joined_condition joined_parts_of(const text_node& node);
    void note_variables(const text_term& t, joined_word& asked) const;
    void add_no_target(const text_term& t, demand what);
    void add_condition(const query_condition& asked, std::span<text_field> fields);

    [[nodiscard]] query_condition condition_of(const text_node& node);
    [[nodiscard]] query_condition combined(const text_node& node, bool all);
    [[nodiscard]] single_condition question_of(const text_term& t);
    [[nodiscard]] term_kind kind_of_change(const text_term& t) const;

    [[nodiscard]] id word_of(const text_term& t) const;
    [[nodiscard]] id pair_of_words(const text_term& t) const;
    [[nodiscard]] entity subject_of(const text_term& t) const;
    [[nodiscard]] id relation_above(const text_term& t) const;
    [[nodiscard]] entity named(const text_word& w) const;
    [[nodiscard]] entity indexed(const text_word& w) const;
    [[nodiscard]] entity ending_with(const text_word& w) const;
    [[noreturn]] void refuse_name(const text_word& w) const;
    [[nodiscard]] std::string name_like(std::string_view text) const;
    text_field& new_field(const text_term& t);
    void add_term(text_field& field, term&& made);
    void require_plain_access(const text_term& t) const;

    /// Does the work; when it fails because of a term, the error shows the place of the term.
    template <class Work> auto at(std::size_t column, const Work& work) const;
    [[noreturn]] void fail(std::size_t column, const std::string& what) const;

    query_core& core_;
    engine& of_;
    std::string_view text_;
    std::vector<text_field> fields_;
    std::vector<joined_term> joined_;
    std::optional<std::size_t> cascade_column_; ///< Of the last term that says cascade.
};

/// Names an entity or a component so that the compiler finds it again: its path or name, quoted where
/// necessary, or its index.
[[nodiscard]] std::string text_of_name(const engine& in, entity e);
/// The same for an identifier: a component, or a pair in brackets. Wildcards are `*` where each match counts,
/// `_` where any does. `target`, when it is given, is the target for which the pair was made.
[[nodiscard]] std::string text_of_word(const engine& in, id word, bool each_one, entity target = {});
/// A term with variables.
[[nodiscard]] std::string text_of_joined(const engine& in, const joined_term& t);
/// The terms and conditions of a query.
[[nodiscard]] std::string text_of_query(const query_core& of);

} // namespace ecs
