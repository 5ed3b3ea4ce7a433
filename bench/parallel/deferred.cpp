// SPDX-License-Identifier: MIT
// What does it cost to add a component later instead of now: to record, and to flush?
#include "../world/shape.hpp"
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

import ecs.world;

namespace {

const std::size_t entities = bench_size(100'000);

struct stage {
    ecs::world world;
    std::vector<ecs::entity> all = world.spawn_n(entities, [](std::size_t i) { return start_position(i); });
};

template <class Work> double seconds_of(Work work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Times what part(stage) says took so long; each iteration has a world of its own.
template <class Part> void time_part(benchmark::State& state, Part part) {
    for (auto _ : state) {
        const auto on = std::make_unique<stage>();
        state.SetIterationTime(part(*on));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(entities));
}

void record_all(stage& on, ecs::commands& commands) {
    for (const ecs::entity e : on.all) commands.set(e, velocity{1, 2});
}
void undo(stage& on) {
    for (const ecs::entity e : on.all) on.world.remove<velocity>(e);
}

/// Commands that have recorded as much before.
ecs::commands warm_commands(stage& on) {
    ecs::commands commands = on.world.commands();
    record_all(on, commands);
    on.world.flush();
    undo(on);
    return commands;
}

void add_later_record(benchmark::State& state) {
    time_part(state, [](stage& on) {
        ecs::commands commands = warm_commands(on);
        const double seconds = seconds_of([&] { record_all(on, commands); });
        on.world.flush();
        return seconds;
    });
}

void add_later_flush(benchmark::State& state) {
    time_part(state, [](stage& on) {
        ecs::commands commands = warm_commands(on);
        record_all(on, commands);
        return seconds_of([&] { on.world.flush(); });
    });
}

void add_now(benchmark::State& state) {
    time_part(state, [](stage& on) {
        const auto add_all = [&] {
            for (const ecs::entity e : on.all) on.world.set(e, velocity{1, 2});
        };
        add_all();
        undo(on);
        return seconds_of(add_all);
    });
}

void add_now_in_bulk(benchmark::State& state) {
    time_part(state, [](stage& on) {
        const auto add_all = [&] { on.world.set_n(on.all, velocity{1, 2}); };
        add_all();
        undo(on);
        return seconds_of(add_all);
    });
}

BENCHMARK(add_later_record)->UseManualTime();
BENCHMARK(add_later_flush)->UseManualTime();
BENCHMARK(add_now)->UseManualTime();
BENCHMARK(add_now_in_bulk)->UseManualTime();

} // namespace
