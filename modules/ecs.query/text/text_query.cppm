// SPDX-License-Identifier: MIT
// A query that was written as text: its terms are known when the program runs. It is the same query as one of
// types with these terms, and hands out values by the number of the term.
export module ecs.query:text_query;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;
import ecs.structure;
import :found_row;
import :joined_condition;
import :joined_query;
import :joined_word;
import :joins;
import :query;
import :query_core;
import :term;

export namespace ecs {

/// Where a term of the text has its value; a field is the term of that number, counted from 0 in the order of
/// the text.
struct text_field {
    static constexpr std::size_t none = ~std::size_t{0};

    std::size_t term = none;    ///< A term of the query; none for one that only decides.
    std::size_t fetched = none; ///< The place among what the query hands out.
    std::size_t asked = none;   ///< A term of the query that is only a question, or asks for a change.
    id word;                    ///< What was asked for; may be a pattern.
    entity named{};             ///< The target of such a pair: when it has ended, nothing has the pair.
    entity subject{};           ///< The entity that is asked, when it is the same for all rows.
    std::string variable{};     ///< The variable that is asked, if there is one.
    std::string relation{};     ///< The variable that is the relation of the pair.
    std::string target{};       ///< The variable that is the target of the pair.
    bool written{};
    bool kinds{};        ///< Kinds of the word count, too.
    bool lacks_target{}; ///< The term asks that there is no such pair.
};

/// A term with variables, or a condition with variables.
struct joined_term {
    std::optional<joined_word> word;             ///< For a single term,
    std::optional<joined_condition> condition{}; ///< or for a condition.
    bool optional{};
    std::size_t column{}; ///< Of its first term in the text, counted from 0.
};

class text_query;

/// What a loop over a text query hands out: an entity, or one binding of the variables. Valid during the
/// call.
class text_match {
  public:
    /// The entity that the query is about.
    [[nodiscard]] entity subject() const { return at_.owner(); }

    /// What a variable stands for. Throws std::invalid_argument when the query has no such variable.
    [[nodiscard]] entity operator[](std::string_view variable) const;

    // Fields. Each throws std::out_of_range when there are fewer.

    /// Whether the term holds here: for a term that may be missing, that is one of several, or that is
    /// negated, of which it says whether that holds which is negated.
    [[nodiscard]] bool has(std::size_t field) const;
    /// The identifier that the term found, null when it found none: for (likes, *) the pair. For `_`, and
    /// where another entity or an alternative is asked for a pattern, it is one of the pairs there, with a
    /// value if one has some; of a change, it is the pattern.
    [[nodiscard]] id word(std::size_t field) const;
    /// The entity that has it: the entity itself, one above it, a base, the one that the term names, or what
    /// its variable stands for; null when no entity has it.
    [[nodiscard]] entity source(std::size_t field) const;
    /// The value; nullptr for a tag, and where there is none.
    [[nodiscard]] const void* value(std::size_t field) const;
    /// The value, to be written. Throws std::invalid_argument when the term is not [out] or [inout].
    [[nodiscard]] void* value_to_write(std::size_t field) const;

    /// The value as one of its type; nullptr where there is none. With a T that is not const, it may be
    /// written. Throws std::invalid_argument when the value has another type, or may not be written.
    template <class T> [[nodiscard]] T* try_get(std::size_t field) const {
        require_type(field, known_id_of_type<std::remove_const_t<T>>(engine_of()),
                     type_name<std::remove_const_t<T>>);
        if constexpr (std::is_const_v<T>)
            return static_cast<T*>(value(field));
        else
            return static_cast<T*>(value_to_write(field));
    }
    /// The same where there is a value. Throws access_error otherwise.
    template <class T> [[nodiscard]] T& get(std::size_t field) const {
        T* const found = try_get<T>(field);
        if (!found) refuse_missing(field);
        return *found;
    }

  private:
    friend class text_query;
    text_match(text_query& of, const found_row& at, const bindings* bound)
        : of_(&of), at_(at), bound_(bound) {}

    [[nodiscard]] const engine& engine_of() const;
    [[nodiscard]] const text_field& field_at(std::size_t field) const;
    [[nodiscard]] fetched_term fetched_at(const text_field& f) const;
    [[nodiscard]] entity asked_of(const text_field& f) const;
    [[nodiscard]] bool is_answered(const text_field& f) const;
    [[nodiscard]] id pattern_of(const text_field& f) const;
    [[nodiscard]] const term* term_of(const text_field& f) const;
    [[nodiscard]] entity found_at(const text_field& f) const;
    [[nodiscard]] bool asks_for_hidden(const text_field& f) const;
    [[nodiscard]] held_value held_of(const text_field& f, id pattern) const;
    [[nodiscard]] id kind_found(const text_field& f) const;
    [[nodiscard]] id found_word(const text_field& f) const;
    [[nodiscard]] id known_word(const text_field& f) const;
    [[nodiscard]] entity source_above(entity asked, id word) const;
    [[nodiscard]] std::byte* own_value(const text_field& f) const;
    void require_type(std::size_t field, id type, std::string_view name) const;
    [[noreturn]] void refuse_missing(std::size_t field) const;

    text_query* of_;
    found_row at_;
    const bindings* bound_;
};

/// See the head of this file. Made by world::query. Must not outlive its world. Not thread-safe.
class text_query {
  public:
    /// Throws query_text_error when the text is wrong or names what is not there.
    text_query(engine& of, std::string_view text);
    text_query(const text_query& other);
    text_query(text_query&& other) noexcept;
    /// Throws iteration_error while a loop over the query runs.
    text_query& operator=(const text_query& other);
    text_query& operator=(text_query&& other) noexcept;
    ~text_query();

    /// Gives a variable its value in the loops to come, until unset, as joined_query::set. "this" is the
    /// entity that the query is about, which a text without variables has, too. Throws std::invalid_argument
    /// for null, and when no term has the variable.
    text_query& set(std::string_view variable, entity e);
    /// Takes the value back. Throws std::invalid_argument when no term has the variable.
    text_query& unset(std::string_view variable);

    /// Calls f for every match. Changes of structure are refused meanwhile. A query with variables may search
    /// for long before it finds a match: on_step, if there is one, is called now and then meanwhile, and ends
    /// the loop by throwing.
    void each(const std::function<void(const text_match&)>& f, const std::function<void()>& on_step = {});
    /// Does not compile: a text has no types.
    template <class F>
        requires(!callable_with<F, const text_match&>)
    void each(const F&) {
        static_assert(sizeof(F) == 0,
                      "a query that is text alone hands out a const text_match&, whose get<T> "
                      "has the values: take that, or name the types as in query<T>(text)");
    }

    /// Number of matches.
    [[nodiscard]] std::size_t count();
    /// The entities that the matches are about, in the order of each.
    [[nodiscard]] std::vector<entity> entities();
    /// The first of the entities; null when there is none.
    [[nodiscard]] entity first();
    [[nodiscard]] bool empty() { return !first(); }

    /// The number of terms for which a match has a field: all of them.
    [[nodiscard]] std::size_t fields() const { return fields_.size(); }
    /// The component that a field has values of; null for a tag, for a pattern, and for kinds, each of which
    /// has values of its own.
    [[nodiscard]] entity component_of(std::size_t field) const;

    /// The query as text. Names are those of today.
    [[nodiscard]] std::string text() const;

    /// The part that is the same for every query.
    [[nodiscard]] query_core& untyped() { return subjects_.untyped(); }

  private:
    friend class text_match;

    [[nodiscard]] entity& given_subject(std::string_view variable);
    [[nodiscard]] std::vector<found_row> matches_of_subject(rowless_chunk& room);
    void each_of_subject(const std::function<void(const text_match&)>& f);

    /// The query whose loops find the entities: what has changed is what has changed since its last loop.
    [[nodiscard]] query_core& looking() { return joined_ ? joined_->untyped() : subjects_.untyped(); }

    engine* engine_;
    query<> subjects_;
    entity subject_; ///< The only one that is asked; null: all, or there are variables, of which it is one.
    std::optional<joined_query<>> joined_; ///< Set when there are variables.
    std::vector<text_field> fields_;
    std::vector<joined_term> joined_terms_;
};

template <> inline constexpr bool is_service<text_query> = true;

/// Adds the terms of a text to a query of types. Throws query_text_error, for variables as well.
void add_text(query_core& to, std::string_view text);

} // namespace ecs
