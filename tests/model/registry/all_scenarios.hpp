// SPDX-License-Identifier: MIT
//
// Every scenario of the registry. Slots are flat, as they nearly always are in production; the programs in
// which threads make pages, or look for them, run once more where addresses are too few for that.
#pragma once

#include <vector>

import ecs.registry;

#include "owned_scenarios.hpp"
#include "policy_scenarios.hpp"
#include "reading_scenarios.hpp"
#include "scenarios.hpp"
#include "span_scenarios.hpp"
#include "support/short_of_addresses.hpp"

namespace model {

using scenario_list = std::vector<scenario>;

inline scenario_list joined(const std::vector<scenario_list>& lists) {
    scenario_list all;
    for (const scenario_list& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

template <class Atomics> scenario_list scenarios_of_pages() {
    using in_pages = test::short_of_addresses<Atomics>;
    using whole = scenarios<in_pages>;
    using reading = reading_scenarios<in_pages>;
    using spans = span_scenarios<in_pages>;
    return {
        {"status_of_a_new_page", reading::template asked_of_a_new_index<reading::by_status>},
        {"list_of_a_new_page", reading::template asked_of_a_new_index<reading::by_list>},
        {"finds_its_own_in_a_list_of_pages", reading::finds_its_own_in_the_list},
        {"counts_its_own_in_pages", reading::counts_its_own},
        {"listed_in_pages_beside_others", reading::listed_beside_others},
        {"counted_in_pages_beside_others", reading::counted_beside_others},
        {"both_create_from_new_pages", whole::both_create_new_indices},
        {"destroyed_here_created_there_in_pages", whole::destroyed_here_created_there},
        {"nodes_of_pages_go_round", whole::nodes_go_round},
        {"creates_pages_without_memory", spans::creates_without_memory},
        {"a_span_in_pages_without_memory", spans::a_span_without_memory, true},
    };
}

template <class Atomics> scenario_list all_scenarios() {
    return joined({reading_scenarios<Atomics>::all(), span_scenarios<Atomics>::all(),
                   scenarios<Atomics>::all(), policy_scenarios<Atomics>::all(), scenarios_of_pages<Atomics>(),
                   owned_scenarios<Atomics>::all(),
                   owned_scenarios<test::short_of_addresses<Atomics>>::of_pages()});
}

} // namespace model
