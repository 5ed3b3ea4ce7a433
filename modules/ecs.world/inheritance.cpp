// SPDX-License-Identifier: MIT
// Instances: what an entity has from the entity it is an instance of. Nothing is copied until it is
// overridden; the children of a prefab are instantiated with it.
module;
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
module ecs.world;
import :store;

namespace ecs {

/// Pairs are inherited when their relation says so; components unless they say what the entity itself is.
bool store::is_heritable(id word) const {
    const rules& own = rules_of(word);
    if (word.is_flagged() || !word) return false;
    return word.has_relation() ? own.any_of(rule::inheritable) : !own.any_of(rule::mark);
}

/// Bases nearest first; a base met twice is asked once.
entity store::base_with(const table& heir, id word) const {
    if (!is_heritable(word)) return {};
    std::vector<entity> bases;
    const auto note_bases_of = [&](const table& in) {
        for (const id pair : in.type())
            if (pair.kind() == id_kind::pair && pair.relation_index() == is_a.index())
                if (const entity from = entities_->at(pair.target_index());
                    std::ranges::find(bases, from) == bases.end())
                    bases.push_back(from);
    };
    note_bases_of(heir);
    for (std::size_t next = 0; next < bases.size(); ++next) {
        const table& in = *locate(bases[next]).block->owner;
        if (in.find_match(word) != table::absent) return bases[next];
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

void store::inherit(entity heir, entity from) {
    ++meanings_;
    add(from, base);
    override_for(heir, from);
    instantiate_children(heir, from);
}

/// What the base has under the flag of automatic override becomes the heir's own.
void store::override_for(entity heir, entity from) {
    const std::span<const id> had = locate(from).block->owner->type();
    const std::vector<id> type(had.begin(), had.end());
    for (const id word : type)
        if (has_flag(flags_of(word), type_flags::auto_override)) {
            const id meant = localize(without_flags(word));
            add(heir, meant.is_pair()
                          ? pair(entities_->at(meant.relation_index()), entities_->at(meant.target_index()))
                          : meant);
        }
}

/// Makes an instance of every child of the base, and of their children. The tree is written down first, so
/// that what is made is not taken for part of it.
void store::instantiate_children(entity heir, entity from) {
    struct part {
        entity original;
        std::size_t parent; ///< Position in the list of parts.
    };
    std::vector<part> parts{{from, 0}};
    for (std::size_t next = 0; next < parts.size(); ++next)
        for (const entity child : list_of(parts[next].original, child_of.index()))
            parts.push_back({child, next});
    std::vector<entity> copies{heir};
    for (std::size_t next = 1; next < parts.size(); ++next)
        copies.push_back(instantiate_part(parts[next].original, copies[parts[next].parent]));
}

entity store::instantiate_part(entity original, entity parent) {
    const entity copy = spawn();
    link_to(copy, pair(localize(child_of), parent));
    const row_ref at = locate(copy);
    const id word = pair(localize(is_a), original);
    move(at, between(*at.block->owner, table_of(destination(*at.block->owner, word))), [](row_ref) {});
    add(original, base);
    override_for(copy, original);
    ++meanings_;
    if (const std::string text(name_of(original)); !text.empty() && !find_name(parent, text))
        set_name(copy, text);
    return copy;
}

} // namespace ecs
