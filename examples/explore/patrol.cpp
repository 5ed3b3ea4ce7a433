// SPDX-License-Identifier: MIT
// Ships sail, fire at ships of the other fleet, burn, sink, and are replaced.
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

import ecs;

#include "patrol.hpp"

namespace explore {

namespace {

constexpr float edge = 100;
constexpr int loading_ticks = 90;

} // namespace

patrol::patrol(unsigned ships_of_fleet) : ships_of_fleet_(ships_of_fleet) {
    world_.add(ecs::child_of, ecs::ordered);
    world_.component<Escorts>();
    frigate_ = world_.prefab("Frigate", Health{100, 100}, Gun{4, 0, {}});
    world_.add(world_.component<Health>(), ecs::auto_overridden); // A ship has a health of its own.
    world_.add(world_.component<Gun>(), ecs::auto_overridden);
    for (const auto& [name, colour] : {std::pair("Red Fleet", "red"), std::pair("Blue Fleet", "blue")})
        fleets_.push_back(world_.spawn(std::string_view(name), Flag{colour, 0, 0}));
    reinforce();
}

void patrol::tick() {
    move();
    fire();
    burn();
    bury();
    reinforce();
}

float patrol::between(float low, float high) { return std::uniform_real_distribution(low, high)(dice_); }

void patrol::launch(ecs::entity fleet) {
    const int number = ++world_.get<Flag>(fleet).launched;
    const ecs::entity ship = world_.spawn(Position{between(-edge, edge), between(-edge, edge)},
                                          Velocity{between(-9, 9), between(-9, 9)});
    world_.add(ship, ecs::pair(ecs::child_of, fleet));
    world_.set_name(ship, "Ship " + std::to_string(number));
    world_.add(ship, ecs::pair(ecs::is_a, frigate_));
    for (const char* const side : {"Port Turret", "Starboard Turret"})
        world_.spawn(std::string_view(side), ecs::pair(ecs::child_of, ship));
    if (number % 3 == 0) world_.add<Escorts>(ship, world_.sources(fleet, ecs::child_of).front());
}

void patrol::move() {
    world_.each([](Position& at, Velocity& to) {
        at.x += to.x / 60;
        at.y += to.y / 60;
        if (at.x < -edge || at.x > edge) to.x = -to.x;
        if (at.y < -edge || at.y > edge) to.y = -to.y;
    });
}

ecs::entity patrol::enemy_of(ecs::entity fleet) {
    const ecs::entity other = fleet == fleets_[0] ? fleets_[1] : fleets_[0];
    const std::vector<ecs::entity> all = world_.sources(other, ecs::child_of);
    return all.empty() ? ecs::entity{} : all[dice_() % all.size()];
}

void patrol::fire() {
    std::vector<ecs::entity> hit;
    world_.query<Gun, const Position>().each([&](ecs::entity ship, Gun& gun, const Position&) {
        if (gun.loading-- > 0) return;
        gun.loading = loading_ticks;
        if (!world_.alive(gun.target)) gun.target = enemy_of(world_.parent(ship));
        if (!gun.target) return;
        world_.get<Health>(gun.target).points -= gun.damage;
        hit.push_back(gun.target);
    });
    for (const ecs::entity ship : hit) world_.add<Burning>(ship);
}

/// The fire goes out, now and then.
void patrol::burn() {
    for (const ecs::entity ship : world_.query<const Position>().with<Burning>().entities())
        if (dice_() % 120 == 0) world_.remove<Burning>(ship);
}

void patrol::bury() {
    std::vector<ecs::entity> sunk;
    world_.query<const Health, const Position>().each(
        [&](ecs::entity ship, const Health& health, const Position&) {
            if (health.points <= 0) sunk.push_back(ship);
        });
    for (const ecs::entity ship : sunk) {
        if (auto* const flag = world_.try_get<Flag>(world_.parent(ship))) ++flag->lost;
        world_.despawn(ship);
    }
}

void patrol::reinforce() {
    for (const ecs::entity fleet : fleets_) {
        if (!world_.alive(fleet)) continue;
        for (std::size_t n = world_.sources(fleet, ecs::child_of).size(); n < ships_of_fleet_; ++n)
            launch(fleet);
    }
}

} // namespace explore
