// SPDX-License-Identifier: MIT
// What do observers cost who are never told anything?
#include "../world/shape.hpp"
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <vector>

import ecs.world;

namespace {

const std::size_t observed = bench_size(100'000);

/// Spawns, adds, sets, removes and ends.
void live_and_end(ecs::world& world, std::vector<ecs::entity>& made) {
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = world.spawn(start_position(i), start_health(i));
    for (const ecs::entity e : made) world.set(e, velocity{1, 2});
    for (const ecs::entity e : made) world.set(e, health{2});
    for (const ecs::entity e : made) world.remove<velocity>(e);
    for (const ecs::entity e : made) world.despawn(e);
}

template <class Observe> void time_lives(benchmark::State& state, Observe observe) {
    ecs::world world;
    world.component<frozen>();
    world.component<burning>();
    observe(world);
    std::vector<ecs::entity> made(observed);
    live_and_end(world, made);
    for (auto _ : state) live_and_end(world, made);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(5 * observed));
}

void changes_without_observers(benchmark::State& state) {
    time_lives(state, [](ecs::world&) {});
}

void changes_with_observers_of_others(benchmark::State& state) {
    time_lives(state, [](ecs::world& world) {
        for (int i = 0; i < 10; ++i) {
            world.observe<ecs::event::added, frozen>([](ecs::entity) {});
            world.observe<ecs::event::set, burning>([](ecs::entity) {});
            world.observe<ecs::event::removed, burning>([](ecs::entity) {});
        }
    });
}

BENCHMARK(changes_without_observers)->UseRealTime();
BENCHMARK(changes_with_observers_of_others)->UseRealTime();

} // namespace
