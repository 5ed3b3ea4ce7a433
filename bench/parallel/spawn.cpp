// SPDX-License-Identifier: MIT
// How long from the first of a million entities of three components to the query that finds them all, spawned
// by one thread and by more?
#include "../world/shape.hpp"
#include "threads.hpp"
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <tuple>
#include <vector>
#ifdef ECS_BENCH_ENTT
#include <entt/entity/registry.hpp>
#endif
#ifdef ECS_BENCH_FLECS
#include <flecs.h>
#endif
import ecs.world;

namespace {

const std::size_t spawned = bench_size(1'000'000, 4'096);

void expect_all(std::size_t found) {
    if (found != spawned) throw std::runtime_error("not every entity was found");
}

template <class Store, class Work> void time_spawning(benchmark::State& state, Work work) {
    for (auto _ : state) {
        state.PauseTiming();
        auto store = std::make_unique<Store>();
        state.ResumeTiming();
        expect_all(work(*store));
        state.PauseTiming();
        store.reset();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(spawned));
}

std::size_t count(ecs::world& world) {
    std::size_t found = 0;
    world.each([&](const position&, const velocity&, const health&) { ++found; });
    return found;
}

void spawn_directly(benchmark::State& state) {
    time_spawning<ecs::world>(state, [](ecs::world& world) {
        for (std::size_t i = 0; i < spawned; ++i)
            world.spawn(start_position(i), start_velocity(i), start_health(i));
        return count(world);
    });
}

constexpr auto parts_of = [](std::size_t i) {
    return std::tuple(start_position(i), start_velocity(i), start_health(i));
};

void spawn_in_bulk(benchmark::State& state) {
    time_spawning<ecs::world>(state, [](ecs::world& world) {
        world.spawn_n(spawned, parts_of);
        return count(world);
    });
}

void record(ecs::world& world, std::size_t first, std::size_t end) {
    auto commands = world.commands();
    for (std::size_t i = first; i < end; ++i)
        commands.spawn(start_position(i), start_velocity(i), start_health(i));
}

void record_singly(benchmark::State& state) {
    team threads(threads_of(state));
    time_spawning<ecs::world>(state, [&](ecs::world& world) {
        threads.share(spawned,
                      [&](std::size_t first, std::size_t end, std::size_t) { record(world, first, end); });
        world.flush();
        return count(world);
    });
}

void record_in_bulk(benchmark::State& state) {
    team threads(threads_of(state));
    time_spawning<ecs::world>(state, [&](ecs::world& world) {
        threads.share(spawned, [&](std::size_t first, std::size_t end, std::size_t) {
            world.commands().spawn_n(end - first, [=](std::size_t i) { return parts_of(first + i); });
        });
        world.flush();
        return count(world);
    });
}

void record_with_keys(benchmark::State& state) {
    team threads(threads_of(state));
    time_spawning<ecs::world>(state, [&](ecs::world& world) {
        world.make_deterministic(static_cast<std::uint32_t>(threads.size()));
        threads.share(spawned, [&](std::size_t first, std::size_t end, std::size_t number) {
            auto commands = world.commands(static_cast<std::uint32_t>(number));
            for (std::size_t i = first; i < end; ++i)
                commands.spawn(start_position(i), start_velocity(i), start_health(i));
        });
        world.flush();
        return count(world);
    });
}

#ifdef ECS_BENCH_ENTT
std::size_t count(entt::registry& registry) {
    std::size_t found = 0;
    registry.view<const position, const velocity, const health>().each(
        [&](const position&, const velocity&, const health&) { ++found; });
    return found;
}

void entt_spawn(entt::registry& registry, std::size_t i) {
    const entt::entity e = registry.create();
    registry.emplace<position>(e, start_position(i));
    registry.emplace<velocity>(e, start_velocity(i));
    registry.emplace<health>(e, start_health(i));
}

void entt_on_one_thread(benchmark::State& state) {
    time_spawning<entt::registry>(state, [](entt::registry& registry) {
        for (std::size_t i = 0; i < spawned; ++i) entt_spawn(registry, i);
        return count(registry);
    });
}

void entt_in_bulk(benchmark::State& state) {
    const samples from(spawned);
    time_spawning<entt::registry>(state, [&](entt::registry& registry) {
        std::vector<entt::entity> made(spawned);
        registry.create(made.begin(), made.end());
        registry.insert<position>(made.begin(), made.end(), from.positions.begin());
        registry.insert<velocity>(made.begin(), made.end(), from.velocities.begin());
        registry.insert<health>(made.begin(), made.end(), from.healths.begin());
        return count(registry);
    });
}

void entt_behind_a_mutex(benchmark::State& state) {
    team threads(threads_of(state));
    time_spawning<entt::registry>(state, [&](entt::registry& registry) {
        std::mutex guard;
        threads.share(spawned, [&](std::size_t first, std::size_t end, std::size_t) {
            for (std::size_t i = first; i < end; ++i) {
                const std::lock_guard lock(guard);
                entt_spawn(registry, i);
            }
        });
        return count(registry);
    });
}
#endif

#ifdef ECS_BENCH_FLECS
/// A world that knows the components: two threads could not register them at once.
struct flecs_world {
    flecs::world world;
    flecs_world() { world.component<position>(), world.component<velocity>(), world.component<health>(); }
};

std::size_t count(flecs::world& world) {
    std::size_t found = 0;
    world.query<const position, const velocity, const health>().each(
        [&](const position&, const velocity&, const health&) { ++found; });
    return found;
}

void flecs_on_one_thread(benchmark::State& state) {
    time_spawning<flecs_world>(state, [](flecs_world& in) {
        for (std::size_t i = 0; i < spawned; ++i)
            in.world.entity().insert([&](position& p, velocity& v, health& h) {
                p = start_position(i), v = start_velocity(i), h = start_health(i);
            });
        return count(in.world);
    });
}

void flecs_in_bulk(benchmark::State& state) {
    samples from(spawned);
    void* columns[] = {from.positions.data(), from.velocities.data(), from.healths.data()};
    time_spawning<flecs_world>(state, [&](flecs_world& in) {
        ecs_bulk_desc_t asked{};
        asked.count = static_cast<std::int32_t>(spawned);
        asked.ids[0] = in.world.id<position>();
        asked.ids[1] = in.world.id<velocity>();
        asked.ids[2] = in.world.id<health>();
        asked.data = columns;
        ecs_bulk_init(in.world, &asked);
        return count(in.world);
    });
}

std::vector<flecs::entity_t> flecs_new_entities(flecs::world& world) {
    ecs_bulk_desc_t asked{};
    asked.count = static_cast<std::int32_t>(spawned);
    const flecs::entity_t* const made = ecs_bulk_init(world, &asked);
    return {made, made + spawned};
}

/// "Cannot create entities in multithreaded mode" is an assertion of its debug build; without it, such a
/// program crashes. So the world's own thread makes the entities, and a stage for each thread records their
/// components.
void flecs_through_stages(benchmark::State& state) {
    team threads(threads_of(state));
    time_spawning<flecs_world>(state, [&](flecs_world& in) {
        in.world.set_stage_count(static_cast<std::int32_t>(threads.size()));
        const std::vector<flecs::entity_t> all = flecs_new_entities(in.world);
        in.world.readonly_begin(true);
        threads.share(spawned, [&](std::size_t first, std::size_t end, std::size_t number) {
            const flecs::world stage = in.world.get_stage(static_cast<std::int32_t>(number));
            for (std::size_t i = first; i < end; ++i)
                flecs::entity(stage, all[i])
                    .set(start_position(i))
                    .set(start_velocity(i))
                    .set(start_health(i));
        });
        in.world.readonly_end();
        return count(in.world);
    });
}
#endif

/// Times of one thread stand beside those of all.
void alone(benchmark::internal::Benchmark* b) { b->ArgName("threads")->Arg(1)->UseRealTime(); }

BENCHMARK(spawn_directly)->Name("spawn_1000000/ecs, directly")->Apply(alone);
BENCHMARK(spawn_in_bulk)->Name("spawn_1000000/ecs, directly in bulk")->Apply(alone);
BENCHMARK(record_singly)->Name("spawn_1000000/ecs, commands")->Apply(one_to_all_processors);
BENCHMARK(record_in_bulk)->Name("spawn_1000000/ecs, commands in bulk")->Apply(one_to_all_processors);
BENCHMARK(record_with_keys)->Name("spawn_1000000/ecs, commands with keys")->Apply(one_to_all_processors);
#ifdef ECS_BENCH_ENTT
BENCHMARK(entt_on_one_thread)->Name("spawn_1000000/EnTT, directly")->Apply(alone);
BENCHMARK(entt_in_bulk)->Name("spawn_1000000/EnTT, directly in bulk")->Apply(alone);
BENCHMARK(entt_behind_a_mutex)->Name("spawn_1000000/EnTT, behind a mutex")->Apply(one_to_all_processors);
#endif
#ifdef ECS_BENCH_FLECS
BENCHMARK(flecs_on_one_thread)->Name("spawn_1000000/flecs, directly")->Apply(alone);
BENCHMARK(flecs_in_bulk)->Name("spawn_1000000/flecs, directly in bulk")->Apply(alone);
BENCHMARK(flecs_through_stages)->Name("spawn_1000000/flecs, stages")->Apply(one_to_all_processors);
#endif
} // namespace
