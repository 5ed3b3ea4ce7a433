// SPDX-License-Identifier: MIT
// What observers are made of, and the handles to them.
module ecs.structure;
import ecs.std;
import ecs.core;
import ecs.storage;

namespace ecs {

namespace {

/// Throws std::invalid_argument when an observer of one of the events could never be told of the pattern, or
/// needs one.
void require_told(event_set what, id pattern) {
    require_some(what);
    if (what.has(event::matching))
        throw std::invalid_argument("event::matching is for monitors: write monitor<Terms...>(f)");
    if (what.has(event::custom) && !pattern)
        throw std::invalid_argument("this does not say which event of your own is observed: write "
                                    "observe<event::custom, T>(f), or observe(own_event, f)");
    if (what.has_any(events_of_tables) && pattern)
        throw std::invalid_argument("tables come and go with whole types: observe table_created or "
                                    "table_removed without an identifier, and look at event_context::type");
    if (pattern && what.has_any(events_of_entities) && !events_of_entities.has_all(what))
        throw std::invalid_argument("the identifier would be what an entity has when it is spawned or "
                                    "despawned, and what it gets or loses at the other events: make an "
                                    "observer of each");
}

} // namespace

std::shared_ptr<observer_record> make_record(event_set what, const observer_options& options,
                                             std::unique_ptr<observer_body> body) {
    if (options.queued && options.at_world_end)
        throw std::invalid_argument(
            "a queued observer is told at a dispatch, and none follows the end of a world: "
            "ask for queued or for at_world_end");
    if (options.only && what.has_any(events_of_tables))
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
    const bool is_of_entities = events_of_entities.has(what) || what == event::custom;
    auto made = make_record(what, options, std::move(body));
    if (!is_of_entities)
        for (std::size_t i = 0; i < count; ++i)
            if (std::ranges::find(words, words + i, words[i]) == words + i) made->terms.push_back({words[i]});
    if (is_of_entities || count > 1)
        for (std::size_t i = 0; i < count; ++i)
            if (required[i]) made->others.push_back({words[i]});
    return made;
}

std::shared_ptr<observer_record> make_record_of_pattern(event_set what, const observer_options& options,
                                                        std::unique_ptr<observer_body> body, id pattern) {
    require_told(what, pattern);
    auto made = make_record(what, options, std::move(body));
    if (pattern) (what.has_any(events_of_entities) ? made->others : made->terms).push_back({pattern});
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

void require_some(event_set what) {
    if (what == event_set{}) throw std::invalid_argument("an observer of no event would never be told");
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
    record->home->end(record);
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

} // namespace ecs
