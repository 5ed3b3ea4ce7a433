// SPDX-License-Identifier: MIT
// Headers belong before imports, because not every compiler can merge them the other way round; this one can,
// and a program that includes them afterwards compiles. The order is the point, so it is not sorted.
// clang-format off
import ecs;
#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <ranges>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>
// clang-format on

namespace {

[[maybe_unused]] std::size_t everybody(ecs::world& world) {
    std::vector<ecs::entity> all;
    world.each([&](ecs::entity e) { all.push_back(e); });
    std::ranges::sort(all);
    return std::set(all.begin(), all.end()).size();
}

} // namespace
