// SPDX-License-Identifier: MIT
// What does it cost to read what an entity has from the entity that it is an instance of?
#include "other_forests.hpp"

import ecs.world;

#include "forests.hpp"

namespace {

template <class Forest>
concept has_instances = requires(Forest& f, handles<Forest> ids) { f.spawn_instances(ids, ids); };

constexpr std::size_t bases = 100;

const bool inherited = compare(forests, "get_inherited_from_100_bases", goal{20.0},
                               []<has_instances Forest>(benchmark::State& state) {
                                   handles<Forest> roots(bases), ids(bench_size(100'000));
                                   Forest forest;
                                   forest.spawn_roots(roots);
                                   forest.give_roots_speeds(roots);
                                   forest.spawn_instances(ids, roots);
                                   shuffle(ids);
                                   double result = 0;
                                   for (auto _ : state)
                                       benchmark::DoNotOptimize(result = forest.sum_of_inherited(ids));
                                   count_items(state, ids.size());
                                   return result;
                               });

} // namespace
