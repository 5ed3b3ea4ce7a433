// SPDX-License-Identifier: MIT
// A filter or a resource that could not do what it says does not compile.
import ecs.world;

struct health {
    int amount;
};
struct frozen {};

void watch(const health&, ecs::changed<health>);

void use(ecs::world& world, ecs::entity e) {
    const ecs::world& reader = world;
#ifdef ECS_EXPECT_OK
    world.each([](const health&, ecs::changed<health>) {});
    world.query<const health, ecs::changed<health>>().each(watch);
    reader.each([](const health&, ecs::without<frozen>) {});
    world.modify(e, [](health&) {});
    ecs::schedule().add("read", [](ecs::resource<const health>) {});
#else
    // refused: is known by the type of its function, which functions of one signature share: pass a lambda
    world.each(watch);
    // refused: a const world does not know when the loop last looked for changes: keep a query
    reader.each([](const health&, ecs::changed<health>) {});
    // refused: modify is about one entity: ask has, and leave filters to loops and systems
    world.modify(e, [](health&, ecs::without<frozen>) {});
    // refused: a tag has no value: ask world.has_singleton
    ecs::schedule().add("read", [](ecs::resource<frozen>) {});
    // refused: this is no component: a system takes .*resource<T> or const tick&
    world.each([](const health&, ecs::resource<const health>) {});
    // refused: this is no component: it is what loops and systems are given, or a filter
    world.add<ecs::without<frozen>>(e);
    // refused: a filter is a term of a query
    world.observe<ecs::event::set, health, ecs::has<frozen>>([](const health&) {});
#endif
    (void)reader, (void)e;
}
