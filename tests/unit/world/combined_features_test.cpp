// SPDX-License-Identifier: MIT
// What one feature does where another one is used: names of rows that move, hooks that come within a change,
// values that pairs of some relations do not have, marks asked of what is above, writes of pairs and
// patterns, edits, observers, queries and joins that meet them, and copies of what has both.
#include <cstddef>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

namespace combined_features_test {
namespace {

using ecs::add_result;
using ecs::any;
using ecs::child_of;
using ecs::entity;
using ecs::is_a;
using ecs::pair;

struct position {
    int x = 0;
};
struct marked {};
struct weapon {
    int damage = 1;
};
struct expiry {
    int days = 0;
};

// Names.

TEST(names_of_rows_that_move, are_read_before_the_row_of_another_moves) {
    ecs::world world;
    const entity p = world.spawn(), q = world.spawn();
    const entity a = world.spawn("goblin", pair(child_of, p));
    const entity b = world.spawn(pair(child_of, q));
    for (int i = 0; i < 100; ++i) { // Each makes room among the named children sooner or later.
        const entity c = world.spawn(pair(child_of, world.spawn()));
        world.set_name(c, world.name_of(a));
        EXPECT_EQ(world.lookup(world.parent(c), "goblin"), c);
    }
    world.set_name(b, world.name_of(a));
    EXPECT_EQ(world.lookup(q, "goblin"), b);
}

TEST(names_of_rows_that_move, may_be_a_part_of_the_name_that_they_replace) {
    ecs::world world;
    const entity e = world.spawn("abcdef");
    world.set_name(e, world.name_of(e).substr(2));
    EXPECT_EQ(world.lookup("cdef"), e);
    EXPECT_EQ(world.name_of(e), "cdef");
    EXPECT_THROW(std::ignore = world.spawn("cdef"), ecs::name_error);
}

TEST(names_of_rows_that_move, may_name_new_entities_of_the_same_table) {
    ecs::world world;
    const entity scope = world.spawn();
    entity last = world.spawn("a name that is too long to be kept within a string", position{1});
    for (int i = 0; i < 40; ++i) {
        const entity below = world.spawn(world.name_of(last), position{i}, pair(child_of, world.spawn()));
        EXPECT_EQ(world.name_of(below), world.name_of(last));
    }
    const entity type = world.prefab(world.name_of(last), pair(child_of, scope));
    EXPECT_EQ(world.lookup(scope, world.name_of(last)), type);
}

TEST(names_of_rows_that_move, are_taken_with_the_parent_whatever_needs_a_name) {
    ecs::world world;
    world.add(world.component_named("child_of"), pair(ecs::on_delete_target, ecs::remove_it));
    const entity label = world.spawn();
    world.add(label, pair(ecs::needs, world.component<ecs::name>()));
    const entity parent = world.spawn(), first = world.spawn("x");
    const entity child = world.spawn("x", pair(child_of, parent));
    world.add(child, label);
    world.despawn(parent);
    ASSERT_TRUE(world.alive(child));
    EXPECT_EQ(world.lookup("x"), first);
    EXPECT_EQ(world.name_of(child), "");
}

// Hooks that come with the first use of their type.

template <int Number> struct alarming {
    int value = 0;
    static void on_add(ecs::world&, entity, alarming&) { throw std::runtime_error("hook"); }
};
template <int Number> struct alarming_outside {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value = 0;
    static void on_add(ecs::world&, entity, alarming_outside&) { throw std::runtime_error("hook"); }
};

TEST(first_hook, that_throws_stops_no_change_of_many_entities) {
    ecs::world world;
    const std::vector<entity> all = world.spawn_n(3);
    EXPECT_THROW(world.set(all, alarming<0>{1}), std::runtime_error);
    EXPECT_EQ(world.query<const alarming<0>>().count(), 3U);
}

TEST(first_hook, that_throws_leaves_spawned_entities_whole) {
    ecs::world named, tagged, prefabs;
    EXPECT_THROW(std::ignore = named.spawn("n", alarming<1>{}), std::runtime_error);
    ASSERT_TRUE(named.lookup("n"));
    EXPECT_TRUE(named.has<alarming<1>>(named.lookup("n")));
    const entity tag = tagged.component<marked>();
    EXPECT_THROW(std::ignore = tagged.spawn(alarming<2>{}, tag), std::runtime_error);
    EXPECT_EQ(tagged.query<const alarming<2>>().with<marked>().count(), 1U);
    EXPECT_THROW(std::ignore = prefabs.prefab(alarming<3>{}), std::runtime_error);
    EXPECT_EQ(prefabs.query<const alarming<3>>().with(ecs::prefab_tag).count(), 1U);
}

TEST(first_hook, that_throws_stops_no_spawn_outside_tables) {
    ecs::world many, below;
    EXPECT_THROW(std::ignore = many.spawn_n(3, alarming_outside<0>{}), std::runtime_error);
    EXPECT_EQ(many.query<const alarming_outside<0>>().count(), 3U);
    const entity parent = below.spawn();
    EXPECT_THROW(std::ignore = below.spawn_children(parent, 3, alarming_outside<1>{}), std::runtime_error);
    EXPECT_EQ(below.query<const alarming_outside<1>>().with(pair(child_of, parent)).count(), 3U);
}

// Values that pairs of some relations do not have.

TEST(pairs_without_values, are_not_found_where_a_value_is_handed_out) {
    ecs::world world;
    const entity sword = world.spawn();
    world.add(sword, pair(is_a, world.component<weapon>()));
    std::size_t found = 0;
    world.query<ecs::pair_of<ecs::wildcard, weapon>>().each([&](weapon&) { ++found; });
    EXPECT_EQ(found, 0U);
    EXPECT_EQ((world.query<const ecs::pair_of<ecs::wildcard, weapon>>().count()), 0U);
    std::size_t missing = 0;
    world.query<const ecs::pair_of<ecs::wildcard, weapon>*>().each(
        [&](entity e, const weapon* w) { missing += static_cast<std::size_t>(e == sword && !w); });
    EXPECT_EQ(missing, 1U);
}

struct carries {};

TEST(pairs_without_values, are_not_found_where_the_relation_says_that_it_has_none) {
    ecs::world world;
    world.add(world.component<carries>(), ecs::tag_only);
    const entity e = world.spawn(), heir = world.spawn();
    world.add(e, pair(world.component<carries>(), world.component<weapon>()));
    EXPECT_EQ((world.query<const ecs::pair_of<carries, weapon>>().count()), 0U);
    EXPECT_EQ(world.query().with(pair(world.component<carries>(), world.component<weapon>())).count(), 1U);
    world.add(world.component<carries>(), ecs::inheritable);
    world.add(heir, pair(is_a, e));
    EXPECT_EQ((world.query<const ecs::pair_of<ecs::wildcard, weapon>>().count()), 0U);
}

// Pairs under a flag.

TEST(pairs_under_a_flag, make_no_instance) {
    ecs::world world;
    const entity prefab = world.spawn(), e = world.spawn(position{}), instance = world.spawn();
    world.add(e, ecs::type_flags::user_1 | pair(is_a, prefab));
    auto kept = world.query<const position>();
    EXPECT_EQ(kept.count(), 1U);
    world.add(instance, pair(is_a, prefab));
    EXPECT_EQ(kept.count(), 1U);
    std::vector<entity> found;
    kept.each([&](entity each, const position&) { found.push_back(each); });
    EXPECT_EQ(found, std::vector{e});
}

// What is above.

TEST(what_is_above, is_looked_for_past_a_parent_that_waits_for_its_row) {
    ecs::world world;
    const entity p1 = world.spawn(), c1 = world.spawn(), c2 = world.spawn();
    world.add(c1, pair(child_of, p1));
    const entity p2 = world.commands().spawn(position{4});
    world.add(c2, pair(child_of, p2));
    auto below = world.query<ecs::up<const position>>();
    EXPECT_EQ(below.count(), 0U);
    world.flush();
    EXPECT_EQ(below.entities(), std::vector{c2});
}

TEST(what_is_above, is_asked_without_showing_those_who_are_hidden_themselves) {
    ecs::world world;
    const entity off = world.spawn(), on = world.spawn();
    world.disable(off);
    const entity kind = world.spawn("kind");
    const entity shown = world.spawn(position{}, kind), hidden = world.spawn(position{}, kind);
    world.disable(hidden);
    EXPECT_EQ(world.query<const position>().where(!ecs::has_id(ecs::disabled).up()).entities(),
              std::vector{shown});
    EXPECT_EQ(world.query<const position>().where(!ecs::has_id(ecs::disabled).of(on)).entities(),
              std::vector{shown});
    EXPECT_EQ(world.query("kind, !disabled(up)").entities(), std::vector{shown});
    world.add(shown, pair(child_of, off));
    EXPECT_EQ(world.query<const position>().where(ecs::has_id(ecs::disabled).up()).entities(),
              std::vector{shown});
    EXPECT_EQ(world.query("kind, !disabled(up)").count(), 0U);
    const std::vector<entity> asked =
        world.query<const position>().where(ecs::has_id(ecs::disabled) || ecs::has<position>()).entities();
    EXPECT_EQ(std::set(asked.begin(), asked.end()), (std::set{shown, hidden}));
}

struct tale {
    static constexpr auto kept_in = ecs::storage::sparse;
    tale() = default;
    explicit tale(std::string told) : text(std::move(told)) {}
    tale(const tale&) = default; // A move may throw, so that `set` makes the value anew.
    tale& operator=(const tale&) = default;
    std::string text;
};

TEST(what_is_above, is_the_value_of_now_where_a_loop_sets_it) {
    ecs::world world;
    const entity parent = world.spawn(tale{"a tale that is too long to be kept within a string"});
    for (int i = 0; i < 3; ++i) std::ignore = world.spawn(position{i}, pair(child_of, parent));
    std::vector<std::string> found;
    world.query<const position, ecs::up<const tale*>>().each([&](const position& p, const tale* above) {
        found.push_back(above->text);
        world.set(parent, tale{"the tale number " + std::to_string(p.x) + ", which is as long as the first"});
    });
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[1], "the tale number 0, which is as long as the first");
    EXPECT_EQ(found[2], "the tale number 1, which is as long as the first");
}

// Queries.

TEST(loops_that_may_miss_a_value, write_none_that_is_disabled) {
    ecs::world world;
    const entity e = world.spawn(tale{"a"}), none = world.spawn(position{});
    auto changed = world.query<const tale>().changed<tale>();
    changed.mark_seen();
    world.disable<tale>(e);
    std::size_t seen = 0;
    world.query<tale*>().each(
        [&](entity at, tale* t) { seen += static_cast<std::size_t>((at == e || at == none) && !t); });
    EXPECT_EQ(seen, 2U);
    world.enable<tale>(e);
    EXPECT_EQ(changed.count(), 0U);
}

TEST(copies_of_queries, that_are_made_in_a_loop_are_no_part_of_it) {
    ecs::world world;
    const entity e = world.spawn(position{});
    auto query = world.query<position>().changed<position>();
    auto copy = query;
    query.each([&](position&) { copy = query; });
    copy.each_of(std::vector{e}, [](position& p) { p.x = 1; });
    EXPECT_EQ(query.count(), 1U);
}

TEST(queries_of_one_entity, find_it_however_often_it_matches) {
    ecs::world world;
    const entity likes = world.spawn(), e = world.spawn();
    for (int i = 0; i < 2; ++i) world.add(e, pair(likes, world.spawn()));
    auto query = world.query<const ecs::matched>().with(pair(likes, any));
    EXPECT_EQ(query.count(), 2U);
    EXPECT_EQ(query.single(), e);
    world.add(world.spawn(), pair(likes, e));
    EXPECT_THROW(std::ignore = query.single(), ecs::not_single);
}

TEST(queries_in_an_order, compare_no_value_that_is_not_there) {
    ecs::world world;
    const entity bob = world.spawn();
    for (int i = 0; i < 3; ++i) world.add<carries>(world.spawn(), bob);
    std::size_t found = 0, compared = 0;
    const auto less = [&](const void* a, const void* b) {
        ++compared;
        return a < b;
    };
    world.query().sort_by(pair(world.component<carries>(), any), less).each([&](entity) { ++found; });
    EXPECT_EQ(found, 3U);
    EXPECT_EQ(compared, 0U);
}

TEST(queries_that_go_back, still_ask_for_a_relation_that_ends) {
    ecs::world world;
    const entity relation = world.spawn(), y = world.spawn(), x = world.spawn();
    const ecs::snapshot before = world.snapshot();
    auto query = world.query().with(pair(relation, any));
    world.restore(before);
    world.despawn(relation);
    const entity next = world.spawn();
    EXPECT_NE(next.index(), relation.index());
    world.add(x, pair(next, y));
    EXPECT_EQ(query.count(), 0U);
}

TEST(queries_that_are_kept, still_ask_for_a_component_that_ends_before_there_was_a_pair_of_it) {
    struct likes {};
    ecs::world world;
    const entity bob = world.spawn("bob"), ann = world.spawn();
    auto typed = world.query().with<likes>(bob);
    auto of_any = world.query().with(pair(world.component<likes>(), any));
    auto joined = world.query().with(pair(world.component<likes>(), ecs::var("x")));
    int begun = 0;
    world.monitor(of_any, [&](entity, bool begins) { begun += static_cast<int>(begins); });
    world.despawn(world.component<likes>());
    world.add<likes>(ann, bob);
    EXPECT_EQ(typed.count() + of_any.count() + joined.count(), 0U);
    EXPECT_EQ(begun, 0);
    EXPECT_EQ(world.query().with<likes>(bob).count(), 1U);
    const entity named = world.component({.name = "likes at run time"});
    auto of_named = world.query().with(pair(named, any));
    world.despawn(named);
    world.add(ann, pair(world.component({.name = "hates"}), bob));
    EXPECT_EQ(of_named.count(), 0U);
}

struct dock {};
struct mass {
    static constexpr auto kept_in = ecs::storage::sparse;
    int kilos = 0;
};

TEST(writes_of_pairs, are_found_by_the_pair_and_by_its_patterns) {
    ecs::world world;
    const entity e = world.spawn();
    world.set<expiry>(e, world.component<dock>(), {1});
    const auto later = [](expiry& x) { ++x.days; };
    auto of_pattern = world.query().changed<ecs::pair_of<expiry, ecs::wildcard>>();
    of_pattern.mark_seen();
    world.patch<ecs::pair_of<expiry, dock>>(e, later);
    EXPECT_EQ(of_pattern.count(), 1U);

    ecs::world other;
    const entity b = other.spawn(), f = other.spawn();
    other.set<expiry>(f, b, {1});
    const ecs::id to_b = pair(other.component<expiry>(), b);
    auto of_pair = other.query().changed(to_b);
    of_pair.mark_seen();
    other.patch<ecs::pair_of<expiry, ecs::wildcard>>(f, later);
    EXPECT_EQ(of_pair.count(), 1U);
    int told = 0;
    other.observe(ecs::event::set, to_b, [&](entity) { ++told; });
    other.patch<ecs::pair_of<expiry, ecs::wildcard>>(f, later);
    EXPECT_EQ(told, 1);
}

TEST(edits, that_move_a_row_write_what_is_outside_it) {
    ecs::world world;
    const entity e = world.spawn(mass{1});
    auto changed = world.query<const mass>().changed<mass>();
    changed.mark_seen();
    world.edit(e).set(mass{2}).add<marked>();
    EXPECT_EQ(changed.count(), 1U);
    EXPECT_EQ(world.get<mass>(e).kilos, 2);
}

TEST(edits, give_another_target_of_what_is_needed_when_that_is_not_needed_any_more) {
    ecs::world world;
    const entity needed = world.spawn(), needing = world.spawn(), e = world.spawn();
    const entity x = world.spawn(), y = world.spawn();
    world.add(needed, ecs::exclusive);
    world.add(needing, pair(ecs::needs, needed));
    world.add(e, pair(needing, x));
    ASSERT_TRUE(world.has(e, pair(needed, x)));
    EXPECT_EQ(world.edit(e).add(pair(needed, y)).remove(pair(needing, x)).commit(), add_result::added);
    EXPECT_TRUE(world.has(e, pair(needed, y)));
    EXPECT_FALSE(world.has(e, pair(needing, x)));
}

TEST(edits, count_the_last_of_several_numbers) {
    ecs::world world;
    const entity level = world.spawn(), e = world.spawn();
    world.add(level, ecs::exclusive);
    world.add(level, ecs::permanent);
    const auto result = world.edit(e).add(ecs::value_pair(level, 1)).add(ecs::value_pair(level, 2)).commit();
    EXPECT_EQ(result, add_result::added);
    EXPECT_TRUE(world.has(e, ecs::value_pair(level, 2)));
    EXPECT_FALSE(world.has(e, ecs::value_pair(level, 1)));
}

TEST(observers_of_queries, are_told_once_of_a_pattern_that_goes) {
    ecs::world world;
    const entity leads = world.spawn(), e = world.spawn();
    world.add(leads, ecs::transitive);
    for (int i = 0; i < 2; ++i) world.add(e, pair(leads, world.spawn()));
    int told = 0;
    world.observe<ecs::event::removed>(world.query().with(pair(leads, any)), [&](entity) { ++told; });
    world.remove(e, pair(leads, any));
    EXPECT_EQ(told, 1);
}

TEST(observers_of_queries, are_told_once_of_what_an_observer_spawns) {
    ecs::world world;
    int told = 0;
    world.observe<ecs::event::added, position, const tale*>([&](entity) { ++told; });
    std::ignore = world.spawn(position{}, tale{"a"});
    EXPECT_EQ(told, 1);
    world.observe<ecs::event::added, marked>(
        [&](ecs::world& in, entity) { std::ignore = in.spawn(position{}, tale{"b"}); });
    world.add<marked>(world.spawn());
    EXPECT_EQ(told, 2);
}

TEST(observers_of_links, ask_kept_queries_of_what_follows) {
    ecs::world world;
    const entity leads = world.spawn(), a = world.spawn(), b = world.spawn(), c = world.spawn();
    world.add(leads, ecs::transitive);
    world.add(leads, ecs::non_fragmenting);
    world.add(a, pair(leads, b));
    auto kept = world.query<>().with(pair(leads, c));
    EXPECT_EQ(kept.count(), 0U);
    std::size_t found = 0;
    world.observe(ecs::event::added, pair(leads, any), [&](entity) { found = kept.count(); });
    world.add(b, pair(leads, c));
    EXPECT_EQ(found, 2U);
}

// Joins.

TEST(joined_terms, with_whatever_target_are_those_of_entities_that_have_such_a_pair) {
    ecs::world world;
    const entity base = world.spawn(), instance = world.spawn();
    world.add(instance, pair(is_a, base));
    auto query = world.query().with(pair(is_a, any), ecs::var("x"));
    query.set("this", instance);
    EXPECT_EQ(query.count(), 1U);
}

TEST(joined_terms, with_whatever_target_may_have_a_number) {
    ecs::world world;
    const entity level = world.spawn(), e = world.spawn();
    world.add(e, ecs::value_pair(level, 3));
    auto query = world.query().with(pair(ecs::var("r"), any), ecs::var("x"));
    EXPECT_EQ(query.set("this", e).set("r", level).count(), 1U);
}

TEST(joined_terms, cannot_change_while_threads_search) {
    ecs::world world;
    const entity likes = world.spawn();
    world.add(world.spawn(position{}), pair(likes, world.spawn()));
    auto query = world.query<const position>().with(pair(likes, ecs::var("x")));
    int visited = 0;
    query.par_each([&](const position&) {
        ++visited;
        EXPECT_THROW(query.set("x", likes), ecs::iteration_error);
        EXPECT_THROW(query.with(likes, ecs::var("another")), ecs::iteration_error);
    });
    EXPECT_EQ(visited, 1);
}

TEST(texts_of_queries, ask_nothing_of_another_entity_that_they_cannot_ask_where_it_may_be_missing) {
    ecs::world world;
    std::ignore = world.spawn("scene");
    std::ignore = world.component({.name = "level", .size = 4});
    EXPECT_THROW(std::ignore = world.query("level(scene|up)"), ecs::query_text_error);
    EXPECT_THROW(std::ignore = world.query("?level(scene|up)"), ecs::query_text_error);
}

// Copies.

TEST(copies, are_instances_before_they_are_children) {
    ecs::world world;
    const entity faction = world.spawn();
    world.add(faction, ecs::exclusive);
    entity base = world.spawn(); // Pairs are in the order of the generations of their targets.
    while (base.generation() < 2) {
        world.despawn(base);
        base = world.spawn();
    }
    const entity whole = world.spawn(), red = world.spawn(), e = world.spawn();
    world.add(e, pair(is_a, base));
    world.add(whole, pair(child_of, base));
    world.add(e, pair(child_of, whole));
    world.add(e, pair(faction, red));
    const entity copy = world.clone(e);
    EXPECT_TRUE(world.has(copy, pair(is_a, base)));
    EXPECT_TRUE(world.has(copy, pair(child_of, whole)));
    EXPECT_TRUE(world.has(copy, pair(faction, red)));
}

TEST(copies, of_a_component_are_no_components) {
    ecs::world world;
    const entity c = world.component<position>();
    world.add(c, world.component<marked>());
    const entity copy = world.clone(c);
    EXPECT_TRUE(world.has<marked>(copy));
    EXPECT_FALSE(world.has<ecs::component_info>(copy));
    EXPECT_TRUE(world.has<ecs::component_info>(c));
    EXPECT_TRUE(succeeded(world.add(world.spawn(), copy))) << "it is a tag like any other entity";
}

TEST(copies, take_no_number_of_a_relation_with_one_source) {
    ecs::world world;
    const entity slot = world.spawn(), e = world.spawn();
    world.add(slot, ecs::single_source);
    world.add(e, ecs::value_pair(slot, 7));
    const entity copy = world.clone(e);
    EXPECT_TRUE(world.has(e, ecs::value_pair(slot, 7)));
    EXPECT_FALSE(world.has(copy, ecs::value_pair(slot, 7)));
}

TEST(copies, of_trees_are_found_by_queries_that_observers_ask_meanwhile) {
    ecs::world world;
    const entity likes = world.spawn(), root = world.spawn();
    const entity a = world.spawn(position{}), b = world.spawn(), c = world.spawn(), d = world.spawn();
    world.add(b, pair(is_a, a));
    world.add(c, pair(is_a, b));
    for (const entity x : {c, d, b, a}) world.add(x, pair(child_of, root));
    world.add(d, pair(likes, root));
    auto kept = world.query<const position>();
    world.observe(ecs::event::added, pair(likes, any), [&](entity) { std::ignore = kept.count(); });
    EXPECT_EQ(kept.count(), 3U);
    std::ignore = world.clone_tree(root);
    EXPECT_EQ(kept.count(), 6U);
}

// Changes.

TEST(changes_of_pairs, are_seen_when_the_relation_has_become_tag_only) {
    ecs::world world;
    const entity likes = world.spawn(), bob = world.spawn(), e = world.spawn();
    auto of_any = world.query().added(pair(likes, any));
    auto of_bob = world.query().added(pair(likes, bob));
    world.add(likes, ecs::tag_only);
    world.add(e, pair(likes, bob));
    EXPECT_EQ(of_any.count(), 1U);
    EXPECT_EQ(of_bob.count(), 1U);
    world.remove(e, pair(likes, bob));
    world.remove(likes, ecs::tag_only);
    world.add(e, pair(likes, bob));
    EXPECT_EQ(of_any.count(), 1U);
    EXPECT_EQ(of_bob.count(), 1U);
}

TEST(values_of_pairs_in_columns, are_no_components_for_whoever_asks_by_identifier) {
    ecs::world world;
    const entity timed = world.component<expiry>();
    world.add(timed, ecs::non_fragmenting);
    const entity a = world.spawn(), b = world.spawn(marked{});
    world.set<expiry>(a, b, {3});
    EXPECT_FALSE(world.has(a, timed));
    EXPECT_EQ(world.try_get(a, timed), nullptr);
    EXPECT_EQ(world.disable(a, timed), add_result::not_there);
    world.disable<marked>(b); // Then tables know what was disabled last.
    EXPECT_EQ(world.disable(a, timed), add_result::not_there);
    EXPECT_EQ(world.get<expiry>(a, b).days, 3);
    EXPECT_EQ(static_cast<expiry*>(world.try_get(a, pair(timed, b)))->days, 3);
}

TEST(parts, are_of_no_whole_when_it_has_ended) {
    ecs::world world;
    world.add(world.component_named("child_of"), pair(ecs::on_delete_target, ecs::remove_it));
    const entity likes = world.spawn();
    world.add(likes, ecs::inheritable);
    const entity whole = world.prefab(), middle = world.spawn(pair(child_of, whole));
    const entity target = world.spawn(pair(child_of, whole)), base = world.spawn(pair(child_of, middle));
    world.add(base, pair(likes, target));
    const entity instance = world.spawn(pair(is_a, base));
    auto kept = world.query().with(pair(likes, target));
    EXPECT_EQ(kept.contains(instance), world.has(instance, pair(likes, target)));
    world.despawn(whole);
    ASSERT_TRUE(world.alive(base) && world.alive(target));
    EXPECT_EQ(kept.contains(instance), world.has(instance, pair(likes, target)));
}

// Instances.

struct badge {
    static constexpr auto properties = ecs::properties(ecs::not_inheritable);
};
struct shield {
    static constexpr auto properties = ecs::properties(ecs::needs_type<badge>, ecs::auto_overridden);
    int value = 1;
};
template <int Number> struct brittle {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    brittle() = default;
    explicit brittle(int amount) : value(amount) {}
    brittle(const brittle&) { throw std::runtime_error("brittle"); }
    brittle(brittle&& other) noexcept : value(other.value) {}
    brittle& operator=(const brittle&) = default;
    brittle& operator=(brittle&& other) noexcept = default;
    ~brittle() = default;
    int value = 0;
};

template <class Brittle> void expect_nothing_came_along() {
    ecs::world world;
    const entity prefab = world.prefab(badge{}, shield{});
    world.set(prefab, Brittle(3));
    const entity heir = world.spawn(position{});
    EXPECT_THROW(world.add(heir, pair(is_a, prefab)), std::runtime_error);
    EXPECT_FALSE(world.has(heir, pair(is_a, prefab)));
    EXPECT_FALSE(world.has<shield>(heir) || world.has<badge>(heir) || world.has<Brittle>(heir));
    EXPECT_TRUE(world.has<position>(heir));
}

TEST(instances, that_cannot_be_made_keep_nothing_that_came_along) {
    ecs::world world; // Components are given in the order in which their types were met first.
    std::ignore = world.component<brittle<0>>();
    std::ignore = world.component<shield>();
    std::ignore = world.component<brittle<1>>();
    expect_nothing_came_along<brittle<0>>();
    expect_nothing_came_along<brittle<1>>();
}

// Observers of what a component is.

struct listed {
    int value = 0;
};

TEST(components_at_an_index, are_whole_when_an_observer_of_them_throws) {
    ecs::world world;
    bool throws = true;
    world.observe<ecs::event::added, ecs::component_info>([&](entity) {
        if (throws) throw std::runtime_error("observer");
    });
    EXPECT_THROW(world.add_manifest(ecs::manifest<listed>{}), std::runtime_error);
    throws = false;
    world.add_manifest(ecs::manifest<listed>{});
    const entity component = world.component<listed>();
    EXPECT_TRUE(world.has<ecs::component_info>(component));
    std::size_t owners = 0;
    world.query<const ecs::component_info>().each([&](entity e, const ecs::component_info&) {
        ASSERT_TRUE(world.alive(e));
        owners += static_cast<std::size_t>(e.index() == component.index());
    });
    EXPECT_EQ(owners, 1U);
    EXPECT_EQ(world.get<listed>(world.spawn(listed{7})).value, 7);
}

} // namespace
} // namespace combined_features_test
