// SPDX-License-Identifier: MIT
// Where the values of one component are in the chunks of a table, and how they are made, moved and ended.
export module ecs.storage:column;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import :byte_column;
import :chunk;

export namespace ecs {

/// The values of one component within a table. An identifier without values (a tag) has no column.
struct column {
    id component;
    std::uint32_t position{}; ///< The position in the table's type.
    /// Bytes from the start of a chunk; changes while the table grows to its first full chunk.
    std::uint32_t offset{};
    std::uint32_t size{}; ///< Bytes of a value.
    std::uint32_t alignment{};
    value_operations operations;

    [[nodiscard]] inline std::byte* value(row_ref at) const {
        return block(at.block) + std::size_t{at.row} * size;
    }
    [[nodiscard]] inline std::byte* block(chunk* in) const { return in->bytes() + offset; }

    /// Where the column begins in a chunk of that capacity, when what comes before it ends at
    /// `end_of_previous`: few rows stand close together, so that a table with one of them is read in few
    /// cache lines.
    [[nodiscard]] inline std::size_t start_after(std::size_t end_of_previous, std::uint32_t capacity) const {
        const std::size_t unit =
            std::max<std::size_t>(capacity <= few_rows ? alignof(entity) : cache_line, alignment);
        return (end_of_previous + unit - 1) / unit * unit;
    }

    /// Moves a value to memory without a value; the source holds none afterwards.
    void relocate(std::byte* to, std::byte* from) const noexcept;
    inline void destroy(std::byte* value) const noexcept {
        if (operations.destroy) operations.destroy(value);
    }
    /// Default-constructs a value. Throws what the constructor throws.
    inline void construct(std::byte* to) const {
        if (operations.construct)
            operations.construct(to);
        else
            std::memset(to, 0, size);
    }
    /// Copies a value to memory without a value. Throws what the copy throws.
    inline void copy(std::byte* to, const void* from) const {
        if (operations.copy)
            operations.copy(to, from);
        else
            std::memcpy(to, from, size);
    }
};

inline void column::relocate(std::byte* to, std::byte* from) const noexcept {
    if (operations.relocate)
        operations.relocate(to, from);
    else
        copy_bytes(to, from, size);
}

/// How a component's values outside tables are handled, in the form that columns have.
[[nodiscard]] inline column column_like(id component, const component_info& info) {
    return {component,
            0,
            0,
            static_cast<std::uint32_t>(info.size),
            static_cast<std::uint32_t>(info.alignment),
            info.operations};
}

/// Moves the values of that many rows, one behind the other, to rows of another chunk that have none.
void relocate_run(const column& to, row_ref there, const column& from, row_ref here,
                  std::uint32_t rows) noexcept;

} // namespace ecs
