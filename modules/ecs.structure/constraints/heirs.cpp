// SPDX-License-Identifier: MIT
// What a base has, its heirs have, too. A law about what an entity has is therefore asked for all of them:
// when a base gets something, and when an entity becomes an heir.
module ecs.structure;
import ecs.std;
import :constraints;

namespace ecs {

bool constraints::is_excluded_below(entity e, id word, const rules& own) const {
    return ask_.passes_on(e, word) &&
           std::ranges::any_of(ask_.heirs_of(e), [&](entity heir) { return is_excluded(heir, own); });
}

/// Whether a chain of the relation leads from the entity to one of those, who are sorted. What is inherited
/// is a step, also where a pair of an heir's own hides it: it is there again when that pair goes.
bool constraints::may_lead_to(entity from, entity relation, std::span<const entity> those) const {
    std::vector<entity> open{from};
    flat_map<bool> seen;
    while (!open.empty()) {
        const entity next = open.back();
        open.pop_back();
        if (std::ranges::binary_search(those, next)) return true;
        if (!rows_.locate(next) || std::exchange(seen[next.value()], true)) continue;
        for (const entity giver : ask_.lineage_of(next))
            for (const entity target : ask_.targets_of(giver, relation))
                if (giver == next || !ask_.stays_within(giver, pair(relation, target)))
                    open.push_back(target);
    }
    return false;
}

/// Whether the pair would close a cycle for the entity or, where they inherit it, for one of its heirs.
bool constraints::closes_cycle_below(entity e, id word) const {
    const std::vector<entity> those = ask_.passes_on(e, word) ? ask_.heirs_of(e) : std::vector{e};
    return may_lead_to(rows_.entities().at(word.target_index()), rows_.entities().at(word.relation_index()),
                       those);
}

add_result constraints::check_bequest(std::span<const entity> those, id word) const {
    const rules& own = rows_.rules_of(word);
    const auto is_refused = [&](entity e) { return is_excluded(e, own); };
    if (own.any_of(rule::excludes) && std::ranges::any_of(those, is_refused)) return add_result::excluded;
    if (word.kind() != id_kind::pair || !own.any_of(rule::acyclic)) return add_result::added;
    const entity relation = rows_.entities().at(word.relation_index());
    return may_lead_to(rows_.entities().at(word.target_index()), relation, those)
               ? add_result::would_make_a_cycle
               : add_result::added;
}

add_result constraints::check_inheritance(entity heir, entity from) const {
    if (rows_.all_rules().laws_of_heirs() == 0) [[likely]]
        return add_result::added;
    const std::vector<entity> those = ask_.heirs_of(heir);
    for (const entity giver : ask_.lineage_of(from))
        for (const id word : ask_.words_of(giver)) {
            if (rows_.rules_of(word).bits == 0 || !ask_.is_heritable(word) || ask_.stays_within(giver, word))
                continue;
            if (const add_result refusal = check_bequest(those, word); !succeeded(refusal)) return refusal;
        }
    return add_result::added;
}

} // namespace ecs
