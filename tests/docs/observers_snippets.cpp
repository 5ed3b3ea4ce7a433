// SPDX-License-Identifier: MIT
// The examples of docs/observers.md, in its order.
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
import ecs.world;

// NOLINTBEGIN(readability-identifier-naming): named as in the manuals of the peers.
struct Position {
    float x, y;
};
struct Velocity {
    float x, y;
};
struct Health {
    int points;
};
struct Frozen {};
struct Sail {};
struct Oar {};
struct Wheel {
    int number;
};
struct Engine {
    int power;
};
struct Click {
    static constexpr bool is_event = true;
    int button;
};
// NOLINTEND(readability-identifier-naming)

namespace {

void require(bool holds, int line) {
    if (holds) return;
    std::printf("observers_snippets.cpp:%d does not hold\n", line);
    std::exit(1);
}

/// Whether an observer has written the words.
bool says(const std::ostringstream& out, const std::string& words) {
    return out.str().find(words) != std::string::npos;
}

// What observers write to is declared before the world, which it has to outlive.

void kinds_of_observers() {
    std::ostringstream out;
    ecs::world world;
    const ecs::entity likes = world.spawn(), window = world.spawn();
    const ecs::entity button = world.spawn(ecs::pair(ecs::child_of, window));
    // clang-format off
    auto o = world.observe<ecs::event::added, Position>(
        [&](ecs::entity e, Position& p) { out << e << " is at " << p.x << '\n'; });
    world.observe<ecs::event::set, Position, const Velocity>(
        [&](Position& p, const Velocity& v) { out << p.x << " moves by " << v.x << '\n'; });
    world.observe(ecs::event::removed, ecs::pair(likes, ecs::any),
                  [&](const ecs::event_context& what) {
                      out << what.subject << " lost " << world.target_of(what.word) << '\n';
                  });
    world.observe(ecs::event::spawned, [&](ecs::entity e) { out << e << " is there\n"; });
    world.observe<ecs::event::added, ecs::event::removed>(
        world.query<Position>().without<Frozen>().any_of<Sail, Oar>(),
        [&](const ecs::event_context& what, Position& p) { out << what.subject << " is a ship at " << p.x << '\n'; });
    world.monitor<Position, Velocity>(
        [&](ecs::entity e, bool matches) { out << e << (matches ? " can move\n" : " cannot\n"); });
    world.monitor(world.query<Position>().without<Frozen>(),
                  [&](ecs::entity e, bool matches) { out << e << (matches ? " is free\n" : " is held\n"); });
    world.observe<Click>( // An event of the program's own: see below.
        [&](ecs::entity e, const Click& c) { out << e << " got click " << c.button << '\n'; });
    world.emit(button, Click{1}, ecs::propagate_to_parents);
    o.end();
    // clang-format on
    require(says(out, to_string(button) + " got click 1\n"), __LINE__);
    const ecs::entity ship = world.spawn(Position{3, 0}, Sail{});
    require(says(out, to_string(ship) + " is there\n") && !says(out, " is at 3\n"), __LINE__);
    require(says(out, " is a ship at 3\n") && says(out, to_string(ship) + " is free\n"), __LINE__);
    world.set(ship, Velocity{1, 0});
    require(says(out, "3 moves by 1\n") && says(out, to_string(ship) + " can move\n"), __LINE__);
    world.add(ship, likes, button);
    world.remove(ship, likes, button);
    require(says(out, to_string(ship) + " lost " + to_string(button) + '\n'), __LINE__);
}

void silence() {
    std::ostringstream out;
    ecs::world world;
    const ecs::entity e = world.spawn(Position{0, 0});
    auto o = world.observe<ecs::event::set, Position>([&](const Position& p) { out << p.x << '\n'; });
    o.disable();
    world.set(e, Position{1, 2}); // o is not told
    o.enable();
    require(out.str().empty() && o.enabled(), __LINE__);
    world.set(e, Position{3, 4});
    require(out.str() == "3\n", __LINE__);
}

void values_of_before() {
    std::ostringstream out;
    ecs::world world;
    const ecs::entity mana = world.component({.name = "mana", .size = sizeof(int)});
    const ecs::entity e = world.spawn(Health{9});
    // clang-format off
    world.observe<ecs::event::set, Health, ecs::previous<Health>>(
        [&](ecs::entity hurt, const Health& now, const Health* before) {
            if (before && now.points < before->points) out << hurt << " is hurt\n";
        });
    world.observe(
        ecs::event::set, mana,
        [&](const ecs::event_context& what) {
            const auto* before = static_cast<const int*>(what.previous());
            if (before) out << *before << " became " << *static_cast<const int*>(what.value) << '\n';
        },
        {.previous = true});
    // clang-format on
    world.set(e, Health{5});
    int amount = 7;
    world.set(e, mana, &amount);
    require(out.str() == to_string(e) + " is hurt\n", __LINE__);
    amount = 4;
    world.set(e, mana, &amount);
    require(says(out, "7 became 4\n"), __LINE__);
}

void observers_of_a_query() {
    std::ostringstream out;
    ecs::world world;
    // clang-format off
    auto ships = world.query<const Position>().without<Frozen>().any_of<Sail, Oar>();
    world.observe<ecs::event::added>(
        ships, [&](ecs::entity e, const Position& p) { out << e << " is a ship at " << p.x << '\n'; });
    world.observe({ecs::event::spawned, ecs::event::despawned}, ships, [&](const ecs::event_context& what) {
        out << what.subject << (what.what == ecs::event::spawned ? " sails\n" : " sinks\n");
    });
    world.observe<Click>(
        ships, [&](const Click& c, const Position& p) { out << "click " << c.button << " at " << p.x << '\n'; });
    // clang-format on
    const ecs::entity sloop = world.spawn(Position{1, 2}, Sail{});
    world.emit(sloop, Click{7});
    require(says(out, " is a ship at 1\n") && says(out, " sails\n") && says(out, "click 7 at 1\n"), __LINE__);
    world.despawn(sloop);
    require(says(out, to_string(sloop) + " sinks\n"), __LINE__);
}

void what_is_above() {
    std::ostringstream out;
    ecs::world world;
    const ecs::entity car = world.spawn();
    for (const int number : {1, 2}) world.spawn(Wheel{number}, ecs::pair(ecs::child_of, car));
    // clang-format off
    auto parts = world.query<const Wheel, ecs::up<const Engine>>();
    world.observe<ecs::event::set>(parts, [&](ecs::entity wheel, const Wheel& w, const Engine& nearest) {
        out << wheel << " is wheel " << w.number << " of an engine of " << nearest.power << '\n';
    });
    world.set(car, Engine{90}); // tells of all wheels below the car, the nearest first
    // clang-format on
    require(says(out, " is wheel 1 of an engine of 90\n") && says(out, " is wheel 2 of"), __LINE__);
}

} // namespace

int main() {
    kinds_of_observers();
    silence();
    values_of_before();
    observers_of_a_query();
    what_is_above();
}
