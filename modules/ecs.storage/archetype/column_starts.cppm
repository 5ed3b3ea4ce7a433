// SPDX-License-Identifier: MIT
// Where the values of a component begin in each chunk, for components of low index: what a handle's slot
// says, a chunk's number and a row, leads to the value by one load more.
//
//   number of the type --> array of the component, by number of the chunk:
//
//       | 0 | 0 | 0 | start in chunk 3 | 0 | start in chunk 5 | ...    0: the chunk has no such column
//
// All arrays have the same length. What has no component has the array of index 0, in which nothing is.
export module ecs.storage:column_starts;
import ecs.std;
import ecs.id;
import ecs.relation;
import :chunk;

export namespace ecs {

inline constexpr std::size_t low_ids = 256; ///< Components below this index have arrays.

/// Where the column of a component of low index begins, in bytes from the start of a chunk.
struct low_column {
    std::uint8_t index{};
    std::uint32_t offset{};
};

/// See the head of this file. Not thread-safe.
class column_starts {
  public:
    using by_chunk = std::byte* const*;
    using columns = std::span<const low_column>;

    column_starts() { point(); }
    column_starts(const column_starts&) = delete;
    column_starts& operator=(const column_starts&) = delete;

    /// A type whose component has a low index: the component's entity, and its array, which is another one
    /// when there are more chunks. Null, and the array in which nothing is, for other types.
    struct typed {
        by_chunk starts{};
        entity component;
    };
    /// By the type's number, of eight bits.
    [[nodiscard]] inline const typed& of_type(std::uint32_t number) const { return by_type_[number]; }

    /// The type is that component from now on.
    void assign(std::uint32_t number, entity component) noexcept;
    /// No type is the component any more.
    void forget(entity component) noexcept;
    /// The types of the other are the same components here.
    void copy_types(const column_starts& other) noexcept;

    /// Room for so many numbers of chunks. Throws std::bad_alloc.
    void reserve(std::size_t numbers);
    /// Arrays for these columns. Throws std::bad_alloc.
    void reserve(columns all);

    /// The chunk of that number has these columns, for which there are arrays; it had none.
    inline void enter(std::uint32_t number, chunk* block, columns all) noexcept {
        for (const low_column& c : all) arrays_[c.index][number] = block->bytes() + c.offset;
    }
    /// The chunk of that number, which had these columns, is gone.
    inline void erase(std::uint32_t number, columns all) noexcept {
        for (const low_column& c : all) arrays_[c.index][number] = nullptr;
    }

    void swap(column_starts& other) noexcept;

  private:
    void point() noexcept;

    std::size_t room_ = first_chunk_number;
    std::array<std::vector<std::byte*>, low_ids> arrays_{std::vector<std::byte*>(room_)};
    std::array<typed, 256> by_type_{};
};

} // namespace ecs
