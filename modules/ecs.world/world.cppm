// SPDX-License-Identifier: MIT
// The world as users see it: types in, values out.
export module ecs.world:world;
import ecs.std;
import ecs.id;
import ecs.registry;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.structure;
import ecs.query;
import :assignment;
import :assignment_of_many;
import :command_applier;
import :command_queue;
import :commands;
import :edit;
import :entity_graph;
import :flush_report;
import :observe;
import :snapshot;
import :spawner;
import :table_summary;
import :writing;

namespace ecs {

/// Entities and their components. Up to 255 worlds exist at once, unless handles have other widths than the
/// usual; a handle knows its world and is refused in others. One thread at a time, except where a function
/// says otherwise.
///
/// Inside a loop, a structural change throws iteration_error, also where nothing would change, such as remove
/// of what is not there. docs/storage.md lists what is no structural change: add and emplace of what the
/// entity has, set and edit of values that it has, enable and disable of a component, and some refusals.
///
/// In an observer, changes wait until the change that it was told of is complete: they return deferred, or a
/// handle that is alive already. What an observer throws is thrown by the operation that set it off when all
/// is complete, and undoes nothing: an entity that was spawned or cloned is there. Where a function says that
/// nothing has changed when it throws, what observers throw is not meant.
export class world : public entity_graph {
  public:
    /// Says that a reference to an owner may become a world.
    using owner_class = world;

    /// Throws too_many_worlds when all numbers of worlds are in use or spent.
    world() : world(id_space{}) {}
    ~world();

#ifdef __cpp_deleted_function
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
    world(const world&) = delete("a world is neither copied nor moved: pass a world&, keep it in a "
                                 "std::unique_ptr, or take what is in it with snapshot()");
#pragma clang diagnostic pop
#else
    world(const world&) = delete;
#endif

    /// A world that gives out identifiers of that space. Throws std::invalid_argument when there is no such
    /// space, and too_many_worlds.
    explicit world(const id_space& space);

    /// A world whose components have the indices of the manifest. Throws what the others and add_manifest
    /// throw.
    template <class... T> explicit world(manifest<T...> all, const id_space& space = {}) : world(space) {
        add_manifest(all);
    }

    /// Gives components the indices of the manifest. Throws std::invalid_argument when one has another index
    /// already, or when an index is another component's or spent, and iteration_error inside a loop: then
    /// nothing has changed.
    template <class... T> void add_manifest(manifest<T...> all) { engine_.types().register_listed(all); }

    // Entities.

    /// A new entity with these components, in one step, and then with the identifiers among the arguments:
    /// tags and pairs. Throws what a constructor throws, and std::invalid_argument when an identifier cannot
    /// be added, or a component: a singleton, a relation, what is target_only, what excludes another one or
    /// brings along what is refused. Then nothing has changed. Of an entity that an observer asks for, the
    /// operation that set the observer off throws it, and the entity has ended.
    template <class... Components>
        requires(!begins_with_text<Components...> && (component_type<std::remove_cvref_t<Components>> && ...))
    entity spawn(Components&&... components) {
        return spawner_.spawn(std::forward<Components>(components)...);
    }

    /// A new entity with a name. Throws name_error when the name is taken, and then the entity has not been;
    /// of an entity that an observer asks for, the operation that set the observer off throws it. A
    /// std::string that comes first is a name, too; as a component it is given with set.
    template <class... Components> entity spawn(std::string_view text, Components&&... components) {
        spawner_.register_types<Components...>();
        return engine_.events().as_one_occasion([&] {
            const std::string kept = spawner_.free_name(text, components...);
            const entity e = spawner_.spawn(std::forward<Components>(components)...);
            engine_.changes().name_or_despawn(e, kept);
            return e;
        });
    }

    /// Does not compile: one of the arguments is no component. Text that comes later is no name, either.
    template <class First, class... Rest>
        requires((!component_type<std::remove_cvref_t<First>> || ... ||
                  !component_type<std::remove_cvref_t<Rest>>) &&
                 !text<First> && !converts_to<First, std::string_view>)
    entity spawn(First&&, Rest&&...) {
        constexpr bool has_late_text = ((text<Rest> && !component_type<std::remove_cvref_t<Rest>>) || ...);
        static_assert(!has_late_text, "the name comes first: write spawn(name, components...)");
        if constexpr (!has_late_text)
            static_assert(require_component<std::remove_cvref_t<First>>() &&
                          (require_component<std::remove_cvref_t<Rest>>() && ...));
        return {};
    }

    /// Does not compile: a new entity is given values, which say of which types they are.
    template <class First, class... Rest> entity spawn() {
        static_assert(sizeof(First) == 0, "spawn takes its components as values: write spawn(T{}, U{}), and "
                                          "not spawn<T, U>()");
        return {};
    }

    /// The entity that lookup finds by the path. Where there is none, it is spawned, and so are those of its
    /// parents that are missing: each under its name, as a child of the one before. A single name may be that
    /// of a component or of a built-in entity; as a parent those are not found. Throws name_error when
    /// one of the names is empty, and what spawn throws: then nothing has changed.
    ///
    /// Inside a loop, what is there is found, and iteration_error is thrown where something would have to be
    /// spawned. What an observer asks for has its parent and its name when the observer has been told, as
    /// with spawn. Until then lookup does not find it: an observer that asks again for what is missing asks
    /// for other entities. Those cannot have the name any more and end, with what is below them, and the
    /// operation that set the observer off throws name_error.
    inline entity find_or_spawn(std::string_view path) { return find_or_spawn(entity{}, path); }
    /// The same, from an entity inwards, or from the outermost scope for null. Throws access_error when that
    /// entity is not alive, and std::invalid_argument when child_of refuses it as a parent.
    entity find_or_spawn(entity scope, std::string_view path);

    /// Fills the span with new entities that have these components, in one step for each chunk. An argument
    /// is a value, which each entity gets a copy of; a std::span of as many values as there are entities; or
    /// a function of the number of the entity, from 0 on, that returns a component or a std::tuple of them.
    /// With components that are kept outside tables, all values are made first. The values of a span must not
    /// be this world's: they would move while it is read. Throws std::invalid_argument when a span has
    /// another length or a component is refused, as by spawn, and what a constructor or the function throws:
    /// then none of the entities has been.
    template <class... Sources> void spawn_into(std::span<entity> out, Sources&&... sources) {
        (require_length(sources, out.size()), ...);
        spawn_rows(out, steady_source(std::forward<Sources>(sources))...);
    }

    /// The same; returns the entities.
    template <class... Sources> std::vector<entity> spawn_n(std::size_t count, Sources&&... sources) {
        std::vector<entity> made(count);
        spawn_into(made, std::forward<Sources>(sources)...);
        return made;
    }

    /// New children of the entity, from the same sources, in one step for each chunk: as spawn_into and
    /// add(e, pair(child_of, parent)) for each. Throws access_error when the parent is not alive,
    /// std::invalid_argument when child_of refuses it, and what spawn_into throws: then none of them has
    /// been. Of children that an observer asks for, the operation that set the observer off throws that they
    /// are refused.
    template <class... Sources>
    void spawn_children_into(entity parent, std::span<entity> out, Sources&&... sources) {
        (require_length(sources, out.size()), ...);
        if (!alive(parent)) engine_.reads().refuse_access(parent, {}, "children");
        spawn_rows_below(parent, out, steady_source(std::forward<Sources>(sources))...);
    }

    /// The same; returns the children.
    template <class... Sources>
    std::vector<entity> spawn_children(entity parent, std::size_t count, Sources&&... sources) {
        std::vector<entity> made(count);
        spawn_children_into(parent, made, std::forward<Sources>(sources)...);
        return made;
    }

    /// Takes over an entity that another world gave out, such as a server's: the entity of this world that
    /// has its index and generation, without components. Null when the index is in use, or has had that
    /// generation: a handle that is dead stays dead. Throws std::invalid_argument when it is no entity or its
    /// index is in this world's own space, iteration_error inside a loop or an observer, and std::bad_alloc.
    inline entity claim(entity elsewhere) { return engine_.changes().claim(elsewhere); }

    /// Whether a loop or an observer holds the world: changes wait until the observer has been told, and are
    /// refused inside a loop.
    [[nodiscard]] inline bool is_locked() const { return !engine_.changes().is_open(); }

    /// Which identifiers this world gives out.
    [[nodiscard]] inline const id_space& space() const { return engine_.rows().entities().space(); }

    /// A new entity that has what this one has, except its name, and except partners in relations that are
    /// exclusive and symmetric, and targets that may have one source, which stay with the original; what a
    /// relation refuses is left out. Those below the entity are not copied: the clone of an instance is
    /// instantiated anew, and so has what a new instance gets, parts and copies that the original has given
    /// up among them. clone_tree copies what is there. Throws access_error when it is not alive, or a value
    /// that the copy would have cannot be copied, and what a copy throws: then nothing has changed.
    inline entity clone(entity e) { return engine_.changes().clone(e); }

    /// Makes that many copies; none for 0, also of an entity that is not alive. Throws what clone throws, and
    /// std::length_error for more than a list can have: then there is none.
    [[nodiscard]] std::vector<entity> clone_n(entity e, std::size_t count);

    /// A copy of the entity with everything below it along child_of, beside the original: it has no name, the
    /// parts have their names and their order. Pairs from one of the copied entities to another lead from
    /// copy to copy, all others to the same targets as before; what its relation refuses to a copy is left
    /// out. Parts that instances got from their prefab are copied, not made anew. Throws what clone throws,
    /// and then nothing has changed. Linear in what is copied, except for what relations ask before they take
    /// a pair.
    inline entity clone_tree(entity e) { return engine_.changes().clone_tree(e); }

    /// Copies onto another entity what a clone of the first would have: components with their values, hidden
    /// where they are hidden there, tags, and pairs, the parent among them. No name is copied, nothing of
    /// which there is one only (singletons, partners of exclusive and symmetric relations, targets that may
    /// have one source), and no mark of those that others are instances of. What the second has besides
    /// stays; values that both have become copies, and the target of an exclusive relation is replaced. All
    /// is one change, which brings along what it would bring along in an edit. What is hidden or shown
    /// thereby is told last, as a change of its own: until then, what comes counts as shown, and what was
    /// hidden is hidden.
    /// Returns added, already_there when nothing was added, and deferred in an observer: then the first is
    /// copied as it is when the observers have been told. Refused with nothing changed: not_alive;
    /// not_copyable for values that cannot be copied, or that are kept sparse and cannot be moved; and what
    /// an edit refuses, such as a cycle, or something that excludes what is there. Throws iteration_error
    /// inside a loop, what a copy throws, and then nothing has changed; and std::bad_alloc as an edit does.
    /// Linear in what both have.
    add_result clone(entity from, entity onto);

    /// Ends the entity, its children, and every pair that points at it. False, with a reason, when it is not
    /// alive, when a clean-up policy keeps it, or when it is one that the world itself needs.
    inline despawn_result despawn(entity e) { return despawn_result(engine_.despawn(e)); }

    /// The same for each of the entities; returns how many have ended, or will, by their own turn: an entity
    /// that has ended before, with another of the list, does not count. Entities that stand one behind the
    /// other, as those of a query do, end together where nothing but rows is concerned. What observers throw
    /// is thrown when all have ended, as with all changes of many entities.
    inline std::size_t despawn(std::span<const entity> all) { return engine_.despawn(all); }

    /// The same for every entity that satisfies the query, but for components: a singleton's component has
    /// itself, and a query of it finds it. For no entity, if the query is of another world.
    template <class... Terms> std::size_t despawn(ecs::query<Terms...>&& of) {
        ecs::query<Terms...> kept = std::move(of);
        return despawn(kept);
    }
    template <class... Terms> std::size_t despawn(ecs::query<Terms...>& of) {
        const std::size_t ended = despawn_whole_tables(of.untyped());
        return ended + despawn_ordinary(of.entities());
    }
    /// Does not compile: an entity that has several answers ends once.
    template <class... Terms> std::size_t despawn(const joined_query<Terms...>&) {
        static_assert(sizeof...(Terms) > ~std::size_t{} / 2,
                      "a query with variables has an answer more often than once: write "
                      "despawn(query.entities())");
        return 0;
    }

    /// Takes entities back that were made a moment ago, as an import does that fails half-way: they and their
    /// children end, and no other entity ends or stays because of them, whatever clean-up policies say.
    /// Throws iteration_error inside a loop or an observer, and what observers throw when all have ended.
    void discard(std::span<const entity> made);

    /// Ends every entity except components, those that every world has, and those that commands have spawned
    /// and no flush has settled. No policy refuses it. A component that would end with another entity, as its
    /// child does, only loses the pair. Waits in an observer, and throws iteration_error inside a loop.
    void clear();

    /// Every entity except components and those that every world has. Linear in the world.
    [[nodiscard]] inline std::vector<entity> entities() const { return engine_.reads().ordinary_entities(); }

    /// Whether the handle is of this world and its entity has not ended. Any thread, at any time. Constant
    /// time.
    [[nodiscard]] inline bool alive(entity e) const { return engine_.rows().entities().alive(e); }

    /// The entity that has the index now; null when none has. For tools, which are given indices as text: a
    /// handle says more. Constant time.
    [[nodiscard]] entity at(std::uint32_t index) const;

    /// Why a handle is refused, or that it is live. Any thread, except while the world clears, loads or goes
    /// back.
    [[nodiscard]] inline id_status status(entity e) const { return engine_.rows().entities().status(e); }
    [[nodiscard]] inline id_status status(id word) const { return status(entity::assume_word(word.value())); }

    /// The status in a sentence: `512v1 is stale: index 512 is in use under generation 2`, and who ended the
    /// entity, when that is in the history. For a live entity it says whether its components come with the
    /// next flush.
    [[nodiscard]] std::string explain(entity e) const;

    /// Makes room for that many more entities that have exactly these components, or none: spawning them asks
    /// for no memory then and moves no row, as long as nothing else is spawned. For components that are kept
    /// outside tables there is room for the values, not for what finds them, and for components in place
    /// there is room for neither. Throws std::bad_alloc, std::length_error when there cannot be so many, and
    /// iteration_error inside a loop or an observer. Linear in the number.
    template <component_type... T> void reserve(std::size_t more) {
        engine_.changes().require_open();
        engine_.spawns().reserve(*spawner_.bundle_of<T...>().archetype, more);
        (..., [&] {
            if constexpr (is_sparse<T>) engine_.rows().sparse_of(component<T>())->reserve_values(more);
        }());
    }

    // Components.

    /// The entity of a component type, registered on first use. To register it throws iteration_error inside
    /// a loop, std::invalid_argument when a property that the type declares is refused, and std::length_error
    /// when the index that a manifest gives it is spent: then it is no component. Other functions that
    /// register a type throw the same.
    template <component_type T> entity component() { return engine_.component_entity<T>(); }
    /// Does not compile, and says why the type is no component.
    template <class T>
        requires(!component_type<T>)
    entity component() {
        static_assert(require_component<T>());
        return {};
    }

    /// Whether components of the type are found by array look-up: not when more than some 240 component types
    /// came first. Registers the type, as component does.
    template <component_type T> [[nodiscard]] bool has_fast_access() {
        return component<T>().index() < low_ids;
    }

    /// Every component, those of the library first, in the order of their indices. n log n in their number.
    [[nodiscard]] inline std::vector<entity> components() const { return engine_.reads().components(); }

    /// The component, or the entity that every world has, of that whole name, with its namespaces; null when
    /// there is none. Other than lookup, it never finds an entity that was given the name. The text of a
    /// query takes the last part of a name, too. Constant time.
    [[nodiscard]] inline entity component_named(std::string_view text) const {
        return engine_.rows().component_named(text);
    }

    /// The name of a component or of an entity that every world has; empty for others. A type
    /// whose name another type has already gets the name with a leading "::", such as "::needs"; if that is
    /// taken too, it has no name. Linear in the number of components.
    [[nodiscard]] inline std::string component_name(entity component) const {
        return engine_.rows().name_of_component(component);
    }

    /// The component whose type the values of an identifier have: itself, a pair's relation, or its target;
    /// null when there are none, and for a wildcard. Constant.
    [[nodiscard]] inline entity value_type_of(id word) const {
        return engine_.reads().value_type_of(engine_.rows().resolve(word));
    }

    /// What the values of a component are made of: as it was told, or as the compiler finds it for a plain
    /// aggregate; null when nothing is known. It stays as long as the component has it.
    [[nodiscard]] const reflection* reflection_of(entity component) const;

    /// A component that exists at run time only; the one of that name when the description agrees with it.
    /// Throws std::invalid_argument when it does not, or contradicts itself, name_error when the name is that
    /// of a built-in entity, and iteration_error inside a loop.
    entity component(const component_description& described);

    /// The identifier a type stands for: a component's entity, or the pair of a pair_of.
    template <class T> id id_of() { return id_of_type<T>(engine_); }

    /// Adds the components with their default values: several in one move. A constructor that throws changes
    /// nothing, but leaves what came before it where components follow one after the other: outside tables,
    /// and with properties.
    ///
    /// Add, set, emplace, remove and edits return what came of them, or why they are refused, and deferred in
    /// an observer; inside a loop they throw iteration_error as the comment of the class says.
    template <class... T>
        requires(sizeof...(T) > 0)
    add_result add(entity e) {
        static_assert((require_default_value<T>() && ...));
        if constexpr (sizeof...(T) == 1)
            return add_value<T...>(engine_, e);
        else
            return add_together(e, key_of<T...>(), {id_of<T>()...});
    }
    inline add_result add(entity e, id word) { return engine_.add(e, word); }
    /// Does not compile: a value is given with set.
    template <component_type T>
        requires(!converts_to<const T&, id>)
    add_result add(entity, const T&) {
        static_assert(sizeof(T) == 0, "add gives a component its default value, as in add<T>(e): to give it "
                                      "this one write set(e, value)");
        return {};
    }

    /// The same for each of the entities; returns how many have the component now, or will, when an observer
    /// asks. Entities that stand one behind the other, as those of a query do, move together where nothing
    /// but rows is concerned. Values are set with set.
    template <class T> std::size_t add(std::span<const entity> all) { return add(all, id_of<T>()); }
    inline std::size_t add(std::span<const entity> all, id word) { return engine_.add(all, word); }

    /// The value, which is a default one when the entity had none, neither its own nor inherited. Throws
    /// access_error when the entity is not alive, when add is refused, for the reason that its text has, when
    /// an observer asks and the value is not there yet, and when an observer of the addition takes the value
    /// away or ends the entity; iteration_error inside a loop, where there is no value; and what the
    /// constructor throws.
    template <component_type T> value_of<T>& get_or_add(entity e) {
        if (value_of<T>* const found = try_get<T>(e)) return *found;
        if (const add_result result = add<T>(e); !succeeded(result)) [[unlikely]]
            engine_.reads().refuse_addition(e, known_id_of_type<T>(engine_), type_name<T>, result);
        return get<T>(e);
    }

    /// Adds the component with this value, or replaces the value that is there.
    template <class T> add_result set(entity e, T value) {
        static_assert(require_settable<T>());
        return set_value<T>(engine_, e, std::move(value));
    }
    template <pair_type P> add_result set(entity e, value_of<P> value) {
        static_assert(require_pair_value<P>());
        return set_value<P>(engine_, e, std::move(value));
    }

    /// The same for several components in one move. Those that are kept outside tables follow one after the
    /// other.
    template <component_type First, component_type Second, component_type... Rest>
        requires(!converts_to<First, id>)
    add_result set(entity e, First first, Second second, Rest... rest) {
        static_assert(require_settable<First>() && require_settable<Second>() &&
                      (require_settable<Rest>() && ...));
        static_assert(all_different<First, Second, Rest...>, "an entity has a component once");
        return set_values(engine_, e, first, second, rest...);
    }
    /// The same for a component or a pair that is known at run time: `value` points to a value of its type,
    /// component_info::size bytes, which is copied. Returns no_value where the address is null or the
    /// identifier has no values, and not_copyable where its values cannot be copied. Throws iteration_error
    /// inside a loop, unless the entity has it, and what the copy throws: then nothing has changed.
    inline add_result set(entity e, id word, const void* value) {
        return engine_.changes().set(e, word, value);
    }
    /// Does not compile: a value is given whole.
    template <component_type T, class First, class... Rest>
        requires part_of<First, T>
    add_result set(entity, First&&, Rest&&...) {
        static_assert(sizeof(T) == 0, "set takes a value of the component, not what it is made of: write "
                                      "set(e, T{...})");
        return {};
    }

    /// Does not compile: a pair has the value behind its target, and one without a value is added.
    template <component_type R, std::same_as<entity> Target>
        requires(!converts_to<entity, R> && !pair_type<R>)
    add_result set(entity, Target) {
        static_assert(sizeof(R) == 0, "set gives a pair its value: write set<R>(e, target, value), or "
                                      "add<R>(e, target) for a pair without one");
        return {};
    }

    /// Sets a component of each of the entities, whose rows move together as far as they can. The source is
    /// one of spawn_into: a value, a std::span of as many, or a function of the number of the entity that
    /// returns one. Returns for how many it was done: not for those that are not alive. Throws
    /// std::invalid_argument when a span has another length and what a copy or the function throws, and then
    /// nothing has changed; and what set throws.
    template <class Source> std::size_t set(std::span<const entity> all, Source&& source) {
        require_length(source, all.size());
        std::vector<decltype(values_at(source, 0))> values;
        values.reserve(all.size());
        for (std::size_t i = 0; i < all.size(); ++i) values.push_back(values_at(source, i));
        return set_for_each(engine_, all, std::span(values));
    }
    template <class Source>
    [[deprecated("it is called set now, as add and remove of many entities are")]] std::size_t
    set_n(std::span<const entity> all, Source&& source) {
        return set(all, std::forward<Source>(source));
    }

    /// Constructs the component in place, if the entity does not have it: also of a type that can be neither
    /// copied nor moved. In an observer, such a type is made later, from copies of the arguments: what is to
    /// stay a reference is given as std::ref.
    template <component_type T, class... A> add_result emplace(entity e, A&&... arguments) {
        static_assert(require_emplaceable<T>());
        return emplace_value<T>(engine_, e, std::forward<A>(arguments)...);
    }
    /// Does not compile, and says why the type is no component.
    template <class T, class... A>
        requires(!component_type<T>)
    add_result emplace(entity, A&&...) {
        static_assert(require_component<T>());
        return {};
    }

    /// Removes the components: several in one move, all or, when one has to stay, none.
    template <class... T>
        requires(sizeof...(T) > 0)
    add_result remove(entity e) {
        if constexpr (sizeof...(T) == 1)
            return remove_value<T...>(engine_, e);
        else
            return remove_together(e, key_of<T...>(), {id_of<T>()...});
    }
    inline add_result remove(entity e, id word) { return engine_.remove(e, word); }
    /// Does not compile: what is removed is named by its type.
    template <component_type T>
        requires(!converts_to<const T&, id>)
    add_result remove(entity, const T&) {
        static_assert(sizeof(T) == 0, "a component is removed by its type: write remove<T>(e)");
        return {};
    }
    /// The same for each of the entities; returns how many do not have the component now. See add.
    template <class T> std::size_t remove(std::span<const entity> all) { return remove(all, id_of<T>()); }
    inline std::size_t remove(std::span<const entity> all, id word) { return engine_.remove(all, word); }

    /// Takes everything away that the entity itself has: components, tags and pairs, with its name and its
    /// parent. It stays alive, and so do its children and its instances, and pairs that lead to it stay. All
    /// goes in one change, so that what something else needs goes with it; the mark of an entity that others
    /// are instances of stays. Returns removed, not_there when it had nothing, and deferred in an observer.
    /// Refused with nothing changed: not_alive; is_built_in for a component and for what every world has;
    /// is_permanent; needed, when another entity needs a mirror image that would go; relation_in_use, when
    /// it is a target in the group of its parent (one_of); and what remove says where a property of it cannot
    /// be taken back. Observers are told as when all of it is removed together. Throws iteration_error inside
    /// a loop, and std::bad_alloc, after which the entity may still have what was to go last. Linear in what
    /// it has; what has no traits goes in one move.
    inline add_result clear(entity e) { return engine_.changes().clear(e); }

    /// Whether the entity has the component, the tag or the pair: itself, from a base, or by a property of
    /// the relation, such as reflexive. What is disabled counts, and a wildcard stands for whatever it
    /// matches. No entity that is not alive has anything.
    template <class T> [[nodiscard]] bool has(entity e) const {
        return has_component<std::remove_const_t<T>>(engine_, e);
    }
    [[nodiscard]] inline bool has(entity e, id word) const { return engine_.has(e, word); }
    /// Does not compile: what is asked for is named by its type.
    template <component_type T>
        requires(!converts_to<const T&, id>)
    bool has(entity, const T&) const {
        static_assert(sizeof(T) == 0, "a component is asked for by its type: write has<T>(e)");
        return false;
    }
    /// Whether the entity has all of the components.
    template <class First, class Second, class... Rest> [[nodiscard]] bool has(entity e) const {
        return has<First>(e) && has<Second>(e) && (has<Rest>(e) && ...);
    }
    /// Whether the entity has at least one of the components.
    template <class... T>
        requires(sizeof...(T) > 1)
    [[nodiscard]] bool has_any(entity e) const {
        return (has<T>(e) || ...);
    }

    /// Whether the entity has it itself: not from a base, nor by a rule of its relation. Constant time, but
    /// for a wildcard.
    [[nodiscard]] inline bool owns(entity e, id word) const { return engine_.owns(e, word); }
    template <class T> [[nodiscard]] bool owns(entity e) const {
        const id word = known_id_of_type<T>(engine_);
        return word && engine_.owns(e, word);
    }

    /// Everything that the entity itself has, components kept outside tables included: nothing that it
    /// inherits. What is in tables comes first, in the order of the words; what is kept outside follows, in
    /// the order in which the world met these components. Empty when it is not alive.
    [[nodiscard]] inline std::vector<id> ids(entity e) const { return engine_.reads().ids_of(e); }

    /// The value, or nullptr when the entity is not alive or does not have it. Constant time. The pointer is
    /// good until the next structural change of the world.
    template <class T> [[nodiscard, gnu::always_inline]] inline value_of<T>* try_get(entity e) {
        return find_value<T>(engine_, e);
    }
    template <class T> [[nodiscard]] const value_of<T>* try_get(entity e) const {
        return find_value<T>(engine_, e);
    }

    /// The value. Throws access_error when the entity is not alive or does not have it.
    template <class T> [[nodiscard, gnu::always_inline]] inline value_of<T>& get(entity e) {
        return get_value<T>(engine_, e);
    }
    template <class T> [[nodiscard]] const value_of<T>& get(entity e) const {
        return get_value<T>(engine_, e);
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

    /// Gets values of one component, for loops over handles that no query foresees: what get looks up at each
    /// call is looked up once. Components in tables profit; others are found as get finds them. A type that
    /// the world has not met is registered, as by component.
    /// getter<Position, Velocity>() gets several of one entity, which is looked for once.
    template <component_type... T>
        requires(sizeof...(T) != 0)
    [[nodiscard]] ecs::getter<T...> getter() {
        static_assert(require_no_pairs<T...>());
        (component<T>(), ...);
        return ecs::getter<T...>(engine_);
    }
    template <component_type... T>
        requires(sizeof...(T) != 0)
    [[nodiscard]] ecs::getter<const T...> getter() const {
        static_assert(require_no_pairs<T...>());
        return ecs::getter<const T...>(engine_);
    }
    /// Does not compile, and says why a type is no component.
    template <class... T>
        requires(!component_type<T> || ...)
    void getter() const {
        static_assert((require_component<T>() && ...));
    }

    /// The bytes of the value, or nullptr.
    [[nodiscard]] inline void* try_get(entity e, id word) { return engine_.find(e, word); }
    [[nodiscard]] inline const void* try_get(entity e, id word) const { return engine_.find(e, word); }
    [[deprecated("it does not throw as get<T> does: it is called try_get now")]] [[nodiscard]] inline void*
    get(entity e, id word) {
        return try_get(e, word);
    }
    [[deprecated(
        "it does not throw as get<T> does: it is called try_get now")]] [[nodiscard]] inline const void*
    get(entity e, id word) const {
        return try_get(e, word);
    }

    /// Calls f with the values of the components, which are those of f's parameters unless they are named;
    /// false, and no call, when the entity is not alive or lacks one. While f runs, changes of structure
    /// throw iteration_error, as in a loop. What f had written before it threw stays written, and nobody is
    /// told.
    template <class... T, class F> bool modify(entity e, F&& f) {
        if constexpr (sizeof...(T) == 0)
            return modify_values(engine_, e, f, terms_of_function<F>{});
        else
            return modify_values(engine_, e, f, term_list<T...>{});
    }

    /// Calls f with the value and returns it. Throws access_error when the entity is not alive or does not
    /// have it; and after the change, when an observer of it has ended the entity or taken the value away:
    /// modify returns no reference, and does not throw then. While f runs, changes of structure throw
    /// iteration_error, as in a loop. What f had written before it threw stays written, and nobody is told.
    template <class T, class F> value_of<T>& patch(entity e, F&& f) {
        return patch_value<T>(engine_, e, std::forward<F>(f));
    }

    /// The same for several: f takes them in this order, and is not called when one of them is missing.
    template <class First, class Second, class... Rest, class F>
    std::tuple<value_of<First>&, value_of<Second>&, value_of<Rest>&...> patch(entity e, F&& f) {
        patch_values<First, Second, Rest...>(engine_, e, std::forward<F>(f));
        return {value_after_patch<First>(engine_, e), value_after_patch<Second>(engine_, e),
                value_after_patch<Rest>(engine_, e)...};
    }

    /// Does not compile: modify reads the components off the parameters of f.
    template <has_parameters F> void patch(entity, F&&) {
        static_assert(sizeof(F) == 0, "patch names the components: write patch<T>(e, f), or modify(e, f), "
                                      "which reads them off f's parameters");
    }
    /// Does not compile: without a function nothing is written.
    template <class T> void patch(entity) {
        static_assert(sizeof(T) == 0, "patch calls a function with the value: write patch<T>(e, f), or "
                                      "modified<T>(e) where it is written already");
    }

    /// Says that a value was written through a reference from get, for observers and for queries that ask for
    /// changes. Of an inherited value it is said of the base; of an entity without the value, nothing.
    template <class T> void modified(entity e) {
        if (may_hear_of<T>(engine_) && find_value<T>(engine_, e)) tell_written<T>(engine_, e);
    }
    /// The same for a component or pair that is decided at run time. Of a pattern, nothing is said.
    inline void modified(entity e, id word) {
        const id meant = engine_.rows().resolve(word);
        if (engine_.events().has_listeners() && !meant.is_wildcard() && engine_.find(e, meant))
            engine_.events().written(e, meant);
    }

    /// Makes several changes to one entity a single move: world.edit(e).add<A>().set(B{}).remove<C>().
    [[nodiscard]] editor edit(entity e) { return {engine_, e}; }

    /// Hides the component from queries, or shows it again; its value stays where it is. Returns disabled or
    /// enabled when that changed something, already_there when it was so already, not_there when the entity
    /// does not have the component itself, and deferred in an observer. Refused: not_alive; wildcard, for a
    /// pattern; contradiction, for a pair whose relation keeps its targets in a column. No row moves: this
    /// may be done inside a loop.
    template <class T> add_result disable(entity e) { return engine_.set_enabled(e, id_of<T>(), false); }
    template <class T> add_result enable(entity e) { return engine_.set_enabled(e, id_of<T>(), true); }
    /// Whether the entity has the component and does not hide it: what is inherited is enabled, too.
    template <class T> [[nodiscard]] bool is_enabled(entity e) const {
        const id word = known_id_of_type<T>(engine_);
        return word && engine_.reads().is_enabled(e, word);
    }
    inline add_result disable(entity e, id word) { return engine_.set_enabled(e, word, false); }
    inline add_result enable(entity e, id word) { return engine_.set_enabled(e, word, true); }
    [[nodiscard]] inline bool is_enabled(entity e, id word) const {
        return engine_.reads().is_enabled(e, word);
    }

    /// Hides the entity from queries that do not ask for the tag disabled, or shows it again. Returns
    /// disabled or enabled when that changed something, already_there when it was so already, deferred in an
    /// observer, and not_alive. The tag is added and removed as others are: inside a loop that throws
    /// iteration_error, unless the entity to be disabled is so already.
    add_result disable(entity e);
    add_result enable(entity e);
    [[nodiscard]] bool is_enabled(entity e) const { return alive(e) && !engine_.has(e, disabled); }

    /// A component added to itself: one value for the world. Returns and throws what set does.
    template <class T> add_result set_singleton(T value) { return set<T>(component<T>(), std::move(value)); }
    /// The value, of const T to be read. Throws access_error when there is none, also where the world has not
    /// met the type.
    template <class T> [[nodiscard]] T& singleton() {
        if (T* const found = try_singleton<T>()) [[likely]]
            return *found;
        refuse_singleton<std::remove_const_t<T>>();
    }
    template <class T> [[nodiscard]] const T& singleton() const {
        if (const T* const found = try_singleton<T>()) [[likely]]
            return *found;
        refuse_singleton<std::remove_const_t<T>>();
    }
    /// The value, or nullptr when there is none.
    template <class T> [[nodiscard]] T* try_singleton() {
        return try_get<T>(engine_.rows().registered<std::remove_const_t<T>>());
    }
    template <class T> [[nodiscard]] const T* try_singleton() const {
        return try_get<T>(engine_.rows().registered<std::remove_const_t<T>>());
    }
    template <class T> [[nodiscard]] bool has_singleton() const {
        return has<T>(engine_.rows().registered<std::remove_const_t<T>>());
    }
    template <class T> add_result remove_singleton() { return remove<T>(component<T>()); }

    // Do not compile: it has to be said whose component is meant.

    template <component_type T> void set(const T&) {
        static_assert(sizeof(T) == 0, "set gives an entity a value: write set(e, value), or "
                                      "set_singleton(value) for the one of the world");
    }
    template <component_type T> void get() const {
        static_assert(sizeof(T) == 0, "get reads the value of an entity: write get<T>(e), or singleton<T>() "
                                      "for the one of the world");
    }
    template <component_type T> void add() {
        static_assert(sizeof(T) == 0, "add gives an entity a component: write add<T>(e), or "
                                      "set_singleton(T{}) for the one of the world");
    }
    template <component_type T> void has() const {
        static_assert(sizeof(T) == 0, "has asks of an entity: write has<T>(e), or has_singleton<T>() for the "
                                      "one of the world");
    }

    // Queries.

    /// A query for the entities that satisfy the terms; with, without and its other functions say more. It
    /// looks at tables when it is asked, and keeps what it has found as long as it lives. Registers
    /// components that the world has not met. Throws std::bad_alloc.
    template <class... Terms> [[nodiscard]] ecs::query<Terms...> query() {
        return ecs::query<Terms...>(engine_);
    }

    /// The same for a world that is only read: the terms are const. A component that the world has not met is
    /// registered, as everywhere, which throws iteration_error inside a loop and in a system that takes const
    /// world&.
    template <class... Terms> [[nodiscard]] ecs::query<Terms...> query() const {
        static_assert((reads_only<Terms> && ...), "a const world hands out nothing to be written: ask for "
                                                  "const T or const T* and not for T or T*");
        return ecs::query<Terms...>(asking().engine_);
    }

    /// A query whose terms are written: "Position, [inout] Velocity, !Frozen, (likes, $x)"; docs/queries.md
    /// has the language. Throws query_text_error, which shows the place, when the text is wrong or names what
    /// is not there.
    [[nodiscard]] text_query query(std::string_view text) { return {engine_, text}; }

    /// Terms that are types, and others that are written as text and hand out nothing. Throws
    /// query_text_error, for variables as well.
    template <class... Terms>
        requires(sizeof...(Terms) > 0)
    [[nodiscard]] ecs::query<Terms...> query(std::string_view text) {
        ecs::query<Terms...> made(engine_);
        add_text(made.untyped(), text);
        return made;
    }

    /// Does not compile: a query is made first, and then told what to call.
    template <class... Terms, class F>
        requires(!converts_to<F, std::string_view>)
    void query(F&&) {
        static_assert(sizeof(F) == 0, "a query takes types, and text: write query<T>().each(f), or each(f), "
                                      "which reads the types off the parameters of f");
    }

    /// How many entities a query for the components finds: as query<const T...>().count(), but that the query
    /// is kept where the world is not const.
    template <class... T>
        requires(sizeof...(T) > 0)
    [[nodiscard]] std::size_t count() {
        return queries_.query_of(term_list<const T...>{}).count();
    }
    template <class... T>
        requires(sizeof...(T) > 0)
    [[nodiscard]] std::size_t count() const {
        return query<const T...>().count();
    }

    /// Calls f for every entity that has what its parameters ask for: T& and const T& are required, T* and
    /// const T* are null where missing, entity is the entity; filters such as without<T> are empty. A lambda
    /// that asks for changes, such as changed<T>, finds those since its own last loop.
    template <class F> void each(F&& f) {
        static_assert(require_components<F>());
        queries_.query_of_function<F>().each(f);
    }
    /// Does not compile: the parameters of f say what is visited.
    template <component_type First, class... Rest, class F> void each(F&&) {
        static_assert(sizeof(First) == 0, "each visits what the parameters of f ask for: write "
                                          "each([](T& value) { ... }), or query<T>().each(f)");
    }
    /// The same for a world that is only read, as query: parameters are const T&, const T* or T. The tables
    /// are looked at anew by each call: a loop that runs often keeps a query.
    template <class F> void each(F&& f) const {
        static_assert(require_components<F>());
        visit_each(terms_of_function<F>{}, f);
    }

    /// The same on several threads at once, which call f side by side for different entities. Few entities
    /// are not worth a thread and are visited by the caller alone, unless `how` says that they are. Throws
    /// the first exception f throws, when all threads have stopped; and std::invalid_argument, before any is
    /// visited, when f would write what entities inherit and threads would share.
    template <class F> void par_each(F&& f, parallel_options how = {}) {
        par_each(default_executor(), f, how);
    }
    template <class F> void par_each(executor& on, F&& f, parallel_options how = {}) {
        static_assert(require_components<F>());
        queries_.query_of_function<F>().par_each(on, f, how);
    }

    // Relations.

    /// An entity that others are instances of: add(e, pair(is_a, prefab)). Queries pass it over, and what is
    /// below it. Text that comes first is its name, as spawn has it. Throws what spawn throws, and
    /// std::invalid_argument when a component excludes that it is a prefab: then the entity has not been.
    template <class... Components>
        requires(!begins_with_text<Components...> && (component_type<std::remove_cvref_t<Components>> && ...))
    entity prefab(Components&&... components) {
        spawner_.register_types<Components...>();
        return engine_.events().as_one_occasion([&] {
            const entity e = spawner_.spawn(std::forward<Components>(components)...);
            engine_.changes().tag_or_despawn(e, engine_.rows().resolve(prefab_tag));
            return e;
        });
    }
    template <class... Components> entity prefab(std::string_view text, Components&&... components) {
        spawner_.register_types<Components...>();
        return engine_.events().as_one_occasion([&] {
            const std::string kept = spawner_.free_name(text, components...);
            const entity e = prefab(std::forward<Components>(components)...);
            engine_.changes().name_or_despawn(e, kept);
            return e;
        });
    }

    /// Brings the instances of a prefab up to date, and theirs: they get the parts, the components and pairs
    /// under automatic override and the pairs between parts that they would get if they were made now. What
    /// they have stays as it is, and so does what the prefab no longer has; a part or a copy that an instance
    /// gave up comes back. Returns how many parts, components and pairs were given: 0 when it is called
    /// again. An instance that is part of its own prefab, or the other way round, is passed over. Throws
    /// access_error when the prefab is not alive, iteration_error inside a loop or an observer, and what a
    /// copy throws: then the instance that was to get it has changed in nothing, and the same call goes on.
    /// Linear in the parts of all the instances.
    inline std::size_t sync(entity prefab) { return engine_.changes().sync(prefab); }

    // Pairs. A relation or a target that is not alive is refused, and `any` stands for every target.

    /// Relates the entity to the target. An exclusive relation takes the pair with another target away.
    /// Throws pair_error for a relation whose index is too high for a pair; see can_relate.
    inline add_result add(entity e, entity relation, entity target) {
        return engine_.add(e, pair_to(relation, target));
    }
    /// Takes the pair away; not_there when the entity itself has none. Throws as add does.
    inline add_result remove(entity e, entity relation, entity target) {
        return engine_.remove(e, pair_to(relation, target));
    }
    /// Whether the entity has the pair, also where no more than a property of the relation says so: every
    /// entity that is alive is related to itself by a reflexive one.
    [[nodiscard]] inline bool has(entity e, entity relation, entity target) const {
        return can_relate(relation) && engine_.has(e, pair_to(relation, target));
    }
    /// Does not compile: a relation that is a type is named by it.
    template <component_type R>
        requires(!converts_to<const R&, id>)
    add_result add(entity, const R&, entity) {
        static_assert(sizeof(R) == 0, "a relation is named by its type: write add<R>(e, target), or "
                                      "set<R>(e, target, value)");
        return {};
    }

    // The same for a relation that every world has: add(e, child_of, parent).

    inline add_result add(entity e, builtin relation, entity target) { return add(e, own(relation), target); }
    inline add_result remove(entity e, builtin relation, entity target) {
        return remove(e, own(relation), target);
    }
    [[nodiscard]] inline bool has(entity e, builtin relation, entity target) const {
        return has(e, own(relation), target);
    }

    // What every world has, such as child_of, has properties, too: add(child_of, ordered).

    inline add_result add(builtin subject, id word) { return engine_.add(own(subject), word); }
    inline add_result remove(builtin subject, id word) { return engine_.remove(own(subject), word); }
    [[nodiscard]] inline bool has(builtin subject, id word) const { return engine_.has(own(subject), word); }

    // The same for a relation that is a type.

    template <component_type R> add_result add(entity e, entity target) {
        static_assert(require_relation_for_pairs<R>());
        return engine_.add(e, pair_to<R>(target));
    }
    template <component_type R> add_result remove(entity e, entity target) {
        return engine_.remove(e, pair_to<R>(target));
    }
    template <component_type R> add_result remove(entity e, any_t) {
        return engine_.remove(e, pair(component<R>(), any));
    }
    template <component_type R> [[nodiscard]] bool has(entity e, entity target) const {
        if (const entity relation = engine_.rows().registered<R>()) return has(e, relation, target);
        return declares<R>(trait::reflexive) && e == target && alive(e);
    }
    template <component_type R> [[nodiscard]] bool has(entity e, any_t) const {
        const entity relation = engine_.rows().registered<R>();
        return relation && engine_.has(e, pair(relation, any));
    }

    /// Relates the entity to the target with this value, or replaces the value that is there.
    template <component_type R> add_result set(entity e, entity target, std::type_identity_t<R> value) {
        static_assert(require_related_value<R>());
        return set_related<R>(engine_, e, target, std::move(value));
    }

    /// The value of the relation to the target, or nullptr.
    template <component_type R> [[nodiscard]] R* try_get(entity e, entity target) {
        return find_related<R>(engine_, e, target);
    }
    template <component_type R> [[nodiscard]] const R* try_get(entity e, entity target) const {
        return find_related<R>(engine_, e, target);
    }
    /// The value. Throws access_error when the entity is not related to the target, or not alive.
    template <component_type R> [[nodiscard]] R& get(entity e, entity target) {
        return get_related<R>(engine_, e, target);
    }
    template <component_type R> [[nodiscard]] const R& get(entity e, entity target) const {
        return get_related<R>(engine_, e, target);
    }
    /// Calls f with the value and returns it, as patch does for a component: observers are told.
    template <component_type R, class F> R& patch(entity e, entity target, F&& f) {
        return patch_related<R>(engine_, e, target, std::forward<F>(f));
    }
    /// Calls f with the value, as modify does for a component; false, and no call, when the entity is not
    /// related to the target, or not alive.
    template <component_type R, class F> bool modify(entity e, entity target, F&& f) {
        return modify_related<R>(engine_, e, target, std::forward<F>(f));
    }

    // Commands.

    /// Records changes to be made at the next flush: one object for each thread, any number at once. Objects
    /// with a key are flushed in the order of their keys, before those without. For any thread, except while
    /// the world flushes, loads, goes back or becomes deterministic; and not for threads other than those of
    /// a schedule, while it runs.
    [[nodiscard]] ecs::commands commands() { return ecs::commands(queue_, queue_->open()); }
    [[nodiscard]] ecs::commands commands(std::uint32_t key) {
        return ecs::commands(queue_, queue_->open(key));
    }

    /// From now on the identifiers that commands(key) hands out, for keys below `keys`, and those that
    /// systems hand out follow from what was recorded under each key, and not from which thread was faster:
    /// see docs/parallel.md for what else that takes. No other thread may be recording. Linear in the keys,
    /// as every flush is from then on. Throws std::length_error when there are too many keys, and
    /// iteration_error in a function that commands::spawn_n calls: then nothing has changed.
    void make_deterministic(std::uint32_t keys) { queue_->make_deterministic(keys); }

    /// Makes all recorded changes, and dispatches. No other thread may be recording or using the world
    /// meanwhile. Throws iteration_error inside a loop, an observer, or a function that commands::spawn_n
    /// calls, and then nothing has changed; flush_error when commands or observers threw: all others are
    /// applied then; and std::bad_alloc, and what component throws of a type that is spawned for the first
    /// time: then what has not been applied stays recorded for the next flush.
    flush_report flush() { return command_applier::flush(engine_, *queue_); }

    // Observers. See docs/observers.md for who is told what, and when. What an observer changes is done when
    // the change that it was told of is complete: until then, operations return deferred.

    /// Calls f whenever that happens to a component of the terms, at an entity that has all of them: with the
    /// values that the terms stand for, if f takes them, after what f takes of const event_context&; entity;
    /// world& and entity. Terms are T and const T, T* and const T* for what may be missing, and previous<T>;
    /// for filters such as without<T> observe a query. spawned and despawned need no terms.
    /// observe<event::custom, Event, Terms...> is told of an event of the user's own, as observe<Event> is,
    /// also when the type does not say that it is one.
    template <event What, class... Terms, class F> observer observe(F f, observer_options options = {}) {
        static_assert(require_told<What, sizeof...(Terms)>());
        static_assert((require_previous<What, Terms>() && ...));
        if constexpr (What == event::custom)
            return observe_own<Terms...>(std::move(f), options);
        else
            return engine_.events().observe(
                observer_of<world, void, Terms...>(engine_, What, std::move(f), options));
    }

    /// Does not compile: which events are told of is said of one query.
    template <event What, event Next, class... Terms, class F>
    observer observe(F, const observer_options& = {}) {
        static_assert(sizeof(F) == 0, "several events are told of what a query finds: write observe<added, "
                                      "removed>(world.query<T>(), f)");
        return {};
    }

    /// The same for an identifier decided at run time, which may be a pattern, and for one event, or several
    /// in braces. Throws std::invalid_argument when the identifier is null, which would be everything, when
    /// there is no event, when one is none of an identifier (table_created, table_removed or matching), and
    /// when spawned or despawned, where the identifier is what the entity must have, stands beside others.
    template <class F> observer observe(event_set what, id pattern, F f, observer_options options = {}) {
        return engine_.events().observe(
            observer_of_id<world>(engine_, what, require_observed(pattern), std::move(f), options));
    }
    /// The same for whole entities and for tables. Throws std::invalid_argument for no event, for custom,
    /// which needs the event, and for matching, which is for monitors.
    template <class F>
        requires(!converts_to<F, id>)
    observer observe(event_set what, F f, observer_options options = {}) {
        return engine_.events().observe(observer_of_id<world>(engine_, what, {}, std::move(f), options));
    }

    /// Calls f whenever one of the events happens to a component of a positive term of the query, at an
    /// entity that satisfies the query: required, any_of, and those that the query hands out. The loss of
    /// what the query must not find, by without, counts as event::added when the entity satisfies the query
    /// then; the context names what was lost. f takes what observe says, and then what the query hands out,
    /// if it wants that. What happens to a component above, which a term asks for by up, is told of each
    /// entity that satisfies the query and sees it there: a walk over those below. As in a loop, entities
    /// that are disabled and prefabs do not satisfy a query that does not ask for them. Throws
    /// std::invalid_argument when an observer would never be told, when the query asks for kinds of a
    /// component, for what is hidden or for changes, and when it is of another world.
    template <event What, event... More, class... Terms, class F>
    observer observe(ecs::query<Terms...> of, F f, observer_options options = {}) {
        static_assert((require_query_event<What>() && ... && require_query_event<More>()));
        return observe(event_set{What, More...}, std::move(of), std::move(f), std::move(options));
    }
    /// Does not compile.
    template <event What, event... More, class... Terms, class F>
    observer observe(joined_query<Terms...>, F, const observer_options& = {}) {
        static_assert(cannot_observe_variables<Terms...>());
        return {};
    }
    /// Does not compile.
    template <event What, event... More, class Query, class F>
        requires std::same_as<std::remove_cvref_t<Query>, text_query>
    observer observe(Query&&, F, const observer_options& = {}) {
        static_assert(cannot_observe_text<Query>());
        return {};
    }
    /// The same for events decided at run time: one, or several in braces.
    template <class... Terms, class F>
    observer observe(event_set what, ecs::query<Terms...> of, F f, observer_options options = {}) {
        return engine_.events().observe(
            observer_of_query<world>(engine_, what, std::move(of), std::move(f), options));
    }
    /// The same for an event of the user's own that is emitted, or comes by, at an entity that satisfies the
    /// query: f takes the event before what the query hands out.
    template <class Event, class... Terms, class F>
    observer observe(ecs::query<Terms...> of, F f, observer_options options = {}) {
        static_assert(require_event_type<Event>());
        return engine_.events().observe(
            observer_of_event<world, Event>(engine_, std::move(of), std::move(f), options));
    }

    /// Calls f(const Event&), f(entity, const Event&) or f(const event_context&, const Event&) when one is
    /// emitted on an entity that has the terms, whose values follow. The type of the event says that it is
    /// one, `static constexpr bool is_event = true`; of a type that does not, such as a local one,
    /// observe<event::custom, Event> is told.
    template <class Event, class... Terms, class F> observer observe(F f, observer_options options = {}) {
        static_assert(require_event_type<Event>());
        return observe_own<Event, Terms...>(std::move(f), options);
    }

    /// The same for an event that is an entity: f is not told the type of the payload.
    template <class F> observer observe(id own_event, F f, observer_options options = {}) {
        return engine_.events().observe(observer_of_id<world>(
            engine_, event::custom, require_observed(own_event), std::move(f), options));
    }

    /// Calls f(entity, bool) when an entity begins to satisfy the terms, and when it no longer does.
    template <class... Terms, class F> observer monitor(F f, observer_options options = {}) {
        return observe_matches(engine_, query<Terms...>(), std::move(f), options);
    }
    template <class... Terms, class F>
    observer monitor(ecs::query<Terms...> of, F f, observer_options options = {}) {
        return observe_matches(engine_, std::move(of), std::move(f), options);
    }
    /// Does not compile.
    template <class... Terms, class F>
    observer monitor(joined_query<Terms...>, F, const observer_options& = {}) {
        static_assert(cannot_observe_variables<Terms...>());
        return {};
    }
    /// Does not compile.
    template <class Query, class F>
        requires std::same_as<std::remove_cvref_t<Query>, text_query>
    observer monitor(Query&&, F, const observer_options& = {}) {
        static_assert(cannot_observe_text<Query>());
        return {};
    }

    /// The same as observe, but the hook is told before all observers of what begins, and after them of what
    /// ends.
    template <event What, component_type T, class F> observer hook(F f) {
        static_assert(require_hook_event<What>());
        auto made = observer_of<world, void, T>(engine_, What, std::move(f), {});
        made->hook = true;
        return engine_.events().observe(std::move(made));
    }

    /// The same for a component decided at run time. Throws as observe does.
    template <class F> observer hook(event what, id component, F f) {
        require_hook(what);
        auto made = observer_of_id<world>(engine_, what, require_observed(component), std::move(f), {});
        made->hook = true;
        return engine_.events().observe(std::move(made));
    }

    /// Tells the observers of the event, at the entity and wherever the event travels to. False when the
    /// entity is not alive, or the event is an entity that is null or has ended. Constant time, except for
    /// the observers that are told.
    template <class Event>
        requires(!converts_to<Event, id> && !converts_to<const Event&, std::span<const entity>>)
    bool emit(entity e, const Event& payload, propagation along = {}) {
        return emit_event(engine_, e, payload, along);
    }
    template <class Payload>
    bool emit(id own_event, entity e, const Payload& payload, propagation along = {}) {
        return engine_.events().emit(e, context_of(engine_.rows().resolve(own_event), payload),
                                     along.relation);
    }
    bool emit(id own_event, entity e, propagation along = {});
    /// Does not compile: an event happens to an entity.
    template <class Event>
        requires(!converts_to<Event, id>)
    void emit(const Event&) {
        static_assert(sizeof(Event) == 0, "an event is emitted at an entity: write emit(e, event)");
    }
    /// Does not compile: an event is a value.
    template <class Event> void emit(entity) {
        static_assert(sizeof(Event) == 0, "an event is a value, also where it has no members: write "
                                          "emit(e, Event{})");
    }

    /// The same at each of the entities, in their order. What observers ask for is done when all have been
    /// told. Returns how many of the entities are alive; 0 when the event is an entity that is not.
    template <class Event>
    std::size_t emit(std::span<const entity> all, const Event& payload, propagation along = {}) {
        return emit_event(engine_, all, payload, along);
    }
    template <class Payload>
    std::size_t emit(id own_event, std::span<const entity> all, const Payload& payload,
                     propagation along = {}) {
        return engine_.events().emit(all, context_of(engine_.rows().resolve(own_event), payload),
                                     along.relation);
    }
    std::size_t emit(id own_event, std::span<const entity> all, propagation along = {});

    /// Tells queued observers what they have not been told yet, as flush does. What that sets off for queued
    /// observers is told at the next dispatch. Returns how many times. Throws iteration_error inside a loop
    /// or an observer, unless the world has never had an observer, and, when all are told, what an observer
    /// threw first.
    std::size_t dispatch() { return engine_.changes().dispatch(); }

    // Time.

    /// The world as it is now, for restore. Entities that other threads have spawned since the last flush are
    /// not part of it. Throws snapshot_error, naming the component, when values cannot be copied, or when
    /// such an entity is in a pair of another; iteration_error in an observer that is told of a change, which
    /// may be half made; and what a copy throws. Linear in the world.
    [[nodiscard]] ecs::snapshot snapshot() const { return ecs::snapshot(engine_, queue_); }

    /// Goes back to a snapshot of this world: the entities that lived then live, under the same handles, with
    /// the same values, relations, order and names; all others are dead for ever. Components registered since
    /// stay registered. Queries, commands objects and systems stay good; no hook or observer is called. The
    /// snapshot can be used again. Throws snapshot_error when the snapshot is of another world or commands
    /// wait for the flush, iteration_error inside a loop or an observer, and what a copy throws: then nothing
    /// has changed. No other thread may be recording or using the world meanwhile. Linear in both worlds.
    void restore(const ecs::snapshot& then);

    /// As restore, and what is done from now on gives the identifiers that it gave the first time: for
    /// replays and for rollback in lockstep, where all machines have to agree on them. The price is that
    /// those born since the snapshot are not dead for ever: their handles name the entities that are born in
    /// their place. In deterministic mode that goes for what commands with keys and systems spawn, too.
    void rewind(const ecs::snapshot& then);

    /// From now on writes down the last `last` changes: entities that come and go, and what they get, lose
    /// and are set to, each with the system or the commands that made it. 0 ends it and forgets them; another
    /// number begins anew. While it is on, every change costs as much as telling one observer; while it is
    /// off, nothing. What a snapshot brings back is not written down. Throws std::bad_alloc and
    /// std::length_error, and then nothing has changed.
    void record_history(std::size_t last);

    /// The changes that have been written down, the oldest first: a value that comes with a component is set
    /// behind its addition. Empty when nobody asked for it. Linear in their number.
    [[nodiscard]] std::vector<recorded_change> history() const;

    /// While the returned object lives, recorded changes carry this text and the place of the call:
    /// `const auto scope = world.doing("collect loot");`. Changes by systems and by flushed commands do not.
    /// The innermost object counts. If no history has been recorded when this is called, it does nothing,
    /// even if recording begins later. Not for systems that run side by side. The text is copied; when memory
    /// runs out, changes carry none. The object must end before the world.
    [[nodiscard]] inline change_history::doing
    doing(std::string_view what,
          const std::source_location& at = std::source_location::current()) const noexcept {
        return {engine_.rows().history(), what, at};
    }

    /// Gives back the memory that no row needs, and drops empty tables of pairs; when an observer asks for
    /// it, after all have been told. Throws iteration_error in a loop and in a generator of values, which may
    /// be about to fill it. Linear in the tables.
    inline void shrink() {
        if (engine_.changes().is_open()) return engine_.shrink();
        engine_.changes().defer([this] { engine_.shrink(); });
    }
    /// Bytes of identifiers, rows and values, with the room that is kept for more; not of what describes
    /// tables and queries. Linear in the tables.
    [[nodiscard]] inline std::size_t memory_bytes() const { return engine_.rows().memory_bytes(); }

    /// Every table, empty ones as well, in the order in which they were made. Linear in the tables and their
    /// chunks.
    [[nodiscard]] std::vector<table_summary> tables() const;

  private:
    template <class T> [[noreturn]] void refuse_singleton() const {
        engine_.reads().refuse_singleton(engine_.rows().registered<T>(), type_name<T>);
    }
    /// Spawns an entity for each of the names, which are those of a path: the first below the parent, if that
    /// is not null, and each other one below the one before. Returns the last.
    entity spawn_path(entity parent, std::span<const std::string_view> names);
    /// Adds the identifiers; the key stands for the list.
    add_result add_together(entity e, std::uint64_t key, std::initializer_list<id> words);
    add_result remove_together(entity e, std::uint64_t key, std::initializer_list<id> words);
    /// Ends the entities of the first tables of the query, as far as whole tables can end at once. The order
    /// is that of loops: which identifiers come next does not depend on who listens, nor on what a table
    /// keeps.
    std::size_t despawn_whole_tables(query_core& of);
    /// Ends those of the entities that are neither components nor built in.
    std::size_t despawn_ordinary(std::vector<entity> found);
    friend class world_access;

    /// Makes the replica this world, with these identifiers. Throws snapshot_error when commands wait for the
    /// flush, or std::bad_alloc: then nothing has changed.
    void become(engine& replica, const entity_index& identifiers, column_orders orders,
                generations_after_return generations);
    template <class... Sources> void spawn_rows(std::span<entity> out, Sources&&... sources) {
        spawner_.spawn_rows(out, row_sources<std::remove_reference_t<Sources>...>(sources...));
    }
    template <class... Sources>
    void spawn_rows_below(entity parent, std::span<entity> out, Sources&&... sources) {
        spawner_.spawn_below(parent, out, row_sources<std::remove_reference_t<Sources>...>(sources...));
    }
    [[nodiscard]] inline entity own(builtin one) const { return engine_.rows().resolve(one).as_entity(); }
    template <class... Terms, class F> void visit_each(term_list<Terms...>, F& f) const {
        static_assert(!(asks_for_news<Terms> || ...),
                      "a const world does not know when the loop last looked for changes: keep a query");
        query<Terms...>().each(f);
    }
    /// For functions that change nothing that entities have: a query counts its loops in the store, and
    /// registers what it asks for.
    [[nodiscard]] inline world& asking() const { return const_cast<world&>(*this); }
    template <class Event, class... Terms, class F>
    observer observe_own(F f, const observer_options& options) {
        static_assert((require_previous<event::custom, Terms>() && ...));
        const id word = component<Event>();
        auto made = observer_of<world, Event, Terms...>(engine_, event::custom, std::move(f), options);
        made->terms.push_back({word});
        return engine_.events().observe(std::move(made));
    }
    void go_back(const ecs::snapshot& then, generations_after_return generations);

    std::shared_ptr<command_queue> queue_;
    observer history_observer_;
    query_cache queries_{engine_};
    spawner spawner_{engine_};
};

} // namespace ecs
