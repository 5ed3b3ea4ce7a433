// SPDX-License-Identifier: MIT
// A system that takes a term of queries as a parameter does not compile. Alone, as systems.cpp.
import ecs.world;

struct height {
    float up;
};

void use(ecs::schedule& schedule) {
#ifdef ECS_EXPECT_OK
    schedule.add("system", [](ecs::query<ecs::up<const height>>&) {});
#else
    // refused: (up and self_or_up are terms of a query, which hands out a const T& for them|it is what loops and systems are given)
    schedule.add("system", [](const ecs::self_or_up<const height>&) {});
#endif
}
