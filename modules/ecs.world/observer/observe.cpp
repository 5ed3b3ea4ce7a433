// SPDX-License-Identifier: MIT
// Observers of queries: which terms set an observer off.
module ecs.world;
import ecs.std;
import ecs.query;
import ecs.structure;

namespace ecs {

namespace {

void require_term_observable(const term& t) {
    if (t.kinds)
        throw std::invalid_argument(
            "an observer cannot use kinds: which components are kinds may change later");
    if (t.kind == term_kind::hidden)
        throw std::invalid_argument("an observer cannot ask a query for what is hidden: observe "
                                    "event::disabled and event::enabled");
    if (t.kind >= term_kind::added)
        throw std::invalid_argument("an observer is told of changes when they happen: observe event::set, "
                                    "event::added or event::removed, and ask the query for no changes");
}

/// Throws for no event, and for events that no term of a query asks for.
void require_query_events(event_set what) {
    require_some(what);
    if (what.has_any({event::matching, event::disabled}))
        throw std::invalid_argument("what is disabled no longer satisfies the query, and event::matching is "
                                    "for monitors: write monitor(query, f)");
    if (what.has(event::custom) || what.has_any(events_of_tables))
        throw std::invalid_argument(
            "a query says which entities, and this event is none of a component or an "
            "entity: write observe<T>(query, f) for an event of your own");
}

bool sets_off(const term& t) {
    return t.pattern && (!t.above || t.itself) && !t.of_other && t.kind != term_kind::without &&
           (t.kind != term_kind::optional || t.fetched);
}

std::shared_ptr<observer_record> make_filtered(event_set what, const observer_options& options,
                                               std::unique_ptr<observer_body> body, const query_core& of) {
    require_observable(of);
    auto made = make_record(what, options, std::move(body));
    made->filtered = true;
    return made;
}

} // namespace

std::size_t told_to_nobody(const engine& in, std::span<const entity> all) {
    std::size_t alive = 0;
    for (const entity e : all) alive += static_cast<std::size_t>(told_to_nobody(in, e));
    return alive;
}

void require_observable(const query_core& of) { std::ranges::for_each(of.terms(), require_term_observable); }

std::shared_ptr<observer_record> make_record_of_query(event_set what, const observer_options& options,
                                                      std::unique_ptr<observer_body> body,
                                                      const query_core& of) {
    require_query_events(what);
    auto made = make_filtered(what, options, std::move(body), of);
    for (const term& t : of.terms()) {
        if (sets_off(t)) made->terms.push_back({t.pattern});
        if (t.kind == term_kind::without && !t.above && what.has(event::added))
            made->absent.push_back({t.pattern});
    }
    add_what_is_above(*made, of);
    if (made->terms.empty() && made->absent.empty() && made->above.empty() &&
        !what.has_any(events_of_entities))
        throw std::invalid_argument("nothing would set the observer off: give the query a component, a tag "
                                    "or a pair that the entities must have");
    return made;
}

void add_what_is_above(observer_record& to, const query_core& of) {
    for (const term& t : of.terms())
        if (t.above) to.above.push_back({{t.pattern}, t.above, t.itself});
}

std::shared_ptr<observer_record> make_record_of_event(id own_event, const observer_options& options,
                                                      std::unique_ptr<observer_body> body,
                                                      const query_core& of) {
    auto made = make_filtered(event::custom, options, std::move(body), of);
    made->terms.push_back({own_event});
    return made;
}

void require_hook(event what) {
    if (what >= event::table_created)
        throw std::invalid_argument(
            "a hook is told what happens to a component: for an event of your own, or of "
            "tables, write observe");
}

void require_in_time(event_set what, bool takes_value, const observer_options& options) {
    if (options.queued && takes_value && what.has_any({event::removed, event::despawned}))
        throw std::invalid_argument("a queued observer is told of an end when the values are gone: its "
                                    "function must not take them");
}

} // namespace ecs
