// SPDX-License-Identifier: MIT
// The end of an entity that others refer to. Who ends with it is kept on a list, not on the stack, so that a
// chain of a million is as good as a pair; every reference is looked at once.
module;
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
module ecs.world;
import :store;

namespace ecs {

bool store::end_referred(entity e) {
    if (is_needed(e) || (refusals_ != 0 && is_kept(e))) return false;
    std::vector<entity> ending{e};
    std::vector<id> spent;
    while (!ending.empty()) {
        const entity next = ending.back();
        ending.pop_back();
        if (!entities_->alive(next)) continue;
        const bool was_relation = by_relation_.find(index_of(next)) || rules_.of(index_of(next)).bits != 0;
        if (entities_->is_referred(next)) detach(next, ending, spent);
        end_row(locate(next));
        // Pairs have no room for the generation of their relation: used again, the index would revive them.
        was_relation ? entities_->retire(next) : entities_->destroy(next);
    }
    for (const id word : spent) remove_everywhere(word);
    return true;
}

/// Whether the world itself needs the entity.
bool store::is_needed(entity e) const {
    const bool is_builtin = index_of(e) >= low_ids && index_of(e) < entity_index::first_ordinary;
    return is_builtin || e == registered<component_info>() || e == registered<name>();
}

/// Whether the end of the entity, or of somebody who ends with it, is refused by a source that stays.
bool store::is_kept(entity e) const {
    std::vector<entity> ending{e};
    flat_map<bool> doomed;
    doomed[e.value()] = true;
    std::vector<entity> refusing;
    for (std::size_t next = 0; next < ending.size(); ++next)
        for_each_referrer(ending[next], [&](entity source, end_policy policy) {
            if (policy == end_policy::refuse) refusing.push_back(source);
            if (policy == end_policy::destroy && !std::exchange(doomed[source.value()], true))
                ending.push_back(source);
        });
    return std::ranges::any_of(refusing, [&](entity source) { return !doomed.find(source.value()); });
}

template <class Visit> void store::for_each_referrer(entity e, Visit&& visit) const {
    lists_.for_each([&](std::uint64_t relation, const auto&) {
        const auto index = static_cast<std::uint32_t>(relation);
        for (const entity source : list_of(e, index).as_span()) visit(source, rules_.of(index).on_target_end);
    });
    for (const id word : words_with(e)) {
        std::vector<entity> owners;
        append_owners(**records_.find(word.value()), owners);
        for (const entity owner : owners) visit(owner, policy_for(e, word));
    }
}

/// The identifiers that the entity is part of: as component, relation or target.
std::vector<id> store::words_with(entity e) const {
    std::vector<id> words;
    if (records_.find(id(e).value())) words.push_back(e);
    for (const auto* const filed : {by_relation_.find(index_of(e)), by_target_.find(index_of(e))})
        if (filed)
            for (const id_record* const record : *filed) words.push_back(record->word);
    std::ranges::sort(words);
    words.erase(std::ranges::unique(words).begin(), words.end());
    return words;
}

/// An entity may be the relation and the target of one pair: the stricter policy decides.
end_policy store::policy_for(entity ending, id word) const {
    const std::uint32_t index = index_of(ending);
    const bool as_target = word.kind() == id_kind::pair && word.target_index() == index;
    const bool as_itself = word.is_entity() || (word.has_relation() && word.relation_index() == index);
    const end_policy of_target = as_target ? rules_of(word).on_target_end : end_policy::remove;
    const end_policy of_itself = as_itself ? rules_.of(index).on_end : end_policy::remove;
    return std::max(of_target, of_itself);
}

/// Nobody refers to the entity afterwards, but for those who end with it: they are put on the list, and the
/// identifiers they had it in are spent when they have ended.
void store::detach(entity e, std::vector<entity>& ending, std::vector<id>& spent) {
    detach_sources(e, ending);
    for (const id word : words_with(e)) {
        if (rules_of(word).any_of(rule::transitive, rule::inheritance)) ++meanings_;
        if (policy_for(e, word) == end_policy::destroy) {
            append_owners(record_of(word), ending);
            spent.push_back(word);
        } else {
            remove_everywhere(word);
        }
    }
    forget(e);
}

void store::detach_sources(entity e, std::vector<entity>& ending) {
    std::vector<std::uint32_t> relations;
    lists_.for_each([&](std::uint64_t relation, const auto& lists) {
        if (lists->find(index_of(e))) relations.push_back(static_cast<std::uint32_t>(relation));
    });
    for (const std::uint32_t relation : relations) {
        if (rules_.of(relation).any_of(rule::transitive)) ++meanings_;
        if (rules_.of(relation).on_target_end == end_policy::destroy) {
            const std::vector<entity> sources = lists_of(relation).take(index_of(e));
            ending.insert(ending.end(), sources.begin(), sources.end());
        } else {
            while (const entity source = *list_of(e, relation).begin())
                unlink_from(source, pair(entities_->at(relation), any));
        }
    }
}

/// What the store knows of the entity besides its row.
void store::forget(entity e) {
    const std::uint32_t index = index_of(e);
    if (rules_.of(index).on_end == end_policy::refuse) --refusals_;
    if (rules_.of(index).on_target_end == end_policy::refuse) --refusals_;
    rules_.forget(index);
    lists_.erase(index);
    if (value_at(locate(e), registered<component_info>()) == nullptr) return;
    if (index < low_ids)
        std::ranges::replace(low_indices_, static_cast<std::uint8_t>(index), std::uint8_t{0});
    std::erase_if(component_names_, [&](const auto& named) { return named.second == e; });
    const auto known = std::ranges::find(components_, e);
    if (known == components_.end()) return;
    *known = {};
    ++removals_; // Whoever knows the type by this entity has to ask again.
    ++forgotten_types_;
}

void store::remove_everywhere(id word) {
    std::unique_ptr<id_record>* const record = records_.find(word.value());
    if (!record) return;
    const std::vector<table*> affected = (*record)->tables;
    for (table* const t : affected) {
        const transition& along = between(*t, table_of(without_id(t->type(), word)));
        while (t->size() != 0) {
            chunk* const last = t->chunks().back();
            move({last, last->count - 1}, along, [](row_ref) {});
        }
    }
    for (table* const t : affected) drop_table(*t);
    unfile(**record);
    forget_side(**record);
    if (std::erase(watched_, record->get()) != 0) ++removals_; // Queries that know its stamps forget them.
    records_.erase(word.value());
}

} // namespace ecs
