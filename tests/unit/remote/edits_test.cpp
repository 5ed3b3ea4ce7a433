// SPDX-License-Identifier: MIT
// What a request changes: with a token, by the rules of the world.
#include <boost/hana/define_struct.hpp>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

import ecs.world;
import ecs.remote;

#include "scene.hpp"

namespace fleet {

class edits : public scene {
  protected:
    edits() { options.token = "secret"; }

    static ecs::remote::request edit(std::string method, std::string path,
                                     std::unordered_map<std::string, std::string> parameters = {}) {
        return {.method = std::move(method),
                .path = std::move(path),
                .parameters = std::move(parameters),
                .body = {},
                .token = "secret"};
    }
    std::string done(const ecs::remote::request& asked) {
        const auto answer = ask(asked);
        EXPECT_EQ(answer.status, 200) << answer.body;
        return json::parse(answer.body).value("result", "");
    }
};

TEST_F(edits, without_the_token_nothing_is_changed) {
    const auto shown = [&](int status, const std::string& configured, const std::string& token) {
        options.token = configured;
        auto asked = edit("DELETE", "/entity/Bob");
        asked.token = token;
        return refusal(status, asked);
    };
    EXPECT_TRUE(shown(403, "", "").starts_with("the world is only shown"));
    EXPECT_EQ(shown(401, "secret", ""), "the token that allows changes is missing or wrong");
    EXPECT_EQ(shown(401, "secret", "secreT"), "the token that allows changes is missing or wrong");
    EXPECT_EQ(shown(401, "secret", "secret1"), "the token that allows changes is missing or wrong");
    EXPECT_TRUE(world.alive(bob));
    EXPECT_EQ(done(edit("DELETE", "/entity/Bob")), "removed");
    EXPECT_FALSE(world.alive(bob));
}

TEST_F(edits, entities_are_made_with_all_of_their_path) {
    EXPECT_EQ(ask(edit("PUT", "/entity/Fleet/Harbour/Crane")).status, 200);
    const ecs::entity crane = world.lookup("Fleet/Harbour/Crane");
    ASSERT_TRUE(crane);
    EXPECT_EQ(json::parse(ask(edit("PUT", "/entity/Fleet/Harbour/Crane")).body)["id"],
              (crane.generation() << 32U) | crane.index())
        << "it is there already";
    EXPECT_EQ(refusal(404, edit("PUT", "/entity/#99999/x")),
              "entity \"#99999\" is not found: a number cannot be a name");
    EXPECT_EQ(refusal(400, edit("PUT", "/entity/")), "a path of 1 to 64 names is expected");
}

TEST_F(edits, a_path_that_is_refused_leaves_nothing) {
    const std::vector<ecs::entity> before = world.entities();
    EXPECT_EQ(refusal(404, edit("PUT", "/entity/A/B/#5")),
              "entity \"A/B/#5\" is not found: a number cannot be a name");
    EXPECT_FALSE(refusal(409, edit("PUT", "/entity/C/D/x\\/y")).empty());
    const ecs::entity relation = world.component<likes>();
    world.add(relation, ecs::relation_only);
    EXPECT_EQ(refusal(409, edit("PUT", "/entity/fleet::likes/kid")),
              to_string(ecs::add_result::is_relation_only));
    EXPECT_EQ(world.entities(), before);
}

TEST_F(edits, act_on_nobody_whose_name_only_ends_so) {
    const auto number = [](ecs::entity e) { return (e.generation() << 32U) | e.index(); };
    const auto made = [&](const std::string& path) { return json::parse(ask(edit("PUT", path)).body)["id"]; };
    const json target = made("/entity/Target");
    ASSERT_TRUE(world.lookup("Target")) << "target_only is flecs.core.Target";
    EXPECT_EQ(target, number(world.lookup("Target")));
    const ecs::entity component = world.component<velocity>();
    EXPECT_NE(made("/entity/velocity"), number(component));
    EXPECT_EQ(done(edit("DELETE", "/entity/velocity")), "removed");
    EXPECT_TRUE(refusal(404, edit("DELETE", "/entity/velocity")).starts_with("entity \"velocity\""));
    ASSERT_TRUE(world.alive(component));
    const std::string frozen_name = "fleet::frozen";
    for (const std::string method : {"PUT", "DELETE"})
        EXPECT_FALSE(refusal(404, edit(method, "/component/velocity", {{"component", frozen_name}})).empty());
    EXPECT_FALSE(refusal(404, edit("PUT", "/toggle/velocity", {{"enable", "false"}})).empty());
    EXPECT_EQ(made("/entity/fleet::velocity"), number(component));
    EXPECT_EQ(done(edit("PUT", "/component/fleet::velocity", {{"component", frozen_name}})), "added");
    const std::vector<ecs::entity> before = world.entities();
    EXPECT_EQ(made("/entity/flecs/core/IsA"), number(world.component_named("is_a")));
    EXPECT_EQ(world.entities(), before);
}

/// Such a name would be read as a path.
TEST_F(edits, a_slash_in_a_name_leads_to_nobody) {
    EXPECT_FALSE(refusal(409, edit("PUT", R"(/entity/Fleet\/Ship)")).empty());
}

TEST_F(edits, names_in_paths_may_have_any_character) {
    const ecs::entity other = world.spawn("xz");
    const auto number = [&](const ecs::remote::request& asked) { return json::parse(ask(asked).body)["id"]; };
    const json made = number(edit("PUT", R"(/entity/x\\z)"));
    EXPECT_NE(made, (other.generation() << 32U) | other.index());
    EXPECT_EQ(number(edit("PUT", R"(/entity/x\\z)")), made) << "it is there already";
    EXPECT_EQ(ask(edit("PUT", R"(/entity/x\\z/kid)")).status, 200);
    EXPECT_TRUE(world.lookup(R"(x\z/kid)"));
    const std::size_t before = world.entities().size();
    EXPECT_EQ(refusal(400, edit("PUT", "/entity/\xFF\xFE")),
              "the path is not UTF-8, so it cannot be the name of an entity");
    EXPECT_EQ(ask(edit("PUT", "/entity/Zo\xC3\xAB")).status, 200);
    EXPECT_EQ(world.entities().size(), before + 1);
}

TEST_F(edits, a_relation_whose_index_is_too_high_is_refused) {
    ecs::world high(ecs::id_space{0x1000'0000, 0x1010'0000}); // The index of a relation has 24 bits.
    high.spawn("E");
    const auto status = [&](ecs::remote::request asked) {
        return ecs::remote::answer(high, asked, options).status;
    };
    for (const std::string word : {"(E,E)", "(E,*)", "(E,3)"}) {
        EXPECT_EQ(status(edit("PUT", "/component/E", {{"component", word}})), 400) << word;
        EXPECT_EQ(status(edit("GET", "/component/E", {{"component", word}})), 400) << word;
    }
}

TEST_F(edits, a_value_is_changed_member_by_member) {
    EXPECT_EQ(done(edit("PUT", "/component/Fleet/Ship",
                        {{"component", "fleet::position"}, {"value", R"({"x": 11})"}})),
              "already there");
    EXPECT_EQ(world.get<position>(ship).x, 11);
    EXPECT_EQ(world.get<position>(ship).y, 20);
    EXPECT_EQ(done(edit("PUT", "/component/Bob",
                        {{"component", "fleet::course"},
                         {"value", R"({"order": "south", "leader": "Fleet.Ship"})"}})),
              "added");
    EXPECT_EQ(world.get<course>(bob).leader, ship);
    EXPECT_EQ(done(edit("PUT", "/component/Bob",
                        {{"component", "(fleet::owes,Fleet.Ship)"}, {"value", R"({"coins": 9})"}})),
              "added");
    EXPECT_EQ(world.get<owes>(bob, ship).coins, 9);
}

enum class light : std::uint8_t { off, on };
struct bridge {
    light lamp;
    int crew;
    static constexpr ecs::member_note member_notes[]{{.member = "crew", .minimum = 1, .maximum = 9}};
};

TEST_F(edits, an_aggregate_is_changed_without_a_line_about_it) {
    world.set(bob, bridge{light::off, 2});
    const auto put = [&](const std::string& value) {
        return edit("PUT", "/component/Bob", {{"component", "fleet::bridge"}, {"value", value}});
    };
    EXPECT_EQ(done(put(R"({"lamp": "on"})")), "already there");
    EXPECT_EQ(world.get<bridge>(bob).lamp, light::on);
    EXPECT_EQ(world.get<bridge>(bob).crew, 2);
    EXPECT_EQ(done(put(R"({"lamp": 0, "crew": 9})")), "already there");
    EXPECT_EQ(refusal(400, put(R"({"lamp": "on", "crew": 10})")), "crew: 10 is more than 9.0");
    EXPECT_EQ(refusal(400, put(R"({"lamp": "dim"})")), "lamp: \"dim\" is no fleet::light: off, on");
    EXPECT_EQ(world.get<bridge>(bob).lamp, light::off) << "what is refused changes nothing";
    EXPECT_EQ(world.get<bridge>(bob).crew, 9);
}

TEST_F(edits, observers_are_told_as_of_any_change) {
    float told = 0;
    const auto o =
        world.observe<ecs::event::set, const position>([&](ecs::entity, const position& p) { told = p.x; });
    EXPECT_EQ(
        done(edit("PUT", "/component/Bob", {{"component", "fleet::position"}, {"value", R"({"x": 8})"}})),
        "already there");
    EXPECT_EQ(told, 8);
    const auto thrower =
        world.observe<ecs::event::added, frozen>([](ecs::entity) { throw std::runtime_error("too cold"); });
    EXPECT_EQ(refusal(500, edit("PUT", "/component/Bob", {{"component", "fleet::frozen"}})), "too cold");
}

TEST_F(edits, what_a_value_cannot_be_is_said_and_changes_nothing) {
    const auto said = [&](const std::string& component, const std::string& value) {
        return refusal(400,
                       edit("PUT", "/component/Fleet/Ship", {{"component", component}, {"value", value}}));
    };
    EXPECT_EQ(said("fleet::position", R"({"x": 1, "z": 2})"), "z: there is no such member");
    EXPECT_EQ(said("fleet::position", R"({"x": "far"})"), "x: a number is expected, not \"far\"");
    EXPECT_EQ(said("fleet::course", R"({"leader": "Nobody"})"), "leader: nobody is called \"Nobody\"");
    EXPECT_NE(said("fleet::position", "{").find("parse error"), std::string::npos);
    EXPECT_EQ(said("fleet::frozen", "{}"), "fleet::frozen: it is a tag and has no value");
    EXPECT_EQ(world.get<position>(ship).x, 10);
    EXPECT_FALSE(world.has<course>(ship));
}

TEST_F(edits, tags_and_pairs_come_and_go) {
    EXPECT_EQ(done(edit("PUT", "/component/Bob", {{"component", "fleet::frozen"}})), "added");
    EXPECT_TRUE(world.has<frozen>(bob));
    EXPECT_EQ(done(edit("PUT", "/component/Bob", {{"component", "(fleet::likes,Fleet.Ship)"}})), "added");
    EXPECT_TRUE(world.has<likes>(bob, ship));
    EXPECT_EQ(done(edit("DELETE", "/component/Bob", {{"component", "(fleet::likes,Fleet.Ship)"}})),
              "removed");
    EXPECT_FALSE(world.has<likes>(bob, ship));
    EXPECT_EQ(done(edit("DELETE", "/component/Bob", {{"component", "fleet::frozen"}})), "removed");
    EXPECT_EQ(done(edit("DELETE", "/component/Bob", {{"component", "fleet::frozen"}})), "not there");
}

TEST_F(edits, entities_and_components_are_switched_off_and_on) {
    EXPECT_EQ(done(edit("PUT", "/toggle/Bob", {{"enable", "false"}})), "disabled");
    EXPECT_EQ(got("/entity/Bob")["tags"], json{"flecs.core.Disabled"});
    EXPECT_EQ(done(edit("PUT", "/toggle/Bob", {{"enable", "true"}})), "enabled");
    EXPECT_EQ(
        done(edit("PUT", "/toggle/Fleet/Ship", {{"enable", "false"}, {"component", "fleet::position"}})),
        "disabled");
    EXPECT_EQ(got("/entity/Fleet/Ship")["hidden"], json{"fleet::position"});
    EXPECT_EQ(found("position"), std::vector<std::string>{"Bob"});
    EXPECT_EQ(refusal(400, edit("PUT", "/toggle/Bob", {{"enable", "perhaps"}})),
              "the parameter \"enable\" is true or false");
}

TEST_F(edits, memory_that_no_row_needs_is_given_back) {
    world.despawn(world.spawn_n(10'000, position{}));
    const std::size_t before = world.memory_bytes();
    EXPECT_EQ(ask(edit("PUT", "/action/shrink_memory")).status, 200);
    EXPECT_LT(world.memory_bytes(), before);
    EXPECT_EQ(refusal(404, edit("PUT", "/action/dance")), "there is the action \"shrink_memory\"");
}

TEST_F(edits, the_world_refuses_in_its_own_words) {
    EXPECT_EQ(refusal(409, edit("DELETE", "/entity/flecs/core/ChildOf")),
              ecs::to_string(ecs::add_result::is_built_in));
    EXPECT_EQ(
        refusal(409, edit("PUT", "/component/Fleet", {{"component", "(flecs.core.ChildOf,Fleet.Ship)"}})),
        ecs::to_string(ecs::add_result::would_make_a_cycle));
    EXPECT_EQ(refusal(409, edit("PUT", "/component/Bob", {{"component", "(fleet::likes,*)"}})),
              ecs::to_string(ecs::add_result::wildcard));
    EXPECT_EQ(refusal(409, edit("PUT", "/component/Bob", {{"component", "ecs::component_info"}})),
              "\"ecs::component_info\" is for the library to give");
    EXPECT_EQ(refusal(400, edit("PUT", "/component/Bob")),
              "the parameter \"component\" is expected: a component, a tag, or (relation,target)");
    world.despawn(bob);
    EXPECT_EQ(refusal(404, edit("PUT", "/component/Bob", {{"component", "fleet::frozen"}})),
              "entity \"Bob\" is not found: nobody who is alive is called so");
}

} // namespace fleet
