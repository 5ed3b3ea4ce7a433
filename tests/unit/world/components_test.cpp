// SPDX-License-Identifier: MIT
// Components are entities: how they come to be, what they say of themselves, and what their end means.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;

/// It is called like a property.
struct ordered {
    int place;
};

namespace components_test {
namespace {

using ecs::add_result;

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};
struct frozen {};
struct label {
    std::string text;
};
struct no_default {
    explicit no_default(int v) : value(v) {}
    int value;
};

int size_of_local_hit() {
    struct hit {
        std::int64_t damage[4];
    };
    ecs::world world;
    const ecs::entity e = world.spawn(hit{{1, 2, 3, 4}});
    return static_cast<int>(world.get<ecs::component_info>(world.component<hit>()).size) +
           static_cast<int>(world.get<hit>(e).damage[3]);
}

TEST(components, local_types_of_one_name_are_different_components) {
    struct hit {
        char c;
    };
    ecs::world world;
    const ecs::entity e = world.spawn(hit{'a'});
    EXPECT_EQ(size_of_local_hit(), 32 + 4);
    EXPECT_EQ(world.get<ecs::component_info>(world.component<hit>()).size, 1);
    EXPECT_EQ(world.get<hit>(e).c, 'a');
}

TEST(components, index_of_a_type_is_the_same_in_every_world_whatever_came_first) {
    ecs::world one;
    ecs::world two;
    const auto p = one.component<position>().index();
    const auto v = one.component<velocity>().index();
    EXPECT_EQ(two.component<velocity>().index(), v);
    EXPECT_EQ(two.component<position>().index(), p);
    EXPECT_LT(p, 256);
}

struct subject {};
struct attribute {
    int value;
};

/// Gives the component that is the last row of its table another one, which is registered on the way: it has
/// to find the row where it is then. One of these worlds has a table that is full.
template <class Give> void give_to_the_last_component(Give give) {
    for (int others = 0; others < 100; ++others) {
        ecs::world world;
        for (int i = 0; i < others; ++i) world.component({.name = "other " + std::to_string(i)});
        const ecs::entity e = world.component<subject>();
        EXPECT_EQ(give(world, e), add_result::added);
        EXPECT_EQ(world.get<attribute>(e).value, 7);
    }
}

TEST(components, registered_by_a_change_to_another_component_may_make_it_move) {
    give_to_the_last_component([](ecs::world& in, ecs::entity e) { return in.set(e, attribute{7}); });
    give_to_the_last_component([](ecs::world& in, ecs::entity e) { return in.emplace<attribute>(e, 7); });
}

TEST(components, asking_for_what_was_never_used_registers_nothing) {
    struct unheard_of {};
    ecs::world world;
    const ecs::entity e = world.spawn(position{});
    const auto components = world.query<const ecs::component_info>().count();
    EXPECT_FALSE(world.has<unheard_of>(e));
    EXPECT_EQ(world.try_get<unheard_of>(e), nullptr);
    world.each([&](const position&) { EXPECT_FALSE(world.has<unheard_of>(e)); });
    EXPECT_EQ(world.query<const ecs::component_info>().count(), components);
}

TEST(components, value_is_got_or_made_by_default) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    world.get_or_add<label>(e).text = "new";
    EXPECT_EQ(world.get_or_add<label>(e).text, "new");
    const ecs::entity base = world.prefab(label{"of the base"});
    const ecs::entity heir = world.spawn(pair(ecs::is_a, base));
    EXPECT_EQ(&world.get_or_add<label>(heir), &world.get<label>(base)) << "what is inherited is there";
    world.despawn(e);
    EXPECT_THROW(world.get_or_add<label>(e), ecs::access_error);
}

TEST(components, in_an_observer_none_is_made_at_once) {
    ecs::world world;
    int refusals = 0;
    world.observe<ecs::event::added, frozen>([&](ecs::world& in, ecs::entity e) {
        try {
            in.get_or_add<label>(e);
        } catch (const ecs::access_error&) {
            ++refusals;
        }
    });
    const ecs::entity e = world.spawn(frozen{});
    EXPECT_EQ(refusals, 1);
    EXPECT_TRUE(world.has<label>(e)) << "it is made when the observers have been told";
}

TEST(components, any_of_several_are_asked_for) {
    ecs::world world;
    const ecs::entity e = world.spawn(velocity{}, frozen{});
    EXPECT_TRUE((world.has_any<position, velocity>(e)));
    EXPECT_FALSE((world.has<position, velocity>(e)));
    EXPECT_FALSE((world.has_any<position, label>(e)));
    world.despawn(e);
    EXPECT_FALSE((world.has_any<velocity, frozen>(e)));
}

TEST(components, are_counted_as_a_query_would) {
    ecs::world world;
    EXPECT_EQ(world.count<position>(), 0U);
    const auto all = world.spawn_n(7, position{}, velocity{});
    world.remove<velocity>(all[0]);
    world.disable<velocity>(all[1]);
    world.disable(all[2]);
    EXPECT_EQ(world.count<position>(), 6U);
    EXPECT_EQ((world.count<position, velocity>()), 4U);
}

TEST(results, are_printed_in_words) {
    std::ostringstream out;
    out << add_result::already_there << '|' << ecs::world().add<frozen>(ecs::entity{});
    EXPECT_EQ(out.str(), "already there|the entity is not alive in this world, or gets its components with "
                         "the next flush");
}

TEST(components, values_are_read_through_a_const_world) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 2}, frozen{});
    const ecs::world& view = world;
    EXPECT_EQ(view.get<position>(e).y, 2);
    EXPECT_TRUE(view.has<frozen>(e));
    EXPECT_EQ(view.try_get<velocity>(e), nullptr);
    EXPECT_THROW(std::ignore = view.get<velocity>(e), ecs::access_error);
}

TEST(components, described_component_is_checked) {
    ecs::world world;
    EXPECT_THROW(world.component({.name = "a", .size = 4, .alignment = 3}), std::invalid_argument);
    EXPECT_THROW(world.component({.name = "a", .size = 6, .alignment = 4}), std::invalid_argument);
    EXPECT_THROW(world.component({.name = "a", .size = 8192, .alignment = 8192}), std::invalid_argument);
    EXPECT_THROW(world.component({.name = "a", .size = std::size_t{1} << 40}), std::invalid_argument);
    EXPECT_EQ(world.lookup("a"), ecs::entity{}) << "what was refused left nothing behind";
}

TEST(components, paths_with_an_empty_name_lead_nowhere) {
    ecs::world world;
    world.set_name(world.spawn(ecs::pair(ecs::child_of, world.spawn("a"))), "b");
    EXPECT_TRUE(world.lookup("a/b"));
    for (const char* path : {"a/", "/a", "a//b", "a/b/", "/", "//"}) EXPECT_FALSE(world.lookup(path)) << path;
}

TEST(components, described_twice_is_one_component_when_the_descriptions_agree) {
    ecs::world world;
    const ecs::entity health = world.component({.name = "health", .size = 4, .alignment = 4});
    EXPECT_EQ(world.component({.name = "health", .size = 4, .alignment = 4}), health);
    EXPECT_THROW(world.component({.name = "health", .size = 8, .alignment = 8}), std::invalid_argument);
    const ecs::entity platoon = world.spawn("platoon");
    EXPECT_NE(world.component({.name = "platoon", .size = 4}), platoon)
        << "components have names of their own";
    EXPECT_EQ(world.lookup("platoon"), platoon);
    EXPECT_THROW(world.component({.name = "child_of", .size = 4}), ecs::name_error);
}

TEST(components, description_of_the_documents_works) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    const ecs::entity health = world.component({
        .name = "health",
        .size = 8,
        .members = {{"now", "int", 0, 4}, {"most", "int", 4, 4}},
    });
    const int full[]{100, 90};
    world.set(e, health, full);
    const auto* now = static_cast<const int*>(world.try_get(e, health));
    EXPECT_EQ(std::pair(now[0], now[1]), std::pair(100, 90));
    int wounded = 0;
    world.query().with(health).each([&](ecs::entity) { ++wounded; });
    EXPECT_EQ(wounded, 1);
    EXPECT_EQ(world.lookup("health"), health);
    EXPECT_EQ(world.get<ecs::component_info>(health).alignment, 8);
    EXPECT_EQ(world.get<ecs::reflection>(health).members.at(1).name, "most");
}

int living_scripts = 0;

TEST(components, description_says_what_to_do_with_values_that_are_more_than_bytes) {
    const ecs::value_operations counted{
        .construct = [](void* to) { ::new (to) int(++living_scripts); },
        .copy = [](void* to, const void*) { ::new (to) int(++living_scripts); },
        .destroy = [](void*) noexcept { --living_scripts; },
    };
    {
        ecs::world world;
        const ecs::entity script = world.component(
            {.name = "script", .size = sizeof(int), .alignment = alignof(int), .operations = counted});
        const ecs::entity e = world.spawn();
        world.add(e, script);
        world.clone(e);
        EXPECT_EQ(living_scripts, 2);
        world.add<frozen>(e);
        world.remove(e, script);
        EXPECT_EQ(living_scripts, 1);
        const ecs::entity fixed = world.component(
            {.name = "fixed", .size = 4, .kept_in = ecs::storage::sparse, .operations = {.copyable = false}});
        world.add(e, fixed);
        EXPECT_EQ(world.set(e, fixed, &living_scripts), add_result::not_copyable);
    }
    EXPECT_EQ(living_scripts, 0);
}

TEST(components, described_component_keeps_values_like_any_other) {
    ecs::world world;
    const ecs::entity health = world.component({.name = "health", .size = 4, .alignment = 4});
    const ecs::entity tag = world.component({.name = "tag"});
    const ecs::entity e = world.spawn(position{1, 1});
    const int hundred = 100;
    EXPECT_EQ(world.set(e, health, &hundred), add_result::added);
    EXPECT_EQ(world.set(e, health, &hundred), add_result::already_there);
    EXPECT_EQ(world.set(e, health, nullptr), add_result::no_value);
    EXPECT_EQ(world.set(e, tag, &hundred), add_result::no_value);
    EXPECT_EQ(world.add(e, tag), add_result::added);
    EXPECT_EQ(*static_cast<const int*>(world.try_get(e, health)), 100);
    const ecs::entity other = world.spawn();
    EXPECT_EQ(world.add(other, health), add_result::added);
    EXPECT_EQ(*static_cast<const int*>(world.try_get(other, health)), 0) << "no constructor: zero";
    EXPECT_EQ(world.remove(e, health), add_result::removed);
    EXPECT_EQ(world.try_get(e, health), nullptr);
}

TEST(components, value_of_the_world_itself_can_be_set_elsewhere) {
    ecs::world world;
    const ecs::entity health = world.component({.name = "health", .size = 4, .alignment = 4});
    const int seven = 7;
    const ecs::entity source = world.spawn();
    world.set(source, health, &seven);
    for (int i = 0; i < 100; ++i) { // Often enough that the table grows with its source inside.
        const ecs::entity e = world.spawn();
        world.set(e, health, world.try_get(source, health));
        ASSERT_EQ(*static_cast<const int*>(world.try_get(e, health)), 7);
    }
    const ecs::entity p = world.spawn(label{"a text longer than the small buffer"});
    for (int i = 0; i < 100; ++i) {
        const ecs::entity e = world.spawn(world.get<label>(p));
        ASSERT_EQ(world.get<label>(e).text, "a text longer than the small buffer");
    }
}

TEST(components, without_default_value_a_component_is_set_not_added) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    EXPECT_EQ(world.add(e, world.component<no_default>()), add_result::not_constructible);
    EXPECT_FALSE(world.has<no_default>(e));
    EXPECT_EQ(world.set(e, no_default(3)), add_result::added);
    EXPECT_EQ(world.get<no_default>(e).value, 3);
}

TEST(components, facts_cannot_be_falsified) {
    ecs::world world;
    const ecs::entity c = world.component<position>();
    world.get<ecs::component_info>(c).size = 100;
    const ecs::entity e = world.spawn(position{1, 2}, velocity{3, 4});
    const ecs::entity f = world.spawn(position{5, 6}, velocity{7, 8});
    EXPECT_EQ(world.get<velocity>(e).x, 3);
    EXPECT_EQ(world.get<position>(f).y, 6);
    world.remove<ecs::component_info>(c);
    EXPECT_EQ(world.set(world.spawn(frozen{}), position{1, 2}), add_result::added);
}

TEST(components, end_of_a_component_takes_it_from_every_entity) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 2}, velocity{3, 4});
    int seen = 0;
    world.each([&](const position&) { ++seen; });
    EXPECT_TRUE(world.despawn(world.component<position>()));
    EXPECT_TRUE(world.alive(e));
    EXPECT_FALSE(world.has<position>(e));
    EXPECT_EQ(world.get<velocity>(e).y, 4);

    world.set(e, position{5, 6}); // Registered again.
    EXPECT_EQ(world.get<position>(e).x, 5);
    world.each([&](const position&) { ++seen; });
    EXPECT_EQ(seen, 2);
    std::ignore = world.spawn(position{}, velocity{});
    EXPECT_EQ(world.query<position>().count(), 2);
}

TEST(components, end_of_a_tag_takes_it_from_every_entity) {
    ecs::world world;
    const ecs::entity platoon = world.spawn();
    std::vector<ecs::entity> members;
    for (int i = 0; i < 100; ++i) members.push_back(world.spawn(position{static_cast<float>(i), 0}));
    for (const ecs::entity e : members) world.add(e, platoon);
    EXPECT_EQ(world.query().with(platoon).count(), 100);
    world.despawn(platoon);
    for (std::size_t i = 0; i < members.size(); ++i)
        EXPECT_EQ(world.get<position>(members[i]).x, static_cast<float>(i));
    EXPECT_FALSE(world.has(members[0], platoon));
}

TEST(components, more_than_255_take_the_slower_path_and_work) {
    ecs::world world;
    std::vector<ecs::entity> components;
    for (int i = 0; i < 300; ++i)
        components.push_back(world.component({.name = "c" + std::to_string(i), .size = 4}));
    EXPECT_GE(components.back().index(), 256);
    const ecs::entity e = world.spawn(position{1, 2});
    for (int i = 0; i < 300; ++i) world.set(e, components[static_cast<std::size_t>(i)], &i);
    for (int i = 0; i < 300; ++i)
        ASSERT_EQ(*static_cast<int*>(world.try_get(e, components[static_cast<std::size_t>(i)])), i);
    EXPECT_EQ(world.get<position>(e).y, 2);
    EXPECT_EQ(world.query<position>().with(components[299]).count(), 1);
}

TEST(components, are_listed_in_the_order_of_their_indices) {
    ecs::world world;
    const ecs::entity described = world.component({.name = "described", .size = 4});
    const ecs::entity tag = world.component({.name = "tag"});
    const std::vector<ecs::entity> all = world.components();
    EXPECT_TRUE(std::ranges::is_sorted(all, {}, [](ecs::entity e) { return e.index(); }));
    EXPECT_EQ(std::ranges::count(all, described), 1);
    EXPECT_EQ(std::ranges::count(all, tag), 1);
    std::size_t found = 0;
    world.each([&](const ecs::component_info&) { ++found; });
    EXPECT_EQ(all.size(), found);
}

TEST(singletons, may_be_missing) {
    ecs::world world;
    const ecs::world& constant = world;
    struct gravity {
        float g;
    };
    EXPECT_FALSE(constant.has_singleton<gravity>());
    EXPECT_EQ(constant.try_singleton<gravity>(), nullptr);
    EXPECT_EQ(world.try_singleton<gravity>(), nullptr);
    EXPECT_THROW(std::ignore = constant.singleton<gravity>(), ecs::access_error);
    world.set_singleton(gravity{9.8F});
    EXPECT_TRUE(constant.has_singleton<gravity>());
    EXPECT_EQ(constant.singleton<gravity>().g, 9.8F);
    EXPECT_EQ(world.try_singleton<gravity>(), &world.singleton<gravity>());
    const gravity& read = world.singleton<const gravity>();
    EXPECT_EQ(&read, &constant.singleton<const gravity>());
    EXPECT_EQ(world.try_singleton<const gravity>(), &read);
    EXPECT_TRUE(world.has_singleton<const gravity>());
    EXPECT_EQ(world.remove_singleton<gravity>(), ecs::add_result::removed);
    EXPECT_EQ(world.remove_singleton<gravity>(), ecs::add_result::not_there);
    EXPECT_FALSE(world.has_singleton<gravity>());
}

TEST(components, members_of_a_described_component_fit_it) {
    using members = std::vector<ecs::member>;
    ecs::world world;
    const auto refused = [&](std::size_t size, members of) {
        try {
            world.component({.name = "odd", .size = size, .alignment = 4, .members = std::move(of)});
        } catch (const std::invalid_argument& error) {
            return std::string(error.what()).starts_with("component \"odd\": member ");
        }
        return false;
    };
    EXPECT_TRUE(refused(8, {{.name = "x", .type = "double", .offset = 4, .size = 4}}));
    EXPECT_TRUE(refused(8, {{.name = "x", .type = "int", .offset = 6, .size = 4}}));
    EXPECT_TRUE(refused(8, {{.name = "", .type = "int", .offset = 0, .size = 4}}));
    EXPECT_TRUE(refused(8, {{.name = "x", .type = "int", .offset = 0, .size = 4},
                            {.name = "x", .type = "int", .offset = 4, .size = 4}}));
    EXPECT_TRUE(refused(8, {{.name = "x", .type = "odd", .offset = 0, .size = 8}}));
    EXPECT_TRUE(refused(4, {{.name = "x",
                             .type = "mood",
                             .offset = 0,
                             .size = 4,
                             .enumerators = {{"calm", 1}, {"calm", 2}},
                             .number_type = "int"}}));
    const members element{{.name = "", .type = "int", .offset = 0, .size = 4}};
    EXPECT_TRUE(refused(
        8, {{.name = "x", .type = "int[]", .offset = 0, .size = 8, .count = 1000, .members = element}}));
    EXPECT_TRUE(refused(8, {{.name = "x", .type = "int[]", .offset = 0, .size = 8, .count = 2}}));
    EXPECT_THROW(world.component({.name = "", .size = 4}), std::invalid_argument);
    EXPECT_FALSE(world.component_named("odd"));
    EXPECT_FALSE(
        refused(8, {{.name = "x", .type = "int[]", .offset = 0, .size = 8, .count = 2, .members = element}}));
}

TEST(components, that_are_called_as_others_are_known_from_the_global_namespace_on) {
    ecs::world world;
    const ecs::entity own = world.component<ordered>(), built_in = world.component_named("ordered");
    EXPECT_NE(own, built_in);
    EXPECT_EQ(world.component_name(own), "::ordered");
    EXPECT_EQ(world.component_named("::ordered"), own);
    const ecs::entity e = world.spawn(ordered{3});
    EXPECT_EQ(world.query("::ordered").entities(), std::vector{e});
    EXPECT_EQ(world.query<const ordered>().text(), "::ordered");
    std::vector<std::byte> saved;
    ecs::save(world, saved);
    ecs::world other;
    other.component<ordered>();
    ecs::load(other, saved);
    EXPECT_EQ(other.get<ordered>(other.query<const ordered>().single()).place, 3);
}

TEST(components, described_have_enumerators_that_their_numbers_can_be) {
    ecs::world world;
    const auto error_of = [&](std::string_view numbers, std::size_t size, std::int64_t value) -> std::string {
        try {
            world.component({.name = "odd",
                             .size = size,
                             .members = {{.name = "x",
                                          .type = "mood",
                                          .offset = 0,
                                          .size = size,
                                          .enumerators = {{"calm", value}},
                                          .number_type = std::string(numbers)}}});
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(error_of("unsigned char", 1, 256),
              "component \"odd\": member \"x\" has the enumerator \"calm\", whose number 256 is no unsigned "
              "char");
    EXPECT_NE(error_of("signed char", 1, -129), "");
    EXPECT_NE(error_of("unsigned long", 8, -1), "");
    EXPECT_NE(error_of("bool", 1, 2), "");
    EXPECT_FALSE(world.component_named("odd"));
    EXPECT_EQ(error_of("signed char", 1, -128), "");
}

constexpr ecs::value_operations operations_of_text{
    .construct = [](void* to) { new (to) std::string("new"); },
    .copy = [](void* to, const void* from) { new (to) std::string(*static_cast<const std::string*>(from)); },
    .relocate =
        [](void* to, void* from) noexcept {
            auto& old = *static_cast<std::string*>(from);
            new (to) std::string(std::move(old));
            std::destroy_at(&old);
        },
    .destroy = [](void* value) noexcept { std::destroy_at(static_cast<std::string*>(value)); }};

/// Zero bytes are no text, and its bytes no copy of it.
TEST(components, described_with_a_text_need_operations) {
    ecs::world world;
    const std::vector<ecs::member> members{{"text", "std::string", 0, sizeof(std::string)}};
    const auto describe = [&](std::string_view name, const ecs::value_operations& operations) {
        return world.component(
            {.name = name, .size = sizeof(std::string), .operations = operations, .members = members});
    };
    EXPECT_THROW(describe("bytes", {}), std::invalid_argument);
    ecs::value_operations without_end = operations_of_text;
    without_end.destroy = nullptr;
    EXPECT_THROW(describe("endless", without_end), std::invalid_argument);
    const ecs::entity label = describe("label", operations_of_text);
    const ecs::entity e = world.spawn(label);
    EXPECT_NE(dump(world, e).find("new"), std::string::npos) << dump(world, e);
    EXPECT_THROW(world.component({.name = "holder",
                                  .size = sizeof(std::string),
                                  .members = {{"of", "label", 0, sizeof(std::string)}}}),
                 std::invalid_argument);
}

TEST(components, described_in_a_circle_are_refused_and_of_another_size_are_bytes) {
    ecs::world world;
    const ecs::entity first = world.component(
        {.name = "first", .size = 8, .members = {{.name = "x", .type = "second", .offset = 0, .size = 8}}});
    EXPECT_THROW(world.component({.name = "second",
                                  .size = 8,
                                  .members = {{.name = "y", .type = "first", .offset = 0, .size = 8}}}),
                 std::invalid_argument);
    world.component(
        {.name = "second", .size = 16, .members = {{.name = "far", .type = "int", .offset = 12, .size = 4}}});
    const ecs::entity e = world.spawn();
    const std::array<std::byte, 8> value{};
    world.set(e, first, value.data());
    EXPECT_NE(dump(world, e).find("8 bytes"), std::string::npos) << dump(world, e);
}

/// The reason for which a component is refused; empty when it is not.
std::string refusal_of(ecs::world& world, const ecs::component_description& described) {
    try {
        world.component(described);
        return {};
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
}

TEST(components, described_again_with_operations_that_the_values_do_not_have_is_refused) {
    ecs::world world;
    const std::size_t size = sizeof(std::string);
    std::ignore = world.component({.name = "title", .size = size, .alignment = 8});
    const ecs::component_description with_text{.name = "title",
                                               .size = size,
                                               .alignment = 8,
                                               .operations = operations_of_text,
                                               .members = {{"text", "std::string", 0, size}}};
    EXPECT_NE(refusal_of(world, with_text).find("without some of these operations"), std::string::npos);
    ecs::component_description of_bytes = with_text;
    of_bytes.operations = {};
    EXPECT_NE(refusal_of(world, of_bytes).find("is more than bytes"), std::string::npos);
    ecs::world other;
    const ecs::entity title = other.component(with_text);
    EXPECT_EQ(refusal_of(other, with_text), "");
    EXPECT_EQ(refusal_of(other, of_bytes), "") << "the operations in force count";
    EXPECT_EQ(other.component(of_bytes), title);
}

TEST(components, described_members_lie_where_their_types_may) {
    ecs::world world;
    const std::size_t size = sizeof(std::string);
    ecs::component_description label{.name = "label",
                                     .size = size + 4,
                                     .operations = operations_of_text,
                                     .members = {{"text", "std::string", 0, size}, {"n", "int", size, 4}}};
    EXPECT_NE(refusal_of(world, label).find("a multiple of 8 bytes"), std::string::npos);
    label.size = size + 8;
    EXPECT_EQ(refusal_of(world, label), "");
    const ecs::component_description owner{
        .name = "owner", .size = 16, .members = {{"n", "int", 0, 4}, {"who", "entity", 4, 8}}};
    EXPECT_NE(refusal_of(world, owner).find("\"who\" is of type ecs::entity"), std::string::npos);
}

TEST(components, types_of_described_members_are_known_by_the_names_that_people_write) {
    ecs::world world;
    const ecs::entity made = world.component({.name = "made",
                                              .size = 32,
                                              .members = {{"who", "ecs::entity", 0, 8},
                                                          {"also", "entity", 8, 8},
                                                          {"count", "unsigned", 16, 4},
                                                          {"small", "std::uint8_t", 20, 1},
                                                          {"wide", "size_t", 24, 8}}});
    std::vector<std::string> types;
    for (const ecs::member& m : world.reflection_of(made)->members) types.push_back(m.type);
    const std::string handle(ecs::type_name<ecs::entity>);
    EXPECT_EQ(types, (std::vector<std::string>{handle, handle, "unsigned int", "unsigned char",
                                               std::string(ecs::type_name<std::size_t>)}));
}

TEST(components, what_a_description_says_of_numbers_has_to_be_of_use) {
    ecs::world world;
    const auto expect_refused = [&](const ecs::member& m, const char* why) {
        const std::string said = refusal_of(world, {.name = "n", .size = 8, .members = {m}});
        EXPECT_NE(said.find(why), std::string::npos) << said;
    };
    expect_refused({.name = "x", .type = "int", .size = 4, .minimum = 10, .maximum = 1},
                   "no number is within");
    const double no_number = std::numeric_limits<double>::quiet_NaN();
    expect_refused({.name = "x", .type = "float", .size = 4, .maximum = no_number}, "no number is within");
    expect_refused({.name = "x", .type = "blob", .size = 4, .maximum = 1}, "are no numbers");
    expect_refused({.name = "x", .type = "mood", .size = 1, .enumerators = {{"good", 1}}}, "no number_type");
    expect_refused(
        {.name = "x", .type = "mood", .size = 1, .enumerators = {{"good", 1}}, .number_type = "byte"},
        "no type of numbers");
    const ecs::member mood{.name = "x",
                           .type = "mood",
                           .size = 1,
                           .maximum = 3,
                           .enumerators = {{"good", 1}},
                           .number_type = "uint8_t"};
    EXPECT_EQ(refusal_of(world, {.name = "n", .size = 8, .members = {mood}}), "");
}

TEST(components, a_text_shares_no_bytes_and_numbers_may) {
    ecs::world world;
    const std::size_t size = sizeof(std::string);
    const ecs::component_description of_text{.name = "label",
                                             .size = size,
                                             .operations = operations_of_text,
                                             .members = {{"text", "string", 0, size}, {"n", "long", 0, 8}}};
    EXPECT_NE(refusal_of(world, of_text).find("member \"text\" shares bytes with member \"n\""),
              std::string::npos);
    EXPECT_EQ(
        refusal_of(world,
                   {.name = "either", .size = 4, .members = {{"n", "int", 0, 4}, {"x", "float", 0, 4}}}),
        "");
    const ecs::component_description of_components{
        .name = "both", .size = 4, .members = {{"a", "either", 0, 4}, {"b", "either", 0, 4}}};
    EXPECT_NE(refusal_of(world, of_components).find("shares bytes"), std::string::npos);
}

TEST(components, descriptions_end) {
    ecs::world world;
    ecs::member list{.name = "x", .type = "list", .size = 4, .count = std::size_t{1} << 40};
    list.members = {{"", "nothing", 0, 0}};
    EXPECT_NE(refusal_of(world, {.name = "c", .size = 4, .members = {list}}).find("no bytes"),
              std::string::npos);
    EXPECT_NE(
        refusal_of(world, {.name = "c", .size = 4, .members = {{"x", "nothing", 0, 0}}}).find("no bytes"),
        std::string::npos);
    ecs::member inner{.name = "x", .type = "int", .size = 4};
    for (int depth = 0; depth < 100; ++depth)
        inner = {.name = "x", .type = "inner", .size = 4, .members = {std::move(inner)}};
    EXPECT_NE(
        refusal_of(world, {.name = "c", .size = 4, .members = {std::move(inner)}}).find("nested more than"),
        std::string::npos);
}

TEST(components, described_by_components_are_nested_as_deep_as_they_can_be_read) {
    ecs::world world;
    std::string refusal;
    int depth = 0;
    for (; refusal.empty(); ++depth) {
        const std::string name = "level" + std::to_string(depth);
        const std::string within = depth == 0 ? "int" : "level" + std::to_string(depth - 1);
        refusal = refusal_of(world, {.name = name, .size = 4, .members = {{"x", within, 0, 4}}});
    }
    EXPECT_EQ(depth, 65) << refusal;
    EXPECT_NE(refusal.find("nested more than 64 deep"), std::string::npos) << refusal;
}

/// Else what one reader takes for a number would be a text for another, or larger than the member.
TEST(components, described_members_are_read_in_one_way) {
    ecs::world world;
    const auto refusal = [&](const ecs::member& m) {
        return refusal_of(world, {.name = "c", .size = 8, .members = {m}});
    };
    ecs::member list{.name = "a", .type = "x", .size = 1, .count = 1};
    const auto refusal_with = [&](const ecs::member& element) {
        list.members = {element};
        return refusal(list);
    };
    EXPECT_NE(
        refusal_with({.name = "", .type = "int", .size = 1, .number_type = "zzz"}).find("no type of numbers"),
        std::string::npos);
    EXPECT_NE(refusal_with({.name = "", .type = "int", .size = 1, .number_type = "unsigned char"})
                  .find("read by its name"),
              std::string::npos);
    EXPECT_NE(refusal({.name = "a", .type = "std::string", .size = 1, .number_type = "unsigned char"})
                  .find("read by its name"),
              std::string::npos);
    const ecs::member element{.name = "", .type = "signed char", .size = 1};
    list.type = "int";
    EXPECT_NE(refusal_with(element).find("is a list, and its type"), std::string::npos);
    list.type = "x";
    list.number_type = "int";
    EXPECT_NE(refusal_with(element).find("is a list, and has a number_type"), std::string::npos);
    list.number_type.clear();
    EXPECT_EQ(refusal_with(element), "");
}

TEST(components, are_kept_in_one_of_the_storages) {
    ecs::world world;
    const auto none = static_cast<ecs::storage>(7);
    EXPECT_NE(refusal_of(world, {.name = "c", .size = 4, .kept_in = none}).find("none of the storages"),
              std::string::npos);
}

TEST(components, described_again_in_another_way_say_in_which) {
    ecs::world world;
    std::ignore = world.component({.name = "c", .size = 8, .alignment = 8});
    EXPECT_NE(refusal_of(world, {.name = "c", .size = 16, .alignment = 8}).find("another size: 8, not 16"),
              std::string::npos);
    EXPECT_NE(refusal_of(world, {.name = "c", .size = 8, .alignment = 4}).find("another alignment: 8, not 4"),
              std::string::npos);
    EXPECT_NE(refusal_of(world, {.name = "c", .size = 8, .alignment = 8, .kept_in = ecs::storage::sparse})
                  .find("another storage"),
              std::string::npos);
}

TEST(components, what_they_are_is_not_for_programs_to_change) {
    ecs::world world;
    const ecs::entity c = world.component({.name = "c", .size = 4});
    const ecs::entity facts = world.component<ecs::component_info>();
    const ecs::entity e = world.spawn();
    const ecs::component_info wrong{.size = 100'000'000, .alignment = 4};
    EXPECT_EQ(world.set(c, facts, &wrong), ecs::add_result::is_built_in);
    EXPECT_EQ(world.remove(c, facts), ecs::add_result::is_built_in);
    EXPECT_EQ(world.set(e, facts, &wrong), ecs::add_result::is_built_in);
    EXPECT_EQ(world.add(e, facts), ecs::add_result::is_built_in);
    EXPECT_EQ(world.edit(c).remove(facts).commit(), ecs::add_result::is_built_in);
    EXPECT_EQ(world.edit(e).set(facts, &wrong).commit(), ecs::add_result::is_built_in);
    EXPECT_EQ(world.get<ecs::component_info>(c).size, 4U);
    EXPECT_FALSE(world.has(e, facts));
    auto commands = world.commands();
    commands.set(c, facts, &wrong, sizeof wrong);
    commands.remove(c, facts);
    world.flush();
    EXPECT_EQ(world.get<ecs::component_info>(c).size, 4U);
}

TEST(components, edits_without_a_value_say_so) {
    ecs::world world;
    const ecs::entity c = world.component({.name = "c", .size = 4});
    EXPECT_EQ(world.edit(world.spawn()).set(c, nullptr).commit(), ecs::add_result::no_value);
}

} // namespace
} // namespace components_test
