// SPDX-License-Identifier: MIT
// An index gets other owners. What was asked, or known, of one of them is not said of the next.
#include <gtest/gtest.h>
#include <string>
#include <vector>
import ecs.world;

namespace later_owners_test {
namespace {

using ecs::add_result;
using ecs::entity;
using ecs::pair;

struct place {
    int size = 0;
};
struct within {
    static constexpr auto properties = ecs::properties(ecs::transitive, ecs::reflexive);
};

TEST(later_owners, of_a_source_s_index_are_not_found_by_a_transitive_relation) {
    ecs::world world;
    const entity house = world.spawn(place{100});
    auto inside = world.query().with(world.pair_to<within>(house));
    const entity room = world.spawn(place{10});
    world.add<within>(room, house);
    ASSERT_EQ(inside.count(), 2);
    world.despawn(room);
    const entity castle = world.spawn(place{1000});
    ASSERT_EQ(castle.index(), room.index());
    EXPECT_EQ(inside.entities(), std::vector{house});
    world.despawn(inside);
    EXPECT_TRUE(world.alive(castle));
}

TEST(later_owners, of_an_instance_s_index_are_no_instances) {
    ecs::world world;
    const entity tree = world.spawn(place{1}), rock = world.spawn(place{2}), other = world.spawn();
    world.add(other, pair(ecs::is_a, rock));
    auto trees = world.query().with(pair(ecs::is_a, tree));
    const entity oak = world.spawn();
    world.add(oak, pair(ecs::is_a, tree));
    ASSERT_EQ(trees.count(), 2);
    world.despawn(oak);
    const entity copy = world.clone(rock);
    ASSERT_EQ(copy.index(), oak.index());
    EXPECT_EQ(trees.count(), 1);
}

TEST(later_owners, of_a_target_s_index_are_not_meant_by_terms_about_variables) {
    ecs::world world;
    const entity likes = world.spawn(), bob = world.spawn(), gone = world.spawn();
    const entity asking = world.spawn(place{1});
    auto with_any = world.query<place>().with(pair(ecs::any, gone), ecs::var("x"));
    auto with_one = world.query<place>().with(pair(likes, gone), ecs::var("x"));
    auto kept = with_any;
    world.add(bob, likes, gone);
    EXPECT_EQ(kept.count(), 1U);
    EXPECT_EQ(kept.first(), asking);
    world.despawn(gone);
    const entity next = world.spawn();
    ASSERT_EQ(next.index(), gone.index());
    world.add(bob, likes, next);
    EXPECT_EQ(with_any.count(), 0U);
    EXPECT_EQ(with_one.count(), 0U);
    EXPECT_EQ(kept.count(), 0U);
}

/// A relation that has no pair when it is asked for, and then ends; somebody else gets pairs afterwards.
struct asked_before : testing::Test {
    ecs::world world;
    entity relation = world.spawn(), target = world.spawn();

    void let_another_relation_have_pairs() {
        world.despawn(relation);
        const entity next = world.spawn(), e = world.spawn();
        world.add(e, pair(next, target));
        world.add(e, ecs::value_pair(next, 7));
    }
    void expect_nobody_found_by(auto query) {
        let_another_relation_have_pairs();
        EXPECT_EQ(query.count(), 0);
    }
};

TEST_F(asked_before, any_pair) { expect_nobody_found_by(world.query().with(pair(relation, ecs::any))); }
TEST_F(asked_before, one_pair) { expect_nobody_found_by(world.query().with(pair(relation, target))); }
TEST_F(asked_before, number) { expect_nobody_found_by(world.query().with(ecs::value_pair(relation, 7))); }
TEST_F(asked_before, variable) { expect_nobody_found_by(world.query().with(pair(relation, ecs::var("x")))); }
TEST_F(asked_before, monitor) {
    int told = 0;
    world.monitor(world.query().with(pair(relation, ecs::any)), [&](entity, bool) { ++told; });
    let_another_relation_have_pairs();
    EXPECT_EQ(told, 0);
}

TEST(later_owners, of_a_relation_s_index_are_not_looked_along) {
    ecs::world world;
    const entity relation = world.spawn(), other = world.spawn(), above = world.spawn(place{1});
    auto as_term = world.query().up(world.component<place>(), relation);
    auto as_condition = world.query().where(ecs::has<place>().up(other));
    for (const entity gone : {relation, other}) {
        world.despawn(gone);
        const entity next = world.spawn();
        world.add(next, ecs::non_fragmenting);
        world.add(world.spawn(), pair(next, above));
    }
    EXPECT_EQ(as_term.count(), 0U);
    EXPECT_EQ(as_condition.count(), 0U);
}

TEST(later_owners, of_a_relation_s_index_make_no_groups) {
    ecs::world world;
    const entity relation = world.spawn(), target = world.spawn();
    auto grouped = world.query<const place>().group_by(relation);
    world.despawn(relation);
    const entity next = world.spawn();
    world.add(world.spawn(place{1}), pair(next, target));
    const auto groups = grouped.groups();
    ASSERT_EQ(groups.size(), 1U);
    EXPECT_EQ(groups.front().target, entity());
}

TEST(later_owners, are_not_meant_by_words_without_a_world) {
    ecs::world world;
    const entity e = world.spawn(), gone = world.spawn();
    const ecs::id plain = ecs::without_flags(ecs::type_flags::user_1 | ecs::id(gone));
    EXPECT_EQ(world.add(e, plain), add_result::added) << "while it lives, it is meant";
    world.despawn(gone);
    const entity next = world.spawn();
    ASSERT_EQ(next.index(), gone.index());
    EXPECT_EQ(world.add(e, plain), add_result::not_alive_id);
    EXPECT_EQ(world.add(e, plain.as_entity(), e), add_result::not_alive_id);
    EXPECT_EQ(world.add(e, ecs::child_of, ecs::entity::assume_word(next.index())), add_result::not_alive_id)
        << "a handle without a generation";
    EXPECT_TRUE(world.ids(e).empty());
}

TEST(later_owners, leave_a_handle_of_the_forgotten_future_stale) {
    ecs::world world;
    const entity first = world.spawn();
    const auto then = world.snapshot();
    world.despawn(first);
    const entity second = world.spawn();
    ASSERT_EQ(second.index(), first.index());
    world.restore(then);
    EXPECT_EQ(world.status(second), ecs::id_status::stale);
    world.despawn(first);
    EXPECT_EQ(world.status(second), ecs::id_status::stale);
    const entity third = world.spawn();
    EXPECT_GT(third.generation(), second.generation());
    EXPECT_EQ(world.status(second), ecs::id_status::stale);
}

TEST(later_owners, questions_about_a_relation_whose_index_is_too_high_have_an_answer) {
    ecs::world world(ecs::id_space{0x1000'0000, 0x1010'0000});
    const entity tag = world.spawn(), strict = world.component<within>(), e = world.spawn();
    EXPECT_FALSE(world.has(e, tag, e));
    const entity shy = world.component<place>();
    world.add(shy, pair(ecs::excludes, tag));
    world.add(e, tag);
    world.edit(e).remove(tag).add<place>();
    EXPECT_TRUE(world.has<place>(e));
    EXPECT_TRUE(world.has(e, strict, e)) << "reflexive";
}

TEST(later_owners, of_a_target_s_index_are_not_found_however_a_kept_query_asks_for_it) {
    ecs::world world(ecs::id_space{.first = 1000, .last = 1004});
    const entity likes = world.component<place>();
    const entity target = world.spawn(), above = world.spawn();
    const entity below = world.spawn(pair(ecs::child_of, above));
    const ecs::id any_to_it = pair(ecs::any, target);
    auto self = world.query().with(any_to_it);
    auto up = world.query().up(any_to_it);
    auto where = world.query().where(ecs::has_id(any_to_it).up());
    auto of = world.query().with(pair(ecs::child_of, ecs::any)).where(ecs::has_id(any_to_it).of(above));
    auto self_or_up = world.query().where(ecs::has_id(any_to_it).self_or_up());
    world.add(above, likes, target);
    EXPECT_EQ(self.count() + up.count() + where.count() + of.count() + self_or_up.count(), 6);
    EXPECT_TRUE(self_or_up.contains(below));
    world.despawn(target);
    const entity next = world.spawn();
    ASSERT_EQ(next.index(), target.index());
    world.add(above, likes, next);
    EXPECT_EQ(self.count() + up.count() + where.count() + of.count() + self_or_up.count(), 0);
}

TEST(later_owners, of_a_target_s_index_are_led_to_by_no_chain) {
    ecs::world world;
    const entity house = world.spawn(), yard = world.spawn(), room = world.spawn();
    auto inside = world.query().where(ecs::has_id(world.pair_to<within>(house)).self_or_up());
    world.despawn(house);
    const entity castle = world.spawn();
    ASSERT_EQ(castle.index(), house.index());
    world.add<within>(yard, castle);
    world.add<within>(room, yard);
    EXPECT_EQ(inside.count(), 0);
    EXPECT_FALSE(inside.contains(room));
}

} // namespace
} // namespace later_owners_test
