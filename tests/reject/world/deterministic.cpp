// SPDX-License-Identifier: MIT
// Systems whose order matters do not pass for others, and the message says which two and in what.
import ecs.world;

struct position {
    int x;
};
struct velocity {
    int x;
};

struct move {
    void operator()(position&, const velocity&) const;
};
struct bounce {
    void operator()(velocity&, ecs::commands&) const;
};
struct draw {
    void operator()(const position&) const;
};
struct reap {
    void operator()(ecs::commands&) const;
};
struct clean {
    void operator()(ecs::world&) const;
};

#if defined(ECS_EXPECT_OK)
static_assert(ecs::deterministic<draw, bounce>);
#elif defined(ORDER_OF_A_COMPONENT)
static_assert(ecs::deterministic<draw, bounce, move>);
#elif defined(ORDER_OF_COMMANDS)
static_assert(ecs::deterministic<bounce, reap>);
#elif defined(ORDER_OF_THE_WORLD)
static_assert(ecs::deterministic<clean, draw>);
#endif
