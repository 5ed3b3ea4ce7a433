// SPDX-License-Identifier: MIT
// What does a pair cost: to add an exclusive one to 100,000 entities, to find those who have one of a
// relation?
#include "other_forests.hpp"

import ecs.world;

#include "forests.hpp"

namespace {

template <class Forest>
concept has_pairs = requires(Forest& f, handles<Forest> ids) { f.like(ids, ids); };

constexpr std::size_t targets = 100;

/// Tells whether each has the right target, by three of them: what their likers have, with a weight for each.
template <class Forest> double weighed_likers(Forest& forest, const handles<Forest>& liked) {
    double result = forest.sum_of_likers();
    for (std::size_t weight = 1; weight <= 3; ++weight)
        result += static_cast<double>(weight) * forest.sum_of_likers_of(liked[weight]);
    return result;
}

const bool added = compare(forests, "add_exclusive_pair_of_100_targets", goal{8.0},
                           []<has_pairs Forest>(benchmark::State& state) {
                               handles<Forest> roots(targets), ids(bench_size(100'000));
                               const auto prepare = [&](Forest& f) {
                                   f.spawn_1(ids);
                                   f.spawn_roots(roots);
                               };
                               const double result = time_on_fresh_stores<Forest>(
                                   state, prepare, [&](Forest& f) { f.like(ids, roots); },
                                   [&](Forest& f) { return weighed_likers(f, roots); });
                               count_items(state, ids.size());
                               return result;
                           });

const bool found = compare(forests, "find_any_pair_of_100_targets", goal{1.5},
                           []<has_pairs Forest>(benchmark::State& state) {
                               handles<Forest> roots(targets), ids(bench_size(100'000));
                               Forest forest;
                               forest.spawn_1(ids);
                               forest.spawn_roots(roots);
                               forest.like(ids, roots);
                               double result = 0;
                               for (auto _ : state) benchmark::DoNotOptimize(result = forest.sum_of_likers());
                               count_items(state, ids.size());
                               return result;
                           });

} // namespace
