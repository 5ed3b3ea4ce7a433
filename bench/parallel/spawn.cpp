// SPDX-License-Identifier: MIT
// How long from the first of a million entities of three components to the query that finds them all, spawned
// by one thread and by two?
#include "../world/shape.hpp"
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
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

/// Calls fill(first, end, number) for two halves, on two threads.
template <class Fill> void on_two_threads(Fill fill) {
    std::jthread other([&] { fill(spawned / 2, spawned, 1); });
    fill(0, spawned / 2, 0);
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

void record_on_one_thread(benchmark::State& state) {
    time_spawning<ecs::world>(state, [](ecs::world& world) {
        record(world, 0, spawned);
        world.flush();
        return count(world);
    });
}

void record_on_two_threads(benchmark::State& state) {
    time_spawning<ecs::world>(state, [](ecs::world& world) {
        on_two_threads([&](std::size_t first, std::size_t end, int) { record(world, first, end); });
        world.flush();
        return count(world);
    });
}

void record_in_bulk_on_two_threads(benchmark::State& state) {
    time_spawning<ecs::world>(state, [](ecs::world& world) {
        on_two_threads([&](std::size_t first, std::size_t end, int) {
            world.commands().spawn_n(end - first, [=](std::size_t i) { return parts_of(first + i); });
        });
        world.flush();
        return count(world);
    });
}

void record_on_two_threads_deterministically(benchmark::State& state) {
    time_spawning<ecs::world>(state, [](ecs::world& world) {
        world.make_deterministic(2);
        on_two_threads([&](std::size_t first, std::size_t end, int number) {
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

void entt_behind_a_mutex_on_two_threads(benchmark::State& state) {
    time_spawning<entt::registry>(state, [](entt::registry& registry) {
        std::mutex guard;
        on_two_threads([&](std::size_t first, std::size_t end, int) {
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

std::vector<flecs::entity_t> flecs_new_entities(flecs::world& world) {
    ecs_bulk_desc_t asked{};
    asked.count = static_cast<std::int32_t>(spawned);
    const flecs::entity_t* const made = ecs_bulk_init(world, &asked);
    return {made, made + spawned};
}

/// "Cannot create entities in multithreaded mode" is an assertion of its debug build; without it, such a
/// program crashes. So the world's own thread makes the entities, and two stages record their components.
void flecs_through_two_stages(benchmark::State& state) {
    time_spawning<flecs_world>(state, [](flecs_world& in) {
        in.world.set_stage_count(2);
        const std::vector<flecs::entity_t> all = flecs_new_entities(in.world);
        in.world.readonly_begin(true);
        on_two_threads([&](std::size_t first, std::size_t end, int number) {
            const flecs::world stage = in.world.get_stage(number);
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

BENCHMARK(spawn_directly)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(spawn_in_bulk)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(record_on_one_thread)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(record_on_two_threads)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(record_in_bulk_on_two_threads)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(record_on_two_threads_deterministically)->UseRealTime()->Unit(benchmark::kMillisecond);
#ifdef ECS_BENCH_ENTT
BENCHMARK(entt_on_one_thread)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(entt_behind_a_mutex_on_two_threads)->UseRealTime()->Unit(benchmark::kMillisecond);
#endif
#ifdef ECS_BENCH_FLECS
BENCHMARK(flecs_on_one_thread)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(flecs_through_two_stages)->UseRealTime()->Unit(benchmark::kMillisecond);
#endif
} // namespace
