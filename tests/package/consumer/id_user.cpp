// SPDX-License-Identifier: MIT
// Imports what the umbrella is made of, by way of a program that links the umbrella.
import ecs.id;
import ecs.registry;

ecs::entity seventh_entity() {
    return ecs::build<ecs::layouts::entity>().set<"index">(7).set<"generation">(1).id();
}

bool is_alive(ecs::id_status status) { return status == ecs::id_status::live; }
