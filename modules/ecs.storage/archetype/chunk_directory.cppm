// SPDX-License-Identifier: MIT
// Chunks by number: a place in the store is a chunk's number and a row in it, small enough to share a word
// with a generation. Three numbers stand for no chunk: for an index that is free, for an entity whose
// components are on their way, and for an entity that has no components and therefore no row.
export module ecs.storage:chunk_directory;
import ecs.std;
import :chunk;
import :chunk_pool;
import :column_starts;

export namespace ecs {

/// Chunks by number. Numbers are given out again, not always the lowest first.
class chunk_directory {
  public:
    static constexpr std::uint32_t nowhere = 0; ///< Not a chunk: the index is free.
    /// Not a chunk: an identifier whose components are still on their way.
    static constexpr std::uint32_t pending = 1;

    static constexpr std::uint32_t rowless = rowless_number; ///< Not a chunk either: no components, no row.

    static constexpr std::uint32_t number_max = (1U << 18) - 1; ///< A slot word has eighteen bits for it.

    /// What a number stands for. The table is beside the chunk, so that code that goes on there need not wait
    /// for the chunk.
    struct entry {
        chunk* block{};
        table* owner{};
    };

    chunk_directory() { chunks_[rowless] = {&rowless_.head, nullptr}; }
    chunk_directory(const chunk_directory&) = delete;
    chunk_directory& operator=(const chunk_directory&) = delete;

    /// The chunk of a number that is in use; for nowhere and pending, a chunk in which nothing is found.
    [[nodiscard]] inline chunk* operator[](std::uint32_t number) const { return chunks_[number].block; }
    /// The same with the chunk's table, which is null for nowhere and pending.
    [[nodiscard]] inline const entry& entry_of(std::uint32_t number) const { return chunks_[number]; }

    /// Whether the number is that of a chunk of a table, or of entities without a row, and not only lent.
    [[nodiscard]] inline bool is_in_use(std::uint32_t number) const {
        return chunks_[number].owner != nullptr;
    }

    /// Memory for chunks of any table.
    [[nodiscard]] inline chunk_pool& pool() { return pool_; }
    [[nodiscard]] inline const chunk_pool& pool() const { return pool_; }

    /// Where the columns of each chunk begin.
    [[nodiscard]] inline const column_starts& starts() const { return starts_; }
    [[nodiscard]] inline column_starts& starts() { return starts_; }

    /// Makes room for that many more chunks with these columns, so that inserting or placing them cannot
    /// fail. Throws std::bad_alloc, or std::length_error when there are not so many numbers.
    inline void reserve(std::size_t more, column_starts::columns columns) {
        reserve_numbers(more);
        starts_.reserve(columns);
    }

    /// Gives the chunk a number, for which reserve made room.
    inline void insert(chunk* block, column_starts::columns columns) noexcept {
        block->set_number(enter(block));
        ++chunk_changes_;
        starts_.enter(block->number(), block, columns);
    }

    /// The number that insert gives out next.
    [[nodiscard]] inline std::uint32_t next_number() const {
        return free_.empty() ? static_cast<std::uint32_t>(chunks_.size()) : free_.back();
    }

    /// Adds numbers to the list until it has that many, as far as there are any, for chunks that are filled
    /// elsewhere: nothing is found in them until they are placed. Throws std::bad_alloc.
    inline void lend(std::vector<std::uint32_t>& numbers, std::size_t count) {
        numbers.reserve(count);
        while (numbers.size() < count && (!free_.empty() || chunks_.size() <= number_max)) {
            reserve_numbers(1);
            numbers.push_back(enter(&void_));
        }
    }

    /// Begins with the numbers of the other directory, for copies of its chunks that are to be placed under
    /// these. Throws std::bad_alloc.
    inline void number_like(const chunk_directory& other) {
        chunks_.resize(other.chunks_.size());
        free_.reserve(chunks_.capacity());
        starts_.reserve(chunks_.capacity());
        for (auto number = static_cast<std::uint32_t>(chunks_.size()); number-- > first_chunk_number;)
            if (!other.is_in_use(number)) free_.push_back(number);
    }

    /// Enters the chunk under its number, which was lent; reserve came before.
    inline void place(chunk* block, column_starts::columns columns) noexcept {
        chunks_[block->number()] = {block, block->owner};
        ++chunk_changes_;
        starts_.enter(block->number(), block, columns);
    }

    /// Puts a larger block with the same columns in the place of a smaller one.
    inline void replace(std::uint32_t number, chunk* block, column_starts::columns columns) noexcept {
        block->set_number(number);
        place(block, columns);
    }

    /// Exchanges all chunks with another directory.
    inline void swap(chunk_directory& other) noexcept {
        chunks_.swap(other.chunks_);
        free_.swap(other.free_);
        starts_.swap(other.starts_);
        chunk_changes_ = other.chunk_changes_ = std::max(chunk_changes_, other.chunk_changes_) + 1;
        for (const std::uint32_t number : {nowhere, pending}) {
            chunks_[number].block = &void_;
            other.chunks_[number].block = &other.void_;
        }
        std::swap(rowless_.head.owner, other.rowless_.head.owner);
        chunks_[rowless] = {&rowless_.head, rowless_.head.owner};
        other.chunks_[rowless] = {&other.rowless_.head, other.rowless_.head.owner};
        const std::uint64_t later = std::max(rowless_changes(), other.rowless_changes()) + 1;
        const std::size_t count = rowless_count();
        restart_rowless(later, other.rowless_count());
        other.restart_rowless(later, count);
    }

    /// Frees the number, whose chunk had these columns.
    inline void erase(std::uint32_t number, column_starts::columns columns) noexcept {
        chunks_[number] = {};
        ++chunk_changes_;
        starts_.erase(number, columns);
        free_.push_back(number); // Cannot fail: free_ has room for every number.
    }

    /// Changes whenever an entity gets or loses a row, another target in a column, or another bit that hides
    /// a component: as long as it is the same, every entity has what it had in tables.
    [[nodiscard]] inline std::uint64_t row_changes() const { return row_changes_ + rowless_changes(); }
    inline void note_row_change() noexcept { ++row_changes_; }

    /// Changes whenever a chunk with rows comes, goes, or is replaced by another.
    [[nodiscard]] inline std::uint64_t chunk_changes() const { return chunk_changes_; }

    // Entities without a row.

    /// Entities without a row belong to that table and to these entities.
    inline void begin_rowless(table& owner, const entity_index& of) noexcept {
        rowless_.head.owner = chunks_[rowless].owner = &owner;
        rowless_.entities_of = &of;
    }
    [[nodiscard]] inline chunk& chunk_of_rowless() { return rowless_.head; }
    [[nodiscard]] inline const table* owner_of_rowless() const { return rowless_.head.owner; }

    [[nodiscard]] inline std::size_t rowless_count() const { return begun_rowless_ - ended_rowless_; }
    /// Changes whenever an entity begins or ceases to be without a row.
    [[nodiscard]] inline std::uint64_t rowless_changes() const { return begun_rowless_ + ended_rowless_; }
    inline void note_rowless(std::size_t more) noexcept { begun_rowless_ += more; }
    inline void note_end_of_rowless() noexcept { ++ended_rowless_; }
    inline void forget_rowless() noexcept { restart_rowless(rowless_changes() + 1, 0); }

  private:
    /// So many entities are without a row, after at least that many changes. The number grows by about one,
    /// so that it never comes back to what it was.
    inline void restart_rowless(std::uint64_t changes, std::size_t count) noexcept {
        begun_rowless_ = (std::max<std::uint64_t>(changes, count) + count) / 2 + 1;
        ended_rowless_ = begun_rowless_ - count;
    }
    inline void reserve_numbers(std::size_t more) {
        if (free_.size() >= more) return;
        const std::size_t size = chunks_.size() + more - free_.size();
        if (size > std::size_t{number_max} + 1)
            throw std::length_error("the rows of a world are in " + std::to_string(number_max) +
                                    " chunks at most: let entities have fewer different sets of components");
        if (size > chunks_.capacity()) chunks_.reserve(std::max(size, 2 * chunks_.size()));
        free_.reserve(chunks_.capacity());
        starts_.reserve(chunks_.capacity());
    }

    inline std::uint32_t enter(chunk* made) noexcept {
        if (free_.empty()) {
            chunks_.push_back({made, made->owner});
            return static_cast<std::uint32_t>(chunks_.size() - 1);
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        chunks_[number] = {made, made->owner};
        return number;
    }

    chunk void_; ///< Has no owner, no rows and no columns.
    rowless_chunk rowless_;
    std::vector<entry> chunks_ = std::vector<entry>(first_chunk_number, entry{&void_, nullptr});
    std::vector<std::uint32_t> free_;
    column_starts starts_;
    chunk_pool pool_;
    std::uint64_t row_changes_{};
    std::uint64_t chunk_changes_{};
    std::uint64_t begun_rowless_{};
    std::uint64_t ended_rowless_{};
};

} // namespace ecs
