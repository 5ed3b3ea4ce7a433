// SPDX-License-Identifier: MIT
// A world on the network: requests come through a socket, and are answered when the world polls.
#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <boost/hana/define_struct.hpp>
#include <chrono>
#include <gtest/gtest.h>
#include <httplib.h>
#include <memory>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

import ecs.world;
import ecs.remote;

#include "scene.hpp"

namespace fleet {

class servers : public scene {
  protected:
    using options = ecs::remote::server_options;

    /// Any free port, and time for answers on a busy machine: how long they take is not what is tested.
    static options patient(options chosen = {}) {
        chosen.port = 0;
        chosen.budget = std::chrono::seconds(60);
        chosen.patience = std::chrono::seconds(60);
        return chosen;
    }

    /// Polls until the thread that asks is done.
    template <class Ask> static void while_polling(ecs::remote::server& server, Ask ask) {
        std::atomic<bool> done{};
        std::thread client([&] {
            httplib::Client http("127.0.0.1", server.port());
            http.set_read_timeout(60);
            ask(http);
            done = true;
        });
        while (!done) {
            server.poll();
            std::this_thread::yield();
        }
        client.join();
    }

    /// What comes back for these bytes until the server closes the connection.
    static std::string answer_to_bytes(std::uint16_t port, const std::string& sent) {
        const int connection = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(connect(connection, reinterpret_cast<const sockaddr*>(&to), sizeof(to)), 0);
        EXPECT_EQ(send(connection, sent.data(), sent.size(), MSG_NOSIGNAL), ssize_t(sent.size()));
        std::string received;
        std::array<char, 4096> part{};
        for (ssize_t size = 0; (size = recv(connection, part.data(), part.size(), 0)) > 0;)
            received.append(part.data(), static_cast<std::size_t>(size));
        close(connection);
        return received;
    }

    static int status_of(const httplib::Result& answer) { return answer ? answer->status : 0; }
    static std::string error_of(const httplib::Result& answer) {
        return json::parse(answer->body).at("error");
    }
};

TEST_F(servers, put_an_address_of_version_6_in_brackets) {
    options of_version_6 = patient();
    of_version_6.host = "::1";
    try {
        const ecs::remote::server server(world, of_version_6);
        EXPECT_EQ(server.address(), "http://[::1]:" + std::to_string(server.port()));
        of_version_6.host = "[::1]";
        EXPECT_EQ(ecs::remote::server(world, of_version_6).address().find("http://[::1]:"), 0U);
    } catch (const std::runtime_error&) {
        GTEST_SKIP() << "this machine has no addresses of version 6";
    }
}

TEST_F(servers, answer_requests_between_ticks) {
    ecs::remote::server server(world, patient());
    EXPECT_NE(server.port(), 0);
    EXPECT_EQ(server.address(), "http://127.0.0.1:" + std::to_string(server.port()));
    while_polling(server, [](httplib::Client& http) {
        const auto ship = http.Get("/entity/Fleet/Ship?entity_id=true");
        ASSERT_EQ(status_of(ship), 200);
        EXPECT_EQ(ship->get_header_value("Content-Type"), "application/json");
        EXPECT_EQ(json::parse(ship->body)["components"]["fleet::position"]["x"], 10);
        const auto rows = http.Get("/query?expr=position%2C(likes%2CBob)");
        EXPECT_EQ(json::parse(rows->body)["results"].size(), 1U);
        const auto page = http.Get("/");
        EXPECT_NE(page->body.find("<title>ecs: a world</title>"), std::string::npos);
        EXPECT_EQ(status_of(http.Get("/nonsense")), 404);
        EXPECT_EQ(status_of(http.Get("/stats/world")), 200);
    });
}

/// What the server answers to these bytes, which no client library would send.
std::string answer_to(std::uint16_t port, const std::string& text) {
    const int connection = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer;
    if (::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
        ::send(connection, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size())) {
        std::array<char, 1024> part{};
        for (ssize_t read = 0; (read = ::recv(connection, part.data(), part.size(), 0)) > 0;)
            answer.append(part.data(), static_cast<std::size_t>(read));
    }
    ::close(connection);
    return answer;
}

TEST_F(servers, take_a_request_without_a_length_for_one_without_a_body) {
    ecs::remote::server server(world, patient({.token = "secret"}));
    const std::string rest = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                             "Authorization: Bearer secret\r\n";
    while_polling(server, [&](httplib::Client&) {
        const auto status = [&](const std::string& request) {
            return answer_to(server.port(), request).substr(0, std::string_view("HTTP/1.1 200").size());
        };
        EXPECT_EQ(status("PUT /entity/Fresh" + rest + "\r\n"), "HTTP/1.1 200");
        EXPECT_EQ(status("POST /entity/Fresh" + rest + "\r\n"), "HTTP/1.1 405");
        EXPECT_EQ(status("PATCH /entity/Fresh" + rest + "Content-Length: 0\r\n\r\n"), "HTTP/1.1 405");
        EXPECT_EQ(status("PUT /entity/Wrong" + rest + "Content-Length: abc\r\n\r\n"), "HTTP/1.1 400");
    });
    EXPECT_TRUE(world.lookup("Fresh"));
    EXPECT_FALSE(world.lookup("Wrong"));
}

TEST_F(servers, show_a_schedule_between_its_runs) {
    ecs::schedule schedule;
    ecs::remote::server server(world, patient({.schedule = &schedule}));
    schedule.add("sail", [](position& p, const velocity& v) { p.x += v.x; });
    schedule.add("ask", [&](ecs::world&) { server.poll(); });
    schedule.run(world, 1);
    while_polling(server, [](httplib::Client& http) {
        const auto shown = http.Get("/schedule");
        ASSERT_EQ(status_of(shown), 200);
        EXPECT_TRUE(json::parse(shown->body)["phases"][0]["systems"][0]["last"].is_object());
        EXPECT_EQ(json::parse(http.Get("/stats/pipeline")->body)[0]["name"], "sail");
    });
    std::atomic<bool> done = false;
    std::thread client([&done, port = server.port()] {
        const auto refused = httplib::Client("127.0.0.1", port).Get("/schedule");
        EXPECT_EQ(status_of(refused), 500);
        EXPECT_TRUE(error_of(refused).starts_with("the schedule is running"));
        done = true;
    });
    while (!done) schedule.run(world, 1); // Which polls.
    client.join();
}

TEST_F(servers, let_those_change_things_who_have_the_token) {
    ecs::remote::server server(world, patient({.token = "secret"}));
    while_polling(server, [](httplib::Client& http) {
        EXPECT_EQ(status_of(http.Put("/component/Bob?component=frozen")), 401);
        EXPECT_EQ(status_of(http.Put("/token/wrong/component/Bob?component=frozen")), 401);
        EXPECT_EQ(status_of(http.Put("/token/secret/component/Bob?component=frozen")), 200);
        EXPECT_EQ(status_of(http.Delete("/component/Bob?component=position",
                                        httplib::Headers{{"Authorization", "Bearer secret"}})),
                  200);
        EXPECT_EQ(status_of(http.Get("/token/secret/entity/Bob")), 200);
        EXPECT_EQ(status_of(http.Delete("/entity/Fleet/Ship",
                                        httplib::Headers{{"Authorization", "bearer secret"}})),
                  200);
        EXPECT_EQ(status_of(http.Delete("/entity/Bob", httplib::Headers{{"Authorization", "Basic secret"}})),
                  401);
    });
    EXPECT_TRUE(world.has<frozen>(bob));
    EXPECT_FALSE(world.has<position>(bob));
}

TEST_F(servers, show_and_change_nothing_without_a_token) {
    ecs::remote::server server(world, patient());
    while_polling(server, [](httplib::Client& http) {
        const auto answer = http.Delete("/entity/Bob");
        EXPECT_EQ(status_of(answer), 403);
        EXPECT_TRUE(error_of(answer).starts_with("the world is only shown"));
    });
    EXPECT_TRUE(world.alive(bob));
}

TEST_F(servers, refuse_what_is_too_large_or_malformed) {
    ecs::remote::server server(world, patient({.request_bytes_max = 1000}));
    while_polling(server, [](httplib::Client& http) {
        EXPECT_EQ(status_of(http.Put("/entity/x", std::string(2000, 'x'), "text/plain")), 413);
        const auto long_address = http.Get("/query?expr=" + std::string(20'000, 'x'));
        EXPECT_EQ(status_of(long_address), 414);
        EXPECT_FALSE(error_of(long_address).empty());
        EXPECT_EQ(status_of(http.Post("/entity/x", "", "text/plain")), 405);
    });
}

TEST_F(servers, say_that_an_answer_is_a_part) {
    ecs::remote::server server(world, patient());
    while_polling(server, [](httplib::Client& http) {
        const std::string whole = http.Get("/entity/Bob")->body;
        const auto part = http.Get("/entity/Bob", {httplib::make_range_header({{0, 3}})});
        EXPECT_EQ(status_of(part), 206);
        EXPECT_EQ(part->body, whole.substr(0, 4));
    });
}

TEST_F(servers, answer_to_names_of_this_machine_only) {
    ecs::remote::server server(world, patient());
    while_polling(server, [](httplib::Client& http) {
        EXPECT_EQ(status_of(http.Get("/entity/Bob", {{"Host", "evil.example:80"}})), 403);
        EXPECT_EQ(status_of(http.Get("/entity/Bob", {{"Host", "127.evil.example"}})), 403);
        EXPECT_EQ(status_of(http.Get("/entity/Bob", {{"Host", "127.0.0.1.evil.example:80"}})), 403);
        EXPECT_EQ(status_of(http.Get("/entity/Bob", {{"Host", "localhost:27750"}})), 200);
        EXPECT_EQ(status_of(http.Get("/entity/Bob", {{"Host", "127.0.0.1:27750"}})), 200);
        EXPECT_EQ(http.Get("/entity/Bob")->has_header("Access-Control-Allow-Origin"), false);
    });
    ecs::remote::server open(world, patient({.allowed_origin = "https://www.flecs.dev"}));
    while_polling(open, [](httplib::Client& http) {
        EXPECT_EQ(http.Get("/entity/Bob")->get_header_value("Access-Control-Allow-Origin"),
                  "https://www.flecs.dev");
        EXPECT_EQ(status_of(http.Options("/entity/Bob")), 204);
    });
}

/// The page of another server sends a body that looks like a request for this machine.
TEST_F(servers, take_no_body_for_another_request) {
    ecs::remote::server server(world, patient());
    while_polling(server, [&](httplib::Client&) {
        const std::string body = "GET /entity/Bob HTTP/1.1\r\nHost: localhost\r\n\r\n";
        for (const std::string head :
             {"POST / HTTP/1.1\r\nHost: evil.example", "GET /queries HTTP/1.1\r\nHost: localhost",
              "NONE / HTTP/1.1\r\nHost: localhost",
              "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: none"}) {
            const std::string answer =
                answer_to_bytes(server.port(), head + "\r\nContent-Length: " + std::to_string(body.size()) +
                                                   "\r\n\r\n" + body);
            EXPECT_EQ(answer.rfind("HTTP/1.1 "), 0U) << "one answer: " << answer;
            EXPECT_EQ(answer.find("Bob"), std::string::npos) << answer;
        }
    });
}

TEST_F(servers, take_bodies_only_whole_and_of_known_length) {
    ecs::remote::server server(world, patient({.request_bytes_max = 1000}));
    while_polling(server, [&](httplib::Client& http) {
        const std::string chunked =
            "PUT /entity/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
        EXPECT_EQ(answer_to_bytes(server.port(), chunked).find("HTTP/1.1 411 "), 0U);
        EXPECT_EQ(status_of(http.Put("/entity/x", {{"Content-Encoding", "gzip"}}, "x", "text/plain")), 411);
        EXPECT_EQ(status_of(http.Put("/entity/x", "x", "multipart/form-data; boundary=y")), 415);
    });
}

TEST_F(servers, take_a_value_from_a_body_of_any_type) {
    ecs::remote::server server(world, patient({.token = "secret"}));
    while_polling(server, [](httplib::Client& http) {
        const std::string value = R"({"order": "a&value=b", "urgent": true})" + std::string(10'000, ' ');
        EXPECT_EQ(status_of(http.Put("/token/secret/component/Bob?component=course", value,
                                     "application/x-www-form-urlencoded")),
                  200);
    });
    EXPECT_EQ(world.get<course>(bob).order, "a&value=b");
}

TEST_F(servers, answer_heads_line_ends_in_names_and_two_tokens) {
    ecs::remote::server server(world, patient({.token = "secret"}));
    while_polling(server, [](httplib::Client& http) {
        EXPECT_EQ(status_of(http.Head("/entity/Bob")), 200);
        const httplib::Headers with_token{{"Authorization", "Bearer secret"}};
        EXPECT_EQ(status_of(http.Put("/entity/two%0Alines", with_token, "", "text/plain")), 200);
        EXPECT_EQ(status_of(http.Get("/token/other/entity/two%0Alines", with_token)), 200);
    });
}

TEST_F(servers, refuse_options_with_which_nothing_is_answered) {
    const std::chrono::nanoseconds none{0};
    for (const options& useless : {options{.port = 0, .host = ""}, options{.port = 0, .waiting_max = 0},
                                   options{.port = 0, .waiting_max = 256}, options{.port = 0, .budget = none},
                                   options{.port = 0, .patience = none}})
        EXPECT_THROW(ecs::remote::server(world, useless), std::invalid_argument);
}

TEST_F(servers, give_up_on_a_world_that_does_not_poll) {
    ecs::remote::server server(world,
                               {.port = 0, .waiting_max = 1, .patience = std::chrono::milliseconds(500)});
    std::vector<std::thread> clients;
    std::vector<std::string> errors(3);
    for (std::string& error : errors)
        clients.emplace_back([&error, port = server.port()] {
            httplib::Client http("127.0.0.1", port);
            const auto answer = http.Get("/entity/Bob");
            EXPECT_EQ(status_of(answer), 503);
            error = error_of(answer);
        });
    for (std::thread& client : clients) client.join();
    const auto count = [&](std::string_view text) { return std::ranges::count(errors, text); };
    EXPECT_GE(count("the world does not answer: its program polls too seldom"), 1);
    EXPECT_GE(count("too many requests wait for the world: ask again later"), 1);
    EXPECT_EQ(server.poll(), 0U) << "nobody waits any more";
}

TEST_F(servers, wait_for_the_end_of_what_a_poll_has_begun) {
    ecs::remote::server server(world,
                               {.port = 0, .token = "secret", .patience = std::chrono::milliseconds(500)});
    world.observe<ecs::event::removed, position>(
        [](ecs::entity) { std::this_thread::sleep_for(std::chrono::milliseconds(800)); });
    while_polling(server, [](httplib::Client& http) {
        EXPECT_EQ(status_of(http.Delete("/token/secret/entity/Bob")), 200) << "the edit was made";
    });
    EXPECT_FALSE(world.alive(bob));
}

TEST_F(servers, end_a_request_that_takes_longer_than_the_budget) {
    for (int i = 0; i < 4000; ++i) world.spawn(owes{i});
    ecs::remote::server server(
        world, {.port = 0, .budget = std::chrono::milliseconds(500), .patience = std::chrono::seconds(50)});
    while_polling(server, [](httplib::Client& http) {
        const auto answer = http.Get("/query?expr=position,owes($a),owes($b),owes($c),!owes($c)");
        EXPECT_EQ(status_of(answer), 503);
        EXPECT_TRUE(error_of(answer).starts_with("the answer takes longer"));
        EXPECT_EQ(status_of(http.Get("/entity/Bob")), 200);
    });
}

/// Waits for longer each time, until a request has come in time: what comes too late has no answer.
TEST_F(servers, end_while_requests_wait) {
    int status = 0;
    for (int wait = 25; status == 0 && wait < 10'000; wait *= 2) {
        auto server = std::make_unique<ecs::remote::server>(
            world, options{.port = 0, .patience = std::chrono::seconds(60)});
        std::thread client([&status, port = server->port()] {
            httplib::Client http("127.0.0.1", port);
            status = status_of(http.Get("/entity/Bob"));
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(wait));
        server.reset();
        client.join();
    }
    EXPECT_EQ(status, 503);
}

TEST_F(servers, refuse_ports_in_use_and_loops) {
    ecs::remote::server server(world, patient());
    EXPECT_THROW(ecs::remote::server(world, {.port = server.port()}), std::runtime_error);
    EXPECT_THROW(ecs::remote::server(world, {.port = 0, .page_directory = "/nowhere/at/all"}),
                 std::runtime_error);
    EXPECT_THROW(world.each([&](const position&) { server.poll(); }), ecs::iteration_error);
}

} // namespace fleet
