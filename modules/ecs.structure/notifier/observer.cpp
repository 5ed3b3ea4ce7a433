// SPDX-License-Identifier: MIT
// Lists of observers, which may begin and end while they are told.
module ecs.structure;
import ecs.std;
import ecs.core;
import ecs.storage;

namespace ecs {

namespace {

bool is_about_components(event what) {
    return what == event::added || what == event::set || what == event::removed;
}

bool match_any(const std::vector<observed_pattern>& patterns, id word) {
    return word &&
           std::ranges::any_of(patterns, [&](const observed_pattern& t) { return matches(t.pattern, word); });
}

/// Who is told of what an entity no longer has looks when monitors do.
bool wants(const observer_record& record, event what, id word) {
    if (record.ended) return false;
    if (what == event::matching && record.what.has(event::added)) return match_any(record.absent, word);
    if (!record.what.has(what)) return false;
    if (what == event::spawned || what == event::despawned) return !word;
    if (record.terms.empty() && !record.filtered) return bool(word) == is_about_components(what);
    const bool may_lead = what == event::added || what == event::removed || what == event::matching;
    return match_any(record.terms, word) || (word && std::ranges::any_of(record.above, [&](const auto& t) {
                                                 return matches(t.component.pattern, word) ||
                                                        (may_lead && t.leads_there(word));
                                             }));
}

/// Throws for what would never be told of the pattern, or without one.
void require_told(event what, id pattern) {
    if (what == event::matching)
        throw std::invalid_argument("event::matching is for monitors: write monitor<Terms...>(f)");
    if (what == event::custom && !pattern)
        throw std::invalid_argument("this does not say which event of your own is observed: write "
                                    "observe<event::custom, T>(f), or observe(own_event, f)");
    if (is_about_tables(what) && pattern)
        throw std::invalid_argument("tables come and go with whole types: observe table_created or "
                                    "table_removed without an identifier, and look at event_context::type");
}

/// What happens to others may be seen at an entity by an observer that looks above it.
bool is_about_certain_entities(const observer_record& record) {
    return record.options.only && record.above.empty();
}

/// Hooks are first to be told of what begins, and last of what ends.
bool is_told_first(const observer_record& record, event what) {
    return record.hook == (what != event::removed);
}

bool is_about_entities(const observer_record& record) {
    return (record.terms.empty() && !record.filtered) ||
           record.what.has_any({event::spawned, event::despawned});
}

} // namespace

std::shared_ptr<observer_record> make_record(event_set what, const observer_options& options,
                                             std::unique_ptr<observer_body> body) {
    if (options.queued && options.at_world_end)
        throw std::invalid_argument(
            "a queued observer is told at a dispatch, and none follows the end of a world: "
            "ask for queued or for at_world_end");
    if (options.only && what.has_any({event::table_created, event::table_removed}))
        throw std::invalid_argument("tables come and go with types, not with one entity: ask for no `only`");
    if (options.only && !options.only.is_anybody())
        throw std::invalid_argument("an observer of nobody would never be told: `only` names no entity, or "
                                    "null");
    if (options.previous && !what.has(event::set))
        throw std::invalid_argument("only a write has a value before it: ask for `previous` of event::set");
    if (options.previous && options.queued)
        throw std::invalid_argument("a queued observer is told when the old value is gone, and perhaps after "
                                    "other writes: ask for queued or for previous");
    auto made = shared<observer_record>();
    made->what = what;
    made->options = options;
    made->body = std::move(body);
    return made;
}

std::shared_ptr<observer_record> make_record_of_terms(event what, const observer_options& options,
                                                      std::unique_ptr<observer_body> body, std::size_t count,
                                                      const id* words, const bool* required) {
    const bool of_entities = what == event::spawned || what == event::despawned || what == event::custom;
    auto made = make_record(what, options, std::move(body));
    if (!of_entities)
        for (std::size_t i = 0; i < count; ++i)
            if (std::ranges::find(words, words + i, words[i]) == words + i) made->terms.push_back({words[i]});
    if (of_entities || count > 1)
        for (std::size_t i = 0; i < count; ++i)
            if (required[i]) made->others.push_back({words[i]});
    return made;
}

std::shared_ptr<observer_record> make_record_of_pattern(event what, const observer_options& options,
                                                        std::unique_ptr<observer_body> body, id pattern) {
    require_told(what, pattern);
    auto made = make_record(what, options, std::move(body));
    const bool of_entities = what == event::spawned || what == event::despawned;
    if (pattern) (of_entities ? made->others : made->terms).push_back({pattern});
    return made;
}

only_entities::only_entities(std::span<const entity> some)
    : named_(some.begin(), some.end()), are_named_(true) {
    std::ranges::sort(named_, {}, &entity::value);
    const auto doubles = std::ranges::unique(named_);
    named_.erase(doubles.begin(), doubles.end());
}

bool only_entities::contains(entity e) const {
    return std::ranges::binary_search(named_, e.value(), {}, &entity::value);
}

bool only_entities::is_anybody() const {
    return !named_.empty() && std::ranges::all_of(named_, [](entity e) { return static_cast<bool>(e); });
}

id require_observed(id word) {
    if (!word)
        throw std::invalid_argument("null cannot be observed: an observer of everything is made without an "
                                    "identifier");
    return word;
}

void observer::end() {
    const std::shared_ptr<observer_record> record = record_.lock();
    if (!record || record->ended) return;
    record->ended = true;
    record->home->note_end();
}

bool observer::active() const {
    const std::shared_ptr<observer_record> record = record_.lock();
    return record && !record->ended;
}

void observer::disable() { set_disabled(true); }
void observer::enable() { set_disabled(false); }

void observer::set_disabled(bool now) {
    if (const std::shared_ptr<observer_record> record = record_.lock()) record->disabled = now;
}

bool observer::enabled() const {
    const std::shared_ptr<observer_record> record = record_.lock();
    return record && !record->ended && !record->disabled;
}

/// Told of nothing unless each list has it, which memory may not suffice for.
observer observer_index::add(const std::shared_ptr<observer_record>& fresh) {
    fresh->home = this;
    fresh->number = ++numbers_;
    fresh->ended = true;
    all_.push_back(fresh);
    if (!has_alike(*fresh)) {
        stale_ = true;
        interests_.push_back(fresh);
    }
    file(fresh);
    asks_previous_ |= fresh->options.previous;
    fresh->ended = false;
    return observer(fresh);
}

void observer_index::file(const std::shared_ptr<observer_record>& fresh) {
    if (!is_about_certain_entities(*fresh))
        for (auto& lists : lists_) lists.clear();
    else
        for (const entity e : fresh->options.only.named()) by_entity_[e.value()].push_back(fresh);
}

void observer_index::withdraw(const std::shared_ptr<observer_record>& ended) {
    for (const entity e : ended->options.only.named()) {
        observer_list* const known = by_entity_.find(e.value());
        if (!known) continue;
        std::erase(*known, ended);
        if (known->empty()) by_entity_.erase(e.value());
    }
}

std::shared_ptr<const observer_list> observer_index::of(event what, id word, entity at) {
    const std::shared_ptr<const observer_list>& others = of_anybody(what, word);
    const observer_list* const own = at ? by_entity_.find(at.value()) : nullptr;
    if (!own) [[likely]]
        return others;
    observer_list wanting;
    std::ranges::copy_if(*own, std::back_inserter(wanting),
                         [&](const auto& record) { return wants(*record, what, word); });
    if (wanting.empty()) return others;
    const auto turn = [&](const auto& record) {
        return std::pair(!is_told_first(*record, what), record->number);
    };
    auto both = shared<observer_list>();
    std::ranges::merge(*others, wanting, std::back_inserter(*both), {}, turn, turn);
    return both;
}

/// Those that are not told of certain entities alone.
const std::shared_ptr<const observer_list>& observer_index::of_anybody(event what, id word) {
    const std::uint64_t key = word ? word.value() : ~std::uint64_t{0};
    auto& lists = lists_[static_cast<std::size_t>(what)];
    if (const auto* const known = lists.find(key)) return *known;
    auto list = shared<observer_list>();
    for (const bool first : {true, false})
        std::ranges::copy_if(all_, std::back_inserter(*list), [&](const auto& record) {
            return is_told_first(*record, what) == first && wants(*record, what, word) &&
                   !is_about_certain_entities(*record);
        });
    return lists[key] = std::move(list);
}

/// Whether one is told of the same already: then nothing is to be told of that was not.
bool observer_index::has_alike(const observer_record& fresh) const {
    constexpr auto same_patterns = [](const auto& a, const auto& b) {
        return std::ranges::equal(a, b, {}, &observed_pattern::pattern, &observed_pattern::pattern);
    };
    const auto is_alike = [&](const auto& known) {
        return !known->ended && known->what == fresh.what && known->filtered == fresh.filtered &&
               known->above.empty() && fresh.above.empty() && same_patterns(known->terms, fresh.terms) &&
               same_patterns(known->absent, fresh.absent);
    };
    return std::ranges::any_of(interests_, is_alike);
}

/// An observer without terms is told of every component. One that has ended may be like another that has not.
bool observer_index::concern(id word) const {
    const auto is_meant = [&](const observed_pattern& t) { return may_match(t.pattern, word); };
    const auto is_above = [&](const pattern_above& t) {
        return is_meant(t.component) || may_match(pair(t.relation, any), word);
    };
    return std::ranges::any_of(interests_, [&](const auto& record) {
        const bool of_everything = record->terms.empty() && !record->filtered &&
                                   record->what.has_any({event::added, event::set, event::removed});
        return of_everything || std::ranges::any_of(record->terms, is_meant) ||
               std::ranges::any_of(record->absent, is_meant) || std::ranges::any_of(record->above, is_above);
    });
}

bool observer_index::asks_previous(id word, entity at) {
    return std::ranges::any_of(*of(event::set, word, at), [](const auto& record) {
        return record->options.previous && !record->ended && !record->disabled;
    });
}

bool observer_index::concern_entities() const {
    return std::ranges::any_of(interests_, [](const auto& record) { return is_about_entities(*record); });
}

/// There are no more interests than there were: room for them is there.
void observer_index::forget_ended() {
    std::erase_if(all_, [&](const auto& record) {
        if (record->ended) withdraw(record);
        return record->ended;
    });
    interests_.clear();
    std::ranges::copy_if(all_, std::back_inserter(interests_),
                         [&](const auto& record) { return !has_alike(*record); });
    asks_previous_ = std::ranges::any_of(all_, [](const auto& record) { return record->options.previous; });
    for (auto& lists : lists_) lists.clear();
    stale_ = false;
}

void observer_index::begin_world_end() noexcept {
    for (const auto& record : all_)
        if (!record->hook && !record->options.at_world_end) record->ended = true;
    stale_ = true;
}

void observer_index::resume() noexcept {
    queued.clear();
    for (const auto& known : all_) {
        try {
            if (!known->ended) known->body->resume();
        } catch (const std::bad_alloc&) { // Then a monitor knows of no entity, and tells again which match.
        }
    }
}

} // namespace ecs
