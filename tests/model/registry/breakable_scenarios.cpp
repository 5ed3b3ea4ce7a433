// SPDX-License-Identifier: MIT
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explorer/explore.hpp"

import ecs.registry;

#include "all_scenarios.hpp"
#include "breakable_scenarios.hpp"

std::vector<model::scenario> model::breakable_scenarios() { return all_scenarios<breakable>(); }

std::vector<model::scenario> model::breakable_scenarios_of_any_index() { return scenarios<breakable>::all(); }
