// SPDX-License-Identifier: MIT
// What a program leaves out of a saved world is as if nobody had ever had it, and everything else is there.
#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>
import ecs.world;

namespace leaving_out {

using ecs::entity;
using ecs::pair;
using ecs::snapshot_refusal;

struct health {
    std::int32_t points;
};
/// More than its bytes, and nothing says how it is saved: like a handle of the operating system.
struct texture {
    std::unique_ptr<int> pixels;
};
struct cache {
    static constexpr auto kept_in = ecs::storage::sparse;
    std::unique_ptr<int> found;
};
struct trail {
    static constexpr auto kept_in = ecs::storage::in_place;
    std::unique_ptr<int> points;
};
struct selected {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct hovered {};
struct sees {
    std::unique_ptr<int> since;
};
struct follows {
    static constexpr auto properties = ecs::properties(ecs::exclusive, ecs::non_fragmenting);
    std::int32_t distance;
};

template <class... Ts> std::vector<entity> components_in(ecs::world& world) {
    return {world.component<Ts>()...};
}
std::vector<entity> passing_in(ecs::world& world) {
    return components_in<texture, cache, trail, selected, hovered, sees, follows>(world);
}

/// Entities of which every third has one of what passes, and every second some health.
std::vector<entity> populate(ecs::world& world, bool with_what_passes) {
    std::vector<entity> all = {world.spawn("Sun")};
    for (int i = 0; i < 42; ++i) {
        const entity e = all.emplace_back(world.spawn());
        if (i % 2 == 0) world.set(e, health{i});
        if (i % 5 == 0) world.add(e, pair(ecs::child_of, all[0]));
        if (!with_what_passes) continue;
        if (i % 21 == 0) world.set(e, texture{std::make_unique<int>(i)});
        if (i % 21 == 3) world.set(e, cache{std::make_unique<int>(i)});
        if (i % 21 == 6) world.set(e, trail{std::make_unique<int>(i)});
        if (i % 21 == 9) world.add<selected>(e);
        if (i % 21 == 12) world.add<hovered>(e);
        if (i % 21 == 15) world.set<sees>(e, all[0], sees{});
        if (i % 21 == 18) world.set<follows>(e, all[0], follows{i});
    }
    return all;
}

TEST(left_out, is_as_if_nobody_had_ever_had_it) {
    ecs::world full, lean;
    const std::vector<entity> without = passing_in(full);
    const std::vector<entity> all = populate(full, true);
    std::ignore = populate(lean, false);
    ecs::world of_full, of_lean;
    of_full.component<health>(); // Nothing that was left out has to be known.
    of_lean.component<health>();
    ecs::load(of_full, ecs::save(full, {.without = without}));
    ecs::load(of_lean, ecs::save(lean));
    for (const ecs::difference& d : ecs::differences(of_full, of_lean)) ADD_FAILURE() << to_string(d);
    EXPECT_EQ(of_full.entities().size(), all.size());
    EXPECT_EQ(full.get<texture>(all[1]).pixels != nullptr, true) << "the world itself is as it was";
}

TEST(left_out, comes_back_where_it_is_not_left_out) {
    ecs::world full;
    const entity e = full.spawn(health{1});
    full.add<hovered>(e);
    full.add<selected>(e);
    ecs::world again;
    again.component<health>(), again.component<hovered>(), again.component<selected>();
    ecs::load(again, ecs::save(full, {.without = {full.component<hovered>()}}));
    const entity same = again.entities().front();
    EXPECT_TRUE(again.has<selected>(same));
    EXPECT_FALSE(again.has<hovered>(same));
}

TEST(left_out, singleton_is_not_there) {
    ecs::world full;
    full.set_singleton(texture{std::make_unique<int>(1)});
    full.set_singleton(health{3});
    ecs::world again;
    again.component<health>();
    ecs::load(again, ecs::save(full, {.without = {full.component<texture>()}}));
    EXPECT_EQ(again.singleton<health>().points, 3);
    EXPECT_EQ(again.try_singleton<texture>(), nullptr);
}

TEST(left_out, disabled_components_of_others_stay_disabled) {
    ecs::world full;
    const entity e = full.spawn(texture{}, health{1});
    full.disable<texture>(e);
    full.disable<health>(e);
    ecs::world again;
    again.component<health>();
    ecs::load(again, ecs::save(full, {.without = {full.component<texture>()}}));
    EXPECT_FALSE(again.is_enabled<health>(again.entities().front()));
}

TEST(left_out, target_of_pairs_that_stay_is_saved_with_them) {
    ecs::world full;
    const entity likes = full.spawn("likes"), hot = full.spawn("hot");
    const entity e = full.spawn("e");
    full.add(e, hot);
    full.add(e, pair(likes, hot));
    ecs::world again;
    ecs::load(again, ecs::save(full, {.without = {hot}}));
    const entity same = again.lookup("e");
    EXPECT_TRUE(again.has(same, pair(again.lookup("likes"), again.lookup("hot"))));
    EXPECT_FALSE(again.has(same, again.lookup("hot")));
}

/// The reason why a world is not saved with these options, and the text.
std::pair<snapshot_refusal, std::string> refusal_of(const ecs::world& world,
                                                    const ecs::save_options& options) {
    try {
        std::ignore = ecs::save(world, options);
    } catch (const ecs::snapshot_error& error) {
        EXPECT_EQ(options.refusal(world), error.what());
        return {error.reason, error.what()};
    }
    ADD_FAILURE() << "it was saved";
    return {};
}

TEST(left_out, what_every_world_has_is_refused) {
    ecs::world world;
    for (const std::string_view name : {"child_of", "is_a", "acyclic", "ecs::name"}) {
        const entity e = world.component_named(name);
        const auto [reason, text] = refusal_of(world, {.without = {e}});
        EXPECT_EQ(reason, snapshot_refusal::not_left_out);
        EXPECT_NE(text.find("is in every world, and cannot be left out"), std::string::npos) << text;
    }
}

TEST(left_out, handles_of_nobody_are_refused) {
    ecs::world world, other;
    const entity ended = world.spawn();
    world.despawn(ended);
    for (const entity e : {entity{}, ended, other.spawn()}) {
        const auto [reason, text] = refusal_of(world, {.without = {e}});
        EXPECT_EQ(reason, snapshot_refusal::not_left_out);
        EXPECT_EQ(text, world.explain(e));
    }
}

TEST(left_out, what_something_saved_needs_is_refused) {
    ecs::world world;
    const entity engine = world.component<hovered>(), wheels = world.component<selected>();
    world.add(engine, pair(ecs::needs, wheels));
    world.add(world.spawn(), engine);
    const auto [reason, text] = refusal_of(world, {.without = {wheels}});
    EXPECT_EQ(reason, snapshot_refusal::not_left_out);
    EXPECT_NE(text.find("hovered needs "), std::string::npos) << text;
    EXPECT_NE(text.find("leave out both, or none"), std::string::npos) << text;
    EXPECT_FALSE(ecs::save(world, {.without = {wheels, engine}}).empty());
    EXPECT_FALSE(ecs::save(world, {.without = {engine}}).empty());
}

TEST(left_out, what_only_something_needs_that_nobody_has_is_not_there) {
    ecs::world full, again;
    full.add(full.component<hovered>(), pair(ecs::needs, full.component<selected>()));
    full.spawn(health{1});
    again.component<health>();
    ecs::load(again, ecs::save(full, {.without = {full.component<selected>()}}));
    EXPECT_EQ(again.count<health>(), 1U);
}

TEST(left_out, memory_of_the_last_time_is_empty_after_a_refusal) {
    ecs::world world;
    std::vector<std::byte> memory(10);
    EXPECT_THROW(ecs::save(world, memory, {.without = {entity{}}}), ecs::snapshot_error);
    EXPECT_TRUE(memory.empty());
    ecs::save(world, memory, {.without = {world.component<hovered>()}});
    EXPECT_FALSE(memory.empty());
}

} // namespace leaving_out
