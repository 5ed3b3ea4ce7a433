// SPDX-License-Identifier: MIT
// The pairs that has would say yes to, listed from one side: those that are stored, and those that the traits
// of the relation add.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// A set of entities in the order in which they came.
class entity_set {
  public:
    void add(entity e) {
        if (!std::exchange(seen_[e.value()], true)) list_.push_back(e);
    }
    void add_all(const std::vector<entity>& all) {
        for (const entity e : all) add(e);
    }

    /// Adds what next returns for each entity of the set, also for entities that are added meanwhile.
    template <class Next> void close_under(const Next& next) {
        for (std::size_t at = 0; at < list_.size();) add_all(next(list_[at++]));
    }

    [[nodiscard]] std::vector<entity> take() && { return std::move(list_); }

  private:
    std::vector<entity> list_;
    flat_map<bool> seen_;
};

} // namespace

std::vector<entity> lookup::targets_inherited(const table& instance, entity relation) const {
    std::vector<entity> found;
    if (!instance.inherits || !rows_.traits_of(relation).any_of(trait::inheritable)) return found;
    for (const entity from : bases_of(instance))
        for (const entity target : targets_of(from, relation))
            if (base_with(instance, pair(relation, target))) found.push_back(target);
    return found;
}

std::vector<entity> lookup::targets_had(entity e, entity relation) const {
    relation = rows_.entities().resolve(relation);
    const row_ref at = rows_.locate(e);
    if (!at || !rows_.entities().alive(relation)) return {};
    entity_set found;
    found.add_all(targets_of(e, relation));
    found.add_all(targets_inherited(*at.block->owner, relation));
    return std::move(found).take();
}

std::vector<entity> lookup::sources_had(entity target, entity relation) const {
    entity_set found;
    found.add_all(sources_of(target, relation));
    if (!rows_.traits_of(relation).any_of(trait::inheritable)) return std::move(found).take();
    entity_set instances;
    for (const entity source : sources_of(target, relation))
        instances.add_all(related_to(source, pair(is_a, any)));
    for (const entity instance : std::move(instances).take())
        if (base_with(*rows_.locate(instance).block->owner, pair(relation, target))) found.add(instance);
    return std::move(found).take();
}

std::vector<entity> lookup::related_from(entity e, id word) const {
    const entity relation = rows_.entities().at(word.relation_index());
    if (!relation || !rows_.entities().alive(e)) return {};
    const traits& own = rows_.traits_of(word);
    entity_set found;
    found.add_all(targets_had(e, relation));
    if (own.any_of(trait::transitive))
        found.close_under([&](entity at) { return targets_had(at, relation); });
    if (own.any_of(trait::reflexive)) found.add(e);
    return std::move(found).take();
}

std::vector<entity> lookup::related_to(entity target, id word) const {
    const entity relation = rows_.entities().at(word.relation_index());
    if (!relation || !rows_.entities().alive(target)) return {};
    const traits& own = rows_.traits_of(word);
    entity_set found;
    found.add_all(sources_had(target, relation));
    if (own.any_of(trait::transitive))
        found.close_under([&](entity at) { return sources_had(at, relation); });
    if (own.any_of(trait::reflexive)) found.add(target);
    return std::move(found).take();
}

void put_parent_last(std::vector<id>& words) {
    const auto parent = std::ranges::find_if(
        words, [](id word) { return word.is_pair() && word.relation_index() == child_of.index(); });
    if (parent == words.end()) return;
    const id last = *parent;
    words.erase(parent);
    words.push_back(last);
}

bool lookup::is_had_without_target(entity component) const {
    const component_record* const alone = rows_.records().find(component);
    if (!alone) return false;
    if (alone->sparse && alone->sparse->size() != 0) return true;
    const id targets = can_relate(component) ? pair(component, any) : id{};
    return std::ranges::any_of(alone->tables,
                               [&](const table* t) { return t->size() != 0 && !t->has(targets); });
}

id lookup::pair_behind(entity giver, id word) const {
    const row_ref at = rows_.locate(giver);
    if (!at) return word;
    const id found = heritable_match(at, word);
    return found ? found : word;
}

} // namespace ecs
