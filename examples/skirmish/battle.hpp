// SPDX-License-Identifier: MIT
// The battle: a world, a schedule, and what happened so far. The same scenario gives the same battle, with
// any number of worker threads. Somebody may change the world between two ticks, such as from a browser
// (examples/explore): the battle goes on with what it finds. Include it after the import.
//
//   Reds                  an army
//     Aurora              a ship of it, and what fires from there
//       Turret_1
//     Red_1               a platoon: a tag on its units, and their parent
//       Unit_1
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
/// Who has none left falls, whoever took it.
struct Health {
    int points;
    static constexpr ecs::member_note member_notes[]{{.member = "points", .minimum = 0, .maximum = 1000}};
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
    static constexpr ecs::member_note member_notes[]{
        {.member = "loading", .units = "ticks", .description = "until it can fire"}};
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
    static constexpr ecs::member_note member_notes[]{{.member = "ticks", .units = "ticks"}};
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
    ecs::entity tag; ///< A platoon is an entity, a tag on its units, and their parent.
    std::uint32_t army{};
    platoon_plan plan;
    std::size_t arrived{};
    std::size_t named{};
    std::vector<std::size_t> population; ///< Living units after each tick of the plan.
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
    battle(const battle&) = delete; // Its systems know where it is.
    battle& operator=(const battle&) = delete;
    ~battle() = default;

    /// May go on when the battle is over.
    void tick();

    [[nodiscard]] bool over() const { return now_ >= plan_.ticks; }
    [[nodiscard]] unsigned now() const { return now_; }
    [[nodiscard]] const scenario& plan() const { return plan_; }
    [[nodiscard]] const std::vector<platoon_state>& platoons() const { return platoons_; }
    [[nodiscard]] const handle_story& story() const { return story_; }
    [[nodiscard]] ecs::world& world() { return world_; }
    [[nodiscard]] ecs::schedule& schedule() { return schedule_; }
    [[nodiscard]] std::size_t ships_turrets(const army_plan& army, const ship_plan& ship);

    /// A number that the whole final state decides.
    [[nodiscard]] std::uint64_t checksum();

  private:
    void build_army(std::uint32_t army);
    void build_ship(const ship_plan& ship, std::uint32_t army, ecs::entity of);
    void disband();
    void arrive();
    [[nodiscard]] unsigned arrivals(const platoon_plan& platoon) const;
    void recruit(std::size_t platoon);
    void name_newcomers(platoon_state& platoon);
    void name(ecs::entity unit, platoon_state& platoon);
    void add_systems();
    void grant_buffs();
    void expire_buffs();
    void end_expired(ecs::entity e);
    void aim();
    [[nodiscard]] bool is_index_in_use(ecs::entity dead) const;
    void retarget(Turret& turret, const Position& from, std::uint32_t army);
    void fight();
    void strike(ecs::entity e, int damage);
    void find_the_fallen();
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
