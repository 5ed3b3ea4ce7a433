// SPDX-License-Identifier: MIT
// Every sequence of operations to a stated depth, on 8-bit words, compared with a set of pairs. Whatever can
// go wrong with an allocator goes wrong in a small one: with three indices of three generations every state
// from fresh to spent is a few steps away.
#include "support/sanitized.hpp"
#include <cstdint>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace {

namespace layouts = test::layouts;

template <class Explorer> std::string text_of(const Explorer& explorer) {
    std::ostringstream text;
    for (const auto& s : explorer.path())
        text << s.operation << '(' << s.on.index << 'v' << s.on.generation << ") ";
    return text.str();
}

template <class Explorer> void expect_agreement(Explorer explorer, unsigned depth, const char* what) {
    EXPECT_TRUE(explorer.explore({}, depth)) << "disagrees after: " << text_of(explorer);
    testing::Test::RecordProperty(what, std::to_string(explorer.states()));
    EXPECT_GT(explorer.states(), depth);
}

template <class Rules> class small_scope : public testing::Test {};

template <class Exhaustion, class FreeList> struct rules {
    using exhaustion = Exhaustion;
    using free_list = FreeList;
};

using every_rule = testing::Types<
    rules<ecs::retire, ecs::free_lists::ready>, rules<ecs::retire, ecs::free_lists::linked>,
    rules<ecs::quarantine<1>, ecs::free_lists::ready>, rules<ecs::quarantine<1>, ecs::free_lists::linked>,
    rules<ecs::quarantine<2>, ecs::free_lists::ready>, rules<ecs::quarantine<2>, ecs::free_lists::linked>,
    rules<ecs::wrap, ecs::free_lists::ready>, rules<ecs::wrap, ecs::free_lists::linked>,
    rules<ecs::trap, ecs::free_lists::ready>, rules<ecs::trap, ecs::free_lists::linked>>;
using each_once =
    testing::Types<rules<ecs::retire, ecs::free_lists::ready>,
                   rules<ecs::quarantine<2>, ecs::free_lists::linked>,
                   rules<ecs::wrap, ecs::free_lists::linked>, rules<ecs::trap, ecs::free_lists::ready>>;
using rules_to_try = test::types_to_try<every_rule, each_once>;
TYPED_TEST_SUITE(small_scope, rules_to_try);

// Three indices of three generations: all nine handles, claims included.
TYPED_TEST(small_scope, nine_handles_agree_with_a_set_of_pairs_in_all_sequences_of_some_operations) {
    using explorer =
        test::explorer<layouts::two_bits_each, typename TypeParam::exhaustion, typename TypeParam::free_list>;
    constexpr unsigned operations = test::is_sanitized ? 5 : 6;
    expect_agreement(explorer(test::handles_of({1, 2, 3}, {1, 2, 3}), true), operations, "sequences");
}

// ECR's own word, 15 keys of 15 versions: the ends of both, so that claims lie near, far ahead, and at the
// top.
TYPED_TEST(small_scope, ecrs_word_agrees_with_a_set_of_pairs_in_all_sequences_of_four_operations) {
    using explorer =
        test::explorer<layouts::tiny, typename TypeParam::exhaustion, typename TypeParam::free_list>;
    expect_agreement(explorer(test::handles_of({1, 2, 9, 15}, {1, 2, 15}), true), 4, "sequences");
}

} // namespace
