// SPDX-License-Identifier: MIT
// Keeping ticks of the components that queries track.
module ecs.structure;
import ecs.std;

namespace ecs {

/// What entities have of the identifier when it begins to be tracked counts as added now.
void notifier::track(id word) {
    component_record& record = rows_.record_of(word);
    auto ticks = std::make_unique<change_ticks>();
    for (const auto& t : rows_.tables())
        if (record.sparse ||
            std::ranges::any_of(t->type(), [&](id stored) { return may_match(word, stored); }))
            tick_owners(*t, record, *ticks);
    tracker_.add(record, std::move(ticks));
    note_trait_change();
    update_listeners();
    rows_.bump_cache_version(); // Queries that write the component have to say so from now on.
}

/// Rows of one table may differ in the targets that columns keep, and in what is kept outside tables.
void notifier::tick_owners(const table& in, const component_record& record, change_ticks& ticks) const {
    const bool by_row = record.sparse || record.word.has_relation();
    rows_.for_each_entity(in, [&](entity e) {
        if (by_row && reads_.own_matches(e, record.word).empty()) return;
        ticks.reserve(index_of(e));
        ticks.add(index_of(e), now());
    });
}

change_ticks* notifier::ticks_of(id word) const {
    if (tracker_.empty() || !word) return nullptr;
    const component_record* const known = rows_.records().find(word);
    return known ? known->ticks.get() : nullptr;
}

bool notifier::tracks(id pattern) const { return tracker_.concern(pattern); }

/// Does nothing where no query tracks, or the entity does not have the component.
void notifier::touch(entity e, id word, change_tick when) const noexcept { tracker_.changed(e, word, when); }

/// In another table, the row may inherit from another entity. An entity that sees another value than before
/// counts as changed; it does, too, when there is no memory to find out.
void notifier::note_heritage(const table& from, const table& to, entity e) noexcept {
    if (!from.inherits && !to.inherits) return;
    for (const component_record* const record : tracker_) {
        bool changes = true;
        try {
            const entity giver = reads_.giver_of(to, *record, e);
            changes = giver != e &&
                      giver != reads_.giver_of(from, *record, e); // Its instances ask, also when it has none.
        } catch (const std::bad_alloc&) {
        }
        if (changes) record->ticks->change(index_of(e), now());
    }
}

void notifier::forget_ticks(component_record& record) noexcept {
    if (tracker_.forget(record)) rows_.bump_cache_version(); // Queries that know its ticks forget them.
    if (observers_) observers_->forget_lists_of(record.word);
}

} // namespace ecs
