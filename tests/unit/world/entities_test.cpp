// SPDX-License-Identifier: MIT
// Entities by the handful: bulk spawning, clones, several components in one move.
#include "life.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>
import ecs.world;

namespace entities_test {
namespace {

using ecs::add_result;

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};
struct health {
    int value = 100;
};
struct frozen {};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    int strength = 1;
};
struct aura {
    static constexpr auto kept_in = ecs::storage::sparse;
    counted<0> value;
};
struct letter {
    static constexpr auto kept_in = ecs::storage::sparse;
    move_only text;
};
struct selected {
    static constexpr auto kept_in = ecs::storage::bits;
};

TEST(names, may_be_any_kind_of_text) {
    ecs::world world;
    std::string text = "Borealis";
    const ecs::entity a = world.spawn("Aurora", position{1, 2});
    const ecs::entity b = world.spawn(text, position{3, 4});
    const ecs::entity c = world.spawn(std::string("Tempest"));
    const ecs::entity d = world.spawn(std::string_view("Zephyr"));
    EXPECT_EQ(world.lookup("Aurora"), a);
    EXPECT_EQ(world.lookup("Borealis"), b);
    EXPECT_EQ(world.lookup("Tempest"), c);
    EXPECT_EQ(world.lookup("Zephyr"), d);
    EXPECT_EQ(world.get<position>(b).x, 3);
    EXPECT_FALSE(world.has<std::string>(b));
}

TEST(spawning, takes_identifiers_beside_components) {
    ecs::world world;
    const ecs::entity ship = world.spawn("ship"), platoon = world.spawn("platoon");
    const ecs::entity e = world.spawn(platoon, position{1, 2}, ecs::pair(ecs::child_of, ship), buff{3});
    EXPECT_TRUE(world.has(e, platoon));
    EXPECT_EQ(world.parent(e), ship);
    EXPECT_EQ(world.get<position>(e).y, 2);
    EXPECT_EQ(world.get<buff>(e).strength, 3);
    const ecs::entity turret = world.spawn("turret", ecs::pair(ecs::child_of, ship));
    EXPECT_EQ(world.lookup("ship/turret"), turret);
    EXPECT_FALSE(world.is_enabled(world.spawn(ecs::disabled)));
    ecs::entity seen;
    world.observe(ecs::event::added, platoon,
                  [&](ecs::entity) { seen = world.spawn(ship, platoon == seen ? ship : e); });
    world.spawn(platoon);
    EXPECT_TRUE(world.has(seen, ship) && world.has(seen, e)) << "an observer asks for it, too";
}

TEST(spawning, with_an_identifier_that_cannot_be_added_leaves_nothing) {
    ecs::world world;
    const ecs::entity dead = world.spawn();
    world.despawn(dead);
    EXPECT_THROW(world.spawn(counted<0>(1), dead), std::invalid_argument);
    EXPECT_THROW(world.spawn(counted<0>(1), ecs::pair(ecs::any, ecs::any)), std::invalid_argument);
    EXPECT_EQ(counted<0>::lives, 0);
    EXPECT_TRUE(world.entities().empty());
}

TEST(bulk, every_entity_gets_a_copy_of_each_value) {
    ecs::world world;
    const std::vector<ecs::entity> all = world.spawn_n(10'000, position{1, 2}, frozen{});
    ASSERT_EQ(all.size(), 10'000);
    EXPECT_EQ((world.query<const position>().with<frozen>().count()), 10'000);
    for (const ecs::entity e : all) ASSERT_EQ(world.get<position>(e).y, 2);
    EXPECT_EQ(world.spawn_n(3).size(), 3);
    EXPECT_TRUE(world.spawn_n(0, position{}).empty());
}

TEST(bulk, spans_supply_a_value_for_each_entity) {
    ecs::world world;
    std::vector<position> positions;
    std::vector<health> healths;
    for (int i = 0; i < 20'000; ++i) {
        positions.push_back({static_cast<float>(i), 0});
        healths.push_back({-i});
    }
    const auto all =
        world.spawn_n(20'000, std::span(positions), std::span<const health>(healths), velocity{1, 1});
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(world.get<position>(all[i]).x, static_cast<float>(i));
        ASSERT_EQ(world.get<health>(all[i]).value, -static_cast<int>(i));
    }
    EXPECT_THROW(world.spawn_n(3, std::span(positions)), std::invalid_argument);
    EXPECT_EQ(world.query<position>().count(), 20'000);
}

TEST(bulk, generator_supplies_one_component_or_several) {
    ecs::world world;
    std::vector<ecs::entity> out(1000);
    world.spawn_into(out, [](std::size_t i) { return position{static_cast<float>(i), 0}; });
    const auto more = world.spawn_n(1000, [](std::size_t i) {
        return std::tuple(position{0, static_cast<float>(i)}, counted<0>(static_cast<int>(i)));
    });
    EXPECT_EQ(world.get<position>(out[999]).x, 999);
    EXPECT_EQ(world.get<counted<0>>(more[999]).value(), 999);
    EXPECT_EQ(counted<0>::lives, 1000);
    EXPECT_EQ(world.despawn(more), 1000);
    EXPECT_EQ(counted<0>::lives, 0);
}

TEST(bulk, is_all_or_nothing) {
    ecs::world world;
    std::ignore = world.component<counted<0>>();
    std::ignore = world.component<explosive>();
    const std::size_t before = world.query<ecs::entity>().count();
    explosive::fuse = 20'000;
    EXPECT_THROW(world.spawn_n(30'000, [](std::size_t) { return std::tuple(counted<0>(1), explosive()); }),
                 explosive::explosion);
    explosive::fuse = -1;
    EXPECT_EQ(world.query<ecs::entity>().count(), before);
    EXPECT_EQ(explosive::lives, 0);
    EXPECT_EQ(counted<0>::lives, 0);
    EXPECT_THROW(world.spawn_n(10,
                               [&](std::size_t) {
                                   std::ignore = world.spawn(position{});
                                   return position{};
                               }),
                 ecs::iteration_error);
    EXPECT_EQ(world.query<position>().count(), 0);
}

TEST(bulk, components_outside_tables_are_supplied_as_well) {
    ecs::world world;
    const auto all = world.spawn_n(20'000, position{1, 2}, selected{}, [](std::size_t i) {
        return std::tuple(buff{static_cast<int>(i)}, aura{counted<0>(static_cast<int>(i))});
    });
    ASSERT_EQ(all.size(), 20'000U);
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(world.get<buff>(all[i]).strength, static_cast<int>(i));
        ASSERT_EQ(world.get<aura>(all[i]).value.value(), static_cast<int>(i));
    }
    EXPECT_EQ((world.query<const position, const buff>().with<selected>().count()), 20'000U);
    EXPECT_EQ(counted<0>::lives, 20'000);
}

TEST(bulk, observer_may_ask_for_components_outside_tables) {
    ecs::world world;
    world.observe<ecs::event::added, frozen>([&](ecs::entity) { world.spawn_n(3, position{}, buff{4}); });
    world.spawn(frozen{});
    EXPECT_EQ((world.query<const position, const buff>().count()), 3U);
}

TEST(bulk, is_all_or_nothing_outside_tables_too) {
    ecs::world world;
    std::ignore = world.component<aura>();
    world.observe<ecs::event::added, health>([](health&) {});
    std::vector<ecs::entity> out(100, ecs::entity{});
    const auto failing = [](std::size_t i) {
        if (i == 50) throw std::runtime_error("no more");
        return std::tuple(aura{counted<0>(1)}, health{1});
    };
    EXPECT_THROW(world.spawn_into(out, failing), std::runtime_error);
    EXPECT_EQ(counted<0>::lives, 0);
    EXPECT_EQ(world.entities().size(), 0U);
    EXPECT_EQ(world.query<health>().count(), 0U);
    int loops = 0;
    world.spawn(health{1});
    EXPECT_THROW(world.each([&](const health&) { world.spawn_into(out, failing), ++loops; }),
                 ecs::iteration_error);
    EXPECT_EQ(loops, 0);
}

TEST(bulk, entities_of_a_query_end_together) {
    ecs::world world;
    world.spawn_n(100, position{});
    world.spawn_n(100, position{}, frozen{});
    EXPECT_EQ(world.despawn(world.query<position>().with<frozen>()), 100);
    EXPECT_EQ(world.query<position>().count(), 100);
}

TEST(bulk, cleared_world_has_nobody_whatever_they_had) {
    struct owner {
        std::shared_ptr<int> of;
    };
    ecs::world world;
    const auto held = std::make_shared<int>(1);
    const auto fill = [&] {
        world.spawn_n(18'000, position{1, 2}); // Whole chunks, one with a target among them.
        const ecs::entity parent = world.spawn(position{3, 4});
        world.spawn_children(parent, 100, position{5, 6});
        world.add(world.spawn(position{7, 8}), ecs::pair(parent, parent));
        world.spawn_n(50, owner{held});
        world.spawn_n(30);
        world.spawn("named", position{9, 9});
    };
    for (int times = 0; times < 3; ++times) {
        fill();
        EXPECT_EQ(held.use_count(), 51);
        const std::vector<ecs::entity> all = world.entities();
        EXPECT_EQ(all.size(), 18'000U + 1 + 100 + 1 + 50 + 30 + 1);
        world.clear();
        EXPECT_EQ(held.use_count(), 1);
        EXPECT_TRUE(world.entities().empty());
        EXPECT_EQ(world.query<position>().count(), 0U);
        EXPECT_TRUE(std::ranges::none_of(all, [&](ecs::entity e) { return world.alive(e); }));
        EXPECT_FALSE(world.lookup("named"));
    }
}

TEST(bulk, cleared_world_keeps_its_components) {
    ecs::world world;
    world.spawn_n(100, position{}, counted<0>(1));
    const ecs::entity component = world.component<position>();
    world.clear();
    EXPECT_EQ(world.query<position>().count(), 0);
    EXPECT_EQ(counted<0>::lives, 0);
    EXPECT_EQ(world.component<position>(), component);
    EXPECT_EQ(world.spawn_n(10, position{}).size(), 10);
}

TEST(bulk, memory_is_given_back_on_request) {
    ecs::world world;
    const auto all = world.spawn_n(100'000, position{}, velocity{});
    const std::size_t full = world.memory_bytes();
    world.despawn(all);
    world.shrink();
    EXPECT_LT(world.memory_bytes(), full / 2);
}

TEST(clones, have_what_the_original_has_but_its_name) {
    ecs::world world;
    const ecs::entity original = world.spawn("original", position{1, 2}, counted<0>(3), frozen{});
    world.disable<position>(original);
    for (int i = 0; i < 50; ++i) {
        const ecs::entity copy = world.clone(original);
        ASSERT_EQ(world.get<counted<0>>(copy).value(), 3);
        ASSERT_TRUE(world.has<frozen>(copy));
        ASSERT_FALSE(world.is_enabled<position>(copy));
        ASSERT_TRUE(world.name_of(copy).empty());
    }
    EXPECT_EQ(world.lookup("original"), original);
    EXPECT_EQ(counted<0>::lives, 51);
}

TEST(clones, many_are_made_or_none) {
    ecs::world world;
    const ecs::entity original = world.spawn(position{1, 2}, explosive(1));
    const std::vector<ecs::entity> copies = world.clone_n(original, 5);
    ASSERT_EQ(copies.size(), 5U);
    for (const ecs::entity e : copies) EXPECT_EQ(world.get<position>(e).y, 2);
    explosive::fuse = 3;
    EXPECT_THROW(std::ignore = world.clone_n(original, 5), explosive::explosion);
    explosive::fuse = -1;
    EXPECT_EQ(world.query<explosive>().count(), 6U);
    world.despawn(original);
    EXPECT_THROW(std::ignore = world.clone_n(original, 1), ecs::access_error);
}

TEST(clones, a_copy_of_an_instance_that_fails_leaves_no_part) {
    struct near {
        near() = default;
        near(const near& from) : fuse(from.fuse) {
            if (*fuse) throw std::runtime_error("copy");
        }
        near(near&&) noexcept = default;
        near& operator=(const near&) = default;
        near& operator=(near&&) noexcept = default;
        const bool* fuse{};
    };
    bool fuse = false;
    ecs::world world;
    const ecs::entity car = world.prefab("car");
    world.spawn("wheel", ecs::pair(ecs::child_of, car));
    const ecs::entity gone = world.spawn();
    world.despawn(gone);
    const ecs::entity target = world.spawn(); // Pairs with it come behind those with the prefab.
    ASSERT_EQ(target.index(), gone.index());
    const ecs::entity e = world.spawn(ecs::pair(ecs::is_a, car));
    world.add(world.component<near>(), ecs::exclusive);
    near value;
    value.fuse = &fuse;
    world.set<near>(e, target, std::move(value));
    const std::size_t before = world.entities().size();
    fuse = true;
    EXPECT_THROW(std::ignore = world.clone(e), std::runtime_error);
    EXPECT_EQ(world.entities().size(), before);
    EXPECT_THROW(std::ignore = world.clone_n(e, 3), std::runtime_error);
    EXPECT_EQ(world.entities().size(), before);
    fuse = false;
    std::ignore = world.clone(e);
    EXPECT_EQ(world.entities().size(), before + 2);
}

TEST(emplacing, a_constructor_that_changes_the_world_is_refused_and_changes_nothing) {
    struct car {
        car(ecs::world& in, std::string of) : name(std::move(of)) { next = in.spawn(position{}); }
        std::string name;
        ecs::entity next;
    };
    ecs::world world;
    const std::vector<ecs::entity> all = world.spawn_n(3, position{1, 2});
    for (const ecs::entity e : all)
        EXPECT_THROW(world.emplace<car>(e, world, std::string(40, 'x')), ecs::iteration_error);
    EXPECT_EQ(world.entities().size(), 3U);
    EXPECT_EQ(world.query<car>().count(), 0U);
    EXPECT_TRUE(world.spawn()) << "the world is open again";
}

TEST(clones, of_an_instance_that_became_a_part_of_its_base_are_instances_too) {
    ecs::world world;
    const ecs::entity whole = world.spawn();
    const ecs::entity part = world.spawn();
    world.add(part, ecs::is_a, whole);
    world.add(part, ecs::child_of, whole);
    const ecs::entity copy = world.clone(part);
    EXPECT_TRUE(world.has(copy, ecs::is_a, whole));
    EXPECT_EQ(world.parent(copy), whole);
}

TEST(clones, are_refused_where_a_value_cannot_be_copied) {
    ecs::world world;
    const ecs::entity original = world.spawn(move_only(1), explosive(1));
    EXPECT_THROW(std::ignore = world.clone(original), ecs::access_error);
    world.remove<move_only>(original);
    explosive::fuse = 0;
    EXPECT_THROW(std::ignore = world.clone(original), explosive::explosion);
    explosive::fuse = -1;
    EXPECT_EQ(world.query<explosive>().count(), 1);
    world.despawn(original);
    EXPECT_THROW(std::ignore = world.clone(original), ecs::access_error);
}

TEST(clones, refusal_names_the_component) {
    ecs::world world;
    const auto refusal_of = [&](ecs::entity e) -> std::string {
        try {
            std::ignore = world.clone(e);
        } catch (const ecs::access_error& error) {
            return error.what();
        }
        return "nothing was thrown";
    };
    EXPECT_TRUE(refusal_of(world.spawn(move_only(1))).ends_with("component move_only cannot be copied"));
    const std::string aside = refusal_of(world.spawn(letter{move_only(1)}));
    EXPECT_NE(aside.find("letter cannot be copied"), std::string::npos) << aside;
}

TEST(several, components_are_added_set_and_removed_in_one_move) {
    ecs::world world;
    const ecs::entity e = world.spawn(health{7});
    EXPECT_EQ((world.add<position, frozen, health>(e)), add_result::added);
    EXPECT_EQ((world.add<position, frozen>(e)), add_result::already_there);
    EXPECT_EQ(world.get<health>(e).value, 7);
    EXPECT_EQ(world.set(e, position{1, 2}, velocity{3, 4}, counted<0>(5)), add_result::added);
    EXPECT_EQ(world.get<position>(e).x, 1);
    EXPECT_EQ(world.get<velocity>(e).y, 4);
    EXPECT_EQ(world.set(e, counted<0>(6), health{8}), add_result::already_there);
    EXPECT_EQ(world.get<counted<0>>(e).value(), 6);
    EXPECT_EQ(counted<0>::lives, 1);
    EXPECT_EQ((world.remove<position, counted<0>>(e)), add_result::removed);
    EXPECT_EQ((world.remove<position, counted<0>>(e)), add_result::not_there);
    EXPECT_EQ(counted<0>::lives, 0);
    EXPECT_EQ(world.get<health>(e).value, 8);
    EXPECT_EQ(world.set(ecs::entity{}, position{}, velocity{}), add_result::not_alive);
}

TEST(several, entities_get_and_lose_a_component) {
    ecs::world world;
    std::vector<ecs::entity> all = world.spawn_n(5, position{});
    world.despawn(all[1]);
    world.add<frozen>(all[2]);
    EXPECT_EQ(world.add<frozen>(all), 4U) << "one is dead, and one had it";
    EXPECT_EQ(world.count<frozen>(), 4U);
    EXPECT_EQ(world.remove<frozen>(std::span(all).first(3)), 2U);
    EXPECT_EQ(world.count<frozen>(), 2U);
    const ecs::id likes_it = pair(world.spawn(), all[0]);
    EXPECT_EQ(world.add(all, likes_it), 4U);
    EXPECT_EQ(world.remove(all, likes_it), 4U);
    EXPECT_FALSE(world.has(all[4], likes_it));
}

TEST(several, constructor_that_throws_adds_none) {
    ecs::world world;
    const ecs::entity e = world.spawn(health{7});
    explosive::fuse = 0;
    EXPECT_THROW((world.add<counted<0>, explosive, counted<1>>(e)), explosive::explosion);
    explosive::fuse = -1;
    EXPECT_FALSE(world.has<counted<0>>(e));
    EXPECT_EQ(counted<0>::lives + counted<1>::lives + explosive::lives, 0);
}

TEST(several, values_are_modified_in_place) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 2}, velocity{3, 4});
    EXPECT_TRUE(world.modify(e, [](position& p, const velocity& v) { p.x += v.x; }));
    EXPECT_EQ(world.get<position>(e).x, 4);
    EXPECT_FALSE(world.modify(e, [](position& p, health&) { p.x = 0; }));
    EXPECT_EQ(world.patch<position>(e, [](auto& p) { p.y = 9; }).y, 9);
    EXPECT_THROW(world.patch<health>(e, [](health&) {}), ecs::access_error);
}

TEST(several, values_are_got_together) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 2}, velocity{3, 4});
    const auto [p, v] = world.get<position, velocity>(e);
    p.x += v.x;
    EXPECT_EQ(world.get<position>(e).x, 4);
    EXPECT_TRUE((world.has<position, velocity>(e)));
    EXPECT_FALSE((world.has<position, velocity, health>(e)));
    const auto [there, missing] = world.try_get<position, health>(e);
    EXPECT_EQ(there, &p);
    EXPECT_EQ(missing, nullptr);
    EXPECT_THROW((std::ignore = world.get<position, health>(e)), ecs::access_error);
    const ecs::world& constant = world;
    EXPECT_EQ(&std::get<const velocity&>(constant.get<position, velocity>(e)), &v);
    EXPECT_EQ((std::get<const health*>(constant.try_get<position, health>(e))), nullptr);
}

TEST(several, values_are_patched_together_or_not_at_all) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 2}, velocity{3, 4});
    int told = 0;
    world.observe<ecs::event::set, position>([&](position&) { ++told; });
    world.observe<ecs::event::set, velocity>([&](velocity&) { ++told; });
    const auto [p, v] =
        world.patch<position, velocity>(e, [](position& at, velocity& by) { at.x = 5, by.x = 6; });
    EXPECT_EQ(p.x + v.x, 11);
    EXPECT_EQ(told, 2);
    bool called = false;
    EXPECT_THROW((world.patch<position, health>(e, [&](position&, health&) { called = true; })),
                 ecs::access_error);
    EXPECT_FALSE(called);
}

TEST(edits, are_one_move_at_the_end_of_the_statement) {
    ecs::world world;
    const ecs::entity tag = world.spawn();
    const ecs::entity e = world.spawn(position{1, 2}, health{3}, counted<0>(4));
    world.edit(e).add<frozen>().set(velocity{5, 6}).set(health{7}).remove<counted<0>>().add(tag);
    EXPECT_TRUE(world.has<frozen>(e) && world.has(e, tag));
    EXPECT_EQ(world.get<velocity>(e).y, 6);
    EXPECT_EQ(world.get<health>(e).value, 7);
    EXPECT_EQ(world.get<position>(e).y, 2);
    EXPECT_EQ(counted<0>::lives, 0);
}

TEST(edits, last_change_of_a_component_counts) {
    ecs::world world;
    const ecs::entity e = world.spawn(health{3}, position{1, 1});
    world.edit(e)
        .set(counted<0>(1))
        .set(counted<0>(2))
        .remove<health>()
        .add<health>()
        .set(velocity{})
        .remove<velocity>();
    EXPECT_EQ(world.get<counted<0>>(e).value(), 2);
    EXPECT_EQ(world.get<health>(e).value, 100) << "removed and added: the default value";
    EXPECT_FALSE(world.has<velocity>(e));
    EXPECT_EQ(counted<0>::lives, 1);
}

TEST(edits, refused_edit_changes_nothing) {
    ecs::world world;
    const ecs::entity dead = world.spawn();
    world.despawn(dead);
    const ecs::entity e = world.spawn(position{1, 2});
    EXPECT_EQ(world.edit(e).set(counted<0>(1)).add(dead).remove<position>().commit(),
              add_result::not_alive_id);
    EXPECT_TRUE(world.has<position>(e));
    EXPECT_EQ(world.edit(dead).set(counted<0>(1)).commit(), add_result::not_alive);
    EXPECT_EQ(counted<0>::lives, 0);
    explosive::fuse = 0;
    EXPECT_THROW(world.edit(e).set(counted<0>(1)).add<explosive>().remove<position>().commit(),
                 explosive::explosion);
    explosive::fuse = -1;
    EXPECT_TRUE(world.has<position>(e));
    EXPECT_EQ(counted<0>::lives, 0);
}

TEST(edits, keep_what_is_given_behind_the_removal_of_a_wildcard) {
    ecs::world world;
    const ecs::entity a = world.spawn(), b = world.spawn(), c = world.spawn(), rel = world.spawn();
    const ecs::entity e = world.spawn(ecs::pair(rel, a), ecs::pair(rel, c));
    const auto has = [&](ecs::entity target) { return world.has(e, ecs::pair(rel, target)); };
    EXPECT_EQ(world.edit(e).remove(ecs::pair(rel, ecs::any)).add(ecs::pair(rel, b)).commit(),
              add_result::added);
    EXPECT_TRUE(!has(a) && has(b) && !has(c));
    world.edit(e).remove(ecs::pair(ecs::any, ecs::any)).add(ecs::pair(rel, a)).add(ecs::pair(rel, b));
    EXPECT_TRUE(has(a) && has(b));
    world.edit(e).add(ecs::pair(rel, c)).remove(ecs::pair(rel, ecs::any)).add(ecs::pair(rel, a));
    EXPECT_TRUE(has(a) && !has(b) && !has(c)) << "what was given before it goes, too";
    const health five{5};
    const ecs::id related = ecs::pair(world.component<health>(), a);
    world.set(e, related, &five);
    world.edit(e).remove(ecs::pair(world.component<health>(), ecs::any)).add(related);
    EXPECT_EQ((world.get<health>(e, a).value), 100) << "it begins anew";
    EXPECT_EQ(world.edit(e).remove(ecs::pair(rel, ecs::any)).commit(), add_result::added);
    EXPECT_FALSE(world.has(e, ecs::pair(rel, ecs::any)));
    EXPECT_EQ(world.edit(e).remove(ecs::pair(rel, ecs::any)).commit(), add_result::already_there);
}

TEST(edits, leave_the_target_that_was_named_last) {
    ecs::world world;
    const ecs::entity a = world.spawn(), b = world.spawn(), relation = world.spawn();
    world.add(relation, ecs::exclusive);
    for (const ecs::id one : {ecs::id(relation), ecs::id(ecs::child_of)}) {
        const ecs::entity e = world.spawn(), other = world.spawn();
        world.edit(e).add(ecs::pair(one, a)).add(ecs::pair(one, b)).add(ecs::pair(one, a));
        EXPECT_TRUE(world.has(e, ecs::pair(one, a)));
        world.add(other, ecs::pair(one, a));
        world.edit(other).remove(ecs::pair(one, a)).add(ecs::pair(one, b)).add(ecs::pair(one, a));
        EXPECT_TRUE(world.has(other, ecs::pair(one, a)));
    }
}

TEST(edits, enable_what_they_remove_and_give_again) {
    ecs::world world;
    const ecs::entity e = world.spawn(health{1}, frozen{}, buff{1});
    const auto disable_all = [&] {
        world.disable<health>(e);
        world.disable<frozen>(e);
        world.disable<buff>(e);
    };
    const auto are_enabled = [&] {
        return world.is_enabled<health>(e) && world.is_enabled<frozen>(e) && world.is_enabled<buff>(e);
    };
    disable_all();
    world.edit(e).set(health{2}).set(buff{2});
    EXPECT_FALSE(world.is_enabled<health>(e) || world.is_enabled<buff>(e));
    world.edit(e).remove<health>().add<health>().remove<frozen>().add<frozen>().remove<buff>().add<buff>();
    EXPECT_TRUE(are_enabled());
    disable_all();
    world.edit(e).remove<health>().set(health{3}).remove<frozen>().add<frozen>().remove<buff>().set(buff{3});
    EXPECT_TRUE(are_enabled());
    EXPECT_EQ(world.get<health>(e).value, 3);
}

TEST(edits, begin_with_the_value_of_a_base_that_was_named_before) {
    ecs::world world;
    const ecs::entity base = world.prefab(health{7});
    const ecs::entity one = world.spawn(), other = world.spawn();
    world.edit(one).add(ecs::pair(ecs::is_a, base)).add<health>();
    world.edit(other).add<health>().add(ecs::pair(ecs::is_a, base));
    EXPECT_EQ(world.get<health>(one).value, 7);
    EXPECT_EQ(world.get<health>(other).value, 100);
}

TEST(edits, move_values_that_are_kept_outside_tables) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    EXPECT_EQ(world.edit(e).set(letter{move_only(3)}).set(health{7}).commit(), add_result::added);
    EXPECT_EQ(world.get<letter>(e).text.value(), 3) << "they need no copy";
    EXPECT_EQ(world.edit(e).set(letter{move_only(4)}).commit(), add_result::already_there);
    EXPECT_EQ(world.get<letter>(e).text.value(), 4);
    EXPECT_EQ(world.get<health>(e).value, 7);
}

TEST(disabled_entities, are_passed_over_unless_asked_for) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{});
    EXPECT_EQ(world.disable(e), ecs::add_result::disabled);
    EXPECT_EQ(world.disable(e), ecs::add_result::already_there);
    EXPECT_FALSE(world.is_enabled(e));
    EXPECT_EQ(world.query<position>().count(), 0);
    EXPECT_EQ(world.query<position>().with(ecs::disabled).count(), 1);
    EXPECT_EQ(world.query<position>().optional(ecs::disabled).count(), 1);
    EXPECT_EQ(world.enable(e), ecs::add_result::enabled);
    EXPECT_EQ(world.enable(e), ecs::add_result::already_there);
    EXPECT_EQ(world.query<position>().count(), 1);
    world.despawn(e);
    EXPECT_EQ(world.enable(e), ecs::add_result::not_alive);
}

// A component for many.

/// Calls change(world, all) where the last of nine has gone the same way before; returns whether null is
/// none.
bool stays_null(const std::function<std::size_t(ecs::world&, std::vector<ecs::entity>&)>& change) {
    ecs::world world;
    auto all = world.spawn_n(9, position{});
    return change(world, all) != 0 && !world.alive(ecs::entity{}) && world.query<position>().count() <= 9U;
}

TEST(bulk_changes, pass_over_null_behind_a_row_that_has_just_been_left) {
    const auto few = [](const std::vector<ecs::entity>& e) { return std::vector{e[2], e[1], ecs::entity{}}; };
    const auto many = [](const std::vector<ecs::entity>& e) {
        return std::vector{e[2], e[3], e[4], e[5], e[1], ecs::entity{}};
    };
    EXPECT_TRUE(stays_null([&](ecs::world& world, auto& all) {
        world.set(all[8], velocity{});
        return world.set(few(all), velocity{9, 9}) == 2U;
    }));
    EXPECT_TRUE(stays_null([&](ecs::world& world, auto& all) {
        const ecs::entity tag = world.spawn();
        world.add(all[8], tag);
        return world.add(many(all), tag) == 5U;
    }));
    EXPECT_TRUE(stays_null([&](ecs::world& world, auto& all) {
        world.set(all, velocity{});
        world.remove<velocity>(all[8]);
        return world.remove<velocity>(many(all)) == 5U;
    }));
    EXPECT_TRUE(stays_null([&](ecs::world& world, auto& all) {
        world.set(all[8], velocity{});
        auto commands = world.commands();
        for (const ecs::entity e : few(all)) commands.set(e, velocity{1, 1});
        return world.flush().applied() == 2U;
    }));
    EXPECT_TRUE(stays_null([&](ecs::world& world, auto& all) { return world.despawn(many(all)) == 5U; }));
}

TEST(bulk_set, takes_a_value_a_span_or_a_function) {
    ecs::world world;
    const auto all = world.spawn_n(20'000, [](std::size_t i) { return position{static_cast<float>(i), 0}; });
    EXPECT_EQ(world.set(all, health{1}), 20'000);
    for (const ecs::entity e : all) ASSERT_EQ(world.get<health>(e).value, 1);
    std::vector<health> healths;
    for (int i = 0; i < 20'000; ++i) healths.push_back({i});
    EXPECT_EQ(world.set(all, std::span(healths)), 20'000);
    EXPECT_EQ(world.set(all, [](std::size_t i) { return velocity{0, static_cast<float>(i)}; }), 20'000);
    EXPECT_EQ(world.set(all, frozen{}), 20'000);
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(world.get<position>(all[i]).x, static_cast<float>(i));
        ASSERT_EQ(world.get<health>(all[i]).value, static_cast<int>(i));
        ASSERT_EQ(world.get<velocity>(all[i]).y, static_cast<float>(i));
    }
    EXPECT_EQ((world.query<position, health, velocity>().with<frozen>().count()), 20'000);
    EXPECT_THROW(world.set(std::span(all).first(3), std::span(healths)), std::invalid_argument);
    EXPECT_EQ(world.set(std::span<const ecs::entity>{}, health{}), 0);
}

/// What set does for these entities, in this order, is what set does for one after the other.
void expect_as_one_by_one(std::size_t count, std::span<const std::size_t> chosen) {
    ecs::world world;
    std::vector<ecs::entity> all;
    for (std::size_t i = 0; i < count; ++i) {
        const position p{static_cast<float>(i), 1};
        if (i % 7 == 3)
            all.push_back(world.spawn(p, counted<0>(static_cast<int>(i)), velocity{1, 2}));
        else if (i % 11 == 5)
            all.push_back(world.spawn(p, counted<0>(static_cast<int>(i)), counted<1>(-1)));
        else
            all.push_back(world.spawn(p, counted<0>(static_cast<int>(i))));
    }
    std::vector<int> expected(count);
    for (std::size_t i = 0; i < count; ++i) expected[i] = i % 7 != 3 && i % 11 == 5 ? -1 : 0;
    std::vector<ecs::entity> meant;
    for (std::size_t n = 0; n < chosen.size(); ++n) {
        meant.push_back(all[chosen[n]]);
        expected[chosen[n]] = static_cast<int>(n) + 1;
    }
    EXPECT_EQ(world.set(meant, [](std::size_t n) { return counted<1>(static_cast<int>(n) + 1); }),
              meant.size());
    for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(world.get<position>(all[i]).x, static_cast<float>(i));
        ASSERT_EQ(world.get<counted<0>>(all[i]).value(), static_cast<int>(i));
        const counted<1>* const got = world.try_get<counted<1>>(all[i]);
        ASSERT_EQ(got ? got->value() : 0, expected[i]);
    }
    std::size_t found = 0;
    world.each([&](ecs::entity e, const position& p) {
        ++found;
        ASSERT_EQ(all[static_cast<std::size_t>(p.x)], e);
    });
    EXPECT_EQ(found, count);
    EXPECT_EQ(counted<0>::lives, static_cast<int>(count));
}

TEST(bulk_set, does_what_setting_one_after_the_other_does) {
    constexpr std::size_t count = 24'000;
    std::vector<std::size_t> rows(count);
    for (std::size_t i = 0; i < count; ++i) rows[i] = i;
    expect_as_one_by_one(count, rows);
    expect_as_one_by_one(count, std::span(rows).first(100));
    expect_as_one_by_one(count, std::span(rows).last(12'000));
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < count; i += 2) chosen.push_back(i);
    expect_as_one_by_one(count, chosen);
    std::ranges::reverse(chosen);
    expect_as_one_by_one(count, chosen);
    std::mt19937 random(1);
    chosen.clear(); // Some more than once.
    for (std::size_t i = 0; i < count; ++i) chosen.push_back(random() % count);
    expect_as_one_by_one(count, chosen);
    const std::vector<std::size_t> twice_in_a_run{4, 8, 12, 13, 12, 13, 12, 14, 13, 12};
    expect_as_one_by_one(20, twice_in_a_run);
    const std::vector<std::size_t> again_behind_another{4, 12, 11, 12, 8, 7, 8};
    expect_as_one_by_one(20, again_behind_another);
    EXPECT_EQ(counted<0>::lives, 0);
    EXPECT_EQ(counted<1>::lives, 0);
}

TEST(bulk_set, passes_the_dead_over_and_tells_observers) {
    ecs::world world;
    const auto all = world.spawn_n(1000, position{1, 2});
    for (std::size_t i = 0; i < 1000; i += 10) world.despawn(all[i]);
    EXPECT_EQ(world.set(all, velocity{3, 4}), 900);
    EXPECT_EQ(world.query<velocity>().count(), 900);
    std::size_t told = 0;
    const auto watching = world.observe<ecs::event::added, health>([&](ecs::entity) { ++told; });
    EXPECT_EQ(world.set(all, health{5}), 900);
    EXPECT_EQ(told, 900);
    world.each([&](const velocity&) { EXPECT_THROW(world.set(all, counted<0>(1)), ecs::iteration_error); });
}

TEST(bulk_set, source_that_throws_changes_nothing) {
    ecs::world world;
    const auto all = world.spawn_n(100, position{1, 2});
    EXPECT_THROW(world.set(all,
                           [](std::size_t i) {
                               if (i == 50) throw std::runtime_error("half-way");
                               return health{};
                           }),
                 std::runtime_error);
    EXPECT_EQ(world.query<health>().count(), 0);
}

TEST(tools, find_who_has_an_index) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    const auto index = static_cast<std::uint32_t>(e.index());
    EXPECT_EQ(world.at(index), e);
    EXPECT_FALSE(world.at(index + 1));
    EXPECT_FALSE(world.at(0xFFFF'FFFF));
    world.despawn(e);
    EXPECT_FALSE(world.at(index));
    const ecs::entity heir = world.spawn();
    ASSERT_EQ(heir.index(), e.index());
    EXPECT_EQ(world.at(index), heir);
}

TEST(tools, see_tables_and_how_full_they_are) {
    ecs::world world;
    world.spawn_n(1000, position{1, 2}, health{});
    const std::vector<ecs::id> type{world.component<position>(), world.component<health>()};
    std::size_t entities = 0, found = 0;
    for (const ecs::table_summary& table : world.tables()) {
        entities += table.entities;
        EXPECT_LE(table.entities, table.capacity);
        if (!std::ranges::is_permutation(table.type, type)) continue;
        ++found;
        EXPECT_EQ(table.entities, 1000U);
        EXPECT_GE(table.bytes, 1000 * (sizeof(position) + sizeof(health)));
    }
    EXPECT_EQ(found, 1U);
    EXPECT_GT(entities, world.entities().size()) << "components are in tables, too";
}

} // namespace
} // namespace entities_test
