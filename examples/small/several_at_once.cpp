// SPDX-License-Identifier: MIT
// Values of several entities at once, for whatever list of them there is.
#include <array>
#include <iostream>
#include <tuple>
#include <utility>
#include <vector>
import ecs;

struct health {
    int points;
};

int main() {
    ecs::world world;
    const ecs::entity ann = world.spawn(health{10}), bob = world.spawn(health{3}),
                      tree = world.spawn();

    auto living = world.query<health>();
    auto [one, other] = living.get_many(std::array{ann, bob});
    std::swap(std::get<1>(one).points, std::get<1>(other).points);

    const std::vector<ecs::entity> hit{bob, tree};
    living.each_of(hit, [](ecs::entity e, health& h) {
        std::cout << e << " had " << h.points-- << " points\n";
    });
    std::cout << world.get<health>(ann).points << ' '
              << world.get<health>(bob).points << '\n';
}
