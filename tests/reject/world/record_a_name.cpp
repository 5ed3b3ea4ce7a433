// SPDX-License-Identifier: MIT
// A name is not recorded as a value. Alone: it is the same instantiation that fails in adding.cpp, of which
// compilers speak once.
import ecs.world;

void use(ecs::world& world, ecs::entity e) {
#ifdef ECS_EXPECT_OK
    world.commands().set_name(e, "bob");
#else
    // refused: a name is given as text
    world.commands().set(e, ecs::name("bob"));
#endif
}
