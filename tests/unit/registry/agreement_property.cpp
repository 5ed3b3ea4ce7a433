// SPDX-License-Identifier: MIT
// Long random sequences of operations, compared with the reference after every step.
#include "support/any_bytes.hpp"
#include "support/registry_subjects.hpp"
#include "support/sanitized.hpp"
#include <algorithm>
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <string>

namespace {

using test::registry_subject;

void expect_agreement(const registry_subject& subject, int longest) {
    EXPECT_TRUE(rc::check("the registry agrees with the reference",
                          [&] { RC_ASSERT(subject.agrees(*test::any_bytes(longest))); }));
}

TEST(long_sequences, have_bytes_of_every_value) {
    std::array<bool, 256> has_occurred{};
    EXPECT_TRUE(rc::check("any bytes", [&] {
        for (const std::uint8_t byte : *test::any_bytes(2000)) has_occurred[byte] = true;
    }));
    EXPECT_EQ(std::ranges::count(has_occurred, true), 256);
}

std::string name_of(const testing::TestParamInfo<registry_subject>& of) { return of.param.name; }

class agreement : public testing::TestWithParam<registry_subject> {};
INSTANTIATE_TEST_SUITE_P(registries, agreement, testing::ValuesIn(test::registry_subjects()), name_of);

TEST_P(agreement, any_sequence_of_operations_does_what_the_reference_does) {
    expect_agreement(GetParam(), 2000);
}

class concurrent_agreement : public testing::TestWithParam<registry_subject> {};
INSTANTIATE_TEST_SUITE_P(registries, concurrent_agreement,
                         testing::ValuesIn(test::concurrent_registry_subjects()), name_of);

TEST_P(concurrent_agreement, any_sequence_of_operations_does_what_the_reference_does) {
    expect_agreement(GetParam(), test::is_sanitized ? 400 : 1000);
}

} // namespace
