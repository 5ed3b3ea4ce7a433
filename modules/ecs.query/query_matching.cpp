// SPDX-License-Identifier: MIT
// The tables that satisfy a query, with what the caller wants of each of them.
module ecs.query;
import ecs.std;
import ecs.relation;
import ecs.storage;
import ecs.structure;

namespace ecs {

void query_core::consider(table& candidate) {
    if (!matching().accepts(candidate)) return;
    std::vector<fetched_term> chosen;
    add_matches(candidate, 0, chosen);
}

void query_core::add_matches(table& candidate, std::size_t next, std::vector<fetched_term>& chosen) {
    while (next < terms_.size() && !terms_[next].fetched) ++next;
    if (next == terms_.size()) return add_match(candidate, chosen);
    const std::vector<fetched_term> all = choices_of(terms_[next], candidate);
    for (const fetched_term& one : all) {
        chosen.push_back(one);
        add_matches(candidate, next + 1, chosen);
        chosen.pop_back();
    }
}

/// What the table has for a fetched term, its own first. Nothing is a choice, too, where it may be missing or
/// a chain leads to it, but not where a value would have to be handed out.
std::vector<fetched_term> query_core::choices_of(const term& t, table& candidate) const {
    const bool own = t.pattern && !t.above;
    const bool searched = own && !t.sparse;
    std::vector<fetched_term> found;
    for (std::uint32_t position = searched ? matching().next_match(candidate, t, 0) : table::absent;
         position != table::absent; position = matching().next_match(candidate, t, position + 1))
        found.push_back(matching().fetched_at(t, candidate, position));
    if (own && candidate.inherits && (found.empty() || t.pattern.is_wildcard()))
        for (const held_value& from : engine_->reads().inherited_matches(candidate, t.pattern))
            found.push_back({nullptr, t.sparse, table::absent, from.holder, from.word});
    const bool by_chain = searched && t.kind == term_kind::with;
    const bool lacks_value = by_chain && engine_->rows().info_of_id(t.pattern).size != 0;
    if (found.empty() && !lacks_value) found.push_back({nullptr, t.sparse});
    return found;
}

void query_core::add_match(table& candidate, const std::vector<fetched_term>& chosen) {
    const bool by_row = std::ranges::any_of(terms_, [&](const term& t) {
        return t.kind != term_kind::optional && !t.sparse &&
               matching().presence_of(t, candidate) == presence::by_row;
    });
    const bool inherits =
        std::ranges::any_of(chosen, [](const fetched_term& f) { return f.base || f.target; });
    const bool partial =
        std::ranges::any_of(terms_, [&](const term& t) { return matcher::is_partial(t, candidate); });
    const bool only_in_place = partial && !by_row && !candidate.inherits && !filters_rows_ &&
                               conditions_.empty() && !asks_for_kinds();
    matches_.push_back({&candidate, static_cast<std::uint32_t>(fetched_.size()), by_row || inherits, partial,
                        only_in_place, group_of(candidate)});
    fetched_.insert(fetched_.end(), chosen.begin(), chosen.end());
}

/// The first target, the table's own or inherited.
std::uint32_t query_core::group_of(const table& candidate) const {
    if (group_function_) return group_function_(candidate.type());
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
