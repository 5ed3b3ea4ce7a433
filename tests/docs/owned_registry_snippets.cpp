// SPDX-License-Identifier: MIT
// The example of docs/owned-registry.md.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
import ecs.id;
import ecs.registry;

namespace {

void require(bool holds, int line) {
    if (holds) return;
    std::printf("owned_registry_snippets.cpp:%d does not hold\n", line);
    std::exit(1);
}

} // namespace

int main() {
    // clang-format off
    using registry = ecs::basic_owned_registry<ecs::layouts::entity>;
    registry ids(1);                                                 // world 1
    ids.open({.first = 1, .last = 1'000'000});                       // the indices that it issues
    const ecs::entity e = ids.create(42);                            // with a payload
    const bool lives = ids.alive(e);                                 // any thread, wait-free
    const auto payload = registry::words::payload_of(ids.slot_of(e)); // 42: the same load, and one comparison
    ids.set_payload(std::uint32_t(e.index()), 43);
    ids.destroy(e);

    auto& lane = ids.enter_lane();                                   // another thread
    if (lane.ready.count() == 0 && !ids.refill(lane, registry::no_key)) ids.refuse();
    const ecs::entity other = ids.issue_from(lane, 7);               // alive for every thread, at once
    ids.leave_lane(lane, registry::no_key);                          // what it has not used goes back
    // clang-format on
    require(lives && payload == 42 && !ids.alive(e), __LINE__);
    require(ids.alive(other) && registry::words::payload_of(ids.slot_of(other)) == 7, __LINE__);
}
