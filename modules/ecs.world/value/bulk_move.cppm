// SPDX-License-Identifier: MIT
// Many rows that go from one table to another by the same plan. Rows that stand one behind the other go
// column by column; the holes are closed once, when all have left, so that no row moves only to leave in
// turn.
//
//   before     | a b c d e f g h |
//   a c d go   | . b . . e f g h |    their slots say where they are now; no look-up finds them here
//   closed     | g b f h e |          from the end: what fills a hole is no hole
export module ecs.world:bulk_move;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
import ecs.query;

namespace ecs {

/// Entities at equal distances in memory.
struct entity_list {
    const std::byte* first;
    std::size_t stride; ///< Bytes.
    std::size_t count;

    [[nodiscard]] inline entity operator[](std::size_t i) const {
        return *std::launder(reinterpret_cast<const entity*>(first + i * stride));
    }
    [[nodiscard]] inline entity_list without_first(std::size_t n) const {
        return {first + n * stride, stride, count - n};
    }
};

/// See the head of this file. Nothing else may look at the table before the object ends.
class bulk_move {
  public:
    /// Whether rows of the table can go by that plan in bulk: no observer has to be told, and a row is
    /// nothing but its values. The plan adds a single component.
    [[nodiscard]] static bool is_possible(const table& from, const move_plan& along);

    bulk_move(engine& in, table& from, const move_plan& along) : in_(&in), from_(&from), along_(&along) {}
    bulk_move(const bulk_move&) = delete;
    bulk_move& operator=(const bulk_move&) = delete;
    ~bulk_move() { close_holes(); }

    struct run {
        row_ref to;
        std::uint32_t rows;
    };

    /// The first of the entities go, as many as stand one behind the other: none when the first is not in the
    /// table. The caller makes their added values before anything else can happen. Throws std::bad_alloc, and
    /// then none has gone.
    run move_some(entity_list all);

  private:
    using holes = std::array<std::uint64_t, rows_max / 64>;

    [[nodiscard]] holes& holes_in(const chunk& block);
    void move_rows(row_ref to, row_ref at, std::uint32_t rows) noexcept;
    void close_holes() noexcept;
    void close_holes(chunk& block, const holes& of) noexcept;

    engine* in_;
    table* from_;
    const move_plan* along_;
    flat_map<std::unique_ptr<holes>> holes_; ///< By the address of the chunk.
};

template <class T>
inline constexpr bool is_set_in_bulk =
    component_type<T> && !std::is_empty_v<T> && !is_sparse<T> && std::is_nothrow_move_constructible_v<T>;

/// Sets the component for the first of the entities, as many as go from one table to another by a plan that
/// is known already; returns how many, perhaps none. value_at(i) refers to the value of the i-th, which is
/// moved from. No loop walks over the store.
template <class T, class ValueAt>
    requires is_set_in_bulk<T>
std::size_t set_in_bulk(engine& in, entity_list all, const ValueAt& value_at) {
    const id word = known_id_of_type<T>(in);
    const row_ref at = in.rows().locate(all[0]);
    if (!word || !at) return 0;
    const move_plan* const along = known_adding(*at.block->owner, word);
    if (!along || !bulk_move::is_possible(*at.block->owner, *along)) return 0;
    bulk_move moving(in, *at.block->owner, *along);
    std::size_t done = 0;
    try {
        while (done != all.count) {
            const auto [to, rows] = moving.move_some(all.without_first(done));
            if (rows == 0) break;
            auto* const values = reinterpret_cast<T*>(along->added.front()->value(to));
            for (std::uint32_t i = 0; i < rows; ++i) ::new (values + i) T(std::move(value_at(done + i)));
            done += rows;
        }
    } catch (const std::exception&) { // No room: setting the others one by one reports it.
    }
    return done;
}

} // namespace ecs
