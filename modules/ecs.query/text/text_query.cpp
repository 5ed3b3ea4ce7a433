// SPDX-License-Identifier: MIT
// What a text query hands out; see text_query.cppm.
module ecs.query;
import ecs.std;
import ecs.component;
import ecs.core;
import ecs.relation;
import ecs.storage;
import ecs.structure;

namespace ecs {

static const text_field& at_number(std::span<const text_field> all, std::size_t field) {
    if (field < all.size()) return all[field];
    throw std::out_of_range("the query has no field " + std::to_string(field) +
                            ": fields are numbered from 0, and their number is " +
                            std::to_string(all.size()));
}

// The query.

/// When the term is refused, the error shows its place.
static void add_joined(joined_query<>& to, const joined_term& t, std::string_view text) {
    try {
        if (t.condition)
            to.where(*t.condition);
        else
            t.optional ? to.optional(*t.word) : to.with(*t.word);
    } catch (const std::invalid_argument& refused) {
        throw query_text_error(text, t.column, refused.what());
    }
}

text_query::text_query(engine& of, std::string_view text) : engine_(&of), subjects_(of) {
    query_compiler compiler(subjects_.untyped(), text);
    compiler.compile();
    fields_ = std::move(compiler.fields());
    if (compiler.joined().empty()) return;
    joined_.emplace(query<>(subjects_));
    joined_terms_ = compiler.joined();
    for (const joined_term& t : joined_terms_) add_joined(*joined_, t, text);
}

text_query::text_query(const text_query& other) = default;
text_query::text_query(text_query&& other) noexcept = default;
text_query& text_query::operator=(const text_query& other) {
    looking().require_no_loop();
    return *this = text_query(other);
}
text_query& text_query::operator=(text_query&& other) noexcept = default;
text_query::~text_query() = default;

/// Without variables, the subject is no matter of a search.
entity& text_query::given_subject(std::string_view variable) {
    if (variable != "this")
        throw std::invalid_argument("no term of the query has a variable \"" + std::string(variable) + "\"");
    looking().require_no_loop();
    return subject_;
}

text_query& text_query::set(std::string_view variable, entity e) {
    if (joined_) {
        joined_->set(variable, e);
        return *this;
    }
    entity& subject = given_subject(variable);
    join::require_value(variable, e);
    subject = engine_->rows().entities().resolve(e);
    return *this;
}

text_query& text_query::unset(std::string_view variable) {
    if (joined_)
        joined_->unset(variable);
    else
        given_subject(variable) = entity();
    return *this;
}

std::vector<found_row> text_query::matches_of_subject(rowless_chunk& room) {
    query_core& core = subjects_.untyped();
    core.prepare_to_find();
    std::vector<found_row> found;
    for (found_row one = core.find_known(subject_, room); one.block; one = core.next_match(one))
        found.push_back(one);
    return found;
}

void text_query::each_of_subject(const std::function<void(const text_match&)>& f) {
    rowless_chunk room; // A loop within this one has its own.
    const std::vector<found_row> found = matches_of_subject(room);
    query_core& core = subjects_.untyped();
    const query_core::loop looping(core, true);
    for (const found_row& here : found) {
        const query_core::handed_rows handed(core, *here.found_in, here.at(), 1);
        f(text_match(*this, here, nullptr));
    }
}

void text_query::each(const std::function<void(const text_match&)>& f, const std::function<void()>& on_step) {
    if (joined_) {
        const auto visit = [&](const auto& one, const bindings& bound) {
            f(text_match(*this, one.at, &bound));
        };
        return joined_->each_match(visit, on_step);
    }
    if (subject_) return each_of_subject(f);
    query_core& core = looking();
    for (row_iterator rows(core, true); rows.next();) {
        const query_core::handed_rows handed(core, *rows.here().found_in, rows.here().at(), 1);
        f(text_match(*this, rows.here(), nullptr));
    }
}

std::size_t text_query::count() {
    if (joined_) return joined_->count();
    rowless_chunk room;
    return subject_ ? matches_of_subject(room).size() : subjects_.count();
}

std::vector<entity> text_query::entities() {
    if (subject_) return std::vector<entity>(count(), subject_);
    if (!joined_) return subjects_.entities();
    std::vector<entity> found;
    joined_->for_each_match([&](const bindings& bound) { found.push_back(bound.subject()); });
    return found;
}

entity text_query::first() {
    if (subject_) return subjects_.contains(subject_) ? subject_ : entity{};
    return joined_ ? joined_->first() : subjects_.first();
}

entity text_query::component_of(std::size_t field) const {
    const text_field& f = at_number(fields_, field);
    return f.kinds ? entity{} : engine_->reads().value_type_of(f.word);
}

std::string text_query::text() const {
    std::string all = subjects_.text();
    for (const joined_term& one : joined_terms_) append_to_list(all, text_of_joined(*engine_, one));
    return all;
}

void add_text(query_core& to, std::string_view text) {
    query_compiler compiler(to, text);
    compiler.compile();
    if (!compiler.joined().empty())
        throw query_text_error(
            text, 0, "a text beside terms that are types has no variables: ask with world.query(text) alone");
}

// A match.

const engine& text_match::engine_of() const { return *of_->engine_; }

const text_field& text_match::field_at(std::size_t field) const { return at_number(of_->fields_, field); }

entity text_match::operator[](std::string_view variable) const {
    if (bound_) return (*bound_)[variable];
    if (variable == "this") return subject();
    throw std::invalid_argument("the query has no variable \"" + std::string(variable) + "\"");
}

fetched_term text_match::fetched_at(const text_field& f) const {
    const query_core& of = of_->looking();
    const fetched_term& found = of.fetched(*at_.found_in)[f.fetched];
    return of.term_at(f.term).kind == term_kind::optional ? query_core::at_row(found, at_.at()) : found;
}

/// The entity whose component is asked for, before entities above are looked at.
entity text_match::asked_of(const text_field& f) const {
    return f.subject ? f.subject : f.variable.empty() ? subject() : (*this)[f.variable];
}

/// The pattern with the values of the pair's variables; null when one of them has none, or the target that
/// the text names has ended.
id text_match::pattern_of(const text_field& f) const {
    if (f.named && !engine_of().rows().entities().alive(f.named)) return {};
    if (f.target.empty() && f.relation.empty()) return f.word;
    const lookup& reads = engine_of().reads();
    const bool any_relation = f.relation.empty() && f.word.relation_index() == 0;
    const entity target = f.target.empty() ? reads.target_of_pair(f.word) : (*this)[f.target];
    if (any_relation) return target ? pair(any, target) : id();
    const entity relation =
        f.relation.empty() ? engine_of().rows().entities().at(f.word.relation_index()) : (*this)[f.relation];
    if (f.target.empty() && !f.named) return relation ? pair(relation, any) : id();
    return target && relation ? pair(relation, target) : id();
}

/// The term of the query that the text's term became; nullptr when it became none.
const term* text_match::term_of(const text_field& f) const {
    const std::size_t known = f.asked != text_field::none ? f.asked : f.term;
    return known != text_field::none ? &of_->looking().term_at(known) : nullptr;
}

/// The entity that the term is about: one above, where it asks there.
entity text_match::found_at(const text_field& f) const {
    const term* const t = term_of(f);
    const entity asked = asked_of(f);
    return t && t->above ? engine_of().reads().nearest(asked, t->above, t->pattern, t->itself) : asked;
}

bool text_match::asks_for_hidden(const text_field& f) const {
    const term* const t = term_of(f);
    return t && t->kind == term_kind::hidden;
}

/// What is found of the pattern. A change may be one of any pair for which it stands: then it is the pattern.
held_value text_match::held_of(const text_field& f, id pattern) const {
    const entity e = found_at(f);
    const term* const t = term_of(f);
    if (t && t->kind >= term_kind::added) return {e, pattern};
    const held_value found = engine_of().reads().match_of(e, pattern, asks_for_hidden(f));
    return found.holder ? found : held_value{e, pattern};
}

/// Which kind of the component the entity has, or inherits; null when it has none.
id text_match::kind_found(const text_field& f) const {
    const lookup& reads = engine_of().reads();
    const entity asked = asked_of(f), leads = engine_of().rows().resolve(is_a).as_entity();
    const auto is_kind = [&](id word) {
        return (word == f.word ||
                (word.is_entity() && reads.leads_to(word.as_entity(), leads, f.word.as_entity()))) &&
               reads.is_enabled(asked, word);
    };
    const table& type = *engine_of().rows().locate(asked).block->owner;
    std::vector<entity> holders{asked};
    if (type.inherits) std::ranges::copy(reads.bases_of(type), std::back_inserter(holders));
    for (const entity holder : holders) {
        const std::vector<id> words = reads.ids_of(holder);
        if (const auto found = std::ranges::find_if(words, is_kind); found != words.end()) return *found;
    }
    return {};
}

/// Of a pattern that the entity matches by an inherited pair that pair: it may have others, of other bases.
id text_match::found_word(const text_field& f) const {
    if (f.kinds) return kind_found(f);
    if (f.fetched == text_field::none) return pattern_of(f);
    const fetched_term found = fetched_at(f);
    return found.base && found.word ? engine_of().reads().pair_behind(found.base, found.word) : pattern_of(f);
}

bool text_match::is_answered(const text_field& f) const {
    return f.asked == text_field::none || of_->looking().answers(f.asked, at_);
}

bool text_match::has(std::size_t field) const {
    const text_field& f = field_at(field);
    if (f.lacks_target) return !engine_of().reads().is_enabled(subject(), f.word);
    return f.asked != text_field::none ? is_answered(f) : static_cast<bool>(source(field));
}

/// What the query itself has found for the term: a pattern where it hands out nothing of that.
id text_match::known_word(const text_field& f) const {
    if (f.fetched == text_field::none) return found_word(f);
    const fetched_term found = fetched_at(f);
    if (found.links) return engine_of().rows().member_at(at_.at(), found.word);
    if (found.base) return found_word(f);
    return found.word && !found.word.is_wildcard() ? found.word : pattern_of(f);
}

id text_match::word(std::size_t field) const {
    const text_field& f = field_at(field);
    if (f.lacks_target || !has(field)) return {};
    const id known = known_word(f);
    return known.is_wildcard() ? held_of(f, known).word : known;
}

entity text_match::source(std::size_t field) const {
    const text_field& f = field_at(field);
    if (f.lacks_target || !is_answered(f)) return {};
    const entity asked = found_at(f);
    const id word = found_word(f);
    if (const term* const t = term_of(f); t && t->above) return source_above(asked, word);
    if (!asked || !word) return {};
    if (f.fetched != text_field::none) {
        const fetched_term found = fetched_at(f);
        if (found.position != table::absent) return asked;
    }
    if (asks_for_hidden(f)) return asked; // Nobody hides what others have.
    if (!engine_of().reads().is_enabled(asked, word)) return {};
    if (word.is_wildcard()) return held_of(f, word).holder;
    return engine_of().owns(asked, word) ? asked : engine_of().reads().held(asked, word).holder;
}

/// Who has what the entity shows, which was found by looking above: itself, or a base.
entity text_match::source_above(entity asked, id word) const {
    if (!asked || !word || word.is_wildcard() || engine_of().owns(asked, word)) return asked;
    const entity holder = engine_of().reads().held(asked, word).holder;
    return holder ? holder : asked;
}

std::byte* text_match::own_value(const text_field& f) const {
    if (f.fetched == text_field::none) return nullptr;
    const fetched_term found = fetched_at(f);
    return found.values && found.position != table::absent && !found.base ? found.values->value(at_.at())
                                                                          : nullptr;
}

const void* text_match::value(std::size_t field) const {
    const text_field& f = field_at(field);
    if (std::byte* const own = own_value(f)) return own;
    const entity holder = source(field);
    const id known = holder ? known_word(f) : id{};
    if (!known) return nullptr;
    const held_value from = known.is_wildcard() ? held_of(f, known) : held_value{holder, known};
    return engine_of().find(from.holder, from.word);
}

void* text_match::value_to_write(std::size_t field) const {
    if (!field_at(field).written)
        throw std::invalid_argument("field " + std::to_string(field) +
                                    " of the query is only read: write [inout] before the term");
    return const_cast<void*>(value(field));
}

void text_match::require_type(std::size_t field, id type, std::string_view name) const {
    const text_field& f = field_at(field);
    const id found = f.word.is_wildcard() || f.kinds ? word(field) : f.word;
    if (!found) return; // Where nothing is found, it is of no type.
    if (type && (found == type || id(engine_of().reads().value_type_of(found)) == type)) return;
    throw std::invalid_argument("field " + std::to_string(field) + " of the query has no values of " +
                                std::string(name));
}

void text_match::refuse_missing(std::size_t field) const {
    engine_of().reads().refuse_access(subject(), pattern_of(field_at(field)),
                                      text_of_word(engine_of(), field_at(field).word, true));
}

} // namespace ecs
