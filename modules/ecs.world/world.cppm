// SPDX-License-Identifier: MIT
// The world as users see it: types in, values out.
export module ecs.world:world;
import ecs.std;
import ecs.id;
import ecs.registry;
import ecs.relation;
import :chunk;
import :component;
import :entities;
import :executor;
import :bulk;
import :bulk_move;
import :bundle;
import :command_hub;
import :commands;
import :flush_report;
import :flusher;
import :edit;
import :manifest;
import :observe;
import :observer;
import :property_list;
import :query;
import :reflection;
import :result;
import :side_set;
import :snapshot;
import :sources;
import :store;
import :table;
import :term;

namespace ecs {

/// Entities and their components. Up to 255 worlds exist at once; a handle knows its world and is refused in
/// others. One thread at a time, except where a function says otherwise.
export class world {
  public:
    world();
    ~world();

    /// A world whose components have the indices of the manifest.
    template <class... T> explicit world(manifest<T...> all) : world() { add_manifest(all); }

    /// Gives components the indices of the manifest. Throws std::invalid_argument when one has another
    /// already.
    template <class... T> void add_manifest(manifest<T...>) {
        (store_.register_at<T>(manifest<T...>::template index_of<T>), ...);
    }

    // Entities.

    /// A new entity with these components, in one step, and then with the identifiers among the arguments:
    /// tags and pairs. Throws what a constructor throws, and std::invalid_argument when an identifier cannot
    /// be added: then nothing has changed.
    template <class... Components>
        requires(!begins_with_text<Components...> && (component_type<std::remove_cvref_t<Components>> && ...))
    entity spawn(Components&&... components) {
        return spawn_with(std::forward<Components>(components)...);
    }

    /// A new entity with a name. Throws name_error when the name is taken. A std::string that comes first is
    /// a name, too; as a component it is given with set.
    template <class... Components> entity spawn(std::string_view text, Components&&... components) {
        const entity e = spawn_with(std::forward<Components>(components)...);
        try {
            store_.set_name(e, text);
        } catch (...) {
            store_.despawn(e);
            throw;
        }
        return e;
    }

    /// Fills the span with new entities that have these components, in one step for each chunk. An argument
    /// is a value, which each entity gets a copy of; a std::span of as many values as there are entities; or
    /// a function of the number of the entity, from 0 on, that returns a component or a std::tuple of them.
    /// With components that are kept outside tables, all values are made first.
    /// Throws std::invalid_argument when a span has another length, and what a constructor or the function
    /// throws: then none of the entities has been.
    template <class... Sources> void spawn_into(std::span<entity> out, Sources&&... sources) {
        (require_length(sources, out.size()), ...);
        spawn_rows(out, [&](std::size_t i) { return std::tuple_cat(values_at(sources, i)...); });
    }

    /// The same, and the entities are returned.
    template <class... Sources> std::vector<entity> spawn_n(std::size_t count, Sources&&... sources) {
        std::vector<entity> made(count);
        spawn_into(made, std::forward<Sources>(sources)...);
        return made;
    }

    /// New children of the entity, from the same sources, in one step for each chunk: as spawn_into and
    /// add(e, pair(child_of, parent)) for each. Throws access_error when the parent is not alive,
    /// std::invalid_argument when child_of refuses it, and what spawn_into throws: then none of them has
    /// been.
    template <class... Sources>
    void spawn_children_into(entity parent, std::span<entity> out, Sources&&... sources) {
        (require_length(sources, out.size()), ...);
        if (!alive(parent)) store_.refuse_access(parent, {}, "children");
        spawn_below(parent, out, [&](std::size_t i) { return std::tuple_cat(values_at(sources, i)...); });
    }

    /// The same, and the children are returned.
    template <class... Sources>
    std::vector<entity> spawn_children(entity parent, std::size_t count, Sources&&... sources) {
        std::vector<entity> made(count);
        spawn_children_into(parent, made, std::forward<Sources>(sources)...);
        return made;
    }

    /// A new entity that has what this one has, but for its name. Throws access_error when it is not alive,
    /// or a value cannot be copied, and what a copy throws: then nothing has changed.
    inline entity clone(entity e) { return store_.clone(e); }

    /// Ends the entity, its children, and every pair that points at it. False when it is not alive, or when
    /// it is one that the world itself needs.
    inline bool despawn(entity e) { return store_.despawn(e); }

    /// The same for each of them; returns how many were alive.
    std::size_t despawn(std::span<const entity> all);

    /// The same for every entity that satisfies the query.
    template <class... Terms> std::size_t despawn(ecs::query<Terms...>&& of) {
        return despawn(std::move(of).entities());
    }
    template <class... Terms> std::size_t despawn(ecs::query<Terms...>& of) { return despawn(of.entities()); }

    /// Ends every entity but components and those that every world has. No policy refuses it.
    void clear();

    /// Every entity but components and those that every world has. Linear in the world.
    [[nodiscard]] inline std::vector<entity> entities() const { return store_.ordinary_entities(); }

    /// Whether the handle is of this world and its entity has not ended. Constant time.
    [[nodiscard]] inline bool alive(entity e) const { return store_.entities().alive(e); }

    /// Why a handle is refused, or that it is live.
    [[nodiscard]] inline id_status status(entity e) const { return store_.entities().status(e); }
    [[nodiscard]] inline id_status status(id word) const { return status(entity::assume_word(word.value())); }

    /// The status in a sentence: `512v1 is stale: index 512 is in use under generation 2`.
    [[nodiscard]] std::string explain(entity e) const;

    /// Makes room for so many more entities that have exactly these components, or none: spawning them asks
    /// for no memory then and moves no row, as long as nothing else is spawned. Of components that are kept
    /// outside tables there is room for the values, not for what finds them. Throws std::bad_alloc,
    /// std::length_error when there cannot be so many, and iteration_error inside a loop. Linear in the
    /// number.
    template <component_type... T> void reserve(std::size_t more) {
        store_.require_still();
        store_.reserve(*bundle_of<T...>().in, more);
        (..., [&] {
            if constexpr (is_kept_aside<T>) store_.side_of(component<T>())->reserve_values(more);
        }());
    }

    // Components.

    /// The entity of a component type, registered on first use.
    template <component_type T> entity component() { return store_.component_entity<T>(); }

    /// Every component, those of the library first, in the order of their indices. n log n in their number.
    [[nodiscard]] inline std::vector<entity> components() const { return store_.components(); }

    /// The name of a component or of an entity that every world has; empty for others, and for a component
    /// whose name was taken. Linear in the number of components.
    [[nodiscard]] inline std::string component_name(entity component) const {
        return store_.name_of_component(component);
    }

    /// A component that exists at run time only. Throws std::invalid_argument when the alignment is no power
    /// of two.
    entity component(const component_description& described);

    /// The identifier a type stands for: a component's entity, or the pair of a pair_of.
    template <class T> id id_of() { return id_of_type<T>(store_); }

    /// Adds the components with their default values: several in one move. A constructor that throws changes
    /// nothing.
    template <class... T>
        requires(sizeof...(T) > 0)
    add_result add(entity e) {
        static_assert((require_addable<T>() && ...));
        static_assert(((std::is_empty_v<value_of<T>> || std::is_default_constructible_v<value_of<T>>) && ...),
                      "add makes a default value, and a type has none: use set");
        if constexpr (sizeof...(T) == 1)
            return store_.add(e, id_of<T...>());
        else
            return store_.add_all(e, key_of<T...>(), std::array{id_of<T>()...});
    }
    inline add_result add(entity e, id word) { return store_.add(e, word); }

    /// Adds the component with this value, or replaces the value that is there.
    template <class T> add_result set(entity e, T value) {
        static_assert(require_addable<T>());
        if constexpr (!std::is_empty_v<T> && !is_kept_aside<T>)
            if (T* const present = low_value<T>(e); present && !store_.is_attended()) [[likely]]
                return replace(*present, std::move(value));
        if (store_.defers()) [[unlikely]]
            return set_later<T>(e, std::move(value));
        const row_ref at = store_.locate(e);
        if constexpr (is_kept_aside<T>)
            return at ? set_aside(e, component<T>(), std::move(value)) : add_result::not_alive;
        else
            return set_value<T>(at, component<T>(), std::move(value));
    }
    template <pair_type P> add_result set(entity e, value_of<P> value) {
        static_assert(require_addable<P>());
        static_assert(!is_tag_only_type<P>, "the relation is tag_only: its pairs have no value to set");
        static_assert(can_be_in_tables<value_of<P>>,
                      "tables keep the values of pairs, and this type's move may throw");
        if (store_.defers()) [[unlikely]]
            return set_later<P>(e, std::move(value));
        const row_ref at = store_.locate(e);
        const id word = id_of<P>();
        if constexpr (!std::is_empty_v<value_of<P>>)
            if (std::byte* const present = at ? store_.own_value(at, word) : nullptr)
                return replace_told(e, word, *reinterpret_cast<value_of<P>*>(present), std::move(value));
        return set_pair_value<value_of<P>>(at, word, std::move(value));
    }

    /// The same for several components in one move. Those that are kept outside tables follow one after the
    /// other.
    template <component_type First, component_type Second, component_type... Rest>
        requires(!std::is_convertible_v<First, id>)
    add_result set(entity e, First first, Second second, Rest... rest) {
        static_assert(require_addable<First>() && require_addable<Second>() &&
                      (require_addable<Rest>() && ...));
        static_assert(all_different<First, Second, Rest...>, "an entity has a component once");
        if (store_.defers()) [[unlikely]]
            return set_all_later(e, std::move(first), std::move(second), std::move(rest)...);
        return set_all(e, std::array{id_of<First>(), id_of<Second>(), id_of<Rest>()...}, first, second,
                       rest...);
    }
    inline add_result set(entity e, id word, const void* value) { return store_.set(e, word, value); }

    /// Sets a component of each of the entities, whose rows move together as far as they can. The source is
    /// one of spawn_into: a value, a std::span of as many, or a function of the number of the entity that
    /// returns one. Returns for how many it was done: not for those that are not alive. Throws
    /// std::invalid_argument when a span has another length and what a copy or the function throws, and then
    /// nothing has changed; and what set throws.
    template <class Source> std::size_t set_n(std::span<const entity> all, Source&& source) {
        require_length(source, all.size());
        using value = std::tuple_element_t<0, decltype(values_at(source, 0))>;
        std::vector<value> values;
        values.reserve(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) values.push_back(std::get<0>(values_at(source, i)));
        return set_values(all, std::span(values));
    }

    /// Constructs the component in place, if the entity does not have it: also of a type that can be neither
    /// copied nor moved.
    template <component_type T, class... A> add_result emplace(entity e, A&&... arguments) {
        static_assert(require_addable<T>());
        static_assert(!std::is_empty_v<T>, "a tag has no value: use add");
        if (store_.defers()) [[unlikely]]
            return emplace_later<T>(e, std::forward<A>(arguments)...);
        const row_ref at = store_.locate(e);
        if (!at) return add_result::not_alive;
        const id word = component<T>();
        if (store_.has(e, word)) return add_result::already_there;
        const auto construct = [&](std::byte* to) { ::new (to) T(std::forward<A>(arguments)...); };
        if constexpr (is_kept_aside<T>)
            return store_.add_aside(e, *store_.side_of(word), construct);
        else
            return store_.add_with(at, word, construct);
    }

    /// Removes the components: several in one move.
    template <class... T>
        requires(sizeof...(T) > 0)
    add_result remove(entity e) {
        if constexpr ((is_kept_aside<T> && ...) && sizeof...(T) == 1)
            if (const auto done = store_.remove_quickly(e, id_of<T...>())) [[likely]]
                return *done;
        if constexpr (sizeof...(T) == 1)
            return store_.remove(e, id_of<T...>());
        else
            return store_.remove_all(e, key_of<T...>(), std::array{id_of<T>()...});
    }
    inline add_result remove(entity e, id word) { return store_.remove(e, word); }

    template <class T> [[nodiscard]] bool has(entity e) const {
        const id word = known_id_of_type<T>(store_);
        return word && store_.has(e, word);
    }
    [[nodiscard]] inline bool has(entity e, id word) const { return store_.has(e, word); }
    /// Whether it has all of them.
    template <class First, class Second, class... Rest> [[nodiscard]] bool has(entity e) const {
        return has<First>(e) && has<Second>(e) && (has<Rest>(e) && ...);
    }

    /// Everything that the entity itself has, components kept outside tables included: nothing that it
    /// inherits. Empty when it is not alive.
    [[nodiscard]] inline std::vector<id> ids(entity e) const { return store_.ids_of(e); }

    /// The value, or nullptr when the entity is not alive or does not have it. Constant time. The pointer is
    /// good until the next structural change of the world.
    template <class T> [[nodiscard, gnu::always_inline]] inline value_of<T>* try_get(entity e) {
        if constexpr (!pair_type<T> && !std::is_empty_v<T> && !is_relation_type<T>)
            if (T* const found = usual_value<T>(e)) [[likely]]
                return found;
        return find_slowly<T>(e);
    }
    template <class T> [[nodiscard]] const value_of<T>* try_get(entity e) const {
        return const_cast<world*>(this)->try_get<T>(e);
    }

    /// The value. Throws access_error when the entity is not alive or does not have it.
    template <class T> [[nodiscard, gnu::always_inline]] inline value_of<T>& get(entity e) {
        if constexpr (!pair_type<T> && !std::is_empty_v<T> && !is_relation_type<T>)
            if (T* const found = usual_value<T>(e)) [[likely]]
                return *found;
        return get_slowly<T>(e);
    }
    template <class T> [[nodiscard]] const value_of<T>& get(entity e) const {
        if (const auto* const found = try_get<T>(e)) [[likely]]
            return *found;
        store_.refuse_access(e, known_id_of_type<T>(store_), type_name<T>);
    }

    /// The same for several, as a tuple of pointers or references:
    /// auto [position, velocity] = world.get<Position, Velocity>(e).
    template <class First, class Second, class... Rest>
    [[nodiscard]] std::tuple<value_of<First>*, value_of<Second>*, value_of<Rest>*...> try_get(entity e) {
        return {try_get<First>(e), try_get<Second>(e), try_get<Rest>(e)...};
    }
    template <class First, class Second, class... Rest>
    [[nodiscard]] std::tuple<const value_of<First>*, const value_of<Second>*, const value_of<Rest>*...>
    try_get(entity e) const {
        return {try_get<First>(e), try_get<Second>(e), try_get<Rest>(e)...};
    }
    template <class First, class Second, class... Rest>
    [[nodiscard]] std::tuple<value_of<First>&, value_of<Second>&, value_of<Rest>&...> get(entity e) {
        return {get<First>(e), get<Second>(e), get<Rest>(e)...};
    }
    template <class First, class Second, class... Rest>
    [[nodiscard]] std::tuple<const value_of<First>&, const value_of<Second>&, const value_of<Rest>&...>
    get(entity e) const {
        return {get<First>(e), get<Second>(e), get<Rest>(e)...};
    }

    /// The bytes of the value, or nullptr.
    [[nodiscard]] inline void* get(entity e, id word) { return store_.find(e, word); }
    [[nodiscard]] inline const void* get(entity e, id word) const { return store_.find(e, word); }

    /// Calls f with the values of the components, which are those of f's parameters unless they are named;
    /// false, and no call, when the entity is not alive or lacks one.
    template <class... T, class F> bool modify(entity e, F&& f) {
        if constexpr (sizeof...(T) == 0)
            return modify_terms(e, f, terms_of_function<F>{});
        else
            return modify_terms(e, f, term_list<T...>{});
    }

    /// Calls f with the value and returns it. Throws access_error when the entity is not alive or does not
    /// have it.
    template <class T, class F> value_of<T>& patch(entity e, F&& f) {
        value_of<T>& value = get<T>(e);
        std::forward<F>(f)(value);
        if (!store_.is_attended()) [[likely]]
            return value;
        told_written<T>(e);
        return get<T>(e);
    }

    /// The same for several: f takes them in this order. Throws before f is called.
    template <class First, class Second, class... Rest, class F>
    std::tuple<value_of<First>&, value_of<Second>&, value_of<Rest>&...> patch(entity e, F&& f) {
        std::apply(std::forward<F>(f), get<First, Second, Rest...>(e));
        told_written<First>(e);
        told_written<Second>(e);
        (told_written<Rest>(e), ...);
        return get<First, Second, Rest...>(e);
    }

    /// Says that a value was written through a reference from get, for observers and for queries that ask for
    /// changes.
    template <class T> void modified(entity e) {
        if (alive(e)) told_written<T>(e);
    }

    /// Makes several changes to one entity a single move: world.edit(e).add<A>().set(B{}).remove<C>().
    [[nodiscard]] editor edit(entity e) { return {store_, e}; }

    /// Hides the component from queries, or shows it again; its value stays where it is.
    template <class T> add_result disable(entity e) { return store_.set_enabled(e, id_of<T>(), false); }
    template <class T> add_result enable(entity e) { return store_.set_enabled(e, id_of<T>(), true); }
    template <class T> [[nodiscard]] bool is_enabled(entity e) const {
        const id word = known_id_of_type<T>(store_);
        return word && store_.is_enabled(e, word);
    }
    inline add_result disable(entity e, id word) { return store_.set_enabled(e, word, false); }
    inline add_result enable(entity e, id word) { return store_.set_enabled(e, word, true); }
    [[nodiscard]] inline bool is_enabled(entity e, id word) const { return store_.is_enabled(e, word); }

    /// Hides the entity from queries that do not ask for the tag disabled, or shows it again.
    add_result disable(entity e) { return store_.add(e, disabled); }
    add_result enable(entity e) { return store_.remove(e, disabled); }
    [[nodiscard]] bool is_enabled(entity e) const { return alive(e) && !store_.has(e, disabled); }

    /// A component added to itself: one value for the world.
    template <class T> void set_singleton(T value) { set<T>(component<T>(), std::move(value)); }
    /// The value. Throws access_error when there is none.
    template <class T> [[nodiscard]] T& singleton() { return get<T>(component<T>()); }
    template <class T> [[nodiscard]] const T& singleton() const { return get<T>(store_.registered<T>()); }
    /// The value, or nullptr when there is none.
    template <class T> [[nodiscard]] T* try_singleton() { return try_get<T>(store_.registered<T>()); }
    template <class T> [[nodiscard]] const T* try_singleton() const {
        return try_get<T>(store_.registered<T>());
    }
    template <class T> [[nodiscard]] bool has_singleton() const { return has<T>(store_.registered<T>()); }
    template <class T> add_result remove_singleton() { return remove<T>(component<T>()); }

    // Queries.

    template <class... Terms> [[nodiscard]] ecs::query<Terms...> query() {
        return ecs::query<Terms...>(store_);
    }

    /// Calls f for every entity that has what its parameters ask for: T& and const T& are required, T* and
    /// const T* are null where missing, entity is the entity.
    template <class F> void each(F&& f) {
        static_assert(has_parameters<F>,
                      "each reads the terms off f's parameters, and those of a generic lambda have no "
                      "types: name the terms with query<...>().each");
        cached_query(terms_of_function<F>{}).each(f);
    }

    /// Whether components of the type are found by array look-up: not when more than some 240 component types
    /// came first.
    template <component_type T> [[nodiscard]] bool has_fast_access() {
        return component<T>().index() < low_ids;
    }

    /// The same on several threads at once, which call f side by side for different entities. Few entities
    /// are not worth a thread and are visited by the caller alone. Throws the first exception f throws, when
    /// all threads have stopped.
    template <class F> void par_each(F&& f) { par_each(default_executor(), f); }
    template <class F> void par_each(executor& on, F&& f) {
        cached_query(terms_of_function<F>{}).par_each(on, f);
    }

    // Relations.

    /// An entity that others are instances of: add(e, pair(is_a, prefab)). Queries pass it over.
    template <class... Components>
        requires(component_type<std::remove_cvref_t<Components>> && ...)
    entity prefab(Components&&... components) {
        const entity e = spawn_with(std::forward<Components>(components)...);
        store_.add(e, store_.localize(prefab_tag));
        return e;
    }

    /// Every target that the entity has in the relation, those that it inherits last. Of a transitive
    /// relation the single steps.
    [[nodiscard]] inline std::vector<entity> targets(entity e, id relation) const {
        return store_.targets_had(e, relation.as_entity());
    }
    template <class R> [[nodiscard]] std::vector<entity> targets(entity e) {
        return targets(e, component<R>());
    }

    /// Everybody who has the target, in the relation or, without one, in any.
    [[nodiscard]] inline std::vector<entity> sources(entity target, id relation = {}) const {
        return store_.sources_of(target, relation);
    }
    template <class R> [[nodiscard]] std::vector<entity> sources(entity target) {
        return sources(target, component<R>());
    }

    /// The entity's target in the relation, its own or inherited; the first when there are several, null when
    /// there is none.
    [[nodiscard]] inline entity target_of(entity e, id relation) const {
        return store_.target_had(e, relation.as_entity());
    }
    template <class R> [[nodiscard]] entity target_of(entity e) { return target_of(e, component<R>()); }

    /// The target of a pair; null when it has ended or the word is no pair.
    [[nodiscard]] inline entity target_of(id pair) const { return store_.target_of_pair(pair); }

    /// The relation of a pair; null when it has ended or the word is no pair.
    [[nodiscard]] inline entity relation_of(id pair) const {
        return pair.has_relation() ? store_.entities().at(pair.relation_index()) : entity{};
    }

    /// Null for an entity without a parent.
    [[nodiscard]] inline entity parent(entity e) const { return store_.parent_of(e); }

    /// The children of an entity; they may end or move away while a loop walks over the range.
    [[nodiscard]] inline source_range children(entity e) const { return store_.list_of(e, child_of.index()); }

    /// The nearest entity along the chain of the relation, the parents by default, that has the identifier;
    /// null when there is none.
    [[nodiscard]] inline entity up(entity e, id word, id relation = child_of) const {
        return store_.up(e, store_.localize(relation).as_entity(), store_.localize(word));
    }
    /// The value of the nearest entity along the chain that has one; nullptr when none has.
    template <class T> [[nodiscard]] value_of<T>* up(entity e, id relation = child_of) {
        const entity found = up(e, id_of<T>(), relation);
        return found ? try_get<T>(found) : nullptr;
    }

    /// Everything below the entity, each before its children. Linear in what is below.
    [[nodiscard]] inline std::vector<entity> depth_first(entity root, id relation = child_of) const {
        return store_.depth_first(root, relation);
    }
    /// Everything below the entity, children before grandchildren. Linear in what is below.
    [[nodiscard]] inline std::vector<entity> breadth_first(entity root, id relation = child_of) const {
        return store_.breadth_first(root, relation);
    }

    /// Puts the sources on a target's list into another order, in which children and sources list them from
    /// now on; a relation that is not `ordered` fills the hole of a source that leaves with the last one.
    /// Throws std::invalid_argument when they are not the sources of that relation to the target, each once,
    /// or the relation keeps no lists, and iteration_error during a loop. Linear in the sources.
    inline void reorder(entity target, std::span<const entity> sources, id relation = child_of) {
        store_.reorder(target, sources, store_.localize(relation));
    }

    // The pairs of a relation with an entity. As the functions of the same name that take an identifier, but
    // that the handles are looked at whole: a pair has no room for the world of its target, and for a part of
    // its generation only.

    /// The pair of the relation and the target; null when one of them is not alive in this world.
    [[nodiscard]] inline id pair_to(entity relation, entity target) const {
        const entity_index& known = store_.entities();
        return known.alive(known.localize(relation)) && known.alive(known.localize(target))
                   ? pair(relation, target)
                   : id{};
    }
    template <component_type R> [[nodiscard]] id pair_to(entity target) {
        return pair_to(component<R>(), target);
    }

    inline add_result add(entity e, entity relation, entity target) {
        return store_.add(e, pair_to(relation, target));
    }
    inline add_result remove(entity e, entity relation, entity target) {
        return store_.remove(e, pair_to(relation, target));
    }
    [[nodiscard]] inline bool has(entity e, entity relation, entity target) const {
        return store_.has(e, pair_to(relation, target));
    }

    template <component_type R> add_result add(entity e, entity target) {
        return store_.add(e, pair_to<R>(target));
    }
    template <component_type R> add_result remove(entity e, entity target) {
        return store_.remove(e, pair_to<R>(target));
    }
    template <component_type R> add_result remove(entity e, any_t) {
        return store_.remove(e, pair(component<R>(), any));
    }
    template <component_type R> [[nodiscard]] bool has(entity e, entity target) const {
        const entity relation = store_.registered<R>();
        return relation && has(e, relation, target);
    }
    template <component_type R> [[nodiscard]] bool has(entity e, any_t) const {
        const entity relation = store_.registered<R>();
        return relation && store_.has(e, pair(relation, any));
    }

    /// Relates the entity to the target with this value, or replaces the value that is there.
    template <component_type R> add_result set(entity e, entity target, std::type_identity_t<R> value) {
        static_assert(!std::is_empty_v<R>, "the relation is an empty type, which has no values: use add");
        static_assert(!declares<R>(rule::tag_only),
                      "the relation is tag_only: its pairs have no value to set");
        static_assert(can_be_in_tables<R>, "tables keep the values of pairs, and this type's move may throw");
        if (store_.defers()) [[unlikely]]
            return store_.later(e, [this, e, target, kept = std::move(value)](store&) mutable {
                this->template set<R>(e, target, std::move(kept));
            });
        const row_ref at = store_.locate(e);
        const id word = pair_to<R>(target);
        if (std::byte* const present = at ? store_.own_value(at, word) : nullptr)
            return replace_told(e, word, *reinterpret_cast<R*>(present), std::move(value));
        return set_pair_value<R>(at, word, std::move(value));
    }

    /// The value of the relation to the target, or nullptr.
    template <component_type R> [[nodiscard]] R* try_get(entity e, entity target) {
        static_assert(!std::is_empty_v<R>, "the relation is an empty type, which has no values: use has");
        const entity relation = store_.registered<R>();
        return relation ? reinterpret_cast<R*>(store_.find(e, pair_to(relation, target))) : nullptr;
    }
    /// The value. Throws access_error when the entity is not related to the target, or not alive.
    template <component_type R> [[nodiscard]] R& get(entity e, entity target) {
        if (R* const found = try_get<R>(e, target)) return *found;
        store_.refuse_access(e, pair_to<R>(target), type_name<R>);
    }

    // Objects of the host program: targets that are no entities. Two relations, or two entities, may be
    // linked to one object; an object is the same when its address and its type T are.

    /// Relates the entity to an object, which has to stay where it is for as long as somebody is linked to
    /// it.
    template <class T>
        requires(!std::is_const_v<T>)
    add_result link(entity e, id relation, T& object) {
        return store_.link_object(e, relation, {std::shared_ptr<void>(), &object},
                                  type_number<T, type_series::keys>());
    }

    /// The same for an object that the world owns: it ends with the last link to it, with the world, or when
    /// the link is refused; snapshots keep it alive. Its destructor must not use the world.
    template <class T> add_result link_owned(entity e, id relation, std::shared_ptr<T> object) {
        return store_.link_object(e, relation, std::move(object), type_number<T, type_series::keys>());
    }
    template <class T, class Deleter>
    add_result link_owned(entity e, id relation, std::unique_ptr<T, Deleter> object) {
        return link_owned(e, relation, std::shared_ptr<T>(std::move(object)));
    }

    /// The identifier of the relation to the object, for has, remove and queries; null while nobody is linked
    /// to it.
    template <class T> [[nodiscard]] id link_of(id relation, const T& object) const {
        return store_.link_of(relation, &object, type_number<T, type_series::keys>());
    }

    /// The object of a link; nullptr when the word is none, nobody is linked any more, or the object is no T.
    template <class T> [[nodiscard]] T* object_of(id word) const {
        return static_cast<T*>(store_.object_behind(word, type_number<T, type_series::keys>()));
    }
    /// The first T that the entity itself is linked to in the relation; nullptr when there is none.
    template <class T> [[nodiscard]] T* object_of(entity e, id relation) const {
        return static_cast<T*>(store_.object_of(e, relation, type_number<T, type_series::keys>()));
    }

    // Commands.

    /// Records changes to be made at the next flush: one object for each thread, any number at once. Objects
    /// with a key are flushed in the order of their keys, before those without. For any thread, at any time.
    [[nodiscard]] ecs::commands commands() { return ecs::commands(hub_, hub_->open()); }
    [[nodiscard]] ecs::commands commands(std::uint32_t key) { return ecs::commands(hub_, hub_->open(key)); }

    /// From now on the identifiers that commands(key) hands out, for keys below `keys`, and those that
    /// systems hand out follow from what was recorded under each key, and not from which thread was faster:
    /// see docs/parallel.md for what else that takes. No other thread may be recording. Linear in the keys,
    /// as every flush is from then on. Throws std::length_error when there are too many keys.
    void make_deterministic(std::uint32_t keys) { hub_->make_deterministic(keys); }

    /// Makes all recorded changes, and dispatches. No other thread may be recording or using the world
    /// meanwhile. Throws iteration_error inside a loop or an observer, and flush_error when commands threw:
    /// all others are applied then.
    flush_report flush() {
        flush_report report = flusher(store_, *this, *hub_).flush();
        store_.dispatch();
        return report;
    }

    // Observers. See docs/observers.md for who is told what, and when. What an observer changes is done when
    // the change that it was told of is complete: until then, operations return deferred.

    /// Calls f whenever that happens to a component of the terms, at an entity that has all of them: with the
    /// values that the terms stand for, if f takes them, after what f takes of const occurrence&; entity;
    /// world& and entity. Terms are those of a query. spawned and despawned need no terms.
    template <event What, class... Terms, class F> observer observe(F f, observer_options options = {}) {
        return store_.observe(observer_of<void, Terms...>(store_, What, std::move(f), options));
    }

    /// The same for an identifier decided at run time, which may be a pattern.
    template <class F> observer observe(event what, id pattern, F f, observer_options options = {}) {
        return store_.observe(observer_of_id(store_, what, pattern, std::move(f), options));
    }
    /// The same for whole entities and for tables.
    template <class F>
        requires(!std::convertible_to<F, id>)
    observer observe(event what, F f, observer_options options = {}) {
        return store_.observe(observer_of_id(store_, what, {}, std::move(f), options));
    }

    /// Calls f(const Event&), f(entity, const Event&) or f(const occurrence&, const Event&) when one is
    /// emitted on an entity that has the terms, whose values follow.
    template <class Event, class... Terms, class F> observer observe(F f, observer_options options = {}) {
        const id word = component<Event>();
        auto made = observer_of<Event, Terms...>(store_, event::custom, std::move(f), options);
        made->terms = {word};
        return store_.observe(std::move(made));
    }

    /// The same for an event that is an entity: f is not told the type of the payload.
    template <class F> observer observe(id own_event, F f, observer_options options = {}) {
        return store_.observe(observer_of_id(store_, event::custom, own_event, std::move(f), options));
    }

    /// Calls f(entity, bool) when an entity begins to satisfy the terms, and when it no longer does.
    template <class... Terms, class F> observer monitor(F f, observer_options options = {}) {
        return observe_matches(store_, query<Terms...>(), std::move(f), options);
    }
    template <class... Terms, class F>
    observer monitor(ecs::query<Terms...> of, F f, observer_options options = {}) {
        return observe_matches(store_, std::move(of), std::move(f), options);
    }

    /// As observe, but told before all observers of what begins, and after them of what ends.
    template <event What, component_type T, class F> observer hook(F f) {
        auto made = observer_of<void, T>(store_, What, std::move(f), {});
        made->hook = true;
        return store_.observe(std::move(made));
    }

    /// The same for a component decided at run time.
    template <class F> observer hook(event what, id component, F f) {
        auto made = observer_of_id(store_, what, component, std::move(f), {});
        made->hook = true;
        return store_.observe(std::move(made));
    }

    /// Tells the observers of the event, at the entity and wherever it travels to. False when the entity is
    /// not alive. Constant time but for those who are told.
    template <class Event>
        requires(!std::convertible_to<Event, id>)
    bool emit(entity e, const Event& payload, travel along = {}) {
        return emit_payload(component<Event>(), e, payload, along);
    }
    template <class Payload> bool emit(id own_event, entity e, const Payload& payload, travel along = {}) {
        return emit_payload(store_.localize(own_event), e, payload, along);
    }
    bool emit(id own_event, entity e, travel along = {});

    /// Tells queued observers what they have not been told yet, as flush does. Returns how many times.
    std::size_t dispatch() { return store_.dispatch(); }

    // Time.

    /// The world as it is now, for restore. Entities that other threads have spawned since the last flush are
    /// not part of it. Throws snapshot_error, naming the component, when values cannot be copied, and what a
    /// copy throws. Linear in the world.
    [[nodiscard]] ecs::snapshot snapshot() const { return ecs::snapshot(store_, hub_); }

    /// Goes back to a snapshot of this world: the entities that lived then live, under the same handles, with
    /// the same values, relations, order and names; all others are dead for ever. Components registered since
    /// stay registered. Queries, commands objects and systems stay good; no hook or observer is called. The
    /// snapshot can be used again. Throws snapshot_error when the snapshot is of another world or commands
    /// wait for the flush, iteration_error inside a loop, and what a copy throws: then nothing has changed.
    /// No other thread may be recording or using the world meanwhile. Linear in both worlds.
    void restore(const ecs::snapshot& then);

    // Names.

    /// The entity of a path such as "Ship/Turret/Barrel"; null when there is none. A name without an entity
    /// stands for the component of that name.
    [[nodiscard]] inline entity lookup(std::string_view path) const { return store_.lookup(path); }
    /// The same, from an entity inwards.
    [[nodiscard]] inline entity lookup(entity scope, std::string_view path) const {
        return store_.lookup(path, scope);
    }
    /// The names from the outermost parent to the entity, joined by '/'.
    [[nodiscard]] inline std::string path_of(entity e) const { return store_.path_of(e); }
    inline void set_name(entity e, std::string_view text) { store_.set_name(e, text); }
    [[nodiscard]] inline std::string_view name_of(entity e) const { return store_.name_of(e); }

    /// Gives back the memory that no row needs.
    inline void shrink() { store_.shrink(); }
    [[nodiscard]] inline std::size_t memory_bytes() const { return store_.memory_bytes(); }

    /// The untyped heart, for code that builds on it.
    [[nodiscard]] inline store& untyped() { return store_; }
    [[nodiscard]] inline const store& untyped() const { return store_; }
    /// The replica is this world from now on. Throws snapshot_error when commands wait for the flush, or
    /// std::bad_alloc: then nothing has changed.
    void become(store& replica);
    [[nodiscard]] inline const std::shared_ptr<command_hub>& hub() const { return hub_; }

  private:
    struct any_query {
        explicit any_query(std::uint64_t forgotten) : forgotten_types(forgotten) {}
        any_query(const any_query&) = delete;
        any_query& operator=(const any_query&) = delete;
        virtual ~any_query() = default;

        std::uint64_t forgotten_types; ///< What the store had when the terms were looked up.
    };
    template <class... Terms> struct kept_query final : any_query {
        explicit kept_query(store& of) : any_query(of.forgotten_types()), value(of) {}
        ecs::query<Terms...> value;
    };

    /// The value when the component's index is low; nullptr says nothing.
    template <class T> [[nodiscard, gnu::always_inline]] inline T* low_value(entity e) const {
        return reinterpret_cast<T*>(store_.find_low(e, store_.low_index<T>(), sizeof(T)));
    }

    /// The value at the usual place of the component; nullptr says nothing.
    template <class T> [[nodiscard, gnu::always_inline]] inline T* usual_value(entity e) const {
        if constexpr (is_kept_aside<T>)
            return store_.locate(e) ? value_aside<T>(e) : nullptr;
        else
            return low_value<T>(e);
    }

    /// The value of a component that is not at its usual place, or that nobody has. A call, so that loops
    /// over get and try_get hold the fast path alone.
    template <class T> [[nodiscard, gnu::noinline]] value_of<T>* find_slowly(entity e) {
        const row_ref at = store_.locate(e);
        if constexpr (is_kept_aside<T>)
            return at ? value_aside<T>(e) : nullptr;
        else if constexpr (is_relation_type<T>)
            return nullptr; // Only its pairs have values.
        else if constexpr (is_pattern_type<T> && !std::is_empty_v<value_of<T>>)
            return reinterpret_cast<value_of<T>*>(store_.find(e, known_id_of_type<T>(store_)));
        else
            return at ? find_value<value_of<T>>(at, known_id_of_type<T>(store_)) : nullptr;
    }
    template <class T> [[nodiscard, gnu::noinline]] value_of<T>& get_slowly(entity e) {
        if (auto* const found = find_slowly<T>(e)) return *found;
        store_.refuse_access(e, known_id_of_type<T>(store_), type_name<T>);
    }

    template <class T> [[nodiscard]] static T* typed_value(row_ref at, id word) {
        if constexpr (std::is_empty_v<T>) {
            return at.block->owner->has(word) ? &tag_value<T>() : nullptr;
        } else {
            return reinterpret_cast<T*>(store::value_at(at, word));
        }
    }

    template <class... T> [[nodiscard]] static std::uint64_t key_of() {
        return type_number<term_list<T...>, type_series::keys>();
    }

    template <class T> void told_written(entity e) {
        if (store_.is_attended()) [[unlikely]]
            store_.written(e, known_id_of_type<T>(store_));
    }

    template <class T> add_result replace_told(entity e, id word, T& present, T&& value) {
        const add_result result = replace(present, std::forward<T>(value));
        if (store_.is_attended()) store_.written(e, word);
        return result;
    }

    // What an observer asks for is done when it has returned.

    template <class T> add_result set_later(entity e, value_of<T>&& value) {
        return store_.later(e, [this, e, kept = std::move(value)](store&) mutable {
            this->template set<T>(e, std::move(kept));
        });
    }
    template <class... T> add_result set_all_later(entity e, T&&... values) {
        return store_.later(e,
                            [this, e, kept = std::tuple<T...>(std::forward<T>(values)...)](store&) mutable {
                                std::apply([&](T&... each) { this->set(e, std::move(each)...); }, kept);
                            });
    }
    template <class T, class... A> add_result emplace_later(entity e, A&&... arguments) {
        return store_.later(
            e,
            [this, e, kept = std::tuple<std::decay_t<A>...>(std::forward<A>(arguments)...)](store&) mutable {
                std::apply([&](auto&... each) { this->template emplace<T>(e, std::move(each)...); }, kept);
            });
    }
    template <class... Components> entity spawn_later(Components&&... components) {
        return store_.spawn_later(
            [this, kept = std::tuple<std::remove_cvref_t<Components>...>(
                       std::forward<Components>(components)...)](store& in, entity e) mutable {
                const auto& known = this->template bundle_of<std::remove_cvref_t<Components>...>();
                in.materialize(e, *known.in, [&](row_ref at) { known.template construct<0>(at, kept); });
                const std::vector<id> attended = known.attended; // The bundle may be replaced meanwhile.
                in.bring_companions({&e, 1}, attended);
                this->set_those_aside(e, kept);
            });
    }

    template <class Payload> bool emit_payload(id word, entity e, const Payload& payload, travel along) {
        occurrence what;
        what.what = event::custom;
        what.word = word;
        what.payload = &payload;
        what.payload_type = type_number<Payload, type_series::keys>();
        if constexpr (std::is_copy_constructible_v<Payload>)
            what.keep = [](const void* of) -> std::shared_ptr<const void> {
                return std::make_shared<const Payload>(*static_cast<const Payload*>(of));
            };
        return store_.emit(e, what, along.relation);
    }

    template <class T> [[nodiscard]] T* value_aside(entity e) const {
        const id word = known_id_of_type<T>(store_);
        const side_set* const side = store_.side_of(word);
        const entity holder = side ? store_.holder_aside(e, *side) : entity{};
        if (!holder) return nullptr;
        if constexpr (std::is_empty_v<T>)
            return &tag_value<T>();
        else
            return reinterpret_cast<T*>(side->find(index_of(holder)));
    }

    template <class T> add_result set_aside(entity e, id word, T&& value) {
        if constexpr (std::is_empty_v<T>) {
            return store_.add(e, word);
        } else {
            side_set& side = *store_.side_of(word);
            const auto construct = [&](std::byte* to) { ::new (to) T(std::forward<T>(value)); };
            if (!side.contains(index_of(e))) return store_.add_aside(e, side, construct);
            if constexpr (is_replaced_in_place<T>)
                replace(*reinterpret_cast<T*>(side.find(index_of(e))), std::forward<T>(value));
            else
                side.replace(index_of(e), construct);
            if (store_.is_attended()) store_.written(e, word);
            return add_result::already_there;
        }
    }

    /// The value in the row, or the one that the row inherits.
    template <class T> [[nodiscard]] T* find_value(row_ref at, id word) {
        if (T* const own = typed_value<T>(at, word)) return own;
        if constexpr (std::is_empty_v<T>)
            return store_.has(at.owner(), word) ? &tag_value<T>() : nullptr;
        else
            return reinterpret_cast<T*>(store_.find_elsewhere(at, word));
    }

    template <class T> add_result set_value(row_ref at, id word, T&& value) {
        if (!at) return add_result::not_alive;
        if constexpr (std::is_empty_v<T>)
            return store_.add(at.owner(), word);
        else {
            const bool searched = !store_.is_attended() && word.is_entity() && store_.low_index<T>() != 0;
            // Searched: by low_value, in vain.
            if (T* const present = searched ? nullptr : typed_value<T>(at, word))
                return replace_told(at.owner(), word, *present, std::forward<T>(value));
            return store_.add_with(at, word, [&](std::byte* to) { ::new (to) T(std::forward<T>(value)); });
        }
    }

    template <class T> std::size_t set_values(std::span<const entity> all, std::span<T> values) {
        std::size_t set_so_far = 0;
        for (std::size_t i = 0; i < all.size();) {
            const std::size_t together = set_together(all.subspan(i), values.subspan(i));
            set_so_far += together;
            i += together;
            if (i == all.size()) break;
            const add_result one = set(all[i], std::move(values[i]));
            set_so_far += succeeded(one);
            ++i;
        }
        return set_so_far;
    }
    template <class T> std::size_t set_together(std::span<const entity> all, std::span<T> values) {
        if constexpr (is_set_in_bulk<T>) {
            if (!store_.is_still()) return 0;
            const entity_list list{reinterpret_cast<const std::byte*>(all.data()), sizeof(entity),
                                   all.size()};
            return set_in_bulk<T>(store_, list, [&](std::size_t i) -> T& { return values[i]; });
        } else {
            return 0;
        }
    }

    template <class T> add_result set_pair_value(row_ref at, id word, T&& value) {
        if (!at) return add_result::not_alive;
        if constexpr (std::is_empty_v<T>)
            return store_.add(at.owner(), word);
        else if (const transition* const known = store::known_adding(*at.block->owner, word);
                 known && known->added.empty())
            return add_result::no_value; // The relation has been declared tag_only at run time.
        else
            return store_.add_with(at, word, [&](std::byte* to) { ::new (to) T(std::forward<T>(value)); });
    }

    /// Whether replace cannot throw.
    template <class T>
    static constexpr bool is_replaced_in_place =
        std::is_nothrow_move_assignable_v<T> || std::is_nothrow_move_constructible_v<T>;

    template <class T> static add_result replace(T& present, T&& value) {
        if constexpr (std::is_nothrow_move_assignable_v<T> || !std::is_nothrow_move_constructible_v<T>)
            present = std::forward<T>(value);
        else {
            std::destroy_at(&present);
            ::new (&present) T(std::forward<T>(value));
        }
        return add_result::already_there;
    }

    /// From the reservation of the row on nothing can throw: the values are ours to move.
    template <std::size_t N, class... T>
    add_result set_all(entity e, const std::array<id, N>& words, T&... values) {
        return store_.as_one([&] { return set_all_now(e, words, values...); });
    }
    template <std::size_t N, class... T>
    add_result set_all_now(entity e, const std::array<id, N>& words, T&... values) {
        const row_ref at = store_.locate(e);
        if (!at) return add_result::not_alive;
        table& from = *at.block->owner;
        if (!store_.move_plainly(from, words)) return set_one_by_one(e, values...);
        const transition& along = store_.adding_all(from, key_of<T...>(), words);
        row_ref there = at;
        add_result result = add_result::already_there;
        if (along.to != &from) {
            store_.require_still();
            there = store_.move(
                at, along, [&](row_ref to) noexcept { (construct_new(from, to, values), ...); }, true);
            result = add_result::added;
        }
        (replace_old(from, there, values), ...);
        return result;
    }

    template <class... T> add_result set_one_by_one(entity e, T&... values) {
        add_result result = add_result::already_there;
        const auto set_one = [&](auto& value) {
            const add_result one = set(e, std::move(value));
            if (!succeeded(one) || (one == add_result::added && succeeded(result))) result = one;
        };
        (set_one(values), ...);
        return result;
    }

    template <class T> void construct_new(const table& before, row_ref to, T& value) noexcept {
        if constexpr (!std::is_empty_v<T> && !is_kept_aside<T>) {
            const id word = known_id_of_type<T>(store_);
            if (!before.has(word)) ::new (store::value_at(to, word)) T(std::move(value));
        }
    }

    template <class T> void replace_old(const table& before, row_ref at, T& value) {
        if constexpr (!std::is_empty_v<T> && !is_kept_aside<T>) {
            const id word = known_id_of_type<T>(store_);
            if (before.has(word)) replace_told(at.owner(), word, *typed_value<T>(at, word), std::move(value));
        }
    }

    template <class F, class... T> bool modify_terms(entity e, F& f, term_list<T...>) {
        if ((!try_get<std::remove_const_t<T>>(e) || ...)) return false;
        f(static_cast<T&>(*try_get<std::remove_const_t<T>>(e))...);
        (..., [&] {
            if constexpr (!std::is_const_v<T>) told_written<T>(e);
        }());
        return true;
    }

    template <class Generator> void spawn_rows(std::span<entity> out, const Generator& generate) {
        using values = std::invoke_result_t<const Generator&, std::size_t>;
        [&]<class... T>(std::type_identity<std::tuple<T...>>) {
            static_assert((component_type<T> && ...), "a source must supply components");
            static_assert(!(spawn_id<T> || ...),
                          "the sources of many entities are components: add identifiers to each of them");
            static_assert((require_addable<T>() && ...));
            static_assert(all_different<T...>,
                          "an entity has a component once: two sources are of the same type");
            if (store_.defers()) [[unlikely]]
                return spawn_rows_later<T...>(out, generate);
            if constexpr ((is_kept_aside<T> || ...))
                return store_.as_one([&] { spawn_rows_and_set_aside<T...>(out, generate); });
            const auto& known = bundle_of<T...>();
            store_.spawn_many(*known.in, out, [&](row_ref at, std::size_t i) {
                values made = generate(i);
                known.template construct<0>(at, made);
            });
            if (!known.attended.empty()) [[unlikely]]
                bring_companions(out, known);
        }(std::type_identity<values>{});
    }

    /// The values are kept until the entities that get those outside tables are there.
    template <class... T, class Generator>
    void spawn_rows_and_set_aside(std::span<entity> out, const Generator& generate) {
        store_.require_still();
        std::vector<std::tuple<T...>> values;
        values.reserve(out.size());
        for (std::size_t i = 0; i < out.size(); ++i) values.push_back(generate(i));
        const auto& known = bundle_of<T...>();
        store_.spawn_many(*known.in, out,
                          [&](row_ref at, std::size_t i) { known.template construct<0>(at, values[i]); });
        try {
            for (std::size_t i = 0; i < out.size(); ++i) set_those_aside(out[i], values[i]);
        } catch (...) {
            for (const entity e : out) store_.despawn(e);
            std::ranges::fill(out, entity{});
            throw;
        }
        if (!known.attended.empty()) [[unlikely]]
            bring_companions(out, known);
    }

    template <class Generator>
    void spawn_below(entity parent, std::span<entity> out, const Generator& generate) {
        using values = std::invoke_result_t<const Generator&, std::size_t>;
        [&]<class... T>(std::type_identity<std::tuple<T...>>) {
            table* home = nullptr;
            if constexpr (!(is_kept_aside<T> || ...))
                if (const auto& known = bundle_of<T...>(); known.attended.empty())
                    home = store_.home_of_children(parent, *known.in);
            if (!home) {
                spawn_rows(out, generate);
                return store_.adopt_fresh(parent, out);
            }
            const bundle_columns<T...> places{{home->column_of(component<T>())...}};
            store_.spawn_children(parent, *home, out, [&](row_ref at, std::size_t i) {
                values made = generate(i);
                places.template construct<0>(at, made);
            });
        }(std::type_identity<values>{});
    }

    template <class... T, class Generator>
    void spawn_rows_later(std::span<entity> out, const Generator& generate) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] =
                std::apply([&](T&&... values) { return spawn_later(std::move(values)...); }, generate(i));
    }

    template <class... Arguments> entity spawn_with(Arguments&&... arguments) {
        if constexpr ((spawn_id<Arguments> || ...))
            return store_.as_one([&] { return spawn_and_add(std::forward<Arguments>(arguments)...); });
        else
            return spawn_components(std::forward<Arguments>(arguments)...);
    }

    template <class... Arguments> entity spawn_and_add(Arguments&&... arguments) {
        const entity e = std::apply(
            [&](auto&&... values) { return spawn_components(std::forward<decltype(values)>(values)...); },
            std::tuple_cat(component_argument(std::forward<Arguments>(arguments))...));
        (..., [&] {
            if constexpr (spawn_id<Arguments>) add_or_end(e, id(arguments));
        }());
        return e;
    }
    template <class T> static auto component_argument(T&& argument) {
        if constexpr (spawn_id<T>)
            return std::tuple<>();
        else
            return std::tuple<T&&>(std::forward<T>(argument));
    }
    void add_or_end(entity e, id word);

    template <class... Components> entity spawn_components(Components&&... components) {
        static_assert(all_different<std::remove_cvref_t<Components>...>,
                      "an entity has a component once: two of the arguments are of the same type");
        static_assert((require_addable<std::remove_cvref_t<Components>>() && ...));
        if (!store_.is_still()) [[unlikely]]
            return spawn_later(std::forward<Components>(components)...);
        const auto& known = bundle_of<std::remove_cvref_t<Components>...>();
        if constexpr ((is_kept_aside<std::remove_cvref_t<Components>> || ...)) {
            std::tuple<std::remove_cvref_t<Components>...> values(std::forward<Components>(components)...);
            return store_.as_one([&] { return spawn_and_set_aside(known, values); });
        }
        if (!known.in->has_room()) [[unlikely]] {
            // An argument may be a component of this world that moves when the table makes room.
            std::tuple<std::remove_cvref_t<Components>...> values(std::forward<Components>(components)...);
            return spawn_from(known, values);
        }
        std::tuple<Components&&...> values(std::forward<Components>(components)...);
        return spawn_from(known, values);
    }

    template <class Bundle, class... Values>
    entity spawn_and_set_aside(const Bundle& known, std::tuple<Values...>& values) {
        const entity e = spawn_from(known, values);
        try {
            set_those_aside(e, values);
        } catch (...) {
            store_.despawn(e);
            throw;
        }
        return e;
    }

    template <class... Values> void set_those_aside(entity e, std::tuple<Values...>& values) {
        (..., [&] {
            if constexpr (is_kept_aside<Values>)
                set_aside(e, component<Values>(), std::move(std::get<Values>(values)));
        }());
    }

    template <class Bundle, class Values> entity spawn_from(const Bundle& known, Values& values) {
        const auto construct = [&](row_ref at) noexcept(Bundle::template is_nothrow<Values>) {
            known.template construct<0>(at, values);
        };
        if (!known.attended.empty()) [[unlikely]]
            return store_.as_one([&] {
                entity e = store_.spawn_in(*known.in, construct);
                bring_companions({&e, 1}, known);
                return e;
            });
        return store_.spawn_in(*known.in, construct);
    }

    /// The bundle may be replaced meanwhile: what comes along may be met for the first time.
    void bring_companions(std::span<entity> all, const any_bundle& known) {
        const std::vector<id> attended = known.attended;
        try {
            store_.as_one([&] { store_.bring_companions(all, attended); });
        } catch (...) {
            std::ranges::fill(all, entity{});
            throw;
        }
    }

    template <class... Components> const bundle<Components...>& bundle_of() {
        const std::uint32_t number = type_number<bundle<Components...>, type_series::keys>();
        if (number < bundles_.size()) [[likely]]
            if (const any_bundle* const known = bundles_[number].get();
                known && known->removals == store_.removals()) [[likely]]
                return static_cast<const bundle<Components...>&>(*known);
        return make_bundle<Components...>(number);
    }

    template <class... Components>
    [[gnu::noinline]] const bundle<Components...>& make_bundle(std::uint32_t number) {
        auto* const fresh = new bundle<Components...>(store_);
        keep(number, std::unique_ptr<any_bundle>(fresh));
        return *fresh;
    }

    // Of what templates need, what needs no types: compiled once.
    void keep(std::uint32_t number, std::unique_ptr<any_bundle> made);
    void keep(std::uint32_t number, std::unique_ptr<any_query> made);

    template <class... Terms> ecs::query<Terms...>& cached_query(term_list<Terms...>) {
        const std::uint32_t number = type_number<term_list<Terms...>, type_series::keys>();
        any_query* known = number < queries_.size() ? queries_[number].get() : nullptr;
        if (!known || known->forgotten_types != store_.forgotten_types()) [[unlikely]] {
            known = new kept_query<Terms...>(store_);
            keep(number, std::unique_ptr<any_query>(known));
        }
        return static_cast<kept_query<Terms...>*>(known)->value;
    }

    store store_;
    std::shared_ptr<command_hub> hub_;
    std::vector<std::unique_ptr<any_query>> queries_;
    std::vector<std::unique_ptr<any_bundle>> bundles_;
};

} // namespace ecs
