// SPDX-License-Identifier: MIT
// A getter finds what get finds, whatever happens to the world after it was made.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

namespace getter_test {
namespace {

using ecs::entity;

struct position {
    int x, y;
};
struct velocity {
    int x, y;
};
struct burning {
    static constexpr auto kept_in = ecs::storage::sparse;
    int heat = 1;
};
struct frozen {};
struct late {
    int value;
};

TEST(getter, finds_what_get_finds) {
    ecs::world world;
    const auto position_of = world.getter<position>();
    const entity e = world.spawn(position{1, 2}), bare = world.spawn();
    EXPECT_EQ(&position_of(e), &world.get<position>(e));
    position_of(e).y = 5;
    EXPECT_EQ(world.get<position>(e).y, 5);
    EXPECT_EQ(position_of.find(bare), nullptr);
    EXPECT_THROW(std::ignore = position_of(bare), ecs::access_error);
}

TEST(getter, refuses_handles_of_nobody) {
    ecs::world world, other;
    const auto position_of = world.getter<position>();
    const entity dead = world.spawn(position{1, 2}), stranger = other.spawn(position{3, 4});
    world.despawn(dead);
    const entity successor = world.spawn(position{5, 6});
    ASSERT_EQ(successor.index(), dead.index());
    for (const entity e : {dead, stranger, entity{}, entity::assume_word(~std::uint64_t{0}),
                           entity::assume_word(successor.index())}) {
        EXPECT_EQ(position_of.find(e), nullptr);
        EXPECT_THROW(std::ignore = position_of(e), ecs::access_error);
    }
    EXPECT_EQ(position_of(successor).x, 5);
}

TEST(getter, gets_several_values_of_one_entity) {
    ecs::world world, other;
    const auto values_of = world.getter<position, velocity, burning>();
    const entity e = world.spawn(position{1, 2}, velocity{3, 4}, burning{5}),
                 bare = world.spawn(position{6, 7});
    auto [p, v, b] = values_of(e);
    EXPECT_EQ(&p, &world.get<position>(e));
    EXPECT_EQ(&v, &world.get<velocity>(e));
    EXPECT_EQ(&b, &world.get<burning>(e));
    const auto [own, missing, none] = values_of.find(bare);
    EXPECT_EQ(own, &world.get<position>(bare));
    EXPECT_EQ(missing, nullptr);
    EXPECT_EQ(none, nullptr);
    EXPECT_THROW(std::ignore = values_of(bare), ecs::access_error);
    world.despawn(e);
    for (const entity dead : {e, other.spawn(position{1, 2}, velocity{3, 4}), entity{}}) {
        EXPECT_EQ(values_of.find(dead), (std::tuple<position*, velocity*, burning*>()));
        EXPECT_THROW(std::ignore = values_of(dead), ecs::access_error);
    }
    const auto to_read = std::as_const(world).getter<position, velocity>();
    EXPECT_EQ(std::get<0>(to_read(world.spawn(position{8, 9}, velocity{}))).y, 9);
}

// A loop over many asks for memory ahead only where there is much of it.
TEST(getter, visits_each_of_the_handles_in_their_order) {
    ecs::world world;
    const auto position_of = world.getter<position>();
    const auto values_of = world.getter<position, velocity>();
    for (const int many : {0, 1, 3, 40, 70'000}) {
        std::vector<entity> all;
        for (int i = 0; i < many; ++i) all.push_back(world.spawn(position{i, 0}, velocity{-i, 1}));
        std::shuffle(all.begin(), all.end(), std::mt19937(7));
        std::size_t next = 0;
        position_of.each(all, [&](position& p) {
            ASSERT_EQ(&p, &world.get<position>(all[next++]));
            p.y = 1;
        });
        EXPECT_EQ(next, all.size());
        next = 0;
        values_of.each(all, [&](entity e, position& p, const velocity& v) {
            ASSERT_EQ(e, all[next++]);
            ASSERT_EQ(p.x, -v.x);
            ASSERT_EQ(p.y, 1);
        });
        EXPECT_EQ(next, all.size());
    }
}

TEST(getter, visits_up_to_the_first_that_has_no_value) {
    ecs::world world, other;
    std::vector<entity> all;
    for (int i = 0; i < 70'000; ++i) all.push_back(world.spawn(position{i, 0}));
    const entity dead = world.spawn(position{1, 2}), stranger = other.spawn(position{3, 4});
    world.despawn(dead);
    const entity bare = world.spawn();
    for (const entity e : {dead, stranger, bare, entity{}, entity::assume_word(~std::uint64_t{0})})
        for (const std::size_t place : {std::size_t{0}, std::size_t{20}, all.size() - 1}) {
            auto with_one = all;
            with_one[place] = e;
            std::size_t visited = 0;
            const auto count = [&](const position&) { ++visited; };
            EXPECT_THROW(std::as_const(world).getter<position>().each(with_one, count), ecs::access_error);
            EXPECT_EQ(visited, place);
        }
}

TEST(getter, finds_values_where_an_earlier_visit_has_moved_them) {
    ecs::world world;
    std::vector<entity> all;
    for (int i = 0; i < 70'000; ++i) all.push_back(world.spawn(position{i, 0}));
    int next = 0;
    world.getter<position>().each(all, [&](entity e, const position& p) {
        ASSERT_EQ(p.x, next++);
        const auto ahead = static_cast<std::size_t>(next) + 7;
        if (ahead < all.size()) world.add<frozen>(all[ahead]);
        world.add<late>(e);
    });
    EXPECT_EQ(next, 70'000);
    // Those that come are ended: the loop says so when it comes to them.
    const auto end_next = [&](entity e, const position&) { world.despawn(all[e == all[0] ? 5 : 0]); };
    EXPECT_THROW(world.getter<position>().each(all, end_next), ecs::access_error);
}

TEST(getter, visits_values_outside_tables_and_inherited_ones) {
    ecs::world world;
    const entity heir = world.spawn();
    world.add(heir, ecs::pair(ecs::is_a, world.prefab(position{9, 9})));
    const std::vector<entity> hot = {world.spawn(burning{3}), world.spawn(burning{4})};
    int heat = 0;
    world.getter<burning>().each(hot, [&](const burning& b) { heat += b.heat; });
    EXPECT_EQ(heat, 7);
    int inherited = 0;
    std::as_const(world).getter<position>().each(std::span(&heir, 1),
                                                 [&](const position& p) { inherited = p.x; });
    EXPECT_EQ(inherited, 9);
}

TEST(getter, follows_rows_that_move_and_chunks_that_grow) {
    ecs::world world;
    const auto position_of = world.getter<position>();
    std::vector<entity> all;
    std::mt19937 random(3);
    for (int i = 0; i < 20'000; ++i) {
        all.push_back(world.spawn(position{i, -i}));
        const entity e = all[random() % all.size()];
        if (i % 3 == 0) world.has<velocity>(e) ? world.remove<velocity>(e) : world.set(e, velocity{});
        if (i % 11 == 0) world.despawn(e);
    }
    for (int i = 0; i < 20'000; ++i) {
        const entity e = all[static_cast<std::size_t>(i)];
        ASSERT_EQ(position_of.find(e), world.try_get<position>(e));
        if (world.alive(e)) {
            ASSERT_EQ(position_of(e).x, i);
        }
    }
}

TEST(getter, knows_what_is_inherited_or_kept_outside_tables) {
    ecs::world world;
    const entity base = world.prefab(position{7, 8}), heir = world.spawn();
    world.add(heir, ecs::pair(ecs::is_a, base));
    EXPECT_EQ(world.getter<position>()(heir).x, 7);
    world.set(heir, burning{3});
    EXPECT_EQ(world.getter<burning>()(heir).heat, 3);
    world.add<frozen>(heir);
    EXPECT_NE(world.getter<frozen>().find(heir), nullptr);
    EXPECT_EQ(world.getter<frozen>().find(base), nullptr);
}

TEST(getter, is_good_for_worlds_that_go_back) {
    ecs::world world;
    const auto position_of = world.getter<position>();
    const entity e = world.spawn(position{1, 1});
    const ecs::snapshot before = world.snapshot();
    position_of(e).x = 9;
    const entity later = world.spawn(position{2, 2});
    world.rewind(before);
    EXPECT_EQ(position_of(e).x, 1);
    EXPECT_EQ(position_of.find(later), nullptr);
    ecs::load(world, ecs::save(world));
    EXPECT_EQ(position_of(e).x, 1);
}

TEST(getter, of_a_component_that_has_ended_finds_nothing_of_its_successor) {
    ecs::world world;
    const auto late_of = world.getter<late>();
    const entity e = world.spawn(late{4});
    ASSERT_EQ(late_of(e).value, 4);
    ASSERT_TRUE(world.despawn(world.component<late>()));
    EXPECT_EQ(late_of.find(e), nullptr);
    world.set(e, late{6});
    EXPECT_EQ(late_of(e).value, 6);
}

TEST(getter, of_a_world_that_may_not_change_reads) {
    ecs::world world;
    const entity e = world.spawn(position{1, 2});
    const auto position_of = std::as_const(world).getter<position>();
    static_assert(std::is_same_v<decltype(position_of(e)), const position&>);
    EXPECT_EQ(position_of(e).y, 2);
    EXPECT_EQ(std::as_const(world).getter<velocity>().find(e), nullptr) << "a type that the world never met";
}

} // namespace
} // namespace getter_test
