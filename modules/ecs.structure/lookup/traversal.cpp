// SPDX-License-Identifier: MIT
// From sources to targets and back, by pairs that are stored: one step, or all the way.
module ecs.structure;
import ecs.std;
import ecs.core;

namespace ecs {

entity lookup::target_of(entity e, entity relation) const {
    const row_ref at = rows_.locate(e);
    const entity asked = rows_.entities().resolve(relation);
    if (!at || !rows_.entities().alive(asked)) return {};
    const table& in = *at.block->owner;
    if (in.linked && can_relate(asked))
        if (const entity target = store::linked_target(at, pair(asked, any))) return target;
    const auto first = std::ranges::find_if(in.type(), [&](id word) {
        return word.kind() == id_kind::pair && word.relation_index() == index_of(asked);
    });
    return first == in.type().end() ? entity{} : rows_.entities().at(first->target_index());
}

entity lookup::value_type_of(id word) const {
    if (!word || word.is_wildcard() || rows_.info_of_id(word).size == 0) return {};
    if (word.is_entity()) return word.as_entity();
    const entity relation = rows_.entities().at(word.relation_index());
    return rows_.info_of_id(relation).size != 0 ? relation : target_of_pair(word);
}

entity lookup::target_of_pair(id word) const {
    if (!word.is_pair() || word.target_index() == 0) return {};
    const entity target = rows_.entities().at(word.target_index());
    if (!target || word.is_wildcard()) return target;
    return pair(child_of, target).target_generation() == word.target_generation() ? target : entity{};
}

/// A pattern of any relation hands out values of the type of the target.
void* lookup::value_told(id pattern, id told, void* value, entity e) const {
    if (!matches(pattern, told)) return find(e, pattern);
    const bool is_of_target = pattern.is_wildcard() && pattern.relation_index() == 0;
    if (is_of_target && value_type_of(told) != target_of_pair(pattern)) return nullptr;
    return value ? value : find(e, pattern);
}

std::vector<entity> lookup::targets_of(entity e, entity relation) const {
    std::vector<entity> targets;
    const row_ref at = rows_.locate(e);
    relation = rows_.entities().resolve(relation);
    if (!at || !rows_.entities().alive(relation)) return targets;
    for (const id member : at.block->owner->type())
        if (member.is_pair() && member.relation_index() == index_of(relation))
            targets.push_back(rows_.entities().at(rows_.member_at(at, member).target_index()));
    return targets;
}

std::vector<entity> lookup::sources_of(entity target, id relation) const {
    std::vector<entity> sources;
    const entity only = rows_.resolve(relation).as_entity();
    target = rows_.entities().resolve(target);
    if (!rows_.entities().alive(target) || (relation && !rows_.entities().alive(only))) return sources;
    const auto asked = [&](std::uint32_t index) { return !relation || index == index_of(only); };
    rows_.lists().for_each([&](std::uint32_t index, const auto&) {
        if (!asked(index)) return;
        const auto list = rows_.list_of(target, index);
        sources.insert(sources.end(), list.begin(), list.end());
    });
    for (const component_record* const record : rows_.records().of_target(index_of(target)))
        if (record->word.is_pair() && asked(record->word.relation_index())) record->append_owners(sources);
    if (!relation) { // An entity may have the target in several.
        flat_map<bool> known;
        std::erase_if(sources, [&](entity e) { return std::exchange(known[e.value()], true); });
    }
    return sources; // Entities that have a pair under flags alone are no sources.
}

std::vector<entity> lookup::own_sources(id word) const {
    std::vector<entity> sources;
    if (keeps_in_column(word)) {
        const auto list = rows_.list_of(target_of_pair(word), word.relation_index());
        sources.assign(list.begin(), list.end());
    } else if (const component_record* const record = rows_.records().find(word)) {
        record->append_owners(sources);
    }
    return sources;
}

bool lookup::is_hidden(entity e, id word) const {
    if (const sparse_set* const sparse = rows_.sparse_of(word))
        return sparse->contains(index_of(e)) && !sparse->enabled(index_of(e));
    const row_ref at = rows_.locate(e);
    const std::uint32_t position = at.block->owner->position_of(word);
    return position != table::absent && at.block->owner->is_disabled(position, at);
}

entity lookup::up(entity e, entity relation, id word, bool shown) const {
    const auto fits = [&](entity at) { return shown ? is_enabled(at, word) : has(at, word); };
    if (rows_.traits_of(relation).any_of(trait::exclusive) &&
        rows_.traits_of(relation).any_of(trait::acyclic)) {
        entity at = target_of(e, relation);
        while (at && !fits(at)) at = target_of(at, relation);
        return at;
    }
    std::vector<entity> open = targets_of(e, relation);
    flat_map<bool> seen;
    for (std::size_t next = 0; next < open.size(); ++next) {
        if (fits(open[next])) return open[next];
        if (std::exchange(seen[open[next].value()], true)) continue;
        const std::vector<entity> targets = targets_of(open[next], relation);
        open.insert(open.end(), targets.begin(), targets.end());
    }
    return {};
}

entity lookup::nearest(entity e, entity relation, id word, bool itself) const {
    const bool is_first = itself && is_enabled(e, word);
    return is_first ? e : up(e, relation, word, true);
}

std::vector<entity> lookup::depth_first(entity root, id relation) const {
    std::vector<entity> order;
    std::vector<entity> open{root};
    flat_map<bool> seen;
    while (!open.empty()) {
        const entity next = open.back();
        open.pop_back();
        if (std::exchange(seen[next.value()], true)) continue;
        if (next != root) order.push_back(next);
        const std::vector<entity> sources = sources_of(next, relation);
        open.insert(open.end(), sources.rbegin(), sources.rend());
    }
    return order;
}

std::vector<entity> lookup::breadth_first(entity root, id relation) const {
    std::vector<entity> order{root};
    flat_map<bool> seen;
    seen[root.value()] = true;
    for (std::size_t next = 0; next < order.size(); ++next)
        for (const entity source : sources_of(order[next], relation))
            if (!std::exchange(seen[source.value()], true)) order.push_back(source);
    order.erase(order.begin());
    return order;
}

std::shared_ptr<const chain_sources> lookup::sources_by_chains(id word) const {
    const entity target = target_of_pair(word);
    if (!target || !rows_.traits_of(word).any_of(trait::transitive)) return nullptr;
    const entity relation = rows_.entities().at(word.relation_index());
    const bool inherits = rows_.traits_of(word).any_of(trait::inheritable);
    const bool is_listed = rows_.traits_of(word).any_of(trait::non_fragmenting) && !inherits;
    auto found = shared<chain_sources>();
    std::vector<entity> open{target};
    const auto meet = [&](entity source) {
        if (found->contains(source)) return;
        found->add(source);
        open.push_back(source);
    };
    while (!open.empty()) {
        const entity next = open.back();
        open.pop_back();
        if (is_listed)
            for (const entity source : rows_.list_of(next, index_of(relation))) meet(source);
        else
            for (const entity source : inherits ? sources_had(next, relation) : sources_of(next, relation))
                meet(source);
    }
    return found;
}

bool lookup::leads_to(entity from, entity relation, entity to) const {
    const traits& own = rows_.traits_of(relation);
    const bool inherits = own.any_of(trait::inheritable);
    if (index_of(relation) == is_a.index())
        if (const std::optional<bool> known = is_instance_along(from, to)) return *known;
    if (own.any_of(trait::exclusive) && own.any_of(trait::acyclic) && !inherits) {
        for (from = target_of(from, relation); from && from != to;) from = target_of(from, relation);
        return from == to;
    }
    std::vector<entity> open{from};
    flat_map<bool> seen;
    while (!open.empty()) {
        const entity next = open.back();
        open.pop_back();
        for (const entity target : inherits ? targets_had(next, relation) : targets_of(next, relation)) {
            if (target == to) return true;
            if (!std::exchange(seen[target.value()], true)) open.push_back(target);
        }
    }
    return false;
}

} // namespace ecs
