// SPDX-License-Identifier: MIT
// The entrance for changes. While observers are told, a change waits until they have been; while a loop walks
// over the world, it is refused; otherwise it is made at once:
//
//   asked for by       the world is       add, set, despawn, spawn ...
//   ---------------------------------------------------------------------------------------------------
//   a program          open               made at once
//   an observer        deferring          `deferred`: made when the change that it was told of is complete
//   a loop             locked             throws iteration_error, but for what is said below
//
// A loop may add what the entity has, write a value that it has, and enable or disable a component: no row
// moves for that. Set, emplace, enable and disable of a component return not_alive there, too. Nearly
// all else throws, also where nothing would change: remove of what is not there, add to and despawn of what
// has ended, and enable(e) of an entity that is not disabled.
//
// The floors below never ask which of these it is: their callers have passed the gate.
export module ecs.structure:gate;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import :change_queue;
import :cloner;
import :despawner;
import :instantiation;
import :lookup;
import :notifier;
import :row_spawner;
import :structure;

export namespace ecs {

/// See the head of this file. Not thread-safe.
class gate {
  public:
    gate(store& rows, const lookup& reads, notifier& events, structure& core, despawner& despawns,
         row_spawner& spawns, instantiation& instances, cloner& copies)
        : rows_(rows),
          reads_(reads),
          events_(events),
          core_(core),
          despawns_(despawns),
          spawns_(spawns),
          instances_(instances),
          copies_(copies) {}
    gate(const gate&) = delete;
    gate& operator=(const gate&) = delete;

    /// Whether changes are made at once.
    [[nodiscard]] inline bool is_open() const { return rows_.is_unlocked(); }
    /// Whether changes wait, because an observer is being told.
    [[nodiscard]] inline bool defers() const { return events_.defers(); }
    /// For changes that cannot wait. Throws iteration_error when the gate is not open.
    inline void require_open() const { rows_.require_unlocked(); }
    /// For what keeps the world as it is. Throws iteration_error while an observer is told of a change,
    /// unless a loop holds the world still, and while a component that an observer registers waits for its
    /// row.
    void require_whole() const;

    /// Makes the change when the observers have been told. Throws iteration_error when it is not an observer
    /// that asks.
    template <class F> void defer(F change) {
        require_deferring();
        events_.wait(std::move(change));
    }
    /// The same for a change of an entity; returns what the caller is told of the change.
    template <class F> add_result later(entity e, F change) {
        if (defers() && !rows_.entities().alive(e)) return add_result::not_alive;
        defer(std::move(change));
        return add_result::deferred;
    }

    // What entities have. See the functions of the same names in structure.

    inline add_result add(entity e, id word) { return is_open() ? core_.add(e, word) : add_later(e, word); }
    add_result add_all(entity e, std::uint64_t key, std::span<const id> words);
    inline add_result remove(entity e, id word) {
        return is_open() ? core_.remove(e, word) : remove_later(e, word);
    }
    add_result remove_all(entity e, std::uint64_t key, std::span<const id> words);
    add_result clear(entity e);
    add_result set(entity e, id word, const void* value);
    add_result set_enabled(entity e, id word, bool enabled);
    add_result link_object(entity e, id relation, std::shared_ptr<void> object, std::uint32_t type);
    void set_name(entity e, std::string_view text);
    void reorder(entity target, std::span<const entity> sources, id relation);
    add_result replace_sources(entity target, std::span<const entity> sources, id relation);

    inline add_result add_with(row_ref at, id word, value_constructor construct) {
        require_open();
        return core_.add_with(at, word, construct);
    }
    inline add_result add_before_moving(row_ref at, id word, value_constructor construct) {
        require_open();
        return core_.add_before_moving(at, word, construct);
    }
    inline add_result add_sparse(entity e, sparse_set& sparse, value_constructor construct) {
        require_open();
        return core_.add_sparse(e, sparse, construct);
    }

    // Beginnings and ends. See row_spawner, cloner, instantiation and despawner.

    /// Makes a new entity. It gets its row by settle(e) when the observers have been told.
    template <class Settle> entity spawn_later(Settle settle) {
        require_deferring();
        return wait_for_row(new settling_row<Settle>(std::move(settle)));
    }
    /// Ends entities that were asked for just now, and of which nobody has been told, and sets them to null.
    void withdraw(std::span<entity> waiting) noexcept;
    entity claim(entity elsewhere);

    // What an observer asks for is refused when its turn comes, and thrown as what observers throw. Entities
    // that have ended by then are passed over.

    /// Makes fresh entities children of the entity. Throws std::invalid_argument when that is refused: then
    /// they have ended.
    void adopt_fresh(entity parent, std::span<entity> all);
    /// Throws name_error when a child of the entity, or an entity without a parent, cannot have the name.
    /// What observers have asked for and has not been made yet is not asked.
    void require_free_name(entity parent, std::string_view text) const;
    /// Gives a fresh entity its name. When it cannot have the name, it ends, and name_error is thrown.
    void name_or_despawn(entity e, std::string_view text);
    /// Makes a fresh entity a prefab. When it cannot be one, it ends, and std::invalid_argument is thrown.
    void tag_or_despawn(entity e, id tag);
    entity clone(entity e);
    entity clone_tree(entity root);
    std::size_t sync(entity prefab);
    inline add_result despawn(entity e) { return is_open() ? despawns_.despawn(e) : despawn_later(e); }
    /// Ends entities that must not have been, with their parts: nobody else ends because of them, whatever
    /// the policies say.
    void discard(std::span<const entity> made);
    void clear();

    /// See notifier::dispatch.
    std::size_t dispatch();

    /// Keeps ticks of what the identifier stands for from now on; see notifier::track. Throws
    /// iteration_error, which names the component, when the gate is not open.
    void track(id word);

  private:
    using copying = entity (cloner::*)(entity original, entity copy);

    void require_deferring() const;
    /// Takes ownership of the row. Importers hand over a pointer, because their compiler then need not look
    /// into std::unique_ptr.
    entity wait_for_row(waiting_row* row);
    add_result add_later(entity e, id word);
    add_result remove_later(entity e, id word);
    add_result despawn_later(entity e);
    [[nodiscard]] bool set_moves(entity e, id word, const void* value) const;
    add_result set_later(entity e, id word, const void* value);
    entity copy(entity e, copying made);

    store& rows_;
    const lookup& reads_;
    notifier& events_;
    structure& core_;
    despawner& despawns_;
    row_spawner& spawns_;
    instantiation& instances_;
    cloner& copies_;
};

} // namespace ecs
