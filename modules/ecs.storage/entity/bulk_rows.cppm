// SPDX-License-Identifier: MIT
// Many rows that leave a table together: for another one by the same plan, or for good. Rows that stand one
// behind the other go column by column; the holes are closed once, when all have left, so that no row moves
// only to leave in turn.
//
//   before     | a b c d e f g h |
//   a c d go   | . b . . e f g h |    their slots say where they are now; no look-up finds them here
//   closed     | g b f h e |          from the end: what fills a hole is no hole
export module ecs.storage:bulk_rows;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import :chunk;
import :column;
import :move_plan;
import :sparse_set;
import :store;
import :table;

export namespace ecs {

/// Entities at equal distances in memory.
struct entity_list {
    const std::byte* first;
    std::size_t stride; ///< Bytes.
    std::size_t count;

    [[nodiscard]] static inline entity_list of(std::span<const entity> all) {
        return {reinterpret_cast<const std::byte*>(all.data()), sizeof(entity), all.size()};
    }
    [[nodiscard]] inline entity operator[](std::size_t i) const {
        return *std::launder(reinterpret_cast<const entity*>(first + i * stride));
    }
    [[nodiscard]] inline entity_list without_first(std::size_t n) const {
        return {first + n * stride, stride, count - n};
    }
};

/// Whether the entities begin with some that stand one behind the other, so many that it is worth while to
/// move them together: entities in no order go one by one, without a list of holes. There is at least one.
[[nodiscard]] bool begins_with_run(const store& in, entity_list all);

/// The rows of a table whose values and entities are gone. Nothing else may look at the table before the
/// object ends, which closes the holes.
class row_holes {
  public:
    row_holes(store& in, table& of) : in_(&in), of_(&of) {}
    row_holes(const row_holes&) = delete;
    row_holes& operator=(const row_holes&) = delete;
    ~row_holes() { close(); }

    /// Makes room for what is marked in the chunk. Throws std::bad_alloc.
    void reserve(const chunk& block);
    /// Marks rows as holes, from that one on. There is room for its chunk, and the rows were no holes.
    void mark(row_ref first, std::uint32_t rows) noexcept;

  private:
    struct marks {
        std::array<std::uint64_t, rows_max / 64> bits{};
        std::uint32_t count{};
    };

    [[nodiscard]] marks& marks_in(const chunk& block);
    void close() noexcept;
    void close(chunk& block, const marks& in) noexcept;

    store* in_;
    table* of_;
    const chunk* last_block_{}; ///< The chunk that was asked about last, and its marks.
    marks* last_{};
    flat_map<std::unique_ptr<marks>> marks_; ///< By the address of the chunk.
};

/// Rows that go from one table to another. Nothing else may look at the table before the object ends.
class bulk_move {
  public:
    /// Whether rows of the table can go by that plan in bulk: no observer has to be told, and a row is
    /// nothing but its values. The plan adds one component or none.
    [[nodiscard]] static bool is_possible(const table& from, const move_plan& along);

    bulk_move(store& in, table& from, const move_plan& along)
        : in_(&in), from_(&from), along_(&along), left_(in, from) {}

    struct run {
        row_ref to;
        std::uint32_t rows;
    };

    /// Moves the first of the entities, as many as stand one behind the other: none when they are too few, or
    /// not in the table. The caller makes their added values before anything else can happen. Throws
    /// std::bad_alloc, and then none has gone.
    run move_some(entity_list all);

  private:
    void move_rows(row_ref to, row_ref at, std::uint32_t rows) noexcept;

    store* in_;
    table* from_;
    const move_plan* along_;
    row_holes left_;
};

/// Rows of entities that end. Nothing else may look at the table before the object ends.
class bulk_end {
  public:
    /// Whether the end of rows of the table concerns no other entity: no name, list, object or observer has
    /// to do with them, and values end without a call.
    [[nodiscard]] static bool is_possible(const store& in, const table& of);

    bulk_end(store& in, table& of) : in_(&in), of_(&of), left_(in, of) {}

    /// Ends the first of the entities, as many as stand one behind the other and to which no identifier
    /// refers; returns how many, none when too few do, or not in the table. Throws std::bad_alloc, and then
    /// none has ended.
    std::size_t end_some(std::span<const entity> all);

  private:
    store* in_;
    table* of_;
    row_holes left_;
};

/// Moves the first of the entities, which is in the table that the plan leads from, as many as can go
/// together; returns how many, perhaps none, as when there is no memory. The added values, if any, are
/// zeroes. No loop walks over the store.
std::size_t move_in_bulk(store& in, const move_plan& along, entity_list all);

/// Ends the first of the entities, as many as can end together; there is at least one entity. Returns how
/// many, perhaps none. No loop walks over the store.
std::size_t end_in_bulk(store& in, std::span<const entity> all);

/// Ends all entities of the table in the order of their rows, if that concerns no other entity and nobody
/// listens; returns how many. No loop walks over the store.
std::size_t end_whole(store& in, table& of);

} // namespace ecs
