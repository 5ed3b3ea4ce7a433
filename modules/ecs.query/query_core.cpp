// SPDX-License-Identifier: MIT
// What a query asks, and what it answers without a loop.
module ecs.query;
import ecs.std;
import ecs.storage;

namespace ecs {

query_core::query_core(engine& of) : engine_(&of) {}
query_core::query_core(const query_core& other) = default;
query_core::query_core(query_core&& other) noexcept = default;
query_core& query_core::operator=(const query_core& other) {
    require_no_loop();
    return *this = query_core(other);
}
query_core& query_core::operator=(query_core&& other) noexcept = default;
query_core::~query_core() = default;

void query_core::require_world(const engine& in) const {
    if (engine_ != &in)
        throw std::invalid_argument(
            "the query is of another world: make one with `query` of the world that is to be asked");
}

void query_core::require_no_loop() const {
    if (running_.loops != 0)
        throw iteration_error("a query cannot become another one while a loop over it runs");
}

void query_core::add_term(term t) {
    if (running_.loops != 0)
        throw iteration_error("the terms of a query cannot change while a loop over it runs");
    if (t.kind >= term_kind::added) engine_->changes().track(t.pattern);
    if (t.kind == term_kind::removed) t.since = engine_->events().advance();
    const bool may_match = t.pattern.is_wildcard() && t.kind == term_kind::with && !t.above && !t.tested;
    if (may_match) t.fetched |= wildcards_.size() < wanted_wildcards_;
    const bool hands_match = may_match && t.fetched;
    if (hands_match) wildcards_.reserve(wildcards_.size() + 1); // When memory runs out, nothing is added.
    if (t.pattern.is_pair() && !t.target) t.target = engine_->rows().entities().at(t.pattern.target_index());
    engine_->rows().note_asked(t.pattern);
    if (t.above) note_relation(t.above);
    terms_.push_back(t);
    if (hands_match)
        wildcards_.push_back(static_cast<std::size_t>(std::ranges::count(terms_, true, &term::fetched)) - 1);
    forget();
}

/// From now on no other entity gets the index of the relation: tables are asked by its index alone.
void query_core::note_relation(entity asked) {
    if (can_relate(asked)) engine_->rows().note_asked(pair(asked, any));
}

/// A query that is kept may be told the same before each loop: what it has is no new term. A wildcard whose
/// match is handed out is one each time.
void query_core::add_filter(term asked) {
    const bool hands_match =
        asked.pattern.is_wildcard() && asked.kind == term_kind::with && wildcards_.size() < wanted_wildcards_;
    if (asked.pattern.is_pair() && !asked.target)
        asked.target = engine_->rows().entities().at(asked.pattern.target_index());
    const auto is_equal = [&](const term& t) {
        return t.pattern == asked.pattern && t.kind == asked.kind && t.target == asked.target &&
               t.kinds == asked.kinds && !t.fetched && !t.tested && !t.above;
    };
    if (running_.loops == 0 && !hands_match && std::ranges::any_of(terms_, is_equal)) return;
    add_term(std::move(asked));
}

void query_core::add_filter(term_kind kind, id word) { add_filter({require_asked(word), kind}); }

/// The term keeps the whole handle of the target: a pair has no room for it.
void query_core::add_filter(term_kind kind, id relation, entity target) {
    term asked{pair(relation, target), kind};
    asked.target = engine_->rows().entities().resolve(target);
    add_filter(std::move(asked));
}

void query_core::add_fetch(id word, term_kind kind, bool written, bool valued) {
    add_term({word, kind, true, written, valued});
}

void query_core::add_term_above(const term_above& asked) {
    const term_kind kind = asked.may_be_missing ? term_kind::optional : term_kind::with;
    term above{require_asked(asked.word), kind, asked.fetched, asked.written};
    above.above = require_relation(engine_->rows().resolve(asked.relation));
    above.itself = asked.itself;
    add_term(std::move(above));
}

void query_core::add_condition(const query_condition& asked) {
    std::vector<term> questions;
    for (const single_condition& one : asked.asked()) questions.push_back(term_of(one));
    const std::size_t first = terms_.size();
    std::vector<query_condition::step> both = conditions_;
    for (const query_condition::step& s : asked.steps()) both.push_back({s.what, s.asked + first});
    if (!conditions_.empty()) both.push_back({query_condition::step_kind::both, 0});
    for (term& question : questions) add_term(std::move(question));
    conditions_.swap(both);
}

void query_core::watch(id component) {
    const auto writes = [&](const term& t) { return t.written && t.pattern == component; };
    if (std::ranges::any_of(terms_, writes))
        throw std::invalid_argument(
            "a query that hands out a component to be written sees its own changes of "
            "it: hand it out as const, or watch it with another query");
    term watched{require_asked(component), term_kind::changed};
    watched.tested = true;
    add_term(std::move(watched));
}

bool query_core::has_news(term_kind kind, id component, entity e) const {
    const auto is_watched = [&](const term& t) {
        return t.pattern == component && t.ticks && t.kind >= term_kind::added;
    };
    const auto own = std::ranges::find_if(terms_, is_watched);
    if (own == terms_.end())
        throw std::invalid_argument("the query does not watch the component: say watch<T>() before the loop");
    const change_ticks* const ticks =
        knows_world_of_now() ? own->ticks : engine_->events().ticks_of(own->pattern);
    if (!ticks || !engine_->reads().is_enabled(e, component)) return false;
    const last_changes last = ticks->of(index_of(e));
    const table& in = *engine_->rows().locate(e).block->owner;
    const sparse_set* const sparse = engine_->rows().sparse_of(component);
    const bool owns = sparse ? sparse->contains(index_of(e)) : in.has(component);
    if (kind == term_kind::added) return owns && last.added > seen_until_;
    const bool may_inherit = in.inherits && !owns;
    return last.changed > seen_until_ ||
           (may_inherit && engine_->reads().has_inherited_news(in, component, *ticks, seen_until_));
}

term query_core::term_of(const single_condition& asked) const {
    const id word = asked.word_of ? asked.word_of(*engine_) : asked.word;
    term question{require_asked(engine_->rows().resolve(word)), asked.kind};
    question.tested = true;
    question.itself = asked.itself;
    question.of_other = asked.of_other;
    question.subject = engine_->rows().entities().resolve(asked.subject);
    if (asked.above) question.above = require_relation(engine_->rows().resolve(asked.above));
    if (asked.of_other && !asked.subject)
        throw std::invalid_argument("a condition is about null: of() takes an entity");
    if (asked.kind != term_kind::with && (asked.of_other || asked.above))
        throw std::invalid_argument("a condition asks for changes of the entity in the row alone, and for "
                                    "what that hides, not of another one and not of those above");
    if (asked.of_other && asked.above)
        throw std::invalid_argument(
            "a condition is about one entity or about those above the row's, not both: ask "
            "has(word).of(world.up(...)) instead");
    return question;
}

/// Whether the entity of the term, which is the same for all rows, has what the term asks.
bool query_core::other_has(const term& t) const {
    return engine_->rows().entities().alive(t.subject) && !has_lost_target(engine_->rows(), t) &&
           engine_->reads().is_enabled(t.subject, t.pattern);
}

void query_core::add_kinds(id word, term_kind kind) {
    if (!word.is_entity())
        throw std::invalid_argument("a component, which is an entity, has kinds; this is " +
                                    std::string(to_string(word.kind())));
    term of{word, kind};
    of.kinds = true;
    add_filter(std::move(of));
}

void query_core::list_chunks(std::size_t handed) {
    const auto hides = [this](const match& m) { return filters_rows_ || m.open || m.partial; };
    const auto is_rowless = [](const match& m) { return m.archetype->is_rowless(); };
    finds_rowless_ = std::ranges::any_of(matches_, is_rowless);
    chunks_.make(
        matches_, fetched_, handed, version_of_chunks(), [this](const match& m) { return chunks_of(m); },
        hides);
}

void query_core::forget() {
    forget_matches();
    filters_rows_ = false;
    marks_writes_ = false;
    asks_for_news_ = false;
    lists_news_ = false;
    looks_each_time_ = uncached_;
    for (term& t : terms_) look_up(t);
    only_marks_ = marks_writes_ && !filters_rows_;
    filters_rows_ |= marks_writes_;
    note_anchors();
}

/// All tables are new again.
void query_core::forget_matches() {
    forget_lists();
    matches_.clear();
    matches_of_heirs_ = 0;
    may_match_often_ = false;
    match_of_table_.clear();
    fetched_.clear();
    seen_ = 0;
    cache_version_ = engine_->rows().cache_version();
    note_inheritance();
    drops_ = engine_->rows().drops().count();
}

/// Looks up what the world knows of the term's pattern, and notes what the term demands of the query.
void query_core::look_up(term& t) {
    t.meets_itself = t.pattern.kind() == id_kind::pair && (!t.above || t.itself) &&
                     engine_->rows().traits_of(t.pattern).any_of(trait::reflexive);
    t.home = t.meets_itself ? home_of(t) : nullptr;
    t.other_has = t.of_other && other_has(t);
    looks_each_time_ |= t.meets_itself || t.of_other;
    t.sparse = t.above || t.of_other ? nullptr : engine_->rows().sparse_of(t.pattern);
    t.ticks = engine_->events().ticks_of(t.pattern);
    t.chains = nullptr;
    t.marks = t.written && engine_->events().tracks(t.pattern);
    marks_writes_ |= t.marks;
    asks_for_news_ |= t.kind >= term_kind::added && t.ticks && !t.tested;
    const bool is_outside = t.sparse && !t.sparse->in_place();
    filters_rows_ |= (is_outside && t.kind != term_kind::optional) || t.kind >= term_kind::added;
}

/// The table in which the target of a term is. A table that ended is noticed by removals.
const table* query_core::home_of(const term& t) const {
    const row_ref at = engine_->rows().locate(t.target);
    return at ? at.block->owner : nullptr;
}

/// Whether the answers of other entities than those in the rows have changed.
bool query_core::others_have_changed() const {
    return std::ranges::any_of(terms_, [&](const term& t) {
        return (t.meets_itself && t.home != home_of(t)) || (t.of_other && t.other_has != other_has(t));
    });
}

/// Whether what the query remembers of tables may no longer hold.
bool query_core::is_stale() const {
    return uncached_ || cache_version_ != engine_->rows().cache_version() ||
           inheritance_version_ != engine_->rows().inheritance_version() || others_have_changed();
}

/// Whether only what is inherited may have changed, and only tables that inherit concern the query.
bool query_core::is_stale_by_heirs_alone() const {
    const store& rows = engine_->rows();
    const auto goes_by_rules = [&](const term& t) {
        return t.pattern.is_pair() && t.pattern.target_index() != 0 &&
               (t.pattern.relation_index() == 0 ||
                rows.traits_of(t.pattern).any_of(trait::transitive, trait::reflexive));
    };
    return !uncached_ && cache_version_ == rows.cache_version() &&
           inheritance_version_ != rows.inheritance_version() &&
           !std::ranges::any_of(
               terms_, [&](const term& t) { return t.above || t.of_other || t.kinds || goes_by_rules(t); });
}

void query_core::look_at_new_tables() {
    if (running_.loops != 0)
        return; // Tables cannot change now, only begin to hide rows: the next loop will know.
    if (is_stale_by_heirs_alone())
        look_again_at_heirs();
    else if (is_stale_by_drops_alone())
        follow_drops();
    else if (is_stale())
        forget();
    if (seen_ == engine_->rows().tables().size()) return;
    const std::size_t known = matches_.size();
    forget_lists();
    match_of_table_.clear();
    for (term& t : terms_) {
        if (t.chains || t.above) continue;
        if (t.pattern.kind() == id_kind::pair) t.chains = engine_->reads().sources_by_chains(t.pattern);
        if (t.kinds) matching().learn_kinds(t);
    }
    try {
        consider_new_tables();
        if ((grouped_by_ || group_function_) && matches_.size() != known) sort_matches();
    } catch (...) { // Of some tables the query has some of the matches: it begins anew.
        forget();
        throw;
    }
}

/// Sorts the matches. Most of them are in order: the others are sorted, and put between them.
void query_core::sort_matches() {
    const auto turn = [](const match& m) {
        return std::tuple(m.group, m.archetype->ordinal(), m.first_fetched);
    };
    std::vector<match> in_order;
    std::vector<match> others;
    in_order.reserve(matches_.size());
    for (const match& m : matches_)
        (in_order.empty() || turn(in_order.back()) < turn(m) ? in_order : others).push_back(m);
    std::ranges::sort(others, {}, turn);
    std::ranges::merge(in_order, others, matches_.begin(), {}, turn, turn);
}

std::size_t query_core::count_entities() {
    std::vector<entity> found;
    for (row_iterator rows(*this); rows.next();) found.push_back(rows.here().owner());
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    return found.size();
}

std::size_t query_core::count() {
    refresh();
    if (is_found_by_list()) {
        loop looping(*this);
        return rows_on_list(looping).size();
    }
    std::size_t total = 0;
    for (const match& m : matches_) total += count_in(m);
    return total;
}

std::size_t query_core::count_in(const match& m) const {
    if (!has_hidden_rows(m)) return engine_->rows().size_of(*m.archetype);
    std::size_t total = 0;
    for (chunk* const in : chunks_of(m))
        for (std::uint32_t block = 0; block * 64 < in->count; ++block)
            total += static_cast<std::size_t>(std::popcount(row_mask(m, *in, block)));
    return total;
}

bool query_core::asks_tables_alone() {
    refresh();
    return !looks_each_time_ && !is_listed() &&
           !std::ranges::any_of(matches_, [&](const match& m) { return has_hidden_rows(m); });
}

found_row query_core::find(entity e) {
    prepare_to_find();
    return find_known(e);
}

/// A row for an entity without a row, of which terms are asked: the list of all such entities is not made for
/// one.
static row_ref row_for_one(entity e, table& in, rowless_chunk& row) {
    row.head.owner = &in;
    row.head.set_number(chunk_directory::pending);
    row.head.count = 1;
    row.written.front() = e;
    return {&row.head, 0};
}

found_row query_core::find(entity e, id word) {
    const found_row first = find(e);
    if (!first.block || wildcards_.empty()) return first;
    const auto stands_for = [&](const match& m) {
        return std::ranges::any_of(wildcards_, [&](std::size_t at) { return fetched(m)[at].word == word; });
    };
    for (const match* m = first.found_in; m != end_of_table(first.found_in); ++m)
        if (stands_for(*m) && satisfies(*m, first.at())) return {m, first.block, first.row};
    return first;
}

found_row query_core::find_known(entity e) const {
    static thread_local rowless_chunk room;
    return find_known(e, room);
}

found_row query_core::find_known(entity e, rowless_chunk& room) const {
    row_ref at = engine_->rows().locate(e);
    if (!at) return {};
    if (at.is_rowless()) at = row_for_one(e, *at.block->owner, room);
    return first_from(first_match_in(*at.block->owner), at);
}

/// The first match from there on that the row satisfies, among those of the row's table.
found_row query_core::first_from(const match* m, row_ref at) const {
    for (; m && m != matches_.data() + matches_.size() && m->archetype == at.block->owner; ++m)
        if (satisfies(*m, at)) return {m, at.block, at.row};
    return {};
}

std::size_t query_core::count_known(entity e) const {
    rowless_chunk room;
    std::size_t count = 0;
    for (found_row found = find_known(e, room); found.block; found = next_match(found)) ++count;
    return count;
}

bool query_core::names_ended() const {
    const entity_index& all = engine_->rows().entities();
    const auto has_ended = [&](id word) {
        if (word.is_entity()) return !all.alive(word.as_entity());
        return word.has_relation() && word.relation_index() != 0 && !all.at(word.relation_index());
    };
    return std::ranges::any_of(terms_, [&](const term& t) {
        return (t.pattern && has_ended(t.pattern)) || (t.above && has_ended(t.above)) ||
               (t.target && !all.alive(t.target));
    });
}

bool query_core::may_find_bare() const {
    std::vector<term> own = terms_;
    for (term& t : own)
        if (t.of_other && !t.tested) t.kind = term_kind::optional; // The other entity may get it, or lose it.
    return matcher(*engine_, own, conditions_).accepts(engine_->rows().root());
}

std::vector<id> query_core::patterns() const {
    std::vector<id> found;
    for (const term& t : terms_)
        if (t.pattern && t.kind != term_kind::optional) found.push_back(t.pattern);
    return found;
}

void query_core::refuse(entity e) const {
    const id_status status = engine_->rows().entities().status(e);
    const std::string subject = "entity " + ecs::to_string(e);
    const std::string reason = status == id_status::live
                                   ? " does not satisfy the query"
                                   : " is " + std::string(ecs::to_string(status)) + ": no query finds it";
    throw access_error(e, {}, status, subject + reason);
}

static void require_targets_in_tables(const store& rows, id relation) {
    if (rows.traits_of(relation).any_of(trait::non_fragmenting))
        throw std::invalid_argument("a query is grouped by tables, and the relation keeps its targets in a "
                                    "column: ask for one target with with(pair(relation, target))");
}

void query_core::group_by(id relation) {
    if (running_.loops != 0) throw iteration_error("a query cannot be grouped while a loop over it runs");
    require_targets_in_tables(engine_->rows(), relation);
    const entity along = require_relation(relation);
    note_relation(along);
    grouped_by_ = along;
    group_function_ = nullptr;
    forget();
}

void query_core::group_by(group_function group) {
    if (!group)
        throw std::invalid_argument("group_by needs a function that says the group, and this one is empty");
    if (running_.loops != 0) throw iteration_error("a query cannot be grouped while a loop over it runs");
    group_function_ = std::move(group);
    grouped_by_ = {};
    forget();
}

std::uint64_t query_core::group_numbered(std::uint32_t number) const {
    if (!group_function_ && !grouped_by_)
        throw std::invalid_argument(
            "the query has no groups: say group_by(function) or group_by(relation) before each_in_group");
    return group_function_ ? number : first_numbered_group + number;
}

std::optional<std::uint64_t> query_core::group_behind(entity target) const {
    if (!grouped_by_)
        throw std::invalid_argument(
            "the query has no groups of targets: say group_by(relation) before each_in_group");
    require_targets_in_tables(engine_->rows(), grouped_by_);
    const entity asked = engine_->rows().entities().resolve(target);
    if (target && !engine_->rows().entities().alive(asked)) return {};
    return target ? index_of(asked) : 0;
}

query_group query_core::group_like(std::uint64_t key) const {
    if (group_function_) return {.number = static_cast<std::uint32_t>(key)};
    if (key >= first_numbered_group)
        return {.number = static_cast<std::uint32_t>(key - first_numbered_group)};
    return {.target = key != 0 ? engine_->rows().entities().at(static_cast<std::uint32_t>(key)) : entity{}};
}

/// Matches of one group are neighbours.
std::vector<query_group> query_core::groups() {
    if (!group_function_ && !grouped_by_)
        throw std::invalid_argument(
            "the query has no groups: say group_by(function) or group_by(relation) before groups");
    if (grouped_by_) require_targets_in_tables(engine_->rows(), grouped_by_);
    refresh();
    std::vector<query_group> found;
    std::uint64_t last = 0;
    for (const match& m : matches_) {
        const std::size_t entities = count_in(m);
        if (entities == 0) continue;
        if (found.empty() || m.group != last) found.push_back(group_like(m.group));
        last = m.group;
        found.back().entities += entities;
    }
    return found;
}

void query_core::require_distinct(std::span<const entity> all) {
    for (std::size_t at = 1; at < all.size(); ++at)
        if (std::ranges::find(all.first(at), all[at]) != all.first(at).end())
            throw std::invalid_argument(
                "entity " + ecs::to_string(all[at]) +
                " is asked for twice, and its values are handed out to be written: ask for "
                "const T, or for each entity once");
}

id query_core::require_asked(id word) {
    if (!word)
        throw std::invalid_argument(
            "a query cannot ask for null: what lookup, link_of or pair_to has not found is null; test it "
            "before the query is made");
    return word;
}

entity query_core::require_relation(id word) {
    if (!word.is_entity())
        throw std::invalid_argument("a query follows a relation, which is an entity; this is " +
                                    std::string(to_string(word.kind())));
    return word.as_entity();
}

void query_core::require_no_order() const {
    if (has_order())
        throw std::invalid_argument(
            "par_each visits entities side by side, which no order allows: sort_by and "
            "cascade need each");
}

void query_core::require_no_order_of_answers() const {
    if (has_order())
        throw std::invalid_argument("the answers of a query with variables come in no order: leave sort_by "
                                    "and cascade out, and put what the loop finds in order");
}

void query_core::require_own_values() const {
    for (const match& m : matches_) {
        const fetched_term* own = fetched(m);
        for (const term& t : terms_) {
            const fetched_term* const here = t.fetched ? own++ : nullptr;
            if (!here || !t.valued || !here->base) continue;
            if (t.written ? shares(*here, *m.archetype) : is_written_at_base(*here)) refuse_to_share(*here);
        }
    }
}

/// Whether a row of the table has no value of its own beside the value that its base gives to all rows.
bool query_core::shares(const fetched_term& f, const table& in) const {
    const auto lacks_own = [&](entity e) { return !f.sparse || !f.sparse->contains(index_of(e)); };
    return std::ranges::any_of(engine_->rows().chunks_of(in), [&](const chunk* rows) {
        return std::ranges::any_of(std::span(rows->entities(), rows->count), lacks_own);
    });
}

/// Whether the query visits the base, too, and may write there what an instance reads.
bool query_core::is_written_at_base(const fetched_term& f) const {
    const auto may_be_read = [&](const term& t) {
        return t.fetched && t.written && t.valued && !t.above &&
               (ecs::matches(t.pattern, f.word) || ecs::matches(f.word, t.pattern));
    };
    const table* const home = engine_->rows().locate(f.base).block->owner;
    return std::ranges::any_of(terms_, may_be_read) &&
           std::ranges::any_of(matches_, [&](const match& m) { return m.archetype == home; });
}

void query_core::refuse_to_share(const fetched_term& f) const {
    throw std::invalid_argument("par_each cannot write " + engine_->reads().text_of_component(f.word) +
                                ", which several entities inherit from entity " + ecs::to_string(f.base) +
                                ": threads would write one value at once. Ask for it as const, give each " +
                                "entity a value of its own, or use each");
}

void query_core::refuse_wildcard(std::size_t n) const {
    throw std::invalid_argument("the query hands out what its wildcard number " + std::to_string(n) +
                                " matched, and has only " + std::to_string(wildcards_.size()));
}

// Names of members by which scripts for debuggers write the terms of a query: see ecs.storage:debugging.
template struct shown_member<"query.engine", &query_core::engine_>;
template struct shown_member<"query.terms", &query_core::terms_>;
template struct shown_member<"query.conditions", &query_core::conditions_>;
template struct shown_number<"term.size", sizeof(term)>;
template struct shown_member<"term.pattern", &term::pattern>;
template struct shown_member<"term.kind", &term::kind>;
template struct shown_member<"term.fetched", &term::fetched>;
template struct shown_member<"term.written", &term::written>;
template struct shown_member<"term.tested", &term::tested>;
template struct shown_member<"term.above", &term::above>;
template struct shown_member<"term.itself", &term::itself>;

} // namespace ecs
