// SPDX-License-Identifier: MIT
// The law of singleton: nobody has the component but its own entity, however somebody would get it.
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

import ecs.world;

#include "relations.hpp"

namespace singletons_test {
namespace {

struct gravity {
    static constexpr auto properties = ecs::properties(ecs::singleton);
    int g = 10;
};
struct score {
    static constexpr auto kept_in = ecs::storage::sparse;
    int points = 1;
};
struct weather {
    int rain = 0;
};
struct unmet {
    int value = 0;
};

/// Cannot be copied.
struct calendar {
    static constexpr auto properties = ecs::properties(ecs::singleton);
    std::unique_ptr<int> days;
};
struct almanac {
    static constexpr auto kept_in = ecs::storage::sparse;
    static constexpr auto properties = ecs::properties(ecs::singleton);
    std::unique_ptr<int> years;
};

using singletons = relations;

TEST_F(singletons, nobody_has_it_but_its_own_entity) {
    const entity own = world.component<gravity>();
    EXPECT_EQ(world.add<gravity>(a), add_result::is_singleton);
    EXPECT_EQ(world.set(a, gravity{3}), add_result::is_singleton);
    EXPECT_EQ(world.emplace<gravity>(a, gravity{3}), add_result::is_singleton);
    EXPECT_EQ(world.edit(a).add<gravity>().commit(), add_result::is_singleton);
    EXPECT_EQ((world.add<weather, gravity>(b)), add_result::is_singleton);
    EXPECT_TRUE(world.ids(a).empty());
    EXPECT_FALSE(world.has<gravity>(b));
    world.set_singleton(gravity{4});
    world.set_singleton(gravity{5});
    EXPECT_EQ(world.singleton<gravity>().g, 5);
    EXPECT_EQ(world.query<gravity>().single(), own);
    EXPECT_EQ(world.add<gravity>(a), add_result::is_singleton) << "also when somebody has it";
    world.remove_singleton<gravity>();
    EXPECT_FALSE(world.has_singleton<gravity>());
    EXPECT_EQ(world.add(own, own), add_result::added);
}

TEST_F(singletons, one_that_is_missing_is_missed_in_the_world_and_not_at_an_entity) {
    const auto refusal = [&](auto ask) -> std::string {
        try {
            ask();
        } catch (const ecs::access_error& e) {
            return e.what();
        }
        return {};
    };
    const std::string text = refusal([&] { (void)world.singleton<score>(); });
    EXPECT_NE(text.find("the world has no singleton of"), std::string::npos) << text;
    EXPECT_NE(text.find("score"), std::string::npos) << text;
    EXPECT_EQ(refusal([&] { (void)world.get<score>(a); }).find("entity "), 0);
}

TEST_F(singletons, one_of_a_type_that_the_world_has_not_met_is_missed_alike) {
    const auto is_missed = [&](auto& in) {
        try {
            std::ignore = in.template singleton<unmet>();
        } catch (const ecs::access_error& e) {
            return std::string(e.what()).starts_with("the world has no singleton of") && !e.subject;
        }
        return false;
    };
    const ecs::world& constant = world;
    EXPECT_TRUE(is_missed(constant));
    EXPECT_TRUE(is_missed(world));
    world.set(a, weather{1});
    world.each([&](entity, const weather&) { EXPECT_TRUE(is_missed(world)) << "also in a loop"; });
}

TEST_F(singletons, may_be_declared_of_any_component_that_nobody_else_has) {
    for (const entity component : {world.component<weather>(), world.component<score>(), world.spawn()}) {
        world.add(a, component);
        EXPECT_EQ(world.add(component, ecs::singleton), add_result::relation_in_use);
        world.add(component, component);
        EXPECT_EQ(world.add(component, ecs::singleton), add_result::relation_in_use);
        world.remove(a, component);
        EXPECT_EQ(world.add(component, ecs::singleton), add_result::added);
        EXPECT_EQ(world.add(a, component), add_result::is_singleton);
        EXPECT_TRUE(world.has(component, component));
        world.remove(component, ecs::singleton);
        EXPECT_EQ(world.add(a, component), add_result::added);
    }
}

TEST_F(singletons, are_not_spawned_copied_or_inherited) {
    const entity own = world.component<weather>();
    world.set_singleton(weather{2});
    world.add(own, ecs::singleton);
    const std::size_t before = world.entities().size();
    EXPECT_THROW(world.spawn(weather{}), std::invalid_argument);
    EXPECT_THROW(world.spawn_n(2, weather{}), std::invalid_argument);
    EXPECT_THROW(world.spawn(own), std::invalid_argument);
    auto commands = world.commands();
    const entity made = commands.spawn(weather{});
    EXPECT_THROW(world.flush(), ecs::flush_error);
    EXPECT_FALSE(world.alive(made));
    EXPECT_EQ(world.set(std::vector{a, b}, weather{3}), 0U);
    EXPECT_EQ(world.entities().size(), before);
    EXPECT_FALSE(world.has<weather>(world.clone(own)));
    world.add(a, pair(is_a, own));
    EXPECT_FALSE(world.has<weather>(a));
    EXPECT_EQ(world.count<weather>(), 1U);
}

TEST_F(singletons, kept_outside_tables_are_not_copied_either) {
    world.set_singleton(score{2});
    const entity own = world.component<score>();
    world.add(own, ecs::singleton);
    EXPECT_EQ(world.set(a, score{3}), add_result::is_singleton);
    EXPECT_EQ(world.count<score>(), 1U);
    EXPECT_FALSE(world.has<score>(world.clone(own)));
}

TEST_F(singletons, need_no_copy_where_their_components_are_cloned) {
    world.set_singleton(calendar{});
    world.set_singleton(almanac{});
    EXPECT_FALSE(world.has<calendar>(world.clone(world.component<calendar>())));
    EXPECT_FALSE(world.has<almanac>(world.clone(world.component<almanac>())));
    EXPECT_TRUE(world.has_singleton<calendar>() && world.has_singleton<almanac>());
}

TEST_F(singletons, do_not_come_along) {
    const entity leader = world.spawn();
    world.add(leader, pair(ecs::with, world.component<gravity>()));
    EXPECT_EQ(world.add(a, leader), add_result::is_singleton);
    EXPECT_TRUE(world.ids(a).empty());
}

TEST_F(singletons, pairs_are_another_matter) {
    EXPECT_EQ(world.add<gravity>(a, b), add_result::added);
    EXPECT_EQ(world.add(a, pair(likes, world.component<gravity>())), add_result::added);
}

TEST_F(singletons, contradict_what_is_part_of_pairs_alone) {
    for (const ecs::builtin property : {ecs::exclusive, ecs::relation_only, ecs::target_only}) {
        const entity one = world.spawn(), other = world.spawn();
        world.add(one, property);
        EXPECT_EQ(world.add(one, ecs::singleton), add_result::contradiction);
        world.add(other, ecs::singleton);
        EXPECT_EQ(world.add(other, property), add_result::contradiction);
    }
}

TEST_F(singletons, are_part_of_a_saved_world) {
    world.set_singleton(weather{2});
    world.add(world.component<weather>(), ecs::singleton);
    ecs::world other;
    other.component<weather>();
    load(other, save(world));
    EXPECT_EQ(other.add<weather>(other.spawn()), add_result::is_singleton);
    EXPECT_EQ(ecs::to_string(add_result::is_singleton),
              "it is a singleton: nobody has it but its own entity");
}

TEST_F(singletons, world_in_which_somebody_else_has_one_is_not_loaded) {
    world.set(a, weather{2});
    ecs::world other;
    other.add(other.component<weather>(), ecs::singleton);
    EXPECT_THROW(load(other, save(world)), ecs::snapshot_error);
    world.remove<weather>(a);
    world.set_singleton(weather{3});
    EXPECT_NO_THROW(load(other, save(world)));
}

} // namespace
} // namespace singletons_test
