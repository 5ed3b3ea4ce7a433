// SPDX-License-Identifier: MIT
// What does a hierarchy cost: 1,000 parents of 100 children, and as many trees as large?
#include "other_forests.hpp"
#include <span>

import ecs.world;

#include "forests.hpp"

namespace {

constexpr std::size_t children = 100;

template <class Forest>
concept makes_children_at_once =
    requires(Forest& f, handles<Forest> parents) { f.spawn_children_at_once(parents, children); };

std::size_t parents() { return bench_size(1000, 4); }

const bool made =
    compare(forests, "create_1000_parents_of_100", goal{1.5}, []<class Forest>(benchmark::State& state) {
        handles<Forest> roots(parents());
        const double result = time_on_fresh_stores<Forest>(
            state, [&](Forest& f) { f.spawn_roots(roots); },
            [&](Forest& f) { f.spawn_children(roots, children); },
            [&](Forest& f) { return f.sum_of_children(roots); });
        count_items(state, roots.size() * children);
        return result;
    });

const bool created_at_once = compare(forests, "create_1000_parents_of_100_at_once", goal{1.5},
                                     []<makes_children_at_once Forest>(benchmark::State& state) {
                                         handles<Forest> roots(parents());
                                         const double result = time_on_fresh_stores<Forest>(
                                             state, [&](Forest& f) { f.spawn_roots(roots); },
                                             [&](Forest& f) { f.spawn_children_at_once(roots, children); },
                                             [&](Forest& f) { return f.sum_of_children(roots); });
                                         count_items(state, roots.size() * children);
                                         return result;
                                     });

template <class Forest> double time_the_end(benchmark::State& state) {
    handles<Forest> roots(parents());
    const auto prepare = [&](Forest& f) {
        f.spawn_roots(roots);
        f.spawn_children(roots, children);
    };
    const double left = time_on_fresh_stores<Forest>(
        state, prepare, [&](Forest& f) { f.end_with_children(roots); },
        [](Forest& f) { return static_cast<double>(f.count_positions()); });
    count_items(state, roots.size() * children);
    return left;
}

// The floor here is our own world: the same entities, which are nobody's children, ended one after the other.
const bool ended_beside_flat =
    compare(contender_list<flat_forest, our_forest>(), "end_1000_parents_of_100_beside_flat", goal{2.0},
            []<class Forest>(benchmark::State& state) { return time_the_end<Forest>(state); });

const bool ended = compare(forests, "end_1000_parents_of_100", goal{2.0},
                           []<class Forest>(benchmark::State& state) { return time_the_end<Forest>(state); });

const bool visited =
    compare(forests, "visit_children_of_1000_parents", goal{1.5}, []<class Forest>(benchmark::State& state) {
        handles<Forest> roots(parents());
        Forest forest;
        forest.spawn_roots(roots);
        forest.spawn_children(roots, children);
        double result = 0;
        for (auto _ : state) benchmark::DoNotOptimize(result = forest.sum_of_children(roots));
        count_items(state, roots.size() * children);
        return result;
    });

/// The children get their parents in turn, so that neighbours have different ones.
template <class Forest> struct restless_family {
    handles<Forest> roots = handles<Forest>(parents());
    handles<Forest> ids = handles<Forest>(parents() * children);
    Forest forest;

    restless_family() {
        forest.spawn_roots(roots);
        forest.spawn_restless(ids, roots);
    }
};

/// Tells who has which parent: what the children of each have, times the number of the parent.
template <class Forest>
double weighed_children(Forest& forest, std::span<const typename Forest::handle> roots) {
    double result = 0;
    for (std::size_t i = 0; i < roots.size(); ++i)
        result += static_cast<double>(i + 1) * forest.sum_of_children(roots.subspan(i, 1));
    return result;
}

const bool moved =
    compare(forests, "give_100000_another_parent", goal{4.0}, []<class Forest>(benchmark::State& state) {
        restless_family<Forest> of;
        std::size_t shift = 0;
        for (auto _ : state) of.forest.give_other_parents(of.ids, of.roots, ++shift);
        count_items(state, of.ids.size());
        of.forest.give_other_parents(of.ids, of.roots, 1);
        return weighed_children<Forest>(of.forest, of.roots);
    });

const bool read_above =
    compare(forests, "read_above_of_1000_parents", goal{4.0}, []<class Forest>(benchmark::State& state) {
        restless_family<reading_above_t<Forest>> of;
        of.forest.give_roots_speeds(of.roots);
        double result = 0;
        for (auto _ : state) benchmark::DoNotOptimize(result = of.forest.sum_with_speeds());
        count_items(state, of.ids.size());
        return result;
    });

} // namespace
