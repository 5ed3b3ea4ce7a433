// SPDX-License-Identifier: MIT
// A relation of many steps: who is in a region is also in what the region is in.
#include <iostream>
import ecs;

struct located_in {
    static constexpr auto properties =
        ecs::properties(ecs::exclusive, ecs::transitive, ecs::acyclic);
};

int main() {
    ecs::world world;
    const ecs::entity earth = world.spawn("Earth"), europe = world.spawn("Europe"),
                      paris = world.spawn("Paris");
    world.add<located_in>(europe, earth);
    world.add<located_in>(paris, europe);
    const ecs::entity ann = world.spawn("Ann", world.pair_to<located_in>(paris));

    std::cout << "Ann is on Earth: " << world.has<located_in>(ann, earth) << '\n';
    std::cout << "in Europe are " << world.query().with<located_in>(europe).count()
              << '\n';
    std::cout << "Earth in Paris: "
              << to_string(world.add<located_in>(earth, paris)) << '\n';
}
