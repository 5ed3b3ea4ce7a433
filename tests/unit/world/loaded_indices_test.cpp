// SPDX-License-Identifier: MIT
// Which indices a world hands out that was loaded: nobody's a second time, and after going back the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <tuple>
#include <unordered_set>
#include <vector>
import ecs.world;

namespace loaded_indices_test {
namespace {

struct unit {
    std::uint32_t number;
};

/// In a world with keys and in one without.
class LoadedIndices : public testing::TestWithParam<std::uint32_t> {
  protected:
    [[nodiscard]] ecs::world& begin(ecs::world& world) const {
        world.component<unit>();
        if (GetParam() != 0) world.make_deterministic(GetParam());
        return world;
    }
};

std::vector<ecs::entity> spawn(ecs::world& world, std::uint32_t count) {
    std::vector<ecs::entity> made;
    {
        ecs::commands commands = world.commands(0);
        for (std::uint32_t i = 0; i < count; ++i) made.push_back(commands.spawn(unit{i}));
    }
    world.flush();
    return made;
}

void end_every_other(ecs::world& world, const std::vector<ecs::entity>& all) {
    for (std::size_t i = 0; i < all.size(); i += 2) world.despawn(all[i]);
}

/// Entities of a saved world with gaps between them, of which some then end.
void load_with_gaps(ecs::world& world, const std::vector<std::byte>& bytes) {
    ecs::load(world, bytes);
    end_every_other(world, world.entities());
}

std::vector<std::byte> save_with_gaps(ecs::world& world, std::uint32_t count) {
    end_every_other(world, spawn(world, count));
    return ecs::save(world);
}

std::vector<std::uint64_t> indices_of(const std::vector<ecs::entity>& all) {
    std::vector<std::uint64_t> indices;
    for (const ecs::entity e : all) indices.push_back(e.index());
    return indices;
}

TEST_P(LoadedIndices, NobodyGetsTheIndexOfAnother) {
    ecs::world first, second;
    load_with_gaps(begin(second), save_with_gaps(begin(first), 3000));
    std::unordered_set<std::uint64_t> taken;
    for (const ecs::entity e : second.entities()) taken.insert(e.index());
    for (int round = 0; round < 4; ++round)
        for (const std::uint64_t index : indices_of(spawn(second, 2000)))
            ASSERT_TRUE(taken.insert(index).second) << index;
    EXPECT_EQ(second.entities().size(), taken.size());
}

/// Without keys it is nobody's business who gets which.
class LoadedIndicesOfKeys : public LoadedIndices {};

TEST_P(LoadedIndicesOfKeys, AreTheSameAgainAfterRewinding) {
    ecs::world first, straight, back;
    const std::vector<std::byte> bytes = save_with_gaps(begin(first), 300);
    for (ecs::world* const world : {&straight, &back}) load_with_gaps(begin(*world), bytes);
    for (std::uint32_t round = 0; round < 30; ++round) {
        const ecs::snapshot then = back.snapshot();
        end_every_other(back, spawn(back, 7 * round % 50));
        back.rewind(then);
        for (ecs::world* const world : {&straight, &back})
            end_every_other(*world, spawn(*world, 5 * round % 40));
        ASSERT_EQ(indices_of(straight.entities()), indices_of(back.entities())) << round;
    }
}

/// Of a world with keys, some pages are those of keys that spawned nothing.
TEST(LoadedWorld, HandsOutPagesThatTheSavedWorldNeverUsed) {
    ecs::world first, second;
    first.make_deterministic(3);
    {
        ecs::commands commands = first.commands(2);
        for (std::uint32_t i = 0; i < 10'000; ++i) commands.spawn(unit{i});
    }
    first.flush();
    second.component<unit>();
    ecs::load(second, ecs::save(first));
    constexpr std::uint64_t page = 4096;
    const std::uint64_t last = std::ranges::max(indices_of(second.entities())) | (page - 1);
    const std::size_t all = last - ecs::id_space::first_index + 1;
    second.spawn_n(all - second.entities().size(), unit{0});
    EXPECT_EQ(std::ranges::max(indices_of(second.entities())), last);
}

/// Of which the last page is not whole, and has entities of the saved world.
/// Saves, loads and spawns again and again: one spawned entity ends each time, or lives on.
std::uint32_t highest_index_after(int rounds, ecs::world& world, bool lives_on) {
    std::uint32_t highest = 0;
    for (int round = 0; round < rounds; ++round) {
        ecs::load(world, ecs::save(world));
        const ecs::entity fresh = spawn(world, 1).front();
        highest = std::max(highest, static_cast<std::uint32_t>(fresh.index()));
        if (!lives_on) world.despawn(fresh);
    }
    return highest;
}

TEST_P(LoadedIndices, DoNotGrowWithTheNumberOfLoads) {
    ecs::world world;
    std::ignore = begin(world);
    for (std::uint32_t i = 0; i < 10; ++i) world.spawn(unit{i});
    const std::uint32_t after_two = highest_index_after(2, world, false);
    EXPECT_LE(highest_index_after(40, world, false), after_two);
}

TEST(LoadedWorld, LetsOtherThreadsHaveFreeIndicesOfItsPages) {
    ecs::world world;
    for (std::uint32_t i = 0; i < 10; ++i) world.spawn(unit{i});
    EXPECT_LT(highest_index_after(40, world, true), 10'000U);
    EXPECT_EQ(world.count<unit>(), 50U);
}

TEST(LoadedWorld, HandsOutASmallSpaceToTheLastIndex) {
    constexpr ecs::id_space small{.last = 5000};
    ecs::world first, second(small);
    second.component<unit>();
    load_with_gaps(second, save_with_gaps(first, 4000));
    const std::size_t before = second.entities().size();
    std::size_t made = spawn(second, 2400).size();
    EXPECT_THROW(for (;; ++made) second.spawn(unit{0}), std::length_error);
    EXPECT_EQ(second.entities().size(), before + made);
    EXPECT_EQ(before + made, small.last - small.first + 1);
}

/// Of which the last page is not whole, and was used before pages that are for keys.
TEST(LoadedWorld, HandsOutTheLastPageOnceWherePagesBeforeItAreLeft) {
    constexpr std::uint32_t last_page = 6 * 4096;
    constexpr ecs::id_space small{.last = last_page + 1000};
    ecs::world first(small), second(small);
    for (ecs::world* const world : {&first, &second}) {
        world->component<unit>();
        world->make_deterministic(5);
    }
    for (std::uint32_t i = 0; i < 8000; ++i) first.spawn(unit{i});
    ASSERT_GE(std::ranges::max(indices_of(first.entities())), last_page);
    end_every_other(first, first.entities());
    load_with_gaps(second, ecs::save(first));
    {
        ecs::commands commands = second.commands(); // Without a key it has whatever the world has not.
        EXPECT_THROW(for (;;) commands.spawn(unit{0}), std::length_error);
    }
    second.flush();
    std::size_t count = second.entities().size();
    EXPECT_THROW(for (;; ++count) second.spawn(unit{0}), std::length_error);
    EXPECT_EQ(second.entities().size(), count);
    EXPECT_EQ(count, small.last - small.first + 1);
}

INSTANTIATE_TEST_SUITE_P(WithKeys, LoadedIndices, testing::Values(0U, 1U, 3U));
INSTANTIATE_TEST_SUITE_P(WithKeys, LoadedIndicesOfKeys, testing::Values(1U, 3U));

} // namespace
} // namespace loaded_indices_test
