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
//
// Free: the chunk number is 0, and the generation is the next use's. Never used: 0. Retired: the referred bit
// alone.
module;
#include <cstddef>
#include <cstdint>
export module ecs.world:entities;
import ecs.id;
import ecs.registry;
import ecs.relation;
import :chunk;
import :id_supply;
import :slot_pages;

namespace ecs {

/// The index of an entity in the width that arrays want.
[[nodiscard]] constexpr std::uint32_t index_of(entity e) { return static_cast<std::uint32_t>(e.value()); }

/// A chunk's number and a row in it.
struct location {
    std::uint32_t chunk_number{};
    std::uint32_t row{};
};

/// Issues the entities of one world and remembers where their rows are. For one thread, except the functions
/// that are for any thread, at any time.
class entity_index {
  public:
    explicit entity_index(std::uint8_t world);

    /// A new entity, in limbo until place. Throws std::bad_alloc, or std::length_error when every index is
    /// spent.
    [[nodiscard]] inline entity create() {
        if (stock_.empty()) [[unlikely]]
            restock();
        ++live_;
        return issue(stock_.take());
    }

    /// The entity of that index of the component or built-in partition; null when it is taken or retired.
    [[nodiscard]] entity create_at(std::uint32_t index);

    /// The entity of that index, which must be free: how built-in entities get the index they are known by.
    inline entity claim(std::uint32_t index) {
        ++live_;
        return issue(index);
    }

    /// Whether the entity has been issued and has not ended. Wait-free, for any thread.
    [[nodiscard]] inline bool alive(entity e) const { return is_live(slot_of(e)); }

    /// Where the entity's row is: nowhere when the entity is not alive.
    [[nodiscard]] inline location locate(entity e) const { return location_in(slot_of(e)); }

    /// For any thread.
    [[nodiscard]] id_status status(entity e) const;

    /// The live entity of an index; null when there is none. For any thread.
    [[nodiscard]] inline entity at(std::uint32_t index) const {
        const std::uint64_t slot = slots_.read(index);
        return is_live(slot) ? handle(index, slot) : entity{};
    }

    inline void place(std::uint32_t index, location where) noexcept {
        slots_.write(index, (slots_.known(index) & (generation_mask | referred_bit)) |
                                (std::uint64_t{where.row} << row_shift) | where.chunk_number);
    }

    /// Ends the entity, which is alive. The index is used again under the next generation, or retired.
    void destroy(entity e) noexcept;

    /// Ends the entity, which is alive, and never uses its index again.
    inline void retire(entity e) noexcept {
        slots_.write(index_of(e), retired);
        --live_;
    }

    [[nodiscard]] inline bool is_referred(entity e) const {
        return (slots_.read(index_of(e)) & referred_bit) != 0;
    }
    inline void set_referred(std::uint32_t index) { slots_.write(index, slots_.known(index) | referred_bit); }

    /// Reads a stand-in, which is an entity of world 0 such as a built-in one, as this world's of the same
    /// index. For any thread.
    [[nodiscard]] inline entity localize(entity e) const { return e.world() == 0 ? at(index_of(e)) : e; }

    [[nodiscard]] inline std::size_t live_count() const { return live_; }
    [[nodiscard]] inline std::size_t memory_bytes() const { return slots_.memory_bytes(); }
    [[nodiscard]] inline std::uint8_t world() const {
        return static_cast<std::uint8_t>(entity::assume_word(constant_).world());
    }

    /// Ends every entity; no handle comes back to life. No other thread holds a stock.
    void clear() noexcept;

    // Entities issued by other threads.

    /// Where stocks come from, for any thread.
    [[nodiscard]] inline id_supply& supply() { return supply_; }

    /// A new entity of an index from a stock of the caller's: alive at once, and in limbo. For any thread.
    [[nodiscard]] inline entity issue(std::uint32_t index) noexcept {
        const std::uint64_t generation = next_generation(slots_.known(index));
        slots_.write(index, generation | chunk_directory::limbo);
        return entity::assume_word(constant_ | generation | index);
    }

    /// Entities that other threads issued have come, and get their rows.
    inline void count_issued(std::size_t entities) { live_ += entities; }

    /// Lets other threads use what has ended.
    void share_free();

    static constexpr std::uint32_t first_ordinary = 512;

  private:
    static constexpr std::uint64_t generation_mask = field_of<layouts::entity, "generation">.mask();
    static constexpr std::uint64_t index_mask = field_of<layouts::entity, "index">.mask();
    static constexpr std::uint64_t first_generation = std::uint64_t{1}
                                                      << field_of<layouts::entity, "generation">.low;
    static constexpr std::uint64_t chunk_mask = (std::uint64_t{1} << 31) - 1;
    static constexpr std::uint64_t referred_bit = std::uint64_t{1} << 31;
    static constexpr std::uint64_t retired = referred_bit; ///< Generation 0 is in no handle.
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
        const std::uint64_t slot = slots_.read(static_cast<std::uint32_t>(differences));
        return (slot & generation_mask) == (differences & ~index_mask) ? slot : 0;
    }
    [[nodiscard]] inline static location location_in(std::uint64_t slot) {
        return {static_cast<std::uint32_t>(slot & chunk_mask), static_cast<std::uint32_t>(slot >> row_shift)};
    }
    /// Of a free slot; one that was never used holds 0.
    [[nodiscard]] inline static std::uint64_t next_generation(std::uint64_t slot) {
        return slot == 0 ? first_generation : slot & generation_mask;
    }
    [[nodiscard]] inline entity handle(std::uint32_t index, std::uint64_t slot) const {
        return entity::assume_word(constant_ | (slot & generation_mask) | index);
    }
    void restock();
    void make_room_for_free();

    std::uint64_t constant_; ///< Kind and world, as in every handle.
    slot_pages slots_;
    id_supply supply_{slots_};
    id_stock stock_;
    std::size_t live_{};
};

} // namespace ecs
