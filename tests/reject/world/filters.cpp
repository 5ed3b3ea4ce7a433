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
#if defined(ECS_EXPECT_OK)
    world.each([](const health&, ecs::changed<health>) {});
    world.query<const health, ecs::changed<health>>().each(watch);
    reader.each([](const health&, ecs::without<frozen>) {});
    world.modify(e, [](health&) {});
    ecs::schedule().add("read", [](ecs::resource<const health>) {});
#elif defined(WATCH_CHANGES_BY_A_FUNCTION)
    world.each(watch);
#elif defined(ASK_A_CONST_WORLD_FOR_CHANGES)
    reader.each([](const health&, ecs::changed<health>) {});
#elif defined(MODIFY_WITH_A_FILTER)
    world.modify(e, [](health&, ecs::without<frozen>) {});
#elif defined(RESOURCE_WITHOUT_A_VALUE)
    ecs::schedule().add("read", [](ecs::resource<frozen>) {});
#elif defined(LOOP_WITH_A_RESOURCE)
    world.each([](const health&, ecs::resource<const health>) {});
#elif defined(ADD_A_FILTER)
    world.add<ecs::without<frozen>>(e);
#elif defined(OBSERVE_A_FILTER)
    world.observe<ecs::event::set, health, ecs::has<frozen>>([](const health&) {});
#endif
    (void)reader, (void)e;
}
