// SPDX-License-Identifier: MIT
// The untyped heart of a world: the five floors, see store.cppm, and the operations that stand on them. It
// holds them all by value, so that one pointer leads to each of them. The typed interface of a world adds
// types, not behaviour.
//
//   rows()      store            ask()     lookup          laws()   constraints
//   notices()   notifier         core()    structure
//
//   births()    row_spawner      ends()    despawner       types()   registrar
//
//   changes()   gate, the way in for what programs and observers change
//
// The engine itself has the short ways that loops of a program take thousands of times: they end in the rows
// while the gate is open and nothing has to be asked, made or told, and lead to the gate otherwise.
export module ecs.structure:engine;
import ecs.std;
import ecs.id;
import ecs.relation;
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
    [[nodiscard]] inline const lookup& ask() const { return ask_; }
    [[nodiscard]] inline const constraints& laws() const { return laws_; }
    [[nodiscard]] inline notifier& notices() { return notices_; }
    [[nodiscard]] inline const notifier& notices() const { return notices_; }
    [[nodiscard]] inline structure& core() { return core_; }
    [[nodiscard]] inline despawner& ends() { return ends_; }
    [[nodiscard]] inline row_spawner& births() { return births_; }
    [[nodiscard]] inline registrar& types() { return types_; }

    /// The way in for changes of programs and observers.
    [[nodiscard]] inline gate& changes() { return gate_; }
    [[nodiscard]] inline const gate& changes() const { return gate_; }

    // Short ways.

    /// See registrar::component_entity.
    template <class T> [[nodiscard]] entity component_entity() {
        if constexpr (component_type<T>)
            if (const entity known = rows_.registered<T>()) [[likely]]
                return known;
        return types_.component_entity<T>();
    }

    /// See lookup::find.
    [[nodiscard]] inline std::byte* find(entity e, id word) const {
        const row_ref at = rows_.locate(e);
        return at ? ask_.find_at(e, at, word) : nullptr;
    }
    /// See lookup::has.
    [[nodiscard]] inline bool has(entity e, id word) const {
        const row_ref at = rows_.locate(e);
        return at && ask_.has_at(e, at, word);
    }

    /// The edge that a row can take while nothing has to be asked, made or told; nullptr: take the slow path.
    [[nodiscard]] inline const transition* bare_way(edge_kind kind, row_ref at, id word) const {
        return at && gate_.is_open() ? rows_.bare_way(kind, at, word) : nullptr;
    }

    /// See structure::add, structure::remove and structure::set_enabled.
    add_result add(entity e, id word);
    add_result remove(entity e, id word);
    add_result set_enabled(entity e, id word, bool enabled);

    /// See despawner::despawn.
    bool despawn(entity e);

    /// See structure::add_aside.
    template <callable_with<std::byte*> Construct>
    add_result add_aside(entity e, side_set& side, Construct&& construct) {
        if (!gate_.is_open() || side.ruled || side.watched || rows_.has_bases()) [[unlikely]]
            return gate_.add_aside(e, side, std::forward<Construct>(construct));
        side.place(e, std::forward<Construct>(construct));
        return add_result::added;
    }

    /// See structure::move.
    template <callable_with<row_ref> Construct>
    row_ref move(row_ref from, const transition& along, Construct&& construct, given_values given = {}) {
        if (!along.bare) return core_.move_with_care(from, along, construct, given);
        return rows_.move_row(from, along, std::forward<Construct>(construct));
    }

    /// A new entity in the table. Construct as in move.
    template <callable_with<row_ref> Construct> entity spawn_in(table& in, const Construct& construct) {
        if constexpr (noexcept(construct(row_ref{})))
            if (in.has_room() && !in.watched) [[likely]]
                return rows_.spawn_in_room(in, construct);
        return births_.spawn_with_care(in, construct);
    }

    // Replicas: engines under the number of a world that are not that world.

    /// A replica without entities. Throws std::bad_alloc.
    engine(store::replica_tag tag, std::uint8_t world);

    /// A copy of everything but loops and observers. Throws snapshot_error when values cannot be copied, and
    /// what a copy throws.
    [[nodiscard]] std::unique_ptr<engine> replica() const;

    /// Makes the built-in entities and components of this world in a replica that has nothing yet.
    void lay_foundations(engine& replica) const;

    /// Lets a replica know the components that only this world knows, with their properties. One whose index,
    /// name or type the replica uses otherwise is left out.
    void teach(engine& replica) const;

    /// Lets the replica track what this world tracks, as if what it has had been written now: to go back is
    /// a change like any other. Throws std::bad_alloc.
    void carry_stamps(engine& replica) const;

    /// What a replica has is in this world from now on, and the other way round. The entities of the replica
    /// have been planned for.
    void exchange(engine& replica, entity_index::return_plan&& plan) noexcept;

  private:
    store rows_;
    lookup ask_{rows_};
    constraints laws_{rows_, ask_};
    notifier notices_{rows_, ask_};
    structure core_{rows_, ask_, laws_, notices_, instances_};
    despawner ends_{rows_, ask_, notices_, core_};
    row_spawner births_{rows_, ask_, laws_, notices_, core_, ends_};
    instantiation instances_{rows_, ask_, laws_, notices_, core_, ends_, births_};
    cloner copies_{rows_, ask_, laws_, notices_, core_, ends_, births_, instances_};
    gate gate_{rows_, ask_, notices_, core_, ends_, births_, instances_, copies_};
    registrar types_{rows_, notices_, core_, births_, gate_};
};

} // namespace ecs
