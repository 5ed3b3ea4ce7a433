// SPDX-License-Identifier: MIT
// The entities from which chains of a transitive relation lead to one target. A query finds them once, and
// then need not follow the chain of every row.
export module ecs.storage:chain_sources;
import ecs.std;
import ecs.id;
import ecs.core;
import :entities;

export namespace ecs {

/// See the head of this file.
class chain_sources {
  public:
    /// Throws std::bad_alloc.
    inline void add(entity e) {
        known_.make_room(index_of(e));
        known_[index_of(e)] = e;
    }
    /// An entity that has the index of an ended entity is another one.
    [[nodiscard]] inline bool contains(entity e) const { return known_.value_or_default(index_of(e)) == e; }

  private:
    paged_array<entity, 512> known_; ///< By index.
};

} // namespace ecs
