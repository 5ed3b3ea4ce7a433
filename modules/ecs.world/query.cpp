// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :query;

namespace ecs {

namespace {

/// The first position from `from` on whose identifier the pattern may stand for: for a relation that keeps
/// targets in a column, the rows have to be asked.
std::uint32_t next_match(const table& in, id pattern, std::uint32_t from) {
    if (!in.linked || !pattern.is_pair() || pattern.target_index() == 0) return in.find_match(pattern, from);
    const auto may_stand = [&](id word) {
        const bool same_relation =
            pattern.relation_index() == 0 || pattern.relation_index() == word.relation_index();
        return matches(pattern, word) || (word.is_wildcard() && same_relation);
    };
    const auto found = std::ranges::find_if(in.type().subspan(from), may_stand);
    const auto position = static_cast<std::uint32_t>(found - in.type().subspan(from).begin()) + from;
    return position == in.type().size() ? table::absent : position;
}

} // namespace

void query_core::add_term(term t) {
    if (loops_ != 0) throw iteration_error("the terms of a query cannot change while a loop over it runs");
    if (t.kind >= term_kind::added) store_->watch(t.pattern);
    if (t.pattern.is_wildcard() && t.kind == term_kind::with && !t.above) {
        t.fetched |= wildcards_.size() < wanted_wildcards_;
        if (t.fetched)
            wildcards_.push_back(static_cast<std::size_t>(std::ranges::count(terms_, true, &term::fetched)));
    }
    if (t.pattern.is_pair()) t.target = store_->entities().at(t.pattern.target_index());
    terms_.push_back(t);
    forget();
}

void query_core::forget() {
    matches_.clear();
    match_of_table_.clear();
    fetched_.clear();
    seen_ = 0;
    removals_ = store_->removals();
    meanings_ = store_->meanings();
    filters_rows_ = false;
    marks_writes_ = false;
    for (term& t : terms_) {
        t.side = store_->side_of(t.pattern);
        t.stamps = store_->stamps_of(t.pattern);
        marks_writes_ |= t.written && t.stamps;
        filters_rows_ |= (t.side && t.kind != term_kind::optional) || t.kind >= term_kind::added;
    }
    filters_rows_ |= marks_writes_;
    note_anchors();
}

void query_core::look_at_new_tables() {
    if (loops_ != 0) return; // Tables cannot change now, only begin to hide rows: the next loop will know.
    if (uncached_ || removals_ != store_->removals() || meanings_ != store_->meanings()) forget();
    const std::size_t known = matches_.size();
    match_of_table_.clear();
    for (; seen_ < store_->tables().size(); ++seen_) consider(*store_->tables()[seen_]);
    if (grouped_by_ && matches_.size() != known)
        std::ranges::sort(matches_, {},
                          [](const match& m) { return std::tuple(m.group, m.in->ordinal, m.first_fetched); });
}

void query_core::consider(table& candidate) {
    if (!accepts(candidate)) return;
    std::vector<fetched_term> chosen;
    add_matches(candidate, 0, chosen);
}

bool query_core::accepts(const table& candidate) const {
    return std::ranges::all_of(terms_, [&](const term& t) { return may_satisfy(t, candidate); }) &&
           satisfies_any(candidate) && !is_hidden(candidate);
}

/// Whether rows of the table may satisfy the term; row_mask says which.
bool query_core::may_satisfy(const term& t, const table& candidate) const {
    if (t.side || t.kind == term_kind::any_of || t.kind == term_kind::optional ||
        t.kind == term_kind::removed)
        return true;
    const presence found = presence_of(t, candidate);
    if (t.kind != term_kind::without) return found != presence::no;
    return found == presence::no || found == presence::by_row || candidate.togglable();
}

presence query_core::presence_of(const term& t, const table& candidate) const {
    if (t.above)
        return candidate.has(pair(t.above, any)) || candidate.find_match(pair(t.above, any)) != table::absent
                   ? presence::by_row
                   : presence::no;
    const bool ended =
        t.pattern.is_pair() && t.pattern.target_index() != 0 && !store_->entities().alive(t.target);
    return ended ? presence::no : store_->presence_in(candidate, t.pattern);
}

bool query_core::satisfies_any(const table& candidate) const {
    bool asked = false;
    for (const term& t : terms_) {
        if (t.kind != term_kind::any_of) continue;
        if (t.side || presence_of(t, candidate) != presence::no) return true;
        asked = true;
    }
    return !asked;
}

/// Prefabs and disabled entities are passed over unless a term asks for them.
bool query_core::is_hidden(const table& candidate) const {
    return std::ranges::any_of(std::array{id(prefab_tag), id(disabled)}, [&](id tag) {
        return candidate.has(store_->localize(tag)) && !mentions(store_->localize(tag));
    });
}

bool query_core::mentions(id word) const {
    return std::ranges::any_of(terms_, [&](const term& t) { return t.pattern == word; });
}

void query_core::add_matches(table& candidate, std::size_t next, std::vector<fetched_term>& chosen) {
    while (next < terms_.size() && !terms_[next].fetched) ++next;
    if (next == terms_.size()) return add_match(candidate, chosen);
    const term& t = terms_[next];
    const bool searched = t.pattern && !t.side && !t.above;
    std::uint32_t position = searched ? next_match(candidate, t.pattern, 0) : table::absent;
    if (position == table::absent) {
        const entity giver =
            searched && candidate.inherits ? store_->base_with(candidate, t.pattern) : entity{};
        const bool by_chain = searched && !giver && t.kind == term_kind::with;
        if (by_chain && store_->info_of_id(t.pattern).size != 0) return; // There is no value to hand out.
        chosen.push_back({nullptr, t.side, table::absent, giver, giver ? t.pattern : id{}});
        add_matches(candidate, next + 1, chosen);
        chosen.pop_back();
    }
    for (; position != table::absent; position = next_match(candidate, t.pattern, position + 1)) {
        chosen.push_back(fetch_at(t, candidate, position));
        add_matches(candidate, next + 1, chosen);
        chosen.pop_back();
    }
}

/// A pair whose target is in a column has its value in the relation's own.
fetched_term query_core::fetch_at(const term& t, const table& candidate, std::uint32_t position) const {
    const id word = candidate.type()[position];
    fetched_term found{candidate.column_at(position), nullptr, position, {}, word};
    if (!word.is_wildcard()) return found;
    found.links = found.in;
    found.in = candidate.column_of(store_->entities().at(word.relation_index()));
    if (t.pattern.target_index() != 0) found.target = t.target;
    return found;
}

void query_core::add_match(table& candidate, const std::vector<fetched_term>& chosen) {
    const bool by_row = std::ranges::any_of(terms_, [&](const term& t) {
        return t.kind != term_kind::optional && !t.side && presence_of(t, candidate) == presence::by_row;
    });
    const bool inherits =
        std::ranges::any_of(chosen, [](const fetched_term& f) { return f.base || f.target; });
    matches_.push_back(
        {&candidate, static_cast<std::uint32_t>(fetched_.size()), by_row || inherits, group_of(candidate)});
    fetched_.insert(fetched_.end(), chosen.begin(), chosen.end());
}

std::uint32_t query_core::group_of(const table& candidate) const {
    if (!grouped_by_) return 0;
    const std::uint32_t position = candidate.find_match(pair(grouped_by_, any));
    return position == table::absent ? 0 : candidate.type()[position].target_index();
}

/// Which of the 64 rows have what the term is about, enabled.
std::uint64_t query_core::rows_with(const term& t, const match& m, chunk& in, std::uint32_t block,
                                    std::uint64_t among) const {
    const std::uint64_t all = all_rows(in, block);
    if (t.side)
        return t.side->enabled_rows(in.entities() + std::size_t{block} * 64,
                                    static_cast<std::uint32_t>(std::popcount(all)));
    const presence found = presence_of(t, *m.in);
    if (found == presence::by_row) return rows_by_rule(t, in, block, all & among);
    if (found == presence::inherited) return all;
    std::uint64_t rows = 0;
    for (std::uint32_t position = found == presence::no ? table::absent : m.in->find_match(t.pattern);
         position != table::absent; position = m.in->find_match(t.pattern, position + 1))
        rows |= m.in->togglable() ? all & ~in.disabled->block(position, block) : all;
    return rows;
}

std::uint64_t query_core::rows_by_rule(const term& t, chunk& in, std::uint32_t block,
                                       std::uint64_t among) const {
    std::uint64_t rows = 0;
    for (std::uint64_t open = among; open != 0; open &= open - 1) {
        const auto row = static_cast<std::uint32_t>(std::countr_zero(open));
        const entity e = in.entities()[block * 64 + row];
        const bool found =
            t.above ? static_cast<bool>(store_->up(e, t.above, t.pattern)) : store_->has(e, t.pattern);
        rows |= std::uint64_t{found} << row;
    }
    return rows;
}

/// Which of the rows have a target that counts.
static std::uint64_t rows_that_count(const fetched_term& f, chunk& in, std::uint32_t block,
                                     std::uint64_t among) {
    std::uint64_t rows = 0;
    for (std::uint64_t open = among; open != 0; open &= open - 1) {
        const auto row = static_cast<std::uint32_t>(std::countr_zero(open));
        rows |= std::uint64_t{f.counts({&in, block * 64 + row})} << row;
    }
    return rows;
}

/// Which of the 64 rows something has happened to since the query last looked.
std::uint64_t query_core::news(const term& t, chunk& in, std::uint32_t block) const {
    if (!t.stamps) return 0;
    std::uint64_t rows = 0;
    const std::uint32_t end = std::min(in.count, block * 64 + 64);
    for (std::uint32_t row = block * 64; row < end; ++row) {
        const stamp s = t.stamps->of(index_of(in.entities()[row]));
        const moment last = t.kind == term_kind::added     ? s.added
                            : t.kind == term_kind::changed ? s.changed
                                                           : s.removed;
        rows |= std::uint64_t{last > seen_until_} << (row % 64);
    }
    return rows;
}

/// Stamped with the look itself, which others find and the query does not.
void query_core::mark_written(entity e) {
    const moment when = loops_ != 0 && looking_ > seen_until_ ? looking_ : store_->now();
    for (const term& t : terms_) {
        if (t.written && t.stamps) t.stamps->change(index_of(e), when);
    }
}

void query_core::mark_seen() { seen_until_ = store_->advance(); }

std::uint64_t query_core::row_mask(const match& m, chunk& in, std::uint32_t block,
                                   std::uint64_t among) const {
    std::uint64_t mask = all_rows(in, block) & among;
    std::uint64_t any_of = 0;
    bool asked = false;
    const fetched_term* own = fetched(m);
    for (const term& t : terms_) {
        const fetched_term* const fetched_here = t.fetched ? own++ : nullptr;
        const std::uint32_t position = fetched_here ? fetched_here->position : table::absent;
        if (t.kind == term_kind::optional) continue;
        std::uint64_t rows =
            t.kind == term_kind::removed ? all_rows(in, block) : rows_with(t, m, in, block, among);
        if (fetched_here && fetched_here->target)
            rows = rows_that_count(*fetched_here, in, block, rows & among);
        if (t.kind >= term_kind::added) rows &= news(t, in, block);
        if (position != table::absent && m.in->togglable()) rows &= ~in.disabled->block(position, block);
        asked |= t.kind == term_kind::any_of;
        if (t.kind == term_kind::any_of)
            any_of |= rows;
        else
            mask &= t.kind == term_kind::without ? ~rows : rows;
    }
    return asked ? mask & any_of : mask;
}

std::size_t query_core::count() {
    refresh();
    if (!anchors_.empty()) {
        const loop looping(*this);
        return listed_rows().size();
    }
    std::size_t total = 0;
    for (const match& m : matches_) {
        if (!has_hidden_rows(m)) {
            total += m.in->size();
            continue;
        }
        for (chunk* const in : m.in->chunks())
            for (std::uint32_t block = 0; block * 64 < in->count; ++block)
                total += static_cast<std::size_t>(std::popcount(row_mask(m, *in, block)));
    }
    return total;
}

found_row query_core::find(entity e) {
    refresh();
    const row_ref at = store_->locate(e);
    if (!at) return {};
    const match* m = first_match_in(*at.block->owner);
    for (; m && m != matches_.data() + matches_.size() && m->in == at.block->owner; ++m)
        if (satisfies(*m, at)) return {m, at.block, at.row};
    return {};
}

std::vector<id> query_core::patterns() const {
    std::vector<id> found;
    for (const term& t : terms_)
        if (t.pattern && t.kind != term_kind::optional) found.push_back(t.pattern);
    return found;
}

void query_core::refuse(entity e) const {
    const id_status status = store_->entities().status(e);
    const std::string subject = "entity " + std::to_string(e.index()) + "v" + std::to_string(e.generation());
    const std::string reason = status == id_status::live
                                   ? " does not satisfy the query"
                                   : " is " + std::string(ecs::to_string(status)) + ": no query finds it";
    throw access_error(e, {}, status, subject + reason);
}

void query_core::group_by(id relation) {
    if (loops_ != 0) throw iteration_error("a query cannot be grouped while a loop over it runs");
    grouped_by_ = relation;
    forget();
}

void query_core::refuse_wildcard(std::size_t n) const {
    throw std::invalid_argument("the query hands out what its wildcard number " + std::to_string(n) +
                                " matched, and has only " + std::to_string(wildcards_.size()));
}

namespace {

query_core& refreshed(query_core& core) {
    core.refresh();
    return core;
}

} // namespace

row_walker::row_walker(query_core& over, bool looks)
    : over_(&refreshed(over)),
      looping_(over, looks),
      sorted_(over.is_listed() ? over.listed_rows() : std::span<const found_row>()) {}

bool row_walker::next() {
    if (over_->is_listed()) {
        if (match_ == sorted_.size()) return false;
        here_ = sorted_[match_++];
        return true;
    }
    while (rows_ == 0)
        if (!next_block()) return false;
    here_.row = (block_ - 1) * 64 + static_cast<std::uint32_t>(std::countr_zero(rows_));
    rows_ &= rows_ - 1;
    return true;
}

/// Takes the mask of the next 64 rows; block_ is then the number of the block after it.
bool row_walker::next_block() {
    if (!here_.block || block_ * 64 >= here_.block->count) {
        if (!next_chunk()) return false;
        block_ = 0;
    }
    rows_ = over_->rows(*here_.in, *here_.block, block_++);
    return true;
}

bool row_walker::next_chunk() {
    for (; match_ < over_->matches().size(); ++match_, chunk_ = 0) {
        const match& m = over_->matches()[match_];
        if (chunk_ == m.in->chunks().size()) continue;
        here_ = {&m, m.in->chunks()[chunk_++], 0};
        return true;
    }
    return false;
}

void row_walker::skip(std::size_t count) {
    if (over_->is_listed()) {
        match_ = std::min(count, sorted_.size());
        return;
    }
    while (count != 0) {
        while (rows_ == 0)
            if (!next_block()) return;
        const auto ready = static_cast<std::size_t>(std::popcount(rows_));
        if (ready > count) break;
        count -= ready;
        rows_ = 0;
    }
    for (; count != 0; --count) rows_ &= rows_ - 1;
}

} // namespace ecs
