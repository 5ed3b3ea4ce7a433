// SPDX-License-Identifier: MIT
// Who changed what, while a world writes it down.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <new>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>
import ecs.world;

namespace history_test {
namespace {

struct position {
    float x, y;
};
struct frozen {};
struct likes {};
struct aside {
    static constexpr ecs::storage kept_in = ecs::storage::sparse;
    int value;
};

/// The changes in short: "spawned 512v1", "added 512v1 250v1 by system \"move\"".
std::vector<std::string> lines_of(const ecs::world& world) {
    std::vector<std::string> lines;
    for (const ecs::recorded_change& change : world.history())
        lines.push_back(std::string(to_string(change.what)) + " " + to_string(change.subject) +
                        (change.word ? " " + to_string(change.word) : "") +
                        (change.by.empty() ? "" : " by " + change.by));
    return lines;
}

using lines = std::vector<std::string>;

} // namespace

TEST(history, is_empty_until_it_is_asked_for_and_after_it_has_ended) {
    ecs::world world;
    world.spawn(position{});
    EXPECT_TRUE(world.history().empty());
    world.record_history(8);
    EXPECT_TRUE(world.history().empty());
    world.spawn();
    EXPECT_EQ(world.history().size(), 1U);
    world.record_history(0);
    world.spawn();
    EXPECT_TRUE(world.history().empty());
    world.record_history(0);
}

TEST(history, has_what_entities_get_and_lose_and_are_set_to) {
    ecs::world world;
    const std::string place = to_string(world.component<position>());
    const std::string cold = to_string(world.component<frozen>());
    const std::string by_side = to_string(world.component<aside>());
    const ecs::entity bob = world.spawn("Bob");
    world.record_history(32);
    const ecs::entity e = world.spawn(position{});
    world.add<frozen>(e);
    world.set(e, position{1, 2});
    world.set(e, aside{3});
    world.remove<frozen>(e);
    world.add<likes>(e, bob);
    world.despawn(e);
    const std::string who = to_string(e);
    const std::string pair = to_string(ecs::pair(world.component<likes>(), bob));
    std::array ending{world.component<position>(), world.component<aside>()}; // In the order of identifiers.
    std::ranges::sort(ending);
    EXPECT_EQ(
        lines_of(world),
        (lines{"spawned " + who, "added " + who + " " + place, "set " + who + " " + place,
               "added " + who + " " + cold, "set " + who + " " + place, "added " + who + " " + by_side,
               "set " + who + " " + by_side, "removed " + who + " " + cold, "added " + who + " " + pair,
               "removed " + who + " " + to_string(ending[0]), "removed " + who + " " + to_string(ending[1]),
               "removed " + who + " " + pair, "despawned " + who}));
}

TEST(history, keeps_the_last_changes_and_counts_all) {
    ecs::world world;
    world.record_history(3);
    std::vector<ecs::entity> made;
    for (int i = 0; i < 7; ++i) made.push_back(world.spawn());
    const auto all = world.history();
    ASSERT_EQ(all.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(all[i].number, 4 + i);
        EXPECT_EQ(all[i].subject, made[4 + i]);
    }
    world.record_history(5);
    EXPECT_TRUE(world.history().empty());
}

TEST(history, names_systems_and_commands) {
    ecs::world world;
    world.record_history(64);
    ecs::schedule schedule;
    schedule.add("give birth", [](ecs::commands& c) { c.spawn(); });
    schedule.add("reap", [](ecs::world& w) { w.despawn(w.entities()); });
    schedule.run(world, 2);
    const auto all = world.history();
    ASSERT_EQ(all.size(), 1U); // The flush came behind both.
    EXPECT_EQ(all[0].by, "system \"give birth\"");
    schedule.run(world, 2);
    ASSERT_EQ(world.history().size(), 3U);
    EXPECT_EQ(world.history()[1].by, "system \"reap\"");
    EXPECT_EQ(world.history()[1].what, ecs::change_kind::despawned);
    auto commands = world.commands();
    auto keyed = world.commands(7);
    commands.spawn();
    keyed.spawn();
    world.flush();
    world.spawn();
    ASSERT_EQ(world.history().size(), 6U);
    EXPECT_EQ(world.history()[3].by, "commands under key 7");
    EXPECT_EQ(world.history()[4].by, "commands");
    EXPECT_EQ(world.history()[5].by, "");
}

TEST(history, names_systems_whose_commands_another_one_flushes) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    world.record_history(8);
    ecs::schedule schedule;
    schedule.add("reap", [e](ecs::commands& c) { c.despawn(e); });
    schedule.add("flush", [](ecs::world& w) { w.flush(); }, {.after = {"reap"}});
    schedule.run(world, 1);
    const auto all = world.history();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].by, "system \"reap\"");
}

TEST(history, says_what_for_and_where_in_the_source) {
    ecs::world world;
    const auto too_early = world.doing("nothing is written down yet");
    world.record_history(64);
    world.spawn();
    unsigned line = 0;
    ecs::entity outer;
    ecs::entity inner;
    {
        const auto scope = world.doing("collect loot");
        line = __LINE__ - 1;
        {
            const auto scope_within = world.doing("within");
            inner = world.spawn();
        }
        outer = world.spawn();
        world.despawn(outer);
    }
    world.spawn();
    const auto all = world.history();
    ASSERT_EQ(all.size(), 5U);
    EXPECT_EQ(all[0].doing + all[0].at, "");
    EXPECT_EQ(all[1].doing, "within");
    EXPECT_EQ(all[1].at, __FILE__ ":" + std::to_string(line + 3));
    EXPECT_EQ(all[2].doing, "collect loot");
    EXPECT_EQ(all[2].at, __FILE__ ":" + std::to_string(line));
    EXPECT_EQ(all[4].doing + all[4].at, "");
    EXPECT_NE(world.explain(outer).find(", the program ended it, doing \"collect loot\" at " + all[2].at),
              std::string::npos)
        << world.explain(outer);
}

TEST(history, keeps_the_purpose_of_a_program_from_systems_and_commands) {
    ecs::world world;
    world.record_history(64);
    ecs::schedule schedule;
    schedule.add("plain", [](ecs::world& w) { w.spawn(); });
    schedule.add("busy", [](ecs::world& w) {
        const auto scope = w.doing("breed");
        w.spawn();
    });
    auto commands = world.commands();
    const auto scope = world.doing("run");
    commands.spawn();
    schedule.run(world, 1);
    world.flush();
    world.spawn();
    std::vector<std::string> found;
    for (const auto& change : world.history()) found.push_back(change.by + ":" + change.doing);
    std::ranges::sort(found);
    EXPECT_EQ(found, (lines{":run", "commands:", "system \"busy\":breed", "system \"plain\":"}));
}

TEST(history, forgets_purposes_with_the_changes_that_had_them) {
    ecs::world world;
    world.record_history(2);
    for (int i = 0; i < 100; ++i) {
        const auto scope = world.doing("round " + std::to_string(i));
        world.spawn();
        if (i == 50) world.record_history(2); // The scope goes on.
        if (i == 50) world.spawn();
        if (i == 50) EXPECT_EQ(world.history()[0].doing, "round 50");
    }
    EXPECT_EQ(world.history()[0].doing, "round 98");
    EXPECT_EQ(world.history()[1].doing, "round 99");
}

TEST(history, names_who_ended_an_entity_where_it_is_missed) {
    ecs::world world;
    const ecs::entity early = world.spawn(position{});
    world.despawn(early);
    const std::string before = world.explain(early);
    world.record_history(64);
    const ecs::entity parent = world.spawn(position{});
    const ecs::entity child = world.spawn(position{});
    world.add(child, pair(ecs::child_of, parent));
    ecs::schedule schedule;
    schedule.add("reap", [&](ecs::commands& c) { c.despawn(parent); });
    schedule.run(world, 1);
    EXPECT_EQ(world.explain(early).find("ended it"), std::string::npos);
    for (const ecs::entity e : {parent, child}) {
        EXPECT_NE(world.explain(e).find(", system \"reap\" ended it"), std::string::npos) << world.explain(e);
        EXPECT_EQ(ecs::dump(world, e), world.explain(e));
        try {
            std::ignore = world.get<position>(e);
            ADD_FAILURE();
        } catch (const ecs::access_error& refused) {
            EXPECT_NE(std::string(refused.what()).find(", system \"reap\" ended it"), std::string::npos)
                << refused.what();
        }
    }
    const ecs::entity mine = world.spawn();
    world.despawn(mine);
    EXPECT_NE(world.explain(mine).find(", the program ended it"), std::string::npos);
    world.record_history(0);
    EXPECT_EQ(world.explain(mine).find("ended it"), std::string::npos);
    EXPECT_EQ(world.explain(early).substr(0, before.find(" is")), before.substr(0, before.find(" is")));
}

TEST(history, has_what_observers_do_behind_what_they_were_told_of) {
    ecs::world world;
    const std::string cold = to_string(world.component<frozen>());
    const std::string place = to_string(world.component<position>());
    const auto freezing =
        world.observe<ecs::event::added, position>([](ecs::world& w, ecs::entity e) { w.add<frozen>(e); });
    world.record_history(16);
    const ecs::entity e = world.spawn(position{});
    const std::string who = to_string(e);
    EXPECT_EQ(lines_of(world), (lines{"spawned " + who, "added " + who + " " + place,
                                      "set " + who + " " + place, "added " + who + " " + cold}));
}

TEST(history, does_not_change_what_happens) {
    const auto play = [](ecs::world& world) {
        std::vector<ecs::entity> made = world.spawn_n(10, position{1, 2});
        world.add<frozen>(made[3]);
        world.despawn(made[4]);
        world.set(std::span<const ecs::entity>(made), position{3, 4});
        std::vector<std::ptrdiff_t> left; // Their positions in the list.
        for (const ecs::entity e : world.query<position>().entities())
            left.push_back(std::ranges::find(made, e) - made.begin());
        return left;
    };
    ecs::world plain;
    ecs::world written;
    written.record_history(1000);
    const auto one = play(plain);
    const auto other = play(written);
    EXPECT_EQ(one.size(), 9U);
    EXPECT_EQ(one, other);
    written.query<const position>().each([](const position& p) { EXPECT_EQ(p.x, 3); });
    EXPECT_EQ(written.history().size(), (10U * 3) + 1 + 2 + 9);
}

TEST(history, begins_and_ends_within_a_system) {
    ecs::world world;
    ecs::schedule schedule;
    std::size_t room = 8;
    schedule.add("switch", [&](ecs::world& w) {
        w.record_history(room);
        w.spawn();
    });
    schedule.run(world, 1);
    ASSERT_EQ(world.history().size(), 1U); // Who began before it is not known.
    schedule.run(world, 1);
    ASSERT_EQ(world.history().size(), 1U);
    EXPECT_EQ(world.history()[0].by, "system \"switch\"");
    room = 0;
    schedule.run(world, 1);
    EXPECT_TRUE(world.history().empty());
}

TEST(history, knows_actors_anew_when_it_begins_anew) {
    ecs::world world;
    for (const std::uint32_t key : {7U, 8U, 7U, 9U}) {
        world.record_history(4);
        auto commands = world.commands(key);
        for (int n = 0; n < 2; ++n) {
            commands.spawn();
            world.flush();
            ASSERT_FALSE(world.history().empty());
            EXPECT_EQ(world.history().back().by, "commands under key " + std::to_string(key));
        }
    }
    world.record_history(0);
    const ecs::entity e = world.spawn();
    world.despawn(e);
    EXPECT_TRUE(world.history().empty());
}

TEST(history, refuses_more_changes_than_there_is_memory_for) {
    ecs::world world;
    world.record_history(4);
    world.spawn();
    EXPECT_THROW(world.record_history(~std::size_t{0}), std::length_error);
    EXPECT_EQ(world.history().size(), 1U);
}

TEST(history, goes_on_when_the_world_goes_back) {
    ecs::world world;
    const auto then = world.snapshot();
    world.record_history(8);
    world.spawn();
    world.restore(then);
    world.spawn();
    EXPECT_EQ(world.history().size(), 2U);
}

} // namespace history_test
