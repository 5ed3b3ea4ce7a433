// SPDX-License-Identifier: MIT
// The example of docs/registry.md.
#include <cstdio>
#include <string>
import ecs.id;
import ecs.registry;

int main() {
    // clang-format off
    ecs::registry ids;
    const ecs::entity turret = ids.create();
    ids.destroy(turret);
    const bool lives = ids.alive(turret);          // false, and it stays false
    const std::string why = ids.explain(turret);   // "1v1 is stale: index 1 is free, and its next generation is 2"

    ecs::basic_registry<ecs::layouts::entity, ecs::whole_index_space<ecs::layouts::entity>, ecs::quarantine<1000>> patient;
    // clang-format on
    if (patient.live_count() != 0) return 1;
    if (!lives && why == "1v1 is stale: index 1 is free, and its next generation is 2") return 0;
    std::printf("%s\n", why.c_str());
    return 1;
}
