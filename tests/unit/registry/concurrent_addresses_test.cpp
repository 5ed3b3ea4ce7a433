// SPDX-License-Identifier: MIT
// A concurrent registry reserves addresses for all its slots where there are enough of them, and otherwise
// does without; in a process whose addresses are limited, too.
#include "support/sanitized.hpp"
#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <unistd.h>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace concurrent_addresses_test {
namespace {

constexpr std::uint64_t mebibyte = 1U << 20;
constexpr std::uint64_t gibibyte = 1U << 30;

/// How many addresses the process has, in bytes.
std::uint64_t addresses() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// How many of them are a registry's.
template <class Registry = ecs::concurrent_registry> std::uint64_t taken_by_one() {
    const std::uint64_t before = addresses();
    const Registry ids;
    return addresses() - before;
}

TEST(concurrent_addresses, are_reserved_for_all_slots_of_a_large_index) {
    const std::uint64_t taken = taken_by_one();
    EXPECT_GE(taken, 32 * gibibyte);
    EXPECT_LT(taken, 34 * gibibyte);
}

TEST(concurrent_addresses, are_few_for_a_narrow_index) {
    using registry = ecs::basic_concurrent_registry<test::layouts::worldly>; // 4,095 indices of 4 bytes
    EXPECT_LT(taken_by_one<registry>(), mebibyte);
}

TEST(concurrent_addresses, are_given_back) {
    const std::uint64_t before = addresses();
    for (int n = 0; n < 10; ++n) (void)ecs::concurrent_registry().create();
    EXPECT_LT(addresses(), before + gibibyte); // It may have fewer than before.
}

TEST(concurrent_addresses, suffice_for_hundreds_of_registries) {
    std::vector<std::unique_ptr<ecs::concurrent_registry>> all;
    for (std::uint64_t world = 0; world < 256; ++world) {
        all.push_back(std::make_unique<ecs::concurrent_registry>(world));
        EXPECT_EQ(all.back()->create().world(), world);
    }
    for (const auto& ids : all) EXPECT_EQ(ids->live_count(), 1U);
    if (!test::is_sanitized) EXPECT_GE(taken_by_one(), 32 * gibibyte) << "as the first did";
}

#ifdef RLIMIT_AS
/// Lets the process have so many addresses more than it has.
void limit_addresses(std::uint64_t more) {
    const std::uint64_t most = addresses() + more;
    const rlimit limit{.rlim_cur = most, .rlim_max = most};
    EXPECT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
}

/// Runs the action in a process of its own, with so many addresses more.
void with_addresses(std::uint64_t more, auto action) {
    EXPECT_EXIT(
        {
            limit_addresses(more);
            action();
            std::_Exit(testing::Test::HasFailure() ? 1 : 0);
        },
        testing::ExitedWithCode(0), "");
}

/// Everything that looks at slots or moves indices, over several pages.
void live_and_let_die() {
    ecs::concurrent_registry ids;
    std::vector<ecs::entity> some(200'000);
    ids.create(some);
    const ecs::entity top = some.front().with<"index">(0xFFFF'FFFF);
    EXPECT_FALSE(ids.alive(top) || ids.live_at(0xFFFF'FFFF) || ids.destroy(top));
    EXPECT_TRUE(ids.claim(top));
    EXPECT_EQ(ids.destroy(some), some.size());
    EXPECT_EQ(ids.live(), std::vector{top});
    EXPECT_EQ(ids.counts().free, some.size());
    ids.clear();
    EXPECT_EQ(ids.create(), some.front().with<"generation">(2));
}

TEST(concurrent_addresses, are_done_without_where_they_are_limited) {
    with_addresses(gibibyte, [] {
        EXPECT_LT(taken_by_one(), gibibyte / 8);
        live_and_let_die();
    });
}

/// A registry that took what there is would leave nothing to all else.
TEST(concurrent_addresses, are_left_to_others_as_many_as_a_registry_takes) {
    with_addresses(48 * gibibyte, [] {
        EXPECT_LT(taken_by_one(), gibibyte / 8);
        live_and_let_die();
    });
    with_addresses(72 * gibibyte, [] {
        const ecs::concurrent_registry first;
        EXPECT_LT(taken_by_one(), gibibyte / 8);
        live_and_let_die();
    });
}

/// What a registry cannot do without, it says.
TEST(concurrent_addresses, say_so_where_there_are_none_at_all) {
    if (test::is_sanitized) GTEST_SKIP() << "a sanitizer cannot do without either";
    with_addresses(0, [] { EXPECT_THROW(ecs::concurrent_registry(), std::bad_alloc); });
}
#endif

} // namespace
} // namespace concurrent_addresses_test
