// SPDX-License-Identifier: MIT
// What an entity gets that becomes an instance of another: an operation, see engine.cppm.
export module ecs.structure:instantiation;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;
import :constraints;
import :despawner;
import :lookup;
import :notifier;
import :row_spawner;
import :structure;

export namespace ecs {

/// See the head of this file.
class instantiation {
  public:
    instantiation(store& rows, const lookup& reads, const constraints& checks, notifier& events,
                  structure& core, despawner& despawns, row_spawner& spawns)
        : rows_(rows),
          reads_(reads),
          checks_(checks),
          events_(events),
          core_(core),
          despawns_(despawns),
          spawns_(spawns) {}
    instantiation(const instantiation&) = delete;
    instantiation& operator=(const instantiation&) = delete;

    // The floors below, for the helpers of its sources.
    [[nodiscard]] inline store& rows() const { return rows_; }
    [[nodiscard]] inline const lookup& reads() const { return reads_; }
    [[nodiscard]] inline const constraints& checks() const { return checks_; }
    [[nodiscard]] inline structure& core() const { return core_; }
    [[nodiscard]] inline despawner& despawns() const { return despawns_; }
    [[nodiscard]] inline row_spawner& spawns() const { return spawns_; }

    /// See world::sync.
    std::size_t sync(entity prefab);
    /// Gives the instance what it does not share with the base. When that fails, what was made ends, and the
    /// pair that asked for it goes.
    void inherit(entity instance, entity from);
    /// Makes the instance an instance of the base, and nothing else that follows from it.
    void set_base(entity instance, entity from);

  private:
    store& rows_;
    const lookup& reads_;
    const constraints& checks_;
    notifier& events_;
    structure& core_;
    despawner& despawns_;
    row_spawner& spawns_;
};

} // namespace ecs
