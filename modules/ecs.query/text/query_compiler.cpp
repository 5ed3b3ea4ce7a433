// SPDX-License-Identifier: MIT
// From the words of a text to terms; see query_compiler.cppm.
module ecs.query;
import ecs.std;
import ecs.component;
import ecs.relation;
import ecs.storage;
import ecs.structure;

namespace ecs {

namespace {

bool has_variable(const text_term& t) {
    using kind = text_word::kind;
    const auto is_one = [](const text_word& w) {
        return w.what == kind::variable || w.what == kind::subject;
    };
    return t.subject.what == kind::variable || (t.second && (is_one(t.first) || is_one(*t.second)));
}

bool has_variable(const text_node& n) {
    if (n.what == text_node::kind::term) return has_variable(n.term);
    return std::ranges::any_of(n.parts, [](const text_node& part) { return has_variable(part); });
}

std::size_t column_of(const text_node& n) {
    return n.what == text_node::kind::term ? n.term.column : column_of(n.parts.front());
}

bool is_above(const text_term& t) { return t.up || t.cascade; }

/// The name in small letters, words apart: `ChildOf` becomes `child_of`.
std::string in_snake_case(std::string_view name) {
    std::string text;
    for (const char c : name) {
        const bool is_large = c >= 'A' && c <= 'Z';
        if (is_large && !text.empty() && text.back() != '_') text += '_';
        text += is_large ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

std::string_view without_namespace(std::string_view name) {
    const std::size_t end = name.rfind("::");
    return end == std::string_view::npos ? name : name.substr(end + 2);
}

/// How many letters have to be put in, left out or replaced to make one of the other (Wagner and Fischer,
/// 1974). The product of their lengths.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (const char letter : a) {
        std::size_t before = row[0]++;
        for (std::size_t n = 0; n != b.size(); ++n) {
            const std::size_t kept = before + static_cast<std::size_t>(letter != b[n]);
            before = row[n + 1];
            row[n + 1] = std::min({row[n] + 1, before + 1, kept});
        }
    }
    return row.back();
}

/// `(child_of, #0)`: there is no target.
bool asks_for_no_target(const text_term& t) {
    return t.second && t.second->what == text_word::kind::index && t.second->number == 0 &&
           !t.second->generation;
}

constexpr const char* no_target_elsewhere =
    "'#0', no target, is asked for in a term of its own, without flags and of the entity itself: elsewhere "
    "write '!' before the term, and the target '_'";

} // namespace

void query_compiler::fail(std::size_t column, const std::string& what) const {
    throw query_text_error(text_, column, what);
}

template <class Work> auto query_compiler::at(std::size_t column, const Work& work) const {
    try {
        return work();
    } catch (const query_text_error&) {
        throw;
    } catch (const std::invalid_argument& refused) {
        fail(column, refused.what());
    }
}

void query_compiler::compile() {
    add_all(parse_query(text_));
    if (cascade_column_ && !joined_.empty())
        fail(*cascade_column_, "the answers of a query with variables come in no order: write 'up' in place "
                               "of 'cascade', and put what the loop finds in order");
}

void query_compiler::add_all(const text_node& both) {
    for (const text_node& part : both.parts) add(part);
}

void query_compiler::add(const text_node& node) {
    using kind = text_node::kind;
    const auto is_single = [](const text_node& n) { return n.parts.front().what == kind::term; };
    if (node.what == kind::term) return add_single(node.term, demand::required);
    if (node.what == kind::optional) return add_single(node.parts.front().term, demand::optional);
    if (node.what == kind::negated && is_single(node))
        return add_single(node.parts.front().term, demand::missing);
    if (node.what == kind::both) return add_all(node);
    at(column_of(node), [&] { has_variable(node) ? add_joined_condition(node) : add_plain_condition(node); });
}

void query_compiler::add_plain_condition(const text_node& node) {
    const std::size_t first = fields_.size();
    const query_condition asked = condition_of(node);
    add_condition(asked, std::span(fields_).subspan(first));
}

/// The fields are those of the questions, in their order.
void query_compiler::add_condition(const query_condition& asked, std::span<text_field> fields) {
    std::size_t question = core_.terms().size();
    for (text_field& field : fields) field.asked = question++;
    core_.add_condition(asked);
}

void query_compiler::add_single(const text_term& t, demand what) {
    at(t.column, [&] {
        if (has_variable(t)) return add_joined(t, what);
        if (t.subject.what != text_word::kind::subject) return add_own(t, what);
        if (!t.change.empty()) return add_change(t, what);
        if (asks_for_no_target(t)) return add_no_target(t, what);
        return is_above(t) ? add_above(t, what) : add_plain(t, what);
    });
}

// Terms about the entity of the row.

void query_compiler::add_plain(const text_term& t, demand what) {
    text_field& field = new_field(t);
    const bool each_one = t.first.what == text_word::kind::each_one ||
                          (t.second && t.second->what == text_word::kind::each_one);
    const bool fetches = what != demand::missing && !t.kinds && t.access != text_term::access_kind::none &&
                         (each_one || !field.word.is_wildcard());
    const term_kind kind = what == demand::required  ? term_kind::with
                           : what == demand::missing ? term_kind::without
                                                     : term_kind::optional;
    if (!fetches) require_plain_access(t);
    field.kinds = t.kinds;
    if (t.kinds) return core_.add_kinds(field.word, kind);
    term made{query_core::require_asked(field.word), kind, fetches};
    made.written = fetches && t.access == text_term::access_kind::out;
    field.written = made.written;
    add_term(field, std::move(made));
}

void query_compiler::add_above(const text_term& t, demand what) {
    if (t.kinds)
        fail(t.column, "kinds are asked of the entity itself: say up and kind in a term of their own");
    if (what == demand::missing) {
        require_plain_access(t);
        return add_condition(!query_condition(question_of(t)), {&new_field(t), 1});
    }
    text_field& field = new_field(t);
    const id along = relation_above(t);
    term above{query_core::require_asked(field.word),
               what == demand::optional ? term_kind::optional : term_kind::with,
               t.access != text_term::access_kind::none};
    above.above = query_core::require_relation(of_.rows().resolve(along));
    above.itself = t.self;
    above.written = t.access == text_term::access_kind::out;
    field.written = above.written;
    if (t.cascade) cascade(t, above.above);
    add_term(field, std::move(above));
}

void query_compiler::cascade(const text_term& t, entity along) {
    const entity before = core_.cascades_along();
    if (before && before != along)
        fail(t.column, "the loop goes from parents to children along one relation, which a term before has "
                       "named: write 'up' in place of 'cascade' in one of the two");
    cascade_column_ = t.column;
    core_.cascade(along);
}

void query_compiler::add_change(const text_term& t, demand what) {
    require_plain_access(t);
    if (is_above(t) || t.kinds)
        fail(t.column, "changes are asked of the entity itself: say up and kind in a term of their own");
    const single_condition asked = question_of(t);
    text_field& field = new_field(t);
    if (what == demand::optional)
        fail(t.column, asked.kind == term_kind::hidden
                           ? "what may or may not be hidden says nothing: leave '?' out"
                           : "a change that may or may not have been says nothing: leave '?' out");
    if (what == demand::missing) return add_condition(!query_condition(asked), {&field, 1});
    field.asked = core_.terms().size();
    core_.add_term({query_core::require_asked(field.word), asked.kind}); // One of its own, also where equal.
}

void query_compiler::add_no_target(const text_term& t, demand what) {
    require_plain_access(t);
    if (is_above(t) || t.kinds) fail(t.second->column, no_target_elsewhere);
    if (what == demand::optional) fail(t.column, "no target that may be missing says nothing: leave '?' out");
    text_term any_target = t;
    any_target.second->what = text_word::kind::any_one;
    text_field& field = new_field(any_target);
    field.lacks_target = true;
    core_.add_filter(what == demand::missing ? term_kind::with : term_kind::without, field.word);
}

// Terms about other entities.

void query_compiler::add_own(const text_term& t, demand what) {
    require_plain_access(t);
    const single_condition asked = question_of(t);
    core_.require_question(asked);
    text_field& field = new_field(t);
    field.subject = asked.subject;
    if (what == demand::optional) return;
    core_.add_condition(what == demand::missing ? !query_condition(asked) : query_condition(asked));
}

void query_compiler::add_joined(const text_term& t, demand what) {
    joined_word asked = joined_word_of(t);
    asked.negated = what == demand::missing;
    joined_.push_back({std::move(asked), std::nullopt, what == demand::optional, t.column});
}

joined_word query_compiler::joined_word_of(const text_term& t) {
    require_plain_access(t);
    if (is_above(t) || t.kinds || !t.change.empty())
        fail(t.column, "a term beside variables is about what the entity has now and itself: no flags");
    text_term known = t;
    joined_word asked;
    note_variables(t, asked);
    if (!asked.relation.empty()) known.first.what = text_word::kind::any_one;
    if (!asked.target.empty()) known.second->what = text_word::kind::any_one;
    text_field& field = new_field(known);
    field.subject = asked.other;
    field.variable = asked.subject;
    field.relation = asked.relation;
    field.target = asked.target;
    asked.word = field.word;
    asked.named = field.named;
    return asked;
}

void query_compiler::note_variables(const text_term& t, joined_word& asked) const {
    using kind = text_word::kind;
    if (t.subject.what == kind::variable)
        asked.subject = t.subject.text;
    else if (t.subject.what != kind::subject)
        asked = asked.of(subject_of(t));
    const auto variable_in = [](const text_word& w) {
        return w.what == kind::variable ? w.text : w.what == kind::subject ? std::string("this") : "";
    };
    if (!t.second) return;
    asked.relation = variable_in(t.first);
    asked.target = variable_in(*t.second);
}

// Conditions with variables.

void query_compiler::add_joined_condition(const text_node& node) {
    joined_.push_back({std::nullopt, joined_condition_of(node), false, column_of(node)});
}

joined_condition query_compiler::joined_condition_of(const text_node& node) {
    using kind = text_node::kind;
    if (node.what == kind::negated) return !joined_condition_of(node.parts.front());
    if (node.what == kind::optional)
        fail(node.parts.front().term.column, "a term that may be missing decides nothing: leave '?' out");
    if (node.what != kind::term) return joined_parts_of(node);
    return at(node.term.column, [&] { return joined_condition(joined_word_of(node.term)); });
}

joined_condition query_compiler::joined_parts_of(const text_node& node) {
    joined_condition made = joined_condition_of(node.parts.front());
    for (const text_node& part : std::span(node.parts).subspan(1))
        made = node.what == text_node::kind::both
                   ? joined_condition::both(made, joined_condition_of(part))
                   : joined_condition::either(std::move(made), joined_condition_of(part));
    return made;
}

// Conditions.

query_condition query_compiler::condition_of(const text_node& node) {
    using kind = text_node::kind;
    if (node.what == kind::negated) return !condition_of(node.parts.front());
    if (node.what == kind::optional)
        fail(node.parts.front().term.column, "a term that may be missing decides nothing: leave '?' out");
    if (node.what != kind::term) return combined(node, node.what == kind::both);
    return at(node.term.column, [&] {
        require_plain_access(node.term);
        const single_condition asked = question_of(node.term);
        core_.require_question(asked);
        new_field(node.term).subject = asked.subject;
        return query_condition(asked);
    });
}

query_condition query_compiler::combined(const text_node& node, bool all) {
    query_condition made = condition_of(node.parts.front());
    for (const text_node& part : std::span(node.parts).subspan(1))
        made = all ? std::move(made) && condition_of(part) : std::move(made) || condition_of(part);
    return made;
}

single_condition query_compiler::question_of(const text_term& t) {
    if (t.kinds) fail(t.column, "kinds are asked for in a term of their own, not in an alternative");
    if (t.cascade)
        fail(t.column, "cascade is an order of all that is found: say it in a term of its own, and up here");
    single_condition asked = has_id(word_of(t));
    asked.kind = kind_of_change(t);
    if (is_above(t)) asked = t.self ? asked.self_or_up(relation_above(t)) : asked.up(relation_above(t));
    return t.subject.what == text_word::kind::subject ? asked : asked.of(subject_of(t));
}

term_kind query_compiler::kind_of_change(const text_term& t) const {
    return t.change.empty()        ? term_kind::with
           : t.change == "hidden"  ? term_kind::hidden
           : t.change == "added"   ? term_kind::added
           : t.change == "changed" ? term_kind::changed
                                   : term_kind::removed;
}

// Words.

id query_compiler::word_of(const text_term& t) const {
    if (t.second) return at(t.column, [&] { return pair_of_words(t); });
    if (t.first.what == text_word::kind::each_one || t.first.what == text_word::kind::any_one)
        fail(t.first.column, "'*' and '_' stand in pairs only: (likes, *)");
    if (t.first.what == text_word::kind::number)
        fail(t.first.column, "a number is the target of a pair only: (level, 3)");
    return named(t.first);
}

id query_compiler::pair_of_words(const text_term& t) const {
    if (asks_for_no_target(t)) fail(t.second->column, no_target_elsewhere);
    const auto is_any = [](const text_word& w) {
        return w.what == text_word::kind::each_one || w.what == text_word::kind::any_one;
    };
    const bool any_target = is_any(*t.second);
    if (is_any(t.first) && t.second->what == text_word::kind::number)
        fail(t.second->column, "a number is the target of a relation that is named: (level, 3)");
    if (is_any(t.first)) return any_target ? pair(any, any) : pair(any, named(*t.second));
    const entity relation = named(t.first);
    if (any_target) return pair(relation, any);
    if (t.second->what == text_word::kind::number) return value_pair(relation, t.second->number);
    return pair(relation, named(*t.second));
}

entity query_compiler::subject_of(const text_term& t) const {
    return t.subject.what == text_word::kind::itself ? named(t.first) : named(t.subject);
}

id query_compiler::relation_above(const text_term& t) const {
    return t.along ? id(named(*t.along)) : of_.rows().resolve(child_of);
}

entity query_compiler::named(const text_word& w) const {
    if (w.what == text_word::kind::index) return indexed(w);
    if (w.what != text_word::kind::name)
        fail(w.column,
             "a name is expected: a variable is a target, a relation or whom a term is about, as in "
             "(likes, $x), ($r, bob) or rich($x)");
    if (const entity component = of_.rows().component_types().named(w.text)) return component;
    if (const entity found = of_.reads().find_path(w.text)) return found;
    std::string with_slashes = w.text;
    std::ranges::replace(with_slashes, '.', '/');
    if (const entity found = of_.reads().find_path(with_slashes)) return found;
    return ending_with(w);
}

/// A component whose name ends with "::" and the word: a component in a namespace.
entity query_compiler::ending_with(const text_word& w) const {
    entity found;
    for (const entity component : of_.reads().components()) {
        const std::string name = of_.rows().name_of_component(component);
        if (!name.ends_with("::" + w.text)) continue;
        if (found)
            fail(w.column, "\"" + w.text + "\" is the name of " + of_.rows().name_of_component(found) +
                               " and of " + name + ": write the whole name");
        found = component;
    }
    if (!found) refuse_name(w);
    return found;
}

void query_compiler::refuse_name(const text_word& w) const {
    const std::string text = "nothing is named \"" + w.text + '"';
    if (w.text.starts_with('-')) fail(w.column, text + ": a number has no sign");
    const std::string like = name_like(w.text);
    fail(w.column, text + (like.empty() ? ": a" : "; did you mean " + like + "? A") +
                       " component has a name from its first use on, an entity by set_name");
}

/// The name of a component or of what every world has, that may have been meant; empty where none is alike.
std::string query_compiler::name_like(std::string_view text) const {
    const std::string asked = in_snake_case(text);
    std::string nearest;
    std::size_t least = asked.size() / 4 + 1; // One letter of four may be wrong.
    const auto consider = [&](std::string_view name) {
        const std::string known = in_snake_case(name);
        const std::size_t shorter = std::min(asked.size(), known.size());
        const std::size_t longer = std::max(asked.size(), known.size());
        if (longer - shorter >= least) return; // A long text is not compared with all names.
        const std::size_t wrong = distance(asked, known);
        if (wrong >= least) return;
        least = wrong;
        nearest = name;
    };
    if (of_.reads().find_path(asked)) consider(asked);
    for (const entity component : of_.reads().components())
        consider(without_namespace(of_.rows().name_of_component(component)));
    return nearest;
}

entity query_compiler::indexed(const text_word& w) const {
    const entity found =
        w.number < 0xFFFF'FFFF ? of_.rows().entities().at(static_cast<std::uint32_t>(w.number)) : entity{};
    const bool lives = found && of_.rows().entities().alive(found);
    if (!lives || (w.generation && found.generation() != *w.generation))
        fail(w.column,
             "no entity that is alive has this index" + std::string(w.generation ? " and generation" : ""));
    return found;
}

void query_compiler::add_term(text_field& field, term&& made) {
    field.term = core_.terms().size();
    if (made.fetched)
        field.fetched = static_cast<std::size_t>(std::ranges::count(core_.terms(), true, &term::fetched));
    core_.add_term(std::move(made));
}

text_field& query_compiler::new_field(const text_term& t) {
    const id word = word_of(t);
    const bool names_target = word.is_pair() && word.target_index() != 0;
    fields_.push_back({.word = word, .named = names_target ? of_.reads().target_of_pair(word) : entity{}});
    return fields_.back();
}

void query_compiler::require_plain_access(const text_term& t) const {
    if (t.access == text_term::access_kind::out)
        fail(t.column, "[out] and [inout] are for values of the entity itself or of what is above it");
}

} // namespace ecs
