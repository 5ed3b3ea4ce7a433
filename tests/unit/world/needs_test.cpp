// SPDX-License-Identifier: MIT
// The laws of needs and permanent: what is needed comes along and stays as long as somebody needs it,
// whichever way it would go; what is permanent stays until one of those in it ends.
#include <algorithm>
#include <gtest/gtest.h>
#include <span>
#include <stdexcept>
#include <vector>

import ecs.world;

#include "relations.hpp"

namespace needs_test {
namespace {

struct engine {
    int power = 3;
};
struct wheels {
    static constexpr auto kept_in = ecs::storage::sparse;
    int count = 4;
};
struct wings {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct licence {
    explicit licence(int number) : number(number) {}
    int number;
};
struct car {
    static constexpr auto properties = ecs::properties(ecs::needs_type<engine>, ecs::needs_type<wheels>);
};
struct plane {
    static constexpr auto kept_in = ecs::storage::sparse;
    static constexpr auto properties = ecs::properties(ecs::needs_type<wings>, ecs::needs_type<engine>);
    int seats = 2;
};

struct need : relations {
    const entity knows = world.spawn();

    /// likes needs knows.
    void declare() { EXPECT_EQ(world.add(likes, pair(ecs::needs, knows)), add_result::added); }
    bool knows_it(entity from, entity to) const { return world.has(from, pair(knows, to)); }
};

TEST_F(need, adds_the_other_which_cannot_be_removed_as_long_as_it_is_there) {
    declare();
    relate(a, b);
    EXPECT_TRUE(knows_it(a, b));
    EXPECT_EQ(world.remove(a, pair(knows, b)), add_result::needed);
    EXPECT_TRUE(knows_it(a, b) && related(a, b));
    EXPECT_EQ(world.remove(a, pair(likes, b)), add_result::removed);
    EXPECT_TRUE(knows_it(a, b)) << "it stays when nobody needs it any more";
    EXPECT_EQ(world.remove(a, pair(knows, b)), add_result::removed);
}

TEST_F(need, holds_for_components_in_tables_and_outside) {
    for (const bool twice : {false, true}) {
        const entity e = twice ? b : a; // The second time the ways between the tables are known.
        EXPECT_EQ(world.add<car>(e), add_result::added);
        EXPECT_EQ(world.get<engine>(e).power, 3);
        EXPECT_EQ(world.get<wheels>(e).count, 4);
        EXPECT_EQ(world.remove<engine>(e), add_result::needed);
        EXPECT_EQ(world.remove<wheels>(e), add_result::needed);
        EXPECT_EQ(world.add<plane>(e), add_result::added);
        EXPECT_EQ(world.remove<wings>(e), add_result::needed);
        EXPECT_EQ(world.remove<car>(e), add_result::removed);
        EXPECT_EQ(world.remove<wheels>(e), add_result::removed);
        EXPECT_EQ(world.remove<engine>(e), add_result::needed) << "by the plane";
        EXPECT_EQ(world.remove<plane>(e), add_result::removed);
        EXPECT_EQ(world.remove<engine>(e), add_result::removed);
        EXPECT_EQ(world.remove<wings>(e), add_result::removed);
    }
}

TEST_F(need, holds_for_new_entities_however_they_are_made) {
    const auto expect_kept = [&](entity e) {
        EXPECT_EQ(world.remove<engine>(e), add_result::needed);
        EXPECT_EQ(world.remove<wheels>(e), add_result::needed);
    };
    expect_kept(world.spawn(car{}));
    EXPECT_EQ(world.get<engine>(world.spawn(car{}, engine{8})).power, 8);
    for (const entity e : world.spawn_n(3, car{}, frozen{})) expect_kept(e);
    expect_kept(world.clone(world.spawn(car{})));
    auto commands = world.commands();
    const entity made = commands.spawn(car{});
    world.flush();
    expect_kept(made);
}

TEST_F(need, leads_further) {
    const entity sees = world.spawn();
    declare();
    world.add(knows, pair(ecs::needs, sees));
    relate(a, b);
    EXPECT_EQ(world.remove(a, pair(sees, b)), add_result::needed);
    world.remove(a, pair(likes, b));
    EXPECT_EQ(world.remove(a, pair(sees, b)), add_result::needed);
    world.remove(a, pair(knows, b));
    EXPECT_EQ(world.remove(a, pair(sees, b)), add_result::removed);
}

TEST_F(need, lets_what_belongs_together_go_together) {
    world.add<car>(a);
    EXPECT_EQ((world.remove<engine, frozen>(a)), add_result::needed);
    EXPECT_EQ((world.remove<engine, wheels, car>(a)), add_result::removed)
        << "in whatever order they are named";
    EXPECT_FALSE(world.has<engine>(a) || world.has<wheels>(a) || world.has<car>(a));
    declare();
    relate(a, b);
    relate(a, c);
    EXPECT_EQ(world.remove(a, pair(knows, any)), add_result::needed);
    EXPECT_EQ(world.targets(a, knows).size(), 2U);
    EXPECT_EQ(world.remove(a, pair(any, b)), add_result::removed);
    EXPECT_TRUE(!knows_it(a, b) && !related(a, b) && related(a, c));
    EXPECT_EQ(world.remove(a, pair(any, any)), add_result::removed);
    EXPECT_TRUE(world.ids(a).empty());
}

TEST_F(need, lets_symmetric_pairs_go_together_on_both_sides) {
    const entity trusts = world.spawn(); // Comes after what it needs, in whatever order pairs are kept.
    for (const entity relation : {trusts, knows}) world.add(relation, ecs::symmetric);
    world.add(trusts, pair(ecs::needs, knows));
    world.add(a, pair(trusts, b));
    EXPECT_EQ(world.remove(a, pair(any, b)), add_result::removed);
    EXPECT_TRUE(world.ids(a).empty() && world.ids(b).empty());
}

TEST_F(need, makes_a_removal_of_several_all_or_nothing) {
    world.add<car>(a);
    world.add<frozen>(a);
    EXPECT_EQ((world.remove<frozen, wheels>(a)), add_result::needed);
    EXPECT_TRUE(world.has<frozen>(a) && world.has<wheels>(a));
}

TEST_F(need, holds_for_an_editor) {
    world.add<car>(a);
    EXPECT_EQ(world.edit(a).add<frozen>().remove<engine>().commit(), add_result::needed);
    EXPECT_FALSE(world.has<frozen>(a)) << "none of the changes is made";
    EXPECT_EQ(world.edit(a).remove<wheels>().remove<engine>().remove<car>().add<frozen>().commit(),
              add_result::added);
    EXPECT_FALSE(world.has<car>(a) || world.has<engine>(a) || world.has<wheels>(a));
    world.add<engine>(b);
    EXPECT_EQ(world.edit(b).add<car>().remove<engine>().commit(), add_result::needed);
    EXPECT_FALSE(world.has<car>(b));
}

TEST_F(need, lets_a_partner_be_replaced_when_what_needs_it_goes_in_the_same_edit) {
    world.add(likes, ecs::exclusive);
    world.add(likes, ecs::symmetric);
    world.add(knows, pair(ecs::needs, likes));
    world.add(a, pair(knows, b));
    EXPECT_EQ(world.edit(a).remove(pair(knows, b)).add(pair(likes, c)).commit(), add_result::added);
    EXPECT_TRUE(related(a, c) && related(c, a));
    EXPECT_FALSE(related(b, a));
    world.add(a, pair(knows, c));
    EXPECT_EQ(world.edit(a).add(pair(likes, b)).remove(pair(knows, c)).commit(), add_result::added);
    EXPECT_TRUE(related(a, b) && related(b, a));
    EXPECT_FALSE(related(c, a) || knows_it(a, c));
}

TEST_F(need, goes_in_the_edit_that_replaces_the_partner_for_whom_it_was_needed) {
    world.add(likes, ecs::exclusive);
    world.add(likes, ecs::symmetric);
    declare();
    relate(a, b);
    EXPECT_EQ(world.edit(a).remove(pair(knows, b)).add(pair(likes, c)).commit(), add_result::added);
    EXPECT_TRUE(related(a, c) && knows_it(a, c) && knows_it(c, a));
    EXPECT_FALSE(related(b, a) || knows_it(a, b));
    EXPECT_EQ(world.edit(a).remove(pair(knows, c)).add(pair(likes, c)).commit(), add_result::needed);
    EXPECT_TRUE(related(a, c) && knows_it(a, c));
}

TEST_F(need, is_met_by_an_editor_in_whatever_order_the_changes_are_named) {
    world.add(world.component<health>(), pair(ecs::needs, world.component<licence>()));
    EXPECT_EQ(world.edit(a).set(health{5}).set(licence{4}).commit(), add_result::added);
    EXPECT_EQ(world.get<health>(a).amount, 5);
    EXPECT_EQ(world.get<licence>(a).number, 4);
    const entity tag = world.spawn();
    world.add(tag, pair(ecs::needs, likes));
    EXPECT_EQ(world.edit(b).add<health>().add(tag).commit(), add_result::not_constructible)
        << "the first refusal is the result";
    EXPECT_FALSE(world.has<health>(b));
}

TEST_F(need, holds_for_commands) {
    world.add<car>(a);
    auto commands = world.commands();
    commands.remove<engine>(a);
    commands.remove(a, world.component<wheels>());
    const ecs::flush_report report = world.flush();
    EXPECT_EQ(report.dropped(add_result::needed), 2U);
    EXPECT_TRUE(world.has<engine>(a) && world.has<wheels>(a));
    commands.remove<car>(a);
    commands.remove<engine>(a);
    world.flush();
    EXPECT_FALSE(world.has<engine>(a));
}

TEST_F(need, holds_for_what_an_observer_asks_for) {
    world.add<car>(a);
    world.observe<ecs::event::added, frozen>([&](entity e) { world.remove<engine>(e); });
    world.add<frozen>(a);
    EXPECT_TRUE(world.has<engine>(a));
}

TEST_F(need, refuses_to_replace_what_is_needed) {
    for (const bool in_column : {false, true}) {
        const entity docks = world.spawn();
        const entity stays = world.spawn();
        world.add(stays, in_column ? ecs::non_fragmenting : ecs::exclusive);
        world.add(docks, pair(ecs::needs, stays));
        const entity ship = world.spawn();
        world.add(ship, pair(docks, a));
        EXPECT_EQ(world.add(ship, pair(stays, b)), add_result::needed);
        EXPECT_EQ(world.add(ship, pair(docks, b)), add_result::needed)
            << "it would replace what the first needs";
        EXPECT_EQ(world.targets(ship, docks), std::vector{a});
        EXPECT_EQ(world.target_of(ship, stays), a);
        EXPECT_EQ(world.remove(ship, pair(stays, any)), add_result::needed);
        world.remove(ship, pair(docks, a));
        EXPECT_EQ(world.add(ship, pair(docks, b)), add_result::added);
        EXPECT_EQ(world.target_of(ship, stays), b);
    }
}

TEST_F(need, keeps_both_halves_of_a_symmetric_pair) {
    world.add(knows, ecs::symmetric);
    declare();
    relate(a, b);
    EXPECT_EQ(world.remove(b, pair(knows, a)), add_result::needed) << "the mirror image is needed";
    EXPECT_TRUE(knows_it(a, b) && knows_it(b, a));
    world.remove(a, pair(likes, b));
    EXPECT_EQ(world.remove(b, pair(knows, a)), add_result::removed);
    EXPECT_FALSE(knows_it(a, b) || knows_it(b, a));
}

TEST_F(need, keeps_the_partners_of_a_symmetric_exclusive_relation) {
    world.add(knows, ecs::symmetric);
    world.add(knows, ecs::exclusive);
    declare();
    const entity d = world.spawn(), e = world.spawn();
    relate(a, b);
    world.add(c, pair(knows, e));
    EXPECT_EQ(world.add(c, pair(knows, a)), add_result::needed);
    EXPECT_EQ(world.add(c, pair(knows, b)), add_result::needed);
    EXPECT_EQ(world.add(b, pair(knows, d)), add_result::needed);
    EXPECT_TRUE(knows_it(a, b) && knows_it(b, a));
    EXPECT_TRUE(knows_it(c, e) && knows_it(e, c)) << "nothing changes";
    EXPECT_FALSE(world.has(d, pair(knows, any)));
}

TEST_F(need, goes_with_everything_when_one_of_them_ends) {
    declare();
    relate(a, b);
    relate(c, b);
    EXPECT_TRUE(world.despawn(b)) << "the target";
    EXPECT_FALSE(world.has(a, pair(any, any)));
    relate(a, c);
    EXPECT_TRUE(world.despawn(a)) << "the source";
    relate(c, c);
    EXPECT_TRUE(world.despawn(knows)) << "what is needed";
    EXPECT_TRUE(related(c, c));
    EXPECT_FALSE(world.has(likes, pair(ecs::needs, any)) || world.has(likes, pair(ecs::with, any)));
    const entity e = world.spawn(car{});
    world.despawn(world.component<car>());
    EXPECT_EQ(world.remove<engine>(e), add_result::removed) << "whoever needed it";
    EXPECT_TRUE(world.rows().traits_of(world.component<engine>()).dependents.empty());
}

TEST_F(need, is_of_what_an_instance_has_itself) {
    const entity knight = world.prefab(car{});
    world.add(a, pair(is_a, knight));
    EXPECT_TRUE(world.has<car>(a) && world.has<engine>(a));
    EXPECT_EQ(world.remove<engine>(a), add_result::not_there);
    EXPECT_EQ(world.remove<engine>(knight), add_result::needed);
    const entity base = world.prefab(engine{7});
    world.add(b, pair(is_a, base));
    world.add<car>(b);
    EXPECT_EQ(world.remove<engine>(base), add_result::removed);
    EXPECT_EQ(world.get<engine>(b).power, 7) << "what is needed is not left to a base";
}

TEST_F(need, is_declared_only_where_nobody_lacks_the_other) {
    relate(a, b);
    EXPECT_EQ(world.add(likes, pair(ecs::needs, knows)), add_result::relation_in_use);
    EXPECT_FALSE(world.has(likes, pair(ecs::needs, knows)));
    world.add(a, pair(knows, b));
    declare();
    EXPECT_EQ(world.remove(a, pair(knows, b)), add_result::needed);
    world.add<wings>(c);
    EXPECT_EQ(world.add(world.component<wings>(), pair(ecs::needs, knows)), add_result::relation_in_use);
}

TEST_F(need, contradicts_what_would_never_let_it_be_there) {
    EXPECT_EQ(world.add(likes, pair(ecs::needs, likes)), add_result::would_make_a_cycle);
    declare();
    EXPECT_EQ(world.add(knows, pair(ecs::needs, likes)), add_result::would_make_a_cycle);
    EXPECT_EQ(world.add(knows, pair(ecs::with, likes)), add_result::would_make_a_cycle);
    EXPECT_EQ(world.add(likes, pair(ecs::excludes, knows)), add_result::contradiction);
    EXPECT_EQ(world.add(knows, pair(ecs::excludes, likes)), add_result::contradiction);
    world.add(c, pair(ecs::with, b));
    EXPECT_EQ(world.add(b, pair(ecs::needs, c)), add_result::would_make_a_cycle);
    EXPECT_FALSE(world.has(b, pair(any, any)));
    world.add(a, pair(ecs::excludes, b));
    EXPECT_EQ(world.add(a, pair(ecs::needs, b)), add_result::contradiction);
    EXPECT_EQ(world.add(a, ecs::needs), add_result::needs_target);
}

TEST_F(need, implies_with_which_stays_when_it_is_taken_back) {
    declare();
    relate(a, b);
    EXPECT_TRUE(world.has(likes, pair(ecs::with, knows)));
    EXPECT_EQ(world.remove(likes, pair(ecs::with, knows)), add_result::contradiction);
    EXPECT_EQ(world.remove(likes, pair(ecs::needs, knows)), add_result::removed);
    EXPECT_EQ(world.remove(a, pair(knows, b)), add_result::removed);
    relate(c, b);
    EXPECT_TRUE(knows_it(c, b));
}

TEST_F(need, goes_with_what_it_implies_in_one_change) {
    const ecs::id needed = pair(ecs::needs, knows), implied = pair(ecs::with, knows);
    declare();
    EXPECT_EQ(world.clear(likes), add_result::removed);
    EXPECT_TRUE(world.ids(likes).empty());
    relate(a, b);
    EXPECT_FALSE(knows_it(a, b));
    world.clear(a);
    for (const bool in_order : {true, false}) {
        declare();
        const ecs::id first = in_order ? needed : implied, second = in_order ? implied : needed;
        EXPECT_EQ(world.edit(likes).remove(first).remove(second).commit(), add_result::added);
        EXPECT_FALSE(world.has(likes, needed) || world.has(likes, implied));
    }
}

TEST_F(need, keeps_what_it_implies_where_it_is_given_anew) {
    const ecs::id needed = pair(ecs::needs, knows), implied = pair(ecs::with, knows);
    const entity tag = world.spawn();
    declare();
    for (const bool in_order : {true, false}) {
        auto edit = world.edit(likes);
        if (!in_order) edit.remove(implied);
        edit.remove(needed).add(needed).add(tag);
        if (in_order) edit.remove(implied);
        EXPECT_EQ(edit.commit(), add_result::contradiction);
        EXPECT_FALSE(world.has(likes, tag));
        EXPECT_TRUE(world.has(likes, needed) && world.has(likes, implied));
    }
}

TEST_F(need, holds_in_a_world_that_was_saved_or_went_back) {
    world.add<car>(a);
    const ecs::snapshot then = world.snapshot();
    world.clear();
    world.restore(then);
    EXPECT_EQ(world.remove<engine>(a), add_result::needed);
    ecs::world other;
    other.component<car>();
    load(other, save(world));
    const entity loaded = other.query<>().with<car>().first();
    EXPECT_EQ(other.remove<engine>(loaded), add_result::needed);
    EXPECT_EQ(other.remove<wheels>(loaded), add_result::needed);
}

TEST_F(need, goes_for_numbers_and_objects_as_targets) {
    declare();
    int sound = 0;
    world.link(a, likes, sound);
    EXPECT_EQ(world.remove(a, world.link_of(knows, sound)), add_result::needed);
    EXPECT_EQ(world.remove(a, world.link_of(likes, sound)), add_result::removed);
    world.add(b, ecs::value_pair(likes, 3));
    EXPECT_EQ(world.remove(b, ecs::value_pair(knows, 3)), add_result::needed);
    EXPECT_EQ(world.remove(b, pair(any, any)), add_result::removed);
}

using permanence = relations;

TEST_F(need, is_not_of_who_has_the_pair_under_flags) {
    const entity relation = world.spawn(), needed = world.spawn();
    EXPECT_EQ(world.add(a, ecs::type_flags::auto_override | ecs::id(pair(relation, b))), add_result::added);
    EXPECT_EQ(world.add(relation, pair(ecs::needs, needed)), add_result::added);
    ecs::world other;
    EXPECT_NO_THROW(ecs::load(other, ecs::save(world)));
    EXPECT_EQ(world.add(c, pair(relation, b)), add_result::added);
    EXPECT_TRUE(world.has(c, pair(needed, b)));
    EXPECT_FALSE(world.has(c, needed));
}

TEST_F(permanence, component_stays_until_the_entity_ends) {
    for (const ecs::id word : {ecs::id(world.spawn()), ecs::id(world.component<engine>()),
                               ecs::id(world.component<wheels>()), ecs::id(world.component<wings>())}) {
        EXPECT_EQ(world.add(word.as_entity(), ecs::permanent), add_result::added);
        const entity e = world.spawn();
        world.add(e, word);
        EXPECT_EQ(world.remove(e, word), add_result::is_permanent);
        EXPECT_EQ(world.remove(std::span(&e, 1), word), 0U);
        world.edit(e).remove(word);
        EXPECT_TRUE(world.has(e, word));
        EXPECT_TRUE(world.despawn(e));
    }
    world.add<wheels>(a);
    EXPECT_EQ(world.remove<wheels>(a), add_result::is_permanent);
    EXPECT_TRUE(world.despawn(world.component<wheels>()));
    EXPECT_TRUE(world.ids(a).empty());
}

TEST_F(permanence, base_of_instances_stays_one) {
    const entity base = world.spawn();
    world.add(a, pair(is_a, base));
    EXPECT_TRUE(world.has(base, ecs::base));
    EXPECT_EQ(world.remove(base, ecs::base), add_result::is_permanent);
    EXPECT_EQ(world.remove(std::span(&base, 1), ecs::base), 0U);
    EXPECT_TRUE(world.has(base, ecs::base));
    EXPECT_TRUE(world.despawn(base));
}

TEST_F(permanence, pair_stays_and_is_not_replaced) {
    world.add(likes, ecs::permanent);
    world.add(likes, ecs::exclusive);
    relate(a, b);
    EXPECT_EQ(relate(a, c), add_result::is_permanent);
    EXPECT_EQ(world.remove(a, pair(likes, b)), add_result::is_permanent);
    EXPECT_EQ(world.remove(a, pair(any, any)), add_result::is_permanent);
    EXPECT_EQ(relate(a, b), add_result::already_there);
    EXPECT_TRUE(related(a, b));
    world.despawn(b);
    EXPECT_EQ(relate(a, c), add_result::added);
    world.remove(likes, ecs::permanent);
    EXPECT_EQ(world.remove(a, pair(likes, c)), add_result::removed);
}

TEST_F(permanence, parent_can_be_for_ever) {
    const entity owner = world.spawn();
    for (const ecs::builtin property : {ecs::non_fragmenting, ecs::permanent}) world.add(owner, property);
    world.add(a, pair(owner, b));
    EXPECT_EQ(world.add(a, pair(owner, c)), add_result::is_permanent);
    EXPECT_EQ(world.remove(a, pair(owner, any)), add_result::is_permanent);
    EXPECT_EQ(world.sources(b, owner), std::vector{a});
}

} // namespace
} // namespace needs_test
