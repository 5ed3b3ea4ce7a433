// SPDX-License-Identifier: MIT
// Copies of an entity with everything below it.
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <utility>

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

import ecs.world;

#include "life.hpp"
#include "relations.hpp"

namespace tree_copies_test {
namespace {

struct docking {
    int port{};
};
struct scratches {
    static constexpr auto kept_in = ecs::storage::sparse;
    int depth = 1;
};
struct paint {
    explosive tin;
};
struct ammunition {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    int rounds = 7;
};

/// Pairs whose values cannot be copied.
struct vow {
    static constexpr auto properties = ecs::properties(ecs::symmetric, ecs::exclusive);
    std::unique_ptr<int> since;
};
struct lease {
    static constexpr auto properties = ecs::properties(ecs::single_source, ecs::non_fragmenting);
    std::unique_ptr<int> since;
};
struct oath {
    static constexpr auto properties = ecs::properties(ecs::non_fragmenting);
    std::unique_ptr<int> since;
};

/// A ship with a gun that has a sight, and a mast.
struct engine {
    static constexpr auto kept_in = ecs::storage::sparse;
    explosive block;
    int power = 1;
};
struct car {
    static constexpr auto kept_in = ecs::storage::sparse;
    static constexpr auto properties = ecs::properties(ecs::needs_type<engine>);
};
struct wheel {
    static constexpr auto kept_in = ecs::storage::in_place;
    explosive tyre;
    int size = 1;
};
struct axle {
    static constexpr auto kept_in = ecs::storage::in_place;
    static constexpr auto properties = ecs::properties(ecs::with_type<wheel>);
};

struct tree_copies : relations {
    entity ship = world.spawn("ship", health{1});
    entity gun = part_of(ship, "gun");
    entity mast = part_of(ship, "mast");
    entity sight = part_of(gun, "sight");

    entity part_of(entity whole, const char* text) {
        const entity made = world.spawn(text);
        EXPECT_EQ(world.add(made, pair(child_of, whole)), add_result::added);
        return made;
    }
    void expect_nothing_left(std::size_t entities) {
        EXPECT_EQ(world.entities().size(), entities);
        EXPECT_EQ(world.children(ship).size(), 2U);
        EXPECT_EQ(world.children(gun).size(), 1U);
        EXPECT_EQ(world.lookup("ship/gun/sight"), sight);
    }
};

/// What needs the other was registered first, so that it is copied first, and brings a default.
TEST(copies, have_the_value_of_what_came_with_another_outside_tables_once) {
    {
        ecs::world world;
        world.component<car>(), world.component<axle>();
        int added = 0;
        world.observe<ecs::event::added, engine>([&](entity) { ++added; });
        const entity e = world.spawn(engine{explosive(), 5}, wheel{explosive(), 6});
        world.add<car>(e), world.add<axle>(e);
        world.disable<wheel>(e);
        added = 0;
        const entity copy = world.clone(e);
        EXPECT_EQ(added, 1);
        EXPECT_EQ(world.get<engine>(copy).power, 5);
        EXPECT_EQ(world.get<wheel>(copy).size, 6);
        EXPECT_FALSE(world.is_enabled<wheel>(copy));
        EXPECT_EQ(explosive::lives, 4);
        world.despawn(copy);
        EXPECT_EQ(explosive::lives, 2);
    }
    EXPECT_EQ(explosive::lives, 0);
}

TEST_F(tree_copies, have_the_values_the_names_and_the_order_of_the_parts) {
    world.set(sight, expiry{3});
    world.set(mast, scratches{4});
    world.add<frozen>(gun);
    world.disable<frozen>(gun);
    const entity copy = world.clone_tree(ship);
    ASSERT_EQ(world.depth_first(copy).size(), 3U);
    EXPECT_EQ(world.get<health>(copy).amount, 1);
    EXPECT_EQ(world.name_of(copy), "") << "it is beside the original, which has the name";
    EXPECT_EQ(world.get<expiry>(world.lookup(copy, "gun/sight")).seconds, 3);
    EXPECT_EQ(world.get<scratches>(world.lookup(copy, "mast")).depth, 4);
    EXPECT_FALSE(world.is_enabled<frozen>(world.lookup(copy, "gun")));
    EXPECT_EQ(children_of(world, copy), (std::vector{world.lookup(copy, "gun"), world.lookup(copy, "mast")}));
    world.get<health>(copy).amount = 2;
    EXPECT_EQ(world.get<health>(ship).amount, 1);
    EXPECT_EQ(world.lookup("ship/gun/sight"), sight);
    world.despawn(copy);
    expect_nothing_left(world.entities().size());
}

TEST_F(tree_copies, are_refused_only_for_values_that_they_would_have) {
    world.add<vow>(ship, a);
    world.add<lease>(ship, b);
    const entity copy = world.clone(ship);
    EXPECT_EQ(world.get<health>(copy).amount, 1);
    EXPECT_FALSE(world.has<vow>(copy, a) || world.has<lease>(copy, b));
    EXPECT_TRUE(world.has<vow>(ship, a) && world.has<lease>(ship, b));
    EXPECT_EQ(world.children(world.clone_tree(ship)).size(), 2U);
    world.add<vow>(gun, mast);
    EXPECT_THROW(std::ignore = world.clone_tree(ship), ecs::access_error) << "both partners are copied";
    world.remove<vow>(gun, mast);
    world.add<oath>(ship, b);
    EXPECT_THROW(std::ignore = world.clone(ship), ecs::access_error);
}

TEST_F(tree_copies, of_bases_are_bases_of_copies_alone) {
    const entity shape = world.spawn(health{3});
    world.add(c, pair(is_a, shape));
    ASSERT_TRUE(world.has(shape, ecs::base));
    const entity copy = world.clone(shape);
    EXPECT_EQ(world.get<health>(copy).amount, 3);
    EXPECT_FALSE(world.has(copy, ecs::base));
    EXPECT_EQ(world.clear(copy), add_result::removed);
    EXPECT_TRUE(world.ids(copy).empty());
    EXPECT_FALSE(world.has(world.clone_n(shape, 1).front(), ecs::base));
    EXPECT_FALSE(world.has(world.clone_tree(shape), ecs::base));
    EXPECT_TRUE(world.has(shape, ecs::base));
}

TEST_F(tree_copies, of_instances_inherit_from_the_copies_of_their_bases) {
    world.set(gun, expiry{4});
    world.add(mast, pair(is_a, gun));
    const entity copy = world.clone_tree(ship);
    const entity new_gun = world.lookup(copy, "gun"), new_mast = world.lookup(copy, "mast");
    EXPECT_TRUE(world.has(new_mast, pair(is_a, new_gun)));
    EXPECT_TRUE(world.has(new_gun, ecs::base));
    EXPECT_FALSE(world.has(copy, ecs::base) || world.has(new_mast, ecs::base));
    world.set(new_gun, expiry{5});
    EXPECT_EQ(world.get<expiry>(new_mast).seconds, 5);
    EXPECT_EQ(world.get<expiry>(mast).seconds, 4);
}

TEST_F(tree_copies, hide_the_pairs_that_the_originals_hide) {
    const entity dock = world.spawn();
    const ecs::id docked = pair(world.component<docking>(), dock);
    for (const entity e : {ship, gun}) {
        world.add(e, docked);
        world.disable(e, docked);
    }
    const entity one = world.clone(ship), whole = world.clone_tree(ship);
    for (const entity e : {one, whole, world.lookup(whole, "gun")}) {
        EXPECT_TRUE(world.has(e, docked));
        EXPECT_FALSE(world.is_enabled(e, docked));
    }
}

TEST_F(tree_copies, hide_bases_and_names_that_the_originals_hide) {
    const entity base = world.spawn();
    const ecs::id kind = pair(ecs::is_a, base);
    world.add(ship, kind);
    world.disable(ship, kind);
    world.disable<ecs::name>(gun);
    const entity whole = world.clone_tree(ship);
    EXPECT_TRUE(world.has(whole, kind));
    EXPECT_FALSE(world.is_enabled(whole, kind));
    const entity part = world.lookup(whole, "gun");
    EXPECT_TRUE(world.has<ecs::name>(part));
    EXPECT_FALSE(world.is_enabled<ecs::name>(part));
}

TEST_F(tree_copies, are_where_the_original_is) {
    const entity copy = world.clone_tree(gun);
    EXPECT_EQ(world.parent(copy), ship);
    EXPECT_EQ(children_of(world, ship), (std::vector{gun, mast, copy}));
    EXPECT_TRUE(world.lookup(copy, "sight"));
    const entity leaf = world.clone_tree(c);
    EXPECT_TRUE(world.alive(leaf) && world.children(leaf).empty());
}

TEST_F(tree_copies, keep_an_order_that_somebody_gave) {
    const std::vector<entity> all = world.spawn_children(mast, 20, health{});
    std::vector<entity> order(all.rbegin(), all.rend());
    std::swap(order[3], order[11]);
    for (std::size_t i = 0; i < order.size(); ++i) world.get<health>(order[i]).amount = static_cast<int>(i);
    world.reorder(mast, order);
    const entity copy = world.lookup(world.clone_tree(ship), "mast");
    int next = 0;
    for (const entity child : world.children(copy)) EXPECT_EQ(world.get<health>(child).amount, next++);
    EXPECT_EQ(next, 20);
}

TEST_F(tree_copies, lead_to_each_other_where_the_originals_do) {
    const entity docked = world.component<docking>();
    const docking value{4};
    relate(gun, mast);
    relate(gun, c);
    relate(c, gun);
    relate(ship, ship);
    world.set(sight, pair(docked, ship), &value);
    const entity copy = world.clone_tree(ship);
    const entity own_gun = world.lookup(copy, "gun");
    EXPECT_EQ(sorted(world.targets(own_gun, likes)), (sorted(std::vector{world.lookup(copy, "mast"), c})));
    EXPECT_EQ(world.targets(copy, likes), std::vector{copy});
    EXPECT_EQ(world.targets(c, likes), std::vector{gun}) << "outsiders lead where they did";
    const void* const found = world.try_get(world.lookup(copy, "gun/sight"), pair(docked, copy));
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(static_cast<const docking*>(found)->port, 4);
    EXPECT_EQ(sorted(world.targets(gun, likes)), (sorted(std::vector{mast, c})));
}

TEST_F(tree_copies, follow_the_rules_of_relations) {
    for (const ecs::builtin property : {ecs::symmetric, ecs::non_fragmenting, ecs::exclusive, ecs::acyclic}) {
        const entity relation = world.spawn();
        world.add(relation, property);
        world.add(gun, pair(relation, mast));
        world.add(sight, pair(relation, c));
        const entity copy = world.clone_tree(ship);
        const entity own_gun = world.lookup(copy, "gun");
        const entity own_mast = world.lookup(copy, "mast");
        EXPECT_EQ(world.targets(own_gun, relation), std::vector{own_mast});
        EXPECT_EQ(world.has(own_mast, pair(relation, own_gun)), property == ecs::symmetric);
        EXPECT_EQ(world.sources(own_mast, relation), std::vector{own_gun});
        EXPECT_EQ(world.targets(world.lookup(copy, "gun/sight"), relation), std::vector{c});
        EXPECT_EQ(world.targets(gun, relation), std::vector{mast});
        world.despawn(copy);
    }
}

TEST_F(tree_copies, have_a_value_for_each_side_of_a_symmetric_pair) {
    const entity docked = world.component<docking>();
    for (const bool in_column : {false, true}) {
        world.remove(gun, pair(docked, any));
        world.add(docked, ecs::symmetric);
        if (in_column) world.add(docked, ecs::non_fragmenting);
        const docking one{1};
        const docking two{2};
        world.set(gun, pair(docked, mast), &one);
        world.set(mast, pair(docked, gun), &two);
        const entity copy = world.clone_tree(ship);
        const entity own_gun = world.lookup(copy, "gun");
        const entity own_mast = world.lookup(copy, "mast");
        EXPECT_EQ(static_cast<const docking*>(world.try_get(own_gun, pair(docked, own_mast)))->port, 1);
        EXPECT_EQ(static_cast<const docking*>(world.try_get(own_mast, pair(docked, own_gun)))->port, 2);
    }
}

TEST_F(tree_copies, take_no_partner_from_anybody) {
    for (const ecs::builtin property : {ecs::exclusive, ecs::symmetric}) world.add(likes, property);
    relate(ship, c);
    relate(gun, mast);
    const entity copy = world.clone_tree(ship);
    EXPECT_EQ(world.target_of(c, likes), ship);
    EXPECT_TRUE(world.targets(copy, likes).empty() && world.targets(world.clone(ship), likes).empty());
    EXPECT_EQ(world.target_of(world.lookup(copy, "mast"), likes), world.lookup(copy, "gun"));
    EXPECT_EQ(world.target_of(world.lookup(copy, "gun"), likes), world.lookup(copy, "mast"));
    EXPECT_EQ(world.target_of(gun, likes), mast);
}

TEST_F(tree_copies, leave_the_one_source_of_a_target_and_have_one_among_themselves) {
    world.add(likes, ecs::single_source);
    relate(gun, sight);
    relate(mast, a);
    const entity copy = world.clone_tree(ship);
    const entity other_gun = world.lookup(copy, "gun");
    EXPECT_EQ(world.sources(a, likes), std::vector{mast});
    EXPECT_EQ(world.sources(sight, likes), std::vector{gun});
    EXPECT_EQ(world.sources(world.lookup(other_gun, "sight"), likes), std::vector{other_gun});
}

TEST_F(tree_copies, keep_what_is_under_flags_and_numbers) {
    const entity state = world.spawn();
    world.add(gun, ecs::value_pair(state, 5));
    world.add(gun, ecs::type_flags::auto_override | pair(likes, mast));
    world.add(gun, ecs::type_flags::user_1 | ecs::id(state));
    const entity copy = world.clone_tree(ship);
    const entity own_gun = world.lookup(copy, "gun");
    EXPECT_TRUE(world.has(own_gun, ecs::value_pair(state, 5)));
    EXPECT_TRUE(world.has(own_gun, ecs::type_flags::user_1 | ecs::id(state)));
    EXPECT_TRUE(world.has(own_gun, ecs::type_flags::auto_override | pair(likes, world.lookup(copy, "mast"))));
    EXPECT_FALSE(world.has(own_gun, ecs::type_flags::auto_override | pair(likes, mast)));
}

TEST_F(tree_copies, of_instances_are_instances_with_the_parts_that_there_are) {
    const entity prefab = world.prefab(health{9}, ammunition{3});
    const entity wheel = part_of(prefab, "wheel");
    std::ignore = part_of(prefab, "seat");
    const entity car = world.spawn("car");
    world.add(car, pair(is_a, prefab));
    world.despawn(world.lookup(car, "seat"));
    world.remove<ammunition>(car);
    std::ignore = part_of(world.lookup(car, "wheel"), "bolt");
    const entity copy = world.clone_tree(car);
    EXPECT_EQ(world.depth_first(copy).size(), 2U);
    EXPECT_TRUE(world.has(copy, pair(is_a, prefab)));
    EXPECT_EQ(&world.get<health>(copy), &world.get<health>(prefab));
    EXPECT_EQ(&world.get<ammunition>(copy), &world.get<ammunition>(prefab)) << "as the original";
    EXPECT_EQ(world.counterpart(copy, wheel), world.lookup(copy, "wheel"));
    EXPECT_TRUE(world.lookup(copy, "wheel/bolt"));
    EXPECT_EQ(world.query<const health>().with(pair(is_a, prefab)).count(), 2U);
}

TEST_F(tree_copies, of_prefabs_are_prefabs) {
    const entity prefab = world.prefab(health{9});
    const entity wheel = part_of(prefab, "wheel");
    const entity spare = part_of(prefab, "spare");
    world.add(spare, pair(is_a, wheel));
    const entity copy = world.clone_tree(prefab);
    EXPECT_TRUE(world.has(copy, ecs::prefab_tag) && world.has(world.lookup(copy, "wheel"), ecs::prefab_tag));
    EXPECT_EQ(world.targets(world.lookup(copy, "spare"), is_a), std::vector{world.lookup(copy, "wheel")});
    world.set(world.lookup(copy, "wheel"), expiry{3});
    EXPECT_EQ(world.get<expiry>(world.lookup(copy, "spare")).seconds, 3);
    EXPECT_FALSE(world.has<expiry>(spare));
    world.add(a, pair(is_a, copy));
    EXPECT_EQ(world.children(a).size(), 2U);
}

TEST_F(tree_copies, of_relations_have_their_properties) {
    world.add(mast, ecs::exclusive);
    world.add(gun, pair(ecs::with, mast));
    const entity copy = world.clone_tree(ship);
    const entity own = world.lookup(copy, "mast");
    for (const entity target : {b, c}) world.add(a, pair(own, target));
    EXPECT_EQ(world.targets(a, own), std::vector{c});
    world.add(b, pair(world.lookup(copy, "gun"), c));
    EXPECT_TRUE(world.has(b, pair(own, c)));
}

TEST_F(tree_copies, go_without_what_their_relation_refuses) {
    world.add(likes, pair(ecs::one_of, ship));
    relate(sight, mast);
    const entity copy = world.clone_tree(ship);
    EXPECT_TRUE(world.targets(world.lookup(copy, "gun/sight"), likes).empty()) << "its mast is of no ship";
}

TEST_F(tree_copies, are_refused_where_a_value_cannot_be_copied_and_nothing_is_left) {
    world.set(sight, move_only(1));
    const std::size_t before = world.entities().size();
    std::size_t spawned = 0;
    world.observe(ecs::event::spawned, [&] { ++spawned; });
    EXPECT_THROW(std::ignore = world.clone_tree(ship), ecs::access_error);
    EXPECT_EQ(spawned, 0U);
    expect_nothing_left(before);
    world.despawn(c);
    EXPECT_THROW(std::ignore = world.clone_tree(c), ecs::access_error);
}

TEST_F(tree_copies, that_throw_leave_nothing) {
    const entity relation = world.component<paint>();
    const paint value{};
    world.set(gun, paint{});
    world.set(sight, paint{});
    world.set(mast, pair(relation, gun), &value);
    world.add(likes, pair(ecs::on_delete_target, ecs::refuse_it));
    world.add(likes, ecs::symmetric);
    relate(gun, mast);
    relate(ship, c);
    const std::size_t before = world.entities().size();
    const int lives = explosive::lives;
    for (int fuse = 0; fuse < 3; ++fuse) {
        explosive::fuse = fuse;
        EXPECT_THROW(std::ignore = world.clone_tree(ship), explosive::explosion) << fuse;
        explosive::fuse = -1;
        EXPECT_EQ(explosive::lives, lives);
        expect_nothing_left(before);
    }
    std::ignore = world.clone_tree(ship);
    EXPECT_EQ(explosive::lives, lives + 3);
}

TEST_F(tree_copies, that_observers_ask_for_come_when_they_have_been_told) {
    world.set(gun, paint{});
    entity copy;
    world.observe<ecs::event::added, frozen>([&](entity e) {
        if (e == ship) copy = world.clone_tree(e);
    });
    world.add<frozen>(ship);
    ASSERT_TRUE(world.alive(copy));
    EXPECT_EQ(world.depth_first(copy).size(), 3U);
    EXPECT_TRUE(world.lookup(copy, "gun/sight"));
    const std::size_t before = world.entities().size();
    world.remove<frozen>(ship);
    explosive::fuse = 0;
    EXPECT_THROW(world.add<frozen>(ship), explosive::explosion);
    explosive::fuse = -1;
    EXPECT_FALSE(world.alive(copy));
    EXPECT_EQ(world.entities().size(), before);
    EXPECT_NE(world.spawn(), world.spawn()) << "its index is free once";
    world.query().with<frozen>().each(
        [&](entity e) { EXPECT_THROW(std::ignore = world.clone_tree(e), ecs::iteration_error); });
}

TEST_F(tree_copies, of_a_chain_of_a_hundred_thousand_take_no_stack) {
    entity last = ship;
    for (int i = 0; i < 100'000; ++i) {
        const entity next = world.spawn(health{i});
        world.add(next, pair(child_of, last));
        last = next;
    }
    const entity copy = world.clone_tree(ship);
    EXPECT_EQ(world.depth_first(copy).size(), 100'003U);
    EXPECT_EQ(world.query<const health>().count(), 200'002U);
}

TEST(clones, that_fail_in_an_observer_end_once) {
    ecs::world world;
    const entity relation = world.component<paint>();
    const paint value{};
    const entity target = world.spawn();
    const entity original = world.spawn(health{});
    world.set(original, pair(relation, target), &value);
    entity copy;
    world.observe<ecs::event::added, frozen>([&](entity e) {
        if (e == original) copy = world.clone(e);
    });
    explosive::fuse = 0;
    EXPECT_THROW(world.add<frozen>(original), explosive::explosion);
    explosive::fuse = -1;
    EXPECT_FALSE(world.alive(copy));
    EXPECT_NE(world.spawn(), world.spawn()) << "its index is free once";
}

TEST(clones, of_relations_have_their_properties) {
    ecs::world world;
    const entity relation = world.spawn();
    world.add(relation, ecs::exclusive);
    const entity copy = world.clone(relation);
    const entity e = world.spawn();
    for (int i = 0; i < 3; ++i) world.add(e, pair(copy, world.spawn()));
    EXPECT_EQ(world.targets(e, copy).size(), 1U);
}

} // namespace
} // namespace tree_copies_test
