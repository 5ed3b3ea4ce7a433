// SPDX-License-Identifier: MIT
// Observers of queries: of several events, and of what must and must not be there; and of several entities.
#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;

namespace observed_queries_test {
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
struct stunned {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    int strength = 1;
};
struct likes {};
struct click {
    static constexpr bool is_event = true;
    int button = 0;
};

using lines = std::vector<std::string>;

/// What observers are told, in words.
class told {
  public:
    explicit told(ecs::world& in) : in_(&in) {}

    /// An observer's function that notes the event and what it happened to.
    auto noting() {
        return [this](const event_context& o) { lines_.push_back(text_of(o.what) + " " + name_of(o.word)); };
    }
    void note(const std::string& line) { lines_.push_back(line); }
    lines read() { return std::exchange(lines_, {}); }

  private:
    static std::string text_of(event what) {
        switch (what) {
        case event::added: return "added";
        case event::set: return "set";
        case event::removed: return "removed";
        case event::enabled: return "enabled";
        case event::spawned: return "spawned";
        case event::despawned: return "despawned";
        default: return "?";
        }
    }
    std::string name_of(ecs::id word) const {
        if (word == ecs::id(in_->component<position>())) return "position";
        if (word == ecs::id(in_->component<velocity>())) return "velocity";
        if (word == ecs::id(in_->component<frozen>())) return "frozen";
        if (word == ecs::id(in_->component<stunned>())) return "stunned";
        if (word == ecs::id(in_->component<buff>())) return "buff";
        return word ? "other" : "whole";
    }

    ecs::world* in_;
    lines lines_;
};

TEST(observed_queries, several_events_are_told_which_they_are) {
    ecs::world world;
    told notes(world);
    world.observe<event::added, event::set, event::removed>(world.query<position>(), notes.noting());
    const entity e = world.spawn(position{1});
    world.set(e, position{2});
    world.add<frozen>(e);
    world.remove<position>(e);
    world.observe({event::spawned, event::despawned}, world.query<>().with<velocity>(), notes.noting());
    EXPECT_EQ(notes.read(), (lines{"added position", "set position", "set position", "removed position"}));
    world.despawn(e);
    world.despawn(world.spawn(velocity{}));
    EXPECT_EQ(notes.read(), (lines{"spawned whole", "despawned whole"}));
}

TEST(observed_queries, hand_out_what_a_loop_would) {
    ecs::world world;
    std::vector<int> sums;
    const entity parent = world.spawn(velocity{100});
    world.observe<event::set>(world.query<position, const buff*, ecs::up<const velocity>>(),
                              [&](entity e, position& p, const buff* b, const velocity& above) {
                                  EXPECT_EQ(world.parent(e), parent);
                                  sums.push_back(p.x + (b ? 10 * b->strength : 0) + above.x);
                              });
    const entity e = world.spawn(position{1});
    EXPECT_TRUE(sums.empty()) << "nobody is above it";
    world.add(e, ecs::pair(ecs::child_of, parent));
    EXPECT_TRUE(sums.empty()) << "nothing was set";
    world.set(e, position{2});
    world.set(e, buff{3});
    EXPECT_EQ(sums, (std::vector{102, 132}));
    entity seen;
    world.observe<event::added>(world.query<entity, position>(), [&](entity on, position&) { seen = on; });
    world.observe<event::added>(world.query<position>(), [&](ecs::world& in, entity on, position& p) {
        EXPECT_EQ(&in, &world);
        EXPECT_EQ(on, seen);
        sums.push_back(p.x);
    });
    world.spawn(position{7});
    EXPECT_EQ(sums.back(), 7);
}

TEST(observed_queries, one_query_serves_many_observers) {
    ecs::world world;
    told notes(world);
    auto ships = world.query<const position>().without<frozen>().any_of<velocity, buff>();
    world.observe<event::added>(ships, notes.noting());
    world.observe({event::spawned, event::despawned}, ships, notes.noting());
    world.observe<click>(ships, [&](const click& c, const position& p) {
        notes.note("click " + std::to_string(c.button + p.x));
    });
    const entity e = world.spawn(position{1}, velocity{});
    world.emit(e, click{2});
    world.despawn(e);
    EXPECT_EQ(notes.read().size(), 4U);
    EXPECT_EQ(ships.count(), 0U);
}

TEST(observed_queries, are_told_of_entities_that_satisfy_all_terms) {
    ecs::world world;
    told notes(world);
    world.observe<event::added, event::set, event::removed>(
        world.query<position>().without<frozen>().any_of<velocity, buff>(), notes.noting());
    const entity e = world.spawn(position{});
    EXPECT_EQ(notes.read(), lines{});
    world.add<velocity>(e);
    EXPECT_EQ(notes.read(), lines{"added velocity"});
    world.set(e, buff{2});
    EXPECT_EQ(notes.read(), (lines{"added buff", "set buff"}));
    world.remove<velocity>(e);
    world.set(e, position{3});
    EXPECT_EQ(notes.read(), (lines{"removed velocity", "set position"}));
    world.add<frozen>(e);
    world.set(e, position{4});
    world.set(e, buff{4});
    world.remove<buff>(e);
    EXPECT_EQ(notes.read(), lines{}) << "it is frozen";
    world.set(e, buff{5});
    world.despawn(e);
    EXPECT_EQ(notes.read(), lines{});
}

TEST(observed_queries, the_loss_of_what_must_not_be_there_is_an_addition) {
    ecs::world world;
    told notes(world);
    world.observe<event::added>(world.query<position>().without<frozen>().without<stunned>(), notes.noting());
    const entity e = world.spawn(position{}, frozen{}, stunned{}), other = world.spawn(frozen{});
    world.remove<frozen>(e);
    world.remove<frozen>(other);
    EXPECT_EQ(notes.read(), lines{}) << "one is stunned still, the other has no position";
    world.remove<stunned>(e);
    EXPECT_EQ(notes.read(), lines{"added stunned"});
    world.add<frozen>(e);
    world.add<stunned>(e);
    world.remove<frozen, stunned>(e);
    EXPECT_EQ(notes.read(), lines{"added frozen"}) << "once for an operation: what is in tables goes last";
    world.add<frozen>(e);
    world.despawn(e);
    EXPECT_EQ(notes.read(), lines{}) << "an end is no beginning";
    world.edit(other).add<position>().add<frozen>();
    world.edit(other).remove<frozen>().set(velocity{});
    EXPECT_EQ(notes.read(), lines{"added frozen"});
    world.edit(other).remove<position>().add<frozen>();
    world.edit(other).remove<frozen>().add<position>();
    EXPECT_EQ(notes.read(), lines{"added position"});
}

TEST(observed_queries, a_query_may_name_nothing_but_what_must_not_be_there) {
    ecs::world world;
    told notes(world);
    world.observe<event::added>(world.query<>().without<frozen>(), notes.noting());
    const entity e = world.spawn(frozen{});
    world.add<position>(e);
    world.remove<frozen>(e);
    world.add<velocity>(e);
    EXPECT_EQ(notes.read(), lines{"added frozen"});
}

TEST(observed_queries, loss_of_a_pair_that_must_not_be_there_is_an_addition) {
    for (const bool in_column : {false, true}) {
        ecs::world world;
        int losses = 0;
        const entity owes = world.spawn(), bank = world.spawn(), shop = world.spawn();
        if (in_column) {
            world.add(owes, ecs::exclusive);
            world.add(owes, ecs::non_fragmenting);
        }
        world.observe<event::added>(world.query<position>().without(ecs::pair(owes, bank)),
                                    [&](const event_context& o) { losses += o.word.is_pair() ? 1 : 0; });
        const entity e = world.spawn(position{});
        world.add(e, ecs::pair(owes, bank));
        EXPECT_EQ(losses, 0);
        world.remove(e, ecs::pair(owes, bank));
        EXPECT_EQ(losses, 1) << in_column;
        world.add(e, ecs::pair(owes, bank));
        world.add(e, ecs::pair(owes, shop));
        EXPECT_EQ(losses, in_column ? 2 : 1) << "an exclusive relation has given up the bank";
        world.remove(e, ecs::pair(owes, bank));
        EXPECT_EQ(losses, 2);
        world.add(e, ecs::pair(owes, bank));
        world.despawn(bank);
        EXPECT_EQ(losses, 3) << "the end of the target is the end of the pair";
    }
}

TEST(observed_queries, what_is_told_of_a_removal_is_still_there) {
    ecs::world world;
    std::vector<int> sums;
    world.observe<event::removed>(world.query<position, velocity>().without<frozen>(),
                                  [&](const event_context& o, const position& p, const velocity& v) {
                                      EXPECT_EQ(o.what, event::removed);
                                      sums.push_back(p.x + v.x);
                                  });
    world.remove<velocity>(world.spawn(position{1}, velocity{10}));
    world.remove<position, velocity>(world.spawn(position{2}, velocity{20}));
    world.despawn(world.spawn(position{3}, velocity{30}));
    world.despawn(world.spawn(position{4}, velocity{40}, frozen{}));
    world.despawn(world.spawn(position{5}));
    EXPECT_EQ(sums, (std::vector{11, 22, 33}));
}

TEST(observed_queries, disabled_entities_and_prefabs_are_passed_over_unless_asked_for) {
    ecs::world world;
    told notes(world), all(world);
    world.observe<event::set, event::enabled>(world.query<position>(), notes.noting());
    world.observe<event::set>(world.query<position>().optional(ecs::disabled), all.noting());
    const entity e = world.spawn(position{});
    const entity fab = world.prefab(position{});
    EXPECT_EQ(notes.read(), (lines{"set position", "set position"})) << "it was no prefab yet";
    all.read();
    world.set(fab, position{1});
    world.disable(e);
    world.set(e, position{1});
    EXPECT_EQ(notes.read(), lines{});
    EXPECT_EQ(all.read(), lines{"set position"}) << "it asks for disabled entities";
    world.enable(e);
    world.disable<position>(e);
    world.set(e, position{2});
    EXPECT_EQ(notes.read(), lines{});
    world.enable<position>(e);
    EXPECT_EQ(notes.read(), lines{"enabled position"});
}

TEST(observed_queries, a_toggle_of_what_must_not_be_there_is_no_addition) {
    ecs::world world;
    told notes(world);
    world.observe<event::added>(world.query<position>().without<velocity>(), notes.noting());
    const entity e = world.spawn(position{}, velocity{});
    world.disable<velocity>(e);
    EXPECT_EQ(notes.read(), lines{});
    world.remove<velocity>(e);
    EXPECT_EQ(notes.read(), lines{"added velocity"});
}

TEST(observed_queries, several_events_of_one_operation_are_told_each) {
    ecs::world world;
    told notes(world);
    world.observe<event::added, event::set, event::removed>(
        world.query<>().any_of<position, velocity, frozen>(), notes.noting());
    const entity e = world.spawn(position{}, velocity{});
    const lines first = notes.read();
    ASSERT_EQ(first.size(), 2U) << "once for each event";
    EXPECT_TRUE(first[0].starts_with("added") && first[1].starts_with("set"));
    world.edit(e).remove<position>().add<frozen>().set(velocity{2});
    EXPECT_EQ(notes.read(), (lines{"removed position", "added frozen", "set velocity"}));
}

TEST(observed_queries, existing_matches_are_told_on_request) {
    ecs::world world;
    told notes(world);
    world.spawn(position{1}, frozen{});
    world.spawn(position{2}, velocity{});
    world.observe<event::added, event::set>(world.query<position>().without<frozen>(), notes.noting(),
                                            {.existing = true});
    EXPECT_EQ(notes.read(), (lines{"added position", "set position"}));
    world.observe<event::spawned>(world.query<position>().without<frozen>(), notes.noting(),
                                  {.existing = true});
    EXPECT_EQ(notes.read(), lines{"spawned whole"});
}

TEST(observed_queries, who_comes_below_another_is_told_what_it_sees_there) {
    ecs::world world;
    lines told;
    const entity red = world.spawn(velocity{1}), blue = world.spawn(velocity{2}), bare = world.spawn(),
                 child = world.spawn(position{7}), grandchild = world.spawn(position{8}),
                 shaded = world.spawn(position{9}, velocity{3});
    const auto put = [&](entity e, entity parent) { world.add(e, ecs::pair(ecs::child_of, parent)); };
    put(grandchild, child);
    put(shaded, grandchild);
    world.observe<event::added, event::removed>(
        world.query<const position, ecs::up<const velocity>>(),
        [&](const event_context& o, const position& p, const velocity& v) {
            told.push_back((o.what == event::added ? "added " : "removed ") + std::to_string(p.x) + " " +
                           std::to_string(v.x));
            if (o.subject == o.seen_at) return; // Its own position is told of.
            EXPECT_EQ(o.subject, world.up(o.seen_at, world.component<velocity>()));
            EXPECT_EQ(o.value, &v);
        });
    const auto read = [&] { return std::exchange(told, {}); };
    put(child, red);
    EXPECT_EQ(read(), (lines{"added 7 1", "added 8 1", "added 9 1"})) << "what is shaded looks past itself";
    put(child, blue);
    EXPECT_EQ(read(),
              (lines{"removed 7 1", "removed 8 1", "removed 9 1", "added 7 2", "added 8 2", "added 9 2"}));
    put(child, bare);
    EXPECT_EQ(read(), (lines{"removed 7 2", "removed 8 2", "removed 9 2"}));
    put(bare, red);
    EXPECT_EQ(read(), (lines{"added 7 1", "added 8 1", "added 9 1"})) << "by way of who sees it from below";
    world.remove(child, ecs::pair(ecs::child_of, bare));
    EXPECT_EQ(read(), (lines{"removed 7 1", "removed 8 1", "removed 9 1"}));
    world.spawn(ecs::pair(ecs::child_of, blue), position{5});
    EXPECT_EQ(read(), lines{"added 5 2"}) << "once, though both terms are new";
    put(child, red);
    read();
    world.despawn(child);
    EXPECT_EQ(read(), (lines{"removed 7 1", "removed 8 1", "removed 9 1"}));
}

TEST(observed_queries, who_ends_with_the_parent_is_told_of_once) {
    std::vector<std::pair<event, int>> told;
    const auto read = [&] { return std::exchange(told, {}); };
    const auto removed = [](int x) { return std::pair(event::removed, x); };
    {
        ecs::world world;
        world.observe<event::added, event::removed>(world.query<const position, ecs::up<const velocity>>(),
                                                    [&](const event_context& o, const position& p,
                                                        const velocity&) { told.emplace_back(o.what, p.x); },
                                                    {.at_world_end = true});
        const auto family = [&] {
            const entity top = world.spawn(velocity{1});
            const entity child = world.spawn(position{2}, ecs::pair(ecs::child_of, top));
            world.spawn(position{3}, ecs::pair(ecs::child_of, child));
            world.spawn(position{4}, frozen{}, ecs::pair(ecs::child_of, top));
            return top;
        };
        const entity first = family();
        EXPECT_EQ(read().size(), 3U);
        world.despawn(first);
        std::vector<std::pair<event, int>> found = read();
        std::ranges::sort(found);
        EXPECT_EQ(found, (std::vector{removed(2), removed(3), removed(4)}));
        const std::vector<entity> several{family(), world.spawn(), family()};
        EXPECT_EQ(read().size(), 6U);
        world.despawn(several);
        EXPECT_EQ(read().size(), 6U);
        family();
        EXPECT_EQ(read().size(), 3U);
    }
    EXPECT_EQ(read().size(), 3U) << "at the end of the world";
}

TEST(observed_queries, who_has_it_itself_does_not_look_above) {
    ecs::world world;
    std::vector<entity> seen;
    const entity top = world.spawn(velocity{1}), own = world.spawn(velocity{2}), none = world.spawn();
    world.observe<event::added, event::removed>(world.query<ecs::self_or_up<const velocity>>(),
                                                [&](entity e) { seen.push_back(e); });
    world.add(own, ecs::pair(ecs::child_of, top));
    EXPECT_TRUE(seen.empty());
    world.add(none, ecs::pair(ecs::child_of, own));
    EXPECT_EQ(seen, std::vector{none});
    world.remove<velocity>(top);
    EXPECT_EQ(seen, (std::vector{none, top}));
}

TEST(observed_queries, who_is_there_already_is_told_once_of_what_is_above) {
    ecs::world world;
    std::vector<entity> seen;
    const entity top = world.spawn(velocity{1}), child = world.spawn(ecs::pair(ecs::child_of, top));
    world.observe<event::added>(world.query<ecs::up<const velocity>>(), [&](entity e) { seen.push_back(e); },
                                {.existing = true});
    EXPECT_EQ(seen, std::vector{child});
}

TEST(observed_queries, who_is_there_already_is_told_by_what_it_has_and_not_by_what_is_disabled) {
    ecs::world world;
    told notes(world);
    world.disable<frozen>(world.spawn(frozen{})); // Its identifier comes before the other.
    const entity e = world.spawn(frozen{}, position{});
    world.disable<frozen>(e);
    world.observe<event::added>(world.query<position>().without<frozen>(), notes.noting(),
                                {.existing = true});
    EXPECT_EQ(notes.read(), lines{"added position"});
}

TEST(observed_queries, monitors_look_at_what_is_above) {
    ecs::world world;
    std::set<entity> matching;
    const entity top = world.spawn(), middle = world.spawn(), low = world.spawn(position{}),
                 shaded = world.spawn(position{}, velocity{}), other = world.spawn(velocity{});
    const auto put = [&](entity e, entity parent) { world.add(e, ecs::pair(ecs::child_of, parent)); };
    put(middle, top);
    put(low, middle);
    put(shaded, low);
    world.monitor(world.query<const position, ecs::up<const velocity>>(), [&](entity e, bool matches) {
        EXPECT_TRUE(matches ? matching.insert(e).second : matching.erase(e) == 1);
    });
    world.set(top, velocity{});
    EXPECT_EQ(matching, (std::set{low, shaded}));
    world.disable<velocity>(top);
    EXPECT_TRUE(matching.empty());
    put(low, other);
    EXPECT_EQ(matching, (std::set{low, shaded}));
    world.remove(low, ecs::pair(ecs::child_of, other));
    EXPECT_TRUE(matching.empty());
    put(low, other);
    world.despawn(other);
    EXPECT_TRUE(matching.empty());
}

TEST(observed_queries, queued_ones_are_told_of_what_satisfies_the_query_still) {
    ecs::world world;
    told notes(world);
    world.observe<event::added, event::set>(world.query<position>().without<frozen>(), notes.noting(),
                                            {.queued = true});
    const entity a = world.spawn(position{}, frozen{}), b = world.spawn(position{}, frozen{});
    world.remove<frozen>(a);
    world.remove<frozen>(b);
    world.add<frozen>(b);
    EXPECT_EQ(world.dispatch(), 1);
    EXPECT_EQ(notes.read(), lines{"added frozen"});
    world.set(a, position{1});
    world.add<frozen>(a);
    EXPECT_EQ(world.dispatch(), 0);
    world.observe<event::removed>(world.query<velocity>(), notes.noting(), {.queued = true});
    world.despawn(world.spawn(velocity{}));
    EXPECT_EQ(world.dispatch(), 1);
    EXPECT_EQ(notes.read(), lines{"removed velocity"});
}

TEST(observed_queries, what_they_change_waits) {
    ecs::world world;
    told notes(world);
    world.observe<event::added>(world.query<position>().without<frozen>(), [&](entity e, const position& p) {
        notes.note("thaws " + std::to_string(p.x));
        EXPECT_EQ(world.add<frozen>(e), ecs::add_result::deferred);
        if (p.x != 3) std::ignore = world.set(e, position{p.x + 1});
        if (p.x != 3) std::ignore = world.remove<frozen>(e);
    });
    const entity e = world.spawn(position{1});
    EXPECT_EQ(notes.read(), (lines{"thaws 1", "thaws 2", "thaws 3"}));
    EXPECT_TRUE(world.has<frozen>(e));
}

TEST(observed_queries, old_values_are_told_where_asked) {
    ecs::world world;
    std::vector<std::pair<event, int>> olds;
    world.observe<event::added, event::set>(world.query<position>(),
                                            [&](const event_context& o) {
                                                const auto* const before =
                                                    static_cast<const position*>(o.previous());
                                                olds.emplace_back(o.what, before ? before->x : -1);
                                            },
                                            {.previous = true});
    world.observe<event::set>(world.query<position>(), [](const event_context& o) {
        EXPECT_EQ(o.previous(), nullptr) << "what one asks for, another is not told";
    });
    const entity e = world.spawn(position{1});
    world.set(e, position{2}, velocity{});
    using all = std::vector<std::pair<event, int>>;
    EXPECT_EQ(olds, (all{{event::added, -1}, {event::set, -1}, {event::set, 1}}));
}

TEST(observed_queries, see_events_of_the_user_at_those_who_satisfy_them) {
    ecs::world world;
    int sum = 0, stops = 0;
    const entity panel = world.spawn(position{10}), button = world.spawn(position{1}, frozen{});
    world.add(button, ecs::pair(ecs::child_of, panel));
    world.observe<click>(world.query<const position>().without<frozen>(),
                         [&](const click& c, const position& p) { sum += c.button * p.x; });
    world.observe<click>(world.query<>().with<frozen>(), [&](entity at, const click&) {
        EXPECT_EQ(at, button);
        ++stops;
    });
    world.emit(button, click{2});
    EXPECT_EQ(sum, 0);
    world.emit(button, click{2}, ecs::propagate_to_parents);
    EXPECT_EQ(sum, 20);
    EXPECT_EQ(stops, 2);
    world.emit(world.component<click>(), panel, 7);
    EXPECT_EQ(sum, 20) << "the payload is of another type";
}

TEST(observed_queries, can_be_ended_disabled_and_outlive_a_rewind) {
    ecs::world world;
    told notes(world);
    ecs::observer o = world.observe<event::added>(world.query<position>().without<frozen>(), notes.noting());
    const ecs::snapshot then = world.snapshot();
    world.spawn(position{});
    world.rewind(then);
    world.spawn(position{});
    EXPECT_EQ(notes.read(), (lines{"added position", "added position"}));
    o.disable();
    world.spawn(position{});
    o.enable();
    world.spawn(position{});
    o.end();
    world.spawn(position{});
    EXPECT_EQ(notes.read(), lines{"added position"});
}

TEST(observed_queries, that_would_never_be_told_are_refused) {
    ecs::world world;
    const auto nothing = [](entity) {};
    const auto is_refused = [&](ecs::event_set what, ecs::query<> of, const ecs::observer_options& how = {}) {
        EXPECT_THROW(world.observe(what, std::move(of), nothing, how), std::invalid_argument);
    };
    is_refused(event::set, world.query<>());
    is_refused(event::set, world.query<>().without<frozen>());
    is_refused({event::set, event::removed}, world.query<>().optional<position>());
    is_refused(event::added, world.query<>().changed<position>());
    is_refused(event::added, world.query<>().with<position>().removed<velocity>());
    is_refused(event::added, world.query<>().with_kind_of<position>());
    is_refused({}, world.query<>());
    is_refused({event::added, event::matching}, world.query<>().with<position>());
    is_refused(event::custom, world.query<>().with<position>());
    is_refused(event::disabled, world.query<>().with<position>());
    is_refused(event::table_created, world.query<>().with<position>());
    is_refused(event::added, world.query<>().with<position>(), {.previous = true});
    is_refused(event::added, world.query<>().with<position>(), {.queued = true, .at_world_end = true});
    EXPECT_THROW(world.observe<event::removed>(world.query<position>(), [](position&) {}, {.queued = true}),
                 std::invalid_argument);
    EXPECT_THROW(world.observe<click>(world.query<>().changed<position>(), nothing), std::invalid_argument);
    EXPECT_NO_THROW(world.observe<event::spawned>(world.query<>(), nothing));
}

TEST(observed_queries, what_is_above_is_told_of_whoever_sees_it) {
    ecs::world world;
    std::vector<entity> seen;
    const entity root = world.spawn(), shadow = world.spawn(velocity{5}),
                 below_shadow = world.spawn(position{1}), child = world.spawn(position{2}),
                 grandchild = world.spawn(position{3}), without = world.spawn();
    const auto put = [&](entity e, entity parent) { world.add(e, ecs::pair(ecs::child_of, parent)); };
    put(shadow, root);
    put(below_shadow, shadow);
    put(child, root);
    put(grandchild, child);
    put(without, root);
    std::vector<std::string> told;
    world.observe<event::added, event::set, event::removed>(
        world.query<const position, ecs::up<velocity>>().without<frozen>(),
        [&](const event_context& o, const position& p, const velocity& v) {
            const char* const what = o.what == event::added ? "added"
                                     : o.what == event::set ? "set"
                                                            : "removed";
            told.push_back(std::string(what) + " " + std::to_string(p.x) + " " + std::to_string(v.x));
            if (o.seen_at != o.subject) EXPECT_EQ(o.subject, p.x == 1 ? shadow : root);
            seen.push_back(o.seen_at);
        });
    const auto read = [&] { return std::exchange(told, {}); };
    world.set(root, velocity{1});
    EXPECT_EQ(read(), (lines{"added 2 1", "added 3 1", "set 2 1", "set 3 1"}));
    EXPECT_EQ(seen, (std::vector{child, grandchild, child, grandchild})) << "parents first";
    world.set(shadow, velocity{6});
    EXPECT_EQ(read(), lines{"set 1 6"});
    world.add<frozen>(child);
    world.patch<velocity>(root, [](velocity& v) { v.x = 2; });
    EXPECT_EQ(read(), lines{"set 3 2"}) << "the child is frozen, and hands on what it sees";
    world.remove<velocity>(root);
    EXPECT_EQ(read(), lines{"removed 3 2"});
    world.set(root, velocity{7});
    read();
    world.despawn(root);
    EXPECT_EQ(read(), (lines{"removed 3 7", "removed 1 6"})) << "of each once: all of them are there still";
}

TEST(observed_queries, what_is_above_is_told_once_of_one_operation) {
    ecs::world world;
    std::vector<entity> seen;
    const entity top = world.spawn();
    std::vector<entity> all = world.spawn_n(3, position{});
    for (const entity e : all) world.add(e, ecs::pair(ecs::child_of, top));
    const auto query = [&] { return world.query<position, ecs::up<const velocity>, ecs::up<const buff>>(); };
    world.observe<event::set>(query(), [&](entity e) { seen.push_back(e); });
    world.set(top, velocity{1}, buff{2});
    EXPECT_EQ(std::exchange(seen, {}), all);
    world.set(top, velocity{1}, buff{2});
    EXPECT_EQ(std::exchange(seen, {}), all);
    world.set(all[0], position{});
    EXPECT_EQ(std::exchange(seen, {}), std::vector{all[0]});
    world.observe<event::set>(query(), [&](entity e) { seen.push_back(e); }, {.existing = true});
    EXPECT_EQ(std::exchange(seen, {}).size(), 3U) << "each once, though three values of each are seen";
    world.observe<event::set>(query(), [&](entity e) { seen.push_back(e); }, {.only = all[1]});
    world.set(top, velocity{3});
    EXPECT_EQ(seen.size(), 7U);
}

TEST(observed_queries, what_is_above_is_told_along_any_relation) {
    ecs::world world;
    int sum = 0, olds = 0;
    const entity powers = world.spawn(), plant = world.spawn(position{1}), relay = world.spawn(),
                 lamp = world.spawn(frozen{});
    world.add(relay, ecs::pair(powers, plant));
    world.add(lamp, ecs::pair(powers, relay));
    world.add(lamp, ecs::pair(powers, plant)); // By two ways, and told once.
    world.add(plant, ecs::pair(powers, lamp)); // In a ring.
    world.observe<event::set>(world.query<>().with<frozen>().up(world.component<position>(), powers),
                              [&](const event_context& o) {
                                  EXPECT_EQ(o.seen_at, lamp);
                                  sum += static_cast<const position*>(o.value)->x;
                                  if (o.previous()) olds += static_cast<const position*>(o.previous())->x;
                              },
                              {.previous = true});
    world.set(plant, position{5});
    EXPECT_EQ(std::pair(sum, olds), std::pair(5, 1));
    world.set(relay, position{6});
    const bool is_plant_first = world.targets(lamp, powers).front() == plant;
    EXPECT_EQ(sum, is_plant_first ? 5 : 5 + 6) << "both are as near, and the first target counts";
}

TEST(observed_queries, queued_ones_are_told_of_what_is_above_still) {
    ecs::world world;
    std::vector<entity> seen;
    const entity top = world.spawn(), stays = world.spawn(), leaves = world.spawn(), ends = world.spawn();
    for (const entity e : {stays, leaves, ends}) world.add(e, ecs::pair(ecs::child_of, top));
    ecs::observer o = world.observe<event::set>(world.query<ecs::up<const velocity>>(),
                                                [&](entity e) { seen.push_back(e); }, {.queued = true});
    world.set(top, velocity{1});
    world.remove(leaves, ecs::pair(ecs::child_of, top));
    world.despawn(ends);
    EXPECT_EQ(world.dispatch(), 1U);
    EXPECT_EQ(std::exchange(seen, {}), std::vector{stays});
    world.set(top, velocity{2});
    world.despawn(top);
    EXPECT_EQ(world.dispatch(), 0U);
    o.disable();
    world.set(world.spawn(), velocity{});
}

TEST(observed_queries, monitors_take_every_term) {
    ecs::world world;
    std::vector<bool> changes;
    world.monitor(world.query<position>().without<frozen>().any_of<velocity, buff>(),
                  [&](entity, bool matches) { changes.push_back(matches); });
    const auto read = [&] { return std::exchange(changes, {}); };
    const entity e = world.spawn(position{});
    EXPECT_EQ(read(), std::vector<bool>{});
    world.add<velocity>(e);
    world.add<buff>(e);
    world.remove<velocity>(e);
    EXPECT_EQ(read(), std::vector<bool>{true});
    world.add<frozen>(e);
    world.remove<frozen>(e);
    world.remove<buff>(e);
    EXPECT_EQ(read(), (std::vector<bool>{false, true, false}));
}

TEST(observers, of_several_entities_are_told_of_those) {
    ecs::world world;
    std::vector<entity> seen;
    const entity a = world.spawn(), b = world.spawn(), c = world.spawn();
    const std::vector chosen{c, a};
    const auto note = [&](entity e) { seen.push_back(e); };
    world.observe<event::added, position>(note, {.only = chosen});
    world.observe<event::added, velocity>(note, {.only = {a, b}});
    world.observe<event::added>(world.query<buff>(), note, {.only = std::span(chosen).first(1)});
    for (const entity e : {a, b, c}) world.add<position>(e);
    EXPECT_EQ(std::exchange(seen, {}), (std::vector{a, c}));
    for (const entity e : {a, b, c}) world.add<velocity>(e);
    EXPECT_EQ(std::exchange(seen, {}), (std::vector{a, b}));
    for (const entity e : {a, b, c}) world.add<buff>(e);
    EXPECT_EQ(std::exchange(seen, {}), std::vector{c});
    world.observe<event::added, frozen>(note, {.only = {}});
    world.add<frozen>(b);
    EXPECT_EQ(std::exchange(seen, {}), std::vector{b}) << "nobody is named: all are meant";
}

TEST(observers, of_several_entities_see_what_travels_by) {
    ecs::world world;
    std::vector<entity> path;
    const entity window = world.spawn(), panel = world.spawn(), button = world.spawn();
    world.add(panel, ecs::pair(ecs::child_of, window));
    world.add(button, ecs::pair(ecs::child_of, panel));
    world.observe<click>([&](entity at, const click&) { path.push_back(at); }, {.only = {window, button}});
    world.emit(button, click{}, ecs::propagate_to_parents);
    EXPECT_EQ(path, (std::vector{button, window}));
}

/// Observers, each of which says its name.
struct criers {
    ecs::world world;
    std::string said{};

    ecs::observer cry(event what, char name, const ecs::observer_options& options = {}) {
        return world.observe(what, world.component<position>(), [this, name] { said += name; }, options);
    }
    std::string said_when(const auto& action) {
        said.clear();
        action();
        return said;
    }
};

TEST(observers, of_certain_entities_are_told_in_turn_with_those_of_all) {
    criers all;
    const entity a = all.world.spawn(), b = all.world.spawn();
    ecs::observer first = all.cry(event::added, '1', {.only = a});
    all.cry(event::added, '2');
    all.cry(event::added, '3', {.only = {b, a, a}});
    all.cry(event::removed, '4', {.only = a});
    all.cry(event::added, '5');
    all.cry(event::removed, '6');
    all.world.hook<event::added, position>([&](entity) { all.said += '+'; });
    all.world.hook<event::removed, position>([&](entity) { all.said += '-'; });
    EXPECT_EQ(all.said_when([&] { all.world.add<position>(a); }), "+1235");
    EXPECT_EQ(all.said_when([&] { all.world.add<position>(b); }), "+235");
    EXPECT_EQ(all.said_when([&] { all.world.despawn(b); }), "6-");
    first.end();
    EXPECT_EQ(all.said_when([&] { all.world.remove<position>(a); }), "46-");
    EXPECT_EQ(all.said_when([&] { all.world.add<position>(a); }), "+235");
}

TEST(observers, of_certain_entities_may_begin_and_end_while_they_are_told) {
    criers all;
    const entity a = all.world.spawn(), b = all.world.spawn();
    ecs::observer last;
    all.world.observe<event::added, position>(
        [&](entity) {
            last.end();
            all.cry(event::added, 'n', {.only = a});
        },
        {.only = {a, b}});
    last = all.cry(event::added, 'l', {.only = {a, b}});
    EXPECT_EQ(all.said_when([&] { all.world.add<position>(a); }), "");
    EXPECT_EQ(all.said_when([&] { all.world.add<position>(b); }), "") << "what began is told of another";
    all.world.remove<position>(a);
    EXPECT_EQ(all.said_when([&] { all.world.add<position>(a); }), "nn");
}

TEST(observers, of_a_certain_entity_see_what_a_write_has_written_over) {
    ecs::world world;
    int before = 0;
    const entity a = world.spawn(position{1}), b = world.spawn(position{2});
    world.observe<event::set, position, ecs::previous<position>>(
        [&](entity, position&, const position* old) { before = old ? old->x : -1; },
        {.only = a, .previous = true});
    world.set(b, position{3});
    EXPECT_EQ(before, 0);
    world.set(a, position{4});
    EXPECT_EQ(before, 1);
}

TEST(observers, of_a_query_of_another_world_are_refused) {
    ecs::world world, other;
    const auto query = [&] { return other.query<position>(); };
    EXPECT_THROW(world.observe<event::added>(query(), [](entity) {}), std::invalid_argument);
    EXPECT_THROW(world.observe(event::spawned, query(), [](entity) {}), std::invalid_argument);
    EXPECT_THROW(world.observe<click>(query(), [](entity, const click&) {}), std::invalid_argument);
    EXPECT_THROW(world.monitor(query(), [](entity, bool) {}), std::invalid_argument);
}

TEST(observers, are_told_of_no_write_when_an_editor_removes_what_is_not_there_and_adds_it) {
    criers all;
    const entity e = all.world.spawn();
    all.cry(event::set, 's');
    all.cry(event::added, 'a');
    EXPECT_EQ(all.said_when([&] { all.world.edit(e).remove<position>().add<position>(); }), "a");
    EXPECT_EQ(all.said_when([&] { all.world.edit(e).remove<position>().add<position>(); }), "s");
}

/// The end of the owner is told with the component; the pair that goes with it says nothing new.
TEST(observers, of_what_is_above_are_told_of_its_end_once) {
    for (const bool in_column : {false, true}) {
        ecs::world world;
        const entity relation = in_column ? world.component<likes>() : entity(world.spawn());
        if (in_column) world.add(relation, ecs::non_fragmenting);
        int removed = 0;
        world.observe<event::removed>(world.query<>().up(world.component<position>(), relation),
                                      [&](entity) { ++removed; });
        const entity top = world.spawn(position{}), middle = world.spawn(), low = world.spawn();
        world.add(middle, relation, top);
        world.add(low, relation, middle);
        world.despawn(top);
        EXPECT_EQ(removed, 2) << "the two below it";
        removed = 0;
        const entity another = world.spawn(position{});
        world.add(middle, relation, another);
        world.despawn(middle);
        EXPECT_EQ(removed, 2) << "who ends, and who is cut off";
    }
}

TEST(observers, of_nobody_are_refused) {
    ecs::world world;
    const auto nothing = [](entity) {};
    const entity e = world.spawn();
    const std::vector<entity> none;
    EXPECT_THROW((world.observe<event::added, position>(nothing, {.only = none})), std::invalid_argument);
    EXPECT_THROW((world.observe<event::added, position>(nothing, {.only = {e, entity{}}})),
                 std::invalid_argument);
    EXPECT_THROW((world.observe<click>(nothing, {.only = world.lookup("a name that nobody has")})),
                 std::invalid_argument);
    EXPECT_THROW(world.monitor<position>([](entity, bool) {}, {.only = {e}}), std::invalid_argument);
}

TEST(observers, are_told_of_events_at_many_entities_in_turn) {
    ecs::world world;
    std::vector<entity> seen;
    int payloads = 0, bare = 0;
    const entity own = world.spawn(), parent = world.spawn();
    const std::vector<entity> all = world.spawn_n(3, position{});
    for (const entity e : all) world.add(e, ecs::pair(ecs::child_of, parent));
    world.observe<click, position>([&](entity e, const click& c, position&) {
        seen.push_back(e);
        if (c.button != 1) return;
        for (const entity each : all)
            EXPECT_TRUE(world.alive(each)) << "what is asked for waits for all of them";
        world.despawn(all[1]);
    });
    EXPECT_EQ(world.emit(all, click{1}), 3U);
    EXPECT_EQ(std::exchange(seen, {}), all);
    EXPECT_EQ(world.emit(all, click{2}), 2U) << "one has ended";
    EXPECT_EQ(std::exchange(seen, {}), (std::vector{all[0], all[2]}));
    EXPECT_EQ(world.emit(std::span<const entity>(), click{1}), 0U);
    world.observe(own, [&](const event_context& o) {
        bare += o.payload ? 0 : 1;
        payloads += o.payload ? 1 : 0;
    });
    EXPECT_EQ(world.emit(own, all), 2U);
    EXPECT_EQ(world.emit(own, all, 7), 2U);
    EXPECT_EQ(std::pair(bare, payloads), std::pair(2, 2));
    int at_parent = 0;
    world.observe(own, [&] { ++at_parent; }, {.only = parent});
    EXPECT_EQ(world.emit(own, all, ecs::propagate_to_parents), 2U);
    EXPECT_EQ(at_parent, 2) << "each event makes its own way";
}

TEST(observed_queries, with_a_wildcard_are_handed_the_pair_that_they_are_told_of) {
    ecs::world world;
    std::vector<entity> seen;
    world.observe<event::added, event::removed>(
        world.query<const ecs::matched>().with(ecs::pair(world.component<likes>(), ecs::any)),
        [&](const ecs::matched& m) { seen.push_back(m.target); });
    const entity one = world.spawn(), other = world.spawn(), both = world.spawn();
    world.add<likes>(both, one);
    world.add<likes>(both, other);
    world.remove<likes>(both, other);
    EXPECT_EQ(seen, (std::vector{one, other, other}));
}

TEST(observed_queries, that_throw_for_entities_that_commands_spawn_are_failures_of_each) {
    ecs::world world;
    world.observe<event::added, position>([](const position& p) {
        if (p.x % 4 == 1) throw std::runtime_error("no");
    });
    auto commands = world.commands();
    std::vector<entity> spawned;
    for (int x = 0; x < 8; ++x) spawned.push_back(commands.spawn(position{x}));
    try {
        world.flush();
        FAIL();
    } catch (const ecs::flush_error& e) {
        ASSERT_EQ(e.failures.size(), 2U);
        EXPECT_EQ(e.failures[0].subject, spawned[1]);
        EXPECT_EQ(e.failures[1].subject, spawned[5]);
    }
}

TEST(observed_queries, monitors_survive_a_group_function_that_throws_when_the_world_goes_back) {
    ecs::world world;
    const entity e = world.spawn(position{1});
    bool throws = false;
    int told = 0;
    auto grouped = world.query<position>().group_by([&](std::span<const ecs::id>) -> std::uint64_t {
        if (throws) throw std::runtime_error("no group");
        return 0;
    });
    world.monitor(grouped, [&](entity, bool) { ++told; });
    const ecs::snapshot then = world.snapshot();
    throws = true;
    EXPECT_NO_THROW(world.restore(then));
    throws = false;
    world.remove<position>(world.entities());
    world.set(e, position{2});
    EXPECT_GE(told, 1);
}

TEST(observed_queries, who_is_come_back_to_within_one_operation_is_told_of_once) {
    ecs::world world;
    std::vector<entity> seen;
    const auto read = [&] {
        std::ranges::sort(seen, {}, [](entity e) { return e.index(); });
        return std::exchange(seen, {});
    };
    const entity friends = world.spawn(), a = world.spawn(), b = world.spawn(), c = world.spawn();
    world.add(friends, ecs::symmetric);
    const ecs::id anybody = ecs::pair(friends, ecs::any);
    world.observe<event::added, event::removed>(world.query<>().with(anybody),
                                                [&](entity e) { seen.push_back(e); });
    world.edit(a).add(ecs::pair(friends, b)).add(ecs::pair(friends, c)).commit();
    EXPECT_EQ(read(), (std::vector{a, b, c})) << "the second pair comes after the first one's image";
    world.remove(a, anybody);
    EXPECT_EQ(read(), (std::vector{a, b, c}));
    world.add(a, ecs::pair(friends, b));
    world.add(a, ecs::pair(friends, c));
    EXPECT_EQ(read(), (std::vector{a, a, b, c})) << "two operations";
}

} // namespace
} // namespace observed_queries_test
