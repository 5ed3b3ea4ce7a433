// SPDX-License-Identifier: MIT
// What does a question with variables cost: paths, triangles, cycles, and one that nobody answers? Against a
// loop over sorted arrays that is written for the question. The queries are kept, as users keep them.
#include "../bench_size.hpp"
#include "../compare.hpp"
#include "graph.hpp"
#ifdef ECS_BENCH_FLECS
#include "flecs_graph.hpp"
#endif

import ecs.world;

#include "our_graph.hpp"

#include "graphs.hpp"

namespace {

template <class Ask> bool ask(const char* workload, graph_shape shape, goal aim, Ask what) {
    const graph_shape used{bench_size(shape.nodes), std::min(shape.degree, bench_size(shape.degree, 4))};
    return compare(graphs, workload, aim, [=]<class Graph>(benchmark::State& state) {
        Graph graph(used);
        std::size_t found = what(graph); // What a query keeps from one run to the next is made.
        for (auto _ : state) benchmark::DoNotOptimize(found = what(graph));
        count_items(state, used.nodes * used.degree); // For each edge.
        return static_cast<double>(found);
    });
}

constexpr graph_shape small{1'000, 10};
constexpr graph_shape dense{3'000, 30};
constexpr graph_shape large{10'000, 10};

const auto paths = [](auto& in) { return in.paths_of_two(); };
const auto longer = [](auto& in) { return in.paths_of_three(); };
const auto triangles = [](auto& in) { return in.triangles(); };
const auto cycles = [](auto& in) { return in.cycles_of_four(); };
const auto taste = [](auto& in) { return in.shared_taste(); };
const auto nobody = [](auto& in) { return in.nobody(); };

const bool asked = ask("paths_of_two_1000x10", small, goal{4}, paths) &&
                   ask("paths_of_two_3000x30", dense, goal{4}, paths) &&
                   ask("paths_of_two_10000x10", large, goal{4}, paths) &&
                   ask("triangles_1000x10", small, goal{4}, triangles) &&
                   ask("triangles_3000x30", dense, goal{4}, triangles) &&
                   ask("triangles_10000x10", large, goal{4}, triangles) &&
                   ask("paths_of_three_1000x10", small, goal{4}, longer) &&
                   ask("cycles_of_four_1000x10", small, goal{4}, cycles) &&
                   ask("liked_rich_and_own_what_they_like_1000x10", small, goal{4}, taste) &&
                   ask("liked_rich_and_own_what_they_like_3000x30", dense, goal{4}, taste) &&
                   ask("empty_join_1000x10", small, goal{50}, nobody);

} // namespace
