// SPDX-License-Identifier: MIT
// A copy of a world in memory, to which the world can go back as often as it likes.
//
//   world.snapshot()   copies the store into a replica, chunk by chunk
//   world.restore(s)   copies the replica, and exchanges the copy with the store: the exchange cannot fail
export module ecs.world:snapshot;
import ecs.std;
import ecs.structure;
import :command_buffer;
import :command_queue;

namespace ecs {

/// A world as it was at some time. Copies of a snapshot share the one replica. It may outlive the world.
/// Nothing changes it: any thread may hold and destroy one, while world.restore is for the world's thread.
export class snapshot {
  public:
    explicit snapshot(const engine& of, const std::shared_ptr<const command_queue>& world)
        : kept_(replica_of(of, *world)), orders_(world->orders()), world_(world) {}

    /// Bytes of entities and values, without those that values own elsewhere.
    [[nodiscard]] std::size_t memory_bytes() const { return kept_->rows().memory_bytes(); }

  private:
    friend class snapshot_access;

    static std::unique_ptr<engine> replica_of(const engine& of, const command_queue& commands) {
        of.changes().require_whole();
        commands.require_settled_targets(of.rows());
        return of.replica();
    }

    std::shared_ptr<const engine> kept_;
    column_orders orders_; ///< The order of the rows that commands spawn depends on these.
    std::weak_ptr<const command_queue> world_;
};

/// What a world needs from a snapshot to go back to it.
class snapshot_access {
  public:
    /// Whether the snapshot is of the world with that queue, and not of another world with the same number.
    [[nodiscard]] static bool is_of(const snapshot& then, const std::weak_ptr<const command_queue>& world) {
        return !world.owner_before(then.world_) && !then.world_.owner_before(world);
    }
    [[nodiscard]] static const engine& engine_of(const snapshot& then) { return *then.kept_; }
    [[nodiscard]] static const column_orders& orders_of(const snapshot& then) { return then.orders_; }
};

} // namespace ecs
