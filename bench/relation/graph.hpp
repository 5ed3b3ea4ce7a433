// SPDX-License-Identifier: MIT
// A random graph, and the floor of questions about it: arrays that are sorted once, and a loop written for
// each question. A graph has n nodes, each of which likes d others and owns d / 2; every tenth is rich.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

struct graph_shape {
    std::size_t nodes;
    std::size_t degree;
};

using graph_edge = std::pair<std::uint32_t, std::uint32_t>;

/// Edges from each node to so many others, no two the same.
inline std::vector<graph_edge> random_edges(graph_shape shape, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<graph_edge> edges;
    for (std::uint32_t from = 0; from < shape.nodes; ++from) {
        std::set<std::uint32_t> targets;
        while (targets.size() < std::min(shape.degree, shape.nodes - 1)) {
            const auto to = static_cast<std::uint32_t>(random() % shape.nodes);
            if (to != from) targets.insert(to);
        }
        for (const std::uint32_t to : targets) edges.emplace_back(from, to);
    }
    return edges;
}

inline bool is_rich(std::uint32_t node) { return node % 10 == 0; }

/// Lists by node, one behind the other.
class sorted_graph {
  public:
    sorted_graph(std::size_t nodes, std::vector<graph_edge> edges) : begins_(nodes + 1) {
        std::ranges::sort(edges);
        for (const graph_edge& e : edges) {
            ++begins_[e.first + 1];
            others_.push_back(e.second);
        }
        for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
    }
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const {
        return {others_.data() + begins_[node], others_.data() + begins_[node + 1]};
    }

  private:
    std::vector<std::uint32_t> begins_;
    std::vector<std::uint32_t> others_;
};

inline std::size_t count_common(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    std::size_t found = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        found += a[i] == b[j];
        const bool first = a[i] <= b[j];
        j += b[j] <= a[i];
        i += first;
    }
    return found;
}

/// The floor.
class plain_graph {
  public:
    static constexpr const char* name = "floor";

    explicit plain_graph(graph_shape shape)
        : nodes_(static_cast<std::uint32_t>(shape.nodes)),
          likes_(shape.nodes, random_edges(shape, 1)),
          liked_(shape.nodes, turned(random_edges(shape, 1))),
          owns_(shape.nodes, random_edges({shape.nodes, shape.degree / 2}, 2)) {}

    [[nodiscard]] std::size_t paths_of_two() {
        std::size_t found = 0;
        for (std::uint32_t x = 0; x < nodes_; ++x)
            for (const std::uint32_t y : likes_.of(x)) found += likes_.of(y).size();
        return found;
    }
    [[nodiscard]] std::size_t paths_of_three() {
        std::size_t found = 0;
        for (std::uint32_t x = 0; x < nodes_; ++x)
            for (const std::uint32_t y : likes_.of(x))
                for (const std::uint32_t z : likes_.of(y)) found += likes_.of(z).size();
        return found;
    }
    [[nodiscard]] std::size_t triangles() {
        std::size_t found = 0;
        for (std::uint32_t x = 0; x < nodes_; ++x)
            for (const std::uint32_t y : likes_.of(x)) found += count_common(likes_.of(x), likes_.of(y));
        return found;
    }
    [[nodiscard]] std::size_t cycles_of_four() {
        std::size_t found = 0;
        for (std::uint32_t x = 0; x < nodes_; ++x)
            for (const std::uint32_t y : likes_.of(x))
                for (const std::uint32_t z : likes_.of(y)) found += count_common(likes_.of(z), liked_.of(x));
        return found;
    }
    /// Who likes a rich one and owns one of those whom that one likes.
    [[nodiscard]] std::size_t shared_taste() {
        std::size_t found = 0;
        for (std::uint32_t x = 0; x < nodes_; ++x)
            for (const std::uint32_t y : likes_.of(x))
                if (is_rich(y)) found += count_common(owns_.of(x), likes_.of(y));
        return found;
    }
    /// Who likes someone that likes a ghost, when there is none: looks for ghosts.
    [[nodiscard]] std::size_t nobody() {
        std::size_t found = 0;
        for (const unsigned char is_ghost : ghosts_) found += is_ghost;
        return found;
    }

  private:
    static std::vector<graph_edge> turned(std::vector<graph_edge> edges) {
        for (graph_edge& e : edges) std::swap(e.first, e.second);
        return edges;
    }

    std::uint32_t nodes_;
    sorted_graph likes_;
    sorted_graph liked_;
    sorted_graph owns_;
    std::vector<unsigned char> ghosts_ = std::vector<unsigned char>(nodes_);
};
