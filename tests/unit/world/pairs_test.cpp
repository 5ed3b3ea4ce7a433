// SPDX-License-Identifier: MIT
// What a pair, a number or a flag in a word stands for.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <tuple>
#include <vector>

import ecs.world;

#include "relations.hpp"

namespace {

TEST_F(relations, pairs_of_one_relation_are_kept_side_by_side) {
    EXPECT_EQ(relate(a, b), add_result::added);
    EXPECT_EQ(relate(a, c), add_result::added);
    EXPECT_EQ(relate(a, c), add_result::already_there);
    EXPECT_EQ(sorted(world.targets(a, likes)), (sorted(std::vector{b, c})));
    EXPECT_EQ(world.sources(b, likes), std::vector{a});
    EXPECT_EQ(world.sources(b), std::vector{a});
    EXPECT_TRUE(world.has(a, pair(likes, any)) && world.has(a, pair(any, c)) && world.has(a, pair(any, any)));
    EXPECT_FALSE(world.has(b, pair(any, any)));
    EXPECT_EQ(world.remove(a, pair(likes, b)), add_result::removed);
    EXPECT_EQ(world.remove(a, pair(likes, b)), add_result::not_there);
    EXPECT_EQ(world.remove(a, pair(likes, any)), add_result::removed);
    EXPECT_FALSE(world.has(a, pair(any, any)));
}

TEST_F(relations, many_pairs_without_rules_come_and_go_in_one_step) {
    const auto new_tables = [&](const auto& change) {
        const std::size_t before = world.tables().size();
        change();
        return world.tables().size() - before;
    };
    const std::vector<entity> targets = world.spawn_n(20);
    EXPECT_EQ(new_tables([&] {
                  const expiry soon{1};
                  auto editing = world.edit(a);
                  for (const entity t : targets)
                      editing.add(pair(likes, t)).set(pair(world.component<expiry>(), t), &soon);
                  editing.add<frozen>();
                  EXPECT_EQ(editing.commit(), add_result::added);
              }),
              1U);
    EXPECT_EQ(sorted(world.targets(a, likes)), sorted(targets));
    EXPECT_EQ(world.get<expiry>(a, targets[7]).seconds, 1);
    entity copy;
    EXPECT_EQ(new_tables([&] { copy = world.clone(a); }), 0U);
    EXPECT_EQ(sorted(world.targets(copy, likes)), sorted(targets));
    EXPECT_EQ(world.get<expiry>(copy, targets[7]).seconds, 1);
    EXPECT_EQ(new_tables([&] { EXPECT_EQ(world.remove(a, pair(likes, any)), add_result::removed); }), 1U);
    EXPECT_TRUE(world.targets(a, likes).empty());
    EXPECT_EQ(world.get<expiry>(a, targets[7]).seconds, 1);
    EXPECT_TRUE(world.has<frozen>(a));
    EXPECT_EQ(sorted(world.targets(copy, likes)), sorted(targets));
}

TEST_F(relations, filter_term_matches_an_entity_once_and_a_fetching_term_once_for_each_pair) {
    world.set<ecs::pair_of<expiry, health>>(a, {1});
    world.set<ecs::pair_of<expiry, frozen>>(a, {2});
    EXPECT_EQ((world.query().with<ecs::pair_of<expiry, ecs::wildcard>>().count()), 1U);
    EXPECT_EQ((world.query<ecs::pair_of<expiry, ecs::wildcard>>().count()), 2U);
}

TEST_F(relations, value_of_a_pair_is_used_as_that_of_a_component) {
    using of_health = ecs::pair_of<expiry, health>;
    EXPECT_EQ(world.edit(a).set<of_health>({3}).commit(), add_result::added);
    EXPECT_EQ(world.edit(b).set<of_health>({1}).add<of_health>().commit(), add_result::added);
    EXPECT_TRUE(world.modify<of_health>(a, [](expiry& e) { e.seconds += 4; }));
    EXPECT_FALSE(world.modify<of_health>(c, [](expiry&) {}));
    EXPECT_EQ(world.get_or_add<of_health>(a).seconds, 7);
    EXPECT_EQ(world.get_or_add<of_health>(c).seconds, expiry{}.seconds);
    std::vector<entity> order;
    const auto less = [](const expiry& one, const expiry& other) { return one.seconds > other.seconds; };
    world.query<entity, const of_health>().sort_by<of_health>(less).each(
        [&](entity e, const expiry&) { order.push_back(e); });
    EXPECT_EQ(order.front(), a);
    EXPECT_EQ(order.size(), 3U);
}

TEST_F(relations, handles_that_a_pair_could_not_tell_from_others_are_refused) {
    ecs::world elsewhere;
    entity foreign = elsewhere.spawn();
    while (foreign.index() < a.index()) foreign = elsewhere.spawn();
    ASSERT_EQ(foreign.index(), a.index()) << "or else the index alone would tell";
    entity stale = world.spawn();
    const entity first = stale;
    for (int uses = 0; uses < 16; ++uses) {
        world.despawn(stale);
        stale = world.spawn();
    }
    ASSERT_EQ(pair(likes, first), pair(likes, stale)) << "or else the word would tell";
    for (const entity wrong : {foreign, first, entity{}}) {
        EXPECT_EQ(world.add(b, likes, wrong), add_result::not_alive_id);
        EXPECT_EQ(world.add<expiry>(b, wrong), add_result::not_alive_id);
        EXPECT_EQ(world.set<expiry>(b, wrong, {1}), add_result::not_alive_id);
        EXPECT_FALSE(world.pair_to(likes, wrong));
    }
    EXPECT_TRUE(world.targets(b, likes).empty());
    EXPECT_EQ(world.add(b, likes, stale), add_result::added);
    EXPECT_TRUE(world.has(b, likes, stale));
    EXPECT_FALSE(world.has(b, likes, first));
    EXPECT_EQ(world.try_get<expiry>(b, first), nullptr);
    EXPECT_NE(world.remove(b, likes, first), add_result::removed);
    EXPECT_EQ(world.remove(b, likes, stale), add_result::removed);
}

TEST_F(relations, setting_a_pair_twice_replaces_its_value) {
    EXPECT_EQ((world.set<ecs::pair_of<expiry, health>>(a, {1})), add_result::added);
    EXPECT_EQ((world.set<ecs::pair_of<expiry, health>>(a, {2})), add_result::already_there);
    EXPECT_EQ((world.get<ecs::pair_of<expiry, health>>(a).seconds), 2);
}

TEST_F(relations, pattern_has_the_first_value_of_what_it_stands_for) {
    world.set<ecs::pair_of<expiry, frozen>>(a, expiry{4});
    const entity relation = world.component<expiry>();
    EXPECT_EQ(world.try_get(a, pair(relation, any)), (&world.get<ecs::pair_of<expiry, frozen>>(a)));
    EXPECT_EQ((world.get<ecs::pair_of<expiry, ecs::wildcard>>(a).seconds), 4);
    relate(b, a);
    EXPECT_EQ(world.try_get(b, pair(likes, any)), nullptr);
    const entity heir = world.spawn();
    world.add(relation, ecs::inheritable);
    world.add(heir, pair(is_a, a));
    EXPECT_EQ((world.get<ecs::pair_of<expiry, ecs::wildcard>>(heir).seconds), 4);
}

TEST_F(relations, value_for_any_relation_is_the_targets_own) {
    world.set<ecs::pair_of<expiry, health>>(a, expiry{1});
    world.set<ecs::pair_of<frozen, health>>(b, health{2});
    using any_health = ecs::pair_of<ecs::wildcard, health>;
    EXPECT_EQ(world.try_get<any_health>(a), nullptr) << "(expiry, health) has a value of expiry";
    EXPECT_EQ(world.get<any_health>(b).amount, 2);
    int found = 0;
    world.query<const any_health>().each([&](entity, const health& h) { found += h.amount; });
    EXPECT_EQ(found, 2);
    std::vector<int> told;
    world.observe<ecs::event::set, any_health>([&](entity, const health& h) { told.push_back(h.amount); });
    world.set<ecs::pair_of<expiry, health>>(b, expiry{7});
    world.set<ecs::pair_of<frozen, health>>(b, health{8});
    EXPECT_EQ(told, std::vector{8});
}

// Words.

enum class team : std::uint8_t { red, blue };

TEST_F(relations, number_is_a_target) {
    EXPECT_EQ(world.add(a, ecs::value_pair(likes, team::blue)), add_result::added);
    EXPECT_TRUE(world.has(a, ecs::value_pair(likes, 1)) && world.has(a, pair(likes, any)));
    EXPECT_FALSE(world.has(a, ecs::value_pair(likes, team::red)));
    EXPECT_TRUE(world.targets(a, likes).empty()) << "a number is no entity";
    world.despawn(likes);
    EXPECT_FALSE(world.has(a, ecs::value_pair(likes, team::blue)));
}

TEST_F(relations, number_cannot_be_the_target_where_only_an_entity_can_follow_the_rules) {
    for (const ecs::id property :
         {ecs::id(ecs::non_fragmenting), ecs::id(ecs::symmetric), pair(ecs::one_of, c)}) {
        const entity relation = world.spawn();
        world.add(relation, property);
        EXPECT_EQ(world.add(a, ecs::value_pair(relation, 3)), add_result::target_not_allowed);
    }
    EXPECT_EQ(world.add(a, ecs::value_pair(child_of, 3)), add_result::target_not_allowed);
    EXPECT_EQ(world.add(a, ecs::value_pair(is_a, 3)), add_result::target_not_allowed);
}

TEST_F(relations, target_whose_components_are_on_their_way_is_refused_where_it_has_to_be_there) {
    const entity equals = world.spawn();
    for (const ecs::builtin property : {ecs::symmetric, ecs::reflexive, ecs::exclusive, ecs::permanent})
        world.add(equals, property);
    ecs::commands commands = world.commands();
    const entity fresh = commands.spawn(health{5});
    EXPECT_EQ(world.add(a, pair(is_a, fresh)), add_result::not_alive_id);
    EXPECT_EQ(world.add(a, pair(equals, fresh)), add_result::not_alive_id);
    EXPECT_EQ(relate(a, fresh), add_result::added) << "this one only names it";
    auto kinds = world.query().with(pair(is_a, fresh));
    auto equal = world.query().with(pair(equals, fresh));
    EXPECT_EQ(kinds.count() + equal.count(), 0U);
    world.flush();
    EXPECT_EQ(world.add(a, pair(is_a, fresh)), add_result::added);
    EXPECT_EQ(world.add(a, pair(equals, fresh)), add_result::added);
    EXPECT_EQ(world.get<health>(a).amount, 5);
    EXPECT_EQ(kinds.count(), 2U);
    EXPECT_EQ(equal.count(), 2U) << "itself, and who equals it";
}

TEST_F(relations, number_is_not_taken_for_the_entity_of_that_index) {
    world.add(a, ecs::value_pair(likes, static_cast<std::uint32_t>(b.index())));
    EXPECT_FALSE(world.target_of(a, likes));
    EXPECT_TRUE(world.targets(a, likes).empty());
    std::size_t in_group = 0;
    world.query().group_by(likes).each_in_group(b, [&](entity) { ++in_group; });
    EXPECT_EQ(in_group, 0U);
}

TEST_F(relations, flagged_identifier_is_told_from_the_bare_one_and_ends_with_it) {
    const ecs::id flagged = ecs::type_flags::user_1 | ecs::id(b);
    EXPECT_EQ(world.add(a, flagged), add_result::added);
    EXPECT_TRUE(world.has(a, flagged));
    EXPECT_FALSE(world.has(a, b));
    world.despawn(b);
    EXPECT_FALSE(world.has(a, flagged));
    EXPECT_EQ(world.add(a, flagged), add_result::not_alive_id);
}

TEST_F(relations, stale_target_is_not_taken_for_the_owner_of_its_index) {
    world.add(likes, ecs::reflexive);
    world.add(likes, ecs::transitive);
    world.despawn(b);
    const entity owner = world.spawn();
    ASSERT_EQ(owner.index(), b.index());
    relate(a, owner);
    EXPECT_FALSE(related(owner, b) || related(a, b));
    EXPECT_TRUE(related(owner, owner) && related(a, owner));
}

/// More owners than the part of a generation that a pair carries can tell apart.
TEST(pairs_of_few_generations, target_whose_index_is_spent_never_comes_back) {
    ecs::id_space last_forty;
    last_forty.first_generation =
        static_cast<std::uint32_t>(ecs::field_of<ecs::layouts::entity, "generation">.max()) - 39;
    ecs::world world(last_forty);
    const entity likes = world.spawn(), a = world.spawn();
    const entity first = world.spawn();
    unsigned owners = 0;
    entity target = first;
    for (; target.index() == first.index(); target = world.spawn(), ++owners) {
        world.add(a, pair(likes, target));
        world.despawn(target);
        ASSERT_FALSE(world.has(a, pair(likes, any)));
    }
    EXPECT_EQ(owners, 40U);
    EXPECT_EQ(world.status(first), ecs::id_status::retired);
    world.add(a, pair(likes, target));
    EXPECT_FALSE(world.has(a, pair(likes, first)));
}

TEST_F(relations, kept_query_does_not_take_a_new_entity_for_an_old_target) {
    relate(a, b);
    auto query = world.query().with(pair(any, b));
    EXPECT_EQ(query.count(), 1U);
    world.despawn(b);
    const entity reused = world.spawn();
    ASSERT_EQ(reused.index(), b.index());
    relate(c, reused);
    EXPECT_EQ(query.count(), 0U);
    EXPECT_FALSE(related(c, b));
}

TEST_F(relations, number_is_no_target_of_a_property) {
    for (const ecs::builtin property : {ecs::exclusive, ecs::final, ecs::one_of, ecs::with, ecs::on_delete})
        EXPECT_EQ(world.add(likes, ecs::value_pair(property, 3)), add_result::target_not_allowed);
    relate(a, b);
    relate(a, c);
    EXPECT_EQ(world.targets(a, likes).size(), 2U) << "nothing has been declared";
}

TEST_F(relations, number_has_32_bits) {
    EXPECT_EQ(ecs::value_pair(likes, 3), ecs::value_pair(likes, std::uint8_t{3}));
    EXPECT_EQ(ecs::value_pair(likes, 0xFFFF'FFFFL).number(), 0xFFFF'FFFFU);
    EXPECT_THROW(std::ignore = ecs::value_pair(likes, -1), ecs::pair_error);
    EXPECT_THROW(std::ignore = ecs::value_pair(likes, 0x1'0000'0000L), ecs::pair_error);
}

TEST_F(relations, what_is_no_entity_is_no_relation) {
    const auto without_index = ecs::build<ecs::layouts::entity>().set<"generation">(1).id();
    EXPECT_THROW(std::ignore = pair(without_index, likes), ecs::pair_error);
    EXPECT_THROW(std::ignore = pair(likes, without_index), ecs::pair_error);
    EXPECT_THROW(std::ignore = pair(ecs::any, without_index), ecs::pair_error);
    relate(a, b);
    for (const ecs::id word : {ecs::value_pair(likes, 3), pair(likes, c), pair(likes, any)}) {
        EXPECT_TRUE(world.sources(b, word).empty());
        EXPECT_TRUE(world.targets(a, word).empty());
        EXPECT_TRUE(world.depth_first(b, word).empty());
        EXPECT_TRUE(world.breadth_first(b, word).empty());
        EXPECT_EQ(world.target_of(a, word), entity{});
        EXPECT_EQ(world.up(a, likes, word), entity{});
        EXPECT_THROW(world.query().cascade(word), std::invalid_argument);
        EXPECT_THROW(world.query().group_by(word), std::invalid_argument);
        EXPECT_THROW(world.query().up(likes, word), std::invalid_argument);
    }
    EXPECT_EQ(world.sources(b), std::vector{a});
}

TEST_F(relations, relation_that_has_ended_has_no_sources) {
    const entity ended = world.spawn();
    world.despawn(ended);
    const entity reused = world.spawn();
    ASSERT_EQ(reused.index(), ended.index());
    world.add(a, pair(reused, b));
    EXPECT_TRUE(world.sources(b, ended).empty());
    EXPECT_EQ(world.sources(b, reused), std::vector{a});
}

TEST_F(relations, pair_of_the_relation_name_is_nobodys_name) {
    world.set_name(c, "c");
    const ecs::id word = pair(world.ids(c).front(), b);
    const ecs::name nobodys("nobody");
    EXPECT_EQ(world.set(a, word, &nobodys), add_result::added);
    EXPECT_FALSE(world.lookup("nobody"));
    EXPECT_EQ(world.remove(a, word), add_result::removed);
    world.set_name(a, "a");
    world.set(a, word, &nobodys);
    world.remove(a, word);
    EXPECT_EQ(world.lookup("a"), a);
}

TEST_F(relations, link_to_nothing_is_refused) {
    int object = 1;
    world.link(a, likes, object);
    const ecs::id linked = world.link_of(likes, object);
    EXPECT_EQ(world.add(b, linked), add_result::added);
    EXPECT_EQ(world.add(b, ecs::link_to_slot(likes, linked.number() + 1)), add_result::not_alive_id);
    EXPECT_EQ(world.add(b, ecs::link_to_slot(likes, 7)), add_result::added) << "the caller's own table";
    world.remove(a, linked);
    world.remove(b, linked);
    EXPECT_EQ(world.add(a, linked), add_result::not_alive_id) << "the object has left";
}

TEST_F(relations, link_brings_its_companion_to_the_same_object) {
    const entity knows = world.spawn();
    world.add(likes, pair(ecs::with, knows));
    int object = 1;
    world.link(a, likes, object);
    EXPECT_EQ(world.object_of<int>(a, knows), &object);
    world.remove(a, world.link_of(likes, object));
    EXPECT_EQ(world.object_of<int>(a, knows), &object) << "somebody is linked to it still";
    world.remove(a, world.link_of(knows, object));
    EXPECT_EQ(world.link_of(likes, object), ecs::id{});
}

TEST_F(relations, sources_of_a_pair_are_listed_whatever_its_target_is) {
    int sound = 0;
    relate(a, b);
    relate(c, b);
    world.add(b, ecs::value_pair(likes, 3));
    world.link(c, likes, sound);
    EXPECT_EQ(sorted(world.sources_of_pair(pair(likes, b))), sorted(std::vector{a, c}));
    EXPECT_EQ(world.sources_of_pair(ecs::value_pair(likes, 3)), std::vector{b});
    EXPECT_EQ(world.sources_of_pair(world.link_of(likes, sound)), std::vector{c});
    EXPECT_TRUE(world.sources_of_pair(pair(likes, a)).empty());
    EXPECT_TRUE(world.sources_of_pair(ecs::value_pair(likes, 4)).empty());
}

TEST_F(relations, type_of_a_value_is_that_of_the_relation_or_else_of_the_target) {
    const entity of_relation = world.component<expiry>(), of_target = world.component<health>();
    const entity tag = world.component<frozen>();
    EXPECT_EQ(world.value_type_of(of_target), of_target);
    EXPECT_EQ(world.value_type_of(pair(of_relation, a)), of_relation);
    EXPECT_EQ(world.value_type_of(pair(of_relation, of_target)), of_relation);
    EXPECT_EQ(world.value_type_of(pair(likes, of_target)), of_target);
    for (const ecs::id without :
         {ecs::id(), ecs::id(tag), ecs::id(a), ecs::id(pair(likes, a)), ecs::id(pair(tag, likes))})
        EXPECT_FALSE(world.value_type_of(without));
    for (const ecs::id wildcard :
         {ecs::id(pair(of_relation, any)), ecs::id(pair(any, of_target)), ecs::id(pair(any, any))})
        EXPECT_FALSE(world.value_type_of(wildcard));
}

TEST_F(relations, relations_to_a_target_are_listed) {
    const entity hates = world.spawn();
    relate(a, b);
    world.add(a, pair(hates, b));
    world.add(a, pair(hates, c));
    world.add(a, pair(child_of, b));
    const entity child = world.lookup("child_of");
    EXPECT_EQ(sorted(world.relations(a, b)), sorted(std::vector{likes, hates, child}));
    EXPECT_EQ(world.relations(a, c), std::vector{hates});
    EXPECT_TRUE(world.relations(b, a).empty() && world.relations({}, a).empty() &&
                world.relations(a, {}).empty());
    const entity stale = b;
    world.despawn(b);
    EXPECT_TRUE(world.relations(a, stale).empty());
}

TEST_F(relations, sources_in_any_relation_are_each_listed_once) {
    const entity hates = world.spawn();
    relate(a, c);
    world.add(a, pair(hates, c));
    world.add(a, pair(child_of, c));
    world.add(b, pair(hates, c));
    EXPECT_EQ(sorted(world.sources(c)), sorted(std::vector{a, b}));
    EXPECT_EQ(sorted(world.sources(c, hates)), sorted(std::vector{a, b}));
}

struct fragile {
    fragile() = default;
    fragile(const fragile&) = default;
    fragile(fragile&& other) noexcept(false) : text(other.text) {}
    fragile& operator=(const fragile&) = default;
    fragile& operator=(fragile&&) = default;
    std::string text = "short";
};

/// Tables keep the values of pairs, and cannot move these.
TEST(pairs, with_numbers_have_no_value_of_a_type_whose_move_may_throw) {
    ecs::world world;
    const ecs::entity relation = world.component<fragile>(), e = world.spawn();
    EXPECT_EQ(world.add(e, ecs::value_pair(relation, 7)), ecs::add_result::added);
    EXPECT_EQ(world.try_get(e, ecs::value_pair(relation, 7)), nullptr);
    EXPECT_EQ(world.add(e, ecs::pair(relation, world.spawn())), ecs::add_result::added);
    world.add(e, world.spawn());
    EXPECT_TRUE(world.has(e, ecs::value_pair(relation, 7)));
    world.despawn(e);
}

TEST(builtins, are_compared_with_words_of_any_world) {
    for (int earlier = 0; earlier < 300; ++earlier) ecs::world();
    ecs::world first, second; // With numbers that other worlds have had.
    for (ecs::world* const world : {&first, &second}) {
        const ecs::entity prefab = world->prefab();
        EXPECT_EQ(
            std::ranges::count_if(world->ids(prefab), [](ecs::id word) { return word == ecs::prefab_tag; }),
            1);
        const ecs::entity e = world->spawn();
        world->add(e, ecs::is_a, prefab);
        const ecs::id pair = world->ids(e).back();
        EXPECT_TRUE(world->relation_of(pair) == ecs::is_a);
        EXPECT_TRUE(ecs::child_of != world->relation_of(pair));
        EXPECT_FALSE(e == ecs::is_a || pair == ecs::is_a || ecs::entity() == ecs::is_a ||
                     ecs::id() == ecs::is_a);
    }
}

} // namespace
