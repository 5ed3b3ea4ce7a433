// SPDX-License-Identifier: MIT
// What instances have of their own: copies of the parts of their prefab, pairs between those, and values of
// what is overridden from the start. An instance gets it when it is made, and later by sync.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// One instance of one base: the tree of its originals, and a copy of each.
class instance_builder {
  public:
    instance_builder(instantiation& in, entity instance, entity from)
        : in_(&in), from_(from), instance_(instance) {}

    /// Makes what the instance lacks: everything when it is fresh; what it does not have any more when it was
    /// an instance before. Returns how many parts, components and pairs were made.
    std::size_t complete() {
        write_down();
        give_all();
        return given_;
    }

    void take_back() {
        std::vector<entity> made;
        for (const part& each : tree_)
            if (each.made && each.copy) made.push_back(each.copy);
        in_->despawns().despawn_together(made);
        for (const earlier_type& each : earlier_) restore_type(each);
    }

  private:
    struct part {
        entity original;
        entity copy;        ///< Null while there is none.
        std::size_t parent; ///< Position in the tree.
        bool made;          ///< The copy was not there before.
    };
    /// What an entity had that was there before.
    struct earlier_type {
        entity of;
        std::vector<id> words;
    };

    /// The tree is written down before anything is made, so that what is made is not taken for part of it.
    void write_down() {
        tree_.push_back({from_, instance_, 0, false});
        for (std::size_t next = 0; next < tree_.size(); ++next) {
            const std::span<const entity> children =
                in_->rows().list_of(tree_[next].original, child_of.index());
            if (children.empty()) continue;
            const flat_map<entity> there = copies_below(tree_[next]);
            for (const entity child : children) {
                const table& home = *in_->rows().locate(child).block->owner;
                if (home.no_target || home.has(in_->rows().resolve(ecs::final)))
                    continue; // Nothing can be an instance of it.
                const entity* const copy = there.find(child.value());
                if (copy) copies_[child.value()] = *copy;
                tree_.push_back({child, copy ? *copy : entity{}, next, !copy});
            }
        }
    }

    /// The children of the copy by the part of which they are instances. Of several instances, it is the
    /// first; the copy of a variant's part counts only where there is no other.
    [[nodiscard]] flat_map<entity> copies_below(const part& whole) const {
        flat_map<entity> found;
        const auto note = [&](entity child, const std::vector<entity>& parts) {
            for (const entity from : parts)
                if (!found.find(from.value())) found[from.value()] = child;
        };
        const std::span<const entity> children = in_->rows().list_of(whole.copy, child_of.index());
        for (const entity child : children) note(child, direct_bases(child));
        for (const entity child : children) note(child, parts_behind(child, whole.copy, whole.original));
        return found;
    }

    /// The parts of the original that the child of its instance is a copy of, by way of the parts of
    /// variants. To be an instance of one is not enough: a part may be a kind of another, and so may what is
    /// elsewhere.
    [[nodiscard]] std::vector<entity> parts_behind(entity child, entity instance, entity original) const {
        std::vector<entity> parts;
        for (const entity from : direct_bases(child)) {
            const entity variant = in_->rows().parent_of(from);
            if (variant == original) parts.push_back(from);
            if (variant == original || !is_between(instance, variant, original)) continue;
            const std::vector<entity> behind = parts_behind(from, variant, original);
            parts.insert(parts.end(), behind.begin(), behind.end());
        }
        return parts;
    }

    [[nodiscard]] std::vector<entity> direct_bases(entity e) const {
        return in_->reads().targets_of(e, in_->rows().resolve(is_a).as_entity());
    }

    /// Whether the instance is an instance of the variant, and the variant an instance of the original.
    [[nodiscard]] bool is_between(entity instance, entity variant, entity original) const {
        const entity relation = in_->rows().resolve(is_a).as_entity();
        return variant && in_->reads().leads_to(instance, relation, variant) &&
               in_->reads().leads_to(variant, relation, original);
    }

    /// Pairs come last, when the entities that they lead to are there.
    void give_all() {
        in_->core().add(from_, base);
        for (part& each : tree_)
            if (each.made) make_copy(each);
        for (const part& each : tree_) give_own(each);
    }

    /// Makes an instance of the original under the copy of its parent.
    void make_copy(part& of) {
        of.copy = in_->spawns().spawn();
        copies_[of.original.value()] = of.copy;
        const entity parent = tree_[of.parent].copy;
        in_->core().link_to(of.copy, pair(in_->rows().resolve(child_of), parent), {});
        in_->set_base(of.copy, of.original);
        const std::string text(in_->rows().name_of(of.original));
        if (!text.empty() && !in_->rows().find_name(parent, text)) in_->core().set_name(of.copy, text);
        ++given_;
    }

    /// Gives the copy what it does not share with its original: pairs between parts, what is under the flag
    /// of automatic override, and what is overridden everywhere.
    void give_own(const part& to) {
        const table& original = *in_->rows().locate(to.original).block->owner;
        give_by_type(to, original.type());
        if (original.inherits)
            for (const entity giver : in_->reads().lineage_of(to.original))
                if (giver != to.original) give_flagged(to, in_->rows().locate(giver).block->owner->type());
        for (const id word : in_->reads().auto_overridden_of(to.original)) give(to, word, counterpart(word));
    }

    /// The type is copied: what is given may make tables.
    void give_by_type(const part& to, std::span<const id> type) {
        if (!std::ranges::any_of(type, says_more)) return;
        const std::vector<id> had(type.begin(), type.end());
        for (const id word : had)
            if (const id between = pair_between_parts(to, word)) give(to, between, counterpart(between));
        give_flagged(to, had);
    }

    /// Gives what is under the flag in the type of the original, or of one of its bases.
    void give_flagged(const part& to, std::span<const id> type) {
        if (!std::ranges::any_of(type, &id::is_flagged)) return;
        for (const id word : std::vector<id>(type.begin(), type.end()))
            if (has_flag(flags_of(word), type_flags::auto_override)) {
                const id meant = whole(in_->rows().resolve(without_flags(word)));
                give(to, meant, counterpart(meant));
            }
    }

    /// Whether there may be something to give: pairs of child_of and is_a are set already.
    [[nodiscard]] static bool says_more(id word) {
        return word.is_flagged() || (word.is_pair() && word.relation_index() != child_of.index() &&
                                     word.relation_index() != is_a.index());
    }

    /// The pair that the original has by the identifier of its table, if it leads to a part; null otherwise.
    [[nodiscard]] id pair_between_parts(const part& of, id word) const {
        if (!word.is_pair() || !says_more(word)) return {};
        const id stored = in_->rows().member_at(in_->rows().locate(of.original), word);
        const entity target = in_->rows().entities().at(stored.target_index());
        return copy_of(target) ? pair(in_->rows().entities().at(word.relation_index()), target) : id{};
    }

    /// The copy of a part; null when the entity is no part.
    [[nodiscard]] entity copy_of(entity original) const {
        if (original == from_) return instance_;
        const entity* const made = original ? copies_.find(original.value()) : nullptr;
        return made ? *made : entity{};
    }

    /// The identifier with the target's whole generation: flags leave room for a part of it only.
    [[nodiscard]] id whole(id word) const {
        const entity_index& all = in_->rows().entities();
        return word.is_pair() ? pair(all.at(word.relation_index()), all.at(word.target_index())) : word;
    }

    /// The same identifier with the copy of its target, where the target is part of the tree.
    [[nodiscard]] id counterpart(id word) const {
        const entity copy =
            word.is_pair() ? copy_of(in_->rows().entities().at(word.target_index())) : entity{};
        return copy ? pair(in_->rows().entities().at(word.relation_index()), copy) : word;
    }

    /// Gives the copy what its original has, under the identifier that the copy uses. What the copy has
    /// itself stays; what its own relation refuses is left out. A value that is copied counts as set.
    void give(const part& to, id had, id meant) {
        const bool is_others =
            had == meant && in_->reads().stays_within(to.original, had); // Of a larger whole.
        if (is_others || in_->reads().owns(to.copy, meant) || hides(to.copy, meant)) return;
        if (!to.made) note_type(to.copy); // First, lest it could not be taken back.
        const std::byte* const value = beginning_of(to, had, meant);
        add_result result = value ? in_->core().set(to.copy, meant, value) : add_result::not_copyable;
        if (result == add_result::not_copyable) result = in_->core().add(to.copy, meant);
        if (result == add_result::added) ++given_;
    }

    /// The value that the copy begins with; nullptr when there is none. A pair that leads to another part is
    /// not inherited.
    [[nodiscard]] const std::byte* beginning_of(const part& to, id had, id meant) const {
        return had.has_relation() ? in_->reads().find(to.original, had) : in_->reads().find(to.copy, meant);
    }

    void note_type(entity of) {
        if (earlier_.empty() || earlier_.back().of != of) // One part is given everything before the next.
            earlier_.push_back({of, in_->reads().words_of(of)});
    }

    /// Removes what has come since, with what came along with it.
    void restore_type(const earlier_type& then) {
        for (const id word : in_->reads().words_of(then.of))
            if (std::ranges::find(then.words, word) == then.words.end())
                in_->core().remove_checked(then.of, word);
    }

    /// Whether a target of the copy would have to go, or the target of the pair would lose another partner or
    /// source.
    [[nodiscard]] bool hides(entity copy, id word) const {
        if (!word.has_relation()) return false;
        const bool is_one_of_many = !in_->rows().traits_of(word).any_of(trait::exclusive);
        const bool is_first =
            is_one_of_many || in_->reads().own_matches(copy, in_->reads().conflicts_of(word)).empty();
        return !is_first || in_->checks().parts_others(copy, word);
    }

    instantiation* in_;
    entity from_;
    entity instance_;
    std::vector<part> tree_;            ///< The base and the instance first.
    flat_map<entity> copies_;           ///< By original, but for the base.
    std::vector<earlier_type> earlier_; ///< Of those who were there before, and have been given something.
    std::size_t given_{};
};

} // namespace

void instantiation::set_base(entity instance, entity from) {
    const row_ref at = rows_.locate(instance);
    table& left = *at.block->owner;
    core_.move(at, left.plan_to(core_.table_of(core_.destination(left, pair(rows_.resolve(is_a), from)))),
               [](row_ref) {});
    core_.add(from, base);
    if (rows_.locate(instance).block->owner->is_pattern()) // What inherits from the instance gets more, too.
        rows_.bump_inheritance_version();
    else
        rows_.bump_chains_version();
}

void instantiation::inherit(entity instance, entity from) {
    rows_.bump_chains_version(); // Tables inherit by their types: one row more changes no answer.
    instance_builder made(*this, instance, from);
    try {
        made.complete();
    } catch (...) {
        made.take_back();
        core_.remove(instance, pair(is_a, from));
        throw;
    }
}

namespace {

/// Every entity that is an instance of a prefab, of one of its instances and so on. An instance looks at a
/// base that is complete: the base has got what its own bases have, and so have all entities of the order
/// that are above or below it. Instances that are part of their own base, or the other way round, get
/// nothing, and what would depend on itself by a longer way is left out.
class instance_order {
  public:
    instance_order(const lookup& in, entity prefab) : in_(&in), is_a_(in.rows().resolve(is_a).as_entity()) {
        meet(prefab);
        for (std::size_t next = 0; next != all_.size();)
            for (const entity instance : in_->sources_of(all_[next++], is_a_)) meet(instance);
        steps_.resize(all_.size() * stages);
        for (std::size_t at = 0; at < all_.size(); ++at) note_place(at);
        for (std::size_t at = 0; at < all_.size(); ++at) note_instances(at);
    }

    /// Calls visit(base, instance) for every base with each of its instances.
    void for_each(const auto& visit) {
        std::vector<std::size_t> ready;
        for (std::size_t at = 0; at < steps_.size(); ++at)
            if (steps_[at].waits_for == 0) ready.push_back(at);
        for (std::size_t next = 0; next < ready.size(); ++next)
            for (const std::size_t behind : steps_[ready[next]].awaited_by) {
                const bool gives =
                    stage_of(ready[next]) == stage::complete && stage_of(behind) == stage::given;
                if (gives) visit(owner_of(ready[next]), owner_of(behind));
                if (--steps_[behind].waits_for == 0) ready.push_back(behind);
            }
    }

  private:
    /// How far an entity is: it has what its bases have; so have the entities above it; and so have those
    /// below it.
    enum class stage : std::uint8_t { given, settled, complete };
    static constexpr std::size_t stages = 3;

    struct step {
        std::size_t waits_for{};
        std::vector<std::size_t> awaited_by{};
        bool gets_nothing{}; ///< Used in the first step of each entity.
    };

    void meet(entity e) {
        if (numbers_.find(e.value())) return;
        numbers_[e.value()] = all_.size();
        all_.push_back(e);
    }

    [[nodiscard]] static std::size_t step_of(std::size_t at, stage which) {
        return at * stages + static_cast<std::size_t>(which);
    }
    [[nodiscard]] static stage stage_of(std::size_t number) { return static_cast<stage>(number % stages); }
    [[nodiscard]] entity owner_of(std::size_t number) const { return all_[number / stages]; }

    void wait(std::size_t who, std::size_t whom) {
        steps_[whom].awaited_by.push_back(who);
        ++steps_[who].waits_for;
    }

    void note_place(std::size_t at) {
        wait(step_of(at, stage::settled), step_of(at, stage::given));
        wait(step_of(at, stage::complete), step_of(at, stage::settled));
        bool is_nearest = true;
        for (entity above = in_->rows().parent_of(all_[at]); above; above = in_->rows().parent_of(above)) {
            const std::size_t* const whole = numbers_.find(above.value());
            if (!whole) continue;
            if (in_->leads_to(all_[at], is_a_, above)) steps_[step_of(at, stage::given)].gets_nothing = true;
            if (in_->leads_to(above, is_a_, all_[at]))
                steps_[step_of(*whole, stage::given)].gets_nothing = true;
            if (!std::exchange(is_nearest, false)) continue;
            wait(step_of(at, stage::settled), step_of(*whole, stage::settled));
            wait(step_of(*whole, stage::complete), step_of(at, stage::complete));
        }
    }

    void note_instances(std::size_t at) {
        for (const entity instance : in_->sources_of(all_[at], is_a_)) {
            const std::size_t first = step_of(*numbers_.find(instance.value()), stage::given);
            if (!steps_[first].gets_nothing) wait(first, step_of(at, stage::complete));
        }
    }

    const lookup* in_;
    entity is_a_;
    std::vector<entity> all_; ///< The prefab first.
    flat_map<std::size_t> numbers_;
    std::vector<step> steps_;
};

} // namespace

std::size_t instantiation::sync(entity prefab) {
    if (!rows_.locate(prefab)) reads_.refuse_access(prefab, {}, "instances");
    return events_.as_one([&] {
        std::size_t given = 0;
        instance_order(reads_, prefab).for_each([&](entity from, entity instance) {
            instance_builder made(*this, instance, from);
            try {
                given += events_.as_one_occasion([&] { return made.complete(); });
            } catch (...) {
                made.take_back();
                throw;
            }
        });
        return given;
    });
}

} // namespace ecs
