// SPDX-License-Identifier: MIT
// Who goes over the rows of two components with several threads: plain arrays, and each peer in its own way.
#pragma once
#include "../world/shape.hpp"
#include "threads.hpp"
#include <algorithm>
#include <benchmark/benchmark.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>
#ifdef ECS_BENCH_ENTT
#include <entt/entity/registry.hpp>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif
#ifdef ECS_BENCH_FLECS
#include <flecs.h>
#endif
#ifdef ECS_BENCH_GAIA
#include <gaia.h>
#endif
#ifdef ECS_BENCH_MUSTACHE
#include <mustache/ecs/ecs.hpp>
#endif

/// Each thread has its part of the arrays.
template <class Step> class array_walker {
  public:
    array_walker(std::size_t threads, std::size_t rows)
        : threads_(threads), positions_(rows), velocities_(rows) {
        for (std::size_t i = 0; i < rows; ++i) {
            positions_[i] = start_position(i);
            velocities_[i] = start_velocity(i);
        }
    }
    void walk() {
        threads_.share(positions_.size(), [this](std::size_t first, std::size_t end, std::size_t) {
            for (std::size_t i = first; i < end; ++i) Step{}(positions_[i], velocities_[i]);
        });
    }
    [[nodiscard]] double sum() const {
        double all = 0;
        for (const position& p : positions_) all += p.x + p.y;
        return all;
    }

  private:
    team threads_;
    std::vector<position> positions_;
    std::vector<velocity> velocities_;
};

#ifdef ECS_BENCH_ENTT
/// An owning group, whose pools are arrays in step, page by page on the threads of oneTBB.
template <class Step> class entt_walker {
  public:
    entt_walker(std::size_t threads, std::size_t rows) : arena_(static_cast<int>(threads)) {
        static_cast<void>(registry_.group<position, velocity>()); // Begins to keep the pools in step.
        for (std::size_t i = 0; i < rows; ++i) {
            const entt::entity e = registry_.create();
            registry_.emplace<position>(e, start_position(i));
            registry_.emplace<velocity>(e, start_velocity(i));
        }
    }
    void walk() {
        const auto movers = registry_.group<position, velocity>();
        constexpr std::size_t page = entt::component_traits<position>::page_size;
        position* const* const positions = movers.template storage<position>()->raw();
        velocity* const* const velocities = movers.template storage<velocity>()->raw();
        const std::size_t rows = movers.size();
        arena_.execute([&] {
            tbb::parallel_for(std::size_t{0}, (rows + page - 1) / page, [&](std::size_t n) {
                position* const p = positions[n];
                const velocity* const v = velocities[n];
                for (std::size_t i = 0, here = std::min(page, rows - n * page); i < here; ++i)
                    Step{}(p[i], v[i]);
            });
        });
    }
    [[nodiscard]] double sum() const {
        double all = 0;
        registry_.view<const position>().each([&](const position& p) { all += p.x + p.y; });
        return all;
    }

  private:
    entt::registry registry_;
    tbb::task_arena arena_;
};
#endif

#ifdef ECS_BENCH_FLECS
/// A system that all threads of the world share.
template <class Step> class flecs_walker {
  public:
    flecs_walker(std::size_t threads, std::size_t rows) {
        for (std::size_t i = 0; i < rows; ++i) world_.entity().set(start_position(i)).set(start_velocity(i));
        world_.system<position, const velocity>().multi_threaded().each(
            [](position& p, const velocity& v) { Step{}(p, v); });
        world_.set_threads(static_cast<std::int32_t>(threads));
    }
    void walk() { world_.progress(1.0F); }
    [[nodiscard]] double sum() const {
        double all = 0;
        world_.query<const position>().each([&](const position& p) { all += p.x + p.y; });
        return all;
    }

  private:
    flecs::world world_;
};
#endif

#ifdef ECS_BENCH_GAIA
/// A query that the one pool of the process runs.
template <class Step> class gaia_walker {
  public:
    gaia_walker(std::size_t threads, std::size_t rows) {
        const auto all = static_cast<std::uint32_t>(threads);
        gaia::mt::ThreadPool::get().set_max_workers(all, all);
        for (std::size_t i = 0; i < rows; ++i) {
            const gaia::ecs::Entity e = world_.add();
            world_.build(e).template add<position>().template add<velocity>();
            world_.acc_mut(e)
                .template sset<position>(start_position(i))
                .template sset<velocity>(start_velocity(i));
        }
    }
    void walk() {
        movers_.each(
            [](gaia::ecs::Iter& it) {
                auto p = it.view_mut<position>(0);
                const auto v = it.view<velocity>(1);
                for (std::uint32_t i = 0, here = it.size(); i < here; ++i) Step{}(p[i], v[i]);
            },
            gaia::ecs::QueryExecType::Parallel);
    }
    [[nodiscard]] double sum() {
        double all = 0;
        world_.uquery().template all<position>().each([&](const position& p) { all += p.x + p.y; });
        return all;
    }

  private:
    gaia::ecs::World world_;
    gaia::ecs::Query movers_ = world_.query().template all<position&>().template all<velocity>();
};
#endif

#ifdef ECS_BENCH_MUSTACHE
/// A job that the threads of the world's dispatcher share with the calling one.
template <class Step> class mustache_walker {
  public:
    mustache_walker(std::size_t threads, std::size_t rows)
        : world_(context_of(threads), mustache::WorldId::make(0)),
          mode_(threads == 1 ? mustache::JobRunMode::kCurrentThread : mustache::JobRunMode::kParallel) {
        for (std::size_t i = 0; i < rows; ++i)
            static_cast<void>(world_.entities()
                                  .begin()
                                  .template assign<position>(start_position(i))
                                  .template assign<velocity>(start_velocity(i))
                                  .end());
    }
    void walk() { job_.run(world_, mode_); }
    [[nodiscard]] double sum() {
        double all = 0;
        world_.entities().forEach([&](const position& p) { all += p.x + p.y; });
        return all;
    }

  private:
    struct by_chunk : mustache::PerEntityJob<by_chunk> {
        void forEachArray(mustache::ComponentArraySize rows, mustache::RequiredComponent<position> p,
                          mustache::RequiredComponent<velocity> v) {
            for (std::size_t i = 0; i < rows.toInt(); ++i) Step{}(p[i], v[i]);
        }
    };

    /// The calling thread works, too; a dispatcher of no threads would have one for each processor.
    static mustache::WorldContext context_of(std::size_t threads) {
        mustache::WorldContext context;
        context.dispatcher = std::make_shared<mustache::Dispatcher>(
            static_cast<std::uint32_t>(std::max(threads, std::size_t{2}) - 1));
        return context;
    }

    mustache::World world_;
    mustache::JobRunMode mode_;
    by_chunk job_;
};
#endif
