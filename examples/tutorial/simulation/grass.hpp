// SPDX-License-Identifier: MIT
// Grass grows, and rabbits eat it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
import ecs;

#include "animals.hpp"

struct meadow { // How much grass there is at each place.
    std::array<int, meadow_size> grass{};
};
struct energy {
    int left;
};

inline void grow(ecs::resource<meadow> m) {
    for (int& at : m->grass) at = std::min(at + 2, 9);
}

inline void graze(const place& p, energy& e, ecs::has<rabbit>,
                  ecs::resource<meadow> m) {
    int& here = m->grass[static_cast<std::size_t>(p.x)];
    const int eaten = std::min(here, 3);
    here -= eaten;
    e.left += eaten - 2;
}
