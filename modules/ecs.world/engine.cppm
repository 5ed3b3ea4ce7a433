// SPDX-License-Identifier: MIT
// The untyped heart of a world: the five floors, see store.cppm, of which each knows those below it. The
// typed interface of a world adds types, not behaviour.
export module ecs.world:engine;
import ecs.std;
import ecs.id;
import :entities;
import :store;
import :structure;

namespace ecs {

/// See the head of this file. Not thread-safe, except where a function says so.
class engine final : public structure {
  public:
    /// A new world, with the entities that every world has. Throws too_many_worlds.
    explicit engine(const id_space& space);

    // Replicas: engines under the number of a world that are not that world.

    /// A replica without entities. Throws std::bad_alloc.
    engine(replica_tag, std::uint8_t world);

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
};

} // namespace ecs
