// SPDX-License-Identifier: MIT
// The examples of docs/registry.md.
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

    const auto restore = [](const ecs::registry& from) {
        ecs::registry again;
        from.for_each_used([&](ecs::entity last) {
            again.claim(last);
            if (!from.alive(last)) again.destroy(last); // Its generations up to this one are spent.
        });
        return again;
    };
    // clang-format on
    if (restore(ids).create().generation() != 2) return 1;
    if (patient.live_count() != 0) return 1;
    if (!lives && why == "1v1 is stale: index 1 is free, and its next generation is 2") return 0;
    std::printf("%s\n", why.c_str());
    return 1;
}
