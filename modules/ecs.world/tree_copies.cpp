// SPDX-License-Identifier: MIT
// Copies of an entity with everything below it. First come all the rows with their values, then the tree, and
// last what may lead from one to another. Who is copied is kept on a list, not on the stack.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

class store::tree_copy {
  public:
    tree_copy(store& in, entity root) : in_(&in), members_{{root, {}, 0}} {
        for (std::size_t next = 0; next < members_.size(); ++next)
            for (const entity child : in_->list_of(members_[next].original, child_of.index()))
                members_.push_back({child, {}, next});
    }

    /// The root's copy is in limbo, or null: then it is made.
    entity make(entity copy_of_root) {
        for (const member& each : members_)
            in_->require_copyable(each.original, *in_->locate(each.original).block->owner);
        for (member& each : members_) {
            each.copy = in_->clone_values(each.original, std::exchange(copy_of_root, {}));
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
        in_->end_together(made);
    }

  private:
    struct member {
        entity original;
        entity copy;        ///< Null while there is none.
        std::size_t parent; ///< Position among the members.
    };

    /// Below the copy of its parent, under the same name.
    void place(const member& of) {
        in_->link_to(of.copy, pair(in_->localize(child_of), members_[of.parent].copy), {});
        const std::string text(in_->name_of(of.original));
        if (!text.empty()) in_->set_name(of.copy, text);
    }

    /// What the copy is an instance of has given it its parts already: they are members.
    void relate(const member& of) {
        const bool is_root = &of == &members_.front();
        for (const id had : in_->ruled_words_of(of.original)) {
            const id meant = counterpart(had);
            if (had.is_pair() && had.relation_index() == is_a.index() && !in_->owns(of.copy, meant))
                in_->become_heir(of.copy, in_->entities_->at(meant.target_index()));
            else if (is_root || !had.is_pair() || had.relation_index() != child_of.index())
                in_->add_like(of.copy, meant, of.original, had);
        }
    }

    /// The same identifier with the copy of its target, where that is a member.
    [[nodiscard]] id counterpart(id word) const {
        if (word.kind() != id_kind::pair && word.kind() != id_kind::flagged_pair) return word;
        const entity target = in_->entities_->at(word.target_index());
        const entity* const copy = target ? copies_.find(target.value()) : nullptr;
        if (!copy) return word;
        const id between = pair(in_->entities_->at(word.relation_index()), *copy);
        return word.is_flagged() ? flags_of(word) | between : between;
    }

    store* in_;
    std::vector<member> members_; ///< Parents before children.
    flat_map<entity> copies_;     ///< By original.
};

entity store::clone_tree(entity root) {
    const auto copy_to = [root](store& in, entity copy) {
        if (!in.locate(root)) in.refuse_access(root, {}, "components");
        tree_copy made(in, root);
        try {
            return made.make(copy);
        } catch (...) {
            made.take_back();
            throw;
        }
    };
    if (is_still()) return as_one([&] { return copy_to(*this, {}); });
    if (!entities_->alive(root)) refuse_access(root, {}, "components");
    return spawn_later([copy_to](store& in, entity copy) { std::ignore = copy_to(in, copy); });
}

} // namespace ecs
