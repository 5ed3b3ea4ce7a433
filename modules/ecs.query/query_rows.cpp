// SPDX-License-Identifier: MIT
// Which rows of a matching table satisfy a query, 64 at a time.
module ecs.query;
import ecs.std;

namespace ecs {

namespace {

/// The first position from `from` on of what the pattern stands for or, for a transitive relation, of a step
/// from which a chain leads to its target.
std::uint32_t next_step(const engine& of, const term& t, const table& in, std::uint32_t from) {
    if (!t.chains) return in.find_match(t.pattern, from);
    const auto leads = [&](id word) {
        if (word.kind() != id_kind::pair || word.relation_index() != t.pattern.relation_index()) return false;
        return word == t.pattern || t.chains->contains(of.rows().entities().at(word.target_index()));
    };
    while (from < in.type().size() && !leads(in.type()[from])) ++from;
    return from < in.type().size() ? from : table::absent;
}

/// Whether the rows of the table inherit such a step.
bool inherits_step(const engine& of, const term& t, const table& instance) {
    const entity relation = of.rows().entities().at(t.pattern.relation_index());
    return std::ranges::any_of(of.reads().targets_inherited(instance, relation), [&](entity target) {
        return target == t.target || t.chains->contains(target);
    });
}

} // namespace

/// Which of the 64 rows have what the term is about, enabled.
std::uint64_t query_core::rows_with(const term& t, const match& m, chunk& in, std::uint32_t block,
                                    std::uint64_t among) const {
    if (t.kinds) return rows_with_kinds(t, m, in, block, among);
    const std::uint64_t all = all_rows(in, block);
    if (t.sparse) {
        const bool inherited = m.archetype->inherits && engine_->reads().base_with(*m.archetype, t.pattern);
        return t.sparse->enabled_rows(in, block, inherited);
    }
    const presence found = matching().presence_of(t, *m.archetype);
    if (found == presence::by_row) return rows_by_rule(t, in, block, all & among);
    if (found == presence::inherited) return all;
    if (t.above) return found == presence::no ? 0 : all;
    std::uint64_t rows =
        found == presence::in_table && t.chains && inherits_step(*engine_, t, *m.archetype) ? all : 0;
    for (std::uint32_t position = found == presence::no ? table::absent
                                                        : next_step(*engine_, t, *m.archetype, 0);
         position != table::absent; position = next_step(*engine_, t, *m.archetype, position + 1))
        rows |= m.archetype->togglable() ? all & ~in.disabled->block(position, block) : all;
    const bool may_have_others = found == presence::in_table && t.pattern.is_wildcard();
    return may_have_others ? rows | rows_with_others(t, m, in, block, all & among & ~rows) : rows;
}

/// Which of the rows, which show nothing of the table's type for which the pattern stands, show something
/// else: what they inherit, or a target in a column.
std::uint64_t query_core::rows_with_others(const term& t, const match& m, chunk& in, std::uint32_t block,
                                           std::uint64_t among) const {
    const table& of = *m.archetype;
    if (among == 0) return 0;
    if (of.inherits && !engine_->reads().inherited_matches(of, t.pattern).empty()) return among;
    return of.linked ? rows_linked(t, in, block, among) : 0;
}

/// Which of the rows have what the pattern stands for as a target in a column, which cannot be hidden.
std::uint64_t query_core::rows_linked(const term& t, chunk& in, std::uint32_t block,
                                      std::uint64_t among) const {
    std::uint64_t rows = 0;
    for (std::uint64_t open = among; open != 0; open &= open - 1) {
        const auto row = static_cast<std::uint32_t>(std::countr_zero(open));
        rows |= std::uint64_t{engine_->rows().has_linked({&in, block * 64 + row}, t.pattern)} << row;
    }
    return rows;
}

std::uint64_t query_core::rows_by_rule(const term& t, chunk& in, std::uint32_t block,
                                       std::uint64_t among) const {
    std::uint64_t rows = 0;
    ancestor_finder above(*engine_, &in, t.above, t.pattern, t.itself);
    for (std::uint64_t open = among; open != 0; open &= open - 1) {
        const auto row = static_cast<std::uint32_t>(std::countr_zero(open));
        const entity e = in.entities()[block * 64 + row];
        const bool found =
            t.above    ? static_cast<bool>(above.find(block * 64 + row))
            : t.chains ? engine_->reads().has_in_row({&in, block * 64 + row}, t.pattern, t.chains.get())
                       : engine_->has(e, t.pattern);
        rows |= std::uint64_t{found} << row;
    }
    return rows;
}

/// Which of the rows have a target that counts. Not asked for a relation without values: a rule may find
/// others, and what (any, target) finds no rule does.
static std::uint64_t rows_that_count(const fetched_term& f, chunk& in, std::uint32_t block,
                                     std::uint64_t among) {
    std::uint64_t rows = 0;
    for (std::uint64_t open = among; open != 0; open &= open - 1) {
        const auto row = static_cast<std::uint32_t>(std::countr_zero(open));
        rows |= std::uint64_t{f.counts({&in, block * 64 + row})} << row;
    }
    return rows;
}

/// Which of the rows inherit what the term is about, as far as the table says it.
static std::uint64_t rows_that_inherit(const term& t, const table& instance, chunk& in, std::uint32_t block) {
    if (!t.sparse) return instance.has(t.pattern) ? 0 : ~std::uint64_t{0};
    std::uint64_t rows = 0;
    const std::uint32_t end = std::min(in.count, block * 64 + 64);
    for (std::uint32_t row = block * 64; row < end; ++row)
        rows |= std::uint64_t{!t.sparse->contains(index_of(in.entities()[row]))} << (row % 64);
    return rows;
}

/// Which of the rows have themselves what the term is about.
static std::uint64_t rows_that_own(const lookup& reads, const term& t, chunk& in, std::uint32_t block,
                                   std::uint64_t among) {
    std::uint64_t rows = 0;
    for (std::uint64_t open = among; open != 0; open &= open - 1) {
        const auto row = static_cast<std::uint32_t>(std::countr_zero(open));
        const bool owns = !reads.own_matches(in.entities()[block * 64 + row], t.pattern).empty();
        rows |= std::uint64_t{owns} << row;
    }
    return rows;
}

/// To which of the 64 rows something has happened since the query last looked. A row that inherits a value
/// sees the change of the base's value; what it had itself before, and has lost, is not added to it.
std::uint64_t query_core::news(const term& t, const match& m, chunk& in, std::uint32_t block,
                               std::uint64_t among) const {
    if (!t.ticks) return 0;
    const change_tick seen = std::max(seen_until_, t.since);
    std::uint64_t rows = 0;
    for (std::uint64_t open = all_rows(in, block) & among; open != 0; open &= open - 1) {
        const auto row = static_cast<std::uint32_t>(std::countr_zero(open));
        const last_changes s = t.ticks->of(index_of(in.entities()[block * 64 + row]));
        const change_tick last = t.kind == term_kind::added     ? s.added
                                 : t.kind == term_kind::changed ? s.changed
                                                                : s.removed;
        rows |= std::uint64_t{last > seen} << row;
    }
    if (!m.archetype->inherits) return rows;
    if (t.kind == term_kind::added) return rows_that_own(engine_->reads(), t, in, block, rows);
    const bool asks_bases = t.kind == term_kind::changed;
    if (asks_bases && engine_->reads().has_inherited_news(*m.archetype, t.pattern, *t.ticks, seen_until_))
        rows |= rows_that_inherit(t, *m.archetype, in, block);
    return rows;
}

/// The tick for a write. Inside a look it is the look's own tick, so that other queries see the write and
/// this one does not. If another query has looked since, that tick would be too early for it, and the current
/// tick is used.
change_tick query_core::time_of_writes(const term& t) const {
    const bool is_looking = running_.loops != 0 && running_.looking > seen_until_;
    const bool is_early = engine_->events().looked_at(t.pattern) > running_.looking;
    return is_looking && !is_early ? running_.looking : engine_->events().now();
}

bool query_core::was_looked_at_since(change_tick when) const {
    return std::ranges::any_of(
        terms_, [&](const term& t) { return t.marks && engine_->events().looked_at(t.pattern) >= when; });
}

void query_core::mark_written(const match& m, row_ref at) {
    mark_rows(m, *at.block, at.row / 64, std::uint64_t{1} << (at.row % 64));
}

void query_core::handed_rows::begin() {
    begun_ = in_->engine_->events().now();
    mark();
}

/// A loop that has gone well does not fail at its end: where there is no memory to find out who above a row
/// has the value, the query that has looked does not see the write.
void query_core::handed_rows::end() noexcept {
    try {
        if (in_->was_looked_at_since(begun_)) mark();
    } catch (const std::bad_alloc&) {
        return;
    }
}

void query_core::handed_rows::mark() {
    for (std::uint32_t row = first_.row, end = row + count_; row != end;) {
        const std::uint32_t together = std::min(64 - row % 64, end - row);
        const std::uint64_t all = (~std::uint64_t{0} >> (64 - together)) << (row % 64);
        in_->mark_rows(*found_in_, *first_.block, row / 64, all & rows_);
        row += together;
    }
}

void query_core::mark_rows(const match& m, chunk& in, std::uint32_t block, std::uint64_t rows) {
    const fetched_term* next = fetched(m);
    for (const term& t : terms_) {
        const fetched_term* const here = t.fetched ? next++ : nullptr;
        if (!t.marks || !here) continue;
        const change_tick when = time_of_writes(t);
        const bool may_be_hidden = t.kind == term_kind::optional && m.archetype->togglable();
        const bool are_own = t.pattern.is_entity() && !t.above && !here->base && !here->sparse;
        if (are_own && here->position != table::absent && !may_be_hidden) {
            t.ticks->change(in.entities() + std::size_t{block} * 64, rows, when);
            continue;
        }
        for (std::uint64_t open = rows; open != 0; open &= open - 1) {
            const row_ref at{&in, block * 64 + static_cast<std::uint32_t>(std::countr_zero(open))};
            mark_value(t, at_row(*here, at), at, when);
        }
    }
}

/// Whether a loop hands out a value from the set, where the entity may have none: its own, unless it is
/// disabled, or that of a base.
static bool hands_out(const sparse_set& in, entity e, bool inherits) {
    return in.contains(index_of(e)) ? in.enabled(index_of(e)) : inherits;
}

/// Marks the value where it is: the row's own, that of a base, or that of the entity above.
void query_core::mark_value(const term& t, const fetched_term& f, row_ref at, change_tick when) {
    const entity e = at.owner();
    const bool is_missing = f.position == table::absent && !f.sparse && !f.base && !t.above;
    if (is_missing) return;
    if (t.above) {
        const entity holder = engine_->reads().nearest(e, t.above, t.pattern, t.itself);
        return holder ? mark_held(holder, t.pattern, when) : void();
    }
    if (t.kind == term_kind::optional && f.sparse && !hands_out(*f.sparse, e, bool(f.base))) return;
    if (t.pattern.is_entity()) {
        const bool owns = !f.base || (f.sparse && f.sparse->contains(index_of(e)));
        return t.ticks->change(index_of(owns ? e : f.base), when);
    }
    if (f.base) return mark_held(e, f.word, when);
    const id relation = f.links ? id(engine_->rows().entities().at(f.word.relation_index())) : id{};
    engine_->events().touch(e, f.links ? pair(relation, store::linked_target(at, f.word)) : f.word, when);
}

void query_core::mark_held(entity e, id word, change_tick when) {
    const lookup& reads = engine_->reads();
    const held_value shown = word.is_wildcard() ? reads.match_of(e, word) : reads.held(e, word);
    if (shown.holder) engine_->events().touch(shown.holder, shown.word, when);
}

void query_core::begin_to_look() {
    running_.looking = engine_->events().advance();
    note_look(running_.looking);
}

void query_core::mark_seen() {
    if (running_.loops == 0 && !knows_world_of_now()) refresh();
    seen_until_ = engine_->events().advance();
    note_look(seen_until_);
}

void query_core::note_look(change_tick until) const noexcept {
    for (const term& t : terms_)
        if (t.kind >= term_kind::added && t.ticks) t.ticks->note_look(until);
}

/// Which of the rows satisfy the terms about what comes and goes in place.
std::uint64_t query_core::rows_in_place(const chunk& in, std::uint32_t block) const {
    std::uint64_t mask = all_rows(in, block);
    for (const term& t : terms_) {
        if (!t.sparse || t.kind == term_kind::optional) continue;
        const std::uint64_t rows = t.sparse->in_place()->rows_showing(in.number(), block);
        mask &= t.kind == term_kind::without ? ~rows : rows;
    }
    return mask;
}

/// Which of the rows have nothing disabled that a fetched term requires.
std::uint64_t query_core::rows_not_disabled(const match& m, const chunk& in, std::uint32_t block) const {
    std::uint64_t mask = all_rows(in, block);
    if (!m.archetype->togglable()) return mask;
    const fetched_term* own = fetched(m);
    for (const term& t : terms_) {
        const std::uint32_t position = t.fetched ? own++->position : table::absent;
        if (t.kind == term_kind::with && position != table::absent)
            mask &= ~in.disabled->block(position, block);
    }
    return mask;
}

/// Which of the rows have that which the match has for a wildcard that may be missing.
std::uint64_t query_core::rows_of_choice(const term& t, const fetched_term& f, table& of, chunk& in,
                                         std::uint32_t block, std::uint64_t among) const {
    if (!f.only_where_none) {
        const std::uint64_t rows = f.target ? rows_that_count(f, in, block, among) : among;
        return f.position != table::absent && of.togglable() ? rows & ~in.disabled->block(f.position, block)
                                                             : rows;
    }
    std::uint64_t others = 0;
    for (const fetched_term& other : choices_of(t, of))
        if (!other.only_where_none) others |= rows_of_choice(t, other, of, in, block, among);
    return among & ~others;
}

/// Which of the rows have what the term is about themselves, and hide it.
std::uint64_t query_core::rows_hiding(const term& t, const match& m, chunk& in, std::uint32_t block) const {
    const table& of = *m.archetype;
    std::uint64_t rows = 0;
    const std::uint32_t end = t.sparse ? std::min(in.count, block * 64 + 64) : 0;
    for (std::uint32_t row = block * 64; row < end; ++row) {
        const std::uint32_t index = index_of(in.entities()[row]);
        rows |= std::uint64_t{t.sparse->contains(index) && !t.sparse->enabled(index)} << (row % 64);
    }
    if (t.sparse || !of.togglable() || has_lost_target(engine_->rows(), t)) return rows;
    for (std::uint32_t position = of.find_match(t.pattern); position != table::absent;
         position = of.find_match(t.pattern, position + 1))
        rows |= in.disabled->block(position, block);
    return rows & all_rows(in, block);
}

/// Which of the rows are, by what they have, those that the term asks for.
std::uint64_t query_core::rows_asked_for(const term& t, const match& m, chunk& in, std::uint32_t block,
                                         std::uint64_t among) const {
    if (t.kind == term_kind::hidden) return rows_hiding(t, m, in, block);
    return t.kind == term_kind::removed ? all_rows(in, block) : rows_with(t, m, in, block, among);
}

/// Which of the rows satisfy a term, with what the match has for it.
std::uint64_t query_core::rows_that_satisfy(const term& t, const fetched_term* own, const match& m, chunk& in,
                                            std::uint32_t block, std::uint64_t among) const {
    if (t.tested) return among;
    if (t.kind == term_kind::optional)
        return own && t.pattern.is_wildcard() ? rows_of_choice(t, *own, *m.archetype, in, block, among)
                                              : among;
    std::uint64_t rows = rows_asked_for(t, m, in, block, among);
    if (own && own->target && (own->values || t.pattern.relation_index() == 0))
        rows = rows_that_count(*own, in, block, rows & among);
    if (t.kind >= term_kind::added) rows &= news(t, m, in, block, rows & among);
    if (own && own->position != table::absent && m.archetype->togglable())
        rows &= ~in.disabled->block(own->position, block);
    return t.kind == term_kind::without ? ~rows : rows;
}

std::uint64_t query_core::row_mask(const match& m, chunk& in, std::uint32_t block,
                                   std::uint64_t among) const {
    if (m.only_toggles) return rows_not_disabled(m, in, block) & among;
    if (m.only_in_place && !m.archetype->togglable()) return rows_in_place(in, block) & among;
    std::uint64_t mask = all_rows(in, block) & among;
    const fetched_term* own = fetched(m);
    for (const term& t : terms_)
        mask &= rows_that_satisfy(t, t.fetched ? own++ : nullptr, m, in, block, mask);
    return conditions_.empty() ? mask : mask & rows_of_conditions(m, in, block, mask);
}

std::uint32_t query_core::rows_hidden_alike(const match& m, row_ref first, std::uint32_t count) const {
    const fetched_term* own = fetched(m);
    for (const term& t : terms_) {
        const std::uint32_t position = t.fetched ? own++->position : table::absent;
        if (t.kind != term_kind::optional || position == table::absent) continue;
        const bool is_hidden = m.archetype->is_disabled(position, first);
        std::uint32_t rows = 1;
        while (rows != count &&
               m.archetype->is_disabled(position, {first.block, first.row + rows}) == is_hidden)
            ++rows;
        count = rows;
    }
    return count;
}

std::uint64_t query_core::rows_of_conditions(const match& m, chunk& in, std::uint32_t block,
                                             std::uint64_t among) const {
    return evaluate<std::uint64_t>(
        conditions_, [&](std::size_t asked) { return rows_that_answer(terms_[asked], m, in, block, among); });
}

bool query_core::answers(std::size_t position, const found_row& at) const {
    const std::uint64_t row = std::uint64_t{1} << (at.row % 64);
    return (rows_that_answer(terms_[position], *at.found_in, *at.block, at.row / 64, row) & row) != 0;
}

/// Which of the rows answer a question of a condition with yes.
std::uint64_t query_core::rows_that_answer(const term& t, const match& m, chunk& in, std::uint32_t block,
                                           std::uint64_t among) const {
    if (t.of_other) return t.other_has ? ~std::uint64_t{0} : 0;
    const std::uint64_t there = rows_asked_for(t, m, in, block, among);
    return t.kind >= term_kind::added ? news(t, m, in, block, there & among) : there;
}

std::uint64_t query_core::rows_with_kinds(const term& t, const match& m, chunk& in, std::uint32_t block,
                                          std::uint64_t among) const {
    std::uint64_t rows = 0;
    for (const id word : matching().kinds_in(t, *m.archetype)) rows |= rows_with({word}, m, in, block, among);
    for (sparse_set* const set : t.sparse_members) {
        term kind{set->word};
        kind.sparse = set;
        rows |= rows_with(kind, m, in, block, among);
    }
    return rows;
}

} // namespace ecs
