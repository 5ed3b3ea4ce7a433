// SPDX-License-Identifier: MIT
// The memory of chunks that have ended, for those to come. What goes back to an allocator in blocks of this
// size often goes on to the system, and who writes to the next block waits for it page by page: see
// docs/decisions/chunks.md.
//
// Threads: one at a time.
export module ecs.storage:chunk_pool;
import ecs.std;
import :chunk;

export namespace ecs {

class chunk_pool {
  public:
    /// So much is kept at most. What comes behind that is freed.
    static constexpr std::size_t bytes_kept = std::size_t{32} << 20;

    chunk_pool() = default;
    chunk_pool(const chunk_pool&) = delete;
    chunk_pool& operator=(const chunk_pool&) = delete;
    inline ~chunk_pool() { clear(); }

    /// A chunk without rows, of so many bytes or some more, header included. Throws std::bad_alloc.
    [[nodiscard]] chunk* take(std::size_t bytes, std::uint32_t alignment);

    /// Keeps a chunk without rows, or frees it.
    void give(chunk* block) noexcept;

    /// Takes blocks for so many chunks of that size from another pool, as far as it has them.
    void stock(chunk_pool& from, std::size_t count, std::size_t bytes, std::uint32_t alignment) noexcept;

    /// Frees all.
    void clear() noexcept;

    [[nodiscard]] inline std::size_t memory_bytes() const { return kept_bytes_; }

  private:
    /// The smallest that will do, and is not much too large; null when there is none.
    [[nodiscard]] chunk* find(std::size_t bytes, std::uint32_t alignment) noexcept;

    struct kept_block {
        std::size_t bytes;
        std::uint32_t alignment;
        chunk* at; ///< Of which nobody reads or writes anything.
    };
    std::vector<kept_block> kept_;
    std::size_t kept_bytes_{};
};

} // namespace ecs
