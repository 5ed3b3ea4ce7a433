// SPDX-License-Identifier: MIT
// A scenario that cannot be played is refused with its file, the line and the field.
#include "scenario.hpp"
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace scenario_test {
namespace {

std::string shipped_scenario() {
    std::ifstream in(SKIRMISH_SCENARIO);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// What is said of the shipped scenario after one text in it was replaced, without the file's name.
std::string complaint_about(const std::string& text, const std::string& replacement) {
    std::string changed = shipped_scenario();
    const std::size_t at = changed.find(text);
    EXPECT_NE(at, std::string::npos) << text;
    changed.replace(at, text.size(), replacement);
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    const std::filesystem::path file = testing::TempDir() + test->name() + ".json";
    std::ofstream(file) << changed;
    try {
        (void)skirmish::load_scenario(file);
    } catch (const skirmish::scenario_error& e) {
        return std::string(e.what()).substr(file.string().size());
    }
    return "nothing";
}

TEST(scenario, shipped_one_is_sound) {
    EXPECT_EQ(skirmish::load_scenario(SKIRMISH_SCENARIO).armies.size(), 2U);
}

TEST(scenario, missing_field_is_named_with_its_line) {
    EXPECT_EQ(complaint_about("\"ticks\": 400,", ""), ":1: the file has no \"ticks\"");
}

TEST(scenario, value_of_another_kind_is_named_with_its_line) {
    EXPECT_EQ(complaint_about("\"seed\": 20", "\"seed\": \"twenty\""),
              ":3: /seed is not a whole number from 0 to 4294967295");
}

TEST(scenario, value_out_of_range_is_named_with_its_line) {
    EXPECT_EQ(complaint_about("\"turrets\": 8", "\"turrets\": 1001"),
              ":31: /armies/1/ships/0/turrets is not a whole number from 0 to 1000");
}

TEST(scenario, unknown_partition_is_named_with_its_line) {
    EXPECT_EQ(complaint_about("\"server\"", "\"cloud\""),
              ":24: /armies/1/partition is neither \"client\" nor \"server\"");
}

TEST(scenario, name_given_twice_is_named_with_its_line) {
    EXPECT_EQ(complaint_about("Blue_2", "Blue_1"), ":27: /armies/1/platoons/1/name is the name of another");
    EXPECT_EQ(complaint_about("Blues", "Reds"), ":22: /armies/1/name is the name of another");
}

TEST(scenario, name_that_is_none_is_named_with_its_line) {
    const std::string reason = "is no name: a name is not empty and has no '/'";
    EXPECT_EQ(complaint_about("Blue_2", ""), ":27: /armies/1/platoons/1/name " + reason);
    EXPECT_EQ(complaint_about("Blue_2", "Blue/2"), ":27: /armies/1/platoons/1/name " + reason);
}

TEST(scenario, number_that_is_too_large_is_named) {
    EXPECT_NE(complaint_about("\"seed\": 20", "\"seed\": 1e400").find("1e400"), std::string::npos);
}

TEST(scenario, line_is_found_behind_a_text_of_any_depth) {
    const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
    EXPECT_EQ(complaint_about("\"seed\": 20", "\"x\": " + deep + ", \"seed\": -1"),
              ":3: /seed is not a whole number from 0 to 4294967295");
}

TEST(scenario, text_that_is_no_json_is_named_with_its_line) {
    EXPECT_TRUE(complaint_about("\"ticks\": 400,", "\"ticks\": 400,,").starts_with(":4: not JSON: "));
}

TEST(scenario, directory_is_no_file) {
    const std::filesystem::path folder = testing::TempDir();
    try {
        (void)skirmish::load_scenario(folder);
        FAIL();
    } catch (const skirmish::scenario_error& e) {
        EXPECT_EQ(e.what(), folder.string() + ": cannot be read");
    }
}

TEST(scenario, file_that_is_not_there_is_named) {
    try {
        (void)skirmish::load_scenario("nowhere.json");
        FAIL();
    } catch (const skirmish::scenario_error& e) {
        EXPECT_STREQ(e.what(), "nowhere.json: cannot be read");
    }
}

} // namespace
} // namespace scenario_test
