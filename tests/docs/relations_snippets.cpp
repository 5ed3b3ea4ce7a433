// SPDX-License-Identifier: MIT
// The examples of docs/relations.md, in its order.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>
import ecs.world;

using namespace ecs;

// NOLINTBEGIN(readability-identifier-naming): named as in the manuals of the peers.
struct Sound {
    int loudness = 1;
};
struct Voice {
    int pitch = 2;
};
struct Health {
    int points;
};
struct Speed {};
struct Slow {};
struct Knows {};

struct Married {
    static constexpr auto properties = ecs::properties(ecs::exclusive, ecs::symmetric, ecs::with_type<Knows>);
};

struct Ammunition {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    int rounds;
};
// NOLINTEND(readability-identifier-naming)

namespace {

void require(bool holds, int line) {
    if (holds) return;
    std::printf("relations_snippets.cpp:%d does not hold\n", line);
    std::exit(1);
}

void objects_of_the_host() {
    Sound sound; // It is declared before the world, which it outlives.
    ecs::world world;
    const entity speaker = world.spawn(), plays = world.spawn();
    std::vector<Voice*> voices;
    // clang-format off
    world.link(speaker, plays, sound);                              // borrowed: it stays where it is while linked
    world.link_owned(speaker, plays, std::make_unique<Voice>());    // owned by the world
    auto* voice = world.object_of<Voice>(speaker, plays);
    world.remove(speaker, world.link_of(plays, sound));
    world.query<matched>().with(pair(plays, any)).each([&](entity, const matched& m) {
        voices.push_back(world.object_of<Voice>(m.pair));
    });
    // clang-format on
    require(voice != nullptr && voice->pitch == 2 && voices == std::vector{voice}, __LINE__);
    require(world.object_of<Sound>(speaker, plays) == nullptr, __LINE__);
}

void end_with_the_last_source() {
    ecs::world world;
    const entity rides = world.spawn(), raft = world.spawn();
    const entity alice = world.spawn(), bob = world.spawn();
    for (const entity e : {alice, bob}) world.add(e, rides, raft);
    // clang-format off
    world.observe(ecs::event::removed, ecs::pair(rides, ecs::any), [&](const ecs::event_context& what) {
        const entity left = world.target_of(what.word);
        if (left && world.sources(left, rides).size() == 1) world.despawn(left);
    });
    // clang-format on
    world.despawn(alice);
    require(world.alive(raft), __LINE__);
    world.remove(bob, rides, raft);
    require(!world.alive(raft) && world.alive(bob), __LINE__);
}

void properties_of_a_type() {
    ecs::world world;
    const entity bob = world.spawn(), alice = world.spawn(), carol = world.spawn();
    world.add<Married>(bob, alice);
    require(world.has<Married>(alice, bob) && world.has<Knows>(bob, alice), __LINE__);
    world.add<Married>(bob, carol);
    require(!world.has<Married>(bob, alice) && world.has<Married>(carol, bob), __LINE__);
}

void variables() {
    ecs::world world;
    const entity likes = world.spawn(), enemy = world.spawn(), at = world.spawn();
    const entity cave = world.spawn(), wood = world.spawn();
    const entity wolf = world.spawn(), bear = world.spawn();
    const entity hero = world.spawn(Health{3}), bard = world.spawn(Health{2});
    for (const entity e : {wolf, bear}) world.add(e, enemy);
    world.add(hero, likes, wolf);
    world.add(bard, likes, bear);
    for (const entity e : {hero, wolf, bear}) world.add(e, at, cave);
    world.add(bard, at, wood);
    std::vector<entity> struck;
    const auto strike = [&](entity by, entity whom) {
        require(by == hero, __LINE__);
        struck.push_back(whom);
    };
    // clang-format off
    world.query<Health>()
        .with(pair(likes, var("x")))           // all that like something
        .with(enemy, var("x"))                 // that is an enemy
        .with(pair(at, var("here")))           // and is where
        .with(pair(at, var("here")), var("x")) // that is, too
        .each([&](entity e, Health& health, const bindings& found) {
            --health.points;
            strike(e, found["x"]);
        });
    // clang-format on
    require(struck == std::vector{wolf} && world.get<Health>(hero).points == 2, __LINE__);
}

void variable_relations() {
    ecs::world world;
    const entity likes = world.spawn(), trusts = world.spawn(), docked_at = world.spawn();
    const entity bob = world.spawn(), harbour = world.spawn(), ship = world.spawn(), raft = world.spawn();
    const entity alice = world.spawn(), dan = world.spawn(Slow{}), eve = world.spawn();
    world.add<Speed>(ship);
    world.add(ship, docked_at, harbour);
    for (const entity e : {alice, dan, eve}) world.add(e, trusts, bob);
    world.add(alice, likes, ship);
    world.add(dan, likes, raft);
    world.add(eve, likes, raft); // The raft is not fast, and Eve is not slow.
    // clang-format off
    auto friends =
        world.query()
            .with(pair(var("r"), bob))                       // whatever relation it has to Bob
            .with(pair(likes, var("x")))
            .where(has<Speed>().of(var("x")) || has<Slow>()) // of what it likes, or of itself
            .optional(pair(docked_at, var("y")), var("x"));  // and where that is, if it is somewhere
    // clang-format on
    std::vector<entity> found(2);
    friends.each([&](entity e, const bindings& b) {
        require(b["r"] == trusts && (e == alice || e == dan), __LINE__);
        found[e == alice ? 0 : 1] = b["y"];
    });
    require(found == std::vector<entity>{harbour, {}} && friends.count() == 2, __LINE__);
}

void copies_from_the_start() {
    ecs::world world;
    const entity gun = world.prefab(Ammunition{6});
    const entity one = world.spawn(pair(is_a, gun));
    world.set(gun, Ammunition{1});
    require(world.get<Ammunition>(one).rounds == 6, __LINE__);
}

} // namespace

int main() {
    objects_of_the_host();
    end_with_the_last_source();
    properties_of_a_type();
    variables();
    variable_relations();
    copies_from_the_start();
}
