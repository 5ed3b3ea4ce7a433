// SPDX-License-Identifier: MIT
// The memory of chunks that have ended, for chunks to come. What goes back to an allocator in blocks of this
// size often goes on to the system, and a thread that writes to the next block waits for it page by page: see
// docs/decisions/chunks.md.
//
// Threads: one at a time.
export module ecs.storage:chunk_pool;
import ecs.std;
import :chunk;

export namespace ecs {

class chunk_pool {
  public:
    /// The most bytes that are kept. Memory beyond that is freed.
    static constexpr std::size_t bytes_kept = std::size_t{32} << 20;

    chunk_pool() = default;
    chunk_pool(const chunk_pool&) = delete;
    chunk_pool& operator=(const chunk_pool&) = delete;
    inline ~chunk_pool() { clear(); }

    /// Returns a chunk without rows, of that many bytes or some more, header included. Throws std::bad_alloc.
    [[nodiscard]] chunk* take(std::size_t bytes, std::uint32_t alignment);

    /// Keeps a chunk without rows, or frees it.
    void give(chunk* block) noexcept;

    /// Takes blocks for that many chunks of that size from another pool, as far as it has them.
    void stock(chunk_pool& from, std::size_t count, std::size_t bytes, std::uint32_t alignment) noexcept;

    /// Frees all blocks.
    void clear() noexcept;

    [[nodiscard]] inline std::size_t memory_bytes() const { return kept_bytes_; }

  private:
    /// The smallest block that is large enough and not much too large; null when there is none.
    [[nodiscard]] chunk* find(std::size_t bytes, std::uint32_t alignment) noexcept;

    struct kept_block {
        std::size_t bytes;
        std::uint32_t alignment;
        chunk* at; ///< A chunk that nobody reads or writes.
    };
    std::vector<kept_block> kept_;
    std::size_t kept_bytes_{};
};

} // namespace ecs
