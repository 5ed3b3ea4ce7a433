// SPDX-License-Identifier: MIT
// A system that takes what it could not use does not compile. Alone: g++ does not say where it was added.
import ecs.world;

void use(ecs::schedule& schedule) {
#ifdef ECS_EXPECT_OK
    schedule.add("system", [](ecs::commands&) {});
#else
    // refused: this is no component: (a system takes commands&, query<...>&, world&|it is what loops and systems are given)
    schedule.add("system", [](const ecs::commands&) {});
#endif
}
