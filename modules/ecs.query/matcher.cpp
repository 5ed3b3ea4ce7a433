// SPDX-License-Identifier: MIT
// Which tables may satisfy terms, and where in them the values are; see matcher.cppm.
module ecs.query;
import ecs.std;

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

constexpr auto strongest = [](presence one, presence other) {
    constexpr auto rank = [](presence p) { // "Every row" is more than "some".
        return p == presence::no ? 0 : p == presence::by_row ? 1 : p == presence::inherited ? 2 : 3;
    };
    return rank(one) < rank(other) ? other : one;
};

} // namespace

/// The position of the next identifier in the type that the term asks for, from that position on. A value
/// that is handed out has to be there: pairs of some relations have none.
std::uint32_t matcher::next_match(const table& in, const term& t, std::uint32_t from) const {
    if (in_->reads().is_value_of_link(in, t.pattern)) return table::absent;
    std::uint32_t position = next_stored(in, t.pattern, from);
    while (position != table::absent && t.valued && !has_value_of(t, in, position))
        position = next_stored(in, t.pattern, position + 1);
    return position;
}

/// Values of (any, T) are values of T itself: pairs of a relation with values have another type.
bool matcher::has_value_of(const term& t, const table& in, std::uint32_t position) const {
    const id word = in.type()[position];
    const bool is_relations =
        t.pattern.is_wildcard() && t.pattern.relation_index() == 0 &&
        in_->rows().info_of_id(in_->rows().entities().at(word.relation_index())).size != 0;
    return !is_relations && fetched_at(t, in, position).values;
}

bool has_lost_target(const store& rows, const term& t) {
    return t.pattern.is_pair() && t.pattern.target_index() != 0 && !rows.entities().alive(t.target);
}

bool matcher::accepts(const table& candidate) const {
    return std::ranges::all_of(terms_, [&](const term& t) { return may_satisfy(t, candidate); }) &&
           may_satisfy_conditions(candidate) && !is_hidden(candidate);
}

/// Whether rows of the table may satisfy the term; row_mask says which.
bool matcher::may_satisfy(const term& t, const table& candidate) const {
    if (t.tested || t.kind == term_kind::optional || t.kind == term_kind::removed) return true;
    if (t.kind == term_kind::hidden) return may_hide(t, candidate);
    if (t.sparse) return t.kind == term_kind::without || may_have_beside(t, candidate);
    const presence found = presence_of(t, candidate);
    if (t.kind != term_kind::without) return found != presence::no;
    return found == presence::no || found == presence::by_row || candidate.togglable();
}

/// Whether rows of the table may have what the term is about themselves, and hide it.
bool matcher::may_hide(const term& t, const table& candidate) const {
    if (t.sparse) return t.sparse->may_be_in(candidate);
    return candidate.togglable() && !has_lost_target(in_->rows(), t) &&
           candidate.find_match(t.pattern) != table::absent;
}

/// Whether rows of the table may have what a set knows. Kinds of the component may be anywhere.
bool matcher::may_have_beside(const term& t, const table& candidate) {
    return t.kinds || candidate.inherits || t.sparse->may_be_in(candidate);
}

bool matcher::is_partial(const term& t, const table& candidate) {
    return t.sparse && t.sparse->in_place() && t.kind != term_kind::optional && may_have_beside(t, candidate);
}

presence matcher::presence_of(const term& t, const table& candidate) const {
    if (t.kinds) return presence_of_kinds(t, candidate);
    if (t.of_other) return t.other_has ? presence::in_table : presence::no;
    if (has_lost_target(in_->rows(), t)) return presence::no;
    return t.above ? presence_above(t, candidate)
                   : in_->reads().presence_in(candidate, t.pattern, t.chains.get());
}

/// What an entity above has differs from row to row. A row that has the component itself need not look. The
/// table answers for all of its rows or for none.
presence matcher::presence_above(const term& t, const table& candidate) const {
    if (t.itself && in_->rows().sparse_of(t.pattern)) return presence::by_row;
    const presence own = t.itself ? in_->reads().presence_in(candidate, t.pattern) : presence::no;
    const bool own_is_shown = own != presence::no && own != presence::by_row && !candidate.togglable();
    const bool has_above =
        candidate.has(pair(t.above, any)) || candidate.find_match(pair(t.above, any)) != table::absent;
    const bool is_nowhere = own == presence::no && !has_above;
    return own_is_shown || is_nowhere ? own : presence::by_row;
}

bool matcher::may_satisfy_conditions(const table& candidate) const {
    if (conditions_.empty()) return true;
    const auto ask = [&](std::size_t asked) { return answers_in(terms_[asked], candidate); };
    return evaluate<possible_answers>(conditions_, ask).yes;
}

/// The answers that rows of the table may give; row_mask asks them where both are possible.
possible_answers matcher::answers_in(const term& t, const table& candidate) const {
    constexpr possible_answers open{true, true};
    if (t.of_other) return {t.other_has, !t.other_has};
    if (t.kind == term_kind::removed) return open;
    if (t.kind == term_kind::hidden) return may_hide(t, candidate) ? open : possible_answers{false, true};
    if (t.sparse) return may_have_beside(t, candidate) ? open : possible_answers{false, true};
    const presence found = presence_of(t, candidate);
    if (found == presence::no) return {false, true};
    const bool same_for_all =
        found != presence::by_row && !candidate.togglable() && t.kind == term_kind::with;
    return same_for_all ? possible_answers{true, false} : open;
}

/// Whether the table is passed over: tables of prefabs and disabled entities are, unless a term asks for
/// them.
bool matcher::is_hidden(const table& candidate) const {
    return std::ranges::any_of(std::array{id(prefab_tag), id(disabled)}, [&](id tag) {
        return candidate.has(in_->rows().resolve(tag)) && !mentions(in_->rows().resolve(tag));
    });
}

/// Whether a term asks the entity itself for the identifier: what another one has says nothing of it.
bool matcher::mentions(id word) const {
    const auto asks_itself = [](const term& t) { return !t.of_other && (!t.above || t.itself); };
    return std::ranges::any_of(terms_, [&](const term& t) { return t.pattern == word && asks_itself(t); });
}

/// A pair whose target is in a column has its value in the column of the relation.
fetched_term matcher::fetched_at(const term& t, const table& candidate, std::uint32_t position) const {
    const id word = candidate.type()[position];
    fetched_term found{candidate.column_at(position), nullptr, position, {}, word};
    if (!word.is_wildcard()) return found;
    found.links = found.values;
    found.values = candidate.column_of(in_->rows().entities().at(word.relation_index()));
    if (t.pattern.target_index() != 0) found.target = t.target;
    return found;
}

// Kinds.

void matcher::learn_kinds(term& t) const {
    t.chains = in_->reads().sources_by_chains(pair(in_->rows().resolve(is_a), t.pattern.as_entity()));
    t.sparse_members.clear();
    for (sparse_set* const sparse : in_->rows().all_sparse_sets())
        if (is_kind(t, sparse->word)) t.sparse_members.push_back(sparse);
}

/// Whether the identifier is the component itself or leads to it. The chains are asked as they are: an index
/// of an earlier kind may belong to another entity by now.
bool matcher::is_kind(const term& t, id word) const {
    if (word == t.pattern) return true;
    return word.is_entity() && t.chains && t.chains->contains(word.as_entity()) &&
           in_->reads().leads_to(word.as_entity(), in_->rows().resolve(is_a).as_entity(),
                                 t.pattern.as_entity());
}

/// The kinds in the type of the table, or of one of its bases.
std::vector<id> matcher::kinds_in(const term& t, const table& candidate) const {
    std::vector<id> found;
    const auto look_at = [&](const table& in) {
        std::ranges::copy_if(in.type(), std::back_inserter(found), [&](id word) { return is_kind(t, word); });
    };
    look_at(candidate);
    if (candidate.inherits)
        for (const entity from : in_->reads().bases_of(candidate))
            look_at(*in_->rows().locate(from).block->owner);
    return found;
}

presence matcher::presence_of_kinds(const term& t, const table& candidate) const {
    presence found = t.sparse_members.empty() ? presence::no : presence::by_row;
    for (const id word : kinds_in(t, candidate))
        found = strongest(found, in_->reads().presence_in(candidate, word));
    return found;
}

} // namespace ecs
