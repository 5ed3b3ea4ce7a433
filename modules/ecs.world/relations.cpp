// SPDX-License-Identifier: MIT
// What the rules of a relation have to say when its pairs are added, removed and asked for. Identifiers
// without rules never come here twice: the tables remember the ways they took.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

namespace {

void reserve_one(auto& list) {
    if (list.size() == list.capacity()) list.reserve(2 * list.size() + 1);
}

std::uint32_t append(std::vector<id_record*>& list, id_record& record) {
    list.push_back(&record);
    return static_cast<std::uint32_t>(list.size() - 1);
}

/// The entities that an identifier is made of, by index; 0 where there is none.
struct parts {
    std::uint32_t relation{};
    std::uint32_t target{};
};

parts parts_of(id word) {
    switch (word.kind()) {
    case id_kind::pair:
    case id_kind::flagged_pair:
        return {word.relation_index(), word.target_index()};
    case id_kind::flagged_entity:
        return {0, word.target_index()};
    case id_kind::wildcard_pair:
    case id_kind::value_pair:
    case id_kind::link:
        return {word.relation_index(), 0};
    default:
        return {};
    }
}

} // namespace

/// Whether the identifier stands for something of this world that is alive.
add_result store::check_addable(id word) const {
    if (word.is_wildcard()) return add_result::wildcard;
    if (word.is_entity())
        return entities_->alive(word.as_entity()) ? add_result::added : add_result::not_alive_id;
    const auto [relation, target] = parts_of(word);
    const bool related = word.kind() == id_kind::flagged_entity || entities_->at(relation);
    const bool known =
        related && (target == 0 ? word.has_relation() && !word.is_pair() : is_sound_target(word));
    return known ? add_result::added : add_result::not_alive_id;
}

bool store::is_sound_target(id word) const {
    const entity target = entities_->at(word.target_index());
    if (!target || word.kind() == id_kind::flagged_pair) return bool(target);
    if (word.kind() == id_kind::flagged_entity)
        return (type_flags::none | id(target)) == (type_flags::none | without_flags(word));
    return pair(target, target).target_generation() == word.target_generation();
}

/// Pairs are told apart by their target's generation; that of a built-in target is this world's.
id store::localize_pair(id word) const {
    if (word.kind() != id_kind::pair || word.target_index() >= entity_index::first_ordinary) return word;
    const entity relation = entities_->at(word.relation_index());
    const entity target = entities_->at(word.target_index());
    const bool stand_in = world_partitions::parts[1].first <= word.target_index();
    return relation && target && stand_in ? pair(relation, target) : word;
}

/// From now on the end of the entities in the word concerns others.
void store::file(id_record& record) {
    const auto [relation, target] = parts_of(record.word);
    const auto join = [&](flat_map<std::vector<id_record*>>& lists, std::uint32_t index) {
        std::vector<id_record*>& list = lists[index];
        reserve_one(list);
        entities_->set_referred(index);
        return &list;
    };
    if (record.word.is_entity()) entities_->set_referred(index_of(record.word.as_entity()));
    std::vector<id_record*>* const same_relation = relation != 0 ? join(by_relation_, relation) : nullptr;
    std::vector<id_record*>* const same_target = target != 0 ? join(by_target_, target) : nullptr;
    if (same_relation) record.slot_of_relation = append(*same_relation, record);
    if (same_target) record.slot_of_target = append(*same_target, record);
}

void store::unfile(id_record& record) noexcept {
    const auto [relation, target] = parts_of(record.word);
    if (relation != 0) {
        std::vector<id_record*>& list = *by_relation_.find(relation);
        list.back()->slot_of_relation = record.slot_of_relation;
        list[record.slot_of_relation] = list.back();
        list.pop_back();
    }
    if (target != 0) {
        std::vector<id_record*>& list = *by_target_.find(target);
        list.back()->slot_of_target = record.slot_of_target;
        list[record.slot_of_target] = list.back();
        list.pop_back();
    }
}

// Adding.

/// The type of a table with one identifier more: an exclusive relation gives up its other pair.
std::vector<id> store::destination(const table& from, id word) const {
    std::vector<id> type(from.type().begin(), from.type().end());
    if (word.has_relation() && rules_of(word).any_of(rule::exclusive))
        std::erase_if(type, [&](id other) {
            return other.has_relation() && other.relation_index() == word.relation_index();
        });
    type.insert(std::ranges::lower_bound(type, word), word);
    return type;
}

add_result store::add_new(entity e, id word) {
    const row_ref before = locate(e);
    if (link_quickly(before, word)) return add_result::added;
    if (const add_result refusal = check_addable(word); !succeeded(refusal)) return refusal;
    if (is_stored(before, word)) return complete(e, word);
    if (!has_default(word) && !find_elsewhere(before, word)) return add_result::not_constructible;
    if (const add_result refusal = admit(e, word); !succeeded(refusal)) return refusal;
    if (keeps_in_column(word)) {
        const component_info facts = info_of_id(word);
        return link_to(e, word, maker_of_default(facts));
    }
    add_plain(e, word);
    return attend_to_added(e, word);
}

bool store::has_default(id word) const {
    const component_info facts = info_of_id(word);
    return facts.size == 0 || facts.operations.constructible;
}

/// Adds an identifier that has been admitted.
void store::add_plain(entity e, id word) {
    const row_ref at = locate(e);
    const transition& along = adding(*at.block->owner, word);
    if (along.to != at.block->owner) move(at, along, [&](row_ref to) { construct_added(along, at, to); });
}

/// Whether the identifier, which is sound, may be added to the entity; what has to be there before it is
/// there then.
add_result store::admit(entity e, id word) {
    const rules& own = rules_of(word);
    return own.bits == 0 ? add_result::added : check_rules(e, word, own);
}

add_result store::check_rules(entity e, id word, const rules& own) {
    if (word.is_entity() && (own.bits & relation_rules) != 0) return add_result::needs_target;
    if (own.any_of(rule::property))
        if (const add_result refusal = declare_next(e, word); !succeeded(refusal)) return refusal;
    if (word.is_pair())
        if (const add_result refusal = check_target(e, word, own); !succeeded(refusal)) return refusal;
    if (own.any_of(rule::with))
        if (const add_result refusal = add_companions(e, word, own); !succeeded(refusal)) return refusal;
    part_with_partners(e, word);
    return add_result::added;
}

/// The property may be declared, and there is room to write it down.
add_result store::declare_next(entity relation, id property) {
    const add_result refusal = check_property(relation, property);
    if (succeeded(refusal)) prepare_to_declare(relation, property);
    return refusal;
}

/// An exclusive relation that is symmetric gives up its other pair on both sides.
void store::part_with_partners(entity e, id word) {
    const rules& own = rules_of(word);
    if (!word.is_pair() || !own.any_of(rule::exclusive) || !own.any_of(rule::symmetric)) return;
    if (is_stored(locate(e), word)) return;
    const entity relation = entities_->at(word.relation_index());
    for (const entity partner : sources_of(e, relation))
        if (index_of(partner) != word.target_index()) remove(partner, pair(relation, e));
    std::ignore = remove_stored(e, pair(relation, any));
}

/// Whether the row has the identifier itself, neither by inheritance nor by a chain.
bool store::is_stored(row_ref at, id word) const {
    const table& in = *at.block->owner;
    return in.has(word) || (in.linked && word.is_pair() && has_linked(at, word));
}

add_result store::check_target(entity e, id word, const rules& own) const {
    const entity target = entities_->at(word.target_index());
    const entity relation = entities_->at(word.relation_index());
    const bool mirrored = own.any_of(rule::symmetric);
    if (own.any_of(rule::one_of))
        if (parent_of(target) != own.group || (mirrored && parent_of(e) != own.group))
            return add_result::target_not_allowed;
    if (mirrored && !has_default(pair(relation, e))) return add_result::not_constructible;
    if (own.any_of(rule::acyclic)) {
        // Nobody points at an entity that is not referred to, so that no chain can lead back to it.
        const bool cycle = e == target || (entities_->is_referred(e) && leads_to(target, relation, e));
        if (cycle) return add_result::would_make_a_cycle;
    }
    if (own.any_of(rule::inheritance)) {
        if (has(target, final)) return add_result::is_final;
        if (leads_to(e, localize(child_of).as_entity(), target)) return add_result::would_make_a_cycle;
    }
    if (word.relation_index() != child_of.index() || !locate(e).block->owner->named) return add_result::added;
    const entity holder = find_name(target, name_of(e));
    return holder && holder != e ? add_result::name_taken : add_result::added;
}

/// Adds what comes with the identifier. A relation's companions are relations to the same target.
add_result store::add_companions(entity e, id word, const rules& own) {
    const std::vector<entity> companions = own.with;
    for (const entity companion : companions) {
        const id other = word.is_pair() ? pair(companion, entities_->at(word.target_index())) : id(companion);
        if (has(e, other)) continue;
        if (const add_result refusal = add(e, other); !succeeded(refusal)) return refusal;
    }
    return add_result::added;
}

/// What follows from an identifier that has been added. When it cannot follow, the identifier goes again.
add_result store::attend_to_added(entity e, id word) {
    const row_ref at = locate(e);
    const rules& own = rules_of(word);
    if (at.block->owner->inherited || own.any_of(rule::transitive)) ++meanings_;
    if (own.bits == 0) return add_result::added;
    if (own.any_of(rule::property)) declare(e, word);
    if (!word.is_pair()) return add_result::added;
    if (own.any_of(rule::inheritance)) inherit(e, entities_->at(word.target_index()));
    return own.any_of(rule::symmetric) ? add_image(e, word) : add_result::added;
}

/// The entity has the identifier: what followed from it may have failed for want of memory.
add_result store::complete(entity e, id word) {
    if (!word.is_pair()) return add_result::already_there;
    const entity target = entities_->at(word.target_index());
    if (word.relation_index() == child_of.index()) share_mark(e, target);
    if (!rules_of(word).any_of(rule::symmetric)) return add_result::already_there;
    const add_result result = add_image(e, word);
    return succeeded(result) ? add_result::already_there : result;
}

/// Adds the mirror image of a pair, without which the pair may not stay.
add_result store::add_image(entity e, id word) {
    const entity target = entities_->at(word.target_index());
    const id image = pair(entities_->at(word.relation_index()), e);
    if (is_stored(locate(target), image)) return add_result::added;
    const add_result result = add(target, image);
    if (!succeeded(result)) remove(e, word);
    return result;
}

// Removing.

add_result store::remove_known(entity e, id word) {
    const add_result result = remove_stored(e, word);
    const bool mirrored = word.is_pair() && rules_of(word).any_of(rule::symmetric);
    return mirrored && (word.is_wildcard() || result == add_result::not_there)
               ? remove_images(e, word, result)
               : result;
}

add_result store::remove_stored(entity e, id word) {
    const bool present = locate(e).block->owner->has(word);
    if (word.is_wildcard() && !present) return remove_matches(e, word);
    if (keeps_in_column(word)) return unlink(e, word);
    if (!present) return add_result::not_there;
    if (rules_of(word).any_of(rule::property))
        if (const add_result refusal = check_retraction(e, word); !succeeded(refusal)) return refusal;
    const bool was_name = rules_of(word).any_of(rule::name);
    const row_ref at = locate(e);
    move(at, removing(*at.block->owner, word), [&](row_ref) noexcept {
        if (was_name) forget_name(at);
    });
    attend_to_removed(e, word);
    return add_result::removed;
}

void store::attend_to_removed(entity e, id word) {
    const rules& own = rules_of(word);
    if (locate(e).block->owner->inherited || own.any_of(rule::transitive, rule::inheritance)) ++meanings_;
    if (own.any_of(rule::property)) retract(e, word);
    if (!word.is_pair() || !own.any_of(rule::symmetric)) return;
    const entity target = entities_->at(word.target_index());
    const id image = pair(entities_->at(word.relation_index()), e);
    if (is_stored(locate(target), image)) remove(target, image);
}

/// Removes the images of pairs that are gone already, because a removal ran out of memory half-way.
add_result store::remove_images(entity e, id pattern, add_result so_far) {
    const entity relation = entities_->at(pattern.relation_index());
    if (!relation) return so_far;
    for (const entity source : sources_of(e, relation)) {
        if (!matches(pattern, pair(relation, source))) continue;
        so_far = remove(source, pair(relation, e));
    }
    return so_far;
}

add_result store::remove_matches(entity e, id pattern) {
    add_result result = add_result::not_there;
    for (;;) {
        const row_ref at = locate(e);
        const std::uint32_t position = at.block->owner->find_match(pattern);
        if (position == table::absent) break;
        result = remove(e, at.block->owner->type()[position]);
    }
    if (pattern.target_index() == 0) return result;
    const std::vector<id> type(locate(e).block->owner->type().begin(), locate(e).block->owner->type().end());
    for (const id word : type)
        if (word.is_wildcard() && index_of(linked_target(locate(e), word)) == pattern.target_index())
            result = unlink(e, word);
    return result;
}

// Asking.

bool store::has_by_rule(row_ref at, id word) const {
    const table& in = *at.block->owner;
    if (word.is_pair() && word.target_index() != 0) {
        if (in.linked && has_linked(at, word)) return true;
        const rules& own = rules_of(word);
        const entity target = target_of_pair(word);
        const entity relation = entities_->at(word.relation_index());
        if (own.any_of(rule::reflexive) && target == at.owner()) return true;
        if (own.any_of(rule::transitive) && target && leads_to(at.owner(), relation, target)) return true;
    }
    return in.inherits && base_with(in, word);
}

bool store::has_linked(row_ref at, id pattern) const {
    return std::ranges::any_of(at.block->owner->type(), [&](id word) {
        if (!word.is_wildcard()) return false;
        const entity target = linked_target(at, word);
        return matches(pattern, pair(entities_->at(word.relation_index()), target));
    });
}

/// The value of a pair whose target is kept in a column is kept under the relation's own name.
std::byte* store::linked_value(row_ref at, id word) const {
    return has_linked(at, word) ? value_at(at, entities_->at(word.relation_index())) : nullptr;
}

std::byte* store::find_by_rule(row_ref at, id word) const {
    const table& in = *at.block->owner;
    if (in.linked && word.is_pair() && has_linked(at, word)) return linked_value(at, word);
    const entity from = in.inherits ? base_with(in, word) : entity{};
    return from ? value_at(locate(from), word) : nullptr;
}

entity store::target_of(entity e, entity relation) const {
    const row_ref at = locate(e);
    const entity asked = entities_->localize(relation);
    if (!at || !entities_->alive(asked)) return {};
    const table& in = *at.block->owner;
    if (in.linked)
        if (const entity target = linked_target(at, pair(asked, any))) return target;
    const std::uint32_t position = in.find_match(pair(asked, any));
    return position == table::absent ? entity{} : entities_->at(in.type()[position].target_index());
}

entity store::target_of_pair(id word) const {
    if (!word.is_pair() || word.target_index() == 0) return {};
    const entity target = entities_->at(word.target_index());
    if (!target || word.is_wildcard()) return target;
    return pair(target, target).target_generation() == word.target_generation() ? target : entity{};
}

std::vector<entity> store::targets_of(entity e, entity relation) const {
    std::vector<entity> targets;
    const row_ref at = locate(e);
    relation = entities_->localize(relation);
    if (!at || !entities_->alive(relation)) return targets;
    for (const id word : at.block->owner->type())
        if (word.is_wildcard() && word.relation_index() == index_of(relation))
            targets.push_back(linked_target(at, word));
        else if (word.kind() == id_kind::pair && word.relation_index() == index_of(relation))
            targets.push_back(entities_->at(word.target_index()));
    return targets;
}

source_range store::list_of(entity target, std::uint32_t relation_index) const {
    const std::unique_ptr<source_lists>* const lists = lists_.find(relation_index);
    return lists && entities_->alive(target) ? source_range((*lists)->find(index_of(target)))
                                             : source_range();
}

std::vector<entity> store::sources_of(entity target, entity relation) const {
    std::vector<entity> sources;
    relation = entities_->localize(relation);
    target = entities_->localize(target);
    if (!entities_->alive(target)) return sources;
    const auto asked = [&](std::uint32_t index) { return !relation || index == index_of(relation); };
    lists_.for_each([&](std::uint64_t index, const auto&) {
        if (!asked(static_cast<std::uint32_t>(index))) return;
        const auto list = list_of(target, static_cast<std::uint32_t>(index)).as_span();
        sources.insert(sources.end(), list.begin(), list.end());
    });
    if (const auto* const records = by_target_.find(index_of(target)))
        for (const id_record* const record : *records)
            if (asked(record->word.relation_index())) append_owners(*record, sources);
    return sources;
}

/// Everybody whose table has the identifier.
void store::append_owners(const id_record& record, std::vector<entity>& owners) {
    for (const table* const in : record.tables)
        for (chunk* const block : in->chunks())
            owners.insert(owners.end(), block->entities(), block->entities() + block->count);
}

entity store::up(entity e, entity relation, id word) const {
    flat_map<bool> seen;
    for (entity at = target_of(e, relation); at; at = target_of(at, relation)) {
        if (has(at, word)) return at;
        if (std::exchange(seen[at.value()], true)) break;
    }
    return {};
}

std::vector<entity> store::depth_first(entity root, entity relation) const {
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

std::vector<entity> store::breadth_first(entity root, entity relation) const {
    std::vector<entity> order{root};
    flat_map<bool> seen;
    seen[root.value()] = true;
    for (std::size_t next = 0; next < order.size(); ++next)
        for (const entity source : sources_of(order[next], relation))
            if (!std::exchange(seen[source.value()], true)) order.push_back(source);
    order.erase(order.begin());
    return order;
}

bool store::leads_to(entity from, entity relation, entity to) const {
    if (rules_of(relation).any_of(rule::exclusive) && rules_of(relation).any_of(rule::acyclic)) {
        for (from = target_of(from, relation); from && from != to;) from = target_of(from, relation);
        return from == to;
    }
    std::vector<entity> open{from};
    flat_map<bool> seen;
    while (!open.empty()) {
        const entity next = open.back();
        open.pop_back();
        for (const entity target : targets_of(next, relation)) {
            if (target == to) return true;
            if (!std::exchange(seen[target.value()], true)) open.push_back(target);
        }
    }
    return false;
}

presence store::presence_in(const table& candidate, id pattern) const {
    if (candidate.find_match(pattern) != table::absent) return presence::in_table;
    if (pattern.is_pair() && pattern.target_index() != 0) {
        const presence by_rule = pair_presence(candidate, pattern);
        if (by_rule != presence::no) return by_rule;
    }
    return candidate.inherits && base_with(candidate, pattern) ? presence::inherited : presence::no;
}

/// The presence of a pair with a target that is not in the table's type.
presence store::pair_presence(const table& candidate, id pattern) const {
    const auto may_link = [&](id word) {
        return word.is_wildcard() &&
               (pattern.relation_index() == 0 || pattern.relation_index() == word.relation_index());
    };
    if (candidate.linked && std::ranges::any_of(candidate.type(), may_link)) return presence::by_row;
    const rules& own = rules_of(pattern);
    const entity target = entities_->at(pattern.target_index());
    if (!target) return presence::no;
    if (own.any_of(rule::reflexive) && locate(target).block->owner == &candidate) return presence::by_row;
    if (!own.any_of(rule::transitive)) return presence::no;
    const entity relation = entities_->at(pattern.relation_index());
    const bool leads = std::ranges::any_of(candidate.type(), [&](id word) {
        return word.kind() == id_kind::pair && word.relation_index() == pattern.relation_index() &&
               leads_to(entities_->at(word.target_index()), relation, target);
    });
    return leads ? presence::in_table : presence::no;
}

} // namespace ecs
