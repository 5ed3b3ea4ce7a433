// SPDX-License-Identifier: MIT
// What would never be told, or would write to what can only be read, does not compile.
import ecs.world;

struct health {
    int amount;
};
struct frozen {};
struct socket_like {
    socket_like(socket_like&&) noexcept;
    socket_like& operator=(socket_like&&) noexcept;
    int number;
};
struct click {
    static constexpr bool is_event = true;
    int button;
};
struct opened {
#if defined(ECS_EXPECT_OK)
    static void on_add(ecs::world&, ecs::entity, opened&) {}
    static void on_set(const ecs::world&, ecs::entity, const opened&) {}
    static void on_remove(ecs::world&, ecs::entity) {}
#elif defined(HOOK_OF_ANOTHER_SIGNATURE)
    static void on_add(ecs::entity, int) {}
#elif defined(HOOK_OF_ITS_OBJECT)
    void on_set(ecs::world&, ecs::entity) {}
#elif defined(HOOK_WITHOUT_THE_WORLD)
    static void on_remove(opened&) noexcept {}
#endif
    int files;
};

void use(ecs::world& world, ecs::entity e) {
    const ecs::world& reader = world;
    world.spawn(opened{1});
#if defined(ECS_EXPECT_OK)
    world.observe<ecs::event::set, health>([](const health&) {});
    world.observe<ecs::event::set, health, ecs::previous<health>>([](const health&, const health*) {});
    world.observe<ecs::event::added, ecs::event::set>(world.query<health>().without<click>(), [](health&) {});
    world.observe<click>(world.query<health>(), [](const click&, health&) {});
    world.observe<click>([](const click&) {});
    world.observe<ecs::event::custom, health>([](const health&) {});
    world.observe<ecs::event::table_created>([] {});
    world.monitor<health>([](ecs::entity, bool) {});
    world.hook<ecs::event::enabled, health>([](health&) {});
    world.add(ecs::child_of, ecs::ordered);
    reader.each([](ecs::entity, const health&, const click*) {});
    (void)reader.query<const health>().count();
    (void)reader.query<ecs::entity, ecs::matched, ecs::up<const health>>();
    (void)e;
#elif defined(OBSERVE_A_COMPONENT_AS_AN_EVENT)
    world.observe<health>([](ecs::entity, const health&) {});
#elif defined(OBSERVE_A_COMPONENT_THAT_IS_WRITTEN)
    world.observe<health>([](ecs::entity, health&) {});
#elif defined(OBSERVE_SOME_EVENT_OF_ONES_OWN)
    world.observe<ecs::event::custom>([](ecs::entity) {});
#elif defined(OBSERVE_WHAT_IS_FOR_MONITORS)
    world.observe<ecs::event::matching, health>([](ecs::entity) {});
#elif defined(OBSERVE_A_QUERY_FOR_MONITORS)
    world.observe<ecs::event::added, ecs::event::matching>(world.query<health>(), [](ecs::entity) {});
#elif defined(OBSERVE_A_QUERY_OF_WHAT_IS_DISABLED)
    world.observe<ecs::event::disabled>(world.query<health>(), [](ecs::entity) {});
#elif defined(OBSERVE_A_QUERY_OF_TABLES)
    world.observe<ecs::event::table_created>(world.query<health>(), [] {});
#elif defined(OBSERVE_A_QUERY_OF_NO_EVENT)
    world.observe<health>(world.query<health>(), [](ecs::entity) {});
#elif defined(OBSERVE_TABLES_OF_A_COMPONENT)
    world.observe<ecs::event::table_created, health>([] {});
#elif defined(PREVIOUS_OF_WHAT_IS_NOT_COPIED)
    world.observe<ecs::event::set, ecs::previous<socket_like>>([](const socket_like*) {});
#elif defined(PREVIOUS_OF_A_TAG)
    world.observe<ecs::event::set, ecs::previous<frozen>>([](const frozen*) {});
#elif defined(PREVIOUS_OF_ANOTHER_EVENT)
    world.observe<ecs::event::removed, health, ecs::previous<health>>([](const health&, const health*) {});
#elif defined(PREVIOUS_OF_AN_EVENT_OF_ONES_OWN)
    world.observe<click, ecs::previous<health>>([](const click&, const health*) {});
#elif defined(HOOK_OF_AN_EVENT)
    world.hook<ecs::event::custom, health>([](health&) {});
#elif defined(HOOK_OF_WHAT_IS_FOR_MONITORS)
    world.hook<ecs::event::matching, health>([](health&) {});
#elif defined(WRITE_TO_A_CONST_WORLD)
    reader.each([](health&) {});
#elif defined(QUERY_A_CONST_WORLD_TO_WRITE)
    (void)reader.query<health*>();
#endif
}
