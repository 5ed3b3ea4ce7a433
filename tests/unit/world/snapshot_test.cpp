// SPDX-License-Identifier: MIT
// Going back: whatever happens after a snapshot, restore makes the world what it was, and brings nobody to
// life who was born meanwhile.
#include "life.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;

#include "inspected_world.hpp"

namespace snapshot_test {
namespace {

using ecs::entity;
using ecs::snapshot_refusal;

struct position {
    float x, y;
    friend bool operator==(const position&, const position&) = default;
};
struct label {
    std::string text;
    counted<3> counter;
};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    int strength = 1;
};
struct owned {
    static constexpr auto kept_in = ecs::storage::sparse;
    counted<4> value;
};
struct selected {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct enemy {};
struct likes {};
struct late {
    int value;
};

/// The reason for which f is refused; nothing when it is not.
template <class F> std::optional<snapshot_refusal> refusal_of(F&& f) {
    try {
        f();
    } catch (const ecs::snapshot_error& error) {
        return error.reason;
    }
    return {};
}

class going_back : public testing::Test {
  protected:
    ecs::world world;
};

TEST_F(going_back, handles_and_values_are_those_of_then) {
    const entity kept = world.spawn(position{1, 2});
    const entity ended = world.spawn(position{3, 4}, label{"soon gone", counted<3>(1)});
    const auto then = world.snapshot();
    world.get<position>(kept) = {5, 6};
    world.add<enemy>(kept);
    world.despawn(ended);
    const entity born = world.spawn(position{7, 8});
    world.restore(then);
    EXPECT_EQ(world.get<position>(kept), (position{1, 2}));
    EXPECT_FALSE(world.has<enemy>(kept));
    EXPECT_TRUE(world.alive(ended));
    EXPECT_EQ(world.get<label>(ended).text, "soon gone");
    EXPECT_FALSE(world.alive(born));
    EXPECT_EQ(world.query<position>().count(), 2U);
}

TEST_F(going_back, works_as_often_as_one_likes) {
    const entity e = world.spawn(position{1, 2}, label{"a", counted<3>(1)});
    const auto then = world.snapshot();
    const auto copy = then; // NOLINT(performance-unnecessary-copy-initialization): either serves.
    for (int round = 0; round < 3; ++round) {
        world.despawn(e);
        world.restore(round == 1 ? copy : then);
        EXPECT_EQ(world.get<position>(e), (position{1, 2}));
        EXPECT_EQ(world.get<label>(e).counter.value(), 1);
    }
}

TEST_F(going_back, values_are_neither_lost_nor_doubled) {
    {
        ecs::world other;
        for (int i = 0; i < 100; ++i) other.spawn(label{"x", counted<3>(i)}, owned{counted<4>(i)});
        const auto then = other.snapshot();
        EXPECT_EQ(counted<3>::lives, 200);
        EXPECT_EQ(counted<4>::lives, 200);
        other.clear();
        other.restore(then);
        EXPECT_EQ(counted<3>::lives, 200);
        EXPECT_EQ(counted<4>::lives, 200);
    }
    EXPECT_EQ(counted<3>::lives, 0);
    EXPECT_EQ(counted<4>::lives, 0);
}

TEST_F(going_back, those_born_since_never_come_back) {
    const auto first = world.spawn_n(20, position{});
    const auto then = world.snapshot();
    std::vector<entity> born;
    for (int round = 0; round < 5; ++round) {
        for (const entity e : first) world.despawn(e);
        for (int i = 0; i < 50; ++i) born.push_back(world.spawn(position{}));
        world.restore(then);
        for (const entity e : first) EXPECT_TRUE(world.alive(e));
    }
    // The indices are used again, by the old ones' ends too, and nobody of those is met again.
    for (const entity e : first) world.despawn(e);
    for (int i = 0; i < 200; ++i) {
        const entity e = world.spawn();
        EXPECT_EQ(std::count(born.begin(), born.end(), e), 0);
        EXPECT_EQ(std::count(first.begin(), first.end(), e), 0);
    }
    for (const entity e : born) EXPECT_FALSE(world.alive(e));
}

TEST_F(going_back, the_dead_stay_dead_behind_a_second_snapshot_and_the_end_of_the_world) {
    std::vector<entity> born;
    {
        ecs::world other;
        const entity e = other.spawn();
        const auto then = other.snapshot();
        other.despawn(e);
        born.push_back(other.spawn());
        EXPECT_EQ(born.front().index(), e.index());
        other.restore(then);
        const auto again = other.snapshot();
        other.restore(again);
        other.despawn(e);
        born.push_back(other.spawn());
        EXPECT_EQ(born.back().index(), e.index());
        EXPECT_NE(born.back(), born.front());
        other.restore(again);
    }
    ecs::world next; // Takes the number, and goes on where the indices were.
    for (int i = 0; i < 8192; ++i) {
        const entity e = next.spawn();
        EXPECT_NE(e, born.front());
        EXPECT_NE(e, born.back());
    }
}

TEST_F(going_back, indices_are_handed_out_as_before) {
    const auto some = world.spawn_n(10, position{});
    world.despawn(some[3]);
    world.despawn(some[7]);
    const auto then = world.snapshot();
    std::vector<std::uint64_t> first;
    for (int i = 0; i < 10; ++i) first.push_back(world.spawn().index());
    world.restore(then);
    std::vector<std::uint64_t> second;
    for (int i = 0; i < 10; ++i) second.push_back(world.spawn().index());
    EXPECT_EQ(first, second);
}

TEST_F(going_back, relations_and_their_order_are_those_of_then) {
    const entity ship = world.spawn("Ship", position{});
    std::vector<entity> turrets;
    for (int i = 0; i < 8; ++i) {
        turrets.push_back(world.spawn(position{float(i), 0}));
        world.add(turrets.back(), ecs::pair(ecs::child_of, ship));
    }
    world.set_name(turrets[2], "Third");
    const entity bob = world.spawn();
    world.add(bob, ecs::pair(world.component<likes>(), ship));
    const auto order = [&] {
        std::vector<entity> all;
        for (const entity child : world.children(ship)) all.push_back(child);
        return all;
    };
    world.despawn(turrets[5]); // The last one moves into the hole.
    const std::vector<entity> before = order();
    const auto then = world.snapshot();
    world.set_name(turrets[2], "Renamed");
    world.remove(turrets[1], ecs::pair(ecs::child_of, ecs::any));
    world.despawn(ship);
    EXPECT_FALSE(world.alive(turrets[2]));
    world.restore(then);
    EXPECT_EQ(order(), before);
    EXPECT_EQ(world.lookup("Ship/Third"), turrets[2]);
    EXPECT_FALSE(world.lookup("Ship/Renamed"));
    EXPECT_EQ(world.parent(turrets[1]), ship);
    EXPECT_TRUE(world.has(bob, ecs::pair(world.component<likes>(), ship)));
    EXPECT_EQ(world.sources<likes>(ship), std::vector{bob});
    // And go on working: the end of the ship ends its turrets and bob's pair.
    world.despawn(ship);
    EXPECT_FALSE(world.alive(turrets[0]));
    EXPECT_TRUE(world.alive(bob));
    EXPECT_TRUE(world.sources<likes>(bob).empty());
}

TEST_F(going_back, rules_of_relations_are_those_of_then) {
    const entity married = world.spawn();
    world.add(married, ecs::symmetric);
    const entity a = world.spawn();
    const entity b = world.spawn();
    const auto then = world.snapshot();
    world.remove(married, ecs::symmetric);
    world.add(a, ecs::pair(married, b));
    EXPECT_FALSE(world.has(b, ecs::pair(married, a)));
    world.restore(then);
    world.add(a, ecs::pair(married, b));
    EXPECT_TRUE(world.has(b, ecs::pair(married, a)));
}

TEST_F(going_back, prefabs_and_their_instances_are_those_of_then) {
    const entity orc = world.prefab(position{1, 1});
    const entity axe = world.prefab(label{"axe", counted<3>(1)});
    world.add(axe, ecs::pair(ecs::child_of, orc));
    const entity one = world.spawn();
    world.add(one, ecs::pair(ecs::is_a, orc));
    const auto then = world.snapshot();
    world.despawn(orc);
    world.restore(then);
    EXPECT_EQ(world.get<position>(one), (position{1, 1}));
    EXPECT_EQ(world.children(one).size(), 1U);
    EXPECT_EQ(world.query<position>().count(), 1U);
}

TEST_F(going_back, what_is_kept_aside_is_that_of_then) {
    const entity strong = world.spawn(position{}, buff{7}, selected{});
    const entity weak = world.spawn(position{});
    world.set(weak, owned{counted<4>(3)});
    world.disable<buff>(strong);
    const auto then = world.snapshot();
    world.remove<buff>(strong);
    world.add<selected>(weak);
    world.set(weak, buff{9});
    world.remove<owned>(weak);
    world.restore(then);
    EXPECT_EQ(world.get<buff>(strong).strength, 7);
    EXPECT_FALSE(world.is_enabled<buff>(strong));
    EXPECT_TRUE(world.has<selected>(strong) && !world.has<selected>(weak));
    EXPECT_FALSE(world.has<buff>(weak));
    EXPECT_EQ(world.get<owned>(weak).value.value(), 3);
    world.despawn(weak);
    EXPECT_EQ(world.query<position>().with<selected>().count(), 1U);
}

TEST_F(going_back, what_is_disabled_is_that_of_then) {
    const auto all = world.spawn_n(100, position{});
    world.disable<position>(all[10]);
    world.disable(all[20]);
    const auto then = world.snapshot();
    world.enable<position>(all[10]);
    world.enable(all[20]);
    world.disable<position>(all[11]);
    world.restore(then);
    EXPECT_EQ(world.query<position>().count(), 98U);
    EXPECT_FALSE(world.is_enabled<position>(all[10]));
    EXPECT_TRUE(world.is_enabled<position>(all[11]));
    EXPECT_FALSE(world.is_enabled(all[20]));
}

TEST_F(going_back, what_is_disabled_goes_along_when_rows_move_afterwards) {
    const entity first = world.spawn(position{1, 0}), second = world.spawn(position{2, 0}),
                 last = world.spawn(position{3, 0});
    world.disable<position>(last);
    world.restore(world.snapshot());
    world.despawn(first); // The last row fills the hole.
    EXPECT_FALSE(world.is_enabled<position>(last));
    EXPECT_TRUE(world.is_enabled<position>(second));
    EXPECT_TRUE(world.is_enabled<position>(world.spawn(position{4, 0})));
}

TEST_F(going_back, rows_keep_their_order) {
    const auto all = world.spawn_n(10'000, position{});
    for (std::size_t i = 0; i < all.size(); i += 3) world.despawn(all[i]);
    const auto rows = [&] {
        std::vector<entity> order;
        world.each([&](entity e, const position&) { order.push_back(e); });
        return order;
    };
    const std::vector<entity> before = rows();
    const auto then = world.snapshot();
    for (std::size_t i = 1; i < all.size(); i += 3) world.add<enemy>(all[i]);
    world.restore(then);
    EXPECT_EQ(rows(), before);
}

TEST_F(going_back, queries_made_before_see_the_restored_world) {
    auto standing = world.query<position>();
    auto hostile = world.query<const position>().with<enemy>();
    const auto then = world.snapshot();
    world.spawn(position{}, enemy{});
    EXPECT_EQ(standing.count(), 1U);
    EXPECT_EQ(hostile.count(), 1U);
    world.restore(then);
    EXPECT_EQ(standing.count(), 0U);
    EXPECT_EQ(hostile.count(), 0U);
    world.spawn(position{}, enemy{});
    EXPECT_EQ(standing.count(), 1U);
    EXPECT_EQ(hostile.count(), 1U);
}

TEST_F(going_back, is_a_change_of_what_differs) {
    const entity kept = world.spawn(position{1, 1});
    const entity ended = world.spawn(position{2, 2});
    const entity without = world.spawn();
    auto added = world.query<const position>().added<position>();
    auto changed = world.query<const position>().changed<position>();
    auto removed = world.query<entity>().removed<position>();
    const auto then = world.snapshot();
    world.despawn(ended);
    world.set(without, position{3, 3});
    const auto count = [](auto& query) {
        std::size_t met = 0;
        query.each([&](auto&&...) { ++met; });
        return met;
    };
    std::ignore = count(added), std::ignore = count(changed), std::ignore = count(removed);
    EXPECT_EQ(count(changed), 0U);
    world.restore(then);
    EXPECT_EQ(count(added), 1U);   // The one that had ended,
    EXPECT_EQ(count(changed), 1U); // which is news, but not the one that was kept.
    EXPECT_EQ(count(removed), 1U); // The one that has none any more.
    EXPECT_EQ(count(added) + count(changed) + count(removed), 0U);
    world.set(kept, position{4, 4});
    EXPECT_EQ(count(changed), 1U);
}

TEST_F(going_back, components_registered_since_stay_registered) {
    const auto then = world.snapshot();
    const entity component = world.component<late>();
    world.add(component, ecs::togglable);
    const entity scripted = world.component({.name = "scripted", .size = 4});
    auto asking = world.query<late>();
    world.set_singleton(late{1});
    world.spawn(late{2});
    world.restore(then);
    EXPECT_EQ(world.component<late>(), component);
    EXPECT_EQ(world.lookup("scripted"), scripted);
    EXPECT_EQ(asking.count(), 0U);
    EXPECT_FALSE(world.has(component, component));     // What was added to it is gone,
    EXPECT_TRUE(world.has(component, ecs::togglable)); // but what it is.
    const entity e = world.spawn(late{3});
    EXPECT_EQ(asking.single(), e);
    EXPECT_EQ(world.get<late>(e).value, 3);
}

/// The partition of components ends; those after it take indices from the midst of what a copy has as free.
TEST_F(going_back, components_registered_since_keep_indices_that_were_free_then) {
    const auto some = world.spawn_n(1000, position{});
    for (const entity e : some) world.despawn(e);
    const auto then = world.snapshot();
    for (int i = 0; i < 300; ++i) world.component({.name = "scripted " + std::to_string(i)});
    const entity last = world.lookup("scripted 299");
    ASSERT_GE(last.index(), 512U);
    world.restore(then);
    EXPECT_EQ(world.lookup("scripted 299"), last);
    std::vector<std::uint64_t> seen{last.index()};
    for (int i = 0; i < 2000; ++i) seen.push_back(world.spawn().index());
    EXPECT_TRUE(world.alive(last));
    std::ranges::sort(seen);
    EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
    EXPECT_LT(seen.back(), 512U + 2000 + 300) << "the others are still used";
}

/// Where the partition of components is full, one takes the index of an entity that has ended.
TEST_F(going_back, a_component_registered_since_with_an_index_that_was_in_use_then_is_left_out) {
    for (int i = 0; i < 300; ++i) world.component({.name = "scripted " + std::to_string(i)});
    const auto some = world.spawn_n(1000, position{});
    const auto then = world.snapshot();
    for (const entity e : some) world.despawn(e);
    const entity since = world.component({.name = "since"});
    ASSERT_TRUE(std::ranges::any_of(some, [&](entity e) { return e.index() == since.index(); }));
    world.restore(then);
    EXPECT_FALSE(world.alive(since));
    EXPECT_FALSE(world.lookup("since"));
    for (const entity e : some) EXPECT_TRUE(world.alive(e) && world.has<position>(e));
    std::size_t components = 0;
    world.each([&](entity e, const ecs::component_info&) { components += world.alive(e); });
    std::size_t rows = 0;
    world.each([&](const ecs::component_info&) { ++rows; });
    EXPECT_EQ(components, rows) << "whoever has a row lives";
}

TEST_F(going_back, components_that_ended_since_are_back) {
    const entity component = world.component<late>();
    const entity e = world.spawn(late{5});
    const auto then = world.snapshot();
    world.despawn(component);
    EXPECT_FALSE(world.has<late>(e));
    const entity other = world.component<late>();
    EXPECT_NE(other, component);
    world.restore(then);
    EXPECT_EQ(world.component<late>(), component);
    EXPECT_FALSE(world.alive(other));
    EXPECT_EQ(world.get<late>(e).value, 5);
    std::size_t met = 0;
    world.each([&](const late&) { ++met; });
    EXPECT_EQ(met, 1U);
}

TEST_F(going_back, indices_that_commands_hold_are_not_given_out_twice) {
    auto commands = world.commands();
    const entity first = world.spawn(position{});
    const auto then = world.snapshot();
    world.despawn(first);
    std::ignore = commands.spawn(position{});
    world.flush(); // From here on the stock of the commands may have indices that lived then.
    const auto all = world.spawn_n(100, position{});
    for (const entity e : all) world.despawn(e);
    world.restore(then);
    std::vector<std::uint64_t> seen{first.index()};
    for (int i = 0; i < 300; ++i) {
        seen.push_back(commands.spawn(position{}).index());
        seen.push_back(world.spawn(position{}).index());
    }
    world.flush();
    EXPECT_EQ(world.query<position>().count(), 601U);
    std::ranges::sort(seen);
    EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end());
}

TEST_F(going_back, is_refused_while_commands_wait) {
    const auto then = world.snapshot();
    auto commands = world.commands();
    const entity e = commands.spawn(position{1, 1});
    EXPECT_EQ(refusal_of([&] { world.restore(then); }), snapshot_refusal::commands_pending);
    EXPECT_TRUE(world.alive(e));
    world.flush();
    EXPECT_EQ(world.get<position>(e), (position{1, 1}));
    EXPECT_EQ(refusal_of([&] { world.restore(then); }), std::nullopt);
    EXPECT_FALSE(world.alive(e));
}

TEST_F(going_back, those_in_limbo_are_not_part_of_a_snapshot) {
    auto commands = world.commands();
    const entity e = commands.spawn(position{1, 1});
    const auto then = world.snapshot();
    world.flush();
    world.restore(then);
    EXPECT_FALSE(world.alive(e));
    for (int i = 0; i < 5000; ++i) EXPECT_NE(world.spawn(), e);
}

TEST_F(going_back, is_refused_to_another_world) {
    const auto then = world.snapshot();
    ecs::world other;
    const entity e = other.spawn(position{});
    EXPECT_EQ(refusal_of([&] { other.restore(then); }), snapshot_refusal::foreign_world);
    EXPECT_TRUE(other.alive(e));
}

TEST_F(going_back, is_refused_to_the_next_world_of_the_number) {
    std::optional<ecs::world> first(std::in_place);
    const entity e = first->spawn(position{});
    const auto then = first->snapshot();
    first.reset();
    first.emplace();
    EXPECT_EQ(first->spawn().world(), e.world());
    EXPECT_EQ(refusal_of([&] { first->restore(then); }), snapshot_refusal::foreign_world);
    EXPECT_FALSE(first->alive(e));
}

TEST_F(going_back, is_refused_inside_a_loop) {
    world.spawn(position{});
    const auto then = world.snapshot();
    EXPECT_THROW(world.each([&](position&) { world.restore(then); }), ecs::iteration_error);
}

TEST_F(going_back, values_that_cannot_be_copied_are_refused_by_name) {
    const entity e = world.spawn();
    world.emplace<move_only>(e, 4);
    try {
        std::ignore = world.snapshot();
        FAIL();
    } catch (const ecs::snapshot_error& error) {
        EXPECT_STREQ(error.what(), "component move_only: its values cannot be copied");
        EXPECT_EQ(error.reason, snapshot_refusal::not_copyable);
    }
    EXPECT_EQ(world.get<move_only>(e).value(), 4);
    world.remove<move_only>(e);
    EXPECT_EQ(refusal_of([&] { std::ignore = world.snapshot(); }), std::nullopt);
}

TEST_F(going_back, a_copy_that_throws_changes_nothing) {
    const auto all = world.spawn_n(20, position{1, 1});
    for (const entity e : all) world.set(e, explosive(1));
    const auto then = world.snapshot();
    world.despawn(all[0]);
    for (int fuse = 0; fuse < 20; ++fuse) {
        explosive::fuse = fuse;
        EXPECT_THROW(world.restore(then), explosive::explosion);
        explosive::fuse = -1;
        EXPECT_FALSE(world.alive(all[0]));
        EXPECT_EQ(world.query<explosive>().count(), 19U);
    }
    EXPECT_EQ(explosive::lives, 39);
    world.restore(then);
    EXPECT_EQ(world.query<explosive>().count(), 20U);
    EXPECT_EQ(explosive::lives, 40);
}

/// Many random changes, and at every step the way back to several times.
TEST_F(going_back, equals_the_world_of_then_after_random_changes) {
    std::mt19937 random(7);
    std::vector<entity> known;
    struct moment {
        ecs::snapshot state;
        std::vector<std::tuple<entity, bool, float, std::string>> facts;
    };
    const auto facts = [&] {
        std::vector<std::tuple<entity, bool, float, std::string>> all;
        for (const entity e : known) {
            const position* const p = world.try_get<position>(e);
            all.emplace_back(e, world.alive(e), p ? p->x : -1, world.alive(e) ? world.path_of(e) : "");
        }
        return all;
    };
    const auto pick = [&] { return known.empty() ? entity{} : known[random() % known.size()]; };
    std::vector<moment> moments;
    for (int step = 0; step < 3000; ++step) switch (random() % 9) {
        case 0:
        case 1: known.push_back(world.spawn(position{float(random() % 100), 0})); break;
        case 2: world.despawn(pick()); break;
        case 3: world.set(pick(), position{float(random() % 100), 0}); break;
        case 4: world.remove<position>(pick()); break;
        case 5:
            if (const entity a = pick(), b = pick(); world.alive(b))
                world.add(a, ecs::pair(ecs::child_of, b));
            break;
        case 6:
            if (const entity e = pick(); world.alive(e)) world.set_name(e, "n" + std::to_string(step));
            break;
        case 7:
            if (step % 40 == 0) moments.push_back({world.snapshot(), facts()});
            break;
        default:
            if (step % 20 != 0 || moments.empty()) break;
            const moment& then = moments[random() % moments.size()];
            const std::size_t newer = known.size() - then.facts.size();
            world.restore(then.state);
            auto now = facts();
            for (std::size_t i = now.size() - newer; i < now.size(); ++i)
                EXPECT_FALSE(std::get<bool>(now[i]));
            now.resize(then.facts.size());
            EXPECT_EQ(now, then.facts);
        }
    EXPECT_GT(moments.size(), 3U);
}

/// So many later that the relation's index is in memory which the snapshot has nothing of.
TEST(snapshot, knows_nothing_of_a_later_relation_whose_changes_are_asked_for) {
    ecs::world world;
    const entity first = world.spawn(position{});
    const ecs::snapshot then = world.snapshot();
    const std::vector<std::byte> saved = ecs::save(world);
    for (const auto& go_back : std::vector<std::function<void()>>{
             [&] { world.restore(then); }, [&] { world.rewind(then); }, [&] { ecs::load(world, saved); }}) {
        (void)world.spawn_n(10'000, position{});
        const entity relation = world.spawn(), target = world.spawn();
        auto changed = world.query<const position>().changed(ecs::pair(relation, ecs::any));
        EXPECT_EQ(changed.count(), 0U);
        world.add(first, relation, target);
        EXPECT_EQ(changed.count(), 1U);
        go_back();
        EXPECT_EQ(changed.count(), 0U);
        EXPECT_EQ(world.query<const position>().changed(ecs::pair(relation, ecs::any)).count(), 0U);
    }
}

/// What a base gets outside tables is seen by its instances in a query that was made before.
TEST(snapshot, knows_that_there_are_bases) {
    ecs::world world;
    const entity base = world.spawn(position{}),
                 instance = world.spawn(position{}, ecs::pair(ecs::is_a, base));
    auto kept = world.query<const buff>();
    EXPECT_EQ(kept.count(), 0U);
    const ecs::snapshot then = world.snapshot();
    for (const bool again : {false, true}) {
        again ? world.rewind(then) : world.restore(then);
        EXPECT_EQ(kept.count(), 0U);
        world.set(base, buff{7});
        std::vector<std::pair<entity, int>> found;
        kept.each([&](entity e, const buff& b) { found.emplace_back(e, b.strength); });
        std::ranges::sort(found, {}, [](const auto& one) { return one.first.index(); });
        EXPECT_EQ(found, (std::vector<std::pair<entity, int>>{{base, 7}, {instance, 7}}));
    }
}

TEST(snapshot, has_nothing_of_what_is_recorded_and_neither_has_a_saved_world) {
    inspected_world world;
    const auto settled = world.spawn(late{1});
    auto commands = world.commands();
    const auto recorded = commands.spawn_n(20'000, late{2});
    const ecs::snapshot then = world.snapshot();
    const std::vector<std::byte> saved = ecs::save(world);
    EXPECT_EQ(world.flush().spawned(), 20'000U);
    const std::size_t lived = world.rows().entities().live_count();
    world.restore(then);
    EXPECT_EQ(world.rows().entities().live_count(), lived - 20'000);
    EXPECT_EQ(world.query<late>().count(), 1U);
    EXPECT_TRUE(world.alive(settled));
    for (const ecs::entity e : recorded) ASSERT_FALSE(world.alive(e));
    ecs::world other;
    other.component<late>();
    ecs::load(other, saved);
    EXPECT_EQ(other.query<late>().count(), 1U);
}

TEST(snapshot, saved_into_memory_of_before_is_the_same) {
    ecs::world world;
    const ecs::entity e = world.spawn("Ann");
    std::vector<std::byte> kept(100'000, std::byte{7});
    const std::byte* const memory = kept.data();
    ecs::save(world, kept);
    EXPECT_EQ(kept, ecs::save(world));
    EXPECT_EQ(kept.data(), memory) << "no other memory is taken";
    world.despawn(e);
    ecs::load(world, kept);
    EXPECT_EQ(world.name_of(e), "Ann");
}

TEST(snapshot, is_refused_amid_a_change_and_so_is_a_saved_world) {
    ecs::world world;
    const entity a = world.spawn(position{1, 2}), b = world.spawn();
    world.add(world.component<likes>(), ecs::symmetric);
    const auto amid = [&] {
        EXPECT_THROW(std::ignore = world.snapshot(), ecs::iteration_error);
        EXPECT_THROW(std::ignore = ecs::save(world), ecs::iteration_error);
    };
    const auto between = [&] {
        EXPECT_NO_THROW(std::ignore = world.snapshot());
        EXPECT_FALSE(ecs::save(world).empty());
    };
    const ecs::id pairs = ecs::pair(world.component<likes>(), ecs::any);
    const entity own_event = world.spawn();
    world.observe(ecs::event::added, pairs, amid);
    world.observe(ecs::event::added, pairs, between, {.queued = true});
    int emitted = 0;
    world.observe(own_event, [&] {
        ++emitted;
        between();
    });
    world.add<likes>(a, b);
    EXPECT_EQ(world.dispatch(), 2U);
    world.emit(own_event, a);
    EXPECT_EQ(emitted, 1);
    world.each([&](const position&) { between(); });
    int told = 0;
    const entity inner = world.spawn();
    world.observe(inner, [&] {
        ++told;
        amid();
    });
    world.observe(ecs::event::set, world.component<position>(), [&] { world.emit(inner, b); });
    world.set(a, position{3, 4});
    EXPECT_EQ(told, 1) << "an event amid a change is told of amid it, too";
}

TEST(snapshot, is_taken_by_observers_of_what_exists_and_refused_while_a_component_waits) {
    struct met_by_an_observer {
        int value;
    };
    ecs::world world;
    const entity a = world.spawn(position{1, 2}), own_event = world.spawn();
    int taken = 0;
    const auto between = [&] {
        EXPECT_NO_THROW(std::ignore = world.snapshot());
        ++taken;
    };
    world.observe<ecs::event::added, position>(between, {.existing = true}).end();
    world.monitor<position>([&](entity, bool) { between(); }, {.existing = true}).end();
    EXPECT_EQ(taken, 2);
    world.observe(own_event, [&] {
        between();
        std::ignore = world.component<met_by_an_observer>();
        EXPECT_THROW(std::ignore = world.snapshot(), ecs::iteration_error);
        EXPECT_THROW(std::ignore = ecs::save(world), ecs::iteration_error);
    });
    world.emit(own_event, a);
    const auto then = world.snapshot();
    world.restore(then);
    EXPECT_EQ(world.get<met_by_an_observer>(world.spawn(met_by_an_observer{3})).value, 3);
    std::size_t saved = 0;
    {
        ecs::world ending;
        ending.spawn(position{1, 2});
        ending.observe(ecs::event::despawned, [&] { saved += ecs::save(ending).size(); },
                       {.at_world_end = true});
    }
    EXPECT_GT(saved, 0U);
}

TEST(snapshot, outlives_its_world) {
    std::optional<ecs::snapshot> then;
    {
        ecs::world world;
        world.spawn(label{"x", counted<3>(1)});
        then = world.snapshot();
    }
    EXPECT_EQ(counted<3>::lives, 1);
    EXPECT_GT(then->memory_bytes(), 0U);
    std::thread([&] { then.reset(); }).join();
    EXPECT_EQ(counted<3>::lives, 0);
}

} // namespace
} // namespace snapshot_test
