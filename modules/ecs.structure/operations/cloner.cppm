// SPDX-License-Identifier: MIT
// Copies of entities: an operation on the five floors, see store.cppm.
export module ecs.structure:cloner;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;
import :constraints;
import :despawner;
import :instantiation;
import :lookup;
import :notifier;
import :row_spawner;
import :structure;

export namespace ecs {

/// See the head of this file.
class cloner {
  public:
    cloner(store& rows, const lookup& ask, const constraints& laws, notifier& notices, structure& core,
           despawner& ends, row_spawner& births, instantiation& instances)
        : rows_(rows),
          ask_(ask),
          laws_(laws),
          notices_(notices),
          core_(core),
          ends_(ends),
          births_(births),
          instances_(instances) {}
    cloner(const cloner&) = delete;
    cloner& operator=(const cloner&) = delete;

    // The floors below, for the helpers of its sources.
    [[nodiscard]] inline store& rows() const { return rows_; }
    [[nodiscard]] inline const lookup& ask() const { return ask_; }
    [[nodiscard]] inline const constraints& laws() const { return laws_; }
    [[nodiscard]] inline notifier& notices() const { return notices_; }
    [[nodiscard]] inline structure& core() const { return core_; }
    [[nodiscard]] inline despawner& ends() const { return ends_; }
    [[nodiscard]] inline row_spawner& births() const { return births_; }
    [[nodiscard]] inline instantiation& instances() const { return instances_; }

    /// A new entity that has what this one has, but for its name: the copy, if that is an entity in limbo.
    /// Throws access_error when the original is not alive or a value cannot be copied.
    entity clone(entity e, entity copy);

    /// See world::clone_tree.
    entity clone_tree(entity root, entity copy);

  private:
    void require_alive(entity e) const;

    store& rows_;
    const lookup& ask_;
    const constraints& laws_;
    notifier& notices_;
    structure& core_;
    despawner& ends_;
    row_spawner& births_;
    instantiation& instances_;
};

} // namespace ecs
