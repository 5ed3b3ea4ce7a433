// SPDX-License-Identifier: MIT
// What a world knows of the members of its components.
#include <boost/hana/define_struct.hpp>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>
import ecs.world;

namespace {

struct plain {
    float x, y;
};
struct told {
    BOOST_HANA_DEFINE_STRUCT(told, (float, x), (float, y));
};
struct opaque {
    explicit opaque(int of = 0) : value(of) {}
    int value;
};
struct tag {};

/// A type of another library's.
struct engine_power {
    int kilowatts;
    std::vector<int> history;
};

} // namespace

template <> struct ecs::component_traits<engine_power> {
    static constexpr storage kept_in = storage::sparse;
    static constexpr member_note member_notes[]{{.member = "kilowatts", .units = "kW", .maximum = 90}};
};

namespace {

TEST(reflection, of_an_aggregate_is_known_without_being_on_the_component) {
    ecs::world world;
    const ecs::entity component = world.component<plain>();
    const ecs::reflection* const known = world.reflection_of(component);
    ASSERT_TRUE(known);
    ASSERT_EQ(known->members.size(), 2);
    EXPECT_EQ(known->members[1].name, "y");
    EXPECT_EQ(known->members[1].type, "float");
    EXPECT_EQ(known->members[1].offset, offsetof(plain, y));
    EXPECT_EQ(known->members[1].size, sizeof(float));
    EXPECT_FALSE(world.has<ecs::reflection>(component));
    ecs::world other;
    EXPECT_EQ(other.reflection_of(other.component<plain>()), known) << "it is made once";
}

TEST(reflection, that_is_told_takes_precedence) {
    ecs::world world;
    const ecs::entity component = world.component<told>();
    EXPECT_EQ(world.reflection_of(component), world.try_get<ecs::reflection>(component));
    const ecs::entity plain_too = world.component<plain>();
    world.set(plain_too, ecs::reflection{{{.name = "both", .type = "long", .offset = 0, .size = 8}}});
    EXPECT_EQ(world.reflection_of(plain_too)->members.at(0).name, "both");
    const ecs::entity health =
        world.component({.name = "health", .size = 4, .members = {{"now", "int", 0, 4}}});
    EXPECT_EQ(world.reflection_of(health)->members.at(0).name, "now");
}

TEST(reflection, of_what_cannot_be_taken_apart_is_unknown) {
    ecs::world world;
    EXPECT_FALSE(world.reflection_of(world.component<opaque>()));
    EXPECT_FALSE(world.reflection_of(world.component<tag>()));
    EXPECT_FALSE(world.reflection_of(world.component<int>()));
    EXPECT_FALSE(world.reflection_of(world.component({.name = "bytes", .size = 4})));
    EXPECT_FALSE(world.reflection_of(world.spawn()));
    EXPECT_FALSE(world.reflection_of({}));
}

TEST(reflection, has_the_notes_of_the_traits) {
    ecs::world world;
    const auto& members = world.reflection_of(world.component<engine_power>())->members;
    EXPECT_EQ(members.at(0).units, "kW");
    EXPECT_EQ(members.at(0).maximum, 90);
    EXPECT_EQ(members.at(1).units, "");
}

} // namespace
