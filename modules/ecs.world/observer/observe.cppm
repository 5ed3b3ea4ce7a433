// SPDX-License-Identifier: MIT
// Observers as users write them: a function, and the terms it asks for.
//
//   world.observe<event::added, Position>([](entity e, Position& p) { ... });
//   world.observe(event::removed, pair(likes, any), [](const event_context& what) { ... });
//   world.observe<Click>([](entity e, const Click& c) { ... });   an event of the user's own, whose type says
//                                                                 static constexpr bool is_event = true
//   world.observe<event::set, Position, previous<Position>>(
//       [](Position& now, const Position* before) { ... });
//   world.observe<event::added, event::removed>(
//       world.query<Position>().without<Frozen>(),
//       [](const event_context& what, Position& p) { ... });
//   world.monitor<Position, Velocity>([](entity e, bool matches) { ... });
export module ecs.world:observe;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.structure;
import ecs.query;

namespace ecs {

template <> inline constexpr bool is_service<event_context> = true;

/// The relation an event travels along, from the entity it is emitted on to that one's target, and so on;
/// stop ends it. Without a relation it stays where it is.
export struct propagation {
    id relation{};
};
/// Travels from the entity to its target in the relation, and on from there.
export [[nodiscard]] constexpr propagation propagate_along(id relation) { return {relation}; }
/// Travels to the parents.
export inline constexpr propagation propagate_to_parents{child_of};

/// A type that says of itself that it is an event of the user's own, and no component:
/// `static constexpr bool is_event = true`.
export template <class T>
concept event_type = requires { requires T::is_event; };

/// A term of an observer of event::set, which hands out a const T*: the value that the operation has written
/// over. It is null where there was none, as when the component is added; where this operation did not write
/// it; and where the library cannot know it, as when `modified` said that it was written. It asks for no
/// value to be there. Each write of the component makes a copy then.
export template <class T> struct previous;

/// What a term of an observer stands for.
template <class Term> struct observed_term {
    using component = typename term_traits<Term>::component;
    using argument = typename term_traits<Term>::argument;
    static constexpr bool is_required = !std::is_pointer_v<Term>;
    static constexpr bool is_previous = false;
};
template <class T> struct observed_term<previous<T>> {
    using component = T;
    using argument = const value_of<T>*;
    static constexpr bool is_required = false;
    static constexpr bool is_previous = true;
};

/// Does not compile when the term asks for an old value that there never is.
template <event What, class Term> consteval bool require_previous() {
    if constexpr (observed_term<Term>::is_previous) {
        using value = std::remove_pointer_t<typename observed_term<Term>::argument>;
        static_assert(What == event::set,
                      "only a write has a value before it: write observe<event::set, T, previous<T>>(f)");
        static_assert(!std::is_empty_v<value>, "previous<T> asks for the old value, and a tag has no value");
        static_assert(can_be_copied<value>,
                      "previous<T> hands out a copy of the old value, and T cannot be copied: observe "
                      "event::set without it, and keep what you need of the value yourself");
    }
    return true;
}

/// What observers of the event are told. The payload is referred to; it is copied where it has to be kept.
template <class Payload> [[nodiscard]] event_context context_of(id own_event, const Payload& payload) {
    event_context what;
    what.what = event::custom;
    what.word = own_event;
    what.payload = std::addressof(payload);
    what.payload_type = type_number<Payload, type_series::keys>();
    if constexpr (can_be_copied<Payload>)
        what.keep = [](const void* of) -> std::shared_ptr<const void> {
            return shared<const Payload>(*static_cast<const Payload*>(of));
        };
    return what;
}

// What emit returns for an event of which nobody is told.

[[nodiscard]] inline bool told_to_nobody(const engine& in, entity at) {
    return in.rows().entities().alive(at);
}
[[nodiscard]] std::size_t told_to_nobody(const engine& in, std::span<const entity> all);

/// Tells the observers of the event, at an entity or at several; see notifier::emit. Who observes a type has
/// made it a component: one that is none has no observers, and need not become one, which a loop would
/// refuse.
template <class Event, class Entities>
auto emit_event(engine& in, Entities at, const Event& payload, propagation along) {
    if (!in.rows().registered<Event>()) return told_to_nobody(in, at);
    return in.events().emit(at, context_of(in.component_entity<Event>(), payload), along.relation);
}

/// Does not compile when an observer of the event, with that many terms, would never be told.
template <event What, std::size_t Terms> consteval bool require_told() {
    static_assert(What != event::matching,
                  "event::matching is for monitors: write monitor<Terms...>(f), which is told when an entity "
                  "begins to satisfy the terms, and when it no longer does");
    static_assert(What != event::custom || Terms != 0,
                  "observe<event::custom>(f) does not say which event: write observe<event::custom, T>(f), "
                  "or observe(own_event, f) for an event that is an entity");
    static_assert(
        !events_of_tables.has(What) || Terms == 0,
        "tables come and go with whole types, and no term is asked for: write "
        "observe<event::table_created>(f), or event::table_removed, and look at event_context::type");
    return true;
}

/// Does not compile when the type does not say that it is an event of the user's own.
template <class Event> consteval bool require_event_type() {
    static_assert(event_type<Event>,
                  "observe<T>(f) observes an event of your own, and T does not say that it is one: to "
                  "observe a component write observe<event::set, T>(f), or event::added or "
                  "event::removed; to observe an event give T a static constexpr bool is_event = true, "
                  "or write observe<event::custom, T>(f)");
    return true;
}

/// Does not compile when a term is a filter, such as without<T>: there is nothing of it to be told of.
template <class... Terms> consteval bool require_no_filters() {
    static_assert(!(is_filter_term<Terms> || ...),
                  "a filter is a term of a query: write observe<event::added>(world.query<T>().without<U>(), "
                  "f); a tag that must be there is a term by itself: const U");
    return true;
}

/// Does not compile for a query with variables.
template <class... Terms> consteval bool cannot_observe_variables() {
    static_assert(sizeof...(Terms) > ~std::size_t{} / 2,
                  "variables cannot be observed: observe a query without them, and ask the other one in f");
    return true;
}

/// Does not compile for a query that is text alone.
template <class Query> consteval bool cannot_observe_text() {
    static_assert(sizeof(Query) == 0,
                  "a query that is text alone cannot be observed: name one of its terms as a type, as in "
                  "query<T>(text)");
    return true;
}

/// Does not compile when an observer of a query would never be told of the event.
template <event What> consteval bool require_query_event() {
    static_assert(What != event::matching,
                  "event::matching is for monitors: write monitor(query, f), which is told when an entity "
                  "begins to satisfy the query, and when it no longer does");
    static_assert(What != event::disabled,
                  "what is disabled no longer satisfies the query: write monitor(query, f), or "
                  "observe<event::disabled, T>(f)");
    static_assert(What != event::custom && !events_of_tables.has(What),
                  "a query says which entities, and this event is none of a component or an entity: write "
                  "observe<T>(query, f) for an event of your own, or observe<event::table_created>(f)");
    return true;
}

/// Does not compile when the event does not happen to a component, or to an entity that has it.
template <event What> consteval bool require_hook_event() {
    static_assert(
        What < event::table_created,
        "a hook is told what happens to a component: write hook<event::added, T>(f), or event::set, "
        "removed, disabled or enabled; events of your own are observed by observe<event::custom, "
        "T>(f), tables by observe<event::table_created>(f)");
    return true;
}

// World is the class of the world, which is not known here: functions may take it.

/// The ways in which an observer's function may be called, with the values it asks for or without.
template <class World, class F, class... Values>
inline constexpr bool takes_values =
    callable_with<F, const event_context&, Values...> || callable_with<F, World&, entity, Values...> ||
    callable_with<F, entity, Values...> || callable_with<F, Values...>;

/// Whether the function asks for the entity and the values at most, and for nothing else that is told.
template <class World, class F, class... Values>
concept takes_values_alone = // In this order, each only where those before it do not hold: see tell_function.
    (!callable_with<F, const event_context&, Values...>) && (!callable_with<F, World&, entity, Values...>) &&
    (callable_with<F, entity, Values...> || callable_with<F, Values...>);

template <class F, class... Values> void tell_values(F& f, entity e, Values... values) {
    if constexpr (callable_with<F, entity, Values...>)
        f(e, values...);
    else
        f(values...);
}

template <class World, class F, class... Values>
void tell_function(F& f, const event_context& o, Values... values) {
    if constexpr (callable_with<F, const event_context&, Values...>)
        f(o, values...);
    else if constexpr (callable_with<F, World&, entity, Values...>)
        f(static_cast<World&>(o.in), o.seen_at, values...);
    else if constexpr (takes_values_alone<World, F, Values...>)
        tell_values<F, Values...>(f, o.seen_at, values...);
    else if constexpr (callable_with<F, entity, id>)
        f(o.seen_at, o.word);
    else {
        static_assert(sizeof...(Values) != 0,
                      "an observer's function takes const event_context&; or entity, or "
                      "world& and entity; then, of an event of your own, const T&: a member that observers "
                      "write is mutable; and then the values of its terms. A singleton comes from "
                      "world.singleton<T>(), and no commands are needed: world.despawn(e) waits by itself");
        tell_function<World>(f, o);
    }
}

/// What a loop over a query hands out for a term.
template <class Term> using observed_item = typename argument_of_term<Term>::type;

/// An observer that asks for no values.
template <class World, class F> class plain_observer final : public observer_body {
  public:
    explicit plain_observer(F f) : f_(std::move(f)) {}
    void see(const event_context& what) override { tell_function<World>(f_, what); }
    void see_at(event what, entity e, id word, void* value, const notifier& of) override {
        if constexpr (takes_values_alone<World, F>)
            tell_values<F>(f_, e);
        else
            see(of.context_of(what, e, word, value));
    }

  private:
    F f_;
};

/// The value of a term at an entity; nullptr when it has none.
template <class Term>
[[nodiscard]] auto* value_at_event([[maybe_unused]] const lookup& in, const event_context& o, id word) {
    using argument = typename observed_term<Term>::argument;
    using value = std::remove_pointer_t<std::remove_reference_t<argument>>;
    if constexpr (observed_term<Term>::is_previous) {
        return static_cast<value*>(o.previous(word));
    } else if constexpr (std::is_empty_v<value>) {
        const bool there = matches(word, o.word) || in.has(o.seen_at, word);
        return there ? static_cast<value*>(&tag_value<std::remove_const_t<value>>()) : nullptr;
    } else {
        if (word == o.word && o.value && !word.has_relation()) [[likely]]
            return static_cast<value*>(o.value);
        return static_cast<value*>(in.value_told(word, o.word, o.value, o.seen_at));
    }
}

template <class Term, class Value> [[nodiscard]] decltype(auto) argument_of(Value* value) {
    if constexpr (!observed_term<Term>::is_required)
        return value;
    else
        return (*value);
}

/// Whether these terms are one, which hands out a value that the entity must have.
template <class... Terms> inline constexpr bool is_one_value = false;
template <class Term>
inline constexpr bool is_one_value<Term> =
    observed_term<Term>::is_required && !observed_term<Term>::is_previous &&
    !std::is_empty_v<std::remove_reference_t<typename observed_term<Term>::argument>>;

/// An observer that is handed values: the payload of an event of the user's own first, if Payload is not
/// void, then those of its terms. It is not told where a term that is no pointer has none.
template <class World, class F, class Payload, class... Terms>
class typed_observer final : public observer_body {
  public:
    typed_observer(const lookup& in, F f, std::array<id, sizeof...(Terms)> words)
        : in_(&in), f_(std::move(f)), words_(words) {}

    void see(const event_context& what) override { see(what, std::index_sequence_for<Terms...>{}); }
    void see_at(event what, entity e, id word, void* value, const notifier& of) override {
        if constexpr (is_told_value_alone)
            if (value) [[likely]] // Of the one term: there is no other.
                return (tell_values<F, typename observed_term<Terms>::argument>(
                            f_, e, *static_cast<pointed<Terms>>(value)),
                        ...);
        see(of.context_of(what, e, word, value), std::index_sequence_for<Terms...>{});
    }

  private:
    template <class Term> using pointed = std::remove_reference_t<typename observed_term<Term>::argument>*;
    /// Whether the function asks for one value of the entity, and for the entity at most.
    static constexpr bool is_told_value_alone = [] {
        if constexpr (std::is_void_v<Payload> && is_one_value<Terms...>)
            return takes_values_alone<World, F, typename observed_term<Terms>::argument...>;
        else
            return false;
    }();

    template <std::size_t... I>
    [[gnu::always_inline]] inline void see(const event_context& o, std::index_sequence<I...>) {
        if constexpr (!std::is_void_v<Payload>)
            if (!o.payload || o.payload_type != type_number<Payload, type_series::keys>()) return;
        const light_tuple<decltype(value_at_event<Terms>(*in_, o, id{}))...> values{
            {value_at_event<Terms>(*in_, o, words_[I])}...};
        if (((observed_term<Terms>::is_required && element<I>(values) == nullptr) || ...)) return;
        if constexpr (std::is_void_v<Payload>)
            tell_function<World, F, decltype(argument_of<Terms>(element<I>(values)))...>(
                f_, o, argument_of<Terms>(element<I>(values))...);
        else
            tell_function<World, F, const Payload&, decltype(argument_of<Terms>(element<I>(values)))...>(
                f_, o, *static_cast<const Payload*>(o.payload), argument_of<Terms>(element<I>(values))...);
    }

    const lookup* in_;
    F f_;
    std::array<id, sizeof...(Terms)> words_;
};

/// An observer that is told of the entities that satisfy a query, and handed the payload of an event of the
/// user's own, if Payload is not void, and what the query hands out.
template <class World, class F, class Payload, class... Terms>
class query_observer final : public observer_body {
  public:
    query_observer(query<Terms...> of, F f) : query_(std::move(of)), f_(std::move(f)) {}

    void see(const event_context& what) override {
        if constexpr (std::is_void_v<Payload>)
            tell(what);
        else if (what.payload && what.payload_type == type_number<Payload, type_series::keys>())
            tell<const Payload&>(what, *static_cast<const Payload*>(what.payload));
    }

    [[nodiscard]] bool accepts(const event_context& what) override { return query_.contains(what.seen_at); }
    [[nodiscard]] const query_core& core() { return query_.untyped(); }

    /// Whether the function takes what the query hands out.
    static constexpr bool takes_items = [] {
        if constexpr (sizeof...(Terms) == 0)
            return false;
        else if constexpr (std::is_void_v<Payload>)
            return takes_values<World, F, observed_item<Terms>...>;
        else
            return takes_values<World, F, const Payload&, observed_item<Terms>...>;
    }();

  private:
    template <class... Before> void tell(const event_context& what, Before... before) {
        if constexpr (takes_items)
            unpack_item(query_.get_as_told(what.seen_at, what.word), [&](observed_item<Terms>... items) {
                tell_function<World, F, Before..., observed_item<Terms>...>(f_, what, before..., items...);
            });
        else
            tell_function<World, F, Before...>(f_, what, before...);
    }

    /// The entity stands first unless a term asks for it.
    template <class Use> static void unpack_item(typename query<Terms...>::item&& item, const Use& use) {
        std::apply(
            [&](auto&&... all) {
                if constexpr (sizeof...(all) == sizeof...(Terms))
                    use(all...);
                else
                    [&](entity, auto&&... rest) { use(rest...); }(all...);
            },
            std::move(item));
    }

    query<Terms...> query_;
    F f_;
};

/// Throws std::invalid_argument where a term asks for something that no event of the entity itself answers.
void require_observable(const query_core& of);

/// The record of an observer of a query. Throws std::invalid_argument when the observer would never be told,
/// or when the query asks for something that no change of the entity itself answers.
[[nodiscard]] std::shared_ptr<observer_record> make_record_of_query(event_set what,
                                                                    const observer_options& options,
                                                                    std::unique_ptr<observer_body> body,
                                                                    const query_core& of);
/// Adds what the query looks for above entities: that sets the observer off as well.
void add_what_is_above(observer_record& to, const query_core& of);
/// The same for an event of the user at entities that satisfy a query.
[[nodiscard]] std::shared_ptr<observer_record> make_record_of_event(id own_event,
                                                                    const observer_options& options,
                                                                    std::unique_ptr<observer_body> body,
                                                                    const query_core& of);

/// Throws std::invalid_argument when the observer wants values that are gone when it is told.
void require_in_time(event_set what, bool takes_value, const observer_options& options);
/// Throws std::invalid_argument for what happens to no component.
void require_hook(event what);

template <class World, class... Terms, class F>
[[nodiscard]] std::shared_ptr<observer_record> observer_of_query(const engine& in, event_set what,
                                                                 query<Terms...> of, F f,
                                                                 const observer_options& options) {
    using body = query_observer<World, F, void, Terms...>;
    of.untyped().require_world(in);
    require_in_time(what, body::takes_items, options);
    auto made = std::make_unique<body>(std::move(of), std::move(f));
    const query_core& core = made->core();
    return make_record_of_query(what, options, std::move(made), core);
}

/// Throws std::invalid_argument when the event cannot be kept until the observer is told.
template <class Payload> void require_kept([[maybe_unused]] const observer_options& options) {
    if constexpr (!std::is_void_v<Payload>)
        if (!can_be_copied<Payload> && options.queued)
            throw std::invalid_argument("a queued observer gets a copy of an event, and this type has none");
}

/// The record for an event of the user at entities that satisfy a query.
template <class World, class Event, class... Terms, class F>
[[nodiscard]] std::shared_ptr<observer_record> observer_of_event(engine& in, query<Terms...> of, F f,
                                                                 const observer_options& options) {
    require_kept<Event>(options);
    of.untyped().require_world(in);
    auto made = std::make_unique<query_observer<World, F, Event, Terms...>>(std::move(of), std::move(f));
    const query_core& core = made->core();
    return make_record_of_event(in.component_entity<Event>(), options, std::move(made), core);
}

/// Whether the function takes the payload of an event, if there is one, and the values of the terms.
template <class World, class F, class Payload, class... Terms> consteval bool takes_asked() {
    if constexpr (!std::is_void_v<Payload>)
        return takes_values<World, F, const Payload&, typename observed_term<Terms>::argument...>;
    else if constexpr (sizeof...(Terms) != 0)
        return takes_values<World, F, typename observed_term<Terms>::argument...>;
    else
        return false;
}

/// Makes the body of an observer of terms, the values of which the function may leave out.
template <class World, class Payload, class... Terms, class F>
[[nodiscard]] observer_body* body_of(const engine& in, F f, std::array<id, sizeof...(Terms)> words) {
    if constexpr (takes_asked<World, F, Payload, Terms...>())
        return new typed_observer<World, F, Payload, Terms...>(in.reads(), std::move(f), words);
    else if constexpr (takes_asked<World, F, Payload>())
        return new typed_observer<World, F, Payload>(in.reads(), std::move(f), {});
    else
        return new plain_observer<World, F>(std::move(f));
}

/// The record of an observer of terms.
template <class World, class Payload, class... Terms, class F>
[[nodiscard]] std::shared_ptr<observer_record> observer_of(engine& in, event what, F f,
                                                           observer_options options) {
    static_assert(require_no_filters<Terms...>());
    require_in_time(what, takes_asked<World, F, Payload, Terms...>(), options);
    require_kept<Payload>(options);
    options.previous |= (observed_term<Terms>::is_previous || ...);
    const std::array<id, sizeof...(Terms)> words{id_of_type<typename observed_term<Terms>::component>(in)...};
    // One more, because there are no arrays of none.
    static constexpr bool required[]{observed_term<Terms>::is_required..., false};
    observer_body* const body = body_of<World, Payload, Terms...>(in, std::move(f), words);
    return make_record_of_terms(what, options, std::unique_ptr<observer_body>(body), sizeof...(Terms),
                                words.data(), required);
}

/// The record of an observer of an identifier decided at run time; of whole entities or tables when it is
/// null.
template <class World, class F>
[[nodiscard]] std::shared_ptr<observer_record> observer_of_id(engine& in, event_set what, id pattern, F f,
                                                              const observer_options& options) {
    return make_record_of_pattern(what, options,
                                  std::unique_ptr<observer_body>(new plain_observer<World, F>(std::move(f))),
                                  pattern ? in.rows().resolve(pattern) : id{});
}

/// Tells its function when an entity begins to satisfy a query, and when it no longer does.
template <class F, class... Terms> class monitor_body final : public observer_body {
  public:
    monitor_body(query<Terms...> of, F f) : query_(std::move(of)), f_(std::move(f)) {}

    void see(const event_context& what) override { look(what, true); }
    void pass_over(const event_context& what) override { look(what, false); }

    /// Notes, and tells if asked, which entities match already. Throws what the function throws first, when
    /// all are noted and told.
    void begin(bool tells) {
        std::exception_ptr failure;
        for (const entity e : query_.entities()) {
            try {
                note(e, true, tells);
            } catch (...) {
                if (!failure) failure = std::current_exception();
            }
        }
        if (failure) std::rethrow_exception(failure);
    }

    /// What the query asks of the program may throw, and memory run out: then the monitor knows of no entity,
    /// and tells again which match.
    void resume() noexcept override {
        matching_.clear();
        try {
            begin(false);
        } catch (...) {
            matching_.clear();
        }
    }

    [[nodiscard]] std::vector<id> patterns() { return query_.untyped().patterns(); }
    void add_above(observer_record& to) { add_what_is_above(to, query_.untyped()); }
    /// The events that the monitor has to hear of: an entity may begin to match, and cease to, without any of
    /// the components.
    [[nodiscard]] event_set occasions() {
        return query_.untyped().may_find_bare() ? event_set{event::matching, event::spawned, event::despawned}
                                                : event_set{event::matching};
    }

  private:
    void look(const event_context& what, bool tells) {
        note(what.subject, what.what != event::despawned && query_.contains(what.subject), tells);
    }

    void note(entity e, bool matches, bool tells) {
        const auto generation = static_cast<std::uint32_t>(e.generation());
        if ((matching_.value_or_default(e.index()) == generation) == matches) return;
        matching_.make_room(e.index());
        matching_[e.index()] = matches ? generation : 0;
        if (tells) f_(e, matches);
    }

    query<Terms...> query_;
    F f_;
    /// By index, the generation of the entity that matched last; 0 for none. An entity may end without a
    /// word, where it matched by what it inherited, and the next one with its index matches anew.
    paged_array<std::uint32_t, 4096> matching_;
};

template <class... Terms, class F>
observer observe_matches(engine& in, query<Terms...> of, F f, const observer_options& options) {
    static_assert(
        callable_with<F, entity, bool>,
        "a monitor is told who begins or ceases to satisfy the terms: f takes ecs::entity and bool");
    of.untyped().require_world(in);
    if (options.queued || options.only)
        throw std::invalid_argument("a monitor is told at once, and of every entity");
    require_observable(of.untyped());
    auto* const body = new monitor_body<F, Terms...>(std::move(of), std::move(f));
    auto made = make_record({}, options, std::unique_ptr<observer_body>(body));
    made->what = body->occasions();
    for (const id pattern : body->patterns()) made->terms.push_back({pattern});
    body->add_above(*made);
    if (made->terms.empty()) throw std::invalid_argument("a monitor needs a term");
    for (const builtin hides : {disabled, prefab_tag}) made->terms.push_back({in.rows().resolve(hides)});
    observer handle = in.events().observe(std::move(made));
    try {
        in.events().tell_as_one([&] { body->begin(options.existing); });
    } catch (...) { // Nobody has its handle.
        handle.end();
        throw;
    }
    return handle;
}

} // namespace ecs
