// SPDX-License-Identifier: MIT
// What a registry says about words from anywhere: every status, and that each predicate follows the layout.
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace status_test {
namespace {

using ecs::id_status;

ecs::entity make(std::uint64_t index, std::uint64_t generation) {
    return test::make_id<ecs::layouts::entity>(index, generation);
}

TEST(status, live_stale_and_never_issued_follow_the_generation) {
    ecs::registry ids;
    const auto first = ids.create();
    ids.destroy(first);
    const auto second = ids.create();
    EXPECT_EQ(ids.status(second), id_status::live);
    EXPECT_EQ(ids.status(first), id_status::stale);
    EXPECT_EQ(ids.status(second.with<"generation">(3)), id_status::never_issued);
    EXPECT_EQ(ids.status(make(2, 1)), id_status::never_issued);
    ids.destroy(second);
    EXPECT_EQ(ids.status(second), id_status::stale);
    EXPECT_EQ(ids.status(second.with<"generation">(3)), id_status::never_issued);
}

TEST(status, words_that_are_no_identifier_are_told_apart) {
    const ecs::registry ids;
    EXPECT_EQ(ids.status(0), id_status::null);
    EXPECT_EQ(ids.status(ecs::entity{}), id_status::null);
    EXPECT_EQ(ids.status(0xF000'0001'0000'0001), id_status::malformed) << "no such kind";
    EXPECT_EQ(ids.status(make(1, 0)), id_status::malformed) << "generations count from 1";
    EXPECT_EQ(ids.status(0x2000'0001'0000'0007), id_status::not_an_entity) << "a pair";
    const auto pair = ecs::build<ecs::layouts::pair>().set<"relation">(1).set<"target">(7).id();
    EXPECT_EQ(ids.status(pair), id_status::not_an_entity);
    EXPECT_EQ(ids.status(ecs::basic_id<ecs::layouts::pair>{}), id_status::null);
    EXPECT_EQ(ids.status(make(0, 1)), id_status::out_of_partition) << "index 0 belongs to nobody";
}

template <class Layout>
void expect_a_kind_beside(const ecs::basic_registry<ecs::layouts::fennecs_entity>& ids) {
    constexpr auto word = ecs::build<Layout>().id();
    EXPECT_EQ(ids.status(word), id_status::not_an_entity);
    EXPECT_EQ(ids.status(word.value()), id_status::not_an_entity);
}

TEST(status, the_wildcards_of_fennecs_are_not_entities) {
    const ecs::basic_registry<ecs::layouts::fennecs_entity> ids;
    expect_a_kind_beside<ecs::layouts::fennecs_any>(ids);
    expect_a_kind_beside<ecs::layouts::fennecs_any_target>(ids);
    expect_a_kind_beside<ecs::layouts::fennecs_any_entity>(ids);
    expect_a_kind_beside<ecs::layouts::fennecs_any_link>(ids);
}

TEST(status, a_word_that_does_not_fit_the_layouts_word_is_malformed) {
    ecs::basic_registry<test::layouts::tiny> ids;
    const auto id = ids.create();
    EXPECT_EQ(ids.status(std::uint64_t{id.value()}), id_status::live);
    EXPECT_EQ(ids.status(std::uint64_t{id.value()} + 256), id_status::malformed);
}

TEST(status, reserved_bits_and_tags_are_checked_on_every_layout) {
    ecs::basic_registry<test::layouts::tagged> ids;
    const auto id = ids.create();
    for (const unsigned bit : {0U, 1U, 13U, 14U, 15U})
        EXPECT_EQ(ids.status(id.value() ^ (std::uint64_t{1} << bit)), id_status::malformed) << "bit " << bit;
}

TEST(status, an_identifier_with_flags_is_not_the_entity_itself) {
    ecs::basic_registry<test::layouts::worldly> ids;
    const auto id = ids.create();
    EXPECT_EQ(ids.status(id.with<"flags">(8)), id_status::not_an_entity);
    EXPECT_FALSE(ids.alive(id.with<"flags">(8)));
    EXPECT_FALSE(ids.destroy(id.with<"flags">(8)));
    EXPECT_TRUE(ids.alive(id));
}

TEST(status, a_handle_of_another_world_is_refused_everywhere) {
    ecs::registry here(1);
    ecs::registry there(2);
    const auto mine = here.create();
    const auto theirs = there.create();
    EXPECT_EQ(mine.world(), 1U);
    EXPECT_EQ(here.world(), 1U);
    EXPECT_EQ(here.status(theirs), id_status::foreign_world);
    EXPECT_FALSE(here.alive(theirs) || here.destroy(theirs) || here.claim(theirs));
    EXPECT_FALSE(here.claim(theirs.with<"index">(50)));
    EXPECT_TRUE(here.claim(mine.with<"index">(50)));
}

TEST(status, a_world_number_that_does_not_fit_is_refused) {
    EXPECT_THROW(ecs::registry(256), ecs::field_range_error);
    EXPECT_NO_THROW(ecs::registry(255));
}

TEST(status, alive_is_true_exactly_for_status_live_in_all_words) {
    ecs::basic_registry<test::layouts::tiny> ids;
    for (int n = 0; n < 6; ++n) (void)ids.create();
    ids.destroy(*ids.live_at(2));
    ids.destroy(*ids.live_at(5));
    (void)ids.create();
    ASSERT_TRUE(ids.claim(test::make_id<test::layouts::tiny>(14, 3)));
    unsigned live = 0;
    for (unsigned word = 0; word < 256; ++word) {
        const auto id = ecs::basic_id<test::layouts::tiny>::assume_word(static_cast<std::uint8_t>(word));
        EXPECT_EQ(ids.alive(id), ids.status(id) == id_status::live) << word;
        live += ids.alive(id);
    }
    EXPECT_EQ(live, ids.live_count());
}

TEST(status, explains_itself_in_a_sentence) {
    ecs::registry ids;
    const auto first = ids.create();
    EXPECT_EQ(ids.explain(first), "1v1 is live");
    ids.destroy(first);
    EXPECT_EQ(ids.explain(first), "1v1 is stale: index 1 is free, and its next generation is 2");
    (void)ids.create();
    EXPECT_EQ(ids.explain(first), "1v1 is stale: index 1 is in use under generation 2");
    EXPECT_EQ(ids.explain(make(8, 1)), "8v1 is never issued: index 8 has not been used");
    EXPECT_EQ(ids.explain({}), "null is no identifier");
    EXPECT_EQ(ids.explain(first.with<"world">(3)), "1v1 is of a foreign world");
}

TEST(status, is_explained_without_a_generation_where_there_is_none) {
    using plain = ecs::layout<std::uint32_t, ecs::index<"index", 31, 0>>;
    ecs::basic_registry<plain> ids;
    EXPECT_EQ(ids.explain(ids.create()), "1 is live");
}

TEST(status, the_live_identifier_of_an_index_is_found_whatever_its_generation) {
    ecs::registry ids;
    const auto first = ids.create();
    EXPECT_EQ(ids.live_at(1), first);
    ids.destroy(first);
    EXPECT_EQ(ids.live_at(1), std::nullopt);
    EXPECT_EQ(ids.live_at(0), std::nullopt);
    EXPECT_EQ(ids.live_at(~std::uint64_t{0}), std::nullopt);
}

} // namespace
} // namespace status_test
