// SPDX-License-Identifier: MIT
#include "unit/world/life.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>
import ecs.world;
#include "world_program.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    world_test::run_world_program({data, size});
    return 0;
}
