// SPDX-License-Identifier: MIT
// The world that the tests ask about. Include it after the imports.
#pragma once
#include <boost/hana/define_struct.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

import ecs.world;
import ecs.remote;

namespace fleet {

struct Position {
    BOOST_HANA_DEFINE_STRUCT(Position, (float, x), (float, y));
};
struct Velocity {
    BOOST_HANA_DEFINE_STRUCT(Velocity, (float, x), (float, y));
};
struct Course {
    BOOST_HANA_DEFINE_STRUCT(Course, (Position, to), (std::string, order), (bool, urgent),
                             (ecs::entity, leader));
};
struct Owes {
    BOOST_HANA_DEFINE_STRUCT(Owes, (int, coins));
};
struct Opaque {
    std::vector<int> what;
};
struct Frozen {};
struct Likes {};

using json = nlohmann::json;

/// Fleet has Ship and Boat; Boat is a Hull, which is a prefab; both like Bob, and Boat likes Ship as well.
class scene : public testing::Test {
  protected:
    scene() {
        world.component<Position>(), world.component<Velocity>(), world.component<Course>();
        world.component<Owes>(), world.component<Opaque>(), world.component<Frozen>(),
            world.component<Likes>();
    }

    ecs::remote::response ask(ecs::remote::request asked) {
        return ecs::remote::answer(world, asked, options);
    }

    /// The answer to a request that is fine.
    json got(const std::string& path, std::unordered_map<std::string, std::string> parameters = {}) {
        const auto answer = ask({.path = path, .parameters = std::move(parameters)});
        EXPECT_EQ(answer.status, 200) << answer.body;
        return json::parse(answer.body);
    }
    json query(const std::string& expr, std::unordered_map<std::string, std::string> parameters = {}) {
        parameters["expr"] = expr;
        return got("/query", std::move(parameters));
    }
    /// The names of the entities that a query finds.
    std::vector<std::string> found(const std::string& expr) {
        std::vector<std::string> names;
        const json answer = query(expr);
        for (const json& row : answer["results"]) names.push_back(row["name"]);
        return names;
    }
    /// The error of a request that is refused with this status.
    std::string refusal(int status, ecs::remote::request asked) {
        const auto answer = ask(std::move(asked));
        EXPECT_EQ(answer.status, status) << answer.body;
        return json::parse(answer.body).at("error");
    }

    ecs::world world;
    ecs::remote::answer_options options{.budget = std::chrono::seconds(60)}; // Sanitizers take their time.
    ecs::entity fleet = world.spawn("Fleet");
    ecs::entity ship = world.spawn("Ship", Position{10, 20}, Velocity{1, 2}, ecs::pair(ecs::child_of, fleet));
    ecs::entity hull = world.prefab("Hull", Velocity{7, 8});
    ecs::entity bob = world.spawn("Bob", Position{3, 4});
    ecs::entity boat = world.spawn("Boat", ecs::pair(ecs::child_of, fleet));
    ecs::entity likes = world.component<Likes>();

    void SetUp() override {
        world.add<Frozen>(ship);
        world.add<Likes>(ship, bob);
        world.add(boat, ecs::pair(ecs::is_a, hull));
        world.add<Likes>(boat, bob);
        world.add<Likes>(boat, ship);
        world.set<Owes>(ship, bob, Owes{5});
    }
};

} // namespace fleet
