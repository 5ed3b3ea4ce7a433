// SPDX-License-Identifier: MIT
// A chunk is one block of memory with the rows of one table: a header, the entities, then a column of values
// for each component. Rows are added and removed at the end only; a full chunk never moves, and neither do
// its rows.
//
//   +--------+-----------------+---------------+---------------+
//   | header | entity entity . | Position .... | Velocity .... |
//   +--------+-----------------+---------------+---------------+
//
// Every column starts on a cache line, except in the first chunk of a table, before it grows: there, few rows
// stand close together.
//
// Chunks have numbers, by which the directory finds them: see :chunk_directory.
export module ecs.storage:chunk;
import ecs.std;
import ecs.id;
import ecs.relation;

export namespace ecs {

class entity_index;
class table;

inline constexpr std::size_t cache_line = 64;
inline constexpr std::uint32_t rows_max = 8192; ///< The most rows of a chunk; thirteen bits number them.
inline constexpr std::uint32_t few_rows = 2;    ///< Rows of the first chunk of a table, before it grows.
/// A place has the number of its chunk above these bits; see :place_word.
inline constexpr unsigned chunk_shift = std::countr_zero(rows_max) + 1;

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

    /// The bits of the 64 rows that begin at row 64 * block.
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
    std::uint32_t position{};              ///< The position among the chunks of its table.
    std::uint32_t alignment{};             ///< The alignment of the allocation.
    std::unique_ptr<toggle_bits> disabled; ///< Null while nothing in the chunk is disabled.
    chunk* next_spare{};                   ///< The next chunk that waits for rows.
    std::size_t bytes_in_all{};            ///< The size of the allocation.
    std::uint64_t first_place{}; ///< The place of its first row: its number is in it, see :place_word.

    [[nodiscard]] inline std::uint32_t number() const {
        return static_cast<std::uint32_t>(first_place >> chunk_shift);
    }
    inline void set_number(std::uint32_t given) { first_place = std::uint64_t{given} << chunk_shift; }
    [[nodiscard]] inline std::byte* bytes() { return reinterpret_cast<std::byte*>(this); }
    [[nodiscard]] inline entity* entities() { return reinterpret_cast<entity*>(this + 1); }
    [[nodiscard]] inline const entity* entities() const { return reinterpret_cast<const entity*>(this + 1); }
};
static_assert(sizeof(chunk) % cache_line == 0);

/// Begins a chunk in memory of that many bytes.
[[nodiscard]] inline chunk* chunk_in(void* memory, std::size_t bytes, std::uint32_t alignment) noexcept {
    auto* const made = ::new (memory) chunk;
    made->alignment = alignment;
    made->bytes_in_all = bytes;
    return made;
}

/// Makes a chunk of that many bytes, header included. Throws std::bad_alloc.
[[nodiscard]] inline chunk* allocate_chunk(std::size_t bytes, std::uint32_t alignment) {
    return chunk_in(::operator new(bytes, std::align_val_t{alignment}), bytes, alignment);
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

/// The entities of the rows; null chunks have none.
[[nodiscard]] inline std::vector<entity> owners_of(std::span<const unique_chunk> chunks) {
    std::vector<entity> found;
    for (const unique_chunk& in : chunks)
        if (in) found.insert(found.end(), in->entities(), in->entities() + in->count);
    return found;
}

/// Numbers that stand for no chunk.
inline constexpr std::uint32_t rowless_number = 2; ///< What has no components and therefore no row.
inline constexpr std::uint32_t first_chunk_number = 3;

/// Stands for the rows that entities without components do not have: it never has a row, and always has room
/// for more. Nobody reads what is written as the entities of its rows.
struct rowless_chunk {
    static constexpr std::uint32_t together = 64; ///< That many are written at once.

    rowless_chunk() {
        head.set_number(rowless_number);
        head.capacity = together;
    }

    chunk head;
    std::array<entity, together> written;
    const entity_index* entities_of{};
};
static_assert(sizeof(chunk) % alignof(entity) == 0, "head.entities() leads to what is written");

/// A row of a chunk: where an entity's values are, or a row of no table. For an entity without a row, the
/// chunk is the rowless one, and the row is the index of the entity. Valid until the next structural change.
struct row_ref {
    chunk* block{};
    std::uint32_t row{};

    [[nodiscard]] inline explicit operator bool() const { return block->owner != nullptr; }
    [[nodiscard]] inline bool is_rowless() const { return block->number() == rowless_number; }
    [[nodiscard]] inline entity owner() const {
        return is_rowless() ? owner_without_row() : block->entities()[row];
    }

    inline bool operator==(const row_ref&) const = default;

  private:
    [[nodiscard, gnu::cold]] entity owner_without_row() const;
};

} // namespace ecs
