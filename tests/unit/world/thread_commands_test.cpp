// SPDX-License-Identifier: MIT
// A commands object for each thread of a loop: who is given which.
#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

namespace thread_commands_test {
namespace {

struct position {
    float x;
};
struct health {
    int points;
};

/// The object that a thread gets, and one that it gets when it asks again.
std::pair<ecs::commands*, ecs::commands*> ask_twice(ecs::thread_commands& of) {
    return {&of.local(), &of.local()};
}

TEST(thread_commands, are_the_same_for_a_thread_whatever_it_asked_meanwhile) {
    ecs::world world;
    ecs::thread_commands first(world), second(world);
    const auto [mine, again] = ask_twice(first);
    EXPECT_EQ(mine, again);
    EXPECT_NE(&second.local(), mine);
    EXPECT_EQ(&first.local(), mine);
    world.flush();
    EXPECT_EQ(&first.local(), mine);
}

TEST(thread_commands, are_others_for_another_thread) {
    ecs::world world;
    ecs::thread_commands recorders(world);
    ecs::commands* const mine = &recorders.local();
    ecs::commands* others{};
    std::thread([&] {
        others = &recorders.local();
        others->spawn(position{1});
    }).join();
    mine->spawn(position{2});
    EXPECT_NE(others, mine);
    world.flush();
    EXPECT_EQ(world.query<const position>().count(), 2U);
}

TEST(thread_commands, of_a_thread_that_has_ended_go_to_the_next_one) {
    ecs::world world;
    ecs::thread_commands recorders(world);
    std::vector<ecs::commands*> given{&recorders.local()};
    for (int i = 0; i < 3; ++i) std::thread([&] { given.push_back(&recorders.local()); }).join();
    EXPECT_NE(given[1], given[0]);
    EXPECT_EQ(given[2], given[1]);
    EXPECT_EQ(given[3], given[1]);
    EXPECT_EQ(&recorders.local(), given[0]);
}

/// Records when its thread ends: made before the thread asks for commands, it ends after what they keep of
/// it.
struct last_words {
    ecs::thread_commands* of{};
    ecs::commands** kept{};
    ~last_words() {
        if (!of) return;
        of->local().spawn(health{1});
        *kept = &of->local();
    }
};

TEST(thread_commands, of_a_thread_that_is_ending_are_nobody_elses) {
    ecs::world world;
    ecs::thread_commands recorders(world);
    ecs::commands *at_the_end{}, *of_the_next{};
    std::thread([&] {
        static thread_local last_words words;
        words.of = &recorders;
        words.kept = &at_the_end;
        std::ignore = recorders.local();
    }).join();
    std::thread([&] { of_the_next = &recorders.local(); }).join();
    EXPECT_NE(of_the_next, at_the_end) << "that thread may still record in it, for all that anybody knows";
    world.flush();
    EXPECT_EQ(world.query<const health>().count(), 1U);
}

TEST(thread_commands, made_where_others_have_ended_are_no_continuation) {
    ecs::world world, other;
    std::optional<ecs::thread_commands> recorders(world);
    recorders->local().spawn(position{1});
    recorders.emplace(other);
    recorders->local().spawn(position{2});
    recorders.reset();
    world.flush();
    other.flush();
    EXPECT_EQ(world.query<const position>().count(), 1U);
    EXPECT_EQ(other.query<const position>().count(), 1U);
}

TEST(thread_commands, record_in_a_loop_of_several_threads) {
    ecs::world world;
    constexpr std::size_t count = 60'000;
    world.spawn_n(count, [](std::size_t i) { return health{static_cast<int>(i % 3)}; });
    ecs::thread_commands recorders(world);
    for (std::size_t round = 1; round <= 2; ++round) {
        world.par_each([&](ecs::entity e, const health& h) {
            if (h.points == 0) recorders.local().despawn(e);
            if (h.points == 1) recorders.local().set(e, health{0});
            if (h.points == 2) std::ignore = recorders.local().spawn(position{1});
        });
        world.flush();
        EXPECT_EQ(world.query<const health>().count(), count - round * count / 3);
        EXPECT_EQ(world.query<const position>().count(), round * count / 3);
    }
}

} // namespace
} // namespace thread_commands_test
