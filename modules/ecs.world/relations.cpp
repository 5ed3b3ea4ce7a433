// SPDX-License-Identifier: MIT
// What the rules of a relation have to say when its pairs are added and removed. Identifiers without rules
// never come here twice: the tables remember the ways they took. Whether an identifier may come is in
// admission.cpp, and what comes with it in companions.cpp.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

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
    if (const add_result refusal = check_addable(word); !succeeded(refusal)) return refusal;
    if (is_stored(before, word)) return complete(e, word);
    if (!has_beginning(before, word)) return add_result::not_constructible;
    const bool is_name = word.is_entity() && rules_of(word).any_of(rule::name);
    if (is_name) return add_result::not_constructible; // Without a text it is none.
    if (const add_result refusal = admit(e, word); !succeeded(refusal)) return refusal;
    if (keeps_in_column(word)) return link_to(e, word, maker_of_beginning(e, word));
    add_plain(e, word);
    return attend_to_added(e, word);
}

bool store::has_default(id word) const {
    const component_info facts = info_of_id(word);
    return facts.size == 0 || facts.operations.constructible;
}

/// Whether there is a value to begin with: a default one, or a copy of what the row inherits.
bool store::has_beginning(row_ref at, id word) const {
    if (has_default(word)) return true;
    return info_of_id(word).operations.copyable && find_elsewhere(at, word);
}

/// Adds an identifier that has been admitted.
void store::add_plain(entity e, id word) {
    const row_ref at = locate(e);
    const transition& along = adding(*at.block->owner, word);
    if (along.to != at.block->owner) move(at, along, [&](row_ref to) { construct_added(along, at, to); });
}

/// Whether the target of the pair would lose another partner, or its one source, to the entity.
bool store::parts_others(entity e, id word) const {
    const rules& own = rules_of(word);
    if (word.is_pair() && own.any_of(rule::single_source)) {
        const entity target = entities_->at(word.target_index());
        const std::vector<entity> all = sources_of(target, entities_->at(word.relation_index()));
        return std::ranges::any_of(all, [&](entity one) { return one != e; });
    }
    if (!word.is_pair() || !own.any_of(rule::exclusive) || !own.any_of(rule::symmetric)) return false;
    const auto is_other = [&](id one) { return !one.is_pair() || one.target_index() != index_of(e); };
    return std::ranges::any_of(own_matches(entities_->at(word.target_index()), rivals_of(word)), is_other);
}

/// Whether the row has the identifier itself, neither by inheritance nor by a chain.
bool store::is_stored(row_ref at, id word) const {
    const table& in = *at.block->owner;
    return (in.has(word) && !is_value_of_link(in, word)) ||
           (in.linked && word.is_pair() && has_linked(at, word));
}

/// What follows from an identifier that has been added. When it cannot follow, the identifier goes again.
add_result store::attend_to_added(entity e, id word) {
    const row_ref at = locate(e);
    const rules& own = rules_of(word);
    if (at.block->owner->inherited || own.any_of(rule::transitive)) ++meanings_;
    if (own.bits == 0) return add_result::added;
    if (own.any_of(rule::property)) declare(e, word);
    if (own.any_of(rule::prefab)) mark_parts(e);
    if (!word.is_pair()) return add_result::added;
    if (own.any_of(rule::inheritance)) inherit(e, entities_->at(word.target_index()));
    return own.any_of(rule::symmetric) ? add_image(e, word) : add_result::added;
}

/// The entity has the identifier: what followed from it may have failed for want of memory.
add_result store::complete(entity e, id word) {
    if (rules_of(word).any_of(rule::prefab)) mark_parts(e);
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

/// Whether the entity itself has the identifier, in a table or outside.
bool store::owns(entity e, id word) const {
    const row_ref at = locate(e);
    if (!at) return false;
    if (const side_set* const side = side_of(word)) return side->contains(index_of(e));
    return is_stored(at, word);
}

/// What the entity itself has of what the identifier, which may be a pattern, stands for.
std::vector<id> store::own_matches(entity e, id pattern) const {
    if (!pattern.is_wildcard()) return owns(e, pattern) ? std::vector{pattern} : std::vector<id>();
    const row_ref at = locate(e);
    std::vector<id> found;
    for (const id had : at.block->owner->type()) {
        const id meant =
            had.is_wildcard() ? pair(entities_->at(had.relation_index()), linked_target(at, had)) : had;
        if (matches(pattern, meant)) found.push_back(meant);
    }
    return found;
}

/// Whether something that the entity has and that is not leaving needs the identifier.
bool store::is_needed_by_others(entity e, id word, std::span<const id> leaving) const {
    return std::ranges::any_of(rules_of(word).dependents, [&](entity dependent) {
        const id other = beside(word, dependent);
        return owns(e, other) && std::ranges::find(leaving, other) == leaving.end();
    });
}

/// Whether the entity has to keep the identifier, and whoever is at the other end its mirror image.
add_result store::check_keeping(entity e, id word, std::span<const id> leaving) const {
    const rules& own = rules_of(word);
    if (own.any_of(rule::permanent)) return add_result::is_permanent;
    if (!own.any_of(rule::needed)) return add_result::removed;
    if (is_needed_by_others(e, word, leaving)) return add_result::needed;
    if (!word.is_pair() || !own.any_of(rule::symmetric)) return add_result::removed;
    std::vector<id> images;
    for (const id other : leaving)
        if (other.is_pair() && rules_of(other).any_of(rule::symmetric))
            images.push_back(pair(entities_->at(other.relation_index()), e));
    const id image = pair(entities_->at(word.relation_index()), e);
    return is_needed_by_others(entities_->at(word.target_index()), image, images) ? add_result::needed
                                                                                  : add_result::removed;
}

/// Whether somebody has the entity as the target of a relation whose targets are the children of its parent.
bool store::is_kept_in_group(entity e) const {
    const entity group = entities_->is_referred(e) ? parent_of(e) : entity{};
    const id_record* const restriction = group ? records_.find(pair(localize(one_of), group)) : nullptr;
    if (!restriction) return false;
    return std::ranges::any_of(holders_of(*restriction), [&](entity relation) {
        return !list_of(e, index_of(relation)).empty() || is_had(pair(relation, e));
    });
}

/// Why the entity cannot lose an identifier that it has, others leaving with it; removed when it can.
add_result store::check_departure(entity e, id word, std::span<const id> leaving) const {
    const rules& own = rules_of(word);
    if (own.any_of(rule::property))
        if (const add_result refusal = check_retraction(e, word); !succeeded(refusal)) return refusal;
    if (word.is_pair() && word.relation_index() == child_of.index()) {
        if (is_kept_in_group(e)) return add_result::relation_in_use;
        if (locate(e).block->owner->named && find_name({}, name_of(e))) return add_result::name_taken;
    }
    return check_keeping(e, word, leaving);
}

add_result store::check_departures(entity e, std::span<const id> words) const {
    const auto has_rules = [&](id word) { return word.is_wildcard() || rules_of(word).bits != 0; };
    if (!std::ranges::any_of(words, has_rules)) return add_result::removed;
    std::vector<id> leaving;
    for (const id word : words)
        for (const id one : own_matches(e, word)) leaving.push_back(one);
    for (const id word : leaving)
        if (const add_result refusal = check_departure(e, word, leaving); !succeeded(refusal)) return refusal;
    return add_result::removed;
}

add_result store::remove_known(entity e, id word) {
    if (word.is_wildcard()) return remove_matches(e, word);
    if (owns(e, word))
        if (const add_result refusal = check_departure(e, word, {}); !succeeded(refusal)) return refusal;
    return remove_checked(e, word);
}

/// Removes what nothing keeps, or completes a removal that ran out of memory half-way.
add_result store::remove_checked(entity e, id word) {
    if (side_set* const side = side_of(word)) return remove_aside(e, *side);
    const add_result result = remove_stored(e, word);
    const bool mirrored = word.is_pair() && rules_of(word).any_of(rule::symmetric);
    return mirrored && result == add_result::not_there ? remove_images(e, word, result) : result;
}

add_result store::remove_stored(entity e, id word) {
    const table& in = *locate(e).block->owner;
    if (is_value_of_link(in, word)) return add_result::not_there;
    if (keeps_in_column(word)) return unlink(e, word);
    if (!in.has(word)) return add_result::not_there;
    const bool was_name = word.is_entity() && rules_of(word).any_of(rule::name);
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

/// Removes everything that the pattern stands for, or nothing of it.
add_result store::remove_matches(entity e, id pattern) {
    const std::vector<id> words = own_matches(e, pattern);
    if (const add_result refusal = check_departures(e, words); !succeeded(refusal)) return refusal;
    const add_result result = remove_in_turn(e, words);
    return rules_of(pattern).any_of(rule::symmetric) ? remove_images(e, pattern, result) : result;
}

/// Removes all of the identifiers, which may leave together: what others of them need goes after those.
add_result store::remove_in_turn(entity e, std::vector<id> words) {
    add_result result = add_result::not_there;
    while (!words.empty()) {
        const auto next = std::ranges::find_if(
            words, [&](id word) { return succeeded(check_keeping(e, word, {})) || !owns(e, word); });
        const id word = next == words.end() ? words.front() : *next;
        if (remove_checked(e, word) == add_result::removed) result = add_result::removed;
        std::erase(words, word);
    }
    return result;
}

} // namespace ecs
