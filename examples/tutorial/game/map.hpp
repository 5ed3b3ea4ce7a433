// SPDX-License-Identifier: MIT
// The map: what is on it is entities with a place and a letter.
#pragma once
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>
import ecs;

struct place {
    int x, y;
    friend bool operator==(const place&, const place&) = default;
};
struct looks {
    char letter;
};
struct solid {};
struct player {};

/// What a letter of the level stands for: a prefab.
using legend = std::map<char, ecs::entity>;

inline constexpr std::string_view level[]{
    "############", //
    "#@  $   b  #", //
    "#  ###     #", //
    "#    $  $  #", //
    "############",
};

inline legend walls_and_hero(ecs::world& world) {
    return {{'#', world.prefab("Wall", looks{'#'}, solid{})},
            {'@', world.prefab("Hero", looks{'@'}, player{})}};
}

inline void build(ecs::world& world, const legend& kinds) {
    for (int y = 0; const std::string_view line : level) {
        for (int x = 0; const char letter : line) {
            if (const auto kind = kinds.find(letter); kind != kinds.end())
                world.spawn(place{x, y}, ecs::pair(ecs::is_a, kind->second));
            ++x;
        }
        ++y;
    }
}

inline void draw(const ecs::world& world) {
    std::vector<std::string> picture(std::size(level),
                                     std::string(level[0].size(), ' '));
    world.each([&](const place& p, const looks& l) {
        picture[static_cast<std::size_t>(p.y)][static_cast<std::size_t>(p.x)] =
            l.letter;
    });
    for (const std::string& line : picture) std::cout << line << '\n';
}
