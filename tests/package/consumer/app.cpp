// SPDX-License-Identifier: MIT
// Exits with 0 if the umbrella carries names of its modules, and if a file of the same program that imports
// one module alone speaks of the same types.
import ecs;

bool is_alive(ecs::id_status status);
ecs::entity seventh_entity();

int main() {
    const ecs::entity id = seventh_entity();
    return id.index() == 7 && is_alive(ecs::id_status::live) ? 0 : 1;
}
