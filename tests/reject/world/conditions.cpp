// SPDX-License-Identifier: MIT
// A condition that would write does not compile.
import ecs.world;

struct health {
    int amount;
};

void use(ecs::schedule& schedule) {
#ifdef ECS_EXPECT_OK
    schedule.add([] {},
                 {.run_if = [](ecs::query<const health, ecs::entity>& q, ecs::tick) { return q.empty(); }});
#else
    // refused: a condition is asked once a run and only reads
    schedule.add([] {}, {.run_if = [](ecs::query<health>& q) { return q.empty(); }});
    // refused: a condition is asked once a run and only reads
    schedule.add([] {}, {.run_if = [](ecs::world& w) { return w.is_locked(); }});
    // refused: a condition is asked once a run and only reads
    schedule.add([] {}, {.run_if = [](const health& h) { return h.amount > 0; }});
    // refused: a condition returns a bool
    schedule.add([] {}, {.run_if = [](const ecs::world&) {}});
#endif
}
