// SPDX-License-Identifier: MIT
// What the demo says of its battle is so.
#include "scenario.hpp"
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>

import ecs;

#include "battle.hpp"

namespace battle_test {
namespace {

skirmish::scenario short_scenario() {
    skirmish::scenario plan = skirmish::load_scenario(SKIRMISH_SCENARIO);
    plan.ticks = 60;
    return plan;
}

std::uint64_t outcome(const skirmish::scenario& plan, unsigned workers) {
    skirmish::battle battle(plan, workers);
    while (!battle.over()) battle.tick();
    return battle.checksum();
}

TEST(battle, is_the_same_with_any_number_of_workers) {
    const skirmish::scenario plan = short_scenario();
    const std::uint64_t expected = outcome(plan, 1);
    EXPECT_EQ(outcome(plan, 2), expected);
    EXPECT_EQ(outcome(plan, 4), expected);
}

TEST(battle, follows_from_its_seed) {
    skirmish::scenario plan = short_scenario();
    const std::uint64_t first = outcome(plan, 2);
    ++plan.seed;
    EXPECT_NE(outcome(plan, 2), first);
}

TEST(battle, ships_have_the_turrets_of_the_plan) {
    const skirmish::scenario plan = short_scenario();
    skirmish::battle battle(plan, 2);
    for (const auto& army : plan.armies)
        for (const auto& ship : army.ships)
            EXPECT_EQ(battle.ships_turrets(army, ship), ship.turrets) << ship.name;
}

TEST(battle, is_a_tree_of_armies_platoons_and_units) {
    skirmish::battle battle(short_scenario(), 2);
    ecs::world& world = battle.world();
    const ecs::entity unit = world.lookup("Reds/Red_1/Unit_700");
    ASSERT_TRUE(unit);
    EXPECT_FALSE(world.lookup("Reds/Red_1/Unit_701"));
    EXPECT_TRUE(world.has(unit, world.lookup("Reds/Red_1")));
    EXPECT_TRUE(world.lookup("Reds/Aurora/Turret_6"));
}

TEST(battle, who_has_no_health_left_falls_with_the_next_tick) {
    skirmish::battle battle(short_scenario(), 2);
    const ecs::entity unit = battle.world().lookup("Reds/Red_1/Unit_1");
    battle.tick();
    ASSERT_TRUE(battle.world().alive(unit));
    battle.world().get<skirmish::Health>(unit).points = 0;
    battle.tick();
    EXPECT_FALSE(battle.world().alive(unit));
}

void damage(ecs::world& world) {
    const auto unit = [&](const char* name) { return world.lookup(std::string("Reds/Red_1/") + name); };
    world.get<skirmish::Side>(unit("Unit_1")).army = 99;
    world.get<skirmish::Position>(unit("Unit_2")) = {-1e30F, 1e30F};
    world.remove<skirmish::Position>(unit("Unit_3"));
    world.remove<skirmish::Health>(unit("Unit_4"));
    world.remove<skirmish::NetworkId>(unit("Unit_5"));
    world.despawn(unit("Unit_6"));
    world.spawn("Unit_701", ecs::pair(ecs::child_of, world.lookup("Reds/Red_1")));
    world.get<skirmish::Side>(world.lookup("Reds/Aurora/Turret_1")).army = ~0U;
    world.get<skirmish::Turret>(world.lookup("Reds/Aurora/Turret_2")).target = world.lookup("Blues");
    world.get<skirmish::Turret>(world.lookup("Reds/Aurora/Turret_3")).target = world.lookup("Reds/Aurora");
    world.despawn(world.lookup("Blues/Blue_1"));
    world.despawn(world.lookup("Blues/Tempest"));
}

TEST(battle, goes_on_whatever_is_changed_between_two_ticks) {
    const skirmish::scenario plan = short_scenario();
    skirmish::battle battle(plan, 2);
    damage(battle.world());
    while (!battle.over()) battle.tick();
    EXPECT_EQ(battle.platoons().size(), 4U);
    EXPECT_TRUE(battle.world().lookup("Reds/Red_1/Unit_702"));
    battle.world().despawn(battle.world().lookup("Blues"));
    battle.tick();
    EXPECT_EQ(battle.platoons().size(), 2U);
}

TEST(battle, goes_on_when_it_is_over) {
    skirmish::scenario plan = short_scenario();
    plan.ticks = 2;
    skirmish::battle battle(plan, 2);
    for (int i = 0; i < 4; ++i) battle.tick();
    EXPECT_TRUE(battle.over());
    EXPECT_EQ(battle.platoons().front().population.size(), 2U) << "of the plan, however long it goes on";
}

} // namespace
} // namespace battle_test
