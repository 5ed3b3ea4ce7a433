// SPDX-License-Identifier: MIT
// Where the values of a component begin in each chunk, for components of low index. A handle's slot gives a
// chunk's number and a row; from there, one more load leads to the value. A tag has no values: it begins
// where its chunk does, so that one load says whether the entities of the chunk have it.
//
//   number of the type --> array of the component, by number of the chunk:
//
//       | 0 | 0 | 0 | start in chunk 3 | 0 | start in chunk 5 | ...    0: the chunk has no such column
//
// All arrays have the same length. A type without a component has the array of index 0, which is empty.
export module ecs.storage:column_starts;
import ecs.std;
import ecs.id;
import ecs.relation;
import :chunk;

export namespace ecs {

inline constexpr std::size_t low_ids = 256; ///< Components below this index have arrays.

/// Where the column of a component of low index begins, in bytes from the start of a chunk; 0 for a tag.
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

    /// A type whose component has a low index: the component's entity, and its array, which is replaced when
    /// there are more chunks. For other types, null and an array in which nothing is found.
    struct typed {
        by_chunk starts{};
        entity component;
        bool heard = true; ///< False: no query tracks the component and no observer observes it.
    };
    /// The entry of a type, by the type's number, which has eight bits.
    [[nodiscard]] inline const typed& of_type(std::uint32_t number) const { return by_type_[number]; }

    /// The array of the component with that index; null where it has none.
    [[nodiscard]] inline by_chunk of(std::uint32_t index) const {
        return index < low_ids && !arrays_[index].empty() ? arrays_[index].data() : nullptr;
    }

    /// From now on, that component is the component of the type.
    void assign(std::uint32_t number, entity component) noexcept;
    /// From now on, no type has that component.
    void forget(entity component) noexcept;
    /// Sets `heard` for each component, as is_heard(component) says.
    void mark_heard(const auto& is_heard) noexcept {
        for (typed& of : by_type_) of.heard = !of.component || is_heard(of.component);
    }
    /// Copies from the other which types have which components.
    void copy_types(const column_starts& other) noexcept;

    /// Makes room for that many numbers of chunks. Throws std::bad_alloc.
    void reserve(std::size_t numbers);
    /// Makes arrays for these columns. Throws std::bad_alloc.
    void reserve(columns all);

    /// Enters the columns of the chunk of that number, for which there are arrays; it had none.
    inline void enter(std::uint32_t number, chunk* block, columns all) noexcept {
        for (const low_column& c : all) arrays_[c.index][number] = block->bytes() + c.offset;
    }
    /// Forgets the chunk of that number, which had these columns.
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
