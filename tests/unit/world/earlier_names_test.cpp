// SPDX-License-Identifier: MIT
// Names that are deprecated still do what they did. CMake compiles this file without the warning.
#include <array>
#include <span>

#include <gtest/gtest.h>

import ecs.world;

namespace {

struct health {
    int points = 0;
};
struct asleep {};

TEST(earlier_names, get_of_an_identifier_returns_a_pointer) {
    ecs::world world;
    const ecs::entity e = world.spawn(health{3});
    const ecs::entity component = world.component<health>();
    const ecs::world& read = world;
    EXPECT_EQ(static_cast<health*>(world.get(e, component))->points, 3);
    EXPECT_EQ(static_cast<const health*>(read.get(e, component))->points, 3);
    EXPECT_EQ(world.get(e, world.component<asleep>()), nullptr);
}

TEST(earlier_names, set_n_sets_each) {
    ecs::world world;
    const std::array all{world.spawn(), world.spawn()};
    EXPECT_EQ(world.set_n(std::span(all), health{4}), 2U);
    EXPECT_EQ(world.get<health>(all[1]).points, 4);
}

TEST(earlier_names, none_leaves_out) {
    ecs::world world;
    world.spawn(health{1});
    world.spawn(health{2}, asleep{});
    EXPECT_EQ(world.query<health>().none<asleep>().count(), 1U);
    auto kept = world.query<health>();
    kept.none<asleep>();
    EXPECT_EQ(kept.count(), 1U);
}

TEST(earlier_names, constants_are_the_events) {
    static_assert(ecs::on_add == ecs::event::added && ecs::on_set == ecs::event::set &&
                  ecs::on_remove == ecs::event::removed);
    static_assert(ecs::on_disable == ecs::event::disabled && ecs::on_enable == ecs::event::enabled);
    static_assert(ecs::on_spawn == ecs::event::spawned && ecs::on_despawn == ecs::event::despawned);
    static_assert(ecs::on_table_create == ecs::event::table_created &&
                  ecs::on_table_remove == ecs::event::table_removed);
    static_assert(ecs::on_end == ecs::on_delete && ecs::on_target_end == ecs::on_delete_target);
    static_assert(ecs::upwards.relation == ecs::propagate_to_parents.relation);
    constexpr ecs::travel way = ecs::along(ecs::is_a);
    static_assert(way.relation == ecs::propagate_along(ecs::is_a).relation);
    ecs::world world;
    EXPECT_EQ(world.component_named("on_end"), world.component_named("on_delete"));
    EXPECT_EQ(world.component_named("on_target_end"), world.component_named("on_delete_target"));
    ecs::entity seen;
    world.observe(ecs::on_spawn, [&](const ecs::occurrence& what) { seen = what.subject; });
    EXPECT_EQ(world.spawn(), seen);
}

} // namespace
