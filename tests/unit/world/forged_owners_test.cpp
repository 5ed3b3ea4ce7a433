// SPDX-License-Identifier: MIT
// A saved world whose bytes say that a row belongs to an index which no handle has room for.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>
import ecs.world;
#include "mended.hpp"

namespace forged_owners_test {
namespace {

struct position {
    float x, y;
};

bool loads(ecs::world& into, const std::vector<std::byte>& bytes) {
    try {
        ecs::load(into, bytes);
        return true;
    } catch (const ecs::snapshot_error&) {
        return false;
    }
}

TEST(forged_owners, number_that_is_no_index_is_refused) {
    ecs::world world;
    ecs::entity last;
    for (int i = 0; i < 40; ++i) last = world.spawn(position{1, 2});
    const std::vector<std::byte> saved = ecs::save(world);
    const auto index = static_cast<std::uint32_t>(last.index());
    constexpr std::uint32_t no_index = 0x4000'0000;
    int refused = 0;
    for (std::size_t place = mending::header_bytes; place + sizeof(index) <= saved.size(); ++place) {
        if (std::memcmp(&saved[place], &index, sizeof(index)) != 0) continue;
        std::vector<std::byte> changed = saved;
        std::memcpy(&changed[place], &no_index, sizeof(no_index));
        refused += loads(world, mending::mended(changed)) ? 0 : 1;
    }
    EXPECT_GE(refused, 1) << "the owner of the last row";
    EXPECT_TRUE(world.alive(last));
    EXPECT_EQ(world.count<position>(), 40U);
}

} // namespace
} // namespace forged_owners_test
