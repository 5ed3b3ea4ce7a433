// SPDX-License-Identifier: MIT
// A condition that would write does not compile.
import ecs.world;

struct health {
    int amount;
};

void use(ecs::schedule& schedule) {
#if defined(ECS_EXPECT_OK)
    const auto f = [](ecs::query<const health, ecs::entity>& q, ecs::tick) { return q.empty(); };
#elif defined(CONDITION_THAT_WRITES)
    const auto f = [](ecs::query<health>& q) { return q.empty(); };
#elif defined(CONDITION_OF_THE_WORLD)
    const auto f = [](ecs::world& w) { return w.is_locked(); };
#elif defined(CONDITION_FOR_EACH_ENTITY)
    const auto f = [](const health& h) { return h.amount > 0; };
#elif defined(CONDITION_WITHOUT_AN_ANSWER)
    const auto f = [](const ecs::world&) {};
#endif
    schedule.add([] {}, {.run_if = f});
}
