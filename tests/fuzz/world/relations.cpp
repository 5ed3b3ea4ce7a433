// SPDX-License-Identifier: MIT
// Operations on relations from bytes, compared with the naive model.
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

import ecs.world;

#include "relation_model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const bool avenged = size != 0 && data[0] % 2 != 0; // Also a part of the first operation.
    const std::string wrong =
        relation_model::differences({data, std::min<std::size_t>(size, 160)}, 8, {.avenged = avenged});
    if (wrong.empty()) return 0;
    std::fprintf(stderr, "%s\n", wrong.c_str());
    std::abort();
}
