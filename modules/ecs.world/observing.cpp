// SPDX-License-Identifier: MIT
// Telling observers what happens.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

/// Keeps the world still while observers are told. What they change waits, unless a loop walks over the
/// world: then it is refused, as it would be in the loop itself.
class store::telling {
  public:
    explicit telling(store& in) : in_(&in), deferred_(begin(in)), walking_(in) {}
    telling(const telling&) = delete;
    telling& operator=(const telling&) = delete;
    ~telling() { in_->deferring_ = deferred_; }

  private:
    static bool begin(store& in) { return std::exchange(in.deferring_, in.deferring_ || in.is_still()); }

    store* in_;
    bool deferred_;
    walk walking_;
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

observer store::observe(std::shared_ptr<observer_record> fresh) {
    for (observed_pattern& t : fresh->terms) note_names(t);
    for (observed_pattern& t : fresh->others) note_names(t);
    if (!observers_) observers_ = std::make_unique<observer_book>();
    const observer handle = observers_->add(fresh);
    attend();
    if (fresh->options.existing) as_one([&] { tell_existing(fresh); });
    return handle;
}

/// Marks what somebody watches or observes, so that all else costs nothing. Linear in the number of tables.
void store::attend() noexcept {
    if (observers_ && !observers_->changes.is_open()) observers_->forget_ended();
    attended_ = observers_ || !watched_.empty();
    for (side_set* const side : sides_)
        side->watched = stamps_of(side->word) || (observers_ && observers_->concern(side->word));
    for (const auto& t : tables_.all()) t->watched = is_watched(*t);
    for (const auto& t : tables_.all()) t->ways.review(*t);
}

void store::forget_ended_observers() noexcept {
    if (observers_->is_stale()) attend();
}

/// What is kept outside tables ends with rows of any table.
bool store::is_watched(const table& t) const {
    if (watched_.concern(t)) return true;
    if (!observers_) return false;
    return observers_->concern_entities() || std::ranges::any_of(sides_, &side_set::watched) ||
           std::ranges::any_of(t.type(), [&](id word) { return observers_->concern(word); });
}

/// Whom the indices in the pattern mean now, with the whole handle.
void store::note_names(observed_pattern& of) const {
    const id word = of.pattern;
    if (word.has_relation() && word.relation_index() != 0) {
        of.relation = entities_->at(word.relation_index());
        of.names_nobody |= !of.relation;
    }
    if (word.is_pair() && word.target_index() != 0) {
        of.target = target_of_pair(word);
        of.names_nobody |= !of.target;
    }
}

/// What a pattern names may have ended: then it stands for nothing, whoever has the index now.
bool store::stands_for(const observed_pattern& of, id word) const {
    const auto lives = [&](entity e) { return !e || entities_->alive(e); };
    return matches(of.pattern, word) && !of.names_nobody && lives(of.relation) && lives(of.target);
}

/// Whole entities, tables and what a monitor should look at have no identifier.
bool store::is_observed(const observer_record& to, id word) const {
    return !word || to.terms.empty() ||
           std::ranges::any_of(to.terms, [&](const observed_pattern& t) { return stands_for(t, word); });
}

/// Several terms that one change sets off are one occasion. A monitor looks again after each step.
bool store::has_been_told(const observer_record& to, entity of) const {
    return to.terms.size() > 1 && to.what != event::matching && to.last_told_of == of &&
           to.last_change == observers_->changes.occasion();
}

bool store::concerns(const observer_record& to, const occurrence& what) const {
    if (to.ended || (to.options.only && to.options.only != what.seen_at)) return false;
    if (what.what == event::custom && what.seen_at != what.subject && to.others.empty() && !to.options.only)
        return false;
    if (has_been_told(to, what.seen_at) || !is_observed(to, what.word)) return false;
    return std::ranges::all_of(to.others, [&](const observed_pattern& t) {
        return stands_for(t, t.pattern) && has(what.seen_at, t.pattern);
    });
}

void store::tell(const std::shared_ptr<observer_record>& to, const occurrence& what) noexcept {
    try {
        if (!concerns(*to, what)) return;
        to->last_change = observers_->changes.occasion();
        to->last_told_of = what.seen_at;
        const telling now(*this);
        if (to->options.queued)
            observers_->queued.emplace_back(to, what);
        else
            to->body->see(*this, what);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

// What they are told.

void* store::own_value(entity e, id word) const {
    if (const side_set* const side = side_of(word))
        return side->info().size != 0 ? side->find(index_of(e)) : nullptr;
    const row_ref at = locate(e);
    return at ? own_value(at, word) : nullptr;
}

occurrence store::occurrence_of(event what, entity e, id word) const {
    occurrence made;
    made.what = what;
    made.subject = made.seen_at = e;
    made.word = word;
    made.value = word ? own_value(e, word) : nullptr;
    made.in = face_;
    return made;
}

/// The value of a pair whose target is kept in a column is kept under the relation's own name, which is not
/// what anybody asked for.
void store::announce(event what, entity e, id word) noexcept {
    try {
        if (observers_->doomed.find(e.value())) return;
        if (word.is_entity() && rules_of(word).any_of(rule::non_fragmenting)) {
            const entity target = target_of(e, word.as_entity());
            if (!target || what != event::set) return;
            word = pair(word, target);
        }
        const std::shared_ptr<const observer_list> list = observers_->of(what, word);
        for (const auto& to : *list) tell(to, occurrence_of(what, e, word));
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

/// What the monitors of the identifier should look at; `what` says whether the entity ends.
void store::announce_match(event what, entity e, id word) noexcept {
    try {
        if (observers_->doomed.find(e.value())) return;
        const std::shared_ptr<const observer_list> list = observers_->of(event::matching, word);
        for (const auto& to : *list) tell(to, occurrence_of(what, e, {}));
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void store::announce_departure(const table& from, const table& to, entity e) noexcept {
    if (!observers_) return;
    observers_->changes.begin_occasion();
    for_each_missing(from.type(), to.type(), [&](id word) { announce(event::removed, e, word); });
}

void store::announce_arrival(const table& from, const table& to, entity e, given_values given) noexcept {
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
        if (has_value(to, word)) announce(event::set, e, word);
    for_each_missing(to.type(), from.type(), [&](id word) {
        if (to.togglable() && is_hidden(e, word)) announce(event::disabled, e, word);
        announce_match(event::matching, e, word);
    });
    for_each_missing(from.type(), to.type(), [&](id word) {
        if (is_disabled_tag(word)) announce(event::enabled, e, {});
        announce_match(event::matching, e, word);
    });
}

bool store::is_fixture(entity e) const {
    return index_of(e) < entity_index::first_ordinary || is_component(e);
}

void store::announce_spawn(const table& in, entity e) noexcept {
    watched_.row_came(in, e);
    note_heritage(root(), in, e);
    if (!observers_) return;
    observers_->changes.begin_occasion();
    if (!is_fixture(e)) announce(event::spawned, e, {});
    announce_arrival(root(), in, e, {.all_new = true});
}

void store::announce_spawns(const table& in, std::span<const entity> all) {
    as_one([&] {
        for (const entity e : all) announce_spawn(in, e);
    });
}

void store::announce_spawns(const table& in, entity only) { announce_spawns(in, {&only, 1}); }

void store::announce_aside(entity e, const side_set& side, bool sets) {
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

void store::announce_toggle(entity e, id word, bool enabled) {
    as_one([&] {
        observers_->changes.begin_occasion();
        announce(enabled ? event::enabled : event::disabled, e, word);
        announce_match(event::matching, e, word);
    });
}

/// A pair of a relation that keeps its target in a column.
void store::announce_link(event what, entity e, id word) noexcept {
    if (!watched_.empty()) [[unlikely]]
        what == event::added ? watched_.came(e, word) : watched_.left(e, word);
    if (!observers_) return;
    observers_->changes.begin_occasion();
    announce(what, e, word);
    if (what == event::added) announce_match(event::matching, e, word);
}

void store::written(entity e, id word) { written(e, {&word, 1}); }

void store::written(entity e, std::span<const id> words) {
    const auto is_aside = [&](id word) { return side_of(word) != nullptr; };
    if (!entities_->alive(e)) return;
    const row_ref at = locate(e);
    const bool concerns_nobody = at && !at.block->owner->watched && !at.block->owner->inherits;
    if (concerns_nobody && !std::ranges::any_of(words, is_aside)) return;
    if (!watched_.empty())
        for (const id word : words) {
            const held_value value = held(e, word);
            touch(value.holder, value.word, now());
        }
    if (!observers_) return;
    if (deferring_)
        return defer(
            [e, all = std::vector<id>(words.begin(), words.end())](store& in) { in.written(e, all); });
    announce_written(e, words);
}

void store::written(entity e, std::span<const id> words, std::span<const bool> which) {
    std::vector<id> all;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (which[i]) all.push_back(words[i]);
    if (!all.empty()) written(e, all);
}

/// Whether the rows of the table, or whoever is in them, may have a value of the identifier: a tag has none.
bool store::has_value(const table& in, id word) const {
    const side_set* const side = side_of(word);
    return side ? side->info().size != 0 : in.column_of(word) != nullptr;
}

void store::announce_written(entity e, std::span<const id> words) {
    as_one([&] {
        observers_->changes.begin_occasion();
        for (const id word : words) {
            const held_value value = held(e, word);
            announce(event::set, value.holder, value.word);
        }
    });
}

// Ends.

/// What the entity itself has, with the pairs that are kept in columns, and what is kept outside tables: in
/// one order, so that who is told of an end is not told where things are kept.
std::vector<id> store::words_of(entity e) const {
    const row_ref at = locate(e);
    std::vector<id> words;
    for (const id word : at.block->owner->type())
        words.push_back(
            word.is_wildcard() ? pair(entities_->at(word.relation_index()), linked_target(at, word)) : word);
    for (const side_set* const side : sides_)
        if (side->contains(index_of(e))) words.push_back(side->word);
    std::ranges::sort(words);
    return words;
}

void store::announce_end(entity e) noexcept {
    try {
        const std::vector<id> words = words_of(e);
        observers_->changes.begin_occasion();
        for (const id word : words) announce(event::removed, e, word);
        if (!is_fixture(e)) announce(event::despawned, e, {});
        for (const id word : words) announce_match(event::despawned, e, word);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

/// Announces every end while everybody is still there. Nothing more is told of them until forget_doomed.
void store::announce_ends(const std::vector<entity>& doomed) noexcept {
    if (!observers_) return;
    try {
        flat_map<bool> told;
        for (const entity e : doomed) told[e.value()] = true;
        for (const entity e : doomed)
            if (locate(e).block->owner->watched) announce_end(e);
        observers_->doomed = std::move(told);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void store::forget_doomed() noexcept {
    if (observers_) observers_->doomed.clear();
}

void store::announce_world_end() noexcept {
    if (!observers_) return;
    observers_->begin_world_end();
    attend();
    observers_->changes.stop();
    for (const bool fixtures : {false, true})
        for (const auto& t : tables_.all())
            for (chunk* const in : t->chunks())
                for (const entity e : std::span(in->entities(), in->count))
                    if (t->watched && is_fixture(e) == fixtures) announce_end(e);
    observers_->changes.clear();
    observers_->queued.clear();
}

/// Waits, because a table comes and goes in the middle of changes.
void store::announce_table(event what, const table& t) noexcept {
    if (!observers_) return;
    try {
        if (observers_->of(what, {})->empty()) return;
        auto told = [what, type = std::vector<id>(t.type().begin(), t.type().end())](store& in) {
            occurrence made = in.occurrence_of(what, {}, {});
            made.type = type;
            const std::shared_ptr<const observer_list> list = in.observers_->of(what, {});
            for (const auto& to : *list) in.tell(to, made);
        };
        observers_->changes.wait(std::move(told));
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

// What the user announces.

bool store::emit(entity e, const occurrence& what, id along) {
    if (!entities_->alive(e)) return false;
    if (!observers_) return true;
    const entity relation = along ? localize(along).as_entity() : entity{};
    as_one([&] {
        observers_->changes.begin_occasion();
        const std::shared_ptr<const observer_list> list = observers_->of(event::custom, what.word);
        flat_map<bool> seen;
        for (entity at = e; at && !std::exchange(seen[at.value()], true);) {
            occurrence here = what;
            here.subject = e;
            here.seen_at = at;
            here.in = face_;
            for (const auto& to : *list) tell(to, here);
            at = relation && !here.stopped() ? target_of(at, relation) : entity{};
        }
    });
    return true;
}

/// Of an identifier that the entity no longer has nobody is told, unless it is its end that was to be told.
std::size_t store::dispatch() {
    if (!observers_) return 0;
    require_still();
    std::deque<queued_occurrence> all = std::exchange(observers_->queued, {});
    std::size_t told = 0;
    as_one([&] {
        for (const queued_occurrence& q : all) {
            const bool ends = q.what == event::removed || q.what == event::despawned;
            const bool alive = entities_->alive(q.subject);
            const bool is_so =
                q.what == event::custom || !q.word || (has(q.subject, q.word) && is_observed(*q.to, q.word));
            if (q.to->ended || (!ends && q.subject && !(alive && is_so))) continue;
            occurrence made = occurrence_of(q.what, q.subject, ends ? id{} : q.word);
            made.seen_at = q.seen_at;
            made.word = q.word;
            made.payload = q.payload.get();
            made.payload_type = q.payload_type;
            made.type = q.type;
            const telling now(*this);
            try {
                q.to->body->see(*this, made);
            } catch (...) {
                observers_->changes.fail(std::current_exception());
            }
            ++told;
        }
    });
    return told;
}

/// Whether the observer is to be told of what the entity, which is there already, has.
bool store::is_so_for(const observer_record& to, entity e, id word) const {
    if (!is_observed(to, word)) return false;
    switch (to.what) {
    case event::added: return true;
    case event::set: return own_value(e, word) != nullptr;
    case event::disabled: return !to.terms.empty() && is_hidden(e, word);
    default: return false;
    }
}

/// The same of the entity as a whole.
bool store::is_so_for(const observer_record& to, entity e) const {
    if (to.what == event::spawned) return !is_fixture(e);
    return to.what == event::disabled && to.terms.empty() && has(e, disabled);
}

void store::tell_existing(const std::shared_ptr<observer_record>& to) {
    const auto tell_of = [&](entity e) {
        observers_->changes.begin_occasion();
        if (is_so_for(*to, e)) tell(to, occurrence_of(to->what, e, {}));
        for (const id word : words_of(e))
            if (is_so_for(*to, e, word)) tell(to, occurrence_of(to->what, e, word));
    };
    for (const auto& t : tables_.all())
        for (chunk* const in : t->chunks())
            std::ranges::for_each(std::span(in->entities(), t->watched ? in->count : 0), tell_of);
}

} // namespace ecs
