// SPDX-License-Identifier: MIT
// The questions as flecs' queries with variables; `run` counts whole tables at once.
#pragma once
#include "graph.hpp"
#include <cstddef>
#include <flecs.h>
#include <vector>

class flecs_graph {
  public:
    static constexpr const char* name = "flecs";

    explicit flecs_graph(graph_shape shape) {
        std::vector<flecs::entity> nodes(shape.nodes);
        for (flecs::entity& e : nodes) e = world_.entity();
        for (const auto& [from, to] : random_edges(shape, 1)) nodes[from].add(likes_, nodes[to]);
        for (const auto& [from, to] : random_edges({shape.nodes, shape.degree / 2}, 2))
            nodes[from].add(owns_, nodes[to]);
        for (std::uint32_t i = 0; i < shape.nodes; ++i)
            if (is_rich(i)) nodes[i].add(rich_);
    }

    [[nodiscard]] std::size_t paths_of_two() { return count(two_); }
    [[nodiscard]] std::size_t paths_of_three() { return count(three_); }
    [[nodiscard]] std::size_t triangles() { return count(triangles_); }
    [[nodiscard]] std::size_t cycles_of_four() { return count(cycles_); }
    [[nodiscard]] std::size_t shared_taste() { return count(taste_); }
    [[nodiscard]] std::size_t nobody() { return count(nobody_); }

  private:
    static std::size_t count(flecs::query<>& query) {
        std::size_t found = 0;
        query.run([&](flecs::iter& it) {
            while (it.next()) found += it.count();
        });
        return found;
    }

    flecs::world world_;
    flecs::entity likes_ = world_.entity();
    flecs::entity owns_ = world_.entity();
    flecs::entity rich_ = world_.entity();
    flecs::entity ghost_ = world_.entity();
    flecs::query<> two_ = world_.query_builder().with(likes_, "$y").with(likes_, "$z").src("$y").build();
    flecs::query<> three_ = world_.query_builder()
                                .with(likes_, "$y")
                                .with(likes_, "$z")
                                .src("$y")
                                .with(likes_, "$w")
                                .src("$z")
                                .build();
    flecs::query<> triangles_ =
        world_.query_builder().with(likes_, "$y").with(likes_, "$z").src("$y").with(likes_, "$z").build();
    flecs::query<> cycles_ = world_.query_builder()
                                 .with(likes_, "$y")
                                 .with(likes_, "$z")
                                 .src("$y")
                                 .with(likes_, "$w")
                                 .src("$z")
                                 .with(likes_, "$this")
                                 .src("$w")
                                 .build();
    flecs::query<> taste_ = world_.query_builder()
                                .with(likes_, "$y")
                                .with(rich_)
                                .src("$y")
                                .with(likes_, "$z")
                                .src("$y")
                                .with(owns_, "$z")
                                .build();
    flecs::query<> nobody_ =
        world_.query_builder().with(likes_, "$y").with(likes_, "$z").src("$y").with(ghost_).src("$z").build();
};
