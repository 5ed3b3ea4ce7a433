// SPDX-License-Identifier: MIT
// Copies of entities: an operation, see engine.cppm.
export module ecs.structure:cloner;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;
import :constraints;
import :despawner;
import :instantiation;
import :lookup;
import :row_spawner;
import :structure;

export namespace ecs {

/// See the head of this file.
class cloner {
  public:
    cloner(store& rows, const lookup& reads, const constraints& checks, structure& core, despawner& despawns,
           row_spawner& spawns, instantiation& instances)
        : rows_(rows),
          reads_(reads),
          checks_(checks),
          core_(core),
          despawns_(despawns),
          spawns_(spawns),
          instances_(instances) {}
    cloner(const cloner&) = delete;
    cloner& operator=(const cloner&) = delete;

    // The floors below, for the helpers of its sources.
    [[nodiscard]] inline store& rows() const { return rows_; }
    [[nodiscard]] inline const lookup& reads() const { return reads_; }
    [[nodiscard]] inline const constraints& checks() const { return checks_; }
    [[nodiscard]] inline structure& core() const { return core_; }
    [[nodiscard]] inline despawner& despawns() const { return despawns_; }
    [[nodiscard]] inline row_spawner& spawns() const { return spawns_; }
    [[nodiscard]] inline instantiation& instances() const { return instances_; }

    /// Makes an entity that has what this one has, except its name. It is `copy`, if that is a pending
    /// entity. Throws access_error when the original is not alive or a value cannot be copied.
    entity clone(entity e, entity copy);

    /// What another entity, which is alive as the first is, gets of the first when that is copied onto it.
    [[nodiscard]] std::vector<id> words_for(entity from, entity onto);

    /// See world::clone_tree.
    entity clone_tree(entity root, entity copy);

  private:
    void require_alive(entity e) const;

    store& rows_;
    const lookup& reads_;
    const constraints& checks_;
    structure& core_;
    despawner& despawns_;
    row_spawner& spawns_;
    instantiation& instances_;
};

} // namespace ecs
