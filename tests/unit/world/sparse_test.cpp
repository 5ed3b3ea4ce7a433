// SPDX-License-Identifier: MIT
// Components that are kept outside tables: in everything but speed they are like any other.
#include "life.hpp"
#include <cstddef>
#include <gtest/gtest.h>
#include <mutex>
#include <tuple>
#include <type_traits>
#include <vector>
import ecs.world;

namespace sparse_test {
namespace {

using ecs::add_result;

struct position {
    float x, y;
};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    int strength = 1;
};
struct aura {
    static constexpr auto kept_in = ecs::storage::sparse;
    counted<0> value;
};
struct marked {
    static constexpr auto kept_in = ecs::storage::sparse;
};
struct selected {
    static constexpr auto kept_in = ecs::storage::bits;
};
/// A move that may throw, as old code has it.
struct old_fashioned {
    explicit old_fashioned(int v) : value(v) { ++lives; }
    old_fashioned(const old_fashioned& other) : value(other.value) { ++lives; }
    old_fashioned& operator=(const old_fashioned&) = default;
    ~old_fashioned() { --lives; }
    int value;
    static inline int lives = 0;
};

template <class T> class aside : public testing::Test {};
using tags = testing::Types<marked, selected>;
TYPED_TEST_SUITE(aside, tags);

TYPED_TEST(aside, tag_comes_and_goes_without_a_move) {
    ecs::world world;
    const auto all = world.spawn_n(300, position{1, 2});
    const position* const place = &world.get<position>(all[100]);
    EXPECT_EQ(world.add<TypeParam>(all[100]), add_result::added);
    EXPECT_EQ(world.add<TypeParam>(all[100]), add_result::already_there);
    EXPECT_EQ(&world.get<position>(all[100]), place);
    EXPECT_TRUE(world.has<TypeParam>(all[100]) && !world.has<TypeParam>(all[101]));
    EXPECT_NE(world.try_get<TypeParam>(all[100]), nullptr);
    EXPECT_EQ(world.query<position>().template with<TypeParam>().single(), all[100]);
    EXPECT_EQ(world.query<position>().template without<TypeParam>().count(), 299);
    EXPECT_EQ((world.query<position>().template any_of<TypeParam, buff>().count()), 1);
    EXPECT_EQ(world.disable<TypeParam>(all[100]), add_result::disabled);
    EXPECT_EQ(world.disable<TypeParam>(all[100]), add_result::already_there);
    EXPECT_EQ(world.query<position>().template with<TypeParam>().count(), 0);
    EXPECT_FALSE(world.is_enabled<TypeParam>(all[100]));
    EXPECT_EQ(world.enable<TypeParam>(all[100]), add_result::enabled);
    EXPECT_EQ(world.enable<TypeParam>(all[100]), add_result::already_there);
    EXPECT_EQ(world.enable<TypeParam>(all[101]), add_result::not_there);
    EXPECT_EQ(world.remove<TypeParam>(all[100]), add_result::removed);
    EXPECT_EQ(world.remove<TypeParam>(all[100]), add_result::not_there);
}

TYPED_TEST(aside, tag_ends_with_its_entity) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{}, TypeParam{});
    EXPECT_TRUE(world.has<TypeParam>(e));
    world.despawn(e);
    const ecs::entity next = world.spawn(position{});
    EXPECT_EQ(next.index(), e.index());
    EXPECT_FALSE(world.has<TypeParam>(next));
}

TEST(sparse, values_are_set_got_replaced_and_removed) {
    ecs::world world;
    std::vector<ecs::entity> all;
    for (int i = 0; i < 5000; ++i) all.push_back(world.spawn(position{}, aura{counted<0>(i)}));
    EXPECT_EQ(counted<0>::lives, 5000);
    const aura* const place = &world.get<aura>(all[10]);
    for (std::size_t i = 0; i < all.size(); i += 2)
        EXPECT_EQ(world.remove<aura>(all[i + 1]), add_result::removed);
    EXPECT_EQ(&world.get<aura>(all[10]), place) << "a value stays where it is";
    EXPECT_EQ(counted<0>::lives, 2500);
    EXPECT_EQ(world.set(all[10], aura{counted<0>(-1)}), add_result::already_there);
    EXPECT_EQ(world.get<aura>(all[10]).value.value(), -1);
    EXPECT_THROW(std::ignore = world.get<aura>(all[11]), ecs::access_error);
    int sum = 0;
    world.each([&](const position&, const aura& a) { sum += a.value.value() >= 0; });
    EXPECT_EQ(sum, 2499);
    int without = 0;
    world.each([&](const position&, const aura* a) { without += a == nullptr; });
    EXPECT_EQ(without, 2500);
    for (auto [e, a] : world.query<aura>()) ASSERT_EQ(&a, &world.get<aura>(e));
    world.despawn(world.component<aura>());
    EXPECT_EQ(counted<0>::lives, 0);
    EXPECT_FALSE(world.has<aura>(all[10]));
}

TEST(sparse, values_are_read_as_those_of_a_const_type) {
    ecs::world world;
    const ecs::entity e = world.spawn(buff{1}, selected{});
    EXPECT_EQ(&world.get<const buff>(e), &world.get<buff>(e));
    EXPECT_EQ(world.try_get<const buff>(e), world.try_get<buff>(e));
    EXPECT_TRUE((world.has<const buff, const selected>(e)));
    EXPECT_NE(world.try_get<const selected>(e), nullptr);
    static_assert(std::is_same_v<decltype(world.get<const buff>(e)), const buff&>);
}

TEST(sparse, values_stay_where_they_are_when_they_are_set) {
    ecs::world world;
    const ecs::entity e = world.spawn(buff{1}, aura{counted<0>(1)});
    buff* const strength = &world.get<buff>(e);
    aura* const shine = &world.get<aura>(e);
    world.set(e, buff{2});
    world.set(e, aura{counted<0>(2)});
    EXPECT_EQ(strength->strength, 2);
    EXPECT_EQ(&world.get<buff>(e), strength);
    EXPECT_EQ(&world.get<aura>(e), shine);
    const aura three{counted<0>(3)};
    EXPECT_EQ(world.set(e, world.component<aura>(), &three), add_result::already_there);
    EXPECT_EQ(&world.get<aura>(e), shine);
    EXPECT_EQ(shine->value.value(), 3);
    EXPECT_EQ(counted<0>::lives, 2);
}

TEST(sparse, memory_is_given_back_and_no_value_moves) {
    ecs::world world;
    std::vector<ecs::entity> all;
    for (int i = 0; i < 20'000; ++i) all.push_back(world.spawn(aura{counted<0>(i)}, selected{}, marked{}));
    const aura* const place = &world.get<aura>(all[5000]);
    const std::size_t full = world.memory_bytes();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i != 5000) world.remove<aura, selected, marked>(all[i]);
    world.shrink();
    const std::size_t less = world.memory_bytes();
    EXPECT_LE(less + 10'000 * sizeof(aura), full);
    EXPECT_EQ(&world.get<aura>(all[5000]), place);
    EXPECT_TRUE((world.has<selected, marked>(all[5000])));
    world.remove<aura, selected, marked>(all[5000]);
    world.shrink();
    EXPECT_LE(world.memory_bytes() + 5000 * sizeof(aura), less);
    for (std::size_t i = 0; i < 10; ++i) world.set(all[i], aura{counted<0>(-1)}, selected{}, marked{});
    EXPECT_EQ((world.query<const aura>().with<selected, marked>().count()), 10U);
    EXPECT_EQ(counted<0>::lives, 10);
}

TEST(sparse, untyped_operations_work) {
    ecs::world world;
    const ecs::entity component =
        world.component({.name = "mana", .size = 4, .kept_in = ecs::storage::sparse});
    const ecs::entity e = world.spawn(position{});
    const int nine = 9;
    EXPECT_EQ(world.set(e, component, &nine), add_result::added);
    EXPECT_EQ(world.set(e, component, &nine), add_result::already_there);
    EXPECT_EQ(*static_cast<int*>(world.try_get(e, component)), 9);
    EXPECT_EQ(world.query<position>().with(component).count(), 1);
    const ecs::entity copy = world.clone(e);
    EXPECT_EQ(*static_cast<int*>(world.try_get(copy, component)), 9);
    EXPECT_EQ(world.remove(e, component), add_result::removed);
    EXPECT_EQ(world.add(e, component), add_result::added);
    EXPECT_EQ(*static_cast<int*>(world.try_get(e, component)), 0);
}

TEST(sparse, several_at_once_may_be_kept_in_different_places) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    EXPECT_EQ(world.set(e, position{1, 2}, buff{3}), add_result::added);
    EXPECT_EQ(world.get<buff>(e).strength, 3);
    EXPECT_EQ((world.remove<position, buff>(e)), add_result::removed);
    EXPECT_EQ((world.add<position, buff, selected>(e)), add_result::added);
    EXPECT_EQ(world.get<buff>(e).strength, 1);
    world.edit(e).remove<position>().set(buff{8}).remove<selected>();
    EXPECT_EQ(world.get<buff>(e).strength, 8);
    EXPECT_FALSE(world.has<position>(e) || world.has<selected>(e));
}

TEST(sparse, adding_in_a_loop_is_refused) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{}, buff{});
    world.each([&](const position&) {
        EXPECT_THROW(world.remove<buff>(e), ecs::iteration_error);
        EXPECT_THROW(world.remove<selected>(e), ecs::iteration_error);
    });
    EXPECT_TRUE(world.has<buff>(e));
}

TEST(immovable, type_is_kept_where_values_stay) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{});
    EXPECT_EQ(world.emplace<std::mutex>(e), add_result::added);
    EXPECT_EQ(world.emplace<std::mutex>(e), add_result::already_there);
    world.get<std::mutex>(e).lock();
    world.spawn_n(1000, position{});
    world.add<selected>(e);
    world.get<std::mutex>(e).unlock();
    EXPECT_EQ(world.query<std::mutex>().count(), 1);
}

TEST(sparse, held_query_outlives_the_component_that_it_may_find) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{});
    world.set(e, buff{});
    auto held = world.query<const position, const buff*, const selected*>();
    std::size_t found = 0;
    held.each([&](const position&, const buff* b, const selected*) { found += b != nullptr; });
    EXPECT_EQ(found, 1U);
    world.despawn(world.component<buff>());
    world.despawn(world.component<selected>());
    held.each(
        [&](const position&, const buff* b, const selected* s) { found += b != nullptr || s != nullptr; });
    EXPECT_EQ(found, 1U);
}

TEST(immovable, type_whose_move_may_throw_works) {
    static_assert(ecs::component_traits<old_fashioned>::kept_in == ecs::storage::sparse);
    {
        ecs::world world;
        std::vector<ecs::entity> all;
        for (int i = 0; i < 1000; ++i) all.push_back(world.spawn(position{}, old_fashioned(i)));
        for (int i = 0; i < 1000; i += 2) world.despawn(all[static_cast<std::size_t>(i)]);
        world.set(all[1], old_fashioned(-1));
        EXPECT_EQ(old_fashioned::lives, 500);
        EXPECT_EQ(world.get<old_fashioned>(all[1]).value, -1);
        EXPECT_EQ(world.get<old_fashioned>(all[999]).value, 999);
    }
    EXPECT_EQ(old_fashioned::lives, 0);
}

struct watched_tag {
    static constexpr auto kept_in = ecs::storage::sparse;
    static inline int calls = 0;
    watched_tag() = default;
    watched_tag(const watched_tag&) { ++calls; }
    watched_tag& operator=(const watched_tag&) = default;
    ~watched_tag() { ++calls; }
};

TEST(sparse, no_value_of_a_tag_is_made_or_ended) {
    {
        ecs::world world;
        const std::vector<ecs::entity> all = world.spawn_n(4);
        for (const ecs::entity e : all) world.add<watched_tag>(e);
        world.remove<watched_tag>(all[0]);
        world.despawn(all[1]);
        const auto before = world.snapshot();
        std::ignore = world.clone(all[2]);
        world.rewind(before);
        EXPECT_TRUE(world.has<watched_tag>(all[3]));
        world.clear();
    }
    EXPECT_EQ(watched_tag::calls, 0);
}

} // namespace
} // namespace sparse_test
