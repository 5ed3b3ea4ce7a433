// SPDX-License-Identifier: MIT
// An entity loses all that it has in one change, or gets all that another one has: whatever that is, and
// wherever it is kept. What is refused changes nothing.
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

import ecs.world;

namespace clearing_test {
namespace {

using ecs::add_result;
using ecs::child_of;
using ecs::entity;
using ecs::event;
using ecs::is_a;
using ecs::pair;

struct health {
    int points = 0;
};
struct label {
    std::string text;
};
struct marked {};
struct notes {
    static constexpr auto kept_in = ecs::storage::sparse;
    int lines = 0;
};
struct spot {
    static constexpr auto kept_in = ecs::storage::in_place;
    int x = 0;
};
struct tank {
    int liters = 1;
};
struct fuel {
    static constexpr auto properties = ecs::properties(ecs::needs_type<tank>);
    int price = 0;
};
struct likes {};
struct owes {
    int amount = 0;
};
struct knows {
    static constexpr auto properties = ecs::properties(ecs::symmetric);
};
struct married {
    static constexpr auto properties = ecs::properties(ecs::symmetric, ecs::exclusive);
};

/// Cannot be copied.
struct ticket {
    std::unique_ptr<int> number;
};

/// Its copy throws when it is told to.
struct brittle {
    static inline bool breaks = false;

    brittle() = default;
    explicit brittle(int count) : grains(count) {}
    brittle(const brittle& other) : grains(other.grains) {
        if (breaks) throw std::runtime_error("broken");
    }
    brittle(brittle&&) noexcept = default;
    brittle& operator=(const brittle&) = default;
    brittle& operator=(brittle&&) noexcept = default;
    ~brittle() = default;

    int grains = 0;
};

struct clearing : testing::Test {
    ecs::world world;
    std::vector<std::string> told;

    void listen() {
        world.observe<event::removed, health>([this](entity) { told.emplace_back("health"); });
        world.observe<event::removed, marked>([this](entity) { told.emplace_back("marked"); });
        world.observe<event::removed, health, marked>([this](entity) { told.emplace_back("both"); });
    }
};

TEST_F(clearing, takes_everything_and_leaves_the_entity_alive) {
    const entity parent = world.spawn(), other = world.spawn();
    const entity e = world.spawn("Ann", pair(child_of, parent), health{3}, label{"first"}, marked{});
    world.set(e, notes{4}, spot{5});
    world.add<likes>(e, other);
    world.set<owes>(e, other, owes{6});
    world.add<likes>(other, e);
    world.disable<health>(e);
    world.disable(e);
    const entity child = world.spawn(pair(child_of, e));
    EXPECT_EQ(world.clear(e), add_result::removed);
    EXPECT_TRUE(world.alive(e));
    EXPECT_TRUE(world.ids(e).empty());
    EXPECT_TRUE(world.name_of(e).empty());
    EXPECT_FALSE(world.lookup(parent, "Ann"));
    EXPECT_FALSE(world.has<notes>(e));
    EXPECT_FALSE(world.has<spot>(e));
    EXPECT_EQ(world.parent(child), e);
    EXPECT_TRUE(world.has<likes>(other, e));
    EXPECT_EQ(world.clear(e), add_result::not_there);
    world.set(e, health{7});
    EXPECT_TRUE(world.is_enabled<health>(e));
    world.despawn(e);
    EXPECT_EQ(world.clear(e), add_result::not_alive);
}

TEST_F(clearing, takes_what_is_needed_with_what_needs_it) {
    const entity e = world.spawn(health{1});
    world.set(e, fuel{2});
    ASSERT_EQ(world.remove<tank>(e), add_result::needed);
    EXPECT_EQ(world.clear(e), add_result::removed);
    EXPECT_TRUE(world.ids(e).empty());
}

TEST_F(clearing, is_told_as_a_removal_of_all_together) {
    const entity one = world.spawn(health{1}, marked{}), other = world.spawn(health{2}, marked{});
    listen();
    world.remove<health, marked>(one);
    const std::vector<std::string> expected = std::exchange(told, {});
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(world.clear(other), add_result::removed);
    EXPECT_EQ(told, expected);
}

TEST_F(clearing, takes_the_name_with_the_parent_where_another_has_it) {
    const entity parent = world.spawn(), outer = world.spawn("Ann");
    const entity inner = world.spawn("Ann", pair(child_of, parent));
    ASSERT_EQ(world.remove(inner, child_of, parent), add_result::name_taken);
    EXPECT_EQ(world.clear(inner), add_result::removed);
    EXPECT_TRUE(world.ids(inner).empty());
    EXPECT_EQ(world.lookup("Ann"), outer);
    world.set_name(outer, "Bob");
    EXPECT_FALSE(world.lookup("Ann"));
    EXPECT_FALSE(world.lookup(parent, "Ann"));
}

TEST_F(clearing, takes_mirror_images) {
    const entity a = world.spawn(health{1}), b = world.spawn();
    world.add<knows>(a, b);
    EXPECT_EQ(world.clear(a), add_result::removed);
    EXPECT_TRUE(world.ids(a).empty());
    EXPECT_FALSE(world.has<knows>(b, a));
}

TEST_F(clearing, of_a_prefab_leaves_the_mark_of_a_base) {
    const entity prefab = world.prefab("Goblin", health{7}, marked{});
    const entity instance = world.spawn(pair(is_a, prefab));
    ASSERT_EQ(world.get<health>(instance).points, 7);
    EXPECT_EQ(world.clear(prefab), add_result::removed);
    EXPECT_EQ(world.ids(prefab).size(), 1U);
    EXPECT_TRUE(world.has(prefab, ecs::base));
    EXPECT_TRUE(world.has(instance, is_a, prefab));
    EXPECT_FALSE(world.has<health>(instance));
    EXPECT_EQ(world.clear(prefab), add_result::not_there);
    EXPECT_EQ(world.clear(instance), add_result::removed);
    EXPECT_FALSE(world.has(instance, is_a, prefab));
}

TEST_F(clearing, of_components_and_of_what_every_world_has_is_refused) {
    world.set_singleton(health{3});
    EXPECT_EQ(world.clear(world.component<health>()), add_result::is_built_in);
    EXPECT_EQ(world.singleton<health>().points, 3);
    EXPECT_EQ(world.clear(world.lookup("child_of")), add_result::is_built_in);
    EXPECT_TRUE(world.has(child_of, ecs::exclusive));
}

TEST_F(clearing, of_what_is_permanent_changes_nothing) {
    world.add(world.component<label>(), ecs::permanent);
    const entity e = world.spawn("Ann", health{1}, label{"kept"}, marked{}, notes{4});
    EXPECT_EQ(world.clear(e), add_result::is_permanent);
    EXPECT_EQ(world.get<label>(e).text, "kept");
    EXPECT_EQ(world.get<notes>(e).lines, 4);
    EXPECT_TRUE((world.has<health, marked>(e)));
    EXPECT_EQ(world.lookup("Ann"), e);
}

TEST_F(clearing, takes_properties_that_may_be_taken_back) {
    const entity one = world.spawn(marked{}), other = world.spawn(marked{});
    world.add(one, ecs::exclusive);
    world.add(other, ecs::non_fragmenting);
    EXPECT_EQ(world.clear(one), add_result::removed);
    EXPECT_FALSE(world.has(one, ecs::exclusive));
    EXPECT_EQ(world.clear(other), add_result::contradiction) << "non_fragmenting implies exclusive";
    EXPECT_TRUE(world.has<marked>(other));
    EXPECT_TRUE(world.has(other, ecs::non_fragmenting));
}

TEST_F(clearing, waits_for_observers_and_is_refused_in_a_loop) {
    const entity e = world.spawn(health{1});
    add_result result{};
    bool was_there = false;
    world.observe<event::added, marked>([&](entity at) {
        result = world.clear(at);
        was_there = world.has<health>(at);
    });
    world.each([&](entity at, const health&) { EXPECT_THROW(world.clear(at), ecs::iteration_error); });
    world.add<marked>(e);
    EXPECT_EQ(result, add_result::deferred);
    EXPECT_TRUE(was_there);
    EXPECT_TRUE(world.ids(e).empty());
}

TEST_F(clearing, may_be_recorded_as_a_command) {
    const entity e = world.spawn(health{1}, marked{}), gone = world.spawn();
    world.despawn(gone);
    auto commands = world.commands();
    commands.set(e, tank{2});
    commands.clear(e);
    commands.set(e, label{"new"});
    commands.clear(gone);
    commands.clear(world.component<health>());
    EXPECT_TRUE(world.has<health>(e)) << "until the flush";
    const ecs::flush_report report = world.flush();
    EXPECT_EQ(report.applied(), 3U);
    EXPECT_EQ(world.ids(e).size(), 1U);
    EXPECT_EQ(world.get<label>(e).text, "new");
    ASSERT_EQ(report.drops().size(), 2U);
    EXPECT_EQ(report.drops()[0].kind, ecs::command_kind::clear);
    EXPECT_EQ(report.drops()[0].reason, add_result::not_alive);
    EXPECT_EQ(report.drops()[1].reason, add_result::is_built_in);
}

struct copying_onto : testing::Test {
    ecs::world world;
    entity from = world.spawn(health{3});
    entity onto = world.spawn(health{9});
};

TEST_F(copying_onto, another_gives_it_everything_but_the_name) {
    const entity parent = world.spawn(), other = world.spawn();
    world.set_name(from, "Ann");
    world.set_name(onto, "Bob");
    world.set(from, label{"first"}, notes{4});
    world.set(from, spot{5});
    world.add<marked>(from);
    world.add(from, child_of, parent);
    world.add<likes>(from, other);
    world.set<owes>(from, other, owes{6});
    world.disable<health>(from);
    world.set(onto, tank{2});
    EXPECT_EQ(world.clone(from, onto), add_result::added);
    EXPECT_EQ(world.get<health>(onto).points, 3);
    EXPECT_FALSE(world.is_enabled<health>(onto));
    EXPECT_EQ(world.get<label>(onto).text, "first");
    EXPECT_EQ(world.get<notes>(onto).lines, 4);
    EXPECT_EQ(world.get<spot>(onto).x, 5);
    EXPECT_TRUE(world.has<marked>(onto));
    EXPECT_TRUE(world.has<likes>(onto, other));
    EXPECT_EQ(world.get<owes>(onto, other).amount, 6);
    EXPECT_EQ(world.parent(onto), parent);
    EXPECT_EQ(world.name_of(onto), "Bob");
    EXPECT_EQ(world.get<tank>(onto).liters, 2) << "it stays";
    world.get<label>(onto).text = "second";
    EXPECT_EQ(world.get<label>(from).text, "first");
    EXPECT_EQ(world.name_of(from), "Ann");
    world.enable<health>(from);
    EXPECT_EQ(world.clone(from, onto), add_result::already_there);
    EXPECT_TRUE(world.is_enabled<health>(onto));
    EXPECT_EQ(world.get<label>(onto).text, "first");
}

TEST_F(copying_onto, another_is_refused_where_a_value_cannot_be_copied) {
    world.set(from, ticket{std::make_unique<int>(1)});
    world.add<marked>(from);
    EXPECT_EQ(world.clone(from, onto), add_result::not_copyable);
    EXPECT_EQ(world.get<health>(onto).points, 9);
    EXPECT_EQ(world.ids(onto).size(), 1U);
}

TEST_F(copying_onto, another_changes_nothing_when_a_copy_throws) {
    world.set(from, brittle(2));
    world.set(onto, notes{1});
    brittle::breaks = true;
    EXPECT_THROW(world.clone(from, onto), std::runtime_error);
    brittle::breaks = false;
    EXPECT_EQ(world.get<health>(onto).points, 9);
    EXPECT_FALSE(world.has<brittle>(onto));
    EXPECT_EQ(world.clone(from, onto), add_result::added);
    EXPECT_EQ(world.get<brittle>(onto).grains, 2);
}

TEST_F(copying_onto, the_parent_would_make_a_cycle) {
    world.add(from, child_of, onto);
    EXPECT_EQ(world.clone(from, onto), add_result::would_make_a_cycle);
    EXPECT_EQ(world.get<health>(onto).points, 9);
}

TEST_F(copying_onto, another_leaves_partners_where_they_are) {
    const entity partner = world.spawn();
    world.add<married>(from, partner);
    EXPECT_EQ(world.clone(from, onto), add_result::already_there);
    EXPECT_EQ(world.get<health>(onto).points, 3);
    EXPECT_FALSE(world.target_of<married>(onto));
    EXPECT_EQ(world.target_of<married>(partner), from);
}

TEST_F(copying_onto, another_makes_no_base_of_it) {
    const entity prefab = world.prefab(health{7});
    world.spawn(pair(is_a, prefab));
    EXPECT_EQ(world.clone(prefab, onto), add_result::added);
    EXPECT_EQ(world.get<health>(onto).points, 7);
    EXPECT_TRUE(world.has(onto, ecs::prefab_tag));
    EXPECT_FALSE(world.has(onto, ecs::base));
    EXPECT_EQ(world.clear(onto), add_result::removed);
    EXPECT_TRUE(world.ids(onto).empty());
}

TEST_F(copying_onto, itself_does_nothing_and_what_has_ended_is_refused) {
    EXPECT_EQ(world.clone(from, from), add_result::already_there);
    const entity gone = world.spawn();
    world.despawn(gone);
    EXPECT_EQ(world.clone(gone, onto), add_result::not_alive);
    EXPECT_EQ(world.clone(from, gone), add_result::not_alive);
    EXPECT_EQ(world.get<health>(onto).points, 9);
}

TEST_F(copying_onto, another_is_told_as_one_change) {
    world.add<marked>(from);
    int sets = 0, additions = 0;
    world.observe<event::set, health>([&](entity e, const health& h) { sets += e == onto && h.points == 3; });
    world.observe<event::added, marked>(
        [&](entity e) { additions += e == onto && world.get<health>(e).points == 3; });
    world.clone(from, onto);
    EXPECT_EQ(sets, 1);
    EXPECT_EQ(additions, 1);
}

TEST_F(copying_onto, another_waits_for_observers_and_is_refused_in_a_loop) {
    add_result result{};
    world.observe<event::added, marked>([&](entity) {
        result = world.clone(from, onto);
        world.set(from, health{4});
    });
    world.each([&](entity, const health&) { EXPECT_THROW(world.clone(from, onto), ecs::iteration_error); });
    world.add<marked>(world.spawn());
    EXPECT_EQ(result, add_result::deferred);
    EXPECT_EQ(world.get<health>(onto).points, 3) << "what was asked for first comes first";
    EXPECT_EQ(world.get<health>(from).points, 4);
}

} // namespace
} // namespace clearing_test
