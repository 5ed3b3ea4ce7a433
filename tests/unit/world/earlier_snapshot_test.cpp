// SPDX-License-Identifier: MIT
// What an earlier build of the library has saved, this one loads.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>
import ecs.world;
#include "earlier/sample.hpp"

namespace earlier_snapshot_test {
namespace {

using ecs::entity;

/// Of that version of the format.
std::vector<std::byte> earlier_bytes(int version) {
    std::ifstream file(ECS_EARLIER_SNAPSHOTS "/world_" + std::to_string(version) + ".snapshot",
                       std::ios::binary);
    const std::vector<char> text{std::istreambuf_iterator(file), {}};
    std::vector<std::byte> bytes(text.size());
    std::ranges::transform(text, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
    return bytes;
}

struct earlier_snapshot : ::testing::TestWithParam<int> {
    earlier_snapshot() {
        earlier::register_all(world);
        ecs::load(world, earlier_bytes(GetParam()));
    }

    ecs::world world;
};

TEST_P(earlier_snapshot, brings_values_names_and_relations) {
    const entity ship = world.lookup("Ship"), grunt = world.lookup("Grunt");
    EXPECT_EQ(world.get<earlier::position>(ship).y, 2);
    EXPECT_EQ(world.get<earlier::health>(ship).points, 100);
    EXPECT_EQ(world.children(ship).size(), 3U);
    EXPECT_EQ(world.get<earlier::label>(world.lookup("Ship/Last")).text, "turret");
    EXPECT_EQ(world.get<earlier::health>(grunt).points, 7) << "of its prefab";
    EXPECT_EQ(world.get<earlier::buff>(grunt).strength, 9);
    EXPECT_TRUE(world.has<earlier::selected>(grunt) && !world.has<earlier::selected>(ship));
    EXPECT_EQ((world.get<ecs::pair_of<earlier::distance, earlier::likes>>(grunt).steps), 12);
    EXPECT_TRUE(world.has(world.lookup("Again"), ecs::pair(world.component<earlier::likes>(), ship)));
    EXPECT_EQ(world.query<earlier::label>().count(), 2U) << "one of three is disabled";
    EXPECT_EQ(world.query<earlier::position>().with<earlier::label>().count(), 1U);
}

struct handle {
    std::uint64_t index, generation;
    bool operator==(const handle&) const = default;
};
handle of(entity e) { return {e.index(), e.generation()}; }

TEST_P(earlier_snapshot, brings_the_handles_of_then_and_hands_out_others) {
    EXPECT_EQ(of(world.lookup("Ship")), (handle{512, 1}));
    EXPECT_EQ(of(world.lookup("Ship/Last")), (handle{516, 1}));
    EXPECT_EQ(of(world.lookup("Again")), (handle{515, 2}));
    EXPECT_EQ(of(world.lookup("Grunt")), (handle{518, 1}));
    EXPECT_EQ(of(world.target_of(world.lookup("Grunt"), ecs::is_a)), (handle{514, 3})) << "the prefab";
    EXPECT_EQ(of(world.spawn()), (handle{519, 1}));
}

TEST_P(earlier_snapshot, is_what_this_build_would_have_made) {
    ecs::world again;
    earlier::build(again);
    EXPECT_EQ(ecs::save(world).size(), ecs::save(again).size());
    EXPECT_EQ(ecs::differences(world, again), std::vector<ecs::difference>());
}

INSTANTIATE_TEST_SUITE_P(of_version, earlier_snapshot, ::testing::Values(3, 4, 5));

} // namespace
} // namespace earlier_snapshot_test
