// SPDX-License-Identifier: MIT
// The end of an entity that others refer to. Who ends with it is kept on a list, not on the stack, so that a
// chain of a million is as good as a pair; every reference is looked at once.
module ecs.structure;
import ecs.std;
import :despawner;

namespace ecs {

namespace {

/// Entities that end together, those who are the reason first. Sources of one relation whose chains form a
/// tree cannot be met twice; from the first others on, the entities on the list are remembered.
class doomed_list {
  public:
    explicit doomed_list(entity first) : list_{first} {}

    [[nodiscard]] std::size_t size() const { return list_.size(); }
    [[nodiscard]] entity operator[](std::size_t position) const { return list_[position]; }
    [[nodiscard]] std::vector<entity> take() && { return std::move(list_); }

    /// `tree` is the index of the relation when it is exclusive and acyclic, and 0 otherwise.
    void append(std::span<const entity> sources, std::uint32_t tree) {
        if (sources.empty()) return;
        if (seen_.size() == 0 && (tree == 0 || (tree_ != 0 && tree != tree_))) remember_all();
        tree_ = tree;
        if (seen_.size() == 0) {
            list_.insert(list_.end(), sources.begin(), sources.end());
            return;
        }
        for (const entity source : sources)
            if (!std::exchange(seen_[source.value()], true)) list_.push_back(source);
    }

  private:
    void remember_all() {
        for (const entity e : list_) seen_[e.value()] = true;
    }

    std::vector<entity> list_;
    flat_map<bool> seen_; ///< Empty while no entity can be met twice.
    std::uint32_t tree_{};
};

/// What follows from the end of an entity, by the policies of those who refer to it. Changes nothing.
class consequences {
  public:
    explicit consequences(const lookup& in) : in_(&in) {}

    /// The entity, and those whose end follows from its end by a policy.
    [[nodiscard]] std::vector<entity> doomed_with(entity e) const {
        doomed_list doomed(e);
        for (std::size_t next = 0; next < doomed.size(); ++next) {
            const entity reason = doomed[next];
            if (!in_->rows().entities().is_referred(reason)) continue;
            in_->rows().lists().for_each([&](std::uint64_t relation, const auto&) {
                const auto index = static_cast<std::uint32_t>(relation);
                const rules& own = in_->rows().all_rules().of(index);
                if (own.on_target_end == end_policy::destroy)
                    doomed.append(in_->rows().list_of(reason, index).as_span(),
                                  own.any_of(rule::acyclic) ? index : 0);
            });
            for (const id word : words_with(reason)) {
                if (policy_for(reason, word) != end_policy::destroy) continue;
                doomed.append(in_->rows().holders_of(*in_->rows().records().find(word)), 0);
            }
        }
        return std::move(doomed).take();
    }

    /// Whether the end of the entity, or of an entity that ends with it, is refused by a source that stays.
    [[nodiscard]] bool is_kept(entity e) const {
        std::vector<entity> ending{e};
        flat_map<bool> doomed;
        doomed[e.value()] = true;
        std::vector<entity> refusing;
        for (std::size_t next = 0; next < ending.size(); ++next)
            for_each_referrer(ending[next], [&](entity source, end_policy policy) {
                if (policy == end_policy::refuse) refusing.push_back(source);
                if (policy == end_policy::destroy && !std::exchange(doomed[source.value()], true))
                    ending.push_back(source);
            });
        return std::ranges::any_of(refusing, [&](entity source) { return !doomed.find(source.value()); });
    }

    /// The identifiers that the entity is part of: as component, relation or target.
    [[nodiscard]] std::vector<id> words_with(entity e) const {
        std::vector<id> words;
        if (in_->rows().records().find(e)) words.emplace_back(e);
        for (const record_book::list filed :
             {in_->rows().records().of_relation(index_of(e)), in_->rows().records().of_target(index_of(e))})
            for (const id_record* const record : filed) words.push_back(record->word);
        std::ranges::sort(words);
        words.erase(std::ranges::unique(words).begin(), words.end());
        return words;
    }

  private:
    template <class Visit> void for_each_referrer(entity e, Visit&& visit) const {
        in_->rows().lists().for_each([&](std::uint64_t relation, const auto&) {
            const auto index = static_cast<std::uint32_t>(relation);
            for (const entity source : in_->rows().list_of(e, index).as_span())
                visit(source, in_->rows().all_rules().of(index).on_target_end);
        });
        for (const id word : words_with(e))
            for (const entity owner : in_->rows().holders_of(*in_->rows().records().find(word)))
                visit(owner, policy_for(e, word));
    }

    /// An entity may be the relation and the target of one pair: the stricter policy decides.
    [[nodiscard]] end_policy policy_for(entity ending, id word) const {
        const std::uint32_t index = index_of(ending);
        const bool as_target = word.kind() == id_kind::pair && word.target_index() == index;
        const bool as_itself = word.is_entity() || (word.has_relation() && word.relation_index() == index);
        const end_policy of_target =
            as_target ? in_->rows().rules_of(word).on_target_end : end_policy::remove;
        const end_policy of_itself =
            as_itself ? in_->rows().all_rules().of(index).on_end : end_policy::remove;
        return std::max(of_target, of_itself);
    }

    const lookup* in_;
};

/// Takes an entity that ends out of all that refers to it. Those who would have ended with it have, but for
/// rings.
class detachment {
  public:
    detachment(despawner& in, entity e) : in_(&in), e_(e) {}

    /// Nothing refers to the entity afterwards.
    void make() {
        leave_sources();
        if (in_->notices().is_attended() && in_->rows().lists().find(index_of(e_))) dissolve();
        for (const id word : consequences(in_->ask()).words_with(e_)) {
            const rules& own = in_->rows().rules_of(word);
            if (own.any_of(rule::transitive, rule::inheritance)) in_->rows().note_new_meaning();
            if (own.any_of(rule::property)) retract_everywhere(word);
            remove_everywhere(word);
        }
        forget();
    }

  private:
    /// Those who have the entity as a target that is kept in a column.
    void leave_sources() {
        std::vector<std::uint32_t> relations;
        in_->rows().lists().for_each([&](std::uint64_t relation, const auto& lists) {
            if (lists->find(index_of(e_))) relations.push_back(static_cast<std::uint32_t>(relation));
        });
        for (const std::uint32_t relation : relations) {
            if (in_->rows().all_rules().of(relation).any_of(rule::transitive)) in_->rows().note_new_meaning();
            while (const entity source = *in_->rows().list_of(e_, relation).begin()) {
                if (in_->rows().locate(source).block->owner->inherited) in_->rows().note_new_meaning();
                in_->core().unlink_from(source, pair(in_->rows().entities().at(relation), any));
            }
        }
    }

    /// Takes the targets of a relation that ends out of watched rows one by one: who loses which pair is not
    /// said when the column goes.
    void dissolve() {
        const id key = pair(e_, any);
        const std::vector<table*> affected = in_->rows().record_of(key).tables;
        for (const table* const t : affected)
            while (t->watched && t->size() != 0)
                in_->core().unlink_from(t->chunks().back()->entities()[t->chunks().back()->count - 1], key);
    }

    /// The rules that a property with a target made end with the target.
    void retract_everywhere(id property) {
        for (const entity owner : in_->rows().holders_of(in_->rows().record_of(property)))
            in_->core().retract(owner, property);
    }

    void remove_everywhere(id word) {
        id_record* const record = in_->rows().records().find(word);
        if (!record) return;
        if (record->side && record->side->watched)
            for (const entity holder : in_->rows().holders_of(*record))
                in_->core().remove_watched(holder, *record->side);
        const std::vector<table*> affected = record->tables;
        for (table* const t : affected) {
            if (t->size() == 0) continue;
            const transition& along = t->way_to(in_->core().table_of(structure::without_id(t->type(), word)));
            while (t->size() != 0) {
                chunk* const last = t->chunks().back();
                in_->core().move({last, last->count - 1}, along, [](row_ref) {});
            }
        }
        for (table* const t : affected) drop_table(*t);
        in_->notices().forget_stamps(*record);
        in_->rows().forget_record(*record);
    }

    void drop_table(table& emptied) noexcept {
        in_->notices().announce_table(event::table_removed, emptied);
        in_->rows().drop_table(emptied);
    }

    /// What the store knows of the entity besides its row.
    void forget() {
        const std::uint32_t index = index_of(e_);
        in_->rows().all_rules().forget(index);
        in_->rows().lists().erase(index);
        if (store::value_at(in_->rows().locate(e_), in_->rows().registered<component_info>()) == nullptr)
            return;
        if (in_->rows().component_types().forget(e_))
            in_->rows().note_removal(); // Queries that know the type by it have to ask again.
    }

    despawner* in_;
    entity e_;
};

} // namespace

/// An entity that is no reason for another's end ends first, so that an end that runs out of memory half-way
/// leaves whole entities and can be repeated.
bool despawner::end_referred(entity e) {
    const consequences following(ask_);
    if (is_needed(e) || (rows_.all_rules().refusals() != 0 && !clearing_ && following.is_kept(e)))
        return false;
    const std::vector<entity> doomed = following.doomed_with(e);
    if (std::ranges::any_of(doomed, [&](entity one) { return is_needed(one); })) return false;
    end_together(doomed);
    return true;
}

void despawner::end_together(const std::vector<entity>& doomed) {
    notices_.announce_ends(doomed);
    try {
        for (const entity next : std::views::reverse(doomed)) end_one(next);
    } catch (...) {
        notices_.forget_doomed();
        throw;
    }
    notices_.forget_doomed();
}

void despawner::clear() { end_regardless(ask_.ordinary_entities()); }

void despawner::end_regardless(std::span<const entity> all) {
    clearing_ = true;
    try {
        for (const entity e : all) despawn(e);
    } catch (...) {
        clearing_ = false;
        throw;
    }
    clearing_ = false;
}

void despawner::end_alone(std::span<const entity> all) {
    std::vector<entity> doomed;
    flat_map<bool> known;
    const auto doom = [&](entity e) {
        if (rows_.locate(e) && !std::exchange(known[e.value()], true)) doomed.push_back(e);
    };
    std::ranges::for_each(all, doom);
    for (std::size_t next = 0; next != doomed.size();) // It grows.
        std::ranges::for_each(rows_.list_of(doomed[next++], child_of.index()).as_span(), doom);
    notices_.as_one([&] { end_together(doomed); });
}

void despawner::end_one(entity e) {
    store& rows = rows_; // Calls leave a local where it is.
    if (!rows.entities().is_referred(e) && index_of(e) >= entity_index::first_ordinary) {
        notices_.end_ticks(e);
        rows.end_row(rows.locate(e));
        return rows.entities().destroy(e);
    }
    const bool was_relation =
        rows_.records().was_relation(index_of(e)) || rows_.all_rules().of(index_of(e)).bits != 0;
    if (rows_.entities().is_referred(e)) detachment(*this, e).make();
    notices_.end_ticks(e);
    rows_.end_row(rows_.locate(e));
    // Pairs have no room for the generation of their relation: used again, the index would revive them.
    was_relation ? rows_.entities().retire(e) : rows_.entities().destroy(e);
}

bool despawner::despawn(entity e) {
    const row_ref at = rows_.locate(e);
    if (!at) return false;
    if (!rows_.stands_alone(e, at)) [[unlikely]]
        return notices_.as_one([&] { return end_referred(e); });
    notices_.end_ticks(e);
    rows_.end_row(at);
    rows_.entities().destroy(e);
    return true;
}

/// Whether the world itself needs the entity.
bool despawner::is_needed(entity e) const {
    const std::uint32_t index = index_of(e);
    if (index >= entity_index::first_ordinary) return false;
    return index >= low_ids || e == rows_.registered<component_info>() || e == rows_.registered<name>();
}

} // namespace ecs
