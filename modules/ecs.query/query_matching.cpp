// SPDX-License-Identifier: MIT
// Which tables may satisfy a query, and where in them its values are.
module ecs.query;
import ecs.std;
import :query_core;

namespace ecs {

namespace {

/// The first position from `from` on whose identifier the pattern may stand for: for a relation that keeps
/// targets in a column, the rows have to be asked.
std::uint32_t next_stored(const table& in, id pattern, std::uint32_t from) {
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

/// The same for a term. Values of (any, T) are T's own: pairs of a relation with values have another type.
std::uint32_t query_core::next_match(const table& in, const term& t, std::uint32_t from) const {
    if (engine_->reads().is_value_of_link(in, t.pattern)) return table::absent;
    std::uint32_t position = next_stored(in, t.pattern, from);
    if (!t.valued || !t.pattern.is_wildcard() || t.pattern.relation_index() != 0) return position;
    const auto is_relations = [&](id word) {
        return engine_->rows().info_of_id(engine_->rows().entities().at(word.relation_index())).size != 0;
    };
    while (position != table::absent && is_relations(in.type()[position]))
        position = next_stored(in, t.pattern, position + 1);
    return position;
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
    if (t.sparse || t.kind == term_kind::any_of || t.kind == term_kind::optional ||
        t.kind == term_kind::removed)
        return true;
    const presence found = presence_of(t, candidate);
    if (t.kind != term_kind::without) return found != presence::no;
    return found == presence::no || found == presence::by_row || candidate.togglable();
}

presence query_core::presence_of(const term& t, const table& candidate) const {
    if (t.kinds) return presence_of_kinds(t, candidate);
    if (t.above)
        return candidate.has(pair(t.above, any)) || candidate.find_match(pair(t.above, any)) != table::absent
                   ? presence::by_row
                   : presence::no;
    const bool ended =
        t.pattern.is_pair() && t.pattern.target_index() != 0 && !engine_->rows().entities().alive(t.target);
    return ended ? presence::no : engine_->reads().presence_in(candidate, t.pattern, t.chains.get());
}

bool query_core::satisfies_any(const table& candidate) const {
    bool asked = false;
    for (const term& t : terms_) {
        if (t.kind != term_kind::any_of) continue;
        if (t.sparse || presence_of(t, candidate) != presence::no) return true;
        asked = true;
    }
    return !asked;
}

/// Prefabs and disabled entities are passed over unless a term asks for them.
bool query_core::is_hidden(const table& candidate) const {
    return std::ranges::any_of(std::array{id(prefab_tag), id(disabled)}, [&](id tag) {
        return candidate.has(engine_->rows().resolve(tag)) && !mentions(engine_->rows().resolve(tag));
    });
}

bool query_core::mentions(id word) const {
    return std::ranges::any_of(terms_, [&](const term& t) { return t.pattern == word; });
}

void query_core::add_matches(table& candidate, std::size_t next, std::vector<fetched_term>& chosen) {
    while (next < terms_.size() && !terms_[next].fetched) ++next;
    if (next == terms_.size()) return add_match(candidate, chosen);
    const term& t = terms_[next];
    const bool own = t.pattern && !t.above;
    const bool searched = own && !t.sparse;
    std::uint32_t position = searched ? next_match(candidate, t, 0) : table::absent;
    if (position == table::absent) {
        const entity giver =
            own && candidate.inherits ? engine_->reads().base_with(candidate, t.pattern) : entity{};
        const bool by_chain = searched && !giver && t.kind == term_kind::with;
        if (by_chain && engine_->rows().info_of_id(t.pattern).size != 0)
            return; // There is no value to hand out.
        chosen.push_back({nullptr, t.sparse, table::absent, giver, giver ? t.pattern : id{}});
        add_matches(candidate, next + 1, chosen);
        chosen.pop_back();
    }
    for (; position != table::absent; position = next_match(candidate, t, position + 1)) {
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
    found.in = candidate.column_of(engine_->rows().entities().at(word.relation_index()));
    if (t.pattern.target_index() != 0) found.target = t.target;
    return found;
}

void query_core::add_match(table& candidate, const std::vector<fetched_term>& chosen) {
    const bool by_row = std::ranges::any_of(terms_, [&](const term& t) {
        return t.kind != term_kind::optional && !t.sparse && presence_of(t, candidate) == presence::by_row;
    });
    const bool inherits =
        std::ranges::any_of(chosen, [](const fetched_term& f) { return f.base || f.target; });
    matches_.push_back(
        {&candidate, static_cast<std::uint32_t>(fetched_.size()), by_row || inherits, group_of(candidate)});
    fetched_.insert(fetched_.end(), chosen.begin(), chosen.end());
}

/// The first target, the table's own or inherited.
std::uint32_t query_core::group_of(const table& candidate) const {
    if (!grouped_by_) return 0;
    const auto first = std::ranges::find_if(candidate.type(), [&](id word) {
        return word.kind() == id_kind::pair && word.relation_index() == index_of(grouped_by_.as_entity());
    });
    if (first != candidate.type().end()) return first->target_index();
    const id whichever = can_relate(grouped_by_.as_entity()) ? pair(grouped_by_, any) : id{};
    const entity giver =
        candidate.inherits && whichever ? engine_->reads().base_with(candidate, whichever) : entity{};
    const id inherited = giver ? engine_->reads().pair_behind(giver, whichever) : id{};
    return inherited.kind() == id_kind::pair ? inherited.target_index() : 0;
}

} // namespace ecs
