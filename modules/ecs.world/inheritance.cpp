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
    return word.has_relation() ? own.any_of(rule::inheritable)
                               : !own.any_of(rule::mark, rule::not_inheritable, rule::singleton);
}

/// (relation, any) for a pair or what else has a relation.
id store::rivals_of(id word) const {
    const entity relation = entities_->at(word.relation_index());
    return relation ? pair(relation, any) : word;
}

/// The outermost entity that the part is part of, as long as the way up leads over prefabs and bases.
entity store::whole_of(entity part) const {
    const auto is_pattern = [&](entity e) {
        const row_ref at = locate(e);
        return at && (at.block->owner->prefab || at.block->owner->inherited);
    };
    if (!is_pattern(part)) return part;
    for (entity above = parent_of(part); is_pattern(above); above = parent_of(above)) part = above;
    return part;
}

/// The first identifier of a base that the pattern stands for and that instances inherit; null when there is
/// none. A pair between two parts of one prefab stays there: instances have one between their own parts.
id store::heritable_match(row_ref from, id pattern) const {
    const table& in = *from.block->owner;
    if (!pattern.has_relation()) return in.has(pattern) ? pattern : id{};
    for (const id word : in.type()) {
        const id stored =
            word.is_wildcard() ? pair(entities_->at(word.relation_index()), linked_target(from, word)) : word;
        if (!matches(pattern, stored)) continue;
        const bool stays = stored.kind() == id_kind::pair &&
                           whole_of(from.owner()) == whole_of(entities_->at(stored.target_index()));
        if (!stays) return stored;
    }
    return {};
}

/// Whether instances of the base inherit the identifier from it.
bool store::bequeaths(entity from, id word) const {
    if (const side_set* const side = side_of(word)) return side->contains(index_of(from));
    return static_cast<bool>(heritable_match(locate(from), word));
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
        if (bequeaths(from, word)) return from;
        const table& in = *locate(from).block->owner;
        if (rival != word && in.find_match(rival) != table::absent) return {};
        if (in.inherits) note_bases_of(in);
    }
    return {};
}

std::vector<entity> store::bases_of(const table& heir) const {
    std::vector<entity> bases;
    const auto note_bases_of = [&](const table& in) {
        for (const id word : in.type())
            if (word.kind() == id_kind::pair && word.relation_index() == is_a.index())
                if (const entity from = entities_->at(word.target_index());
                    std::ranges::find(bases, from) == bases.end())
                    bases.push_back(from);
    };
    note_bases_of(heir);
    for (std::size_t next = 0; next < bases.size(); ++next)
        if (const table& in = *locate(bases[next]).block->owner; in.inherits) note_bases_of(in);
    return bases;
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

/// An instance that is being made: the tree of its originals, and a copy of each.
class store::instancing {
  public:
    explicit instancing(store& in) : in_(&in) {}

    /// The tree is written down first, so that what is made is not taken for part of it. Pairs come last,
    /// when whoever they lead to is there.
    void make(entity heir, entity from) {
        tree_.push_back({from, heir, 0});
        in_->add(from, base);
        for (std::size_t next = 0; next < tree_.size(); ++next)
            for (const entity child : in_->list_of(tree_[next].original, child_of.index()))
                if (!in_->locate(child).block->owner->no_target) tree_.push_back({child, {}, next});
        for (part& each : std::span(tree_).subspan(1)) make_copy(each);
        for (const part& each : tree_) give_own(each);
    }

    void take_back() {
        for (; tree_.size() > 1; tree_.pop_back())
            if (tree_.back().copy) in_->despawn(tree_.back().copy);
        for (const id word : given_to_heir_) in_->remove(tree_.front().copy, word);
    }

  private:
    struct part {
        entity original;
        entity copy;        ///< Null while there is none.
        std::size_t parent; ///< Position in the tree.
    };

    /// An instance of the original under the copy of its parent.
    void make_copy(part& of) {
        copies_[of.original.value()] = of.copy = in_->spawn();
        const entity parent = tree_[of.parent].copy;
        in_->link_to(of.copy, pair(in_->localize(child_of), parent), {});
        const row_ref at = in_->locate(of.copy);
        table& from = *at.block->owner;
        const id word = pair(in_->localize(is_a), of.original);
        in_->move(at, from.way_to(in_->table_of(in_->destination(from, word))), [](row_ref) {});
        in_->add(of.original, base);
        ++in_->meanings_;
        const std::string text(in_->name_of(of.original));
        if (!text.empty() && !in_->find_name(parent, text)) in_->set_name(of.copy, text);
    }

    /// What the copy does not share with its original: what is under the flag of automatic override, and
    /// pairs between parts.
    void give_own(const part& to) {
        const std::span<const id> had = in_->locate(to.original).block->owner->type();
        if (!std::ranges::any_of(had, says_more)) return;
        const std::vector<id> type(had.begin(), had.end());
        given_to_heir_.reserve(given_to_heir_.size() + 2 * type.size());
        for (const id word : type)
            if (const id between = pair_between_parts(to, word)) give(to, between, counterpart(between));
        for (const id word : type)
            if (has_flag(flags_of(word), type_flags::auto_override)) {
                const id meant = whole(in_->localize(without_flags(word)));
                give(to, meant, counterpart(meant));
            }
    }

    /// Whether there may be something to give: where the original belongs and what it is an instance of is
    /// said already.
    [[nodiscard]] static bool says_more(id word) {
        return word.is_flagged() || (word.is_pair() && word.relation_index() != child_of.index() &&
                                     word.relation_index() != is_a.index());
    }

    /// The pair that the original has by the identifier of its table, if it leads to a part; null otherwise.
    [[nodiscard]] id pair_between_parts(const part& of, id word) const {
        if (!word.is_pair() || !says_more(word)) return {};
        const entity target = word.is_wildcard() ? store::linked_target(in_->locate(of.original), word)
                                                 : in_->entities_->at(word.target_index());
        return copy_of(target) ? pair(in_->entities_->at(word.relation_index()), target) : id{};
    }

    /// Null when the entity is no part.
    [[nodiscard]] entity copy_of(entity original) const {
        if (original == tree_.front().original) return tree_.front().copy;
        const entity* const made = original ? copies_.find(original.value()) : nullptr;
        return made ? *made : entity{};
    }

    /// The identifier with the part of the target's generation that flags leave no room for.
    [[nodiscard]] id whole(id word) const {
        const entity_index& all = *in_->entities_;
        return word.is_pair() ? pair(all.at(word.relation_index()), all.at(word.target_index())) : word;
    }

    /// The same identifier with the copy of its target, where the target is part of the tree.
    [[nodiscard]] id counterpart(id word) const {
        const entity copy = word.is_pair() ? copy_of(in_->entities_->at(word.target_index())) : entity{};
        return copy ? pair(in_->entities_->at(word.relation_index()), copy) : word;
    }

    /// Gives the copy what its original has, under the identifier that is the copy's. What the copy's own
    /// relation refuses it goes without.
    void give(const part& to, id had, id meant) {
        if (hides(to.copy, meant)) return;
        const std::byte* const value = had != meant ? in_->own_value(in_->locate(to.original), had) : nullptr;
        add_result result = value ? in_->set(to.copy, meant, value) : add_result::not_copyable;
        if (result == add_result::not_copyable) result = in_->add(to.copy, meant);
        if (result == add_result::added && to.copy == tree_.front().copy) given_to_heir_.push_back(meant);
    }

    /// Whether the copy has a target of its own that an exclusive relation would give up.
    [[nodiscard]] bool hides(entity copy, id word) const {
        if (!word.is_pair() || !in_->rules_of(word).any_of(rule::exclusive)) return false;
        return static_cast<bool>(in_->target_of(copy, in_->entities_->at(word.relation_index())));
    }

    store* in_;
    std::vector<part> tree_;  ///< The base and the heir first.
    flat_map<entity> copies_; ///< By original, but for the base.
    std::vector<id> given_to_heir_;
};

/// Gives the heir what it does not share with the base. When that fails, what was made ends, and the pair
/// that asked for it goes.
void store::inherit(entity heir, entity from) {
    ++meanings_;
    instancing made(*this);
    try {
        made.make(heir, from);
    } catch (...) {
        made.take_back();
        remove(heir, pair(is_a, from));
        throw;
    }
}

} // namespace ecs
