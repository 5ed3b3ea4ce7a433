// SPDX-License-Identifier: MIT
// Instances: what an entity has from the entity it is an instance of. Nothing is copied until it is
// overridden; the children of a prefab are instantiated with it.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

/// Pairs are inherited when their relation says so; components unless they say what the entity itself is.
bool store::is_heritable(id word) const {
    const rules& own = rules_of(word);
    if (word.is_flagged() || !word) return false;
    return word.has_relation() ? own.any_of(rule::inheritable) : !own.any_of(rule::mark);
}

/// (relation, any) for a pair or what else has a relation.
id store::rivals_of(id word) const {
    const entity relation = entities_->at(word.relation_index());
    return relation ? pair(relation, any) : word;
}

/// Bases nearest first; a base met twice is asked once. Whoever has a pair of an exclusive relation hides
/// those of the bases behind.
entity store::base_with(const table& heir, id word) const {
    if (!is_heritable(word)) return {};
    const id rival = word.has_relation() && rules_of(word).any_of(rule::exclusive) ? rivals_of(word) : word;
    if (rival != word && heir.find_match(rival) != table::absent) return {};
    std::vector<entity> bases;
    const auto note_bases_of = [&](const table& in) {
        for (const id pair : in.type())
            if (pair.kind() == id_kind::pair && pair.relation_index() == is_a.index())
                if (const entity from = entities_->at(pair.target_index());
                    std::ranges::find(bases, from) == bases.end())
                    bases.push_back(from);
    };
    note_bases_of(heir);
    for (std::size_t next = 0; next < bases.size();) {
        const entity from = bases[next++];
        const row_ref at = locate(from);
        const table& in = *at.block->owner;
        if (in.find_match(word) != table::absent || (in.linked && has_linked(at, word))) return from;
        if (rival != word && in.find_match(rival) != table::absent) return {};
        if (in.inherits) note_bases_of(in);
    }
    return {};
}

/// Values of the added columns: what was inherited so far is copied, the rest gets its default value. Those
/// made so far end again when one throws.
void store::construct_added(const transition& along, row_ref from, row_ref to) const {
    std::size_t made = 0;
    try {
        for (; made < along.added.size(); ++made) {
            const column& c = *along.added[made];
            const std::byte* const inherited = find_elsewhere(from, c.component);
            if (inherited && c.operations.copyable)
                c.copy(c.value(to), inherited);
            else
                c.construct(c.value(to));
        }
    } catch (...) {
        while (made-- > 0) along.added[made]->destroy(along.added[made]->value(to));
        throw;
    }
}

/// Gives the heir what it does not share with the base. When that fails, what was made ends, and the pair
/// that asked for it goes.
void store::inherit(entity heir, entity from) {
    ++meanings_;
    std::vector<entity> parts;
    std::vector<id> overridden;
    try {
        add(from, base);
        override_for(heir, from, overridden);
        instantiate_children(heir, from, parts);
    } catch (...) {
        for (; !parts.empty(); parts.pop_back()) despawn(parts.back());
        for (const id word : overridden) remove(heir, word);
        remove(heir, pair(is_a, from));
        throw;
    }
}

/// What the base has under the flag of automatic override becomes the heir's own.
void store::override_for(entity heir, entity from, std::vector<id>& overridden) {
    const std::span<const id> had = locate(from).block->owner->type();
    const std::vector<id> type(had.begin(), had.end());
    overridden.reserve(overridden.size() + type.size());
    for (const id word : type) {
        if (!has_flag(flags_of(word), type_flags::auto_override)) continue;
        const id meant = localize(without_flags(word));
        const id own = meant.is_pair()
                           ? pair(entities_->at(meant.relation_index()), entities_->at(meant.target_index()))
                           : meant;
        if (add(heir, own) == add_result::added) overridden.push_back(own);
    }
}

/// Makes an instance of every child of the base, and of their children. The tree is written down first, so
/// that what is made is not taken for part of it.
void store::instantiate_children(entity heir, entity from, std::vector<entity>& parts) {
    struct part {
        entity original;
        std::size_t parent; ///< Position in the list.
    };
    std::vector<part> tree{{from, 0}};
    for (std::size_t next = 0; next < tree.size(); ++next)
        for (const entity child : list_of(tree[next].original, child_of.index()))
            tree.push_back({child, next});
    parts.reserve(tree.size() - 1);
    for (std::size_t next = 1; next < tree.size(); ++next) {
        const std::size_t parent = tree[next].parent;
        parts.push_back(spawn());
        instantiate_part(tree[next].original, parent == 0 ? heir : parts[parent - 1], parts.back());
    }
}

/// Makes the copy, which is new, an instance of the original under a parent of its own.
void store::instantiate_part(entity original, entity parent, entity copy) {
    std::vector<id> overridden;
    link_to(copy, pair(localize(child_of), parent), {});
    const row_ref at = locate(copy);
    const id word = pair(localize(is_a), original);
    move(at, between(*at.block->owner, table_of(destination(*at.block->owner, word))), [](row_ref) {});
    add(original, base);
    override_for(copy, original, overridden);
    ++meanings_;
    if (const std::string text(name_of(original)); !text.empty() && !find_name(parent, text))
        set_name(copy, text);
}

} // namespace ecs
