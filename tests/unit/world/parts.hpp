// SPDX-License-Identifier: MIT
// Components that the tests of relations give their entities.
#pragma once
#include <algorithm>
#include <vector>

struct health {
    int amount = 0;
};
struct armour {
    int amount = 0;
};
struct expiry {
    float seconds = 0;
};
struct frozen {};

/// The same values in ascending order.
template <class T> [[nodiscard]] std::vector<T> sorted(std::vector<T> list) {
    std::ranges::sort(list);
    return list;
}
