// SPDX-License-Identifier: MIT
#include <cstdint>
#include <gtest/gtest.h>
#include <iomanip>
#include <sstream>
#include <string>
#include <version>
#ifdef __cpp_lib_format
#include <format>
#endif

import ecs.id;

namespace format_test {
namespace {

using ecs::dump;
using ecs::to_string;

const auto entity = ecs::try_make<ecs::layouts::entity, "index", "generation", "world">(12, 3, 2).value();
const auto pair = ecs::try_make<ecs::layouts::pair, "relation", "target">(9, 100).value();
const auto flagged = ecs::try_make<ecs::layouts::flecs_entity, "flags", "index">(0xA, 7).value();

TEST(to_string, is_index_and_generation_of_an_entity) { EXPECT_EQ(to_string(entity), "12v3"); }

TEST(to_string, is_null_for_null) {
    EXPECT_EQ(to_string(ecs::entity{}), "null");
    EXPECT_EQ(to_string(ecs::basic_id<ecs::layouts::pair>{}), "null");
}

TEST(to_string, is_the_index_where_there_is_no_generation) {
    using plain = ecs::layout<std::uint8_t, ecs::index<"index", 7, 0>>;
    EXPECT_EQ(to_string(ecs::build<plain>().set<"index">(200).id()), "200");
}

TEST(to_string, is_the_fields_that_vary_where_there_is_no_index) {
    EXPECT_EQ(to_string(pair), "target_generation=0 relation=9 target=100");
}

TEST(to_string, is_the_word_where_no_field_varies) {
    const auto any = ecs::build<ecs::layouts::fennecs_any>().id();
    EXPECT_EQ(to_string(any), "0x0000f00000000000");
    EXPECT_EQ(to_string(decltype(any){}), "null");
}

TEST(to_string, writes_the_largest_number) {
    using whole = ecs::layout<std::uint64_t, ecs::index<"all", 63, 0>>;
    EXPECT_EQ(to_string(ecs::basic_id<whole>::assume_word(~std::uint64_t{0})), "18446744073709551615");
}

TEST(dump, writes_the_word_and_every_field) {
    EXPECT_EQ(dump(entity), "0x102000030000000c kind=0x1 world=2 generation=3 index=12");
    EXPECT_EQ(dump(flagged), "0xa000000000000007 flags=0xa reserved=0 generation=0 index=7");
    EXPECT_EQ(dump(ecs::entity{}), "0x0000000000000000 kind=0x0 world=0 generation=0 index=0");
}

TEST(stream, writes_the_short_form_and_obeys_the_width) {
    std::ostringstream out;
    out << entity << '|' << std::setw(8) << std::setfill('.') << entity << '|' << std::left << std::setw(6)
        << entity;
    EXPECT_EQ(out.str(), "12v3|....12v3|12v3..");
}

#ifdef __cpp_lib_format
TEST(std_format, has_a_short_and_a_full_form) {
    EXPECT_EQ(std::format("{}", entity), "12v3");
    EXPECT_EQ(std::format("{:>8}", entity), "    12v3");
    EXPECT_EQ(std::format("{:full}", entity), dump(entity));
    EXPECT_EQ(std::format("{:full<70}", entity), dump(entity) + std::string(70 - dump(entity).size(), ' '));
}
#endif

} // namespace
} // namespace format_test
