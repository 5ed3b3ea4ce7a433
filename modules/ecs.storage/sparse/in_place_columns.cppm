// SPDX-License-Identifier: MIT
// The values of one component that comes and goes in place: a column beside each chunk of the tables whose
// entities have had it, and two bits for each row, whether it has the component and whether it hides it. A
// change is a bit and a value; no row moves, and a value moves when its row does.
//
//   chunk number -> +---------+--------+---------+--------+---------------+
//                   | present | hidden | present | hidden | value value . |   a pair of words for 64 rows
//                   +---------+--------+---------+--------+---------------+
//
// Columns are found by the number of the chunk, and know nothing of the chunk itself: a chunk that grows
// keeps its number. A table keeps a list of the components of which it has columns, makes room in them for
// each of its chunks, and carries values along with rows: a number has a column exactly while the table of
// its chunk has the component on its list. A row that is free has no bit set.
export module ecs.storage:in_place_columns;
import ecs.std;
import ecs.component;
import :place_word;

export namespace ecs {

/// See the head of this file. Not thread-safe.
class in_place_columns {
  public:
    explicit in_place_columns(const component_info& info) : info_(info) {}
    in_place_columns(const in_place_columns&) = delete;
    in_place_columns& operator=(const in_place_columns&) = delete;
    /// Ends all values.
    ~in_place_columns();

    [[nodiscard]] inline bool has(location at) const {
        return has_column(at.chunk_number) && (words_of(at)[0] & bit_of(at)) != 0;
    }
    /// Whether the row has the component and does not hide it.
    [[nodiscard]] inline bool shows(location at) const {
        return has_column(at.chunk_number) && (words_of(at)[0] & ~words_of(at)[1] & bit_of(at)) != 0;
    }

    [[nodiscard]] inline bool has_column(std::uint32_t chunk_number) const {
        return chunk_number < by_chunk_.size() && by_chunk_[chunk_number].bits;
    }

    /// Whether some row of the chunk has the component. Linear in the number of rows.
    [[nodiscard]] bool is_used(std::uint32_t chunk_number) const;

    /// Whether one row has the component; beside its chunk there is a column.
    struct member {
        std::uint64_t* word;
        std::uint64_t bit;

        [[nodiscard]] inline bool is_there() const { return (*word & bit) != 0; }
        /// The row has the component from now on; the value is made.
        inline void enter() const noexcept { *word |= bit; }
    };
    [[nodiscard]] inline member member_of(location at) const { return {words_of(at), bit_of(at)}; }

    /// Which of the 64 rows of a chunk from row 64 * block on have the component, or have it and do not hide
    /// it. The chunk has these rows.
    [[nodiscard]] inline std::uint64_t rows_with(std::uint32_t chunk_number, std::uint32_t block) const {
        return has_column(chunk_number) ? words_of({chunk_number, block * 64})[0] : 0;
    }
    [[nodiscard]] inline std::uint64_t rows_showing(std::uint32_t chunk_number, std::uint32_t block) const {
        if (!has_column(chunk_number)) return 0;
        const std::uint64_t* const words = words_of({chunk_number, block * 64});
        return words[0] & ~words[1];
    }

    /// The values beside a chunk, by row; nullptr when there are none.
    [[nodiscard]] inline std::byte* values_beside(std::uint32_t chunk_number) const {
        return has_column(chunk_number) ? by_chunk_[chunk_number].values : nullptr;
    }

    /// Where the value of a row is, or is to be; beside its chunk there is a column.
    [[nodiscard]] inline std::byte* value(location at) const {
        return by_chunk_[at.chunk_number].values + std::size_t{at.row} * info_.size;
    }

    /// Gives the component to the row, beside which there is a column; its value is made.
    inline void enter(location at) noexcept { words_of(at)[0] |= bit_of(at); }

    /// Takes the component from the row, which has it. The value is the caller's to end.
    inline void forget(location at) noexcept {
        words_of(at)[0] &= ~bit_of(at);
        words_of(at)[1] &= ~bit_of(at);
    }

    inline void set_hidden(location at, bool hidden) noexcept {
        std::uint64_t& word = words_of(at)[1];
        word = hidden ? word | bit_of(at) : word & ~bit_of(at);
    }

    /// Moves what a row has to another place, beside which there is a column if the row has the component.
    inline void move(location from, location to) noexcept {
        if (has(from)) relocate(from, to);
    }

    /// Makes room for that many rows beside the chunk. Existing values may move, and none does when there is
    /// room. Throws std::bad_alloc, and then nothing has changed.
    void make_room(std::uint32_t chunk_number, std::uint32_t rows);

    /// From now on the number is no chunk's; values that are still there end.
    void drop(std::uint32_t chunk_number) noexcept;

    /// Copies what that many rows of another chunk have; there is room, and nothing here yet. Throws what a
    /// copy throws.
    void copy(const in_place_columns& from, std::uint32_t from_number, std::uint32_t chunk_number,
              std::uint32_t rows);

    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    struct beside_chunk {
        std::uint64_t* bits{}; ///< Null where there is no column. The values follow in the same allocation.
        std::byte* values{};
        std::uint32_t rows{}; ///< The rows for which there is room.
    };

    [[nodiscard]] inline static std::uint64_t bit_of(location at) {
        return std::uint64_t{1} << (at.row % 64);
    }
    /// The pair of words with the bits of the row.
    [[nodiscard]] inline std::uint64_t* words_of(location at) const {
        return by_chunk_[at.chunk_number].bits + std::size_t{at.row / 64} * 2;
    }
    void relocate(location from, location to) noexcept;
    void relocate_value(std::byte* to, std::byte* from) const noexcept;
    [[nodiscard]] static std::size_t bytes_of_bits(std::uint32_t rows) {
        return std::size_t{(rows + 63) / 64} * 16;
    }
    [[nodiscard]] std::size_t alignment() const;
    [[nodiscard]] std::size_t bytes_for(std::uint32_t rows) const;
    [[nodiscard]] std::size_t start_of_values(std::uint32_t rows) const;
    [[nodiscard]] beside_chunk allocate(std::uint32_t rows) const;
    void release(beside_chunk& gone) const noexcept;

    component_info info_;
    std::vector<beside_chunk> by_chunk_; ///< The columns by the number of the chunk.
};

/// Calls visit(row) for each of that many rows that has the component, by their pairs of words.
void for_each_row_with(const std::uint64_t* words, std::uint32_t rows, const auto& visit) {
    for (std::uint32_t block = 0; block * 64 < rows; ++block)
        for (std::uint64_t open = words[std::size_t{block} * 2]; open != 0; open &= open - 1)
            visit(block * 64 + static_cast<std::uint32_t>(std::countr_zero(open)));
}

} // namespace ecs
