// SPDX-License-Identifier: MIT
// A world with two components and one system.
import ecs.world;
#include "use_world.hpp"

int main() { return use_world(); }
