// SPDX-License-Identifier: MIT
// Two fleets meet. Platoons are tags made at run time, units are spawned by worker threads, turrets hold
// targets that may be dead by now, and buffs of every kind end by one system.
#include "progress.hpp"
#include "scenario.hpp"
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>
#include <random>
#include <string>

import ecs;

#include "battle.hpp"
#include "picture.hpp"

namespace {

struct options {
    std::string scenario = SKIRMISH_SCENARIO;
    std::string picture = "skirmish.svg";
    unsigned threads = 2;
};

void show_layouts() {
    std::cout << "An entity is one word:\n"
              << ecs::diagram<ecs::layouts::entity>() << "\nand so is a pair:\n"
              << ecs::diagram<ecs::layouts::pair>() << "\n\n";
}

void fight(skirmish::battle& battle) {
    skirmish::progress bar(battle.plan().ticks);
    while (!battle.over()) {
        battle.tick();
        bar.step(battle.now(), battle.plan().name);
    }
}

void show_platoons(const skirmish::battle& battle) {
    std::printf("%-12s %-8s %10s %10s %10s\n", "platoon", "army", "arrived", "fallen", "living");
    for (const auto& platoon : battle.platoons()) {
        const std::size_t living = platoon.population.empty() ? platoon.arrived : platoon.population.back();
        std::printf("%-12s %-8s %10zu %10zu %10zu\n", platoon.plan.name.c_str(),
                    battle.plan().armies[platoon.army].name.c_str(), platoon.arrived,
                    platoon.arrived - living, living);
    }
}

void show_ships(skirmish::battle& battle) {
    std::printf("\n%-12s %-8s %10s\n", "ship", "army", "turrets");
    for (const auto& army : battle.plan().armies)
        for (const auto& ship : army.ships)
            std::printf("%-12s %-8s %10zu\n", ship.name.c_str(), army.name.c_str(),
                        battle.ships_turrets(army, ship));
}

void show_story(const skirmish::handle_story& story) {
    std::printf("\nturrets found their target dead     %8zu times\n", story.lost_targets);
    std::printf("  its index in use by another unit  %8zu times: the handle told them apart\n",
                story.reused_targets);
    std::printf("orders for the fallen, dropped      %8zu\n", story.refused_commands);
    std::printf("buffs ended by one system           %8zu\n", story.expired_buffs);
}

void run(const options& chosen) {
    show_layouts();
    skirmish::battle battle(skirmish::load_scenario(chosen.scenario), chosen.threads);
    fight(battle);
    show_platoons(battle);
    show_ships(battle);
    show_story(battle.story());
    skirmish::draw(battle, chosen.picture);
    std::printf("\npicture:  %s\nchecksum: %016llx\n", chosen.picture.c_str(),
                static_cast<unsigned long long>(battle.checksum()));
}

} // namespace

int main(int argc, char** argv) {
    options chosen;
    CLI::App app("A battle with worker threads, run-time tags, hierarchies and expiring buffs");
    app.add_option("scenario", chosen.scenario, "a JSON file like the one shipped with the example")
        ->capture_default_str();
    app.add_option("--svg", chosen.picture, "where the picture goes")->capture_default_str();
    app.add_option("--threads", chosen.threads, "worker threads; the result is the same")
        ->check(CLI::Range(1, 64));
    CLI11_PARSE(app, argc, argv);
    try {
        run(chosen);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "skirmish: %s\n", e.what());
        return 1;
    }
    return 0;
}
