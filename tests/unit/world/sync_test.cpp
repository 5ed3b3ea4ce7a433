// SPDX-License-Identifier: MIT
// Instances that get what their prefab has got since they were made.
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

#include "prefabs.hpp"
#include "support/sanitized.hpp"

namespace sync_test {
namespace {

/// A prefab with a part, and an instance of it.
struct sync : prefabs {
    entity ship = world.prefab(health{5});
    entity gun = part_of(ship, "gun");
    entity one = instance_of(ship);

    entity variant_of(entity prefab) {
        const entity made = world.prefab();
        EXPECT_EQ(world.add(made, pair(is_a, prefab)), add_result::added);
        return made;
    }
    template <class T> bool owns(entity e) {
        const std::vector<ecs::id> own = world.ids(e);
        return std::ranges::find(own, world.id_of<T>()) != own.end();
    }
    /// How much the instances lacked; afterwards it is nothing.
    std::size_t given_to_instances_of(entity prefab) {
        const std::size_t given = world.sync(prefab);
        EXPECT_EQ(world.sync(prefab), 0U) << "the second time";
        return given;
    }
    /// Where the two differ in their own components and in the names below them; empty when nowhere.
    std::string difference(entity x, entity y) {
        const std::vector<entity> below = world.depth_first(x);
        if (below.size() != world.depth_first(y).size()) return "number of parts";
        for (const entity part : below) {
            const std::string path = world.path_of(part).substr(world.path_of(x).size());
            const entity other = world.lookup(y, path.substr(path.find_first_not_of('/')));
            if (!other) return "no " + path;
            if (owns<ammunition>(part) != owns<ammunition>(other)) return "ammunition of " + path;
            if (world.targets(part, likes).size() != world.targets(other, likes).size())
                return "who " + path + " likes";
        }
        return {};
    }
};

TEST_F(sync, gives_nothing_when_nothing_has_come) {
    EXPECT_EQ(world.sync(ship), 0U);
    EXPECT_EQ(world.sync(c), 0U) << "nobody is an instance of it";
    EXPECT_EQ(world.children(one).size(), 1U);
}

TEST_F(sync, gives_parts_that_have_come_on_every_level) {
    const entity sight = part_of(gun, "sight");
    const entity mast = part_of(ship, "mast");
    std::ignore = part_of(mast, "flag");
    const entity other = instance_of(ship);
    world.set(sight, health{8});
    EXPECT_EQ(given_to_instances_of(ship), 3U);
    for (const char* const path : {"gun/sight", "mast", "mast/flag"})
        EXPECT_TRUE(world.lookup(one, path)) << path;
    EXPECT_EQ(world.get<health>(world.lookup(one, "gun/sight")).amount, 8);
    EXPECT_EQ(world.counterpart(one, sight), world.lookup(one, "gun/sight"));
    EXPECT_EQ(difference(one, other), "");
    EXPECT_EQ(world.query().with(ecs::prefab_tag).with(pair(child_of, one)).count(), 0U);
}

TEST_F(sync, gives_copies_of_what_is_overridden) {
    world.set(ship, ammunition{3});
    world.set(ship, scratches{4});
    world.set(gun, ammunition{8});
    world.add(gun, ecs::type_flags::auto_override | world.id_of<expiry>());
    EXPECT_EQ(given_to_instances_of(ship), 4U);
    EXPECT_TRUE((owns<ammunition>(one) && owns<scratches>(one)));
    const entity own = world.lookup(one, "gun");
    EXPECT_TRUE((owns<ammunition>(own) && owns<expiry>(own)));
    EXPECT_EQ(world.get<ammunition>(own).rounds, 8);
}

TEST_F(sync, gives_pairs_between_parts) {
    const entity mast = part_of(ship, "mast");
    world.add(gun, pair(likes, mast));
    world.add(gun, pair(likes, c));
    world.add(ship, pair(likes, gun));
    EXPECT_EQ(given_to_instances_of(ship), 3U);
    EXPECT_EQ(world.targets(world.lookup(one, "gun"), likes), std::vector{world.lookup(one, "mast")});
    EXPECT_EQ(world.targets(one, likes), std::vector{world.lookup(one, "gun")});
}

TEST_F(sync, leaves_alone_what_an_instance_has_and_the_prefab_has_no_more) {
    const entity own = world.lookup(one, "gun");
    world.set(own, ammunition{1});
    world.set(gun, ammunition{8});
    world.set_name(own, "cannon");
    const entity mine = part_of(one, "mast");
    const entity mast = part_of(ship, "mast");
    EXPECT_EQ(given_to_instances_of(ship), 1U);
    EXPECT_EQ(world.get<ammunition>(own).rounds, 1);
    EXPECT_EQ(world.lookup(one, "cannon"), own);
    EXPECT_EQ(world.lookup(one, "mast"), mine) << "the part goes without its name";
    EXPECT_TRUE(world.counterpart(one, mast));
    world.despawn(mast);
    world.remove<ammunition>(gun);
    EXPECT_EQ(given_to_instances_of(ship), 0U);
    EXPECT_EQ(world.children(one).size(), 3U);
    EXPECT_TRUE(owns<ammunition>(own));
}

TEST_F(sync, gives_back_what_an_instance_gave_up) {
    world.set(ship, ammunition{3});
    EXPECT_EQ(world.sync(ship), 1U);
    world.remove<ammunition>(one);
    world.despawn(world.lookup(one, "gun"));
    EXPECT_EQ(given_to_instances_of(ship), 2U);
}

TEST_F(sync, reaches_variants_and_instances_of_instances) {
    const entity cruiser = variant_of(ship);
    const entity flagship = instance_of(cruiser);
    const entity twin = instance_of(one);
    const entity both = instance_of(cruiser);
    world.add(both, pair(is_a, one));
    std::ignore = part_of(gun, "sight");
    world.set(gun, ammunition{8});
    EXPECT_EQ(given_to_instances_of(ship), 10U + 2U) << "the one with two bases has two guns";
    for (const entity e : {one, cruiser, flagship, twin})
        EXPECT_EQ(difference(e, instance_of(ship)), "") << world.path_of(e);
    EXPECT_TRUE(world.has(world.lookup(cruiser, "gun/sight"), ecs::prefab_tag));
    EXPECT_EQ(world.target_of(world.lookup(flagship, "gun/sight"), is_a), world.lookup(cruiser, "gun/sight"));
}

TEST_F(sync, reaches_instances_that_are_parts_of_other_prefabs) {
    const entity fleet = world.prefab();
    const entity flagship = part_of(fleet, "flagship");
    world.add(flagship, pair(is_a, ship));
    const entity first = instance_of(fleet);
    std::ignore = part_of(gun, "sight");
    world.add(gun, pair(likes, ship));
    EXPECT_EQ(given_to_instances_of(ship), 6U);
    EXPECT_TRUE(world.lookup(first, "flagship/gun/sight"));
    EXPECT_EQ(world.targets(world.lookup(first, "flagship/gun"), likes),
              std::vector{world.lookup(first, "flagship")});
    EXPECT_EQ(difference(first, instance_of(fleet)), "");
    EXPECT_EQ(world.sync(fleet), 0U);
}

TEST_F(sync, variant_that_contains_an_instance_is_complete_before_its_own_instances) {
    const entity cruiser = variant_of(ship);
    const entity boat = part_of(cruiser, "boat");
    world.add(boat, pair(is_a, ship));
    const entity flagship = instance_of(cruiser);
    world.despawn(world.lookup(flagship, "boat")); // Comes back whole.
    std::ignore = part_of(ship, "mast");
    std::ignore = given_to_instances_of(ship);
    EXPECT_TRUE(world.lookup(flagship, "boat/mast"));
    EXPECT_EQ(difference(flagship, instance_of(cruiser)), "");
}

TEST_F(sync, pair_to_another_part_is_a_matter_of_the_whole) {
    world.add(gun, ecs::type_flags::auto_override | pair(likes, part_of(ship, "mast")));
    EXPECT_EQ(given_to_instances_of(gun), 0U);
    EXPECT_EQ(given_to_instances_of(ship), 2U);
    EXPECT_EQ(world.targets(world.lookup(one, "gun"), likes), std::vector{world.lookup(one, "mast")});
}

TEST_F(sync, passes_over_an_instance_that_is_part_of_its_own_prefab) {
    world.add(one, pair(child_of, ship));
    const entity other = instance_of(ship);
    std::ignore = part_of(ship, "mast");
    EXPECT_EQ(given_to_instances_of(ship), 1U);
    EXPECT_TRUE(world.lookup(other, "mast"));
    EXPECT_FALSE(world.lookup(one, "mast"));
}

TEST_F(sync, passes_over_an_instance_that_has_its_prefab_as_a_part) {
    world.add(ship, pair(child_of, one));
    const entity other = instance_of(ship);
    const entity twin = instance_of(other);
    std::ignore = part_of(ship, "mast");
    EXPECT_EQ(given_to_instances_of(ship), 2U);
    EXPECT_TRUE(world.lookup(other, "mast") && world.lookup(twin, "mast"));
    EXPECT_FALSE(world.lookup(one, "mast"));
}

TEST_F(sync, part_is_complete_before_its_own_instances_when_something_comes_with_the_whole) {
    const entity cruiser = variant_of(variant_of(ship));
    const entity tower = part_of(cruiser, "tower");
    const entity own = world.lookup(instance_of(cruiser), "tower");
    world.add(own, pair(is_a, ship));
    const entity twin = instance_of(own);
    std::ignore = part_of(tower, "clock");
    EXPECT_EQ(given_to_instances_of(ship), 2U);
    EXPECT_TRUE(world.lookup(own, "clock") && world.lookup(twin, "clock"));
}

TEST_F(sync, prefabs_that_contain_each_other_grow_no_further) {
    const entity root = world.prefab();
    const entity x = variant_of(root);
    const entity y = variant_of(root);
    world.add(part_of(x, "a"), pair(is_a, y));
    world.add(part_of(y, "b"), pair(is_a, x));
    for (const entity e : {x, y, root}) {
        std::ignore = part_of(e, "mast");
        for (int i = 0; i < 3; ++i) std::ignore = world.sync(e);
        const std::size_t size = world.entities().size();
        EXPECT_EQ(given_to_instances_of(e), 0U);
        EXPECT_EQ(world.entities().size(), size);
    }
}

TEST_F(sync, is_refused_for_the_dead_and_while_the_world_holds_still) {
    world.despawn(c);
    EXPECT_THROW(std::ignore = world.sync(c), ecs::access_error);
    std::ignore = part_of(ship, "mast");
    world.query().with(pair(is_a, ship)).each([&](entity) {
        EXPECT_THROW(std::ignore = world.sync(ship), ecs::iteration_error);
    });
    int told = 0;
    world.observe<ecs::event::added, frozen>([&](entity) {
        ++told;
        EXPECT_THROW(std::ignore = world.sync(ship), ecs::iteration_error);
    });
    world.add<frozen>(a);
    EXPECT_EQ(told, 1);
    EXPECT_EQ(world.children(one).size(), 1U);
    world.commands().run([&](ecs::world& w) { std::ignore = w.sync(ship); });
    world.flush();
    EXPECT_EQ(world.children(one).size(), 2U);
}

TEST_F(sync, observers_are_told_of_what_comes) {
    std::vector<entity> told;
    world.observe<ecs::event::added, ammunition>([&](entity e) { told.push_back(e); });
    std::vector<entity> spawned;
    world.observe(ecs::event::spawned, [&](entity e) { spawned.push_back(e); });
    world.set(gun, ammunition{});
    told.clear();
    EXPECT_EQ(given_to_instances_of(ship), 1U);
    EXPECT_EQ(told, std::vector{world.lookup(one, "gun")});
    std::ignore = part_of(ship, "mast");
    spawned.clear();
    EXPECT_EQ(given_to_instances_of(ship), 1U);
    EXPECT_EQ(spawned, std::vector{world.lookup(one, "mast")});
}

TEST_F(sync, instance_whose_copy_throws_has_changed_in_nothing) {
    const entity other = instance_of(ship);
    std::ignore = part_of(ship, "mast");
    world.set(ship, ammunition{3});
    world.set(gun, paint{});
    world.set(world.lookup(ship, "mast"), paint{});
    const int lives = explosive::lives;
    explosive::fuse = 1;
    EXPECT_THROW(std::ignore = world.sync(ship), explosive::explosion);
    explosive::fuse = -1;
    EXPECT_EQ(explosive::lives, lives);
    for (const entity e : {one, other}) {
        EXPECT_EQ(world.children(e).size(), 1U);
        EXPECT_FALSE((owns<ammunition>(e) || owns<paint>(world.lookup(e, "gun"))));
    }
    explosive::fuse = 3;
    EXPECT_THROW(std::ignore = world.sync(ship), explosive::explosion);
    explosive::fuse = -1;
    EXPECT_EQ(explosive::lives, lives + 2) << "the first of the two has all it was to get";
    EXPECT_EQ(given_to_instances_of(ship), 4U);
    EXPECT_EQ(difference(one, other), "");
    EXPECT_EQ(explosive::lives, lives + 4);
}

TEST_F(sync, chain_of_a_hundred_thousand_parts_is_as_good_as_one) {
    constexpr std::size_t length = test::is_sanitized ? 20'000 : 100'000;
    std::vector<entity> chain{gun};
    while (chain.size() <= length) {
        chain.push_back(world.spawn());
        world.add(chain.back(), pair(child_of, chain[chain.size() - 2]));
    }
    EXPECT_EQ(world.sync(ship), length);
    EXPECT_EQ(world.sync(ship), 0U);
}

} // namespace
} // namespace sync_test
