// SPDX-License-Identifier: MIT
// What is done to many entities at once is what would come of doing it to one after the other, whatever the
// list is: neighbours, strangers, the same entity twice, the dead.
#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "life.hpp"

import ecs.world;

namespace bulk_rows_test {
namespace {

using ecs::entity;

struct position {
    float x, y;
};
struct health {
    int points;
};
struct frozen {};
struct burning {
    static constexpr auto kept_in = ecs::storage::sparse;
    float heat = 1;
};
struct wet {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct owned : counted<71> {
    using counted::counted;
};

constexpr int many = 20'000; ///< More than two chunks of the largest size.

/// Entities in four tables, some of them with what is kept outside tables.
std::vector<entity> populate(ecs::world& world) {
    std::vector<entity> all;
    for (int i = 0; i < many; ++i) {
        const auto x = static_cast<float>(i);
        entity e;
        if (i < many * 3 / 4)
            e = world.spawn(position{x, x});
        else if (i % 7 == 0)
            e = world.spawn(position{x, x}, owned(i));
        else
            e = world.spawn(position{x, x}, health{i});
        if (i % 5 == 0) world.set(e, burning{x});
        if (i % 3 == 0) world.add<wet>(e);
        all.push_back(e);
    }
    return all;
}

/// What the entity has.
std::string state_of(ecs::world& world, entity e) {
    std::string text = world.alive(e) ? "alive" : "gone";
    if (const position* p = world.try_get<position>(e)) text += " p" + std::to_string(p->x + p->y);
    if (const health* h = world.try_get<health>(e)) text += " h" + std::to_string(h->points);
    if (const owned* o = world.try_get<owned>(e)) text += " o" + std::to_string(o->value());
    if (const burning* b = world.try_get<burning>(e)) text += " b" + std::to_string(b->heat);
    for (const auto& [has, name] : {std::pair(world.has<frozen>(e), " f"), {world.has<wet>(e), " w"}})
        if (has) text += name;
    return text;
}

/// Each found once, where get finds it.
void expect_whole(ecs::world& world) {
    std::size_t rows = 0;
    world.each([&](entity e, const position& p) {
        ++rows;
        ASSERT_TRUE(world.alive(e));
        ASSERT_EQ(&world.get<position>(e), &p);
    });
    std::size_t alive = 0;
    for (const entity e : world.entities()) alive += world.has<position>(e);
    EXPECT_EQ(rows, alive);
}

enum class order { as_they_stand, backwards, shuffled, in_runs, every_other };

std::vector<entity> arranged(std::vector<entity> all, order how) {
    std::mt19937 random(7);
    switch (how) {
    case order::as_they_stand: break;
    case order::backwards: std::ranges::reverse(all); break;
    case order::shuffled: std::ranges::shuffle(all, random); break;
    case order::in_runs:
        for (std::size_t i = 0; i + 64 <= all.size(); i += 97)
            std::swap_ranges(all.begin() + static_cast<std::ptrdiff_t>(i),
                             all.begin() + static_cast<std::ptrdiff_t>(i + 31),
                             all.begin() + static_cast<std::ptrdiff_t>(i + 32));
        break;
    case order::every_other: {
        std::vector<entity> some;
        for (std::size_t i = 0; i < all.size(); i += 2) some.push_back(all[i]);
        return some;
    }
    }
    return all;
}

/// Where in the list the entity with the index is.
std::map<std::uint64_t, std::size_t> by_index(const std::vector<entity>& all) {
    std::map<std::uint64_t, std::size_t> positions;
    for (std::size_t i = 0; i < all.size(); ++i) positions[all[i].index()] = i;
    return positions;
}

class bulk_rows : public testing::TestWithParam<order> {
  protected:
    ecs::world one_by_one_, at_once_;
    std::vector<entity> all_of_first_ = populate(one_by_one_);
    std::vector<entity> all_of_second_ = populate(at_once_);
    std::vector<entity> first_ = arranged(all_of_first_, GetParam());
    std::vector<entity> second_ = arranged(all_of_second_, GetParam());

    /// But for the handles: a world may have the number of one before, and then it begins with other indices.
    void expect_alike() {
        ASSERT_EQ(one_by_one_.entities().size(), at_once_.entities().size());
        for (std::size_t i = 0; i < all_of_first_.size(); ++i)
            ASSERT_EQ(state_of(one_by_one_, all_of_first_[i]), state_of(at_once_, all_of_second_[i]));
        expect_whole(at_once_);
    }
};

INSTANTIATE_TEST_SUITE_P(lists, bulk_rows,
                         testing::Values(order::as_they_stand, order::backwards, order::shuffled,
                                         order::in_runs, order::every_other));

TEST_P(bulk_rows, end) {
    const std::size_t half = first_.size() / 2;
    for (const entity e : std::span(first_).first(half)) one_by_one_.despawn(e);
    EXPECT_EQ(at_once_.despawn(std::span(second_).first(half)), half);
    expect_alike();
    for (const entity e : first_) one_by_one_.despawn(e);
    EXPECT_EQ(at_once_.despawn(second_), second_.size() - half) << "the dead do not end again";
    expect_alike();
}

TEST_P(bulk_rows, indices_are_used_again_in_the_same_order) {
    for (const entity e : first_) one_by_one_.despawn(e);
    at_once_.despawn(second_);
    const std::map<std::uint64_t, std::size_t> owner_of_first = by_index(first_);
    const std::map<std::uint64_t, std::size_t> owner_of_second = by_index(second_);
    for (std::size_t i = 0; i < first_.size(); ++i)
        ASSERT_EQ(owner_of_first.at(one_by_one_.spawn().index()),
                  owner_of_second.at(at_once_.spawn().index()));
}

TEST_P(bulk_rows, get_and_lose_a_tag_and_a_component) {
    for (const entity e : first_) one_by_one_.add<frozen>(e), one_by_one_.add<health>(e);
    EXPECT_EQ(at_once_.add<frozen>(second_), second_.size());
    EXPECT_EQ(at_once_.add<health>(second_), second_.size());
    expect_alike();
    for (const entity e : first_) one_by_one_.remove<frozen>(e), one_by_one_.remove<health>(e);
    EXPECT_EQ(at_once_.remove<frozen>(second_), second_.size());
    EXPECT_EQ(at_once_.remove<health>(second_), second_.size());
    expect_alike();
}

TEST_P(bulk_rows, get_and_lose_what_is_kept_outside_tables_or_ends_with_a_call) {
    for (const entity e : first_) one_by_one_.add<burning, wet>(e), one_by_one_.remove<owned>(e);
    at_once_.add<burning>(second_);
    at_once_.add<wet>(second_);
    at_once_.remove<owned>(second_);
    expect_alike();
}

TEST(bulk_ends, entities_on_the_list_twice_end_once) {
    ecs::world world;
    std::vector<entity> all = world.spawn_n(100, position{});
    all.insert(all.end(), all.begin(), all.begin() + 50);
    EXPECT_EQ(world.despawn(all), 100);
    EXPECT_TRUE(world.entities().empty());
}

TEST(bulk_ends, children_of_one_in_the_middle_end_with_it) {
    ecs::world world;
    const std::vector<entity> all = world.spawn_n(100, position{});
    const std::vector<entity> children = world.spawn_children(all[40], 10, health{1});
    EXPECT_EQ(world.despawn(all), 100);
    EXPECT_FALSE(world.alive(children.front()));
    EXPECT_TRUE(world.entities().empty());
}

/// Chunks end from the last one on, until somebody is a target: that one and all before end by themselves.
TEST(bulk_ends, whoever_satisfies_a_query_ends) {
    ecs::world world;
    const std::vector<entity> all = world.spawn_n(20'000, position{});
    const std::vector<entity> others = world.spawn_n(9000, position{}, health{1});
    const entity stays = world.spawn(health{1});
    const entity child = world.spawn(health{1});
    world.add(child, ecs::pair(ecs::child_of, all[5000]));
    for (std::size_t i = 0; i < all.size(); i += 7) world.set(all[i], burning{});
    EXPECT_EQ(world.despawn(world.query<const position>()), 29'000);
    EXPECT_EQ(world.entities(), std::vector{stays});
    EXPECT_FALSE(world.alive(child) || world.alive(all.front()) || world.alive(others.back()));
    EXPECT_EQ(world.query<burning>().count(), 0);
    const entity again = world.spawn(position{});
    EXPECT_FALSE(world.has<burning>(again));
    EXPECT_EQ(world.despawn(world.query<const position>()), 1);
}

TEST(bulk_ends, whoever_does_not_satisfy_the_query_stays) {
    ecs::world world;
    const std::vector<entity> all = world.spawn_n(100, position{}, health{1});
    world.set(all[50], burning{});
    world.disable<position>(all[60]);
    EXPECT_EQ(world.despawn(world.query<const position>().without<burning>()), 98);
    EXPECT_EQ(world.entities(), (std::vector{all[50], all[60]}));
    EXPECT_EQ(world.despawn(world.query<const position>()), 1);
    EXPECT_EQ(world.entities(), std::vector{all[60]});
}

// A singleton's component has itself, so that a query of the singleton finds the component.
TEST(bulk_ends, of_a_query_pass_over_components) {
    ecs::world world;
    world.set_singleton(position{1, 2});
    EXPECT_EQ(world.despawn(world.query<const position>()), 0);
    world.spawn_n(3, position{});
    EXPECT_EQ(world.despawn(world.query<const position>()), 3);
    EXPECT_EQ(world.singleton<position>().y, 2);
    const std::size_t components = world.components().size();
    EXPECT_EQ(world.despawn(world.query<const ecs::component_info>()), 0);
    EXPECT_EQ(world.despawn(world.query()), 0);
    EXPECT_EQ(world.components().size(), components);
    EXPECT_TRUE(world.despawn(world.component<position>())) << "asked for by its name, it ends";
}

TEST(bulk_ends, of_a_query_of_another_world_are_none) {
    ecs::world world;
    ecs::world other;
    world.spawn_n(100, position{});
    other.spawn_n(100, position{});
    EXPECT_EQ(world.despawn(other.query<const position>()), 0);
    EXPECT_EQ(world.entities().size() + other.entities().size(), 200);
}

TEST(bulk_ends, in_a_loop_are_refused) {
    ecs::world world;
    world.spawn_n(100, position{});
    const auto end_all = [&](const position&) { world.despawn(world.query<const position>()); };
    EXPECT_THROW(world.each(end_all), ecs::iteration_error);
    EXPECT_EQ(world.entities().size(), 100);
}

TEST(bulk_ends, observers_are_told_of_each) {
    ecs::world world;
    std::vector<entity> told;
    const ecs::observer watch = world.observe(ecs::event::removed, world.component<position>(),
                                              [&](entity e, ecs::id) { told.push_back(e); });
    const std::vector<entity> all = world.spawn_n(100, position{});
    EXPECT_EQ(world.despawn(all), 100);
    EXPECT_EQ(told, all);
}

TEST(bulk_ends, queries_of_what_was_removed_learn_of_each) {
    ecs::world world;
    const std::vector<entity> all = world.spawn_n(12'000, position{}, health{});
    auto removed = world.query().removed<position>();
    removed.mark_seen();
    EXPECT_EQ(world.remove<position>(all), 12'000);
    EXPECT_EQ(removed.count(), 12'000);
}

/// The order of those who stay when a few of many have got a component or lost it, in a world in which
/// somebody may have done the same before.
template <class Change> std::string order_behind(const Change& change, bool known) {
    ecs::world world;
    const std::vector<entity> all = world.spawn_n(
        40, [](std::size_t i) { return std::tuple(position{static_cast<float>(i), 0}, frozen{}); });
    if (known) {
        const entity first = world.spawn(position{}, frozen{});
        change(world, std::vector{first});
        world.despawn(first);
    }
    std::vector<entity> some;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i % 3 == 0 || i > 34) some.push_back(all[i]);
    change(world, some);
    std::string order;
    world.query<const position>().each([&](const position& p) { order += std::to_string(int(p.x)) + ' '; });
    return order;
}
template <class Change> void expect_one_order(const Change& change) {
    EXPECT_EQ(order_behind(change, false), order_behind(change, true));
}

// What is known of a move is forgotten when a world goes back in time.
TEST(bulk_moves, leave_an_order_that_no_earlier_move_has_to_do_with) {
    expect_one_order([](ecs::world& world, const std::vector<entity>& some) { world.add<owned>(some); });
    expect_one_order([](ecs::world& world, const std::vector<entity>& some) { world.remove<frozen>(some); });
    expect_one_order([](ecs::world& world, const std::vector<entity>& some) {
        world.set(some, [](std::size_t i) { return health{int(i)}; });
    });
    expect_one_order([](ecs::world& world, const std::vector<entity>& some) {
        {
            auto commands = world.commands();
            for (const entity e : some) commands.set(e, health{1});
        }
        world.flush();
    });
}

TEST(bulk_moves, are_refused_each_where_the_first_is) {
    ecs::world world;
    world.add(world.component<health>(), ecs::pair(ecs::excludes, world.component<frozen>()));
    const std::vector<entity> all = world.spawn_n(10, position{}, frozen{});
    EXPECT_EQ(world.add<health>(all), 0U);
    EXPECT_EQ(world.add(all, ecs::pair(ecs::child_of, all.front())), 9U);
    EXPECT_EQ(world.remove<wet>(all), 10U);
}

TEST(bulk_moves, of_a_pair_whose_target_has_ended_are_refused_each) {
    ecs::world world;
    const entity relation = world.spawn(), target = world.spawn();
    world.add(relation,
              ecs::pair(ecs::needs, world.component<position>())); // Its pairs have the same target.
    const ecs::id gone = ecs::pair(relation, target);
    world.despawn(target);
    const std::vector<entity> all = world.spawn_n(3);
    EXPECT_EQ(world.add(all, gone), 0U);
    EXPECT_EQ(world.remove(all, gone), 3U) << "nobody has it";
    EXPECT_FALSE(ecs::succeeded(world.add(all.front(), gone)));
}

TEST(bulk_ends, names_are_free_again) {
    ecs::world world;
    std::vector<entity> all;
    for (int i = 0; i < 20; ++i) all.push_back(world.spawn("e" + std::to_string(i), position{}));
    EXPECT_EQ(world.despawn(all), 20);
    EXPECT_NO_THROW(world.spawn("e7"));
}

TEST(bulk_ends, are_refused_inside_a_loop) {
    ecs::world world;
    const std::vector<entity> all = world.spawn_n(100, position{});
    world.each([&](position&) { EXPECT_THROW(world.despawn(all), ecs::iteration_error); });
    EXPECT_EQ(world.entities().size(), 100);
}

TEST(bulk_ends, prefabs_give_their_value_to_each_of_many) {
    ecs::world world;
    const entity base = world.prefab(health{7});
    std::vector<entity> all = world.spawn_n(50, position{});
    for (const entity e : all) world.add(e, ecs::pair(ecs::is_a, base));
    world.add<health>(all.front());
    EXPECT_EQ(world.add<health>(all), 50);
    for (const entity e : all) EXPECT_EQ(world.get<health>(e).points, 7);
}

} // namespace
} // namespace bulk_rows_test
