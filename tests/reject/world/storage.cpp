// SPDX-License-Identifier: MIT
// Where a component can be kept, and what can be asked of it there, is checked when it is used.
#include <span>
import ecs.world;

struct position {
    float x = 0;
};
struct burning {
    static constexpr auto kept_in = ecs::storage::in_place;
    int heat = 1;
};
struct old_fashioned {
    static constexpr auto kept_in = ecs::storage::in_place;
    old_fashioned() = default;
    old_fashioned(const old_fashioned&) {}
    int value = 0;
};
struct heavy {
    static constexpr auto kept_in = ecs::storage::bits;
    int weight = 1;
};

void use(ecs::world& world, ecs::entity e) {
#ifdef ECS_EXPECT_OK
    world.add<burning>(e);
    world.query<const burning>().each_chunk([](std::span<const burning>) {});
    world.query<const position, const burning*>().each([](const position&, const burning*) {});
#else
    // refused: has a move that does not throw.*choose sparse
    world.add<old_fashioned>(e);
    // refused: bits take empty types
    world.add<heavy>(e);
    // refused: rows differ in an optional component that comes and goes in place: use each
    world.query<const position, const burning*>().each_chunk(
        [](std::span<const position>, std::span<const burning>) {});
#endif
}
