// SPDX-License-Identifier: MIT
// Copies of entities. First comes a row with its values, then what has traits: it is added as a caller would
// add it, so that they hold for the copy, too. Of an entity with everything below it all rows come first,
// then the tree, and last what may lead from one to another; the originals are kept on a list, not on the
// stack.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// One entity, of which a copy is made, alone or with others.
class cloning {
  public:
    cloning(cloner& in, entity e, const flat_map<entity>& members) : in_(&in), e_(e), members_(&members) {}

    /// Throws access_error when a value that the copy would have cannot be copied.
    void require_copyable() const {
        const table& in = *in_->rows().locate(e_).block->owner;
        if (!in.copies_as_bytes())
            for (const column& c : in.columns())
                if (!c.operations.copyable && !is_left_out(word_of(c))) refuse(c.component);
        for (const sparse_set* const sparse : in_->rows().all_sparse_sets())
            if (sparse->contains(index_of(e_)) && sparse->info().size != 0 &&
                !sparse->info().operations.copyable && is_copied(sparse->word))
                refuse(sparse->word);
    }

    /// A copy of what follows no traits and means the same for a copy: without names, properties, and pairs
    /// that have traits or lead to one of those that are copied. The copy is pending, or null: then it is
    /// made. Observers are told of it when all of that is there.
    entity copy_values(entity copy) {
        table& from = *in_->rows().locate(e_).block->owner;
        table& to = in_->core().table_of(plain_words(from));
        if (from.togglable() && !to.togglable()) in_->rows().make_togglable(to);
        copy = begin_untold(copy, to, [&](row_ref at) {
            in_->rows().copy_row(in_->rows().locate(e_), at);
            if (from.togglable()) from.copy_toggles(in_->rows().locate(e_), at);
        });
        const std::vector<sparse_set*> outside = copy_outside_or_take_back(copy);
        in_->spawns().announce(to, copy, outside.data(), outside.size());
        return copy;
    }

    /// Whether a copy of its row is all that there is to a copy.
    [[nodiscard]] bool is_row_alone() const {
        const table& from = *in_->rows().locate(e_).block->owner;
        const auto is_there = [&](const sparse_set* set) { return set->contains(index_of(e_)); };
        return !from.togglable() && !std::ranges::any_of(in_->rows().all_sparse_sets(), is_there) &&
               std::ranges::all_of(from.type(), [&](id word) { return is_plain(word); });
    }
    /// The copy of such an entity, as copy_values makes it.
    entity copy_row(entity copy) {
        return begin(copy, *in_->rows().locate(e_).block->owner,
                     [&](row_ref at) { in_->rows().copy_row(in_->rows().locate(e_), at); });
    }

    /// Properties and pairs that the entity itself has, and that copy_values has not copied.
    [[nodiscard]] std::vector<id> constrained_words() const {
        const table& from = *in_->rows().locate(e_).block->owner;
        std::vector<id> words = in_->reads().words_of(e_);
        std::erase_if(words, [&](id word) {
            if (word.is_entity()) return !in_->rows().traits_of(word).any_of(trait::property);
            return is_plain_pair(word) && from.has(word);
        });
        // is_a before child_of: an instance may become a child of its base, but a child may not become an
        // instance of its parent.
        put_parent_last(words);
        return words;
    }

    /// What an entity that is there gets of this one: what a copy would have.
    [[nodiscard]] std::vector<id> words_for(entity onto) const {
        std::vector<id> words = in_->reads().ids_of(e_);
        std::erase_if(words, [&](id word) {
            return word.is_entity() ? !is_given(word) : in_->checks().parts_others(onto, word);
        });
        return words;
    }

    /// Adds an identifier to the copy, with a copy of the value that the entity has under another one. A pair
    /// that would take a partner from another entity is left out.
    void give(entity copy, id word, id had) {
        if (in_->checks().parts_others(copy, word)) return;
        const std::byte* const value = in_->rows().own_value(in_->rows().locate(e_), had);
        value ? in_->core().set(copy, word, value) : in_->core().add(copy, word);
        if (in_->reads().is_hidden(e_, had)) in_->core().set_enabled(copy, word, false);
    }

  private:
    [[noreturn]] void refuse(id component) const {
        throw access_error(e_, component, id_status::live,
                           "entity " + ecs::to_string(e_) + " cannot be cloned: the values of component " +
                               in_->reads().text_of_component(component) + " cannot be copied");
    }

    [[nodiscard]] std::vector<id> plain_words(const table& from) const {
        std::vector<id> plain;
        std::ranges::copy_if(from.type(), std::back_inserter(plain), [&](id word) { return is_plain(word); });
        return plain;
    }
    [[nodiscard]] bool is_plain(id word) const {
        if (!word.is_entity()) return is_plain_pair(word);
        return word != id(in_->rows().registered<name>()) && is_copied(word);
    }
    /// Whether an entity that is there gets the component.
    [[nodiscard]] bool is_given(id word) const {
        if (word == id(in_->rows().registered<name>())) return false;
        return is_copied(word) || in_->rows().traits_of(word).any_of(trait::property);
    }
    /// What the entity has by the column: a pair, where the column has the values of a relation that keeps
    /// its targets in another one.
    [[nodiscard]] id word_of(const column& c) const {
        const row_ref at = in_->rows().locate(e_);
        const bool is_of_pair = in_->reads().is_value_of_link(*at.block->owner, c.component);
        return in_->rows().member_at(at, is_of_pair ? pair(c.component.as_entity(), any) : c.component);
    }
    /// Whether the copy does not get what the entity has: what is not copied, and a pair whose target keeps
    /// the partner or the source that it has. The copy of a target has none yet.
    [[nodiscard]] bool is_left_out(id word) const {
        if (word.is_entity()) return !is_given(word);
        const bool leads_to_copy =
            word.is_pair() && members_->find(in_->rows().entities().at(word.target_index()).value());
        return !leads_to_copy && in_->checks().parts_others({}, word);
    }
    entity begin(entity copy, table& in, row_constructor construct) const {
        if (!copy) return in_->spawns().spawn_with_care(in, construct);
        in_->spawns().materialize(copy, in, construct);
        return copy;
    }
    entity begin_untold(entity copy, table& in, row_constructor construct) const {
        if (!copy) return in_->spawns().spawn_untold(in, in, construct);
        in_->spawns().materialize_untold(copy, in, in, construct);
        return copy;
    }
    /// Whether the pair has a relation without traits, and a target that is not copied: such pairs go by
    /// hundreds in one step.
    [[nodiscard]] bool is_plain_pair(id word) const {
        return in_->rows().is_pair_without_traits(word) &&
               !members_->find(in_->rows().entities().at(word.target_index()).value());
    }
    /// Whether the component is copied: not the value of a pair, nor what belongs to one entity alone, as
    /// what makes an entity a component does, and what a base is marked with: a copy has no instances.
    [[nodiscard]] bool is_copied(id word) const {
        constexpr std::uint32_t never = bits_of(trait::non_fragmenting, trait::property, trait::singleton);
        const std::uint32_t own = in_->rows().traits_of(word).bits;
        if ((own & (never | bits_of(trait::mark))) == 0) [[likely]]
            return true;
        return (own & never) == 0 && word != in_->rows().resolve(base) &&
               !in_->checks().says_what_a_component_is(word);
    }

    [[nodiscard]] std::vector<sparse_set*> copy_outside_or_take_back(entity copy) const {
        try {
            return copy_sparse_sets(copy);
        } catch (...) {
            in_->spawns().take_back(copy);
            throw;
        }
    }

    /// As in tables, the copy has what the entity has and nothing else, whatever usually comes along. Returns
    /// the sets: those of the store become more when an observer registers a component.
    [[nodiscard]] std::vector<sparse_set*> copy_sparse_sets(entity copy) const {
        const std::uint32_t index = index_of(e_);
        std::vector<sparse_set*> copied;
        const auto comes_along = [&](const sparse_set* set) {
            return set->contains(index) && is_copied(set->word);
        };
        std::ranges::copy_if(in_->rows().all_sparse_sets(), std::back_inserter(copied), comes_along);
        for (sparse_set* const sparse : copied) {
            const auto construct = [&](std::byte* to) {
                const column like = column_like(sparse->word, sparse->info());
                if (like.size != 0) like.copy(to, sparse->find(index));
            };
            in_->core().place_untold(copy, *sparse, construct, !sparse->enabled(index));
        }
        return copied;
    }

    cloner* in_;
    entity e_;
    const flat_map<entity>* members_; ///< All that are copied, by original; none for an entity alone.
};

/// An entity with everything below it.
class tree_copy {
  public:
    tree_copy(cloner& in, entity root) : in_(&in), members_{{root, {}, 0}} {
        for (std::size_t next = 0; next < members_.size(); ++next)
            for (const entity child : in_->rows().list_of(members_[next].original, child_of.index()))
                members_.push_back({child, {}, next});
        for (const member& each : members_) copies_[each.original.value()] = {}; // Not there yet.
    }

    /// The root's copy is pending, or null: then it is made.
    entity make(entity copy_of_root) {
        for (const member& each : members_) cloning(*in_, each.original, copies_).require_copyable();
        for (member& each : members_) {
            each.copy = cloning(*in_, each.original, copies_).copy_values(std::exchange(copy_of_root, {}));
            copies_[each.original.value()] = each.copy;
        }
        for (const member& each : std::span(members_).subspan(1)) place(each);
        for (const member& each : members_) relate(each);
        return members_.front().copy;
    }

    void take_back() {
        std::vector<entity> made;
        for (const member& each : members_)
            if (each.copy) made.push_back(each.copy);
        in_->despawns().despawn_together(made);
    }

  private:
    struct member {
        entity original;
        entity copy;        ///< Null while there is none.
        std::size_t parent; ///< Position among the members.
    };

    /// Places the copy below the copy of its parent, under the same name.
    void place(const member& of) {
        in_->core().link_to(of.copy, pair(in_->rows().resolve(child_of), members_[of.parent].copy), {});
        const std::string text(in_->rows().name_of(of.original));
        if (text.empty()) return;
        in_->core().set_name(of.copy, text);
        hide_alike(of, in_->rows().registered<name>(), in_->rows().registered<name>());
    }

    void hide_alike(const member& of, id had, id meant) {
        if (in_->reads().is_hidden(of.original, had)) in_->core().set_enabled(of.copy, meant, false);
    }

    /// What the copy is an instance of has given it its parts already: they are members.
    void relate(const member& of) {
        const bool is_root = &of == &members_.front();
        cloning from(*in_, of.original, copies_);
        for (const id had : from.constrained_words()) {
            const id meant = counterpart(had);
            if (had.is_pair() && had.relation_index() == is_a.index() && !in_->reads().owns(of.copy, meant)) {
                in_->instances().set_base(of.copy, in_->rows().entities().at(meant.target_index()));
                hide_alike(of, had, meant);
            } else if (is_root || !had.is_pair() || had.relation_index() != child_of.index()) {
                from.give(of.copy, meant, had);
            }
        }
    }

    /// The same identifier with the copy of its target, where that is a member.
    [[nodiscard]] id counterpart(id word) const {
        if (word.kind() != id_kind::pair && word.kind() != id_kind::flagged_pair) return word;
        const entity target = in_->rows().entities().at(word.target_index());
        const entity* const copy = target ? copies_.find(target.value()) : nullptr;
        if (!copy) return word;
        const id between = pair(in_->rows().entities().at(word.relation_index()), *copy);
        return word.is_flagged() ? flags_of(word) | between : between;
    }

    cloner* in_;
    std::vector<member> members_; ///< Parents before children.
    flat_map<entity> copies_;     ///< By original; null while there is none.
};

} // namespace

entity cloner::clone(entity e, entity copy) {
    require_alive(e);
    const flat_map<entity> alone;
    cloning from(*this, e, alone);
    from.require_copyable();
    if (from.is_row_alone()) return from.copy_row(copy);
    copy = from.copy_values(copy);
    try {
        for (const id word : from.constrained_words()) from.give(copy, word, word);
    } catch (...) {
        despawns_.despawn_alone({&copy, 1}); // With the parts that what it is an instance of has given it.
        throw;
    }
    return copy;
}

std::vector<id> cloner::words_for(entity from, entity onto) {
    const flat_map<entity> alone;
    return cloning(*this, from, alone).words_for(onto);
}

entity cloner::clone_tree(entity root, entity copy) {
    require_alive(root);
    tree_copy made(*this, root);
    try {
        return made.make(copy);
    } catch (...) {
        made.take_back();
        throw;
    }
}

void cloner::require_alive(entity e) const {
    if (!rows_.locate(e)) reads_.refuse_access(e, {}, "components");
}

} // namespace ecs
