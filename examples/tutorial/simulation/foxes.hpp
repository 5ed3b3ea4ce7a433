// SPDX-License-Identifier: MIT
// Foxes choose a rabbit, follow it, and eat it.
#pragma once
#include <algorithm>
#include <cstdlib>
import ecs;

#include "life.hpp"

struct fox {};
struct hunts { // A fox hunts one rabbit. When that ends, whoever ended it, the pair
               // ends, too.
    static constexpr auto properties = ecs::properties(ecs::exclusive);
};

inline int distance(place a, place b) {
    const int between = std::abs(a.x - b.x);
    return std::min(between, meadow_size - between);
}

inline ecs::entity nearest_rabbit(const ecs::world& world, place from) {
    ecs::entity best;
    int least = 10; // Foxes do not see further.
    world.each([&](ecs::entity e, const place& p, ecs::has<rabbit>) {
        if (distance(from, p) >= least) return;
        least = distance(from, p);
        best = e;
    });
    return best;
}

/// Every hungry fox without prey looks for some.
inline void choose(ecs::world& world) {
    auto idle = world.query<const place>().with<fox>().without(
        ecs::pair(world.component<hunts>(), ecs::any));
    for (const ecs::entity e : idle.entities()) {
        if (world.get<energy>(e).left > 6) continue;
        const ecs::entity prey = nearest_rabbit(world, world.get<place>(e));
        if (prey) world.add<hunts>(e, prey);
    }
}

/// Every fox with prey goes there, two places a day, and eats it.
inline void chase(ecs::world& world) {
    for (const ecs::entity e : world.query().with<fox>().entities()) {
        const ecs::entity prey = world.target_of<hunts>(e);
        if (!prey) continue;
        auto [from, hunger] = world.get<place, energy>(e);
        const place to = world.get<place>(prey);
        const int way = (to.x - from.x + meadow_size) % meadow_size;
        from.x =
            (from.x + (way > meadow_size / 2 ? -2 : 2) + meadow_size) % meadow_size;
        if (distance(from, to) > 1) continue;
        hunger.left += 8;
        world.despawn(prey);
    }
}

inline void add_foxes(ecs::schedule& day) {
    day.phase("foxes")
        .add("choose", choose)
        .add("chase", chase, {.after = {"choose"}})
        .add("tire", [](energy& e, ecs::has<fox>) { --e.left; },
             {.after = {"chase"}});
}
