// SPDX-License-Identifier: MIT
// Values, pairs and queries given where something else is meant: the error says what.
#include <memory>
#include <span>
#include <string>
#include <vector>
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
struct owes {
    int coins;
    void pay(position&) {}
};
using owes_to = ecs::pair_of<owes, likes>;
struct hit {
    static constexpr bool is_event = true;
};
struct miss {
    static constexpr bool is_event = true;
};

void use(ecs::world& world, ecs::entity e) {
    auto asked = world.query().with(ecs::pair(e, ecs::var("x")));
    auto text = world.query("position, !health");
#ifdef ECS_EXPECT_OK
    world.remove<position>(e);
    world.commands().remove<position>(e);
    world.commands().set(e, position{1, 2});
    world.commands().emit(e, hit{});
    (void)world.has<position>(e);
    world.commands().set(e, owner{});
    world.patch<position>(e, [](position& p) { p.x = 1; });
    (void)world.monitor<position>([](ecs::entity, bool) {});
    world.set(std::vector{e}, health{1});
    world.set(std::vector{e}, std::span<const health>());
    world.set<owes_to>(e, {1});
    world.emplace<owes>(e, 1);
    (void)world.getter<owes>();
    (void)world.component<owes>();
    world.despawn(asked.entities());
    (void)world.monitor(world.query<position>(), [](ecs::entity, bool) {});
    (void)world.observe<ecs::event::added>(world.query<position>(), [](ecs::entity) {});
    world.set_name(e, "Ann");
    world.add<likes>(e, e);
    world.each([](position& p) { p.x = 1; });
    world.query<position>().each([](position& p) { p.x = 1; });
    world.query<position>().each_pair([](auto, auto) {});
    world.emit(e, hit{});
    (void)world.get<position>(e);
    (void)world.spawn("Ann", position{});
    (void)world.spawn(position{}, std::string("a component"));
    (void)world.spawn();
    (void)world.spawn<>();
    (void)world.spawn<position, health>({1, 2}, {3});
    world.modified<position>(e);
    world.query<position>().with<likes>().each([](position& p) { p.x = 1; });
    world.query<position, likes>().each([](position& p, likes&) { p.x = 1; });
    world.set<owes>(e, e, {1});
    world.commands().set<owes>(e, e, {1});
    world.modify(e, [](position& p) { p.x = 1; });
    (void)world.query<position>().sort_by<position>(
        [](const position& a, const position& b) { return a.x < b.x; });
    (void)world.query<position>().sort_by([](ecs::entity a, ecs::entity b) { return a < b; });
    ecs::schedule().add("move", [](position& p) { p.x = 1; }, {.run_if = [] { return true; }});
    (void)world.monitor(world.query<position>("!health"), [](ecs::entity, bool) {});
    (void)world.observe<ecs::event::added>(world.query<position>("!health"), [](ecs::entity) {});
    (void)world.observe<ecs::event::added, ecs::event::removed>(world.query<position>(), [](ecs::entity) {});
    world.query<const health, ecs::up<const position>>().each([](const health&, const position&) {});
    world.query<const health, ecs::up<const position, likes>>().each([](const health&, const position&) {});
#else
    // refused: a query that is text alone cannot be observed: name one of its terms as a type
    (void)world.monitor(world.query("position, !health"), [](ecs::entity, bool) {});
    // refused: a query that is text alone cannot be observed: name one of its terms as a type
    (void)world.observe<ecs::event::added>(text, [](ecs::entity) {});
    // refused: the name comes first: write spawn.name, components.....
    (void)world.spawn(position{}, "Ann");
    // refused: spawn takes its components as values: write spawn.T.., U..., and not spawn<T, U>..
    (void)world.spawn<position, health>();
    // refused: set gives a pair its value: write set<R>.e, target, value., or add<R>.e, target.
    world.set<likes>(e, e);
    // refused: set gives a pair its value: write set<R>.e, target, value., or add<R>.e, target.
    world.commands().set<likes>(e, e);
    // refused: patch names the components: write patch<T>.e, f., or modify.e, f.
    world.patch(e, [](position& p) { p.x = 1; });
    // refused: patch names the components: write patch<T>.e, f.
    world.commands().patch(e, [](position& p) { p.x = 1; });
    // refused: or modified<T>.e. where it is written already
    world.patch<position>(e);
    // refused: f must take what the terms .*; what is only asked for, as a tag, is .with<T>.. or has<T>
    world.query<position, likes>().each([](position& p) { p.x = 1; });
    // refused: f must take what the terms .*; what is only asked for, as a tag, is .with<T>.. or has<T>
    world.query<position, likes>().with(ecs::pair(e, ecs::var("x"))).each([](position& p) { p.x = 1; });
    // refused: what compares values names their component: write sort_by<T>.less.
    (void)world.query<position>().sort_by([](const position& a, const position& b) { return a.x < b.x; });
    // refused: sort_by compares two values by <: give the type an operator<, or write
    (void)world.query<position>().sort_by<position>();
    // refused: the name of a system comes first: write add.name, f.
    ecs::schedule().add([](position& p) { p.x = 1; }, "move");
    // refused: a condition is a function, which is asked at each run
    ecs::schedule().add("move", [](position& p) { p.x = 1; }, {.run_if = true});
    // refused: a component is removed by its type: write remove<T>.e.
    world.remove(e, health{1});
    // refused: a component is removed by its type: write remove<T>.e.
    world.commands().remove(e, health{1});
    // refused: set takes a value of the component, not what it is made of: write set.e, T.....
    world.commands().set<position>(e, 1, 2);
    // refused: an event is emitted at an entity: write emit.e, event.
    world.commands().emit(hit{});
    // refused: a member function needs an object: write a lambda that calls it
    world.each(&owes::pay);
    // refused: a component is asked for by its type: write has<T>.e.
    (void)world.has(e, health{1});
    // refused: to give it this one write set.e, value.
    world.commands().add(e, owner{});
    // refused: patch calls f with the value: f takes a reference to it
    world.patch<position>(e, [](health&) {});
    // refused: f takes ecs::entity and bool
    (void)world.monitor<position>([](ecs::entity) {});
    // refused: several events are told of what a query finds: write observe<added, removed>.world.query<T>.., f.
    (void)world.observe<ecs::event::added, ecs::event::removed, position>([](ecs::entity) {});
    // refused: up and self_or_up are terms of a query, which hands out a const T& for them
    world.each([](const health&, ecs::up<const position>) {});
    // refused: up and self_or_up are terms of a query, which hands out a const T& for them
    world.each([](const health&, ecs::up<const position, likes>) {});
    // refused: up and self_or_up go along one relation, .* where R is the type of the relation
    (void)world.query<ecs::up<const position, owes_to>>();
    // refused: up and self_or_up go along one relation, .* where R is the type of the relation
    (void)world.query<ecs::self_or_up<const position, ecs::wildcard>>();
    // refused: a vector is no source of values: give std::span.values. for one value each
    world.set(std::vector{e}, std::vector{health{1}});
    // refused: emplace is for components: a pair gets its value by set<pair_of<R, T>>.e, value.
    world.emplace<owes_to>(e, 1);
    // refused: a getter is of components: get<pair_of<R, T>>.e. finds the value of a pair
    (void)world.getter<ecs::pair_of<owes, position>>();
    // refused: a pair is no component: id_of<pair_of<R, T>>.. of the world is its identifier
    (void)world.component<ecs::pair_of<owes, owner>>();
    // refused: write despawn.query.entities...
    world.despawn(asked);
    // refused: a name is given by set_name.e, text.
    world.set(e, "Ann");
    // refused: a relation is named by its type: write add<R>.e, target.
    world.add(e, likes{}, e);
    // refused: each visits what the parameters of f ask for: write each.*T. value.*, or query<T>.*each
    world.each<position>([](position& p) { p.x = 1; });
    // refused: a query takes types, and text: write query<T>...each.f.
    world.query<position>([](position& p) { p.x = 1; });
    // refused: take it by T&, by const T& or by T
    world.each([](position&& p) { p.x = 1; });
    // refused: each_pair calls f with two items
    world.query<position>().each_pair([](position&, position&) {});
    // refused: an event is emitted at an entity: write emit.e, event.
    world.emit(miss{});
    // refused: a component is written without &: get<T> returns a reference
    (void)world.get<position&>(e);
    // refused: variables cannot be observed
    (void)world.monitor(world.query().with(ecs::pair(e, ecs::var("x"))), [](ecs::entity, bool) {});
    // refused: variables cannot be observed
    (void)world.observe<ecs::event::added>(world.query<health>().with(ecs::pair(e, ecs::var("x"))),
                                           [](ecs::entity) {});
#endif
}
