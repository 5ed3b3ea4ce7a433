// SPDX-License-Identifier: MIT
// Announces what happens to the observers.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// Whether that is said of what a table has at a position: of the identifier itself, of a relation's pair
/// whose value stands there under the relation's name, or of the entity, which that tag disables.
bool is_said_of(const table& t, std::uint32_t position, const auto& of_id, bool of_entities) {
    const id word = t.type()[position];
    if (of_id(word) || (of_entities && is_disabled_tag(word))) return true;
    if (!word.is_entity() || !can_relate(word.as_entity())) return false;
    const id column_of_targets = pair(word.as_entity(), any);
    return t.has(column_of_targets) && of_id(column_of_targets);
}

} // namespace

// Observers come and go.

observer notifier::observe(std::shared_ptr<observer_record> fresh) {
    for (observed_pattern& t : fresh->terms) note_names(t);
    for (observed_pattern& t : fresh->others) note_names(t);
    for (observed_pattern& t : fresh->absent) note_names(t);
    for (pattern_above& t : fresh->above) note_names(t.component);
    if (fresh->options.previous) require_previous(*fresh);
    if (!observers_) observers_ = std::make_unique<observer_index>();
    if (!observers_->changes.is_open()) observers_->forget_many_ended();
    const bool is_new = asks_for_more(*fresh) || !observers_->interests().covers(*fresh);
    observer handle = observers_->add(fresh);
    if (is_new) note_interest(*fresh);
    if (!fresh->options.existing) return handle;
    try {
        as_one([&] {
            const telling_between_changes whole(*this);
            tell_existing(fresh);
        });
    } catch (...) { // Nobody has its handle.
        handle.end();
        throw;
    }
    return handle;
}

/// Whether it asks for events of whole entities or tables that no observer has asked for.
bool notifier::asks_for_more(const observer_record& fresh) const {
    return std::ranges::any_of(std::array{event::spawned, event::table_created, event::table_removed},
                               [&](event what) { return fresh.what.has(what) && !observers_->asks(what); });
}

void notifier::note_new_table(table& made) noexcept {
    mark(made);
    made.review();
    announce_table(event::table_created, made);
}

void notifier::note_new_record(component_record& made) const {
    if (made.sparse) made.sparse->tracked = observers_ && observers_->interests().concerns(made.word);
}

/// Marks the types of what may be tracked or observed. The value of a pair may stand under the relation's
/// name.
void notifier::note_types() noexcept {
    if (!has_listeners_) return;
    rows_.mark_heard_types([&](entity component) {
        return concerns_somebody(component) ||
               (can_relate(component) && concerns_somebody(pair(component, any)));
    });
}

/// Whether the identifier may be tracked or observed.
bool notifier::concerns_somebody(id word) const {
    return tracker_.concern_stored(word) || (observers_ && observers_->interests().concerns(word));
}

bool notifier::hears_of(id component) const {
    const auto asks = [&](event what) { return observers_ && observers_->asks(what); };
    return concerns_somebody(component) || asks(event::table_created) || asks(event::table_removed);
}

/// Marks what the observer asks for and no other observer has asked for before. Linear in the number of
/// tables.
void notifier::note_interest(const observer_record& fresh) noexcept {
    has_listeners_ = true;
    const bool of_entities = is_about_entities(fresh);
    bool every_table = of_entities;
    const bool every_heir = is_monitor(fresh);
    for (sparse_set* const sparse : rows_.all_sparse_sets()) {
        sparse->tracked |= may_concern(fresh, sparse->word);
        every_table |= sparse->tracked; // It ends with rows of any table.
    }
    const bool is_told_of_all = fresh.what.has_any(events_of_tables); // Any change may make or end one.
    const auto is_meant = [&](id word) { return is_told_of_all || may_concern(fresh, word); };
    note_types();
    for (const auto& t : rows_.tables())
        t->set_tracked(t->tracked || every_table || (every_heir && t->inherits) ||
                           std::ranges::any_of(t->type(), is_meant),
                       t->tells_of_spawns || is_told_of_all || fresh.what.has(event::spawned),
                       [&](std::uint32_t position) {
                           return t->tracks(position) || is_said_of(*t, position, is_meant, of_entities);
                       });
}

void notifier::mark(table& t) const noexcept {
    const bool of_entities = observers_ && observers_->interests().concerns_entities();
    const bool is_told_of_all =
        observers_ && (observers_->asks(event::table_created) || observers_->asks(event::table_removed));
    const auto is_meant = [&](id word) { return is_told_of_all || concerns_somebody(word); };
    const bool of_spawns = is_told_of_all || (observers_ && observers_->asks(event::spawned));
    t.set_tracked(is_tracked(t), of_spawns, [&](std::uint32_t position) {
        return has_listeners_ && is_said_of(t, position, is_meant, of_entities);
    });
}

/// Marks what queries track and observers observe, so that all else costs nothing. Linear in the number of
/// tables.
void notifier::update_listeners() noexcept {
    if (observers_ && !observers_->changes.is_open()) {
        observers_->forget_ended();
        observers_->settle();
    }
    has_listeners_ = observers_ || !tracker_.empty();
    for (sparse_set* const sparse : rows_.all_sparse_sets())
        sparse->tracked =
            ticks_of(sparse->word) || (observers_ && observers_->interests().concerns(sparse->word));
    note_types();
    for (const auto& t : rows_.tables()) mark(*t);
}

void notifier::exchange_ticks(notifier& other) noexcept {
    tracker_.exchange(other.tracker_);
    note_trait_change();
    update_listeners();
    if (observers_) observers_->resume();
}

/// What is kept outside tables ends with rows of any table.
bool notifier::is_tracked(const table& t) const {
    if (tracker_.concern(t)) return true;
    if (!observers_) return false;
    if (t.inherits && observers_->interests().concerns_heirs()) return true;
    return observers_->interests().concerns_entities() ||
           std::ranges::any_of(rows_.all_sparse_sets(), &sparse_set::tracked) ||
           std::ranges::any_of(t.type(), [&](id word) { return observers_->interests().concerns(word); });
}

/// The identifier under which observers are told of what the entity has; null when they are not told.
id notifier::told_as(entity e, id word) const {
    if (!word.is_entity() || !rows_.traits_of(word).any_of(trait::non_fragmenting)) return word;
    const entity target = reads_.target_of(e, word.as_entity());
    return target ? pair(word, target) : id{};
}

void notifier::announce(event what, entity e, id word) noexcept {
    try {
        if (!observers_->asks(what) || is_told_of_end(e)) return;
        const id told = told_as(e, word);
        if (told != word && (!told || what != event::set)) return;
        const observer_index::listed all = observers_->of(what, told, e);
        if (all.empty()) return;
        const event_context here = context_of(what, e, told);
        if (what != event::set || here.value)
            tell_all(all, here); // A write may be told when the value is gone.
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

/// The same for what the table of the row has at that position.
inline void notifier::announce_at(event what, row_ref at, std::uint32_t position, entity e) noexcept {
    const table& in = *at.block->owner;
    if (!observers_->asks(what) || !in.tracks(position)) return;
    const id word = in.type()[position];
    if (in.linked && rows_.traits_of(word).any_of(trait::non_fragmenting)) return announce(what, e, word);
    const column* const values = in.column_at(position);
    announce_value(what, e, word, values ? values->value(at) : nullptr);
}

/// The same where the value is known; not for a relation that keeps its targets in a column.
void notifier::announce_value(event what, entity e, id word, void* value) noexcept {
    try {
        if (is_told_of_end(e)) return;
        const observer_index::listed all = observers_->of(what, word, e);
        if (!all.empty()) tell_all(all, context_of(what, e, word, value));
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void notifier::tell_or_fail(const told_list& all, const event_context& what) noexcept {
    try {
        tell_all(observer_index::listed(*observers_, all), what);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

/// Tells the observers that are listed for the event and its identifier.
void notifier::tell_all(const observer_index::listed& all, const event_context& what) {
    if (all.all().is_plain) return tell_plainly(all.all(), what);
    for (const auto& to : all) {
        if (!before_ || !to->options.previous || what.what != event::set) {
            tell_listed(to, what);
        } else {
            event_context with_before = what;
            with_before.before = before_;
            tell_listed(to, with_before);
        }
    }
}

void notifier::announce_match(event what, entity e, id word) noexcept {
    try {
        if (!observers_->asks(event::matching) || is_told_of_end(e)) return;
        const observer_index::listed all = observers_->of(event::matching, word, e);
        const bool lost = what == event::matching && !reads_.has(e, word);
        for (const auto& to : all)
            if (to->what.has(event::matching))
                tell_monitor(to, what, e, word);
            else if (lost)
                tell(to, context_of(event::added, e, word));
        if (what == event::matching) announce_match_of_heirs(e, word);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

/// Lets monitors look at those who inherit what has changed on the entity, or inherit by way of it.
void notifier::announce_match_of_heirs(entity e, id word) {
    const bool leads_to_base = word && rows_.traits_of(word).any_of(trait::inheritance);
    const bool is_base = rows_.locate(e).block->owner->inherited;
    if (!leads_to_base && !is_base) return;
    const auto look = [&](entity at) {
        if (is_told_of_end(at)) return;
        for (const auto& to : observers_->of(event::matching, leads_to_base ? id{} : word, at))
            if (to->what.has(event::matching)) tell_monitor(to, event::matching, at, word);
    };
    if (leads_to_base) look(e);
    if (!is_base) return;
    for (const entity heir : reads_.instances_of(e))
        if (heir != e) look(heir);
}

bool notifier::are_current(const told_steps* told, entity e) const {
    return told && told->version == observers_->version() && !is_told_of_end(e);
}

void notifier::announce_departure(row_ref from, const row_changes& all, const told_steps* told,
                                  entity e) noexcept {
    if (!observers_) return;
    observers_->changes.begin_occasion();
    if (are_current(told, e)) return tell_steps(told->leaving, told->leaving.count, told->version, from, e);
    for (const std::uint32_t position : all.lost) announce_at(event::removed, from, position, e);
}

/// Observers of what came are told first, then those of its values, and last those who look at the whole.
template <class Gained>
void notifier::tell_arrival(row_ref at, entity e, const Gained& for_each_gained,
                            const given_values& given) noexcept {
    const table& in = *at.block->owner;
    for_each_gained([&](std::uint32_t position) {
        announce_at(event::added, at, position, e);
        if (is_disabled_tag(in.type()[position])) announce(event::disabled, e, {});
    });
    if (given.all_new && observers_->asks(event::set))
        for_each_gained([&](std::uint32_t position) {
            if (in.column_at(position)) announce_at(event::set, at, position, e);
        });
    for (const id word : given.these)
        if (reads_.has_value(in, word)) announce(event::set, e, word);
}

/// What is told when all of that has been: of what came hidden, and to those who look at the whole.
template <class Gained>
void notifier::tell_rest_of_arrival(const table& in, entity e, const Gained& for_each_gained) noexcept {
    if (in.togglable()) tell_what_is_hidden(in, e, for_each_gained);
    if (observers_->asks(event::matching)) tell_matches(in, e, for_each_gained);
}

template <class Gained>
void notifier::tell_what_is_hidden(const table& in, entity e, const Gained& for_each_gained) noexcept {
    for_each_gained([&](std::uint32_t position) {
        const id word = in.type()[position];
        if (reads_.is_hidden(e, word)) announce(event::disabled, e, word);
    });
}

template <class Gained>
void notifier::tell_matches(const table& in, entity e, const Gained& for_each_gained) noexcept {
    for_each_gained([&](std::uint32_t position) { announce_match(event::matching, e, in.type()[position]); });
}

/// Observers ask queries, which have looked at tables before: others may inherit something else from the
/// entity now, or be led on by it to somebody else.
void notifier::outdate_what_follows(const table& from, const table& to, const row_changes& all) noexcept {
    const auto leads_on = [&](const table& in) {
        return [&](std::uint32_t position) {
            const id word = in.type()[position];
            return word.is_pair() && rows_.traits_of(word).any_of(trait::transitive, trait::inheritance);
        };
    };
    if (from.is_pattern() || to.is_pattern())
        rows_.bump_inheritance_version();
    else if (std::ranges::any_of(all.gained, leads_on(to)) || std::ranges::any_of(all.lost, leads_on(from)))
        rows_.bump_chains_version();
}

void notifier::announce_arrival(const table& from, row_ref to, const row_changes& all, const told_steps* told,
                                entity e, const given_values& given) noexcept {
    if (!observers_) return;
    outdate_what_follows(from, *to.block->owner, all);
    observers_->changes.begin_occasion();
    if (given.these.empty() && are_current(told, e)) {
        const std::uint64_t version = told->version; // What an observer does may change the steps.
        tell_steps(told->coming, given.all_new ? told->coming.count : told->gained, version, to, e);
    } else {
        tell_arrival(to, e, [&](const auto& tell) { std::ranges::for_each(all.gained, tell); }, given);
    }
    tell_rest_of_arrival(from, to, all, e);
}

/// What an arrival tells behind its steps: nothing, where everything is in the steps.
void notifier::tell_rest_of_arrival(const table& from, row_ref to, const row_changes& all,
                                    entity e) noexcept {
    tell_rest_of_arrival(*to.block->owner, e,
                         [&](const auto& tell) { std::ranges::for_each(all.gained, tell); });
    if (!observers_->asks(event::enabled) && !observers_->asks(event::matching)) return;
    for (const std::uint32_t position : all.lost) {
        const id word = from.type()[position];
        if (is_disabled_tag(word)) announce(event::enabled, e, {});
        announce_match(event::matching, e, word);
    }
}

/// Visits the sets, of which some may be null, whose components somebody asks for.
template <class Visit> static void for_each_tracked(std::span<sparse_set* const> all, const Visit& visit) {
    for (const sparse_set* const set : all)
        if (set && set->tracked) visit(*set);
}

/// As with what is in the row, monitors look when observers have been told of all values.
void notifier::announce_spawn(const table& in, entity e, std::span<sparse_set* const> outside) noexcept {
    if (!tracker_.empty()) note_spawn(in, e, outside);
    if (!observers_) return;
    observers_->changes.begin_occasion();
    const bool tells_of_whole = observers_->asks(event::spawned) && !rows_.is_fixture(e);
    if (tells_of_whole) announce_whole(e, false);
    const auto for_each_gained = [&](const auto& tell) {
        for (std::uint32_t position = 0; position != in.type().size(); ++position)
            if (!in.type()[position].is_wildcard()) tell(position);
    };
    if (const told_steps* const told = steps_of(in); told && !is_told_of_end(e))
        tell_steps(told->coming, told->coming.count, told->version, rows_.locate(e), e);
    else
        tell_arrival(rows_.locate(e), e, for_each_gained, {.all_new = true});
    for_each_tracked(outside, [&](const sparse_set& set) { tell_arrival(e, set, true); });
    if (in.togglable()) tell_what_is_hidden(in, e, for_each_gained);
    for_each_tracked(outside, [&](const sparse_set& set) { tell_if_hidden(e, set); });
    if (!observers_->asks(event::matching)) return;
    for_each_tracked(outside, [&](const sparse_set& set) { announce_match(event::matching, e, set.word); });
    tell_matches(in, e, for_each_gained);
    if (tells_of_whole) announce_whole(e, true);
}

/// Tells of a new entity as a whole: those monitors that look at each, or the others.
void notifier::announce_whole(entity e, bool monitors) noexcept {
    if (!monitors && !observers_->asks(event::matching)) return announce(event::spawned, e, {});
    try {
        if (is_told_of_end(e)) return;
        const observer_index::listed all = observers_->of(event::spawned, {}, e);
        for (const auto& to : all)
            if (to->what.has(event::matching) == monitors) tell_listed(to, context_of(event::spawned, e, {}));
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void notifier::note_spawn(const table& in, entity e, std::span<sparse_set* const> outside) noexcept {
    tracker_.row_came(in, e);
    note_heritage(rows_.root(), in, e);
    for_each_tracked(outside, [&](const sparse_set& set) {
        if (change_ticks* const ticks = ticks_of(set.word)) ticks->add(index_of(e), now());
    });
}

void notifier::announce_spawns(const table& in, std::span<const entity> all) {
    as_one([&] {
        for (const entity e : all) announce_spawn(in, e);
    });
}

void notifier::announce_spawns(const table& in, entity only) { announce_spawns(in, {&only, 1}); }

std::exception_ptr notifier::take_failure() noexcept {
    return observers_ ? observers_->changes.take_failure() : nullptr;
}

void notifier::announce_sparse(entity e, const sparse_set& sparse, bool sets, bool hidden) {
    if (const told_steps* const told = steps_to_tell(e, sparse); told && !hidden)
        return tell_arrival(*told, e, sparse.value_of(index_of(e)), sets);
    if (change_ticks* const ticks = ticks_of(sparse.word)) ticks->add(index_of(e), now());
    if (!observers_) return;
    as_one([&] {
        observers_->changes.begin_occasion();
        tell_arrival(e, sparse, sets);
        tell_if_hidden(e, sparse);
        announce_match(event::matching, e, sparse.word);
    });
}

void notifier::tell_arrival(entity e, const sparse_set& sparse, bool sets) noexcept {
    announce(event::added, e, sparse.word);
    if (sets && sparse.info().size != 0) announce(event::set, e, sparse.word);
}

void notifier::tell_if_hidden(entity e, const sparse_set& sparse) noexcept {
    if (!sparse.enabled(index_of(e))) announce(event::disabled, e, sparse.word);
}

void notifier::announce_toggle(entity e, id word, bool enabled) {
    as_one([&] {
        observers_->changes.begin_occasion();
        announce(enabled ? event::enabled : event::disabled, e, word);
        announce_match(event::matching, e, word);
    });
}

void notifier::announce_link(event what, entity e, id word) noexcept {
    if (!tracker_.empty()) [[unlikely]]
        what == event::added ? tracker_.came(e, word) : tracker_.left(e, word);
    if (!observers_) return;
    observers_->changes.begin_occasion();
    announce(what, e, word);
    if (what == event::added) announce_match(event::matching, e, word);
}

write_hearing notifier::hearing_of_write(entity e, id word) const {
    const row_ref at = rows_.locate(e);
    if (!at || at.block->owner->inherits || deferring_) return {audience::others};
    const bool stands_for_others = word.has_relation() && (word.is_wildcard() || tracks(word));
    if (stands_for_others) return {audience::others}; // Pairs and their patterns.
    const bool is_of_pair = at.block->owner->linked && rows_.traits_of(word).any_of(trait::non_fragmenting);
    const audience others = ticks_of(word) ? audience::queries : audience::nobody;
    if (is_of_pair && others == audience::queries) return {audience::others};
    if (!observers_ || !observers_->asks(event::set)) return {others};
    if (is_of_pair || observers_->asks_previous()) return {audience::others};
    if (observers_->tells_entities_apart())
        return {observers_->of(event::set, word, e).empty() ? others : audience::observers};
    const told_list& all = observers_->of_anybody(event::set, word);
    return {all.observers.empty() ? others : audience::observers, &all, observers_->version()};
}

write_hearing notifier::find_hearing_of_write(entity e, id word, std::uint32_t type) const {
    const write_hearing hears = hearing_of_write(e, word);
    const bool is_of_pair = rows_.traits_of(word).any_of(trait::non_fragmenting);
    if (hears.observers && !is_of_pair && !ticks_of(word)) observers_->note_hearing(type, hears);
    return hears;
}

void notifier::written(entity e, id word) { written(e, std::span(&word, 1)); }

void notifier::written(entity e, std::span<const id> words, std::shared_ptr<const previous_values> before) {
    const auto is_in_sparse_set = [&](id word) { return rows_.sparse_of(word) != nullptr; };
    if (!rows_.entities().alive(e)) return;
    const row_ref at = rows_.locate(e);
    const bool concerns_nobody = at && !at.block->owner->tracked && !at.block->owner->inherits;
    if (concerns_nobody && !std::ranges::any_of(words, is_in_sparse_set)) return;
    if (!tracker_.empty())
        for (const id word : words) {
            const held_value value = reads_.held(e, word);
            touch(value.holder, value.word, now());
        }
    if (!observers_) return;
    if (deferring_) return tell_later_of_writes(e, words, std::move(before));
    announce_written(e, words, before.get());
}

/// Whose values they are is known now: when the turn comes, the entity may see those of another. Observers
/// are told of what is still there.
void notifier::tell_later_of_writes(entity e, std::span<const id> words,
                                    std::shared_ptr<const previous_values> before) {
    std::vector<held_value> all;
    for (const id word : words) all.push_back(reads_.held(e, word));
    wait([this, all = std::move(all), was = std::move(before)] {
        as_one([&] {
            const previous_scope told(*this, was.get());
            observers_->changes.begin_occasion();
            for (const held_value& value : all)
                if (rows_.entities().alive(value.holder) && reads_.own_value_of(value.holder, value.word))
                    announce(event::set, value.holder, value.word);
        });
    });
}

void notifier::written(entity e, std::span<const id> words, std::span<const bool> which,
                       std::shared_ptr<const previous_values> before) {
    std::vector<id> all;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (which[i]) all.push_back(words[i]);
    if (!all.empty()) written(e, all, std::move(before));
}

void notifier::announce_written(entity e, std::span<const id> words, const previous_values* before) {
    as_one([&] {
        const previous_scope told(*this, before);
        observers_->changes.begin_occasion();
        for (const id word : words) {
            const held_value value = reads_.held(e, word);
            announce(event::set, value.holder, value.word);
        }
    });
}

/// Whether all of the entity that may concern somebody is in its row, as it stands there.
bool notifier::is_told_by_row(const table& in) const {
    return !in.linked && !in.inherits && !std::ranges::any_of(rows_.all_sparse_sets(), &sparse_set::tracked);
}

[[clang::always_inline]] void notifier::announce_end_of_row(row_ref at, entity e) noexcept {
    const table& in = *at.block->owner;
    if (const told_steps* const told = steps_of(in); told && !is_told_of_end(e))
        tell_steps(told->leaving, told->leaving.count, told->version, at, e);
    else
        for (std::uint32_t position = 0; position != in.type().size(); ++position)
            announce_at(event::removed, at, position, e);
    if (observers_->asks(event::despawned) && !rows_.is_fixture(e)) announce(event::despawned, e, {});
    if (!observers_->asks(event::matching)) return;
    for (const id word : in.type()) announce_match(event::despawned, e, word);
}

void notifier::announce_end(entity e, row_ref at) noexcept {
    ending_ = true;
    observers_->changes.begin_occasion();
    is_told_by_row(*at.block->owner) ? announce_end_of_row(at, e) : announce_end_of_all(e);
    ending_ = false;
}

/// The same for an entity that has something elsewhere, or matches by what it inherits.
void notifier::announce_end_of_all(entity e) noexcept {
    try {
        const std::vector<id> words = reads_.words_of(e);
        for (const id word : words) announce(event::removed, e, word);
        if (!rows_.is_fixture(e)) announce(event::despawned, e, {});
        if (rows_.locate(e).block->owner->inherits)
            announce_match(event::despawned, e, {});
        else
            for (const id word : words) announce_match(event::despawned, e, word);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void notifier::announce_only_end(entity e, row_ref at) noexcept {
    if (!observers_) return;
    if (at.block->owner->tracked) announce_end(e, at);
    observers_->despawning_alone = e;
}

void notifier::announce_ends(std::span<const entity> despawning) noexcept {
    if (!observers_) return;
    const auto announce_if_heard = [&](entity e) {
        const row_ref at = rows_.locate(e);
        if (at.block->owner->tracked) announce_end(e, at);
    };
    if (despawning.size() == 1)
        return announce_only_end(despawning.front(), rows_.locate(despawning.front()));
    try {
        const change_queue::whole_occasion together(observers_->changes);
        flat_map<bool> told;
        for (const entity e : despawning) told[e.value()] = true;
        std::ranges::for_each(despawning, announce_if_heard);
        observers_->despawning = std::move(told);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void notifier::forget_despawning() noexcept {
    if (!observers_) return;
    observers_->despawning.clear();
    observers_->despawning_alone = {};
}

void notifier::announce_world_end() noexcept {
    if (!observers_) return;
    observers_->begin_world_end();
    update_listeners();
    observers_->changes.stop();
    const change_queue::whole_occasion together(observers_->changes);
    const telling_between_changes whole(*this); // Nothing goes before all have been told.
    for (const bool fixtures : {false, true})
        for (std::size_t i = 0; i != rows_.tables().size(); ++i) { // What is told may make tables.
            const table& t = *rows_.tables()[i];
            rows_.for_each_entity(t, [&](entity e) {
                if (t.tracked && rows_.is_fixture(e) == fixtures) announce_end(e, rows_.locate(e));
            });
        }
    observers_->changes.clear();
    observers_->queued.clear();
}

void notifier::announce_table(event what, const table& t) noexcept {
    if (!observers_) return;
    try {
        if (observers_->of(what, {}).empty()) return;
        auto told = [this, what, type = std::vector<id>(t.type().begin(), t.type().end())] {
            event_context made = context_of(what, {}, {});
            made.type = type;
            for (const auto& to : observers_->of(what, {})) tell(to, made);
        };
        observers_->changes.wait(std::move(told));
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

entity notifier::wait_for_row(std::unique_ptr<waiting_row> row) {
    row->home = &rows_;
    const entity e = row->owner = rows_.entities().create();
    try {
        observers_->changes.wait_for_turn(std::move(row));
    } catch (...) {
        rows_.entities().destroy(e);
        throw;
    }
    return e;
}

} // namespace ecs
