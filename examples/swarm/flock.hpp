// SPDX-License-Identifier: MIT
// The swarm as a world: birds that fly as their neighbours do, keep apart, and are drawn to a few leaders.
// The same flock comes of any number of threads: what birds feel is summed up in whole numbers, and each bird
// moves for itself. Include it after the import.
#pragma once
#include "canvas.hpp"
#include "crowd.hpp"
#include <cstddef>
#include <cstdint>

import ecs;

namespace swarm {

struct Position {
    float x, y;
};
struct Velocity {
    float x, y;
};
/// Flies in a circle around the middle of the field, by a turn of the same angle in every frame.
struct Leader {
    float x, y;         ///< Seen from the middle.
    float cosine, sine; ///< Of the angle.
    float pull;
};

struct field {
    float width, height;
};

class flock {
  public:
    /// The executor outlives the flock.
    flock(field size, std::size_t birds, std::uint64_t seed, ecs::executor& on);
    flock(const flock&) = delete; // Its systems know where it is.
    flock& operator=(const flock&) = delete;
    ~flock() = default;

    /// One frame.
    void fly();
    void draw(canvas& onto);

    /// Birds are drawn to this place until they are let go.
    void lure(float x, float y);
    void let_go();

    /// A number that the places and velocities of all birds decide.
    [[nodiscard]] std::uint64_t checksum();

  private:
    void hatch(std::size_t birds, std::uint64_t seed);
    void appoint_leaders();
    void add_systems();

    field size_;
    ecs::executor* executor_;
    ecs::world world_;
    ecs::schedule schedule_;
    ecs::query<const Position, const Velocity> birds_;
    ecs::entity bait_;
};

} // namespace swarm
