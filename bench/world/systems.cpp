// SPDX-License-Identifier: MIT
// What does it cost to run a system that has almost nothing to do?
#include "other_contenders.hpp"

import ecs.world;

#include "contenders.hpp"

namespace {

constexpr std::size_t systems = 100;

template <class Store>
concept has_systems = requires(Store& s) { s.run_systems(); };

const bool ran = compare(contenders, "run_100_systems_of_one_entity", goal{20.0},
                         []<has_systems Store>(benchmark::State& state) {
                             handles<Store> ids(1);
                             Store store;
                             store.spawn_1(ids);
                             store.add_systems(systems);
                             for (auto _ : state) store.run_systems();
                             count_items(state, systems);
                             store.take_sum();
                             store.run_systems();
                             return store.take_sum();
                         });

} // namespace
