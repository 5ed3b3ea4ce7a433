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
#ifdef ECS_EXPECT_OK
struct opened {
    static void on_add(ecs::world&, ecs::entity, opened&) {}
    static void on_set(const ecs::world&, ecs::entity, const opened&) {}
    static void on_remove(ecs::world&, ecs::entity) {}
    int files;
};
void open(ecs::world& world) { world.spawn(opened{1}); }
#else
// refused: on_add is no hook: write static void on_add.ecs::world&, ecs::entity, T&.
struct opened {
    static void on_add(ecs::entity, int) {}
    int files;
};
void hook_of_another_signature(ecs::world& world) { world.spawn(opened{1}); }

// refused: on_set is no hook: write static void on_set.ecs::world&, ecs::entity, T&.
struct written {
    void on_set(ecs::world&, ecs::entity) {}
    int files;
};
void hook_of_its_object(ecs::world& world) { world.spawn(written{1}); }

// refused: on_remove is no hook: write static void on_remove.ecs::world&, ecs::entity, T&.
struct closed {
    static void on_remove(closed&) noexcept {}
    int files;
};
void hook_without_the_world(ecs::world& world) { world.spawn(closed{1}); }
#endif

void use(ecs::world& world, ecs::entity e) {
    const ecs::world& reader = world;
#ifdef ECS_EXPECT_OK
    world.observe<ecs::event::set, health>([](const health&) {});
    world.observe<ecs::event::set, health, ecs::previous<health>>([](const health&, const health*) {});
    world.observe<ecs::event::added, ecs::event::set>(world.query<health>().without<click>(), [](health&) {});
    world.observe<ecs::event::added>(world.query<health>().without<frozen>(), [](health&) {});
    world.observe<ecs::event::added, health, const frozen>([](health&, const frozen&) {});
    world.monitor<health, ecs::without<frozen>>([](ecs::entity, bool) {});
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
#else
    // refused: observe<T>.f. observes an event of your own, and T does not say
    // refused: to observe a component write observe<event::set, T>.f.
    world.observe<health>([](ecs::entity, const health&) {});
    // refused: observe<T>.f. observes an event of your own
    // refused: or write observe<event::custom, T>.f.
    world.observe<frozen>([](ecs::entity, frozen&) {});
    // refused: observe<event::custom>.f. does not say which event: write observe<event::custom, T>.f.
    world.observe<ecs::event::custom>([](ecs::entity) {});
    // refused: event::matching is for monitors: write monitor<Terms...>.f.
    world.observe<ecs::event::matching, health>([](ecs::entity) {});
    // refused: event::matching is for monitors: write monitor.query, f.
    world.observe<ecs::event::added, ecs::event::matching>(world.query<health>(), [](ecs::entity) {});
    // refused: what is disabled no longer satisfies the query: write monitor.query, f.
    world.observe<ecs::event::disabled>(world.query<health>(), [](ecs::entity) {});
    // refused: a query says which entities, and this event is none of a component or an entity
    world.observe<ecs::event::table_created>(world.query<health>(), [] {});
    // refused: observe<T>.f. observes an event of your own, and T does not say
    world.observe<socket_like>(world.query<health>(), [](ecs::entity) {});
    // refused: no term is asked for: write observe<event::table_created>.f.
    world.observe<ecs::event::table_created, health>([] {});
    // refused: previous<T> hands out a copy of the old value, and T cannot be copied
    world.observe<ecs::event::set, ecs::previous<socket_like>>([](const socket_like*) {});
    // refused: previous<T> asks for the old value, and a tag has no value
    world.observe<ecs::event::set, ecs::previous<frozen>>([](const frozen*) {});
    // refused: only a write has a value before it: write observe<event::set, T, previous<T>>.f.
    world.observe<ecs::event::removed, health, ecs::previous<health>>([](const health&, const health*) {});
    // refused: only a write has a value before it
    world.observe<click, ecs::previous<health>>([](const click&, const health*) {});
    // refused: a filter is a term of a query: write observe<event::added>.world.query<T>..
    world.observe<ecs::event::added, health, ecs::without<frozen>>([](ecs::entity) {});
    // refused: a filter is a term of a query
    world.observe<click, ecs::has<frozen>>([](const click&) {});
    // refused: a hook is told what happens to a component: write hook<event::added, T>.f.
    world.hook<ecs::event::custom, health>([](health&) {});
    // refused: a hook is told what happens to a component
    world.hook<ecs::event::matching, health>([](health&) {});
    // refused: a const world hands out nothing to be written: ask for const T or const T[*]
    reader.each([](health&) {});
    // refused: a const world hands out nothing to be written
    (void)reader.query<health*>();
#endif
}
