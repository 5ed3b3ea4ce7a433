// SPDX-License-Identifier: MIT
// What a base has, its instances have, too. A law about what an entity has is therefore asked for all of
// them: when a base gets something, and when an entity becomes an instance.
module ecs.structure;
import ecs.std;

namespace ecs {

bool constraints::is_excluded_below(entity e, id word, const traits& own) const {
    return reads_.passes_on(e, word) && std::ranges::any_of(reads_.instances_of(e), [&](entity instance) {
               return is_excluded(instance, own);
           });
}

/// Whether a chain of the relation leads from the entity to one of the others, which are sorted. An inherited
/// pair is a step, also where a pair of the instance itself hides it: it is there again when that pair goes.
bool constraints::may_lead_to(entity from, entity relation, std::span<const entity> those) const {
    std::vector<entity> open{from};
    flat_map<bool> seen;
    while (!open.empty()) {
        const entity next = open.back();
        open.pop_back();
        if (std::ranges::binary_search(those, next)) return true;
        if (!rows_.locate(next) || std::exchange(seen[next.value()], true)) continue;
        for (const entity giver : reads_.lineage_of(next))
            for (const entity target : reads_.targets_of(giver, relation))
                if (giver == next || !reads_.stays_within(giver, pair(relation, target)))
                    open.push_back(target);
    }
    return false;
}

/// Whether the pair would close a cycle for the entity or for one of its instances. A pair within one whole
/// counts for instances, too, though they do not inherit it now: when a part leaves the whole, nothing checks
/// the pair again.
bool constraints::closes_cycle_below(entity e, id word) const {
    const bool passes_on = rows_.locate(e).block->owner->inherited && reads_.is_heritable(word);
    const std::vector<entity> those = passes_on ? reads_.instances_of(e) : std::vector{e};
    return may_lead_to(rows_.entities().at(word.target_index()), rows_.entities().at(word.relation_index()),
                       those);
}

add_result constraints::check_inherited(std::span<const entity> those, id word,
                                        const leaving_words& leaving) const {
    const traits& own = rows_.traits_of(word);
    const auto is_refused = [&](entity e) { return is_excluded(e, own, leaving); };
    if (own.any_of(trait::excludes) && std::ranges::any_of(those, is_refused)) return add_result::excluded;
    if (word.kind() != id_kind::pair || !own.any_of(trait::acyclic)) return add_result::added;
    const entity relation = rows_.entities().at(word.relation_index());
    return may_lead_to(rows_.entities().at(word.target_index()), relation, those)
               ? add_result::would_make_a_cycle
               : add_result::added;
}

std::vector<id> constraints::rules_for_instances(entity from) const {
    std::vector<id> words;
    if (rows_.all_traits().instance_trait_count() == 0) [[likely]]
        return words;
    for (const entity giver : reads_.lineage_of(from))
        for (const id word : reads_.words_of(giver)) {
            const traits& own = rows_.traits_of(word);
            const bool stays = !own.any_of(trait::acyclic) && reads_.stays_within(giver, word); // As above.
            if (own.bits != 0 && reads_.is_heritable(word) && !stays && reads_.owns(giver, word))
                words.push_back(word); // The giver does not own a column with the values of pairs.
        }
    return words;
}

add_result constraints::check_inheritance(entity instance, entity from, const leaving_words& leaving) const {
    const std::vector<id> words = rules_for_instances(from);
    if (words.empty()) return add_result::added;
    const std::vector<entity> those = reads_.instances_of(instance);
    for (const id word : words)
        if (const add_result refusal = check_inherited(those, word, leaving); !succeeded(refusal))
            return refusal;
    return add_result::added;
}

} // namespace ecs
