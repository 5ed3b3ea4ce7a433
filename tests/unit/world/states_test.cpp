// SPDX-License-Identifier: MIT
// States: systems that run while a world is in one, when it comes there and when it leaves.
#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>

import ecs.world;

namespace states_test {
namespace {

enum class mode : unsigned char { menu, game, score };
enum class weather : unsigned char { dry, wet };

/// A system for each state and each occasion, which writes a letter: upper case on entering, lower case
/// within, and a minus and the letter on leaving.
struct states : testing::Test {
    static constexpr char letters[] = {'m', 'g', 's'};

    states() {
        schedule.state(mode::menu);
        for (const mode m : {mode::menu, mode::game, mode::score}) {
            const char letter = letters[static_cast<std::size_t>(m)];
            schedule.add([this, letter](ecs::world&) { ran += std::string("-") + letter; },
                         {.phase = "leave", .run_if = ecs::on_leave(m)});
            schedule.add([this, letter](ecs::world&) { ran += static_cast<char>(letter - 'a' + 'A'); },
                         {.phase = "enter", .run_if = ecs::on_enter(m)});
            schedule.add([this, letter](ecs::world&) { ran += letter; },
                         {.phase = "stay", .run_if = ecs::in_state(m)});
        }
    }
    std::string run() {
        ran.clear();
        schedule.run(world, 1);
        return ran;
    }
    void go_to(mode m) { world.singleton<ecs::state<mode>>().go_to(m); }

    ecs::world world;
    ecs::schedule schedule;
    std::string ran;
};

TEST_F(states, begin_with_the_first_and_go_where_they_are_told_when_a_run_begins) {
    EXPECT_EQ(run(), "Mm");
    EXPECT_EQ(run(), "m");
    go_to(mode::game);
    EXPECT_EQ(world.singleton<ecs::state<mode>>().current(), mode::menu) << "until the next run";
    EXPECT_EQ(run(), "-mGg");
    EXPECT_EQ(world.singleton<ecs::state<mode>>().current(), mode::game);
    EXPECT_EQ(run(), "g");
}

TEST_F(states, that_the_program_sets_are_entered_in_the_next_run) {
    world.set_singleton(ecs::state(mode::game));
    EXPECT_EQ(run(), "Gg") << "instead of the first state of the schedule";
    EXPECT_EQ(run(), "g");
    world.set_singleton(ecs::state(mode::game));
    EXPECT_EQ(run(), "Gg") << "also the one that it is in";
    ecs::state score(mode::score);
    score.go_to(mode::menu);
    world.set_singleton(score);
    EXPECT_EQ(run(), "Mm") << "no run has begun in the state that it was told to leave";
}

TEST_F(states, that_a_system_sets_are_entered_once) {
    schedule.add([](ecs::world& in) { in.set_singleton(ecs::state(mode::game)); },
                 {.phase = "leave", .run_if = ecs::once()});
    EXPECT_EQ(run(), "g") << "in this run nobody enters, and nobody leaves";
    EXPECT_EQ(run(), "Gg");
    EXPECT_EQ(run(), "g");
}

TEST_F(states, go_where_they_were_told_last) {
    run();
    go_to(mode::game);
    go_to(mode::score);
    EXPECT_EQ(run(), "-mSs");
    go_to(mode::menu);
    go_to(mode::score);
    EXPECT_EQ(run(), "s") << "to go to the current state is to stay";
    EXPECT_EQ(run(), "s");
}

TEST_F(states, are_resources_of_systems) {
    schedule.add("start", [](ecs::resource<ecs::state<mode>> m) { m->go_to(mode::game); },
                 {.phase = "stay", .run_if = ecs::in_state(mode::menu)});
    schedule.add("see",
                 [this](ecs::resource<const ecs::state<mode>> m) { ran += m->is_entered() ? '!' : '.'; },
                 {.phase = "see"});
    EXPECT_EQ(run(), "Mm!");
    EXPECT_EQ(run(), "-mGg!");
    EXPECT_EQ(run(), "g.");
}

TEST_F(states, of_several_types_are_apart) {
    schedule.state(weather::dry);
    schedule.add([this](ecs::world&) { ran += '~'; },
                 {.phase = "rain", .run_if = ecs::in_state(weather::wet) and not ecs::in_state(mode::menu)});
    EXPECT_EQ(run(), "Mm");
    world.singleton<ecs::state<weather>>().go_to(weather::wet);
    EXPECT_EQ(run(), "m");
    go_to(mode::score);
    EXPECT_EQ(run(), "-mSs~");
    EXPECT_THROW(schedule.state(weather::wet), ecs::schedule_setup_error);
}

TEST_F(states, are_of_a_world_and_go_back_with_it) {
    run();
    const auto before = world.snapshot();
    go_to(mode::game);
    EXPECT_EQ(run(), "-mGg");
    ecs::world other;
    ran.clear();
    schedule.run(other, 1);
    EXPECT_EQ(ran, "Mm");
    EXPECT_EQ(run(), "g");
    world.restore(before);
    EXPECT_EQ(run(), "m");
    go_to(mode::score);
    run();
    ecs::world loaded;
    ran.clear();
    schedule.run(loaded, 1); // Its components are known from now on.
    ecs::load(loaded, ecs::save(world));
    ran.clear();
    schedule.run(loaded, 1);
    EXPECT_EQ(ran, "s");
}

TEST_F(states, begin_with_the_first_where_a_system_loads_a_world_without_any) {
    const ecs::world empty;
    const auto saved = ecs::save(empty);
    bool loads = false;
    schedule.add(
        [&](ecs::world& in) {
            if (loads) ecs::load(in, saved);
        },
        {.phase = "leave"});
    EXPECT_EQ(run(), "Mm");
    go_to(mode::game);
    EXPECT_EQ(run(), "-mGg");
    loads = true;
    EXPECT_EQ(run(), "m") << "of the run in which it is loaded";
    loads = false;
    EXPECT_EQ(run(), "Mm");
    EXPECT_EQ(run(), "m");
}

TEST_F(states, tell_observers_where_the_world_has_gone) {
    int told = 0;
    bool fails = false;
    const auto watch = world.observe<ecs::event::set, ecs::state<mode>>([&](const ecs::state<mode>& m) {
        ++told;
        if (fails) throw std::runtime_error("not " + std::to_string(static_cast<int>(m.current())));
    });
    run();
    run();
    const int first = told;
    go_to(mode::game);
    run();
    EXPECT_EQ(told, first + 1);
    fails = true;
    go_to(mode::score);
    ran.clear();
    try {
        schedule.run(world, 1);
        FAIL() << "an observer threw";
    } catch (const ecs::schedule_error& error) {
        ASSERT_EQ(error.failures.size(), 1U);
        EXPECT_NE(error.failures[0].name.find("mode"), std::string::npos) << error.what();
    }
    EXPECT_EQ(ran, "") << "no phase has begun";
    fails = false;
    EXPECT_EQ(run(), "-gSs") << "each phase sees it in the next run";
    EXPECT_EQ(run(), "s");
}

TEST_F(states, are_entered_in_the_next_run_by_phases_to_which_the_first_did_not_come) {
    bool fails = false;
    schedule.add("bad",
                 [&](ecs::world&) {
                     if (fails) throw std::runtime_error("broken");
                 },
                 {.phase = "leave"});
    schedule.add("late", [&](ecs::world&) { ran += '<'; },
                 {.phase = "late", .run_if = ecs::on_leave(mode::menu)});
    EXPECT_EQ(run(), "Mm");
    go_to(mode::game);
    fails = true;
    EXPECT_THROW(run(), ecs::schedule_error);
    EXPECT_EQ(ran, "-m");
    EXPECT_THROW(run(), ecs::schedule_error);
    EXPECT_EQ(ran, "") << "who has left does not leave again";
    fails = false;
    EXPECT_EQ(run(), "Gg<");
    EXPECT_EQ(run(), "g");
    go_to(mode::score);
    fails = true;
    EXPECT_THROW(run(), ecs::schedule_error);
    go_to(mode::menu);
    fails = false;
    EXPECT_EQ(run(), "-sMm") << "nobody enters what was left meanwhile";
    EXPECT_EQ(run(), "m");
}

TEST_F(states, are_not_entered_again_where_a_later_run_fails) {
    bool fails = false;
    schedule.add("bad",
                 [&](ecs::world&) {
                     if (fails) throw std::runtime_error("broken");
                 },
                 {.phase = "leave"});
    EXPECT_EQ(run(), "Mm");
    EXPECT_EQ(run(), "m");
    fails = true;
    EXPECT_THROW(run(), ecs::schedule_error);
    fails = false;
    schedule.add([&](ecs::world&) { ran += '!'; }, {.phase = "new", .run_if = ecs::on_enter(mode::menu)});
    EXPECT_EQ(run(), "m");
}

/// Enters the game, and then the menu in a run of which one phase alone begins.
struct states_of_a_broken_run : states {
    states_of_a_broken_run() {
        schedule.add("bad",
                     [this](ecs::world&) {
                         if (fails) throw std::runtime_error("broken");
                     },
                     {.phase = "leave"});
    }
    void break_off() {
        go_to(mode::game);
        EXPECT_EQ(run(), "-mGg");
        go_to(mode::menu);
        fails = true;
        EXPECT_THROW(run(), ecs::schedule_error);
        EXPECT_EQ(ran, "-g");
        fails = false;
    }

    bool fails = false;
};

TEST_F(states_of_a_broken_run, are_not_entered_in_a_world_that_has_gone_back) {
    EXPECT_EQ(run(), "Mm");
    const auto then = world.snapshot();
    const auto saved = ecs::save(world);
    break_off();
    world.restore(then);
    EXPECT_EQ(run(), "m");
    break_off();
    world.rewind(then);
    EXPECT_EQ(run(), "m");
    break_off();
    ecs::load(world, saved);
    EXPECT_EQ(run(), "m");
}

TEST_F(states_of_a_broken_run, are_not_entered_in_a_world_that_a_system_takes_back) {
    bool goes_back = false;
    EXPECT_EQ(run(), "Mm");
    EXPECT_EQ(run(), "m");
    const auto then = world.snapshot(); // Of a world that was in the menu before.
    schedule.add(
        [&](ecs::world& in) {
            if (goes_back) in.restore(then);
        },
        {.phase = "leave"});
    break_off();
    goes_back = true;
    EXPECT_EQ(run(), "m");
}

TEST(States, ThatNobodyHasSaidTheFirstOfAreAFailureOfTheSystem) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("play", [](ecs::world&) {}, {.run_if = ecs::in_state(mode::game)});
    try {
        schedule.run(world, 1);
        FAIL() << "there is no state";
    } catch (const ecs::schedule_error& error) {
        ASSERT_EQ(error.failures.size(), 1U);
        EXPECT_THROW(std::rethrow_exception(error.failures[0].cause), ecs::access_error);
        const std::string text = error.what();
        EXPECT_NE(text.find("mode"), std::string::npos) << text;
        EXPECT_NE(text.find("schedule.state"), std::string::npos) << text;
    }
    schedule.state(mode::game);
    schedule.run(world, 1);
    EXPECT_EQ(schedule.times()[0].runs, 1U);
}

TEST(States, WhoseObserverThrowsKeepSystemsFromRunningAndTimeIsSavedUp) {
    ecs::world world;
    ecs::schedule schedule;
    schedule.state(mode::menu);
    int steps = 0;
    schedule.add("step", [&](ecs::world&) { ++steps; }, {.step = 1.0});
    schedule.run(world, 1, 1.0);
    EXPECT_EQ(steps, 1);
    bool objects = true;
    auto observer = world.observe<ecs::event::set, ecs::state<mode>>([&](ecs::entity, ecs::state<mode>&) {
        if (objects) throw std::runtime_error("not now");
    });
    try {
        world.singleton<ecs::state<mode>>().go_to(mode::game);
        schedule.run(world, 1, 2.0);
        FAIL() << "the observer has thrown";
    } catch (const ecs::schedule_error& error) {
        ASSERT_EQ(error.failures.size(), 1U);
        EXPECT_EQ(error.failures[0].name.find("the state of "), 0U) << error.failures[0].name;
    }
    EXPECT_EQ(steps, 1);
    objects = false;
    schedule.run(world, 1, 1.0);
    EXPECT_EQ(steps, 4) << "two of the run before, and one";
}

/// Random wishes, against a variable that takes the last of them.
TEST_F(states, agree_with_a_variable_that_takes_the_last_wish) {
    std::mt19937 random(3);
    run();
    mode now = mode::menu;
    for (int i = 0; i < 500; ++i) {
        mode next = now;
        for (auto wishes = random() % 3; wishes != 0; --wishes) go_to(next = static_cast<mode>(random() % 3));
        const char from = letters[static_cast<std::size_t>(now)],
                   to = letters[static_cast<std::size_t>(next)];
        std::string wanted;
        if (next != now) wanted = std::string("-") + from + static_cast<char>(to - 'a' + 'A');
        now = next;
        ASSERT_EQ(run(), wanted + to) << i;
    }
}

} // namespace
} // namespace states_test
