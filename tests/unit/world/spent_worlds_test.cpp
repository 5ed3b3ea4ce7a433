// SPDX-License-Identifier: MIT
// What happens when the identifiers of a whole program come to their end, for widths with which they do soon.
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <stdexcept>
#include <string>
import ecs.id;
import ecs.world;

namespace {

constexpr std::uint64_t generations = ecs::field_of<ecs::layouts::entity, "generation">.max();
constexpr std::uint64_t numbers = ecs::field_of<ecs::layouts::entity, "world">.max();

TEST(spent_worlds, number_is_used_until_the_built_in_entities_are_spent) {
    std::set<ecs::entity> relations;
    for (std::uint64_t i = 0; i < numbers * generations; ++i) {
        const ecs::world world;
        EXPECT_TRUE(relations.insert(world.lookup("child_of")).second) << "a dead handle came back to life";
    }
    try {
        const ecs::world world;
        ADD_FAILURE() << "there is one world more";
    } catch (const ecs::too_many_worlds& error) {
        EXPECT_EQ(error.what(),
                  "0 worlds exist, and the other " + std::to_string(numbers) +
                      " numbers that a handle has room for have been used until they were spent");
    }
}

TEST(spent_worlds, every_handle_of_a_program_is_issued_once) {
    constexpr std::uint32_t last = ecs::id_space::first_index + 511;
    std::set<ecs::entity> issued;
    std::set<std::uint64_t> worlds;
    for (std::uint64_t i = 0; i < 2 * generations; ++i) {
        ecs::world world(ecs::id_space{.first = ecs::id_space::first_index, .last = last});
        EXPECT_THROW(
            for (int e = 0;; ++e) {
                const ecs::entity made = world.spawn();
                ASSERT_TRUE(issued.insert(made).second) << made;
                worlds.insert(made.world());
                if (e % 2 == 0) world.despawn(made);
            },
            std::length_error);
    }
    EXPECT_EQ(issued.size(), worlds.size() * 512 * generations);
}

} // namespace
