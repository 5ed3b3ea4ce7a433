// SPDX-License-Identifier: MIT
// A change of several things that is refused, or whose constructor throws, has changed nothing: neither what
// was asked for before the one that is refused, nor what it would have brought along.
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;

namespace refused_changes_test {
namespace {

using ecs::add_result;
using ecs::entity;
using ecs::pair;

struct health {
    int points = 0;
};
struct marked {};
struct hot {};
struct cold {
    static constexpr auto properties = ecs::properties(ecs::excludes_type<hot>);
};
struct kept_hot {
    static constexpr auto kept_in = ecs::storage::sparse;
};
struct kept_cold {
    static constexpr auto kept_in = ecs::storage::sparse;
    static constexpr auto properties = ecs::properties(ecs::excludes_type<kept_hot>);
};
struct first_companion {};
struct frost {
    static constexpr auto properties = ecs::properties(ecs::with_type<first_companion>, ecs::with_type<cold>);
};

/// Cannot be made without a value.
struct vessel {
    explicit vessel(int size) : liters(size) {}
    int liters;
};
struct brew {
    static constexpr auto properties = ecs::properties(ecs::with_type<vessel>);
};

struct refused_changes : testing::Test {
    ecs::world world;
    entity parent = world.spawn(health{1});
    entity child = world.spawn(pair(ecs::child_of, parent), health{1});
    int told = 0;

    void listen() {
        world.observe<ecs::event::added, marked>([this](entity) { ++told; });
        world.observe<ecs::event::set, health>([this](entity) { ++told; });
    }
    void expect_unchanged(entity e) {
        EXPECT_EQ(world.get<health>(e).points, 1);
        EXPECT_FALSE(world.has<marked>(e));
        EXPECT_EQ(told, 0);
    }
};

TEST_F(refused_changes, entity_with_what_nobody_can_have_is_not_spawned_and_nobody_is_told) {
    const entity dead = world.spawn();
    world.despawn(dead);
    struct likes {};
    std::vector<ecs::event> seen;
    const auto note = [&](const ecs::event_context& what) { seen.push_back(what.what); };
    world.observe<ecs::event::spawned>(note);
    world.observe<ecs::event::despawned>(note);
    world.monitor<health>([&](entity, bool) { seen.push_back(ecs::event::matching); });
    listen();
    const auto entities = world.entities();
    for (const ecs::id word : {ecs::id(dead), world.pair_to<likes>(dead), ecs::id(pair(ecs::child_of, dead)),
                               ecs::id(pair(world.component<likes>(), ecs::any)), ecs::id()})
        EXPECT_THROW(world.spawn(health{2}, marked{}, word), std::invalid_argument);
    EXPECT_TRUE(seen.empty());
    EXPECT_EQ(told, 0);
    EXPECT_EQ(world.entities(), entities);
    EXPECT_TRUE(world.alive(world.spawn(health{2}, world.pair_to<likes>(parent))));
    EXPECT_EQ(seen.size(), 2U);
}

TEST_F(refused_changes, by_a_cycle) {
    listen();
    EXPECT_EQ(world.edit(parent).set(health{50}).add<marked>().add(pair(ecs::child_of, child)).commit(),
              add_result::would_make_a_cycle);
    expect_unchanged(parent);
}

TEST_F(refused_changes, by_a_name_that_is_taken) {
    world.set_name(child, "Ann");
    const entity other = world.spawn(health{1});
    world.set_name(other, "Ann");
    listen();
    EXPECT_EQ(world.edit(other).set(health{50}).add<marked>().add(pair(ecs::child_of, parent)).commit(),
              add_result::name_taken);
    expect_unchanged(other);
}

TEST_F(refused_changes, by_what_is_excluded) {
    world.add<hot>(child);
    listen();
    EXPECT_EQ(world.edit(child).set(health{50}).add<marked>().add<cold>().commit(), add_result::excluded);
    expect_unchanged(child);
    EXPECT_EQ((world.add<marked, cold>(child)), add_result::excluded);
    expect_unchanged(child);
    EXPECT_EQ(world.set(child, health{3}, cold{}), add_result::excluded);
    expect_unchanged(child);
}

TEST_F(refused_changes, by_what_comes_with_it) {
    listen();
    EXPECT_EQ(world.edit(child).add<marked>().add<cold>().add<hot>().commit(), add_result::excluded);
    EXPECT_EQ(world.edit(child).add<marked>().add<hot>().add<cold>().commit(), add_result::excluded);
    expect_unchanged(child);
    EXPECT_FALSE(world.has<hot>(child) || world.has<cold>(child));
}

TEST_F(refused_changes, by_what_it_would_bring_along) {
    world.add<hot>(child);
    listen();
    EXPECT_EQ(world.edit(child).add<marked>().add<frost>().commit(), add_result::excluded);
    EXPECT_FALSE(world.has<first_companion>(child) || world.has<frost>(child));
    expect_unchanged(child);
}

TEST_F(refused_changes, by_a_companion_that_cannot_be_made) {
    world.add<hot>(child);
    listen();
    EXPECT_EQ(world.edit(child).add<hot>().set(health{50}).add<marked>().add<brew>().commit(),
              add_result::not_constructible);
    expect_unchanged(child);
}

TEST_F(refused_changes, are_made_where_what_is_excluded_goes) {
    for (const bool removes_first : {false, true}) {
        const entity e = world.spawn(hot{}, kept_hot{});
        ecs::editor change = world.edit(e);
        if (removes_first) change.remove<hot>().remove<kept_hot>();
        change.add<cold>().add<kept_cold>();
        if (!removes_first) change.remove<hot>().remove<kept_hot>();
        EXPECT_EQ(change.commit(), add_result::added);
        EXPECT_TRUE(world.has<cold>(e) && world.has<kept_cold>(e));
        EXPECT_FALSE(world.has<hot>(e) || world.has<kept_hot>(e));
    }
}

/// Throws when it is made without a value, if it is told to.
struct explosive {
    static inline bool armed = false;
    int powder = 1;

    explosive() {
        if (armed) throw std::runtime_error("bang");
    }
    explicit explosive(int amount) : powder(amount) {}
};
struct explosive_sparse : explosive {
    static constexpr auto kept_in = ecs::storage::sparse;
    using explosive::explosive;
};
struct explosive_in_place : explosive {
    static constexpr auto kept_in = ecs::storage::in_place;
    using explosive::explosive;
};

template <class T> struct thrown_changes : testing::Test {
    thrown_changes() { explosive::armed = true; }
    ~thrown_changes() override { explosive::armed = false; }
    thrown_changes(const thrown_changes&) = delete;
    thrown_changes& operator=(const thrown_changes&) = delete;

    ecs::world world;
    entity e = world.spawn(health{1});
};
using explosives = testing::Types<explosive, explosive_sparse, explosive_in_place>;
TYPED_TEST_SUITE(thrown_changes, explosives);

TYPED_TEST(thrown_changes, leave_what_comes_beside_it_out) {
    EXPECT_THROW((this->world.template add<marked, TypeParam>(this->e)), std::runtime_error);
    EXPECT_THROW(this->world.edit(this->e).template add<marked>().template add<TypeParam>().commit(),
                 std::runtime_error);
    EXPECT_FALSE(this->world.template has<marked>(this->e));
    EXPECT_FALSE(this->world.template has<TypeParam>(this->e));
}

TYPED_TEST(thrown_changes, leave_what_would_have_gone) {
    this->world.set(this->e, TypeParam(7));
    EXPECT_THROW(this->world.edit(this->e).template remove<TypeParam>().template add<TypeParam>().commit(),
                 std::runtime_error);
    EXPECT_EQ(this->world.template get<TypeParam>(this->e).powder, 7);
    this->world.template remove<TypeParam>(this->e);
    EXPECT_THROW(this->world.edit(this->e).template remove<health>().template add<TypeParam>().commit(),
                 std::runtime_error);
    EXPECT_TRUE(this->world.template has<health>(this->e));
}

/// A relation that comes with two others, of which the first takes the place of a pair that is there.
struct companions_refused : testing::Test {
    ecs::world world;
    entity relation = world.spawn(), first = world.spawn(), second = world.spawn();
    entity e = world.spawn(), before = world.spawn();

    companions_refused() {
        world.add(first, ecs::exclusive);
        world.add(relation, pair(ecs::with, first));
        world.add(relation, pair(ecs::with, second));
        world.add(e, pair(first, before));
    }
    void expect_nothing_has_changed() { EXPECT_EQ(world.ids(e), std::vector{pair(first, before)}); }
};

TEST_F(companions_refused, by_a_cycle_leave_what_the_others_would_replace) {
    world.add(second, ecs::acyclic);
    EXPECT_EQ(world.add(e, pair(relation, e)), add_result::would_make_a_cycle);
    expect_nothing_has_changed();
}

TEST_F(companions_refused, because_a_singleton_is_another_s_tell_nobody) {
    const entity target = world.spawn(), only = world.spawn();
    world.add(only, ecs::singleton);
    world.add(target, pair(ecs::with, first));
    world.add(target, pair(ecs::with, only));
    int told = 0;
    world.observe(ecs::event::added, first, [&](entity) { ++told; });
    EXPECT_FALSE(succeeded(world.add(e, target)));
    EXPECT_EQ(told, 0);
    expect_nothing_has_changed();
}

TEST_F(companions_refused, at_the_other_end_of_a_symmetric_relation_leave_both_ends) {
    world.add(relation, ecs::symmetric);
    world.add(second, ecs::acyclic);
    const entity other = world.spawn();
    world.add(other, pair(second, e)); // So that (second, e) is there, and e cannot get (second, other).
    EXPECT_FALSE(succeeded(world.add(e, pair(relation, other))));
    expect_nothing_has_changed();
    EXPECT_EQ(world.ids(other), std::vector{pair(second, e)});
}

TEST(refused_edits, count_the_last_of_several_targets) {
    for (const ecs::builtin property : {ecs::exclusive, ecs::non_fragmenting}) {
        ecs::world world;
        const entity relation = world.spawn(), e = world.spawn(), a = world.spawn(), b = world.spawn();
        world.add(relation, property);
        world.add(relation, ecs::permanent);
        EXPECT_EQ(world.edit(e).add(pair(relation, a)).add<marked>().add(pair(relation, b)).commit(),
                  add_result::added);
        EXPECT_EQ(world.target_of(e, relation), b);
    }
}

TEST(refused_edits, leave_what_is_needed_beside_another_target) {
    ecs::world world;
    const entity needed = world.spawn(), needing = world.spawn(), e = world.spawn();
    const entity a = world.spawn(), b = world.spawn();
    world.add(needed, ecs::exclusive);
    world.add(needing, pair(ecs::needs, needed));
    EXPECT_EQ(world.edit(e).add<marked>().add(pair(needing, a)).add(pair(needed, b)).commit(),
              add_result::needed);
    EXPECT_EQ(world.edit(e).add(pair(needing, a)).add(pair(needing, b)).commit(), add_result::needed);
    EXPECT_TRUE(world.ids(e).empty());
}

TEST(refused_edits, an_instance_becomes_a_part_of_its_base_in_any_order) {
    ecs::world world;
    const entity base = world.spawn(), one = world.spawn(), other = world.spawn();
    EXPECT_EQ(world.edit(one).add(pair(ecs::is_a, base)).add(pair(ecs::child_of, base)).commit(),
              add_result::added);
    EXPECT_EQ(world.edit(other).add(pair(ecs::child_of, base)).add(pair(ecs::is_a, base)).commit(),
              add_result::added);
    for (const entity e : {one, other}) {
        EXPECT_TRUE(world.has(e, pair(ecs::is_a, base)));
        EXPECT_EQ(world.parent(e), base);
    }
}

TEST(refused_edits, leave_what_would_be_a_part_of_its_base_before_it_is_an_instance) {
    ecs::world world;
    const entity relation = world.spawn(), nested = world.spawn(), outer = world.spawn();
    const entity e = world.spawn(), base = world.spawn();
    world.add(relation, pair(ecs::with, ecs::child_of));
    world.add(relation, pair(ecs::with, ecs::is_a));
    world.add(nested, pair(ecs::with, ecs::child_of));
    world.add(outer, pair(ecs::with, nested));
    world.add(outer, pair(ecs::with, ecs::is_a));
    for (const entity bringing : {relation, outer}) {
        EXPECT_EQ(world.add(e, pair(bringing, base)), add_result::would_make_a_cycle);
        EXPECT_EQ(world.edit(e).add<marked>().add(pair(bringing, base)).commit(),
                  add_result::would_make_a_cycle);
        EXPECT_TRUE(world.ids(e).empty() && world.children(base).empty());
    }
    const entity sound = world.spawn();
    world.add(sound, pair(ecs::with, ecs::is_a));
    world.add(sound, pair(ecs::with, ecs::child_of));
    EXPECT_EQ(world.add(e, pair(sound, base)), add_result::added);
    EXPECT_TRUE(world.has(e, pair(ecs::is_a, base)));
    EXPECT_EQ(world.parent(e), base);
}

TEST(refused_edits, of_two_that_bring_targets_of_which_the_first_has_to_stay) {
    ecs::world world;
    const entity staying = world.spawn(), one = world.spawn(), other = world.spawn();
    const entity e = world.spawn(), a = world.spawn(), b = world.spawn();
    world.add(staying, ecs::exclusive);
    world.add(staying, ecs::permanent);
    world.add(one, pair(ecs::with, staying));
    world.add(other, pair(ecs::with, staying));
    EXPECT_EQ(world.edit(e).add<marked>().add(pair(one, a)).add(pair(other, b)).commit(),
              add_result::is_permanent);
    EXPECT_TRUE(world.ids(e).empty());
}

TEST(refused_edits, exclude_at_neither_end_what_goes) {
    ecs::world world;
    const entity likes = world.spawn(), hates = world.spawn(), a = world.spawn(), b = world.spawn();
    world.add(likes, ecs::symmetric);
    world.add(hates, ecs::symmetric);
    world.add(likes, pair(ecs::excludes, hates));
    world.add(a, hates, b);
    EXPECT_EQ(world.edit(a).remove(pair(hates, b)).add(pair(likes, b)).commit(), add_result::added);
    EXPECT_EQ(world.ids(b), std::vector{pair(likes, a)});
    EXPECT_EQ(world.edit(b).add(pair(hates, a)).remove(pair(likes, a)).commit(), add_result::added);
    EXPECT_EQ(world.ids(a), std::vector{pair(hates, b)});
}

/// A relation whose targets are children of a group, in both directions.
struct regrouping_edits : testing::Test {
    ecs::world world;
    entity group = world.spawn(), elsewhere = world.spawn(), relation = world.spawn();
    entity e = world.spawn(), member = world.spawn(pair(ecs::child_of, group));

    regrouping_edits() {
        world.add(relation, ecs::symmetric);
        world.add(relation, pair(ecs::one_of, group));
    }
    void relate() {
        world.add(e, ecs::child_of, group);
        world.add(e, relation, member);
    }
};

TEST_F(regrouping_edits, give_a_pair_to_who_comes_to_the_group) {
    EXPECT_EQ(
        world.edit(e).add<marked>().add(pair(relation, member)).add(pair(ecs::child_of, group)).commit(),
        add_result::added);
    EXPECT_TRUE(world.has(e, relation, member) && world.has(member, relation, e));
    const entity other = world.spawn();
    EXPECT_EQ(world.edit(other).add(pair(ecs::child_of, group)).add(pair(relation, e)).commit(),
              add_result::added);
    EXPECT_TRUE(world.has(e, relation, other));
}

TEST_F(regrouping_edits, let_a_target_leave_when_the_pair_goes) {
    relate();
    EXPECT_EQ(world.edit(e).add(pair(ecs::child_of, elsewhere)).remove(pair(relation, member)).commit(),
              add_result::added);
    EXPECT_EQ(world.parent(e), elsewhere);
    relate();
    EXPECT_EQ(world.edit(e).remove(pair(ecs::child_of, group)).remove(pair(relation, member)).commit(),
              add_result::added);
    EXPECT_TRUE(world.ids(e).empty());
    EXPECT_FALSE(world.has(member, relation, e));
}

TEST_F(regrouping_edits, are_refused_whole_where_a_target_would_be_outside_the_group) {
    world.add(e, ecs::child_of, group);
    EXPECT_EQ(
        world.edit(e).add<marked>().add(pair(relation, member)).add(pair(ecs::child_of, elsewhere)).commit(),
        add_result::target_not_allowed);
    EXPECT_EQ(world.edit(e).remove(pair(ecs::child_of, group)).add(pair(relation, member)).commit(),
              add_result::target_not_allowed);
    EXPECT_EQ(world.parent(e), group);
    EXPECT_FALSE(world.has<marked>(e) || world.has(e, relation, member));
    world.add(e, relation, member);
    EXPECT_EQ(world.edit(e).add<marked>().add(pair(ecs::child_of, elsewhere)).commit(),
              add_result::relation_in_use);
    EXPECT_FALSE(world.has<marked>(e));
}

/// A parent with a child of a name that others have outside.
struct renaming_edits : testing::Test {
    ecs::world world;
    entity component = world.component<ecs::name>();
    entity parent = world.spawn();
    entity child = world.spawn("Bob", pair(ecs::child_of, parent));
    entity bob = world.spawn("Bob");
    const ecs::name ann{"Ann"};
    const ecs::name taken{"Bob"};
};

TEST_F(renaming_edits, go_where_the_old_name_is_taken) {
    EXPECT_EQ(world.edit(bob).add(pair(ecs::child_of, parent)).set(component, &ann).commit(),
              add_result::added);
    EXPECT_EQ(world.lookup(parent, "Ann"), bob);
    EXPECT_EQ(world.lookup(parent, "Bob"), child);
    EXPECT_FALSE(world.lookup("Bob"));
    world.spawn("Bob");
    const ecs::name dan("Dan");
    EXPECT_EQ(world.edit(child).remove(pair(ecs::child_of, parent)).set(component, &dan).commit(),
              add_result::added);
    EXPECT_EQ(world.lookup("Dan"), child);
}

TEST_F(renaming_edits, go_without_a_name_where_it_is_taken) {
    EXPECT_EQ(world.edit(bob).add(pair(ecs::child_of, parent)).remove(component).commit(), add_result::added);
    EXPECT_EQ(world.parent(bob), parent);
    EXPECT_EQ(world.name_of(bob), "");
}

TEST_F(renaming_edits, go_where_a_name_is_free_that_is_taken_here) {
    const entity first = world.spawn("Ann"), second = world.spawn("Cid");
    EXPECT_EQ(world.edit(second).set(component, &ann).add(pair(ecs::child_of, parent)).commit(),
              add_result::added);
    EXPECT_EQ(world.lookup("Ann"), first);
    EXPECT_EQ(world.lookup(parent, "Ann"), second);
}

TEST_F(renaming_edits, are_refused_whole_where_the_new_name_is_taken) {
    const entity cid = world.spawn("Cid"), inside = world.spawn("Cid", pair(ecs::child_of, parent));
    EXPECT_EQ(world.edit(cid).add<marked>().set(component, &taken).commit(), add_result::name_taken);
    world.set_name(bob, "Ben");
    EXPECT_EQ(world.edit(cid).add<marked>().set(component, &taken).add(pair(ecs::child_of, parent)).commit(),
              add_result::name_taken);
    EXPECT_EQ(world.lookup("Cid"), cid);
    EXPECT_FALSE(world.has<marked>(cid));
    world.set_name(bob, "Ann");
    EXPECT_EQ(world.edit(cid).set(component, &ann).add(pair(ecs::child_of, parent)).commit(),
              add_result::name_taken)
        << "neither the name nor the parent can be the first to change";
    EXPECT_FALSE(world.parent(cid));
    EXPECT_EQ(world.lookup(parent, "Cid"), inside);
}

TEST_F(renaming_edits, change_nothing_when_the_text_is_no_name) {
    const ecs::name unsound("a/b");
    EXPECT_THROW(world.edit(bob).add<marked>().set(component, &unsound).commit(), ecs::name_error);
    EXPECT_FALSE(world.has<marked>(bob));
}

TEST(refused_edits, of_what_excludes_what_a_base_gives) {
    ecs::world world;
    const entity given = world.spawn(), shunned = world.spawn(), e = world.spawn();
    world.add(given, pair(ecs::excludes, shunned));
    const entity flagged = world.spawn(), whole = world.spawn();
    const entity part = world.spawn(pair(ecs::child_of, whole));
    world.add(flagged, ecs::type_flags::auto_override | ecs::id(given));
    world.add(whole, given, part);
    for (const entity base : {flagged, whole}) {
        EXPECT_EQ(world.edit(e).add<marked>().add(pair(ecs::is_a, base)).add(shunned).commit(),
                  add_result::excluded);
        EXPECT_TRUE(world.ids(e).empty() && world.children(e).empty());
    }
}

/// Cannot be made without a value, and is kept elsewhere.
struct fuel {
    static constexpr auto kept_in = ecs::storage::sparse;
    explicit fuel(int amount) : liters(amount) {}
    int liters;
};
struct pump {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value = 0;
};

TEST(refused_edits, values_that_are_given_need_no_default) {
    for (const ecs::builtin brings : {ecs::needs, ecs::with}) {
        ecs::world world;
        world.add(world.component<health>(), pair(brings, world.component<vessel>()));
        world.add(world.component<pump>(), pair(brings, world.component<fuel>()));
        const entity e = world.spawn(), f = world.spawn();
        EXPECT_EQ(world.set(e, health{3}, vessel{90}), add_result::added);
        EXPECT_EQ(world.get<vessel>(e).liters, 90);
        EXPECT_EQ(world.set(f, pump{}, fuel{5}), add_result::added);
        EXPECT_EQ(world.get<fuel>(world.spawn(pump{}, fuel{6})).liters, 6);
        EXPECT_EQ(world.get<fuel>(world.spawn_n(2, pump{}, fuel{7}).back()).liters, 7);
    }
}

TEST(refused_edits, links_leave_nothing_of_what_would_have_come_along) {
    ecs::world world;
    const entity plays = world.spawn(), hears = world.spawn(), strains = world.spawn(), e = world.spawn();
    world.add(plays, pair(ecs::with, hears));
    world.add(plays, pair(ecs::with, strains));
    world.add(strains, pair(ecs::excludes, world.component<marked>()));
    world.add<marked>(e);
    auto owned = std::make_unique<std::shared_ptr<int>>(std::make_shared<int>(1));
    const std::weak_ptr<int> alive = *owned;
    EXPECT_EQ(world.link_owned(e, plays, std::move(owned)), add_result::excluded);
    EXPECT_EQ(world.ids(e).size(), 1U);
    EXPECT_TRUE(alive.expired());
}

TEST(refused_declarations, of_a_property_whose_consequence_is_excluded) {
    ecs::world world;
    const entity relation = world.spawn(), shunning = world.spawn();
    world.add(shunning, pair(ecs::excludes, world.component_named("exclusive")));
    world.add(relation, shunning);
    EXPECT_EQ(world.add(relation, ecs::non_fragmenting), add_result::excluded);
    EXPECT_EQ(world.ids(relation), std::vector{ecs::id(shunning)});
}

TEST(refused_edits, an_image_that_is_excluded_parts_nobody) {
    ecs::world world;
    const entity partners = world.spawn(), shunned = world.spawn();
    const entity e = world.spawn(), partner = world.spawn(), x = world.spawn(shunned);
    world.add(partners, ecs::symmetric);
    world.add(partners, ecs::exclusive);
    world.add(partners, pair(ecs::excludes, shunned));
    world.add(e, partners, partner);
    EXPECT_EQ(world.add(e, partners, x), add_result::excluded);
    EXPECT_TRUE(world.has(e, partners, partner));
    EXPECT_TRUE(world.has(partner, partners, e));
}

/// A new entity that is refused when it has a partner already.
struct spawn_refused : testing::Test {
    ecs::world world;
    entity relation = world.spawn(), a = world.spawn(), excluding = world.spawn(), other = world.spawn();
    std::size_t before = 0;

    spawn_refused() {
        world.add(excluding, pair(ecs::excludes, a));
        world.spawn("taken");
        before = world.entities().size();
    }
    void expect_no_new_entity() { EXPECT_EQ(world.entities().size(), before); }
};

TEST_F(spawn_refused, ends_nobody_who_would_end_with_it) {
    for (const ecs::builtin policy : {ecs::delete_it, ecs::refuse_it}) {
        const entity partners = world.spawn();
        world.add(partners, ecs::symmetric);
        world.add(partners, pair(ecs::on_delete_target, policy));
        before = world.entities().size();
        EXPECT_THROW(world.spawn(pair(partners, other), a, excluding), std::invalid_argument);
        EXPECT_THROW(world.spawn("taken", pair(partners, other)), ecs::name_error);
        EXPECT_TRUE(world.alive(other));
        EXPECT_TRUE(world.ids(other).empty());
        expect_no_new_entity();
    }
}

TEST_F(spawn_refused, takes_nothing_from_others) {
    world.add(relation, ecs::single_source);
    world.add(other, relation, a);
    EXPECT_THROW(world.spawn(pair(relation, a), a, excluding), std::invalid_argument);
    EXPECT_THROW(world.spawn("taken", pair(relation, a)), ecs::name_error);
    EXPECT_TRUE(world.has(other, relation, a));
    world.remove(relation, ecs::single_source);
    const entity partners = world.spawn(), third = world.spawn();
    world.add(partners, ecs::symmetric);
    world.add(partners, ecs::exclusive);
    world.add(other, partners, third);
    before = world.entities().size();
    EXPECT_THROW(world.spawn(pair(partners, third), a, excluding), std::invalid_argument);
    EXPECT_TRUE(world.has(other, partners, third));
    EXPECT_TRUE(world.has(third, partners, other));
    expect_no_new_entity();
}

/// Its second copy throws, when it is armed.
struct fragile {
    static inline int copies_left = -1;

    fragile() = default;
    fragile(const fragile&) {
        if (copies_left >= 0 && copies_left-- == 0) throw std::runtime_error("crack");
    }
    fragile(fragile&&) noexcept {}
    fragile& operator=(const fragile&) = default;
    fragile& operator=(fragile&&) noexcept = default;
    int value = 0;
};

TEST_F(spawn_refused, as_a_copy_ends_nobody_who_would_end_with_it) {
    world.add(relation, ecs::symmetric);
    world.add(relation, pair(ecs::on_delete_target, ecs::delete_it));
    const entity original = world.spawn(fragile{});
    world.add(original, relation, other);
    before = world.entities().size();
    fragile::copies_left = 1;
    EXPECT_THROW(std::ignore = world.clone_n(original, 3), std::runtime_error);
    fragile::copies_left = -1;
    EXPECT_TRUE(world.alive(other));
    expect_no_new_entity();
}

TEST_F(spawn_refused, among_the_new_sources_of_a_target_where_one_alone_may_be) {
    const entity only = world.spawn(), first = world.spawn(), second = world.spawn();
    world.add(only, ecs::single_source);
    world.add(relation, pair(ecs::needs, only));
    world.add(other, only, a);
    EXPECT_EQ(world.replace_sources(a, std::vector{first, second}, relation),
              add_result::sources_not_allowed);
    EXPECT_TRUE(world.has(other, only, a));
    EXPECT_TRUE(world.ids(first).empty());
}

TEST(refused_declarations, what_comes_along_cannot_be_excluded) {
    ecs::world world;
    const entity one = world.spawn(), other = world.spawn();
    EXPECT_EQ(world.add(one, pair(ecs::with, other)), add_result::added);
    EXPECT_EQ(world.add(one, pair(ecs::excludes, other)), add_result::contradiction);
    EXPECT_EQ(world.add(other, pair(ecs::excludes, one)), add_result::contradiction);
    world.remove(one, pair(ecs::with, other));
    EXPECT_EQ(world.add(one, pair(ecs::excludes, other)), add_result::added);
    EXPECT_EQ(world.add(one, pair(ecs::with, other)), add_result::contradiction);
    EXPECT_EQ(world.add(other, pair(ecs::with, one)), add_result::contradiction);
}

TEST(refused_declarations, beside_a_use_in_the_same_edit) {
    ecs::world world;
    const entity relation = world.spawn(), a = world.spawn(), b = world.spawn();
    for (const ecs::id property : {ecs::id(ecs::exclusive), ecs::id(ecs::symmetric), ecs::id(ecs::acyclic),
                                   ecs::id(pair(ecs::with, a)), ecs::id(ecs::relation_only)}) {
        EXPECT_EQ(world.edit(relation).add<marked>().add(property).add(pair(relation, b)).commit(),
                  add_result::relation_in_use);
        EXPECT_EQ(world.edit(relation).add(relation).add(property).add<marked>().commit(),
                  add_result::relation_in_use);
        EXPECT_TRUE(world.ids(relation).empty());
    }
    world.add(relation, pair(relation, a));
    EXPECT_EQ(world.edit(relation).remove(pair(relation, a)).add(ecs::permanent).commit(),
              add_result::relation_in_use);
    EXPECT_EQ(world.ids(relation), std::vector{pair(relation, a)});
}

TEST(refused_declarations, of_two_properties_that_contradict_each_other) {
    ecs::world world;
    const entity relation = world.spawn(), a = world.spawn();
    EXPECT_EQ(world.edit(relation).add<marked>().add(ecs::symmetric).add(ecs::acyclic).commit(),
              add_result::contradiction);
    EXPECT_EQ(world.edit(relation).add(pair(ecs::excludes, a)).add(pair(ecs::with, a)).commit(),
              add_result::contradiction);
    EXPECT_EQ(world.edit(relation).add(ecs::reflexive).add(ecs::acyclic).commit(), add_result::contradiction);
    EXPECT_TRUE(world.ids(relation).empty());
    EXPECT_EQ(world.edit(relation).add(ecs::symmetric).add(ecs::exclusive).commit(), add_result::added);
}

struct base_refused : refused_changes {
    entity base = world.spawn(hot{});
    add_result become_instance(auto... changes) {
        ecs::editor all = world.edit(child);
        (changes(all), ...);
        return all.add(pair(ecs::is_a, base)).commit();
    }
};

TEST_F(base_refused, by_what_stays_beside_what_goes) {
    const auto go = [](ecs::editor& all) { all.remove<health>(); };
    world.add<cold>(child);
    listen();
    EXPECT_EQ(become_instance(go), add_result::excluded);
    expect_unchanged(child);
    EXPECT_EQ(become_instance(go, [](ecs::editor& all) { all.remove<cold>(); }), add_result::added);
    EXPECT_TRUE(world.has<hot>(child));
}

TEST_F(base_refused, by_what_comes_beside_it) {
    const entity other = world.spawn(cold{});
    listen();
    EXPECT_EQ(become_instance([](ecs::editor& all) { all.add<marked>().add<cold>(); }), add_result::excluded);
    EXPECT_EQ(become_instance([&](ecs::editor& all) { all.add<marked>().add(pair(ecs::is_a, other)); }),
              add_result::excluded);
    EXPECT_FALSE(world.has(child, pair(ecs::is_a, ecs::any)));
    expect_unchanged(child);
}

/// Cannot be copied.
struct cargo {
    std::unique_ptr<int> load;
};
struct tows {
    static constexpr auto properties = ecs::properties(ecs::exclusive);
    std::unique_ptr<int> load;
};
struct moors {
    static constexpr auto properties = ecs::properties(ecs::exclusive, ecs::non_fragmenting);
    std::unique_ptr<int> load;
};
struct barge {};
struct tug {};
/// Counts its copies, the next of which may throw.
struct copied {
    static inline int until_throw = 0;
    copied() = default;
    explicit copied(int n) : number(n) {}
    copied(const copied& from) : number(from.number) {
        if (until_throw != 0 && --until_throw == 0) throw std::runtime_error("no copy");
    }
    copied(copied&& from) noexcept : number(from.number) {}
    copied& operator=(const copied&) = default;
    copied& operator=(copied&&) noexcept = default;
    ~copied() = default;

    static constexpr auto properties = ecs::properties(ecs::exclusive);
    int number = 0;
};

TEST(edits, move_a_value_that_cannot_be_copied_wherever_it_goes) {
    ecs::world world;
    const auto one = [](int n) { return std::make_unique<int>(n); };
    const entity base = world.spawn(), heir = world.spawn(pair(ecs::is_a, base));
    const auto value_of = [&](entity e) { return *world.get<cargo>(e).load; };
    for (const entity e : {base, heir}) {
        EXPECT_EQ(world.edit(e).add<marked>().set(cargo{one(1)}).commit(), add_result::added);
        EXPECT_EQ(value_of(e), 1);
        EXPECT_EQ(world.edit(e).set(cargo{one(2)}).commit(), add_result::already_there);
        EXPECT_EQ(value_of(e), 2);
    }
}

template <class Relation> void expect_moved_to_pairs() {
    ecs::world world;
    const auto one = [](int n) { return Relation{std::make_unique<int>(n)}; };
    using to_barge = ecs::pair_of<Relation, barge>;
    using to_tug = ecs::pair_of<Relation, tug>;
    const entity e = world.spawn();
    EXPECT_EQ(world.edit(e).template add<marked>().template set<to_barge>(one(3)).commit(),
              add_result::added);
    EXPECT_EQ(*world.get<to_barge>(e).load, 3);
    EXPECT_EQ(world.edit(e).template set<to_barge>(one(4)).commit(), add_result::already_there);
    EXPECT_EQ(*world.get<to_barge>(e).load, 4);
    EXPECT_TRUE(ecs::succeeded(world.edit(e).template set<to_tug>(one(5)).commit()));
    EXPECT_FALSE(world.has<to_barge>(e));
    EXPECT_EQ(*world.get<to_tug>(e).load, 5);
}

TEST(edits, move_a_value_to_a_pair_of_a_relation_with_rules) {
    expect_moved_to_pairs<tows>();
    expect_moved_to_pairs<moors>();
}

TEST(edits, tell_observers_of_a_value_that_is_moved_to_an_heir) {
    ecs::world world;
    const entity heir = world.spawn(pair(ecs::is_a, world.spawn(cargo{std::make_unique<int>(1)})));
    std::vector<int> told;
    world.observe<ecs::event::set, cargo>([&](entity, const cargo& c) { told.push_back(*c.load); });
    std::ignore = world.edit(heir).set(cargo{std::make_unique<int>(2)}).commit();
    std::ignore = world.edit(heir).set(cargo{std::make_unique<int>(3)}).commit();
    EXPECT_EQ(told, (std::vector{2, 3}));
}

TEST(edits, lose_no_value_of_a_pair_when_its_copy_would_throw) {
    ecs::world world;
    using to_barge = ecs::pair_of<copied, barge>;
    const entity e = world.spawn();
    world.set<to_barge>(e, copied(1));
    {
        auto all = world.edit(e);
        all.remove<to_barge>().set<to_barge>(copied(2));
        copied::until_throw = 1;
        EXPECT_EQ(all.commit(), add_result::added);
        copied::until_throw = 0;
    }
    EXPECT_EQ(world.get<to_barge>(e).number, 2);
}

TEST(edits, refuse_a_value_that_the_pair_cannot_have_before_anything_is_changed) {
    ecs::world world;
    world.add(world.component<hot>(), ecs::tag_only);
    using hot_health = ecs::pair_of<hot, health>;
    const entity base = world.spawn(), heir = world.spawn(pair(ecs::is_a, base));
    for (const entity e : {base, heir, world.spawn()}) {
        EXPECT_EQ(world.edit(e).add<marked>().set<hot_health>({1}).commit(), add_result::no_value);
        EXPECT_FALSE(world.has<marked>(e));
        EXPECT_FALSE(world.has<hot_health>(e));
    }
}

TEST(refused_declarations, a_prefab_that_cannot_be_one_has_not_been) {
    ecs::world world;
    const entity shy = world.component<health>();
    world.add(shy, pair(ecs::excludes, world.component_named("prefab_tag")));
    const std::size_t before = world.entities().size();
    EXPECT_THROW(world.prefab(health{}), std::invalid_argument);
    EXPECT_THROW(world.prefab("sword", health{}), std::invalid_argument);
    EXPECT_EQ(world.entities().size(), before);
    EXPECT_EQ(world.count<health>(), 0);
}

} // namespace
} // namespace refused_changes_test
