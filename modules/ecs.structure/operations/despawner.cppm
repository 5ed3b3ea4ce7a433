// SPDX-License-Identifier: MIT
// The ends of entities, with all that ends with them: an operation on the five floors, see store.cppm.
export module ecs.structure:despawner;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;
import :constraints;
import :lookup;
import :notifier;
import :structure;

export namespace ecs {

/// See the head of this file.
class despawner {
  public:
    despawner(store& rows, const lookup& ask, notifier& notices, structure& core)
        : rows_(rows), ask_(ask), notices_(notices), core_(core) {}
    despawner(const despawner&) = delete;
    despawner& operator=(const despawner&) = delete;

    // The floors below, for the helpers of its sources.
    [[nodiscard]] inline store& rows() const { return rows_; }
    [[nodiscard]] inline const lookup& ask() const { return ask_; }
    [[nodiscard]] inline notifier& notices() const { return notices_; }
    [[nodiscard]] inline structure& core() const { return core_; }

    /// Ends the entity and whatever ends with it; false when it is not alive.
    bool despawn(entity e);

    /// Ends every entity but components and those that every world has. No policy refuses it.
    void clear();

    /// Ends these, and those who end with them. No policy refuses it.
    void end_regardless(std::span<const entity> all);

    /// Ends those of these who live, with everything below them along child_of, and no other, whatever the
    /// policies say.
    void end_alone(std::span<const entity> all);
    /// Ends exactly these, whatever the policies say; later ones are no reason for the end of earlier ones.
    void end_together(const std::vector<entity>& doomed);

  private:
    bool end_referred(entity e);
    [[nodiscard]] bool is_needed(entity e) const;
    void end_one(entity e);

    store& rows_;
    const lookup& ask_;
    notifier& notices_;
    structure& core_;
    bool clearing_{}; ///< Every entity ends, so that no policy has anything to protect.
};

} // namespace ecs
