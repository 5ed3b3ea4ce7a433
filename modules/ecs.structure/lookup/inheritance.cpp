// SPDX-License-Identifier: MIT
// What an entity has from the entity it is an instance of. Nothing is copied until it is overridden; what
// instances get of their own is in operations/instantiation.cpp.
module ecs.structure;
import ecs.std;

namespace ecs {

std::vector<entity> lookup::instances_of(entity from) const {
    std::vector<entity> found = related_to(from, pair(is_a, any));
    std::ranges::sort(found);
    return found;
}

bool lookup::passes_on(entity from, id word) const {
    return rows_.locate(from).block->owner->inherited && is_heritable(word) && !stays_within(from, word);
}

namespace {

/// Adds the bases of the table that are not in the list yet, sorted by index: in a word, the generation
/// stands above the index.
void note_bases_of(const entity_index& known, const table& in, std::vector<entity>& bases) {
    if (!in.inherits) return;
    const auto noted = static_cast<std::ptrdiff_t>(bases.size());
    for (const id word : in.type()) {
        if (word.kind() != id_kind::pair || word.relation_index() != is_a.index()) continue;
        const entity from = known.at(word.target_index());
        if (std::ranges::find(bases, from) == bases.end()) bases.push_back(from);
    }
    std::ranges::sort(bases.begin() + noted, bases.end(), {}, [](entity e) { return index_of(e); });
}

/// The outermost entity to which the part belongs, as long as the way up leads over prefabs and bases. The
/// source is one of these: who asks is going to inherit from it, and its mark may come later.
entity whole_of(const lookup& in, entity part, entity source) {
    const auto is_pattern = [&](entity e) {
        const row_ref at = in.rows().locate(e);
        return at && (e == source || at.block->owner->prefab || at.block->owner->inherited);
    };
    for (entity above = in.rows().parent_of(part); is_pattern(above); above = in.rows().parent_of(above))
        part = above;
    return part;
}

/// In how many steps the entity is an instance of the base; nothing when it is not.
std::optional<std::size_t> steps_to(const lookup& in, entity instance, entity from) {
    std::vector<entity> reached{instance};
    for (std::size_t steps = 0; !reached.empty(); ++steps) {
        if (std::ranges::find(reached, from) != reached.end()) return steps;
        std::vector<entity> next;
        for (const entity e : reached)
            for (const entity above : in.targets_of(e, in.rows().resolve(is_a).as_entity()))
                next.push_back(above);
        std::ranges::sort(next);
        next.erase(std::ranges::unique(next).begin(), next.end());
        reached = std::move(next);
    }
    return {};
}

} // namespace

bool lookup::is_heritable(id word) const {
    const traits& own = rows_.traits_of(word);
    if (word.is_flagged() || !word) return false;
    return word.has_relation() ? own.any_of(trait::inheritable)
                               : !own.any_of(trait::mark, trait::not_inheritable, trait::singleton);
}

std::vector<entity> lookup::lineage_of(entity e) const {
    std::vector<entity> found{e};
    const std::vector<entity> bases = bases_of(*rows_.locate(e).block->owner);
    found.insert(found.end(), bases.begin(), bases.end());
    return found;
}

/// Of several counterparts, returns the one that is nearest to the part: a part may be a kind of another
/// part.
entity lookup::counterpart(entity instance, entity part) const {
    if (instance != part && steps_to(*this, instance, part)) return instance;
    entity nearest{};
    std::size_t least = ~std::size_t{};
    for (const entity below : breadth_first(instance, child_of)) {
        const std::optional<std::size_t> steps = steps_to(*this, below, part);
        if (!steps || *steps == 0 || *steps >= least) continue;
        nearest = below;
        least = *steps;
    }
    return nearest;
}

id lookup::conflicts_of(id word) const {
    const entity relation = rows_.entities().at(word.relation_index());
    return relation ? pair(relation, any) : word;
}

bool lookup::stays_within(entity source, id stored) const {
    return stored.kind() == id_kind::pair &&
           whole_of(*this, source, source) ==
               whole_of(*this, rows_.entities().at(stored.target_index()), source);
}

/// The first identifier of a base that the pattern stands for and that instances inherit; null when there is
/// none.
id lookup::heritable_match(row_ref from, id pattern) const {
    const table& in = *from.block->owner;
    if (!pattern.has_relation()) return in.has(pattern) && !is_value_of_link(in, pattern) ? pattern : id{};
    for (const id member : in.type()) {
        const id stored = rows_.member_at(from, member);
        if (!matches(pattern, stored)) continue;
        if (!stays_within(from.owner(), stored)) return stored;
    }
    return {};
}

/// Whether instances of the base inherit the identifier from it.
bool lookup::gives_to_instances(entity from, id word) const {
    if (const sparse_set* const sparse = rows_.sparse_of(word)) return sparse->contains(index_of(from));
    return static_cast<bool>(heritable_match(rows_.locate(from), word));
}

/// The row of the base that gives the component to instances, and an empty one where none does. Nothing where
/// an entity on the way has several bases, so that all of them have to be asked. Most entities have one, and
/// no list is made for it.
std::optional<row_ref> lookup::row_along_bases(const table& instance, id component) const {
    const sparse_set* const outside = rows_.sparse_of(component);
    const column_starts::by_chunk starts = rows_.starts_of(component);
    const auto gives = [&](row_ref at) {
        if (outside) return outside->contains(index_of(at.owner()));
        const table& in = *at.block->owner;
        const bool has = starts ? starts[at.block->number()] != nullptr : in.has(component);
        return has && !is_value_of_link(in, component);
    };
    for (const table* in = &instance; in->inherits;) {
        if (in->only_base == 0) return {};
        const row_ref at = rows_.locate(rows_.entities().at(in->only_base));
        if (gives(at)) return at;
        in = at.block->owner;
    }
    return rows_.locate(entity{});
}

/// Whether the entity is an instance of the other, directly or not; nothing where an entity on the way has
/// several bases.
std::optional<bool> lookup::is_instance_along(entity instance, entity from) const {
    for (row_ref at = rows_.locate(instance); at && at.block->owner->inherits;) {
        const std::uint32_t next = at.block->owner->only_base;
        if (next == 0) return {};
        if (next == index_of(from)) return true;
        at = rows_.locate(rows_.entities().at(next));
    }
    return false;
}

/// Asks the nearest bases first, and each base once. An entity that has a pair of an exclusive relation hides
/// the pairs of the bases behind it.
row_ref lookup::row_of_base_with(const table& instance, id word) const {
    if (!is_heritable(word)) return rows_.locate(entity{});
    if (!word.has_relation())
        if (const std::optional<row_ref> found = row_along_bases(instance, word)) return *found;
    const bool hides = word.has_relation() && rows_.traits_of(word).any_of(trait::exclusive);
    const id conflict = hides ? conflicts_of(word) : id{};
    if (hides && instance.find_match(conflict) != table::absent) return rows_.locate(entity{});
    std::vector<entity> bases;
    note_bases_of(rows_.entities(), instance, bases);
    for (std::size_t next = 0; next < bases.size();) {
        const entity from = bases[next++];
        const row_ref at = rows_.locate(from);
        if (gives_to_instances(from, word)) return at;
        const table& in = *at.block->owner;
        if (hides && in.find_match(conflict) != table::absent) return rows_.locate(entity{});
        note_bases_of(rows_.entities(), in, bases);
    }
    return rows_.locate(entity{});
}

entity lookup::base_with(const table& instance, id word) const {
    const row_ref found = row_of_base_with(instance, word);
    return found ? found.owner() : entity{};
}

std::vector<held_value> lookup::inherited_matches(const table& instance, id pattern) const {
    const entity giver = base_with(instance, pattern);
    if (!giver) return {};
    if (!pattern.is_wildcard() || keeps_in_column(pattern)) return {{giver, pattern}};
    std::vector<held_value> found;
    for (const entity from : bases_of(instance))
        for (const id word : rows_.locate(from).block->owner->type())
            if (matches(pattern, word) && !instance.has(word) && base_with(instance, word) == from)
                found.push_back({from, word});
    return found;
}

held_value lookup::inherited_value(const table& instance, id pattern) const {
    for (const held_value& from : inherited_matches(instance, pattern))
        if (const id valued = valued_match(rows_.locate(from.holder), from.word))
            return {from.holder, valued};
    return {};
}

/// The bases of the table's entities, the bases of those bases and so on; the nearest first.
std::vector<entity> lookup::bases_of(const table& instance) const {
    std::vector<entity> bases;
    const table* in = &instance;
    for (; in->only_base != 0; in = rows_.locate(bases.back()).block->owner)
        bases.push_back(rows_.entities().at(in->only_base)); // No base comes again: is_a has no cycles.
    std::size_t next = bases.size();
    note_bases_of(rows_.entities(), *in, bases);
    for (; next < bases.size(); ++next)
        note_bases_of(rows_.entities(), *rows_.locate(bases[next]).block->owner, bases);
    return bases;
}

std::vector<id> lookup::auto_overridden_of(entity from) const {
    std::vector<id> found;
    if (rows_.all_traits().copy_count() == 0) return found;
    const auto is_said = [](id word) {
        return word.has_relation() &&
               (word.relation_index() == child_of.index() || word.relation_index() == is_a.index());
    };
    for (const entity giver : lineage_of(from))
        for (const id word : words_of(giver)) {
            if (!rows_.traits_of(word).any_of(trait::auto_overridden) || is_said(word)) continue;
            const bool is_had = has(from, word) && (giver == from || is_heritable(word));
            if (is_had && std::ranges::find(found, word) == found.end()) found.push_back(word);
        }
    return found;
}

} // namespace ecs
