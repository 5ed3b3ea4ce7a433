// SPDX-License-Identifier: MIT
// What a world keeps in the bits that the slots of its registry lend, for an entity that is alive:
//
//    31           14  13   12          0
//   +---------------+----+-------------+
//   | chunk number  | R  |     row     |
//   +---------------+----+-------------+
//
// R, used_as_id_bit, says that the entity is used as a component, a relation or a target, and its end
// concerns others. See ecs::lent_word for the rest of the word.
export module ecs.storage:place_word;
import ecs.std;
import ecs.id;
import ecs.registry;
import ecs.relation;
import :chunk;
import :chunk_directory;

export namespace ecs {

/// A chunk's number and a row in it.
struct location {
    std::uint32_t chunk_number{};
    std::uint32_t row{};
};

/// See the head of this file. Exported for the explorer, as location is.
struct place_word : lent_word<layouts::entity> {
    /// The number of a chunk that is nowhere yet.
    static constexpr std::uint32_t pending = chunk_directory::pending;
    static constexpr std::uint64_t row_mask = rows_max - 1;
    static constexpr std::uint64_t used_as_id_bit = rows_max;
    static constexpr std::uint64_t chunk_mask = std::uint64_t{chunk_directory::number_max} << chunk_shift;
    static_assert((chunk_mask | used_as_id_bit | row_mask) == lent_mask);
    static_assert((chunk_mask & (used_as_id_bit | row_mask)) == 0);

    [[nodiscard]] static constexpr location location_in(std::uint64_t slot) {
        return {static_cast<std::uint32_t>(slot) >> chunk_shift, static_cast<std::uint32_t>(slot & row_mask)};
    }
    [[nodiscard]] static constexpr std::uint64_t word_of(location where) {
        return std::uint64_t{where.chunk_number} << chunk_shift | where.row;
    }
    /// The same for the place of the entity of a slot.
    [[nodiscard]] static constexpr std::uint64_t place_in(std::uint64_t slot) {
        return slot & (chunk_mask | row_mask);
    }
    static constexpr std::uint64_t is_pending = std::uint64_t{pending} << chunk_shift;
    static constexpr std::uint64_t is_rowless = std::uint64_t{chunk_directory::rowless} << chunk_shift;
};

} // namespace ecs
