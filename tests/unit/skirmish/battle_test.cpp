// SPDX-License-Identifier: MIT
// What the demo says of its battle is so.
#include "scenario.hpp"
#include <cstdint>
#include <gtest/gtest.h>

import ecs;

#include "battle.hpp"

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
        for (const auto& ship : army.ships) EXPECT_EQ(battle.ships_turrets(ship), ship.turrets) << ship.name;
}

} // namespace
