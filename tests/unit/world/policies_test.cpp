// SPDX-License-Identifier: MIT
// What the end of a target, a relation or a component does to those who have it.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

import ecs.world;

#include "relations.hpp"

namespace policies_test {
namespace {

struct sparse_mark {
    static constexpr auto kept_in = ecs::storage::sparse;
    int number = 1;
};
struct bit_mark {
    static constexpr auto kept_in = ecs::storage::bits;
};

// Ends.

TEST_F(relations, target_that_ends_takes_its_pairs_along_by_default) {
    relate(a, b);
    relate(c, b);
    world.despawn(b);
    EXPECT_FALSE(world.has(a, pair(likes, any)) || world.has(c, pair(likes, any)));
    EXPECT_TRUE(world.alive(a) && world.alive(c));
}

TEST_F(relations, sources_end_with_their_target_when_the_policy_says_so) {
    world.add(likes, pair(ecs::on_delete_target, ecs::delete_it));
    relate(a, b);
    relate(b, c);
    world.despawn(c);
    EXPECT_FALSE(world.alive(a) || world.alive(b));
    EXPECT_TRUE(world.alive(likes));
}

struct kept_with_its_target {
    static constexpr auto properties = ecs::properties(ecs::pair(ecs::on_delete_target, ecs::refuse_it));
};

/// Here a type declares it, where the file was made nobody did.
TEST_F(relations, policy_that_a_type_declares_is_not_the_files) {
    const std::string name(ecs::type_name<kept_with_its_target>);
    const entity relation = world.component({.name = name});
    world.add(relation, pair(ecs::on_delete_target, ecs::delete_it));
    world.add(a, pair(relation, b));
    const std::vector<std::byte> saved = ecs::save(world);
    ecs::world again;
    again.component<kept_with_its_target>();
    EXPECT_THROW(ecs::load(again, saved), ecs::snapshot_error);
    const entity source = again.spawn(), target = again.spawn();
    again.add<kept_with_its_target>(source, target);
    EXPECT_FALSE(again.despawn(target));
}

TEST_F(relations, orphans_keep_their_names_where_nobody_else_has_them) {
    world.add(ecs::child_of, pair(ecs::on_delete_target, ecs::remove_it));
    world.set_name(a, "taken");
    for (const char* const text : {"taken", "free", "taken"}) {
        const entity parent = world.spawn();
        const entity child = world.spawn(text, pair(ecs::child_of, parent));
        world.despawn(parent);
        EXPECT_EQ(world.name_of(child), text == std::string_view("free") ? "free" : "");
    }
    EXPECT_EQ(world.lookup("taken"), a);
    ecs::world again;
    ecs::load(again, ecs::save(world));
    EXPECT_EQ(again.lookup("free").index(), world.lookup("free").index());
    const entity parent = again.spawn(), child = again.spawn(pair(ecs::child_of, parent));
    again.despawn(parent);
    EXPECT_TRUE(again.alive(child)) << "the policy of a built-in relation is part of the file";
}

TEST_F(relations, ring_of_sources_ends_as_a_whole) {
    world.add(likes, pair(ecs::on_delete_target, ecs::delete_it));
    relate(a, b);
    relate(b, c);
    relate(c, a);
    relate(c, c);
    EXPECT_TRUE(world.despawn(b));
    EXPECT_FALSE(world.alive(a) || world.alive(b) || world.alive(c));
}

TEST_F(relations, end_is_refused_while_a_protected_source_stays) {
    world.add(likes, pair(ecs::on_delete_target, ecs::refuse_it));
    relate(a, b);
    EXPECT_EQ(world.despawn(b).reason(), add_result::kept_by_policy);
    EXPECT_EQ(to_string(world.despawn(b)), to_string(add_result::kept_by_policy));
    EXPECT_TRUE(world.alive(b) && related(a, b));
    world.add(b, pair(child_of, c));
    EXPECT_FALSE(world.despawn(c)) << "nothing ends when something that would end with it may not";
    EXPECT_TRUE(world.alive(b) && world.alive(c));
    world.remove(a, pair(likes, b));
    EXPECT_EQ(world.despawn(c).reason(), add_result::removed);
    EXPECT_EQ(world.despawn(c).reason(), add_result::not_alive);
}

TEST_F(relations, end_of_what_the_world_needs_is_refused) {
    const entity needed = world.component_named("child_of");
    EXPECT_EQ(world.despawn(needed).reason(), add_result::is_built_in);
    EXPECT_TRUE(world.alive(needed));
}

TEST_F(relations, end_that_an_observer_asks_for_is_deferred) {
    add_result said = add_result::removed;
    world.observe(ecs::event::added, likes, [&](entity) { said = world.despawn(b).reason(); });
    world.add(a, likes);
    EXPECT_EQ(said, add_result::deferred);
    EXPECT_FALSE(world.alive(b));
}

TEST_F(relations, relation_that_ends_leaves_no_pair) {
    relate(a, b);
    world.despawn(likes);
    EXPECT_FALSE(world.has(a, pair(any, any)));
    const std::size_t tables = world.rows().tables().size();
    const entity again = world.spawn();
    EXPECT_NE(again.index(), likes.index()) << "the index of a relation is not used again";
    EXPECT_EQ(world.rows().tables().size(), tables);
}

TEST_F(relations, relation_that_ends_takes_its_holders_along_when_the_policy_says_so) {
    world.add(likes, pair(ecs::on_delete, ecs::delete_it));
    relate(a, b);
    world.despawn(likes);
    EXPECT_FALSE(world.alive(a));
    EXPECT_TRUE(world.alive(b));
}

TEST_F(relations, relation_that_is_its_own_target_ends_like_any_other) {
    world.add(likes, pair(likes, likes));
    relate(a, likes);
    EXPECT_TRUE(world.despawn(likes));
    EXPECT_FALSE(world.has(a, pair(any, any)));
}

TEST_F(relations, nothing_is_left_of_a_thousand_relations_that_ended) {
    relate(a, b);
    world.remove(a, pair(likes, b));
    world.despawn(world.spawn());
    const std::size_t tables = world.rows().tables().size();
    for (int i = 0; i < 1000; ++i) {
        const entity target = world.spawn();
        relate(a, target);
        world.add(target, pair(likes, target));
        world.despawn(target);
    }
    EXPECT_EQ(world.rows().tables().size(), tables);
    EXPECT_FALSE(world.has(a, pair(any, any)));
}

TEST_F(relations, end_of_a_component_outside_tables_follows_its_policy) {
    for (const entity component : {world.component<sparse_mark>(), world.component<bit_mark>()}) {
        const entity e = world.spawn();
        world.add(e, component);
        world.add(component, pair(ecs::on_delete, ecs::refuse_it));
        EXPECT_FALSE(world.despawn(component));
        world.add(component, pair(ecs::on_delete, ecs::delete_it));
        EXPECT_TRUE(world.despawn(component));
        EXPECT_FALSE(world.alive(e));
    }
}

TEST_F(relations, relation_that_an_observer_of_its_pair_ends_leaves_no_pair) {
    for (const bool in_column : {false, true}) {
        const entity relation = world.spawn();
        if (in_column) world.add(relation, ecs::non_fragmenting);
        for (const ecs::event what : {ecs::event::added, ecs::event::removed})
            world.observe(what, pair(relation, any), [this, relation] { world.despawn(relation); });
        world.add(a, pair(relation, b));
        EXPECT_FALSE(world.alive(relation));
        EXPECT_FALSE(world.has(a, pair(any, any)));
    }
}

TEST_F(relations, target_and_source_that_observers_of_their_pair_end_are_gone) {
    for (const bool in_column : {false, true}) {
        const entity relation = world.spawn(), source = world.spawn(), target = world.spawn();
        if (in_column) world.add(relation, ecs::non_fragmenting);
        world.observe(ecs::event::added, pair(relation, any), [this, target] { world.despawn(target); });
        world.observe(ecs::event::removed, pair(relation, any), [this, source] { world.despawn(source); });
        world.add(source, pair(relation, target));
        EXPECT_FALSE(world.alive(source) || world.alive(target));
        EXPECT_FALSE(world.query().with(pair(relation, any)).first());
    }
}

TEST_F(relations, commands_of_a_loop_end_the_relation_and_the_targets_that_it_walks_over) {
    world.add(likes, pair(ecs::on_delete_target, ecs::delete_it));
    relate(a, b);
    relate(b, c);
    relate(c, a);
    auto commands = world.commands();
    world.query().with(pair(likes, any)).each([&](entity e) {
        commands.despawn(e);
        commands.despawn(likes);
    });
    world.flush();
    EXPECT_FALSE(world.alive(a) || world.alive(b) || world.alive(c) || world.alive(likes));
}

TEST_F(relations, pair_that_was_kept_stands_for_nothing_when_its_index_has_another_owner) {
    relate(a, b);
    auto kept_query = world.query().with(pair(likes, b));
    const ecs::id kept = pair(likes, b);
    world.despawn(b);
    const entity heir = world.spawn();
    ASSERT_EQ(heir.index(), b.index());
    relate(a, heir);
    EXPECT_FALSE(world.has(a, kept));
    EXPECT_EQ(kept_query.count(), 0U);
    EXPECT_EQ(world.add(a, kept), add_result::not_alive_id);
    EXPECT_EQ(world.remove(a, kept), add_result::not_there);
    EXPECT_FALSE(world.target_of(kept));
    EXPECT_TRUE(world.has(a, pair(likes, heir)));
}

} // namespace
} // namespace policies_test
