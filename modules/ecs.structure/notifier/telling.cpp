// SPDX-License-Identifier: MIT
// Whether an observer is told of what has happened, and telling it: at once, from below, or at a dispatch.
module ecs.structure;
import ecs.std;

namespace ecs {

// Which observers are told.

/// Keeps the whole handles of the entities that the indices in the pattern stand for now.
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

/// An entity that the pattern names may have ended: then the pattern stands for nothing, whichever entity has
/// the index now.
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

/// For events of the user that travel, and for events that are seen below the entity that they happened to.
bool notifier::is_observed(const observer_record& to, const event_context& what) const {
    if (what.seen_at == what.subject || what.what == event::custom) return is_observed(to, what.word);
    return std::ranges::any_of(to.above,
                               [&](const pattern_above& t) { return stands_for(t.component, what.word); });
}

/// An observer is notified once for a change, however many of its terms match. A monitor looks after each
/// step.
bool notifier::is_told_once(const observer_record& to) {
    const bool is_of_many = to.terms.size() + to.absent.size() > 1 || !to.above.empty() ||
                            (to.filtered && to.terms.size() == 1 && to.terms.front().pattern.is_wildcard());
    return is_of_many && !to.what.has(event::matching);
}

bool notifier::has_been_told(const observer_record& to, const event_context& what) const {
    if (to.last_change != observers_->changes.occasion() || !is_told_once(to)) return false;
    if (to.last_told_of == what.seen_at) return to.last_events.has(what.what);
    const event_set* const earlier = to.told_before.find(what.seen_at.value());
    return earlier && earlier->has(what.what);
}

/// Whether the observer is told of the event at this entity. Each observer is told where the event begins;
/// while it travels, only observers that ask for certain entities are.
bool notifier::is_seen_by(const observer_record& to, const event_context& what) const {
    if (to.options.only) return to.options.only.contains(what.seen_at);
    return what.seen_at == what.subject || !to.others.empty() || to.filtered;
}

bool notifier::concerns(const observer_record& to, const event_context& what) const {
    if (to.ended || !is_seen_by(to, what)) return false;
    if (has_been_told(to, what) || !is_observed(to, what)) return false;
    return has_others(to, what.seen_at) && (!to.filtered || to.body->accepts(what));
}

bool notifier::has_others(const observer_record& to, entity at) const {
    return std::ranges::all_of(to.others, [&](const observed_pattern& t) {
        return stands_for(t, t.pattern) && reads_.has(at, t.pattern);
    });
}

/// The observer is told of another entity on the same occasion, which may come back to the one before. Throws
/// std::bad_alloc; then nothing has changed.
static void turn_to(observer_record& to, entity next) {
    to.told_before[to.last_told_of.value()] = to.last_events;
    const event_set* const earlier = to.told_before.find(next.value());
    to.last_events = earlier ? *earlier : event_set{};
}

/// Notes that the observer is being told of the event.
void notifier::note_told(observer_record& to, const event_context& what) const {
    if (!is_told_once(to)) return;
    const std::uint64_t occasion = observers_->changes.occasion();
    if (to.last_change != occasion) {
        if (to.told_before.size() != 0) to.told_before.clear();
        to.last_events = {};
    } else if (to.last_told_of != what.seen_at) {
        turn_to(to, what.seen_at);
    }
    to.last_change = occasion;
    to.last_told_of = what.seen_at;
    to.last_events.insert(what.what);
}

void notifier::tell(const std::shared_ptr<observer_record>& to, const event_context& what) noexcept {
    try {
        if (to->ended) return;
        if (to->disabled) return to->body->pass_over(what);
        if (!concerns(*to, what)) return;
        note_told(*to, what);
        const notify_scope now(*this);
        if (to->options.queued) {
            queued_event made(to, what); // To copy the payload may emit another event, which comes first.
            observers_->queued.push_back(std::move(made));
        } else {
            to->body->see(what);
        }
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void notifier::tell_listed(const std::shared_ptr<observer_record>& to, const event_context& what) {
    to->is_of_one ? tell_at_once(*to, what) : tell_with_those_below(to, what);
}

void notifier::tell_at_once(observer_record& to, const event_context& what) noexcept {
    try {
        if (to.ended) return;
        if (to.disabled) return to.body->pass_over(what);
        const notify_scope now(*this);
        to.body->see(what);
    } catch (...) {
        observers_->changes.fail(std::current_exception());
    }
}

void observer_body::see_at(event what, entity e, id word, void* value, const notifier& of) {
    see(of.context_of(what, e, word, value));
}

void notifier::tell_plainly(const told_list& all, const event_context& what) noexcept {
    const notify_scope now(*this);
    for (const auto& to : all.observers) {
        try {
            if (to->ended) continue;
            to->disabled ? to->body->pass_over(what) : to->body->see(what);
        } catch (...) {
            observers_->changes.fail(std::current_exception());
        }
    }
}

void notifier::tell_amid_others(const told_list& all, event what, entity e, id word, void* value) noexcept {
    tell_plainly(all, context_of(what, e, word, value));
}

void notifier::pass_over(const observer_record& to, event what, entity e, id word, void* value) const {
    if (!to.ended) to.body->pass_over(context_of(what, e, word, value));
}

/// Writes of one value are frequent: where all is known, one function does everything.
void notifier::written_at_hand(entity e, id word, void* value, const write_hearing& hears) {
    if (!tracker_.empty()) [[unlikely]]
        touch(e, word, now());
    if (hears.who != audience::observers) return;
    const bool is_known = hears.observers && hears.version == observers_->version();
    if (!is_known || !hears.observers->is_plain || observers_->are_some_despawning()) [[unlikely]]
        return tell_written(e, word, value);
    change_queue::open_change whole(observers_->changes, *this); // No occasion: a plain list asks for none.
    tell_each_plainly(*hears.observers, event::set, e, word, value);
    whole.close();
}

void notifier::tell_written(entity e, id word, void* value) {
    as_one([&] {
        observers_->changes.begin_occasion();
        announce_value(event::set, e, word, value);
    });
}

/// Tells of the entity, and of the entities below that see there what the observer looks for above them.
void notifier::tell_with_those_below(const std::shared_ptr<observer_record>& to, const event_context& what) {
    tell(to, what);
    if (to->ended || to->disabled) return;
    for (const pattern_above& t : to->above) {
        if (!rows_.entities().alive(t.relation)) continue;
        if (stands_for(t.component, what.word)) tell_below(to, what, t, what.subject);
        if (t.leads_there(what.word)) tell_of_way(to, what, t);
    }
}

/// Tells that the entity comes to see what the target of the pair has or sees, or is about to cease to see
/// it. The same is told of the entities below, unless the entity ends: then it is told when they lose it.
void notifier::tell_of_way(const std::shared_ptr<observer_record>& to, const event_context& what,
                           const pattern_above& seen) {
    const id pattern = seen.component.pattern;
    if (what.what != event::added && what.what != event::removed) return;
    const entity target = reads_.target_of_pair(what.word);
    const entity holder = target ? reads_.nearest(target, seen.relation, pattern, true) : entity{};
    if (!holder || !stands_for(seen.component, pattern)) return;
    if (what.what == event::removed && is_told_of_end(holder)) return;
    const std::vector<id> own = reads_.own_matches(holder, pattern);
    event_context there = context_of(what.what, holder, own.empty() ? pattern : own.front());
    there.value = reads_.find(holder, there.word);
    tell_below(to, there, seen, what.subject, !ending_);
}

/// Calls visit for the top and for every entity below it along the relation, nearer ones first and each once.
/// The entities below an entity are visited only if visit says so of that entity.
template <class F> void notifier::for_each_below(entity top, entity relation, const F& visit) const {
    std::vector<entity> found{top};
    flat_map<bool> known;
    known[top.value()] = true;
    for (std::size_t next = 0; next < found.size(); ++next) {
        const entity at = found[next];
        if (!visit(at)) continue;
        for (const entity below : reads_.own_sources(pair(relation, at)))
            if (!std::exchange(known[below.value()], true)) found.push_back(below);
    }
}

/// Tells of the top, unless the event happens there, and of the entities below it. An entity that has the
/// component itself hides it from the entities below.
void notifier::tell_below(const std::shared_ptr<observer_record>& to, const event_context& what,
                          const pattern_above& seen, entity top, bool goes_down) {
    const id word = seen.component.pattern;
    for_each_below(top, seen.relation, [&](entity at) {
        if (at == what.subject) return true;
        event_context here = what;
        here.seen_at = at;
        if (!is_told_of_end(at) && reads_.nearest(at, seen.relation, word, seen.itself) == what.subject)
            tell(to, here);
        return goes_down && !reads_.is_enabled(at, word);
    });
}

/// Lets the monitor look at the entity, and at the entities below that see what has changed, or see by way of
/// it.
void notifier::tell_monitor(const std::shared_ptr<observer_record>& to, event what, entity e, id word) {
    tell(to, context_of(what, e, {}));
    if (what == event::despawned) return;
    const bool leads_to_base = word && rows_.traits_of(word).any_of(trait::inheritance);
    for (const pattern_above& t : to->above) {
        if (!leads_to_base && !stands_for(t.component, word) && !t.leads_there(word)) continue;
        for_each_below(e, t.relation, [&](entity at) {
            if (at != e && !is_told_of_end(at)) tell(to, context_of(event::matching, at, {}));
            return at == e || !reads_.is_enabled(at, t.component.pattern);
        });
    }
}

event_context notifier::context_of(event what, entity e, id word) const {
    return context_of(what, e, word, word ? reads_.own_value_of(e, word) : nullptr);
}

// What the user announces.

std::size_t notifier::emit(std::span<const entity> all, const event_context& what, id along) {
    std::size_t alive = 0;
    as_one([&] {
        for (const entity e : all) alive += static_cast<std::size_t>(emit(e, what, along));
    });
    return alive;
}

/// An event is an entity that is alive, or a pair.
bool notifier::is_event(id word) const {
    return word.kind() != id_kind::null && (!word.is_entity() || rows_.entities().alive(word.as_entity()));
}

bool notifier::emit(entity e, const event_context& what, id along) {
    if (!rows_.entities().alive(e) || !is_event(what.word)) return false;
    if (!observers_) return true;
    const entity relation = along ? rows_.resolve(along).as_entity() : entity{};
    as_one([&] {
        const telling_between_changes whole(*this);
        const change_queue::inner_occasion own(observers_->changes);
        event_context here = what;
        here.subject = e;
        here.in = owner_;
        tell_of_emitted(here, e);
        if (relation) emit_along(relation, here);
    });
    return true;
}

/// Tells of the event at each entity to which the relation leads from where it began, until one stops it.
void notifier::emit_along(entity relation, event_context& what) {
    flat_map<bool> seen;
    seen[what.subject.value()] = true;
    while (!what.stopped()) {
        const entity at = reads_.target_of(what.seen_at, relation);
        if (!at || std::exchange(seen[at.value()], true)) return;
        tell_of_emitted(what, at);
    }
}

void notifier::tell_of_emitted(event_context& what, entity at) {
    what.seen_at = at;
    for (const auto& to : observers_->of(event::custom, what.word, at)) {
        const bool has_no_more_to_ask = to->is_of_one && at == what.subject;
        has_no_more_to_ask ? tell_at_once(*to, what) : tell(to, what);
    }
}

static bool is_about_an_end(event what) { return what == event::removed || what == event::despawned; }

/// No observer is told of an identifier that the entity no longer has, unless the event was that it goes.
std::size_t notifier::dispatch() {
    if (!observers_ || (observers_->queued.empty() && observers_->changes.is_settled())) return 0;
    std::deque<queued_event> all = std::exchange(observers_->queued, {});
    std::size_t told = 0;
    as_one([&] {
        const telling_between_changes whole(*this);
        for (const queued_event& q : all) {
            if (q.to->ended || q.to->disabled) continue;
            if (!is_about_an_end(q.what) && q.subject && !is_still_so(q)) continue;
            const event_context made = context_of(q);
            const notify_scope now(*this);
            try {
                if (q.to->filtered && !is_about_an_end(q.what) && !q.to->body->accepts(made)) continue;
                q.to->body->see(made);
            } catch (...) {
                observers_->changes.fail(std::current_exception());
            }
            ++told;
        }
    });
    return told;
}

/// What a queued observer is told, with the value of now.
event_context notifier::context_of(const queued_event& q) const {
    const bool has_value = !is_about_an_end(q.what) && q.what != event::custom;
    event_context made = context_of(q.what, q.subject, has_value ? q.word : id{});
    made.seen_at = q.seen_at;
    made.word = q.word;
    made.payload = q.payload.get();
    made.payload_type = q.payload_type;
    made.type = q.type;
    return made;
}

/// Whether the event is still true of the entity. An event of the user's own stays true of one that has
/// ended, as far as the observer asks for nothing that it would have to have.
bool notifier::is_still_so(const queued_event& q) const {
    if (!has_others(*q.to, q.seen_at)) return false;
    if (q.what == event::custom) return true;
    if (!rows_.entities().alive(q.subject)) return false;
    if (q.what == event::disabled) return is_disabled(q.subject, q.word);
    if (q.what == event::enabled && is_disabled(q.subject, q.word)) return false;
    if (!q.word) return true;
    event_context then = context_of(q.what, q.subject, q.word);
    then.seen_at = q.seen_at;
    return is_observed(*q.to, then) &&
           (reads_.has(q.subject, q.word) || stands_for_any(q.to->absent, q.word));
}

/// Whether what the entity has under the identifier is disabled or, for null, the entity as a whole.
bool notifier::is_disabled(entity e, id word) const {
    return word ? reads_.is_hidden(e, word) : reads_.has(e, disabled);
}

/// The events of which the observer is to be told for an identifier that the entity has already. What a query
/// excludes is disabled where it finds the entity, and not what it finds.
event_set notifier::what_is_so(const observer_record& to, entity e, id word) const {
    event_set is_so;
    if (stands_for_any(to.absent, word)) return is_so;
    if (to.what.has(event::added)) is_so.insert(event::added);
    if (to.what.has(event::set) && reads_.own_value_of(e, word)) is_so.insert(event::set);
    if (to.what.has(event::disabled) && !to.terms.empty() && is_disabled(e, word))
        is_so.insert(event::disabled);
    return is_so;
}

/// The same for the entity as a whole.
event_set notifier::what_is_so(const observer_record& to, entity e) const {
    event_set is_so;
    if (to.what.has(event::spawned) && !rows_.is_fixture(e)) is_so.insert(event::spawned);
    if (to.what.has(event::disabled) && to.terms.empty() && is_disabled(e, {})) is_so.insert(event::disabled);
    return is_so;
}

void notifier::tell_existing(const std::shared_ptr<observer_record>& to) {
    const previous_scope nothing_was_written(*this, nullptr);
    const change_queue::inner_occasion own(observers_->changes);
    std::optional<change_queue::whole_occasion> whole; // An entity may see what several have.
    if (!to->above.empty()) whole.emplace(observers_->changes);
    const auto tell_all = [&](event_set is_so, entity e, id word) {
        for (const event what : {event::spawned, event::added, event::set, event::disabled})
            if (is_so.has(what)) tell_with_those_below(to, context_of(what, e, word));
    };
    const auto tell_of = [&](entity e) {
        observers_->changes.begin_occasion();
        tell_all(what_is_so(*to, e), e, {});
        const table& in = *rows_.locate(e).block->owner;
        for (const id word : reads_.words_of(e))
            if (!reads_.is_value_of_link(in, word)) // It is told of as the value of the pair.
                tell_all(what_is_so(*to, e, word), e, word);
    };
    for (std::size_t i = 0; i != rows_.tables().size(); ++i) // What is told may make tables.
        if (const table& t = *rows_.tables()[i]; t.tracked) rows_.for_each_entity(t, tell_of);
}

} // namespace ecs
