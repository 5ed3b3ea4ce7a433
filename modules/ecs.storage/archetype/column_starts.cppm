// SPDX-License-Identifier: MIT
// Where the values of a component begin in each chunk, for components of low index: what a handle's slot says,
// a chunk's number and a row, leads to the value by one load more.
//
//   number of the type --> array of the component, by number of the chunk:
//
//       | 0 | 0 | start in chunk 2 | 0 | start in chunk 4 | ...        0: the chunk has no such column
//
// All arrays have the same length. What has no component has the array of index 0, in which nothing is.
export module ecs.storage:column_starts;
import ecs.std;
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

    /// The array of the component of a type, by the type's number; it is another one when there are more
    /// chunks or the type is another component.
    [[nodiscard]] inline const by_chunk& of_type(std::uint8_t number) const { return by_type_[number]; }

    /// Whether the type is a component of low index.
    [[nodiscard]] inline bool knows(std::uint8_t number) const { return index_of_type_[number] != 0; }

    /// The type is a component of that low index from now on.
    void assign(std::uint32_t number, std::uint32_t index) noexcept;
    /// No type is the component of that index any more.
    void forget(std::uint32_t index) noexcept;
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

    std::size_t room_ = 2; ///< The two numbers that are no chunk.
    std::array<std::vector<std::byte*>, low_ids> arrays_{std::vector<std::byte*>(room_)};
    std::array<by_chunk, 256> by_type_{};
    std::array<std::uint8_t, 256> index_of_type_{}; ///< 0 where the type is no component of low index.
};

} // namespace ecs
