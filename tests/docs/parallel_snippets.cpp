// SPDX-License-Identifier: MIT
// The code that docs/parallel.md shows of systems and schedules. It is compiled and run; a test compares the
// document with it.
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

import ecs.world;

namespace {

struct position {
    double x;
};
struct velocity {
    double x;
};
struct health {
    int points;
};
struct gravity {
    double strength;
};
struct clock {
    int hour;
};
struct frozen {};
struct player {};
struct likes {};

int mistakes = 0;

void expect(bool holds, std::string_view what) {
    if (holds) return;
    std::cerr << what << " does not hold\n";
    ++mistakes;
}

void keys() {
    ecs::world world;
    constexpr std::uint32_t jobs = 3;
    world.make_deterministic(jobs);
    for (std::uint32_t job = 0; job < jobs; ++job) { // On any number of threads, and in any order.
        auto commands = world.commands(job);
        commands.spawn(position{0});
    }
    world.flush();
    expect(world.count<position>() == jobs, "a key");
}

void changes_in_a_loop() {
    ecs::world world;
    const ecs::entity dead = world.spawn(health{0});
    const ecs::entity healthy = world.spawn(health{1});
    auto commands = world.commands();
    world.each([&](ecs::entity e, const health& h) {
        if (h.points <= 0) commands.despawn(e);
    });
    world.flush();
    expect(!world.alive(dead) && world.alive(healthy), "a change in a loop");
}

void phases() {
    ecs::world world;
    const ecs::entity walker = world.spawn(position{0}, velocity{1});
    const ecs::entity dead = world.spawn(health{0});
    int polls = 0;
    const double seconds = 0.055; // Three steps of a sixtieth, and a rest.
    const auto poll = [&](ecs::world&) { ++polls; };
    const auto physics = [](position& p) { p.x *= 2; };
    ecs::schedule schedule;
    schedule.phase("input").add("poll", poll);
    schedule.phase("update")
        .add("move", [](position& p, const velocity& v) { p.x += v.x; })
        .add("reap",
             [](ecs::entity e, const health& h, ecs::commands& c) {
                 if (h.points <= 0) c.despawn(e);
             })
        .add("physics", physics, {.after = {"move"}, .step = 1.0 / 60});
    schedule.run(world, 2, seconds);
    expect(polls == 1 && world.get<position>(walker).x == 8 && !world.alive(dead), "a phase");
}

void filters() {
    // @begin filters
    ecs::schedule schedule;
    schedule.add("move", [](position& p, const velocity& v, ecs::without<frozen>) { p.x += v.x; });
    schedule.add("greet", [](ecs::entity e, ecs::added<player>, ecs::commands& c) { c.set(e, health{10}); });
    schedule.add("warn", [](ecs::query<ecs::entity, const health, ecs::changed<health>>& hurt) {
        for (auto [e, h] : hurt)
            if (h.points < 3) std::cout << e.index() << " is nearly dead\n";
    });

    ecs::world world;
    const ecs::entity walker = world.spawn(position{0}, velocity{1}, player{});
    const ecs::entity statue = world.spawn(position{0}, velocity{1}, frozen{});
    schedule.run(world);
    int players = 0;
    world.each([&](const position&, ecs::has<player>) { ++players; });
    // @end
    expect(world.get<position>(walker).x == 1 && world.get<position>(statue).x == 0, "without");
    expect(world.get<health>(walker).points == 10 && !world.has<health>(statue), "added");
    expect(players == 1, "has");
}

void resources() {
    ecs::world world;
    const ecs::entity stone = world.spawn(position{0});
    // @begin resources
    ecs::schedule schedule;
    schedule.add("fall", [](position& p, ecs::resource<const gravity> g) { p.x -= g->strength; });
    schedule.add("weaken", [](ecs::resource<gravity> g) { g->strength /= 2; });

    world.set_singleton(gravity{10});
    schedule.run(world);
    // @end
    expect(world.get<position>(stone).x == -10 && world.singleton<gravity>().strength == 5, "resource");
}

void captures() {
    ecs::world world;
    const ecs::entity bob = world.spawn("Bob");
    const ecs::entity ann = world.spawn("Ann", health{1});
    world.add<likes>(ann, bob);
    world.spawn("Eve", health{1});
    int total = 0;
    // @begin captures
    auto fans = world.query<health>().with<likes>(bob);

    ecs::schedule schedule;
    schedule.add("cheer", [fans]() mutable { fans.each([](health& h) { h.points += 10; }); },
                 {.writes = {world.component<health>()}});
    schedule.add("sum", [&total](const health& h) { total += h.points; });
    // @end
    schedule.run(world);
    expect(total == 12 && schedule.ambiguities(world).size() == 1, "a captured query");
}

void conditions() {
    ecs::world world;
    int opened = 0, saved = 0, rang = 0;
    const auto open_shop = [&](ecs::resource<const clock>) { ++opened; };
    const auto save = [&](const ecs::world&) { ++saved; };
    const auto ring = [&](const ecs::tick&) { ++rang; };
    // @begin conditions
    const ecs::condition by_day = [](ecs::resource<const clock> c) { return c->hour >= 8 && c->hour < 20; };

    ecs::schedule schedule;
    schedule.add("open", open_shop, {.run_if = by_day and ecs::once()});
    schedule.add("save", save, {.run_if = ecs::every(10) and not ecs::has_resource<player>()});
    schedule.add("ring", ring, {.run_if = ecs::on_resource_change<clock>() or ecs::on_change<health>()});
    // @end
    world.set_singleton(clock{7});
    schedule.run(world);
    world.set_singleton(clock{8});
    for (int i = 0; i < 10; ++i) schedule.run(world);
    expect(opened == 1 && saved == 2 && rang == 2, "condition");
}

void sets() {
    ecs::world world;
    std::string ran;
    const auto poll = [&](ecs::world&) { ran += "poll "; };
    const auto move = [&](ecs::world&) { ran += "move "; };
    const auto bounce = [&](ecs::world&) { ran += "bounce "; };
    const auto grow = [&](ecs::world&) { ran += "grow "; };
    const auto draw = [&](ecs::world&) { ran += "draw "; };
    // @begin sets
    ecs::schedule schedule;
    schedule.set("physics", {.after = {"input"}, .run_if = not ecs::has_resource<clock>()});
    schedule.phase("input").add("poll", poll);
    schedule.phase("update")
        .add("grow", grow, {.after = {"physics"}})
        .add("move", move, {.sets = {"physics"}})
        .add("bounce", bounce, {.after = {"move"}, .sets = {"physics"}});
    schedule.phase("output").add("draw", draw, {.after = {"physics", "grow"}});
    // @end
    schedule.run(world, 1);
    world.set_singleton(clock{0});
    schedule.run(world, 1);
    expect(ran == "poll move bounce grow draw poll grow draw ", ran);
}

void record_in_a_loop_of_several_threads() {
    ecs::world world;
    world.spawn_n(20'000, health{0});
    world.spawn(health{1});
    // @begin thread_commands
    ecs::thread_commands recorders(world);
    world.par_each([&](ecs::entity e, const health& h) {
        if (h.points <= 0) recorders.local().despawn(e);
    });
    world.flush();
    // @end
    expect(world.query<health>().count() == 1, "one is left");
}

// @begin deterministic
constexpr auto move = [](position& p, const velocity& v) { p.x += v.x; };
constexpr auto rest = [](health& h, ecs::without<velocity>) { ++h.points; };
constexpr auto reap = [](ecs::entity e, const health& h, ecs::commands& c) {
    if (h.points <= 0) c.despawn(e);
};
static_assert(ecs::deterministic<decltype(move), decltype(rest)>);
static_assert(ecs::deterministic<decltype(move), decltype(reap)>);
static_assert(!ecs::deterministic<decltype(move), decltype(rest), decltype(reap)>); // Of health.
// @end

// @begin states
enum class mode : unsigned char { menu, game };
// @end

void states() {
    ecs::world world;
    std::string ran;
    const auto load = [&](ecs::world&) { ran += "load "; };
    const auto play = [&](ecs::world&) { ran += "play "; };
    const auto hide_menu = [&](ecs::world&) { ran += "hide "; };
    // @begin states
    ecs::schedule schedule;
    schedule.state(mode::menu);
    schedule.add("start", [](ecs::resource<ecs::state<mode>> m) { m->go_to(mode::game); },
                 {.run_if = ecs::in_state(mode::menu)});
    schedule.add("hide menu", hide_menu, {.before = {"load"}, .run_if = ecs::on_leave(mode::menu)});
    schedule.add("load", load, {.run_if = ecs::on_enter(mode::game)});
    schedule.add("play", play, {.after = {"load"}, .run_if = ecs::in_state(mode::game)});
    // @end
    for (int i = 0; i < 3; ++i) schedule.run(world, 1);
    expect(ran == "hide load play play ", ran);
}

// @begin profiling
class zones final : public ecs::profiler {
  public:
    void begin(ecs::activity what, std::string_view name) noexcept override {
        if (what == ecs::activity::system) open.emplace_back(name); // A zone of the profiler begins here.
    }
    void end(ecs::activity what, std::string_view) noexcept override {
        if (what == ecs::activity::system) ++ended;
    }
    std::vector<std::string> open;
    int ended = 0;
};
// @end

void profiling() {
    ecs::world world;
    zones told;
    ecs::schedule schedule;
    schedule.add("move", [](position& p, const velocity& v) { p.x += v.x; });
    schedule.profile_with(&told);
    schedule.run(world, 1);
    expect(told.open == std::vector<std::string>{"move"} && told.ended == 1, "a profiler");
}

} // namespace

int main() {
    keys();
    changes_in_a_loop();
    phases();
    profiling();
    states();
    sets();
    conditions();
    filters();
    resources();
    captures();
    record_in_a_loop_of_several_threads();
    return mistakes == 0 ? 0 : 1;
}
