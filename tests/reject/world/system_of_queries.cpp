// SPDX-License-Identifier: MIT
// A system that takes a query that is const does not compile: to ask a query changes it. Alone, as
// systems.cpp.
import ecs.world;

struct height {
    float up;
};

void use(ecs::schedule& schedule) {
#ifdef ECS_EXPECT_OK
    schedule.add("system", [](ecs::query<const height>&) {});
#else
    // refused: a system takes a query by a reference that is not const
    schedule.add("system", [](const ecs::query<const height>&) {});
#endif
}
