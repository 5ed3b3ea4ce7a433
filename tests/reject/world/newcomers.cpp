// SPDX-License-Identifier: MIT
// The programs of docs/how-to/mistakes.md that must not compile, and whose first error says what to write.
#include <memory>
import ecs.world;

struct position {
    float x, y;
};
struct health {
    int amount;
};
struct likes {};
struct owner {
    std::unique_ptr<int> of;
};
// A case has a singleton of its own: a compiler says once what is wrong with the terms of a function.
template <int> struct gravity_of {
    static constexpr auto properties = ecs::properties(ecs::singleton);
    float down;
};
using gravity = gravity_of<0>;
enum class mode : unsigned char { menu, game };

void use(ecs::world& world, ecs::schedule& schedule, ecs::entity e, ecs::entity parent) {
#ifdef ECS_EXPECT_OK
    const ecs::world& read = world;
    world.set(e, position{1, 2});
    world.set<position>(e, {1, 2});
    world.set<float>(e, 1);
    world.set<health>(e, parent, {1});
    world.set<health>(e, parent, health{1});
    world.set(e, position{1, 2}, health{3});
    world.set<owner>(e, owner{});
    world.add(e, ecs::child_of, parent);
    world.add(e, world.component<likes>(), parent);
    world.commands().add(e, ecs::child_of, parent);
    world.each([](position& p, const float& f) { p.x += f; });
    read.each([](const position&, ecs::entity) {});
    world.each([](ecs::entity, const gravity&, ecs::without<likes>, const position*) {});
    world.each([](position&, const gravity*) {});
    world.each([](const gravity&, const ecs::component_info&) {});
    schedule.add("alone", [](gravity& g, const ecs::tick&) { g.down = 1; });
    schedule.add("fall", [](position& p, ecs::resource<const gravity> g) { p.y -= g->down; });
    schedule.state(mode::menu);
    schedule.add("rest", [](position& p, ecs::resource<const ecs::state<mode>> m) {
        if (m->current() == mode::game) p.y = 0;
    });
    schedule.add("stay", [](ecs::state<mode>& m) { m.go_to(mode::menu); });
    world.query<const ecs::pair_of<health, likes>>().each([](const health&) {});
    schedule.add("owed", [](ecs::query<const ecs::pair_of<health, likes>>& all) { all.each([](health) {}); });
    schedule.run(world, 1);
    schedule.run(world, 0, 0.1);
    world.emit(parent, health{});
    auto query = world.query<position>();
    for (auto [found, p] : query) p.x = 0;
    for (const ecs::entity found : query.entities()) (void)world.get<position>(found);
    auto commands = world.commands();
    commands.despawn(e);
#else
    // refused: to give it this one write set.e, value.
    world.add(e, position{1, 2});
    // refused: set takes a value of the component, not what it is made of: write set.e, T{...}.
    world.set<position>(e, 1, 2);
    // refused: set takes a value of the component
    world.set<health>(e, position{1, 2});
    // refused: which entity a type is a world knows: write world.add<Relation>.e, target.
    world.add(e, ecs::pair<likes>(parent));
    // refused: those of a generic lambda have no types: name the terms with query
    world.each([](auto& p) { p.x = 0; });
    // refused: a number is no component that an entity would have: let the lambda capture it
    world.each([](position& p, float seconds) { p.x += seconds; });
    // refused: a number is no component that an entity would have
    {
        const ecs::world& read = world;
        read.each([](const position&, double) {});
    }
    // refused: a number is no component that an entity would have
    world.par_each([](position& p, int steps) { p.x += static_cast<float>(steps); });
    // refused: a number is no component .*the time of the run is a const ecs::tick&
    schedule.add("move", [](position& p, float seconds) { p.x += seconds; });
    // refused: only the component's own entity has a singleton: take ecs::resource<const T> in a system, or
    world.each([](position& p, const gravity& g) { p.y -= g.down; });
    // refused: only the component's own entity has a singleton
    {
        const ecs::world& read = world;
        read.each([](const gravity_of<1>&, gravity_of<2>) {});
    }
    // refused: only the component's own entity has a singleton
    world.par_each([](ecs::entity, const gravity_of<3>&, health&, const position*) {});
    // refused: only the component's own entity has a singleton
    schedule.add("fall", [](const gravity_of<4>& g, position& p, const ecs::tick&) { p.y -= g.down; });
    // refused: only the component's own entity has a singleton
    schedule.add("rest", [](position& p, const ecs::state<mode>&) { p.y = 0; });
    // refused: a loop hands out the value of a pair and not a pair_of: write world.query<const pair_of<R, T>>
    world.each([](const ecs::pair_of<health, likes>&) {});
    // refused: a loop hands out the value of a pair and not a pair_of
    world.par_each([](ecs::entity, const ecs::pair_of<health, position>*) {});
    // refused: a loop hands out the value of a pair .* a system takes query<const pair_of<R, T>>&
    schedule.add("owed", [](const ecs::pair_of<likes, health>&, const ecs::tick&) {});
    // refused: the time comes last: write run.world, 0, seconds.
    schedule.run(world, 0.1);
    // refused: an entity has a component once
    world.spawn(position{}, position{});
    // refused: this is no type of a component, which is written without const, [*], & and ..
    (void)world.query<position&>();
    // refused: f wants to write what the query only reads
    world.query<const position>().each([](position& p) { p.x = 0; });
    // refused: a query that is text alone hands out a const text_match&
    world.query("position").each([](position& p) { p.x = 0; });
    // refused: to observe a component write observe<event::set, T>.f.
    (void)world.observe<health>([](ecs::entity, health&) {});
    // refused: an event is a value, also where it has no members: write emit.e, Event
    world.emit<health>(parent);
    // refused: (a world is neither copied nor moved: pass a world&|use of deleted function)
    const ecs::world copy = world;
    // refused: (non-const lvalue reference to type .* cannot bind to a temporary|cannot bind non-const lvalue reference of type)
    {
        auto query = world.query<position>();
        for (auto& [found, p] : query) p.x = 0;
    }
    // refused: no member named
    e.set(position{1, 2});
    // refused: no matching (member )?function for call to
    {
        auto query = world.query<position>();
        for (auto found : query) (void)world.get<position>(found);
    }
    // refused: ignoring return value of .*nodiscard
#pragma GCC diagnostic error "-Wunused-result"
    world.commands();
#endif
}
