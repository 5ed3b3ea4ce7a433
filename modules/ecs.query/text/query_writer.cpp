// SPDX-License-Identifier: MIT
// Writes a query as text that can be read again; see query_text.cppm for the grammar.
module ecs.query;
import ecs.std;
import ecs.component;
import ecs.core;
import ecs.relation;
import ecs.storage;
import ecs.structure;

namespace ecs {

namespace {

/// Whether the parser reads the text as one name without quotes.
bool is_plain_name(std::string_view name) {
    constexpr std::array other{"_", "self", "up", "cascade", "kind", "hidden", "changed", "added", "removed"};
    const auto fits = [](char c) { return is_name_character(c) && c != '.'; };
    const bool is_number = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    return std::ranges::all_of(name, fits) && !is_number &&
           !std::ranges::any_of(other, [&](const char* word) { return name == word; });
}

std::string written(std::string_view name) {
    return is_plain_name(name) ? std::string(name) : in_quotes(name);
}

/// The part in brackets behind a component: which entity is asked, and what about.
std::string arguments_of(const query_core& of, const term& t) {
    const engine& in = of.of();
    if (t.of_other) return text_of_name(in, t.subject);
    std::string flags = t.kinds                        ? "kind"
                        : t.kind == term_kind::hidden  ? "hidden"
                        : t.kind == term_kind::added   ? "added"
                        : t.kind == term_kind::changed ? "changed"
                        : t.kind == term_kind::removed ? "removed"
                                                       : "";
    if (!t.above) return flags;
    const bool descends = !t.tested && of.cascades_along() == t.above;
    return (t.itself ? "self|" : "") + std::string(descends ? "cascade " : "up ") + text_of_name(in, t.above);
}

/// For a target that has ended, writes the handle, which no entity has again: the index of another entity, or
/// no target, would be another question.
std::string text_of_living(const engine& in, id word, entity target) {
    if (word.kind() == id_kind::value_pair) return std::to_string(word.number());
    if (!target) target = in.reads().target_of_pair(word);
    const bool is_meant = target && (word.is_wildcard() ||
                                     pair(child_of, target).target_generation() == word.target_generation());
    return is_meant ? text_of_name(in, target) : '#' + std::to_string(word.target_index()) + "v0";
}

/// A wildcard that matches each by itself, or all at once.
std::string text_of_any(bool each_one) { return each_one ? "*" : "_"; }

std::string text_of_relation(const engine& in, id word, bool each_one) {
    const entity relation = in.rows().entities().at(word.relation_index());
    return word.relation_index() == 0 ? text_of_any(each_one) : text_of_name(in, relation);
}

std::string text_of_target(const engine& in, id word, bool each_one, entity target) {
    const bool is_any = word.is_wildcard() && word.target_index() == 0;
    return is_any ? text_of_any(each_one) : text_of_living(in, word, target);
}

std::string text_of_term(const query_core& of, const term& t) {
    const std::string arguments = arguments_of(of, t);
    std::string word = text_of_word(of.of(), t.pattern, t.fetched, t.target);
    if (arguments.empty()) return word;
    if (t.pattern.is_entity()) return word + '(' + arguments + ')';
    // "(likes, Bob)" is "likes($this, Bob)" where something is said of the subject.
    const std::string subject = t.of_other ? arguments : "$this|" + arguments;
    return text_of_relation(of.of(), t.pattern, t.fetched) + '(' + subject + ", " +
           text_of_target(of.of(), t.pattern, t.fetched, t.target) + ')';
}

std::string text_of_demand(const query_core& of, const term& t) {
    const bool plain = t.kind == term_kind::with || t.kind == term_kind::optional;
    const std::string access = !plain || t.tested ? "" : t.written ? "[inout] " : t.fetched ? "" : "[none] ";
    const std::string sign = t.kind == term_kind::without ? "!" : t.kind == term_kind::optional ? "?" : "";
    return access + sign + text_of_term(of, t);
}

/// Answers of a condition as text, and how the outermost of them go together.
struct written_part {
    std::string text;
    query_condition::step_kind how = query_condition::step_kind::ask;
};

std::string in_braces(const written_part& part) {
    const bool single =
        part.how == query_condition::step_kind::ask || part.how == query_condition::step_kind::negated;
    return single ? part.text : '{' + part.text + '}';
}

/// Alternatives among terms need no braces. They get none, so that what is written is nested no deeper than
/// what was read.
written_part joined_parts(const written_part& one, const written_part& other,
                          query_condition::step_kind how) {
    const bool all = how == query_condition::step_kind::both;
    const auto text_of = [&](const written_part& part) {
        return all || part.how == how ? part.text : in_braces(part);
    };
    return {text_of(one) + (all ? ", " : " || ") + text_of(other), how};
}

std::string text_of_conditions(const query_core& of) {
    std::vector<written_part> waiting;
    for (const query_condition::step& s : of.conditions()) {
        if (s.what == query_condition::step_kind::ask) {
            waiting.push_back({text_of_demand(of, of.term_at(s.asked))});
        } else if (s.what == query_condition::step_kind::negated) {
            waiting.back() = {'!' + in_braces(waiting.back()), s.what};
        } else {
            const written_part other = std::move(waiting.back());
            waiting.pop_back();
            waiting.back() = joined_parts(waiting.back(), other, s.what);
        }
    }
    return waiting.empty() ? "" : waiting.back().text;
}

} // namespace

std::string text_of_name(const engine& in, entity e) {
    std::string name = in.rows().name_of_component(e);
    if (name.empty()) name = in.reads().path_of(e);
    const entity component = name.empty() ? entity{} : in.rows().component_types().named(name);
    const bool is_found = component ? component == e : !name.empty() && in.reads().find_path(name) == e;
    return is_found ? written(name) : '#' + ecs::to_string(e);
}

std::string text_of_word(const engine& in, id word, bool each_one, entity target) {
    if (word.is_entity()) return text_of_name(in, word.as_entity());
    return '(' + text_of_relation(in, word, each_one) + ", " + text_of_target(in, word, each_one, target) +
           ')';
}

static std::string text_of_joined_word(const engine& in, const joined_word& asked) {
    const auto variable = [](const std::string& name) { return '$' + (name.empty() ? "this" : name); };
    const std::string subject = asked.of_other ? text_of_name(in, asked.other) : variable(asked.subject);
    const std::string sign = asked.negated ? "!" : "";
    if (asked.word.is_entity()) return sign + text_of_name(in, asked.word.as_entity()) + '(' + subject + ')';
    const std::string relation =
        asked.relation.empty() ? text_of_relation(in, asked.word, false) : variable(asked.relation);
    const std::string target =
        asked.target.empty() ? text_of_target(in, asked.word, false, asked.named) : variable(asked.target);
    return sign + relation + '(' + subject + ", " + target + ')';
}

static std::string text_of_part(const engine& in, const condition_tree& said);

/// Where alternatives need no braces.
static std::string text_of_choice(const engine& in, const condition_tree& said) {
    if (said.what != condition_tree::form::either) return text_of_part(in, said);
    std::string text;
    for (const condition_tree& part : said.parts) append_to_list(text, text_of_part(in, part), " || ");
    return text;
}

static std::string text_of_choices(const engine& in, std::span<const condition_tree> all) {
    std::string text;
    for (const condition_tree& part : all) append_to_list(text, text_of_choice(in, part));
    return text;
}

static std::string text_of_part(const engine& in, const condition_tree& said) {
    using form = condition_tree::form;
    if (said.what == form::word) return text_of_joined_word(in, said.word);
    if (said.what == form::negated) return '!' + text_of_part(in, said.parts.front());
    return '{' + (said.what == form::both ? text_of_choices(in, said.parts) : text_of_choice(in, said)) + '}';
}

std::string text_of_joined(const engine& in, const joined_term& t) {
    return t.condition ? text_of_choice(in, t.condition->said())
                       : (t.optional ? "?" : "") + text_of_joined_word(in, *t.word);
}

std::string text_of_query(const query_core& of) {
    std::string all;
    for (const term& t : of.terms())
        if (t.pattern && !t.tested) append_to_list(all, text_of_demand(of, t));
    append_to_list(all, text_of_conditions(of));
    return all;
}

std::string query_core::text() const { return text_of_query(*this); }

} // namespace ecs
