// SPDX-License-Identifier: MIT
// How many bytes of memory does a pair take, before and after a search of a query with variables, which is
// kept? Of a graph in which every edge is a pair, with its nodes.
#include "../bench_size.hpp"
#include "../compare.hpp"
#include "../memory_in_use.hpp"
#include "graph.hpp"
#ifdef ECS_BENCH_FLECS
#include "flecs_graph.hpp"
#endif

import ecs.world;

#include "our_graph.hpp"

#include "graphs.hpp"

namespace {

template <class Measure>
bool measure(const char* workload, graph_shape shape, goal aim, Measure measure_one) {
    const graph_shape used{bench_size(shape.nodes), std::min(shape.degree, bench_size(shape.degree, 4))};
    return compare_sizes(graphs, workload, aim, [=]<class Graph>(benchmark::State& state) {
        const std::size_t pairs_of_a_node = used.degree + used.degree / 2;
        const auto pairs = static_cast<double>(used.nodes * pairs_of_a_node);
        for (auto _ : state)
            state.counters["bytes"] = in_a_process_of_its_own(
                [&] { return measure_one(std::type_identity<Graph>(), used) / pairs; });
        return pairs;
    });
}

const auto of_graph = []<class Graph>(std::type_identity<Graph>, graph_shape shape) {
    const double before = memory_in_use();
    const Graph graph(shape);
    return memory_in_use() - before;
};

const auto after_a_join = []<class Graph>(std::type_identity<Graph>, graph_shape shape) {
    const double before = memory_in_use();
    Graph graph(shape);
    benchmark::DoNotOptimize(graph.paths_of_two());
    return memory_in_use() - before;
};

const bool measured = measure("bytes_per_pair_1000x10", {1'000, 10}, goal{4}, of_graph) &&
                      measure("bytes_per_pair_3000x30", {3'000, 30}, goal{4}, of_graph) &&
                      measure("bytes_per_pair_after_a_join_1000x10", {1'000, 10}, goal{4}, after_a_join) &&
                      measure("bytes_per_pair_after_a_join_3000x30", {3'000, 30}, goal{4}, after_a_join);

} // namespace
