// SPDX-License-Identifier: MIT
// An import of which nothing is used.
import ecs.world;

int main() {}
