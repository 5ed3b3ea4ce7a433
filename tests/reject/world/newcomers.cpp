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

void use(ecs::world& world, ecs::schedule& schedule, ecs::entity e, ecs::entity parent) {
#if defined(ECS_EXPECT_OK)
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
    schedule.run(world, 1);
    schedule.run(world, 0, 0.1);
    auto query = world.query<position>();
    for (auto [found, p] : query) p.x = 0;
    auto commands = world.commands();
    commands.despawn(e);
#elif defined(ADD_A_VALUE_TO_AN_ENTITY)
    world.add(e, position{1, 2});
#elif defined(SET_THE_PARTS_OF_A_VALUE)
    world.set<position>(e, 1, 2);
#elif defined(SET_A_PART_OF_A_VALUE)
    world.set<health>(e, position{1, 2});
#elif defined(RELATE_A_TYPE)
    world.add(e, ecs::pair<likes>(parent));
#elif defined(LOOP_WITHOUT_TYPES)
    world.each([](auto& p) { p.x = 0; });
#elif defined(LOOP_WITH_A_NUMBER)
    world.each([](position& p, float seconds) { p.x += seconds; });
#elif defined(READ_WITH_A_NUMBER)
    const ecs::world& read = world;
    read.each([](const position&, double) {});
#elif defined(LOOP_ON_THREADS_WITH_A_NUMBER)
    world.par_each([](position& p, int steps) { p.x += static_cast<float>(steps); });
#elif defined(MOVE_WITH_A_NUMBER)
    schedule.add("move", [](position& p, float seconds) { p.x += seconds; });
#elif defined(RUN_FOR_SECONDS)
    schedule.run(world, 0.1);
#elif defined(SPAWN_WITH_ONE_TYPE_TWICE)
    world.spawn(position{}, position{});
#elif defined(QUERY_A_REFERENCE)
    (void)world.query<position&>();
#elif defined(OBSERVE_A_COMPONENT)
    (void)world.observe<health>([](ecs::entity, health&) {});
#elif defined(COPY_A_WORLD)
    const ecs::world copy = world;
#elif defined(LOOP_OVER_REFERENCES)
    auto query = world.query<position>();
    for (auto& [found, p] : query) p.x = 0;
#elif defined(KEEP_NO_COMMANDS)
#pragma GCC diagnostic error "-Wunused-result"
    world.commands();
#endif
}
