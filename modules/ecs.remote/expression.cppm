// SPDX-License-Identifier: MIT
// The query of a request, term by term. What the library's own language says goes to world.query as it is,
// with names of Flecs replaced; a few terms that clients send and the language does not have are answered
// beside it, for each entity that the rest finds:
//
//   ?Rel($this, $x)    which target it has, if any     Rel(_, $this)     whether it is somebody's target
//                      and no term asks for $x
//   $this == "Ship"    its name                        $this ~= "Sh"     a part of its name
//   $this(_)           whether somebody has it         $this(_, _)       whether somebody has pairs of it
//   flecs.core.Module  what Flecs has and the library does not: nobody has it
export module ecs.remote:expression;
import ecs.std;
import ecs.world;
import :names;

namespace ecs::remote {

/// A term of a request.
struct asked_term {
    enum class kind : std::uint8_t {
        plain,
        nobody,
        has_sources,
        target_if_any,
        is_called,
        is_called_like,
        is_had,
        is_relation
    };
    enum class demand : std::uint8_t { required, negated, optional };

    kind what{};
    demand asked{};
    std::string access;     ///< "in", "out", "inout", "none", or nothing.
    std::string text;       ///< As it was written, without access and demand.
    std::string own;        ///< The same for world.query.
    std::size_t fields = 1; ///< How many fields of the query the term has.
    std::string first;      ///< The component or the relation; empty for alternatives and braces.
    std::string second;     ///< The target of a pair.
    std::string subject;    ///< The entity that is asked; empty for the entity itself.
    entity relation{};      ///< For has_sources and target_if_any.
    std::string variable{}; ///< For target_if_any.
    std::string part{};     ///< For is_called and is_called_like.

    [[nodiscard]] bool is_compound() const { return first.empty() && what == kind::plain; }
    /// Whether what the term finds is not known before: a pattern, or a pair with a variable.
    [[nodiscard]] bool is_open() const {
        return is_compound() || stands_for_any(first) || stands_for_any(second);
    }
    /// Whether the field of the term may be of another component or pair in each row.
    [[nodiscard]] bool can_vary() const {
        return what == kind::plain ? is_open() : what != kind::is_called && what != kind::is_called_like;
    }
    /// A wildcard, or a variable.
    [[nodiscard]] static bool stands_for_any(std::string_view word) {
        return word == "*" || word == "_" || word.starts_with('$');
    }
};

/// A query as a client asks it.
struct expression {
    std::vector<asked_term> terms;
    std::vector<std::string> variables; ///< In the order in which they are met.

    /// Whether entities that are found may lack what one of the terms asks for.
    [[nodiscard]] bool can_miss_one() const {
        return std::ranges::any_of(
            terms, [](const asked_term& t) { return t.asked != asked_term::demand::required; });
    }

    /// Whether rows may differ in the identifiers by which they were found.
    [[nodiscard]] bool can_vary() const { return std::ranges::any_of(terms, &asked_term::can_vary); }

    /// The text for the library's query.
    [[nodiscard]] std::string own_text() const;
};

/// Throws refused_request when the text cannot be cut into terms; world.query decides whether they make
/// sense.
[[nodiscard]] expression read_expression(const world& of, const name_book& names, std::string_view text);

} // namespace ecs::remote
