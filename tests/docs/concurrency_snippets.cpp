// SPDX-License-Identifier: MIT
// The example of docs/concurrency.md.
import ecs.id;
import ecs.registry;

int main() {
    // clang-format off
    ecs::concurrent_registry ids;
    auto local = ids.local();            // a thread's own fast lane; any number of them at once
    const auto e = local.create();       // live for every thread, at once
    const bool lives = ids.alive(e);     // any thread, wait-free
    local.destroy(e);                    // any thread may have tried: exactly one is told true
    // clang-format on
    return lives && !ids.alive(e) ? 0 : 1;
}
