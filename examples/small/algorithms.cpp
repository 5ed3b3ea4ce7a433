// SPDX-License-Identifier: MIT
// A query is a range: the algorithms of the standard library take it.
#include <algorithm>
#include <iostream>
#include <ranges>
#include <tuple>
import ecs;

struct health {
    int points;
};

int main() {
    ecs::world world;
    for (const int points : {3, 8, 1, 9}) world.spawn(health{points});

    auto all = world.query<const health>();
    const auto weak = [](const auto& row) { return std::get<1>(row).points < 5; };
    std::cout << std::ranges::count_if(all, weak) << " are weak\n";
    for (auto [e, h] : all | std::views::filter(weak))
        std::cout << h.points << '\n';
}
