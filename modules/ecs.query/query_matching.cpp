// SPDX-License-Identifier: MIT
// The tables that satisfy a query, with what the caller needs of each of them.
module ecs.query;
import ecs.std;
import ecs.core;
import ecs.relation;
import ecs.storage;
import ecs.structure;

namespace ecs {

namespace {

/// Whether a table satisfies the term only by what is in its own type, or in the type of a base.
bool is_in_types(const store& rows, const term& t) {
    constexpr auto finds_others = bits_of(trait::transitive, trait::reflexive);
    const bool required = t.kind != term_kind::optional && t.kind != term_kind::without &&
                          t.kind != term_kind::removed && !t.tested;
    if (!required || t.sparse || t.kinds || t.above || t.of_other) return false;
    if (!t.pattern || t.pattern.is_wildcard()) return false;
    return t.pattern.is_entity() ||
           (t.pattern.kind() == id_kind::pair && (rows.traits_of(t.pattern).bits & finds_others) == 0);
}

/// Calls visit(list) for lists of tables that have the word, or the relation of such a pair, with targets in
/// a column.
void for_each_list_of(const store& rows, id word, const auto& visit) {
    const auto visit_list = [&](id member) {
        if (const component_record* const known = rows.records().find(member)) visit(known->tables);
    };
    visit_list(word);
    if (word.is_entity()) return;
    const entity relation = rows.entities().at(word.relation_index());
    if (relation) visit_list(pair(relation, any));
}

/// The same for the tables that inherit anything: by a pair, and not by one under a flag.
void for_each_list_of_instances(const store& rows, const auto& visit) {
    for (const component_record* const known : rows.records().of_relation(is_a.index()))
        if (!known->word.is_flagged()) visit(known->tables);
}

std::size_t count_instances(const store& rows) {
    std::size_t count = 0;
    for_each_list_of_instances(rows, [&](const auto& list) { count += list.size(); });
    return count;
}

} // namespace

/// Looks at the tables that came since the last time. Where something is asked for that few tables have, only
/// at those tables.
void query_core::consider_new_tables() {
    const auto all = engine_->rows().tables();
    const id rarest = rarest_word(all.size() - seen_);
    if (rarest)
        for (table* const candidate : new_tables_with(rarest)) consider_next(*candidate);
    else
        while (seen_ < all.size()) consider_next(*all[seen_]);
    seen_ = all.size();
}

/// When this throws, the query goes on with this table next time.
void query_core::consider_next(table& candidate) {
    seen_ = candidate.ordinal();
    consider(candidate);
    ++seen_;
}

/// Of the identifiers that all satisfying tables have, the one that the fewest tables have; null when to go
/// over all new tables takes not much longer than to find these.
id query_core::rarest_word(std::size_t new_tables) const {
    constexpr std::size_t few = 16;
    if (new_tables < few) return {};
    const store& rows = engine_->rows();
    std::size_t fewest = new_tables / 4;
    id rarest;
    for (const term& t : terms_) {
        if (!is_in_types(rows, t)) continue;
        std::size_t count = 0;
        for_each_list_of(rows, t.pattern, [&](const auto& list) { count += list.size(); });
        if (count < fewest) fewest = count, rarest = t.pattern;
    }
    return rarest && fewest + count_instances(rows) < new_tables / 2 ? rarest : id{};
}

/// The tables behind the last table that was looked at, in their order.
std::vector<table*> query_core::new_tables_with(id word) const {
    std::vector<table*> found;
    const auto take_new = [&](const std::vector<table*>& list) {
        std::ranges::copy_if(list, std::back_inserter(found),
                             [&](const table* t) { return t->ordinal() >= seen_; });
    };
    for_each_list_of(engine_->rows(), word, take_new);
    for_each_list_of_instances(engine_->rows(), take_new);
    std::ranges::sort(found, {}, &table::ordinal);
    const auto again = std::ranges::unique(found);
    found.erase(again.begin(), again.end());
    return found;
}

/// Looks again at tables that inherit, of those that were looked at before: in most worlds they are few, and
/// most queries find none of them.
void query_core::look_again_at_heirs() {
    if (heirs_version_ == engine_->rows().heirs_version()) {
        inheritance_version_ = engine_->rows().inheritance_version();
        return;
    }
    std::vector<table*> heirs;
    for_each_list_of_instances(engine_->rows(), [&](const auto& list) {
        std::ranges::copy_if(list, std::back_inserter(heirs),
                             [&](const table* t) { return t->ordinal() < seen_; });
    });
    const auto is_found = [&](table* t) { return matching().accepts(*t); };
    if (matches_of_heirs_ != 0 || std::ranges::any_of(heirs, is_found)) replace_heirs(std::move(heirs));
    note_inheritance();
}

/// Replaces the matches, in the order that a new query has. When memory runs out, the query begins anew next
/// time.
void query_core::replace_heirs(std::vector<table*> heirs) {
    std::ranges::sort(heirs, {}, &table::ordinal);
    const auto again = std::ranges::unique(heirs);
    heirs.erase(again.begin(), again.end());
    try {
        drop_matches([](const match& m) { return m.archetype->inherits; });
        matches_of_heirs_ = 0;
        for (table* const heir : heirs) consider(*heir);
    } catch (...) {
        forget();
        throw;
    }
    sort_matches();
    forget_lists();
    match_of_table_.clear();
}

/// Drops matches. What was fetched for the other matches moves up.
template <class Drop> void query_core::drop_matches(const Drop& is_dropped) {
    if (std::erase_if(matches_, is_dropped) == 0) return;
    const auto length = std::ranges::count(terms_, true, &term::fetched);
    std::vector<fetched_term> kept;
    kept.reserve(matches_.size() * static_cast<std::size_t>(length));
    for (match& m : matches_) {
        const auto first = fetched_.begin() + m.first_fetched;
        m.first_fetched = static_cast<std::uint32_t>(kept.size());
        kept.insert(kept.end(), first, first + length);
    }
    fetched_ = std::move(kept);
}

/// Whether nothing has happened except that tables ended, all of which are known.
bool query_core::is_stale_by_drops_alone() const {
    const store& rows = engine_->rows();
    const std::uint64_t dropped = rows.drops().count() - drops_;
    return !uncached_ && dropped != 0 && rows.drops().reaches_back_to(drops_) &&
           rows.cache_version() - cache_version_ == dropped &&
           inheritance_version_ == rows.inheritance_version() && !others_have_changed();
}

/// Forgets tables that ended; the matches stay in the order that a new query has. When memory runs out, the
/// query begins anew next time.
void query_core::follow_drops() {
    try {
        for (table* const unseen : forget_dropped()) consider(*unseen);
        sort_matches();
    } catch (...) {
        forget();
        throw;
    }
    forget_lists();
    match_of_table_.clear();
    drops_ = engine_->rows().drops().count();
    cache_version_ = engine_->rows().cache_version();
}

/// Returns tables that the query has not looked at, and that now stand among tables at which it has.
std::vector<table*> query_core::forget_dropped() {
    std::vector<table*> unseen;
    flat_map<bool> gone; ///< Whether it inherited. What is there under an address again is not matched yet.
    engine_->rows().drops().for_each_since(drops_, [&](const table_drop& drop) {
        std::erase(unseen, drop.gone);
        if (drop.place >= seen_) return;
        const auto address = reinterpret_cast<std::uintptr_t>(drop.gone);
        if (!gone.find(address)) gone[address] = drop.inherits;
        if (drop.last < seen_)
            --seen_;
        else
            unseen.push_back(drop.moved);
    });
    drop_matches([&](const match& m) {
        const bool* const inherited = gone.find(reinterpret_cast<std::uintptr_t>(m.archetype));
        matches_of_heirs_ -= static_cast<std::size_t>(inherited && *inherited);
        return inherited != nullptr;
    });
    return unseen;
}

void query_core::consider(table& candidate) {
    if (!matching().accepts(candidate)) return;
    std::vector<fetched_term> chosen;
    chosen.reserve(terms_.size());
    const std::size_t known = matches_.size();
    add_matches(candidate, 0, chosen);
    may_match_often_ |= matches_.size() > known + 1;
}

void query_core::add_matches(table& candidate, std::size_t next, std::vector<fetched_term>& chosen) {
    while (next < terms_.size() && !terms_[next].fetched) ++next;
    if (next == terms_.size()) return add_match(candidate, chosen);
    const auto choose = [&](const fetched_term& one) {
        chosen.push_back(one);
        add_matches(candidate, next + 1, chosen);
        chosen.pop_back();
    };
    const std::uint32_t position = only_choice(terms_[next], candidate);
    if (position != table::absent) return choose(matching().fetched_at(terms_[next], candidate, position));
    const std::vector<fetched_term> all = choices_of(terms_[next], candidate);
    std::ranges::for_each(all, choose);
}

/// Whether the term asks for one identifier in the entity's own table, and hands it out.
static bool is_plain(const term& t) {
    return t.fetched && t.kind == term_kind::with && !t.pattern.is_wildcard() && !t.sparse && !t.above &&
           !t.chains && !t.kinds && !t.tested && !t.of_other;
}

/// The position of the component that a plain term asks for, where nothing else can be chosen; absent where
/// choices_of has to be asked.
std::uint32_t query_core::only_choice(const term& t, const table& candidate) const {
    const bool is_only = is_plain(t) && t.pattern.is_entity() && !candidate.inherits;
    return is_only ? matching().next_match(candidate, t, 0) : table::absent;
}

/// What the table has for a fetched term, its own identifiers first. Nothing is a choice, too, where the term
/// may be missing or a chain leads to it, but not where a value would have to be handed out.
std::vector<fetched_term> query_core::choices_of(const term& t, table& candidate) const {
    const bool own = t.pattern && !t.above && !has_lost_target(engine_->rows(), t);
    const bool searched = own && !t.sparse;
    std::vector<fetched_term> found;
    for (std::uint32_t position = searched ? matching().next_match(candidate, t, 0) : table::absent;
         position != table::absent; position = matching().next_match(candidate, t, position + 1))
        found.push_back(matching().fetched_at(t, candidate, position));
    if (own && candidate.inherits && (found.empty() || t.pattern.is_wildcard()))
        for (const held_value& from : engine_->reads().inherited_matches(candidate, t.pattern))
            if (!t.valued || t.sparse || engine_->reads().find(from.holder, from.word))
                found.push_back({nullptr, t.sparse, table::absent, from.holder, from.word});
    const bool by_chain = searched && t.kind == term_kind::with;
    const bool lacks_value = by_chain && (t.valued || engine_->rows().info_of_id(t.pattern).size != 0);
    if (found.empty() && !lacks_value)
        found.push_back({nullptr, t.sparse});
    else if (t.kind == term_kind::optional && t.pattern.is_wildcard())
        found.push_back({.only_where_none = true});
    return found;
}

void query_core::add_match(table& candidate, const std::vector<fetched_term>& chosen) {
    const auto is_by_row = [&](const term& t) {
        return t.kind != term_kind::optional && !t.sparse &&
               matching().presence_of(t, candidate) == presence::by_row;
    };
    const bool by_row =
        std::ranges::any_of(terms_, is_by_row) || std::ranges::any_of(chosen, &fetched_term::only_where_none);
    const bool by_target = std::ranges::any_of(chosen, [](const fetched_term& f) { return bool(f.target); });
    const bool inherits = std::ranges::any_of(chosen, [](const fetched_term& f) { return bool(f.base); });
    const bool partial =
        std::ranges::any_of(terms_, [&](const term& t) { return matcher::is_partial(t, candidate); });
    const auto asks_what_is_hidden = [](const term& t) { return t.kind == term_kind::hidden; };
    const bool only_in_place = partial && !by_row && !by_target && !candidate.inherits && !filters_rows_ &&
                               conditions_.empty() && !asks_for_kinds() &&
                               !std::ranges::any_of(terms_, asks_what_is_hidden);
    const bool open = by_row || by_target || inherits;
    const bool only_toggles =
        !open && !partial && !filters_rows_ && conditions_.empty() &&
        std::ranges::all_of(terms_, [](const term& t) {
            return is_plain(t) || (t.kind == term_kind::optional && !t.pattern.is_wildcard());
        });
    const bool only_above = by_row && !by_target && !inherits && !partial && only_looks_above(candidate);
    matches_.push_back({&candidate, static_cast<std::uint32_t>(fetched_.size()), by_row, by_target, open,
                        partial, only_in_place, only_toggles, only_above, group_of(candidate)});
    fetched_.insert(fetched_.end(), chosen.begin(), chosen.end());
    matches_of_heirs_ += static_cast<std::size_t>(candidate.inherits);
}

/// Whether all rows of the table, or none, satisfy each term that does not hand out what is above.
bool query_core::only_looks_above(const table& candidate) const {
    const auto is_same_for_all = [&](const term& t) {
        if (t.above && engine_->rows().sparse_of(t.pattern)) return false; // What is found there may move.
        if (t.kind == term_kind::optional)
            return !t.pattern.is_wildcard(); // One match of such is for the rest.
        if (t.above) return t.fetched && t.kind == term_kind::with;
        return (t.kind == term_kind::with || t.kind == term_kind::without) && !t.sparse && !t.chains &&
               !t.kinds && !t.pattern.is_wildcard() &&
               matching().presence_of(t, candidate) != presence::by_row;
    };
    return !filters_rows_ && conditions_.empty() && std::ranges::all_of(terms_, is_same_for_all);
}

/// The group of a table: its first target, the table's own or inherited; 0 when it has none, or the query has
/// no groups. A number is a target behind all entities.
std::uint64_t query_core::group_of(const table& candidate) const {
    if (group_function_) {
        const store::iteration_lock asking(engine_->rows()); // The tables are being gone through.
        return group_function_(candidate.type());
    }
    if (!grouped_by_) return 0;
    const auto first = std::ranges::find_if(candidate.type(), [&](id word) {
        return (word.kind() == id_kind::pair || word.is_value_pair()) &&
               word.relation_index() == index_of(grouped_by_.as_entity());
    });
    if (first != candidate.type().end())
        return first->is_value_pair() ? first_numbered_group + first->number() : first->target_index();
    const id whichever = can_relate(grouped_by_.as_entity()) ? pair(grouped_by_, any) : id{};
    const entity giver =
        candidate.inherits && whichever ? engine_->reads().base_with(candidate, whichever) : entity{};
    const id inherited = giver ? engine_->reads().pair_behind(giver, whichever) : id{};
    if (inherited.is_value_pair()) return first_numbered_group + inherited.number();
    return inherited.kind() == id_kind::pair ? inherited.target_index() : 0;
}

} // namespace ecs
