// SPDX-License-Identifier: MIT
// What comes with a component comes with it however the entity gets it, from its first moment on.
#include "parts.hpp"
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

import ecs.world;

namespace companions_test {
namespace {

using ecs::add_result;
using ecs::entity;
using ecs::pair;

struct vigour {
    int points = 10;
};
struct plates {
    static constexpr auto properties = ecs::properties(ecs::with_type<vigour>);
    int points = 1;
};
struct shield {
    static constexpr auto properties = ecs::properties(ecs::with_type<plates>);
};
struct cape {
    static constexpr auto kept_in = ecs::storage::sparse;
    static constexpr auto properties = ecs::properties(ecs::with_type<shield>);
    int length = 2;
};
struct badge {
    static constexpr auto kept_in = ecs::storage::sparse;
    int number = 7;
};
struct licence {
    explicit licence(int number) : number(number) {}
    int number;
};
struct driver {
    static constexpr auto properties = ecs::properties(ecs::with_type<licence>);
};
struct likes {};
/// Looks for its companion when it comes.
struct wheel {
    static constexpr auto properties = ecs::properties(ecs::with_type<shield>);
    static void on_add(ecs::world& in, entity e, wheel&) { found.push_back(in.has<vigour>(e)); }
    static inline std::vector<bool> found;
};
/// Its default value cannot always be made.
struct brittle {
    brittle() {
        if (left-- == 0) throw std::runtime_error("no more");
        ++alive;
    }
    brittle(const brittle&) noexcept { ++alive; }
    brittle& operator=(const brittle&) = default;
    ~brittle() { --alive; }
    int points = 1;
    static inline int left = 0, alive = 0;
};
struct cart {
    static constexpr auto properties = ecs::properties(ecs::with_type<brittle>);
    int wheels = 4;
};

struct companions : testing::Test {
    ecs::world world;

    void expect_all(entity e) {
        EXPECT_TRUE(world.has<plates>(e));
        ASSERT_TRUE(world.has<vigour>(e));
        EXPECT_EQ(world.get<vigour>(e).points, 10);
    }
};

TEST_F(companions, come_with_the_components_of_a_new_entity) {
    expect_all(world.spawn(plates{}));
    expect_all(world.spawn("named", plates{}));
    expect_all(world.spawn(frozen{}, shield{}));
    expect_all(world.prefab(shield{}));
    for (const entity e : world.spawn_n(100, shield{}, frozen{})) expect_all(e);
}

TEST_F(companions, come_with_what_is_kept_outside_tables) {
    expect_all(world.spawn(cape{}));
    const entity e = world.spawn();
    EXPECT_EQ(world.add<cape>(e), add_result::added);
    expect_all(e);
    const entity other = world.spawn();
    world.set(other, cape{3});
    expect_all(other);
    world.remove(world.component<cape>(), pair(ecs::with, world.component<shield>()));
    EXPECT_FALSE(world.has<shield>(world.spawn(cape{})));
}

TEST_F(companions, do_not_replace_what_the_entity_is_spawned_with) {
    EXPECT_EQ(world.get<vigour>(world.spawn(plates{}, vigour{3})).points, 3);
}

TEST_F(companions, come_with_what_commands_spawn) {
    auto commands = world.commands();
    const entity e = commands.spawn(shield{}, frozen{});
    world.flush();
    expect_all(e);
}

TEST_F(companions, are_there_when_anybody_is_told_of_a_new_entity) {
    std::vector<bool> told, matched;
    world.observe<ecs::event::added, wheel>([&](entity e) { told.push_back(world.has<vigour>(e)); });
    world.observe<ecs::event::spawned>([&](entity e) {
        if (world.has<wheel>(e)) told.push_back(world.has<vigour>(e));
    });
    static_cast<void>(world.monitor<wheel, vigour>([&](entity, bool now) { matched.push_back(now); }));
    world.spawn(wheel{});
    world.spawn("named", wheel{}, badge{});
    world.prefab(wheel{});
    world.spawn(ecs::pair(ecs::child_of, world.spawn()), wheel{});
    static_cast<void>(world.spawn_n(3, wheel{}));
    auto commands = world.commands();
    commands.spawn(wheel{}, frozen{});
    static_cast<void>(commands.spawn_n(2, wheel{}));
    world.flush();
    world.observe<ecs::event::added, frozen>([&](entity) { world.spawn(wheel{}); });
    world.spawn(frozen{});
    EXPECT_EQ(std::exchange(wheel::found, {}), std::vector<bool>(11, true));
    EXPECT_EQ(told, std::vector<bool>(22, true));
    EXPECT_EQ(std::ranges::count(matched, true), 11) << "each once";
}

TEST_F(companions, that_cannot_be_made_keep_the_entity_from_beginning) {
    const std::size_t before = world.entities().size();
    int told = 0;
    world.observe<ecs::event::added, cart>([&](entity) { ++told; });
    for (const int made : {0, 2}) {
        brittle::left = made;
        EXPECT_THROW(world.spawn_n(5, cart{}), std::runtime_error);
        brittle::left = 0;
        EXPECT_THROW(world.spawn(cart{}), std::runtime_error);
        EXPECT_EQ(world.entities().size(), before);
        EXPECT_EQ(brittle::alive, 0);
        EXPECT_EQ(told, 0);
    }
    auto commands = world.commands();
    const std::vector<entity> all = commands.spawn_n(4, cart{});
    brittle::left = 2;
    try {
        world.flush();
        FAIL();
    } catch (const ecs::flush_error& e) {
        EXPECT_EQ(e.report.spawned(), static_cast<std::size_t>(told));
    }
    EXPECT_EQ(told, brittle::alive);
    for (const entity e : all)
        EXPECT_EQ(world.alive(e), world.has<brittle>(e) && world.get<cart>(e).wheels == 4);
    brittle::left = 1000;
    world.clear();
    EXPECT_EQ(brittle::alive, 0);
}

struct third {
    static constexpr auto kept_in = ecs::storage::in_place;
    int value = 3;
};
struct second {
    static constexpr auto properties = ecs::properties(ecs::needs_type<third>);
    int value = 2;
};
struct first {
    static constexpr auto properties = ecs::properties(ecs::needs_type<second>);
    int value = 1;
};

TEST_F(companions, outside_tables_come_with_companions_in_tables) {
    const entity recorded = world.commands().spawn(first{});
    world.flush();
    const entity added = world.spawn();
    world.add<first>(added);
    for (const entity e : {world.spawn(first{}), world.spawn_n(2, first{}).back(), recorded, added}) {
        EXPECT_EQ(world.get<second>(e).value, 2);
        EXPECT_EQ(world.get<third>(e).value, 3);
    }
}

TEST_F(companions, come_with_what_an_observer_spawns) {
    entity made;
    world.observe<ecs::event::added, frozen>([&](entity) { made = world.spawn(shield{}); });
    world.spawn(frozen{});
    expect_all(made);
}

TEST_F(companions, come_from_the_moment_on_in_which_the_property_is_there) {
    const entity before = world.spawn(frozen{});
    world.add(world.component<frozen>(), pair(ecs::with, world.component<plates>()));
    expect_all(world.spawn(frozen{}));
    EXPECT_FALSE(world.has<plates>(before));
    world.remove(world.component<frozen>(), pair(ecs::with, world.component<plates>()));
    EXPECT_FALSE(world.has<plates>(world.spawn(frozen{})));
}

TEST_F(companions, entity_whose_companion_has_no_default_is_not_spawned) {
    const std::size_t before = world.entities().size();
    EXPECT_THROW(world.spawn(driver{}), std::invalid_argument);
    EXPECT_THROW(world.spawn_n(3, driver{}), std::invalid_argument);
    EXPECT_EQ(world.entities().size(), before);
    EXPECT_TRUE(world.has<driver>(world.spawn(driver{}, licence{7})));
    auto commands = world.commands();
    const entity refused = commands.spawn(driver{});
    const entity spawned = commands.spawn(shield{});
    try {
        world.flush();
        FAIL();
    } catch (const ecs::flush_error& e) {
        EXPECT_EQ(e.report.spawned(), 1U) << "one of the two has not been";
    }
    EXPECT_FALSE(world.alive(refused));
    expect_all(spawned);
}

TEST_F(companions, property_about_a_component_has_no_value_of_it) {
    const entity driving = world.component<driver>();
    const ecs::id property = pair(ecs::with, world.component<licence>());
    EXPECT_TRUE(world.has(driving, property));
    EXPECT_EQ(world.try_get(driving, property), nullptr);
}

TEST_F(companions, relation_without_a_target_is_not_spawned) {
    EXPECT_NO_THROW(world.despawn(world.spawn(likes{})));
    ASSERT_EQ(world.add(world.component<likes>(), ecs::exclusive), add_result::added);
    EXPECT_THROW(world.spawn(likes{}), std::invalid_argument);
}

TEST_F(companions, companion_of_a_relation_has_the_same_number_as_target) {
    const entity rank = world.spawn();
    const entity pay = world.spawn();
    const entity e = world.spawn();
    world.add(rank, pair(ecs::with, pay));
    world.add(e, ecs::value_pair(rank, 4));
    EXPECT_TRUE(world.has(e, ecs::value_pair(pay, 4)));
    EXPECT_FALSE(world.has(e, pay));
}

TEST_F(companions, come_in_a_world_that_was_loaded) {
    world.component<shield>();
    ecs::world other;
    other.component<shield>();
    load(other, save(world));
    const entity e = other.spawn(shield{});
    EXPECT_TRUE(other.has<plates>(e) && other.has<vigour>(e));
}

TEST_F(companions, outside_tables_come_also_when_the_way_to_the_table_is_known) {
    world.add(world.component<frozen>(), pair(ecs::with, world.component<badge>()));
    for (const entity e : {world.spawn(), world.spawn()}) {
        world.add<frozen>(e);
        EXPECT_TRUE(world.has<badge>(e));
    }
}

TEST_F(companions, name_without_a_text_does_not_come) {
    world.add(world.component<frozen>(), pair(ecs::with, world.component<ecs::name>()));
    const entity e = world.spawn(), named = world.spawn("named");
    EXPECT_EQ(world.add(e, world.component<ecs::name>()), add_result::not_constructible);
    EXPECT_EQ(world.add<frozen>(e), add_result::not_constructible);
    EXPECT_EQ(world.add<frozen>(named), add_result::added);
    EXPECT_EQ(world.name_of(named), "named");
}

struct permit {
    static constexpr auto kept_in = ecs::storage::sparse;
    explicit permit(int number) : number(number) {}
    int number;
};
struct pilot {
    static constexpr auto properties = ecs::properties(ecs::with_type<permit>);
    int hours = 1;
};

TEST_F(companions, that_are_given_are_there_before_what_they_come_with) {
    const entity spawned = world.spawn(pilot{}, permit{5});
    const entity many = world.spawn_n(1, pilot{}, permit{5}).front();
    const entity set = world.spawn(), driving = world.spawn();
    EXPECT_EQ(world.set(set, pilot{}, permit{5}), add_result::added);
    EXPECT_EQ(world.set(driving, driver{}, licence{5}), add_result::added);
    EXPECT_EQ(world.get<licence>(driving).number, 5);
    const entity edited = world.spawn(), edited_in_turn = world.spawn();
    EXPECT_EQ(world.edit(edited).set(pilot{}).set(permit{5}).commit(), add_result::added);
    EXPECT_EQ(world.edit(edited_in_turn).set(permit{5}).set(pilot{}).commit(), add_result::added);
    auto commands = world.commands();
    const entity later = commands.spawn(pilot{}, permit{5}), set_later = world.spawn();
    commands.set(set_later, pilot{}, permit{5});
    world.flush();
    for (const entity e : {spawned, many, set, edited, edited_in_turn, later, set_later}) {
        ASSERT_TRUE(world.has<pilot>(e));
        EXPECT_EQ(world.get<permit>(e).number, 5);
    }
}

TEST_F(companions, that_an_observer_gives_are_there_before_what_they_come_with) {
    entity made;
    world.observe<ecs::event::added, frozen>([&](entity) { made = world.spawn(pilot{}, permit{5}); });
    world.spawn(frozen{});
    ASSERT_TRUE((world.has<pilot, permit>(made)));
    EXPECT_EQ(world.get<permit>(made).number, 5);
}

template <ecs::storage Kept> struct plain {
    static constexpr auto kept_in = Kept;
    int value = 1000;
};
template <ecs::storage Kept> struct bringing {
    static constexpr auto kept_in = Kept;
    static constexpr auto properties = ecs::properties(ecs::with_type<plain<Kept>>);
    int value = 1;
};
template <ecs::storage Kept> struct barred {
    static constexpr auto kept_in = Kept;
    static constexpr auto properties = ecs::properties(ecs::excludes_type<plain<Kept>>);
    int value = 2;
};

/// Where components are kept plays no part.
template <class Storage> struct storage_of_companions : testing::Test {
    static constexpr ecs::storage kept = Storage::value;
    using A = plain<kept>;
    using B = bringing<kept>;
    using C = barred<kept>;
};
using storages = testing::Types<std::integral_constant<ecs::storage, ecs::storage::table>,
                                std::integral_constant<ecs::storage, ecs::storage::sparse>,
                                std::integral_constant<ecs::storage, ecs::storage::in_place>>;
TYPED_TEST_SUITE(storage_of_companions, storages);

TYPED_TEST(storage_of_companions, clone_has_what_the_entity_has_and_nothing_else) {
    using A = typename TestFixture::A;
    using B = typename TestFixture::B;
    using C = typename TestFixture::C;
    ecs::world world;
    const entity e = world.spawn(B{5});
    world.template remove<A>(e);
    const entity copy = world.clone(e);
    EXPECT_FALSE(world.template has<A>(copy));
    EXPECT_EQ(world.template get<B>(copy).value, 5);
    world.set(e, C{});
    const entity other = world.clone_tree(e);
    EXPECT_TRUE((world.template has<B, C>(other)));
    EXPECT_FALSE(world.template has<A>(other));
}

struct bottom {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value = 1;
};
struct middle {
    static constexpr auto properties = ecs::properties(ecs::with_type<bottom>);
};
struct top {
    static constexpr auto properties = ecs::properties(ecs::with_type<middle>);
};

TEST(companions_of_companions, are_taken_away_by_the_edit_that_brought_them) {
    ecs::world world;
    for (const entity e : {world.spawn(), world.spawn(pair(ecs::is_a, world.spawn()))}) {
        EXPECT_EQ(world.edit(e).add<top>().remove<bottom>().commit(), add_result::added);
        EXPECT_TRUE((world.has<top, middle>(e)));
        EXPECT_FALSE(world.has<bottom>(e));
        world.remove<top, middle>(e);
        EXPECT_EQ(world.edit(e).add<top>().remove<middle>().commit(), add_result::added);
        EXPECT_TRUE((world.has<top, bottom>(e)));
        EXPECT_FALSE(world.has<middle>(e));
    }
}

TYPED_TEST(storage_of_companions, clone_tells_the_value_that_is_copied) {
    using A = typename TestFixture::A;
    using B = typename TestFixture::B;
    ecs::world world;
    const entity e = world.spawn(B{}, A{42});
    std::vector<int> told;
    world.template observe<ecs::event::added, A>([&](const A& a) { told.push_back(a.value); });
    world.clone(e);
    EXPECT_EQ(told, std::vector{42});
}

TYPED_TEST(storage_of_companions, edit_takes_away_what_it_brought_along) {
    using A = typename TestFixture::A;
    using B = typename TestFixture::B;
    ecs::world world;
    for (const bool had : {false, true}) {
        const entity e = world.spawn();
        if (had) world.set(e, A{42});
        EXPECT_EQ(world.edit(e).template add<B>().template remove<A>().commit(), add_result::added);
        EXPECT_TRUE(world.template has<B>(e));
        EXPECT_FALSE(world.template has<A>(e));
        world.template remove<B>(e);
        EXPECT_EQ(world.edit(e).template remove<A>().template add<B>().commit(), add_result::added);
        EXPECT_EQ(world.template get<A>(e).value, 1000);
    }
}

TEST_F(companions, that_are_given_are_told_with_the_value_that_is_given) {
    std::vector<int> told;
    world.add(world.component<frozen>(), pair(ecs::with, world.component<badge>()));
    world.observe<ecs::event::added, badge>([&](const badge& b) { told.push_back(b.number); });
    world.spawn(frozen{}, badge{3});
    world.edit(world.spawn()).add<frozen>().set(badge{4}).commit();
    EXPECT_EQ(told, (std::vector{3, 4}));
}

} // namespace
} // namespace companions_test
