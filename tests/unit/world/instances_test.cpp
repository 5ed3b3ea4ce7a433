// SPDX-License-Identifier: MIT
// What instances inherit, override and get of their own.
#include <algorithm>
#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <tuple>
#include <vector>

import ecs.world;

#include "relations.hpp"

namespace instances_test {
namespace {

struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    int strength = 1;
};

// Instances.

TEST_F(relations, prefab_may_have_a_name) {
    const entity knight = world.prefab("Knight", health{50});
    EXPECT_EQ(world.lookup("Knight"), knight);
    EXPECT_TRUE(world.has(knight, ecs::prefab_tag));
    EXPECT_EQ(world.get<health>(knight).amount, 50);
    const std::size_t before = world.entities().size();
    EXPECT_THROW(world.prefab("Knight", health{60}), ecs::name_error);
    EXPECT_EQ(world.entities().size(), before);
}

TEST_F(relations, kept_queries_follow_a_prefab_that_becomes_a_part_and_ceases_to_be_one) {
    world.add(likes, ecs::inheritable);
    const entity base = world.prefab("base"), part = world.prefab("part"), between = world.prefab("between");
    const entity instance = world.spawn();
    relate(base, part);
    world.add(instance, pair(is_a, base));
    auto of_part = world.query().with(pair(likes, part));
    auto of_any = world.query().with(pair(likes, any));
    const auto expect_found = [&](bool found) {
        EXPECT_EQ(world.has(instance, likes, part), found);
        EXPECT_EQ(of_part.contains(instance), found);
        EXPECT_EQ(of_any.contains(instance), found);
    };
    expect_found(true);
    world.add(part,
              pair(ecs::child_of, base)); // The pair is between two parts, of which copies have their own.
    expect_found(false);
    world.remove(part, pair(ecs::child_of, base));
    expect_found(true);
    world.replace_children(base, std::vector{part});
    expect_found(false);
    world.add(part, pair(ecs::child_of, between));
    expect_found(true);
    world.add(between, pair(ecs::child_of, base));
    expect_found(false);
}

TEST_F(relations, instance_inherits_until_it_overrides) {
    const entity knight = world.prefab(health{50}, frozen{});
    world.add(a, pair(is_a, knight));
    EXPECT_TRUE(world.has<health>(a) && world.has<frozen>(a));
    EXPECT_FALSE(world.owns<health>(a));
    EXPECT_TRUE(world.owns(a, pair(is_a, ecs::any)));
    EXPECT_EQ(world.get<health>(a).amount, 50);
    auto query = world.query<const health>();
    int total = 0;
    query.each([&](entity e, const health& h) { total += e == a ? h.amount : 1000; });
    EXPECT_EQ(total, 50) << "an instance is seen, a prefab is not";
    world.set(a, health{60});
    EXPECT_TRUE(world.owns<health>(a));
    EXPECT_FALSE(world.owns(a, pair(ecs::child_of, ecs::any)) || world.owns(entity{}, pair(is_a, ecs::any)));
    EXPECT_EQ(world.get<health>(knight).amount, 50);
    EXPECT_EQ(world.get<health>(a).amount, 60);
    EXPECT_EQ(query.count(), 1U);
    world.remove<health>(a);
    EXPECT_EQ(world.get<health>(a).amount, 50) << "what was overridden comes back";
    world.add<health>(a);
    EXPECT_EQ(world.get<health>(a).amount, 50) << "an override begins as a copy";
    world.despawn(knight);
    EXPECT_FALSE(world.has<frozen>(a));
    EXPECT_TRUE(world.has<health>(a));
}

TEST_F(relations, change_of_a_base_is_seen_by_its_instances) {
    world.add(b, pair(is_a, a));
    auto query = world.query<const health>();
    EXPECT_EQ(query.count(), 0U);
    world.set(a, health{1});
    EXPECT_EQ(query.count(), 2U);
    world.remove<health>(a);
    EXPECT_EQ(query.count(), 0U);
    world.set(a, health{1});
    world.remove(b, pair(is_a, a));
    EXPECT_EQ(query.count(), 1U);
}

TEST_F(relations, variant_inherits_from_its_base_and_overrides_it) {
    const entity knight = world.prefab(health{50}, frozen{});
    const entity paladin = world.prefab(health{80});
    world.add(paladin, pair(is_a, knight));
    world.add(a, pair(is_a, paladin));
    EXPECT_EQ(world.get<health>(a).amount, 80);
    EXPECT_TRUE(world.has<frozen>(a));
    EXPECT_TRUE(world.has(a, pair(is_a, knight))) << "is_a is transitive";
    EXPECT_EQ(world.add(knight, pair(is_a, paladin)), add_result::would_make_a_cycle);
}

TEST_F(relations, instance_of_a_tree_is_a_tree) {
    const entity tank = world.prefab(health{100});
    const entity turret = world.spawn("Turret");
    const entity barrel = world.spawn("Barrel");
    world.add(turret, pair(child_of, tank));
    world.add(barrel, pair(child_of, turret));
    world.set(barrel, expiry{3});
    EXPECT_EQ(world.query<const expiry>().count(), 0U) << "the parts of a prefab are prefabs";
    world.set_name(a, "Tank1");
    world.add(a, pair(is_a, tank));
    const entity own = world.lookup("Tank1/Turret/Barrel");
    ASSERT_TRUE(own);
    EXPECT_NE(own, barrel);
    EXPECT_EQ(world.get<expiry>(own).seconds, 3);
    EXPECT_EQ(world.query<const expiry>().count(), 1U);
    world.despawn(a);
    EXPECT_FALSE(world.alive(own));
    EXPECT_TRUE(world.alive(barrel));
    EXPECT_EQ(world.add(barrel, pair(is_a, tank)), add_result::would_make_a_cycle);
}

TEST_F(relations, auto_override_gives_every_instance_a_value_of_its_own) {
    const entity knight = world.prefab(health{50});
    world.add(knight, ecs::type_flags::auto_override | ecs::id(world.component<health>()));
    world.add(a, pair(is_a, knight));
    world.get<health>(a).amount = 1;
    EXPECT_EQ(world.get<health>(knight).amount, 50);
    world.remove(a, pair(is_a, knight));
    EXPECT_EQ(world.get<health>(a).amount, 1);
}

TEST_F(relations, auto_override_holds_for_instances_of_variants) {
    const entity knight = world.prefab(health{50});
    world.add(knight, ecs::type_flags::auto_override | ecs::id(world.component<health>()));
    const entity guard = world.prefab(pair(is_a, knight));
    world.set(guard, health{60});
    const entity captain = world.prefab(pair(is_a, guard));
    for (const entity e : {a, b}) world.add(e, pair(is_a, captain));
    world.get<health>(a).amount = 1;
    EXPECT_EQ(world.get<health>(b).amount, 60);
    EXPECT_EQ(world.get<health>(captain).amount, 60);
    EXPECT_EQ(world.get<health>(guard).amount, 60);
}

TEST_F(relations, override_of_what_is_kept_outside_tables_begins_with_a_copy) {
    const entity prefab = world.prefab(buff{5});
    world.add(a, pair(is_a, prefab));
    world.add<buff>(a);
    world.get<buff>(prefab).strength = 6;
    EXPECT_EQ(world.get<buff>(a).strength, 5);
    world.get<buff>(prefab).strength = 5;
    world.add(prefab, ecs::type_flags::auto_override | ecs::id(world.component<buff>()));
    world.add(b, pair(is_a, prefab));
    EXPECT_EQ(world.get<buff>(b).strength, 5);
}

TEST_F(relations, override_is_a_copy_for_every_instance_also_without_a_default_value) {
    struct fuel {
        explicit fuel(int litres) : litres(litres) {}
        int litres;
    };
    const entity knight = world.prefab(fuel{4});
    const ecs::id word = world.component<fuel>();
    for (const entity e : {a, b}) {
        world.add(e, pair(is_a, knight));
        EXPECT_EQ(world.add(e, word), add_result::added);
        world.get<fuel>(knight).litres = 5;
        EXPECT_EQ(world.get<fuel>(e).litres, e == a ? 4 : 5);
    }
    EXPECT_EQ(world.add(c, word), add_result::not_constructible);
}

/// Whether it, or anybody else, has instances already.
TEST_F(relations, pair_between_the_parts_of_a_base_is_not_inherited_by_its_first_instance) {
    world.add(likes, ecs::inheritable);
    const entity ship = world.spawn();
    const entity gun = world.spawn(pair(ecs::child_of, ship)), deck = world.spawn(pair(ecs::child_of, ship));
    relate(gun, deck);
    relate(ship, deck);
    std::vector<entity> told;
    world.monitor(world.query().with(pair(likes, any)), [&](entity e, bool matches) {
        EXPECT_TRUE(matches);
        told.push_back(e);
    });
    const entity other_ship = world.spawn(pair(is_a, ship));
    const entity second_gun = world.spawn(pair(is_a, gun));
    EXPECT_FALSE(world.has(second_gun, pair(likes, any)));
    EXPECT_FALSE(world.has(other_ship, likes, deck));
    EXPECT_TRUE(world.has(other_ship, pair(likes, any))) << "of the copy of its part";
    std::ignore = world.spawn(pair(is_a, deck));
    EXPECT_FALSE(world.has(second_gun, pair(likes, any)));
    EXPECT_EQ(std::ranges::count(told, second_gun), 0);
}

/// The child is neither a prefab nor a base itself, and has come after the instance.
TEST_F(relations, kept_queries_follow_a_child_that_joins_a_base_and_leaves_it) {
    world.add(likes, ecs::inheritable);
    const entity ship = world.spawn(), other = world.spawn();
    const entity instance = world.spawn(pair(is_a, ship));
    const entity deck = world.spawn(pair(ecs::child_of, ship)),
                 second = world.spawn(pair(ecs::child_of, ship));
    relate(ship, deck);
    relate(other, second); // So that the tables with and without a parent are known.
    world.remove(second, pair(ecs::child_of, ship));
    auto of_deck = world.query().with(pair(likes, deck));
    const auto expect_found = [&](bool found) {
        EXPECT_EQ(world.has(instance, likes, deck), found);
        EXPECT_EQ(of_deck.contains(instance), found);
        EXPECT_EQ(of_deck.count(), found ? 2U : 1U);
    };
    expect_found(false);
    world.remove(deck, pair(ecs::child_of, ship));
    expect_found(true);
    world.add(deck, pair(ecs::child_of, ship));
    expect_found(false);
    world.add(deck, pair(ecs::child_of, other));
    expect_found(true);
}

TEST_F(relations, component_that_is_not_inheritable_stays_with_the_base) {
    const entity tag = world.spawn();
    const ecs::id shown = world.component<health>();
    EXPECT_EQ(world.add(tag, ecs::not_inheritable), add_result::added);
    const entity knight = world.prefab(health{5});
    world.add(knight, tag);
    world.add(a, pair(is_a, knight));
    EXPECT_TRUE(world.has(knight, tag) && !world.has(a, tag) && world.has(a, shown));
    auto heirs = world.query().with(shown);
    EXPECT_EQ(heirs.count(), 1U);
    world.add(world.component<health>(), ecs::not_inheritable);
    EXPECT_EQ(heirs.count(), 0U) << "also when it is said later";
    EXPECT_EQ(world.try_get<health>(a), nullptr);
    EXPECT_EQ(world.add(tag, ecs::inheritable), add_result::contradiction);
    world.remove(world.component<health>(), ecs::not_inheritable);
    EXPECT_EQ(world.get<health>(a).amount, 5);
}

TEST_F(relations, inherited_target_is_a_target) {
    world.add(likes, ecs::inheritable);
    relate(b, c);
    world.add(a, pair(is_a, b));
    EXPECT_EQ(world.target_of(a, likes), c);
    EXPECT_EQ(world.targets(a, likes), std::vector{c});
    relate(a, b);
    EXPECT_EQ(world.targets(a, likes), (std::vector{b, c}));
    EXPECT_EQ(world.target_of(a, likes), b);
}

TEST_F(relations, pair_of_an_exclusive_relation_hides_the_inherited_one) {
    for (const ecs::builtin property : {ecs::exclusive, ecs::non_fragmenting}) {
        const entity relation = world.spawn();
        world.add(relation, property);
        world.add(relation, ecs::inheritable);
        const entity from = world.spawn();
        const entity heir = world.spawn();
        world.add(from, pair(relation, c));
        world.add(heir, pair(is_a, from));
        EXPECT_TRUE(world.has(heir, pair(relation, c)));
        EXPECT_EQ(world.target_of(heir, relation), c);
        world.add(from, ecs::prefab_tag);
        auto query = world.query().with(pair(relation, c)).with(pair(is_a, from));
        EXPECT_EQ(query.count(), 1U);
        world.add(heir, pair(relation, a));
        EXPECT_FALSE(world.has(heir, pair(relation, c)));
        EXPECT_EQ(world.targets(heir, relation), std::vector{a});
        EXPECT_EQ(query.count(), 0U);
        world.remove(heir, pair(relation, any));
        EXPECT_EQ(query.count(), 1U);
        world.add(from, pair(relation, a));
        EXPECT_EQ(query.count(), 0U) << "the base has another target";
    }
}

TEST_F(relations, pair_of_a_variant_hides_that_of_its_base) {
    world.add(likes, ecs::exclusive);
    world.add(likes, ecs::inheritable);
    const entity base = world.prefab();
    const entity variant = world.prefab();
    world.add(base, pair(likes, b));
    world.add(variant, pair(is_a, base));
    world.add(variant, pair(likes, c));
    world.add(a, pair(is_a, variant));
    EXPECT_TRUE(related(a, c));
    EXPECT_FALSE(related(a, b));
    EXPECT_EQ(world.targets(a, likes), std::vector{c});
}

TEST_F(relations, end_of_a_target_is_seen_by_the_instances_of_its_source) {
    world.add(likes, ecs::non_fragmenting);
    world.add(likes, ecs::inheritable);
    const entity base = world.prefab();
    world.add(base, pair(likes, b));
    world.add(a, pair(is_a, base));
    auto query = world.query().with(pair(likes, any));
    EXPECT_EQ(query.count(), 1U);
    world.despawn(b);
    EXPECT_EQ(query.count(), 0U);
}

TEST_F(relations, own_pair_of_an_instance_begins_with_a_copy) {
    struct course {
        explicit course(std::string text) : text(std::move(text)) {}
        std::string text;
    };
    const entity relation = world.component<course>();
    const ecs::id word = pair(relation, c);
    for (const bool in_column : {false, true}) {
        world.add(relation, ecs::inheritable);
        if (in_column) world.add(relation, ecs::non_fragmenting);
        const entity base = world.prefab();
        world.set<course>(base, c, course("a course too long to be kept in place"));
        const entity heir = world.spawn();
        world.add(heir, pair(is_a, base));
        EXPECT_EQ(world.add(heir, word), add_result::added);
        world.get<course>(base, c).text = "another";
        EXPECT_EQ(world.get<course>(heir, c).text, "a course too long to be kept in place");
        EXPECT_EQ(world.add(a, word), add_result::not_constructible);
        for (const entity e : {heir, base}) world.despawn(e);
    }
}

TEST_F(relations, step_that_is_inherited_leads_on) {
    for (const ecs::builtin kept : {ecs::transitive, ecs::exclusive, ecs::non_fragmenting}) {
        const entity in = world.spawn();
        for (const ecs::builtin property : {ecs::transitive, ecs::inheritable, kept}) world.add(in, property);
        world.add(a, pair(in, b));
        world.add(b, pair(in, c));
        const entity shop = world.prefab();
        auto everybody = world.query().with(pair(in, c));
        EXPECT_EQ(everybody.count(), 2U);
        const entity branch = world.spawn();
        const entity shelf = world.spawn();
        world.add(branch, pair(is_a, shop));
        world.add(shelf, pair(in, branch));
        world.add(shop, pair(in, a));
        EXPECT_TRUE(world.has(branch, pair(in, a)) && world.has(branch, pair(in, c)));
        EXPECT_TRUE(world.has(shelf, pair(in, a)) && world.has(shelf, pair(in, c)));
        EXPECT_EQ(everybody.count(), 4U);
        EXPECT_TRUE(everybody.contains(branch) && everybody.contains(shelf));
        EXPECT_EQ(world.targets(branch, in), std::vector{a}) << "the single step";
        std::size_t found = 0;
        world.query().with(pair(in, ecs::var("x"))).each([&](entity e) { found += e == shelf; });
        EXPECT_EQ(found, 4U) << "the branch, a, b and c";
        world.remove(branch, pair(is_a, any));
        EXPECT_EQ(everybody.count(), 2U);
        EXPECT_FALSE(world.has(shelf, pair(in, c)));
        for (const entity e : {shelf, branch, shop, in}) world.despawn(e);
    }
}

TEST_F(relations, an_inherited_step_closes_no_cycle_of_an_acyclic_relation) {
    for (const ecs::builtin kept : {ecs::acyclic, ecs::exclusive, ecs::non_fragmenting}) {
        const entity in = world.spawn();
        for (const ecs::builtin property : {ecs::acyclic, ecs::inheritable, kept}) world.add(in, property);
        const entity box = world.spawn(), lid = world.spawn(), lock = world.spawn(), key = world.spawn();
        world.add(box, pair(in, lid));
        world.add(lid, pair(in, lock));
        world.add(key, pair(is_a, lock));
        for (const entity heir : {lid, lock})
            EXPECT_EQ(world.add(heir, pair(is_a, box)), add_result::would_make_a_cycle);
        EXPECT_FALSE(world.has(lock, pair(is_a, box)));
        world.remove(lid, pair(in, any));
        world.add(lid, pair(in, key));
        EXPECT_EQ(world.add(lock, pair(is_a, box)), add_result::would_make_a_cycle) << "for an heir's sake";
        world.remove(lid, pair(in, any));
        EXPECT_EQ(world.add(lock, pair(is_a, box)), add_result::added);
        EXPECT_EQ(world.add(lid, pair(in, key)), add_result::would_make_a_cycle) << "key is in lid by now";
        for (const entity e : {box, lid, lock, key, in}) world.despawn(e);
    }
}

TEST_F(relations, a_base_gets_no_pair_that_closes_a_cycle_for_its_heirs) {
    for (const ecs::builtin kept : {ecs::acyclic, ecs::exclusive, ecs::non_fragmenting}) {
        const entity in = world.spawn();
        for (const ecs::builtin property : {ecs::acyclic, ecs::inheritable, kept}) world.add(in, property);
        const entity box = world.spawn(), crate = world.spawn(), chest = world.spawn(), room = world.spawn();
        world.add(crate, pair(is_a, box));
        world.add(chest, pair(is_a, crate));
        EXPECT_EQ(world.add(box, pair(in, chest)), add_result::would_make_a_cycle) << "chest in itself";
        world.add(room, pair(in, chest));
        for (const entity above : {box, crate, chest})
            EXPECT_EQ(world.add(above, pair(in, room)), add_result::would_make_a_cycle);
        EXPECT_EQ(world.replace_sources(room, std::vector{box}, in), add_result::would_make_a_cycle);
        EXPECT_TRUE(world.targets(box, in).empty());
        world.remove(room, pair(in, any));
        EXPECT_EQ(world.replace_sources(room, std::vector{box}, in), add_result::added);
        EXPECT_EQ(world.target_of(chest, in), room);
        for (const entity e : {box, crate, chest, room, in}) world.despawn(e);
    }
}

TEST_F(relations, a_step_that_a_pair_of_its_own_hides_from_an_heir_counts_as_one) {
    for (const ecs::builtin property : {ecs::acyclic, ecs::inheritable, ecs::exclusive})
        world.add(likes, property);
    relate(a, b);
    relate(b, c);
    const entity elsewhere = world.spawn();
    relate(c, elsewhere);
    EXPECT_EQ(world.add(c, pair(is_a, a)), add_result::would_make_a_cycle)
        << "c would lead to b as soon as it leads elsewhere no more";
}

TEST_F(relations, an_acyclic_relation_becomes_inheritable_where_that_closes_no_cycle) {
    world.add(likes, ecs::acyclic);
    relate(a, b);
    world.add(b, pair(is_a, a));
    EXPECT_EQ(world.add(likes, ecs::inheritable), add_result::relation_in_use);
    EXPECT_FALSE(world.has(likes, ecs::inheritable));
    world.remove(b, pair(is_a, a));
    world.add(c, pair(is_a, a));
    EXPECT_EQ(world.add(likes, ecs::inheritable), add_result::added);
    EXPECT_TRUE(related(c, b));
}

TEST_F(relations, an_inherited_pair_of_a_symmetric_relation_holds_in_one_direction) {
    const entity married = world.spawn();
    for (const ecs::builtin property : {ecs::symmetric, ecs::inheritable}) world.add(married, property);
    world.add(likes, ecs::symmetric);
    world.add(likes, ecs::auto_overridden);
    world.add(a, pair(married, b));
    relate(a, b);
    world.add(c, pair(is_a, a));
    EXPECT_TRUE(world.has(c, pair(married, b)) && !world.has(b, pair(married, c)));
    EXPECT_TRUE(related(c, b) && related(b, c)) << "a copy is a pair like any other";
}

TEST_F(relations, what_is_inherited_is_enabled_until_it_is_overridden_and_hidden) {
    const entity knight = world.prefab(health{5}, buff{6});
    world.add(a, pair(is_a, knight));
    EXPECT_TRUE(world.is_enabled<health>(a) && world.is_enabled<buff>(a));
    world.add<health>(a);
    world.add<buff>(a);
    world.disable<health>(a);
    world.disable<buff>(a);
    EXPECT_FALSE(world.is_enabled<health>(a) || world.is_enabled<buff>(a));
    world.remove<health>(a);
    world.remove<buff>(a);
    EXPECT_TRUE(world.is_enabled<health>(a) && world.is_enabled<buff>(a));
    world.add(b, pair(child_of, c));
    relate(b, a);
    EXPECT_TRUE(world.is_enabled(b, pair(child_of, c)) && world.is_enabled(b, pair(child_of, any)));
    EXPECT_TRUE(world.is_enabled(b, pair(likes, any)));
    world.disable(b, pair(likes, a));
    EXPECT_FALSE(world.is_enabled(b, pair(likes, any)));
    EXPECT_FALSE(world.is_enabled(b, pair(any, a)));
}

TEST_F(relations, instance_is_in_the_group_that_it_inherits) {
    world.add(likes, ecs::inheritable);
    const entity knight = world.prefab();
    world.add(a, pair(is_a, knight));
    auto grouped = world.query().with(pair(is_a, knight)).group_by(likes);
    const auto is_in = [&](entity group) {
        std::size_t found = 0;
        grouped.each_in_group(group, [&](entity e) { found += e == a; });
        return found == 1;
    };
    EXPECT_TRUE(is_in({}));
    world.add(knight, pair(likes, b));
    EXPECT_TRUE(is_in(b) && !is_in({}));
    relate(a, c);
    EXPECT_TRUE(is_in(c) && !is_in(b));
}

TEST_F(relations, instance_is_in_the_group_of_the_number_that_it_inherits) {
    world.add(likes, ecs::inheritable);
    const entity knight = world.prefab();
    world.add(knight, ecs::value_pair(likes, 3));
    world.add(a, pair(is_a, knight));
    auto grouped = world.query().with(pair(is_a, knight)).group_by(likes);
    std::vector<entity> found;
    grouped.each_in_group(3U, [&](entity e) { found.push_back(e); });
    EXPECT_EQ(found, std::vector{a});
}

TEST_F(relations, what_is_kept_outside_tables_is_inherited_like_the_rest) {
    const entity prefab = world.prefab(buff{5});
    world.add(a, pair(is_a, prefab));
    world.set(a, health{1});
    EXPECT_TRUE(world.has<buff>(a));
    EXPECT_EQ(&world.get<buff>(a), &world.get<buff>(prefab));
    EXPECT_EQ(world.try_get(a, world.component<buff>()), &world.get<buff>(prefab));
    EXPECT_EQ(world.ids(a), (sorted(std::vector<ecs::id>{world.component<health>(), pair(is_a, prefab)})))
        << "it has none itself";
    EXPECT_EQ(world.remove<buff>(a), add_result::not_there);
    world.set(a, buff{7});
    EXPECT_EQ(world.get<buff>(a).strength, 7);
    EXPECT_EQ(world.get<buff>(prefab).strength, 5);
    EXPECT_EQ(world.remove<buff>(a), add_result::removed);
    EXPECT_EQ(world.get<buff>(a).strength, 5);
    world.remove<buff>(prefab);
    EXPECT_FALSE(world.has<buff>(a));
    EXPECT_EQ(world.try_get<buff>(a), nullptr);
}

TEST_F(relations, queries_find_what_is_inherited_and_kept_outside_tables) {
    const entity prefab = world.prefab(buff{5});
    auto required = world.query<const buff>();
    auto optional = world.query<const health, const buff*>();
    auto without = world.query<const health>().without<buff>();
    for (const entity e : {a, b, c}) world.set(e, health{1});
    world.add(a, pair(is_a, prefab));
    world.add(b, pair(is_a, prefab));
    world.set(b, buff{7});
    const auto strengths = [&] {
        std::vector<int> found;
        required.each([&](entity, const buff& one) { found.push_back(one.strength); });
        return sorted(found);
    };
    EXPECT_EQ(strengths(), (std::vector{5, 7}));
    EXPECT_EQ(required.count(), 2U);
    EXPECT_TRUE(required.contains(a));
    EXPECT_EQ(without.count(), 1U);
    int sum = 0;
    optional.each([&](entity, const health&, const buff* one) { sum += one ? one->strength : 100; });
    EXPECT_EQ(sum, 112);
    world.disable<buff>(b);
    EXPECT_EQ(strengths(), std::vector{5}) << "what it has itself hides what it inherits";
    world.remove<buff>(prefab);
    EXPECT_EQ(required.count(), 0U);
    world.set(prefab, buff{9});
    EXPECT_EQ(strengths(), std::vector{9}) << "a kept query learns of the base's change";
}

TEST_F(relations, way_up_meets_what_an_ancestor_inherits_outside_tables) {
    const entity prefab = world.prefab(buff{5});
    world.add(b, pair(is_a, prefab));
    world.add(a, pair(child_of, b));
    EXPECT_EQ(world.up<buff>(a)->strength, 5);
    EXPECT_EQ(world.query<ecs::up<const buff>>().count(), 1U);
    EXPECT_EQ(world.up(a, world.component<buff>(), is_a), entity{});
    EXPECT_EQ(world.up(b, world.component<buff>(), is_a), prefab);
    EXPECT_EQ(world.query().up(world.component<buff>(), is_a).count(), 1U);
}

struct shield {
    int value = 1;
};
struct engine_power {
    int value = 2;
};

TEST(instances, are_found_by_kept_queries_whichever_base_gets_several_components) {
    ecs::world world;
    auto kept = world.query<const shield>();
    const auto expect_found = [&](entity base, std::size_t many) {
        EXPECT_EQ(kept.count(), many);
        world.remove<shield, engine_power>(base);
        EXPECT_EQ(kept.count(), 0U);
    };
    for (int way = 0; way < 3; ++way) {
        const entity base = world.spawn(), instance = world.spawn(pair(ecs::is_a, base));
        EXPECT_EQ(kept.count(), 0U); // It has looked at the tables of base and instance.
        if (way == 0) world.add<shield, engine_power>(base);
        if (way == 1) world.set(base, shield{}, engine_power{});
        if (way == 2) world.edit(base).set(shield{}).set(engine_power{});
        EXPECT_TRUE(world.has<shield>(instance));
        expect_found(base, 2);
    }
}

TEST(instances, keep_nothing_that_the_same_edit_removes) {
    ecs::world world;
    const entity base = world.prefab(shield{}, buff{});
    for (const entity c : {world.component<shield>(), world.component<buff>()})
        world.add(base, ecs::type_flags::auto_override | ecs::id(c));
    const entity e = world.spawn(), variant = world.spawn(pair(ecs::is_a, world.spawn()));
    for (const entity on : {e, variant}) {
        world.edit(on).add(pair(ecs::is_a, base)).remove<shield>().remove<buff>();
        EXPECT_FALSE(world.owns<shield>(on) || world.owns<buff>(on));
        EXPECT_TRUE(world.has<shield>(on));
    }
}

struct docking {
    int port{};
};

/// A prefab with two parts.
struct prefabs : relations {
    entity ship = world.prefab();
    entity gun = part_of_ship("gun");
    entity magazine = part_of_ship("magazine");

    entity part_of_ship(const char* text) {
        const entity made = world.spawn(text);
        world.add(made, pair(child_of, ship));
        return made;
    }
    entity instance_of(entity prefab) {
        const entity made = world.spawn();
        world.add(made, pair(is_a, prefab));
        return made;
    }
};

TEST_F(prefabs, pair_between_parts_leads_to_the_copy_in_an_instance) {
    world.add(gun, pair(likes, magazine));
    world.add(gun, pair(likes, c));
    const entity one = instance_of(ship);
    const entity other = instance_of(ship);
    EXPECT_EQ(world.targets(world.lookup(one, "gun"), likes), std::vector{world.lookup(one, "magazine")});
    EXPECT_EQ(world.targets(world.lookup(other, "gun"), likes), std::vector{world.lookup(other, "magazine")});
    EXPECT_EQ(sorted(world.targets(gun, likes)), (sorted(std::vector{c, magazine})))
        << "the prefab's own stays";
}

TEST_F(prefabs, parts_that_were_there_before_are_prefabs_as_well) {
    const entity engine = world.spawn(), cylinder = world.spawn(), valve = world.spawn();
    world.add(valve, pair(child_of, cylinder));
    world.add(cylinder, pair(child_of, engine));
    const auto are_prefabs = [&] {
        return world.has(engine, ecs::prefab_tag) && world.has(cylinder, ecs::prefab_tag) &&
               world.has(valve, ecs::prefab_tag);
    };
    auto everybody = world.query().with(pair(child_of, any));
    EXPECT_EQ(everybody.count(), 2U);
    world.add(engine, pair(child_of, gun));
    EXPECT_TRUE(are_prefabs()) << "below a part that comes";
    EXPECT_EQ(everybody.count(), 0U);
    for (const entity e : {engine, cylinder, valve}) world.remove(e, ecs::prefab_tag);
    world.remove(engine, pair(child_of, any));
    EXPECT_EQ(world.add(engine, ecs::prefab_tag), add_result::added);
    EXPECT_TRUE(are_prefabs()) << "below what becomes a prefab";
    EXPECT_EQ(world.add(engine, ecs::prefab_tag), add_result::already_there);
    EXPECT_EQ(everybody.count(), 0U);
}

TEST_F(prefabs, each_entity_that_becomes_a_prefab_takes_its_parts_along) {
    const entity first = world.spawn(), second = world.spawn();
    for (const entity whole : {first, second}) {
        const entity part = world.spawn();
        world.add(part, pair(child_of, whole));
        world.add(whole, ecs::prefab_tag);
        EXPECT_TRUE(world.has(part, ecs::prefab_tag)) << "also when the way to the table is known";
    }
}

TEST_F(prefabs, parts_of_a_prefab_are_prefabs_by_commands_and_observers_too) {
    auto commands = world.commands();
    const entity whole = commands.spawn(), part = commands.spawn(), deep = commands.spawn();
    commands.add(deep, pair(child_of, part));
    commands.add(part, pair(child_of, whole));
    commands.add(whole, ecs::prefab_tag);
    world.flush();
    for (const entity e : {whole, part, deep}) EXPECT_TRUE(world.has(e, ecs::prefab_tag));
    std::vector<entity> made;
    world.observe<ecs::event::added, frozen>([&](entity) {
        made = {world.spawn(), world.spawn()};
        world.add(made[1], pair(child_of, made[0]));
        world.add(made[0], ecs::prefab_tag);
    });
    world.add<frozen>(a);
    ASSERT_EQ(made.size(), 2U) << "the observer was told";
    for (const entity e : made) EXPECT_TRUE(world.has(e, ecs::prefab_tag));
}

TEST_F(prefabs, the_parts_of_a_long_chain_become_prefabs) {
    std::vector<entity> chain = world.spawn_n(20'000);
    for (std::size_t i = 1; i < chain.size(); ++i) world.add(chain[i], pair(child_of, chain[i - 1]));
    world.add(chain.front(), ecs::prefab_tag);
    EXPECT_TRUE(std::ranges::all_of(chain, [&](entity e) { return world.has(e, ecs::prefab_tag); }));
}

TEST_F(prefabs, counterpart_is_found_through_variants_of_variants) {
    entity last = ship;
    for (int variants = 0; variants < 3; ++variants) {
        const entity variant = world.prefab();
        world.add(variant, pair(is_a, last));
        EXPECT_EQ(world.counterpart(variant, gun), world.lookup(variant, "gun"));
        last = variant;
    }
    const entity one = instance_of(last);
    EXPECT_EQ(world.counterpart(one, gun), world.lookup(one, "gun"));
    EXPECT_EQ(world.counterpart(one, magazine), world.lookup(one, "magazine"));
    EXPECT_EQ(world.counterpart(one, world.lookup(last, "gun")), world.lookup(one, "gun"));
    EXPECT_EQ(world.counterpart(one, ship), one);
    EXPECT_EQ(world.counterpart(one, c), entity{});
}

TEST_F(prefabs, counterpart_is_the_nearest_of_several_kinds_of_a_part) {
    const entity spare = part_of_ship("a spare gun");
    world.add(spare, pair(is_a, gun));
    std::vector<entity> reversed = children_of(world, ship);
    std::ranges::reverse(reversed);
    world.reorder(ship, reversed);
    const entity variant = world.prefab();
    world.add(variant, pair(is_a, ship));
    const entity one = instance_of(variant);
    EXPECT_EQ(world.counterpart(one, gun), world.lookup(one, "gun"));
    EXPECT_EQ(world.counterpart(one, spare), world.lookup(one, "a spare gun"));
}

TEST_F(prefabs, instance_that_is_made_one_again_keeps_its_parts) {
    const entity one = instance_of(ship);
    const entity own = world.lookup(one, "gun");
    world.set(own, health{3});
    EXPECT_EQ(world.remove(one, pair(is_a, ship)), add_result::removed);
    EXPECT_EQ(children_of(world, one).size(), 2U) << "its parts are its own";
    EXPECT_TRUE(world.has(own, pair(is_a, gun)));
    world.despawn(world.lookup(one, "magazine"));
    world.add(gun, pair(likes, magazine));
    EXPECT_EQ(world.add(one, pair(is_a, ship)), add_result::added);
    EXPECT_EQ(children_of(world, one).size(), 2U);
    EXPECT_EQ(world.lookup(one, "gun"), own);
    EXPECT_EQ(world.get<health>(own).amount, 3);
    EXPECT_EQ(world.targets(own, likes), std::vector{world.lookup(one, "magazine")}) << "what it lacked";
}

TEST_F(prefabs, instance_of_a_variant_has_the_parts_of_the_variants_base_already) {
    const entity variant = world.prefab();
    world.add(variant, pair(is_a, ship));
    const entity one = instance_of(variant);
    EXPECT_EQ(world.add(one, pair(is_a, ship)), add_result::added);
    EXPECT_EQ(children_of(world, one).size(), 2U);
    EXPECT_EQ(world.sync(ship), 0U);
}

TEST_F(prefabs, part_that_is_a_kind_of_another_part_is_no_copy_of_that) {
    const entity spare = part_of_ship("a spare gun");
    world.add(spare, pair(is_a, gun));
    const entity one = instance_of(ship);
    world.despawn(world.lookup(one, "gun"));
    world.sync(ship);
    EXPECT_TRUE(world.lookup(one, "gun"));
    EXPECT_EQ(children_of(world, one).size(), 3U);
}

TEST_F(prefabs, child_that_is_a_kind_of_a_part_by_way_of_no_variant_is_no_copy_of_it) {
    const entity elsewhere = world.prefab();
    world.add(elsewhere, pair(is_a, gun));
    const entity one = world.spawn();
    const entity own = world.spawn();
    world.add(own, pair(child_of, one));
    world.add(own, pair(is_a, elsewhere));
    world.add(one, pair(is_a, ship));
    EXPECT_NE(world.lookup(one, "gun"), own);
    EXPECT_EQ(children_of(world, one).size(), 3U);
}

TEST_F(prefabs, part_of_a_variant_that_is_a_kind_of_its_copy_is_no_copy_of_the_part) {
    const entity variant = world.prefab();
    world.add(variant, pair(is_a, ship));
    const entity spare = world.spawn();
    world.add(spare, pair(child_of, variant));
    world.add(spare, pair(is_a, world.lookup(variant, "gun")));
    const entity one = instance_of(variant);
    world.despawn(world.lookup(one, "gun"));
    world.add(one, pair(is_a, ship));
    EXPECT_TRUE(world.has(world.lookup(one, "gun"), pair(is_a, gun)));
    EXPECT_EQ(children_of(world, one).size(), 3U);
}

TEST_F(prefabs, children_of_a_base_that_is_no_prefab_are_copied_as_well) {
    const entity part = world.spawn("part");
    world.add(part, pair(child_of, c));
    const entity one = instance_of(c);
    EXPECT_EQ(world.counterpart(one, part), world.lookup(one, "part"));
    EXPECT_EQ(world.query().with(pair(child_of, any)).count(), 2U) << "neither is passed over";
}

TEST_F(prefabs, pair_between_parts_is_not_inherited_besides) {
    world.add(likes, ecs::inheritable);
    world.add(gun, pair(likes, magazine));
    world.add(gun, pair(likes, c));
    const entity made = instance_of(ship);
    const entity copy = world.lookup(made, "gun");
    EXPECT_EQ(sorted(world.targets(copy, likes)), (sorted(std::vector{c, world.lookup(made, "magazine")})));
    EXPECT_FALSE(related(copy, magazine));
    EXPECT_EQ(world.query().with(pair(likes, magazine)).with(pair(is_a, gun)).count(), 0U);
    world.remove(copy, pair(likes, any));
    EXPECT_EQ(world.targets(copy, likes), std::vector{c});
    entity seen;
    world.query().with(pair(is_a, gun)).with(pair(likes, any)).each([&](entity e) { seen = e; });
    EXPECT_EQ(seen, copy);
    std::vector<entity> matched;
    world.query<ecs::matched>()
        .with(pair(likes, any))
        .with(pair(is_a, gun))
        .each([&](entity, ecs::matched m) { matched.push_back(m.target); });
    EXPECT_EQ(matched, std::vector{c});
}

TEST_F(prefabs, pair_between_a_part_and_the_whole_leads_to_the_instance) {
    world.add(gun, pair(likes, ship));
    world.add(ship, pair(likes, magazine));
    world.add(ship, pair(likes, ship));
    const entity made = instance_of(ship);
    EXPECT_EQ(world.targets(world.lookup(made, "gun"), likes), std::vector{made});
    EXPECT_EQ(sorted(world.targets(made, likes)),
              (sorted(std::vector{world.lookup(made, "magazine"), made})));
}

TEST_F(prefabs, pair_between_parts_keeps_its_value) {
    const entity docked = world.component<docking>();
    const docking value{4};
    world.set(gun, pair(docked, magazine), &value);
    const entity made = instance_of(ship);
    const void* const found =
        world.try_get(world.lookup(made, "gun"), pair(docked, world.lookup(made, "magazine")));
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(static_cast<const docking*>(found)->port, 4);
}

TEST_F(prefabs, pair_between_parts_follows_the_rules_of_its_relation) {
    for (const ecs::builtin property : {ecs::symmetric, ecs::non_fragmenting, ecs::exclusive}) {
        const entity relation = world.spawn();
        world.add(relation, property);
        world.add(gun, pair(relation, magazine));
        const entity made = instance_of(ship);
        const entity copy = world.lookup(made, "gun");
        EXPECT_EQ(world.targets(copy, relation), std::vector{world.lookup(made, "magazine")});
        EXPECT_EQ(world.has(world.lookup(made, "magazine"), pair(relation, copy)),
                  property == ecs::symmetric);
        world.despawn(made);
        EXPECT_EQ(world.targets(gun, relation), std::vector{magazine});
    }
}

TEST_F(prefabs, own_target_of_an_instance_is_not_replaced) {
    world.add(likes, ecs::exclusive);
    world.add(ship, pair(likes, gun));
    relate(a, c);
    world.add(a, pair(is_a, ship));
    EXPECT_EQ(world.targets(a, likes), std::vector{c});
}

TEST_F(prefabs, pair_between_parts_of_variants_and_nested_prefabs_leads_to_the_copy) {
    world.add(gun, pair(likes, magazine));
    const entity variant = world.prefab();
    world.add(variant, pair(is_a, ship));
    const entity fleet = world.prefab();
    const entity flagship = world.spawn("flagship");
    world.add(flagship, pair(child_of, fleet));
    world.add(flagship, pair(is_a, variant));
    world.add(flagship, pair(likes, fleet));
    const entity made = instance_of(fleet);
    const entity copy = world.lookup(made, "flagship");
    EXPECT_EQ(world.targets(copy, likes), std::vector{made});
    EXPECT_EQ(world.targets(world.lookup(copy, "gun"), likes), std::vector{world.lookup(copy, "magazine")});
}

TEST_F(prefabs, override_of_a_pair_between_parts_leads_to_the_copy) {
    const ecs::id stocked = pair(world.component<docking>(), magazine);
    world.add(gun, ecs::type_flags::auto_override | stocked);
    const entity made = instance_of(ship);
    EXPECT_EQ(world.targets(world.lookup(made, "gun"), world.component<docking>()),
              std::vector{world.lookup(made, "magazine")});
}

TEST_F(prefabs, part_that_ends_takes_the_pairs_of_its_instance_along) {
    world.add(gun, pair(likes, magazine));
    const entity made = instance_of(ship);
    ASSERT_FALSE(world.targets(world.lookup(made, "gun"), likes).empty());
    world.despawn(world.lookup(made, "magazine"));
    EXPECT_TRUE(world.targets(world.lookup(made, "gun"), likes).empty());
    EXPECT_EQ(world.targets(gun, likes), std::vector{magazine});
}

TEST_F(relations, loaded_world_goes_on_inheriting_what_is_kept_outside_tables) {
    const entity prefab = world.prefab(buff{5});
    world.add(a, pair(is_a, prefab));
    const std::vector<std::byte> saved = ecs::save(world);
    ecs::world loaded;
    std::ignore = loaded.component<buff>();
    ecs::load(loaded, saved);
    auto query = loaded.query<const buff>();
    ASSERT_EQ(query.count(), 1U);
    const entity heir = query.first();
    const entity from = loaded.target_of(heir, is_a);
    loaded.remove<buff>(from);
    EXPECT_EQ(query.count(), 0U);
    loaded.set(from, buff{6});
    EXPECT_EQ(query.count(), 1U);
    EXPECT_EQ(loaded.get<buff>(heir).strength, 6);
}

TEST_F(relations, nearest_base_that_has_what_is_kept_outside_tables_is_asked) {
    const entity far = world.prefab(buff{5});
    const entity near = world.prefab();
    world.add(near, pair(is_a, far));
    world.add(a, pair(is_a, near));
    auto query = world.query<const buff>();
    const auto strength = [&] { return std::get<const buff&>(query.get(a)).strength; };
    EXPECT_EQ(strength(), 5);
    world.set(near, buff{6});
    EXPECT_EQ(strength(), 6) << "a kept query learns that the variant has one now";
    world.remove<buff>(near);
    EXPECT_EQ(strength(), 5);
    EXPECT_EQ(world.get<buff>(a).strength, 5);
}

TEST_F(relations, part_of_a_prefab_has_its_counterpart_in_each_instance) {
    const entity ship = world.prefab(), gun = world.prefab(), barrel = world.prefab();
    world.add(gun, pair(child_of, ship));
    world.add(barrel, pair(child_of, gun));
    for (const entity instance : {a, b}) {
        world.add(instance, pair(is_a, ship));
        const entity copy = world.counterpart(instance, barrel);
        EXPECT_EQ(world.parent(world.parent(copy)), instance);
        EXPECT_EQ(world.counterpart(instance, gun), world.parent(copy));
        EXPECT_EQ(world.counterpart(instance, ship), instance);
    }
    EXPECT_FALSE(world.counterpart(c, gun) || world.counterpart({}, gun) || world.counterpart(a, {}));
}

struct rank {
    int of;
};

TEST(instances, of_several_bases_have_the_value_of_the_one_with_the_lowest_index) {
    ecs::world world(ecs::id_space{.first = 1000, .last = 1010});
    for (int times = 0; times < 20; ++times) {
        const entity low = world.spawn(rank{1}), high = world.spawn(rank{2});
        ASSERT_LT(low.index(), high.index());
        const entity instance = world.spawn(pair(is_a, low), pair(is_a, high));
        EXPECT_EQ(world.get<rank>(instance).of, 1) << low.generation() << ' ' << high.generation();
        world.despawn(instance);
        world.despawn(high); // The next time its index comes second again, under a later generation.
        world.despawn(low);
        if (times % 3 == 0) world.despawn(world.spawn());
    }
}

struct leads_to {
    static constexpr auto properties = ecs::properties(ecs::acyclic, ecs::inheritable);
};
struct marked_by {
    static constexpr auto properties = ecs::properties(ecs::inheritable);
};

TEST(instances, lose_with_their_base_what_ends_also_for_kept_queries) {
    ecs::world world;
    const entity target = world.spawn(), burning = world.spawn();
    const entity base = world.spawn(burning), heir = world.spawn(health{1}, pair(is_a, base));
    world.add<marked_by>(base, target);
    auto marked = world.query<const health>().with(pair(world.component<marked_by>(), ecs::any));
    auto unmarked = world.query<const health>().without(pair(world.component<marked_by>(), ecs::any));
    auto cold = world.query<const health>().without(burning);
    const auto counts = [&] { return std::array{marked.count(), unmarked.count(), cold.count()}; };
    EXPECT_EQ(counts(), (std::array<std::size_t, 3>{1, 0, 0}));
    world.despawn(target);
    EXPECT_EQ(counts(), (std::array<std::size_t, 3>{0, 1, 0}));
    EXPECT_FALSE(marked.contains(heir));
    world.despawn(burning);
    EXPECT_EQ(counts(), (std::array<std::size_t, 3>{0, 1, 1}));
}

struct knows {
    static constexpr auto properties = ecs::properties(ecs::inheritable);
    int years = 0;
};

/// An heir has two pairs of a relation, both from one base or each from its own.
class heirs_of_pairs : public testing::TestWithParam<bool> {
  protected:
    ecs::world world;
    entity bob = world.spawn("bob"), eve = world.spawn("eve");
    entity first = world.spawn("first"), second = GetParam() ? world.spawn("second") : first;
    entity heir = world.spawn("heir");

    heirs_of_pairs() {
        world.set<knows>(first, bob, {5});
        world.set<knows>(second, eve, {50});
        world.add(heir, pair(is_a, first));
        world.add(heir, pair(is_a, second));
    }
};

INSTANTIATE_TEST_SUITE_P(bases, heirs_of_pairs, testing::Bool());

TEST_P(heirs_of_pairs, texts_hand_out_the_pair_of_each_match) {
    std::set<std::tuple<entity, entity, int>> seen;
    world.query("[inout] (knows, *)").each([&](const ecs::text_match& m) {
        if (m.subject() != heir) return;
        seen.emplace(world.target_of(m.word(0)), m.source(0), m.get<knows>(0).years);
        m.get<knows>(0).years += 100;
    });
    EXPECT_EQ(seen, (std::set{std::tuple{bob, first, 5}, std::tuple{eve, second, 50}}));
    EXPECT_EQ(world.get<knows>(first, bob).years, 105);
    EXPECT_EQ(world.get<knows>(second, eve).years, 150);
}

TEST_P(heirs_of_pairs, have_the_values_that_are_passed_on_and_no_others) {
    const entity part = world.spawn(pair(ecs::child_of, first));
    world.add(first, ecs::prefab_tag);
    world.remove<knows>(first, bob);
    world.set<knows>(first, part, {1}); // Stays within the prefab.
    EXPECT_FALSE(world.has<knows>(heir, part));
    EXPECT_EQ((world.get<ecs::pair_of<knows, ecs::wildcard>>(heir).years), 50);
    EXPECT_EQ(static_cast<const knows*>(world.try_get(heir, pair(world.component<knows>(), ecs::any)))->years,
              50);
}

/// The nearest base has a pair without a value.
TEST(instances, find_the_value_of_a_pattern_behind_a_pair_without_one) {
    ecs::world world;
    const entity relation = world.spawn(ecs::inheritable), target = world.spawn();
    const entity first = world.spawn(pair(relation, target)), second = world.spawn();
    world.set<health>(second, {});
    world.add(second, pair(relation, world.component<health>()));
    const entity heir = world.spawn(pair(is_a, first), pair(is_a, second));
    auto* const value =
        static_cast<health*>(world.try_get(second, pair(relation, world.component<health>())));
    ASSERT_NE(value, nullptr);
    value->amount = 7;
    EXPECT_EQ(world.try_get(heir, pair(relation, ecs::any)), value);
}

struct loyal_to {
    static constexpr auto properties = ecs::properties(ecs::inheritable, ecs::non_fragmenting);
    int years = 0;
};

TEST(instances, with_a_target_of_their_own_in_a_column_do_not_have_that_of_the_base) {
    ecs::world world;
    const entity bob = world.spawn("bob"), eve = world.spawn("eve"), base = world.spawn("base");
    world.set<loyal_to>(base, bob, {5});
    const entity heir = world.spawn(pair(is_a, base));
    const auto targets = [&] {
        std::vector<entity> found;
        world.query<const ecs::matched>()
            .with(pair(world.component<loyal_to>(), ecs::any))
            .each([&](entity e, const ecs::matched& m) {
                if (e == heir) found.push_back(m.target);
            });
        return found;
    };
    EXPECT_EQ(targets(), std::vector{bob});
    std::vector<ecs::id> words;
    world.query("(loyal_to, *)").each([&](const ecs::text_match& m) {
        if (m.subject() != heir) return;
        words.push_back(m.word(0));
        EXPECT_EQ(m.get<const loyal_to>(0).years, 5);
    });
    EXPECT_EQ(words, std::vector{pair(world.component<loyal_to>(), bob)});
    world.set<loyal_to>(heir, eve, {6});
    EXPECT_EQ(targets(), std::vector{eve});
    int visits = 0;
    world.query<const ecs::pair_of<loyal_to, ecs::wildcard>>().each(
        [&](entity e, const loyal_to&) { visits += e == heir; });
    EXPECT_EQ(visits, 1);
}

TEST(instances, show_what_changed_at_each_of_their_bases) {
    ecs::world world;
    const entity x = world.spawn(), y = world.spawn(), first = world.spawn(), second = world.spawn();
    world.set<knows>(first, x, {1});
    world.set<knows>(second, y, {1});
    const entity heir = world.spawn(pair(is_a, first), pair(is_a, second));
    auto changed = world.query().changed(pair(world.component<knows>(), ecs::any));
    const auto sees_heir = [&] {
        bool sees = false;
        changed.each([&](entity e) { sees = sees || e == heir; });
        return sees;
    };
    EXPECT_TRUE(sees_heir());
    EXPECT_FALSE(sees_heir());
    world.set<knows>(second, y, {2});
    EXPECT_TRUE(sees_heir());
    world.set<knows>(first, x, {2});
    EXPECT_TRUE(sees_heir());
    EXPECT_FALSE(sees_heir());
}

TEST(instances, of_a_part_of_theirs_close_no_cycle_when_the_part_leaves) {
    ecs::world world;
    const entity whole = world.prefab(), part = world.spawn();
    world.add(part, pair(ecs::child_of, whole));
    world.add<leads_to>(part, whole);
    EXPECT_EQ(world.add(whole, pair(is_a, part)), add_result::would_make_a_cycle);
    const entity other = world.prefab(), kind = world.spawn(pair(ecs::child_of, other));
    EXPECT_EQ(world.add(other, pair(is_a, kind)), add_result::added);
    EXPECT_EQ(world.add<leads_to>(kind, other), add_result::would_make_a_cycle);
}

/// What instances may have of a base, wherever it is kept.
struct own {
    int value = 0;
};
struct drawn {
    int value = 0;
};
struct marked {};
struct glow {
    static constexpr auto kept_in = ecs::storage::in_place;
    int value = 0;
};

TEST(instances, do_not_have_what_has_ended_when_a_base_gets_what_has_its_index) {
    ecs::world world;
    const ecs::entity ended = world.component({.name = "ended", .size = 4});
    auto with = world.query().with(ended);
    auto without = world.query().with<own>().without(ended);
    world.despawn(ended);
    ecs::entity next{};
    for (int i = 0; next.index() != ended.index(); ++i)
        next = world.component({.name = "next" + std::to_string(i), .size = 4});
    const ecs::entity base = world.spawn(), instance = world.spawn(own{1}, ecs::pair(ecs::is_a, base));
    world.add(base, next);
    EXPECT_TRUE(world.has(instance, next));
    EXPECT_NE(world.try_get(instance, next), nullptr);
    EXPECT_FALSE(world.has(instance, ended));
    EXPECT_EQ(world.try_get(instance, ended), nullptr);
    EXPECT_EQ(with.count(), 0U);
    EXPECT_EQ(without.count(), 1U);
}

/// Instances of two bases, some of which have values of their own.
struct heirs_in_loops : testing::Test {
    heirs_in_loops() {
        ecs::entity bases[]{world.prefab(drawn{10}, marked{}, buff{1}, glow{2}), world.prefab(drawn{20})};
        for (const auto word : {world.component<drawn>(), world.component<marked>(), world.component<buff>(),
                                world.component<glow>()})
            world.add(word, ecs::inheritable);
        for (int i = 0; i < 300; ++i) {
            const ecs::entity e = world.spawn(own{i}, ecs::pair(ecs::is_a, bases[i % 2]));
            if (i % 7 == 0) world.set(e, drawn{i});
            if (i % 11 == 0) world.set(e, glow{i});
            if (i % 13 == 0) world.set(e, buff{i});
        }
    }

    /// Compares what a loop hands out with what the entities have.
    void expect_as_asked_one_by_one() {
        auto asked = world.query<const own, const drawn, const marked*, const glow*>();
        std::size_t rows = 0;
        asked.each([&](entity e, const own& mine, const drawn& shown, const marked* tag, const glow* light) {
            ++rows;
            ASSERT_EQ(mine.value, world.get<own>(e).value);
            ASSERT_EQ(shown.value, world.get<drawn>(e).value);
            ASSERT_EQ(tag != nullptr, world.has<marked>(e));
            ASSERT_EQ(light != nullptr, world.has<glow>(e));
            if (light) ASSERT_EQ(light->value, world.get<glow>(e).value);
        });
        EXPECT_EQ(rows, asked.count());
        EXPECT_EQ(rows, asked.entities().size());
    }

    ecs::world world;
};

TEST_F(heirs_in_loops, have_each_value_where_it_is) {
    expect_as_asked_one_by_one();
    world.disable<drawn>(world.query<const own, const drawn>().first());
    expect_as_asked_one_by_one();
}

TEST_F(heirs_in_loops, are_filtered_like_others) {
    int sum = 0;
    world.query<const own, const drawn>().with<buff>().without<glow>().each(
        [&](ecs::entity e, const own&, const drawn& d) {
            EXPECT_TRUE(world.has<buff>(e));
            EXPECT_FALSE(world.has<glow>(e));
            sum += d.value;
        });
    int expected = 0;
    world.query<const own>().each([&](ecs::entity e, const own&) {
        if (world.has<buff>(e) && !world.has<glow>(e)) expected += world.get<drawn>(e).value;
    });
    EXPECT_EQ(sum, expected);
    EXPECT_NE(sum, 0);
}

} // namespace
} // namespace instances_test
