// SPDX-License-Identifier: MIT
// Our side of the pages in docs/coming-from: the same ten programs for each of the other libraries, and two
// for those that have relations and prefabs. They are compiled and run; a test compares the pages with them.
#include <cstdio>
#include <cstdlib>
#include <string>

import ecs.world;

// NOLINTBEGIN(readability-identifier-naming): named as in the manuals of the peers.
struct Position {
    float x, y;
};
struct Velocity {
    float x, y;
};
struct Gravity {
    float strength;
};
struct Health {
    int points;
};
struct Frozen {};
struct Likes {};
// NOLINTEND(readability-identifier-naming)

namespace {

void require(bool holds, int line) {
    if (holds) return;
    std::printf("coming_from_snippets.cpp:%d does not hold\n", line);
    std::exit(1);
}

void an_entity() {
    ecs::world world;
    const ecs::entity e = world.spawn();
    world.despawn(e);
    const bool alive = world.alive(e);
    require(!alive, __LINE__);
}

void a_component() {
    ecs::world world;
    const ecs::entity e = world.spawn(Position{1, 2});
    world.set(e, Velocity{1, 0});
    Position& p = world.get<Position>(e);
    Velocity* v = world.try_get<Velocity>(e);
    const bool frozen = world.has<Frozen>(e);
    world.remove<Velocity>(e);
    require(p.x == 1 && v != nullptr && !frozen && !world.has<Velocity>(e), __LINE__);
}

void a_loop() {
    ecs::world world;
    const ecs::entity moved = world.spawn(Position{}, Velocity{1, 1});
    world.each([](Position& p, const Velocity& v) {
        p.x += v.x;
        p.y += v.y;
    });
    require(world.get<Position>(moved).x == 1, __LINE__);
}

void a_filter() {
    ecs::world world;
    const ecs::entity moved = world.spawn(Position{}, Velocity{1, 1});
    const ecs::entity still = world.spawn(Position{}, Velocity{1, 1}, Frozen{});
    auto movers = world.query<Position, const Velocity>().without<Frozen>();
    movers.each([](Position& p, const Velocity& v) { p.x += v.x; });
    require(world.get<Position>(moved).x == 1 && world.get<Position>(still).x == 0, __LINE__);
}

void an_optional_component() {
    ecs::world world;
    world.spawn(Position{});
    world.spawn(Position{}, Velocity{1, 1});
    int standing = 0;
    world.each([&](const Position&, const Velocity* v) {
        if (!v) ++standing;
    });
    require(standing == 1, __LINE__);
}

void an_observer() {
    ecs::world world;
    int hits = 0;
    world.observe<ecs::event::added, Health>([&](ecs::entity) { ++hits; });
    world.observe<ecs::event::set, Health>([&](const Health&) { ++hits; });
    world.observe<ecs::event::removed, Health>([&](const Health&) { ++hits; });
    world.despawn(world.spawn(Health{1}));
    require(hits == 3, __LINE__);
}

void a_singleton() {
    ecs::world world;
    world.set_singleton(Gravity{10});
    const Gravity& g = world.singleton<Gravity>();
    require(g.strength == 10, __LINE__);
}

void a_tree() {
    ecs::world world;
    const ecs::entity ship = world.spawn("Ship");
    const ecs::entity mast = world.spawn("Mast", ecs::pair(ecs::child_of, ship));
    for (const ecs::entity part : world.children(ship)) world.add<Frozen>(part);
    const ecs::entity parent = world.parent(mast);
    world.despawn(ship); // The mast ends as well.
    require(parent == ship && !world.alive(mast), __LINE__);
}

void changes_in_a_loop() {
    ecs::world world;
    const ecs::entity dead = world.spawn(Health{0});
    auto commands = world.commands();
    world.each([&](ecs::entity e, const Health& h) {
        if (h.points <= 0) commands.despawn(e);
    });
    world.flush();
    require(!world.alive(dead), __LINE__);
}

void systems() {
    ecs::world world;
    const ecs::entity e = world.spawn(Position{}, Velocity{0, 0});
    world.set_singleton(Gravity{10});
    ecs::schedule schedule;
    schedule.add("fall", [](Velocity& v, ecs::resource<const Gravity> g) { v.y -= g->strength; })
        .add("move", [](Position& p, const Velocity& v) { p.y += v.y; }, {.after = {"fall"}});
    schedule.run(world);
    require(world.get<Position>(e).y == -10, __LINE__);
}

void relations() {
    ecs::world world;
    const ecs::entity bob = world.spawn("Bob"), ann = world.spawn("Ann");
    world.add<Likes>(bob, ann);
    const bool likes = world.has<Likes>(bob, ann);
    auto fans = world.query().with<Likes>(ann);
    require(likes && fans.first() == bob, __LINE__);
}

void prefabs() {
    ecs::world world;
    const ecs::entity goblin = world.prefab("Goblin", Health{5});
    const ecs::entity one = world.spawn(ecs::pair(ecs::is_a, goblin));
    world.set(one, Health{9}); // Until then it shares the value of the prefab.
    require(world.get<Health>(goblin).points == 5 && world.get<Health>(one).points == 9, __LINE__);
}

} // namespace

int main() {
    an_entity();
    a_component();
    a_loop();
    a_filter();
    an_optional_component();
    an_observer();
    a_singleton();
    a_tree();
    changes_in_a_loop();
    systems();
    relations();
    prefabs();
}
