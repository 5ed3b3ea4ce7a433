// SPDX-License-Identifier: MIT
// The end of an entity that others refer to. What ends with it is kept on a list, not on the stack, so that a
// chain of a million entities cannot overflow the stack. Every reference is looked at once.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// Entities that end together, each behind the entity because of which it ends. Sources of one relation whose
/// chains form a tree cannot be met twice; as soon as other sources come, the entities on the list are
/// remembered.
class despawn_set {
  public:
    explicit despawn_set(entity first) : list_{first} {}

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

/// What follows from the end of an entity, by the policies of the entities that refer to it. Changes nothing.
class cascade {
  public:
    /// Fixtures may be spared, which are components and what every world has.
    explicit cascade(const lookup& in, bool spares_fixtures = false)
        : in_(&in), spares_fixtures_(spares_fixtures) {}

    /// The entity, and the entities whose end follows from its end by a policy.
    [[nodiscard]] std::vector<entity> despawned_with(entity e) const {
        despawn_set despawning(e);
        for (std::size_t next = 0; next < despawning.size(); ++next) {
            const entity reason = despawning[next];
            if (!in_->rows().entities().is_used_as_id(reason)) continue;
            in_->rows().lists().for_each([&](std::uint32_t index, const auto&) {
                const traits& own = in_->rows().all_traits().of(index);
                if (own.on_delete_target == end_policy::destroy)
                    append(despawning, in_->rows().list_of(reason, index),
                           own.any_of(trait::acyclic) ? index : 0);
            });
            for (const id word : words_with(reason)) {
                if (policy_for(reason, word) != end_policy::destroy) continue;
                append(despawning, in_->rows().holders_of(*in_->rows().records().find(word)), 0);
            }
        }
        return std::move(despawning).take();
    }

    /// Whether the end of the entity, or of an entity that ends with it, is refused by a source that stays.
    [[nodiscard]] bool is_kept(entity e) const {
        std::vector<entity> despawned{e};
        flat_map<bool> despawning;
        despawning[e.value()] = true;
        std::vector<entity> refusing;
        for (std::size_t next = 0; next < despawned.size(); ++next)
            for_each_referrer(despawned[next], [&](entity source, end_policy policy) {
                if (policy == end_policy::refuse) refusing.push_back(source);
                if (policy == end_policy::destroy && !std::exchange(despawning[source.value()], true))
                    despawned.push_back(source);
            });
        return std::ranges::any_of(refusing, [&](entity source) { return !despawning.find(source.value()); });
    }

    /// The identifiers that the entity is part of: as component, relation or target.
    [[nodiscard]] std::vector<id> words_with(entity e) const {
        std::vector<id> words;
        if (in_->rows().records().find(e)) words.emplace_back(e);
        for (const component_index::list filed :
             {in_->rows().records().of_relation(index_of(e)), in_->rows().records().of_target(index_of(e))})
            for (const component_record* const record : filed) words.push_back(record->word);
        std::ranges::sort(words);
        words.erase(std::ranges::unique(words).begin(), words.end());
        return words;
    }

  private:
    void append(despawn_set& to, std::span<const entity> sources, std::uint32_t tree) const {
        const auto is_spared = [&](entity source) { return in_->rows().is_fixture(source); };
        if (!spares_fixtures_ || !std::ranges::any_of(sources, is_spared)) return to.append(sources, tree);
        std::vector<entity> ending(sources.begin(), sources.end());
        std::erase_if(ending, is_spared);
        to.append(ending, tree);
    }

    template <class Visit> void for_each_referrer(entity e, Visit&& visit) const {
        in_->rows().lists().for_each([&](std::uint32_t index, const auto&) {
            for (const entity source : in_->rows().list_of(e, index))
                visit(source, in_->rows().all_traits().of(index).on_delete_target);
        });
        for (const id word : words_with(e))
            for (const entity owner : in_->rows().holders_of(*in_->rows().records().find(word)))
                visit(owner, policy_for(e, word));
    }

    /// An entity may be the relation and the target of one pair: the stricter policy decides.
    [[nodiscard]] end_policy policy_for(entity despawned, id word) const {
        const std::uint32_t index = index_of(despawned);
        const bool as_target = word.kind() == id_kind::pair && word.target_index() == index;
        const bool as_itself = word.is_entity() || (word.has_relation() && word.relation_index() == index);
        const end_policy of_target =
            as_target ? in_->rows().traits_of(word).on_delete_target : end_policy::remove;
        const end_policy of_itself =
            as_itself ? in_->rows().all_traits().of(index).on_delete : end_policy::remove;
        return std::max(of_target, of_itself);
    }

    const lookup* in_;
    bool spares_fixtures_;
};

/// Takes an entity that ends out of all that refers to it. Entities that end because of it have ended
/// already, except in rings.
class reference_removal {
  public:
    reference_removal(despawner& in, entity e) : in_(&in), e_(e) {}

    /// Nothing refers to the entity afterwards.
    void make() {
        leave_sources();
        if (in_->rows().lists().find(index_of(e_))) dissolve();
        for (const id word : cascade(in_->reads()).words_with(e_)) {
            const traits& own = in_->rows().traits_of(word);
            if (own.any_of(trait::transitive, trait::inheritance)) in_->rows().bump_inheritance_version();
            if (own.any_of(trait::property)) retract_everywhere(word);
            remove_everywhere(word);
        }
        forget();
    }

  private:
    /// Takes the entity out of the columns in which it is a target.
    void leave_sources() {
        std::vector<std::uint32_t> relations;
        in_->rows().lists().for_each([&](std::uint32_t relation, const source_lists& lists) {
            if (lists.find(index_of(e_))) relations.push_back(relation);
        });
        for (const std::uint32_t relation : relations) {
            if (in_->rows().all_traits().of(relation).any_of(trait::transitive))
                in_->rows().bump_inheritance_version();
            // An ordered list is taken from its end, so that no source moves up.
            const bool in_order = in_->rows().all_traits().of(relation).any_of(trait::ordered);
            for (auto list = in_->rows().list_of(e_, relation); !list.empty();
                 list = in_->rows().list_of(e_, relation)) {
                const entity source = in_order ? list.back() : list.front();
                if (relation == child_of.index()) make_name_unique(source);
                if (in_->rows().locate(source).block->owner->is_pattern())
                    in_->rows().bump_inheritance_version();
                in_->core().unlink_from(source, pair(in_->rows().entities().at(relation), any));
            }
        }
    }

    /// A child that loses its parent loses its name, too, where another without a parent has it: whatever
    /// needs a name.
    void make_name_unique(entity orphan) {
        const std::string_view text = in_->rows().name_of(orphan);
        if (!text.empty() && in_->rows().find_name({}, text))
            in_->core().remove_stored(orphan, in_->rows().registered<name>());
    }

    /// Takes the targets of a relation that ends out of the rows one by one: when the column went, nobody
    /// would be told which entity loses which pair, and an end that fails half-way would leave lists of those
    /// who have none any more.
    void dissolve() {
        const id key = pair(e_, any);
        const std::vector<table*> affected = in_->rows().record_of(key).tables;
        for (const table* const t : affected)
            while (t->size() != 0)
                in_->core().unlink_from(t->chunks().back()->entities()[t->chunks().back()->count - 1], key);
    }

    /// Takes a property with this target from those who have it, one by one, and with it the trait that it
    /// made: an end that fails half-way leaves each with both or with neither.
    void retract_everywhere(id property) {
        for (const entity owner : in_->rows().holders_of(in_->rows().record_of(property)))
            in_->core().remove_stored(owner, property);
    }

    void remove_everywhere(id word) {
        component_record* const record = in_->rows().records().find(word);
        if (!record) return;
        if (record->sparse && record->sparse->tracked)
            for (const entity holder : in_->rows().holders_of(*record))
                in_->core().remove_tracked(holder, *record->sparse);
        const std::vector<table*> affected = record->tables;
        if (std::ranges::any_of(affected, [](const table* t) { return t->inherited; }))
            in_->rows().bump_inheritance_version(); // Instances lose it with their bases.
        for (table* const t : affected) {
            if (t->size() == 0) continue;
            const move_plan& along = t->plan_to(in_->core().table_of(structure::without_id(t->type(), word)));
            while (t->size() != 0) {
                chunk* const last = t->chunks().back();
                in_->core().move({last, last->count - 1}, along, [](row_ref) {});
            }
        }
        for (table* const t : affected) in_->core().drop_empty(*t);
        in_->core().forget_unused(*record);
    }

    /// Forgets what the store knows of the entity besides its row.
    void forget() {
        const std::uint32_t index = index_of(e_);
        in_->rows().all_traits().forget(index);
        in_->rows().lists().erase(index);
        if (store::value_at(in_->rows().locate(e_), in_->rows().registered<component_info>()) == nullptr)
            return;
        in_->rows().forget_type(e_);
    }

    despawner* in_;
    entity e_;
};

} // namespace

/// An entity that is no reason for another's end ends first, so that an end that runs out of memory half-way
/// leaves whole entities and can be repeated.
add_result despawner::despawn_used(entity e) {
    const cascade following(reads_, clearing_);
    if (is_needed(e)) return add_result::is_built_in;
    if (rows_.all_traits().refusal_count() != 0 && !clearing_ && following.is_kept(e))
        return add_result::kept_by_policy;
    const std::vector<entity> despawning = following.despawned_with(e);
    if (std::ranges::any_of(despawning, [&](entity one) { return is_needed(one); }))
        return add_result::is_built_in;
    despawn_together(despawning);
    return add_result::removed;
}

void despawner::despawn_together(const std::vector<entity>& despawning) {
    events_.announce_ends(despawning);
    try {
        for (auto at = despawning.rbegin(); at != despawning.rend(); ++at) despawn_one(*at);
    } catch (...) {
        events_.forget_despawning();
        throw;
    }
    events_.forget_despawning();
}

void despawner::clear() { despawn_regardless(reads_.ordinary_entities()); }

void despawner::despawn_regardless(std::span<const entity> all) {
    clearing_ = true;
    auto series = events_.series();
    try {
        while (!all.empty()) { // Neighbouring rows end together, where nobody listens.
            const std::size_t together = events_.has_listeners() ? 0 : end_in_bulk(rows_, all);
            if (together == 0) despawn(all.front());
            all = all.subspan(std::max<std::size_t>(together, 1));
        }
    } catch (...) {
        clearing_ = false;
        throw;
    }
    clearing_ = false;
    series.finish();
}

/// Of entities to which nobody refers, and whose end is told to nobody, nothing has to be noted: that needs
/// no memory, so that what could not be completed for want of it can be taken back.
void despawner::despawn_alone(std::span<const entity> all) {
    const auto ends_at_once = [&](entity e) {
        const row_ref at = rows_.locate(e);
        return !at || rows_.has_no_references(e, at);
    };
    if (std::ranges::all_of(all, ends_at_once)) return end_each(all);
    std::vector<entity> despawning;
    flat_map<bool> known;
    const auto add_despawning = [&](entity e) {
        if (rows_.locate(e) && !std::exchange(known[e.value()], true)) despawning.push_back(e);
    };
    std::ranges::for_each(all, add_despawning);
    for (std::size_t next = 0; next != despawning.size();) // The list may grow.
        std::ranges::for_each(rows_.list_of(despawning[next++], child_of.index()), add_despawning);
    events_.as_one([&] { despawn_together(despawning); });
}

void despawner::end_each(std::span<const entity> all) noexcept {
    for (const entity e : all)
        if (const row_ref at = rows_.locate(e)) end(e, at);
}

/// Traits that an entity that was never a relation may have.
static constexpr std::uint32_t told_of_components =
    bits_of(trait::final, trait::togglable, trait::not_inheritable, trait::auto_overridden, trait::permanent,
            trait::target_only, trait::singleton, trait::with, trait::needs, trait::excludes,
            trait::on_delete, trait::mark, trait::needed);

void despawner::despawn_one(entity e) {
    if (rows_.is_named_by_none(e)) return end(e, rows_.locate(e));
    const std::uint32_t properties = rows_.all_traits().of(index_of(e)).bits;
    const bool was_relation = rows_.was_relation(index_of(e)) || (properties & ~told_of_components) != 0;
    if (rows_.entities().is_used_as_id(e)) reference_removal(*this, e).make();
    if (properties != 0) rows_.bump_cache_version(); // Queries went by them.
    events_.end_ticks(e);
    rows_.end_row(rows_.locate(e));
    // Pairs have no room for the generation of their relation: used again, the index would revive them.
    was_relation ? rows_.entities().retire(e) : rows_.entities().destroy(e);
}

add_result despawner::despawn(entity e) {
    const row_ref at = rows_.locate(e);
    if (!at) return add_result::not_alive;
    if (!rows_.is_named_by_none(e)) [[unlikely]]
        return events_.as_one([&] { return despawn_used(e); });
    if (at.block->owner->tracked)
        despawn_told(e, at);
    else
        end(e, at);
    return add_result::removed;
}

/// Ends an entity that no other refers to, and tells observers of it.
void despawner::despawn_told(entity e, row_ref at) {
    std::optional<change_queue::open_change> whole;
    events_.open(whole);
    events_.announce_only_end(e, at);
    end(e, rows_.locate(e));
    events_.forget_only_end();
    if (whole) whole->close();
}

void despawner::end(entity e, row_ref at) noexcept {
    store& rows = rows_; // Calls leave a local where it is.
    events_.end_ticks(e);
    rows.end_row(at);
    rows.entities().destroy(e);
}

/// Whether the world itself needs the entity.
bool despawner::is_needed(entity e) const {
    const std::uint32_t index = index_of(e);
    if (index >= entity_index::first_ordinary) return false;
    return index >= low_ids || e == rows_.registered<component_info>() || e == rows_.registered<name>();
}

} // namespace ecs
