// SPDX-License-Identifier: MIT
// A system that takes a resource that may be missing does not compile: its condition asks. Alone, as
// systems.cpp.
#include <optional>
import ecs.world;

struct gravity {
    float down;
};

void use(ecs::schedule& schedule) {
#ifdef ECS_EXPECT_OK
    schedule.add("system", [](ecs::resource<const gravity>) {}, {.run_if = ecs::has_resource<gravity>()});
#else
    // refused: this is no component: (a system takes commands&, query<...>&, world&|it is what loops and systems are given)
    schedule.add("system", [](std::optional<ecs::resource<const gravity>>) {});
#endif
}
