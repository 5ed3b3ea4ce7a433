// SPDX-License-Identifier: MIT
// The questions as queries with variables. Include this after the import.
#pragma once
#include "graph.hpp"
#include <cstddef>
#include <vector>

import ecs.world;

class our_graph {
  public:
    static constexpr const char* name = "ecs";

    explicit our_graph(graph_shape shape) {
        std::vector<ecs::entity> nodes(shape.nodes);
        for (ecs::entity& e : nodes) e = world_.spawn();
        for (const auto& [from, to] : random_edges(shape, 1))
            world_.add(nodes[from], ecs::pair(likes_, nodes[to]));
        for (const auto& [from, to] : random_edges({shape.nodes, shape.degree / 2}, 2))
            world_.add(nodes[from], ecs::pair(owns_, nodes[to]));
        for (std::uint32_t i = 0; i < shape.nodes; ++i)
            if (is_rich(i)) world_.add(nodes[i], rich_);
    }

    [[nodiscard]] std::size_t paths_of_two() { return two_.count(); }
    [[nodiscard]] std::size_t paths_of_three() { return three_.count(); }
    [[nodiscard]] std::size_t triangles() { return triangles_.count(); }
    [[nodiscard]] std::size_t cycles_of_four() { return cycles_.count(); }
    [[nodiscard]] std::size_t shared_taste() { return taste_.count(); }
    [[nodiscard]] std::size_t nobody() { return nobody_.count(); }

  private:
    ecs::pair_with_variable like(const char* whom) const { return ecs::pair(likes_, ecs::var(whom)); }

    ecs::world world_;
    ecs::entity likes_ = world_.spawn();
    ecs::entity owns_ = world_.spawn();
    ecs::entity rich_ = world_.spawn();
    ecs::entity ghost_ = world_.spawn();
    ecs::joined_query<> two_ = world_.query().with(like("y")).with(like("z"), ecs::var("y"));
    ecs::joined_query<> three_ =
        world_.query().with(like("y")).with(like("z"), ecs::var("y")).with(like("w"), ecs::var("z"));
    ecs::joined_query<> triangles_ =
        world_.query().with(like("y")).with(like("z"), ecs::var("y")).with(like("z"));
    ecs::joined_query<> cycles_ = world_.query()
                                      .with(like("y"))
                                      .with(like("z"), ecs::var("y"))
                                      .with(like("w"), ecs::var("z"))
                                      .with(like("this"), ecs::var("w"));
    ecs::joined_query<> taste_ = world_.query()
                                     .with(like("y"))
                                     .with(rich_, ecs::var("y"))
                                     .with(like("z"), ecs::var("y"))
                                     .with(ecs::pair(owns_, ecs::var("z")));
    ecs::joined_query<> nobody_ =
        world_.query().with(like("y")).with(like("z"), ecs::var("y")).with(ghost_, ecs::var("z"));
};
