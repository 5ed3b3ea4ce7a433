// SPDX-License-Identifier: MIT
// The same requests to the same scene as Flecs has answered them (flecs/answers.json, recorded with
// flecs/record.py): every field of the answers is the same, but for the differences of
// flecs/differences.json, each of which says why.
#include <algorithm>
#include <boost/hana/define_struct.hpp>
#include <cstddef>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

import ecs.world;
import ecs.remote;

#include "scene.hpp"

namespace fleet {

/// "%2C" is a comma.
std::string decoded(std::string_view text) {
    std::string made;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '%') {
            made += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
            i += 2;
        } else {
            made += text[i];
        }
    return made;
}

/// Of a line such as "GET /query?expr=a%2Cb&try=true".
ecs::remote::request request_of(const std::string& line) {
    const std::size_t space = line.find(' ');
    const std::size_t question = std::min(line.find('?'), line.size());
    ecs::remote::request made{.method = line.substr(0, space),
                              .path = decoded(line.substr(space + 1, question - space - 1)),
                              .parameters = {},
                              .body = {},
                              .token = "secret"};
    for (std::size_t at = question; at < line.size();) {
        const std::size_t end = std::min(line.find('&', at + 1), line.size());
        const std::string parameter = line.substr(at + 1, end - at - 1);
        const std::size_t equals = parameter.find('=');
        made.parameters[parameter.substr(0, equals)] = decoded(parameter.substr(equals + 1));
        at = end;
    }
    return made;
}

/// Whether the pattern, in which '*' stands for anything, is all of the text.
bool fits(std::string_view pattern, std::string_view text) {
    if (pattern.empty()) return text.empty();
    if (pattern.front() != '*')
        return !text.empty() && pattern.front() == text.front() && fits(pattern.substr(1), text.substr(1));
    return fits(pattern.substr(1), text) || (!text.empty() && fits(pattern, text.substr(1)));
}

/// What two answers differ in, by where it is: "/results/Fleet.Boat/fields: is not here".
class comparison {
  public:
    explicit comparison(std::vector<std::string>& found) : found_(&found) {}

    void compare(const std::string& at, const json& theirs, const json& ours) {
        if (theirs.is_object() && ours.is_object())
            compare_members(at, theirs, ours);
        else if (theirs.is_array() && ours.is_array())
            compare_elements(at, theirs, ours);
        else if (!is_same(theirs, ours))
            found_->push_back(at + ": " + theirs.dump() + " there, " + ours.dump() + " here");
    }

  private:
    static bool is_same(const json& a, const json& b) {
        return a.is_number() && b.is_number() ? a.get<double>() == b.get<double>() : a == b;
    }

    void compare_members(const std::string& at, const json& theirs, const json& ours) {
        for (const auto& [name, value] : theirs.items())
            if (ours.contains(name))
                compare(at + '/' + name, value, ours[name]);
            else
                found_->push_back(at + '/' + name + ": is not here");
        for (const auto& [name, value] : ours.items())
            if (!theirs.contains(name)) found_->push_back(at + '/' + name + ": is not there");
    }

    /// Rows by who they are about; what is no row by its place.
    void compare_elements(const std::string& at, const json& theirs, const json& ours) {
        if ((!theirs.empty() && theirs[0].contains("name")) || (!ours.empty() && ours[0].contains("name")))
            return compare_members(at, by_name(theirs), by_name(ours));
        if (theirs.size() != ours.size())
            return found_->push_back(at + ": " + theirs.dump() + " there, " + ours.dump() + " here");
        for (std::size_t i = 0; i < theirs.size(); ++i)
            compare(at + '/' + std::to_string(i), theirs[i], ours[i]);
    }

    static json by_name(const json& rows) {
        json made = json::object();
        for (const json& row : rows) {
            std::string name = row.contains("parent") ? row["parent"].get<std::string>() + '.' : "";
            name += row["name"].get<std::string>();
            if (row.contains("vars"))
                for (const auto& [variable, value] : row["vars"].items())
                    name += ' ' + variable + '=' + value.get<std::string>();
            else if (row.contains("fields") && made.contains(name))
                name += " again";
            made[name] = row;
        }
        return made;
    }

    std::vector<std::string>* found_;
};

class flecs_answers : public scene {
  protected:
    flecs_answers() { options.token = "secret"; }

    static json read(const std::string& name) {
        return json::parse(std::ifstream(ECS_FLECS_ANSWERS "/" + name));
    }

    /// The namespace of a type is a part of its name here.
    static json without_namespace(std::string body) {
        for (std::size_t at = body.find("fleet::"); at != std::string::npos; at = body.find("fleet::"))
            body.erase(at, std::string_view("fleet::").size());
        return body.empty() ? json() : json::parse(body);
    }

    /// What is different in the answers, each behind its request.
    std::vector<std::string> differences() {
        ecs::schedule schedule;
        schedule.add("sail", [](const position&) {});
        schedule.run(world, 1);
        options.schedule = &schedule;
        std::vector<std::string> all;
        for (const json& recorded : read("answers.json")) {
            const auto answer = ask(request_of(recorded["request"]));
            std::vector<std::string> found;
            comparison(found).compare(
                "", json{{"status", recorded["status"]}, {"answer", recorded["answer"]}},
                json{{"status", answer.status}, {"answer", without_namespace(answer.body)}});
            for (const std::string& difference : found)
                all.push_back(decoded(recorded["request"].get<std::string>()) + ' ' + difference);
        }
        return all;
    }
};

TEST_F(flecs_answers, are_answered_with_the_same_but_for_what_is_listed) {
    const std::vector<std::string> found = differences();
    const json listed = read("differences.json");
    std::set<std::string> used;
    // The answers were recorded where a text has 32 bytes, which other standard libraries need not give it.
    const std::string size_of_course = "/size: 56 there, " + std::to_string(sizeof(course)) + " here";
    for (const std::string& difference : found) {
        if (sizeof(std::string) != 32 && difference.ends_with(size_of_course)) continue;
        const auto known = std::ranges::find_if(
            listed, [&](const json& entry) { return fits(entry["where"].get<std::string>(), difference); });
        if (known == listed.end())
            ADD_FAILURE() << difference;
        else
            used.insert((*known)["where"]);
    }
    for (const json& entry : listed)
        EXPECT_TRUE(used.contains(entry["where"])) << entry["where"] << " is no difference any more";
    EXPECT_GT(found.size(), 0U);
}

TEST_F(flecs_answers, a_difference_is_found) {
    std::vector<std::string> found;
    comparison(found).compare("",
                              json::parse(R"({"a": 1, "rows": [{"name": "x", "v": [1]}, {"name": "y"}]})"),
                              json::parse(R"({"b": 1, "rows": [{"name": "y"}, {"name": "x", "v": [2]}]})"));
    EXPECT_EQ(found, (std::vector<std::string>{"/a: is not here", "/rows/x/v/0: 1 there, 2 here",
                                               "/b: is not there"}));
}

} // namespace fleet
