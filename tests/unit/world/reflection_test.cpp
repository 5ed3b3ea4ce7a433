// SPDX-License-Identifier: MIT
// What a world knows of the members of its components.
#include <array>
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

struct twenty_nine {
    int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc;
};
struct thirty {
    int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd;
};
struct thirty_one {
    int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd, ee;
};
struct thirty_two {
    int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd, ee, ff;
};

TEST(reflection, knows_aggregates_of_up_to_thirty_two_members) {
    ecs::world world;
    const auto members_of = [&](ecs::entity component) {
        return world.reflection_of(component)->members.size();
    };
    EXPECT_EQ(members_of(world.component<twenty_nine>()), 29U);
    EXPECT_EQ(members_of(world.component<thirty>()), 30U);
    EXPECT_EQ(members_of(world.component<thirty_one>()), 31U);
    EXPECT_EQ(members_of(world.component<thirty_two>()), 32U);
}

enum class power : bool { off, on };
struct lamp {
    power state = power::on;
};

TEST(reflection, names_enumerators_of_bool) {
    ecs::world world;
    const ecs::entity e = world.spawn(lamp{});
    EXPECT_NE(ecs::dump(world, e).find("{on}"), std::string::npos) << ecs::dump(world, e);
}

struct crew_of_a_boat {
    std::string name;
    ecs::entity helm;
    float weight = 0;
};

TEST(reflection, writes_types_as_people_do) {
    ecs::world world;
    const ecs::reflection* const known = world.reflection_of(world.component<crew_of_a_boat>());
    ASSERT_TRUE(known);
    ASSERT_EQ(known->members.size(), 3);
    EXPECT_EQ(known->members[0].written_type(), "std::string");
    EXPECT_EQ(known->members[1].written_type(), "ecs::entity");
    EXPECT_EQ(known->members[2].written_type(), "float");
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
    EXPECT_FALSE(world.reflection_of(world.component({.name = "bytes", .size = 4})));
    EXPECT_FALSE(world.reflection_of(world.spawn()));
    EXPECT_FALSE(world.reflection_of({}));
}

TEST(reflection, a_value_without_members_is_one_by_itself) {
    ecs::world world;
    const ecs::reflection* const number = world.reflection_of(world.component<int>());
    ASSERT_TRUE(number && ecs::whole_of(*number));
    EXPECT_EQ(ecs::whole_of(*number)->type, "int");
    const ecs::reflection* const list = world.reflection_of(world.component<std::array<float, 3>>());
    ASSERT_TRUE(list && ecs::whole_of(*list));
    EXPECT_EQ(ecs::whole_of(*list)->count, 3U);
    const ecs::reflection* const aggregate = world.reflection_of(world.component<plain>());
    ASSERT_TRUE(aggregate);
    EXPECT_FALSE(ecs::whole_of(*aggregate));
}

struct nothing {};
struct two_nothings {
    nothing one, other;
};

/// The bytes of an empty member may be another member's.
struct sparing {
    int value = 4;
    [[no_unique_address]] nothing first{};
    [[no_unique_address]] nothing second{};
    two_nothings third{};
    nothing several[2]{};
    std::array<int, 0> none{};
    std::string text = "kept";
};

TEST(reflection, of_numbers_is_the_same_where_numbers_are_components) {
    ecs::world world;
    world.component<float>(), world.component<std::string>();
    world.component({.name = "described", .size = 4, .members = {{"now", "float", 0, 4}}});
    const ecs::member first{"first", "float", 0, 4}, second{"second", "float", 0, 4};
    world.component({.name = "a union", .size = 4, .members = {first, second}});
    EXPECT_TRUE(world.component_named("a union"));
}

TEST(reflection, leaves_out_members_that_have_nothing_to_tell) {
    ecs::world world;
    const auto& members = world.reflection_of(world.component<sparing>())->members;
    ASSERT_EQ(members.size(), 2U);
    EXPECT_EQ(members[0].name, "value");
    EXPECT_EQ(members[1].name, "text");
    EXPECT_FALSE(world.reflection_of(world.component<two_nothings>()) &&
                 !world.reflection_of(world.component<two_nothings>())->members.empty());
}

/// An aggregate that says what its address is.
struct elsewhere {
    int first = 7, second = 8;
    const elsewhere* operator&() const { return nullptr; }
};
struct without_address {
    int first = 7, second = 8;
    void operator&() const = delete;
};

TEST(reflection, asks_no_type_for_its_address) {
    ecs::world world;
    for (const ecs::entity component : {world.component<elsewhere>(), world.component<without_address>()}) {
        const auto& members = world.reflection_of(component)->members;
        ASSERT_EQ(members.size(), 2U);
        EXPECT_EQ(members[0].offset, 0U);
        EXPECT_EQ(members[1].offset, sizeof(int));
    }
    const ecs::entity e = world.spawn(elsewhere{}, without_address{});
    world.set(e, without_address{3, 4});
    EXPECT_NE(ecs::dump(world, e).find("{7, 8}"), std::string::npos) << ecs::dump(world, e);
    EXPECT_NE(ecs::dump(world, e).find("{3, 4}"), std::string::npos) << ecs::dump(world, e);
}

TEST(reflection, has_the_notes_of_the_traits) {
    ecs::world world;
    const auto& members = world.reflection_of(world.component<engine_power>())->members;
    EXPECT_EQ(members.at(0).units, "kW");
    EXPECT_EQ(members.at(0).maximum, 90);
    EXPECT_EQ(members.at(1).units, "");
}

} // namespace
