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

#ifdef ECS_EXPECT_OK
static_assert(ecs::deterministic<draw, bounce>);
#else
// refused: static assertion failed
// refused: order_of<draw, move, position>
static_assert(ecs::deterministic<draw, bounce, move>);
// refused: static assertion failed
// refused: order_of<bounce, reap, ecs::recorded_commands>
static_assert(ecs::deterministic<bounce, reap>);
// refused: static assertion failed
// refused: order_of<clean, draw, .*>
static_assert(ecs::deterministic<clean, draw>);
#endif
