// SPDX-License-Identifier: MIT
// How many indices are in which state.
//
//   capacity = live + free + retired + untouched          remaining: what create can still do with them
export module ecs.registry:index_counts;
import ecs.std;

namespace ecs {

/// What a registry, a partition or a range has and has had. Every index is live, free, retired or untouched.
export struct index_counts {
    std::uint64_t capacity{};  ///< Indices in all.
    std::uint64_t live{};      ///< In use.
    std::uint64_t free{};      ///< Destroyed, to be used again.
    std::uint64_t retired{};   ///< Spent: never used again.
    std::uint64_t remaining{}; ///< How many creates succeed from now on if nothing is destroyed.

    /// Never used.
    [[nodiscard]] constexpr std::uint64_t untouched() const { return capacity - live - free - retired; }

    constexpr index_counts& operator+=(const index_counts& other) {
        capacity += other.capacity;
        live += other.live;
        free += other.free;
        retired += other.retired;
        remaining += other.remaining;
        return *this;
    }

    constexpr bool operator==(const index_counts&) const = default;
};

} // namespace ecs
