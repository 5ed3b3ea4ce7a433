// SPDX-License-Identifier: MIT
// Two fleets on patrol, for ever: something that moves, to be looked at. Include it after the import.
#pragma once
#include <random>
#include <string>
#include <vector>

import ecs;

namespace explore {

struct Position {
    float x, y;
};
struct Velocity {
    float x, y;
};
struct Health {
    int points, most;
    static constexpr ecs::member_note member_notes[]{{.member = "points", .minimum = 0, .maximum = 1000}};
};
struct Gun {
    int damage, loading;
    ecs::entity target;
    static constexpr ecs::member_note member_notes[]{
        {.member = "loading", .units = "ticks", .description = "until it fires again"}};
};
struct Flag {
    std::string colour;
    int launched, lost;
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
