// SPDX-License-Identifier: MIT
// How many birds are where, and which way they fly: cells of a grid that all threads add to at once. Sums are
// whole numbers, so that they do not depend on which thread was first.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace swarm {

/// What a bird feels of the others at a place.
struct feeling {
    float x, y;             ///< Their mean velocity.
    float slope_x, slope_y; ///< Where there are more of them, and how much. The even swarm has 1 everywhere.
};

class crowd {
  public:
    crowd(float width, float height, std::size_t birds);

    /// Forgets all birds.
    void clear();

    /// Adds a bird. May be called by several threads at once.
    void add(float x, float y, float velocity_x, float velocity_y) {
        cell& at = cells_[cell_of(x, y)];
        std::atomic_ref(at.birds).fetch_add(1, std::memory_order_relaxed);
        std::atomic_ref(at.x).fetch_add(fixed(velocity_x), std::memory_order_relaxed);
        std::atomic_ref(at.y).fetch_add(fixed(velocity_y), std::memory_order_relaxed);
    }

    /// What was added becomes what is felt.
    void settle();

    /// Between the middles of four cells what is felt goes from the one to the other, so that the grid is not
    /// seen in the swarm.
    [[nodiscard]] feeling at(float x, float y) const;

    static constexpr float cell_side = 8;

  private:
    struct cell {
        std::uint32_t birds;
        std::int64_t x, y; ///< Sum of the velocities, in parts of 1/fixed_one.
    };

    static constexpr float fixed_one = 256;
    static std::int64_t fixed(float value) { return static_cast<std::int32_t>(value * fixed_one); }

    [[nodiscard]] std::size_t cell_of(float x, float y) const {
        return static_cast<std::size_t>(y / cell_side) * columns_ + static_cast<std::size_t>(x / cell_side);
    }
    [[nodiscard]] std::size_t wrapped(std::size_t column, std::size_t row) const;
    [[nodiscard]] cell block_around(std::size_t column, std::size_t row) const;
    [[nodiscard]] feeling felt_in(std::size_t column, std::size_t row) const;

    std::size_t columns_, rows_;
    float even_; ///< Birds of a cell in the even swarm.
    std::vector<cell> cells_;
    std::vector<cell> blocks_;  ///< Each cell and its eight neighbours together.
    std::vector<feeling> felt_; ///< With the last column left of the first one, and so on all around.
};

} // namespace swarm
