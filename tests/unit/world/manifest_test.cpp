// SPDX-License-Identifier: MIT
// Components whose index is decided at compile time, and what components say of their values.
#include <boost/hana/adapt_struct.hpp>
#include <boost/hana/define_struct.hpp>
#include <cstddef>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <tuple>
import ecs.world;

namespace manifest_test {
namespace {

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};
struct unlisted {
    int value;
};
using game = ecs::manifest<position, velocity>;
static_assert(game::index_of<position> == 16);
static_assert(game::index_of<velocity> == 17);

TEST(manifest, fixes_indices_whatever_is_used_first) {
    ecs::world client(game{});
    ecs::world server(game{});
    std::ignore = client.component<unlisted>();
    EXPECT_EQ(client.component<velocity>().index(), game::index_of<velocity>);
    EXPECT_EQ(server.component<position>().index(), game::index_of<position>);
    EXPECT_EQ(server.component<velocity>().index(), game::index_of<velocity>);
    const ecs::entity e = server.spawn(position{}, velocity{});
    EXPECT_TRUE(server.has(e, game::of<velocity>));
    EXPECT_EQ(server.query<position>().with(game::of<velocity>).count(), 1);
}

TEST(manifest, is_refused_when_a_component_has_another_index_already) {
    ecs::world world;
    std::ignore = world.component<velocity>();
    EXPECT_THROW(world.add_manifest(game{}), std::invalid_argument);
    ecs::world other(game{});
    EXPECT_NO_THROW(other.add_manifest(game{}));
    EXPECT_THROW(other.add_manifest(ecs::manifest<velocity>{}), std::invalid_argument);
}

TEST(manifest, that_is_refused_changes_nothing) {
    ecs::world world;
    std::ignore = world.component<velocity>();
    EXPECT_THROW(world.add_manifest(game{}), std::invalid_argument);
    EXPECT_NE(world.component<position>().index(), game::index_of<position>);
    world.each([&](const ecs::component_info&) {
        EXPECT_THROW(world.add_manifest(ecs::manifest<unlisted>{}), ecs::iteration_error);
    });
    EXPECT_NE(world.component<unlisted>().index(), ecs::manifest<unlisted>::index_of<unlisted>);
}

TEST(manifest, does_not_give_away_an_index_that_an_ended_component_comes_back_to) {
    ecs::world world(ecs::manifest<position>{});
    world.despawn(world.component<position>());
    EXPECT_THROW(world.add_manifest(ecs::manifest<unlisted>{}), std::invalid_argument);
    EXPECT_THROW(world.add_manifest(ecs::manifest<unlisted, position>{}), std::invalid_argument);
    EXPECT_EQ(world.component<position>().index(), ecs::manifest<position>::index_of<position>);
}

struct next_in_manifest {
    int value = 0;
};
struct needs_the_next {
    static constexpr auto properties = ecs::properties(ecs::with_type<next_in_manifest>);
    int value = 0;
};

TEST(manifest, lists_components_before_those_that_come_with_them) {
    using listed = ecs::manifest<needs_the_next, next_in_manifest>;
    ecs::world world(listed{});
    EXPECT_EQ(world.component<next_in_manifest>().index(), listed::index_of<next_in_manifest>);
    EXPECT_TRUE(world.has<next_in_manifest>(world.spawn(needs_the_next{})));
}

TEST(manifest, keeps_an_index_for_a_component_that_ended) {
    ecs::world world(game{});
    world.despawn(world.component<velocity>());
    EXPECT_FALSE(world.component_name(world.component<unlisted>()).empty());
    for (int i = 0; i < 300; ++i)
        EXPECT_NE(world.component({.name = "number " + std::to_string(i), .size = 4}).index(),
                  game::index_of<velocity>);
    const ecs::entity e = world.spawn(position{}, velocity{1, 2});
    EXPECT_EQ(world.component<velocity>().index(), game::index_of<velocity>);
    EXPECT_TRUE(world.has(e, game::of<velocity>));
    EXPECT_NO_THROW(world.add_manifest(game{}));
}

struct likes_in_manifest {};

struct settings {
    static constexpr auto properties = ecs::properties(ecs::singleton);
    int volume = 3;
};
struct armour {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden, ecs::with_type<velocity>);
};
struct contradictory {
    static constexpr auto properties =
        ecs::properties(ecs::with_type<velocity>, ecs::excludes_type<velocity>);
    int value = 0;
};

TEST(manifest, leaves_no_component_without_its_properties) {
    ecs::world world;
    for (int i = 0; i < 2; ++i) try {
            world.add_manifest(ecs::manifest<contradictory>{});
            ADD_FAILURE();
        } catch (const std::invalid_argument& error) {
            EXPECT_NE(std::string(error.what()).find("declares is refused"), std::string::npos)
                << error.what();
        }
    EXPECT_THROW(world.add_manifest(ecs::manifest<unlisted>{}), std::invalid_argument)
        << "the index is kept for the component";
}

TEST(manifest, keeps_an_index_for_a_component_with_properties_that_ended) {
    using listed = ecs::manifest<settings, armour>;
    ecs::world world(listed{});
    for (int life = 0; life < 3; ++life) {
        EXPECT_EQ(world.component<settings>().index(), listed::index_of<settings>);
        EXPECT_EQ(world.component<armour>().index(), listed::index_of<armour>);
        world.set_singleton(settings{life});
        EXPECT_TRUE(world.has<velocity>(world.spawn(armour{}))) << "the properties have come back, too";
        world.despawn(world.component<settings>());
        world.despawn(world.component<armour>());
    }
}

TEST(manifest, says_that_the_index_of_a_relation_that_ended_is_spent) {
    ecs::world world(ecs::manifest<likes_in_manifest>{});
    const ecs::entity e = world.spawn();
    world.add<likes_in_manifest>(e, world.spawn());
    world.despawn(world.component<likes_in_manifest>());
    try {
        world.add<likes_in_manifest>(e);
        FAIL();
    } catch (const std::length_error& error) {
        EXPECT_NE(std::string(error.what()).find("likes_in_manifest cannot be registered again"),
                  std::string::npos)
            << error.what();
    }
    EXPECT_THROW(world.add_manifest(ecs::manifest<likes_in_manifest>{}), std::invalid_argument);
    EXPECT_THROW(world.add_manifest(ecs::manifest<unlisted>{}), std::invalid_argument);
    EXPECT_TRUE(world.alive(world.spawn(unlisted{1}))) << "whoever was refused the index gets another";
}

struct first_of_many {
    int value;
};
struct last_of_many {
    int value;
};

TEST(manifest, beyond_the_low_indices_components_work_and_say_that_they_are_slower) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    world.set(e, first_of_many{1});
    for (int i = 0; i < 300; ++i)
        world.add(e, world.component({.name = "number " + std::to_string(i), .size = 4}));
    world.set(e, last_of_many{2});
    EXPECT_TRUE(world.has_fast_access<first_of_many>());
    EXPECT_FALSE(world.has_fast_access<last_of_many>());
    EXPECT_EQ(world.get<first_of_many>(e).value, 1);
    EXPECT_EQ(world.get<last_of_many>(e).value, 2);
    int sum = 0;
    world.each(
        [&](const first_of_many& first, const last_of_many& last) { sum += first.value + last.value; });
    EXPECT_EQ(sum, 3);
}

struct point {
    BOOST_HANA_DEFINE_STRUCT(point, (float, x), (double, y));
};
struct adapted {
    char tag;
    std::string text;
};

} // namespace
} // namespace manifest_test

BOOST_HANA_ADAPT_STRUCT(manifest_test::adapted, tag, text);

namespace manifest_test {
namespace {

TEST(reflection, of_a_struct_is_a_component_on_its_component) {
    ecs::world world;
    const auto& members = world.get<ecs::reflection>(world.component<point>()).members;
    ASSERT_EQ(members.size(), 2);
    EXPECT_EQ(members[0], (ecs::member{"x", "float", offsetof(point, x), sizeof(float)}));
    EXPECT_EQ(members[1], (ecs::member{"y", "double", offsetof(point, y), sizeof(double)}));
    EXPECT_EQ(world.get<ecs::reflection>(world.component<adapted>()).members[1].offset,
              offsetof(adapted, text));
    EXPECT_FALSE(world.has<ecs::reflection>(world.component<position>()));
    EXPECT_EQ((world.query<const ecs::component_info, const ecs::reflection>().count()), 2);
}

TEST(reflection, of_a_described_component_is_what_was_told) {
    ecs::world world;
    const ecs::entity health = world.component(
        {.name = "health", .size = 8, .members = {{"now", "int", 0, 4}, {"most", "int", 4, 4}}});
    EXPECT_EQ(world.get<ecs::reflection>(health).members[1].name, "most");
    EXPECT_THROW(world.component({.name = "bad", .size = 8, .members = {{"far", "int", 6, 4}}}),
                 std::invalid_argument);
}

} // namespace
} // namespace manifest_test
