// SPDX-License-Identifier: MIT
// What has changed since a query last looked.
#include <atomic>
#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;

namespace changes_test {
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
struct beside {
    static constexpr auto kept_in = ecs::storage::in_place;
    int value;
};
struct title {
    std::string text;
};
struct owes {
    int coins;
};

using entities = std::set<ecs::entity>;

/// Looks, and says what the query found.
entities look(auto& query) {
    entities found;
    query.each([&](ecs::entity e, const auto&...) { found.insert(e); });
    return found;
}

TEST(changes, query_tells_of_each_entity_what_it_watches) {
    ecs::world world;
    const ecs::entity a = world.spawn(position{}, velocity{});
    const ecs::entity b = world.spawn(position{}, velocity{});
    auto query = world.query<const position, velocity>().watch<position>();
    entities changed, added;
    const auto look_again = [&] {
        changed.clear(), added.clear();
        query.each([&](ecs::entity e, const position&, velocity& v) {
            v.x = 1;
            if (query.has_changed<position>(e)) changed.insert(e);
            if (query.was_added<position>(e)) added.insert(e);
        });
    };
    look_again();
    EXPECT_EQ(changed, (entities{a, b}));
    look_again();
    EXPECT_EQ(changed, entities{});
    world.set(b, position{1, 2});
    const ecs::entity c = world.spawn(position{}, velocity{});
    look_again();
    EXPECT_EQ(changed, (entities{b, c}));
    EXPECT_EQ(added, entities{c});
    world.set(a, position{});
    world.disable<position>(a);
    EXPECT_FALSE(query.has_changed<position>(a)) << "which does not show it";
    EXPECT_FALSE(query.has_changed<position>(ecs::entity()));
    EXPECT_THROW(std::ignore = query.has_changed<velocity>(a), std::invalid_argument);
    EXPECT_THROW(world.query<position>().watch<position>(), std::invalid_argument);
}

TEST(changes, instance_shows_news_of_its_base) {
    ecs::world world;
    const ecs::entity base = world.prefab("Base", position{});
    const ecs::entity e = world.spawn(ecs::pair(ecs::is_a, base));
    auto query = world.query<const position>().watch<position>();
    std::ignore = look(query);
    EXPECT_EQ(query.has_changed<position>(e), false);
    world.set(base, position{1, 1});
    EXPECT_EQ(query.has_changed<position>(e), world.query<const position>().changed<position>().contains(e));
    EXPECT_TRUE(query.has_changed<position>(e));
    auto buffs = world.query<const buff>().watch<buff>();
    world.set(base, buff{1});
    world.set(e, buff{2});
    std::ignore = look(buffs);
    world.set(base, buff{3});
    EXPECT_FALSE(buffs.has_changed<buff>(e)) << "it has its own";
    world.remove<buff>(e);
    EXPECT_TRUE(buffs.has_changed<buff>(e));
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

/// Entities of several tables, some of which hide the value, lack it, or have it outside tables.
class marked_rows : public testing::Test {
  protected:
    marked_rows() {
        for (int i = 0; i < 400; ++i) {
            const ecs::entity e = world_.spawn(velocity{});
            all_.push_back(e);
            if (i % 7 != 3) world_.set(e, position{static_cast<float>(400 - i), 0});
            if (i % 3 == 0) world_.add<frozen>(e);
            if (i % 4 == 0) world_.set(e, buff{});
            if (i % 5 == 0) world_.set(e, beside{1});
            if (i % 11 == 0) world_.disable<position>(e);
        }
        look(positions_), look(velocities_), look(buffs_), look(besides_);
    }

    /// Whether the loop, which says whom it visits, marks the positions of these, and nothing else.
    void expect_marks_of(const auto& loop) {
        entities visited;
        loop([&](ecs::entity e) { visited.insert(e); });
        EXPECT_FALSE(visited.empty());
        EXPECT_EQ(look(positions_), visited);
        EXPECT_TRUE(look(velocities_).empty());
    }

    ecs::world world_;
    std::vector<ecs::entity> all_;
    ecs::query<const position> positions_ = world_.query<const position>().changed<position>();
    ecs::query<const velocity> velocities_ = world_.query<const velocity>().changed<velocity>();
    ecs::query<const buff> buffs_ = world_.query<const buff>().changed<buff>();
    ecs::query<const beside> besides_ = world_.query<const beside>().changed<beside>();
};

TEST_F(marked_rows, are_those_that_a_loop_hands_out_whatever_its_form) {
    auto plain = world_.query<position, const velocity>();
    auto without = world_.query<position, const velocity>().without<frozen>().without<beside>();
    auto sorted = world_.query<position>().sort_by<position>(
        [](const position& x, const position& y) { return x.x < y.x; });
    const auto each_of = [&](auto& query) {
        return [&](const auto& visit) { query.each([&](ecs::entity e, const auto&...) { visit(e); }); };
    };
    expect_marks_of(each_of(plain));
    expect_marks_of(each_of(without));
    expect_marks_of(each_of(sorted));
    sorted.sort_rows();
    expect_marks_of(each_of(sorted));
    expect_marks_of([&](const auto& visit) {
        plain.each_chunk([&](std::span<const ecs::entity> run, const auto&...) {
            for (const ecs::entity e : run) visit(e);
        });
    });
    expect_marks_of([&](const auto& visit) {
        plain.each_page(90, 40, [&](ecs::entity e, const auto&...) { visit(e); });
    });
    expect_marks_of([&](const auto& visit) {
        std::size_t left = 100;
        for (auto [e, p, v] : plain) {
            visit(e);
            if (--left == 0) break;
        }
    });
    expect_marks_of([&](const auto& visit) {
        std::vector<std::atomic<bool>> found(2000);
        plain.par_each([&](ecs::entity e, const auto&...) { found[e.index() % 2000] = true; });
        for (const ecs::entity e : all_)
            if (found[e.index() % 2000]) visit(e);
    });
}

TEST_F(marked_rows, are_those_that_show_the_value_where_it_is_optional) {
    world_.query<const velocity, position*, buff*, beside*>().each(
        [](const velocity&, position* p, const buff*, const beside*) {
            if (p) p->y = 1;
        });
    entities shown, buffed, wet;
    for (const ecs::entity e : all_) {
        if (world_.has<position>(e) && world_.is_enabled<position>(e)) shown.insert(e);
        if (world_.has<buff>(e)) buffed.insert(e);
        if (world_.has<beside>(e)) wet.insert(e);
    }
    EXPECT_EQ(look(positions_), shown);
    EXPECT_EQ(look(buffs_), buffed);
    EXPECT_EQ(look(besides_), wet);
}

TEST_F(marked_rows, are_all_found_by_a_query_that_looks_while_they_are_written) {
    entities found, written;
    const auto look_within = [&](auto& writing, const auto& look_now) {
        found.clear(), written.clear();
        writing.each([&](ecs::entity e, const auto&...) {
            written.insert(e);
            if (written.size() % 30 == 0) look_now();
        });
        found.merge(look(positions_));
        EXPECT_EQ(found, written);
        EXPECT_TRUE(look(positions_).empty());
    };
    const auto look_now = [&] { found.merge(look(positions_)); };
    auto writing = world_.query<position>();
    look_within(writing, look_now);
    auto writing_what_has_changed = world_.query<position>().changed<position>();
    look_within(writing_what_has_changed, look_now);
    EXPECT_LE(look(writing_what_has_changed).size(), written.size());
    look(positions_);
    look_within(writing, [&] {
        positions_.mark_seen();
        found = written; // Rows that are handed out later are news.
    });
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

/// Whoever asked for changes before, and since when.
TEST(changes, what_was_removed_before_the_query_was_made_is_not_found) {
    for (const bool asked_before : {false, true}) {
        ecs::world world;
        std::optional<ecs::query<>> other;
        if (asked_before) other.emplace(world.query().changed<velocity>());
        const ecs::entity early = world.spawn(velocity{});
        const ecs::entity late = world.spawn(velocity{});
        world.remove<velocity>(early);
        auto removed = world.query().removed<velocity>();
        world.remove<velocity>(late);
        EXPECT_EQ(look(removed), entities{late});
        EXPECT_TRUE(look(removed).empty());
    }
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
    for (const int entities : {1, 12'000}) { // Copied row by row, and taken over as whole chunks.
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

TEST(changes, threads_mark_what_a_query_with_variables_hands_out_when_another_has_looked_meanwhile) {
    ecs::world world;
    const ecs::entity likes = world.spawn(), a = world.spawn(position{}), b = world.spawn(position{});
    world.add(a, ecs::pair(likes, b));
    auto changed = world.query<const position>().changed<position>();
    world.query<position>().with(ecs::pair(likes, ecs::var("x"))).par_each([&](position& p) {
        look(changed);
        p.x = 9;
    });
    EXPECT_EQ(look(changed), entities{a});
}

TEST(changes, threads_are_handed_each_binding_of_an_entity_that_they_write) {
    ecs::world world;
    const ecs::entity likes = world.spawn(), a = world.spawn(position{});
    for (int i = 0; i < 2; ++i) world.add(a, ecs::pair(likes, world.spawn()));
    auto quiet = world.query<position>()
                     .where(!ecs::query_condition(ecs::changed<position>()))
                     .with(ecs::pair(likes, ecs::var("x")));
    std::atomic<int> bindings = 0;
    quiet.each([&](position&) { ++bindings; });
    EXPECT_EQ(bindings, 0) << "all is new to it";
    quiet.par_each([&](position&) { ++bindings; });
    EXPECT_EQ(bindings, 2);
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

TEST(changes, a_query_that_comes_too_late_is_refused_with_the_name_of_the_component) {
    ecs::world world;
    std::ignore = world.spawn(position{});
    std::vector<std::string> refusals;
    const auto ask = [&] {
        try {
            std::ignore = world.query<const position>().changed<position>().count();
        } catch (const ecs::iteration_error& error) {
            refusals.emplace_back(error.what());
        }
    };
    world.each([&](const position&) { ask(); });
    ecs::schedule systems;
    systems.add("ask", [&](const ecs::world&) { ask(); });
    systems.run(world, 1);
    ASSERT_EQ(refusals.size(), 2U);
    for (const std::string& text : refusals) {
        EXPECT_NE(text.find("position is not tracked yet"), std::string::npos) << text;
        EXPECT_EQ(text.find("commands"), std::string::npos) << text;
    }
    ask();
    EXPECT_EQ(refusals.size(), 2U) << "outside it is tracked,";
    world.each([&](const position&) { ask(); });
    EXPECT_EQ(refusals.size(), 2U) << "and from then on everywhere";
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
    *static_cast<int*>(world.try_get(e, mana)) = 8;
    EXPECT_EQ(found(changed), 0U);
    world.modified(e, mana);
    EXPECT_EQ(found(changed), 1U);
    world.modified(world.spawn(), mana);
    EXPECT_EQ(found(changed), 0U) << "it has none";
    world.remove(e, mana);
    EXPECT_EQ(found(removed), 1U);
}

TEST(changes, parameters_that_are_copies_are_read_only) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 1}, velocity{1, 1});
    auto changed = world.query<const position>().changed<position>();
    look(changed);
    world.each([]([[maybe_unused]] position p) { p.x = 5; });
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

struct likes {
    int strength = 0;
};
struct lives_at {
    static constexpr auto properties = ecs::properties(ecs::non_fragmenting);
    int number = 0;
};
struct owns {};

TEST(changes, patterns_stand_for_every_pair_that_comes_and_goes) {
    ecs::world world;
    const ecs::id relation = world.component<owns>();
    const ecs::entity a = world.spawn(), b = world.spawn(), e = world.spawn(position{}),
                      other = world.spawn();
    const ecs::id patterns[]{ecs::pair(relation, ecs::any), ecs::pair(ecs::any, a),
                             ecs::pair(ecs::any, ecs::any)};
    world.add(e, ecs::pair(relation, b));
    for (const ecs::id pattern : patterns) {
        auto added = world.query().added(pattern);
        auto changed = world.query().changed(pattern);
        auto removed = world.query().removed(pattern);
        for (auto* query : {&added, &changed, &removed}) query->mark_seen();
        world.add(e, ecs::pair(relation, a));
        EXPECT_EQ(look(added), entities{e});
        EXPECT_EQ(look(changed), entities{e});
        EXPECT_TRUE(look(removed).empty());
        world.add<frozen>(e);
        world.add(other, ecs::pair(world.component<likes>(), b));
        world.remove(e, ecs::pair(relation, a));
        EXPECT_EQ(look(removed), entities{e});
        EXPECT_EQ(look(added).contains(e), false);
        world.remove<frozen>(e);
        world.remove(other, ecs::pair(world.component<likes>(), b));
    }
}

TEST(changes, first_look_by_a_pattern_finds_everybody_who_has_such_a_pair) {
    ecs::world world;
    const ecs::entity home = world.spawn(), e = world.spawn(), child = world.spawn(), none = world.spawn();
    world.add(e, ecs::pair(world.component<owns>(), home));
    world.add(child, ecs::pair(ecs::child_of, home));
    auto owning = world.query().changed<ecs::pair_of<owns, ecs::wildcard>>();
    auto children = world.query().added(ecs::pair(ecs::child_of, home));
    auto all = world.query().changed(ecs::pair(ecs::any, home));
    EXPECT_EQ(look(owning), entities{e});
    EXPECT_EQ(look(children), entities{child});
    EXPECT_EQ(look(all), (entities{e, child}));
    EXPECT_TRUE(look(all).empty());
    std::ignore = none;
}

TEST(changes, values_of_pairs_are_found_by_the_pair_and_by_patterns) {
    ecs::world world;
    const ecs::entity a = world.spawn(), b = world.spawn(), e = world.spawn();
    world.set<likes>(e, a, likes{1});
    world.set<likes>(e, b, likes{1});
    const ecs::id to_a = world.pair_to<likes>(a), to_b = world.pair_to<likes>(b);
    auto first = world.query().changed(to_a);
    auto second = world.query().changed(to_b);
    auto whichever = world.query().changed<ecs::pair_of<likes, ecs::wildcard>>();
    const auto see_all = [&] {
        for (auto* query : {&first, &second, &whichever}) query->mark_seen();
    };
    const auto found = [&] {
        return std::tuple(look(first).size(), look(second).size(), look(whichever).size());
    };
    see_all();
    world.set<likes>(e, a, likes{2});
    EXPECT_EQ(found(), std::tuple(1, 0, 1));
    EXPECT_EQ(found(), std::tuple(0, 0, 0));
    world.query<ecs::pair_of<likes, ecs::wildcard>>().each([](likes& l) { l.strength += 1; });
    EXPECT_EQ(found(), std::tuple(1, 1, 1));
    world.query<const ecs::pair_of<likes, ecs::wildcard>>().each([](const likes&) {});
    EXPECT_EQ(found(), std::tuple(0, 0, 0));
    world.patch<ecs::pair_of<likes, ecs::wildcard>>(e, [](likes& l) { l.strength = 9; });
    const bool is_a_first =
        to_a.value() < to_b.value(); // Handles that an earlier world has had come in any order.
    EXPECT_EQ(found(), std::tuple(is_a_first, !is_a_first, 1));
}

TEST(changes, pairs_that_are_kept_in_columns_are_watched_too) {
    ecs::world world;
    const ecs::entity here = world.spawn(), there = world.spawn(), e = world.spawn(position{});
    const ecs::id at_here = world.pair_to<lives_at>(here),
                  whichever = ecs::pair(world.component<lives_at>(), ecs::any);
    auto added = world.query().added(at_here);
    auto changed = world.query().changed(at_here);
    auto removed = world.query().removed(at_here);
    auto moved = world.query().added(whichever);
    auto written = world.query().changed(whichever);
    auto left = world.query().removed(whichever);
    const auto found = [&] {
        return std::tuple(look(added).size(), look(changed).size(), look(removed).size(), look(moved).size(),
                          look(written).size(), look(left).size());
    };
    std::ignore = found();
    world.set<lives_at>(e, here, lives_at{1});
    EXPECT_EQ(found(), std::tuple(1, 1, 0, 1, 1, 0));
    world.set<lives_at>(e, here, lives_at{2});
    EXPECT_EQ(found(), std::tuple(0, 1, 0, 0, 1, 0));
    world.query<ecs::pair_of<lives_at, ecs::wildcard>>().each([](lives_at& l) { l.number = 3; });
    EXPECT_EQ(found(), std::tuple(0, 1, 0, 0, 1, 0));
    world.set<lives_at>(e, there, lives_at{4});
    EXPECT_EQ(found(), std::tuple(0, 0, 1, 1, 1, 1));
    world.set<lives_at>(e, here, lives_at{5});
    EXPECT_EQ(found(), std::tuple(1, 1, 0, 1, 1, 1));
    world.add<frozen>(e);
    EXPECT_EQ(found(), std::tuple(0, 0, 0, 0, 0, 0));
    world.despawn(here);
    EXPECT_EQ(world.alive(e), true);
    EXPECT_EQ(look(left), entities{e});
}

TEST(changes, children_that_come_and_go_are_found) {
    ecs::world world;
    const ecs::entity parent = world.spawn(), other = world.spawn(), early = world.spawn();
    world.add(early, ecs::pair(ecs::child_of, parent));
    auto added = world.query().added(ecs::pair(ecs::child_of, ecs::any));
    auto here = world.query().added(ecs::pair(ecs::child_of, parent));
    auto left = world.query().removed(ecs::pair(ecs::child_of, parent));
    EXPECT_EQ(look(added), entities{early});
    std::ignore = look(here);
    std::ignore = look(left);
    const auto many = world.spawn_children(parent, 3, position{});
    EXPECT_EQ(look(added), (entities{many.begin(), many.end()}));
    EXPECT_EQ(look(here), (entities{many.begin(), many.end()}));
    world.add(many[0], ecs::pair(ecs::child_of, other));
    EXPECT_EQ(look(added), entities{many[0]});
    EXPECT_TRUE(look(here).empty());
    EXPECT_EQ(look(left), entities{many[0]});
    world.add(many[0], ecs::pair(ecs::child_of, parent));
    EXPECT_EQ(look(here), entities{many[0]});
    world.remove(early, ecs::pair(ecs::child_of, parent));
    EXPECT_EQ(look(left), entities{early});
}

TEST(changes, the_end_of_a_relation_takes_its_pairs) {
    ecs::world world;
    const ecs::entity relation = world.spawn(), target = world.spawn(), e = world.spawn();
    world.add(relation, ecs::non_fragmenting);
    world.add(e, ecs::pair(relation, target));
    auto removed = world.query().removed(ecs::pair(ecs::any, target));
    std::ignore = look(removed);
    world.despawn(relation);
    EXPECT_EQ(look(removed), entities{e});
}

TEST(changes, of_pairs_with_who_has_ended_are_none) {
    ecs::world world;
    const ecs::entity gone = world.spawn();
    world.despawn(gone);
    const ecs::entity heir = world.spawn();
    ASSERT_EQ(heir.index(), gone.index());
    auto changed = world.query().changed(ecs::pair(world.component<owns>(), gone));
    world.add(world.spawn(), ecs::pair(world.component<owns>(), heir));
    EXPECT_TRUE(look(changed).empty());
}

TEST(changes, what_is_written_through_a_term_above_is_the_parents) {
    ecs::world world;
    const ecs::entity root = world.spawn(position{}), middle = world.spawn(), leaf = world.spawn(velocity{});
    world.add(middle, ecs::pair(ecs::child_of, root));
    world.add(leaf, ecs::pair(ecs::child_of, middle));
    auto changed = world.query<const position>().changed<position>();
    look(changed);
    world.query<const velocity, ecs::up<const position>>().each([](const velocity&, const position&) {});
    EXPECT_TRUE(look(changed).empty());
    world.query<const velocity, ecs::up<position>>().each([](const velocity&, position& p) { p.x = 1; });
    EXPECT_EQ(look(changed), entities{root});
}

/// A base, an instance of it, and an instance of that one; and somebody who has nothing to do with them.
struct inherited_changes : testing::Test {
    ecs::world world;
    ecs::entity base = world.prefab(position{1, 1}, buff{1});
    ecs::entity heir = world.spawn();
    ecs::entity heirs_heir = world.spawn();
    ecs::entity stranger = world.spawn(position{}, buff{});

    inherited_changes() {
        world.add(heir, ecs::pair(ecs::is_a, base));
        world.add(heirs_heir, ecs::pair(ecs::is_a, heir));
    }
};

/// What a query finds of component T with the prefabs, after a change.
template <class T> class watcher {
  public:
    explicit watcher(ecs::world& world)
        : changed_(world.query<const T>().template changed<T>().optional(ecs::prefab_tag)) {}
    entities look() { return changes_test::look(changed_); }

  private:
    ecs::query<const T> changed_;
};

TEST_F(inherited_changes, first_look_finds_the_heirs) {
    watcher<position> positions(world);
    watcher<buff> buffs(world);
    EXPECT_EQ(positions.look(), (entities{base, heir, heirs_heir, stranger}));
    EXPECT_EQ(buffs.look(), (entities{base, heir, heirs_heir, stranger}));
    EXPECT_TRUE(positions.look().empty() && buffs.look().empty());
}

TEST_F(inherited_changes, heirs_see_the_change_of_the_base) {
    watcher<position> positions(world);
    watcher<buff> buffs(world);
    std::ignore = positions.look();
    std::ignore = buffs.look();
    world.set(base, position{2, 2});
    EXPECT_EQ(positions.look(), (entities{base, heir, heirs_heir}));
    world.patch<buff>(base, [](buff& b) { b.strength = 2; });
    EXPECT_EQ(buffs.look(), (entities{base, heir, heirs_heir}));
    EXPECT_TRUE(positions.look().empty() && buffs.look().empty());
}

TEST_F(inherited_changes, who_has_a_value_of_its_own_sees_that) {
    world.set(heir, position{3, 3});
    world.set(heir, buff{3});
    watcher<position> positions(world);
    watcher<buff> buffs(world);
    std::ignore = positions.look();
    std::ignore = buffs.look();
    world.set(base, position{2, 2});
    world.set(base, buff{2});
    EXPECT_EQ(positions.look(), entities{base});
    EXPECT_EQ(buffs.look(), entities{base});
    world.set(heir, position{4, 4});
    world.set(heir, buff{4});
    EXPECT_EQ(positions.look(), (entities{heir, heirs_heir}));
    EXPECT_EQ(buffs.look(), (entities{heir, heirs_heir}));
    world.remove<position>(heir);
    world.remove<buff>(heir);
    EXPECT_EQ(positions.look(), (entities{heir, heirs_heir})) << "they see the base's again";
    EXPECT_EQ(buffs.look(), (entities{heir, heirs_heir}));
}

TEST_F(inherited_changes, another_base_is_another_value) {
    const ecs::entity other = world.prefab(position{5, 5}, buff{5});
    watcher<position> positions(world);
    watcher<buff> buffs(world);
    std::ignore = positions.look();
    std::ignore = buffs.look();
    const ecs::entity late = world.spawn();
    world.add(late, ecs::pair(ecs::is_a, base));
    EXPECT_EQ(positions.look(), entities{late});
    EXPECT_EQ(buffs.look(), entities{late});
    world.remove(heir, ecs::pair(ecs::is_a, base));
    EXPECT_TRUE(positions.look().empty() && buffs.look().empty());
    world.add(heir, ecs::pair(ecs::is_a, other));
    EXPECT_EQ(positions.look(), (entities{heir, heirs_heir}));
    EXPECT_EQ(buffs.look(), (entities{heir, heirs_heir}));
    world.add<frozen>(heir);
    world.add(heirs_heir, ecs::pair(ecs::is_a, world.spawn(velocity{})));
    EXPECT_TRUE(positions.look().empty() && buffs.look().empty()) << "they see the same value as before";
}

TEST_F(inherited_changes, of_several_bases_the_next_may_show) {
    const ecs::entity other = world.prefab(position{5, 5}, buff{5});
    world.add(heir, ecs::pair(ecs::is_a, other));
    watcher<position> positions(world);
    watcher<buff> buffs(world);
    std::ignore = positions.look();
    std::ignore = buffs.look();
    const ecs::entity giver = world.get<buff>(heir).strength == 1 ? base : other;
    world.remove<position>(giver);
    world.remove<buff>(giver);
    EXPECT_EQ(positions.look(), (entities{heir, heirs_heir}));
    EXPECT_EQ(buffs.look(), (entities{heir, heirs_heir}));
}

TEST_F(inherited_changes, what_is_written_through_an_heir_is_the_bases) {
    watcher<position> positions(world);
    watcher<buff> buffs(world);
    const auto expect_written = [&](auto&& write) {
        std::ignore = positions.look();
        std::ignore = buffs.look();
        write();
        EXPECT_EQ(positions.look(), (entities{base, heir, heirs_heir}));
        EXPECT_EQ(buffs.look(), (entities{base, heir, heirs_heir}));
    };
    expect_written([&] {
        world.patch<position, buff>(heir,
                                    [](position& p, buff& b) { p.x = static_cast<float>(b.strength = 6); });
    });
    expect_written([&] { world.modify(heirs_heir, [](position&, buff&) {}); });
    expect_written([&] {
        world.modified<position>(heir);
        world.modified<buff>(heirs_heir);
    });
    expect_written([&] {
        world.query<position, buff>()
            .with(ecs::pair(ecs::is_a, base))
            .without<frozen>()
            .each([](position&, buff&) {});
    });
    expect_written([&] {
        world.query<position>().with(ecs::pair(ecs::is_a, base)).each_chunk([](std::span<position>) {});
        for (auto [e, b] : world.query<buff>().with(ecs::pair(ecs::is_a, base))) b.strength = 3;
    });
}

TEST_F(inherited_changes, observers_are_told_of_the_base) {
    entities told;
    world.observe<ecs::event::set, position>([&](ecs::entity e) { told.insert(e); });
    world.observe<ecs::event::set, buff>([&](ecs::entity e) { told.insert(e); });
    world.patch<position>(heir, [](position& p) { p.x = 2; });
    EXPECT_EQ(std::exchange(told, {}), entities{base});
    world.patch<buff>(heirs_heir, [](buff& b) { b.strength = 2; });
    EXPECT_EQ(std::exchange(told, {}), entities{base});
    world.modified<position>(heirs_heir);
    EXPECT_EQ(std::exchange(told, {}), entities{base});
    world.modified<velocity>(heir);
    EXPECT_TRUE(told.empty());
}

TEST_F(inherited_changes, added_and_removed_are_about_the_entity_itself) {
    auto added = world.query<const position>().added<position>();
    auto removed = world.query().removed<position>();
    EXPECT_EQ(look(added), entities{stranger});
    std::ignore = look(removed);
    world.set(heir, position{});
    EXPECT_EQ(look(added), entities{heir});
    world.remove<position>(heir);
    EXPECT_EQ(look(removed), entities{heir});
    world.remove<position>(base);
    EXPECT_TRUE(look(removed).empty());
}

TEST_F(inherited_changes, a_value_of_its_own_that_an_heir_has_lost_is_not_added) {
    auto added = world.query<const position>().added<position>();
    auto watching = world.query<const buff>().watch<buff>();
    added.mark_seen();
    watching.mark_seen();
    world.set(heir, position{}, buff{2});
    EXPECT_TRUE(watching.was_added<buff>(heir));
    world.remove<position, buff>(heir);
    ASSERT_EQ(world.get<position>(heir).x, 1);
    EXPECT_TRUE(look(added).empty());
    EXPECT_FALSE(watching.was_added<buff>(heir));
}

TEST_F(inherited_changes, a_pair_of_its_own_that_an_heir_has_lost_is_not_added) {
    const ecs::entity wants = world.spawn(), food = world.spawn(), peace = world.spawn();
    world.add(wants, ecs::inheritable);
    world.add(base, ecs::pair(wants, food));
    auto added = world.query().added(ecs::pair(wants, ecs::any));
    added.mark_seen();
    world.add(heir, ecs::pair(wants, peace));
    world.remove(heir, ecs::pair(wants, peace));
    EXPECT_TRUE(look(added).empty());
}

TEST_F(inherited_changes, inherited_pairs_are_found_like_components) {
    const ecs::entity wants = world.spawn(), food = world.spawn();
    world.add(wants, ecs::inheritable);
    auto changed = world.query().changed(ecs::pair(wants, ecs::any));
    std::ignore = look(changed);
    world.add(base, ecs::pair(wants, food));
    EXPECT_EQ(look(changed), (entities{heir, heirs_heir}));
    world.add<frozen>(heir);
    EXPECT_TRUE(look(changed).empty());
}

TEST(changes, going_back_is_a_change_of_pairs_and_of_what_is_inherited) {
    ecs::world world;
    const ecs::entity a = world.spawn(), b = world.spawn(), e = world.spawn();
    const ecs::entity base = world.prefab(position{}), heir = world.spawn();
    world.add(heir, ecs::pair(ecs::is_a, base));
    world.add(e, ecs::pair(world.component<owns>(), a));
    const ecs::snapshot before = world.snapshot();
    auto added = world.query().added<ecs::pair_of<owns, ecs::wildcard>>();
    auto removed = world.query().removed<ecs::pair_of<owns, ecs::wildcard>>();
    auto changed = world.query<const position>().changed<position>();
    for (auto* query : {&added, &removed}) query->mark_seen();
    std::ignore = look(changed);
    world.restore(before);
    EXPECT_TRUE(look(added).empty() && look(removed).empty());
    EXPECT_EQ(look(changed), entities{heir});
    world.remove(e, ecs::pair(world.component<owns>(), a));
    world.add(e, ecs::pair(world.component<owns>(), b));
    for (auto* query : {&added, &removed}) query->mark_seen();
    world.restore(before);
    EXPECT_EQ(look(added), entities{e});
    EXPECT_EQ(look(removed), entities{e});
}

TEST(changes, going_back_is_a_change_of_what_differs_alone) {
    ecs::world world;
    const ecs::entity same = world.spawn(position{1, 2}), other = world.spawn(position{3, 4});
    const ecs::entity ended = world.spawn(position{5, 6}), losing = world.spawn(position{7, 8});
    const ecs::entity hidden = world.spawn(position{9, 10});
    const ecs::snapshot before = world.snapshot();
    auto changed = world.query<const position>().changed<position>();
    auto added = world.query<const position>().added<position>();
    auto removed = world.query().removed<position>();
    world.set(other, position{0, 0});
    world.despawn(ended);
    world.remove<position>(losing);
    world.disable<position>(hidden);
    const ecs::entity gaining = world.spawn(position{11, 12});
    for (int round = 0; round < 2; ++round) {
        for (auto* query : {&changed, &added}) query->mark_seen();
        removed.mark_seen();
        round == 0 ? world.restore(before) : world.rewind(before);
        const entities news = round == 0 ? entities{other, ended, losing, hidden} : entities{};
        const entities back = round == 0 ? entities{ended, losing} : entities{};
        EXPECT_EQ(look(changed), news) << round;
        EXPECT_EQ(look(added), back) << round;
        EXPECT_TRUE(look(removed).empty());
    }
    EXPECT_FALSE(world.alive(gaining));
    EXPECT_EQ(world.get<position>(same).x, 1);
}

TEST(changes, going_back_does_not_hide_a_change_that_nobody_has_seen) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 2});
    auto changed = world.query<const position>().changed<position>();
    const ecs::snapshot before = world.snapshot();
    std::ignore = look(changed);
    world.set(e, position{1, 2}); // To the same.
    world.restore(before);
    EXPECT_EQ(look(changed), entities{e});
}

TEST(changes, going_back_compares_values_wherever_they_are_kept) {
    ecs::world world;
    const ecs::entity same = world.spawn(), other = world.spawn(), owner = world.spawn();
    for (const ecs::entity e : {same, other}) {
        world.set(e, buff{1});
        world.set(e, beside{1});
        world.set(e, title{"one"});
        world.set<owes>(e, owner, {1});
    }
    auto of_buff = world.query().changed<buff>();
    auto of_beside = world.query().changed<beside>();
    auto of_title = world.query().changed<title>();
    auto of_pair = world.query().changed(ecs::pair(world.component<owes>(), owner));
    const ecs::snapshot before = world.snapshot();
    world.set(other, buff{2});
    world.set(other, beside{2});
    world.set<owes>(other, owner, {2});
    for (auto* query : {&of_buff, &of_beside, &of_title, &of_pair}) query->mark_seen();
    world.restore(before);
    EXPECT_EQ(look(of_buff), entities{other});
    EXPECT_EQ(look(of_beside), entities{other});
    EXPECT_EQ(look(of_pair), entities{other});
    EXPECT_EQ(look(of_title), (entities{same, other})) << "what is more than bytes is not compared";
}

// Where little has changed, a query goes over a list of it instead of all rows: in the same order, in every
// kind of loop.

class few_changes : public testing::Test {
  protected:
    static constexpr int many = 24'000;

    few_changes() {
        for (int i = 0; i < many; ++i)
            all_.push_back(i % 3 == 0 ? world_.spawn(position{}, velocity{}) : world_.spawn(position{}));
    }

    /// Those of the set in the order in which loops come to them.
    std::vector<ecs::entity> in_order(const entities& some) {
        std::vector<ecs::entity> found;
        all_query_.each([&](ecs::entity e, const position&) {
            if (some.contains(e)) found.push_back(e);
        });
        return found;
    }

    ecs::world world_;
    std::vector<ecs::entity> all_;
    ecs::query<const position> all_query_ = world_.query<const position>();
};

TEST_F(few_changes, are_found_in_the_order_of_all) {
    auto changed = world_.query<const position>().changed<position>();
    std::mt19937 random(11);
    std::ignore = look(changed);
    for (int round = 0; round < 50; ++round) {
        entities expected;
        for (int n = 0; n < 1 + round % 7; ++n) {
            const ecs::entity e = all_[random() % all_.size()];
            if (!world_.alive(e)) continue;
            switch (random() % 4) {
            case 0: world_.modified<position>(e); break;
            case 1: world_.set(e, position{1, 2}); break;
            case 2: world_.patch<position>(e, [](position& p) { p.x = 1; }); break;
            default: // Moves, and is not changed by that.
                world_.has<frozen>(e) ? world_.remove<frozen>(e) : world_.add<frozen>(e);
                continue;
            }
            expected.insert(e);
        }
        if (round % 5 == 0) { // Who has ended is not found, nor is who has its index now.
            const ecs::entity gone = all_[random() % all_.size()];
            world_.despawn(gone);
            expected.erase(gone);
        }
        ASSERT_EQ(changed.count(), expected.size());
        ASSERT_EQ(changed.entities(), in_order(expected));
        std::vector<ecs::entity> found;
        const auto note = [&](ecs::entity e, const position&) { found.push_back(e); };
        if (round % 3 == 0)
            for (auto [e, p] : changed) found.push_back(e);
        else if (round % 3 == 1)
            changed.each(note);
        else
            changed.each_chunk([&](std::span<const ecs::entity> some, std::span<const position>) {
                found.insert(found.end(), some.begin(), some.end());
            });
        ASSERT_EQ(found, in_order(expected));
        ASSERT_EQ(changed.count(), 0);
    }
}

TEST_F(few_changes, what_came_and_went_is_found_likewise) {
    auto added = world_.query().added<velocity>();
    auto removed = world_.query().removed<velocity>();
    for (auto* query : {&added, &removed}) query->mark_seen();
    world_.set(all_[1], velocity{});
    world_.remove<velocity>(all_[12'000]);
    EXPECT_EQ(look(added), entities{all_[1]});
    EXPECT_EQ(look(removed), entities{all_[12'000]});
    world_.set(all_[12'000], velocity{});
    world_.despawn(all_[1]);
    EXPECT_EQ(look(added), entities{all_[12'000]});
    EXPECT_TRUE(look(removed).empty());
}

TEST_F(few_changes, other_terms_hold_as_well) {
    auto changed = world_.query<const position, const velocity>().changed<position>().without<frozen>();
    std::ignore = look(changed);
    for (const int i : {0, 1, 3, 6}) world_.modified<position>(all_[static_cast<std::size_t>(i)]);
    world_.add<frozen>(all_[3]);
    world_.disable<velocity>(all_[6]);
    EXPECT_EQ(look(changed), entities{all_[0]});
}

TEST_F(few_changes, loop_goes_on_as_it_has_begun) {
    auto changed = world_.query<const position>().changed<position>();
    std::ignore = look(changed);
    world_.modified<position>(all_[10]);
    world_.modified<position>(all_[20'000]);
    entities found;
    changed.each([&](ecs::entity e, const position&) {
        found.insert(e);
        for (const ecs::entity other : all_) world_.modified<position>(other);
        EXPECT_TRUE(changed.contains(e));
    });
    EXPECT_EQ(found, (entities{all_[10], all_[20'000]}));
    EXPECT_EQ(changed.count(), many);
}

TEST_F(few_changes, instances_see_the_change_of_their_base) {
    const ecs::entity base = world_.prefab(position{});
    const ecs::entity heir = world_.spawn();
    world_.add(heir, ecs::pair(ecs::is_a, base));
    auto changed = world_.query<const position>().changed<position>();
    std::ignore = look(changed);
    world_.set(base, position{3, 3});
    EXPECT_EQ(look(changed), entities{heir});
}

TEST_F(few_changes, threads_that_change_entities_of_one_block_are_all_found) {
    auto changed = world_.query<const position>().changed<position>();
    auto all = world_.query<position>().with<velocity>();
    std::ignore = look(changed);
    all.par_each([](position& p) { p.x = 1; });
    EXPECT_EQ(changed.count(), many / 3);
    std::ignore = look(changed);
    EXPECT_EQ(changed.count(), 0);
}

TEST(changes, queries_with_variables_have_seen_what_a_loop_over_them_came_to) {
    ecs::world world;
    const ecs::entity parent = world.spawn();
    const std::vector<ecs::entity> all = world.spawn_n(10, position{});
    for (const ecs::entity e : all) world.add(e, ecs::pair(ecs::child_of, parent));
    const auto child = ecs::pair(ecs::child_of, ecs::var("x"));
    auto changed = world.query<const position>().changed<position>().with(child);
    auto asked = world.query<const position>().with(child).where(ecs::changed<position>());
    auto own = world.query<position>().changed<position>().with(child);
    const auto found = [](auto& q) {
        int count = 0;
        q.each([&](ecs::entity, auto&) { ++count; });
        return count;
    };
    EXPECT_EQ(found(changed), 10);
    EXPECT_EQ(found(changed), 0);
    EXPECT_EQ(found(asked), 10);
    EXPECT_EQ(found(asked), 0);
    EXPECT_EQ(found(own), 10);
    EXPECT_EQ(found(own), 0) << "it does not find what it handed out itself";
    world.set(all[3], position{5, 5});
    EXPECT_EQ(found(changed), 10) << "what the other query handed out to be written";
    EXPECT_EQ(found(asked), 10);
    std::atomic<int> count = 0;
    world.set(all[4], position{6, 6});
    changed.par_each([&](ecs::entity, const position&) { ++count; });
    changed.par_each([&](ecs::entity, const position&) { ++count; });
    EXPECT_EQ(count, 1);
}

TEST(changes, what_is_written_after_another_query_has_looked_is_found) {
    ecs::world world;
    const ecs::entity parent = world.spawn();
    const std::vector<ecs::entity> all = world.spawn_n(2, position{});
    for (const ecs::entity e : all) world.add(e, ecs::pair(ecs::child_of, parent));
    auto watch = world.query<const position>().changed<position>();
    auto joined = world.query<position>().with(ecs::pair(ecs::child_of, ecs::var("x")));
    int visits = 0;
    joined.each([&](position& p) {
        if (++visits == 1) watch.each([](const position&) {});
        p.x = 1;
    });
    EXPECT_EQ(watch.count(), 2U);
    watch.mark_seen();
    world.query<position>().each_pair([&](const auto& one, const auto& other) {
        watch.each([](const position&) {});
        std::get<1>(one).x = std::get<1>(other).x = 2;
    });
    EXPECT_EQ(watch.count(), 2U);
}

TEST(changes, pairs_of_one_pattern_are_marked_by_systems_side_by_side) {
    constexpr int count = 3000;
    struct here {};
    struct there {};
    ecs::world world;
    auto changed = world.query<>().changed(ecs::pair(world.component<owes>(), ecs::any));
    for (int i = 0; i < count; ++i) {
        const ecs::entity e = world.spawn();
        world.set<ecs::pair_of<owes, here>>(e, {1});
        world.set<ecs::pair_of<owes, there>>(e, {1});
    }
    changed.mark_seen();
    ecs::schedule schedule;
    schedule.add([](ecs::query<ecs::pair_of<owes, here>>& q) { q.each([](owes& o) { ++o.coins; }); });
    schedule.add([](ecs::query<ecs::pair_of<owes, there>>& q) { q.each([](owes& o) { ++o.coins; }); });
    for (int run = 0; run < 3; ++run) {
        schedule.run(world, 2);
        EXPECT_EQ(changed.count(), count);
        changed.mark_seen();
    }
    EXPECT_TRUE(schedule.ambiguities(world).empty());
}

/// Where the memory of what was tracked before has gone: with a sanitizer this shows more than the counts.
TEST(changes, what_has_been_seen_is_said_of_the_world_that_went_back) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{}, buff{});
    const ecs::snapshot before = world.snapshot();
    const std::vector<std::byte> saved = ecs::save(world);
    auto moved = world.query<const position>().changed<position>();
    auto watched = world.query<const buff>().watch<buff>();
    const auto go_back = [&](int way) {
        world.set(e, position{1, 2});
        world.set(e, buff{3});
        EXPECT_EQ(moved.count(), 1U);
        watched.each([](const buff&) {});
        way == 0 ? world.restore(before) : way == 1 ? world.rewind(before) : ecs::load(world, saved);
    };
    for (int way = 0; way < 3; ++way) {
        go_back(way);
        EXPECT_TRUE(watched.has_changed<buff>(e)) << way;
        moved.mark_seen();
        watched.mark_seen();
        EXPECT_EQ(moved.count(), 0U) << way;
        EXPECT_FALSE(watched.has_changed<buff>(e)) << way;
        world.set(e, position{5, 6});
        EXPECT_EQ(moved.count(), 1U) << way;
    }
}

TEST(changes, what_has_been_seen_can_be_said_when_the_component_has_ended) {
    ecs::world world;
    const ecs::entity c = world.component({.name = "c", .size = 4});
    world.add(world.spawn(), c);
    auto changed = world.query<>().changed(c);
    EXPECT_EQ(changed.count(), 1U);
    world.despawn(c);
    changed.mark_seen();
    EXPECT_EQ(changed.count(), 0U);
}

TEST(changes, loop_that_ended_early_has_seen_everything) {
    ecs::world world;
    world.spawn_n(3, position{0, 0});
    auto changed = world.query<const position>().changed<position>();
    EXPECT_THROW(changed.each([](const position&) { throw std::runtime_error("half-way"); }),
                 std::runtime_error);
    EXPECT_TRUE(look(changed).empty());
}

TEST(changes, loop_that_could_not_begin_has_seen_nothing) {
    ecs::world world;
    for (int i = 0; i < 3; ++i) std::ignore = world.spawn(position{0, 0});
    bool fails = true;
    auto changed =
        world.query<const position>().changed<position>().sort_by([&](ecs::entity a, ecs::entity b) {
            if (fails) throw std::runtime_error("comparison");
            return a.index() < b.index();
        });
    EXPECT_THROW(std::ignore = look(changed), std::runtime_error);
    fails = false;
    EXPECT_EQ(look(changed).size(), 3U);
    EXPECT_EQ(look(changed).size(), 0U);
}

} // namespace
} // namespace changes_test
