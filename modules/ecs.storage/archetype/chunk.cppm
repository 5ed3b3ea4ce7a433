// SPDX-License-Identifier: MIT
// A chunk is one block of memory with the rows of one table: a header, the entities, then a column of values
// for each component. Rows are added and removed at the end only; a full chunk never moves, and neither do
// its rows.
//
//   +--------+-----------------+---------------+---------------+
//   | header | entity entity . | Position .... | Velocity .... |   every column starts on a cache line
//   +--------+-----------------+---------------+---------------+
//
// The directory says by component index where each column of a chunk begins, so that a value is found without
// its table. It says so beside the chunk's address, not in its header: headers lie a multiple of the page
// size apart and would push each other out of the cache. A place in the store is a chunk's number and a row
// in it, small enough to share a word with a generation.
export module ecs.storage:chunk;
import ecs.std;
import ecs.id;
import ecs.relation;

export namespace ecs {

class table;

inline constexpr std::size_t cache_line = 64;
inline constexpr std::uint32_t rows_max = 2048; ///< Rows of a chunk; eleven bits number them.
inline constexpr std::size_t low_ids = 256;     ///< Components below this index are found by array look-up.

/// Which rows of a chunk have which component disabled: a bit for each row, a run of words for each position
/// in the table's type. Made when the first component of a chunk is disabled.
class toggle_bits {
  public:
    inline toggle_bits(std::size_t positions, std::uint32_t capacity)
        : words_per_position_((capacity + 63) / 64), words_(positions * words_per_position_) {}

    [[nodiscard]] inline bool test(std::size_t position, std::uint32_t row) const {
        return (words_[word_of_row(position, row)] >> (row % 64)) & 1;
    }

    /// Returns whether that changed the bit.
    inline bool assign(std::size_t position, std::uint32_t row, bool value) {
        const std::uint64_t bit = std::uint64_t{1} << (row % 64);
        std::uint64_t& word = words_[word_of_row(position, row)];
        const std::uint64_t before = std::exchange(word, value ? word | bit : word & ~bit);
        return before != word;
    }

    /// The 64 rows that begin at row 64 * block.
    [[nodiscard]] inline std::uint64_t block(std::size_t position, std::size_t block) const {
        return words_[position * words_per_position_ + block];
    }

    /// Takes over the bits of the first rows of a smaller chunk of the same table.
    inline void adopt(const toggle_bits& smaller) {
        const std::size_t positions = words_.size() / words_per_position_;
        for (std::size_t position = 0; position < positions; ++position)
            for (std::size_t block = 0; block < smaller.words_per_position_; ++block)
                words_[position * words_per_position_ + block] = smaller.block(position, block);
    }

  private:
    [[nodiscard]] inline std::size_t word_of_row(std::size_t position, std::uint32_t row) const {
        return position * words_per_position_ + row / 64;
    }

    std::size_t words_per_position_;
    std::vector<std::uint64_t> words_;
};

/// The header of a block of rows; the columns follow it in the same allocation.
struct alignas(cache_line) chunk {
    table* owner{};
    std::uint32_t count{};
    std::uint32_t capacity{};
    std::uint32_t number{};
    std::uint32_t alignment{};             ///< Of the allocation.
    std::unique_ptr<toggle_bits> disabled; ///< Null while nothing in the chunk is disabled.
    chunk* next_spare{};                   ///< Of a chunk that waits for rows.

    [[nodiscard]] inline std::byte* bytes() { return reinterpret_cast<std::byte*>(this); }
    [[nodiscard]] inline entity* entities() { return reinterpret_cast<entity*>(this + 1); }
    [[nodiscard]] inline const entity* entities() const { return reinterpret_cast<const entity*>(this + 1); }
};
static_assert(sizeof(chunk) % cache_line == 0);

/// Makes a chunk of that many bytes, header included. Throws std::bad_alloc.
[[nodiscard]] inline chunk* allocate_chunk(std::size_t bytes, std::uint32_t alignment) {
    auto* const made = ::new (::operator new(bytes, std::align_val_t{alignment})) chunk;
    made->alignment = alignment;
    return made;
}

inline void free_chunk(chunk* block) noexcept {
    const std::align_val_t alignment{block->alignment};
    std::destroy_at(block);
    ::operator delete(static_cast<void*>(block), alignment);
}

/// Owns a chunk that is not in a table yet.
struct chunk_deleter {
    inline void operator()(chunk* block) const noexcept { free_chunk(block); }
};
using unique_chunk = std::unique_ptr<chunk, chunk_deleter>;

/// The entities of the rows; places without a chunk have none.
[[nodiscard]] inline std::vector<entity> owners_of(std::span<const unique_chunk> chunks) {
    std::vector<entity> found;
    for (const unique_chunk& in : chunks)
        if (in) found.insert(found.end(), in->entities(), in->entities() + in->count);
    return found;
}

/// A row of a chunk: where an entity's values are, or a row of no table. Valid until the next structural
/// change.
struct row_ref {
    chunk* block{};
    std::uint32_t row{};

    [[nodiscard]] inline explicit operator bool() const { return block->owner != nullptr; }
    [[nodiscard]] inline entity& owner() const { return block->entities()[row]; }

    friend inline bool operator==(row_ref, row_ref) = default;
};

/// By component index: where the column begins, in cache lines from the start of the chunk; 0 where there is
/// none.
using column_starts = std::array<std::uint16_t, low_ids>;
inline constexpr column_starts no_columns{};

/// Chunks by number. Numbers are given out again, lowest first not guaranteed.
class chunk_directory {
  public:
    static constexpr std::uint32_t nowhere = 0; ///< Not a chunk: the index is free.
    static constexpr std::uint32_t pending =
        1; ///< Not a chunk: an identifier whose components are still on their way.

    static constexpr std::uint32_t number_max = (1U << 20) - 1; ///< A slot word has twenty bits for it.

    /// The chunk of a number that is in use; for nowhere and pending, a chunk in which nothing is found.
    [[nodiscard]] inline chunk* operator[](std::uint32_t number) const { return chunks_[number].block; }

    struct entry {
        chunk* block;
        const column_starts* low_columns;
    };
    /// The same with the places of its columns.
    [[nodiscard]] inline const entry& look_up(std::uint32_t number) const { return chunks_[number]; }

    /// Makes room for one more number, so that the next insert cannot fail. Throws as reserve does.
    inline void reserve_one() {
        if (free_.empty()) reserve(1);
    }

    /// The same for as many inserts. Throws std::bad_alloc, or std::length_error when there are not so many
    /// numbers.
    inline void reserve(std::size_t more) {
        if (free_.size() >= more) return;
        const std::size_t size = chunks_.size() + more - free_.size();
        if (size > std::size_t{number_max} + 1)
            throw std::length_error("the rows of a world are in " + std::to_string(number_max) +
                                    " chunks at most: let entities have fewer different sets of components");
        if (size > chunks_.capacity()) chunks_.reserve(std::max(size, 2 * chunks_.size()));
        free_.reserve(chunks_.capacity());
    }

    /// Numbers the chunk, whose columns begin where the table says; reserve_one came before.
    inline void insert(chunk* block, const column_starts& low_columns) noexcept {
        block->number = enter({block, &low_columns});
    }

    /// Adds numbers until there are so many, as far as there are any, for chunks that are filled elsewhere:
    /// nothing is found in them until they are placed. Throws std::bad_alloc.
    inline void lend(std::vector<std::uint32_t>& numbers, std::size_t count) {
        numbers.reserve(count);
        while (numbers.size() < count && (!free_.empty() || chunks_.size() <= number_max)) {
            reserve_one();
            numbers.push_back(enter({&void_, &no_columns}));
        }
    }

    /// The chunk of a number that was lent.
    inline void place(chunk* block, const column_starts& low_columns) noexcept {
        chunks_[block->number] = {block, &low_columns};
    }

    /// Puts a larger block in the place of a smaller one.
    inline void replace(std::uint32_t number, chunk* block) noexcept {
        block->number = number;
        chunks_[number].block = block;
    }

    /// Exchanges all chunks with another directory.
    inline void swap(chunk_directory& other) noexcept {
        chunks_.swap(other.chunks_);
        free_.swap(other.free_);
        for (const std::uint32_t number : {nowhere, pending}) {
            chunks_[number].block = &void_;
            other.chunks_[number].block = &other.void_;
        }
    }

    inline void erase(std::uint32_t number) noexcept {
        chunks_[number] = {};
        free_.push_back(number); // Cannot fail: free_ has room for every number.
    }

  private:
    inline std::uint32_t enter(entry made) noexcept {
        if (free_.empty()) {
            chunks_.push_back(made);
            return static_cast<std::uint32_t>(chunks_.size() - 1);
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        chunks_[number] = made;
        return number;
    }

    chunk void_; ///< Has no owner, no rows and no columns.
    std::vector<entry> chunks_ = std::vector<entry>(2, {&void_, &no_columns});
    std::vector<std::uint32_t> free_;
};

} // namespace ecs
