// SPDX-License-Identifier: MIT
// The same as use_world.cpp, in a file that includes headers of the standard library.
#include "common_headers.hpp"
import ecs.world;
#include "use_world.hpp"

int main() { return use_world(); }
