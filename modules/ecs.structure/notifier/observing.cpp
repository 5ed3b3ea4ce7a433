// SPDX-License-Identifier: MIT
// Telling observers what happens.
module ecs.structure;
import ecs.std;
import :notifier;

namespace ecs {

/// Keeps the world still while observers are told. What they change waits, unless a loop walks over the
/// world: then it is refused, as it would be in the loop itself.
class notifier::telling {
  public:
    explicit telling(notifier& in) : in_(&in), deferred_(begin(in)), walking_(in.rows_) {}
    telling(const telling&) = delete;
    telling& operator=(const telling&) = delete;
    ~telling() { in_->deferring_ = deferred_; }

  private:
    static bool begin(notifier& in) {
        return std::exchange(in.deferring_, in.deferring_ || in.rows_.is_still());
    }

    notifier* in_;
    bool deferred_;
    store::walk walking_;
};

namespace {

bool is_disabled_tag(id word) { return word.is_entity() && index_of(word.as_entity()) == disabled.index(); }

/// Calls f for every identifier of one type that the other lacks, but for the columns of links.
template <class F> void for_each_missing(std::span<const id> of, std::span<const id> in, F&& f) {
    for (const id word : of)
        if (!word.is_wildcard() && !std::ranges::binary_search(in, word)) f(word);
}

} // namespace

// Who is told.

observer notifier::observe(std::shared_ptr<observer_record> fresh) {
    for (observed_pattern& t : fresh->terms) note_names(t);
    for (observed_pattern& t : fresh->others) note_names(t);
    if (!observers_) observers_ = std::make_unique<observer_book>();
    const observer handle = observers_->add(fresh);
    attend();
    if (fresh->options.existing) as_one([&] { tell_existing(fresh); });
    return handle;
}

void notifier::note_new_table(table& made) noexcept {
    made.watched = is_watched(made);
    announce_table(event::table_created, made);
}

void notifier::note_new_record(id_record& made) const {
    if (made.side) made.side->watched = observers_ && observers_->concern(made.word);
}

/// Marks what queries watch and observers observe, so that all else costs nothing. Linear in the number of
/// tables.
void notifier::attend() noexcept {
    if (observers_ && !observers_->changes.is_open()) observers_->forget_ended();
    attended_ = observers_ || !watched_.empty();
    for (side_set* const side : rows_.sides())
        side->watched = stamps_of(side->word) || (observers_ && observers_->concern(side->word));
    for (const auto& t : rows_.tables()) t->watched = is_watched(*t);
    for (const auto& t : rows_.tables()) t->ways.review(*t);
}

void notifier::exchange_ticks(notifier& other) noexcept {
    watched_.exchange(other.watched_);
    attend();
    if (observers_) observers_->resume();
}

void notifier::forget_ended_observers() noexcept {
    if (observers_->is_stale()) attend();
}

/// What is kept outside tables ends with rows of any table.
bool notifier::is_watched(const table& t) const {
    if (watched_.concern(t)) return true;
    if (!observers_) return false;
    return observers_->concern_entities() || std::ranges::any_of(rows_.sides(), &side_set::watched) ||
           std::ranges::any_of(t.type(), [&](id word) { return observers_->concern(word); });
}

/// Whom the indices in the pattern mean now, with the whole handle.
void notifier::note_names(observed_pattern& of) const {
    const id word = of.pattern;
    if (word.has_relation() && word.relation_index() != 0) {
        of.relation = rows_.entities().at(word.relation_index());
        of.names_nobody |= !of.relation;
    }
    if (word.is_pair() && word.target_index() != 0) {
        of.target = ask_.target_of_pair(word);
        of.names_nobody |= !of.target;
    }
}

/// What a pattern names may have ended: then it stands for nothing, whichever entity has the index now.
bool notifier::stands_for(const observed_pattern& of, id word) const {
    const auto lives = [&](entity e) { return !e || rows_.entities().alive(e); };
    return matches(of.pattern, word) && !of.names_nobody && lives(of.relation) && lives(of.target);
}

/// Whole entities, tables and what a monitor should look at have no identifier.
bool notifier::is_observed(const observer_record& to, id word) const {
    return !word || to.terms.empty() ||
           std::ranges::any_of(to.terms, [&](const observed_pattern& t) { return stands_for(t, word); });
}

/// Several terms that one change sets off are one occasion. A monitor looks again after each step.
bool notifier::has_been_told(const observer_record& to, entity of) const {
    return to.terms.size() > 1 && to.what != event::matching && to.last_told_of == of &&
           to.last_change == observers_->changes.occasion();
}

bool notifier::concerns(const observer_record& to, const occurrence& what) const {
    if (to.ended || (to.options.only && to.options.only != what.seen_at)) return false;
    if (what.what == event::custom && what.seen_at != what.subject && to.others.empty() && !to.options.only)
        return false;
    if (has_been_told(to, what.seen_at) || !is_observed(to, what.word)) return false;
    return std::ranges::all_of(to.others, [&](const observed_pattern& t) {
        return stands_for(t, t.pattern) && ask_.has(what.seen_at, t.pattern);
    });
}

void notifier::tell(const std::shared_ptr<observer_record>& to, const occurrence& what) noexcept {
    try {
        if (!concerns(*to, what)) return;
        to->last_change = observers_->changes.occasion();
        to->last_told_of = what.seen_at;
        const telling now(*this);
        if (to->options.queued)
            observers_->queued.emplace_back(to, what);
        else
            to->body->see(what);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

occurrence notifier::occurrence_of(event what, entity e, id word) const {
    occurrence made;
    made.what = what;
    made.subject = made.seen_at = e;
    made.word = word;
    made.value = word ? ask_.own_value_of(e, word) : nullptr;
    made.in = owner_;
    return made;
}

void notifier::announce(event what, entity e, id word) noexcept {
    try {
        if (observers_->doomed.find(e.value())) return;
        if (word.is_entity() && rows_.rules_of(word).any_of(rule::non_fragmenting)) {
            const entity target = ask_.target_of(e, word.as_entity());
            if (!target || what != event::set) return;
            word = pair(word, target);
        }
        const std::shared_ptr<const observer_list> list = observers_->of(what, word);
        for (const auto& to : *list) tell(to, occurrence_of(what, e, word));
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void notifier::announce_match(event what, entity e, id word) noexcept {
    try {
        if (observers_->doomed.find(e.value())) return;
        const std::shared_ptr<const observer_list> list = observers_->of(event::matching, word);
        for (const auto& to : *list) tell(to, occurrence_of(what, e, {}));
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
        if (ask_.has_value(to, word)) announce(event::set, e, word);
    for_each_missing(to.type(), from.type(), [&](id word) {
        if (to.togglable() && ask_.is_hidden(e, word)) announce(event::disabled, e, word);
        announce_match(event::matching, e, word);
    });
    for_each_missing(from.type(), to.type(), [&](id word) {
        if (is_disabled_tag(word)) announce(event::enabled, e, {});
        announce_match(event::matching, e, word);
    });
}

void notifier::announce_spawn(const table& in, entity e) noexcept {
    watched_.row_came(in, e);
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

void notifier::announce_aside(entity e, const side_set& side, bool sets) {
    if (stamp_book* const book = stamps_of(side.word)) book->add(index_of(e), now());
    if (!observers_) return;
    as_one([&] {
        observers_->changes.begin_occasion();
        announce(event::added, e, side.word);
        if (sets && side.info().size != 0) announce(event::set, e, side.word);
        if (!side.enabled(index_of(e))) announce(event::disabled, e, side.word);
        announce_match(event::matching, e, side.word);
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
    if (!watched_.empty()) [[unlikely]]
        what == event::added ? watched_.came(e, word) : watched_.left(e, word);
    if (!observers_) return;
    observers_->changes.begin_occasion();
    announce(what, e, word);
    if (what == event::added) announce_match(event::matching, e, word);
}

void notifier::written(entity e, id word) { written(e, {&word, 1}); }

void notifier::written(entity e, std::span<const id> words) {
    const auto is_aside = [&](id word) { return rows_.side_of(word) != nullptr; };
    if (!rows_.entities().alive(e)) return;
    const row_ref at = rows_.locate(e);
    const bool concerns_nobody = at && !at.block->owner->watched && !at.block->owner->inherits;
    if (concerns_nobody && !std::ranges::any_of(words, is_aside)) return;
    if (!watched_.empty())
        for (const id word : words) {
            const held_value value = ask_.held(e, word);
            touch(value.holder, value.word, now());
        }
    if (!observers_) return;
    if (deferring_)
        return wait([this, e, all = std::vector<id>(words.begin(), words.end())] { written(e, all); });
    announce_written(e, words);
}

void notifier::written(entity e, std::span<const id> words, std::span<const bool> which) {
    std::vector<id> all;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (which[i]) all.push_back(words[i]);
    if (!all.empty()) written(e, all);
}

void notifier::announce_written(entity e, std::span<const id> words) {
    as_one([&] {
        observers_->changes.begin_occasion();
        for (const id word : words) {
            const held_value value = ask_.held(e, word);
            announce(event::set, value.holder, value.word);
        }
    });
}

void notifier::announce_end(entity e) noexcept {
    try {
        const std::vector<id> words = ask_.words_of(e);
        observers_->changes.begin_occasion();
        for (const id word : words) announce(event::removed, e, word);
        if (!rows_.is_fixture(e)) announce(event::despawned, e, {});
        for (const id word : words) announce_match(event::despawned, e, word);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void notifier::announce_ends(const std::vector<entity>& doomed) noexcept {
    if (!observers_) return;
    try {
        flat_map<bool> told;
        for (const entity e : doomed) told[e.value()] = true;
        for (const entity e : doomed)
            if (rows_.locate(e).block->owner->watched) announce_end(e);
        observers_->doomed = std::move(told);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void notifier::forget_doomed() noexcept {
    if (observers_) observers_->doomed.clear();
}

void notifier::announce_world_end() noexcept {
    if (!observers_) return;
    observers_->begin_world_end();
    attend();
    observers_->changes.stop();
    for (const bool fixtures : {false, true})
        for (const auto& t : rows_.tables())
            for (chunk* const in : t->chunks())
                for (const entity e : std::span(in->entities(), in->count))
                    if (t->watched && rows_.is_fixture(e) == fixtures) announce_end(e);
    observers_->changes.clear();
    observers_->queued.clear();
}

void notifier::announce_table(event what, const table& t) noexcept {
    if (!observers_) return;
    try {
        if (observers_->of(what, {})->empty()) return;
        auto told = [this, what, type = std::vector<id>(t.type().begin(), t.type().end())] {
            occurrence made = occurrence_of(what, {}, {});
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

bool notifier::emit(entity e, const occurrence& what, id along) {
    if (!rows_.entities().alive(e)) return false;
    if (!observers_) return true;
    const entity relation = along ? rows_.localize(along).as_entity() : entity{};
    as_one([&] {
        observers_->changes.begin_occasion();
        const std::shared_ptr<const observer_list> list = observers_->of(event::custom, what.word);
        flat_map<bool> seen;
        for (entity at = e; at && !std::exchange(seen[at.value()], true);) {
            occurrence here = what;
            here.subject = e;
            here.seen_at = at;
            here.in = owner_;
            for (const auto& to : *list) tell(to, here);
            at = relation && !here.stopped() ? ask_.target_of(at, relation) : entity{};
        }
    });
    return true;
}

/// Of an identifier that the entity no longer has no observer is told, unless it is its end that was to be
/// told.
std::size_t notifier::dispatch() {
    if (!observers_) return 0;
    std::deque<queued_occurrence> all = std::exchange(observers_->queued, {});
    std::size_t told = 0;
    as_one([&] {
        for (const queued_occurrence& q : all) {
            const bool ends = q.what == event::removed || q.what == event::despawned;
            const bool alive = rows_.entities().alive(q.subject);
            const bool is_so = q.what == event::custom || !q.word ||
                               (ask_.has(q.subject, q.word) && is_observed(*q.to, q.word));
            if (q.to->ended || (!ends && q.subject && !(alive && is_so))) continue;
            occurrence made = occurrence_of(q.what, q.subject, ends ? id{} : q.word);
            made.seen_at = q.seen_at;
            made.word = q.word;
            made.payload = q.payload.get();
            made.payload_type = q.payload_type;
            made.type = q.type;
            const telling now(*this);
            try {
                q.to->body->see(made);
            } catch (...) {
                observers_->changes.fail(std::current_exception());
            }
            ++told;
        }
    });
    return told;
}

/// Whether the observer is to be told of what the entity, which is there already, has.
bool notifier::is_so_for(const observer_record& to, entity e, id word) const {
    if (!is_observed(to, word)) return false;
    switch (to.what) {
    case event::added: return true;
    case event::set: return ask_.own_value_of(e, word) != nullptr;
    case event::disabled: return !to.terms.empty() && ask_.is_hidden(e, word);
    default: return false;
    }
}

/// The same of the entity as a whole.
bool notifier::is_so_for(const observer_record& to, entity e) const {
    if (to.what == event::spawned) return !rows_.is_fixture(e);
    return to.what == event::disabled && to.terms.empty() && ask_.has(e, disabled);
}

void notifier::tell_existing(const std::shared_ptr<observer_record>& to) {
    const auto tell_of = [&](entity e) {
        observers_->changes.begin_occasion();
        if (is_so_for(*to, e)) tell(to, occurrence_of(to->what, e, {}));
        for (const id word : ask_.words_of(e))
            if (is_so_for(*to, e, word)) tell(to, occurrence_of(to->what, e, word));
    };
    for (const auto& t : rows_.tables())
        for (chunk* const in : t->chunks())
            std::ranges::for_each(std::span(in->entities(), t->watched ? in->count : 0), tell_of);
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
