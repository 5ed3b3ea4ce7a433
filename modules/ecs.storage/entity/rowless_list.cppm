// SPDX-License-Identifier: MIT
// Entities that have no components have no rows either: their slots say so, and nothing else knows of them. A
// loop over all entities finds them by their slots, in the order of their indices, and gets them in chunks,
// which are kept until one of these entities comes or goes.
export module ecs.storage:rowless_list;
import ecs.std;
import ecs.id;
import ecs.relation;
import :chunk;
import :chunk_directory;
import :entities;

export namespace ecs {

/// See the head of this file.
class rowless_list {
  public:
    /// The chunks of all these entities, which have no numbers of their own. Linear in all indices when one
    /// of these entities has come or gone since the last call. For any thread, while none comes or goes.
    /// Throws std::bad_alloc.
    [[nodiscard]] std::span<chunk* const> chunks(const chunk_directory& of, const entity_index& entities);

    /// The row that one of these entities has in the chunks; otherwise the same. Logarithmic when nothing has
    /// changed.
    [[nodiscard]] row_ref row_of(entity e, const chunk_directory& of, const entity_index& entities);

    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    void make(const chunk_directory& of, const entity_index& entities);
    [[nodiscard]] static unique_chunk make_chunk(table& owner);

    std::mutex making_;
    std::uint64_t version_{}; ///< See chunk_directory::rowless_changes.
    std::vector<unique_chunk> kept_;
    std::vector<chunk*> chunks_; ///< The same chunks.
};

} // namespace ecs
