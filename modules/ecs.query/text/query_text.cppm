// SPDX-License-Identifier: MIT
// Queries as text: what is written, term by term, before it is known what the names stand for.
//
//   Position, [inout] Velocity, !Frozen, (likes, $x), Speed($x) || Slow, (child_of, Fleet)
//
//   query    := terms
//   terms    := choice { ',' choice }
//   choice   := one { '||' one }
//   one      := '!' one | '{' terms '}' | [ access ] [ '!' | '?' ] term
//   term     := '(' word ',' word ')' | word [ flags ] [ '(' arguments ')' ]
//   access   := '[' ( 'in' | 'out' | 'inout' | 'none' ) ']'
//   arguments:= flag list | word [ flags ] [ ',' word ]
//   flags    := '|' flag list
//   flag list:= flag { '|' flag } [ word ]
//   flag     := 'self' | 'up' | 'cascade' | 'kind' | 'hidden' | 'changed' | 'added' | 'removed'
//   word     := name | "quoted name" | '*' | '_' | '$' name | '$' | '#' number [ 'v' number ] | number
//
// The words are those of the query language of Flecs where both have a thing; docs/queries.md says what
// differs.
export module ecs.query:query_text;
import ecs.std;

export namespace ecs {

/// The text of a query is wrong. The message says what was expected, and shows the place.
struct query_text_error : std::invalid_argument {
    query_text_error(std::string_view text, std::size_t at, const std::string& what);

    std::size_t column; ///< The column of the place, in bytes; the first is 1.
};

/// A word of a term.
struct text_word {
    enum class kind : std::uint8_t {
        name,     ///< The name of a component or an entity, which may be a path.
        each_one, ///< `*`: one match for each that is there.
        any_one,  ///< `_`: one match, whichever is there.
        variable, ///< `$x`
        subject,  ///< `$this`, or nothing said: the entity of the row.
        itself,   ///< `$`: the component itself, as of a singleton.
        index,    ///< `#12` or `#12v3`: an entity without a name.
        number,   ///< A number as the target of a pair.
    };

    kind what = kind::subject;
    bool quoted{};
    std::string text{};
    std::uint64_t number{};
    std::optional<std::uint64_t> generation{};
    std::size_t column{};
};

/// What is asked of which entity.
struct text_term {
    enum class access_kind : std::uint8_t { in, out, none };

    text_word first;                 ///< The component, or the relation.
    std::optional<text_word> second; ///< The target of a pair.
    text_word subject;               ///< The entity that has it.
    access_kind access{};
    bool self{};
    bool up{};
    bool cascade{};
    bool kinds{};
    std::string change{};           ///< hidden, changed, added, removed, or nothing.
    std::optional<text_word> along; ///< The relation of up and cascade.
    std::size_t column{};
};

/// A term, or terms together.
struct text_node {
    enum class kind : std::uint8_t { term, both, either, negated, optional };

    kind what{};
    std::vector<text_node> parts{};
    text_term term{};
};

/// Limits, so that no text takes more than its length.
inline constexpr std::size_t max_text_depth = 24;
inline constexpr std::size_t max_text_terms = 256;

/// The terms of a query; `both` of them all. Throws query_text_error. Linear in the length of the text.
[[nodiscard]] text_node parse_query(std::string_view text);

} // namespace ecs

namespace ecs {

/// Whether a name without quotes may have the character.
[[nodiscard]] bool is_name_character(char c);

} // namespace ecs
