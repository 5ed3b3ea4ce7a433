// SPDX-License-Identifier: MIT
// Requests as the Flecs Explorer sends them, recorded, and the shape of answers that it reads.
#include <boost/hana/define_struct.hpp>
#include <chrono>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

import ecs.world;
import ecs.remote;

#include "scene.hpp"

namespace fleet {

class explorer_requests : public scene {
  protected:
    /// One level of the tree, with what the explorer asks of it each time.
    json level(const std::string& parent) {
        return query("[none] ?flecs.core.Module,[none] ?flecs.core.Component,[none] ?flecs.core.Relationship,"
                     "[none] ?flecs.core.Trait,[none] ?flecs.core.Target,[none] ?flecs.core.Query,[none] "
                     "?flecs.core.Prefab,"
                     "[none] ?flecs.core.Disabled,[none] ?flecs.core.ChildOf(_,$this),[none] "
                     "?flecs.core.IsA($this,$base|self)"
                     ", (flecs.core.ChildOf," +
                         parent + ")",
                     {{"try", "true"},
                      {"rows", "true"},
                      {"limit", "1000"},
                      {"doc", "true"},
                      {"managed", "true"},
                      {"entity_ids", "true"}})["results"];
    }
    static const json* row_of(const json& rows, const std::string& name) {
        for (const json& row : rows)
            if (row["name"] == name) return &row;
        return nullptr;
    }
};

TEST_F(explorer_requests, the_poll_says_how_the_world_is) {
    const json summary =
        got("/entity/flecs/core/World",
            {{"values", "true"}, {"label", "true"}})["components"]["flecs.stats.WorldSummary"];
    for (const char* key : {"target_fps", "time_scale", "fps", "entity_count", "table_count", "frame_count",
                            "command_count", "systems_ran_total", "uptime", "simulation_time"})
        EXPECT_TRUE(summary[key].is_number()) << key;
    for (const char* key : {"version_major", "version_minor", "version_patch"})
        EXPECT_TRUE(summary["build_info"][key].is_number()) << key;
    for (const char* key : {"compiler", "version"})
        EXPECT_TRUE(summary["build_info"][key].is_string()) << key;
    for (const char* key : {"addons", "flags"}) EXPECT_TRUE(summary["build_info"][key].is_array()) << key;
    for (const char* key : {"debug", "sanitize"}) EXPECT_TRUE(summary["build_info"][key].is_boolean()) << key;
    EXPECT_GE(summary["entity_count"].get<double>(), 5);
}

TEST_F(explorer_requests, the_tree_is_asked_for_level_by_level) {
    world.disable(world.spawn("Sleeper"));
    const json top = level("#0");
    for (const json& row : top) {
        EXPECT_EQ(row["fields"]["is_set"].size(), 11U) << row;
        EXPECT_EQ(row["fields"]["is_set"][10], true) << row;
        EXPECT_TRUE(row["id"].is_number());
        EXPECT_EQ(row["doc"]["label"], row["name"]);
        EXPECT_FALSE(row.contains("parent"));
    }
    const json& fleet_row = *row_of(top, "Fleet");
    EXPECT_EQ(fleet_row["fields"]["is_set"][8], true) << "it has children";
    EXPECT_EQ(fleet_row["vars"]["base"], "*");
    EXPECT_EQ(fleet_row["fields"]["ids"][8], (json{"flecs.core.ChildOf", "Fleet"}));
    EXPECT_EQ((*row_of(top, "Bob"))["fields"]["is_set"][8], false);
    EXPECT_EQ((*row_of(top, "Hull"))["fields"]["is_set"][6], true);
    EXPECT_EQ((*row_of(top, "Sleeper"))["fields"]["is_set"][7], true);
    EXPECT_EQ((*row_of(top, "fleet::position"))["fields"]["is_set"][1], true);
    EXPECT_FALSE(row_of(top, "flecs.core.ChildOf")) << "what every world has is in nobody's way";

    const json below = level("Fleet");
    ASSERT_EQ(below.size(), 2U);
    EXPECT_EQ((*row_of(below, "Boat"))["vars"]["base"], "Hull");
    EXPECT_EQ((*row_of(below, "Boat"))["parent"], "Fleet");
    EXPECT_EQ((*row_of(below, "Boat"))["fields"]["is_set"][9], true);
    EXPECT_EQ(level("#" + std::to_string((fleet.generation() << 32U) | fleet.index())), below);
}

TEST_F(explorer_requests, names_with_other_characters_are_escaped) {
    const ecs::entity enterprise = world.spawn("USS Enterprise (new)");
    world.spawn("Deck 1.5", ecs::pair(ecs::child_of, enterprise));
    EXPECT_EQ(level(R"(USS\ Enterprise\ \(new\))").size(), 1U);
    EXPECT_EQ(level(R"(USS\ Enterprise\ \(new\))")[0]["name"], "Deck 1.5");
    EXPECT_EQ(got("/entity/USS Enterprise (new)/Deck 1.5")["parent"], "USS Enterprise (new)");
    EXPECT_EQ(level(R"(fleet\:\:position)").size(), 0U);
}

TEST_F(explorer_requests, the_tree_is_searched_by_name) {
    const auto search = [&](const std::string& test) {
        std::vector<std::string> names;
        const json answer = query("[none] ?flecs.core.Prefab,[none] ?flecs.core.Disabled, " + test);
        for (const json& row : answer["results"]) names.push_back(row["name"]);
        return names;
    };
    EXPECT_EQ(search(R"($this ~= "oa")"), std::vector<std::string>{"Boat"});
    EXPECT_EQ(search(R"($this == "Hull")"), std::vector<std::string>{"Hull"});
    EXPECT_EQ(search("$this == \"#" + std::to_string(bob.index()) + "\""), std::vector<std::string>{"Bob"});
}

TEST_F(explorer_requests, the_inspector_gets_values_with_their_types) {
    const json shown = got("/entity/Fleet/Boat", {{"try", "true"},
                                                  {"managed", "true"},
                                                  {"values", "true"},
                                                  {"entity_id", "true"},
                                                  {"full_paths", "true"},
                                                  {"type_info", "true"},
                                                  {"private", "true"},
                                                  {"inherited", "true"},
                                                  {"matches", "false"},
                                                  {"alerts", "false"}});
    EXPECT_EQ(shown["parent"], "Fleet");
    EXPECT_TRUE(shown["type_info"].is_object());
    EXPECT_EQ(shown["inherited"]["Hull"]["components"]["fleet::velocity"],
              json::parse(R"({"x": 7, "y": 8})"));
    EXPECT_FALSE(shown["inherited"]["Hull"].contains("pairs"));
    EXPECT_TRUE(got("/entity/flecs/stats/WorldMemory", {{"try", "true"}}).contains("error"));
}

TEST_F(explorer_requests, only_what_is_inherited_is_shown_as_inherited) {
    world.set(hull, owes{3});
    world.add(world.component<owes>(), ecs::not_inheritable);
    world.add<likes>(hull, bob);
    const auto inherited = [&] {
        return got("/entity/Fleet/Boat", {{"inherited", "true"}, {"type_info", "true"}});
    };
    EXPECT_FALSE(inherited()["inherited"]["Hull"]["components"].contains("fleet::owes"));
    EXPECT_FALSE(inherited()["type_info"].contains("fleet::owes"));
    EXPECT_FALSE(inherited()["inherited"]["Hull"].contains("pairs"));
    world.add(world.component<likes>(), ecs::inheritable);
    EXPECT_EQ(inherited()["inherited"]["Hull"]["pairs"]["fleet::likes"], "Bob");
}

TEST_F(explorer_requests, a_variable_means_the_same_in_every_term) {
    const json rows = query("(likes,$x), ?(owes,$x)", {{"fields", "true"}})["results"];
    ASSERT_EQ(rows.size(), 3U);
    for (const json& row : rows) {
        const bool owes_it = row["name"] == "Ship";
        EXPECT_EQ(row["vars"]["x"], row["fields"]["ids"][0][1]) << row;
        EXPECT_EQ(row["fields"]["is_set"][1], owes_it) << row;
    }
    const json debtors = query("position, ?(owes,$x)");
    for (const json& row : debtors["results"])
        EXPECT_EQ(row["vars"]["x"], row["name"] == "Ship" ? "Bob" : "*") << "it stands nowhere else";
}

TEST_F(explorer_requests, optional_terms_alone_may_share_a_variable) {
    const json rows = query("position, ?(owes,$x), ?(likes,$x)")["results"];
    EXPECT_EQ(rows.size(), 2U);
}

TEST_F(explorer_requests, a_target_whose_name_is_a_number_is_shown_by_its_own) {
    const ecs::entity five = world.spawn("5");
    world.add<likes>(bob, five);
    const std::string target = got("/entity/Bob")["pairs"]["fleet::likes"];
    EXPECT_EQ(target, "#" + std::to_string((five.generation() << 32U) | five.index()));
}

TEST_F(explorer_requests, a_term_that_is_missing_is_refused) {
    for (const std::string expr : {",", ", position", "position,", "position,,velocity"})
        EXPECT_EQ(refusal(400, {.path = "/query", .parameters = {{"expr", expr}}}).empty(), false) << expr;
}

TEST_F(explorer_requests, the_query_page_gets_rows_and_what_they_are_made_of) {
    const json page = query("position,?velocity", {{"try", "true"},
                                                   {"rows", "true"},
                                                   {"limit", "100"},
                                                   {"offset", "0"},
                                                   {"query_info", "true"},
                                                   {"field_info", "true"},
                                                   {"query_plan", "true"},
                                                   {"managed", "true"},
                                                   {"entity_ids", "true"}});
    EXPECT_EQ(page["results"].size(), 2U);
    EXPECT_EQ(page["field_info"].size(), 2U);
    EXPECT_EQ(page["query_info"]["terms"].size(), 2U);
    EXPECT_EQ(page["query_info"]["vars"], json{"this"});
    EXPECT_EQ(query("[none] flecs.pipeline.Pipeline")["results"], json::array());
    EXPECT_EQ(query("!flecs.pipeline.Pipeline, position")["results"].size(), 2U);
    const json addable = query(
        "Component, ?(flecs.doc.Description, flecs.doc.Brief), ?$this(_), ?$this(_, _), ?Module")["results"];
    const json& shown = *row_of(addable, "fleet::likes");
    EXPECT_EQ(shown["fields"]["is_set"], (json{true, false, false, true, false}));
    EXPECT_EQ((*row_of(addable, "fleet::frozen"))["fields"]["is_set"],
              (json{true, false, true, false, false}));
    EXPECT_EQ(query("Query,?flecs.system.System")["results"], json::array());
    EXPECT_EQ(query("Observer,!Query,?(ChildOf,$parent),!Observer($parent),!Query($parent)")["results"],
              json::array());
    EXPECT_EQ(query("Component,(Identifier,Symbol),!flecs.meta.primitive,!flecs.meta.opaque")["results"],
              json::array());
}

} // namespace fleet
