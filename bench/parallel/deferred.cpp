// SPDX-License-Identifier: MIT
// What does it cost to add a component later instead of now: to record, and to flush?
#include "../world/shape.hpp"
#include "threads.hpp"
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>
#ifdef ECS_BENCH_FLECS
#include <flecs.h>
#endif

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
        const auto add_all = [&] { on.world.set(on.all, velocity{1, 2}); };
        add_all();
        undo(on);
        return seconds_of(add_all);
    });
}

/// All threads record their part, and the world's own flushes.
void add_from_threads(benchmark::State& state) {
    team threads(threads_of(state));
    time_part(state, [&](stage& on) {
        const auto record_and_flush = [&] {
            threads.share(entities, [&](std::size_t first, std::size_t end, std::size_t) {
                ecs::commands commands = on.world.commands();
                for (std::size_t i = first; i < end; ++i) commands.set(on.all[i], velocity{1, 2});
            });
            on.world.flush();
        };
        record_and_flush();
        undo(on);
        return seconds_of(record_and_flush);
    });
}

#ifdef ECS_BENCH_FLECS
/// The entities of a world, each with a position.
struct flecs_stage {
    flecs::world world;
    std::vector<flecs::entity> all;

    flecs_stage() {
        world.component<velocity>();
        all.reserve(entities);
        for (std::size_t i = 0; i < entities; ++i) all.push_back(world.entity().set(start_position(i)));
    }
    void undo() const {
        for (const flecs::entity e : all) e.remove<velocity>();
    }
};

/// Times what part(stage) says took so long.
template <class Part> void time_flecs_stage(benchmark::State& state, Part part) {
    for (auto _ : state) {
        flecs_stage on;
        state.SetIterationTime(part(on));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(entities));
}

/// Calls record(world, entities) and merge(world), after both have been done and undone once.
template <class Part> void time_flecs(benchmark::State& state, Part part) {
    time_flecs_stage(state, [&](flecs_stage& on) {
        const auto record = [&] {
            for (const flecs::entity e : on.all) e.set(velocity{1, 2});
        };
        on.world.defer_begin();
        record();
        on.world.defer_end();
        on.undo();
        return part(on.world, record);
    });
}

void flecs_later_record(benchmark::State& state) {
    time_flecs(state, [](flecs::world& world, auto record) {
        world.defer_begin();
        const double seconds = seconds_of(record);
        world.defer_end();
        return seconds;
    });
}

void flecs_later_merge(benchmark::State& state) {
    time_flecs(state, [](flecs::world& world, auto record) {
        world.defer_begin();
        record();
        return seconds_of([&] { world.defer_end(); });
    });
}

/// A stage for each thread.
void flecs_from_threads(benchmark::State& state) {
    team threads(threads_of(state));
    time_flecs_stage(state, [&](flecs_stage& on) {
        on.world.set_stage_count(static_cast<std::int32_t>(threads.size()));
        const auto record_and_merge = [&] {
            on.world.readonly_begin(true);
            threads.share(entities, [&](std::size_t first, std::size_t end, std::size_t number) {
                const flecs::world stage = on.world.get_stage(static_cast<std::int32_t>(number));
                for (std::size_t i = first; i < end; ++i) flecs::entity(stage, on.all[i]).set(velocity{1, 2});
            });
            on.world.readonly_end();
        };
        record_and_merge();
        on.undo();
        return seconds_of(record_and_merge);
    });
}

void flecs_now(benchmark::State& state) {
    time_flecs(state, [](flecs::world&, auto record) { return seconds_of(record); });
}
#endif

BENCHMARK(add_later_record)->UseManualTime();
BENCHMARK(add_later_flush)->UseManualTime();
BENCHMARK(add_now)->UseManualTime();
BENCHMARK(add_now_in_bulk)->UseManualTime();

BENCHMARK(add_from_threads)
    ->Name("add_later_to_100000/ecs, commands and flush")
    ->Apply(of_one_to_all_processors)
    ->UseManualTime();
#ifdef ECS_BENCH_FLECS
BENCHMARK(flecs_later_record)->UseManualTime();
BENCHMARK(flecs_later_merge)->UseManualTime();
BENCHMARK(flecs_now)->UseManualTime();
BENCHMARK(flecs_from_threads)
    ->Name("add_later_to_100000/flecs, stages and merge")
    ->Apply(of_one_to_all_processors)
    ->UseManualTime();
#endif

} // namespace
