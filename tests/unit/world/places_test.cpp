// SPDX-License-Identifier: MIT
// The laws of relation_only and target_only: an entity has one place in pairs and no other, however a pair
// would come about.
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

import ecs.world;

#include "relations.hpp"

namespace places_test {
namespace {

using ecs::relation_only;
using ecs::target_only;

struct eats {
    static constexpr auto properties = ecs::properties(ecs::relation_only);
};
struct apples {
    static constexpr auto properties = ecs::properties(ecs::target_only);
};
struct pears {
    int count = 1;
};
struct moored {
    static constexpr auto properties = ecs::properties(ecs::non_fragmenting, ecs::relation_only);
    int ropes = 0;
};
struct aside {
    static constexpr auto kept_in = ecs::storage::sparse;
    int depth = 1;
};

using places = relations;

TEST_F(places, relation_only_stands_neither_alone_nor_as_a_target) {
    EXPECT_EQ(world.add(likes, relation_only), add_result::added);
    EXPECT_EQ(world.add(a, likes), add_result::needs_target);
    EXPECT_EQ(world.add(a, ecs::type_flags::auto_override | ecs::id(likes)), add_result::needs_target);
    EXPECT_EQ(world.add(a, pair(b, likes)), add_result::is_relation_only);
    EXPECT_EQ(world.add(a, ecs::type_flags::auto_override | pair(b, likes)), add_result::is_relation_only);
    EXPECT_EQ(world.add(a, pair(child_of, likes)), add_result::is_relation_only);
    EXPECT_EQ(world.add(a, pair(is_a, likes)), add_result::is_relation_only);
    EXPECT_TRUE(world.ids(a).empty());
    EXPECT_EQ(relate(a, b), add_result::added);
    EXPECT_EQ(world.add(a, ecs::value_pair(likes, 3)), add_result::added);
    EXPECT_EQ(world.add(likes, pair(b, a)), add_result::added) << "what it has itself is another matter";
}

TEST_F(places, relation_only_is_a_target_of_properties) {
    const entity loves = world.spawn();
    world.add(likes, relation_only);
    EXPECT_EQ(world.add(loves, pair(ecs::with, likes)), add_result::added);
    const entity hates = world.spawn();
    EXPECT_EQ(world.add(hates, pair(ecs::excludes, likes)), add_result::added);
    EXPECT_EQ(world.add(a, pair(loves, b)), add_result::added);
    EXPECT_TRUE(related(a, b));
    EXPECT_EQ(world.add(a, loves), add_result::needs_target) << "what comes along may not stand alone";
}

TEST_F(places, target_only_stands_neither_alone_nor_as_a_relation) {
    EXPECT_EQ(world.add(b, target_only), add_result::added);
    EXPECT_EQ(world.add(a, b), add_result::is_target_only);
    EXPECT_EQ(world.add(a, ecs::type_flags::user_1 | ecs::id(b)), add_result::is_target_only);
    EXPECT_EQ(world.add(a, pair(b, c)), add_result::is_target_only);
    EXPECT_EQ(world.add(a, ecs::value_pair(b, 1)), add_result::is_target_only);
    int object = 0;
    EXPECT_EQ(world.link(a, b, object), add_result::is_target_only);
    EXPECT_TRUE(world.ids(a).empty());
    EXPECT_EQ(relate(a, b), add_result::added);
    EXPECT_EQ(world.add(a, pair(child_of, b)), add_result::added);
}

TEST_F(places, hold_when_the_way_to_the_table_is_known) {
    const entity ship = world.spawn(), crate = world.spawn(pair(child_of, ship));
    world.remove(crate, pair(child_of, ship));
    world.add(ship, relation_only);
    EXPECT_EQ(world.add(a, pair(child_of, ship)), add_result::is_relation_only);
    const entity other = world.spawn(), known = world.spawn(pair(child_of, other));
    EXPECT_EQ(world.add(a, pair(child_of, ship)), add_result::is_relation_only);
    EXPECT_EQ(world.add(a, pair(child_of, known)), add_result::added);
    world.remove(a, pair(child_of, known));
    EXPECT_THROW(world.spawn_children(ship, 2, pears{}), std::invalid_argument);
    EXPECT_TRUE(world.children(ship).empty());
    world.add(b, c);
    world.remove(b, c);
    world.add(c, target_only);
    EXPECT_EQ(world.add(a, c), add_result::is_target_only);
    world.remove(c, target_only);
    EXPECT_EQ(world.add(a, c), add_result::added);
}

TEST_F(places, hold_for_values) {
    world.add(world.component<pears>(), target_only);
    world.add(world.component<aside>(), target_only);
    EXPECT_EQ(world.set(a, pears{2}), add_result::is_target_only);
    EXPECT_EQ(world.add<aside>(a), add_result::is_target_only);
    EXPECT_EQ(world.set(a, aside{2}), add_result::is_target_only);
    EXPECT_EQ(world.edit(a).add(c).set(pears{2}).commit(), add_result::is_target_only);
    EXPECT_TRUE(world.ids(a).empty());
    EXPECT_EQ((world.set<ecs::pair_of<eats, pears>>(a, pears{2})), add_result::added);
    EXPECT_EQ((world.get<ecs::pair_of<eats, pears>>(a).count), 2);
}

TEST_F(places, hold_for_entities_that_are_spawned) {
    world.add(world.component<pears>(), target_only);
    const std::size_t before = world.entities().size();
    EXPECT_THROW(world.spawn(pears{}), std::invalid_argument);
    EXPECT_THROW(world.spawn_n(3, pears{}), std::invalid_argument);
    EXPECT_EQ(world.entities().size(), before);
    auto commands = world.commands();
    const entity made = commands.spawn(pears{});
    commands.add(a, world.component<pears>());
    EXPECT_THROW(world.flush(), ecs::flush_error);
    EXPECT_FALSE(world.alive(made));
    EXPECT_TRUE(world.ids(a).empty());
}

TEST_F(places, bare_relation_is_not_spawned_by_commands) {
    world.add(world.component<pears>(), ecs::exclusive);
    auto commands = world.commands();
    const entity made = commands.spawn(pears{});
    EXPECT_THROW(world.flush(), ecs::flush_error);
    EXPECT_FALSE(world.alive(made));
}

TEST_F(places, hold_for_mirror_images) {
    world.add(likes, ecs::symmetric);
    const entity owns = world.spawn(), knows = world.spawn();
    world.add(owns, relation_only);
    world.add(likes, pair(ecs::with, knows));
    EXPECT_EQ(relate(owns, a), add_result::is_relation_only);
    EXPECT_FALSE(related(owns, a) || related(a, owns));
    EXPECT_FALSE(world.has(owns, pair(knows, a))) << "what would have come along did not";
}

TEST_F(places, are_not_declared_of_what_is_used_otherwise) {
    const entity one = world.spawn(), other = world.spawn();
    const auto declared = [&](ecs::builtin property) {
        const add_result result = world.add(one, property);
        world.remove(one, property);
        return result;
    };
    const auto each_with = [&](ecs::id word, add_result relation, add_result target) {
        ASSERT_EQ(world.add(a, word), add_result::added);
        EXPECT_EQ(declared(relation_only), relation) << ecs::to_string(word);
        EXPECT_EQ(declared(target_only), target) << ecs::to_string(word);
        world.remove(a, word);
        EXPECT_EQ(declared(relation_only), add_result::added);
        EXPECT_EQ(declared(target_only), add_result::added);
    };
    const add_result used = add_result::relation_in_use, free = add_result::added;
    each_with(one, used, used);
    each_with(ecs::type_flags::user_1 | ecs::id(one), used, used);
    each_with(pair(one, other), free, used);
    each_with(ecs::value_pair(one, 3), free, used);
    each_with(pair(other, one), used, free);
    each_with(ecs::type_flags::user_1 | pair(other, one), used, free);
    each_with(pair(child_of, one), used, free);
    each_with(pair(ecs::with, one), free, free);
    const entity sparse = world.component<aside>();
    world.add<aside>(a);
    EXPECT_EQ(world.add(sparse, relation_only), add_result::relation_in_use);
    EXPECT_EQ(world.add(sparse, target_only), add_result::relation_in_use);
}

// A relation that were had alone as well would have a column for two things.
TEST_F(places, properties_of_relations_are_not_declared_of_what_is_had_alone) {
    for (const ecs::builtin property :
         {ecs::exclusive, ecs::transitive, ecs::symmetric, ecs::reflexive, ecs::acyclic, ecs::non_fragmenting,
          ecs::relation_only, ecs::single_source}) {
        const entity one = world.spawn();
        world.add(a, one);
        EXPECT_EQ(world.add(one, property), add_result::relation_in_use) << property.index();
        world.remove(a, one);
        EXPECT_EQ(world.add(one, property), add_result::added) << property.index();
        EXPECT_EQ(world.add(a, one), add_result::needs_target) << property.index();
    }
    world.set(a, pears{3});
    EXPECT_EQ(world.add(world.component<pears>(), ecs::non_fragmenting), add_result::relation_in_use);
    EXPECT_EQ(world.set<pears>(a, b, pears{5}), add_result::added);
    EXPECT_EQ(world.get<pears>(a).count, 3);
}

TEST_F(places, contradict_each_other_and_what_only_a_relation_has) {
    world.add(a, relation_only);
    EXPECT_EQ(world.add(a, target_only), add_result::contradiction);
    EXPECT_EQ(world.add(a, ecs::exclusive), add_result::added);
    world.add(b, target_only);
    EXPECT_EQ(world.add(b, relation_only), add_result::contradiction);
    EXPECT_EQ(world.add(b, ecs::transitive), add_result::contradiction);
    EXPECT_EQ(world.add(b, pair(ecs::on_delete_target, ecs::delete_it)), add_result::contradiction);
    world.add(c, ecs::symmetric);
    EXPECT_EQ(world.add(c, target_only), add_result::contradiction);
}

TEST_F(places, end_with_the_entity_and_when_they_are_taken_back) {
    world.add(likes, relation_only);
    world.remove(likes, relation_only);
    EXPECT_EQ(world.add(a, pair(b, likes)), add_result::added);
    for (int i = 0; i < 3; ++i) {
        const entity fruit = world.spawn();
        world.add(fruit, target_only);
        EXPECT_EQ(world.add(a, fruit), add_result::is_target_only);
        world.despawn(fruit);
    }
    EXPECT_EQ(world.add(a, world.spawn()), add_result::added);
}

TEST_F(places, relation_among_the_parts_of_a_prefab_has_no_copies) {
    const entity ship = world.prefab(), part = world.spawn(pair(child_of, ship));
    world.add(likes, pair(child_of, ship));
    world.add(likes, relation_only);
    const entity instance = world.spawn(pair(is_a, ship));
    EXPECT_EQ(world.children(instance).size(), 1U);
    EXPECT_TRUE(world.counterpart(instance, part));
    EXPECT_FALSE(world.counterpart(instance, likes));
}

TEST_F(places, are_declared_on_types) {
    EXPECT_TRUE(world.has(world.component<eats>(), relation_only));
    EXPECT_TRUE(world.has(world.component<apples>(), target_only));
    EXPECT_EQ((world.add<ecs::pair_of<eats, apples>>(a)), add_result::added);
    EXPECT_EQ(world.add<eats>(a, b), add_result::added);
    EXPECT_EQ(world.add(a, world.component<apples>()), add_result::is_target_only);
    EXPECT_EQ(world.add(a, pair(likes, world.component<eats>())), add_result::is_relation_only);
}

TEST_F(places, are_part_of_a_saved_world) {
    world.add(likes, relation_only);
    world.add(b, target_only);
    world.set_name(likes, "likes");
    world.set_name(b, "b");
    relate(a, b);
    ecs::world other;
    load(other, save(world));
    const entity e = other.spawn(), relation = other.lookup("likes"), target = other.lookup("b");
    EXPECT_EQ(other.add(e, pair(target, e)), add_result::is_target_only);
    EXPECT_EQ(other.add(e, pair(e, relation)), add_result::is_relation_only);
    EXPECT_EQ(other.add(e, pair(child_of, relation)), add_result::is_relation_only);
    EXPECT_EQ(other.add(e, pair(relation, target)), add_result::added);
}

TEST_F(places, values_beside_targets_in_a_column_are_part_of_a_saved_world) {
    const entity ship = world.spawn("ship"), quay = world.spawn("quay");
    ASSERT_EQ(world.set<moored>(ship, quay, {2}), add_result::added);
    ecs::world other;
    other.component<moored>();
    load(other, save(world));
    EXPECT_EQ(other.get<moored>(other.lookup("ship"), other.lookup("quay")).ropes, 2);
}

TEST_F(places, world_in_which_one_has_another_place_is_not_loaded) {
    struct stays {};
    const entity known = world.component<stays>();
    const auto is_loaded_into = [&](ecs::builtin property) {
        ecs::world other;
        other.add(other.component<stays>(), property);
        try {
            load(other, save(world));
            return true;
        } catch (const ecs::snapshot_error&) {
            return false;
        }
    };
    for (const ecs::id word : {ecs::id(known), pair(known, b), pair(b, known), pair(child_of, known)}) {
        world.add(a, word);
        const bool as_relation = word == pair(known, b);
        const bool as_target = word != ecs::id(known) && !as_relation;
        EXPECT_EQ(is_loaded_into(relation_only), as_relation) << ecs::to_string(word);
        EXPECT_EQ(is_loaded_into(target_only), as_target) << ecs::to_string(word);
        world.remove(a, word);
    }
}

TEST_F(places, refusals_say_why) {
    EXPECT_EQ(ecs::to_string(add_result::is_relation_only),
              "the target is relation_only: it can only be a relation");
    EXPECT_EQ(ecs::to_string(add_result::is_target_only),
              "it is target_only: it can only be the target of a pair");
}

} // namespace
} // namespace places_test
