// SPDX-License-Identifier: MIT
// The battle: a world, a schedule, and what happened so far. The same scenario gives the same battle, with
// any number of worker threads. Include it after the import.
#pragma once
#include "scenario.hpp"
#include <cstdint>
#include <random>
#include <string>
#include <vector>

import ecs;

namespace skirmish {

struct Position {
    float x, y;
};
struct Velocity {
    float x, y;
};
struct Health {
    int points;
};
struct Side {
    std::uint32_t army; ///< Position in the scenario.
};
/// A gun of a ship. Its target may die while it loads, and the target's index may be somebody else's by then:
/// the handle tells.
struct Turret {
    float range;
    unsigned loading; ///< Ticks until it can fire.
    ecs::entity target;
};
struct Shield {
    int hits;
};
struct Haste {
    float factor;
};
/// Added as a pair with the buff it ends: (Expiry, Shield), (Expiry, Haste).
struct Expiry {
    std::uint32_t ticks;
};
/// What the unit is called on the network: an identifier of its owner's partition.
struct NetworkId {
    ecs::entity id;
};

/// Who issues network ids: clients and the server from ranges of their own, so that neither waits for the
/// other.
using network_map = ecs::partitions<ecs::layouts::entity, ecs::partition<"client", 1, 9'999'999>,
                                    ecs::partition<"server", 10'000'000, 99'999'999>>;
static_assert(ecs::valid_partitions<network_map>);

struct platoon_state {
    ecs::entity tag; ///< A platoon is an entity, and a tag on its units.
    std::uint32_t army{};
    platoon_plan plan;
    std::size_t arrived{};
    std::vector<std::size_t> population; ///< Living units after each tick.
};

/// What the story of the handles was.
struct handle_story {
    std::size_t lost_targets{};   ///< Turrets that found their target dead.
    std::size_t reused_targets{}; ///< Of those, targets whose index belongs to somebody else by now.
    std::size_t expired_buffs{};
    std::size_t refused_commands{}; ///< Recorded for units that died before the flush.
};

class battle {
  public:
    battle(const scenario& plan, unsigned workers);

    void tick();

    [[nodiscard]] bool over() const { return now_ == plan_.ticks; }
    [[nodiscard]] unsigned now() const { return now_; }
    [[nodiscard]] const scenario& plan() const { return plan_; }
    [[nodiscard]] const std::vector<platoon_state>& platoons() const { return platoons_; }
    [[nodiscard]] const handle_story& story() const { return story_; }
    [[nodiscard]] ecs::world& world() { return world_; }
    [[nodiscard]] std::size_t ships_turrets(const ship_plan& ship);

    /// A number that the whole final state decides.
    [[nodiscard]] std::uint64_t checksum();

  private:
    void build_ships();
    void arrive();
    [[nodiscard]] unsigned arrivals(const platoon_plan& platoon) const;
    void recruit(std::size_t platoon);
    void name_on_the_network();
    void add_systems();
    void grant_buffs();
    void expire_buffs();
    void end_expired(ecs::entity e);
    void aim();
    [[nodiscard]] bool is_index_in_use(ecs::entity dead) const;
    void retarget(Turret& turret, const Position& from, std::uint32_t army);
    void fight();
    void strike(ecs::entity e, int damage);
    void bury();
    void muster();
    void count_population();

    scenario plan_;
    unsigned workers_;
    unsigned now_{};
    ecs::world world_;
    ecs::schedule schedule_;
    ecs::basic_registry<ecs::layouts::entity, network_map> network_;
    std::vector<platoon_state> platoons_;
    std::vector<std::vector<ecs::entity>> ranks_; ///< Living units by army.
    std::vector<ecs::entity> dying_;
    handle_story story_;
    std::mt19937_64 dice_;
};

} // namespace skirmish
