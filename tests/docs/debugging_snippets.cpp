// SPDX-License-Identifier: MIT
// The examples of docs/debugging.md.
#include <boost/hana/define_struct.hpp>
#include <cstdio>
#include <string>
import ecs.world;

struct position {
    BOOST_HANA_DEFINE_STRUCT(position, (float, x), (float, y));
};
struct velocity {
    BOOST_HANA_DEFINE_STRUCT(velocity, (float, x), (float, y));
};
struct frozen {};

namespace {

void say(const ecs::world& world, ecs::entity e, ecs::id likes,
         const ecs::query<position, const velocity>& query) {
    // clang-format off
    const std::string entity = ecs::dump(world, e);   // 514v1 in world 1, alive: velocity{1, 0}, position{10, 20}, (likes, Bob)
    const std::string two = ecs::dump(world, likes);  // (likes, Bob)
    const std::string all = ecs::dump(world);         // the world, and a line for each table that has entities
    const std::string terms = ecs::dump(query);       // [inout] position, velocity, !frozen
    // clang-format on
    std::printf("%s\n%s\n%s\n%s\n", entity.c_str(), two.c_str(), all.c_str(), terms.c_str());
}

} // namespace

int main() {
    ecs::world world;
    const ecs::entity bob = world.spawn("Bob");
    const ecs::entity likes = world.spawn("likes");
    const ecs::entity e = world.spawn(position{10, 20}, velocity{1, 0});
    world.add(e, likes, bob);
    auto query = world.query<position, const velocity>();
    query.without<frozen>();
    say(world, e, pair(likes, bob), query);
    const std::string expected = "514v1 in world 1, alive: velocity{1, 0}, position{10, 20}, (likes, Bob)";
    const bool agrees = ecs::dump(world, e) == expected &&
                        ecs::dump(world, pair(likes, bob)) == "(likes, Bob)" &&
                        ecs::dump(query) == "[inout] position, velocity, !frozen";
    return agrees ? 0 : 1;
}
