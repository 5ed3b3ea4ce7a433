// SPDX-License-Identifier: MIT
// Components that come and go in place: an entity has one exactly or has none, whatever happens to its row.
#include "life.hpp"
#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;

namespace in_place_test {
namespace {

using ecs::add_result;
using ecs::entity;
using ecs::is_a;
using ecs::pair;

struct position {
    float x = 0, y = 0;
};
struct velocity {
    float x = 0, y = 0;
};
struct burning {
    static constexpr auto kept_in = ecs::storage::in_place;
    int heat = 1;
};
struct aura {
    static constexpr auto kept_in = ecs::storage::in_place;
    counted<7> value;
};
struct wet {
    static constexpr auto kept_in = ecs::storage::in_place;
};
struct alignas(128) wide {
    static constexpr auto kept_in = ecs::storage::in_place;
    double values[16]{};
};
struct fragile {
    static constexpr auto kept_in = ecs::storage::in_place;
    explosive value;
};

/// Every other entity has the component, with its number as the value.
std::vector<entity> every_other_burns(ecs::world& world, int count) {
    std::vector<entity> all;
    for (int i = 0; i < count; ++i) {
        all.push_back(world.spawn(position{static_cast<float>(i), 0}));
        if (i % 2 == 0) world.set(all.back(), burning{i}, aura{counted<7>(i)}, wet{});
    }
    return all;
}

/// What every_other_burns says, of the entities that are alive.
void expect_every_other(ecs::world& world, const std::vector<entity>& all) {
    std::size_t burn = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!world.alive(all[i])) continue;
        const bool burns = i % 2 == 0;
        burn += burns;
        ASSERT_EQ(world.has<burning>(all[i]), burns) << i;
        ASSERT_EQ(world.has<wet>(all[i]), burns) << i;
        const aura* const own = world.try_get<aura>(all[i]);
        ASSERT_EQ(own != nullptr, burns) << i;
        if (!burns) continue;
        ASSERT_EQ(world.get<burning>(all[i]).heat, static_cast<int>(i));
        ASSERT_EQ(own->value.value(), static_cast<int>(i));
    }
    EXPECT_EQ(world.query<burning>().count(), burn);
    EXPECT_EQ((world.query<const aura>().with<wet>().count()), burn);
    EXPECT_EQ(counted<7>::lives, static_cast<int>(burn));
}

TEST(in_place, coming_and_going_moves_no_row) {
    ecs::world world;
    const auto all = world.spawn_n(20'000, position{1, 2});
    const position* const place = &world.get<position>(all[100]);
    const std::size_t tables = world.tables().size();
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(world.set(all[100], burning{round}), add_result::added);
        EXPECT_EQ(world.set(all[100], burning{round + 10}), add_result::already_there);
        EXPECT_EQ(world.add<wet>(all[100]), add_result::added);
        EXPECT_EQ(world.add<wet>(all[100]), add_result::already_there);
        EXPECT_EQ(world.get<burning>(all[100]).heat, round + 10);
        EXPECT_EQ(&world.get<position>(all[100]), place);
        EXPECT_TRUE((world.has<burning, wet>(all[100])));
        EXPECT_FALSE((world.has_any<burning, wet>(all[101])));
        EXPECT_EQ(world.try_get<burning>(all[101]), nullptr);
        EXPECT_THROW(std::ignore = world.get<burning>(all[101]), ecs::access_error);
        EXPECT_EQ(world.remove<burning>(all[100]), add_result::removed);
        EXPECT_EQ(world.remove<burning>(all[100]), add_result::not_there);
        EXPECT_EQ(world.remove<wet>(all[100]), add_result::removed);
        EXPECT_EQ(world.remove<wet>(all[100]), add_result::not_there);
    }
    EXPECT_EQ(world.tables().size(), tables);
}

TEST(in_place, value_lives_exactly_while_it_is_there) {
    {
        ecs::world world;
        const auto all = world.spawn_n(1000, position{});
        for (std::size_t i = 0; i < all.size(); ++i) world.set(all[i], aura{counted<7>(static_cast<int>(i))});
        EXPECT_EQ(counted<7>::lives, 1000);
        for (std::size_t i = 0; i < all.size(); i += 2) world.remove<aura>(all[i]);
        EXPECT_EQ(counted<7>::lives, 500);
        world.add<aura>(all[0]);
        EXPECT_EQ(world.get<aura>(all[0]).value.value(), 0) << "a new one is made by default";
        world.despawn(all[0]);
        world.despawn(all[1]);
        world.despawn(all[2]);
        EXPECT_EQ(counted<7>::lives, 499);
    }
    EXPECT_EQ(counted<7>::lives, 0) << "the rest ends with the world";
}

TEST(in_place, values_go_along_while_tables_grow) {
    for (const int count : {1, 7, 9, 63, 64, 65, 1000, 24'000}) {
        ecs::world world;
        expect_every_other(world, every_other_burns(world, count));
    }
}

TEST(in_place, values_go_along_when_holes_are_filled) {
    ecs::world world;
    const auto all = every_other_burns(world, 24'000);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i % 3 == 0 || i % 7 == 0) world.despawn(all[i]);
    expect_every_other(world, all);
    for (const entity fresh : world.spawn_n(12'000, position{}))
        ASSERT_FALSE((world.has_any<burning, aura, wet>(fresh))) << "a new row has nothing of an old one";
}

TEST(in_place, values_go_along_from_table_to_table) {
    ecs::world world;
    const auto all = every_other_burns(world, 20'000);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i % 5 < 2) world.set(all[i], velocity{});
    expect_every_other(world, all);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i % 5 < 3) world.remove<position>(all[i]);
    expect_every_other(world, all);
    world.add<velocity>(all);
    expect_every_other(world, all);
    world.remove<velocity>(all);
    expect_every_other(world, all);
    world.disable<burning>(all[0]);
    world.set(all[0], velocity{});
    EXPECT_TRUE(world.has<burning>(all[0]) && !world.is_enabled<burning>(all[0]));
}

TEST(in_place, many_get_it_and_lose_it) {
    ecs::world world;
    const auto all = world.spawn_n(20'000, position{});
    EXPECT_EQ(world.add<aura>(all), all.size());
    EXPECT_EQ(world.add<wet>(all), all.size());
    EXPECT_EQ((world.query<position, const aura>().with<wet>().count()), all.size());
    EXPECT_EQ(world.remove<wet>(std::span(all).first(100)), 100U);
    EXPECT_EQ(world.despawn(std::span(all).subspan(50, 1000)), 1000U);
    EXPECT_EQ(world.count<wet>(), all.size() - 50 - 1000);
    EXPECT_EQ(counted<7>::lives, 19'000);
    EXPECT_EQ(world.remove<aura>(all), 19'000U);
    EXPECT_EQ(counted<7>::lives, 0);
}

TEST(in_place, tags_go_in_bulk_with_entities_that_end_together) {
    ecs::world world;
    const auto all = every_other_burns(world, 20'000);
    for (const entity e : all) world.remove<aura>(e);
    EXPECT_EQ(world.despawn(std::span(all).first(12'000)), 12'000U);
    EXPECT_EQ(world.count<wet>(), 4000U);
    EXPECT_EQ(world.count<burning>(), 4000U);
    for (const entity e : world.spawn_n(12'000, position{})) ASSERT_FALSE(world.has<wet>(e));
    for (std::size_t i = 12'000; i < all.size(); ++i) ASSERT_EQ(world.has<wet>(all[i]), i % 2 == 0);
}

TEST(in_place, components_of_any_alignment_work) {
    ecs::world world;
    const auto all = world.spawn_n(300, position{});
    for (const entity e : all) world.add<wide>(e);
    for (const entity e : all)
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(&world.get<wide>(e)) % alignof(wide), 0U);
}

TEST(in_place, component_that_ends_leaves_nobody_with_it) {
    ecs::world world;
    const auto all = every_other_burns(world, 300);
    auto held = world.query<const position, const burning*>();
    auto those = world.query<const burning>();
    world.despawn(world.component<aura>());
    EXPECT_EQ(counted<7>::lives, 0);
    world.despawn(world.component<burning>());
    EXPECT_FALSE(world.has<burning>(all[0]));
    EXPECT_EQ(those.count(), 0U);
    held.each([](const position&, const burning* b) { ASSERT_EQ(b, nullptr); });
    world.set(all[1], burning{4}, aura{counted<7>(1)});
    EXPECT_EQ(world.count<burning>(), 1U);
    world.set(all[1], velocity{});
    world.despawn(all[2]);
    EXPECT_EQ(world.get<burning>(all[1]).heat, 4);
}

TEST(in_place, memory_is_given_back) {
    ecs::world world;
    const auto all = world.spawn_n(20'000, position{});
    const std::size_t before = world.memory_bytes();
    world.add<wide>(all);
    EXPECT_GE(world.memory_bytes(), before + all.size() * sizeof(wide));
    world.remove<wide>(all);
    world.shrink();
    EXPECT_LE(world.memory_bytes(), before + 100'000);
    world.set(all[7], wide{{1}});
    EXPECT_EQ(world.get<wide>(all[7]).values[0], 1);
    EXPECT_EQ(world.count<wide>(), 1U);
}

TEST(in_place, default_that_throws_changes_nothing) {
    ecs::world world;
    const entity e = world.spawn(position{});
    explosive::fuse = 0;
    EXPECT_THROW(world.add<fragile>(e), explosive::explosion);
    explosive::fuse = -1;
    EXPECT_FALSE(world.has<fragile>(e));
    EXPECT_EQ(world.set(e, fragile{explosive(3)}), add_result::added);
    const fragile four{explosive(4)};
    explosive::fuse = 0;
    EXPECT_THROW(world.set(e, world.component<fragile>(), &four), explosive::explosion);
    explosive::fuse = -1;
    EXPECT_EQ(world.get<fragile>(e).value.value, 3);
}

// Loops.

class in_place_loops : public testing::Test {
  protected:
    ecs::world world;
    std::vector<entity> all = every_other_burns(world, 12'000);
};

TEST_F(in_place_loops, find_exactly_those_that_have_it) {
    std::size_t visited = 0;
    world.each([&](entity e, const position& p, burning& b, const aura& a) {
        ASSERT_EQ(b.heat, static_cast<int>(p.x));
        ASSERT_EQ(a.value.value(), b.heat);
        ASSERT_EQ(&b, &world.get<burning>(e));
        ++visited;
    });
    EXPECT_EQ(visited, 6000U);
    EXPECT_EQ(world.query<const position>().with<wet>().count(), 6000U);
    EXPECT_EQ(world.query<const position>().without<wet>().count(), 6000U);
    EXPECT_EQ((world.query<const position>().with<wet>().without<burning>().count()), 0U);
    EXPECT_EQ((world.query<const position>().any_of<burning, velocity>().count()), 6000U);
    EXPECT_TRUE((world.query<const velocity>().with<wet>().empty()));
    EXPECT_EQ(world.query<const burning>().first(), all[0]);
    EXPECT_TRUE(world.query<const burning>().contains(all[2]));
    EXPECT_FALSE(world.query<const burning>().contains(all[3]));
}

TEST_F(in_place_loops, hand_out_null_where_it_is_missing) {
    std::size_t there = 0, rows = 0;
    world.each([&](const position& p, const burning* b) {
        const bool burns = static_cast<int>(p.x) % 2 == 0;
        ASSERT_EQ(b != nullptr, burns);
        if (b) ASSERT_EQ(b->heat, static_cast<int>(p.x));
        there += burns;
        ++rows;
    });
    EXPECT_EQ(rows, 12'000U);
    EXPECT_EQ(there, 6000U);
    world.disable<burning>(all[0]);
    std::size_t shown = 0;
    world.each([&](const position&, const burning* b, const wet* w) {
        shown += b != nullptr;
        ASSERT_TRUE(w || !b);
    });
    EXPECT_EQ(shown, 5999U);
}

TEST_F(in_place_loops, of_every_form_agree) {
    int sum = 0, in_range = 0, in_chunks = 0;
    auto burners = world.query<const burning>();
    burners.each([&](const burning& b) { sum += b.heat; });
    for (auto [e, b] : burners) in_range += b.heat;
    burners.each_chunk([&](std::span<const entity> who, std::span<const burning> values) {
        ASSERT_EQ(who.size(), values.size());
        for (const burning& b : values) in_chunks += b.heat;
    });
    EXPECT_EQ(sum, 5999 * 6000);
    EXPECT_EQ(in_range, sum);
    EXPECT_EQ(in_chunks, sum);
    world.par_each([](burning& b) { ++b.heat; });
    int after = 0;
    world.each([&](const burning& b) { after += b.heat; });
    EXPECT_EQ(after, sum + 6000);
    std::optional<float> last;
    world.query<const position>()
        .with<wet>()
        .sort_by<position>([](const position& a, const position& b) { return a.x > b.x; })
        .each([&](const position& p) {
            ASSERT_TRUE(!last || *last > p.x);
            last = p.x;
        });
    EXPECT_EQ(last, 0.F);
}

TEST_F(in_place_loops, pass_over_what_is_disabled) {
    EXPECT_EQ(world.disable<burning>(all[0]), add_result::disabled);
    EXPECT_EQ(world.disable<burning>(all[0]), add_result::already_there);
    EXPECT_EQ(world.disable<burning>(all[1]), add_result::not_there) << "what is absent cannot be disabled";
    EXPECT_EQ(world.enable<burning>(all[1]), add_result::not_there);
    EXPECT_EQ(world.query<const burning>().count(), 5999U);
    EXPECT_EQ(world.query<const position>().without<burning>().count(), 6001U);
    EXPECT_TRUE(world.has<burning>(all[0]) && !world.is_enabled<burning>(all[0]));
    EXPECT_EQ(world.get<burning>(all[0]).heat, 0);
    world.remove<burning>(all[0]);
    world.set(all[0], burning{5});
    EXPECT_TRUE(world.is_enabled<burning>(all[0])) << "it comes back enabled";
    EXPECT_EQ(world.query<const burning>().count(), 6000U);
}

TEST_F(in_place_loops, over_queries_in_words_agree) {
    EXPECT_EQ(world.query("position, burning").count(), 6000U);
    EXPECT_EQ(world.query("position, !burning").count(), 6000U);
    EXPECT_EQ(world.query("position, ?burning").count(), 12'000U);
    EXPECT_EQ(world.query("aura || wet").count(), 6000U);
}

TEST_F(in_place_loops, refuse_changes) {
    world.each([&](const position&) {
        EXPECT_THROW(world.remove<burning>(all[0]), ecs::iteration_error);
        EXPECT_THROW(world.add<burning>(all[1]), ecs::iteration_error);
        EXPECT_THROW(world.remove<wet>(all[0]), ecs::iteration_error);
    });
    expect_every_other(world, all);
}

TEST_F(in_place_loops, know_tables_that_get_it_later) {
    auto burners = world.query<const velocity, const burning>();
    auto others = world.query<const velocity>().without<burning>();
    const auto movers = world.spawn_n(10, velocity{});
    EXPECT_EQ(burners.count(), 0U);
    EXPECT_EQ(others.count(), 10U);
    world.set(movers[3], burning{});
    EXPECT_EQ(burners.single(), movers[3]);
    EXPECT_EQ(others.count(), 9U);
    world.remove<burning>(movers[3]);
    EXPECT_EQ(burners.count(), 0U);
    EXPECT_EQ(others.count(), 10U);
    world.set(all[0], velocity{}); // A row that brings it along.
    EXPECT_EQ(burners.single(), all[0]);
}

TEST_F(in_place_loops, find_what_has_changed) {
    auto changed = world.query<const burning>().changed<burning>();
    auto added = world.query<const position>().added<burning>();
    auto removed = world.query<const position>().removed<burning>();
    const auto look = [](auto& query) {
        std::vector<entity> found;
        query.each([&](entity e, const auto&) { found.push_back(e); });
        return found;
    };
    for (int i = 0; i < 2; ++i) std::ignore = std::tuple(look(changed), look(added), look(removed));
    world.set(all[0], burning{9});
    world.set(all[1], burning{1});
    world.remove<burning>(all[2]);
    EXPECT_EQ(look(changed), (std::vector{all[0], all[1]}));
    EXPECT_EQ(look(added), std::vector{all[1]});
    EXPECT_EQ(look(removed), std::vector{all[2]});
    EXPECT_TRUE(look(changed).empty());
}

// Entities made of others.

TEST(in_place, instances_inherit_it_and_get_their_own) {
    ecs::world world;
    const entity base = world.spawn(burning{5}, wet{});
    const entity heir = world.spawn(position{}, pair(is_a, base));
    const entity other = world.spawn(position{}, pair(is_a, base));
    EXPECT_EQ(&world.get<burning>(heir), &world.get<burning>(base));
    EXPECT_TRUE(world.has<wet>(heir));
    EXPECT_EQ((world.query<const position, const burning>().with<wet>().count()), 2U);
    world.set(heir, burning{6});
    EXPECT_EQ(world.get<burning>(base).heat, 5);
    std::map<std::uint64_t, int> seen;
    world.each([&](entity e, const position&, const burning& b) { seen[e.value()] = b.heat; });
    EXPECT_EQ(seen, (std::map<std::uint64_t, int>{{heir.value(), 6}, {other.value(), 5}}));
    int sum = 0;
    world.query<const burning>().with<position>().each_chunk([&](std::span<const burning> some) {
        for (const burning& b : some) sum += b.heat;
    });
    EXPECT_EQ(sum, 11);
    world.disable<burning>(heir);
    EXPECT_EQ((world.query<const position, const burning>().count()), 1U)
        << "what is hidden hides the base's";
    world.remove<burning>(heir);
    EXPECT_EQ(world.get<burning>(heir).heat, 5) << "the base's shows again";
    world.remove<burning>(base);
    EXPECT_FALSE(world.has<burning>(heir) || world.has<burning>(other));
    EXPECT_EQ((world.query<const position, const burning>().count()), 0U);
}

TEST(in_place, copies_have_what_the_original_has) {
    ecs::world world;
    const auto all = every_other_burns(world, 4);
    world.disable<burning>(all[2]);
    const entity copy = world.clone(all[2]);
    EXPECT_EQ(world.get<aura>(copy).value.value(), 2);
    EXPECT_TRUE(world.has<wet>(copy) && world.has<burning>(copy) && !world.is_enabled<burning>(copy));
    const entity bare = world.clone(all[1]);
    EXPECT_FALSE((world.has_any<burning, aura, wet>(bare)));
    world.add(all[0], pair(ecs::child_of, all[1]));
    const entity tree = world.clone_tree(all[1]);
    entity below;
    world.query<const aura>().with(pair(ecs::child_of, tree)).each([&](entity e, const aura&) { below = e; });
    EXPECT_EQ(world.get<burning>(below).heat, 0);
    EXPECT_EQ(counted<7>::lives, 4);
}

TEST(in_place, identifiers_of_an_entity_list_it_while_it_is_there) {
    ecs::world world;
    const entity e = world.spawn(position{});
    const entity other = world.spawn(position{}, burning{});
    const auto lists_it = [&](entity of) {
        const auto ids = world.ids(of);
        return std::ranges::find(ids, ecs::id(world.component<burning>())) != ids.end();
    };
    EXPECT_TRUE(!lists_it(e) && lists_it(other));
    EXPECT_EQ(world.explain(e).find("burning"), std::string::npos);
    world.set(e, burning{});
    EXPECT_TRUE(lists_it(e));
    world.remove<burning>(e);
    EXPECT_FALSE(lists_it(e));
}

TEST(in_place, commands_change_it) {
    ecs::world world;
    const auto all = every_other_burns(world, 100);
    ecs::commands commands = world.commands();
    commands.remove<burning>(all[0]);
    commands.set(all[1], burning{8});
    commands.add<wet>(all[3]);
    commands.despawn(all[2]);
    const entity fresh = commands.spawn(position{}, burning{3}, wet{});
    std::vector<entity> plain;
    for (int i = 0; i < 20'000; ++i) plain.push_back(commands.spawn(position{}));
    world.flush();
    EXPECT_FALSE(world.has<burning>(all[0]));
    EXPECT_EQ(world.get<burning>(all[1]).heat, 8);
    EXPECT_TRUE(world.has<wet>(all[3]));
    EXPECT_EQ(world.get<burning>(fresh).heat, 3);
    for (const entity e : plain) ASSERT_FALSE((world.has_any<burning, aura, wet>(e)));
    world.set(plain.back(), burning{1});
    EXPECT_EQ(world.count<burning>(), 50U - 2 + 3);
}

TEST(in_place, editors_and_lists_mix_it_with_others) {
    ecs::world world;
    const entity e = world.spawn();
    EXPECT_EQ(world.set(e, position{1, 2}, burning{3}), add_result::added);
    EXPECT_EQ((world.remove<position, burning>(e)), add_result::removed);
    EXPECT_EQ((world.add<position, burning, wet>(e)), add_result::added);
    EXPECT_EQ(world.get<burning>(e).heat, 1);
    world.edit(e).remove<position>().set(burning{8}).remove<wet>();
    EXPECT_EQ(world.get<burning>(e).heat, 8);
    EXPECT_FALSE(world.has<position>(e) || world.has<wet>(e));
    EXPECT_EQ(world.emplace<burning>(e, 1), add_result::already_there);
    world.patch<burning>(e, [](burning& b) { b.heat = 20; });
    EXPECT_EQ(world.get_or_add<burning>(e).heat, 20);
    const auto heat_of = world.getter<burning>();
    EXPECT_EQ(heat_of(e).heat, 20);
    world.remove<burning>(e);
    EXPECT_EQ(heat_of.find(e), nullptr);
}

// States.

TEST(in_place, worlds_go_back) {
    ecs::world world;
    const auto all = every_other_burns(world, 20'000);
    world.disable<burning>(all[4]);
    const auto then = world.snapshot();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 3 == 0)
            world.despawn(all[i]);
        else if (i % 3 == 1)
            world.remove<burning, aura, wet>(all[i]);
        else
            world.set(all[i], burning{-1}, velocity{});
    }
    world.restore(then);
    EXPECT_TRUE(world.has<burning>(all[4]) && !world.is_enabled<burning>(all[4]));
    world.enable<burning>(all[4]);
    for (std::size_t i = 0; i < all.size(); i += 2) {
        ASSERT_EQ(world.get<burning>(all[i]).heat, static_cast<int>(i));
        ASSERT_EQ(world.get<aura>(all[i]).value.value(), static_cast<int>(i));
        ASSERT_FALSE((world.has_any<burning, aura, wet>(all[i + 1])));
    }
    for (std::size_t i = 0; i < all.size(); i += 2) world.despawn(all[i]);
    EXPECT_EQ(world.count<wet>(), 0U);
    world.restore(then);
    EXPECT_EQ(world.count<wet>(), 10'000U);
}

TEST(in_place, states_are_saved_and_loaded) {
    ecs::world first;
    const auto all = every_other_burns(first, 300);
    for (const entity e : all) first.remove<aura>(e);
    first.disable<burning>(all[2]);
    const auto saved = ecs::save(first);
    ecs::world second;
    std::ignore = second.component<position>();
    std::ignore = second.component<burning>();
    std::ignore = second.component<wet>();
    std::ignore = second.component<aura>();
    ecs::load(second, saved);
    EXPECT_EQ(second.count<wet>(), 150U);
    EXPECT_EQ(second.query<const burning>().count(), 149U);
    second.each([](const position& p, const burning& b) { ASSERT_EQ(b.heat, static_cast<int>(p.x)); });
    second.each([&](entity e, const position& p) {
        const entity same = all[static_cast<std::size_t>(p.x)];
        ASSERT_EQ(second.has<burning>(e), first.has<burning>(same));
        ASSERT_EQ(second.is_enabled<burning>(e), first.is_enabled<burning>(same));
        ASSERT_EQ(second.has<wet>(e), first.has<wet>(same));
        ASSERT_FALSE(second.has<aura>(e));
    });
}

// At run time.

TEST(in_place, described_components_work) {
    ecs::world world;
    const entity mana = world.component({.name = "mana", .size = 4, .kept_in = ecs::storage::in_place});
    const entity lit = world.component({.name = "lit", .kept_in = ecs::storage::in_place});
    const auto all = world.spawn_n(100, position{});
    const int nine = 9;
    EXPECT_EQ(world.set(all[5], mana, &nine), add_result::added);
    EXPECT_EQ(world.set(all[6], mana, world.try_get(all[5], mana)), add_result::added);
    EXPECT_EQ(*static_cast<int*>(world.try_get(all[6], mana)), 9);
    EXPECT_EQ(world.add(all[5], lit), add_result::added);
    EXPECT_EQ(world.query<position>().with(mana).without(lit).single(), all[6]);
    EXPECT_EQ(world.remove(all[5], mana), add_result::removed);
    EXPECT_EQ(world.try_get(all[5], mana), nullptr);
    EXPECT_EQ(world.add(all[5], mana), add_result::added);
    EXPECT_EQ(*static_cast<int*>(world.try_get(all[5], mana)), 0);
    EXPECT_EQ(world.set(all[7], lit, &nine), add_result::no_value);
}

TEST(in_place, descriptions_are_refused_that_cannot_be) {
    ecs::world world;
    const auto refusal_of = [&](const ecs::component_description& described) -> std::string {
        try {
            world.component(described);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "";
    };
    ecs::value_operations stuck;
    stuck.movable = false;
    EXPECT_NE(refusal_of({.name = "stuck", .size = 4, .kept_in = ecs::storage::in_place, .operations = stuck})
                  .find("keep it sparse"),
              std::string::npos);
    world.component({.name = "mana", .size = 4});
    EXPECT_NE(refusal_of({.name = "mana", .size = 4, .kept_in = ecs::storage::in_place})
                  .find("exists with another storage"),
              std::string::npos);
    EXPECT_FALSE(world.lookup("stuck"));
}

TEST(in_place, values_of_pairs_are_in_tables) {
    ecs::world world;
    const entity target = world.spawn();
    const entity e = world.spawn(position{});
    EXPECT_EQ(world.set<burning>(e, target, {4}), add_result::added);
    EXPECT_FALSE(world.has<burning>(e));
    EXPECT_EQ(world.get<burning>(e, target).heat, 4);
    world.set(e, burning{5});
    EXPECT_EQ(world.get<burning>(e, target).heat, 4);
    world.remove<burning>(e);
    EXPECT_EQ(world.get<burning>(e, target).heat, 4);
    const entity relation = world.component<wet>();
    EXPECT_EQ(world.add(relation, ecs::non_fragmenting), add_result::contradiction);
}

} // namespace
} // namespace in_place_test
