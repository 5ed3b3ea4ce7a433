// SPDX-License-Identifier: MIT
// Changes to a world that are recorded now, by any thread, and made at the next flush. See docs/parallel.md.
export module ecs.world:commands;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
import :assignment;
import :assignment_of_many;
import :command_applier;
import :command_buffer;
import :command_queue;
import :command_stream;
import :flush_report;
import :observe;
import :writing;

namespace ecs {

/// Ends a value when the command that carries it has been applied, or has thrown.
template <class Value> struct spent_value {
    Value* value;
    ~spent_value() { std::destroy_at(value); }
};

template <class Value> void discard_values(command_run& run) noexcept {
    for (std::uint32_t i = 0; i < run.count; ++i) std::destroy_at(std::addressof(run.value<Value>(i)));
}
template <class Value>
inline constexpr auto discard_of = trivial_to_destroy<Value> ? nullptr : &discard_values<Value>;

/// What a tag carries instead of a value.
struct no_value {};

template <class T> void apply_adds(command_applier& to, command_run& run) {
    engine& in = to.in();
    to.each(
        run, command_kind::add, [&](entity e, std::uint32_t) { return in.add(e, id_of_type<T>(in)); },
        [&](std::uint32_t first) { return to.move_some(edge_kind::adding, run, first); });
}
template <class T> void apply_removals(command_applier& to, command_run& run) {
    engine& in = to.in();
    to.each(
        run, command_kind::remove, [&](entity e, std::uint32_t) { return remove_value<T>(in, e); },
        [&](std::uint32_t first) { return to.move_some(edge_kind::removing, run, first); });
}
template <class T, bool Enabled> void apply_toggles(command_applier& to, command_run& run) {
    engine& in = to.in();
    to.each(run, Enabled ? command_kind::enable : command_kind::disable,
            [&](entity e, std::uint32_t) { return in.set_enabled(e, id_of_type<T>(in), Enabled); });
}

/// The component of a command that is about its type alone.
template <class T> id component_of_command(const engine& in, const command_run&) {
    return known_id_of_type<T>(in);
}
/// The same as a part of operations. A pair is about its target, too.
template <class T>
inline constexpr auto about_type = [] {
    if constexpr (component_type<T>)
        return &component_of_command<T>;
    else
        return nullptr;
}();

/// Whether no default value throws, nor the copy of a base's value.
template <class T>
inline constexpr bool is_made_safely =
    std::is_empty_v<T> || (safely_makeable<T> && (!can_be_copied<T> || safely_makeable<T, const T&>));

template <class T>
inline constexpr operation add_operation{&apply_adds<T>, nullptr,
                                         is_made_safely<value_of<T>> ? about_type<T> : nullptr};
template <class T> inline constexpr operation remove_operation{&apply_removals<T>, nullptr, about_type<T>};
template <class T> inline constexpr operation enable_operation{&apply_toggles<T, true>, nullptr};
template <class T> inline constexpr operation disable_operation{&apply_toggles<T, false>, nullptr};

/// Ends values that were moved to their places.
template <class T> void spend_values(command_run& run, std::uint32_t first, std::uint32_t count) {
    if constexpr (!trivial_to_destroy<T>)
        for (std::uint32_t i = first; i < first + count; ++i)
            std::destroy_at(std::addressof(run.value<T>(i)));
}

/// Sets as many values as go from one table to another together; returns how many.
template <class T> std::uint32_t set_many(engine& in, command_run& run, std::uint32_t first) {
    if constexpr (is_set_in_bulk<T>) {
        const auto value_at = [&](std::size_t i) -> T& {
            return run.value<T>(first + static_cast<std::uint32_t>(i));
        };
        const auto done = static_cast<std::uint32_t>(set_in_bulk<T>(in, run.targets(first), value_at));
        spend_values<T>(run, first, done);
        return done;
    } else {
        return 0;
    }
}

template <class T> void apply_sets(command_applier& to, command_run& run) {
    engine& in = to.in();
    const auto set_one = [&](entity e, std::uint32_t i) {
        const spent_value<value_of<T>> spent{std::addressof(run.value<value_of<T>>(i))};
        return set_value<T>(in, e, std::move(*spent.value));
    };
    to.each(run, command_kind::set, set_one,
            [&](std::uint32_t first) { return set_many<T>(in, run, first); });
}

template <class T> inline constexpr bool is_set_safely = safely_makeable<T, T> && is_replaced_in_place<T>;

template <class T>
inline constexpr operation set_operation{&apply_sets<T>, discard_of<value_of<T>>,
                                         is_set_safely<value_of<T>> ? about_type<T> : nullptr};

/// Makes a component from the arguments that were recorded for its constructor.
template <class T, class... A>
inline constexpr operation emplace_operation{
    [](command_applier& to, command_run& run) {
        engine& in = to.in();
        to.each(run, command_kind::add, [&](entity e, std::uint32_t i) {
            const spent_value<std::tuple<A...>> spent{std::addressof(run.value<std::tuple<A...>>(i))};
            return std::apply(
                [&](A&... arguments) { return emplace_value<T>(in, e, std::move(arguments)...); },
                *spent.value);
        });
    },
    discard_of<std::tuple<A...>>};

// Pairs whose entities wait for the flush, where whole handles are compared.

template <class R> [[nodiscard]] id pair_now(engine& in, entity target) {
    return in.rows().entities().pair_to(in.component_entity<R>(), target);
}

template <class R>
inline constexpr operation add_related_operation{
    [](command_applier& to, command_run& run) {
        engine& in = to.in();
        to.each(run, command_kind::add,
                [&](entity e, std::uint32_t i) { return in.add(e, pair_now<R>(in, run.value<entity>(i))); });
    },
    nullptr};

template <class R>
inline constexpr operation remove_all_related_operation{
    [](command_applier& to, command_run& run) {
        engine& in = to.in();
        to.each(run, command_kind::remove,
                [&](entity e, std::uint32_t) { return in.remove(e, pair(in.component_entity<R>(), any)); });
    },
    nullptr};

template <class R>
inline constexpr operation remove_related_operation{
    [](command_applier& to, command_run& run) {
        engine& in = to.in();
        to.each(run, command_kind::remove, [&](entity e, std::uint32_t i) {
            return in.remove(e, pair_now<R>(in, run.value<entity>(i)));
        });
    },
    nullptr};

/// The value of a pair, and the target of the pair.
template <class R> struct recorded_value {
    R value;
    entity target;
};

template <class R>
inline constexpr operation set_related_operation{
    [](command_applier& to, command_run& run) {
        engine& in = to.in();
        to.each(run, command_kind::set, [&](entity e, std::uint32_t i) {
            const spent_value<recorded_value<R>> spent{std::addressof(run.value<recorded_value<R>>(i))};
            return set_related<R>(in, e, spent.value->target, std::move(spent.value->value));
        });
    },
    discard_of<recorded_value<R>>};

// An entity that is spawned behind a barrier is alive before it has a row: whoever meets it there does as if
// it had ended.

/// Hands the values of components to a function, unless the entity has died.
template <class F, class... T>
inline constexpr operation patch_operation{
    [](command_applier& to, command_run& run) {
        engine& in = to.in();
        to.each(run, command_kind::patch, [&](entity e, std::uint32_t i) {
            const spent_value<F> spent{std::addressof(run.value<F>(i))};
            if (!in.rows().locate(e)) return add_result::not_alive;
            patch_values<T...>(in, e, std::move(*spent.value));
            return add_result::already_there;
        });
    },
    discard_of<F>};

/// A function that is called with the value of a pair, and the target of the pair.
template <class F> struct recorded_patch {
    F f;
    entity target;
};

template <class R, class F>
inline constexpr operation patch_related_operation{
    [](command_applier& to, command_run& run) {
        engine& in = to.in();
        to.each(run, command_kind::patch, [&](entity e, std::uint32_t i) {
            const spent_value<recorded_patch<F>> spent{std::addressof(run.value<recorded_patch<F>>(i))};
            if (!in.rows().locate(e)) return add_result::not_alive;
            patch_related<R>(in, e, spent.value->target, std::move(spent.value->f));
            return add_result::already_there;
        });
    },
    discard_of<recorded_patch<F>>};

/// An event of the user, and the relation along which it travels.
template <class Event> struct recorded_event {
    Event payload;
    propagation along;
};

template <class Event>
inline constexpr operation emit_operation{
    [](command_applier& to, command_run& run) {
        engine& in = to.in();
        to.each(run, command_kind::emit, [&](entity e, std::uint32_t i) {
            const spent_value<recorded_event<Event>> spent{
                std::addressof(run.value<recorded_event<Event>>(i))};
            if (!in.rows().locate(e)) return add_result::not_alive;
            return emit_event(in, e, spent.value->payload, spent.value->along) ? add_result::added
                                                                               : add_result::not_alive;
        });
    },
    discard_of<recorded_event<Event>>};

// Commands that need no type.

struct recorded_pair {
    entity relation;
    entity target;
};

extern const operation add_pair_operation;
extern const operation remove_pair_operation;
extern const operation add_id_operation;
extern const operation remove_id_operation;
extern const operation set_bytes_operation;
extern const operation enable_id_operation;
extern const operation disable_id_operation;
extern const operation clear_operation;
extern const operation despawn_operation;
extern const operation name_operation;
extern const operation barrier_operation;

/// Whether an argument of spawn is recorded by itself, because it is no part of a table's row.
template <class T>
concept outside_row = spawn_id<T> || is_sparse<std::remove_cvref_t<T>>;

/// The same for one argument among others: it is not recorded when it comes with another argument that is
/// recorded by itself and comes first.
template <class T, class... All>
inline constexpr bool is_recorded_alone =
    outside_row<T> ||
    ((outside_row<All> && comes_with<std::remove_cvref_t<T>, std::remove_cvref_t<All>>()) || ...);

/// Records changes of a world, which happen at the next flush. A commands object belongs to one thread at a
/// time; any number of objects may record at once, while the world is used or changed by its own thread. What
/// an object recorded is kept when it ends, and what it has not used goes back.
export class commands {
  public:
    /// As world.commands().
    explicit commands(std::shared_ptr<command_queue> of, command_buffer& into)
        : queue_(std::move(of)), into_(&into) {}
    commands(commands&& other) noexcept
        : queue_(std::move(other.queue_)), into_(std::exchange(other.into_, nullptr)) {}
    commands& operator=(commands&& other) noexcept {
        std::swap(queue_, other.queue_);
        std::swap(into_, other.into_);
        return *this;
    }
    ~commands() {
        if (into_) queue_->close(*into_);
    }

    /// A new entity with these components, and with the identifiers among the arguments added. It is alive
    /// for every thread from now on; its components can be found after the flush. Identifiers, pairs and
    /// components outside tables are commands of their own: they come at the place of this one, and a pair
    /// whose target has ended by then is dropped. Throws what a constructor throws, std::length_error when no
    /// index is left, and world_ended_error when the world has ended: then nothing has changed. With a name,
    /// identifiers or components outside tables, the entity is there before these are recorded: when that
    /// throws, as the move of a component may, it ends at the next flush.
    template <class... Arguments>
        requires(!begins_with_text<Arguments...>)
    entity spawn(Arguments&&... arguments) {
        if constexpr ((outside_row<Arguments> || ...)) {
            light_tuple<Arguments&&...> all{{std::forward<Arguments>(arguments)}...};
            return spawn_with_outside(
                all, typename chosen_places<is_recorded_alone<Arguments, Arguments...>...>::type{},
                typename chosen_places<!is_recorded_alone<Arguments, Arguments...>...>::type{});
        } else {
            return spawn_row(std::forward<Arguments>(arguments)...);
        }
    }

    /// A new entity with a name. The name is dropped when it is taken at the flush. Throws name_error at once
    /// when it cannot be one.
    template <class... Arguments> entity spawn(std::string_view text, Arguments&&... arguments) {
        require_sound_name(text);
        expect_to_take_back();
        const entity e = spawn(std::forward<Arguments>(arguments)...);
        give_name(e, text);
        return e;
    }

    /// Fills the span with new entities that have these components. Sources are those of world::spawn_into,
    /// and may supply components that are kept outside tables. Throws std::invalid_argument when a span has
    /// another length, and what a constructor or a function throws: entities made until then end at the
    /// flush. A function may record in this object; what it flushes is refused with iteration_error. Without
    /// components outside tables, rows are filled a chunk at a time.
    template <class... Sources> void spawn_into(std::span<entity> out, Sources&&... sources) {
        (require_length(sources, out.size()), ...);
        expect_to_take_back(out.size());
        const row_sources<std::remove_reference_t<Sources>...> all(sources...);
        const asking user(*into_->now);
        std::size_t made = 0;
        try {
            while (made != out.size()) made += spawn_some(out.subspan(made), all, made);
        } catch (...) {
            for (const entity e : out.first(made)) take_back(e);
            throw;
        }
    }

    /// The same; returns the entities.
    template <class... Sources> std::vector<entity> spawn_n(std::size_t count, Sources&&... sources) {
        std::vector<entity> made(count);
        spawn_into(made, std::forward<Sources>(sources)...);
        return made;
    }

    // Commands are applied at the flush, as the functions of the world with their names would be. One that is
    // refused then, because its entity has ended or for another reason, changes nothing, and the report of
    // the flush counts it. Several components or entities at once are as many commands, one after the other.
    // To record one throws std::bad_alloc and what making a value throws: then it is not recorded, and those
    // before it are.

    /// Adds the components with their default values.
    template <class... T>
        requires(sizeof...(T) != 0)
    void add(entity e) {
        static_assert((require_default_value<T>() && ...));
        (stream().record(add_operation<T>, {}, e), ...);
    }
    void add(entity e, id word) { stream().record(add_id_operation, word, e); }
    /// Does not compile: a value is given with set.
    template <component_type T>
        requires(!converts_to<const T&, id>)
    void add(entity, const T&) {
        static_assert(sizeof(T) == 0, "add gives a component its default value, as in add<T>(e): to give it "
                                      "this one write set(e, value)");
    }

    // A pair knows only the index of its target. These functions look at the whole handle, as those of the
    // world do. A relation whose index is too high for a pair is a failure of the flush: pair_error.

    /// Adds the pair to the entity, or takes it away.
    void add(entity e, entity relation, entity target);
    void remove(entity e, entity relation, entity target);
    void add(entity e, builtin relation, entity target) { add(e, relation.stand_in(), target); }
    void remove(entity e, builtin relation, entity target) { remove(e, relation.stand_in(), target); }
    template <component_type R> void add(entity e, entity target) {
        static_assert(require_relation_for_pairs<R>());
        stream().template record_value<entity>(add_related_operation<R>, {}, e, target);
    }
    template <component_type R> void remove(entity e, entity target) {
        stream().template record_value<entity>(remove_related_operation<R>, {}, e, target);
    }
    /// Removes the pairs of the relation, whatever the target is.
    template <component_type R> void remove(entity e, any_t) {
        stream().record(remove_all_related_operation<R>, {}, e);
    }
    /// Relates the entity to the target with this value, or replaces the value that is there.
    template <component_type R> void set(entity e, entity target, std::type_identity_t<R> value) {
        static_assert(require_related_value<R>());
        using related = recorded_value<R>;
        stream().template record_value<related>(set_related_operation<R>, {}, e, std::move(value), target);
    }

    /// Adds the component with this value, or replaces the value that is there.
    template <class T> void set(entity e, T value) { record_set<T>(e, std::move(value)); }
    template <pair_type P> void set(entity e, value_of<P> value) {
        static_assert(require_pair_value<P>());
        record_set<P>(e, std::move(value));
    }
    template <component_type First, component_type Second, component_type... Rest>
        requires(!converts_to<First, id>)
    void set(entity e, First first, Second second, Rest... rest) {
        if constexpr (comes_after_one_of<First, Second, Rest...>) {
            set(e, std::move(second), std::move(rest)...);
            record_set<First>(e, std::move(first));
        } else {
            record_set<First>(e, std::move(first));
            set(e, std::move(second), std::move(rest)...);
        }
    }

    /// Sets the value of a component or a pair of which only the identifier is known, as of one that is
    /// described at run time. The bytes are copied now. At the flush the report says so when the values of
    /// the component are of another size (add_result::no_value), or more than bytes (not_copyable): record
    /// run(e, f) for these. Throws std::invalid_argument at once for a null address, unless there are no
    /// bytes.
    void set(entity e, id word, const void* value, std::size_t bytes);
    /// Does not compile: the thread that records cannot ask the world how large a value is.
    template <class Value> void set(entity, id, const Value*) {
        static_assert(sizeof(Value*) == 0, "a value by its address comes with its size, as the thread that "
                                           "records cannot ask for it: write set(e, word, value, bytes)");
    }

    /// Does not compile: a value is given whole.
    template <component_type T, class First, class... Rest>
        requires part_of<First, T>
    void set(entity, First&&, Rest&&...) {
        static_assert(sizeof(T) == 0, "set takes a value of the component, not what it is made of: write "
                                      "set(e, T{...})");
    }

    /// Does not compile: a pair has the value behind its target, and one without a value is added.
    template <component_type R, std::same_as<entity> Target>
        requires(!converts_to<entity, R> && !pair_type<R>)
    void set(entity, Target) {
        static_assert(sizeof(R) == 0, "set gives a pair its value: write set<R>(e, target, value), or "
                                      "add<R>(e, target) for a pair without one");
    }

    /// Constructs the component at the flush, unless the entity has it then: also of a type that can be
    /// neither copied nor moved. The arguments are kept by value: what is to stay a reference is given as
    /// std::ref.
    template <component_type T, class... A> void emplace(entity e, A&&... arguments) {
        static_assert(require_emplaceable<T>());
        using kept = std::tuple<std::decay_t<A>...>;
        stream().template record_value<kept>(emplace_operation<T, std::decay_t<A>...>, {}, e,
                                             std::forward<A>(arguments)...);
    }

    /// Calls f(T&) with the value at the flush, as world::patch does: f changes no structure. An entity that
    /// has ended by then is passed over, and the report says so; one that lacks the component is an
    /// access_error among the failures of flush_error.
    template <class T, class F> void patch(entity e, F&& f) {
        static_assert(callable_with<F, value_of<T>&>,
                      "patch calls f with the value: f takes a reference to it");
        record_patch<T>(e, std::forward<F>(f));
    }
    /// Calls f(First&, Second&, ...) in the same way.
    template <component_type First, component_type Second, component_type... Rest, class F>
        requires std::invocable<F&, value_of<First>&, value_of<Second>&, value_of<Rest>&...>
    void patch(entity e, F&& f) {
        record_patch<First, Second, Rest...>(e, std::forward<F>(f));
    }

    /// Calls f(R&) with the value of the relation to the target in the same way.
    template <component_type R, class F> void patch(entity e, entity target, F&& f) {
        static_assert(!std::is_empty_v<R>, "the relation is an empty type, which has no values");
        static_assert(callable_with<F, R&>,
                      "f is called with the value of the relation: it takes a reference to it");
        using recorded = recorded_patch<std::decay_t<F>>;
        stream().template record_value<recorded>(patch_related_operation<R, std::decay_t<F>>, {}, e,
                                                 std::forward<F>(f), target);
    }

    /// Does not compile: a function that is recorded does not say by its parameters what it is for.
    template <has_parameters F> void patch(entity, F&&) {
        static_assert(sizeof(F) == 0, "patch names the components: write patch<T>(e, f)");
    }

    /// Takes the components away.
    template <class... T>
        requires(sizeof...(T) != 0)
    void remove(entity e) {
        (stream().record(remove_operation<T>, {}, e), ...);
    }
    void remove(entity e, id word) { stream().record(remove_id_operation, word, e); }
    /// Does not compile: what is removed is named by its type.
    template <component_type T>
        requires(!converts_to<const T&, id>)
    void remove(entity, const T&) {
        static_assert(sizeof(T) == 0, "a component is removed by its type: write remove<T>(e)");
    }

    /// Takes everything away that the entity has at the flush, as world::clear does; the report says why when
    /// that is refused.
    void clear(entity e) { stream().record(clear_operation, {}, e); }

    /// Ends the entities. What commands do to them afterwards is refused.
    void despawn(entity e);
    void despawn(std::span<const entity> all);

    /// Lets queries find the component again, or pass over it.
    template <class T> void enable(entity e) { stream().record(enable_operation<T>, {}, e); }
    template <class T> void disable(entity e) { stream().record(disable_operation<T>, {}, e); }
    void enable(entity e, id word) { stream().record(enable_id_operation, word, e); }
    void disable(entity e, id word) { stream().record(disable_id_operation, word, e); }
    /// Enables or disables the entity as a whole: queries pass over a disabled entity.
    void enable(entity e) { remove(e, disabled); }
    void disable(entity e) { add(e, disabled); }

    /// Throws name_error at once when the text cannot be a name.
    void set_name(entity e, std::string_view text);

    /// Emits the event at the flush, as world::emit does, after what was recorded before it.
    template <class Event>
        requires(!converts_to<Event, id>)
    void emit(entity e, Event payload, propagation along = {}) {
        using event = recorded_event<Event>;
        stream().template record_value<event>(emit_operation<Event>, {}, e, std::move(payload), along);
    }
    /// Does not compile: an event happens to an entity.
    template <class Event>
        requires(!converts_to<Event, id>)
    void emit(const Event&) {
        static_assert(sizeof(Event) == 0, "an event is emitted at an entity: write emit(e, event)");
    }

    /// Calls f(world&) at the flush.
    template <class F> void run(F&& f);

    /// Calls f(world&, e) at the flush, if the entity is alive then.
    template <class F> void run(entity e, F&& f);

    /// Whether the entity has been spawned, here or anywhere in the world, and has not ended. Wait-free.
    [[nodiscard]] bool alive(entity e) const { return queue_->entities() && queue_->entities()->alive(e); }

  private:
    [[nodiscard]] command_stream& stream() { return into_->now->stream; }

    /// Values outside the row are taken over before anything is recorded: when a move throws, nothing has
    /// been recorded.
    template <class All, std::size_t... Outside, std::size_t... InRow>
    entity spawn_with_outside(All& all, std::index_sequence<Outside...>, std::index_sequence<InRow...>) {
        light_tuple<std::remove_cvref_t<decltype(take<Outside>(all))>...> with_same_target{
            {take<Outside>(all)}...};
        expect_to_take_back();
        const entity e = spawn_row(take<InRow>(all)...);
        record_outside(e, with_same_target);
        return e;
    }
    template <class Outside> void record_outside(entity e, Outside& arguments) {
        try {
            unpack(
                [&]<class... T>(T&&... each) {
                    (add_in_turn<!comes_after_one_of<T, T...>>(e, each), ...);
                    (add_in_turn<comes_after_one_of<T, T...>>(e, each), ...);
                },
                arguments);
        } catch (...) {
            take_back(e);
            throw;
        }
    }
    template <bool IsItsTurn, class T> void add_in_turn(entity e, T& argument) {
        if constexpr (!IsItsTurn)
            return;
        else if constexpr (spawn_id<T>)
            add(e, id(argument));
        else
            set<std::remove_cvref_t<T>>(e, std::move(argument));
    }

    /// Spawns at least one entity, with the sources from `first` on; returns how many. See row_sources.
    template <class Generator>
    std::size_t spawn_some(std::span<entity> out, const Generator& generate, std::size_t first) {
        return [&]<class... T>(std::type_identity<std::tuple<T...>>) {
            if constexpr ((outside_row<T> || ...)) {
                out.front() =
                    std::apply([&](T&&... values) { return spawn(std::move(values)...); }, generate(first));
                return std::size_t{1};
            } else {
                return spawn_run<T...>(out, generate, first);
            }
        }(std::type_identity<decltype(generate(std::size_t{}))>{});
    }

    template <class... Components>
        requires(component_type<std::remove_cvref_t<Components>> && ...)
    entity spawn_row(Components&&... components) {
        static_assert(all_different<std::remove_cvref_t<Components>...>, "an entity has a component once");
        static_assert((require_spawnable<std::remove_cvref_t<Components>>() && ...));
        auto& block = block_with_room<std::remove_cvref_t<Components>...>();
        light_tuple<Components&&...> values{{std::forward<Components>(components)}...};
        if constexpr (!(is_trivial_to_make<std::remove_cvref_t<Components>, Components&&> && ...))
            return spawn_carefully(block, values);
        else
            return spawn_plainly(block, values);
    }

    /// For constructors that run no function of the user.
    template <class Block, class Values> entity spawn_plainly(Block& block, Values& values) {
        const row_ref at = block.next_row();
        block.values.construct(at, values);
        const entity e = queue_->entities()->issue_from(*into_->lane, {at.block->number(), at.row});
        at.block->entities()[at.row] = e;
        ++at.block->count;
        return e;
    }

    /// For constructors that may spawn through this object as well.
    template <class Block, class Values> entity spawn_carefully(Block& block, Values& values) {
        entity e;
        const asking user(*into_->now);
        take_identifiers({&e, 1});
        filling fill(*this, block, {&e, 1});
        fill.make([&](row_ref at, std::size_t) { block.values.construct(at, values); });
        return e;
    }

    /// Spawns as many entities as there is room for at once, and returns how many. When a source throws, none
    /// of them has been.
    template <class... Components, class Generator>
    std::size_t spawn_run(std::span<entity> out, const Generator& generate, std::size_t first_source) {
        static_assert((component_type<Components> && ...), "a source must supply components");
        static_assert((require_spawnable<Components>() && ...));
        static_assert(all_different<Components...>,
                      "an entity has a component once: two sources are of the same type");
        auto& block = block_with_room<Components...>();
        const row_ref first = block.next_row();
        const std::size_t room = first.block->capacity - first.row;
        const std::size_t rows = take_identifiers(out.first(std::min(out.size(), room)));
        filling fill(*this, block, out.first(rows));
        if constexpr (Generator::are_bytes)
            fill.copy([&](row_ref at, std::uint32_t count) {
                block.values.copy(at, generate, first_source, count);
            });
        else
            fill.make([&](row_ref at, std::size_t i) {
                std::tuple<Components...> values = generate(first_source + i);
                block.values.construct(at, values);
            });
        return rows;
    }

    /// Rows at the end of a block that come into being all together, or not at all: until then no other spawn
    /// can use them, nor the indices of their entities.
    class filling {
      public:
        filling(commands& of, spawn_block& in, std::span<entity> out)
            : of_(&of), in_(&in), first_(in.next_row()), out_(out) {
            in.close();
        }
        filling(const filling&) = delete;
        filling& operator=(const filling&) = delete;
        ~filling() { in_->reopen(*first_.block); }

        template <class Construct> void make(const Construct& construct) {
            std::uint32_t made = 0;
            try {
                for (; made != out_.size(); ++made) construct(row(made), made);
            } catch (...) {
                while (made != 0) in_->layout().destroy_values(row(--made));
                take_back();
                throw;
            }
            commit();
        }

        /// Copies the values of all rows together, which are bytes.
        void copy(const auto& columns) {
            columns(first_, static_cast<std::uint32_t>(out_.size()));
            commit();
        }

      private:
        [[nodiscard]] row_ref row(std::uint32_t n) const { return {first_.block, first_.row + n}; }
        void take_back() noexcept;
        void commit() noexcept;

        commands* of_;
        spawn_block* in_;
        row_ref first_;
        std::span<entity> out_;
    };

    /// Takes as many identifiers as can be had at once; returns how many. There is at least one.
    std::size_t take_identifiers(std::span<entity> out);

    /// The block of the bundle, with room for a row and an identifier to go with it.
    template <class... Components> typed_block<Components...>& block_with_room() {
        if (into_->identifiers() == 0) [[unlikely]]
            queue_->restock(*into_);
        auto& block = block_of<Components...>();
        if (!block.has_room()) [[unlikely]]
            begin_chunk(block);
        return block;
    }

    template <class... Components> typed_block<Components...>& block_of() {
        const std::uint32_t number = type_number<typed_block<Components...>, type_series::keys>();
        recording& now = *into_->now;
        if (now.recent_number != number) [[unlikely]]
            find_block<Components...>(number);
        return static_cast<typed_block<Components...>&>(*now.recent);
    }

    /// Makes the block of the bundle the recent one.
    template <class... Components> [[gnu::noinline]] void find_block(std::uint32_t number) {
        if (into_->now->barrier_due) begin_batch();
        recording& now = *into_->now;
        spawn_batch& batch = now.batches.back();
        if (!batch.keeps(number))
            batch.keep(number, std::unique_ptr<spawn_block>(new typed_block<Components...>(
                                   queue_->order_of(number, typed_block<Components...>::sources()))));
        now.recent = &batch.use(number);
        now.recent_number = number;
    }

    template <class... T, class F> void record_patch(entity e, F&& f) {
        using function = std::decay_t<F>;
        stream().template record_value<function>(patch_operation<function, T...>, {}, e, std::forward<F>(f));
    }

    template <class T> void record_set(entity e, value_of<T>&& value) {
        static_assert(require_settable<T>());
        if constexpr (std::is_empty_v<value_of<T>>)
            add<T>(e);
        else
            stream().template record_value<value_of<T>>(set_operation<T>, {}, e, std::move(value));
    }

    void give_name(entity fresh, std::string_view text);
    /// Makes the room that take_back needs, so that this works without memory: the entity ends at the flush.
    void expect_to_take_back();
    /// The same for as many entities. Throws std::bad_alloc.
    void expect_to_take_back(std::size_t entities);
    void take_back(entity fresh);
    void begin_batch();
    void begin_chunk(spawn_block& in);

    std::shared_ptr<command_queue> queue_;
    command_buffer* into_;
};

template <> inline constexpr bool is_service<commands> = true;

} // namespace ecs
