// SPDX-License-Identifier: MIT
// The same as use_world_headers_before.cpp, with the headers after the import, where clang has to merge them.
import ecs.world;
#include "common_headers.hpp"
#include "use_world.hpp"

int main() { return use_world(); }
