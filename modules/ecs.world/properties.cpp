// SPDX-License-Identifier: MIT
// Properties are components of the relation; the rule book is their digest. A property that would have to
// hold for pairs that exist already is refused, and so is one that contradicts another.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

namespace {

/// Sets of rules: none of the one goes with any of the other.
struct contradiction {
    std::uint32_t one;
    std::uint32_t other;
};

constexpr contradiction contradictions[]{
    {bits_of(rule::symmetric), bits_of(rule::acyclic)}, // A pair and its mirror image are a cycle of two.
    {bits_of(rule::reflexive), bits_of(rule::acyclic)}, // An entity related to itself is a cycle of one.
    {bits_of(rule::inheritable, rule::auto_overridden), bits_of(rule::not_inheritable)},
    {bits_of(rule::target_only), relation_rules},
    {bits_of(rule::singleton), rules_of_parts}, // Its own entity has it by itself.
    // A mirror image makes a source of every target, and an instance is a source beside its base.
    {bits_of(rule::single_source), bits_of(rule::symmetric, rule::inheritable, rule::auto_overridden)},
};

constexpr bool contradicts(std::uint32_t bits, rule added) {
    const bool is_of_kinds = (bits & bits_of(rule::inheritance)) != 0;
    return std::ranges::any_of(contradictions, [&](const contradiction& c) {
        if (is_of_kinds && c.one == bits_of(rule::reflexive))
            return false; // That a thing is itself is stored nowhere.
        return ((bits_of(added) & c.one) != 0 && (bits & c.other) != 0) ||
               ((bits_of(added) & c.other) != 0 && (bits & c.one) != 0);
    });
}

/// Properties that say which pairs there may be, so that pairs must not be there before them.
constexpr std::uint32_t constraints =
    bits_of(rule::exclusive, rule::symmetric, rule::acyclic, rule::non_fragmenting, rule::one_of,
            rule::tag_only, rule::ordered, rule::single_source);

} // namespace

rule store::rule_of_property(id property) {
    return rule_of(property.is_pair() ? property.relation_index() : index_of(property.as_entity()));
}

add_result store::check_property(entity relation, id property) const {
    const rule added = rule_of_property(property);
    if (takes_target(added) != property.is_pair())
        return takes_target(added) ? add_result::needs_target : add_result::target_not_allowed;
    const std::uint32_t target = property.is_pair() ? property.target_index() : 0;
    if (takes_policy(added) && (target < remove_it.index() || target > refuse_it.index()))
        return add_result::target_not_allowed;
    if (contradicts(rules_.of(index_of(relation)).bits, added) || contradicts_values(relation, added))
        return add_result::contradiction;
    if (added == rule::excludes) return check_exclusion(relation, entities_->at(target));
    if (added == rule::needs) return check_need(relation, entities_->at(target));
    return is_broken_already(relation, added) ? add_result::relation_in_use : add_result::added;
}

/// Whether there is something that the property would forbid.
bool store::is_broken_already(entity relation, rule added) const {
    switch (added) {
    case rule::final: return has_instances(relation);
    case rule::relation_only: return stands_alone(relation) || is_targeted(relation);
    case rule::singleton: return is_had_elsewhere(relation);
    case rule::target_only: return stands_alone(relation) || in_use(relation);
    default: return (bits_of(added) & constraints) != 0 && in_use(relation);
    }
}

/// Whether somebody has the entity by itself, or under a flag.
bool store::stands_alone(entity e) const {
    const side_set* const side = side_of(e);
    return (side && side->size() != 0) || is_had(e) ||
           std::ranges::any_of(records_.of_target(index_of(e)), [](const id_record* record) {
               return record->word.kind() == id_kind::flagged_entity && record->rows() != 0;
           });
}

/// Whether somebody but the component's own entity has it.
bool store::is_had_elsewhere(entity component) const {
    const id_record* const record = records_.find(component);
    if (!record) return false;
    const std::size_t all = record->rows() + (record->side ? record->side->size() : 0);
    return all > std::size_t{owns(component, component)};
}

/// Whether somebody has the entity as a target, of something else than a property.
bool store::is_targeted(entity e) const {
    bool found = std::ranges::any_of(records_.of_target(index_of(e)), [](const id_record* record) {
        const std::uint32_t relation = parts_of(record->word).relation;
        return relation != 0 && !is_property(relation) && record->rows() != 0;
    });
    lists_.for_each([&](std::uint64_t relation, const auto&) {
        found |= !list_of(e, static_cast<std::uint32_t>(relation)).empty();
    });
    return found;
}

/// Nothing excludes itself, and what somebody has together does not exclude each other.
add_result store::check_exclusion(entity one, entity other) const {
    const auto need_each_other = [&](entity e, entity needed) {
        return std::ranges::find(rules_of(e).needs, needed) != rules_of(e).needs.end();
    };
    if (one == other || need_each_other(one, other) || need_each_other(other, one))
        return add_result::contradiction;
    if (!is_carried(one) || !is_carried(other)) return add_result::added;
    for (const auto& t : tables_.all())
        for (chunk* const in : t->chunks())
            for (const entity e : std::span(in->entities(), in->count))
                if (carries(e, one) && carries(e, other)) return add_result::relation_in_use;
    return add_result::added;
}

/// Nothing needs what it comes with or excludes, and whoever has it has what it needs already.
add_result store::check_need(entity what, entity needed) const {
    if (leads_to(needed, localize(with).as_entity(), what)) return add_result::would_make_a_cycle;
    const std::vector<entity>& rivals = rules_of(what).rivals;
    if (std::ranges::find(rivals, needed) != rivals.end()) return add_result::contradiction;
    std::vector<const id_record*> records;
    if (const id_record* const own = records_.find(what)) records.push_back(own);
    for (const id_record* const of_pairs : records_.of_relation(index_of(what))) records.push_back(of_pairs);
    for (const id_record* const record : records)
        for (const entity owner : holders_of(*record)) {
            const id word = record->word.is_wildcard()
                                ? pair(what, linked_target(locate(owner), record->word))
                                : record->word;
            if (owns(owner, word) && !owns(owner, beside(word, needed))) return add_result::relation_in_use;
        }
    return add_result::added;
}

/// Whether somebody has it by itself or in a pair.
bool store::is_carried(entity what) const {
    const side_set* const side = side_of(what);
    return (side && side->size() != 0) || is_had(what) || (can_relate(what) && is_had(pair(what, any)));
}

bool store::has_instances(entity e) const { return is_had(pair(localize(is_a), e)); }

/// Whether the values that the entity has as a component forbid the property.
bool store::contradicts_values(entity relation, rule added) const {
    const component_info values = info_of_id(relation);
    return (added == rule::tag_only && values.size != 0) ||
           (added == rule::non_fragmenting && values.kept_in != storage::table);
}

/// Why a property cannot be taken back; added when it can.
add_result store::check_retraction(entity relation, id property) const {
    const rule removed = rule_of_property(property);
    const bool implied = removed == rule::exclusive && rules_of(relation).any_of(rule::non_fragmenting);
    if (implied) return add_result::contradiction;
    if (removed == rule::with) {
        const std::vector<entity>& needed = rules_of(relation).needs;
        const bool is_needed =
            std::ranges::find(needed, entities_->at(property.target_index())) != needed.end();
        return is_needed ? add_result::contradiction : add_result::added;
    }
    return removed == rule::non_fragmenting && in_use(relation) ? add_result::relation_in_use
                                                                : add_result::added;
}

/// Makes room for what declare writes down, and adds what the property implies.
void store::prepare_to_declare(entity relation, id property) {
    rules_.reserve_one(index_of(relation));
    const rule added = rule_of_property(property);
    if (added == rule::needs) rules_.reserve_one(property.target_index());
    if (added == rule::non_fragmenting) add(relation, exclusive);
    if (added == rule::needs) add(relation, pair(localize(with), entities_->at(property.target_index())));
}

bool store::in_use(entity relation) const {
    return std::ranges::any_of(records_.of_relation(index_of(relation)),
                               [](const id_record* record) { return record->rows() != 0; });
}

/// Enters the property into the digest.
void store::note_rule(entity relation, id property) {
    const entity target = property.is_pair() ? entities_->at(property.target_index()) : entity{};
    const rule added = rule_of_property(property);
    rules_.enter(index_of(relation), added, target);
    entities_->set_referred(index_of(relation)); // Its rules end with it.
    heed_rules(relation);
    if (added != rule::needs) return;
    rules_.enter(index_of(target), rule::needed, relation);
    heed_rules(target);
}

/// What is kept outside tables asks no table for its rules.
void store::heed_rules(id component) const noexcept {
    if (side_set* const side = side_of(component)) side->ruled = rules_of(component).bits != 0;
}

void store::declare(entity relation, id property) noexcept {
    note_rule(relation, property);
    forget_ways();
}

void store::retract(entity relation, id property) noexcept {
    const entity target = property.is_pair() ? entities_->at(property.target_index()) : entity{};
    const rule removed = rule_of_property(property);
    rules_.strike(index_of(relation), removed, target);
    if (removed == rule::needs) rules_.strike(index_of(target), rule::needed, relation);
    heed_rules(relation);
    forget_ways();
}

void store::require_declared(entity relation, id property, std::string_view type_name) {
    if (const add_result refusal = add(relation, property); !succeeded(refusal))
        throw std::invalid_argument("a property that " + std::string(type_name) +
                                    " declares is refused: " + std::string(ecs::to_string(refusal)));
}

/// Rules have changed: what was added without asking has to be asked again.
void store::forget_ways() {
    for (const auto& t : tables_.all()) t->ways.forget_edges();
    ++meanings_;
    ++removals_; // Whoever spawns with the component has to ask again, too.
}

} // namespace ecs
