// SPDX-License-Identifier: MIT
// What has changed since a query last looked.
#include <cstddef>
#include <gtest/gtest.h>
#include <set>
#include <span>
#include <tuple>
#include <vector>
import ecs.world;

namespace {

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    int strength = 1;
};
struct frozen {};

using entities = std::set<ecs::entity>;

/// Looks, and says what the query found.
entities look(auto& query) {
    entities found;
    query.each([&](ecs::entity e, const auto&...) { found.insert(e); });
    return found;
}

TEST(changes, first_look_finds_everything_and_the_second_nothing) {
    ecs::world world;
    const ecs::entity early = world.spawn(position{});
    auto changed = world.query<const position>().changed<position>();
    const ecs::entity late = world.spawn(position{});
    EXPECT_EQ(changed.count(), 2) << "counting is not looking";
    EXPECT_EQ(look(changed), (entities{early, late}));
    EXPECT_EQ(changed.count(), 0);
    EXPECT_TRUE(look(changed).empty());
}

TEST(changes, every_way_of_writing_is_found) {
    ecs::world world;
    const auto all = world.spawn_n(8, position{1, 1}, velocity{1, 1});
    auto changed = world.query<const position>().changed<position>();
    look(changed);
    const position five{5, 5};
    world.set(all[0], position{2, 2});
    world.set(all[1], world.component<position>(), &five);
    world.patch<position>(all[2], [](position& p) { p.x = 3; });
    world.modify(all[3], [](position& p, const velocity&) { p.x = 3; });
    world.get<position>(all[4]).x = 4;
    world.modified<position>(all[4]);
    world.set(all[5], position{6, 6}, velocity{2, 2});
    world.edit(all[6]).set(position{7, 7});
    world.set(all[7], velocity{3, 3});
    EXPECT_EQ(look(changed), (entities{all.begin(), all.begin() + 7}));
    std::ignore = world.get<position>(all[0]);
    world.modify(all[1], [](const position&, velocity& v) { v.x = 0; });
    EXPECT_TRUE(look(changed).empty()) << "reading is not writing";
}

TEST(changes, loop_that_can_write_counts_as_writing_for_others) {
    ecs::world world;
    const auto all = world.spawn_n(100, position{}, velocity{});
    auto changed = world.query<const position>().changed<position>();
    auto writer = world.query<position>().changed<velocity>();
    look(changed);
    writer.each([](position& p) { p.x += 1; });
    EXPECT_EQ(look(changed).size(), 100);
    world.each([](const position&, velocity& v) { v.x = 1; });
    EXPECT_TRUE(look(changed).empty());
    EXPECT_EQ(writer.count(), 100);
    world.query<position>().each_chunk([](std::span<position>) {});
    EXPECT_EQ(look(changed).size(), 100);
    for (auto [e, p] : world.query<position>()) {
        p.y = 2;
        if (e == all[9]) break;
    }
    EXPECT_EQ(look(changed).size(), 10);
}

TEST(changes, query_does_not_find_what_it_wrote_itself) {
    ecs::world world;
    const auto all = world.spawn_n(10, position{});
    auto settle = world.query<position>().changed<position>();
    int calls = 0;
    for (int round = 0; round < 3; ++round)
        settle.each([&](position& p) {
            p.x += 1;
            ++calls;
        });
    EXPECT_EQ(calls, 10);
    world.set(all[3], position{});
    settle.each([&](position&) { ++calls; });
    EXPECT_EQ(calls, 11);
}

TEST(changes, stamps_stay_with_their_entity_when_rows_move) {
    ecs::world world;
    const auto all = world.spawn_n(100, position{});
    auto changed = world.query<const position>().changed<position>();
    look(changed);
    world.set(all[50], position{1, 1});
    world.despawn(all[0]);
    world.add<frozen>(all[50]);
    world.add<frozen>(all[20]);
    EXPECT_EQ(look(changed), entities{all[50]});
}

TEST(changes, added_and_removed_components_are_found) {
    ecs::world world;
    const auto all = world.spawn_n(5, position{});
    world.set(all[4], velocity{}); // The ways there and back are known before anybody watches.
    world.remove<velocity>(all[4]);
    auto added = world.query<const position>().added<velocity>();
    auto removed = world.query<const position>().removed<velocity>();
    EXPECT_TRUE(look(added).empty());
    world.set(all[0], velocity{});
    world.set(all[1], velocity{});
    EXPECT_EQ(look(added), (entities{all[0], all[1]}));
    world.set(all[0], velocity{1, 1});
    EXPECT_TRUE(look(added).empty()) << "a value that is replaced was there before";
    world.remove<velocity>(all[0]);
    EXPECT_EQ(look(removed), entities{all[0]});
    EXPECT_TRUE(look(removed).empty());
    world.despawn(all[1]);
    std::ignore = world.spawn(position{});
    EXPECT_TRUE(look(removed).empty()) << "the next entity of an index begins anew";
}

TEST(changes, components_outside_tables_are_watched_too) {
    ecs::world world;
    const auto all = world.spawn_n(5, position{});
    auto changed = world.query<const buff>().changed<buff>();
    auto removed = world.query<const position>().removed<buff>();
    world.set(all[2], buff{3});
    EXPECT_EQ(look(changed), entities{all[2]});
    world.patch<buff>(all[2], [](buff& b) { b.strength = 4; });
    EXPECT_EQ(look(changed), entities{all[2]});
    world.remove<buff>(all[2]);
    EXPECT_EQ(look(removed), entities{all[2]});
}

TEST(changes, what_a_flush_brings_is_new) {
    ecs::world world;
    auto added = world.query<const position>().added<position>();
    auto changed = world.query<const position>().changed<position>();
    for (const int entities : {1, 3000}) { // Copied row by row, and taken over as whole chunks.
        ecs::commands commands = world.commands();
        for (int i = 0; i < entities; ++i) std::ignore = commands.spawn(position{}, velocity{});
        world.flush();
        EXPECT_EQ(look(added).size(), entities);
        EXPECT_EQ(look(changed).size(), entities);
    }
    const ecs::entity e = added.first() ? added.first() : world.query<const position>().first();
    world.commands().set(e, position{1, 1});
    world.flush();
    EXPECT_EQ(look(changed), entities{e});
    EXPECT_TRUE(look(added).empty());
}

TEST(changes, new_parent_is_no_change_of_other_components) {
    ecs::world world;
    const auto all = world.spawn_n(4, position{});
    world.add(all[0], ecs::pair(ecs::child_of, all[3]));
    auto changed = world.query<const position>().changed<position>();
    look(changed);
    world.add(all[1], ecs::pair(ecs::child_of, all[3]));
    world.set(all[1], position{1, 1});
    world.remove(all[0], ecs::pair(ecs::child_of, all[3]));
    EXPECT_EQ(look(changed), entities{all[1]});
}

TEST(changes, threads_mark_the_rows_they_write) {
    ecs::world world;
    const auto all = world.spawn_n(20'000, position{}, velocity{});
    auto changed = world.query<const position>().changed<position>();
    auto moved = world.query<const velocity>().changed<velocity>();
    look(changed);
    look(moved);
    world.set(all[7], velocity{1, 1});
    auto writer = world.query<position>().changed<velocity>();
    look(writer);
    world.set(all[9], velocity{1, 1});
    look(changed);
    writer.par_each(ecs::default_executor(), [](position& p) { p.x = 1; });
    EXPECT_EQ(look(changed), entities{all[9]});
    EXPECT_EQ(writer.count(), 0) << "a parallel loop looks as any other";
    world.par_each([](position& p, const velocity& v) { p.x = v.x; });
    EXPECT_EQ(look(changed).size(), 20'000);
    EXPECT_EQ(look(moved), (entities{all[7], all[9]}));
}

TEST(changes, systems_that_run_side_by_side_mark_what_they_write) {
    ecs::world world;
    world.spawn_n(1000, position{}, velocity{});
    auto positions = world.query<const position>().changed<position>();
    auto velocities = world.query<const velocity>().changed<velocity>();
    std::vector<std::size_t> found;
    const ecs::id read_position = world.component<position>();
    const ecs::id read_velocity = world.component<velocity>();
    bool moves = true;
    ecs::schedule systems;
    systems.add("move", [&](ecs::query<position>& all) {
        if (moves) all.each([](position& p) { p.x += 1; });
    });
    systems.add("look", [](const velocity&) {});
    systems.phase("after");
    systems.add("positions", [&]() { found.push_back(look(positions).size()); }, {.reads = {read_position}});
    systems.add("velocities", [&]() { std::ignore = look(velocities).size(); }, {.reads = {read_velocity}});
    systems.run(world, 2);
    systems.run(world, 2);
    moves = false;
    systems.run(world, 2);
    EXPECT_EQ(found, (std::vector<std::size_t>{1000, 1000, 0}));
    EXPECT_EQ(velocities.count(), 0);
}

TEST(changes, nobody_begins_to_watch_during_a_loop) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{});
    auto query = world.query<const position>();
    world.each([&](const position&) { EXPECT_THROW(query.changed<position>(), ecs::iteration_error); });
    world.set(e, position{1, 1});
    EXPECT_EQ(query.count(), 1) << "the query is as it was";
}

TEST(changes, components_described_at_run_time_are_watched_too) {
    ecs::world world;
    const ecs::entity mana = world.component({.name = "mana", .size = 4});
    const ecs::entity e = world.spawn();
    const int nine = 9;
    auto changed = world.query().changed(mana);
    auto added = world.query().added(mana);
    auto removed = world.query().removed(mana);
    for (auto* query : {&changed, &added, &removed}) query->mark_seen();
    const auto found = [](auto& query) {
        std::size_t count = 0;
        query.each([&](ecs::entity) { ++count; });
        return count;
    };
    world.set(e, mana, &nine);
    EXPECT_EQ(found(changed), 1U);
    EXPECT_EQ(found(added), 1U);
    world.set(e, mana, &nine);
    EXPECT_EQ(found(changed), 1U);
    EXPECT_EQ(found(added), 0U);
    world.remove(e, mana);
    EXPECT_EQ(found(removed), 1U);
}

TEST(changes, parameters_that_are_copies_are_read_only) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 1}, velocity{1, 1});
    auto changed = world.query<const position>().changed<position>();
    look(changed);
    world.each([](position p) { p.x = 5; });
    world.modify(e, [](position p, velocity& v) { v.x = p.x; });
    ecs::schedule schedule;
    schedule.add("read", [](position, const velocity&) {});
    schedule.run(world, 1);
    EXPECT_TRUE(look(changed).empty());
    EXPECT_EQ(world.get<position>(e).x, 1);
    world.each([](position& p) { p.x = 5; });
    EXPECT_EQ(look(changed), entities{e});
}

TEST(changes, of_nobody_are_none) {
    ecs::world world;
    const ecs::entity gone = world.spawn();
    world.despawn(gone);
    auto changed = world.query().changed(gone);
    auto added = world.query().added(gone);
    auto removed = world.query().removed(gone);
    world.despawn(world.spawn(position{}));
    EXPECT_TRUE(look(changed).empty() && look(added).empty() && look(removed).empty());
}

} // namespace
