// SPDX-License-Identifier: MIT
// What happens to one identifier, on layouts of every word size: fields in any order, constant bits, with and
// without a world, and generations so few that they really run out.
#include "support/sanitized.hpp"
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace life_cycle_test {
namespace {

namespace layouts = test::layouts;

template <class Layout, class FreeList>
using registry_of = ecs::basic_registry<Layout, ecs::whole_index_space<Layout>, ecs::retire, FreeList>;

template <class Registry> class life_cycle : public testing::Test {
  public:
    using id = typename Registry::id_type;

    static id make(std::uint64_t index, std::uint64_t generation) {
        return test::make_id<typename Registry::layout_type>(index, generation);
    }

    static constexpr std::uint64_t index_max = test::index_max<typename Registry::layout_type>;
    static constexpr std::uint64_t generation_max = test::generation_max<typename Registry::layout_type>;

    Registry ids;
};

using every_small_registry = testing::Types<registry_of<layouts::tiny, ecs::free_lists::ready>,
                                            registry_of<layouts::tiny, ecs::free_lists::linked>,
                                            registry_of<layouts::two_bit_generation, ecs::free_lists::ready>,
                                            registry_of<layouts::two_bit_generation, ecs::free_lists::linked>,
                                            registry_of<layouts::tagged, ecs::free_lists::ready>,
                                            registry_of<layouts::tagged, ecs::free_lists::linked>,
                                            registry_of<layouts::single_use, ecs::free_lists::ready>>;
using two_small_registries = testing::Types<registry_of<layouts::tiny, ecs::free_lists::linked>,
                                            registry_of<layouts::single_use, ecs::free_lists::ready>>;
using small_registries = test::types_to_try<every_small_registry, two_small_registries>;

using every_registry = testing::Types<registry_of<layouts::tiny, ecs::free_lists::ready>,
                                      registry_of<layouts::tiny, ecs::free_lists::linked>,
                                      registry_of<layouts::two_bit_generation, ecs::free_lists::ready>,
                                      registry_of<layouts::tagged, ecs::free_lists::ready>,
                                      registry_of<layouts::tagged, ecs::free_lists::linked>,
                                      registry_of<layouts::worldly, ecs::free_lists::ready>,
                                      registry_of<layouts::worldly, ecs::free_lists::linked>,
                                      registry_of<layouts::single_use, ecs::free_lists::ready>,
                                      registry_of<ecs::layouts::ecr, ecs::free_lists::ready>,
                                      registry_of<ecs::layouts::entity, ecs::free_lists::ready>,
                                      registry_of<ecs::layouts::entity, ecs::free_lists::linked>>;
using some_registries = testing::Types<registry_of<layouts::tiny, ecs::free_lists::linked>,
                                       registry_of<layouts::single_use, ecs::free_lists::ready>,
                                       registry_of<ecs::layouts::entity, ecs::free_lists::ready>>;
using registries = test::types_to_try<every_registry, some_registries>;
TYPED_TEST_SUITE(life_cycle, registries);

TYPED_TEST(life_cycle, indices_and_generations_count_from_one) {
    EXPECT_EQ(this->ids.create(), this->make(1, 1));
    EXPECT_EQ(this->ids.create(), this->make(2, 1));
    EXPECT_EQ(this->ids.create(), this->make(3, 1));
}

TYPED_TEST(life_cycle, a_new_identifier_is_live_and_no_other_is) {
    const auto id = this->ids.create();
    EXPECT_TRUE(this->ids.alive(id));
    EXPECT_EQ(this->ids.status(id), ecs::id_status::live);
    EXPECT_FALSE(this->ids.alive({}));
    EXPECT_FALSE(this->ids.alive(this->make(2, 1)));
    EXPECT_EQ(this->ids.live_count(), 1U);
}

TYPED_TEST(life_cycle, destroying_twice_changes_nothing) {
    const auto id = this->ids.create();
    EXPECT_TRUE(this->ids.destroy(id));
    const auto counts = this->ids.counts();
    EXPECT_FALSE(this->ids.destroy(id));
    EXPECT_FALSE(this->ids.alive(id));
    EXPECT_EQ(this->ids.counts(), counts);
}

TYPED_TEST(life_cycle, clearing_revives_no_old_handle) {
    std::vector<typename TypeParam::id_type> old(10);
    this->ids.create(old);
    this->ids.destroy(old[3]);
    this->ids.clear();
    EXPECT_EQ(this->ids.live_count(), 0U);
    std::vector<typename TypeParam::id_type> fresh(5);
    this->ids.create(fresh);
    for (const auto id : old) {
        EXPECT_FALSE(this->ids.alive(id));
        for (const auto other : fresh) EXPECT_NE(id, other);
    }
}

TYPED_TEST(life_cycle, creating_in_bulk_gives_what_single_creates_give) {
    TypeParam single;
    std::vector<typename TypeParam::id_type> first(7);
    this->ids.create(first);
    for (const auto id : first) EXPECT_EQ(id, single.create());
    for (const std::size_t n : {1U, 4U, 2U}) EXPECT_EQ(this->ids.destroy(first[n]), single.destroy(first[n]));
    std::vector<typename TypeParam::id_type> second(8);
    this->ids.create(second);
    for (const auto id : second) EXPECT_EQ(id, single.create());
    EXPECT_EQ(this->ids.counts(), single.counts());
}

TYPED_TEST(life_cycle, bulk_destruction_counts_each_identifier_once) {
    std::vector<typename TypeParam::id_type> some(4);
    this->ids.create(some);
    some[3] = some[0];
    EXPECT_EQ(this->ids.destroy(some), 3U);
    EXPECT_EQ(this->ids.live_count(), 1U);
}

TYPED_TEST(life_cycle, live_identifiers_are_visited_in_order_of_index) {
    std::vector<typename TypeParam::id_type> some(6);
    this->ids.create(some);
    this->ids.destroy(some[0]);
    this->ids.destroy(some[4]);
    std::vector<typename TypeParam::id_type> visited;
    for (const auto id : this->ids.live()) visited.push_back(id);
    EXPECT_EQ(visited, (std::vector{some[1], some[2], some[3], some[5]}));
}

TYPED_TEST(life_cycle, everything_can_be_destroyed_while_visiting_it) {
    std::vector<typename TypeParam::id_type> some(6);
    this->ids.create(some);
    std::size_t visited = 0;
    for (const auto id : this->ids.live()) {
        this->ids.destroy(id);
        this->ids.destroy(some[5]);
        ++visited;
    }
    EXPECT_EQ(visited, 5U);
    EXPECT_EQ(this->ids.live_count(), 0U);
}

TYPED_TEST(life_cycle, a_copy_is_a_snapshot) {
    const auto kept = this->ids.create();
    TypeParam snapshot = this->ids;
    this->ids.destroy(kept);
    const auto later = snapshot.create();
    EXPECT_TRUE(snapshot.alive(kept) && snapshot.alive(later));
    EXPECT_FALSE(this->ids.alive(kept) || this->ids.alive(later));
    this->ids = snapshot;
    EXPECT_TRUE(this->ids.alive(kept) && this->ids.alive(later));
}

TYPED_TEST(life_cycle, whoever_moves_from_a_registry_leaves_an_empty_one) {
    const auto id = this->ids.create();
    const TypeParam other = std::move(this->ids);
    EXPECT_TRUE(other.alive(id));
    EXPECT_FALSE(this->ids.alive(id));
    EXPECT_EQ(this->ids.counts(), TypeParam{}.counts());
    EXPECT_EQ(this->ids.create(), id) << "it is a registry of its own again";
}

TYPED_TEST(life_cycle, a_released_index_returns_with_the_next_generation_or_not_at_all) {
    const auto first = this->ids.create();
    const auto second = this->ids.create();
    this->ids.destroy(first);
    const bool once = this->generation_max == 1;
    EXPECT_EQ(this->ids.status(first), once ? ecs::id_status::retired : ecs::id_status::stale);
    EXPECT_EQ(this->ids.create(), once ? this->make(3, 1) : this->make(1, 2));
    EXPECT_TRUE(!this->ids.alive(first) && this->ids.alive(second));
}

/// Layouts small enough to use every identifier they have.
template <class Registry> class spent_space : public life_cycle<Registry> {};
TYPED_TEST_SUITE(spent_space, small_registries);

TYPED_TEST(spent_space, an_index_is_retired_after_its_last_generation) {
    for (std::uint64_t g = 1; g <= this->generation_max; ++g) {
        const auto id = this->ids.create();
        ASSERT_EQ(id, this->make(1, g));
        EXPECT_EQ(this->ids.retired_count(), 0U);
        this->ids.destroy(id);
    }
    EXPECT_EQ(this->ids.retired_count(), 1U);
    EXPECT_EQ(this->ids.free_count(), 0U);
    EXPECT_EQ(this->ids.status(this->make(1, 1)), ecs::id_status::retired);
    EXPECT_EQ(this->ids.status(this->make(1, this->generation_max)), ecs::id_status::retired);
    EXPECT_EQ(this->ids.create(), this->make(2, 1));
}

TYPED_TEST(spent_space, no_identifier_is_issued_twice_until_the_space_is_spent) {
    if (this->index_max > 5000 || this->generation_max > 20)
        GTEST_SKIP() << "the space is too large to spend";
    std::set<std::uint64_t> issued;
    while (const auto id = this->ids.try_create()) {
        ASSERT_TRUE(issued.insert(id->value()).second);
        ASSERT_TRUE(this->ids.destroy(*id));
    }
    EXPECT_EQ(issued.size(), this->index_max * this->generation_max);
    EXPECT_EQ(this->ids.retired_count(), this->index_max);
    EXPECT_EQ(this->ids.remaining_count(), 0U);
}

TYPED_TEST(spent_space, overflow_at_the_top_of_the_index_is_an_error_and_changes_nothing) {
    std::set<std::uint64_t> live;
    while (const auto id = this->ids.try_create()) live.insert(id->value());
    EXPECT_EQ(live.size(), this->index_max);
    const auto counts = this->ids.counts();
    EXPECT_THROW((void)this->ids.create(), ecs::exhausted_error);
    EXPECT_THROW((void)this->ids.create(), ecs::exhausted_error) << "exhaustion does not pass by itself";
    EXPECT_EQ(this->ids.counts(), counts);
    for (const auto id : this->ids.live()) EXPECT_EQ(live.erase(id.value()), 1U);
    EXPECT_TRUE(live.empty());
}

TYPED_TEST(spent_space, bulk_creation_is_all_or_nothing) {
    std::vector<typename TypeParam::id_type> too_many(this->index_max + 1);
    EXPECT_THROW(this->ids.create(too_many), ecs::exhausted_error);
    EXPECT_EQ(this->ids.live_count(), 0U);
    EXPECT_FALSE(too_many.front());
    EXPECT_EQ(this->ids.try_create(too_many), this->index_max);
    EXPECT_TRUE(too_many[this->index_max - 1]);
    EXPECT_FALSE(too_many.back());
}

} // namespace
} // namespace life_cycle_test
