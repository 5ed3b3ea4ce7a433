// SPDX-License-Identifier: MIT
// A question about several entities at once: who likes somebody that does not like
// them back?
#include <iostream>
import ecs;

struct likes {};

int main() {
    ecs::world world;
    const ecs::entity ann = world.spawn("Ann"), bob = world.spawn("Bob"),
                      cleo = world.spawn("Cleo");
    world.add<likes>(ann, bob);
    world.add<likes>(bob, ann);
    world.add<likes>(cleo, ann);

    const ecs::entity like = world.component<likes>();
    world.query()
        .with(ecs::pair(like, ecs::var("other")))
        .without(ecs::pair(like, ecs::var("this")), ecs::var("other"))
        .each([&](ecs::entity e, const ecs::bindings& found) {
            std::cout << world.name_of(e) << " likes "
                      << world.name_of(found["other"]) << '\n';
        });
}
