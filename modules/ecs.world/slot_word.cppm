// SPDX-License-Identifier: MIT
// What the slot word of an index says; the words are drawn at the head of :entities, those of free indices at
// that of :index_chain. Functions of words and of any pages, so that the explorer can run what production
// does.
export module ecs.world:slot_word;
import ecs.std;
import ecs.id;
import ecs.relation;
import :chunk;
import :index_chain;

namespace ecs {

/// A chunk's number and a row in it.
export struct location {
    std::uint32_t chunk_number{};
    std::uint32_t row{};
};

/// See the head of this file. Exported for the explorer, as location is.
export struct slot_word {
    static constexpr std::uint32_t limbo = chunk_directory::limbo; ///< Number of a chunk that is nowhere yet.
    static constexpr std::uint64_t generation_mask = field_of<layouts::entity, "generation">.mask();
    static constexpr std::uint64_t first_generation = std::uint64_t{1}
                                                      << field_of<layouts::entity, "generation">.low;
    static constexpr std::uint64_t upper_half = ~index_chain::lower_half;
    static constexpr std::uint64_t row_mask = rows_max - 1;
    static constexpr std::uint64_t referred_bit = rows_max;
    static constexpr unsigned chunk_shift = std::countr_zero(rows_max) + 1;
    static constexpr std::uint64_t chunk_mask = std::uint64_t{chunk_directory::number_max} << chunk_shift;
    static constexpr std::uint64_t retired = index_chain::retired;
    static_assert((upper_half | chunk_mask | referred_bit | row_mask) == ~std::uint64_t{0});
    static_assert((chunk_mask & (upper_half | referred_bit | row_mask)) == 0);

    [[nodiscard]] inline static bool is_unused(std::uint64_t slot) {
        return (slot & index_chain::unused_mark) != 0;
    }
    [[nodiscard]] inline static bool has_entity(std::uint64_t slot) { return slot != 0 && !is_unused(slot); }

    /// Whether the slot of the handle's index says that the handle is alive.
    [[nodiscard]] inline static bool is_of(std::uint64_t slot, entity e) {
        return ((slot ^ e.value()) & upper_half) == 0 && has_entity(slot);
    }
    [[nodiscard]] inline static location location_in(std::uint64_t slot) {
        return {static_cast<std::uint32_t>(slot) >> chunk_shift, static_cast<std::uint32_t>(slot & row_mask)};
    }
    [[nodiscard]] inline static std::uint64_t word_of(location where) {
        return std::uint64_t{where.chunk_number} << chunk_shift | where.row;
    }
    /// Of a free slot.
    [[nodiscard]] inline static std::uint64_t next_generation(std::uint64_t slot) {
        return std::max(slot & generation_mask, first_generation);
    }

    /// Ends the entity, which is alive: free(index, generation) gets the index for its use under the next
    /// generation, or it is retired.
    inline static void end(auto& in, entity e, auto&& free) noexcept {
        const auto index = static_cast<std::uint32_t>(e.value());
        const std::uint64_t generation = e.value() & generation_mask;
        if (generation == generation_mask) [[unlikely]]
            in.write(index, retired);
        else
            free(index, generation + first_generation);
    }
};

} // namespace ecs
