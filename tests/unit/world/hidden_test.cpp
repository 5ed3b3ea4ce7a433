// SPDX-License-Identifier: MIT
// Queries for what is hidden: entities that have a component themselves, and disable it.
#include <cstddef>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

import ecs.world;

namespace hidden_test {
namespace {

using ecs::entity;
using ecs::pair;

using entities = std::set<entity>;

struct health {
    int points = 0;
};
struct frozen {};
struct likes {};
struct notes {
    static constexpr auto kept_in = ecs::storage::sparse;
    int lines = 0;
};
struct spot {
    static constexpr auto kept_in = ecs::storage::in_place;
    int x = 0;
};

// A filter hands nothing out.
static_assert(std::is_same_v<ecs::query<const spot, ecs::hidden<health>>::item,
                             ecs::query<const spot, ecs::has<health>>::item>);

struct hidden_components : testing::Test {
    ecs::world world;

    /// Those who have it themselves and hide it, asked one by one.
    [[nodiscard]] entities hiding(ecs::id word) const {
        entities found;
        for (const entity e : world.entities())
            if (world.owns(e, word) && !world.is_enabled(e, word)) found.insert(e);
        return found;
    }
    template <class Query> [[nodiscard]] static entities found_by(Query& of) {
        const std::vector<entity> all = of.entities();
        entities found(all.begin(), all.end());
        EXPECT_EQ(found.size(), all.size());
        EXPECT_EQ(of.count(), all.size());
        return found;
    }
};

TEST_F(hidden_components, are_found_wherever_they_are_kept) {
    const entity target = world.spawn();
    const ecs::id liked = pair(world.component<likes>(), target);
    std::vector<entity> all;
    for (int i = 0; i < 200; ++i) {
        all.push_back(world.spawn(health{i}, frozen{}, notes{i}, spot{i}));
        world.add(all.back(), liked);
    }
    auto by_health = world.query().hidden<health>();
    auto by_tag = world.query<const spot, ecs::hidden<frozen>>();
    auto by_pair = world.query().hidden(liked);
    auto by_notes = world.query().hidden<notes>();
    auto by_spot = world.query().without<likes>().hidden<spot>();
    EXPECT_TRUE(by_health.empty());
    EXPECT_TRUE(by_spot.empty());
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 3 == 0) world.disable<health>(all[i]);
        if (i % 4 == 0) world.disable<frozen>(all[i]);
        if (i % 5 == 0) world.disable(all[i], liked);
        if (i % 6 == 0) world.disable<notes>(all[i]);
        if (i % 7 == 0) world.disable<spot>(all[i]);
    }
    EXPECT_EQ(found_by(by_health), hiding(world.component<health>()));
    EXPECT_EQ(by_health.count(), 67U);
    EXPECT_EQ(found_by(by_tag).size(), 50U - 8U) << "a spot that is hidden is missing";
    EXPECT_EQ(found_by(by_pair), hiding(liked));
    EXPECT_EQ(found_by(by_notes), hiding(world.component<notes>()));
    EXPECT_EQ(found_by(by_spot), hiding(world.component<spot>()));
    for (const entity e : all) world.enable<health>(e);
    EXPECT_TRUE(by_health.empty());
    EXPECT_TRUE(by_health.entities().empty());
}

TEST_F(hidden_components, are_found_in_place_where_nothing_else_is_asked) {
    std::vector<entity> all;
    for (int i = 0; i < 70; ++i) all.push_back(world.spawn(spot{i}));
    world.spawn(health{1});
    auto hidden = world.query().hidden<spot>();
    auto shown = world.query<const spot>();
    EXPECT_TRUE(hidden.empty());
    world.disable<spot>(all[3]);
    world.disable<spot>(all[66]);
    world.remove<spot>(all[5]);
    EXPECT_EQ(found_by(hidden), (entities{all[3], all[66]}));
    EXPECT_EQ(shown.count(), 67U);
    EXPECT_TRUE(hidden.contains(all[3]));
    EXPECT_FALSE(hidden.contains(all[4]));
    EXPECT_FALSE(hidden.contains(all[5]));
}

TEST_F(hidden_components, are_asked_for_in_conditions_and_as_text) {
    const entity hides = world.spawn(health{1}, frozen{}), shows = world.spawn(health{2}, frozen{}),
                 lacks = world.spawn(frozen{});
    world.disable<health>(hides);
    auto either = world.query<entity>().with<frozen>().where(ecs::hidden<health>() || ecs::has<health>());
    auto none = world.query<entity>().with<frozen>().where(!ecs::hidden<health>());
    EXPECT_EQ(found_by(either), (entities{hides, shows}));
    EXPECT_EQ(found_by(none), (entities{shows, lacks}));
    auto written = world.query("frozen, health(hidden)");
    auto opposite = world.query("frozen, !health(hidden)");
    EXPECT_EQ(found_by(written), entities{hides});
    EXPECT_EQ(found_by(opposite), (entities{shows, lacks}));
    EXPECT_EQ(world.query(written.text()).entities(), std::vector{hides});
    const std::string text = world.query<const frozen>().hidden<health>().text();
    EXPECT_NE(text.find("(hidden)"), std::string::npos) << text;
    EXPECT_EQ(world.query(text).entities(), std::vector{hides});
}

TEST_F(hidden_components, of_others_do_not_count) {
    const entity prefab = world.prefab(health{1});
    const entity instance = world.spawn(pair(ecs::is_a, prefab)), whole = world.spawn(health{2});
    world.disable<health>(prefab);
    world.disable<health>(whole);
    world.disable(whole);
    auto hidden = world.query().hidden<health>();
    auto all = world.query().hidden<health>().optional(ecs::disabled).optional(ecs::prefab_tag);
    EXPECT_TRUE(hidden.empty()) << "neither what is inherited nor of those who are hidden as a whole";
    EXPECT_EQ(found_by(all), (entities{prefab, whole}));
    EXPECT_TRUE(world.alive(instance));
}

TEST_F(hidden_components, are_nothing_to_observe_by_a_query) {
    EXPECT_THROW(
        world.observe<ecs::event::added>(world.query<const frozen>().hidden<health>(), [](entity) {}),
        std::invalid_argument);
    EXPECT_THROW(world.monitor(world.query<const frozen>().hidden<health>(), [](entity, bool) {}),
                 std::invalid_argument);
}

} // namespace
} // namespace hidden_test
