// SPDX-License-Identifier: MIT
//
// Every scenario of the registry.
#pragma once

#include <vector>

import ecs.registry;

#include "policy_scenarios.hpp"
#include "reading_scenarios.hpp"
#include "scenarios.hpp"
#include "span_scenarios.hpp"

namespace model {

using scenario_list = std::vector<scenario>;

inline scenario_list joined(const std::vector<scenario_list>& lists) {
    scenario_list all;
    for (const scenario_list& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

template <class Atomics> scenario_list all_scenarios() {
    return joined({reading_scenarios<Atomics>::all(), span_scenarios<Atomics>::all(),
                   scenarios<Atomics>::all(), policy_scenarios<Atomics>::all()});
}

} // namespace model
