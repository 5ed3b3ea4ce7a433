// SPDX-License-Identifier: MIT
// Telling observers what happens.
module ecs.structure;
import ecs.std;
import :notifier;

namespace ecs {

/// Keeps the world still while observers are told. What they change waits, unless a loop walks over the
/// world: then it is refused, as it would be in the loop itself.
class notifier::notify_scope {
  public:
    explicit notify_scope(notifier& in) : in_(&in), deferred_(begin(in)), lock_(in.rows_) {}
    notify_scope(const notify_scope&) = delete;
    notify_scope& operator=(const notify_scope&) = delete;
    ~notify_scope() { in_->deferring_ = deferred_; }

  private:
    static bool begin(notifier& in) {
        return std::exchange(in.deferring_, in.deferring_ || in.rows_.is_unlocked());
    }

    notifier* in_;
    bool deferred_;
    store::iteration_lock lock_;
};

namespace {

bool is_disabled_tag(id word) { return word.is_entity() && index_of(word.as_entity()) == disabled.index(); }

/// Calls f for every identifier of one type that the other lacks, but for the columns of links.
template <class F> void for_each_missing(std::span<const id> of, std::span<const id> in, F&& f) {
    for (const id word : of)
        if (!word.is_wildcard() && !std::ranges::binary_search(in, word)) f(word);
}

} // namespace

// Which observers are told.

observer notifier::observe(std::shared_ptr<observer_record> fresh) {
    for (observed_pattern& t : fresh->terms) note_names(t);
    for (observed_pattern& t : fresh->others) note_names(t);
    for (observed_pattern& t : fresh->absent) note_names(t);
    if (fresh->options.previous) require_previous(*fresh);
    if (!observers_) observers_ = std::make_unique<observer_index>();
    const observer handle = observers_->add(fresh);
    update_listeners();
    if (fresh->options.existing) as_one([&] { tell_existing(fresh); });
    return handle;
}

void notifier::note_new_table(table& made) noexcept {
    made.tracked = is_tracked(made);
    announce_table(event::table_created, made);
}

void notifier::note_new_record(component_record& made) const {
    if (made.sparse) made.sparse->tracked = observers_ && observers_->concern(made.word);
}

/// Marks what queries track and observers observe, so that all else costs nothing. Linear in the number of
/// tables.
void notifier::update_listeners() noexcept {
    if (observers_ && !observers_->changes.is_open()) observers_->forget_ended();
    has_listeners_ = observers_ || !tracker_.empty();
    for (sparse_set* const sparse : rows_.all_sparse_sets())
        sparse->tracked = ticks_of(sparse->word) || (observers_ && observers_->concern(sparse->word));
    for (const auto& t : rows_.tables()) t->tracked = is_tracked(*t);
    for (const auto& t : rows_.tables()) t->edges.review(*t);
}

void notifier::exchange_ticks(notifier& other) noexcept {
    tracker_.exchange(other.tracker_);
    update_listeners();
    if (observers_) observers_->resume();
}

void notifier::forget_ended_observers() noexcept {
    if (observers_->is_stale()) update_listeners();
}

/// What is kept outside tables ends with rows of any table.
bool notifier::is_tracked(const table& t) const {
    if (tracker_.concern(t)) return true;
    if (!observers_) return false;
    return observers_->concern_entities() ||
           std::ranges::any_of(rows_.all_sparse_sets(), &sparse_set::tracked) ||
           std::ranges::any_of(t.type(), [&](id word) { return observers_->concern(word); });
}

/// The entities that the indices in the pattern stand for now, as whole handles.
void notifier::note_names(observed_pattern& of) const {
    const id word = of.pattern;
    if (word.has_relation() && word.relation_index() != 0) {
        of.relation = rows_.entities().at(word.relation_index());
        of.names_nobody |= !of.relation;
    }
    if (word.is_pair() && word.target_index() != 0) {
        of.target = reads_.target_of_pair(word);
        of.names_nobody |= !of.target;
    }
}

/// What a pattern names may have ended: then it stands for nothing, whichever entity has the index now.
bool notifier::stands_for(const observed_pattern& of, id word) const {
    const auto lives = [&](entity e) { return !e || rows_.entities().alive(e); };
    return matches(of.pattern, word) && !of.names_nobody && lives(of.relation) && lives(of.target);
}

bool notifier::stands_for_any(const std::vector<observed_pattern>& of, id word) const {
    return std::ranges::any_of(of, [&](const observed_pattern& t) { return stands_for(t, word); });
}

/// Whole entities, tables and what a monitor should look at have no identifier.
bool notifier::is_observed(const observer_record& to, id word) const {
    return !word || (to.terms.empty() && !to.filtered) || stands_for_any(to.terms, word) ||
           stands_for_any(to.absent, word);
}

/// An observer is notified once for a change, however many of its terms match. A monitor looks after each
/// step.
bool notifier::has_been_told(const observer_record& to, const event_context& what) const {
    return to.terms.size() + to.absent.size() > 1 && !to.what.has(event::matching) &&
           to.last_told_of == what.seen_at && to.last_change == observers_->changes.occasion() &&
           to.last_events.has(what.what);
}

/// Whether the event stops at the entity: all do where they begin, and those on their way for who asks for
/// certain entities.
bool notifier::is_seen_by(const observer_record& to, const event_context& what) const {
    if (to.options.only) return to.options.only.contains(what.seen_at);
    return what.seen_at == what.subject || !to.others.empty() || to.filtered;
}

bool notifier::concerns(const observer_record& to, const event_context& what) const {
    if (to.ended || !is_seen_by(to, what)) return false;
    if (has_been_told(to, what) || !is_observed(to, what.word)) return false;
    const bool has_others = std::ranges::all_of(to.others, [&](const observed_pattern& t) {
        return stands_for(t, t.pattern) && reads_.has(what.seen_at, t.pattern);
    });
    return has_others && (!to.filtered || to.body->accepts(what));
}

/// It is being told of that.
void notifier::note_told(observer_record& to, const event_context& what) const {
    const std::uint64_t occasion = observers_->changes.occasion();
    if (to.last_change != occasion || to.last_told_of != what.seen_at) to.last_events = {};
    to.last_change = occasion;
    to.last_told_of = what.seen_at;
    to.last_events.insert(what.what);
}

void notifier::tell(const std::shared_ptr<observer_record>& to, const event_context& what) noexcept {
    try {
        if (to->disabled) return to->body->pass_over(what);
        if (!concerns(*to, what)) return;
        note_told(*to, what);
        const notify_scope now(*this);
        if (to->options.queued)
            observers_->queued.emplace_back(to, what);
        else
            to->body->see(what);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

event_context notifier::context_of(event what, entity e, id word) const {
    event_context made;
    made.what = what;
    made.subject = made.seen_at = e;
    made.word = word;
    made.value = word ? reads_.own_value_of(e, word) : nullptr;
    made.in = owner_;
    return made;
}

/// Under which identifier observers are told of what the entity has; null when they are not.
id notifier::told_as(entity e, id word) const {
    if (!word.is_entity() || !rows_.traits_of(word).any_of(trait::non_fragmenting)) return word;
    const entity target = reads_.target_of(e, word.as_entity());
    return target ? pair(word, target) : id{};
}

void notifier::announce(event what, entity e, id word) noexcept {
    try {
        if (observers_->despawning.find(e.value())) return;
        const id told = told_as(e, word);
        if (told != word && (!told || what != event::set)) return;
        const std::shared_ptr<const observer_list> list = observers_->of(what, told);
        for (const auto& to : *list) {
            event_context now = context_of(what, e, told);
            if (to->options.previous && what == event::set) now.before = before_;
            tell(to, now);
        }
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void notifier::announce_match(event what, entity e, id word) noexcept {
    try {
        if (observers_->despawning.find(e.value())) return;
        const std::shared_ptr<const observer_list> list = observers_->of(event::matching, word);
        const bool lost = what == event::matching && !reads_.has(e, word);
        for (const auto& to : *list)
            if (to->what.has(event::matching))
                tell(to, context_of(what, e, {}));
            else if (lost)
                tell(to, context_of(event::added, e, word));
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void notifier::announce_departure(const table& from, const table& to, entity e) noexcept {
    if (!observers_) return;
    observers_->changes.begin_occasion();
    for_each_missing(from.type(), to.type(), [&](id word) { announce(event::removed, e, word); });
}

void notifier::announce_arrival(const table& from, const table& to, entity e, given_values given) noexcept {
    if (!observers_) return;
    observers_->changes.begin_occasion();
    for_each_missing(to.type(), from.type(), [&](id word) {
        announce(event::added, e, word);
        if (is_disabled_tag(word)) announce(event::disabled, e, {});
    });
    for_each_missing(to.type(), from.type(), [&](id word) {
        if (given.all_new && to.column_of(word)) announce(event::set, e, word);
    });
    for (const id word : given.these)
        if (reads_.has_value(to, word)) announce(event::set, e, word);
    for_each_missing(to.type(), from.type(), [&](id word) {
        if (to.togglable() && reads_.is_hidden(e, word)) announce(event::disabled, e, word);
        announce_match(event::matching, e, word);
    });
    for_each_missing(from.type(), to.type(), [&](id word) {
        if (is_disabled_tag(word)) announce(event::enabled, e, {});
        announce_match(event::matching, e, word);
    });
}

void notifier::announce_spawn(const table& in, entity e) noexcept {
    tracker_.row_came(in, e);
    note_heritage(rows_.root(), in, e);
    if (!observers_) return;
    observers_->changes.begin_occasion();
    if (!rows_.is_fixture(e)) announce(event::spawned, e, {});
    announce_arrival(rows_.root(), in, e, {.all_new = true});
}

void notifier::announce_spawns(const table& in, std::span<const entity> all) {
    as_one([&] {
        for (const entity e : all) announce_spawn(in, e);
    });
}

void notifier::announce_spawns(const table& in, entity only) { announce_spawns(in, {&only, 1}); }

void notifier::announce_sparse(entity e, const sparse_set& sparse, bool sets) {
    if (change_ticks* const book = ticks_of(sparse.word)) book->add(index_of(e), now());
    if (!observers_) return;
    as_one([&] {
        observers_->changes.begin_occasion();
        announce(event::added, e, sparse.word);
        if (sets && sparse.info().size != 0) announce(event::set, e, sparse.word);
        if (!sparse.enabled(index_of(e))) announce(event::disabled, e, sparse.word);
        announce_match(event::matching, e, sparse.word);
    });
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
    if (deferring_)
        return wait([this, e, all = std::vector<id>(words.begin(), words.end()), was = std::move(before)] {
            written(e, all, was);
        });
    announce_written(e, words, before.get());
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

void notifier::announce_end(entity e) noexcept {
    try {
        const std::vector<id> words = reads_.words_of(e);
        observers_->changes.begin_occasion();
        for (const id word : words) announce(event::removed, e, word);
        if (!rows_.is_fixture(e)) announce(event::despawned, e, {});
        for (const id word : words) announce_match(event::despawned, e, word);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void notifier::announce_ends(const std::vector<entity>& despawning) noexcept {
    if (!observers_) return;
    try {
        flat_map<bool> told;
        for (const entity e : despawning) told[e.value()] = true;
        for (const entity e : despawning)
            if (rows_.locate(e).block->owner->tracked) announce_end(e);
        observers_->despawning = std::move(told);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void notifier::forget_despawning() noexcept {
    if (observers_) observers_->despawning.clear();
}

void notifier::announce_world_end() noexcept {
    if (!observers_) return;
    observers_->begin_world_end();
    update_listeners();
    observers_->changes.stop();
    for (const bool fixtures : {false, true})
        for (const auto& t : rows_.tables())
            for (chunk* const in : t->chunks())
                for (const entity e : std::span(in->entities(), in->count))
                    if (t->tracked && rows_.is_fixture(e) == fixtures) announce_end(e);
    observers_->changes.clear();
    observers_->queued.clear();
}

void notifier::announce_table(event what, const table& t) noexcept {
    if (!observers_) return;
    try {
        if (observers_->of(what, {})->empty()) return;
        auto told = [this, what, type = std::vector<id>(t.type().begin(), t.type().end())] {
            event_context made = context_of(what, {}, {});
            made.type = type;
            const std::shared_ptr<const observer_list> list = observers_->of(what, {});
            for (const auto& to : *list) tell(to, made);
        };
        observers_->changes.wait(std::move(told));
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

// What the user announces.

std::size_t notifier::emit(std::span<const entity> all, const event_context& what, id along) {
    std::size_t alive = 0;
    as_one([&] {
        for (const entity e : all) alive += static_cast<std::size_t>(emit(e, what, along));
    });
    return alive;
}

bool notifier::emit(entity e, const event_context& what, id along) {
    if (!rows_.entities().alive(e)) return false;
    if (!observers_) return true;
    const entity relation = along ? rows_.resolve(along).as_entity() : entity{};
    as_one([&] {
        observers_->changes.begin_occasion();
        const std::shared_ptr<const observer_list> list = observers_->of(event::custom, what.word);
        flat_map<bool> seen;
        for (entity at = e; at && !std::exchange(seen[at.value()], true);) {
            event_context here = what;
            here.subject = e;
            here.seen_at = at;
            here.in = owner_;
            for (const auto& to : *list) tell(to, here);
            at = relation && !here.stopped() ? reads_.target_of(at, relation) : entity{};
        }
    });
    return true;
}

/// Of an identifier that the entity no longer has no observer is told, unless it is its end that was to be
/// told.
std::size_t notifier::dispatch() {
    if (!observers_) return 0;
    std::deque<queued_event> all = std::exchange(observers_->queued, {});
    std::size_t told = 0;
    as_one([&] {
        for (const queued_event& q : all) {
            const bool despawns = q.what == event::removed || q.what == event::despawned;
            if (q.to->ended || q.to->disabled) continue;
            if (!despawns && q.subject && !(rows_.entities().alive(q.subject) && is_still_so(q))) continue;
            event_context made = context_of(q.what, q.subject, despawns ? id{} : q.word);
            made.seen_at = q.seen_at;
            made.word = q.word;
            made.payload = q.payload.get();
            made.payload_type = q.payload_type;
            made.type = q.type;
            const notify_scope now(*this);
            try {
                if (q.to->filtered && !despawns && !q.to->body->accepts(made)) continue;
                q.to->body->see(made);
            } catch (...) {
                observers_->changes.fail(std::current_exception());
            }
            ++told;
        }
    });
    return told;
}

/// Of an entity that is alive.
bool notifier::is_still_so(const queued_event& q) const {
    if (q.what == event::custom || !q.word) return true;
    return is_observed(*q.to, q.word) &&
           (reads_.has(q.subject, q.word) || stands_for_any(q.to->absent, q.word));
}

/// What the observer is to be told of what the entity, which is there already, has.
event_set notifier::what_is_so(const observer_record& to, entity e, id word) const {
    event_set is_so;
    if (!is_observed(to, word)) return is_so;
    if (to.what.has(event::added)) is_so.insert(event::added);
    if (to.what.has(event::set) && reads_.own_value_of(e, word)) is_so.insert(event::set);
    if (to.what.has(event::disabled) && !to.terms.empty() && reads_.is_hidden(e, word))
        is_so.insert(event::disabled);
    return is_so;
}

/// The same of the entity as a whole.
event_set notifier::what_is_so(const observer_record& to, entity e) const {
    event_set is_so;
    if (to.what.has(event::spawned) && !rows_.is_fixture(e)) is_so.insert(event::spawned);
    if (to.what.has(event::disabled) && to.terms.empty() && reads_.has(e, disabled))
        is_so.insert(event::disabled);
    return is_so;
}

void notifier::tell_existing(const std::shared_ptr<observer_record>& to) {
    const previous_scope nothing_was_written(*this, nullptr);
    const auto tell_all = [&](event_set is_so, entity e, id word) {
        for (const event what : {event::spawned, event::added, event::set, event::disabled})
            if (is_so.has(what)) tell(to, context_of(what, e, word));
    };
    const auto tell_of = [&](entity e) {
        observers_->changes.begin_occasion();
        tell_all(what_is_so(*to, e), e, {});
        for (const id word : reads_.words_of(e)) tell_all(what_is_so(*to, e, word), e, word);
    };
    for (const auto& t : rows_.tables())
        for (chunk* const in : t->chunks())
            std::ranges::for_each(std::span(in->entities(), t->tracked ? in->count : 0), tell_of);
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
