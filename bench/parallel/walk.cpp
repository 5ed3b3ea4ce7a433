// SPDX-License-Identifier: MIT
// How much faster is a loop over rows with more threads, where memory limits it, where work does, and where
// there are so few rows that the meeting of the threads does?
#include "walkers.hpp"
#include <cmath>
#include <stdexcept>
#include <string>

import ecs.world;

namespace {

template <class Step> class our_walker {
  public:
    our_walker(std::size_t threads, std::size_t rows)
        : threads_(ecs::make_tbb_executor(static_cast<unsigned>(threads))) {
        world_.spawn_n(
            rows, [](std::size_t i) { return start_position(i); },
            [](std::size_t i) { return start_velocity(i); });
    }
    void walk() { movers_.par_each(*threads_, Step{}); }
    [[nodiscard]] double sum() {
        double all = 0;
        world_.each([&](const position& p) { all += p.x + p.y; });
        return all;
    }

  private:
    ecs::world world_;
    std::unique_ptr<ecs::executor> threads_;
    ecs::query<position, const velocity> movers_ = world_.query<position, const velocity>();
};

/// Three operations for each row of 16 bytes.
struct add_velocity {
    void operator()(position& p, const velocity& v) const { step(p, v); }
};

/// Some 9 ns for each row.
struct turn {
    void operator()(position& p, const velocity& v) const {
        for (int n = 0; n < 8; ++n) {
            const float length = std::sqrt(p.x * p.x + p.y * p.y) + 1;
            p.x = p.y / length + v.x;
            p.y = v.y - p.x / length;
        }
    }
};

const std::size_t a_million = bench_size(1'000'000, 4'096);
const std::size_t ten_thousand = bench_size(10'000);

/// The sum after three walks is compared with that of the arrays.
template <class Step, template <class> class Walker> void walk(benchmark::State& state, std::size_t rows) {
    Walker<Step> walker(threads_of(state), rows);
    array_walker<Step> right(1, rows);
    for (int n = 0; n < 3; ++n) walker.walk(), right.walk();
    if (walker.sum() != right.sum()) throw std::runtime_error("the walk has another sum");
    for (auto _ : state) walker.walk();
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(rows));
}

template <class Step, template <class> class Walker>
void enlist(const std::string& workload, const char* contender, std::size_t rows) {
    benchmark::RegisterBenchmark((workload + "/" + contender).c_str(), [rows](benchmark::State& state) {
        walk<Step, Walker>(state, rows);
    })->Apply(one_to_all_processors);
}

/// gaia-ecs takes part where there is much to do: its threads crashed in the short loop of 16 processors.
template <class Step> bool enlist_all(const std::string& workload, std::size_t rows) {
    enlist<Step, array_walker>(workload, "floor", rows);
    enlist<Step, our_walker>(workload, "ecs", rows);
#ifdef ECS_BENCH_ENTT
    enlist<Step, entt_walker>(workload, "EnTT", rows);
#endif
#ifdef ECS_BENCH_FLECS
    enlist<Step, flecs_walker>(workload, "flecs", rows);
#endif
#ifdef ECS_BENCH_GAIA
    if (rows >= a_million) enlist<Step, gaia_walker>(workload, "gaia-ecs", rows);
#endif
#ifdef ECS_BENCH_MUSTACHE
    enlist<Step, mustache_walker>(workload, "mustache", rows);
#endif
    return true;
}

const bool enlisted = enlist_all<add_velocity>("walk_1000000", a_million) &&
                      enlist_all<turn>("walk_1000000_with_work", a_million) &&
                      enlist_all<add_velocity>("walk_10000", ten_thousand);

} // namespace
