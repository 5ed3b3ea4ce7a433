// SPDX-License-Identifier: MIT
// Two fleets on patrol, for ever: something that moves, to be looked at. Include it after the import.
#pragma once
#include <boost/hana/define_struct.hpp>
#include <random>
#include <string>
#include <vector>

import ecs;

namespace explore {

struct Position {
    BOOST_HANA_DEFINE_STRUCT(Position, (float, x), (float, y));
};
struct Velocity {
    BOOST_HANA_DEFINE_STRUCT(Velocity, (float, x), (float, y));
};
struct Health {
    BOOST_HANA_DEFINE_STRUCT(Health, (int, points), (int, most));
};
struct Gun {
    BOOST_HANA_DEFINE_STRUCT(Gun, (int, damage), (int, loading), (ecs::entity, target));
};
struct Flag {
    BOOST_HANA_DEFINE_STRUCT(Flag, (std::string, colour), (int, launched), (int, lost));
};
/// On a ship that has been hit of late.
struct Burning {};
/// (Escorts, ship)
struct Escorts {};

class patrol {
  public:
    explicit patrol(unsigned ships_of_fleet);

    /// A sixtieth of a second.
    void tick();
    [[nodiscard]] ecs::world& world() { return world_; }

  private:
    void launch(ecs::entity fleet);
    void move();
    void fire();
    void burn();
    void bury();
    void reinforce();
    [[nodiscard]] ecs::entity enemy_of(ecs::entity fleet);
    [[nodiscard]] float between(float low, float high);

    ecs::world world_;
    std::vector<ecs::entity> fleets_;
    ecs::entity frigate_;
    unsigned ships_of_fleet_;
    std::mt19937 dice_{1};
};

} // namespace explore
