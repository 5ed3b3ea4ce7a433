// SPDX-License-Identifier: MIT
// Long random sequences of operations, compared with the reference after every step.
#include "support/sanitized.hpp"
#include <cstdint>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace {

namespace layouts = test::layouts;

std::vector<std::uint8_t> random_bytes() {
    return *rc::gen::resize(2000, rc::gen::arbitrary<std::vector<std::uint8_t>>());
}

template <class Layout, class Exhaustion, class FreeList> struct subject {
    static bool agrees(const std::vector<std::uint8_t>& bytes) {
        return test::agree_after<Layout, Exhaustion, FreeList>(test::operation_stream(bytes));
    }
};

template <class Exhaustion, class FreeList> struct partitioned_subject {
    static bool agrees(const std::vector<std::uint8_t>& bytes) {
        return test::partitions_agree_after<Exhaustion, FreeList>(test::operation_stream(bytes));
    }
};

template <class Subject> class agreement : public testing::Test {};

using ecs::free_lists::linked;
using ecs::free_lists::ready;
using every_subject = testing::Types<
    subject<layouts::tiny, ecs::retire, ready>, subject<layouts::tiny, ecs::quarantine<3>, linked>,
    subject<layouts::two_bit_generation, ecs::retire, ready>,
    subject<layouts::two_bit_generation, ecs::wrap, ready>,
    subject<layouts::two_bit_generation, ecs::wrap, linked>,
    subject<layouts::tagged, ecs::quarantine<8>, ready>, subject<layouts::tagged, ecs::retire, linked>,
    subject<layouts::single_use, ecs::retire, ready>,
    subject<layouts::single_use, ecs::quarantine<2>, linked>, subject<layouts::worldly, ecs::retire, ready>,
    subject<layouts::worldly, ecs::quarantine<4>, ready>, subject<ecs::layouts::ecr, ecs::retire, linked>,
    subject<ecs::layouts::entity, ecs::retire, ready>,
    subject<ecs::layouts::entity, ecs::quarantine<16>, ready>, partitioned_subject<ecs::retire, ready>,
    partitioned_subject<ecs::retire, linked>, partitioned_subject<ecs::quarantine<3>, ready>>;
using some_subjects = testing::Types<subject<layouts::tiny, ecs::quarantine<3>, linked>,
                                     subject<layouts::two_bit_generation, ecs::wrap, ready>,
                                     subject<ecs::layouts::entity, ecs::retire, ready>,
                                     partitioned_subject<ecs::retire, linked>>;
using subjects = test::types_to_try<every_subject, some_subjects>;
TYPED_TEST_SUITE(agreement, subjects);

TYPED_TEST(agreement, any_sequence_of_operations_does_what_the_reference_does) {
    EXPECT_TRUE(rc::check("the registry agrees with the reference",
                          [] { RC_ASSERT(TypeParam::agrees(random_bytes())); }));
}

} // namespace
