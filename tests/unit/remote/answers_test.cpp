// SPDX-License-Identifier: MIT
// What a world says of itself: entities, queries, lists.
#include <algorithm>
#include <array>
#include <boost/hana/define_struct.hpp>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

import ecs.world;
import ecs.remote;

#include "scene.hpp"

namespace fleet {

class answers : public scene {};

using names = std::vector<std::string>;

TEST_F(answers, an_entity_is_shown_with_all_it_has) {
    EXPECT_EQ(got("/entity/Fleet/Ship"), json::parse(R"json({
        "parent": "Fleet", "name": "Ship", "tags": ["fleet::frozen"], "pairs": {"fleet::likes": "Bob"},
        "components": {"fleet::position": {"x": 10, "y": 20}, "fleet::velocity": {"x": 1, "y": 2},
                       "(fleet::owes,Bob)": {"coins": 5}
}
})json"));
    const json boat_shown = got("/entity/Fleet/Boat", {{"inherited", "true"}, {"entity_id", "true"}});
    EXPECT_EQ(boat_shown["pairs"]["fleet::likes"].size(), 2U);
    EXPECT_EQ(boat_shown["pairs"]["flecs.core.IsA"], "Hull");
    EXPECT_EQ(boat_shown["inherited"]["Hull"]["components"]["fleet::velocity"]["x"], 7);
    EXPECT_EQ(boat_shown["id"], (boat.generation() << 32U) | boat.index());
}

TEST_F(answers, parts_of_an_entity_come_when_they_are_asked_for) {
    const json shown =
        got("/entity/Fleet/Ship", {{"values", "false"}, {"type_info", "true"}, {"builtin", "true"}});
    EXPECT_TRUE(shown["components"]["fleet::position"].is_null());
    EXPECT_EQ(shown["type_info"]["fleet::position"], json::parse(R"({"x": ["float"], "y": ["float"]})"));
    EXPECT_EQ(shown["pairs"]["flecs.core.ChildOf"], "Fleet");
    const json own = got("/entity/Fleet/Boat", {{"own_names", "true"}, {"refs", "*"}, {"doc", "true"}});
    EXPECT_EQ(own["pairs"]["is_a"], "Hull");
    EXPECT_EQ(own["doc"]["label"], "Boat");
    EXPECT_EQ(got("/entity/Bob", {{"refs", "*"}})["refs"]["fleet::likes"],
              (json{"Fleet.Ship", "Fleet.Boat"}));
    EXPECT_EQ(got("/entity/Bob", {{"refs", "fleet::owes"}})["refs"],
              json::parse(R"({"fleet::owes": ["Fleet.Ship"]})"));
}

TEST_F(answers, values_are_shown_as_far_as_their_members_are_known) {
    world.set(bob, course{{1, 2}, "north", true, ship});
    world.set(bob, opaque{{1, 2, 3}});
    const json shown = got("/entity/Bob", {{"type_info", "true"}});
    EXPECT_EQ(
        shown["components"]["fleet::course"],
        json::parse(R"({"to": {"x": 1, "y": 2}, "order": "north", "urgent": true, "leader": "Fleet.Ship"})"));
    EXPECT_TRUE(shown["components"]["fleet::opaque"].is_null());
    EXPECT_EQ(shown["type_info"]["fleet::opaque"], json::parse(R"({"what": ["text"]})"));
    EXPECT_EQ(got("/type_info/fleet::sealed"), 0);
    EXPECT_EQ(got("/type_info/fleet::course"),
              json::parse(R"({"to": {"x": ["float"], "y": ["float"]}, "order": ["text"],
        "urgent": ["bool"], "leader": ["entity"]})"));
    EXPECT_EQ(got("/component/Fleet/Ship", {{"component", "(fleet::owes, Bob)"}}),
              json::parse(R"({"coins": 5})"));
    world.set(bob, course{{}, "\xff", false, {}});
    EXPECT_TRUE(got("/entity/Bob")["components"]["fleet::course"].is_null()) << "it is no UTF-8";
}

enum class load : std::uint8_t { empty = 0, full = 4 };
struct hold {
    struct crate {
        int weight;
    };
    crate first;
    load now;
    std::array<float, 2> trim;
    float draught;
    static constexpr ecs::member_note member_notes[]{
        {.member = "draught", .units = "m", .description = "below water", .minimum = 0, .maximum = 12}};
};

TEST_F(answers, an_aggregate_is_shown_without_a_line_about_it) {
    world.set(bob, hold{{3}, load::full, {0.5F, 1}, 4});
    EXPECT_EQ(got("/entity/Bob")["components"]["fleet::hold"],
              json::parse(R"({"first": {"weight": 3}, "now": "full", "trim": [0.5, 1.0], "draught": 4.0})"));
    EXPECT_EQ(got("/type_info/fleet::hold"),
              json::parse(R"({"first": {"weight": ["int"]}, "now": ["enum", "empty", "full"],
        "trim": ["array", ["float"], 2],
        "draught": ["float", {"symbol": "m", "range": [0.0, 12.0], "description": "below water"}]})"));
}

TEST_F(answers, entities_are_found_by_every_spelling_of_their_name) {
    const ecs::entity nameless = world.spawn(ecs::pair(ecs::child_of, ship));
    const ecs::entity dotted = world.spawn("v1.2", ecs::pair(ecs::child_of, nameless));
    const std::string number = std::to_string((nameless.generation() << 32U) | nameless.index());
    EXPECT_EQ(got("/entity/#" + number)["parent"], "Fleet.Ship");
    EXPECT_EQ(got("/entity/#" + std::to_string(nameless.index()))["name"], "#" + number);
    EXPECT_EQ(got("/entity/#" + std::to_string(nameless.index()) + "v" +
                  std::to_string(nameless.generation()))["name"],
              "#" + number);
    EXPECT_EQ(got("/entity/#" + number + "/v1.2")["parent"], "#" + number);
    EXPECT_EQ(got("/entity/Fleet.Ship")["name"], "Ship");
    EXPECT_EQ(got("/entity/fleet::position")["components"]["flecs.core.Component"]["size"], 8);
    EXPECT_EQ(got("/entity/flecs/core/ChildOf")["name"], "flecs.core.ChildOf");
    EXPECT_EQ(found("position, (likes, Bob)"), names{"Ship"});
    EXPECT_EQ(found("(child_of, #" + number + ")"), names{"v1.2"});
    EXPECT_EQ(query("(child_of, #" + number + ")", {{"entity_ids", "true"}})["results"][0]["id"],
              (dotted.generation() << 32U) | dotted.index());
}

namespace {
struct hidden {
    int depth = 0;
};
} // namespace
template <class T, int N> struct owed {
    int coins = N;
};

/// Each name is that under which answers show it.
TEST_F(answers, components_are_found_whatever_their_names_look_like) {
    world.set(ship, hidden{3});
    const auto has_keys = [&](const json& components) {
        EXPECT_FALSE(components.empty());
        for (const auto& [name, value] : components.items())
            EXPECT_EQ(ask({.path = "/component/Fleet.Ship", .parameters = {{"component", name}}}).status, 200)
                << name;
    };
    has_keys(got("/entity/Fleet.Ship")["components"]);
    world.set<owed<int, 2>>(ship, boat, {});
    has_keys(got("/entity/Fleet.Ship")["components"]);
}

TEST_F(answers, path_of_a_part_does_not_lead_to_a_name_with_a_point) {
    const ecs::entity other = world.spawn("Fleet.Ship");
    const auto number = [](ecs::entity e) { return (e.generation() << 32U) | e.index(); };
    EXPECT_EQ(got("/entity/Fleet.Ship", {{"entity_id", "true"}})["id"], number(other));
    const ecs::entity part = world.spawn(ecs::pair(ecs::child_of, ship));
    const std::string path = got("/entity/#" + std::to_string(number(part)))["parent"];
    EXPECT_EQ(got("/entity/" + path, {{"entity_id", "true"}})["id"], number(ship)) << path;
}

TEST_F(answers, who_is_dead_is_not_found_though_the_index_lives_on) {
    const std::string number = std::to_string((boat.generation() << 32U) | boat.index());
    EXPECT_EQ(got("/entity/#" + number)["name"], "Boat");
    world.despawn(boat);
    EXPECT_EQ(refusal(404, {.path = "/entity/#" + number}),
              "entity \"#" + number + "\" is not found: nobody who is alive is called so");
    EXPECT_TRUE(refusal(400, {.path = "/query", .parameters = {{"expr", "(likes, #" + number + ")"}}})
                    .starts_with("a number here has 32 bits"));
    const ecs::entity heir = world.spawn("Heir");
    ASSERT_EQ(heir.index(), boat.index());
    EXPECT_EQ(refusal(404, {.path = "/entity/#" + number}).substr(0, 6), "entity");
    EXPECT_EQ(got("/entity/#" + number, {{"try", "true"}}).at("error").get<std::string>().substr(0, 6),
              "entity");
}

TEST_F(answers, a_query_hands_out_fields_for_its_terms) {
    json rows = query("position, ?velocity")["results"];
    std::ranges::sort(rows.get_ref<json::array_t&>(), {},
                      [](const json& row) { return row["name"].get<std::string>(); });
    EXPECT_EQ(rows, json::parse(R"([
        {"name": "Bob", "fields": {"is_set": [true, false], "values": [{"x": 3, "y": 4}, 0]}},
        {"parent": "Fleet", "name": "Ship", "fields": {"is_set": [true, true], "values": [{"x": 10, "y": 20}, {"x": 1, "y": 2}]}}])"));
    const json liked = query("(likes, $x)", {{"entity_ids", "true"}})["results"];
    ASSERT_EQ(liked.size(), 3U);
    for (const json& row : liked) {
        EXPECT_EQ(row["fields"]["ids"][0][1], row["vars"]["x"]);
        EXPECT_TRUE(row["id"].is_number());
    }
    EXPECT_EQ(query("velocity, (is_a, *)")["results"][0]["fields"]["sources"][0], "Hull");
    EXPECT_EQ(found("position || velocity, !frozen").size(), 2U);
    EXPECT_EQ(query("position", {{"values", "false"}})["results"][0].contains("fields"), false);
    EXPECT_EQ(query("position, velocity", {{"table", "true"}})["results"][0]["components"].size(), 3U);
}

/// Who asks for changes has them tracked from then on.
TEST_F(answers, a_query_asks_for_no_changes) {
    for (const std::string asked : {"fleet::position(changed)", "position(added)", "position|changed",
                                    "velocity, position(self|removed)", "frozen || position( changed )",
                                    "{position(changed|up)}", "position($x|changed), likes($x)"})
        EXPECT_TRUE(refusal(400, {.path = "/query", .parameters = {{"expr", asked}}})
                        .starts_with("a request cannot ask for changes"))
            << asked;
    std::ignore = world.component({.name = "changed"});
    EXPECT_EQ(found("frozen || changed"), names{"Ship"});
    EXPECT_EQ(found("(likes, changed)"), names{});
}

TEST_F(answers, a_query_says_what_it_asks) {
    const json said = query("position, !frozen, ?(likes, $x)",
                            {{"query_info", "true"}, {"field_info", "true"}, {"results", "false"}});
    EXPECT_FALSE(said.contains("results"));
    EXPECT_EQ(said["field_info"][0], json::parse(R"({"id": "fleet::position", "type": "fleet::position",
        "symbol": "fleet::position", "schema": {"x": ["float"], "y": ["float"]}})"));
    EXPECT_EQ(said["field_info"][1], json::parse(R"({"id": "fleet::frozen", "not": true})"));
    EXPECT_EQ(said["field_info"][2]["optional"], true);
    EXPECT_EQ(said["query_info"]["vars"], (json{"this", "x"}));
    EXPECT_EQ(said["query_info"]["terms"][0]["oper"], "and");
    EXPECT_EQ(said["query_info"]["terms"][1]["oper"], "not");
    EXPECT_EQ(said["query_info"]["terms"][2]["second"]["var"], "x");
}

TEST_F(answers, rows_are_limited_and_begin_where_the_request_says) {
    for (int i = 0; i < 20; ++i) world.spawn(owes{i});
    options.rows_max = 12;
    EXPECT_EQ(query("owes", {{"limit", "5"}})["results"].size(), 5U);
    EXPECT_EQ(query("owes", {{"limit", "5000"}})["results"].size(), 12U);
    EXPECT_EQ(query("owes", {{"offset", "18"}})["results"][0]["fields"]["values"][0]["coins"], 18);
    EXPECT_EQ(query("owes", {{"offset", "20"}})["results"].size(), 0U);
    EXPECT_EQ(got("/world")["results"].size(), 12U);
}

TEST_F(answers, a_query_that_would_never_end_costs_its_budget) {
    for (int i = 0; i < 400; ++i) world.add<likes>(world.spawn(), world.spawn(owes{i}));
    options.budget = std::chrono::milliseconds(20);
    const std::string endless = "position, owes($a), owes($b), owes($c), !owes($c)";
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(refusal(503, {.path = "/query", .parameters = {{"expr", endless}}})
                    .starts_with("the answer takes longer"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
    options.budget = std::chrono::nanoseconds(0);
    EXPECT_EQ(ask({.path = "/world"}).status, 503);
    EXPECT_EQ(ask({.path = "/tables"}).status, 503);
    EXPECT_EQ(ask({.path = "/query", .parameters = {{"expr", "position"}}}).status, 503);
}

TEST_F(answers, a_budget_may_be_without_end) {
    options.budget = std::chrono::nanoseconds::max();
    EXPECT_EQ(ask({.path = "/world"}).status, 200);
}

TEST_F(answers, paths_lead_to_those_whom_they_name) {
    const ecs::entity like_a_component = world.spawn("position"), like_a_number = world.spawn("#512"),
                      with_a_border = world.spawn(" x"), below = world.spawn("y");
    world.add(below, ecs::pair(ecs::child_of, like_a_number));
    const std::array all{like_a_component, like_a_number, with_a_border, below, bob};
    for (const ecs::entity e : all) {
        const ecs::entity source = world.spawn(ecs::pair(world.component<likes>(), e));
        const json pairs = got("/entity/#" + std::to_string(source.index()))["pairs"];
        const std::string path = pairs.begin().value().get<std::string>();
        const json found = got("/entity/" + path, {{"entity_id", "true"}});
        EXPECT_EQ(found["id"], e.generation() << 32U | e.index()) << path;
    }
}

TEST_F(answers, what_is_wrong_with_a_request_is_said) {
    EXPECT_TRUE(refusal(400, {.path = "/query", .parameters = {{"expr", "position, Vel"}}})
                    .starts_with("nothing is named \"Vel\""));
    EXPECT_TRUE(got("/query", {{"expr", "position, ,"}, {"try", "true"}}).contains("error"));
    EXPECT_EQ(refusal(400, {.path = "/query"}),
              "the parameter \"expr\" is expected: a query, as docs/queries.md has them");
    EXPECT_EQ(refusal(400, {.path = "/query", .parameters = {{"expr", "position"}, {"limit", "-1"}}}),
              "the parameter \"limit\" is a number, not \"-1\"");
    EXPECT_EQ(refusal(404, {.path = "/nonsense"}), "there is no request \"nonsense\"");
    EXPECT_EQ(refusal(405, {.method = "PUT", .path = "/query"}),
              "PUT is nothing that can be done to \"query\"");
    EXPECT_EQ(refusal(404, {.path = "/component/Bob", .parameters = {{"component", "Speed"}}}),
              "entity \"Speed\" is not found: nobody who is alive is called so");
    EXPECT_EQ(refusal(404, {.path = "/component/Bob", .parameters = {{"component", "fleet::velocity"}}}),
              "Bob does not have fleet::velocity");
    EXPECT_EQ(refusal(404, {.path = ""}), "there is no request \"\"");
}

TEST_F(answers, tables_and_components_are_listed_with_their_fill) {
    std::size_t entities = 0;
    for (const json& table : got("/tables")) {
        EXPECT_LE(table["count"], table["size"]);
        entities += table["count"].get<std::size_t>();
    }
    EXPECT_GE(entities, world.entities().size());
    const json components = got("/components");
    const auto listed =
        std::ranges::find_if(components, [](const json& c) { return c["name"] == "fleet::position"; });
    ASSERT_NE(listed, components.end());
    EXPECT_EQ((*listed)["entity_count"], 2);
    EXPECT_EQ((*listed)["type"]["size"], 8);
    EXPECT_EQ(got("/queries"), json::array());
}

TEST_F(answers, components_outside_tables_are_counted) {
    const ecs::entity apart = world.component({.name = "apart", .size = 4, .kept_in = ecs::storage::sparse});
    const ecs::entity marked = world.component({.name = "marked", .kept_in = ecs::storage::bits});
    for (int i = 0; i < 3; ++i) world.add(world.spawn(), apart);
    world.add(world.spawn(), marked);
    const json all = got("/components");
    const auto listed = [&](const std::string& name) {
        const auto found = std::ranges::find_if(all, [&](const json& one) { return one["name"] == name; });
        return found == all.end() ? json() : *found;
    };
    EXPECT_EQ(listed("apart").value("entity_count", 0), 3);
    EXPECT_EQ(listed("apart").value("entity_size", 0), 12);
    EXPECT_EQ(listed("marked").value("entity_count", 0), 1);
}

TEST_F(answers, owners_of_components_are_counted_alike_wherever_these_are_kept) {
    const ecs::entity apart = world.component({.name = "apart", .size = 4, .kept_in = ecs::storage::sparse});
    const ecs::entity near = world.component({.name = "near", .size = 4});
    const ecs::entity base = world.prefab("Base");
    for (const ecs::entity component : {apart, near}) {
        world.add(base, component);
        world.add(bob, component);
        world.add(ship, component);
        world.disable(ship, component);
    }
    for (int i = 0; i < 2; ++i) world.spawn(ecs::pair(ecs::is_a, base)); // They inherit both.
    int found = 0;
    for (const json& one : got("/components"))
        if (one["name"] == "apart" || one["name"] == "near") {
            ++found;
            EXPECT_EQ(one["entity_count"], 3) << one;
        }
    EXPECT_EQ(found, 2);
}

TEST_F(answers, layouts_are_those_of_the_library) {
    const json layouts = got("/layouts")["layouts"];
    ASSERT_EQ(layouts.size(), 7U);
    for (const json& layout : layouts) {
        unsigned bits = 0;
        for (const json& field : layout["fields"])
            bits += field["high"].get<unsigned>() - field["low"].get<unsigned>() + 1;
        EXPECT_EQ(bits, 64U) << layout["name"];
    }
    EXPECT_EQ(layouts[1]["name"], "pair");
    EXPECT_EQ(layouts[1]["fields"][2],
              json::parse(R"({"name": "relation", "high": 55, "low": 32, "role": "plain"})"));
    EXPECT_FALSE(got("/layouts").contains("words"));
}

TEST_F(answers, words_are_shown_field_by_field) {
    const json words = got("/layouts/Fleet/Boat")["words"];
    EXPECT_EQ(words[0]["text"], "Fleet.Boat");
    EXPECT_EQ(words[0]["layout"], "entity");
    EXPECT_EQ(words[0]["values"], (json{1, boat.world(), boat.generation(), boat.index()}));
    const auto liked =
        std::ranges::find_if(words, [](const json& word) { return word["text"] == "(fleet::likes,Bob)"; });
    ASSERT_NE(liked, words.end());
    EXPECT_EQ((*liked)["layout"], "pair");
    EXPECT_EQ((*liked)["values"][2], world.component<likes>().index());
    EXPECT_EQ((*liked)["values"][3], bob.index());
    EXPECT_EQ((*liked)["word"].get<std::string>().size(), 18U);
    EXPECT_TRUE((*liked)["word"].get<std::string>().starts_with("0x2"));
    EXPECT_TRUE(refusal(404, {.path = "/layouts/Nobody"}).starts_with("entity \"Nobody\""));
}

TEST_F(answers, history_is_the_last_changes_the_latest_first) {
    EXPECT_EQ(got("/history"), json::parse(R"({"changes": [], "kept": 0})"));
    world.record_history(4);
    const ecs::entity boy = world.spawn("Boy", owes{1});
    world.add<likes>(boy, bob);
    ecs::schedule schedule;
    schedule.add("reap", [&](ecs::world& in) { in.despawn(boy); });
    schedule.run(world, 1);
    const json said = got("/history");
    EXPECT_EQ(said["kept"], 4);
    ASSERT_EQ(said["changes"].size(), 4U);
    const json& last = said["changes"][0];
    EXPECT_EQ(last["what"], "despawned");
    EXPECT_EQ(last["by"], "system \"reap\"");
    EXPECT_EQ(last["alive"], false);
    EXPECT_FALSE(last.contains("word"));
    EXPECT_EQ(last["id"], (boy.generation() << 32U) | boy.index());
    EXPECT_GT(last["number"], said["changes"][1]["number"]);
    world.add<frozen>(bob);
    const json newest = got("/history", {{"limit", "1"}})["changes"];
    ASSERT_EQ(newest.size(), 1U);
    EXPECT_EQ(newest[0]["entity"], "Bob");
    EXPECT_EQ(newest[0]["word"], "fleet::frozen");
    EXPECT_EQ(newest[0]["by"], "");
    options.rows_max = 2;
    EXPECT_EQ(got("/history", {{"limit", "100"}})["changes"].size(), 2U);
    EXPECT_EQ(refusal(400, {.path = "/history", .parameters = {{"limit", "x"}}}),
              "the parameter \"limit\" is a number, not \"x\"");
}

TEST_F(answers, history_names_what_has_ended_by_its_index) {
    world.record_history(16);
    const ecs::entity boy = world.spawn(), admires = world.spawn();
    world.add<likes>(ship, boy);
    world.add(ship, ecs::pair(admires, bob));
    world.despawn(boy);
    world.despawn(admires);
    std::vector<std::string> words;
    const json said = got("/history");
    for (const json& change : said["changes"]) words.push_back(change.value("word", ""));
    const std::string liked = "(fleet::likes,#" + std::to_string(boy.index()) + ")";
    const std::string admired = "(#" + std::to_string(admires.index()) + ",Bob)";
    for (const std::string& word : {liked, admired})
        EXPECT_NE(std::ranges::find(words, word), words.end()) << word;
}

TEST_F(answers, a_schedule_is_shown_where_a_program_shows_one) {
    EXPECT_TRUE(refusal(404, {.path = "/schedule"}).starts_with("no schedule is shown"));
    EXPECT_EQ(got("/stats/pipeline"), json::array());
    ecs::schedule schedule;
    schedule.add("sail", [](position& p, const velocity& v) { p.x += v.x; });
    schedule.add("log", [](const position&) {}, {.after = {"sail"}});
    schedule.add("sink", [](const position&, owes&) {}).disable("sink");
    options.schedule = &schedule;
    EXPECT_TRUE(got("/schedule")["phases"][0]["systems"][0]["last"].is_null());
    schedule.run(world, 1);
    const json phase = got("/schedule")["phases"][0];
    EXPECT_EQ(phase["name"], "update");
    const json& systems = phase["systems"];
    ASSERT_EQ(systems.size(), 3U);
    EXPECT_EQ(systems[0]["reads"], json{"fleet::velocity"});
    EXPECT_EQ(systems[0]["writes"], json{"fleet::position"});
    EXPECT_EQ(systems[0]["waits_for"], json::array());
    EXPECT_EQ(systems[1]["waits_for"], json::parse(R"([{"system": "sail", "component": ""}])"));
    EXPECT_EQ(systems[2]["waits_for"],
              json::parse(R"([{"system": "sail", "component": "fleet::position"}])"));
    EXPECT_EQ(systems[2]["enabled"], false);
    EXPECT_TRUE(systems[2]["last"].is_null());
    EXPECT_EQ(systems[1]["last"]["thread"], 0);
    EXPECT_LE(systems[0]["last"]["end"], systems[1]["last"]["begin"]);
    EXPECT_LE(systems[1]["last"]["end"], phase["end"]);
    EXPECT_LE(phase["end"], phase["flushed"]);
}

TEST_F(answers, systems_have_statistics_of_the_last_minute) {
    ecs::schedule schedule;
    schedule.add("wait", [](const ecs::tick&) {
        for (const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
             std::chrono::steady_clock::now() < end;) {
        }
    });
    ecs::remote::world_history past;
    options.past = &past;
    options.schedule = &schedule;
    const auto begin = std::chrono::steady_clock::now();
    for (int second = 0; second < 4; ++second) {
        past.note_tick(world, begin + std::chrono::seconds(second), &schedule);
        for (int runs = second; runs < 2; ++runs) schedule.run(world, 1);
    }
    const std::chrono::duration<double> last = schedule.times()[0].last;
    const json systems = got("/stats/pipeline");
    ASSERT_EQ(systems.size(), 1U);
    EXPECT_EQ(systems[0]["name"], "wait");
    EXPECT_EQ(systems[0]["disabled"], false);
    const json& took = systems[0]["time_spent"]["avg"];
    ASSERT_EQ(took.size(), 60U);
    EXPECT_EQ(took[59], 0.0) << "there was no run in the last second";
    EXPECT_NEAR(took[58].get<double>(), last.count(), 1e-9) << "of one run, whatever was before";
    EXPECT_GE(took[57], 0.002);
    EXPECT_EQ(took[56], 0.0);
}

TEST_F(answers, statistics_are_those_of_the_last_minute) {
    EXPECT_EQ(refusal(404, {.path = "/stats/world"}), "no statistics are kept: a server keeps them");
    ecs::remote::world_history past;
    options.past = &past;
    const auto begin = std::chrono::steady_clock::now();
    for (int tick = 0; tick <= 120; ++tick)
        past.note_tick(world, begin + tick * std::chrono::milliseconds(50));
    const json stats = got("/stats/world");
    EXPECT_EQ(stats["performance.fps"]["avg"].size(), 60U);
    EXPECT_NEAR(stats["performance.fps"]["avg"][59].get<double>(), 20, 1);
    EXPECT_EQ(got("/commands/capture")["frame"], 121);
    EXPECT_NEAR(
        got("/entity/flecs/core/World")["components"]["flecs.stats.WorldSummary"]["uptime"].get<double>(), 6,
        0.1);
}

} // namespace fleet
