// SPDX-License-Identifier: MIT
// An observer that wants to write to the event that it is told of does not compile. Alone, as systems.cpp.
import ecs.world;

struct click {
    static constexpr bool is_event = true;
    int button;
};

void use(ecs::world& world) {
#ifdef ECS_EXPECT_OK
    world.observe<click>([](const click&) {});
#else
    // refused: then, of an event of your own, const T&: a member that observers write is mutable
    // refused: no commands are needed: world.despawn.e. waits by itself
    world.observe<click>([](click& c) { ++c.button; });
#endif
}
