// SPDX-License-Identifier: MIT
// Laws that hold for any sequence of operations: the world does what a naive reference does, also when memory
// runs out on the way.
#include "support/replaced_new.hpp"
#include "unit/world/life.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <new>
#include <optional>
#include <rapidcheck.h>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;
#include "fuzz/world/world_program.hpp"

namespace {

int failures = 0;

} // namespace

void before_allocation() {
    if (allocation_fuse < 0) return;
    if (allocation_fuse-- == 0) {
        ++failures;
        throw std::bad_alloc();
    }
}

namespace {

/// Long enough for entities to get a history.
auto any_bytes() { return rc::gen::resize(500, rc::gen::arbitrary<std::vector<std::uint8_t>>()); }

TEST(world_model, world_does_what_the_reference_does) {
    EXPECT_TRUE(rc::check("any operations", [] { world_test::run_world_program(*any_bytes()); }));
}

TEST(world_model, allocation_that_fails_changes_nothing) {
    failures = 0;
    EXPECT_TRUE(
        rc::check("any operations, any failures", [] { world_test::run_world_program(*any_bytes(), true); }));
    EXPECT_GT(failures, 0) << "the injection works";
}

/// Of so many indices, which are used that often unless an earlier world has done so.
ecs::id_space tiny_space(std::uint32_t indices, std::uint32_t generations) {
    static std::uint32_t next = ecs::id_space::first_index;
    if (ecs::id_space::last_index - next < indices) next = ecs::id_space::first_index;
    next += indices;
    return {.first = next - indices,
            .last = next - 1,
            .first_generation =
                ecs::id_space::last_generation - std::min(generations, ecs::id_space::last_generation) + 1};
}

/// Indices of a space, and how often each is used.
struct few_identifiers : testing::TestWithParam<std::pair<unsigned, unsigned>> {};

TEST_P(few_identifiers, world_does_what_the_reference_does) {
    const auto [indices, generations] = GetParam();
    EXPECT_TRUE(rc::check("any operations, few identifiers", [indices, generations] {
        const bool with_failures = *rc::gen::arbitrary<bool>();
        world_test::run_world_program(*any_bytes(), with_failures, tiny_space(indices, generations));
    }));
}

INSTANTIATE_TEST_SUITE_P(world_model, few_identifiers,
                         testing::Values(std::pair(1U, 1U), std::pair(3U, 2U), std::pair(12U, 3U),
                                         std::pair(40U, 1U), std::pair(5U, 1000U)));

/// Ends the only tag of an entity, in a world of so many tables, while one allocation fails.
void expect_end_can_be_finished(int tables, int fuse) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    for (int i = 0; i < tables; ++i) world.add(world.spawn(), world.spawn());
    const ecs::entity tag = world.spawn();
    world.add(e, tag);
    allocation_fuse = fuse;
    try {
        world.despawn(tag);
    } catch (const std::bad_alloc&) {
        world.despawn(tag);
    }
    allocation_fuse = -1;
    EXPECT_EQ(world.add(e, tag), ecs::add_result::not_alive_id) << tables << " tables, fuse " << fuse;
}

/// Tables the first world has; the next one has four more.
struct ends : testing::TestWithParam<int> {};

TEST_P(ends, end_that_runs_out_of_memory_can_be_finished) {
    failures = 0;
    for (int tables = GetParam(); tables < 32; tables += 4)
        for (int fuse = 0; fuse < 16; ++fuse) expect_end_can_be_finished(tables, fuse);
    EXPECT_GT(failures, 0) << "the injection works";
}

INSTANTIATE_TEST_SUITE_P(world_model, ends, testing::Range(0, 4));

} // namespace
