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

struct position {
    BOOST_HANA_DEFINE_STRUCT(position, (float, x), (float, y));
};
struct velocity {
    BOOST_HANA_DEFINE_STRUCT(velocity, (float, x), (float, y));
};
struct course {
    BOOST_HANA_DEFINE_STRUCT(course, (position, to), (std::string, order), (bool, urgent),
                             (ecs::entity, leader));
};
struct owes {
    BOOST_HANA_DEFINE_STRUCT(owes, (int, coins));
};
struct opaque {
    std::vector<int> what;
};
class sealed {
  public:
    [[nodiscard]] int code() const { return code_; }

  private:
    int code_ = 0;
};
struct frozen {};
struct likes {};

using json = nlohmann::json;

/// Fleet has Ship and Boat; Boat is a Hull, which is a prefab; both like Bob, and Boat likes Ship as well.
class scene : public testing::Test {
  protected:
    scene() {
        world.component<position>(), world.component<velocity>(), world.component<course>();
        world.component<owes>(), world.component<opaque>(), world.component<sealed>();
        world.component<frozen>(), world.component<likes>();
    }

    ecs::remote::response ask(const ecs::remote::request& asked) {
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
    std::string refusal(int status, const ecs::remote::request& asked) {
        const auto answer = ask(asked);
        EXPECT_EQ(answer.status, status) << answer.body;
        return json::parse(answer.body).at("error");
    }

    ecs::world world;
    ecs::remote::answer_options options{.budget = std::chrono::seconds(60)}; // Sanitizers take their time.
    ecs::entity fleet = world.spawn("Fleet");
    ecs::entity ship = world.spawn("Ship", position{10, 20}, velocity{1, 2}, ecs::pair(ecs::child_of, fleet));
    ecs::entity hull = world.prefab("Hull", velocity{7, 8});
    ecs::entity bob = world.spawn("Bob", position{3, 4});
    ecs::entity boat = world.spawn("Boat", ecs::pair(ecs::child_of, fleet));

    void SetUp() override {
        world.add<frozen>(ship);
        world.add<likes>(ship, bob);
        world.add(boat, ecs::pair(ecs::is_a, hull));
        world.add<likes>(boat, bob);
        world.add<likes>(boat, ship);
        world.set<owes>(ship, bob, owes{5});
    }
};

} // namespace fleet
