// SPDX-License-Identifier: MIT
// An import of which nothing is used.
import ecs.id;

int main() {}
