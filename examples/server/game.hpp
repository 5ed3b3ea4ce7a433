// SPDX-License-Identifier: MIT
// The rules: miners walk to a seam, dig, and carry what they have dug to their player's house, which turns it
// into gold. Everything is a whole number, so that every machine plays the same match. Include it after the
// import.
#pragma once
#include "orders.hpp"
#include <cstdint>
#include <span>
#include <vector>

import ecs;

namespace server {

struct Position {
    std::int32_t x, y;
    bool operator==(const Position&) const = default;
};
/// Where a miner walks to.
struct Goal {
    Position at;
};
struct Miner {
    std::int32_t load;
};
struct Seam {
    std::int32_t ore;
};
/// Of a player, who is the house as well.
struct Purse {
    std::int32_t gold;
};
/// The world knows which tick is next, so that it goes back together with the world.
struct Match {
    std::uint32_t tick;
    std::uint64_t seed;
};
struct OwnedBy {
    static constexpr auto properties = ecs::properties(ecs::exclusive);
};
struct DigsAt {
    static constexpr auto properties = ecs::properties(ecs::exclusive);
};

/// Two worlds in which this is the same are the same, for all that players can see.
struct fingerprint {
    std::uint64_t values;      ///< Of all entities in the order of their rows.
    std::uint64_t identifiers; ///< Of all that live.
    bool operator==(const fingerprint&) const = default;
};

struct score {
    std::size_t miners, seams;
    std::int64_t gold;
};

class game {
  public:
    game(std::uint32_t players, std::uint64_t seed, unsigned threads);
    game(const game&) = delete;
    game& operator=(const game&) = delete;
    ~game() = default;

    /// Records the orders on several threads, makes them, and lets everybody act.
    void tick(std::span<const order> orders);

    [[nodiscard]] ecs::world& world() { return world_; }
    [[nodiscard]] std::uint32_t now() const { return world_.singleton<Match>().tick; }
    [[nodiscard]] fingerprint mark();
    [[nodiscard]] score standing();

  private:
    struct headquarters;

    void register_components();
    void found_houses(std::uint32_t players);
    void add_systems();
    void run_systems();
    void record(std::span<const order> orders);
    [[nodiscard]] std::vector<headquarters> survey();

    ecs::world world_;
    ecs::schedule schedule_;
    unsigned threads_;
};

} // namespace server
