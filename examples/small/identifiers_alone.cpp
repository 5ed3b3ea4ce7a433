// SPDX-License-Identifier: MIT
// Identifiers without a world: a registry for the objects of a program that has its
// own storage.
#include <iostream>
#include <string>
#include <vector>
import ecs;

int main() {
    ecs::registry ids;
    std::vector<std::string> textures(4);

    const ecs::entity grass = ids.create();
    textures[grass.index()] = "grass.png";
    std::cout << textures[grass.index()] << ' ' << ids.alive(grass) << '\n';

    ids.destroy(grass);
    const ecs::entity sand = ids.create();
    textures[sand.index()] = "sand.png";
    std::cout << (ids.alive(grass) ? textures[grass.index()] : ids.explain(grass))
              << '\n';
}
