// SPDX-License-Identifier: MIT
// The examples of docs/debugging.md.
#include <boost/hana/define_struct.hpp>
#include <iostream>
#include <string>
#include <vector>
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
    std::cout << entity << "\n" << two << "\n" << all << "\n" << terms << "\n";
}

void look_back(ecs::world& world, ecs::schedule& schedule) {
    // clang-format off
    world.record_history(1000); // The last thousand; 0 ends it.
    schedule.run(world);
    for (const ecs::recorded_change& change : world.history()) // The oldest first.
        std::cout << to_string(change.what) << " " << change.subject << " " << change.word << " by " << change.by << "\n";
    // clang-format on
}

void collect(ecs::world& world, ecs::entity coin) {
    // clang-format off
{
    const auto scope = world.doing("collect loot"); // Here: src/loot.cpp:42.
    world.despawn(coin);
}
    // clang-format on
}

/// Whether the history names the scope, which is in this file.
bool names_the_place() {
    ecs::world world;
    world.record_history(10);
    const ecs::entity coin = world.spawn();
    collect(world, coin);
    return world.explain(coin).find("the program ended it, doing \"collect loot\" at ") !=
               std::string::npos &&
           world.history().back().at.find("debugging_snippets.cpp:") != std::string::npos;
}

bool compare(const ecs::world& world, const ecs::world& replayed, ecs::entity one, ecs::entity other) {
    // clang-format off
    for (const ecs::difference& d : ecs::differences(world, replayed, 10)) // Not more than ten.
        std::cout << to_string(d) << "\n";                                 // 512v1 position.x: 1 against 2
    const bool alike = ecs::differences(world, one, other).empty();        // Two entities of a world.
    // clang-format on
    return alike;
}

/// Whether a difference is written as the page shows it.
bool says_what_differs() {
    ecs::world first;
    ecs::world second;
    const ecs::entity one = first.spawn(position{1, 2});
    const ecs::entity other = first.spawn(position{1, 2});
    second.spawn(position{2, 2});
    const auto found = ecs::differences(first, second);
    return compare(first, second, one, other) && found.size() == 2 &&
           to_string(found[0]) == to_string(one) + " position.x: 1 against 2";
}

/// Whether the error of an access to an entity that a system has ended is what the page shows.
bool names_the_system() {
    ecs::world world;
    const std::vector<ecs::entity> made = world.spawn_n(3, position{});
    ecs::schedule schedule;
    schedule.add("reap", [&](ecs::commands& c) { c.despawn(made[2]); });
    look_back(world, schedule);
    try {
        return world.get<position>(made[2]).x == 0;
    } catch (const ecs::access_error& refused) {
        return std::string(refused.what()) ==
               "entity 514v1 is stale: no position can be read from it, system \"reap\" ended it";
    }
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
    return agrees && names_the_system() && names_the_place() && says_what_differs() ? 0 : 1;
}
