// SPDX-License-Identifier: MIT
// Queries that go over a list of rows: because they have an order, because a relation keeps a list of all
// entities that can satisfy a term, or because little has changed of what a term asks for.
module ecs.query;
import ecs.std;
import ecs.component;

namespace ecs {

namespace {

void require_comparison(bool is_there) {
    if (!is_there)
        throw std::invalid_argument("sort_by needs a function that compares, and this one is empty");
}

} // namespace

void query_core::sort_by(id component, comparison less) {
    if (engine_->rows().info_of_id(require_asked(component)).size == 0)
        throw std::invalid_argument("a query is sorted by values, and a tag has none: sort by what a "
                                    "function says of two entities");
    require_comparison(less != nullptr);
    add_term({component, term_kind::with, false});
    in_order_.sort_by(component, std::move(less));
    order_.forget();
}

void query_core::sort_by(row_order::entity_comparison less) {
    require_comparison(less != nullptr);
    if (running_.loops != 0) throw iteration_error("a query cannot get an order while a loop over it runs");
    in_order_.sort_by(std::move(less));
    order_.forget();
}

void query_core::cascade(id relation) {
    if (running_.loops != 0) throw iteration_error("a query cannot get an order while a loop over it runs");
    const entity along = require_relation(relation);
    if (!engine_->rows().traits_of(along).any_of(trait::acyclic))
        throw std::invalid_argument("cascade needs an acyclic relation: otherwise nobody comes first");
    in_order_.cascade(along);
    order_.forget();
}

/// The numbers of the rows of each table, in the order of loops, each once: an entity may have several
/// matches.
std::vector<std::vector<std::size_t>> query_core::rows_in_order() {
    refresh();
    loop looping(*this);
    const auto& tables = engine_->rows().tables();
    std::vector<std::vector<std::size_t>> orders(tables.size());
    std::vector<std::vector<bool>> taken(tables.size());
    const listed_rows rows = rows_on_list(looping);
    for (std::size_t n = 0; n != rows.size(); ++n) {
        const found_row found = rows[n];
        const table& in = *found.found_in->archetype;
        if (in.is_rowless()) continue;
        std::vector<bool>& known = taken[in.ordinal()];
        known.resize(in.size());
        const std::size_t row = in.number_of(found.at());
        if (known[row]) continue;
        known[row] = true;
        orders[in.ordinal()].push_back(row);
    }
    return orders;
}

void query_core::sort_rows() {
    if (!has_order())
        throw std::invalid_argument("sort_rows needs the order of the query: call sort_by or cascade first");
    engine_->changes().require_open();
    const std::vector<std::vector<std::size_t>> orders = rows_in_order();
    for (std::size_t ordinal = 0; ordinal != orders.size(); ++ordinal)
        engine_->rows().arrange(*engine_->rows().tables()[ordinal], orders[ordinal]);
}

/// Notes the terms that only sources on a list can satisfy.
void query_core::note_anchors() {
    constexpr auto finds_others = bits_of(trait::transitive, trait::reflexive,
                                          trait::inheritable); // These find entities that are on no list.
    anchors_.clear();
    for (const term& t : terms_) {
        const traits& own = engine_->rows().traits_of(t.pattern);
        if (t.kind == term_kind::with && !t.above && !t.tested && t.pattern.kind() == id_kind::pair &&
            own.any_of(trait::non_fragmenting) && (own.bits & finds_others) == 0)
            anchors_.push_back(t.pattern);
    }
}

void query_core::prepare_to_find() {
    refresh();
    number_matches();
}

void query_core::number_matches() {
    if (!match_of_table_.empty()) return;
    match_of_table_.assign(engine_->rows().tables().size(), table::absent);
    for (std::size_t at = matches_.size(); at-- > 0;)
        match_of_table_[matches_[at].archetype->ordinal()] = static_cast<std::uint32_t>(at);
}

/// The first of the matches of a table, which are neighbours; nullptr when it has none.
const match* query_core::first_match_in(const table& in) const {
    const std::uint32_t first =
        in.ordinal() < match_of_table_.size() ? match_of_table_[in.ordinal()] : table::absent;
    return first == table::absent ? nullptr : &matches_[first];
}

bool query_core::satisfies(const match& m, row_ref at) const {
    const std::uint64_t row = std::uint64_t{1} << (at.row % 64);
    return !has_hidden_rows(m) || (row_mask(m, *at.block, at.row / 64, row) & row) != 0;
}

/// Gathers all entities on the shortest list, or in the tables when there is no list.
void query_core::gather(std::vector<found_row>& found) {
    std::span<const entity> shortest;
    for (const id& anchor : anchors_) {
        const entity target = engine_->reads().target_of_pair(anchor);
        const std::span<const entity> sources = engine_->rows().list_of(target, anchor.relation_index());
        if (&anchor == &anchors_.front() || sources.size() < shortest.size()) shortest = sources;
    }
    if (!anchors_.empty()) return gather_sources(shortest, found);
    if (lists_news_) return gather_news(found);
    for (const match& m : matches_)
        for (chunk* const in : chunks_of(m))
            for (std::uint32_t first = 0; first < in->count; first += 64)
                for (std::uint64_t mask = rows(m, *in, first / 64); mask != 0; mask &= mask - 1)
                    found.push_back({&m, in, first + static_cast<std::uint32_t>(std::countr_zero(mask))});
}

namespace {

/// Rows of one group stay in the order of the list.
void put_in_groups(std::span<found_row> found) {
    const auto group = [](const found_row& row) { return row.found_in->group; };
    if (std::ranges::is_sorted(found, {}, group)) return;
    for (std::size_t at = 0; at != found.size(); ++at) found[at].place = static_cast<std::uint32_t>(at);
    const auto turn = [](const found_row& row) { return std::tuple(row.found_in->group, row.place); };
    std::ranges::sort(found, {}, turn);
}

} // namespace

void query_core::gather_sources(std::span<const entity> sources, std::vector<found_row>& found) {
    for (const entity e : sources) gather_at(e, found);
    if (grouped_by_ || group_function_) put_in_groups(found);
}

void query_core::gather_at(entity e, std::vector<found_row>& found) {
    number_matches();
    const row_ref at = engine_->rows().locate_in_loops(e);
    const match* m = at ? first_match_in(*at.block->owner) : nullptr;
    for (; m && m != matches_.data() + matches_.size() && m->archetype == at.block->owner; ++m)
        if (satisfies(*m, at)) found.push_back({m, at.block, at.row});
}

/// The ticks of a term that asks for news: every entity that satisfies it has a tick of its own. A row that
/// inherits a value sees the change of the base and has no tick.
const change_ticks* query_core::ticks_to_list() const {
    const auto inherits = [](const match& m) { return m.archetype->inherits; };
    for (const term& t : terms_)
        if (t.kind >= term_kind::added && t.ticks && !t.tested &&
            (t.kind != term_kind::changed || !std::ranges::any_of(matches_, inherits)))
            return t.ticks;
    return nullptr;
}

/// A list is worth while when at most one of that many rows is on it; otherwise loops look at the rows
/// themselves.
void query_core::look_for_news() {
    constexpr std::size_t few = 16;
    if (running_.loops != 0) return; // The loop goes on as it has begun.
    lists_news_ = false;
    const change_ticks* const ticks = ticks_to_list();
    if (!ticks) return;
    std::size_t rows = 0;
    for (const match& m : matches_) rows += engine_->rows().size_of(*m.archetype);
    news_.clear();
    lists_news_ = ticks->list_since(seen_until_, rows / (64 * few), news_);
}

/// Gathers rows in the order in which loops over the rows come to them.
void query_core::gather_news(std::vector<found_row>& found) {
    const change_ticks& ticks = *ticks_to_list();
    const auto gather_index = [&](std::uint32_t index) {
        gather_at(engine_->rows().entities().at(index), found);
    };
    for (const std::uint32_t first : news_) ticks.for_each_since(seen_until_, first, gather_index);
    const auto place = [](const found_row& f) { return std::tuple(f.found_in, f.block->position, f.row); };
    std::ranges::sort(found, {}, place);
}

bool query_core::lists_matches_apart() const {
    return lists_news_ && anchors_.empty() &&
           std::ranges::adjacent_find(matches_, {}, &match::archetype) != matches_.end();
}

/// A loop that finds no rows, because there is no memory or a comparison throws, has looked at nothing.
listed_rows query_core::rows_on_list(loop& looping) {
    try {
        list_rows();
    } catch (...) {
        looping.forget_look();
        throw;
    }
    running_.on_list += static_cast<int>(!std::exchange(looping.is_on_list_, true));
    return order_.rows();
}

/// Puts on the list what is to be on it now, unless another loop goes over it.
void query_core::list_rows() {
    const row_list::version now{version_of_chunks(), engine_->rows().row_changes()};
    if (running_.on_list != 0 || (order_.is_of(now) && in_order_.holds(order_.rows()))) return;
    order_.forget();
    std::vector<found_row> found;
    gather(found);
    std::vector<listed_place> places = number_places(found);
    const bool stays = lists_whole_tables();
    order_.assign(std::move(places), in_order_.put(*engine_, std::move(found)),
                  stays ? std::optional(now) : std::nullopt);
}

/// Whether all rows of the tables are on the list: then none comes or goes unnoticed.
bool query_core::lists_whole_tables() const {
    return anchors_.empty() && !lists_news_ && !looks_each_time_ &&
           !std::ranges::any_of(matches_, [&](const match& m) { return has_hidden_rows(m); });
}

} // namespace ecs
