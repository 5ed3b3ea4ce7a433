// SPDX-License-Identifier: MIT
// The ends of entities, with all that ends with them: an operation, see engine.cppm.
export module ecs.structure:despawner;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;
import :lookup;
import :notifier;
import :structure;

export namespace ecs {

/// See the head of this file.
class despawner {
  public:
    despawner(store& rows, const lookup& reads, notifier& events, structure& core)
        : rows_(rows), reads_(reads), events_(events), core_(core) {}
    despawner(const despawner&) = delete;
    despawner& operator=(const despawner&) = delete;

    // The floors below, for the helpers of its sources.
    [[nodiscard]] inline store& rows() const { return rows_; }
    [[nodiscard]] inline const lookup& reads() const { return reads_; }
    [[nodiscard]] inline structure& core() const { return core_; }

    /// Ends the entity and whatever ends with it; not_alive when it is not alive.
    add_result despawn(entity e);

    /// Ends every entity but components and those that every world has. No policy refuses it.
    void clear();

    /// Ends these entities, and the entities that end with them, but no component and no entity that every
    /// world has. No policy refuses it.
    void despawn_regardless(std::span<const entity> all);

    /// Ends those of the entities that are alive, with everything below them along child_of, and no other
    /// entity, whatever the policies say.
    void despawn_alone(std::span<const entity> all);
    /// Ends exactly these entities, whatever the policies say; no entity ends because of one that stands
    /// behind it.
    void despawn_together(const std::vector<entity>& despawning);

  private:
    add_result despawn_used(entity e);
    void despawn_told(entity e, row_ref at);
    void end(entity e, row_ref at) noexcept;
    void end_each(std::span<const entity> all) noexcept;
    [[nodiscard]] bool is_needed(entity e) const;
    void despawn_one(entity e);

    store& rows_;
    const lookup& reads_;
    notifier& events_;
    structure& core_;
    bool clearing_{}; ///< Every entity ends, so that no policy has anything to protect.
};

} // namespace ecs
