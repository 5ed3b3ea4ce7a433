// SPDX-License-Identifier: MIT
// Reads the text of a query; see query_text.cppm for the grammar. Goes down as deep as braces are nested,
// which is limited, and forward only.
module ecs.query;
import ecs.std;

namespace ecs {

bool is_name_character(char c) {
    const bool letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
    return letter || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == ':' || c == '/' || c == '-';
}

namespace {

/// The line around the place, and a mark under it.
std::string shown(std::string_view text, std::size_t at) {
    constexpr std::size_t around = 60;
    const std::size_t first = at > around ? at - around : 0;
    std::string line(text.substr(first, 2 * around));
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return "\n  " + line + "\n  " + std::string(at - first, ' ') + '^';
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class query_parser {
  public:
    explicit query_parser(std::string_view text) : text_(text) {}

    text_node query() {
        skip_spaces();
        if (at_end()) return {text_node::kind::both, {}, {}};
        text_node all = terms();
        if (!at_end()) fail("',' or '||' is expected between terms" + hint());
        return all;
    }

  private:
    /// What is to be written instead of what other languages have between terms.
    std::string hint() const {
        static constexpr std::array<std::pair<std::string_view, const char*>, 7> others{
            {{"&&", ": ',' stands for 'and'"},
             {"and ", ": ',' stands for 'and'"},
             {"or ", ": '||' stands for 'or'"},
             {"<", ": a query asks for no values, which the loop can compare"},
             {">", ": a query asks for no values, which the loop can compare"},
             {"=", ": a query asks for no values, which the loop can compare"},
             {"!", ": ',' stands for 'and'"}}};
        for (const auto& [written, meant] : others)
            if (peek(written)) return meant;
        return {};
    }

    // Structure.

    text_node terms() {
        text_node all{text_node::kind::both, {}, {}};
        do all.parts.push_back(choice());
        while (take(","));
        return all;
    }

    text_node choice() {
        text_node first = one();
        if (!peek("||")) return first;
        text_node any{text_node::kind::either, {}, {}};
        any.parts.push_back(std::move(first));
        while (take("||")) any.parts.push_back(one());
        return any;
    }

    text_node one() {
        if (++depth_ > max_text_depth)
            fail("braces and negations are nested more than " + std::to_string(max_text_depth) + " deep");
        text_node found = take("!")   ? around(text_node::kind::negated, without_braces(one()))
                          : peek("{") ? braces()
                                      : maybe_optional();
        --depth_;
        return found;
    }

    text_node maybe_optional() {
        take_access();
        if (peek("!")) return one();
        return take("?") ? around(text_node::kind::optional, single()) : single();
    }

    text_node braces() {
        if (access_) fail("'[...]' stands before one term, and not before braces");
        expect("{");
        text_node inside = terms();
        expect("}");
        return inside;
    }

    /// Braces around one term have no meaning: the text is written without them, and has to be read as what
    /// is written.
    static text_node without_braces(text_node inside) {
        const bool is_one = inside.what == text_node::kind::both && inside.parts.size() == 1 &&
                            inside.parts.front().what == text_node::kind::term;
        return is_one ? text_node(inside.parts.front()) : inside;
    }

    static text_node around(text_node::kind what, text_node inside) {
        text_node made{what, {}, {}};
        made.parts.push_back(std::move(inside));
        return made;
    }

    text_node single() {
        if (++count_ > max_text_terms)
            fail("a query has at most " + std::to_string(max_text_terms) + " terms");
        return {text_node::kind::term, {}, term()};
    }

    // Terms.

    text_term term() {
        text_term t;
        take_access();
        if (peek("{") || peek("!") || peek("?"))
            fail("one term is expected here, a component or a pair: '?' and '[...]' stand before no braces, "
                 "and '?' beside neither '!' nor '?'");
        t.access = access_.value_or(text_term::access_kind::in);
        access_.reset();
        t.column = at_;
        if (take("(")) {
            t.first = word("a relation");
            expect(",");
            t.second = word("a target");
            expect(")");
            return t;
        }
        t.first = word("a component, '(' of a pair, '!', '?' or '{'");
        if (t.first.text == "not" && !t.first.quoted && !at_end() && is_name_character(text_[at_]))
            fail_at(t.column, "'!' stands for 'not'");
        if (take_single_bar()) flags(t);
        if (take("(")) arguments(t);
        return t;
    }

    void take_access() {
        if (!peek("[")) return;
        if (access_) fail("a term says once what is done with its value, and this is the second time");
        access_ = access();
    }

    text_term::access_kind access() {
        expect("[");
        const std::size_t begin = at_;
        const std::string said = name();
        if (said != "in" && said != "out" && said != "inout" && said != "none")
            fail_at(begin, "'in', 'out', 'inout' or 'none' is expected");
        expect("]");
        return said == "in"     ? text_term::access_kind::in
               : said == "none" ? text_term::access_kind::none
                                : text_term::access_kind::out;
    }

    void arguments(text_term& t) {
        const std::size_t begin = at_;
        text_word first = word("an entity, a variable or 'up'");
        if (is_flag(first)) {
            at_ = begin;
            flags(t);
        } else {
            t.subject = std::move(first);
            if (take_single_bar()) flags(t);
            if (take(",")) t.second = word("a target");
        }
        expect(")");
    }

    static bool is_flag(const text_word& w) {
        constexpr std::array known{"self", "up", "cascade", "kind", "hidden", "changed", "added", "removed"};
        const auto same = [&](const char* flag) { return w.text == flag; };
        return w.what == text_word::kind::name && !w.quoted && std::ranges::any_of(known, same);
    }

    void flags(text_term& t) {
        do flag(t);
        while (take_single_bar());
        const bool has_relation = !at_end() && text_[at_] != ')' && text_[at_] != ',' && text_[at_] != '(' &&
                                  text_[at_] != '}' && text_[at_] != '|';
        if (has_relation && (t.up || t.cascade)) t.along = word("a relation");
    }

    void flag(text_term& t) {
        const std::size_t begin = at_;
        const text_word said =
            word("'self', 'up', 'cascade', 'kind', 'hidden', 'changed', 'added' or 'removed'");
        if (!is_flag(said))
            fail_at(begin, "'self', 'up', 'cascade', 'kind', 'hidden', 'changed', 'added' or 'removed' is "
                           "expected; '||' stands for 'or'");
        if (said.text == "self")
            t.self = true;
        else if (said.text == "up")
            t.up = true;
        else if (said.text == "cascade")
            t.cascade = true;
        else if (said.text == "kind")
            t.kinds = true;
        else if (t.change.empty() || t.change == said.text)
            t.change = said.text;
        else
            fail_at(begin,
                    "a term asks for one kind of change, or for what is hidden: write a term for each");
    }

    // Words.

    text_word word(const std::string& expected) {
        text_word w;
        w.column = at_;
        if (take("*"))
            w.what = text_word::kind::each_one;
        else if (take("$"))
            variable(w);
        else if (take("#"))
            index(w);
        else if (peek("\""))
            quoted(w);
        else
            plain(w, expected);
        skip_spaces();
        return w;
    }

    void variable(text_word& w) {
        w.text = name();
        w.what = w.text.empty()     ? text_word::kind::itself
                 : w.text == "this" ? text_word::kind::subject
                                    : text_word::kind::variable;
    }

    void index(text_word& w) {
        w.what = text_word::kind::index;
        w.number = digits();
        if (at_ < text_.size() && text_[at_] == 'v') {
            ++at_;
            w.generation = digits();
        }
    }

    void quoted(text_word& w) {
        w.what = text_word::kind::name;
        w.quoted = true;
        const std::size_t begin = at_++;
        for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
            if (text_[at_] == '\\') ++at_;
            if (at_ < text_.size()) w.text += text_[at_];
        }
        if (at_ >= text_.size()) fail_at(begin, "the quotation that begins here has no end: '\"' is missing");
        ++at_;
        if (w.text.empty()) fail_at(begin, "a name has at least one character");
    }

    void plain(text_word& w, const std::string& expected) {
        w.text = name();
        if (w.text.empty()) fail_at(w.column, expected + " is expected");
        w.what = w.text == "_" ? text_word::kind::any_one : text_word::kind::name;
        if (!std::ranges::all_of(w.text, is_digit)) return;
        w.what = text_word::kind::number;
        at_ = w.column;
        w.number = digits();
    }

    std::string name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }

    std::uint64_t digits() {
        const std::size_t begin = at_;
        std::uint64_t number = 0;
        for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
            number = number * 10 + static_cast<std::uint64_t>(text_[at_] - '0');
            if (number > 0xFFFF'FFFF) fail_at(begin, "a number here has 32 bits");
        }
        if (at_ == begin) fail("a number is expected");
        return number;
    }

    // Characters.

    bool at_end() const { return at_ == text_.size(); }
    bool peek(std::string_view what) const { return text_.substr(at_).starts_with(what); }

    bool take(std::string_view what) {
        if (!peek(what)) return false;
        at_ += what.size();
        if (what != "$" && what != "#") skip_spaces();
        return true;
    }

    /// `|`, which is no part of `||`.
    bool take_single_bar() { return !peek("||") && take("|"); }

    void expect(std::string_view what) {
        if (!take(what)) fail("'" + std::string(what) + "' is expected");
    }

    void skip_spaces() {
        while (!at_end() &&
               (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
            ++at_;
    }

    [[noreturn]] void fail(const std::string& what) const { fail_at(at_, what); }
    [[noreturn]] void fail_at(std::size_t at, const std::string& what) const {
        throw query_text_error(text_, at, what);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    std::size_t count_ = 0;
    std::optional<text_term::access_kind> access_; ///< Read before `!` or `?`, for the term behind it.
};

} // namespace

query_text_error::query_text_error(std::string_view text, std::size_t at, const std::string& what)
    : std::invalid_argument(what + ", at column " + std::to_string(at + 1) + " of the query" +
                            shown(text, at)),
      column(at + 1) {}

text_node parse_query(std::string_view text) { return query_parser(text).query(); }

} // namespace ecs
