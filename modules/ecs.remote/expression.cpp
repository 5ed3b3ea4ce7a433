// SPDX-License-Identifier: MIT
// Cuts the text of a query into terms, and replaces names; see expression.cppm.
module ecs.remote;
import ecs.std;
import ecs.world;

namespace ecs::remote {

namespace {

constexpr std::size_t terms_max = 256;

bool is_name_character(char c) {
    const bool letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
    return letter || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':' || c == '/' || c == '-';
}

/// The end of the character or the quotation that begins at that place.
std::size_t end_of_character(std::string_view text, std::size_t at) {
    if (text[at] == '\\') return std::min(at + 2, text.size());
    if (text[at] != '"') return at + 1;
    for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
    return std::min(at + 1, text.size());
}

/// The end of the name that begins at that place.
std::size_t end_of_name(std::string_view text, std::size_t at) {
    while (at < text.size() && (is_name_character(text[at]) || text[at] == '\\'))
        at = end_of_character(text, at);
    return at;
}

/// Whether the word between the two asks for a change: a flag stands behind a bar or alone in brackets.
bool is_flag_of_change(std::string_view before, std::string_view word, std::string_view behind) {
    if (word != "changed" && word != "added" && word != "removed") return false;
    before = trimmed(before);
    if (before.ends_with('|')) return !before.ends_with("||");
    behind = trimmed(behind);
    return before.ends_with('(') && (behind.starts_with(')') || behind.starts_with('|'));
}

bool asks_for_change(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        at = std::max(end_of_name(text, at), end_of_character(text, at));
        if (is_flag_of_change(text.substr(0, begin), text.substr(begin, at - begin), text.substr(at)))
            return true;
    }
    return false;
}

/// Calls visit(part) for each part between the separators that are outside brackets. `||` separates where
/// bars are asked for.
template <class Visit>
void split_outside(std::string_view text, std::string_view opening, std::string_view closing, bool at_bars,
                   Visit visit) {
    std::size_t begin = 0, depth = 0, at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (opening.find(c) != std::string_view::npos) ++depth;
        if (closing.find(c) != std::string_view::npos && depth > 0) --depth;
        const bool bars = at_bars && text.substr(at).starts_with("||");
        if (depth == 0 && (c == ',' || bars)) {
            visit(text.substr(begin, at - begin));
            begin = at + (bars ? 2 : 1);
            at = begin;
            continue;
        }
        at = end_of_character(text, at);
    }
    visit(text.substr(begin));
}

/// Takes `[none]`, `!` and `?` from the front of a term.
std::string_view take_prefixes(asked_term& t, std::string_view text) {
    using demand = asked_term::demand;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const std::size_t end = text.find(']');
        if (text.front() == '[' && end != std::string_view::npos) {
            t.access = std::string(trimmed(text.substr(1, end - 1)));
            text.remove_prefix(end + 1);
        } else if (t.asked == demand::required && (text.front() == '!' || text.front() == '?')) {
            t.asked = text.front() == '!' ? demand::negated : demand::optional;
            text.remove_prefix(1);
        } else {
            break;
        }
    }
    return text;
}

bool stands_alone(std::string_view text) {
    return text.find('{') == std::string_view::npos && text.find("||") == std::string_view::npos;
}

/// Splits "A(s, B)" and "(A, B)" into their words.
void read_words(asked_term& t) {
    const std::string_view text = t.text;
    const std::size_t open = text.find('(');
    std::string_view first = trimmed(text.substr(0, open));
    first = trimmed(first.substr(0, first.find('|')));
    std::vector<std::string_view> inside;
    if (open != std::string_view::npos && text.ends_with(')'))
        split_outside(text.substr(open + 1, text.size() - open - 2), "", "", false,
                      [&](std::string_view part) { inside.push_back(trimmed(part)); });
    if (first.empty() && inside.size() == 2) {
        first = inside[0];
        t.second = std::string(inside[1]);
    } else if (inside.size() == 2) {
        t.subject = std::string(inside[0]);
        t.second = std::string(inside[1]);
    } else if (inside.size() == 1 && inside[0].starts_with('$')) {
        t.subject = std::string(inside[0]);
    }
    if (t.second.ends_with("|self")) t.second.resize(t.second.size() - 5);
    if (t.subject == "$this") t.subject.clear();
    t.first = std::string(first);
}

/// `$this == "Ship"`
bool read_name_test(asked_term& t) {
    std::string_view rest = t.text;
    if (!rest.starts_with("$this")) return false;
    rest = trimmed(rest.substr(5));
    const bool whole = rest.starts_with("==");
    if (!whole && !rest.starts_with("~=")) return false;
    rest = trimmed(rest.substr(2));
    if (rest.size() >= 2 && rest.front() == '"' && rest.back() == '"') rest = rest.substr(1, rest.size() - 2);
    t.what = whole ? asked_term::kind::is_called : asked_term::kind::is_called_like;
    t.part = std::string(rest);
    return true;
}

class reader {
  public:
    reader(const world& of, const name_book& names) : of_(&of), names_(&names) {}

    [[nodiscard]] expression read(std::string_view text) {
        if (trimmed(text).empty())
            refuse(400, "the parameter \"expr\" is expected: a query, as docs/queries.md has them");
        split_outside(text, "({", ")}", false, [&](std::string_view part) { add(part); });
        for (asked_term& t : made_.terms) settle(t);
        return std::move(made_);
    }

  private:
    void add(std::string_view text) {
        if (made_.terms.size() == terms_max)
            refuse(400, "a query has at most " + std::to_string(terms_max) + " terms");
        asked_term t;
        text = take_prefixes(t, text);
        if (text.empty()) refuse(400, "a term is missing before, between or after commas");
        if (asks_for_change(text))
            refuse(400,
                   "a request cannot ask for changes: these are what came since the last loop of a query, "
                   "and each request has a query of its own");
        t.text = std::string(text);
        note_variables(text);
        if (!stands_alone(text)) {
            t.fields = 0;
            split_outside(text, "(", ")", true, [&](std::string_view) { ++t.fields; });
        } else if (!read_name_test(t)) {
            read_words(t);
            read_kind(t);
        }
        made_.terms.push_back(std::move(t));
    }

    void note_variables(std::string_view text) {
        for (std::string& name : variables_in(text))
            if (std::ranges::find(made_.variables, name) == made_.variables.end())
                made_.variables.push_back(std::move(name));
    }

    [[nodiscard]] static std::vector<std::string> variables_in(std::string_view text) {
        std::vector<std::string> found;
        for (std::size_t at = 0; at < text.size(); at = end_of_character(text, at)) {
            if (text[at] != '$') continue;
            std::string name;
            for (std::size_t i = at + 1; i < text.size() && is_name_character(text[i]); ++i) name += text[i];
            if (!name.empty() && name != "this") found.push_back(std::move(name));
        }
        return found;
    }

    /// What can be decided when all terms are known.
    void settle(asked_term& t) const {
        using kind = asked_term::kind;
        if (asks_for_any_target(t) && !is_asked_for(t)) {
            t.what = kind::target_if_any;
            t.relation = names_->require(t.first, '.');
            t.variable = t.second.substr(1);
        }
        if (t.what == kind::plain) t.own = own_text(t);
    }

    [[nodiscard]] static bool asks_for_any_target(const asked_term& t) {
        return t.what == asked_term::kind::plain && t.asked == asked_term::demand::optional &&
               t.second.starts_with('$') && t.subject.empty();
    }

    /// Whether a term that must hold mentions the variable that is the target of this one.
    [[nodiscard]] bool is_asked_for(const asked_term& t) const {
        const std::string name = t.second.substr(1);
        return std::ranges::any_of(made_.terms, [&](const asked_term& other) {
            const std::vector<std::string> mentioned = variables_in(other.text);
            return other.asked == asked_term::demand::required &&
                   std::ranges::find(mentioned, name) != mentioned.end();
        });
    }

    void read_kind(asked_term& t) const {
        using kind = asked_term::kind;
        if (t.first == "$this") {
            t.what = t.second.empty() ? kind::is_had : kind::is_relation;
        } else if (is_unknown(t.first) || is_unknown(t.second)) {
            t.what = kind::nobody;
        } else if (t.subject == "_" && t.second == "$this") {
            t.what = kind::has_sources;
            t.relation = names_->require(t.first, '.');
        }
    }

    /// Whether Flecs has the name, and this world does not.
    [[nodiscard]] bool is_unknown(const std::string& name) const {
        return is_of_flecs(name) && !names_->find(name, '.');
    }

    [[nodiscard]] std::string own_text(const asked_term& t) const {
        using demand = asked_term::demand;
        const std::string access = t.access.empty() ? "" : '[' + t.access + "] ";
        const std::string sign = t.asked == demand::negated ? "!" : t.asked == demand::optional ? "?" : "";
        return access + sign + with_own_names(t.text);
    }

    /// The text with own names, without "|self" of a target, which is what the language means anyhow.
    [[nodiscard]] std::string with_own_names(std::string_view text) const {
        std::string made;
        for (std::size_t at = 0; at < text.size();) {
            const bool begins_name =
                is_name_character(text[at]) || text[at] == '\\' || text[at] == '$' || text[at] == '#';
            if (begins_name) {
                const std::size_t begin = at;
                for (++at; at < text.size() && (is_name_character(text[at]) || text[at] == '\\');)
                    at = end_of_character(text, at);
                at = std::min(at, text.size());
                made += own_word(text.substr(begin, at - begin));
                if (text[begin] == '$' && at - begin > 1 && text.substr(at).starts_with("|self)")) at += 5;
            } else {
                const std::size_t end = end_of_character(text, at);
                made += text.substr(at, end - at);
                at = end;
            }
        }
        return made;
    }

    [[nodiscard]] std::string own_word(std::string_view word) const {
        if (word.front() == '$' || word == "#0" || word == "#") return std::string(word);
        const bool has_escape = word.find('\\') != std::string_view::npos;
        if (word.front() == '#' || has_escape) return numbered(word, names_->find(word, '.'));
        const bool is_known = of_->component_named(word) || of_->lookup(word);
        const std::string_view own = is_known ? std::string_view() : own_name(word);
        return own.empty() ? std::string(word) : std::string(own);
    }

    /// The handle of an entity that was found. A name that was not found stays as it was, so that the error
    /// shows it.
    [[nodiscard]] static std::string numbered(std::string_view word, entity found) {
        if (!found && word.front() == '#') return std::string(word);
        if (!found) return '"' + std::string(word) + '"';
        return '#' + ecs::to_string(found);
    }

    const world* of_;
    const name_book* names_;
    expression made_;
};

} // namespace

std::string expression::own_text() const {
    std::string all;
    for (const asked_term& t : terms)
        if (t.what == asked_term::kind::plain) all += (all.empty() ? "" : ", ") + t.own;
    return all;
}

expression read_expression(const world& of, const name_book& names, std::string_view text) {
    return reader(of, names).read(text);
}

} // namespace ecs::remote
