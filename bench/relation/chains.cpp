// SPDX-License-Identifier: MIT
// Are transitive queries and cascades linear in what they touch? The same for chains of 1,000, 10,000 and
// 100,000: the time for each entity must not grow with the chain.
#include "other_forests.hpp"
#include <string>

import ecs.world;

#include "forests.hpp"

namespace {

template <class Forest>
concept has_chains = requires(Forest& f, handles<Forest> ids) { f.spawn_chain(ids); };

bool enter_chain_of(std::size_t length) {
    const std::string size = std::to_string(length);
    compare(forests, "find_below_chain_of_" + size, goal{20.0},
            [=]<has_chains Forest>(benchmark::State& state) {
                handles<Forest> ids(bench_size(length));
                Forest forest;
                forest.spawn_chain(ids);
                double result = 0;
                for (auto _ : state) benchmark::DoNotOptimize(result = forest.sum_below(ids.front()));
                count_items(state, ids.size());
                return result;
            });
    return compare(
        forests, "end_chain_of_" + size, goal{20.0}, [=]<has_chains Forest>(benchmark::State& state) {
            handles<Forest> ids(bench_size(length));
            const double left = time_on_fresh_stores<Forest>(
                state, [&](Forest& f) { f.spawn_chain(ids); }, [&](Forest& f) { f.end_chain(ids.front()); },
                [](Forest& f) { return static_cast<double>(f.count_positions()); });
            count_items(state, ids.size());
            return left;
        });
}

const bool entered = enter_chain_of(1'000) && enter_chain_of(10'000) && enter_chain_of(100'000);

} // namespace
