// SPDX-License-Identifier: MIT
// What instances get a copy of when they are made, because the component or relation says so.
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <utility>

#include <cstddef>
#include <tuple>
#include <vector>

import ecs.world;

#include "prefabs.hpp"

namespace overrides_test {
namespace {

/// Every instance has its own.
struct hunted {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
};
struct fuel {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    explicit fuel(int litres) : litres(litres) {}
    int litres;
};
struct crew {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    explicit crew(int number) : members(number) {}
    move_only members;
};
struct pilot {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    pilot() = default;
    explicit pilot(int hours) : logbook(hours) {}
    move_only logbook{0};
};
struct sworn_to {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    int oath = 0;
};
/// Instances have the pair of their base, and one of their own when it is added.
struct owed {
    static constexpr auto properties = ecs::properties(ecs::inheritable, ecs::non_fragmenting);
    int coins = 0;
};

struct overrides : prefabs {
    entity ship = world.prefab(ammunition{3}, scratches{4}, health{5}, hunted{});

    /// Whether the entity has the component itself.
    template <class T> bool owns(entity e) {
        const std::vector<ecs::id> own = world.ids(e);
        return std::ranges::find(own, world.id_of<T>()) != own.end();
    }
};

TEST_F(overrides, every_instance_gets_a_copy) {
    const entity one = instance_of(ship);
    const entity other = instance_of(ship);
    world.get<ammunition>(one).rounds = 1;
    world.get<scratches>(one).depth = 2;
    EXPECT_EQ(world.get<ammunition>(ship).rounds, 3);
    EXPECT_EQ(world.get<ammunition>(other).rounds, 3);
    EXPECT_EQ(world.get<scratches>(other).depth, 4);
    EXPECT_TRUE((owns<ammunition>(one) && owns<scratches>(one) && owns<hunted>(one)));
    EXPECT_FALSE(owns<health>(one));
    world.get<health>(ship).amount = 6;
    EXPECT_EQ(world.get<health>(one).amount, 6) << "the others are inherited";
}

TEST_F(overrides, it_is_as_good_to_say_it_of_the_entity) {
    EXPECT_EQ(world.add(world.component<health>(), ecs::auto_overridden), add_result::added);
    const entity one = instance_of(ship);
    EXPECT_TRUE(owns<health>(one));
    world.remove(world.component<health>(), ecs::auto_overridden);
    EXPECT_FALSE(owns<health>(instance_of(ship)));
    EXPECT_TRUE(owns<health>(one)) << "who has it keeps it";
}

/// Notes the values of which observers are told that they were set, none of which was there before.
class told_values {
  public:
    explicit told_values(ecs::world& of) {
        of.observe<ecs::event::set, ammunition, ecs::previous<ammunition>>(
            [this](const ammunition& a, const ammunition* before) {
                EXPECT_EQ(before, nullptr);
                values_.push_back(a.rounds);
            });
        of.observe<ecs::event::set, scratches>([this](const scratches& s) { values_.push_back(s.depth); });
        of.observe<ecs::event::set, health>([this](const health& h) { values_.push_back(h.amount); });
        of.observe<ecs::event::set, ecs::pair_of<owed, ecs::wildcard>>(
            [this](const owed& o) { values_.push_back(o.coins); });
    }

    /// In ascending order.
    std::vector<int> take() { return sorted(std::exchange(values_, {})); }

  private:
    std::vector<int> values_;
};

TEST_F(overrides, copies_are_told_as_values_that_are_given) {
    told_values told(world);
    const entity one = instance_of(ship);
    EXPECT_EQ(told.take(), (std::vector{3, 4})) << "health is inherited";
    world.remove<ammunition>(one);
    world.remove<scratches>(one);
    EXPECT_EQ(world.sync(ship), 2U);
    EXPECT_EQ(told.take(), (std::vector{3, 4}));
    world.add(ship, ecs::type_flags::auto_override | world.id_of<health>());
    EXPECT_EQ(world.sync(ship), 1U);
    EXPECT_EQ(told.take(), std::vector{5});
}

TEST_F(overrides, what_add_copies_from_a_base_is_told_as_given) {
    world.set<owed>(ship, c, {6});
    told_values told(world);
    for (int i = 0; i < 2; ++i) { // The second entity goes the way of the first.
        const entity one = instance_of(ship);
        world.remove<ammunition>(one);
        world.remove<scratches>(one);
        std::ignore = told.take();
        world.add<ammunition>(one);
        world.add<scratches>(one);
        world.add<health>(one);
        EXPECT_EQ(told.take(), (std::vector{3, 4, 5}));
        EXPECT_EQ(world.add<owed>(one, c), add_result::added);
        EXPECT_EQ(world.get<owed>(one, c).coins, 6);
        EXPECT_EQ(told.take(), std::vector{6});
    }
    world.add<health>(a);
    EXPECT_TRUE(told.take().empty()) << "of a default value, that it was added";
}

TEST_F(overrides, what_an_instance_has_already_stays) {
    world.set(a, ammunition{1});
    world.set(a, scratches{2});
    world.add(a, pair(is_a, ship));
    EXPECT_EQ(world.get<ammunition>(a).rounds, 1);
    EXPECT_EQ(world.get<scratches>(a).depth, 2);
}

TEST_F(overrides, what_an_instance_gives_up_is_inherited_again) {
    const entity one = instance_of(ship);
    world.get<ammunition>(one).rounds = 1;
    world.remove<ammunition>(one);
    EXPECT_EQ(world.get<ammunition>(one).rounds, 3);
    EXPECT_EQ(&world.get<ammunition>(one), &world.get<ammunition>(ship));
}

TEST_F(overrides, parts_get_copies_too) {
    const entity gun = part_of(ship, "gun");
    const entity sight = part_of(gun, "sight");
    world.set(gun, ammunition{8});
    world.set(sight, scratches{9});
    const entity one = instance_of(ship);
    const entity own_gun = world.lookup(one, "gun");
    ASSERT_TRUE((owns<ammunition>(own_gun) && owns<scratches>(world.lookup(one, "gun/sight"))));
    EXPECT_EQ(world.get<ammunition>(own_gun).rounds, 8);
    EXPECT_EQ(world.get<scratches>(world.lookup(one, "gun/sight")).depth, 9);
}

TEST_F(overrides, variant_has_its_own_and_hands_on_copies_of_that) {
    const entity cruiser = world.prefab();
    world.add(cruiser, pair(is_a, ship));
    EXPECT_TRUE((owns<ammunition>(cruiser) && owns<scratches>(cruiser)));
    world.get<ammunition>(cruiser).rounds = 30;
    const entity one = instance_of(cruiser);
    EXPECT_TRUE((owns<ammunition>(one) && owns<scratches>(one) && owns<hunted>(one)));
    EXPECT_EQ(world.get<ammunition>(one).rounds, 30);
    EXPECT_EQ(world.get<scratches>(one).depth, 4);
}

TEST_F(overrides, copy_is_of_what_the_variant_inherits_where_it_has_none) {
    const entity cruiser = world.prefab();
    world.add(cruiser, pair(is_a, ship));
    world.remove<ammunition>(cruiser);
    world.remove<scratches>(cruiser);
    const entity frigate = world.prefab();
    world.add(world.component<health>(), ecs::auto_overridden);
    world.add(frigate, pair(is_a, cruiser));
    const entity one = instance_of(frigate);
    for (const entity e : {frigate, one}) {
        EXPECT_TRUE((owns<ammunition>(e) && owns<scratches>(e) && owns<health>(e)));
        EXPECT_EQ(world.get<ammunition>(e).rounds, 3);
    }
}

TEST_F(overrides, nearest_of_several_bases_is_copied) {
    const entity fort = world.prefab(ammunition{90}, health{91});
    world.add(world.component<health>(), ecs::auto_overridden);
    const entity one = instance_of(fort);
    world.add(one, pair(is_a, ship));
    EXPECT_EQ(world.get<ammunition>(one).rounds, 90);
    EXPECT_EQ(world.get<health>(one).amount, 91);
    EXPECT_EQ(world.get<scratches>(one).depth, 4);
}

TEST_F(overrides, value_that_cannot_be_copied_is_a_default_one_or_stays_inherited) {
    const entity plane = world.prefab(fuel(40), pilot(100), crew(3));
    for (int i = 0; i < 3; ++i) {
        const entity one = instance_of(plane);
        EXPECT_TRUE((owns<fuel>(one) && owns<pilot>(one)));
        EXPECT_EQ(world.get<fuel>(one).litres, 40) << "nothing is made by default that can be copied";
        EXPECT_EQ(world.get<pilot>(one).logbook.value(), 0);
        EXPECT_FALSE(owns<crew>(one));
        EXPECT_EQ(world.get<crew>(one).members.value(), 3);
    }
}

// Pairs.

TEST_F(overrides, pairs_of_a_relation_are_copied_with_their_values) {
    world.set<sworn_to>(ship, c, {5});
    world.set<sworn_to>(ship, b, {6});
    const entity one = instance_of(ship);
    EXPECT_EQ(sorted(world.targets<sworn_to>(one)), (sorted(std::vector{b, c})));
    world.get<sworn_to>(one, c).oath = 1;
    EXPECT_EQ(world.get<sworn_to>(ship, c).oath, 5);
    EXPECT_EQ(world.get<sworn_to>(one, b).oath, 6);
    world.set<sworn_to>(a, c, {9});
    world.add(a, pair(is_a, ship));
    EXPECT_EQ(world.get<sworn_to>(a, c).oath, 9) << "what it has already stays";
    EXPECT_EQ(world.get<sworn_to>(a, b).oath, 6);
}

TEST_F(overrides, target_of_an_exclusive_relation_is_copied_and_does_not_replace_another) {
    for (const ecs::builtin property : {ecs::exclusive, ecs::non_fragmenting}) {
        const entity relation = world.spawn();
        world.add(relation, property);
        world.add(relation, ecs::auto_overridden);
        world.add(ship, pair(relation, c));
        EXPECT_EQ(world.targets(instance_of(ship), relation), std::vector{c});
        EXPECT_FALSE(world.sources(c, relation).empty());
        const entity one = world.spawn();
        world.add(one, pair(relation, b));
        world.add(one, pair(is_a, ship));
        EXPECT_EQ(world.targets(one, relation), std::vector{b});
    }
}

TEST_F(overrides, number_of_an_exclusive_relation_does_not_replace_another) {
    const entity state = world.spawn();
    for (const ecs::builtin property : {ecs::exclusive, ecs::auto_overridden}) world.add(state, property);
    world.add(ship, ecs::value_pair(state, 1));
    world.add(a, ecs::value_pair(state, 2));
    world.add(a, pair(is_a, ship));
    EXPECT_TRUE(world.has(a, ecs::value_pair(state, 2)) && !world.has(a, ecs::value_pair(state, 1)));
    EXPECT_TRUE(world.has(instance_of(ship), ecs::value_pair(state, 1)));
}

TEST_F(overrides, partner_of_a_prefab_stays_with_it) {
    const entity married = world.spawn();
    for (const ecs::builtin property : {ecs::exclusive, ecs::symmetric, ecs::auto_overridden})
        world.add(married, property);
    world.add(ship, pair(married, c));
    EXPECT_TRUE(world.targets(instance_of(ship), married).empty());
    EXPECT_EQ(world.target_of(c, married), ship);
}

TEST_F(overrides, pair_to_a_part_leads_to_the_copy_alone) {
    const entity gun = part_of(ship, "gun");
    const entity magazine = part_of(ship, "magazine");
    world.add(world.component<sworn_to>(), ecs::inheritable);
    world.set<sworn_to>(gun, magazine, {5});
    const entity cruiser = world.prefab();
    world.add(cruiser, pair(is_a, ship));
    const entity one = instance_of(cruiser);
    const entity own = world.lookup(one, "magazine");
    EXPECT_EQ(world.targets<sworn_to>(world.lookup(one, "gun")), std::vector{own});
    EXPECT_EQ(world.get<sworn_to>(world.lookup(one, "gun"), own).oath, 5);
    EXPECT_TRUE(world.targets<sworn_to>(instance_of(gun)).empty()) << "it is no part of a ship";
}

TEST_F(overrides, pair_of_a_base_of_the_base_is_copied_when_it_is_inherited) {
    world.set<sworn_to>(ship, c, {5});
    const entity cruiser = world.prefab();
    world.add(cruiser, pair(is_a, ship));
    world.remove<sworn_to>(cruiser, c);
    EXPECT_TRUE(world.targets<sworn_to>(instance_of(cruiser)).empty()) << "the cruiser has none";
    world.add(world.component<sworn_to>(), ecs::inheritable);
    const entity one = instance_of(cruiser);
    world.get<sworn_to>(one, c).oath = 1;
    EXPECT_EQ(world.get<sworn_to>(ship, c).oath, 5);
}

TEST_F(overrides, step_of_a_base_is_not_copied_because_a_chain_leads_over_it) {
    world.add(likes, ecs::transitive);
    world.add(likes, ecs::auto_overridden);
    const entity cruiser = world.prefab();
    world.add(cruiser, pair(is_a, ship));
    world.add(cruiser, pair(likes, ship));
    world.add(ship, pair(likes, c));
    EXPECT_EQ(world.targets(instance_of(cruiser), likes), std::vector{ship});
}

TEST_F(overrides, where_a_prefab_is_and_what_it_is_are_not_copied) {
    world.add(world.lookup("child_of"), ecs::auto_overridden);
    world.add(world.lookup("is_a"), ecs::auto_overridden);
    const entity fleet = world.prefab();
    world.add(ship, pair(child_of, fleet));
    const entity cruiser = world.prefab();
    world.add(cruiser, pair(is_a, ship));
    const entity one = instance_of(cruiser);
    EXPECT_EQ(world.parent(one), entity{});
    EXPECT_EQ(world.targets(one, is_a), std::vector{cruiser});
}

// Contradictions and failures.

TEST_F(overrides, nobody_gets_a_copy_of_what_is_not_inheritable) {
    EXPECT_EQ(world.add(world.component<ammunition>(), ecs::not_inheritable), add_result::contradiction);
    world.add(world.component<health>(), ecs::not_inheritable);
    EXPECT_EQ(world.add(world.component<health>(), ecs::auto_overridden), add_result::contradiction);
    EXPECT_FALSE(world.has(world.component<health>(), ecs::auto_overridden));
}

TEST_F(overrides, copy_that_throws_leaves_no_instance) {
    const entity house = world.prefab(paint{});
    world.set(part_of(house, "door"), paint{});
    world.set(part_of(house, "roof"), paint{});
    world.set(house, scratches{3});
    const int lives = explosive::lives;
    for (int fuse = 0; fuse < 3; ++fuse) {
        explosive::fuse = fuse;
        EXPECT_THROW(world.add(a, pair(is_a, house)), explosive::explosion);
        explosive::fuse = -1;
        EXPECT_FALSE(world.has(a, pair(is_a, any)) || world.has<paint>(a) || world.has<scratches>(a));
        EXPECT_TRUE(world.children(a).empty());
        EXPECT_EQ(explosive::lives, lives);
    }
    EXPECT_EQ(world.add(a, pair(is_a, house)), add_result::added);
    EXPECT_EQ(explosive::lives, lives + 3);
}

TEST_F(overrides, copy_that_has_to_stay_goes_when_there_is_no_instance) {
    const entity house = world.prefab(paint{});
    world.set(part_of(house, "door"), paint{});
    world.add(world.component<paint>(), ecs::permanent);
    explosive::fuse = 1;
    EXPECT_THROW(world.add(a, pair(is_a, house)), explosive::explosion);
    explosive::fuse = -1;
    EXPECT_TRUE(world.ids(a).empty());
}

TEST_F(overrides, instances_of_a_world_that_was_saved_or_went_back_get_copies) {
    const std::vector<std::byte> saved = ecs::save(world);
    const auto then = world.snapshot();
    ecs::world other;
    std::ignore = other.component<health>();
    std::ignore = other.component<hunted>();
    std::ignore = other.component<ammunition>();
    std::ignore = other.component<scratches>();
    ecs::load(other, saved);
    const entity there = other.query().with(ecs::prefab_tag).first();
    const entity one = other.spawn(pair(is_a, there));
    EXPECT_NE(&other.get<ammunition>(one), &other.get<ammunition>(there));
    world.restore(then);
    EXPECT_TRUE(owns<ammunition>(instance_of(ship)));
}

TEST_F(overrides, property_that_ends_with_its_component_is_no_ones) {
    const entity tag = world.spawn();
    world.add(tag, ecs::auto_overridden);
    world.despawn(tag);
    world.despawn(world.component<ammunition>());
    const entity one = instance_of(ship);
    EXPECT_EQ(world.ids(one).size(), 3U) << "what it is, its scratches and that it is hunted";
}

} // namespace
} // namespace overrides_test
