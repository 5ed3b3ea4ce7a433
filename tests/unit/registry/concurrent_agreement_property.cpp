// SPDX-License-Identifier: MIT
// Long random sequences of operations through several handles, compared with the reference after every step.
#include "support/sanitized.hpp"
#include "support/short_of_addresses.hpp"
#include <cstdint>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;
import test.concurrent_model;

namespace {

namespace layouts = test::layouts;

template <class Layout, class Exhaustion, class Atomics = ecs::std_atomics> struct subject {
    static bool agrees(const std::vector<std::uint8_t>& bytes) {
        return test::concurrent_agree_after<Layout, Exhaustion, Atomics>(test::operation_stream(bytes));
    }
};
using paged = test::short_of_addresses<ecs::std_atomics>;

template <class Subject> class concurrent_agreement : public testing::Test {};

using every_subject =
    testing::Types<subject<layouts::tiny, ecs::retire>, subject<layouts::tiny, ecs::quarantine<3>>,
                   subject<layouts::two_bit_generation, ecs::retire>,
                   subject<layouts::tagged, ecs::quarantine<8>>, subject<layouts::single_use, ecs::retire>,
                   subject<layouts::worldly, ecs::retire>, subject<ecs::layouts::ecr, ecs::retire>,
                   subject<ecs::layouts::entity, ecs::retire>, subject<layouts::tiny, ecs::retire, paged>,
                   subject<ecs::layouts::entity, ecs::retire, paged>>;
using some_subjects =
    testing::Types<subject<layouts::tiny, ecs::quarantine<3>>, subject<layouts::single_use, ecs::retire>,
                   subject<ecs::layouts::entity, ecs::retire>, subject<layouts::tiny, ecs::retire, paged>>;
using subjects = test::types_to_try<every_subject, some_subjects>;
TYPED_TEST_SUITE(concurrent_agreement, subjects);

constexpr int longest = test::is_sanitized ? 400 : 1000;

TYPED_TEST(concurrent_agreement, any_sequence_of_operations_does_what_the_reference_does) {
    EXPECT_TRUE(rc::check("the registry agrees with the reference", [] {
        RC_ASSERT(
            TypeParam::agrees(*rc::gen::resize(longest, rc::gen::arbitrary<std::vector<std::uint8_t>>())));
    }));
}

} // namespace
