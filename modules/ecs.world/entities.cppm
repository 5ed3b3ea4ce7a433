// SPDX-License-Identifier: MIT
// Which entities live, and where their components are, in one word for each index:
//
//    63     52 51              32 31         30              0
//   +---------+------------------+----------+-----------------+
//   |   row   |    generation    | referred |  chunk number   |   live: the chunk number is not 0
//   +---------+------------------+----------+-----------------+
//
// The generation stands where it stands in a handle, so that "live?" is one load, an exclusive-or and a mask.
// The referred bit says that the entity is used as a component, a relation or a target, and its end concerns
// others.
module;
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>
export module ecs.world:entities;
import ecs.id;
import ecs.registry;
import ecs.relation;
import :chunk;

namespace ecs {

/// The index of an entity in the width that arrays want.
[[nodiscard]] constexpr std::uint32_t index_of(entity e) { return static_cast<std::uint32_t>(e.value()); }

/// A chunk's number and a row in it.
struct location {
    std::uint32_t chunk_number{};
    std::uint32_t row{};
};

/// Issues the entities of one world and remembers where their rows are. Not thread-safe.
class entity_index {
  public:
    inline explicit entity_index(std::uint8_t world) : constant_(world_bits(world)), slots_(first_ordinary) {
        for (std::uint64_t& slot : slots_) slot = first_generation;
    }

    /// A new entity, in limbo until place. Throws std::bad_alloc, or std::length_error when every index is
    /// spent.
    [[nodiscard]] inline entity create() { return free_.empty() ? create_fresh() : recycle(); }

    /// The entity of that index of the component or built-in partition; null when it is taken or retired.
    [[nodiscard]] entity create_at(std::uint32_t index);

    /// The entity of that index, which must be free: how built-in entities get the index they are known by.
    inline entity claim(std::uint32_t index) { return issue(index); }

    [[nodiscard]] inline bool alive(entity e) const { return is_live(slot_of(e)); }

    /// Where the entity's row is: nowhere when the entity is not alive.
    [[nodiscard]] inline location locate(entity e) const { return location_in(slot_of(e)); }

    [[nodiscard]] id_status status(entity e) const;

    /// The live entity of an index; null when there is none.
    [[nodiscard]] inline entity at(std::uint32_t index) const {
        return index < slots_.size() && is_live(slots_[index]) ? handle(index) : entity{};
    }

    inline void place(std::uint32_t index, location where) noexcept {
        std::uint64_t& slot = slots_[index];
        slot = (slot & (generation_mask | referred_bit)) | (std::uint64_t{where.row} << row_shift) |
               where.chunk_number;
    }

    /// Ends the entity, which is alive. The index is used again under the next generation, or retired.
    void destroy(entity e) noexcept;

    /// Ends the entity, which is alive, and never uses its index again.
    inline void retire(entity e) noexcept {
        slots_[index_of(e)] = 0;
        --live_;
    }

    [[nodiscard]] inline bool is_referred(entity e) const {
        return (slots_[index_of(e)] & referred_bit) != 0;
    }
    inline void set_referred(std::uint32_t index) { slots_[index] |= referred_bit; }

    /// Reads a stand-in, which is an entity of world 0 such as a built-in one, as this world's of the same
    /// index.
    [[nodiscard]] inline entity localize(entity e) const { return e.world() == 0 ? at(index_of(e)) : e; }

    [[nodiscard]] inline std::size_t live_count() const { return live_; }
    [[nodiscard]] inline std::size_t memory_bytes() const {
        return slots_.capacity() * sizeof(std::uint64_t);
    }
    [[nodiscard]] inline std::uint8_t world() const { return static_cast<std::uint8_t>(handle(1).world()); }

    /// Ends every entity; no handle comes back to life.
    void clear() noexcept;

    static constexpr std::uint32_t first_ordinary = 512;

  private:
    static constexpr std::uint64_t generation_mask = field_of<layouts::entity, "generation">.mask();
    static constexpr std::uint64_t index_mask = field_of<layouts::entity, "index">.mask();
    static constexpr std::uint64_t first_generation = std::uint64_t{1}
                                                      << field_of<layouts::entity, "generation">.low;
    static constexpr std::uint64_t chunk_mask = (std::uint64_t{1} << 31) - 1;
    static constexpr std::uint64_t referred_bit = std::uint64_t{1} << 31;
    static constexpr unsigned row_shift = 52;
    static constexpr std::uint64_t constant_fields =
        ~(generation_mask | field_of<layouts::entity, "index">.mask());

    [[nodiscard]] static constexpr std::uint64_t world_bits(std::uint8_t world) {
        return constant_bits<layouts::entity> |
               (std::uint64_t{world} << field_of<layouts::entity, "world">.low);
    }
    [[nodiscard]] inline bool belongs(entity e) const { return (e.value() & constant_fields) == constant_; }
    [[nodiscard]] inline static bool is_live(std::uint64_t slot) { return (slot & chunk_mask) != 0; }

    /// The slot of a handle whose generation, world and kind are right; 0, which is nowhere, for any other.
    [[nodiscard]] inline std::uint64_t slot_of(entity e) const {
        const std::uint64_t differences =
            e.value() ^ constant_; // Leaves generation and index if the rest is right.
        const auto index = static_cast<std::uint32_t>(differences);
        if (index >= slots_.size()) [[unlikely]]
            return 0;
        const std::uint64_t slot = slots_[index];
        return (slot & generation_mask) == (differences & ~index_mask) ? slot : 0;
    }
    [[nodiscard]] inline static location location_in(std::uint64_t slot) {
        return {static_cast<std::uint32_t>(slot & chunk_mask), static_cast<std::uint32_t>(slot >> row_shift)};
    }
    [[nodiscard]] inline entity handle(std::uint32_t index) const {
        return entity::assume_word(constant_ | (slots_[index] & generation_mask) | index);
    }
    inline entity issue(std::uint32_t index) {
        slots_[index] |= chunk_directory::limbo;
        ++live_;
        return handle(index);
    }
    [[nodiscard]] inline entity create_fresh() {
        slots_.push_back(first_generation);
        return issue(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    [[nodiscard]] inline entity recycle() {
        const std::uint32_t index = free_.back();
        free_.pop_back();
        return issue(index);
    }

    std::uint64_t constant_; ///< Kind and world, as in every handle.
    std::vector<std::uint64_t> slots_;
    std::vector<std::uint32_t> free_;
    std::size_t live_{};
};

} // namespace ecs
