// SPDX-License-Identifier: MIT
// A system that takes a query of a text does not compile: it asks the world. Alone, as systems.cpp.
import ecs.world;

void use(ecs::schedule& schedule) {
#ifdef ECS_EXPECT_OK
    schedule.add("system", [](ecs::query<>&) {});
#else
    // refused: this is no component: (a system takes commands&, query<...>&, world&|it is what loops and systems are given)
    schedule.add("system", [](ecs::text_query&) {});
#endif
}
