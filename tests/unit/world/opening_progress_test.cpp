// SPDX-License-Identifier: MIT
// A thread that stops while it opens commands, wherever it asks for memory, keeps nobody else from recording.
#include "support/replaced_new.hpp"
#include "support/watched_atomics.hpp"
#include <cstddef>
#include <gtest/gtest.h>

import ecs.world;

/// An allocation is an access to what all threads share.
void before_allocation() { test::mine.access(); }

namespace {

struct position {
    int x = 0;
};

TEST(opening_progress, nobody_waits_for_a_thread_that_stopped_at_an_allocation) {
    constexpr int others = 9;
    bool has_stopped = true;
    std::size_t places = 0;
    for (; has_stopped && places < 1000; ++places) {
        ecs::world world;
        has_stopped = test::stop_before(
            places + 1, [&] { world.commands().despawn(ecs::entity{}); },
            [&] {
                for (int n = 0; n < others; ++n) world.commands().spawn(position{n});
            });
        const ecs::flush_report report = world.flush();
        EXPECT_EQ(report.spawned(), std::size_t{others});
        EXPECT_EQ(report.dropped(), 1U);
    }
    EXPECT_GT(places, 5U);
    EXPECT_FALSE(has_stopped);
}

} // namespace
