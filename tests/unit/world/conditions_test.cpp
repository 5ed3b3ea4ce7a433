// SPDX-License-Identifier: MIT
// Conditions: whether systems run, asked of the world, put together, and remembered.
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>

import ecs.world;

namespace conditions_test {
namespace {

struct position {
    int x;
};
struct gravity {
    int strength;
};
struct frozen {};

/// Which of the runs a condition holds in, as a text: "1001".
struct conditions : testing::Test {
    ecs::world world;
    ecs::schedule schedule;
    std::string held;

    void watch(const std::string& name, ecs::condition when) {
        schedule.add(name, [this](ecs::world&) { held.back() = '1'; }, {.run_if = std::move(when)});
    }
    void run() {
        held += '0';
        schedule.run(world, 1);
    }
    void run(int times) {
        for (int i = 0; i < times; ++i) run();
    }
};

TEST_F(conditions, take_what_systems_take) {
    watch("w", [](const ecs::world& w) { return w.has_singleton<gravity>(); });
    run();
    world.set_singleton(gravity{1});
    run();
    schedule.remove("w");
    watch("resource", [](ecs::resource<const gravity> g) { return g->strength > 1; });
    run();
    world.set_singleton(gravity{2});
    run();
    schedule.remove("resource");
    watch("query", [](ecs::query<const position, ecs::without<frozen>>& q) { return !q.empty(); });
    run();
    world.spawn(position{1});
    run();
    schedule.remove("query");
    watch("time", [](const ecs::tick& t) { return t.number > 6; });
    run(2);
    EXPECT_EQ(held, "01010101");
}

TEST_F(conditions, may_be_any_function_that_the_world_can_be_given_to) {
    watch("generic", [](const auto& w) { return w.template has_singleton<gravity>(); });
    run();
    world.set_singleton(gravity{1});
    run();
    EXPECT_EQ(held, "01");
    schedule.add("empty", [](ecs::world&) {}, {.run_if = std::function<bool(const ecs::world&)>()});
    run();
    EXPECT_EQ(schedule.times()[1].runs, 1U) << "nothing is asked by a function that is none";
}

TEST_F(conditions, are_joined_and_negated) {
    for (const int bits : {0, 1, 2, 3}) {
        const bool a = bits % 2 != 0, b = bits > 1;
        const auto is = [](bool it) { return ecs::condition([it](const ecs::tick&) { return it; }); };
        ecs::schedule all;
        std::string ran;
        const auto add = [&](char name, const ecs::condition& when) {
            all.add(std::string(1, name), [&ran, name](ecs::world&) { ran += name; }, {.run_if = when});
        };
        add('a', is(a) and is(b));
        add('o', is(a) or is(b));
        add('n', not is(a));
        add('m', !(is(a) && !is(b)) || (is(b) && [](const ecs::tick&) { return false; }));
        add('t', ecs::condition() && not(not ecs::condition()));
        all.run(world, 1);
        std::string wanted;
        if (a && b) wanted += 'a';
        if (a || b) wanted += 'o';
        if (!a) wanted += 'n';
        if (!(a && !b)) wanted += 'm';
        EXPECT_EQ(ran, wanted + 't') << bits;
    }
}

TEST_F(conditions, ask_the_right_one_where_the_left_one_does_not_decide) {
    int asked = 0;
    const auto count = [&](const ecs::tick&) { return ++asked > 0; };
    const auto never = ecs::condition([](const ecs::tick&) { return false; });
    schedule.add([](ecs::world&) {}, {.run_if = never && count});
    schedule.add([](ecs::world&) {}, {.run_if = !never || count});
    schedule.run(world, 1);
    EXPECT_EQ(asked, 0);
    schedule.add([](ecs::world&) {}, {.run_if = never || count});
    schedule.run(world, 1);
    EXPECT_EQ(asked, 1);
}

TEST_F(conditions, hold_once_or_every_so_often) {
    watch("once", ecs::once());
    run(3);
    schedule.remove("once");
    watch("every", ecs::every(3));
    run(7);
    EXPECT_EQ(held, "1001001001");
    EXPECT_THROW((void)ecs::every(0), std::invalid_argument);
}

TEST_F(conditions, go_their_own_way_when_they_are_copied) {
    const ecs::condition first = ecs::once();
    ecs::condition second = first;
    std::string ran;
    schedule.add([&](ecs::world&) { ran += 'a'; }, {.run_if = first});
    schedule.run(world, 1);
    schedule.add([&](ecs::world&) { ran += 'b'; }, {.run_if = second});
    second = ecs::condition();
    EXPECT_TRUE(second.is_empty());
    EXPECT_FALSE(first.is_empty());
    schedule.run(world, 1);
    EXPECT_EQ(ran, "ab");
}

TEST_F(conditions, hold_when_a_component_has_changed) {
    const auto e = world.spawn();
    watch("changed", ecs::on_change<position>());
    run(); // Nobody has one.
    world.set(e, position{1});
    run(2);
    world.patch<position>(e, [](position& p) { p.x = 2; });
    run(2);
    world.each([](position& p) { ++p.x; });
    run(2);
    world.each([](const position&) {});
    run();
    EXPECT_EQ(held, "01010100");
}

TEST_F(conditions, hold_when_a_resource_has_changed_and_no_other_value_of_its_type) {
    watch("changed", ecs::on_resource_change<gravity>());
    const auto e = world.spawn(gravity{1});
    run(); // There is none.
    world.set_singleton(gravity{1});
    run(2);
    world.set(e, gravity{2});
    run();
    bool writes = true;
    schedule.phase("later").add("write", [&](ecs::resource<gravity> g) {
        if (writes) g->strength = 3;
    });
    run(); // Written after the condition was asked.
    writes = false;
    run(2);
    EXPECT_EQ(held, "0100010");
}

TEST_F(conditions, keep_systems_from_a_resource_that_is_not_there) {
    int seen = 0;
    schedule.add("see", [&](ecs::resource<const gravity> g) { seen += g->strength; },
                 {.run_if = ecs::has_resource<gravity>()});
    schedule.run(world, 1);
    world.set_singleton(gravity{5});
    schedule.run(world, 1);
    EXPECT_EQ(seen, 5);
}

TEST_F(conditions, are_failures_of_their_system_when_their_resource_is_not_there) {
    watch("weigh", [](ecs::resource<const gravity> g) { return g->strength > 0; });
    held += '0';
    try {
        schedule.run(world, 1);
        FAIL() << "there is no gravity";
    } catch (const ecs::schedule_error& error) {
        ASSERT_EQ(error.failures.size(), 1U);
        EXPECT_EQ(error.failures[0].name, "weigh");
    }
}

TEST_F(conditions, follow_the_schedule_to_another_world) {
    watch("changed", ecs::on_change<position>() || ecs::has_resource<gravity>());
    world.spawn(position{1});
    run(2);
    ecs::world other;
    held += '0';
    schedule.run(other, 1);
    other.set_singleton(gravity{1});
    held += '0';
    schedule.run(other, 1);
    EXPECT_EQ(held, "1001");
}

TEST_F(conditions, once_holds_again_in_another_world) {
    watch("w", ecs::once());
    ecs::world other;
    for (ecs::world* in : {&world, &world, &other, &other, &world}) {
        held += '0';
        schedule.run(*in, 1);
    }
    EXPECT_EQ(held, "10101");
}

TEST_F(conditions, and_systems_know_what_they_have_seen_when_another_component_ends) {
    int greeted = 0;
    schedule.add("greet", [&](const position&, ecs::added<position>) { ++greeted; });
    watch("w", ecs::on_change<position>());
    int looped = 0;
    const auto loop = [&](const position&, ecs::added<position>) { ++looped; };
    world.spawn(position{1});
    run(2);
    world.each(loop);
    world.despawn(world.component<frozen>());
    run();
    world.each(loop);
    EXPECT_EQ(held, "100");
    EXPECT_EQ(greeted, 1);
    EXPECT_EQ(looped, 1);
    world.despawn(world.component<position>()); // This one begins anew.
    world.spawn(position{1});
    run();
    world.each(loop);
    EXPECT_EQ(held, "1001");
    EXPECT_EQ(greeted, 2);
    EXPECT_EQ(looped, 2);
}

TEST_F(conditions, and_systems_of_a_running_schedule_are_not_looked_at_in_another_world) {
    ecs::world other;
    int refused = 0;
    schedule.add("debug", [&](ecs::world&) {
        for (int what = 0; what < 3; ++what) try {
                if (what == 0) std::ignore = schedule.dot(other);
                if (what == 1) std::ignore = schedule.svg(other);
                if (what == 2) std::ignore = schedule.ambiguities(other);
            } catch (const ecs::schedule_setup_error&) {
                ++refused;
            }
    });
    run();
    EXPECT_EQ(refused, 3);
}

TEST_F(conditions, and_systems_without_a_name_get_one_that_nobody_has) {
    schedule.add("system 1", [](ecs::world&) {});
    schedule.add([](ecs::world&) {});
    schedule.add([](ecs::world&) {});
    run();
    EXPECT_EQ(schedule.times().size(), 3);
}

TEST_F(conditions, of_a_system_with_a_step_are_asked_when_a_step_is_due) {
    int first = 0, paused = 0;
    bool pause = false;
    schedule.add("first", [&](ecs::world&) { ++first; }, {.run_if = ecs::once(), .step = 2});
    schedule.add("paused", [&](ecs::world&) { ++paused; },
                 {.run_if = [&](const ecs::world&) { return !pause; }, .step = 2});
    const auto run_for = [&](int seconds) {
        for (int i = 0; i < seconds; ++i) schedule.run(world, 1, 1);
    };
    run_for(3);
    EXPECT_EQ(first, 1);
    EXPECT_EQ(paused, 1);
    pause = true;
    run_for(6);
    pause = false;
    run_for(1);
    EXPECT_EQ(paused, 2) << "steps of the pause are not made up for";
    EXPECT_EQ(first, 1);
}

TEST_F(conditions, and_systems_that_come_and_go_do_not_use_up_a_deterministic_world) {
    world.make_deterministic(0);
    for (int times = 0; times < 2000; ++times) {
        schedule.add("spawns", [](ecs::commands& c) { std::ignore = c.spawn(gravity{1}); });
        run();
        schedule.remove("spawns");
        world.clear();
    }
    EXPECT_LT(world.memory_bytes(), std::size_t{1} << 20U);
}

} // namespace
} // namespace conditions_test
