// SPDX-License-Identifier: MIT
// Coins: who comes to a coin takes it.
#pragma once
#include <cstddef>
#include <vector>
import ecs;

#include "moves.hpp"

struct coin {};
struct carried_by {
    static constexpr auto properties = ecs::properties(ecs::exclusive);
};

inline ecs::entity coins(ecs::world& world) {
    return world.prefab("Coin", looks{'$'}, coin{});
}

/// What has that tag and lies there.
template <class Tag>
std::vector<ecs::entity> found_at(const ecs::world& world, place where) {
    std::vector<ecs::entity> found;
    world.each([&](ecs::entity e, const place& p, ecs::has<Tag>) {
        if (p == where) found.push_back(e);
    });
    return found;
}

/// From now on the hero takes the coins of each place that the hero comes to.
inline void take_coins(ecs::world& world) {
    const auto take = [](ecs::world& in, ecs::entity hero, const place& here) {
        for (const ecs::entity e : found_at<coin>(in, here))
            in.edit(e).remove<place>().add<carried_by>(hero);
    };
    world.observe<ecs::event::set>(world.query<const place>().with<player>(), take);
}

inline std::size_t gold(ecs::world& world) {
    return world.sources<carried_by>(hero_of(world)).size();
}
