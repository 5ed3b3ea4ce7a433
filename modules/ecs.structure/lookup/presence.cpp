// SPDX-License-Identifier: MIT
// Whether an entity, or every row of a table, has an identifier that is not in its table's type: because the
// target is in a column, by a trait of the relation, or from a base.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// The presence of a pair with a target that is not in the table's type.
presence pair_presence(const lookup& in, const table& candidate, id pattern, const chain_sources* known) {
    const auto may_link = [&](id word) {
        return word.is_wildcard() &&
               (pattern.relation_index() == 0 || pattern.relation_index() == word.relation_index());
    };
    if (candidate.linked && std::ranges::any_of(candidate.type(), may_link)) return presence::by_row;
    const traits& own = in.rows().traits_of(pattern);
    const entity target = in.rows().entities().at(pattern.target_index());
    if (!target) return presence::no;
    const row_ref home =
        in.rows().locate(target); // Null while the components of the target are on their way.
    if (own.any_of(trait::reflexive) && home && home.block->owner == &candidate) return presence::by_row;
    if (!own.any_of(trait::transitive)) return presence::no;
    const entity relation = in.rows().entities().at(pattern.relation_index());
    const auto leads_on = [&](entity at) {
        return known ? known->contains(at) : in.leads_to(at, relation, target);
    };
    const auto is_step = [&](id word) {
        return word.kind() == id_kind::pair && word.relation_index() == pattern.relation_index() &&
               leads_on(in.rows().entities().at(word.target_index()));
    };
    const bool leads = std::ranges::any_of(candidate.type(), is_step) ||
                       std::ranges::any_of(in.targets_inherited(candidate, relation), leads_on);
    return leads ? presence::in_table : presence::no;
}

} // namespace

bool lookup::has_in_row(row_ref at, id word, const chain_sources* known) const {
    return (known && known->contains(at.owner())) || at.block->owner->find_match(word) != table::absent ||
           has_by_rule(at, word, known);
}

bool lookup::has_by_rule(row_ref at, id word, const chain_sources* known) const {
    const table& in = *at.block->owner;
    if (word.is_pair() && word.target_index() != 0) {
        if (in.linked && rows_.has_linked(at, word)) return true;
        const traits& own = rows_.traits_of(word);
        if (own.any_of(trait::reflexive, trait::transitive) && is_had_by_chain(at.owner(), word, own, known))
            return true;
    }
    return in.inherits && base_with(in, word);
}

bool lookup::is_had_by_chain(entity e, id word, const traits& own, const chain_sources* known) const {
    const entity target = target_of_pair(word);
    if (own.any_of(trait::reflexive) && target == e) return true;
    if (!own.any_of(trait::transitive) || !target) return false;
    return known ? known->contains(e) : leads_to(e, rows_.entities().at(word.relation_index()), target);
}

bool lookup::keeps_values_of_links(id word) const {
    return word.is_entity() && rows_.traits_of(word).any_of(trait::non_fragmenting);
}

std::byte* lookup::find_by_rule(row_ref at, id word) const {
    const table& in = *at.block->owner;
    if (in.linked && word.is_pair() && rows_.has_linked(at, word)) return rows_.linked_value(at, word);
    if (!in.inherits) return nullptr;
    const row_ref from = row_of_base_with(in, word);
    return from ? rows_.own_value(from, word) : nullptr;
}

/// The first identifier with a value of the row itself that the pattern stands for. For any relation it is a
/// value of the target's own, so that all are of one type.
id lookup::valued_match(row_ref at, id pattern) const {
    if (!pattern.is_wildcard()) return rows_.own_value(at, pattern) ? pattern : id{};
    const table& in = *at.block->owner;
    for (const id word : in.type()) {
        const id relation = word.has_relation() ? id(rows_.entities().at(word.relation_index())) : id{};
        const bool is_own = pattern.relation_index() != 0 || rows_.info_of_id(relation).size == 0;
        if (!relation || !is_own) continue;
        const id stored = rows_.member_at(at, word);
        if (matches(pattern, stored) && store::value_at(at, word.is_wildcard() ? relation : word))
            return stored;
    }
    return {};
}

std::byte* lookup::find_any(row_ref at, id pattern) const {
    const table& in = *at.block->owner;
    if (const id own = valued_match(at, pattern)) return rows_.own_value(at, own);
    const held_value from = in.inherits ? inherited_value(in, pattern) : held_value{};
    return from.holder ? rows_.own_value(rows_.locate(from.holder), from.word) : nullptr;
}

presence lookup::presence_in(const table& candidate, id pattern, const chain_sources* known) const {
    if (is_value_of_link(candidate, pattern)) return presence::no;
    if (candidate.find_match(pattern) != table::absent) return presence::in_table;
    if (pattern.is_pair() && pattern.target_index() != 0) {
        const presence by_rule = pair_presence(*this, candidate, pattern, known);
        if (by_rule != presence::no) return by_rule;
    }
    return candidate.inherits && base_with(candidate, pattern) ? presence::inherited : presence::no;
}

} // namespace ecs
