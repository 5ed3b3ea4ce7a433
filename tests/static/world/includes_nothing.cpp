// SPDX-License-Identifier: MIT
// An importer that includes no header can walk over what a function returns, and compare it.
import ecs.world;

namespace {

struct likes {};

[[maybe_unused]] int all_that_it_returns(ecs::world& w, ecs::entity e) {
    int found = 0;
    for (const ecs::entity target : w.targets(e, w.component<likes>())) found += target != e;
    for (const ecs::entity child : w.children(e)) found += child != e;
    auto targets = w.targets(e, w.component<likes>());
    for (auto at = targets.begin(); at != targets.end(); ++at) ++found;
    return found + static_cast<int>(w.name_of(e) == "name") + static_cast<int>(w.parent(e) == e);
}

} // namespace
