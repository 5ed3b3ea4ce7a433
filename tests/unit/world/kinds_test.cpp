// SPDX-License-Identifier: MIT
// The law of with_kind_of: who has the component, or whatever leads to it by is_a, is found; without_kind_of
// finds the others.
#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

import ecs.world;

#include "relations.hpp"

namespace kinds_test {
namespace {

struct weapon {};
struct sword {
    int length = 1;
};
struct bow {
    static constexpr auto kept_in = ecs::storage::sparse;
    int range = 1;
};
struct dagger {};
struct apple {};

struct kinds : relations {
    kinds() {
        declare<sword, weapon>();
        declare<bow, weapon>();
        declare<dagger, sword>();
    }

    template <class Kind, class Base> void declare() {
        world.add(world.component<Kind>(), pair(is_a, world.component<Base>()));
    }
    [[nodiscard]] std::vector<entity> armed() { return sorted(armed_.entities()); }
    [[nodiscard]] std::vector<entity> unarmed() { return sorted(unarmed_.entities()); }
    /// Who has what, by the queries that are kept and by new ones.
    void expect_armed(std::vector<entity> expected) {
        expected = sorted(std::move(expected));
        std::vector<entity> others;
        std::ranges::set_difference(sorted(world.query().with<apple>().entities()), expected,
                                    std::back_inserter(others));
        EXPECT_EQ(armed(), expected);
        EXPECT_EQ(unarmed(), others);
        EXPECT_EQ(sorted(world.query().with<apple>().with_kind_of<weapon>().entities()), expected);
        EXPECT_EQ(world.query().with<apple>().without_kind_of<weapon>().count(), others.size());
        for (const entity e : expected) EXPECT_TRUE(armed_.contains(e) && !unarmed_.contains(e));
    }

    ecs::query<> armed_ = world.query().with<apple>().with_kind_of<weapon>();
    ecs::query<> unarmed_ = world.query().with<apple>().without_kind_of<weapon>();
    std::vector<entity> all = world.spawn_n(6, apple{});
};

TEST_F(kinds, whoever_has_a_kind_of_the_component_is_found) {
    expect_armed({});
    world.add<weapon>(all[0]);
    world.add<sword>(all[1]);
    world.add<dagger>(all[2]);
    world.add<bow>(all[3]);
    expect_armed({all[0], all[1], all[2], all[3]});
    EXPECT_EQ(world.query().with_kind_of<sword>().count(), 2U);
    EXPECT_EQ(world.query().with_kind_of<bow>().count(), 1U);
    EXPECT_EQ(world.query().with_kind_of<dagger>().count(), 1U);
    world.remove<sword>(all[1]);
    world.remove<bow>(all[3]);
    expect_armed({all[0], all[2]});
}

TEST_F(kinds, who_has_several_kinds_is_found_once) {
    world.add<weapon, dagger>(all[0]);
    world.add<bow>(all[0]);
    world.add<bow, sword>(all[1]);
    expect_armed({all[0], all[1]});
}

TEST_F(kinds, declared_or_taken_back_later_are_heeded_by_kept_queries) {
    const entity club = world.spawn(), tool = world.spawn();
    world.add(all[0], club);
    world.add(all[1], tool);
    world.add<dagger>(all[2]);
    expect_armed({all[2]});
    world.add(tool, pair(is_a, club));
    expect_armed({all[2]});
    world.add(club, pair(is_a, world.component<weapon>()));
    expect_armed({all[0], all[1], all[2]});
    world.remove(world.component<sword>(), pair(is_a, world.component<weapon>()));
    expect_armed({all[0], all[1]});
    world.remove(tool, pair(is_a, club));
    expect_armed({all[0]});
    world.add<bow>(all[3]);
    expect_armed({all[0], all[3]});
    world.remove(world.component<bow>(), pair(is_a, world.component<weapon>()));
    expect_armed({all[0]});
}

TEST_F(kinds, that_end_are_kinds_no_longer) {
    const entity club = world.spawn(), tool = world.spawn();
    world.add(club, pair(is_a, world.component<weapon>()));
    world.add(tool, pair(is_a, club));
    world.add(all[0], tool);
    world.add(all[1], club);
    expect_armed({all[0], all[1]});
    world.despawn(club);
    expect_armed({});
    EXPECT_TRUE(world.has(all[0], tool));
}

TEST_F(kinds, index_of_one_that_has_ended_is_no_kind) {
    for (int i = 0; i < 20; ++i) {
        const entity club = world.spawn();
        world.add(club, pair(is_a, world.component<weapon>()));
        expect_armed({});
        world.despawn(club);
        const entity next = world.spawn();
        EXPECT_EQ(next.index(), club.index());
        world.add(all[0], next);
        expect_armed({});
        world.despawn(next);
    }
}

TEST_F(kinds, of_a_component_that_has_ended_are_none) {
    const entity tool = world.spawn(), club = world.spawn();
    auto query = world.query().with_kind_of(tool);
    world.add(club, pair(is_a, tool));
    world.add(all[0], club);
    EXPECT_EQ(query.entities(), std::vector{all[0]});
    world.despawn(tool);
    EXPECT_TRUE(query.empty());
    EXPECT_EQ(world.query().with<apple>().without_kind_of(tool).count(), all.size());
}

TEST_F(kinds, that_are_disabled_count_as_missing) {
    world.add<sword, dagger>(all[0]);
    world.add<bow>(all[1]);
    world.add<sword>(all[2]);
    world.disable<sword>(all[0]);
    world.disable<bow>(all[1]);
    world.disable<sword>(all[2]);
    expect_armed({all[0]});
    world.disable<dagger>(all[0]);
    world.enable<bow>(all[1]);
    expect_armed({all[1]});
}

TEST_F(kinds, that_are_inherited_count) {
    const entity soldier = world.prefab(apple{}, dagger{}), archer = world.prefab(apple{}, bow{});
    const entity recruit = world.prefab(apple{});
    world.add(recruit, pair(is_a, soldier));
    const entity one = world.spawn(apple{}, pair(is_a, soldier)),
                 two = world.spawn(apple{}, pair(is_a, archer));
    const entity three = world.spawn(apple{}, pair(is_a, recruit));
    expect_armed({one, two, three});
    world.remove<dagger>(soldier);
    expect_armed({two});
    world.add<bow>(recruit);
    expect_armed({two, three});
}

TEST_F(kinds, cascades_and_sorts_and_variables_go_with_them) {
    world.set(all[0], sword{3});
    world.set(all[1], sword{2});
    world.add<bow>(all[2]);
    std::vector<int> lengths;
    world.query<const sword>()
        .with_kind_of<weapon>()
        .sort_by<sword>([](const sword& x, const sword& y) { return x.length < y.length; })
        .each([&](const sword& s) { lengths.push_back(s.length); });
    EXPECT_EQ(lengths, (std::vector{2, 3}));
    world.add(all[2], pair(likes, all[0]));
    world.add(all[3], pair(likes, all[0]));
    std::vector<entity> found;
    world.query()
        .with_kind_of<weapon>()
        .with(pair(likes, ecs::var("x")))
        .each([&](entity e, const ecs::bindings&) { found.push_back(e); });
    EXPECT_EQ(found, std::vector{all[2]});
}

TEST_F(kinds, are_those_of_a_component_alone) {
    EXPECT_THROW(world.query().with_kind_of(pair(likes, a)), std::invalid_argument);
    EXPECT_THROW(world.query().without_kind_of(pair(likes, any)), std::invalid_argument);
    EXPECT_THROW(world.monitor(world.query().with_kind_of<weapon>(), [](entity, bool) {}),
                 std::invalid_argument);
}

/// Random chains of kinds against following them by hand.
TEST_F(kinds, agree_with_following_the_chains) {
    std::mt19937 random(3);
    std::vector<entity> tags = world.spawn_n(8);
    tags[0] = world.component<weapon>();
    const auto pick = [&](const std::vector<entity>& from) { return from[random() % from.size()]; };
    for (int step = 0; step < 600; ++step) {
        entity& tag = tags[1 + random() % 7];
        switch (random() % 8) {
        case 0: world.add(tag, pair(is_a, pick(tags))); break;
        case 1: world.remove(tag, pair(is_a, any)); break;
        case 2: world.despawn(std::exchange(tag, entity{})), tag = world.spawn(); break;
        case 3:
        case 4: world.add(pick(all), tag); break;
        case 5: world.remove(pick(all), tag); break;
        case 6: world.disable(pick(all), tag); break;
        default: world.enable(pick(all), tag); break;
        }
        std::vector<entity> expected;
        for (const entity e : all)
            if (std::ranges::any_of(tags, [&](entity t) {
                    return world.has(e, t) && world.is_enabled(e, t) &&
                           (t == tags[0] || world.has(t, pair(is_a, tags[0])));
                }))
                expected.push_back(e);
        expect_armed(expected);
        if (testing::Test::HasFailure()) FAIL() << "at step " << step;
    }
}

} // namespace
} // namespace kinds_test
