// SPDX-License-Identifier: MIT
// The registry at compile time: its compiling is its passing.
#include <cstdint>
#include <span>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace {

namespace layouts = test::layouts;

template <class Exhaustion, class FreeList> constexpr std::uint64_t sequences_that_agree(unsigned depth) {
    test::explorer<layouts::two_bits_each, Exhaustion, FreeList> explorer(test::handles_of({1, 3}, {1, 3}),
                                                                          false);
    return explorer.explore({}, depth) ? explorer.states() : 0;
}

// Checked to depth 2 by the compiler; small_scope_test goes deeper with the same code.
static_assert(sequences_that_agree<ecs::retire, ecs::free_lists::ready>(2) > 20);
static_assert(sequences_that_agree<ecs::retire, ecs::free_lists::linked>(2) > 20);
static_assert(sequences_that_agree<ecs::quarantine<1>, ecs::free_lists::ready>(2) > 20);
static_assert(sequences_that_agree<ecs::quarantine<1>, ecs::free_lists::linked>(2) > 20);
static_assert(sequences_that_agree<ecs::wrap, ecs::free_lists::ready>(2) > 20);
static_assert(sequences_that_agree<ecs::wrap, ecs::free_lists::linked>(2) > 20);
static_assert(sequences_that_agree<ecs::trap, ecs::free_lists::ready>(2) > 10);
static_assert(sequences_that_agree<ecs::trap, ecs::free_lists::linked>(2) > 10);

// Partitions and a range, by the compiler, too.
constexpr bool a_range_divides_the_open_partition() {
    test::partitioned_pair<ecs::retire, ecs::free_lists::ready> both;
    bool agreed = both.create(0) && both.create(1) && both.claim({2000, 3});
    agreed = agreed && both.add_range(21, 40) && both.add_range(13, 19) && both.add_range(30, 50);
    agreed = agreed && both.create(1) && both.create(2) && both.create(3) && both.destroy({2000, 3});
    return agreed && both.owners() == 4 && both.agree();
}
static_assert(a_range_divides_the_open_partition());

// ECR's documented example: 17 is key 1 of version 1, 18 is key 2, and 33 is key 1 again.
constexpr bool ecrs_example() {
    ecs::basic_registry<layouts::tiny> ids;
    const auto first = ids.create();
    const auto second = ids.create();
    ids.destroy(first);
    return first.value() == 17 && second.value() == 18 && ids.create().value() == 33;
}
static_assert(ecrs_example());

constexpr bool many_are_made_at_once() {
    ecs::registry ids;
    std::vector<ecs::entity> made(9);
    ids.create(made);
    ids.destroy(made);
    ids.create(std::span(made).first(5));
    return ids.alive(made[0]) && ids.alive(made[4]) && ids.live_count() == 5;
}
static_assert(many_are_made_at_once());

// Which layouts can be allocated from.
static_assert(ecs::allocatable_layout<ecs::layouts::entity> && ecs::allocatable_layout<layouts::tiny>);
static_assert(ecs::allocatable_layout<layouts::single_use>);
static_assert(!ecs::allocatable_layout<ecs::layouts::pair>, "a pair has no index");
static_assert(!ecs::allocatable_layout<ecs::layout<std::uint8_t, ecs::index<"index", 0, 0>>>,
              "one bit cannot say untouched, in use and spent");

} // namespace
