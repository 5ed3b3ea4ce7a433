// SPDX-License-Identifier: MIT
// Who is told what happens, when, and what may be done meanwhile.
#include "support/sanitized.hpp"
#include <algorithm>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;

namespace observers_test {
namespace {

using ecs::entity;
using ecs::event;
using ecs::event_context;

struct position {
    int x = 0;
};
struct velocity {
    int x = 0;
};
struct frozen {};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    int strength = 1;
};
struct seen {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct likes {};
struct click {
    static constexpr bool is_event = true;
    int button = 0;
};

/// Writes down what an observer is told.
struct diary {
    std::vector<std::string> lines;
    void operator()(const std::string& line) { lines.push_back(line); }
    std::vector<std::string> read() { return std::exchange(lines, {}); }
};
using lines = std::vector<std::string>;

/// Notes additions, values set and removals of positions.
void keep(diary& notes, ecs::world& world) {
    world.observe<event::added, position>(
        [&](entity, position& p) { notes("added " + std::to_string(p.x)); });
    world.observe<event::set, position>([&](entity, position& p) { notes("set " + std::to_string(p.x)); });
    world.observe<event::removed, position>(
        [&](entity, position& p) { notes("removed " + std::to_string(p.x)); });
}

/// Their bodies compile for what they are handed, and are not asked for anything else.
TEST(observers, may_be_functions_of_any_type) {
    diary notes;
    ecs::world world;
    const entity e = world.spawn(position{3});
    world.observe<click>([&](const auto& c) { notes("click " + std::to_string(c.button)); });
    world.observe<click, position>([&](const auto& c, auto& p) { p.x += c.button; });
    world.observe<event::set, position>([&](auto& p) { notes("set " + std::to_string(p.x)); });
    world.observe<event::spawned>([&](const auto& what) {
        if (what.subject) notes("spawned");
    });
    world.observe(event::removed, world.component<position>(),
                  [&](const auto& what) { notes(what.value ? "removed" : "lost"); });
    world.emit(e, click{2});
    EXPECT_EQ(world.get<position>(e).x, 5);
    world.set(e, position{1});
    world.remove<position>(e);
    std::ignore = world.spawn();
    EXPECT_EQ(notes.read(), (lines{"click 2", "set 1", "removed", "spawned"}));
}

TEST(observers, are_told_of_every_way_to_add_set_and_remove) {
    diary notes;
    ecs::world world;
    keep(notes, world);
    const entity e = world.spawn();
    world.add<position>(e);
    EXPECT_EQ(notes.read(), (lines{"added 0"}));
    world.set(e, position{1});
    world.patch<position>(e, [](position& p) { p.x = 2; });
    world.modify(e, [](position& p) { p.x = 3; });
    world.modify(e, [](const position&) {});
    world.get<position>(e).x = 4;
    world.modified<position>(e);
    const position five{5};
    world.set(e, world.component<position>(), &five);
    EXPECT_EQ(notes.read(), (lines{"set 1", "set 2", "set 3", "set 4", "set 5"}));
    world.edit(e).set(position{6}).add<frozen>();
    world.set(e, position{7}, velocity{});
    EXPECT_EQ(notes.read(), (lines{"set 6", "set 7"}));
    world.remove<position>(e);
    world.remove<position>(e);
    EXPECT_EQ(notes.read(), (lines{"removed 7"}));
    world.set(e, position{8});
    world.edit(e).remove<position>().remove<frozen>();
    world.edit(e).set(position{9});
    world.despawn(e);
    EXPECT_EQ(notes.read(), (lines{"added 8", "set 8", "removed 8", "added 9", "set 9", "removed 9"}));
}

TEST(observers, are_told_of_no_move_that_leaves_what_they_ask_for_alone) {
    diary notes;
    ecs::world world;
    const entity e = world.spawn(position{1}), other = world.spawn(position{1});
    keep(notes, world);
    world.set(e, velocity{1});
    world.add<frozen>(e);
    world.remove<velocity>(e);
    world.add<frozen>(std::vector{e, other});
    world.remove<frozen>(std::vector{e, other});
    world.edit(e).add<frozen>().set(velocity{2});
    EXPECT_EQ(notes.read(), lines{});
    EXPECT_EQ(world.get<position>(e).x, 1);
    EXPECT_EQ(world.get<velocity>(e).x, 2);
}

TEST(observers, are_told_of_what_is_written_while_something_else_moves_the_row) {
    diary notes;
    ecs::world world;
    const entity e = world.spawn(position{1});
    keep(notes, world);
    for (const bool before : {false, true}) { // The second time, the way is known.
        world.set(e, position{2}, velocity{});
        EXPECT_EQ(notes.read(), lines{"set 2"}) << before;
        world.edit(e).set(position{3}).remove<velocity>();
        EXPECT_EQ(notes.read(), lines{"set 3"}) << before;
        world.set(e, position{4}, frozen{});
        EXPECT_EQ(notes.read(), lines{"set 4"}) << before;
        world.remove<frozen>(e);
    }
    const entity bare = world.spawn(frozen{});
    world.set(bare, position{5}, velocity{});
    EXPECT_EQ(notes.read(), (lines{"added 5", "set 5"}));
    world.remove<position, frozen>(bare);
    EXPECT_EQ(notes.read(), lines{"removed 5"});
}

TEST(observers, of_a_type_that_is_registered_later_are_told_of_its_writes) {
    struct late {
        int x = 0;
    };
    diary notes;
    ecs::world world;
    const entity e = world.spawn(position{1});
    world.observe<event::set, velocity>(
        [&](entity, velocity& v) { notes("velocity " + std::to_string(v.x)); });
    world.set(e, late{1});
    world.observe<event::set, late>([&](entity, late& l) { notes("late " + std::to_string(l.x)); });
    world.set(e, position{2});
    world.set(e, late{2});
    world.patch<late>(e, [](late& l) { l.x = 3; });
    world.set(e, velocity{4});
    world.set(e, velocity{5});
    world.set(e, velocity{6}, late{7});
    world.modified<late>(e);
    EXPECT_EQ(notes.read(),
              (lines{"late 2", "late 3", "velocity 4", "velocity 5", "velocity 6", "late 7", "late 7"}));
}

TEST(observers, of_types_beyond_those_of_low_index_are_told_of_their_writes) {
    diary notes;
    ecs::world world;
    for (int i = 0; i < 300; ++i) world.component({.name = "kind " + std::to_string(i), .size = 4});
    const entity e = world.spawn(position{1}, frozen{});
    ASSERT_GT(world.component<position>().index(), 255U);
    keep(notes, world);
    world.set(e, position{2});
    world.patch<position>(e, [](position& p) { p.x = 3; });
    world.set(e, velocity{});
    EXPECT_EQ(notes.read(), (lines{"set 2", "set 3"}));
    EXPECT_TRUE(world.has<frozen>(e));
    EXPECT_FALSE(world.has<likes>(e));
}

TEST(observers, writes_of_what_nobody_observes_wait_within_an_observer_as_all_others_do) {
    diary notes;
    ecs::world world;
    const entity e = world.spawn(position{1}, velocity{1});
    world.observe<event::set, position>([&](entity) {
        world.set(e, velocity{2});
        world.patch<velocity>(e, [](velocity& v) { v.x += 10; });
        notes(std::to_string(world.get<velocity>(e).x));
    });
    world.set(e, position{2});
    EXPECT_EQ(notes.read(), lines{"11"}); // The patch was made at once, the value comes when all is told.
    EXPECT_EQ(world.get<velocity>(e).x, 2);
}

TEST(observers, of_whole_entities_are_told_when_the_tag_disables_them) {
    diary notes;
    ecs::world world;
    const entity e = world.spawn(position{});
    world.observe<event::disabled>([&](entity) { notes("disabled"); });
    world.observe<event::enabled>([&](entity) { notes("enabled"); });
    world.add<frozen>(e);
    EXPECT_EQ(notes.read(), lines{});
    world.add(e, ecs::disabled);
    world.remove<frozen>(e);
    world.remove(e, ecs::disabled);
    EXPECT_EQ(notes.read(), (lines{"disabled", "enabled"}));
}

TEST(observers, of_spawns_are_told_also_when_others_watched_ends_before) {
    diary notes;
    ecs::world world;
    world.spawn(position{}, buff{});
    world.observe<event::despawned>([&](entity) { notes("despawned"); });
    world.observe<event::removed, buff>([&](entity) { notes("removed"); });
    const entity before = world.spawn(position{}, buff{});
    world.observe<event::spawned>([&](entity) { notes("spawned"); });
    for (const entity e : {before, world.spawn(position{}, buff{}), world.spawn()}) world.despawn(e);
    EXPECT_EQ(notes.read(),
              (lines{"spawned", "spawned", "removed", "despawned", "removed", "despawned", "despawned"}));
}

TEST(observers, are_told_of_every_way_to_begin_and_to_end) {
    diary notes;
    ecs::world world;
    keep(notes, world);
    const entity e = world.spawn(position{1}, velocity{});
    EXPECT_EQ(notes.read(), (lines{"added 1", "set 1"}));
    const entity copy = world.clone(e);
    EXPECT_EQ(notes.read(), (lines{"added 1", "set 1"}));
    world.spawn_n(2, [](std::size_t i) { return position{static_cast<int>(i)}; });
    EXPECT_EQ(notes.read(), (lines{"added 0", "set 0", "added 1", "set 1"}));
    world.spawn("name", position{2});
    EXPECT_EQ(notes.read(), (lines{"added 2", "set 2"}));
    ecs::commands commands = world.commands();
    const entity later = commands.spawn(position{3});
    commands.set(copy, position{4});
    world.flush();
    EXPECT_EQ(notes.read(), (lines{"added 3", "set 3", "set 4"}));
    world.add(later, ecs::pair(ecs::child_of, e));
    world.despawn(e);
    EXPECT_EQ(notes.read(), (lines{"removed 1", "removed 3"}));
    world.clear();
    EXPECT_EQ(notes.read().size(), 4);
}

TEST(observers, are_told_of_the_end_of_a_world_when_they_ask_for_it) {
    diary notes;
    std::vector<std::pair<entity, bool>> matches;
    {
        ecs::world world;
        const auto note = [&](entity, position& p) { notes("removed " + std::to_string(p.x)); };
        world.observe<event::removed, position>(note, {.at_world_end = true});
        world.observe<event::despawned>([&](entity) { notes("despawned"); }, {.at_world_end = true});
        world.monitor<position>([&](entity e, bool matched) { matches.emplace_back(e, matched); },
                                {.at_world_end = true});
        world.spawn(position{1});
        EXPECT_EQ(notes.read(), lines{});
    }
    EXPECT_EQ(notes.read(), (lines{"removed 1", "despawned"}));
    ASSERT_EQ(matches.size(), 2);
    EXPECT_EQ(matches[1], std::pair(matches[0].first, false));
}

TEST(observers, are_not_told_of_the_end_of_a_world_so_they_may_refer_to_what_ends_before_it) {
    diary notes;
    {
        ecs::world world;
        std::vector<entity> dead_by_then;
        const auto note = [&](entity e) {
            notes("told");
            dead_by_then.push_back(e);
        };
        world.observe<event::removed, position>(note);
        world.observe(ecs::event::despawned, note);
        world.monitor<position>([&](entity e, bool) { note(e); });
        world.observe<event::removed, velocity>([&](entity) { notes("asked"); }, {.at_world_end = true});
        world.spawn(position{1}, velocity{});
        EXPECT_EQ(notes.read(), lines{"told"});
    }
    EXPECT_EQ(notes.read(), lines{"asked"});
}

TEST(observers, a_queued_one_cannot_ask_for_the_end_of_the_world) {
    ecs::world world;
    const auto nothing = [](entity) {};
    EXPECT_THROW(
        (std::ignore = world.observe(ecs::event::despawned, nothing, {.queued = true, .at_world_end = true})),
        std::invalid_argument);
}

TEST(observers, components_outside_tables_are_observed_too) {
    diary notes;
    ecs::world world;
    world.observe<event::added, buff>([&](entity, buff& b) { notes("added " + std::to_string(b.strength)); });
    world.observe<event::set, buff>([&](entity, buff& b) { notes("set " + std::to_string(b.strength)); });
    world.observe<event::removed, buff>(
        [&](entity, buff& b) { notes("removed " + std::to_string(b.strength)); });
    world.observe<event::added, seen>([&](entity) { notes("seen"); });
    world.observe<event::removed, seen>([&](entity) { notes("unseen"); });
    const entity e = world.spawn(buff{2});
    world.add<seen>(e);
    world.set(e, buff{3});
    world.remove<buff>(e);
    world.add<buff>(e);
    EXPECT_EQ(notes.read(), (lines{"added 2", "set 2", "seen", "set 3", "removed 3", "added 1"}));
    world.remove<seen>(e);
    world.despawn(world.clone(e));
    EXPECT_EQ(notes.read(), (lines{"unseen", "added 1", "set 1", "removed 1"}));
    world.add<seen>(e);
    world.despawn(e);
    EXPECT_EQ(notes.read(), (lines{"seen", "unseen", "removed 1"}));
}

TEST(observers, of_a_spawn_are_told_when_what_is_outside_tables_is_there) {
    diary notes;
    ecs::world world;
    world.observe<event::added, buff>([&](entity, buff& b) { notes("added " + std::to_string(b.strength)); });
    world.observe<event::added, position>(
        [&](entity e) { notes(world.has<buff>(e) ? "position with a buff" : "position"); });
    world.observe<event::spawned, buff>([&](entity) { notes("spawned"); });
    const lines told{"spawned", "position with a buff", "added 2"};
    const entity e = world.spawn(position{1}, buff{2});
    EXPECT_EQ(notes.read(), told);
    world.clone(e);
    EXPECT_EQ(notes.read(), told);
    world.clone_tree(e);
    EXPECT_EQ(notes.read(), told);
}

TEST(observers, pairs_are_observed_by_pattern) {
    using change = std::pair<event, ecs::id>;
    std::vector<change> changes;
    ecs::world world;
    const auto note = [&](const event_context& o) { changes.emplace_back(o.what, o.word); };
    const entity apples = world.spawn(), pears = world.spawn(), e = world.spawn(), other = world.spawn();
    const ecs::id liking = world.component<likes>();
    const ecs::id parent = ecs::pair(ecs::child_of, apples), step_parent = ecs::pair(ecs::child_of, pears);
    for (const ecs::id relation : {liking, ecs::id(ecs::child_of)}) {
        world.observe(ecs::event::added, ecs::pair(relation, ecs::any), note);
        world.observe(ecs::event::removed, ecs::pair(relation, ecs::any), note);
    }
    world.add(e, ecs::pair(liking, apples));
    world.add(e, ecs::pair(liking, pears));
    world.remove(e, ecs::pair(liking, apples));
    EXPECT_EQ(changes, (std::vector<change>{{event::added, ecs::pair(liking, apples)},
                                            {event::added, ecs::pair(liking, pears)},
                                            {event::removed, ecs::pair(liking, apples)}}));
    changes.clear();
    const auto same = [](ecs::id a, ecs::id b) {
        return a.relation_index() == b.relation_index() && a.target_index() == b.target_index();
    };
    world.add(other, parent);
    world.add(e, parent);
    world.add(e, step_parent);
    world.remove(e, step_parent);
    world.add(e, step_parent);
    ASSERT_EQ(changes.size(), 6);
    const ecs::id expected[]{parent, parent, parent, step_parent, step_parent, step_parent};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(same(changes[i].second, expected[i])) << i;
    EXPECT_EQ(changes[2].first, event::removed);
    EXPECT_EQ(changes[4].first, event::removed);
    changes.clear();
    world.despawn(pears); // Likes it, and is its child: both end before it.
    EXPECT_EQ(changes.size(), 2);
    EXPECT_FALSE(world.alive(e));
}

TEST(observers, of_an_identifier_are_told_of_several_events) {
    diary notes;
    ecs::world world;
    const auto note = [&](const std::string& who) {
        return [&notes, who](const event_context& o) {
            notes(who + (o.what == event::added || o.what == event::spawned ? " begins" : " ends"));
        };
    };
    const entity liking = world.component<likes>(), apples = world.spawn();
    world.observe({event::added, event::removed}, ecs::pair(liking, ecs::any), note("liking"));
    world.observe({event::added, event::removed}, world.component<seen>(), note("bit"));
    world.observe({event::spawned, event::despawned}, world.component<position>(), note("place"));
    world.observe({event::spawned, event::despawned}, note("somebody"));
    const entity e = world.spawn(position{});
    EXPECT_EQ(notes.read(), (lines{"place begins", "somebody begins"}));
    world.add(e, ecs::pair(liking, apples));
    world.add<seen>(e);
    world.remove<seen>(e);
    world.remove(e, ecs::pair(liking, apples));
    EXPECT_EQ(notes.read(), (lines{"liking begins", "bit begins", "bit ends", "liking ends"}));
    world.despawn(apples);
    world.despawn(e);
    EXPECT_EQ(notes.read(), (lines{"somebody ends", "place ends", "somebody ends"}));
}

TEST(observers, end_of_a_relation_is_the_end_of_each_of_its_pairs) {
    for (const bool in_column : {false, true}) {
        ecs::world world;
        const entity relation = world.spawn(), target = world.spawn();
        if (in_column) world.add(relation, ecs::non_fragmenting);
        std::vector<ecs::id> lost;
        world.observe(ecs::event::removed, ecs::pair(relation, ecs::any),
                      [&](const event_context& o) { lost.push_back(o.word); });
        for (int i = 0; i < 3; ++i) world.add(world.spawn(), ecs::pair(relation, target));
        world.despawn(relation);
        EXPECT_EQ(lost, std::vector(3, ecs::pair(relation, target))) << in_column;
    }
}

TEST(observers, whole_entities_and_tables_are_observed) {
    std::size_t created = 0, removed = 0;
    diary notes;
    ecs::world world;
    world.observe(ecs::event::spawned, [&](entity) { notes("spawned"); });
    world.observe<event::despawned, position>(
        [&](entity e, position& p) { notes("despawned " + std::to_string(p.x) + (e ? "" : " nobody")); });
    world.observe(ecs::event::disabled, [&](entity) { notes("disabled"); });
    world.observe(ecs::event::enabled, [&](entity) { notes("enabled"); });
    world.observe<event::disabled, position>([&](entity) { notes("position disabled"); });
    world.observe<event::enabled, position>([&](entity) { notes("position enabled"); });
    const entity e = world.spawn(position{1});
    world.disable(e);
    world.enable(e);
    world.disable<position>(e);
    world.disable<position>(e);
    world.enable<position>(e);
    world.despawn(e);
    world.despawn(world.spawn());
    EXPECT_EQ(notes.read(), (lines{"spawned", "disabled", "enabled", "position disabled", "position enabled",
                                   "despawned 1", "spawned"}));
    const ecs::id tag = world.spawn();
    world.observe(ecs::event::table_created, [&](const event_context& o) { created += o.type.size() == 1; });
    world.observe(ecs::event::table_removed, [&](const event_context& o) { removed += o.type[0] == tag; });
    world.add(world.spawn(), tag);
    EXPECT_EQ(created, 1);
    world.despawn(tag.as_entity());
    EXPECT_EQ(removed, 1);
}

TEST(observers, several_terms_are_one_occasion) {
    ecs::world world;
    int both = 0, maybe = 0;
    world.observe<event::added, position, const velocity>([&](position&, const velocity&) { ++both; });
    world.observe<event::added, position, velocity*>(
        [&](entity, position&, velocity* v) { maybe += v ? 10 : 1; });
    const entity e = world.spawn(position{});
    EXPECT_EQ(both, 0);
    EXPECT_EQ(maybe, 1);
    world.add<velocity>(e);
    EXPECT_EQ(both, 1);
    EXPECT_EQ(maybe, 11);
    world.spawn(position{}, velocity{});
    EXPECT_EQ(both, 2);
    EXPECT_EQ(maybe, 21);
}

TEST(observers, existing_matches_are_told_on_request) {
    ecs::world world;
    const entity apples = world.spawn();
    world.add(world.spawn(position{1}), ecs::pair(ecs::child_of, apples));
    world.spawn(position{2}, buff{3});
    int positions = 0, buffs = 0, children = 0, later = 0;
    world.observe<event::added, position>([&](position& p) { positions += p.x; }, {.existing = true});
    world.observe<event::set, buff>([&](buff& b) { buffs += b.strength; }, {.existing = true});
    world.observe(ecs::event::added, ecs::pair(ecs::child_of, ecs::any), [&](entity) { ++children; },
                  {.existing = true});
    world.observe<event::added, position>([&](position&) { ++later; });
    EXPECT_EQ(positions, 3);
    EXPECT_EQ(buffs, 3);
    EXPECT_EQ(children, 1);
    EXPECT_EQ(later, 0);
}

TEST(observers, existing_is_what_an_observer_of_the_event_would_be_told_of) {
    diary notes;
    ecs::world world;
    const entity e = world.spawn(position{1}, velocity{}, frozen{});
    const entity hidden = world.spawn(position{2}, buff{3}, ecs::disabled);
    world.disable<position>(e);
    world.disable<buff>(hidden);
    const auto tell = [&](const std::string& what) { return [&, what](entity) { notes(what); }; };
    world.observe<event::set, frozen>(tell("a tag has no value to set"), {.existing = true});
    world.observe<event::set, velocity>(tell("velocity"), {.existing = true});
    world.observe<event::removed, position>(tell("removed"), {.existing = true});
    EXPECT_EQ(notes.read(), (lines{"velocity"}));
    world.observe<event::disabled, position>([&](position& p) { notes("position " + std::to_string(p.x)); },
                                             {.existing = true});
    world.observe<event::disabled, buff>([&](buff& b) { notes("buff " + std::to_string(b.strength)); },
                                         {.existing = true});
    world.observe<event::disabled, velocity>(tell("not this one"), {.existing = true});
    world.observe(ecs::event::disabled, [&](entity whole) { notes(whole == hidden ? "entity" : "another"); },
                  {.existing = true});
    EXPECT_EQ(notes.read(), (lines{"position 1", "buff 3", "entity"}));
}

TEST(observers, monitors_are_told_when_an_entity_begins_and_stops_to_match) {
    std::vector<std::pair<entity, bool>> changes;
    ecs::world world;
    const entity before = world.spawn(position{}, velocity{});
    const auto note = [&](entity e, bool matches) { changes.emplace_back(e, matches); };
    const auto read = [&] { return std::exchange(changes, {}); };
    using told = std::vector<std::pair<entity, bool>>;
    world.monitor<position, velocity>(note);
    const entity e = world.spawn(position{});
    EXPECT_EQ(read(), told{});
    world.set(e, velocity{});
    world.set(e, velocity{});
    world.add<frozen>(e);
    EXPECT_EQ(read(), (told{{e, true}}));
    world.remove<position>(e);
    world.remove<velocity>(e);
    world.set(e, position{}, velocity{});
    world.disable(e);
    world.enable(e);
    world.disable<position>(e);
    world.enable<position>(e);
    EXPECT_EQ(read(), (told{{e, false}, {e, true}, {e, false}, {e, true}, {e, false}, {e, true}}));
    world.despawn(e);
    world.despawn(before);
    EXPECT_EQ(read(), (told{{e, false}, {before, false}}));
    const entity next = world.spawn(position{}, buff{});
    EXPECT_EQ(read(), told{});
    world.monitor(world.query<position>().with<buff>().without<frozen>(), note, {.existing = true});
    EXPECT_EQ(read(), (told{{next, true}}));
    world.add<frozen>(next);
    world.remove<frozen>(next);
    world.remove<buff>(next);
    EXPECT_EQ(read(), (told{{next, false}, {next, true}, {next, false}}));
}

/// What a monitor has told since this was last asked.
class matches_told {
  public:
    using list = std::vector<std::pair<entity, bool>>;

    auto noting() {
        return [this](entity e, bool matches) { told_.emplace_back(e, matches); };
    }
    list read() { return std::exchange(told_, {}); }

  private:
    list told_;
};
using told_list = matches_told::list;

TEST(observers, monitors_see_the_end_of_what_matches_by_what_it_inherits) {
    matches_told told;
    ecs::world world;
    const entity base = world.prefab(position{1});
    const entity e = world.spawn(frozen{}, ecs::pair(ecs::is_a, base));
    world.monitor(world.query<const position>(), told.noting(), {.existing = true});
    EXPECT_EQ(told.read(), (told_list{{e, true}}));
    world.despawn(e);
    EXPECT_EQ(told.read(), (told_list{{e, false}}));
    const entity next = world.spawn(position{2});
    EXPECT_EQ(next.index(), e.index());
    world.remove<position>(next);
    EXPECT_EQ(told.read(), (told_list{{next, true}, {next, false}}));
    const entity heir = world.spawn(frozen{}, ecs::pair(ecs::is_a, base));
    world.despawn(heir);
    EXPECT_EQ(told.read(), (told_list{{heir, true}, {heir, false}}));
}

TEST(observers, monitors_of_what_must_not_be_there_see_every_beginning_and_end) {
    matches_told told;
    ecs::world world;
    const entity before = world.spawn(frozen{});
    const ecs::observer o = world.monitor(world.query().without<position>(), told.noting());
    const entity bare = world.spawn(), other = world.spawn(velocity{}), copy = world.clone(other);
    const entity early = world.commands().spawn(velocity{});
    world.flush();
    EXPECT_EQ(told.read(), (told_list{{bare, true}, {other, true}, {copy, true}, {early, true}}));
    const entity unlike = world.spawn(position{});
    world.add<position>(other);
    world.despawn(unlike);
    world.despawn(std::vector{bare, other, copy});
    world.despawn(before);
    EXPECT_EQ(told.read(), (told_list{{other, false}, {bare, false}, {copy, false}, {before, false}}));
    matches_told conditions;
    world.monitor(world.query().where(!ecs::has<position>()), conditions.noting());
    const entity last = world.spawn(frozen{});
    world.despawn(last);
    EXPECT_EQ(conditions.read(), (told_list{{last, true}, {last, false}}));
}

TEST(observers, nothing_that_is_above_is_told_of_what_is_about_to_end) {
    matches_told told;
    std::vector<std::pair<event, entity>> losses;
    ecs::world world;
    const entity owner = world.spawn(), relation = world.component<likes>();
    const entity e = world.spawn(frozen{}, ecs::pair(ecs::child_of, owner));
    const entity other = world.spawn(frozen{}, ecs::pair(ecs::child_of, owner));
    world.add<likes>(owner, e);
    world.add<likes>(owner, other);
    const auto owned = [&] { return world.query<const frozen>().up(ecs::pair(relation, ecs::any)); };
    world.monitor(owned(), told.noting(), {.existing = true});
    world.observe<event::added, event::removed>(
        owned(), [&](const event_context& o) { losses.emplace_back(o.what, o.seen_at); });
    EXPECT_EQ(told.read(), (told_list{{e, true}, {other, true}}));
    world.despawn(e);
    EXPECT_EQ(told.read(), (told_list{{e, false}}));
    EXPECT_EQ(losses, (std::vector<std::pair<event, entity>>{{event::removed, e}, {event::removed, other}}));
    const entity next = world.spawn(frozen{});
    EXPECT_EQ(next.index(), e.index());
    world.add(next, ecs::child_of, owner);
    EXPECT_EQ(told.read(), (told_list{{next, true}}));
}

TEST(observers, monitor_of_a_parent_follows_the_children) {
    std::vector<bool> changes;
    ecs::world world;
    const entity parent = world.spawn(), other = world.spawn(), child = world.spawn();
    world.monitor(world.query<>().with(ecs::pair(ecs::child_of, parent)),
                  [&](entity, bool matches) { changes.push_back(matches); });
    world.add(child, ecs::pair(ecs::child_of, parent));
    world.add(child, ecs::pair(ecs::child_of, other));
    world.add(child, ecs::pair(ecs::child_of, parent));
    world.remove(child, ecs::pair(ecs::child_of, parent));
    EXPECT_EQ(changes, (std::vector<bool>{true, false, true, false}));
}

TEST(observers, events_of_the_user_carry_a_payload) {
    ecs::world world;
    const entity button = world.spawn(position{3}), plain = world.spawn();
    int clicks = 0, sum = 0, only = 0, bare = 0;
    world.observe<click>([&](const click& c) { clicks += c.button; });
    world.observe<click, position>([&](entity, const click& c, position& p) { sum += c.button * p.x; });
    world.observe<click>([&](entity) { ++only; }, {.only = plain});
    const entity own = world.spawn();
    world.observe(own, [&](const event_context& o) { bare += o.payload ? 10 : 1; });
    EXPECT_TRUE(world.emit(button, click{2}));
    EXPECT_TRUE(world.emit(plain, click{5}));
    EXPECT_TRUE(world.emit(own, plain));
    EXPECT_TRUE(world.emit(own, plain, 3));
    EXPECT_EQ(clicks, 7);
    EXPECT_EQ(sum, 6);
    EXPECT_EQ(only, 1);
    EXPECT_EQ(bare, 11);
    world.emit(world.component<click>(), button, 7);
    EXPECT_EQ(clicks, 7) << "the payload is of another type";
    world.despawn(plain);
    EXPECT_FALSE(world.emit(plain, click{1}));
}

TEST(observers, an_event_that_does_not_say_it_is_one_is_observed_by_saying_so) {
    struct tick { // Local types have no static members.
        int number = 0;
    };
    ecs::world world;
    const entity clock = world.spawn(position{3}), plain = world.spawn();
    int sum = 0;
    world.observe<event::custom, tick>([&](const tick& t) { sum += t.number; });
    world.observe<event::custom, tick, position>([&](const tick& t, position& p) { sum += t.number * p.x; });
    world.emit(clock, tick{1});
    world.emit(plain, tick{10});
    EXPECT_EQ(sum, 14);
}

TEST(observers, event_travels_to_the_parents_until_it_is_stopped) {
    ecs::world world;
    const entity window = world.spawn(), panel = world.spawn(), button = world.spawn();
    world.add(panel, ecs::pair(ecs::child_of, window));
    world.add(button, ecs::pair(ecs::child_of, panel));
    std::vector<entity> path;
    bool stops = false;
    for (const entity at : {window, panel, button})
        world.observe<click>(
            [&path, &stops, at, panel, button](const event_context& o, const click&) {
                EXPECT_EQ(o.subject, button);
                EXPECT_EQ(o.seen_at, at);
                path.push_back(at);
                if (stops && at == panel) o.stop();
            },
            {.only = at});
    int everywhere = 0;
    world.observe<click>([&](const click&) { ++everywhere; });
    world.emit(button, click{});
    EXPECT_EQ(path, (std::vector{button}));
    path.clear();
    world.emit(button, click{}, ecs::propagate_to_parents);
    EXPECT_EQ(path, (std::vector{button, panel, window}));
    path.clear();
    stops = true;
    world.emit(button, click{}, ecs::propagate_along(ecs::child_of));
    EXPECT_EQ(path, (std::vector{button, panel}));
    EXPECT_EQ(everywhere, 3) << "who asks for no entity is told once";
}

TEST(observers, queued_ones_are_told_at_dispatch_and_flush) {
    diary notes;
    ecs::world world;
    world.observe<event::added, position>([&](entity, position& p) { notes("added " + std::to_string(p.x)); },
                                          {.queued = true});
    world.observe<event::removed, position>([&](entity) { notes("removed"); }, {.queued = true});
    world.observe<click>([&](const click& c) { notes("click " + std::to_string(c.button)); },
                         {.queued = true});
    const entity e = world.spawn(position{1});
    world.spawn(position{2});
    world.set(e, position{3});
    world.emit(e, click{4});
    EXPECT_EQ(notes.read(), lines{});
    EXPECT_EQ(world.dispatch(), 3);
    EXPECT_EQ(notes.read(), (lines{"added 3", "added 2", "click 4"}));
    EXPECT_EQ(world.dispatch(), 0);
    world.despawn(e);
    world.despawn(world.spawn(position{5}));
    world.flush();
    EXPECT_EQ(notes.read(), (lines{"removed", "removed"})) << "what is no longer so is not told";
    const auto too_late = [&] {
        world.observe<event::removed, position>([](position&) {}, {.queued = true});
    };
    EXPECT_THROW(too_late(), std::invalid_argument);
}

TEST(observers, that_are_queued_tell_each_other_at_the_next_dispatch) {
    ecs::world world;
    const entity e = world.spawn();
    int told = 0;
    world.observe<click>(
        [&](const click& c) {
            ++told;
            if (c.button > 0) world.emit(e, click{c.button - 1});
        },
        {.queued = true});
    world.emit(e, click{2});
    for (const int expected : {1, 2, 3, 3}) {
        world.dispatch();
        EXPECT_EQ(told, expected);
    }
}

TEST(observers, what_an_observer_changes_waits_for_the_change_to_be_complete) {
    diary notes;
    ecs::world world;
    entity spawned;
    world.observe<event::added, position>([&](entity e, position& p) {
        EXPECT_EQ(world.set(e, velocity{7}), ecs::add_result::deferred);
        EXPECT_EQ(world.remove<position>(e), ecs::add_result::deferred);
        EXPECT_EQ(world.set(e, position{9}), ecs::add_result::deferred);
        EXPECT_EQ(world.add<buff>(e), ecs::add_result::deferred);
        spawned = world.spawn(velocity{8}, buff{9});
        EXPECT_TRUE(world.alive(spawned));
        EXPECT_EQ(world.set(spawned, frozen{}), ecs::add_result::deferred);
        EXPECT_FALSE(p.x == 1 && world.has<velocity>(e));
        EXPECT_TRUE(p.x == 1 || p.x == 9) << "nothing moves under an observer's hands";
    });
    world.observe<event::removed, position>([&](position& p) { notes("removed " + std::to_string(p.x)); });
    const ecs::observer first =
        world.observe<event::added, velocity>([&](velocity& v) { notes("velocity " + std::to_string(v.x)); });
    EXPECT_TRUE(first.active());
    const entity e = world.spawn();
    int rounds = 0;
    world.observe<event::added, position>([&](entity on) {
        if (++rounds == 3) world.despawn(on);
    });
    world.set(e, position{1});
    // The position came, and its observers asked for one to come; so it went on until one of them ended it.
    EXPECT_EQ(notes.lines, (lines{"velocity 7", "removed 1", "velocity 8", "removed 9", "velocity 8",
                                  "removed 9", "velocity 8", "removed 9", "velocity 8"}));
    EXPECT_EQ(rounds, 4) << "what was asked for before the end comes before it";
    EXPECT_FALSE(world.alive(e));
    EXPECT_TRUE(world.alive(spawned));
}

TEST(observers, what_is_spawned_under_a_name_that_is_taken_has_not_been) {
    ecs::world world;
    const entity holder = world.spawn("taken"), e = world.spawn();
    std::vector<entity> made;
    world.observe<event::added, position>([&] {
        made = {world.spawn("taken"), world.spawn("taken", velocity{1}), world.prefab("taken"),
                world.spawn("free")};
    });
    EXPECT_THROW(world.set(e, position{1}), ecs::name_error);
    ASSERT_EQ(made.size(), 4U);
    for (const entity refused : {made[0], made[1], made[2]}) EXPECT_FALSE(world.alive(refused));
    EXPECT_EQ(world.lookup("taken"), holder);
    EXPECT_EQ(world.lookup("free"), made[3]);
}

TEST(observers, every_operation_can_be_asked_for_from_within) {
    ecs::world world;
    const entity e = world.spawn(), source = world.spawn(velocity{4}), parent = world.spawn(),
                 doomed = world.spawn();
    entity copy, bare, named, fixed;
    std::vector<entity> many(3);
    struct unmet {
        int x;
    };
    world.observe<event::added, frozen>([&](entity on) {
        const position two{2};
        std::ignore = world.set(on, world.component<position>(), &two);
        std::ignore = world.set(on, velocity{3}, unmet{4});
        std::ignore = world.emplace<buff>(on, 5);
        world.edit(on).add<seen>().remove<velocity>();
        std::ignore = world.add<likes, click>(on);
        std::ignore = world.add(on, ecs::pair(ecs::child_of, parent));
        copy = world.clone(source);
        bare = world.spawn();
        named = world.spawn("named", position{6});
        fixed = world.prefab(position{7});
        world.spawn_into(many, [](std::size_t i) { return velocity{static_cast<int>(i)}; });
        world.set_name(on, "it");
        EXPECT_TRUE(world.despawn(doomed));
        std::ignore = world.disable<position>(on);
        EXPECT_TRUE(world.alive(doomed));
        EXPECT_THROW(world.flush(), ecs::iteration_error);
    });
    world.add<frozen>(e);
    EXPECT_EQ(world.get<position>(e).x, 2);
    EXPECT_FALSE(world.is_enabled<position>(e));
    EXPECT_EQ(world.get<unmet>(e).x, 4);
    EXPECT_EQ(world.get<buff>(e).strength, 5);
    EXPECT_TRUE(world.has<seen>(e) && world.has<likes>(e) && world.has<click>(e));
    EXPECT_FALSE(world.has<velocity>(e));
    EXPECT_EQ(world.parent(e), parent);
    EXPECT_EQ(world.get<velocity>(copy).x, 4);
    EXPECT_TRUE(world.alive(bare));
    EXPECT_EQ(world.lookup("named"), named);
    EXPECT_TRUE(world.has(fixed, ecs::prefab_tag));
    EXPECT_EQ(world.get<velocity>(many[2]).x, 2);
    EXPECT_EQ(world.name_of(e), "it");
    EXPECT_FALSE(world.alive(doomed));
}

TEST(observers, an_entity_may_be_ended_by_those_who_are_told_of_it) {
    int told = 0;
    ecs::world world;
    world.observe<event::removed, position>([&](entity e) {
        ++told;
        world.despawn(e);
    });
    const entity loses = world.spawn(position{}), ends = world.spawn(position{});
    world.remove<position>(loses);
    world.despawn(ends);
    EXPECT_EQ(told, 2);
    EXPECT_FALSE(world.alive(loses) || world.alive(ends));
    world.observe<event::spawned>([&](entity e) { world.despawn(e); });
    EXPECT_FALSE(world.alive(world.spawn(velocity{})));
}

TEST(observers, that_are_made_while_others_are_told_hear_of_what_comes_after) {
    ecs::world world;
    std::vector<std::string> told;
    const entity watched = world.spawn();
    world.observe<event::added, position>([&](entity) {
        told.emplace_back("first");
        world.observe<event::added, position>([&](entity) { told.emplace_back("of all"); });
        world.observe<event::added, position>([&](entity) { told.emplace_back("of one"); },
                                              {.only = watched});
    });
    world.observe<event::added, position>([&](entity) { told.emplace_back("last"); });
    world.spawn(position{});
    EXPECT_EQ(told, (std::vector<std::string>{"first", "last"}));
    told.clear();
    world.add<position>(watched);
    EXPECT_EQ(told, (std::vector<std::string>{"first", "last", "of all", "of one"}));
}

TEST(observers, can_be_ended_also_by_themselves) {
    ecs::world world;
    int once = 0, often = 0;
    ecs::observer self;
    self = world.observe<event::added, position>([&](entity) {
        ++once;
        self.end();
        world.observe<event::added, position>([&](entity) { ++often; });
    });
    world.spawn(position{});
    EXPECT_FALSE(self.active());
    EXPECT_EQ(often, 0) << "who comes while others are told is told of the next change";
    world.spawn(position{});
    world.spawn(position{});
    EXPECT_EQ(once, 1);
    EXPECT_EQ(often, 2);
    self.end();
    ecs::observer outlives;
    EXPECT_FALSE(outlives.active());
    {
        ecs::world other;
        outlives = other.observe<event::added, position>([](entity) {});
        EXPECT_TRUE(outlives.active());
    }
    EXPECT_FALSE(outlives.active());
    outlives.end();
}

TEST(observers, are_told_of_nothing_while_they_are_disabled) {
    diary notes;
    ecs::world world;
    ecs::observer o = world.observe<event::set, position>([&](position& p) { notes(std::to_string(p.x)); });
    const ecs::observer copy = o;
    EXPECT_TRUE(copy.enabled());
    const entity e = world.spawn(position{1});
    o.disable();
    o.disable();
    EXPECT_FALSE(copy.enabled());
    EXPECT_TRUE(copy.active()) << "it can be enabled again";
    world.set(e, position{2});
    o.enable();
    world.set(e, position{3});
    EXPECT_EQ(notes.read(), (lines{"1", "3"}));
    const ecs::snapshot then = world.snapshot();
    o.disable();
    world.restore(then);
    EXPECT_FALSE(o.enabled()) << "what the program does with observers is no part of a world's past";
    world.set(e, position{4});
    EXPECT_EQ(notes.read(), lines{});
}

TEST(observers, can_be_disabled_while_they_are_told) {
    diary notes;
    ecs::world world;
    ecs::observer once, other, third;
    once = world.observe<event::added, position>([&] {
        notes("once");
        once.disable();
        other.disable();
        third.enable();
    });
    other = world.observe<event::added, position>([&] { notes("other"); });
    third = world.observe<event::added, position>([&] { notes("third"); });
    third.disable();
    world.spawn(position{});
    world.spawn(position{});
    EXPECT_EQ(notes.read(), (lines{"once", "third", "third"}));
    EXPECT_FALSE(once.enabled() || other.enabled());
    once.enable();
    world.spawn(position{});
    EXPECT_EQ(notes.read(), (lines{"once", "third"}));
}

TEST(observers, that_have_ended_are_neither_disabled_nor_enabled) {
    ecs::observer nobody;
    nobody.disable();
    nobody.enable();
    EXPECT_FALSE(nobody.enabled());
    int told = 0;
    ecs::observer outlives;
    {
        ecs::world world;
        ecs::observer o = world.observe<event::added, position>([&] { ++told; });
        outlives = o;
        o.disable();
        o.end();
        o.enable();
        EXPECT_FALSE(o.enabled());
        world.spawn(position{});
        outlives = world.observe<event::added, position>([](entity) {});
    }
    outlives.enable();
    EXPECT_FALSE(outlives.enabled());
    EXPECT_EQ(told, 0);
}

TEST(observers, queued_ones_are_told_at_a_dispatch_that_finds_them_enabled) {
    diary notes;
    ecs::world world;
    ecs::observer o = world.observe<event::set, position>([&](position& p) { notes(std::to_string(p.x)); },
                                                          {.queued = true});
    const entity a = world.spawn(position{1});
    o.disable();
    const entity b = world.spawn(position{2});
    o.enable();
    EXPECT_EQ(world.dispatch(), 1) << "it was enabled when the first came, and is enabled now";
    EXPECT_EQ(notes.read(), lines{"1"});
    world.set(a, position{3});
    o.disable();
    EXPECT_EQ(world.dispatch(), 0);
    o.enable();
    EXPECT_EQ(world.dispatch(), 0) << "what a dispatch has found no observer for is forgotten";
    world.set(b, position{4});
    world.dispatch();
    EXPECT_EQ(notes.read(), lines{"4"});
}

TEST(observers, a_dispatch_in_a_loop_is_refused_where_something_is_observed) {
    ecs::world world;
    world.spawn(position{1});
    const auto dispatch_in_a_loop = [&] { world.each([&](const position&) { world.dispatch(); }); };
    EXPECT_NO_THROW(dispatch_in_a_loop());
    int told = 0;
    world.observe<event::added, position>([&] { ++told; }, {.queued = true});
    world.spawn(position{2});
    EXPECT_THROW(dispatch_in_a_loop(), ecs::iteration_error);
    EXPECT_EQ(told, 0);
    EXPECT_EQ(world.dispatch(), 1);
    EXPECT_EQ(told, 1);
}

TEST(observers, a_flush_of_nothing_tells_of_the_tables_that_room_was_made_in) {
    ecs::world world;
    int told = 0;
    world.observe(event::table_created, [&] { ++told; });
    world.reserve<position, velocity>(10);
    world.flush();
    EXPECT_EQ(told, 1);
}

TEST(observers, a_dispatch_throws_what_was_thrown_first_when_all_are_told) {
    ecs::world world;
    int told = 0;
    for (const char* text : {"first", "second"})
        world.observe<event::added, position>(
            [&told, text] {
                ++told;
                throw std::runtime_error(text);
            },
            {.queued = true});
    world.observe<event::added, position>([&] { ++told; }, {.queued = true});
    world.spawn(position{});
    try {
        world.dispatch();
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "first");
    }
    EXPECT_EQ(told, 3);
    EXPECT_EQ(world.dispatch(), 0);
}

TEST(observers, a_dispatch_passes_over_those_that_are_disabled_during_it) {
    diary notes;
    ecs::world world;
    ecs::observer first, second;
    first = world.observe<event::added, position>(
        [&] {
            notes("first");
            first.disable();
            second.disable();
        },
        {.queued = true});
    second = world.observe<event::added, position>([&] { notes("second"); }, {.queued = true});
    world.spawn(position{});
    world.spawn(position{});
    EXPECT_EQ(world.dispatch(), 1);
    EXPECT_EQ(notes.read(), lines{"first"});
}

TEST(observers, a_monitor_that_is_enabled_goes_on_from_what_matches_then) {
    std::vector<std::pair<entity, bool>> changes;
    ecs::world world;
    const entity stays = world.spawn(position{}), ends = world.spawn(position{});
    ecs::observer o = world.monitor<position>([&](entity e, bool now) { changes.emplace_back(e, now); });
    o.disable();
    const entity comes = world.spawn(position{});
    world.despawn(ends);
    world.remove<position>(stays);
    o.enable();
    EXPECT_TRUE(changes.empty());
    world.remove<position>(comes);
    world.set(stays, position{});
    const entity heir = world.spawn(position{});
    EXPECT_EQ(changes, (std::vector<std::pair<entity, bool>>{{comes, false}, {stays, true}, {heir, true}}));
}

// The end of an entity that matched by what it inherited is told to nobody, and the next one of its index is
// another.
TEST(observers, a_monitor_is_told_of_the_next_entity_of_an_index) {
    std::vector<std::pair<entity, bool>> changes;
    ecs::world world;
    const entity giver = world.spawn(position{});
    const ecs::observer o =
        world.monitor<position>([&](entity e, bool now) { changes.emplace_back(e, now); });
    const entity heir = world.spawn(position{}, pair(ecs::is_a, giver));
    world.remove<position>(heir);
    world.remove(heir, pair(ecs::is_a, giver));
    world.despawn(heir);
    changes.clear();
    const entity next = world.spawn(position{});
    ASSERT_EQ(next.index(), heir.index());
    world.despawn(next);
    EXPECT_EQ(changes, (std::vector<std::pair<entity, bool>>{{next, true}, {next, false}}));
}

// A write of which nobody hears takes a shorter way.
TEST(observers, are_told_of_the_writes_that_they_asked_for) {
    ecs::world world;
    std::vector<std::string> told;
    const entity e = world.spawn(position{}, velocity{}), other = world.spawn(position{}, velocity{});
    const auto write_all = [&] {
        told.clear();
        for (const entity one : {e, other}) {
            world.set(one, position{1});
            world.set(one, velocity{1});
            world.patch<position>(one, [](position& p) { p.x = 2; });
            world.modify(one, [](velocity& v) { v.x = 2; });
        }
        return told.size();
    };
    EXPECT_EQ(write_all(), 0U);
    ecs::observer ends = world.observe(ecs::event::despawned, [&](entity) { told.push_back("end"); });
    EXPECT_EQ(write_all(), 0U);
    ecs::observer one = world.observe(ecs::event::set, world.component<position>(),
                                      [&](entity, ecs::id) { told.push_back("one"); }, {.only = e});
    EXPECT_EQ(write_all(), 2U);
    ecs::observer moves =
        world.observe<ecs::event::set, const velocity>([&](const velocity&) { told.push_back("velocity"); });
    EXPECT_EQ(write_all(), 6U);
    auto changed = world.query<const position>().changed<position>();
    EXPECT_EQ(changed.count(), 2U);
    changed.mark_seen();
    write_all();
    EXPECT_EQ(changed.count(), 2U);
    moves.end();
    EXPECT_EQ(write_all(), 2U);
    one.end();
    EXPECT_EQ(write_all(), 0U);
}

TEST(observers, a_monitor_of_changes_is_refused) {
    ecs::world world;
    EXPECT_THROW(world.monitor(world.query().changed<position>(), [](entity, bool) {}),
                 std::invalid_argument);
}

/// Notes each position that is set, and what it was before.
void keep_previous(diary& notes, ecs::world& world) {
    world.observe<event::set, position, ecs::previous<position>>(
        [&](const position& now, const position* before) {
            notes((before ? std::to_string(before->x) : "null") + " " + std::to_string(now.x));
        });
}

TEST(observers, of_set_are_told_the_old_value_when_they_ask) {
    diary notes;
    ecs::world world;
    keep_previous(notes, world);
    const entity e = world.spawn(position{1});
    EXPECT_EQ(notes.read(), lines{"null 1"});
    world.set(e, position{2});
    world.patch<position>(e, [](position& p) { p.x = 3; });
    world.modify(e, [](position& p) { p.x = 4; });
    world.modify(e, [](const position&) {});
    const position five{5};
    world.set(e, world.component<position>(), &five);
    world.edit(e).set(position{6});
    world.edit(e).set(position{7}).add<frozen>();
    world.set(e, position{8}, velocity{});
    world.set(e, position{9}, velocity{});
    EXPECT_EQ(notes.read(), (lines{"1 2", "2 3", "3 4", "4 5", "5 6", "6 7", "7 8", "8 9"}));
    world.get<position>(e).x = 10;
    world.modified<position>(e);
    EXPECT_EQ(notes.read(), lines{"null 10"}) << "nobody knew that it was about to be written";
    std::ignore = world.clone(e);
    EXPECT_EQ(notes.read(), lines{"null 10"});
    world.remove<position>(e);
    world.emplace<position>(e, 11);
    EXPECT_EQ(notes.read(), lines{"null 11"});
    ecs::commands commands = world.commands();
    commands.set(e, position{12});
    commands.patch<position>(e, [](position& p) { p.x = 13; });
    std::ignore = commands.spawn(position{14});
    world.flush();
    EXPECT_EQ(notes.read(), (lines{"null 14", "11 12", "12 13"}));
}

TEST(observers, are_told_the_old_value_wherever_it_is_kept) {
    diary notes;
    ecs::world world;
    struct eats {
        int often = 0;
    };
    const entity apples = world.spawn(), pears = world.spawn();
    world.observe<event::set, buff, ecs::previous<buff>>([&](const buff& now, const buff* before) {
        notes((before ? std::to_string(before->strength) : "null") + " " + std::to_string(now.strength));
    });
    world.observe(event::set, ecs::pair(world.component<eats>(), ecs::any),
                  [&](const event_context& o) {
                      const auto* const before = static_cast<const eats*>(o.previous());
                      notes("eats " + (before ? std::to_string(before->often) : "null"));
                  },
                  {.previous = true});
    world.observe<event::set, ecs::name, ecs::previous<ecs::name>>(
        [&](const ecs::name& now, const ecs::name* before) {
            notes((before ? std::string(before->text()) : "null") + " " + std::string(now.text()));
        });
    const entity e = world.spawn(buff{1});
    world.set(e, buff{2});
    const buff three{3};
    world.set(e, world.component<buff>(), &three);
    world.edit(e).set(buff{4});
    world.set(e, buff{5}, position{});
    EXPECT_EQ(notes.read(), (lines{"null 1", "1 2", "2 3", "3 4", "4 5"}));
    world.set<eats>(e, apples, eats{1});
    world.set<eats>(e, pears, eats{2});
    world.set<eats>(e, apples, eats{3});
    EXPECT_EQ(notes.read(), (lines{"eats null", "eats null", "eats 1"}));
    world.set_name(e, "Ann");
    world.set_name(e, "Bob");
    EXPECT_EQ(notes.read(), (lines{"null Ann", "Ann Bob"}));
}

TEST(observers, of_a_pair_whose_target_is_in_a_column_are_told_the_old_value) {
    diary notes;
    ecs::world world;
    const entity earns = world.component({.name = "earns", .size = sizeof(int)});
    world.add(earns, ecs::exclusive);
    world.add(earns, ecs::non_fragmenting);
    const entity shop = world.spawn(), mill = world.spawn(), e = world.spawn();
    world.observe(event::set, ecs::pair(earns, ecs::any),
                  [&](const event_context& o) {
                      const auto* const before = static_cast<const int*>(o.previous());
                      notes((before ? std::to_string(*before) : "null") + " " +
                            std::to_string(*static_cast<const int*>(o.value)));
                  },
                  {.previous = true});
    const auto earn = [&](entity where, int much) { world.set(e, ecs::pair(earns, where), &much); };
    earn(shop, 1);
    earn(shop, 2);
    earn(mill, 3);
    earn(mill, 4);
    EXPECT_EQ(notes.read(), (lines{"null 1", "1 2", "null 3", "3 4"}));
}

TEST(observers, are_told_the_old_values_of_all_that_an_operation_wrote) {
    diary notes;
    ecs::world world;
    const auto text = [](const auto* v) { return v ? std::to_string(v->x) : "null"; };
    world.observe<event::set, position, velocity, ecs::previous<position>, ecs::previous<velocity>>(
        [&](entity, const position&, const velocity&, const position* p, const velocity* v) {
            notes(text(p) + " " + text(v));
        });
    const entity e = world.spawn(position{1}, velocity{2});
    world.set(e, position{3}, velocity{4});
    world.set(e, velocity{5});
    world.patch<position, velocity>(e, [](position& p, velocity& v) { p.x = v.x = 6; });
    world.modify(e, [](position& p, const velocity&) { p.x = 7; });
    EXPECT_EQ(notes.read(), (lines{"null null", "1 2", "null 4", "3 5", "6 null"}))
        << "null is what this operation did not write";
}

TEST(observers, are_told_old_values_that_are_kept_in_two_places) {
    diary notes;
    ecs::world world;
    world.observe<event::set, position, buff, ecs::previous<position>, ecs::previous<buff>>(
        [&](entity, const position&, const buff&, const position* p, const buff* b) {
            notes((p ? std::to_string(p->x) : "null") + " " + (b ? std::to_string(b->strength) : "null"));
        });
    const entity e = world.spawn();
    world.set(e, position{1}, buff{2});
    world.set(e, position{3}, buff{4});
    world.remove<position>(e);
    world.set(e, position{5}, buff{6});
    world.remove<buff>(e);
    world.edit(e).set(position{7}).set(buff{8});
    world.edit(e).set(position{9}).set(buff{10});
    EXPECT_EQ(notes.read(), (lines{"null null", "1 2", "null 4", "5 null", "7 8"}));
}

TEST(observers, are_told_the_old_value_of_the_base_that_was_written) {
    diary notes;
    ecs::world world;
    const entity base = world.prefab(position{1});
    const entity e = world.spawn();
    world.add(e, ecs::pair(ecs::is_a, base));
    keep_previous(notes, world);
    world.patch<position>(e, [](position& p) { p.x = 2; });
    EXPECT_EQ(notes.read(), lines{"1 2"});
    world.set(e, position{3});
    EXPECT_EQ(notes.read(), lines{"null 3"}) << "it had none of its own";
}

TEST(observers, the_old_value_is_kept_for_what_waits) {
    diary notes;
    ecs::world world;
    keep_previous(notes, world);
    const entity e = world.spawn(position{1});
    world.observe<event::added, frozen>([&](entity on) {
        world.patch<position>(on, [](position& p) { p.x = 2; });
        world.patch<position>(on, [](position& p) { p.x = 3; });
        world.set(on, position{4});
    });
    notes.read();
    world.add<frozen>(e);
    EXPECT_EQ(notes.read(), (lines{"1 3", "2 3", "3 4"})) << "told when the addition is complete";
    world.each([&](entity on, const position& p) {
        if (p.x == 4) world.set(on, position{5});
    });
    EXPECT_EQ(notes.read(), lines{"4 5"});
}

TEST(observers, are_not_told_of_a_base_where_the_written_value_is_gone_at_their_turn) {
    ecs::world world;
    const entity base = world.spawn(buff{1}, velocity{1});
    const entity heir = world.spawn(position{}, buff{2}, velocity{2});
    world.add(heir, ecs::pair(ecs::is_a, base));
    diary notes;
    world.observe<event::set, position>([&](entity e, position&) {
        world.patch<buff>(e, [](buff& b) { b.strength += 10; });
        world.patch<velocity>(e, [](velocity& v) { v.x += 10; });
    });
    world.observe<event::set, buff>([&](entity e, const buff& b) {
        notes((e == base ? "base " : "heir ") + std::to_string(b.strength));
    });
    world.observe<event::set, velocity>(
        [&](entity e, const velocity& v) { notes((e == base ? "base " : "heir ") + std::to_string(v.x)); });
    auto changed = world.query<const buff>().changed<buff>();
    changed.mark_seen();
    world.edit(heir).set(position{1}).remove<buff>().remove<velocity>();
    EXPECT_EQ(notes.read(), lines{"base 11"}) << "the row has moved by then, and what is outside goes later";
    EXPECT_EQ(world.get<buff>(base).strength, 1);
    EXPECT_EQ(changed.entities(), std::vector{heir}) << "which sees another value now";
    world.set(heir, buff{3});
    world.set(heir, velocity{3});
    std::ignore = notes.read();
    world.set(heir, position{2});
    EXPECT_EQ(notes.read(), (lines{"heir 13", "heir 13"}));
    world.remove<velocity>(heir);
    world.set(heir, position{3});
    EXPECT_EQ(notes.read(), (lines{"heir 23", "base 21"})) << "the base's own is what was written";
}

TEST(observers, of_a_set_within_a_set_have_each_its_old_value) {
    diary notes;
    ecs::world world;
    bool nested = false;
    const entity e = world.spawn(position{1}, velocity{1});
    world.observe<event::set, position, ecs::previous<position>>(
        [&](entity on, position&, const position* p) {
            if (std::exchange(nested, true)) return notes("inner " + std::to_string(p->x));
            world.set(on, position{3}); // At once, because a loop is under way.
            notes("outer " + std::to_string(p->x));
        });
    keep_previous(notes, world);
    world.each([&](entity on, const velocity&) { world.set(on, position{2}); });
    EXPECT_EQ(notes.read(), (lines{"inner 2", "2 3", "outer 1", "1 3"}));
    EXPECT_EQ(world.get<position>(e).x, 3);
}

/// Counts how often it is copied, and cannot be copied any more when it is armed.
struct weighed {
    weighed() = default;
    explicit weighed(int n) : number(n) {}
    weighed(const weighed& other) : number(other.number) {
        ++copies;
        if (armed) throw std::runtime_error("weighed");
    }
    weighed(weighed&&) noexcept = default;
    weighed& operator=(const weighed&) = default;
    weighed& operator=(weighed&&) noexcept = default;
    int number = 0;
    static inline int copies = 0;
    static inline bool armed = false;
};

TEST(observers, old_values_are_copied_for_those_alone_who_ask) {
    weighed::copies = 0;
    ecs::world world;
    int told = 0;
    world.observe<event::set, weighed>([&](const weighed&) { ++told; });
    diary notes;
    keep_previous(notes, world); // Of another component, which nobody sets.
    const entity e = world.spawn();
    world.set(e, weighed{1});
    world.set(e, weighed{2});
    EXPECT_EQ(weighed::copies, 0);
    ecs::observer asks =
        world.observe<event::set, weighed, ecs::previous<weighed>>([&](const weighed&, const weighed*) {});
    world.set(e, weighed{3});
    EXPECT_EQ(weighed::copies, 1);
    asks.disable();
    world.set(e, weighed{4});
    EXPECT_EQ(weighed::copies, 1);
    asks.enable();
    weighed::armed = true;
    EXPECT_THROW(world.set(e, weighed{5}), std::runtime_error);
    EXPECT_EQ(world.get<weighed>(e).number, 4) << "a copy that throws changes nothing";
    EXPECT_THROW(world.edit(e).set(weighed{5}).add<frozen>(), std::runtime_error);
    EXPECT_FALSE(world.has<frozen>(e));
    asks.end();
    world.set(e, weighed{6});
    weighed::armed = false;
    EXPECT_EQ(world.get<weighed>(e).number, 6);
    EXPECT_EQ(told, 5);
}

/// Cannot be copied.
struct unique_thing {
    std::unique_ptr<int> number;
};

TEST(observers, old_values_that_there_never_are_cannot_be_asked_for) {
    ecs::world world;
    const auto nothing = [](entity) {};
    const ecs::observer_options asks{.previous = true};
    EXPECT_THROW(world.observe<event::added>(nothing, asks), std::invalid_argument);
    EXPECT_THROW((world.observe<event::removed, position>(nothing, asks)), std::invalid_argument);
    EXPECT_THROW(world.observe<click>(nothing, asks), std::invalid_argument);
    EXPECT_THROW(world.monitor<position>([](entity, bool) {}, asks), std::invalid_argument);
    EXPECT_THROW((world.observe<event::set, position>(nothing, {.queued = true, .previous = true})),
                 std::invalid_argument);
    EXPECT_THROW((world.observe<event::set, unique_thing>(nothing, asks)), std::invalid_argument);
    EXPECT_THROW(world.observe(event::set, world.component<unique_thing>(), nothing, asks),
                 std::invalid_argument);
    world.spawn(position{});
    bool told = false;
    world.observe(event::set,
                  [&](const event_context& o) {
                      told = true;
                      EXPECT_EQ(o.previous(), nullptr);
                  },
                  {.existing = true, .previous = true});
    world.set(world.spawn(), unique_thing{});
    EXPECT_TRUE(told);
}

TEST(observers, a_long_chain_is_not_on_the_stack) {
    constexpr std::size_t length = test::is_sanitized ? 100'000 : 1'000'000;
    std::size_t told = 0;
    std::vector<entity> chain;
    ecs::world world;
    chain = world.spawn_n(length, [](std::size_t i) { return position{static_cast<int>(i)}; });
    world.observe<event::removed, position>([&](position& p) {
        ++told;
        if (const auto next = static_cast<std::size_t>(p.x) + 1; next < length) world.despawn(chain[next]);
    });
    world.despawn(chain[0]);
    EXPECT_EQ(told, length);
    EXPECT_FALSE(world.alive(chain.back()));
}

TEST(observers, a_cascade_is_told_while_everybody_is_there) {
    ecs::world world;
    const entity root = world.spawn(position{1});
    entity at = root;
    for (int depth = 2; depth <= 4; ++depth) {
        const entity child = world.spawn(position{depth});
        world.add(child, ecs::pair(ecs::child_of, at));
        at = child;
    }
    lines told;
    world.observe<event::despawned, position>([&](entity e, position& p) {
        told.push_back(std::to_string(p.x));
        EXPECT_TRUE(world.alive(root));
        EXPECT_EQ(world.has<position>(e), true);
        if (p.x > 1) EXPECT_EQ(world.get<position>(world.parent(e)).x, p.x - 1);
    });
    world.despawn(root);
    EXPECT_EQ(told, (lines{"1", "2", "3", "4"}));
}

TEST(observers, what_they_throw_neither_undoes_nor_stops_anything) {
    ecs::world world;
    int others = 0;
    world.observe<event::added, position>([&](entity e) {
        world.add<frozen>(e);
        throw std::runtime_error("first");
    });
    world.observe<event::added, position>([&](entity) {
        ++others;
        throw std::logic_error("second");
    });
    const entity e = world.spawn();
    EXPECT_THROW(world.set(e, position{4}), std::runtime_error);
    EXPECT_EQ(world.get<position>(e).x, 4);
    EXPECT_TRUE(world.has<frozen>(e));
    EXPECT_EQ(others, 1);
    world.observe<event::removed, position>([](entity) { throw std::runtime_error("no"); });
    EXPECT_THROW(world.despawn(e), std::runtime_error);
    EXPECT_FALSE(world.alive(e));
    world.commands().set(world.spawn(), position{1});
    EXPECT_THROW(world.flush(), ecs::flush_error);
    EXPECT_NO_THROW(world.spawn(velocity{}));
}

TEST(observers, what_they_throw_leaves_many_at_once_whole) {
    ecs::world world;
    const entity parent = world.spawn();
    const entity original = world.spawn(velocity{});
    world.observe<event::added, velocity>([](entity) { throw std::runtime_error("velocity"); });
    EXPECT_THROW(std::ignore = world.spawn_children(parent, 3, velocity{}), std::runtime_error);
    EXPECT_EQ(world.children(parent).size(), 3U);
    EXPECT_EQ(world.count<velocity>(), 4U) << "no child without its parent";
    EXPECT_THROW(std::ignore = world.clone_n(original, 3), std::runtime_error);
    EXPECT_EQ(world.count<velocity>(), 7U);
}

/// Kept outside tables, and cannot be copied any more when it is armed.
struct charge {
    static constexpr auto kept_in = ecs::storage::sparse;
    charge() = default;
    charge(const charge& other) : power(other.power) {
        if (armed) throw std::runtime_error("charge");
    }
    charge& operator=(const charge&) = default;
    int power = 1;
    static inline bool armed = false;
};

TEST(observers, what_they_spawn_is_whole_or_not_at_all) {
    ecs::world world;
    std::vector<entity> spawned;
    world.observe<event::added, position>([&](entity) {
        spawned.push_back(world.spawn(velocity{}, charge{}));
        charge::armed = true;
    });
    EXPECT_THROW(world.spawn(position{}), std::runtime_error);
    EXPECT_FALSE(world.alive(spawned.at(0)));
    EXPECT_EQ(world.count<velocity>(), 0U);
    charge::armed = false;
}

TEST(observers, of_a_copy_are_told_nothing_when_a_value_outside_tables_cannot_be_copied) {
    ecs::world world;
    const entity e = world.spawn(velocity{}, charge{});
    int told = 0;
    world.observe<event::spawned>([&](entity) { ++told; });
    world.observe<event::despawned>([&](entity) { ++told; });
    charge::armed = true;
    EXPECT_THROW(world.clone(e), std::runtime_error);
    charge::armed = false;
    EXPECT_EQ(told, 0);
    EXPECT_EQ(world.count<velocity>(), 1U);
}

TEST(observers, what_they_spawn_below_an_entity_that_ends_has_not_been) {
    ecs::world world;
    const entity e = world.spawn(position{1});
    std::vector<entity> made;
    world.observe<event::removed, position>([&](entity ending) {
        made = {world.spawn("Smoke", velocity{1}, ecs::pair(ecs::child_of, ending)),
                world.spawn_children(ending, 2, velocity{2}).front(),
                world.find_or_spawn(ending, "Fire/Ash")};
    });
    EXPECT_THROW(world.despawn(e), std::invalid_argument);
    ASSERT_EQ(made.size(), 3U);
    EXPECT_TRUE(world.entities().empty());
}

TEST(observers, a_loop_is_as_closed_to_them_as_to_its_body) {
    ecs::world world;
    const entity e = world.spawn(position{1});
    int told = 0;
    world.observe<event::set, position>([&](entity on, position& p) {
        ++told;
        if (p.x == 2) world.add<velocity>(on);
    });
    world.each([&](entity on, const position&) {
        EXPECT_THROW(world.set(on, position{2}), ecs::iteration_error);
        EXPECT_NO_THROW(world.set(on, position{3}));
    });
    EXPECT_EQ(told, 2);
    EXPECT_FALSE(world.has<velocity>(e));
    EXPECT_EQ(world.get<position>(e).x, 3);
    world.set(e, position{2});
    EXPECT_TRUE(world.has<velocity>(e));
}

struct socket {
    int number = 0;
    static inline std::vector<std::string> log;
    static void on_add(ecs::world& in, entity e, socket& s) {
        EXPECT_TRUE(in.alive(e));
        log.push_back("open " + std::to_string(s.number));
    }
    static void on_set(ecs::world&, entity, socket& s) { log.push_back("set " + std::to_string(s.number)); }
    static void on_remove(ecs::world&, entity, socket& s) {
        log.push_back("close " + std::to_string(s.number));
    }
};

TEST(hooks, come_with_the_type_and_frame_the_observers) {
    socket::log.clear();
    {
        ecs::world world;
        const entity e = world.spawn();
        world.observe<event::added, socket>([](socket&) { socket::log.emplace_back("observer"); });
        world.observe<event::removed, socket>([](socket&) { socket::log.emplace_back("observer"); },
                                              {.at_world_end = true});
        world.set(e, socket{1});
        world.set(e, socket{2});
        world.remove<socket>(e);
        EXPECT_EQ(std::exchange(socket::log, {}),
                  (lines{"open 1", "observer", "set 1", "set 2", "observer", "close 2"}));
        world.spawn(socket{3});
        socket::log.clear();
    }
    EXPECT_EQ(socket::log, (lines{"observer", "close 3"}));
}

/// Its hooks take no value.
struct counted {
    static inline int living = 0;
    static void on_add(ecs::world&, entity) { ++living; }
    static void on_remove(ecs::world&, entity) { --living; }
};

TEST(hooks, may_leave_out_the_value_and_are_told_of_the_end_of_the_world) {
    {
        ecs::world world;
        world.spawn_n(3, counted{});
        EXPECT_EQ(counted::living, 3);
    }
    EXPECT_EQ(counted::living, 0);
}

/// A component may have members of these names that are no functions.
struct button {
    void (*on_add)(int) = nullptr;
    int on_set = 0;
};

TEST(hooks, are_functions) {
    ecs::world world;
    EXPECT_EQ(world.get<button>(world.spawn(button{.on_set = 3})).on_set, 3);
}

TEST(hooks, can_be_given_to_a_component_described_at_run_time) {
    ecs::world world;
    const entity mana = world.component({.name = "mana", .size = 4});
    lines log;
    world.observe(ecs::event::added, mana, [&](entity) { log.emplace_back("observer"); });
    world.hook(ecs::event::added, mana, [&](entity) { log.emplace_back("hook"); });
    world.hook(ecs::event::removed, mana,
               [&](const ecs::event_context& o) { log.emplace_back(o.value ? "gone" : "?"); });
    const entity e = world.spawn();
    world.add(e, mana);
    world.remove(e, mana);
    EXPECT_EQ(log, (lines{"hook", "observer", "gone"}));
}

TEST(hooks, can_be_given_at_run_time) {
    ecs::world world;
    lines log;
    world.observe<event::added, position>([&](position&) { log.emplace_back("observer"); });
    world.hook<event::added, position>([&](entity, position& p) {
        log.emplace_back("hook");
        p.x = 5;
    });
    const entity e = world.spawn(position{});
    EXPECT_EQ(log, (lines{"hook", "observer"}));
    EXPECT_EQ(world.get<position>(e).x, 5);
}

TEST(observers, queued_ones_are_told_of_which_table) {
    ecs::world world;
    std::size_t ids = 0;
    world.observe(ecs::event::table_created, [&](const event_context& o) { ids = o.type.size(); },
                  {.queued = true});
    world.spawn(position{}, velocity{});
    world.dispatch();
    EXPECT_EQ(ids, 2);
}

TEST(observers, of_tables_are_told_at_the_end_of_each_change_that_makes_one) {
    ecs::world world;
    world.observe<event::despawned>([] {}); // Of whole entities as well.
    std::vector<std::size_t> told;
    world.observe<event::table_created>([&](const event_context& o) { told.push_back(o.type.size()); });
    const auto read = [&] { return std::exchange(told, {}); };
    const entity e = world.spawn();
    EXPECT_TRUE(read().empty());
    world.spawn(position{});
    EXPECT_EQ(read(), std::vector<std::size_t>{1});
    world.set(e, velocity{});
    EXPECT_EQ(read(), std::vector<std::size_t>{1});
    world.set(e, position{});
    EXPECT_EQ(read(), std::vector<std::size_t>{2});
    world.add<frozen>(e);
    EXPECT_EQ(read(), std::vector<std::size_t>{3});
    world.remove<velocity>(e);
    EXPECT_EQ(read(), std::vector<std::size_t>{2});
    world.clone(world.spawn(velocity{}, frozen{}));
    EXPECT_EQ(read(), std::vector<std::size_t>{2});
    world.set(std::vector{e}, velocity{});
    EXPECT_TRUE(read().empty());
}

TEST(observers, rename_nobody_who_has_ended) {
    ecs::world world;
    const entity e = world.spawn(), old = world.spawn();
    world.despawn(old);
    int refusals = 0;
    world.observe<event::added, position>([&](entity at) {
        try {
            world.set_name(old, "old");
        } catch (const ecs::access_error&) {
            ++refusals;
        }
        world.despawn(at);
        world.set_name(at, "gone by then");
    });
    EXPECT_EQ(world.add<position>(e), ecs::add_result::added);
    EXPECT_EQ(refusals, 1);
    EXPECT_FALSE(world.alive(e));
}

TEST(observers, of_null_are_refused) {
    ecs::world world;
    const auto nothing = [] {};
    const entity missing = world.lookup("a name that nobody has");
    EXPECT_THROW(std::ignore = world.observe(ecs::event::added, missing, nothing), std::invalid_argument);
    EXPECT_THROW(std::ignore = world.observe(missing, nothing), std::invalid_argument);
    EXPECT_THROW(std::ignore = world.hook(ecs::event::added, missing, nothing), std::invalid_argument);
}

TEST(observers, may_end_an_entity_before_it_has_its_name) {
    ecs::world world;
    world.observe(ecs::event::spawned, [](ecs::world& in, entity e) { in.despawn(e); });
    EXPECT_FALSE(world.alive(world.spawn("Ghost", position{})));
    EXPECT_FALSE(world.alive(world.prefab("Ghost", position{})));
    EXPECT_FALSE(world.lookup("Ghost"));
}

TEST(observers, of_what_would_never_be_told_are_refused) {
    ecs::world world;
    const auto nothing = [] {};
    const entity own = world.spawn();
    EXPECT_THROW(world.observe(event::custom, nothing), std::invalid_argument);
    EXPECT_THROW(world.observe(event::matching, nothing), std::invalid_argument);
    EXPECT_THROW(world.observe(event::matching, own, nothing), std::invalid_argument);
    EXPECT_THROW(world.observe(event::table_created, own, nothing), std::invalid_argument);
    EXPECT_THROW(world.observe(event::table_removed, nothing, {.only = own}), std::invalid_argument);
    EXPECT_THROW(world.observe(ecs::event_set{}, nothing), std::invalid_argument);
    EXPECT_THROW(world.observe(ecs::event_set{}, own, nothing), std::invalid_argument);
    EXPECT_THROW(world.observe({event::added, event::table_created}, own, nothing), std::invalid_argument);
    EXPECT_THROW(world.observe({event::added, event::matching}, own, nothing), std::invalid_argument);
    EXPECT_THROW(world.observe({event::spawned, event::custom}, nothing), std::invalid_argument);
    EXPECT_THROW(world.observe({event::added, event::despawned}, own, nothing), std::invalid_argument);
    EXPECT_THROW(world.hook(event::table_removed, own, nothing), std::invalid_argument);
    EXPECT_THROW(world.hook(event::matching, own, nothing), std::invalid_argument);
    EXPECT_THROW(world.hook(event::custom, own, nothing), std::invalid_argument);
    EXPECT_THROW(world.observe(ecs::event_set{}, world.query<position>(), nothing), std::invalid_argument);
    int told = 0;
    world.observe(event::custom, own, [&] { ++told; });
    world.emit(own, own);
    EXPECT_EQ(told, 1);
}

TEST(observers, what_is_kept_outside_tables_is_told_to_go_with_its_entity) {
    diary notes;
    {
        ecs::world world;
        world.observe<event::removed, buff>(
            [&](const buff& b) { notes("buff " + std::to_string(b.strength)); }, {.at_world_end = true});
        world.observe<event::removed, seen>([&](entity) { notes("seen"); });
        const entity e = world.spawn(buff{1}, seen{});
        std::ignore = world.spawn(buff{2});
        std::ignore = world.spawn(position{}, seen{});
        world.despawn(e);
        EXPECT_EQ(notes.read(), (lines{"seen", "buff 1"}));
        world.clear();
        EXPECT_EQ(notes.read(), (lines{"buff 2", "seen"}));
        const entity late = world.spawn(position{});
        world.set(late, buff{3});
        notes.read();
    }
    EXPECT_EQ(notes.read(), (lines{"buff 3"}));
}

TEST(observers, what_is_kept_outside_tables_is_told_to_go_with_its_component) {
    diary notes; // The end of the world is told, too.
    ecs::world world;
    world.observe<event::removed, buff>([&](const buff& b) { notes("buff " + std::to_string(b.strength)); });
    world.observe<event::removed, seen>([&](entity) { notes("seen"); });
    world.monitor<const buff>([&](entity, bool matches) { notes(matches ? "true" : "false"); });
    std::ignore = world.spawn(buff{1}, seen{});
    notes.read();
    world.despawn(world.component<buff>());
    EXPECT_EQ(notes.read(), (lines{"buff 1", "false"}));
    world.despawn(world.component<seen>());
    EXPECT_EQ(notes.read(), lines{"seen"});
}

TEST(observers, of_everything_are_told_of_what_is_kept_outside_tables) {
    diary notes;
    ecs::world world;
    std::ignore = world.component<buff>();
    world.observe(ecs::event::added, [&](const event_context&) { notes("added"); });
    world.observe(ecs::event::removed, [&](const event_context&) { notes("removed"); });
    const entity e = world.spawn();
    world.set(e, buff{});
    EXPECT_EQ(notes.read(), lines{"added"});
    world.remove<buff>(e);
    EXPECT_EQ(notes.read(), lines{"removed"});
}

struct kept_hooked {
    static constexpr auto kept_in = ecs::storage::sparse;
    static inline std::vector<int> removed;
    static void on_remove(ecs::world&, entity, kept_hooked& value) { removed.push_back(value.number); }
    int number = 0;
};
struct bit_hooked {
    static constexpr auto kept_in = ecs::storage::bits;
    static inline int removed = 0;
    static void on_remove(ecs::world&, entity, bit_hooked&) { ++removed; }
};

TEST(observers, hooks_of_what_is_kept_outside_tables_see_every_end) {
    kept_hooked::removed.clear();
    bit_hooked::removed = 0;
    {
        ecs::world world;
        const entity early = world.spawn(position{});
        world.set(early, kept_hooked{1});
        world.add<bit_hooked>(early);
        world.despawn(early);
        EXPECT_EQ(kept_hooked::removed, std::vector{1});
        EXPECT_EQ(bit_hooked::removed, 1);
        world.set(world.spawn(), kept_hooked{2});
        world.add<bit_hooked>(world.spawn());
        world.clear();
        EXPECT_EQ(kept_hooked::removed, (std::vector{1, 2}));
        EXPECT_EQ(bit_hooked::removed, 2);
        world.set(world.spawn(velocity{}), kept_hooked{3});
        world.add<bit_hooked>(world.spawn(velocity{}));
    }
    EXPECT_EQ(kept_hooked::removed, (std::vector{1, 2, 3}));
    EXPECT_EQ(bit_hooked::removed, 3);
}

TEST(observers, monitors_see_the_end_of_what_is_kept_outside_tables) {
    ecs::world world;
    std::map<entity, bool> matching;
    world.monitor<const buff>([&](entity e, bool matches) { matching[e] = matches; });
    const entity first = world.spawn(buff{});
    const entity second = world.spawn(position{}, buff{});
    world.despawn(first);
    EXPECT_EQ(matching, (std::map<entity, bool>{{first, false}, {second, true}}));
    world.clear();
    EXPECT_EQ(matching, (std::map<entity, bool>{{first, false}, {second, false}}));
}

/// Ends the entity and goes on until its index has another owner, that many times.
entity heir_of_index(ecs::world& world, entity e, int owners) {
    const auto index = e.index();
    for (; owners != 0; --owners) {
        world.despawn(e);
        std::vector<entity> others;
        for (e = world.spawn(); e.index() != index; e = world.spawn()) others.push_back(e);
        for (const entity other : others) world.despawn(other);
    }
    return e;
}

TEST(observers, of_pairs_with_an_entity_are_told_of_no_later_owner_of_its_index) {
    for (const int owners : {1, 16}) {
        int told = 0;
        ecs::world world;
        const entity eats = world.spawn();
        const entity target = world.spawn();
        const entity e = world.spawn();
        const auto count = [&](const event_context&) { ++told; };
        world.observe(ecs::event::added, ecs::pair(ecs::any, target), count);
        world.observe(ecs::event::added, ecs::pair(eats, target), count);
        world.observe(ecs::event::spawned, ecs::pair(eats, target), count);
        world.add(e, ecs::pair(eats, target));
        EXPECT_EQ(told, 2);
        const entity heir = heir_of_index(world, target, owners);
        ASSERT_NE(heir, target);
        told = 0;
        world.add(e, ecs::pair(eats, heir));
        std::ignore = world.clone(e);
        EXPECT_EQ(told, 0) << owners;
    }
}

TEST(observers, of_pairs_of_a_relation_are_told_of_no_later_owner_of_its_index) {
    int told = 0;
    ecs::world world;
    const entity relation = world.spawn();
    world.observe(ecs::event::added, ecs::pair(relation, ecs::any), [&](const event_context&) { ++told; });
    const entity heir = heir_of_index(world, relation, 1);
    world.add(world.spawn(), ecs::pair(heir, world.spawn()));
    EXPECT_EQ(told, 0);
}

TEST(observers, of_a_pair_are_told_again_when_its_target_is_back) {
    int told = 0;
    ecs::world world;
    const entity eats = world.spawn();
    const entity target = world.spawn();
    const entity e = world.spawn();
    world.observe(ecs::event::added, ecs::pair(eats, target), [&](const event_context&) { ++told; });
    const ecs::snapshot then = world.snapshot();
    world.despawn(target);
    world.restore(then);
    world.add(e, ecs::pair(eats, target));
    EXPECT_EQ(told, 1);
}

TEST(observers, of_pairs_with_who_has_ended_are_told_of_nothing) {
    int told = 0;
    ecs::world world;
    const entity eats = world.spawn();
    const entity gone = world.spawn();
    world.despawn(gone);
    world.observe(ecs::event::added, ecs::pair(eats, gone), [&](const event_context&) { ++told; });
    world.add(world.spawn(), ecs::pair(eats, world.spawn()));
    EXPECT_EQ(told, 0);
}

TEST(observers, of_a_pair_are_told_when_its_target_ends) {
    for (const bool queued : {false, true}) {
        int told = 0;
        ecs::world world;
        const entity eats = world.spawn();
        const entity target = world.spawn();
        world.observe(ecs::event::removed, ecs::pair(ecs::any, target), [&](const event_context&) { ++told; },
                      {.queued = queued});
        world.add(world.spawn(), ecs::pair(eats, target));
        world.add(world.spawn(), ecs::pair(ecs::child_of, target));
        world.despawn(target);
        world.dispatch();
        EXPECT_EQ(told, 2);
    }
}

TEST(observers, of_several_components_are_told_once_of_one_operation) {
    diary notes; // The end of the world is told, too.
    ecs::world world;
    world.observe<event::set, position, velocity>([&](const position& p, const velocity& v) {
        notes(std::to_string(p.x) + " " + std::to_string(v.x));
    });
    const entity e = world.spawn(position{1}, velocity{1});
    EXPECT_EQ(notes.read(), lines{"1 1"});
    world.set(e, position{2}, velocity{2});
    EXPECT_EQ(notes.read(), lines{"2 2"});
    world.patch<position, velocity>(e, [](position& p, velocity& v) { p.x = v.x = 3; });
    EXPECT_EQ(notes.read(), lines{"3 3"});
    world.modify(e, [](position& p, velocity& v) { p.x = v.x = 4; });
    EXPECT_EQ(notes.read(), lines{"4 4"});
    world.edit(e).set(position{5}).set(velocity{5});
    EXPECT_EQ(notes.read(), lines{"5 5"});
    world.remove<velocity>(e);
    world.set(e, position{6}, velocity{6});
    EXPECT_EQ(notes.read(), lines{"6 6"});
    world.remove<position>(e);
    world.edit(e).set(position{7}).set(velocity{7});
    EXPECT_EQ(notes.read(), lines{"7 7"});
    world.commands().set(e, position{8});
    world.flush();
    EXPECT_EQ(notes.read(), lines{"8 7"});
}

TEST(observers, of_components_kept_in_two_places_are_told_once_of_one_operation) {
    diary notes; // The end of the world is told, too.
    ecs::world world;
    world.observe<event::set, position, buff>([&](const position& p, const buff& b) {
        notes(std::to_string(p.x) + " " + std::to_string(b.strength));
    });
    const entity e = world.spawn();
    world.set(e, position{1}, buff{1});
    EXPECT_EQ(notes.read(), lines{"1 1"});
    world.set(e, position{2}, buff{2});
    EXPECT_EQ(notes.read(), lines{"2 2"});
    world.remove<position>(e);
    world.set(e, position{3}, buff{3});
    EXPECT_EQ(notes.read(), lines{"3 3"});
    world.remove<buff>(e);
    world.set(e, position{4}, buff{4});
    EXPECT_EQ(notes.read(), lines{"4 4"});
    world.edit(e).set(position{5}).set(buff{5});
    EXPECT_EQ(notes.read(), lines{"5 5"});
}

TEST(observers, of_several_components_are_told_once_of_what_an_instance_gets_of_its_own) {
    ecs::world world;
    const entity base = world.prefab(position{1}, velocity{1}, buff{1});
    for (const entity c : {world.component<position>(), world.component<velocity>(), world.component<buff>()})
        world.add(base, ecs::type_flags::auto_override | ecs::id(c));
    int added = 0, set = 0;
    world.observe<event::added, position, velocity, buff>([&](entity) { ++added; });
    world.observe<event::set, position, velocity, buff>([&](entity) { ++set; });
    const auto told = [&] { return std::pair{std::exchange(added, 0), std::exchange(set, 0)}; };
    const std::pair once{1, 1};
    const entity spawned = world.spawn(ecs::pair(ecs::is_a, base));
    EXPECT_EQ(told(), once);
    world.spawn("with a name", frozen{}, ecs::pair(ecs::is_a, base));
    EXPECT_EQ(told(), once);
    world.prefab(frozen{}, ecs::pair(ecs::is_a, base));
    EXPECT_EQ(told(), once);
    const entity later = world.spawn(frozen{});
    world.add(later, ecs::pair(ecs::is_a, base));
    EXPECT_EQ(told(), once);
    world.remove<position, velocity>(spawned);
    world.remove<buff>(later);
    world.sync(base);
    EXPECT_EQ(told(), (std::pair{2, 2}));
    world.commands().spawn(ecs::pair(ecs::is_a, base));
    world.flush();
    EXPECT_EQ(told(), once);
}

/// Writes down whoever has positions without velocities in between, which come and go together.
struct in_between {
    explicit in_between(ecs::world& world) {
        world.monitor(world.query<const position>().without<velocity>(),
                      [this](entity, bool begins) { notes(begins ? "begins" : "ceases"); });
        world.observe<event::added>(world.query<const position>().without<velocity>(),
                                    [this](const position&) { notes("added"); });
    }
    diary notes;
};

TEST(observers, find_what_is_in_tables_whole_beside_what_is_outside) {
    ecs::world world;
    in_between found(world);
    const entity e = world.spawn();
    world.set(e, position{1}, velocity{2}, buff{3});
    EXPECT_EQ(world.get<position>(e).x + world.get<velocity>(e).x + world.get<buff>(e).strength, 6);
    world.set(e, buff{4}, velocity{5}); // What is there is written.
    EXPECT_EQ(world.get<velocity>(e).x + world.get<buff>(e).strength, 9);
    world.remove<buff, velocity, position>(e);
    EXPECT_FALSE(world.has<position>(e) || world.has<velocity>(e) || world.has<buff>(e));
    world.add<position, buff, velocity>(e);
    world.clear(e);
    EXPECT_EQ(found.notes.read(), lines{});
}

TEST(observers, find_what_is_in_tables_whole_where_there_are_bases) {
    ecs::world world;
    in_between found(world);
    const entity base = world.spawn(), instance = world.spawn(ecs::pair(ecs::is_a, base));
    for (const entity e : {instance, base}) {
        world.set(e, position{1}, velocity{2});
        world.remove<velocity, position>(e);
        world.add<position, velocity>(e);
        world.edit(e).remove<velocity>().remove<position>();
        world.edit(e).set(velocity{3}).set(position{4});
        EXPECT_EQ(world.get<position>(instance).x + world.get<velocity>(instance).x, 7);
        if (e == instance) world.remove<position, velocity>(e);
    }
    EXPECT_TRUE(world.owns<position>(base) && !world.owns<position>(instance));
    int set = 0;
    world.observe<event::set, position>([&](entity) { ++set; });
    world.add<position, velocity>(instance); // Each begins with what the base has.
    EXPECT_EQ(set, 1);
    EXPECT_EQ(world.get<position>(instance).x, 4);
    world.clear(instance);
    EXPECT_FALSE(world.has<position>(instance));
    EXPECT_EQ(found.notes.read(), lines{});
}

TEST(observers, may_end_entity_and_table_in_which_several_came_or_from_which_they_went) {
    for (const bool comes : {true, false}) {
        ecs::world world;
        const entity e = comes ? world.spawn() : world.spawn(position{}, velocity{}, frozen{});
        world.observe(comes ? event::added : event::removed, world.component<position>(), [&](entity on) {
            world.despawn(on);
            world.shrink();
        });
        comes ? world.add<position, velocity>(e) : world.remove<position, velocity>(e);
        EXPECT_FALSE(world.alive(e));
    }
}

TEST(observers, find_what_is_added_together_whole_where_it_waits) {
    ecs::world world;
    in_between found(world);
    entity fresh;
    world.observe<event::added, frozen>([&](entity) {
        fresh = world.spawn();
        world.add<position, buff, velocity>(fresh);
    });
    world.spawn(frozen{});
    EXPECT_TRUE(world.has<position>(fresh) && world.has<buff>(fresh) && world.has<velocity>(fresh));
    EXPECT_EQ(found.notes.read(), lines{});
}

TEST(observers, are_not_told_of_what_goes_beside_what_comes_in_one_edit) {
    ecs::world world;
    const entity instance = world.spawn(position{1}, ecs::pair(ecs::is_a, world.spawn(frozen{})));
    int told = 0;
    world.observe<event::added, position, velocity>([&](entity) { ++told; });
    world.observe<event::removed, position, velocity>([&](entity) { ++told; });
    world.monitor<const position, const velocity>([&](entity, bool) { ++told; });
    world.edit(instance).add<velocity>().remove<position>();
    EXPECT_EQ(told, 0);
    EXPECT_FALSE(world.has<position>(instance));
    EXPECT_TRUE(world.has<velocity>(instance));
    world.add(world.component<position>(), ecs::pair(ecs::with, world.component<buff>()));
    world.edit(instance)
        .remove<velocity>()
        .add<position>()
        .remove<buff>(); // What comes along goes behind it.
    EXPECT_TRUE(world.has<position>(instance));
    EXPECT_FALSE(world.has<buff>(instance));
}

TEST(observers, monitors_pass_over_a_clone_whose_component_is_disabled) {
    ecs::world world;
    diary notes;
    const entity e = world.spawn(position{1}, buff{}, seen{});
    world.disable<position>(e);
    world.disable<buff>(e);
    world.disable<seen>(e);
    const auto note = [&](entity, bool matches) { notes(matches ? "true" : "false"); };
    world.monitor<const position>(note);
    world.monitor<const buff>(note);
    world.monitor<const seen>(note);
    const entity copy = world.clone(e);
    std::ignore = world.clone_tree(e);
    EXPECT_FALSE(world.is_enabled<position>(copy) || world.is_enabled<buff>(copy) ||
                 world.is_enabled<seen>(copy));
    EXPECT_EQ(notes.read(), lines{});
    world.enable<position>(copy);
    EXPECT_EQ(notes.read(), lines{"true"});
}

TEST(observers, clones_are_told_to_be_disabled) {
    ecs::world world;
    diary notes;
    const entity e = world.spawn(position{1}, buff{});
    world.disable<position>(e);
    world.disable<buff>(e);
    world.observe<event::disabled, position>([&](entity) { notes("position"); });
    world.observe<event::disabled, buff>([&](entity) { notes("buff"); });
    std::ignore = world.clone(e);
    EXPECT_EQ(notes.read(), (lines{"position", "buff"}));
}

TEST(observers, an_edit_tells_in_the_order_of_a_set) {
    diary notes; // The end of the world is told, too.
    ecs::world world;
    world.observe<event::added, position>([&](entity) { notes("added"); });
    world.observe<event::set, position>([&](entity) { notes("set"); });
    world.observe<event::set, velocity>([&](entity) { notes("set velocity"); });
    world.monitor<const position>([&](entity, bool) { notes("monitor"); });
    const entity e = world.spawn(velocity{});
    notes.read();
    world.set(e, position{});
    EXPECT_EQ(notes.read(), (lines{"added", "set", "monitor"}));
    world.edit(e).remove<position>();
    EXPECT_EQ(notes.read(), lines{"monitor"});
    world.edit(e).set(position{});
    EXPECT_EQ(notes.read(), (lines{"added", "set", "monitor"}));
    world.edit(e).remove<position>();
    notes.read();
    world.edit(e).set(position{}).set(velocity{});
    EXPECT_EQ(notes.read(), (lines{"added", "set", "set velocity", "monitor"}));
    world.remove<position>(e);
    notes.read();
    world.set(e, position{}, velocity{});
    EXPECT_EQ(notes.read(), (lines{"added", "set", "set velocity", "monitor"}));
    world.edit(e).add<frozen>().remove<position>();
    notes.read();
    world.edit(e).add<position>();
    EXPECT_EQ(notes.read(), (lines{"added", "monitor"})) << "a default value is not set";
}

TEST(observers, of_all_patterns_of_a_pair_are_told_in_the_order_in_which_they_came) {
    for (const bool in_column : {false, true}) {
        SCOPED_TRACE(in_column);
        diary notes;
        ecs::world world;
        const entity relation = world.spawn(), target = world.spawn(), other = world.spawn();
        if (in_column) world.add(relation, ecs::non_fragmenting);
        const ecs::id patterns[]{ecs::pair(ecs::any, target), ecs::pair(relation, target),
                                 ecs::pair(ecs::any, ecs::any), ecs::pair(relation, ecs::any),
                                 ecs::pair(relation, target)};
        std::vector<ecs::observer> all;
        for (int i = 0; i < 5; ++i)
            all.push_back(
                world.observe(event::added, patterns[i], [&notes, i](entity) { notes(std::to_string(i)); }));
        world.observe(event::added, ecs::pair(relation, other), [&](entity) { notes("other"); });
        world.observe(event::added, [&](entity) { notes("all"); });
        const auto link = [&](ecs::id word) { world.add(world.spawn(), word); };

        link(ecs::pair(relation, target));
        EXPECT_EQ(notes.read(), (lines{"0", "1", "2", "3", "4", "all"}));
        link(ecs::pair(relation, other));
        EXPECT_EQ(notes.read(), (lines{"2", "3", "other", "all"}));
        all[1].end();
        all[2].end();
        link(ecs::pair(relation, target));
        EXPECT_EQ(notes.read(), (lines{"0", "3", "4", "all"}));
        all[4].end();
        all[0].end();
        link(ecs::pair(relation, target));
        EXPECT_EQ(notes.read(), (lines{"3", "all"}));
        world.observe(event::added, patterns[1], [&](entity) { notes("again"); });
        link(ecs::pair(relation, target));
        EXPECT_EQ(notes.read(), (lines{"3", "all", "again"}));
    }
}

TEST(observers, of_what_nobody_has_observed_are_told_in_tables_that_are_there) {
    diary notes;
    ecs::world world;
    const entity relation = world.spawn(), near = world.spawn(), far = world.spawn();
    const entity a = world.spawn(position{}), b = world.spawn(velocity{});
    world.add(a, ecs::pair(relation, near));
    world.add(b, ecs::pair(relation, far));
    ecs::observer first = world.observe(event::removed, ecs::pair(relation, near),
                                        [&](entity e) { notes(e == a ? "near a" : "near b"); });
    world.observe(event::removed, ecs::pair(relation, far),
                  [&](entity e) { notes(e == a ? "far a" : "far b"); });
    world.add(b, ecs::pair(relation, near));
    world.remove(a, ecs::pair(relation, near));
    world.remove(b, ecs::pair(relation, near));
    world.remove(b, ecs::pair(relation, far));
    EXPECT_EQ(notes.read(), (lines{"near a", "near b", "far b"}));
    first.end();
    world.add(a, ecs::pair(relation, near));
    world.add(a, ecs::pair(relation, far));
    world.despawn(a);
    EXPECT_EQ(notes.read(), lines{"far a"});
}

TEST(observers, of_what_comes_are_found_while_others_end) {
    constexpr int count = 64;
    ecs::world world;
    const entity relation = world.spawn();
    std::vector<entity> targets = world.spawn_n(count);
    std::vector<int> told(count);
    std::vector<ecs::observer> all(count);
    const auto begin = [&](int i) {
        all[static_cast<std::size_t>(i)] =
            world.observe(event::added, ecs::pair(relation, targets[static_cast<std::size_t>(i)]),
                          [&told, i](entity) { ++told[static_cast<std::size_t>(i)]; });
    };
    for (int i = 0; i < count; ++i) begin(i);
    for (int i = 0; i < count; i += 2) all[static_cast<std::size_t>(i)].end();
    for (int i = 0; i < count; i += 4) begin(i);
    const entity e = world.spawn();
    for (const entity target : targets) world.add(e, ecs::pair(relation, target));
    for (int i = 0; i < count; ++i)
        EXPECT_EQ(told[static_cast<std::size_t>(i)], i % 2 == 1 || i % 4 == 0 ? 1 : 0) << i;
}

TEST(observers, of_several_terms_are_told_once_though_others_emit_meanwhile) {
    ecs::world world;
    int both = 0, clicks = 0;
    world.observe<event::added, position>([](ecs::world& in, entity e) {
        in.emit(e, click{1});
        in.emit(e, click{2});
    });
    world.observe<event::added, position, velocity>([&](entity) { ++both; });
    world.observe<click, position, velocity>([&](entity) { ++clicks; });
    world.spawn(position{}, velocity{});
    EXPECT_EQ(both, 1);
    EXPECT_EQ(clicks, 2);
    const entity e = world.spawn(), other = world.spawn();
    world.add<position, velocity>(e);
    EXPECT_EQ(both, 2);
    world.edit(other).add<position>().add<velocity>();
    EXPECT_EQ(both, 3);
    EXPECT_EQ(clicks, 6);
}

TEST(observers, of_several_terms_are_told_once_though_another_begins_meanwhile) {
    ecs::world world;
    int both = 0, existing = 0;
    world.spawn_n(2, frozen{});
    world.observe<event::added, position>([&](ecs::world& in, entity) {
        in.observe<event::added, frozen>([&](entity) { ++existing; }, {.existing = true});
    });
    world.observe<event::added, position, velocity>([&](entity) { ++both; });
    world.spawn(position{}, velocity{});
    EXPECT_EQ(both, 1);
    EXPECT_EQ(existing, 2);
}

TEST(observers, that_wait_are_told_of_no_state_that_has_passed) {
    ecs::world world;
    diary notes;
    const ecs::observer_options later{.queued = true};
    world.observe<event::disabled, position>([&](entity) { notes("position disabled"); }, later);
    world.observe<event::enabled, position>([&](entity) { notes("position enabled"); }, later);
    world.observe(event::disabled, [&](entity) { notes("disabled"); }, later);
    world.observe(event::enabled, [&](entity) { notes("enabled"); }, later);
    world.observe<event::added, position, velocity>([&](entity) { notes("both"); }, later);
    const entity e = world.spawn(position{});
    world.disable<position>(e);
    world.enable<position>(e);
    world.disable(e);
    world.enable(e);
    world.dispatch();
    EXPECT_EQ(notes.read(), (lines{"position enabled", "enabled"}));
    world.disable<position>(e);
    world.disable(e);
    world.dispatch();
    EXPECT_EQ(notes.read(), (lines{"position disabled", "disabled"}));
    world.enable<position>(e);
    world.disable<position>(e);
    world.enable(e);
    world.disable(e);
    world.dispatch();
    EXPECT_EQ(notes.read(), (lines{"position disabled", "disabled"}));
    world.enable(e);
    world.add<velocity>(e);
    world.remove<position>(e);
    world.dispatch();
    EXPECT_EQ(notes.read(), lines{"enabled"});
    world.add<position>(e);
    world.dispatch();
    EXPECT_EQ(notes.read(), lines{"both"});
}

TEST(observers, that_wait_are_told_of_own_events_of_entities_that_have_ended) {
    ecs::world world;
    int buttons = 0, with_terms = 0, of_query = 0;
    const ecs::observer_options later{.queued = true};
    world.observe<click>([&](entity, const click& c) { buttons += c.button; }, later);
    world.observe<click, position>([&](entity) { ++with_terms; }, later);
    world.observe<click>(world.query<const position>(), [&](entity) { ++of_query; }, later);
    const entity e = world.spawn(position{}), other = world.spawn(position{});
    auto commands = world.commands();
    commands.emit(e, click{3});
    commands.emit(other, click{4});
    commands.despawn(e);
    world.flush();
    EXPECT_EQ(buttons, 7);
    EXPECT_EQ(with_terms, 1);
    EXPECT_EQ(of_query, 1);
}

TEST(observers, of_everything_are_told_of_a_pair_in_a_column_and_not_of_its_relation) {
    ecs::world world;
    const entity relation = world.component<position>(), target = world.spawn();
    world.add(relation, ecs::non_fragmenting);
    const entity e = world.spawn();
    world.set<position>(e, target, {5});
    std::vector<ecs::id> added;
    std::vector<int> values;
    world.observe(event::added,
                  [&](const event_context& what) {
                      if (what.subject != e) return;
                      added.push_back(what.word);
                      values.push_back(static_cast<const position*>(what.value)->x);
                  },
                  {.existing = true});
    EXPECT_EQ(added, std::vector{ecs::id(ecs::pair(relation, target))});
    EXPECT_EQ(values, std::vector{5});
}

TEST(observers, of_an_event_and_terms_may_take_the_event_alone) {
    ecs::world world;
    int buttons = 0, told = 0;
    world.observe<click, position>([&](const click& c) { buttons += c.button; });
    world.observe<click, position>([&](entity, const click&) { ++told; });
    const entity e = world.spawn(position{}), other = world.spawn();
    world.emit(e, click{3});
    world.emit(other, click{4});
    EXPECT_EQ(buttons, 3);
    EXPECT_EQ(told, 1);
}

TEST(observers, ask_kept_queries_that_know_what_a_base_has_got_or_lost) {
    ecs::world world;
    const entity base = world.spawn(), heir = world.spawn(velocity{2});
    world.add(heir, ecs::is_a, base);
    auto kept = world.query<const position, const velocity>();
    EXPECT_EQ(kept.count(), 0U);
    std::vector<std::size_t> found;
    world.observe<event::added, position>([&](entity) { found.push_back(kept.count()); });
    world.monitor<position>([&](entity, bool) {
        std::size_t count = 0;
        world.each([&](const position& p, const velocity&) { count += p.x == 1 ? 1U : 100U; });
        found.push_back(count);
    });
    world.set(base, position{1});
    world.remove<position>(base);
    EXPECT_EQ(found, (std::vector<std::size_t>{1, 1, 1, 0, 0})); // The monitor is told of the heir, too.
}

TEST(monitors, know_that_a_parent_that_is_a_base_has_lost_what_a_child_showed) {
    ecs::world world;
    const entity parent = world.spawn(position{1}), child = world.spawn();
    world.add(child, ecs::is_a, parent);
    world.add(child, ecs::child_of, parent);
    bool matches = true;
    world.monitor(world.query<ecs::self_or_up<const position>>(), [&](entity e, bool now) {
        if (e == child) matches = now;
    });
    world.remove<position>(parent);
    EXPECT_FALSE(matches);
}

/// The entities of which the monitor has said that they match, and not that they ceased to.
struct monitored {
    ecs::world world;
    std::set<entity> matching;
    int told = 0;
    entity base = world.spawn(), heir = world.spawn(), later = world.spawn();

    monitored() {
        world.add(heir, ecs::is_a, base);
        world.add(later, ecs::is_a, heir);
        world.monitor<const position>([this](entity e, bool now) {
            ++told;
            if (now)
                matching.insert(e);
            else
                matching.erase(e);
        });
    }
    void expect_match(const std::set<entity>& all) {
        EXPECT_EQ(matching, all);
        for (const entity e : {base, heir, later})
            EXPECT_EQ(world.query<const position>().contains(e), all.contains(e));
    }
};

TEST(monitors, follow_what_a_base_has) {
    monitored all;
    all.world.set(all.base, position{1});
    all.expect_match({all.base, all.heir, all.later});
    EXPECT_EQ(all.told, 3);
    all.world.disable<position>(all.base);
    all.expect_match({all.heir, all.later}); // What is hidden at the base is not hidden below.
    all.world.enable<position>(all.base);
    all.world.set(all.heir, position{2});
    all.world.remove<position>(all.base);
    all.expect_match({all.heir, all.later});
    all.world.remove<position>(all.heir);
    all.expect_match({});
}

TEST(monitors, follow_who_has_which_base) {
    monitored all;
    all.world.set(all.base, position{1});
    all.world.remove(all.heir, ecs::is_a, all.base);
    all.expect_match({all.base});
    all.world.add(all.later, ecs::is_a, all.base);
    all.expect_match({all.base, all.later});
    const entity made = all.world.spawn(pair(ecs::is_a, all.base));
    EXPECT_TRUE(all.matching.contains(made));
    all.world.despawn(all.base);
    all.expect_match({});
    EXPECT_FALSE(all.world.query<const position>().contains(made));
}

TEST(monitors, that_look_up_follow_what_is_inherited_above) {
    ecs::world world;
    std::set<entity> told;
    auto query = world.query<ecs::up<const position>>();
    world.monitor(world.query<ecs::up<const position>>(), [&](entity e, bool now) {
        if (now)
            told.insert(e);
        else
            told.erase(e);
    });
    const entity base = world.spawn(), parent = world.spawn(), child = world.spawn();
    world.add(parent, ecs::is_a, base);
    world.add(child, ecs::child_of, parent);
    const auto expect = [&](bool found) {
        EXPECT_EQ(told.contains(child), found);
        EXPECT_EQ(query.contains(child), found);
    };
    world.set(base, position{1});
    expect(true);
    world.remove<position>(base);
    expect(false);
    world.set(base, position{1});
    expect(true);
    world.remove(parent, ecs::is_a, base);
    expect(false);
    world.add(parent, ecs::is_a, base);
    expect(true);
    world.despawn(base);
    expect(false);
}

TEST(monitors, make_their_changes_when_all_that_exists_has_been_told) {
    ecs::world world;
    const entity a = world.spawn(position{1}), b = world.spawn(position{2});
    using matches = std::vector<std::pair<entity, bool>>;
    matches told;
    const auto note = [&](entity e, bool now) {
        EXPECT_TRUE(world.alive(e));
        told.emplace_back(e, now);
        if (now && e == a) world.despawn(b);
    };
    world.monitor<position>(note, {.existing = true});
    EXPECT_EQ(told, (matches{{a, true}, {b, true}, {b, false}}));
    EXPECT_FALSE(world.alive(b));
}

TEST(monitors, forget_who_ended_when_it_no_longer_inherited) {
    monitored all;
    all.world.set(all.base, position{1});
    all.world.despawn(all.base);
    all.world.despawn(all.heir);
    all.expect_match({});
}

TEST(observers, of_a_query_are_told_once_of_what_is_in_tables_and_outside) {
    ecs::world world;
    int added = 0, removed = 0, set = 0;
    const auto either = [&] { return world.query<>().any_of<position, buff>(); };
    world.observe<event::added>(either(), [&](entity) { ++added; });
    world.observe<event::set>(either(), [&](entity) { ++set; });
    world.observe<event::removed>(either(), [&](entity) { ++removed; });
    const auto told = [&] { return std::vector{added, set, removed}; };
    const entity e = world.spawn(position{}, buff{});
    EXPECT_EQ(told(), (std::vector{1, 1, 0}));
    world.clone(e);
    EXPECT_EQ(told(), (std::vector{2, 2, 0}));
    world.remove<position, buff>(e);
    EXPECT_EQ(told(), (std::vector{2, 2, 1}));
    world.add<position, buff>(e);
    EXPECT_EQ(told(), (std::vector{3, 2, 1}));
    const std::vector<entity> many = world.spawn_n(4, position{7}, buff{});
    EXPECT_EQ(told(), (std::vector{7, 6, 1}));
    EXPECT_EQ(many.size(), 4U);
    EXPECT_EQ(world.get<position>(many.back()).x, 7);
}

TEST(observers, of_many_entities_that_are_refused_find_none_of_them_alive_afterwards) {
    ecs::world world;
    std::vector<entity> seen;
    world.observe<event::added, buff>([&](entity e) { seen.push_back(e); });
    const std::size_t before = world.query<position>().count();
    int made = 0;
    const auto third_fails = [&](std::size_t) {
        if (++made == 3) throw std::runtime_error("third");
        return buff{};
    };
    EXPECT_THROW(std::ignore = world.spawn_n(4, position{7}, third_fails), std::runtime_error);
    EXPECT_EQ(world.query<position>().count(), before);
    EXPECT_TRUE(seen.empty()) << "the values are made before the first entity";
    world.add(world.component<buff>(), pair(ecs::excludes, world.component<position>()));
    EXPECT_THROW(std::ignore = world.spawn_n(4, position{7}, buff{}), std::invalid_argument);
    EXPECT_EQ(world.query<position>().count(), before);
    EXPECT_TRUE(std::ranges::none_of(seen, [&](entity e) { return world.alive(e); }));
}

TEST(observers, of_a_base_and_of_an_instance_find_all_values_of_a_set) {
    ecs::world world;
    const entity base = world.spawn(), heir = world.spawn();
    world.add(heir, ecs::is_a, base);
    std::vector<int> found;
    world.observe<event::added, position>([&](entity e) { found.push_back(world.get<velocity>(e).x); });
    auto query = world.query<const position, const velocity>();
    EXPECT_EQ(query.count(), 0U);
    world.set(base, position{1}, velocity{2});
    EXPECT_EQ(query.count(), 2U);
    world.set(heir, position{3}, velocity{4});
    EXPECT_EQ(found, (std::vector{2, 4}));
    EXPECT_EQ(world.get<position>(heir).x, 3);
    world.remove<position>(heir);
    EXPECT_EQ(world.get<position>(heir).x, 1);
    EXPECT_EQ(world.get<velocity>(heir).x, 4);
}

TEST(observers, that_throw_at_what_exists_have_not_begun) {
    ecs::world world;
    world.spawn(position{1});
    int told = 0;
    const auto throws = [&](entity) {
        ++told;
        throw std::runtime_error("told");
    };
    EXPECT_THROW(std::ignore = (world.observe<event::added, position>(throws, {.existing = true})),
                 std::runtime_error);
    EXPECT_THROW(std::ignore =
                     world.monitor<position>([&](entity e, bool) { throws(e); }, {.existing = true}),
                 std::runtime_error);
    EXPECT_EQ(told, 2);
    world.spawn(position{2});
    EXPECT_EQ(told, 2);
}

TEST(observers, that_spawn_children_make_no_table_before_they_have_returned) {
    ecs::world world;
    const entity parent = world.spawn();
    world.spawn(position{1});
    std::ignore = world.component<velocity>();
    std::size_t made = 0;
    const auto spawns = [&](entity) {
        const std::size_t before = world.tables().size();
        std::ignore = world.spawn_children(parent, 2, velocity{});
        made += world.tables().size() - before;
    };
    world.observe<event::added, position>(spawns, {.existing = true});
    EXPECT_EQ(made, 0U) << "the observer is told of one table after the other";
    EXPECT_EQ(world.children(parent).size(), 2U);
    EXPECT_EQ(world.count<velocity>(), 2U);
}

TEST(observers, what_a_function_holds_may_change_a_world_that_ends) {
    entity e;
    int added = 0;
    {
        ecs::world world;
        e = world.spawn();
        const auto add = [&world](const entity* to) { world.add<frozen>(*to); };
        world.observe<event::added, position>(
            [held = std::shared_ptr<entity>(&e, add)](entity) { EXPECT_TRUE(held); });
        world.observe<event::added, frozen>([&](entity) { ++added; }, {.at_world_end = true});
    }
    EXPECT_EQ(added, 1);
}

/// An event that calls a function when it is copied; its copies call none.
struct echo {
    static constexpr bool is_event = true;
    explicit echo(int n, const std::function<void()>* f = nullptr) : number(n), at_copy(f) {}
    echo(const echo& other) : number(other.number) {
        if (other.at_copy) (*other.at_copy)();
    }
    echo(echo&& other) noexcept : number(other.number) {}
    echo& operator=(const echo&) = default;
    echo& operator=(echo&&) = default;
    ~echo() = default;

    int number;
    const std::function<void()>* at_copy = nullptr;
};

TEST(observers, that_are_queued_keep_events_that_emit_others_when_they_are_copied) {
    ecs::world world;
    const entity e = world.spawn();
    std::vector<int> numbers;
    world.observe<echo>([&](const echo& heard) { numbers.push_back(heard.number); }, {.queued = true});
    const std::function<void()> again = [&] { world.emit(e, echo(2)); };
    world.emit(e, echo(1, &again));
    world.dispatch();
    EXPECT_EQ(numbers, (std::vector{2, 1}));
}

TEST(observers, ask_kept_queries_that_know_where_a_chain_leads) {
    ecs::world world;
    const entity relation = world.spawn(), a = world.spawn(), b = world.spawn(), c = world.spawn();
    world.add(relation, ecs::transitive);
    world.add(a, ecs::pair(relation, b));
    auto kept = world.query<>().with(ecs::pair(relation, c));
    EXPECT_EQ(kept.count(), 0U);
    std::vector<std::size_t> found;
    world.observe(event::added, ecs::pair(relation, ecs::any),
                  [&](entity) { found.push_back(kept.count()); });
    world.add(b, ecs::pair(relation, c));
    EXPECT_EQ(found, std::vector<std::size_t>{2});
}

using many = std::span<const entity>;

/// Changes ten entities with positions while the first observer throws, and the second asks for a change.
std::size_t told_of_ten(event what, const std::function<void(ecs::world&, many)>& change) {
    ecs::world world;
    const std::vector<entity> all = world.spawn_n(10, position{1});
    if (what == event::removed) world.add<frozen>(all);
    int told = 0;
    const auto throwing = [&](entity) {
        if (++told == 3) throw std::runtime_error("the first that is thrown");
        if (told == 5) throw std::logic_error("another one");
    };
    const auto asking = [&](entity e) { world.add<velocity>(e); };
    if (what == event::set) {
        world.observe<event::set, position>(throwing);
        world.observe<event::set, position>(asking);
    } else {
        world.observe(what, ecs::id(world.component<frozen>()), throwing);
        world.observe(what, ecs::id(world.component<frozen>()), asking);
    }
    EXPECT_THROW(change(world, all), std::runtime_error);
    std::ignore = world.spawn(frozen{}); // Nothing is left to be thrown.
    EXPECT_EQ(told, what == event::added ? 11 : 10);
    return world.count<velocity>();
}

TEST(observers, that_throw_do_not_stop_a_change_of_many_entities) {
    EXPECT_EQ(told_of_ten(event::added, [](ecs::world& w, many all) { w.add<frozen>(all); }), 11U);
    EXPECT_EQ(told_of_ten(event::set, [](ecs::world& w, many all) { w.set(all, position{2}); }), 10U);
    EXPECT_EQ(told_of_ten(event::removed, [](ecs::world& w, many all) { w.remove<frozen>(all); }), 10U);
    EXPECT_EQ(told_of_ten(event::removed, [](ecs::world& w, many all) { w.despawn(all); }), 0U);
    EXPECT_EQ(told_of_ten(event::removed, [](ecs::world& w, many) { w.despawn(w.query<position>()); }), 0U);
    EXPECT_EQ(told_of_ten(event::removed, [](ecs::world& w, many) { w.clear(); }), 0U);
}

TEST(observers, that_throw_at_changes_of_many_within_another_change_are_reported_at_its_end) {
    ecs::world world;
    const std::vector<entity> all = world.spawn_n(4, position{1});
    int told = 0;
    world.observe<event::added, frozen>([&](entity) { throw std::runtime_error(std::to_string(++told)); });
    world.observe<event::set, position>([&](entity) { world.add<frozen>(all); });
    try {
        world.set(all[0], position{2});
        ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& first) {
        EXPECT_STREQ(first.what(), "1");
    }
    EXPECT_EQ(told, 4);
    EXPECT_EQ(world.count<frozen>(), 4U);
}

TEST(observers, of_names_find_the_entity_by_its_name) {
    ecs::world world;
    const entity house = world.spawn("house");
    const auto spawned = world.spawn_n(2);
    std::vector<entity> found;
    const auto look = [&](entity e, const ecs::name& n) {
        found.push_back(world.lookup(world.parent(e), n.text()));
        found.push_back(world.find_or_spawn(world.parent(e), n.text()));
    };
    world.observe<event::added, ecs::name>(look);
    world.observe<event::removed, ecs::name>(look);
    world.add(spawned[1], ecs::pair(ecs::child_of, house));
    for (const entity e : spawned) {
        world.set_name(e, "door");
        EXPECT_EQ(std::exchange(found, {}), (std::vector<entity>{e, e})) << "added";
    }
    for (const entity e : spawned) {
        world.remove<ecs::name>(e);
        EXPECT_EQ(std::exchange(found, {}), (std::vector<entity>{e, e})) << "removed";
        world.set_name(e, "door"); // It is free again.
        found.clear();
    }
    EXPECT_EQ(world.entities().size(), 3U) << "nobody has asked for another door";
    world.despawn(spawned[0]);
    EXPECT_EQ(found, (std::vector<entity>{spawned[0], spawned[0]}));
    EXPECT_FALSE(world.lookup("door"));
}

TEST(observers, that_are_hooks_are_told_last_of_the_end_of_an_entity) {
    diary notes;
    ecs::world world;
    world.hook<event::despawned, position>([&](entity) { notes("hook"); });
    world.hook<event::spawned, position>([&](entity) { notes("hook of a spawn"); });
    world.observe<event::despawned, position>([&](entity) { notes("observer"); });
    world.observe<event::spawned, position>([&](entity) { notes("observer of a spawn"); });
    const entity e = world.spawn(position{});
    EXPECT_EQ(notes.read(), (lines{"hook of a spawn", "observer of a spawn"}));
    world.despawn(e);
    EXPECT_EQ(notes.read(), (lines{"observer", "hook"}));
}

struct unheard {
    static constexpr bool is_event = true;
    int times = 0;
};

TEST(observers, are_not_needed_to_emit_an_event_in_a_loop) {
    ecs::world world;
    const entity e = world.spawn(position{}), ended = world.spawn();
    world.despawn(ended);
    const std::vector<entity> both{e, ended};
    int told = 0, looped = 0;
    const auto emit_in_loop = [&] {
        world.each([&](const position&) {
            ++looped;
            EXPECT_TRUE(world.emit(e, unheard{1}));
            EXPECT_FALSE(world.emit(ended, unheard{1}));
            EXPECT_EQ(world.emit(both, unheard{1}), 1U);
        });
    };
    emit_in_loop();
    world.observe<unheard>([&](const unheard& u) { told += u.times; });
    emit_in_loop();
    EXPECT_EQ(told, 2);
    EXPECT_EQ(looped, 2);
}

TEST(observers, have_a_world_that_is_still_when_they_end_the_loop_in_which_they_are_told) {
    ecs::world world;
    const entity e = world.spawn(position{1}, velocity{1});
    std::ignore = world.spawn(position{5}, velocity{5});
    auto all = world.query<const position>();
    std::optional<decltype(all.begin())> loop;
    std::vector<int> told;
    const auto change = [&](entity at, const velocity& v) {
        loop.reset();
        EXPECT_THROW(world.add<frozen>(at), ecs::iteration_error);
        told.push_back(v.x);
    };
    world.observe<event::set, const velocity>(change);
    world.observe<event::set, const velocity>(change);
    loop.emplace(all.begin());
    world.set(e, velocity{2});
    EXPECT_EQ(told, (std::vector{2, 2}));
    EXPECT_EQ(world.add<frozen>(e), ecs::add_result::added);
}

TEST(observers, of_a_query_with_a_wildcard_are_told_once_for_an_operation) {
    ecs::world world;
    int of_query = 0, of_pairs = 0;
    const ecs::id whoever = ecs::pair(world.component<likes>(), ecs::any);
    world.observe<event::removed>(world.query<>().with(whoever), [&](entity) { ++of_query; });
    world.observe(event::removed, whoever, [&](entity) { ++of_pairs; });
    const entity e = world.spawn();
    world.add<likes>(e, world.spawn());
    world.add<likes>(e, world.spawn());
    world.remove(e, whoever);
    EXPECT_EQ(of_query, 1);
    EXPECT_EQ(of_pairs, 2);
}

} // namespace
} // namespace observers_test
