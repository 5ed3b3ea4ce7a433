// SPDX-License-Identifier: MIT
// What an owned registry hands out next, apart from its slots: a copy keeps this, so that a registry can go
// back to the copy.
export module ecs.registry:owned_state;
import ecs.std;
import :key_lane;
import :turn_walk;

namespace ecs {

/// Which identifiers a registry issues: the indices from `first` to `last`, each from that generation on.
/// Registries that exchange identifiers get a space each, and take those of others over with claim. A first
/// generation above 1 keeps handles dead that an earlier run of the program gave out.
export struct index_space {
    std::uint32_t first{};
    std::uint32_t last{};
    std::uint32_t first_generation = 1;

    [[nodiscard]] constexpr bool contains(std::uint64_t index) const {
        return first <= index && index <= last;
    }
    bool operator==(const index_space&) const = default;
};

/// What is known of an index besides its payload, by number of the generation.
export struct index_state {
    std::uint32_t live{}; ///< Generation of its identifier; 0 when there is none.
    std::uint32_t next{}; ///< Generation of its next identifier; 0 when there will be none.

    [[nodiscard]] constexpr bool is_unused() const { return live == 0 && next == 1; }
    bool operator==(const index_state&) const = default;
};

/// Under which generations a registry issues indices that went back to an earlier state.
export enum class generations_after_return : std::uint8_t {
    later, ///< Generations that no handle has had.
    same,  ///< The generations of the first time.
};

/// Everything that decides which index is used next.
struct allocation_state {
    std::vector<std::uint32_t> free; ///< The free indices of the owner, in the order of their use.
    index_window window;             ///< What the owner uses after the free ones.
    walk_turns turns;
    std::vector<key_stock> keys;
};

} // namespace ecs
