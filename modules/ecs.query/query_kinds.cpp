// SPDX-License-Identifier: MIT
// Terms about a component and its kinds: whatever leads to it by is_a. The kinds are found once, and again
// when a chain of is_a has changed; a table is asked for those that it has, or inherits, and not for each
// that there is.
module ecs.query;
import ecs.std;
import :query_core;

namespace ecs {

namespace {

constexpr auto strongest = [](presence one, presence other) {
    constexpr auto rank = [](presence p) { // Every row is more than some.
        return p == presence::no ? 0 : p == presence::by_row ? 1 : p == presence::inherited ? 2 : 3;
    };
    return rank(one) < rank(other) ? other : one;
};

} // namespace

void query_core::learn_kinds(term& t) const {
    t.chains = engine_->reads().sources_by_chains(pair(engine_->rows().resolve(is_a), t.pattern.as_entity()));
    t.sparse_members.clear();
    for (sparse_set* const sparse : engine_->rows().all_sparse_sets())
        if (is_kind(t, sparse->word)) t.sparse_members.push_back(sparse);
}

/// Whether the identifier is the component itself or leads to it. The chains are asked as they are: an index
/// that one of the kinds had may be another's by now.
bool query_core::is_kind(const term& t, id word) const {
    if (word == t.pattern) return true;
    return word.is_entity() && t.chains && t.chains->contains(word.as_entity()) &&
           engine_->reads().leads_to(word.as_entity(), engine_->rows().resolve(is_a).as_entity(),
                                     t.pattern.as_entity());
}

/// Those in the type of the table, or of one of its bases.
std::vector<id> query_core::kinds_in(const term& t, const table& candidate) const {
    std::vector<id> found;
    const auto look_at = [&](const table& in) {
        std::ranges::copy_if(in.type(), std::back_inserter(found), [&](id word) { return is_kind(t, word); });
    };
    look_at(candidate);
    if (candidate.inherits)
        for (const entity from : engine_->reads().bases_of(candidate))
            look_at(*engine_->rows().locate(from).block->owner);
    return found;
}

presence query_core::presence_of_kinds(const term& t, const table& candidate) const {
    presence found = t.sparse_members.empty() ? presence::no : presence::by_row;
    for (const id word : kinds_in(t, candidate))
        found = strongest(found, engine_->reads().presence_in(candidate, word));
    return found;
}

std::uint64_t query_core::rows_with_kinds(const term& t, const match& m, chunk& in, std::uint32_t block,
                                          std::uint64_t among) const {
    std::uint64_t rows = 0;
    for (const id word : kinds_in(t, *m.in)) rows |= rows_with({word}, m, in, block, among);
    for (sparse_set* const set : t.sparse_members) {
        term kind{set->word};
        kind.sparse = set;
        rows |= rows_with(kind, m, in, block, among);
    }
    return rows;
}

} // namespace ecs
