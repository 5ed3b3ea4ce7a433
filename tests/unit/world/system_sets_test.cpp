// SPDX-License-Identifier: MIT
// Sets of systems, and the order of systems across phases.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

import ecs.world;

namespace system_sets_test {
namespace {

struct position {
    int x;
};

/// Systems that write down that they ran.
struct system_sets : testing::Test {
    ecs::world world;
    ecs::schedule schedule;
    std::string ran;

    void add(const std::string& name, ecs::system_options options = {}) {
        schedule.add(name, [this, name](ecs::world&) { ran += name; }, std::move(options));
    }
    /// What ran, one letter for each system.
    std::string run() {
        ran.clear();
        schedule.run(world, 1);
        return ran;
    }
    /// Why the schedule cannot run.
    std::string refusal() {
        try {
            schedule.run(world, 1);
        } catch (const ecs::schedule_setup_error& error) {
            return error.what();
        }
        return "";
    }
};

TEST_F(system_sets, are_ordered_with_all_their_members) {
    schedule.set("last", {.after = {"first", "x"}}).set("first");
    add("a", {.sets = {"last"}});
    add("b", {.sets = {"first"}});
    add("x");
    add("c", {.sets = {"last"}});
    add("d", {.before = {"first"}});
    add("e", {.sets = {"first"}});
    const std::string order = run();
    EXPECT_EQ(order.size(), 6U);
    const auto place = [&](char name) { return order.find(name); };
    for (const char first : {'b', 'e', 'x'})
        for (const char second : {'a', 'c'}) EXPECT_LT(place(first), place(second)) << order;
    EXPECT_LT(place('d'), std::min(place('b'), place('e'))) << order;
}

TEST_F(system_sets, may_have_members_in_several_phases_and_none) {
    schedule.phase("in").phase("update").phase("out");
    schedule.set("io").set("nobody", {.before = {"io"}});
    add("w", {.phase = "out", .sets = {"io"}});
    add("r", {.phase = "in", .sets = {"io"}});
    add("z", {.after = {"nobody"}, .phase = "in"});
    EXPECT_EQ(run(), "rzw");
}

TEST_F(system_sets, without_members_order_what_is_ordered_against_them) {
    schedule.set("input").set("nothing", {.after = {"input"}}).set("void", {.after = {"nothing"}});
    schedule.set("render", {.after = {"void"}}).set("inner", {.sets = {"void"}});
    add("d", {.sets = {"render"}});
    add("z", {.after = {"inner"}});
    add("p", {.sets = {"input"}});
    add("q", {.before = {"nothing"}});
    EXPECT_EQ(run(), "pqdz");
    schedule.set("middle");
    add("1", {.after = {"middle"}});
    add("2", {.sets = {"middle"}});
    add("3", {.before = {"middle"}});
    EXPECT_EQ(run(), "pqdz321");
    schedule.remove("2");
    EXPECT_EQ(run(), "pqdz31");
    add("r", {.after = {"middle"}, .before = {"middle"}});
    EXPECT_EQ(refusal(), "system \"r\" is to run after itself: the order of phase \"update\" is a circle, "
                         "\"r\" -> \"r\"");
}

TEST_F(system_sets, without_members_are_ordered_against_phases) {
    schedule.phase("first").phase("last");
    schedule.set("nobody", {.after = {"first"}}).set("none", {.before = {"last"}});
    add("a", {.after = {"nobody"}, .phase = "last"});
    add("b", {.before = {"none"}, .phase = "first"});
    EXPECT_EQ(run(), "ba");
    add("c", {.after = {"nobody"}, .phase = "first"});
    EXPECT_EQ(refusal(),
              "the order of the schedule is a circle, \"c\" -> \"first\" -> \"c\": \"c\" is to run "
              "after the phase \"first\", and is of that phase");
}

TEST_F(system_sets, without_members_are_ordered_in_no_circle) {
    add("a", {});
    schedule.set("physics", {.after = {"input"}}).set("input", {.after = {"physics"}});
    EXPECT_EQ(refusal(),
              "the order of the schedule is a circle: set \"physics\" is to run before itself, by way "
              "of sets without members");
}

TEST_F(system_sets, without_members_are_not_ordered_against_themselves) {
    add("a", {});
    schedule.set("self", {.before = {"self"}});
    EXPECT_EQ(refusal(),
              "the order of the schedule is a circle: set \"self\" is to run before itself, by way of "
              "sets without members");
    EXPECT_EQ(ran, "");
}

TEST_F(system_sets, without_members_contradict_no_order_of_phases) {
    schedule.phase("first").phase("last");
    add("a", {.phase = "first"});
    schedule.set("between", {.after = {"first"}, .before = {"last"}});
    EXPECT_EQ(run(), "a");
    schedule.set("nobody", {.after = {"last"}, .before = {"first"}});
    EXPECT_EQ(
        refusal(),
        R"(the order of the schedule is a circle, "last" -> "nobody" -> "first": set "nobody" is to run )"
        R"(after the phase "last" and before the phase "first", and the phase "first" runs before )"
        R"("last", as they were first named)");
}

TEST_F(system_sets, let_a_system_go_that_is_ordered_against_itself) {
    add("a", {.after = {"a"}});
    add("b", {});
    EXPECT_NE(refusal(), "");
    schedule.remove("a");
    EXPECT_EQ(run(), "b");
}

TEST_F(system_sets, run_where_their_condition_holds_and_are_asked_once_a_run) {
    int asked = 0;
    bool holds = false;
    schedule.set("game", {.run_if = [&](const ecs::tick&) { return ++asked, holds; }});
    schedule.set("rare", {.run_if = ecs::every(2)});
    add("a", {.phase = "one", .sets = {"game"}});
    add("b", {.phase = "two", .sets = {"game", "rare"}});
    add("c", {.phase = "two", .run_if = [](const ecs::world&) { return false; }, .sets = {"game"}});
    add("d", {.phase = "two"});
    EXPECT_EQ(run(), "d");
    holds = true;
    EXPECT_EQ(run(), "ad") << "the second run is none of every second";
    EXPECT_EQ(run(), "abd");
    EXPECT_EQ(asked, 3);
    schedule.disable("a");
    schedule.disable("b");
    schedule.disable("c");
    EXPECT_EQ(run(), "d");
    EXPECT_EQ(asked, 3) << "nobody is there to be asked for";
}

TEST_F(system_sets, that_are_disabled_keep_their_members_from_running) {
    int asked = 0;
    schedule.set("inner", {.sets = {"outer"}}).set("outer").set("other");
    schedule.set("asked", {.run_if = [&](const ecs::tick&) { return ++asked, true; }});
    add("a", {.sets = {"inner", "asked"}});
    add("b", {.phase = "late", .sets = {"inner", "other"}});
    add("c", {.after = {"outer"}, .phase = "late"});
    add("d", {.run_if = ecs::once(), .sets = {"outer"}});
    schedule.disable("outer");
    EXPECT_EQ(run(), "c") << "who waits for members runs all the same";
    EXPECT_EQ(asked, 0) << "its only member is disabled by another set";
    schedule.enable("outer");
    schedule.disable("other");
    EXPECT_EQ(run(), "adc") << "once was not asked before, and both sets of b have to be enabled";
    EXPECT_EQ(asked, 1);
    schedule.disable("a");
    schedule.disable("inner");
    schedule.enable("other");
    EXPECT_EQ(run(), "c");
    const std::vector<ecs::phase_summary> phases = schedule.phases(world);
    ASSERT_EQ(phases.size(), 2U);
    EXPECT_FALSE(phases[1].systems[0].enabled) << "b is a member";
    EXPECT_TRUE(phases[1].systems[1].enabled) << "c is none";
    schedule.enable("inner");
    EXPECT_EQ(run(), "bc") << "a is disabled itself";
    EXPECT_THROW(schedule.remove("inner"), ecs::schedule_setup_error) << "it is no system";
}

TEST_F(system_sets, are_added_before_they_are_disabled) {
    const auto refusal_of = [&](const char* name) -> std::string {
        try {
            schedule.disable(name);
        } catch (const ecs::schedule_setup_error& error) {
            return error.what();
        }
        return "";
    };
    add("a", {.sets = {"menu"}});
    schedule.set("inner", {.sets = {"outer"}});
    EXPECT_EQ(refusal_of("menu"), R"(the schedule has no system, no set and no phase "menu", which is to )"
                                  R"(have members: add it with set("menu"))");
    EXPECT_NE(refusal_of("outer").find(R"(add it with set("outer"))"), std::string::npos);
    EXPECT_EQ(refusal_of("nobody"), R"(the schedule has no system, no set and no phase "nobody")");
    schedule.set("menu");
    EXPECT_EQ(refusal_of("menu"), "");
}

TEST_F(system_sets, may_be_members_of_sets) {
    int inner = 0, outer = 0;
    bool holds = false;
    schedule
        .set("inner", {.run_if = [&](const ecs::tick&) { return ++inner, true; }, .sets = {"outer", "other"}})
        .set("outer", {.after = {"last"}, .run_if = [&](const ecs::tick&) { return ++outer, holds; }})
        .set("other", {.sets = {"outer"}})
        .set("last");
    add("a", {.sets = {"inner"}});
    add("b", {.sets = {"other"}});
    add("c", {.sets = {"last"}});
    EXPECT_EQ(run(), "c");
    EXPECT_EQ(outer, 1);
    EXPECT_EQ(inner, 0) << "it is not asked where the outer one does not hold";
    holds = true;
    EXPECT_EQ(run(), "cab");
    EXPECT_EQ(inner, 1);
    schedule.set("ring", {.sets = {"ring"}});
    EXPECT_EQ(refusal(), "set \"ring\" is a member of itself, by way of set \"ring\"");
}

TEST_F(system_sets, cannot_be_members_of_a_set_that_is_not_there) {
    schedule.set("inner", {.sets = {"outer"}});
    add("a");
    EXPECT_EQ(refusal(),
              "set \"inner\" is a member of the set \"outer\", which the schedule does not have: add "
              "it with set(\"outer\")");
}

TEST_F(system_sets, have_conditions_that_fail_with_each_member) {
    bool fails = true;
    schedule.set("game", {.run_if = [&](const ecs::world&) {
                     if (fails) throw std::runtime_error("no answer");
                     return true;
                 }});
    add("a", {.sets = {"game"}});
    add("b", {.sets = {"game"}});
    add("c");
    try {
        schedule.run(world, 1);
        FAIL() << "the condition threw";
    } catch (const ecs::schedule_error& error) {
        ASSERT_EQ(error.failures.size(), 2U);
        EXPECT_EQ(error.failures[0].name, "a");
        EXPECT_EQ(error.failures[1].name, "b");
    }
    EXPECT_EQ(ran, "c");
    fails = false;
    EXPECT_EQ(run(), "abc");
}

TEST_F(system_sets, ask_the_world_that_runs) {
    schedule.set("moving", {.run_if = ecs::has_resource<position>()});
    add("a", {.sets = {"moving"}});
    world.set_singleton(position{1});
    EXPECT_EQ(run(), "a");
    ecs::world other;
    ran.clear();
    schedule.run(other, 1);
    EXPECT_EQ(ran, "");
}

TEST_F(system_sets, and_phases_order_systems_across_phases) {
    schedule.phase("in").phase("update").phase("out");
    add("u", {.after = {"in", "r"}, .before = {"out", "w"}, .phase = "update"});
    add("w", {.phase = "out"});
    add("r", {.before = {"update"}, .phase = "in"});
    EXPECT_EQ(run(), "ruw");
}

TEST_F(system_sets, cannot_contradict_the_order_of_the_phases) {
    schedule.phase("in").phase("out");
    add("r", {.after = {"w"}, .phase = "in"});
    add("w", {.phase = "out"});
    EXPECT_EQ(refusal(),
              R"(the order of the schedule is a circle, "r" -> "w" -> "r": "w" is to run before "r", )"
              R"(and the phase "in" runs before "out", as they were first named)");
    schedule.remove("r");
    schedule.set("reading", {.after = {"out"}});
    add("r", {.phase = "in", .sets = {"reading"}});
    EXPECT_EQ(refusal(),
              R"(the order of the schedule is a circle, "r" -> "out" -> "r": "r" is to run after the )"
              R"(phase "out", and the phase "in" runs before "out", as they were first named)");
    schedule.remove("r");
    EXPECT_EQ(run(), "w");
    add("x", {.before = {"out"}, .phase = "out"});
    EXPECT_EQ(refusal(),
              R"(the order of the schedule is a circle, "out" -> "x" -> "out": "x" is to run before )"
              R"(the phase "out", and is of that phase)");
}

TEST_F(system_sets, cannot_be_ordered_in_a_circle) {
    schedule.set("one", {.before = {"two"}}).set("two", {.before = {"m"}});
    add("a", {.sets = {"one"}});
    add("b", {.sets = {"two"}});
    add("m", {.before = {"one"}});
    EXPECT_NE(refusal().find(R"("a" -> "b" -> "m" -> "a")"), std::string::npos) << refusal();
    schedule.remove("b");
    EXPECT_NE(refusal().find(R"("a" -> "m" -> "a")"), std::string::npos) << refusal();
    schedule = ecs::schedule();
    schedule.set("one", {.before = {"two"}}).set("two");
    add("b", {.sets = {"one", "two"}});
    EXPECT_NE(refusal().find(R"("b" -> "b")"), std::string::npos) << refusal();
}

TEST_F(system_sets, and_systems_have_different_names_and_are_there) {
    schedule.set("one");
    add("a");
    EXPECT_THROW(schedule.set("one"), ecs::schedule_setup_error);
    EXPECT_THROW(schedule.set("a"), ecs::schedule_setup_error);
    EXPECT_THROW(add("one"), ecs::schedule_setup_error);
    add("b", {.sets = {"tow"}});
    EXPECT_EQ(refusal(),
              R"(system "b" is a member of the set "tow", which the schedule does not have: add it )"
              R"(with set("tow"))");
    schedule.remove("b");
    schedule.set("two", {.after = {"nobody"}});
    EXPECT_EQ(refusal(),
              R"(set "two" is ordered against "nobody", which is no system, no set and no phase of )"
              R"(the schedule)")
        << "also without members";
    add("nobody");
    EXPECT_EQ(run(), "anobody");
    try {
        schedule.remove("nobody");
        FAIL() << "a set is ordered against it";
    } catch (const ecs::schedule_setup_error& error) {
        EXPECT_STREQ(error.what(),
                     R"(set "two" is ordered against "nobody", which therefore cannot be removed)");
    }
}

TEST_F(system_sets, of_a_system_of_another_phase_keep_it_from_being_removed) {
    add("a", {.phase = "one"});
    add("b", {.after = {"a"}, .phase = "two"});
    EXPECT_EQ(run(), "ab");
    EXPECT_THROW(schedule.remove("a"), ecs::schedule_setup_error);
    schedule.remove("b");
    schedule.remove("a");
    EXPECT_EQ(run(), "");
}

TEST_F(system_sets, are_added_between_runs_alone) {
    schedule.add("sly", [&](ecs::world&) {
        EXPECT_THROW(schedule.set("s"), ecs::schedule_setup_error);
        ran += "sly";
    });
    EXPECT_EQ(run(), "sly");
}

/// Orders by random names, and the same as a graph that is looked at by the simplest means.
struct random_order {
    static constexpr std::size_t systems = 7, sets = 3, phases = 3;

    explicit random_order(unsigned seed) : random(seed), many(seed % 4 == 0) {
        for (std::size_t i = 0; i < systems; ++i) {
            phase_of[i] = random() % phases;
            for (std::size_t s = 0; s < sets; ++s) is_member[i][s] = random() % 3 == 0;
        }
        for (std::size_t i = 0; i < systems + sets; ++i) targets[i] = random_targets();
    }

    std::vector<std::pair<std::string, bool>> random_targets() {
        std::vector<std::pair<std::string, bool>> found;
        for (std::size_t n = random() % 4; n > (many ? 1 : 2); --n) {
            const std::size_t what = random() % (systems + sets + phases);
            found.emplace_back(name_of(what), random() % 2 == 0);
        }
        return found;
    }
    static std::string name_of(std::size_t what) {
        if (what < systems) return std::to_string(what);
        if (what < systems + sets) return "set " + std::to_string(what - systems);
        return "phase " + std::to_string(what - systems - sets);
    }
    static std::vector<std::string> names(const std::vector<std::pair<std::string, bool>>& from, bool after) {
        std::vector<std::string> found;
        for (const auto& [name, is_after] : from)
            if (is_after == after) found.push_back(name);
        return found;
    }

    void fill(ecs::schedule& schedule, std::string& ran) {
        for (std::size_t p = 0; p < phases; ++p) schedule.phase(name_of(systems + sets + p));
        for (std::size_t s = 0; s < sets; ++s)
            schedule.set(name_of(systems + s), {.after = names(targets[systems + s], true),
                                                .before = names(targets[systems + s], false)});
        for (std::size_t i = 0; i < systems; ++i) {
            std::vector<std::string> of;
            for (std::size_t s = 0; s < sets; ++s)
                if (is_member[i][s]) of.push_back(name_of(systems + s));
            schedule.add(name_of(i), [&ran, i](ecs::world&) { ran += name_of(i); },
                         {.after = names(targets[i], true),
                          .before = names(targets[i], false),
                          .phase = name_of(systems + sets + phase_of[i]),
                          .sets = of});
        }
    }

    /// Nodes: systems, the begin and the end of each phase, and sets, which count where they have no members.
    static constexpr std::size_t nodes = systems + 2 * phases + sets;
    using graph = std::array<std::array<bool, nodes>, nodes>;

    [[nodiscard]] graph before() const {
        graph is_before{};
        for (std::size_t p = 0; p + 1 < phases; ++p)
            is_before[systems + 2 * p + 1][systems + 2 * (p + 1)] = true;
        for (std::size_t p = 0; p < phases; ++p) is_before[systems + 2 * p][systems + 2 * p + 1] = true;
        for (std::size_t i = 0; i < systems; ++i) {
            is_before[systems + 2 * phase_of[i]][i] = true;
            is_before[i][systems + 2 * phase_of[i] + 1] = true;
            add(is_before, i, targets[i]);
            for (std::size_t s = 0; s < sets; ++s)
                if (is_member[i][s]) add(is_before, i, targets[systems + s]);
        }
        for (std::size_t s = 0; s < sets; ++s)
            if (is_empty(s)) add(is_before, node_of_set(s), targets[systems + s]);
        for (std::size_t k = 0; k < nodes; ++k)
            for (std::size_t i = 0; i < nodes; ++i)
                for (std::size_t j = 0; j < nodes; ++j) is_before[i][j] |= is_before[i][k] && is_before[k][j];
        return is_before;
    }
    void add(graph& is_before, std::size_t i, const std::vector<std::pair<std::string, bool>>& all) const {
        for (const auto& [name, is_after] : all)
            for (const std::size_t other : nodes_of(name, is_after))
                is_before[is_after ? other : i][is_after ? i : other] = true;
    }
    /// Of the one who is waited for, or who waits.
    [[nodiscard]] std::vector<std::size_t> nodes_of(const std::string& name, bool is_waited_for) const {
        std::size_t what = 0;
        while (name_of(what) != name) ++what;
        if (what < systems) return {what};
        if (what >= systems + sets)
            return {systems + 2 * (what - systems - sets) + static_cast<std::size_t>(is_waited_for)};
        std::vector<std::size_t> found;
        for (std::size_t j = 0; j < systems; ++j)
            if (is_member[j][what - systems]) found.push_back(j);
        if (found.empty()) found.push_back(node_of_set(what - systems));
        return found;
    }
    [[nodiscard]] bool is_empty(std::size_t set) const {
        return std::ranges::none_of(is_member, [&](const auto& of) { return of[set]; });
    }
    [[nodiscard]] static std::size_t node_of_set(std::size_t set) { return systems + 2 * phases + set; }

    std::mt19937 random;
    bool many; ///< Orders, and so more circles.
    std::array<std::size_t, systems> phase_of{};
    std::array<std::array<bool, sets>, systems> is_member{};
    std::array<std::vector<std::pair<std::string, bool>>, systems + sets> targets;
};

TEST(SystemOrder, IsWhatAGraphSaysOrRefusedWhenThatIsACircle) {
    int refused = 0, kept = 0;
    for (unsigned seed = 0; seed < 2000; ++seed) {
        random_order order(seed);
        const random_order::graph before = order.before();
        bool is_circle = false;
        for (std::size_t i = 0; i < random_order::nodes; ++i) is_circle |= before[i][i];
        ecs::world world;
        ecs::schedule schedule;
        std::string ran;
        order.fill(schedule, ran);
        if (is_circle) {
            ASSERT_THROW(schedule.run(world, 1), ecs::schedule_setup_error) << seed;
            ASSERT_TRUE(ran.empty());
            ++refused;
            continue;
        }
        ASSERT_NO_THROW(schedule.run(world, 1)) << seed;
        ASSERT_EQ(ran.size(), random_order::systems);
        for (std::size_t i = 0; i < random_order::systems; ++i)
            for (std::size_t j = 0; j < random_order::systems; ++j)
                if (before[i][j])
                    ASSERT_LT(ran.find(std::to_string(i)), ran.find(std::to_string(j))) << seed << ' ' << ran;
        ++kept;
    }
    EXPECT_GT(refused, 200);
    EXPECT_GT(kept, 200);
}

} // namespace
} // namespace system_sets_test
