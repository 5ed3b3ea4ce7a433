// SPDX-License-Identifier: MIT
// The untyped heart of a world: the floors and the operations that stand on them. It holds them all by value,
// so that one pointer leads to each of them. The typed interface of a world adds types, not behaviour.
//
//   rows()      store            reads()      lookup         checks()   constraints
//   events()    notifier         core()       structure
//
//   spawns()    row_spawner      despawns()   despawner      types()    registrar
//   copies()    cloner
//
//   changes()   gate, the entrance for what programs and observers change
//
// The engine itself has the short paths that loops of a program take thousands of times: they end in the rows
// while the gate is open and nothing has to be asked, made or told, and lead to the gate otherwise.
module;
// The caller saves the registers that it needs, instead of these functions: they need all registers, and
// their callers have little in theirs. See base_pointer_guard. Compilers that do not know the attribute save
// registers as usual.
#if __has_cpp_attribute(clang::preserve_none) && defined(__x86_64__)
#define ECS_SAVES_NO_REGISTERS clang::preserve_none
#else
#define ECS_SAVES_NO_REGISTERS
#endif
export module ecs.structure:engine;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import :cloner;
import :constraints;
import :despawner;
import :gate;
import :instantiation;
import :lookup;
import :notifier;
import :registrar;
import :row_spawner;
import :structure;

export namespace ecs {

class engine;

/// A change of the entity with a value, which it may move from.
using change_with_value = void (*)(engine& in, entity e, std::byte* value);

/// See the head of this file. Not thread-safe, except where a function says so.
class engine {
  public:
    /// A new world, with the entities that every world has. Throws too_many_worlds.
    explicit engine(const id_space& space);
    engine(const engine&) = delete;
    engine& operator=(const engine&) = delete;
    /// Values end first, while observers and identifiers are still there.
    ~engine();

    [[nodiscard]] inline store& rows() { return rows_; }
    [[nodiscard]] inline const store& rows() const { return rows_; }
    [[nodiscard]] inline const lookup& reads() const { return reads_; }
    [[nodiscard]] inline const constraints& checks() const { return checks_; }
    [[nodiscard]] inline notifier& events() { return events_; }
    [[nodiscard]] inline const notifier& events() const { return events_; }
    [[nodiscard]] inline structure& core() { return core_; }
    /// Whether the entity itself has it, or something that the wildcard stands for.
    [[nodiscard]] inline bool owns(entity e, id word) const {
        word = rows_.resolve(word);
        return word.is_wildcard() ? rows_.locate(e) && !reads_.own_matches(e, word).empty()
                                  : reads_.owns(e, word);
    }
    /// Gives back what nobody needs: see world::shrink.
    inline void shrink() {
        core_.drop_unused_pairs();
        rows_.shrink();
    }
    [[nodiscard]] inline despawner& despawns() { return despawns_; }
    [[nodiscard]] inline row_spawner& spawns() { return spawns_; }
    [[nodiscard]] inline cloner& copies() { return copies_; }
    [[nodiscard]] inline registrar& types() { return types_; }

    /// The entrance for changes of programs and observers.
    [[nodiscard]] inline gate& changes() { return gate_; }
    [[nodiscard]] inline const gate& changes() const { return gate_; }

    /// See gate::later: for a change with a value, which make(place) makes now, and which is kept until then.
    add_result later(entity e, const component_info& info, value_constructor make, change_with_value change);

    // Short paths.

    /// See registrar::component_entity.
    template <class T> [[nodiscard]] entity component_entity() {
        if constexpr (component_type<T>)
            if (const entity known = rows_.typed<T>().component) [[likely]]
                return known;
        return types_.component_entity<T>();
    }

    /// See lookup::find.
    [[nodiscard]] inline std::byte* find(entity e, id word) const {
        const row_ref at = rows_.locate(e);
        return at ? reads_.find_at(e, at, word) : nullptr;
    }
    /// See lookup::has.
    [[nodiscard]] inline bool has(entity e, id word) const {
        const row_ref at = rows_.locate(e);
        return at && reads_.has_at(e, at, word);
    }

    /// The edge that a row can take while nothing has to be asked, made or told; nullptr: take the slow path.
    [[nodiscard]] inline const move_plan* trivial_edge(edge_kind kind, row_ref at, id word) const {
        return at && rows_.is_unlocked() ? rows_.trivial_edge(kind, at, word) : nullptr;
    }
    /// An edge that was found before, whatever it asks for; nullptr where there is none, or no row may move
    /// now.
    [[nodiscard]] inline const move_plan* known_edge(edge_kind kind, row_ref at, id word) const {
        return at && rows_.is_unlocked() ? at.block->owner->edges.find_again(kind, word) : nullptr;
    }

    /// Moves the row of a live entity, which does not have the component, to the table with the component.
    /// Returns where the caller has to make the value of that size, which cannot fail; nullptr when something
    /// has to be asked, made or told, and then nothing has changed.
    [[nodiscard, ECS_SAVES_NO_REGISTERS]] std::byte* move_for(entity e, std::uint64_t slot, id component,
                                                              std::size_t size);

    /// See structure::moves_and_tells: for an entity that does not have the component.
    bool adds_and_tells(entity e, id component, std::span<const std::byte> value) {
        const row_ref at = rows_.locate(e);
        const move_plan* const along = known_edge(edge_kind::adding, at, component);
        return along && core_.moves_and_tells(*along, at, value);
    }

    /// See structure::places_and_tells.
    bool places_and_tells(entity e, id component, std::span<const std::byte> value) {
        return rows_.is_unlocked() && core_.places_and_tells(e, component, value);
    }
    /// Removes what is kept outside tables: structure::erases_and_tells first, then structure::remove.
    add_result remove_outside(entity e, id component);

    /// See structure::add, structure::remove and structure::set_enabled.
    [[ECS_SAVES_NO_REGISTERS]] add_result add(entity e, id word);
    [[ECS_SAVES_NO_REGISTERS]] add_result remove(entity e, id word);
    add_result set_enabled(entity e, id word, bool enabled);

    /// See despawner::despawn.
    [[ECS_SAVES_NO_REGISTERS]] add_result despawn(entity e);

    // The same for each of the entities, together where that is possible; returns for how many it succeeded.

    std::size_t add(std::span<const entity> all, id word);
    std::size_t remove(std::span<const entity> all, id word);
    std::size_t despawn(std::span<const entity> all);
    /// Moves the first of the entities along the edge of the identifier, as many as can go together; returns
    /// how many, perhaps none.
    std::size_t move_some(edge_kind kind, entity_list all, id word);
    /// Whether it concerns nobody and nothing else whether an entity has the component or tag, and with which
    /// value: it has no traits, nobody is told of it, and no query tracks it.
    [[nodiscard]] bool stands_alone(id word) const {
        return rows_.traits_of(word).bits == 0 && !events_.hears_of(word);
    }
    /// Ends all entities of the table, if that can be done without a look at each; returns how many, perhaps
    /// none.
    std::size_t despawn_whole(table& in);

    /// See structure::move.
    row_ref move(row_ref from, const move_plan& along, row_constructor construct,
                 const given_values& given = {});

    /// A new entity in the table. Construct as in move.
    template <callable_with<row_ref> Construct> entity spawn_in(table& in, const Construct& construct) {
        if constexpr (noexcept(construct(row_ref{})))
            if (in.has_room() && !in.tells_of_spawns) [[likely]]
                return rows_.spawn_in_room(in, construct);
        return spawns_.spawn_with_care(in, construct);
    }

    // Replicas: engines under the number of a world that are not that world.

    /// A replica without entities. Throws std::bad_alloc.
    engine(store::replica_tag tag, std::uint8_t world);

    /// A copy of everything but loops and observers. Throws snapshot_error when values cannot be copied, and
    /// what a copy throws.
    [[nodiscard]] std::unique_ptr<engine> replica() const;
    /// The same without identifiers: it can take the place of another engine, with the identifiers of this
    /// one, and do nothing else.
    [[nodiscard]] std::unique_ptr<engine> replica_of_rows() const;

    /// Whether teach or carry_ticks would tell a copy of that replica anything.
    [[nodiscard]] bool has_news_for(const engine& replica) const;

    /// Makes the built-in entities and components of this world in a replica that has nothing yet.
    void lay_foundations(engine& replica) const;

    /// Lets a replica know the components that only this world knows, with their properties. One whose index,
    /// name or type the replica uses otherwise is left out.
    void teach(engine& replica) const;

    /// Lets the replica track what this world tracks, as if what it has had been written now: to go back is
    /// a change like any other. Throws std::bad_alloc.
    void carry_ticks(engine& replica) const;

    /// Exchanges what this world and the replica have. This world gets the identifiers, for which the plan
    /// was made.
    void exchange(engine& replica, const entity_index& identifiers,
                  entity_index::return_plan&& plan) noexcept;

  private:
    [[gnu::noinline]] std::byte* move_bytes_for(entity e, std::uint64_t slot, id component);
    [[gnu::noinline]] add_result add_slowly(entity e, id word);
    [[gnu::noinline]] add_result remove_slowly(entity e, id word);
    [[gnu::noinline]] add_result set_enabled_slowly(entity e, id word, bool enabled);
    [[gnu::noinline]] add_result despawn_slowly(entity e);

    store rows_;
    lookup reads_{rows_};
    constraints checks_{rows_, reads_};
    notifier events_{rows_, reads_};
    structure core_{rows_, reads_, checks_, events_, instances_};
    despawner despawns_{rows_, reads_, events_, core_};
    row_spawner spawns_{rows_, checks_, events_, core_, despawns_};
    instantiation instances_{rows_, reads_, checks_, events_, core_, despawns_, spawns_};
    cloner copies_{rows_, reads_, checks_, core_, despawns_, spawns_, instances_};
    gate gate_{rows_, reads_, events_, core_, despawns_, spawns_, instances_, copies_};
    registrar types_{rows_, events_, core_, spawns_, gate_};
};

} // namespace ecs
