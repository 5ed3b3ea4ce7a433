// SPDX-License-Identifier: MIT
#include <cstdint>

import ecs.id;
import ecs.registry;

using tiny = ecs::layout<std::uint8_t, ecs::index<"key", 1, 0>, ecs::generation<"version", 3, 2>>;
using trapping = ecs::basic_registry<tiny, ecs::whole_index_space<tiny>, ecs::trap>;

/// Destroys the first index so often.
template <int Times> constexpr bool destroys() {
    trapping ids;
    for (int n = 0; n < Times; ++n) ids.destroy(ids.create());
    return true;
}

constexpr auto pair = ecs::build<ecs::layouts::pair>().set<"relation">(1).set<"target">(2).id();

void use(ecs::registry& ids) {
#ifdef ECS_EXPECT_OK
    static_assert(destroys<2>());
    (void)ids.status(pair);
    (void)ids.create();
#else
    // refused: (no viable conversion from|cannot convert) .*"relation"
    (void)ids.alive(pair);
    // refused: no matching (member )?function for call to .*status
    // refused: distinguishable
    (void)ids.status(ecs::basic_id<ecs::layout<std::uint64_t, ecs::index<"index", 63, 0>>>{});
    // refused: ignoring return value
#pragma GCC diagnostic error "-Wunused-result"
    ids.create();
    // refused: (must be initialized by|called in) a constant expression
    // refused: trap_spent_index|Exhaustion = ecs::trap
    [[maybe_unused]] constexpr bool spent = destroys<3>();
#endif
}
